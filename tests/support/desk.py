"""A whole journey at the reference product without a browser: its engine answers, and what its page would show is the screen.

Everything else is the real thing: the worker's journey, the customer's conduct, the gate, the recorder, ledger and score.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness import worker
from harness.devstack.claims.case import Case, Customer, Entry, PolicyData, PriorClaimData, Upload, show_value
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.documents import Document, read_document, sniff
from harness.devstack.claims.engine import Engine
from harness.devstack.claims.runtime import Controlled
from harness.devstack.rig_routes import case_state
from harness.devstack.web import staff
from harness.devstack.web.view import chat_view
from harness.gate import Answer, Caps, Gate
from harness.record import Redactor, write_whole
from harness.run import customer_half
from harness.rundir import RunDirectory
from harness.schema.order import Done, JourneyOrder, Limits, ModelReply, ModelRequest
from harness.schema.run import CallUsage
from harness.schema.scorecard import Scorecard
from harness.schema.screen import Block, Control, Screen
from harness.schema.strict_json import canonical
from harness.schema.ticket import Login, StartTicket
from harness.screen.adapter import Adapter, find_adapter, load_adapter
from harness.screen.surface import ActResult, Settled
from harness.stage import LoadedPackage, load_package, stage
from oracle_scoring.claims.score import score_attempt
from tests.support.runs import SHA, manifest, settings

CORPUS = Path(__file__).parents[2] / "packages" / "claims"
EMAIL = "kept@customer.example"
Behaviour = Callable[[int, dict[str, Any]], str]
"""(number of the request from 1, its body) -> the model's reply."""


@cache
def _adapter() -> Adapter:
    return load_adapter(find_adapter("reference-claims"))


@cache
def _package(folder: Path) -> LoadedPackage:
    return load_package(folder)


@cache
def _read(data: bytes, today: date) -> Document:
    return read_document(data, today)


def customer_of(package: LoadedPackage, defects: tuple[str, ...] = ()) -> Customer:
    """The customer a seed would make of a package's setup."""
    setup = package.setup
    policy = PolicyData(**setup.policy.model_dump()) if setup.policy else None
    return Customer(
        request_id="r1", case_ref="c1", session=setup.claimant_session, email=None, password_hash=None, signed_in=False,
        clock_offset_s=(setup.now - datetime.now(UTC)).total_seconds(), policy=policy,
        prior_claims=[PriorClaimData(**p.model_dump()) for p in setup.prior_claims], failed_lookups=list(setup.failed_lookups),
        defects=list(defects),
    )  # fmt: skip


class Desk:
    """The page: what stands on it follows from the case, and what is done on it goes to the engine."""

    page = None
    crashed = False

    def __init__(self, who: Customer) -> None:
        self.who = who
        self.case = Case(ref=who.case_ref, request_id=who.request_id, started=who.now(), defects=who.defects)
        self.engine = Engine(Controlled(stream_ms=0), self._number)
        self.stored: dict[str, bytes] = {}

    async def _number(self) -> str:
        return "CLM-2026-000001"

    async def _emit(self, _: str) -> None:
        """Nobody watches the reply grow."""

    def _turn(self) -> str:
        return f"t{len(self.case.turns)}"

    # -- what a surface does

    async def customer_bubbles(self) -> int:
        """None at the start."""
        return sum(e.who == "customer" for e in self.case.entries)

    @property
    def transcript(self) -> list[Block]:
        """Looked at before the first message only."""
        return []

    async def settle(self, **_: Any) -> Settled:
        """At once."""
        return Settled(True, 1.0, 1.0, 1.0, "settled")

    async def composer_usable(self) -> bool:
        """Always."""
        return True

    async def sign_in_shown(self) -> bool:
        """Once everything is confirmed, where the package has it so."""
        return self.case.stage == "signing_in"

    async def close(self) -> None:
        """Closed."""

    async def look(self, seq: int) -> tuple[Screen, list[bytes], float]:
        """The screen, without a picture."""
        shown = chat_view(self.case, self.who)
        last = max((i for i, e in enumerate(self.case.entries) if e.who == "customer"), default=-1)
        blocks: list[Block] = []
        for entry in self.case.entries[last + 1 :]:
            blocks.append(Block(part="reply", text=entry.text))
            blocks += [Block(part="tag", text=tag) for tag in entry.tags]
        controls: list[Control] = []
        if card := shown["card"]:
            blocks.append(Block(part="card", text=card["label"]))
            controls.append(Control(kind="upload", name=card["label"], part="card", enabled=True))
        for choice in shown["choices"]:
            controls.append(Control(kind="button", name=choice["text"], part="card", enabled=True))
        if shown["summary"] is not None:
            rows = "\n".join(f"{row['label']}\n{row['full']}" for row in shown["summary"])
            blocks.append(Block(part="dialog", text=f"Please check your claim\n{rows}\n{', '.join(shown['files'])}"))
            names = ("Yes, that is right", "No, change something")
            controls += [Control(kind="button", name=name, part="dialog", enabled=True) for name in names]
        final = shown["final"]
        text = f"Your claim has been sent\nCase number {final['number']}" if final else None
        if text:
            blocks.append(Block(part="final", text=text))
        panel = "\n".join(f"{row['label']}\n{row['value']}" for row in shown["rows"])
        blocks.append(Block(part="panel", text=f"Your claim so far\n{panel}"))
        controls.append(Control(kind="composer", name="Write here", part="page", enabled=True))
        return Screen(seq=seq, blocks=blocks, controls=controls, final=text), [], 1.0

    async def send(self, text: str) -> ActResult:
        """A message; one without words does not leave the page."""
        if not text.strip():
            return ActResult(False, 0, 1.0, "nothing to send")
        turn = self._turn()
        entry = Entry(id=turn, who="customer", text=text, at=self.who.now())
        self.case.entries = [*self.case.entries, entry]
        await self.engine.message(self.case, self.who, turn, text, self._emit)
        return ActResult(True, 0, 1.0)

    async def press(self, name: str) -> ActResult:
        """A button of the summary."""
        await self.engine.press(
            self.case, self.who, self._turn(), "confirm" if name.startswith("Yes") else "change", self._emit
        )
        return ActResult(True, 0, 1.0)

    async def upload(self, path: Path, _: str) -> ActResult:
        """A file through the card that is shown."""
        card, data, turn = self.case.card or "photo", path.read_bytes(), self._turn()
        entry = Entry(id=turn, who="customer", text="", file=path.name, at=self.who.now())
        self.case.entries = [*self.case.entries, entry]
        document = _read(data, self.who.today())
        upload = Upload(
            id=f"u{turn}", name=path.name, size=len(data), sha256=hashlib.sha256(data).hexdigest(), kind=document.kind or card,
            content_type=sniff(data) or "", document_date=document.date, pages_missing=document.pages_missing,
        )  # fmt: skip
        self.stored[upload.id] = data
        await self.engine.uploaded(self.case, self.who, turn, upload, card, self._emit)
        return ActResult(True, 0, 1.0)

    async def sign_in(self, _: Login) -> ActResult:
        """The right login."""
        self.who.signed_in = True
        await self.engine.signed_in(self.case, self.who, self._turn(), self._emit)
        return ActResult(True, 0, 1.0)

    # -- what is read afterwards

    def state(self) -> dict[str, Any]:
        """state.json."""
        read = {"schema": "state-read-v1", "request_id": "r1", "cases": [case_state(self.case, "http://127.0.0.1:1")]}
        stored = [
            {
                "name": u.name,
                "url": f"http://127.0.0.1/{u.id}",
                "sha256": hashlib.sha256(self.stored[u.id]).hexdigest(),
                "size": u.size,
            }
            for u in self.case.uploads
        ]
        return {"schema": "state-file-v1", "read": read, "why": None, "stored": stored}

    def staff(self) -> dict[str, Any]:
        """staff.json."""
        case = self.case
        fields = {
            "case_number": case.number or "Draft",
            "status": case.status.capitalize(),
            "scenario_class": case.scenario_class or "",
        }
        checks: list[dict[str, Any]] = []
        if case.triage and case.review:
            fields["triage_level"] = staff.LEVELS[case.triage.level]
            fields["triage_reasons"] = "; ".join(staff.REASONS[r] for r in case.triage.reasons)
            fields["review_required"] = "Review needed" if case.review.required else "No review needed"
            fields["explanation"] = case.review.explanation or ""
            for check, result in case.review.checks.items():
                cells = {"check": staff.CHECKS[check], "result": staff.RESULTS[result], "explanation": ""}
                checks.append({"cells": cells})
        notes = {
            k: [{"cells": {"text": n.text, "status": "Open"}} for n in case.notes if n.kind == k]
            for k in ("question", "contact")
        }
        specs = catalogue().facts
        facts = [
            {"cells": {"fact": specs[f].label, "value": show_value(f, held.value), "status": held.status.capitalize()}}
            for f, held in case.facts.items()
        ]
        files = [{"cells": {"name": u.name, "size": f"{u.size:,} bytes"}} for u in case.uploads]
        lists = {
            "review_checks": checks, "facts": facts, "questions": notes["question"], "contact_requests": notes["contact"], "files": files,
        }  # fmt: skip
        return {
            "schema": "staff-read-v1", "found": True, "why_not": None, "fields": fields, "lists": lists, "pages": ["Work list"],
            "pictures": [],
        }  # fmt: skip


@dataclass
class _Source:
    """A model's endpoint that answers by a behaviour."""

    behaviour: Behaviour
    calls: int = 0

    async def complete(self, body: dict[str, Any], request_sha256: str) -> Answer:
        """The next answer."""
        self.calls += 1
        return Answer(self.behaviour(self.calls, body), "stop", CallUsage(tokens_in=10, tokens_out=5, cost=None), 200)


@dataclass
class _Pipe:
    """The worker's end of the gate."""

    gate: Gate
    model_s: float = 0.0

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """Through every check of the gate."""
        return await self.gate.ask(ModelRequest(messages=messages, schema=schema, screen=screen, note=note))

    def waited_for_model_s(self) -> float:
        """No time."""
        return 0.0


class _Nothing:
    """A browser, a context, a watch: whatever is asked of it is done."""

    version = "0"

    def __getattr__(self, _: str) -> Callable[..., Any]:
        async def done(*_: Any, **__: Any) -> Any:
            return _Nothing()

        return done

    def begin(self) -> None:
        """Nothing to forget."""

    def on(self, *_: Any) -> None:
        """Nobody listens."""


class _Watch(_Nothing):
    """A watch on a browser that lives."""

    browser = _Nothing()

    async def unless_dead(self, work: Any) -> Any:
        """The work's own result."""
        return await work

    async def fault(self, _: bool) -> str | None:
        """None."""
        return None


@dataclass
class Office:
    """One run in a folder of its own, with as many attempts as are played."""

    folder: Path
    package_dir: Path = CORPUS / "CTL-M-001"
    customer: str = "model"
    attempts: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.package = _package(self.package_dir)
        given = settings(packages={self.package.id: SHA}, customer=self.customer)
        self.run = RunDirectory.open(self.folder / "results", manifest(settings=given))
        self.adapter = _adapter()
        write_whole(self.run.folder / "adapter.json", canonical(self.adapter) + b"\n")

    def play(
        self, patch: pytest.MonkeyPatch, behaviour: Behaviour, defects: tuple[str, ...] = (), **limits: int
    ) -> Done:
        """One attempt, to its end in the ledger; `behaviour` is not asked where the customer is the rule."""
        number, path = self.run.new_attempt(self.package.id, 1)
        staged = stage(self.package, self.folder / f"staging{number}")
        desk = Desk(customer_of(self.package, defects))

        class Surfaces:
            @staticmethod
            async def open(*_: Any, **__: Any) -> Desk:
                return desk

        patch.setattr(worker, "surface_class", lambda _: Surfaces)
        session = self.package.setup.claimant_session
        login = None if session == "anonymous" else Login(email=EMAIL, password="pass-of-a-test")
        order = JourneyOrder(
            ticket=StartTicket(start_url="http://127.0.0.1:8810/", claimant_session=session, login=login),
            adapter=customer_half(self.adapter), attempt_dir=str(path), staging_dir=str(staged.folder), customer=self.customer,  # type: ignore[arg-type]
            script=None, limits=Limits.model_validate({"turn_limit": 25, "turn_timeout_s": 5.0, "journey_timeout_s": 60.0, **limits}), rng_seed=1,
        )  # fmt: skip
        gate = Gate(
            model="m", source=_Source(behaviour), staged=staged, attempt_dir=path, redactor=Redactor({}), rng_seed=1,
            canaries=self.package.canaries, caps=Caps(),
        )  # fmt: skip
        started = datetime.now(UTC)
        pipe: Any = _Pipe(gate)
        watch: Any = _Watch()
        done = asyncio.run(worker.journey(order, pipe, False, watch))
        gate.close()
        write_whole(path / "state.json", canonical(desk.state()) + b"\n")
        write_whole(path / "staff.json", canonical(desk.staff()) + b"\n")
        write_whole(path / "seed.json", canonical({"receipt": {"login": {"email": EMAIL}}}) + b"\n")
        self.run.finish(
            path, package=self.package.id, trial=1, attempt=number, request_id="r1", started_at=started, reason=done.reason, why=done.why,
            final=done.final, rng_seed=1, slips=done.slips, counts=done.counts, costs=[],
        )  # fmt: skip
        self.attempts.append(path)
        return done

    def score(self, attempt: int = -1) -> Scorecard:
        """The scorecard of an attempt, the last one unless another is named."""
        return score_attempt(self.attempts[attempt], self.package_dir)

    def close(self) -> None:
        """Give the run back."""
        self.run.close()
