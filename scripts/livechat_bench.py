"""Samples graded a second and the memory it takes, beside a loop that only reads and writes the same file; and the nastiest texts.

    python -m scripts.livechat_bench [--samples 10000] [--runs 3] [--growth]

Both are processes of their own, started by the same interpreter on the same file; what is measured is the processor time and
the largest resident memory of each (Linux). `--growth` grades ten times the samples, too.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oracle_scoring.livechat.grade import grade, line, row
from oracle_scoring.livechat.models import Sample
from oracle_scoring.livechat.words import library
from tests.golden.livechat.build import load

ROOT = Path(__file__).resolve().parents[1]
PLAIN = """
import json, sys
with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as target:
    for line in source:
        target.write(json.dumps(json.loads(line), ensure_ascii=False).encode() + b"\\n")
"""
GRADE = """
import sys
from harness.cli import main
sys.argv = ["rig", "grade", "livechat", sys.argv[1], "-o", sys.argv[2]]
try:
    main()
except SystemExit as ended:
    if ended.code:
        raise
"""
PEAK = """
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
"""The largest memory that this program had resident, in KiB; the one the system reports for a child counts its parent's, too."""


def samples(count: int, rng_seed: int = 1) -> Iterator[dict[str, Any]]:
    """So many samples: the golden queries and answers in new pairs, each with figures of its own."""
    rng = random.Random(rng_seed)
    golden = [g.sample for g in load()]
    for n in range(count):
        asked, said = rng.choice(golden), rng.choice(golden)
        yield {
            "id": f"S-{n}", "query": asked.query, "answer": f"观众问第{n}条|{said.answer}，编号{n}", "business_type": asked.business_type,
            "industry_kg": "家电", "platform": "douyin", "day": f"2026-01-{n % 28 + 1:02d}",
        }  # fmt: skip


def write(path: Path, count: int) -> None:
    """The samples as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(s, ensure_ascii=False) + "\n" for s in samples(count))


def measure(code: str, source: Path, target: Path) -> tuple[float, float, float]:
    """(processor seconds, wall seconds, largest resident memory in MB) of one process."""
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", code + PEAK, str(source), str(target)],
            cwd=ROOT,
            stdout=said,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"ended with {process.returncode}")
        said.seek(0)
        return used.ru_utime + used.ru_stime, time.perf_counter() - began, int(said.read().split()[-1]) / 1024


def nasty() -> dict[str, str]:
    """Texts that a careless pattern would chew on for long."""
    size = 300_000
    return {
        "one character": "哈" * size,
        "blanks": " " * size,
        "marks": "！？。，" * (size // 4),
        "brackets": "[" * size,
        "stars": "**" * (size // 2),
        "quotes": '{"' * (size // 2),
        "ones": "1. " * (size // 3),
        "circles": "①" * size,
        "first": "首先" * (size // 2),
        "more": "更" * size,
        "links": "链接" * (size // 2),
        "pages": "去详情" * (size // 3),
        "questions": "有问题" * (size // 3),
        "addresses": "亲，" * (size // 2),
        "titles": "《" * size,
        "lines": "\n" * size,
        "figures": "1" * size,
        "many figures": " ".join(str(n) for n in range(size // 6)),
        "a figure and blanks": "链接1" + " " * size + "链",
        "line breaks": "好" + "\n" * size + "好",
        "gaps": "好 " * (size // 2) + "x",
        "worn words": "，".join(f"惊艳{n}" for n in range(size // 9)),
        "script": "鲸 " * (size // 2),
        "suits": "适合" * (size // 2),
        "one clause": "这款好" * (size // 3),
    }


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--growth", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "samples.jsonl", Path(folder) / "out.jsonl"
        write(source, asked.samples)
        print(
            f"{asked.samples} samples, {source.stat().st_size / asked.samples:.0f} bytes each; median of {asked.runs} runs"
        )
        empty = Path(folder) / "one.jsonl"
        write(empty, 1)
        start, _, base = measure(GRADE, empty, target)
        print(f"  starting up, one sample: {start:.2f} s, {base:.1f} MB")
        for name, code in (("only read and written", PLAIN), ("graded", GRADE)):
            _report(
                name, asked.samples, [measure(code, source, target) for _ in range(asked.runs)], start * (code is GRADE)
            )
        if asked.growth:
            write(source, asked.samples * 10)
            _report("graded, ten times as many", asked.samples * 10, [measure(GRADE, source, target)], start)
    words = library().of("electronics_ecom", "bench")
    slowest = []
    for name, text in nasty().items():
        both = Sample(
            id="n", query=text, answer=text, business_type="electronics_ecom", industry_kg="-", platform="-", kb=text
        )
        began = time.process_time()
        line(row(grade(both, words), "bench"))
        slowest.append((time.process_time() - began, name))
    print(
        "nastiest texts of 300,000 characters, as query and answer: "
        + ", ".join(f"{s:.2f} s {n}" for s, n in sorted(slowest)[:-6:-1])
    )


def _report(name: str, count: int, found: list[tuple[float, float, float]], start: float) -> None:
    used = statistics.median(f[0] for f in found)
    most = max(f[2] for f in found)
    print(
        f"  {name}: {count / used:,.0f} a second of processor time"
        + (f" ({count / max(used - start, 1e-9):,.0f} without starting up)" if start else "")
        + f", {used:.2f} s, {most:.1f} MB at most"
    )


if __name__ == "__main__":
    main()
