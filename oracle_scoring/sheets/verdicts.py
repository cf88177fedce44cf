"""What people said about lines that are left to them, set beside a scorecard when it is shown. A rule's verdict stays what it is."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from harness.errors import one_line
from harness.schema.human import CANNOT_SAY, HUMAN_DIR, VERDICTS_FILE, Answer, HumanVerdicts, Verdict
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard, ScoreLine
from harness.schema.strict_json import canonical, read_model, sha256_hex
from oracle_scoring.files import write_atomically
from oracle_scoring.kleene import count
from oracle_scoring.sheets.form import question_of
from oracle_scoring.sheets.store import answers_by_row

_COMMENT = 200


def write_verdicts(run_dir: Path) -> HumanVerdicts:
    """All verdicts of the sheets that came back; written to `human/verdicts.json` and returned."""
    run = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json").run
    rows, missing, _ = answers_by_row(run_dir, "human")
    verdicts = []
    for found in rows.values():
        item = found[0][0]
        answers = [answer for _, answer in found]
        state, why = _decided(answers)
        verdicts.append(
            Verdict(
                package=item.package, trial=item.trial, attempt=item.attempt, attempt_sha256=item.attempt_sha256,
                line=item.line or "", question=item.question or "", answers=answers, state=state, why=why,
            )
        )  # fmt: skip
    made = HumanVerdicts(schema="human-verdicts-v1", run=run, missing=missing, verdicts=verdicts)
    write_atomically(run_dir / HUMAN_DIR / VERDICTS_FILE, canonical(made) + b"\n")
    return made


def read_verdicts(run_dir: Path) -> HumanVerdicts | None:
    """The verdicts of a run; None if there are none.

    Raises:
        InputError: the file is not what it should be.
    """
    path = run_dir / HUMAN_DIR / VERDICTS_FILE
    return read_model(HumanVerdicts, path, f"{run_dir.name}/{HUMAN_DIR}/{VERDICTS_FILE}") if path.is_file() else None


def _decided(answers: Sequence[Answer]) -> tuple[Literal["pass", "fail", "needs_human"], str]:
    """All who could say agree, or a person is still needed."""
    counted = Counter(a.grade for a in answers)
    said = ", ".join(f"{n} said {grade.replace('_', ' ')}" for grade, n in sorted(counted.items()))
    notes = "; ".join(f"“{one_line(a.comment, _COMMENT)}”" for a in answers if a.comment)
    why = f"people: {said}" + (f" ({notes})" if notes else "")
    given = {g for g in counted if g != CANNOT_SAY}
    if given == {"pass"}:
        return "pass", why
    if given == {"fail"}:
        return "fail", why
    return "needs_human", f"{why}, so it is not decided"


def with_people(card: Scorecard, verdicts: HumanVerdicts | None, attempt_sha256: str | None) -> Scorecard:
    """The scorecard as shown: lines left to a person carry what people said; no other line changes.

    A verdict counts only for the attempt it was given on and for a line that still asks the same.

    Args:
        card: as scoring wrote it.
        verdicts: of its run; None leaves the card as it is.
        attempt_sha256: of the attempt's attempt.json as it is now.
    """
    own = {
        v.line: v
        for v in (verdicts.verdicts if verdicts else [])
        if (v.package, v.trial, v.attempt, v.attempt_sha256) == (card.package, card.trial, card.attempt, attempt_sha256)
    }
    lines = [_answered(line, own.get(line.id)) for line in card.lines]
    return card.model_copy(update={"lines": lines, "totals": count(line.state for line in lines)})


def shown_cards(run_dir: Path, cards: Sequence[Scorecard]) -> list[Scorecard]:
    """Scorecards of a run as they are shown, people's verdicts among them."""
    verdicts = read_verdicts(run_dir)
    return [with_people(card, verdicts, attempt_sha256(run_dir, card)) for card in cards]


def attempt_sha256(run_dir: Path, card: Scorecard) -> str | None:
    """Hash of the attempt's attempt.json as it is now; None if it is not there."""
    path = run_dir / card.package / f"t{card.trial:02d}" / f"a{card.attempt:02d}" / "attempt.json"
    return sha256_hex(path.read_bytes()) if path.is_file() else None


def _answered(line: ScoreLine, verdict: Verdict | None) -> ScoreLine:
    if verdict is None or line.state != "needs_human" or question_of(line) != verdict.question:
        return line
    why = one_line(f"{verdict.why}; {line.why}", 600)
    return line.model_copy(update={"state": verdict.state, "referee": "human", "why": why})
