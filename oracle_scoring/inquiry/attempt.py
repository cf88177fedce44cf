"""A buyer's journey graded against its package: the 58 verdicts, and what the package's answers expect."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from harness.errors import InputError
from harness.schema.events import Acted
from harness.schema.package import LABELS, find_packages, read_visible
from harness.schema.session import InquirySession
from oracle_scoring.corpus.inquiry import InquiryLabels
from oracle_scoring.corpus.load import read_part
from oracle_scoring.inquiry.expected import expectations
from oracle_scoring.inquiry.from_record import records_of_run, session_of_record
from oracle_scoring.inquiry.grade import SessionResult, grade
from oracle_scoring.inquiry.profile import DEFAULT
from oracle_scoring.record import Record

R = TypeVar("R", bound=SessionResult)


@dataclass(frozen=True)
class BuyersJourney:
    """One attempt of an inquiry package."""

    record: Record
    session: InquirySession
    labels: InquiryLabels | None
    """The package's answers; None: the package is not in the corpus."""

    def held_against(self, result: R) -> R:
        """The result with what the answers expect; as it is without answers."""
        if self.labels is None:
            return result
        talk = self.record.talks.cases[0] if self.record.talks is not None and self.record.talks.cases else None
        return result.model_copy(update={"answers": expectations(self.session, self.labels, talk, result)})

    @cached_property
    def result(self) -> SessionResult:
        """The rules' verdicts, with what the answers expect."""
        return self.held_against(grade(self.session))


def journeys_of_run(run_dir: Path, corpus: Path, only: Container[str] | None = None) -> Iterator[BuyersJourney]:
    """Every finished attempt of the run (or of `only` these packages) that counts, by package and trial.

    Raises:
        InputError: record or package is not what it should be, or a journey was not one of the package.
    """
    packages = find_packages(corpus, "inquiry") if corpus.is_dir() else {}
    for record in records_of_run(run_dir, only):
        yield journey_of(record, packages.get(record.attempt.package))


def journey_of(record: Record, package_dir: Path | None, profile: str = DEFAULT) -> BuyersJourney:
    """The attempt's conversation, and the answers of the package in `package_dir`; None: it is not at hand.

    Raises:
        InputError: the package is not what it should be, or the journey was not one of it.
    """
    labels = None
    if package_dir is not None:
        _check_same_package(record, package_dir)
        labels = read_part(InquiryLabels, package_dir, LABELS)
    return BuyersJourney(record, session_of_record(record, profile), labels)


def _check_same_package(record: Record, package_dir: Path) -> None:
    """The journey began with this package's first messages; they are what was said in the first turn."""
    visible = read_visible(package_dir)
    said = [e for e in record.events if isinstance(e, Acted) and e.act == "said"]
    opening = "\n".join(e.text for e in said if e.turn == said[0].turn).strip()
    if not visible.initial_message.strip().startswith(opening):
        raise InputError(
            f"{visible.id}/input",
            "the first messages are not those the journey began with: the visible half was changed after the run",
        )
