"""What the golden inquiry sessions show, metric by metric, and what the rules say of each: docs/inquiry-golden.md.

python -m scripts.inquiry_golden            prints the page; exit code 1 if the rules say something else than the manual
python -m scripts.inquiry_golden --write    writes it
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.inquiry.metric import metrics
from tests.golden.inquiry.build import Golden, load

PAGE = Path(__file__).parent.parent / "docs/inquiry-golden.md"
Rules = Callable[[Golden], str]
"""A session -> what the rules say of the metric that it is about."""
_HEAD = """# The golden sessions, metric by metric

Written by `python -m scripts.inquiry_golden --write` from `tests/golden/inquiry/`, whose sessions are written from the manual.
Counted are the sessions about a metric by the manual's verdict, the edges of its card that one of them shows, those on which
the rules say just that, and those that wait for a judge, on which the rules say `NOT_CHECKED`. In the last column stands
every session on which the rules say anything else.

| metric | name | sessions | PASS | FAIL | N/A | scored | edges shown | rules say the same | awaiting a judge | rules say otherwise |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def by_rules(golden: Golden) -> str:
    """The result of the session's own metric, without a judge."""
    result = grade(InquirySession.model_validate(golden.session))
    return next(m.result for m in result.metrics if m.metric_id == golden.metric)


def otherwise(sessions: Sequence[Golden], rules: Rules) -> list[str]:
    """Sessions on which the rules say neither the manual's verdict nor, where a judge is awaited, NOT_CHECKED."""
    found = []
    for golden in sessions:
        expected = "NOT_CHECKED" if golden.awaits else golden.verdict
        if (said := rules(golden)) != expected:
            found.append(f"{golden.id}: {said}")
    return found


def page(sessions: Sequence[Golden], rules: Rules) -> str:
    """The table, one row a metric in the order of the manual, and a row of sums."""
    rows: list[list[int | str]] = []
    for metric in metrics():
        about = [g for g in sessions if g.metric == metric.id]
        awaiting = [g for g in about if g.awaits]
        wrong = otherwise(about, rules)
        off = {line.split(": ")[0] for line in wrong}
        rows.append(
            [
                metric.id, metric.name, len(about),
                *(sum(g.verdict == verdict for g in about) for verdict in ("PASS", "FAIL", "N/A", "SCORED")),
                len({g.edge for g in about} - {None}),
                sum(not g.awaits and g.id not in off for g in about), len(awaiting), ", ".join(wrong),
            ]
        )  # fmt: skip
    sums = [sum(int(row[n]) for row in rows) for n in range(2, 10)]
    rows.append(["all", "", *sums, ""])
    return _HEAD + "".join(f"| {' | '.join(str(cell) for cell in row)} |\n" for row in rows)


def main(arguments: list[str] | None = None) -> int:
    """0: the rules say what the manual says; 1: not so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page")
    got = parser.parse_args(arguments)
    sessions = load()
    said = {golden.id: by_rules(golden) for golden in sessions}
    text = page(sessions, lambda golden: said[golden.id])
    if got.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 1 if otherwise(sessions, lambda golden: said[golden.id]) else 0


if __name__ == "__main__":
    sys.exit(main())
