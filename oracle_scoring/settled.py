"""What stands above every line: abilities that are not built, attempts that say nothing of the product, and their grade."""

from fnmatch import fnmatchcase
from typing import Literal

from harness.schema.grade import grade
from harness.schema.run import NOT_COUNTING
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.lines import ATTEMPT, in_file
from oracle_scoring.record import Record


def unimplemented_key(item: ScoreLine, table: dict[str, str]) -> str | None:
    """The entry of the adapter's table that covers this line: its id, a pattern like `review.*`, or its group."""
    return next((k for k in table if k in (item.id, item.group) or fnmatchcase(item.id, k)), None)


def grade_of(record: Record) -> tuple[Literal["official", "rehearsal"], list[str]]:
    """(official or rehearsal, why a rehearsal) of the attempt, its place in the ledger among the reasons."""
    problem = record.chain_problem
    verdict, reasons = grade(record.manifest, record.attempt, chain_ok=problem is None)
    return verdict, reasons if problem is None else [*reasons[:-1], f"{reasons[-1]}: {problem}"]


def settled(record: Record, item: ScoreLine, void: bool = True) -> ScoreLine:
    """The line after what stands above all lines: abilities that are not built, and attempts that say nothing.

    Args:
        void: an attempt that does not count says nothing; without it, what was seen of one up to its end is said.
    """
    table = record.adapter.unimplemented
    key = unimplemented_key(item, table)
    if key is not None:
        here = Evidence(file="../../../adapter.json", path=f"capabilities.unimplemented.{key}", quote=table[key])
        why = f"the product has not built this: {table[key]}"
        return item.model_copy(update={"state": "unimplemented", "why": why, "alarm": None, "evidence": [here]})
    attempt = record.attempt
    if void and attempt.termination_reason in NOT_COUNTING:
        here = in_file(ATTEMPT, "termination_reason", attempt.termination_reason)
        why = f"the attempt ended {attempt.termination_reason} ({attempt.why}), which is not the product's doing"
        update = {"state": "not_checked", "why": why, "alarm": None, "evidence": [here], "got": None}
        return item.model_copy(update=update)
    return item
