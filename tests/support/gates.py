"""A gate over a real package, with a recorder that writes what a worker would write."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.customer import prompt
from harness.customer.ledger import ClaimLedger
from harness.gate import Answer, Caps, Gate
from harness.record import Recorder, Redactor
from harness.schema.order import ModelRequest
from harness.schema.run import CallUsage
from harness.schema.screen import Screen
from harness.stage import LoadedPackage, StagedPackage, load_package, stage

PACKAGE = Path(__file__).parents[2] / "packages" / "claims" / "CTL-M-001"


@dataclass
class FakeSource:
    """Answers from a list; keeps every body that reached it. An exception in the list is raised."""

    answers: list[Any] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    async def complete(self, body: dict[str, Any], request_sha256: str) -> Answer:
        """The next answer, or an empty move."""
        self.bodies.append(body)
        got = self.answers.pop(0) if self.answers else '{"move":"wait"}'
        if isinstance(got, BaseException):
            raise got
        if isinstance(got, Answer):
            return got
        return Answer(got, "stop", CallUsage(tokens_in=10, tokens_out=5, cost=None), 200)


@dataclass
class Bench:
    """One attempt folder with its gate, recorder and ledger."""

    package: LoadedPackage
    staged: StagedPackage
    record: Recorder
    ledger: ClaimLedger
    source: FakeSource
    gate: Gate

    def show(self, screen: Screen) -> Screen:
        """Record a screen as the worker does before it asks."""
        self.record.emit("screen", screen=screen.model_dump(), pictures=[], read_ms=1.0)
        return screen

    def said(self, text: str) -> None:
        """Record a message and take it into the ledger."""
        self.record.emit("acted", act="said", text=text, confirmed=True, act_ms=1.0)
        self.ledger.messages.append(text)

    def request(self, screen: Screen, note: str | None = None) -> ModelRequest:
        """The honest request for this screen."""
        return ModelRequest(
            messages=prompt.messages(self.ledger, screen, note),
            schema=prompt.schema(self.ledger, screen),
            screen=screen.seq,
            note=note,
        )


def bench(folder: Path, answers: Iterable[Any] = (), package: Path = PACKAGE, caps: Caps | None = None) -> Bench:
    """A fresh bench below `folder`."""
    loaded = load_package(package)
    staged = stage(loaded, folder / "staging")
    attempt = folder / "attempt"
    attempt.mkdir()
    record = Recorder(attempt, Redactor({}))
    source = FakeSource(list(answers))
    gate = Gate(
        model="m", source=source, staged=staged, attempt_dir=attempt, redactor=Redactor({}), rng_seed=1, canaries=loaded.canaries,
        caps=caps or Caps(),
    )  # fmt: skip
    return Bench(loaded, staged, record, ClaimLedger(loaded.view), source, gate)
