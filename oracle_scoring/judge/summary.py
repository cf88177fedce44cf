"""A run's short summary in a model's words: a sentence on the whole and one on each of a few journeys, each with a quote.

The rig's own lines are facts it counted itself; a model's words stand beside them, marked, and no figure is taken from them.
A sentence that names a figure which does not stand in its material is not shown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.errors import InputError, one_line
from harness.schema.base import Strict
from harness.schema.package import find_packages
from harness.schema.run import RunManifest
from harness.schema.strict_json import read_model
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.inquiry.from_record import session_of_record
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.inquiry.profile import DEFAULT
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.inquiry import messages
from oracle_scoring.judge.rubric import Message, Open, Option, Question, Rubric
from oracle_scoring.judge.verdict import Judged
from oracle_scoring.record import Record, attempts_of, read_record
from oracle_scoring.transcript import transcript

AREA = "summary"
FINDINGS = "rules"
"""Id of the message that holds what the rules found."""
MOST_FINDINGS = 40
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SERVED = (
    Option("served_well", "the customer got what they came for, without trouble"),
    Option("served_with_trouble", "the customer got it, with needless trouble or errors on the way"),
    Option("not_served", "the customer did not get it"),
)
_CAUSES = (
    Option("nothing_wrong", "no journey shows anything wrong"),
    Option("one_cause", "what went wrong looks like the same thing in most journeys"),
    Option("several_causes", "different things went wrong"),
)


class Words(Strict):
    """What a model said; hostile text."""

    model: str
    weak: bool
    prompt_sha256: str
    answer: str
    sentence: str | None
    """None: it named a figure that does not stand in its material, and is not shown."""
    quote: str
    """Verbatim from the message."""
    said_by: str
    """Whose message is quoted."""


class JourneyWords(Strict):
    """One journey: the rig's facts, and a model's words."""

    attempt: str
    ended: str
    failed: list[str]
    """Lines or metrics that failed by rule."""
    words: Words | None
    not_summarised: str | None


class RunSummary(Strict):
    """A run, in short."""

    run: str
    counting: int
    """Attempts that count."""
    with_failures: int
    """Those in which something failed by rule."""
    whole: Words | None
    whole_not_summarised: str | None
    journeys: list[JourneyWords]
    """Those with most failures first."""
    left_out: int
    """Journeys nobody was asked about."""


@dataclass(frozen=True)
class Journey:
    """What is known of one journey by rule, and its material."""

    name: str
    ended: str
    failed: list[str]
    material: tuple[Message, ...]


@cache
def rubrics() -> dict[str, Rubric]:
    """One for a journey, one for the whole run."""
    rule = (
        "Somebody who has no time wants to know what happened. Say it in one plain sentence as the reason. Name no number that does not stand "
        f"in the material. Message `{FINDINGS}` is what rules found; they are right, and add nothing to them."
    )
    good = frozenset({"served_well"})
    return {
        f"{AREA}/journey": Rubric(
            f"{AREA}/journey", rule, "How was the customer served, and what mattered most?", _SERVED, good
        ),
        f"{AREA}/run": Rubric(
            f"{AREA}/run", rule, "What do these journeys show about the product?", _CAUSES, frozenset({"nothing_wrong"})
        ),
    }  # fmt: skip


def journeys_of(run_dir: Path, corpus: Path) -> list[Journey]:
    """The run's attempts that count, those with most failures first.

    Raises:
        InputError: something is not what it should be, or a package of the run is not in the corpus.
    """
    packages = find_packages(corpus, None)
    found = [_journey(attempt, packages) for attempt in _counting(run_dir)]
    return sorted(found, key=lambda j: (-len(j.failed), j.name))


def _counting(run_dir: Path) -> Iterator[Path]:
    manifest = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json")
    for package in sorted(manifest.settings.packages):
        for trial in sorted((run_dir / package).glob("t*")):
            for attempt in attempts_of(trial):
                if (attempt / "attempt.json").is_file() and read_record(attempt).counting:
                    yield attempt


def _journey(attempt_dir: Path, packages: dict[str, Path]) -> Journey:
    record = read_record(attempt_dir)
    package = packages.get(record.attempt.package)
    name = "/".join(attempt_dir.absolute().parts[-3:])
    if package is None:
        raise InputError(name, f"the package {record.attempt.package} is not in this corpus")
    if package.parent.name == "claims":
        card = score_attempt(attempt_dir, package)
        failed = [f"{line.id}: {line.why}" for line in card.lines if line.state == "fail"]
        said = tuple(
            Message(f"e{k}", "customer" if x.speaker == "customer" else "product", x.text)
            for k, x in enumerate(transcript(record.events))
        )
    else:
        session = session_of_record(record, DEFAULT)
        failed = [f"{m.metric_id}: {m.reason}" for m in grade(session).metrics if m.result == "FAIL"]
        said = messages(session)
    return Journey(name, record.attempt.termination_reason, failed, (_findings(record, failed), *said))


def _findings(record: Record, failed: list[str]) -> Message:
    lines = [
        f"the journey ended {record.attempt.termination_reason}",
        *(one_line(f, 300) for f in failed[:MOST_FINDINGS]),
    ]
    return Message(FINDINGS, "findings of rules", "\n".join(lines))


def questions(journeys: list[Journey], limit: int) -> list[Question]:
    """One on the whole run, then one on each of the first journeys."""
    whole = tuple(
        Message(
            f"j{n}", "findings of rules", f"{j.name} ended {j.ended}; failed: {'; '.join(j.failed[:8]) or 'nothing'}"
        )
        for n, j in enumerate(journeys[:100])
    )
    asked = [Question("run", rubrics()[f"{AREA}/run"], whole, Open("only a model puts it into words"))]
    return asked + [
        Question(j.name, rubrics()[f"{AREA}/journey"], j.material, Open("only a model puts it into words"))
        for j in journeys[:limit]
    ]


async def summarise(run_dir: Path, corpus: Path, client: JudgeClient, limit: int) -> RunSummary:
    """The run in short.

    Args:
        limit: so many journeys are put into words.

    Raises:
        InputError: run or corpus is not what it should be, or no attempt counts.
    """
    journeys = journeys_of(run_dir, corpus)
    if not journeys:
        raise InputError(f"run {run_dir.name}", "has no attempt that counts")
    asked = questions(journeys, limit)
    rows = await client.ask_all(asked)
    said = [_words(question, row) for question, row in zip(asked, rows, strict=True)]
    why = [None if row.answer is not None else f"not judged: {row.not_judged}" for row in rows]
    shown = [
        JourneyWords(attempt=j.name, ended=j.ended, failed=j.failed, words=words, not_summarised=reason)
        for j, words, reason in zip(journeys[:limit], said[1:], why[1:], strict=True)
    ]
    return RunSummary(
        run=run_dir.name, counting=len(journeys), with_failures=sum(bool(j.failed) for j in journeys), whole=said[0],
        whole_not_summarised=why[0], journeys=shown, left_out=len(journeys) - len(shown),
    )  # fmt: skip


def _words(question: Question, row: Judged) -> Words | None:
    if row.answer is None:
        return None
    sentence = row.reason or ""
    figures = {n for m in question.messages for n in _NUMBER.findall(m.text)}
    return Words(
        model=row.answered_as or row.model, weak=row.weak, prompt_sha256=row.prompt_sha256, answer=row.answer,
        sentence=sentence if set(_NUMBER.findall(sentence)) <= figures else None, quote=row.quote or "",
        said_by=next((m.speaker for m in question.messages if m.id == row.message), ""),
    )  # fmt: skip
