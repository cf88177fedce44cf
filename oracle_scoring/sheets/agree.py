"""How far people, product and oracle agree on levels. Computed anew from all sheets that came back."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal

from harness.errors import InputError
from harness.schema.human import (
    CANNOT_SAY,
    HUMAN_DIR,
    LEVELS,
    TRIAGE_FILE,
    Agreement,
    Answer,
    GradedAttempt,
    Kappa,
    TriageGrading,
)
from harness.schema.product import TriageLevel
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import canonical, read_model, sha256_hex
from oracle_scoring.claims.batch import score_run
from oracle_scoring.claims.version import SCORING_VERSION
from oracle_scoring.files import write_atomically
from oracle_scoring.publish.intervals import wilson
from oracle_scoring.sheets.form import same_person
from oracle_scoring.sheets.kappa import RESAMPLES, Pair, confusion, kappa_interval
from oracle_scoring.sheets.store import answers_by_row

ORDERED: tuple[Literal["linear", "quadratic"], ...] = ("linear", "quadratic")
"""Weights of disagreements on levels that have an order."""
_PLACES = {level: at for at, level in enumerate(LEVELS)}


def grade_triage(run_dir: Path, packages_root: Path, rng_seed: int = 1) -> TriageGrading:
    """Levels by people beside those of product and oracle; written to `human/triage.json` and returned.

    The product's level is what scoring read: on the staff page, or in the stored state.

    Raises:
        InputError: something is not what it should be, or an attempt changed after its sheet was made.
    """
    run = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json").run
    cards = {(c.package, c.trial, c.attempt): c for c in score_run(run_dir, packages_root) if c.counting}
    answers, missing, sheets = answers_by_row(run_dir, "triage")
    names = _names(a for rows in answers.values() for _, a in rows)
    attempts = []
    for (package, trial, number, _), rows in answers.items():
        card = cards.get((package, trial, number))
        path = run_dir / package / f"t{trial:02d}" / f"a{number:02d}" / "attempt.json"
        if card is None or sha256_hex(path.read_bytes()) != rows[0][0].attempt_sha256:
            raise InputError(
                f"{package}/t{trial:02d}/a{number:02d}", "is not the attempt any more that the sheet was made of"
            )
        attempts.append(_graded(card, rows[0][0].attempt_sha256, {names[same_person(a.grader)]: a for _, a in rows}))
    graders = sorted(names.values(), key=same_person)
    decided = [a for a in attempts if a.staff_level and a.product_level]
    found = TriageGrading(
        schema="human-triage-v1", run=run, scoring_version=SCORING_VERSION, levels=list(LEVELS), sheets=sheets, graders=graders,
        counting=len(cards), graded=sum(any(g != CANNOT_SAY for g in a.grades.values()) for a in attempts),
        decided=len(decided), product_as_staff=sum(a.staff_level == a.product_level for a in decided),
        cannot_say=sum(g == CANNOT_SAY for a in attempts for g in a.grades.values()), missing=missing,
        rng_seed=rng_seed, resamples=RESAMPLES, attempts=attempts, agreements=_agreements(attempts, graders, rng_seed),
    )  # fmt: skip
    write_atomically(run_dir / HUMAN_DIR / TRIAGE_FILE, canonical(found) + b"\n")
    return found


def _names(answers: Iterable[Answer]) -> dict[str, str]:
    """Person -> the first writing of the name."""
    names: dict[str, str] = {}
    for answer in answers:
        names.setdefault(same_person(answer.grader), answer.grader)
    return names


def product_level(card: Scorecard) -> tuple[TriageLevel | None, str | None]:
    """The level the product gave, as scoring read it, or why there is none."""
    line = next((x for x in card.lines if x.id == "triage.level"), None)
    if line is None or line.state not in ("pass", "fail"):
        return None, "no triage line" if line is None else line.why
    level = next((one for one in LEVELS if one == line.got), None)
    return level, None if level else line.why


def _oracle_level(card: Scorecard) -> TriageLevel:
    line = next((x for x in card.lines if x.id == "triage.level"), None)
    level = next((one for one in LEVELS if line is not None and one == line.expected), None)
    if level is None:
        raise InputError(f"{card.package}: triage.level", "the scorecard names no expected level")
    return level


def _graded(card: Scorecard, sha: str, answers: dict[str, Answer]) -> GradedAttempt:
    grades = {name: answers[name].grade for name in sorted(answers, key=same_person)}
    level, why = product_level(card)
    return GradedAttempt(
        package=card.package, trial=card.trial, attempt=card.attempt, attempt_sha256=sha, grades=grades,
        staff_level=staff_level(list(grades.values())), product_level=level, product_why=why, oracle_level=_oracle_level(card),
    )  # fmt: skip


def staff_level(grades: Sequence[str]) -> TriageLevel | None:
    """The level that more than half of those who gave one gave."""
    given = Counter(g for g in grades if g != CANNOT_SAY)
    return next((level for level in LEVELS if given[level] * 2 > given.total()), None)


def _level(attempt: GradedAttempt, side: str) -> list[str]:
    """Levels one side gave an attempt."""
    if side == "staff":
        return [g for g in attempt.grades.values() if g != CANNOT_SAY]
    level = {"product": attempt.product_level, "oracle": attempt.oracle_level}.get(
        side, attempt.grades.get(side.removeprefix("grader "))
    )
    return [level] if level and level != CANNOT_SAY else []


def _agreements(attempts: Sequence[GradedAttempt], graders: Sequence[str], rng_seed: int) -> list[Agreement]:
    people = [f"grader {name}" for name in graders]
    sides = [("staff", "product"), ("staff", "oracle"), *combinations(people, 2)]
    if len(people) > 1:
        sides += [(person, other) for person in people for other in ("product", "oracle")]
    sides.append(("product", "oracle"))
    return [_agreement(attempts, one, other, rng_seed) for one, other in sides]


def _agreement(attempts: Sequence[GradedAttempt], one: str, other: str, rng_seed: int) -> Agreement:
    pairs = [
        Pair(a.package, _PLACES[x], _PLACES[y])
        for a in attempts
        for x in _as_levels(_level(a, one))
        for y in _as_levels(_level(a, other))
    ]
    same = sum(p.one == p.other for p in pairs)
    packages = len({p.cluster for p in pairs})
    share = wilson(same / len(pairs), packages) if pairs else None
    kappas = []
    for weights in ORDERED:
        k = kappa_interval(pairs, len(LEVELS), weights, rng_seed)
        kappas.append(Kappa(weights=weights, value=k.value, low=k.low, high=k.high, note=k.note))
    table = [[int(n) for n in row] for row in confusion(pairs, len(LEVELS))]
    return Agreement(
        one=one, other=other, pairs=len(pairs), packages=packages, same=same,
        same_low=share.low if share else None, same_high=share.high if share else None, kappas=kappas, confusion=table,
    )  # fmt: skip


def _as_levels(words: Sequence[str]) -> list[TriageLevel]:
    return [level for word in words for level in LEVELS if level == word]
