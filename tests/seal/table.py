"""`docs/seals.md` from the tests: every planted leak, the guard meant for it, the test. Run as a module to write it."""

from collections import Counter
from pathlib import Path

from tests.seal import (
    test_audit_hook,
    test_gate,
    test_imports,
    test_poison,
    test_reader,
    test_staged,
    test_types,
    test_wire,
    test_worker,
)
from tests.seal.catalogue import PLACES, Row

FILE = Path(__file__).parents[2] / "docs" / "seals.md"
MODULES = (
    test_gate,
    test_wire,
    test_staged,
    test_types,
    test_worker,
    test_reader,
    test_poison,
    test_audit_hook,
    test_imports,
)
HEAD = """# Planted leaks

Each line is a leak that a test plants, the guard that is meant for it, and the test (below `tests/seal/`). A test sees the
guard catch the leak; where the guard is code of the rig that runs with a journey (gate, pool, stager, audit hook, browser),
the same leak passes beside it with the guard taken out. Two kinds are otherwise. A screen reader that looks behind the page is
no leak that a run could stop: there the page's script is broken, one way at a time, and what it takes in is found in its screen
("poison in the screen"). On the product's page the poison is there in every run, and is looked for in every request; that it is
found where it does get into one is shown once, for all. Two tests stand for all leaks at once: `test_noninterference.py` changes
every hidden leaf of every claims package and finds every request byte for byte the same, and `test_literal.py` looks for every hidden
value in every prompt of a whole talk. For packages of buyers `test_inquiry_packages.py` puts the hidden files of another
package in their place, and looks for canaries, inner ids and metrics.

This page is written by `python -m tests.seal.table`; a test fails where it is out of step.
"""
LIMITS = """
## What these seals are not

- The audit hook is a seal against mistakes, not a jail: code that sets out to break its own process (through memory, or by
  finding the hook's object) is not stopped. Looking whether a file exists (`stat`) raises no event and is not refused.
- The browser and its driver are processes of their own and not sealed. The browser's requests are confined to the adapter's
  origins; the driver opens the files that are uploaded, whose names come from the view and cannot leave their folder.
- A canary shows that a hidden *file* was copied; single values are kept out by the second rendering, not by search.
- On the wire, values of ordinary headers (the user agent, for instance) are searched for canaries only.
"""


def rows() -> list[Row]:
    """All lines, by place and in the order of the tests."""
    found = [row for module in MODULES for row in module.ROWS]
    return [row for place in PLACES for row in found if row.place == place]


def page() -> str:
    """The whole page."""
    lines = rows()
    counts = Counter(row.place for row in lines)
    out = [
        HEAD,
        "| place | leaks |",
        "|---|---|",
        *(f"| {place} | {counts[place]} |" for place in PLACES),
        f"| all | {len(lines)} |",
    ]
    for place in PLACES:
        out += ["", f"## {place[0].upper()}{place[1:]}", "", "| planted leak | guard | test |", "|---|---|---|"]
        out += [f"| {row.leak} | {row.guard} | `{row.test.split('[')[0]}` |" for row in lines if row.place == place]
    return "\n".join(out) + "\n" + LIMITS


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(page(), encoding="utf-8")
