"""What the checker prints, for `rig corpus check` and `scripts/check_corpus.py` alike."""

from typing import Any

from oracle_scoring.corpus.check import Report


def as_json(report: Report) -> dict[str, Any]:
    """The report as one JSON value."""
    return {
        "packages": len(report.packages),
        "findings": [finding.model_dump() for finding in report.findings],
        "mended": report.mended,
        "taken_in": report.taken_in,
        "progress": [{"what": c.what, "have": c.have, "plan": c.plan, "done": c.done} for c in report.progress],
    }


def as_lines(report: Report) -> list[str]:
    """The report for a person: a line for each finding, for each file laid out anew, and how far the corpus is."""
    lines = [finding.line() for finding in report.findings]
    lines += [f"laid out anew: {name}" for name in report.mended]
    lines += [f"taken into the draft's manifest: {name}" for name in report.taken_in]
    if report.progress:
        counts = [f"{c.what} {c.have} of {c.plan}" for c in report.progress if c.exact]
        lines.append(f"plan: {', '.join(counts)}")
        empty = [c.what for c in report.progress if not c.exact and not c.done]
        if empty:
            lines.append(f"plan: no package yet of {', '.join(empty)}")
    lines.append(f"{len(report.packages)} packages, {len(report.findings)} findings")
    return lines


def exit_code(report: Report) -> int:
    """2 if there is a finding, else 0."""
    return 2 if report.findings else 0
