"""The list of defects as a table for people."""

from harness.devstack.claims.defects import DEFECTS, Defect

HEAD = "| defect | what is seen | line | moves with it | shows where |\n|---|---|---|---|---|\n"


def table() -> str:
    """Every defect as a row of a Markdown table, in the order of the list."""
    return HEAD + "".join(_row(defect) for defect in DEFECTS.values())


def _row(defect: Defect) -> str:
    name = f"`{defect.name}`" + (f" ({defect.waits_s:g} s)" if defect.waits_s is not None else "")
    reasons: dict[str, list[str]] = {}
    for line, why in defect.follows.items():
        reasons.setdefault(why, []).append(f"`{line}`")
    follows = "; ".join(f"{', '.join(lines)}: {why}" for why, lines in reasons.items())
    lines = ", else ".join(f"`{line}`" for line in defect.lines)
    needs = ", ".join(f"`{need}`" for need in defect.needs) or "everywhere"
    return f"| {name} | {defect.seen} | {lines} | {follows} | {needs} |\n"
