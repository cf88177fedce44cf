"""Which metric notices which fault of the reference inquiry product: all packages, each fault, without a browser.

    python -m scripts.inquiry_matrix                   a table for people; exit code 1 if a fault is missed or a metric fails unasked
    python -m scripts.inquiry_matrix --json
    python -m scripts.inquiry_matrix --write            the page docs/inquiry-faults.md, and what the product declares of its faults

Buyers are the rule customer, the product is the controlled one, in this process: what is shown is whether a fault of the
product's reaches the metric meant for it.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.devstack.inquiry.defects import DECLARED, DEFECTS, Defect
from harness.schema.package import find_packages
from harness.stage import LoadedPackage
from oracle_scoring.inquiry.grade import grade
from scripts.inquiry_buyers import buyers, journey, session

ROOT = Path(__file__).parent.parent
PACKAGES = ROOT / "packages"
PAGE = ROOT / "docs/inquiry-faults.md"
AWAITS_JUDGE = frozenset({"M-028"})
"""Metrics that no rule decides."""
Verdicts = dict[str, dict[str, str]]
"""Metric -> package -> result."""


@dataclass(frozen=True)
class Row:
    """What one fault brings about."""

    defect: Defect
    noticed_in: list[str]
    """Packages in which the fault's own metric fails."""
    also: list[str]
    """Other metrics that fail in any package."""

    @property
    def state(self) -> str:
        """`noticed`, `awaits a judge` or `MISSED`."""
        if self.noticed_in:
            return "noticed"
        return "awaits a judge" if self.defect.metric in AWAITS_JUDGE else "MISSED"

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {
            "defect": self.defect.name, "metric": self.defect.metric, "seen": self.defect.seen, "state": self.state,
            "noticed_in": self.noticed_in, "also": self.also,
        }  # fmt: skip


def verdicts(packages: dict[str, LoadedPackage], defects: tuple[str, ...]) -> Verdicts:
    """Every metric's result in every package."""
    found: Verdicts = {}
    for name, package in packages.items():
        for metric in grade(session(name, journey(package, defects))).metrics:
            found.setdefault(metric.metric_id, {})[name] = metric.result
    return found


def failing(found: Verdicts) -> dict[str, list[str]]:
    """Metric -> packages in which it fails."""
    failed = {m: [p for p, result in by.items() if result == "FAIL"] for m, by in found.items()}
    return {metric: where for metric, where in failed.items() if where}


def matrix(packages: dict[str, LoadedPackage], names: Iterable[str]) -> list[Row]:
    """A row for each fault."""
    rows = []
    for name in names:
        defect = DEFECTS[name]
        failed = failing(verdicts(packages, (name,)))
        rows.append(Row(defect, failed.get(defect.metric, []), sorted(set(failed) - {defect.metric})))
    return rows


def page(rows: list[Row]) -> str:
    """The table as a page of the documentation."""
    lines = [
        "# Faults of the reference inquiry product",
        "",
        "Written by `python -m scripts.inquiry_matrix --write`: the rule customer plays every inquiry package against the",
        "controlled product with one fault switched on, without a browser, and the 58 metrics are decided. With none on, no",
        "metric fails in any package. The product declares what stands here; `rig calibrate --product inquiry` plays the faults",
        "through the real page and holds what it finds against it. `rig run … --defect NAME` switches one on in a journey.",
        "",
        "| metric | fault | what is seen | fails in | other metrics that fail with it |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        where = ", ".join(p.removeprefix("INQ-") for p in row.noticed_in) or row.state
        lines.append(
            f"| {row.defect.metric} | `{row.defect.name}` | {row.defect.seen} | {where} | {', '.join(row.also)} |"
        )
    return "\n".join(lines) + "\n"


def declared(rows: list[Row]) -> str:
    """Where each fault shows and what fails with it, as the product declares it."""
    head = "# Fault -> packages in which its metric fails, other metrics that fail with it in any of them.\n"
    head += "# Written by `python -m scripts.inquiry_matrix --write`.\n"
    return head + "".join(
        f"{row.defect.name}: {{in: [{', '.join(row.noticed_in)}], with: [{', '.join(row.also)}]}}\n" for row in rows
    )


def main(arguments: list[str] | None = None) -> int:
    """0: every fault is noticed and nothing fails without one; 1: not so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("defects", nargs="*", help="only these faults")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the table as a page, and what the product declares")
    got = parser.parse_args(arguments)
    if got.write and got.defects:
        sys.stderr.write("--write is for all faults at once\n")
        return 2
    if unknown := [name for name in got.defects if name not in DEFECTS]:
        sys.stderr.write(f"{unknown[0]}: there is no such fault\n")
        return 2
    packages = buyers(list(find_packages(PACKAGES, "inquiry").values()))
    without = failing(verdicts(packages, ()))
    rows = matrix(packages, got.defects or list(DEFECTS))
    if got.json:
        print(json.dumps({"without_a_fault": without, "faults": [row.plain() for row in rows]}, ensure_ascii=False))
    else:
        for row in rows:
            print(f"{row.state:15} {row.defect.metric} {row.defect.name}: {', '.join(row.noticed_in)}")
        print(f"without a fault: {without or 'no metric fails'}")
    if got.write:
        PAGE.write_text(page(rows), encoding="utf-8")
        DECLARED.write_text(declared(rows), encoding="utf-8")
    return 1 if without or any(row.state == "MISSED" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
