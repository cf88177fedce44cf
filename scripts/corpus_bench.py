"""How long the checker takes for many packages, and whether its time grows in line with their number."""

import cProfile
import io
import json
import os
import pstats
import secrets
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from harness.schema.package import LABELS, PROVENANCE, REVIEW, SETUP, find_packages
from oracle_scoring.corpus.check import check_folders, corpus_report
from oracle_scoring.corpus.manifest import write_manifest

COPIES_SHARE = frozenset({"identity_repeated", "material_shared", "label_from_kind"})
"""Findings that copies of a package must give, since they have the same customer, files and labels."""


def copy_package(folder: Path, target: Path) -> None:
    """A package under another id with canaries of its own."""
    shutil.copytree(folder, target)
    for relative in (LABELS, SETUP, PROVENANCE, REVIEW):
        text = (target / relative).read_text("utf-8")
        canary = json.loads(text)["canary"]
        (target / relative).write_text(text.replace(canary, secrets.token_hex(16)), "utf-8")


def make_copies(packages: list[Path], root: Path, copies: int) -> int:
    """A corpus below `root` with so many copies of every package; the number of packages."""
    for n in range(copies):
        for folder in packages:
            copy_package(folder, root / folder.parent.name / f"{folder.name}-{n:04d}")
    write_manifest(root, "bench", "copies")
    return copies * len(packages)


def _processor_time() -> float:
    """Seconds of processor time that this process and its ended children have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(root: Path, jobs: int | None) -> tuple[float, float, Counter[str]]:
    """Seconds by the clock and of processors for a whole check of the corpus, manifest included; findings by code."""
    started, used = time.perf_counter(), _processor_time()
    report = corpus_report(root, jobs=jobs)
    took, used = time.perf_counter() - started, _processor_time() - used
    return took, used, Counter(finding.code for finding in report.findings)


def parts(root: Path) -> list[str]:
    """The functions of the checker that take longest for one corpus in one process, with their seconds, callees included."""
    profile = cProfile.Profile()
    profile.runcall(check_folders, list(find_packages(root).values()), 1)
    out = io.StringIO()
    pstats.Stats(profile, stream=out).sort_stats("cumulative").print_stats(
        r"oracle_scoring|harness|PIL/Image|pypdf/_reader", 28
    )
    return [line.strip() for line in out.getvalue().splitlines() if line.strip() and "/" in line]


def bench(corpus: Path, copies: int, jobs: int | None, as_json: bool) -> int:
    """Measures a quarter, half and all of the copies. Exit 1 if a copy gives a finding that copying does not explain."""
    packages = list(find_packages(corpus).values())
    rows: list[dict[str, Any]] = []
    odd: Counter[str] = Counter()
    longest: list[str] = []
    for part in sorted({max(1, copies // 4), max(1, copies // 2), copies}):
        with tempfile.TemporaryDirectory() as folder:
            number = make_copies(packages, Path(folder), part)
            seconds, used, codes = measure(Path(folder), jobs)
            odd += Counter({code: n for code, n in codes.items() if code not in COPIES_SHARE})
            rows.append(
                {
                    "packages": number,
                    "seconds": round(seconds, 2),
                    "ms_per_package": round(seconds / number * 1000, 2),
                    "processor_seconds": round(used, 2),
                    "processor_ms_per_package": round(used / number * 1000, 2),
                    "load_average": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
                }
            )
            if not longest:
                longest = parts(Path(folder))
    found = {"rows": rows, "unexplained_findings": dict(odd), "profile_of_the_smallest": longest}
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        for row in rows:
            print(
                f"{row['packages']:6} packages  {row['seconds']:7.2f} s  {row['ms_per_package']:6.2f} ms each; processors "
                f"{row['processor_seconds']:.2f} s, {row['processor_ms_per_package']:.2f} ms each; load {row['load_average']}"
            )
        print("findings that copying does not explain:", dict(odd) or "none")
        print("\n".join(longest))
    return 1 if odd else 0
