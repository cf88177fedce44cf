"""A buyer's journey as a scorecard: the 58 verdicts of the rules, and what the package's answers expect, each a line."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.schema.package import LABELS, find_packages, read_visible
from harness.schema.run import RunManifest
from harness.schema.scorecard import Group, LineState, Measure, Scorecard, ScoreLine
from harness.schema.strict_json import read_bytes, read_model, sha256_hex
from oracle_scoring.claims.batch import attempts_in, card_bytes, score_key, score_run, write_once
from oracle_scoring.fidelity.apart import set_apart
from oracle_scoring.fidelity.judge import judge
from oracle_scoring.inquiry.attempt import BuyersJourney, journey_of
from oracle_scoring.inquiry.batch import line_id, line_state
from oracle_scoring.inquiry.from_record import NoConversation
from oracle_scoring.inquiry.grade import SessionResult
from oracle_scoring.inquiry.metric import metrics
from oracle_scoring.inquiry.places import event_of, evidence_of, turn_of
from oracle_scoring.inquiry.version import RUBRIC, SCORING_VERSION
from oracle_scoring.kleene import count
from oracle_scoring.numbers import count_measure, customers_faults, times
from oracle_scoring.record import Record, read_record
from oracle_scoring.settled import grade_of, settled

ANSWERS = "answers"
"""What the id of a line on the package's answers begins with."""


def card_of(journey: BuyersJourney, package_dir: Path, void: bool = True) -> Scorecard:
    """The scorecard of a journey that was held against the package in `package_dir`.

    Args:
        journey: with the package's answers.
        package_dir: the package it was played with.
        void: no line of an attempt that does not count is decided; without it, lines are as far as the attempt came.
    """
    if journey.labels is None:
        raise ValueError("a journey without answers has no scorecard")
    record, attempt = journey.record, journey.record.attempt
    visible = read_visible(package_dir)
    judged = judge(record.events, visible.view())
    found = [*_metric_lines(journey), *_answer_lines(journey)]
    lines = [settled(record, set_apart(judged, line), void) for line in found]
    verdict, reasons = grade_of(record)
    return Scorecard(
        schema="scorecard-v1", rubric=RUBRIC, scoring_version=SCORING_VERSION, oracle_sha256=_oracle(package_dir),
        oracle_revision=journey.labels.oracle_revision, run=attempt.run, package=attempt.package, scenario_class=RUBRIC,
        opening_style=visible.facts.opening_style, innocent_control=None, trial=attempt.trial,
        attempt=attempt.attempt, counting=record.counting, termination_reason=attempt.termination_reason, grade=verdict,
        grade_reasons=reasons, lines=lines, measures=_measures(record), totals=count(line.state for line in lines),
    )  # fmt: skip


def score_every(run_dir: Path, corpus: Path) -> list[Scorecard]:
    """Scores the run's claims and conversations and writes their scorecards.

    Raises:
        InputError: something is not what it should be, or a file of the same key says something else.
    """
    return [*score_run(run_dir, corpus), *score_buyers(run_dir, corpus)[0]]


def score_buyers(run_dir: Path, corpus: Path) -> tuple[list[Scorecard], list[SessionResult]]:
    """Scores every finished journey of the run's buyers and writes the scorecards.

    They go to `scores/inquiry-<scoring version>-<oracle sha8>/<package>/t01-a01.json` below the run. A file that is there
    already and says the same is left alone. A journey in which nobody said a word has no scorecard.

    Returns:
        The scorecards, by package, trial and attempt; and the results of the journeys that count.

    Raises:
        InputError: record or package is not what it should be, or a file of the same key says something else.
    """
    found = find_packages(corpus, "inquiry") if corpus.is_dir() else {}
    wanted = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json").settings.packages
    packages = {name: found[name] for name in sorted(wanted) if name in found}
    attempts = {name: attempts_in(run_dir / name) for name in packages}
    if not any(attempts.values()):
        return [], []
    target = run_dir / "scores" / score_key({n: _oracle(p) for n, p in packages.items()}, RUBRIC, SCORING_VERSION)
    cards, results = [], []
    for name, package in packages.items():
        for journey in _journeys(attempts[name], package):
            card = card_of(journey, package)
            write_once(target / name / f"t{card.trial:02d}-a{card.attempt:02d}.json", card_bytes(card))
            cards.append(card)
            if card.counting:
                results.append(journey.result)
    return cards, results


def _journeys(attempts: Iterable[Path], package: Path) -> Iterator[BuyersJourney]:
    for attempt_dir in attempts:
        if not (attempt_dir / "attempt.json").is_file():
            continue
        record = read_record(attempt_dir)
        try:
            yield journey_of(record, package)
        except NoConversation:
            if record.counting:
                raise


def _oracle(package_dir: Path) -> str:
    return sha256_hex(read_bytes(package_dir / LABELS, f"{package_dir.name}/{LABELS}"))


def _metric_lines(journey: BuyersJourney) -> Iterable[ScoreLine]:
    names = {metric.id: metric.name for metric in metrics()}
    for m in journey.result.metrics:
        why = m.reason or m.result
        yield _line(journey, line_id(m.metric_id), "metrics", names[m.metric_id], line_state(m), why, m.evidence)


def _answer_lines(journey: BuyersJourney) -> Iterable[ScoreLine]:
    for a in journey.result.answers or ():
        yield _line(
            journey, f"{ANSWERS}.{a.id}", "answers", "What the package's answers expect", a.state, a.why, a.where
        )


def _line(
    journey: BuyersJourney, name: str, group: Group, title: str, state: LineState, why: str, where: str
) -> ScoreLine:
    turn = turn_of(journey, where) if where else None
    event = None if turn is None else event_of(journey, turn)
    evidence = evidence_of(journey, turn, event, where) if where else []
    return ScoreLine(
        id=name, group=group, title=title, state=state, referee="rule", expected=None, got=None, why=why,
        evidence=evidence,
    )  # fmt: skip


def _measures(record: Record) -> list[Measure]:
    events = record.events
    if not events:
        return []
    sent = [e.n for e in events if e.kind == "acted" and e.act == "said" and e.confirmed]
    ending = f"{record.attempt.termination_reason}: {record.attempt.why}"
    return [
        count_measure("messages_sent", "Messages the customer sent", len(sent), "messages"),
        count_measure(
            "ended_in_turn", "Where the journey ended", max(e.turn for e in events), "turn", ending, [events[-1].n]
        ),
        *times(events),
        *customers_faults(events),
    ]
