"""`rig publish`: runs, scored and checked, as one table of figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import EnvironmentFault, InputError, Refused
from harness.schema.package import find_packages, read_manifest
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard, ScoreLine
from harness.schema.strict_json import read_model
from oracle_scoring.claims.batch import left_out
from oracle_scoring.claims.revisions import RevisionScores, moved, score_revisions
from oracle_scoring.corpus.manifest import files_sha256
from oracle_scoring.publish.blind import blind_triage
from oracle_scoring.publish.cost import UNFINISHED, Spent, by_package, by_role, spent
from oracle_scoring.publish.criteria import ACCEPTANCE, FURTHER
from oracle_scoring.publish.eligible import check_alike, run_reasons
from oracle_scoring.publish.figures import Journey, measure, number, repeats, share
from oracle_scoring.publish.intervals import Statistic
from oracle_scoring.publish.models import Number, Publication, Repeats, RunPart
from oracle_scoring.sheets.verdicts import shown_cards

NUMBERS: tuple[tuple[str, Statistic], ...] = (
    ("messages_sent", "median"), ("questions_asked", "median"), ("person_journey_ms", "median"), ("wait_product_ms", "median"),
    ("turn_median_ms", "median"), ("turn_p95_ms", "median"), ("turn_longest_ms", "median"), ("wall_ms", "median"),
    ("repeated_questions", "mean"), ("nothing_to_do_replies", "mean"), ("retries", "mean"), ("review_not_checked", "mean"),
)  # fmt: skip
"""Measures shown, and how: medians of what has a long tail, means of what is mostly zero."""
SAYS_NOT = (
    "A pass shows only that the product follows these rules. Whether the rules are right is another question, which staff "
    "who grade blind answer.",
    "The packages are made by hand to cover classes and traps; their mix is not that of an insurer's real claims.",
    "An interval speaks of chance among such packages, not of mistakes in labels, rules or the simulated customer.",
    "Times are the product's waits on this machine with modelled reading and typing added; no person was timed.",
    "The customer is a simulation: whether people would tell, wait and understand as it does was not measured.",
    "Only the runs named here are in the figures; whether others were made and left out, the rig cannot know.",
)


@dataclass(frozen=True)
class _Scored:
    """One run, read and scored."""

    folder: Path
    manifest: RunManifest
    cards: list[Scorecard]
    revisions: list[RevisionScores]
    spent: list[Spent]
    reasons: list[str]


def publish(
    runs: Sequence[Path], corpus: Path, rehearsal: bool = False, unverified: Mapping[str, Sequence[str]] | None = None
) -> Publication:
    """The table of these runs, all together; scores them first.

    Args:
        runs: folders, `results/<run>`.
        corpus: the packages with their answers.
        rehearsal: a run that is not official gets its table all the same, marked as what it is.
        unverified: run folder's name -> what does not verify about its record, as found elsewhere.

    Raises:
        InputError: a file is not what it should be, or the runs are not alike.
        Refused: a run is not official, and `rehearsal` is not set; the message has every reason.
        EnvironmentFault: no journey counts.
    """
    scored = [_scored(run, corpus, (unverified or {}).get(run.name, ())) for run in runs]
    check_alike([one.manifest for one in scored])
    several = len(scored) > 1
    reasons = [f"run {one.manifest.run}: {reason}" if several else reason for one in scored for reason in one.reasons]
    if reasons and not rehearsal:
        names = ", ".join(one.manifest.run for one in scored)
        raise Refused(f"run {names}: not official, so nothing is published: {'; '.join(reasons)}")
    journeys = [
        Journey(f"{one.manifest.run}/{card.package}/t{card.trial:02d}/a{card.attempt:02d}", card)
        for one in scored
        for card in one.cards
        if card.counting
    ]
    if not journeys:
        raise EnvironmentFault(f"run {', '.join(one.manifest.run for one in scored)}: {_no_journey(runs, corpus)}")
    return _publication(scored, journeys, corpus, reasons)


def _scored(run: Path, corpus: Path, unverified: Sequence[str]) -> _Scored:
    manifest = read_model(RunManifest, run / "run.json", f"{run.name}/run.json")
    revisions = score_revisions(run, corpus)
    deciding = next(one for one in revisions if one.problem is None)
    cards = shown_cards(run, deciding.cards)
    reasons = run_reasons(run, manifest, cards, corpus)
    reasons += [reason for reason in unverified if reason not in reasons]
    return _Scored(run, manifest, cards, revisions, spent(run), reasons)


def _publication(
    scored: Sequence[_Scored], journeys: Sequence[Journey], corpus: Path, reasons: list[str]
) -> Publication:
    cards = [journey.card for journey in journeys]
    manifest, costs = scored[0].manifest, [cost for one in scored for cost in one.spent]
    held = read_manifest(corpus)
    versions = {(card.rubric, card.scoring_version) for card in cards}
    if len(versions) != 1:
        raise InputError("scores", "of more than one scoring version cannot stand in one table")
    rubric, version = next(iter(versions))
    return Publication(
        schema="publication-v1", published=not reasons, reasons=reasons, runs=[_part(one) for one in scored],
        corpus_version=held.version, corpus_sha256=files_sha256(held), rubric=rubric, scoring_version=version,
        oracle_revisions={card.package: card.oracle_revision for card in sorted(cards, key=lambda c: c.package)},
        packages=len({card.package for card in cards}), packages_in_corpus=_packages_in(corpus),
        product=manifest.runtime.product, product_version=manifest.runtime.version, product_model=manifest.runtime.model,
        customer=manifest.settings.customer, customer_model=manifest.settings.customer_model, journeys=len(journeys),
        acceptance=[share(criterion, journeys) for criterion in ACCEPTANCE],
        blind_triage=blind_triage({one.manifest.run: one.folder for one in scored}, journeys),
        further=[share(criterion, journeys) for criterion in FURTHER],
        numbers=_numbers(journeys), repeats=_repeats(journeys), cost=by_role(costs), cost_by_package=by_package(costs),
        caveats=_caveats(scored, journeys), says_not=list(SAYS_NOT),
    )  # fmt: skip


def _packages_in(corpus: Path) -> int:
    return sum(folder.parent.name == "claims" for folder in find_packages(corpus).values())


def _part(one: _Scored) -> RunPart:
    manifest = one.manifest
    void = Counter(cost.ended for cost in one.spent if cost.ended == UNFINISHED)
    void.update(card.termination_reason for card in one.cards if not card.counting)
    return RunPart(
        run=manifest.run, created_at=manifest.created_at, rig_version=manifest.rig_version, git_commit=manifest.git_commit,
        corpus_version=manifest.corpus_version, grade="rehearsal" if one.reasons else "official", reasons=one.reasons,
        planned_trials=len(manifest.settings.packages) * manifest.settings.trials, counting=sum(card.counting for card in one.cards),
        attempts=len(one.spent), not_counting=dict(sorted(void.items())),
    )  # fmt: skip


def _no_journey(runs: Sequence[Path], corpus: Path) -> str:
    talks = sum(len(left_out(run, corpus)) for run in runs)
    if talks == 0:
        return "no journey counts"
    return f"no journey of a claim counts; {talks} packages are conversations, of which there are no such figures (rig compare has theirs)"


def _numbers(journeys: Sequence[Journey]) -> list[Number]:
    found = [number(name, statistic, journeys, measure(name)) for name, statistic in NUMBERS]
    return [item for item in found if item is not None]


def _repeats(journeys: Sequence[Journey]) -> list[Repeats]:
    """pass^k of every criterion of acceptance, for each k from 2 that a package has repeats for."""
    most = max(Counter(journey.card.package for journey in journeys).values())
    found = [repeats(criterion, journeys, k) for criterion in ACCEPTANCE for k in range(2, most + 1)]
    return [item for item in found if item.packages]


def _caveats(scored: Sequence[_Scored], journeys: Sequence[Journey]) -> list[str]:
    found: list[str] = []
    for one in scored:
        planned = len(one.manifest.settings.packages) * one.manifest.settings.trials
        counting = sum(card.counting for card in one.cards)
        if counting < planned:
            found.append(f"run {one.manifest.run}: {planned - counting} of {planned} trials have no counting attempt")
        lines = moved(one.revisions)
        if lines:
            where = f"{len(lines)} score lines of {len({(m.package, m.trial) for m in lines})} journeys"
            found.append(f"run {one.manifest.run}: corrections of answers moved {where}; the newest answers decide")
        for revision in one.revisions:
            if revision.problem is not None:
                found.append(
                    f"run {one.manifest.run}: not scored by another revision of the answers: {revision.problem}"
                )
    people = sum(_by_people(line) for journey in journeys for line in journey.card.lines)
    if people:
        found.append(f"{people} score lines were decided by people, no rule decides them")
    helped = sum(1 for journey in journeys if _slips(journey.card))
    if helped:
        found.append(
            f"in {helped} of {len(journeys)} journeys the simulated customer made slips; they are in no figure"
        )
    return found


def _by_people(line: ScoreLine) -> bool:
    return line.referee == "human" and line.state in ("pass", "fail")


def _slips(card: Scorecard) -> float:
    return measure("slips")(card) or 0.0
