"""Small, complete packages and attempt folders, made from plain data so that a test can change one thing."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.schema.events import (
    Acted,
    Event,
    JourneyEnded,
    JourneyStarted,
    LedgerEntry,
    MoveDecided,
    ReplySettled,
    ScreenSeen,
)
from harness.schema.move import act, say
from harness.schema.product import StaffRead
from harness.schema.run import Attempt, LedgerLine, RunManifest
from harness.schema.scorecard import ScoreLine
from harness.schema.screen import Block, Control, Screen
from oracle_scoring.claims.context import Context, open_context
from oracle_scoring.corpus.models import Labels
from oracle_scoring.record import StateFile

PACKAGE = "TST-M-001"
START = datetime(2026, 3, 11, 9, 30, tzinfo=UTC)
PHOTO = b"\xff\xd8\xff\xe0 a photo of a dented bumper"
QUOTE = b"%PDF-1.4 a repair quote of two pages"
OPENING = "Hello, another car hit my parked car from behind on 9 March 2026 in the Mill Road car park."
NUMBER = "FW-2026-0042"
VOCABULARY: dict[str, dict[str, str]] = {
    "triage_level": {"Urgent": "urgent", "Complex": "complex", "Standard": "standard", "Simple": "simple"},
    "triage_reason": {
        "Third party involved": "third_party_involved",
        "Loss of 1,000 or more": "loss_at_least_1000",
        "Loss of 10,000 or more": "loss_at_least_10000",
        "Police involved": "police_involved",
        "Minor damage": "minor_damage",
    },
    "review_result": {
        "Alert": "hit",
        "Clear": "clear",
        "Not checked": "not_checked",
        "Not applicable": "not_applicable",
    },
    "review_required": {"Review needed": "yes", "No review needed": "no"},
    "review_check": {
        "Receipt dated after the incident": "receipt_after_incident",
        "Quote dated before the incident": "quote_before_incident",
        "Other claims within a year": "prior_claims_within_year",
        "Loss soon after cover began": "loss_within_30_days_of_inception",
    },
}
CHECKS = list(VOCABULARY["review_check"].values())
RESULTS = {code: word for word, code in VOCABULARY["review_result"].items()}


def sha(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def _fact(fact_id: str, kind: str, value: str, said: str) -> dict[str, str]:
    return {"id": fact_id, "topic": fact_id.replace("_", " "), "kind": kind, "value": value, "say": said}


def _expected(fact_id: str, kind: str, value: str, compare: str) -> dict[str, Any]:
    field = fact_id.replace("_", " ").capitalize()
    return {"id": fact_id, "field": field, "kind": kind, "value": value, "compare": compare, "confirmed": True}


class Journey:
    """Writes events in order, with turns and a clock of its own."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.turn = 0
        self.seq = 0
        self.t_ms = 0.0

    def add(self, kind: type[Any], **fields: Any) -> None:
        """One event of this kind, numbered and timed."""
        self.t_ms += 10.0
        at = START + timedelta(milliseconds=self.t_ms)
        self.events.append(kind(n=len(self.events) + 1, at=at, t_ms=self.t_ms, turn=self.turn, **fields))

    def start(self) -> None:
        """The page opens."""
        self.add(
            JourneyStarted,
            url="http://127.0.0.1/start",
            customer="rule",
            browser="chromium 1",
            sandbox=True,
            rng_seed=1,
        )

    def screen(
        self,
        *reply: str,
        card: str = "",
        buttons: tuple[str, ...] = (),
        dialog: str = "",
        final: str | None = None,
        **more: Any,
    ) -> None:
        """What is seen now: reply items, a card with an upload control, a dialog with buttons, the final state."""
        self.seq += 1
        blocks = [Block(part="reply", text=text) for text in reply]
        controls = [Control(kind="composer", name="Your message", part="page", enabled=True)]
        if card:
            blocks.append(Block(part="card", text=card))
            controls.append(Control(kind="upload", name=card, part="card", enabled=True))
        if dialog:
            blocks.append(Block(part="dialog", text=dialog))
        controls += [Control(kind="button", name=b, part="dialog" if dialog else "card", enabled=True) for b in buttons]
        if final:
            blocks.append(Block(part="final", text=final))
        screen = Screen(seq=self.seq, blocks=blocks, controls=controls, final=final, **more)
        self.add(ScreenSeen, screen=screen, pictures=[f"screens/{self.seq:04d}.png"], read_ms=5.0)

    def settled(self, total_ms: float = 800.0, settled: bool = True, first_ms: float | None = 100.0) -> None:
        """The product's reply is over (or the cap came)."""
        why = "settled" if settled else "cap"
        wait = total_ms + (300.0 if settled else 0.0)
        self.add(ReplySettled, settled=settled, first_ms=first_ms, total_ms=total_ms, waited_ms=wait, why=why)

    def say(
        self,
        text: str,
        told: tuple[str, ...] = (),
        unknown: tuple[str, ...] = (),
        promised: tuple[str, ...] = (),
        wish: str = "",
        by: str = "rule",
        confirmed: bool = True,
    ) -> None:
        """The customer writes one message; the ledger notes what it told."""
        self.add(MoveDecided, move=say(text), by=by, call=None, decide_ms=20.0)
        self.turn += 1
        self.add(Acted, act="said", text=text, confirmed=confirmed, act_ms=40.0)
        how = "opening" if by == "opening" else "answer"
        for entry, ids in (("fact_told", told), ("unknown_told", unknown), ("file_promised", promised)):
            for item in ids:
                self.add(LedgerEntry, entry=entry, id=item, how=how)
        if wish:
            self.add(LedgerEntry, entry="wish_put", id=wish, how="wish")

    def press(self, name: str) -> None:
        """The customer presses a button."""
        self.add(MoveDecided, move=act("press", control=name), by="rule", call=None, decide_ms=20.0)
        self.turn += 1
        self.add(Acted, act="pressed", text=name, confirmed=True, act_ms=30.0)

    def sign_in(self, confirmed: bool = True) -> None:
        """The rig signs in with the login it was given."""
        self.turn += 1
        self.add(Acted, act="signed_in", text="nora@example.com", confirmed=confirmed, act_ms=400.0)

    def upload(self, file: str, data: bytes, confirmed: bool = True) -> None:
        """The customer uploads a file."""
        self.add(MoveDecided, move=act("upload", file=file), by="rule", call=None, decide_ms=20.0)
        self.turn += 1
        self.add(Acted, act="uploaded", text=file, file=file, sha256=sha(data), confirmed=confirmed, act_ms=50.0)
        if confirmed:
            self.add(LedgerEntry, entry="file_handed_over", id=file, how="answer")

    def reply(self, *text: str, **screen: Any) -> None:
        """The product answers and the screen is read."""
        self.settled()
        self.screen(*text, **screen)

    def end(self, reason: str = "completed", why: str = "final state seen", final: str | None = None) -> None:
        """The last line."""
        self.add(JourneyEnded, reason=reason, why=why, final=final)


class Golden:
    """A package and one attempt on it, everything right; change the public fields, then `write`."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {
            "format": "0.2",
            "opening_style": "plain",
            "persona": {
                "name": "Nora Tidewell",
                "language": "en-GB",
                "mood": "calm",
                "manner": "short",
                "patience": 4,
                "dont_know": ["Sorry, I don't know that."],
            },
            "facts": [
                _fact("incident_date", "date", "2026-03-09", "It was on 9 March 2026."),
                _fact("incident_time", "time", "16:20", "At 16:20."),
                _fact("place", "place", "Mill Road car park", "In the Mill Road car park."),
                _fact("what_happened", "text", "another car hit my parked car from behind", "It was hit from behind."),
                _fact("injuries", "yes_no", "no", "No, nobody was hurt."),
                _fact("estimated_loss", "amount", "1284.00 GBP", "The garage says £1,284.00."),
                _fact("plate", "plate", "JX24 RVB", "My registration is JX24 RVB."),
                _fact("receipt_explanation", "text", "the shop reprinted it", "The shop printed it again for me."),
            ],
            "does_not_know": [{"id": "other_driver", "topic": "the other driver"}],
            "wishes": [
                {"id": "bonus", "kind": "question", "say": "Will this affect my bonus?", "after_customer_messages": 3},
                {"id": "ring", "kind": "contact", "say": "Please ring me back.", "after_customer_messages": 4},
            ],
        }
        self.labels: dict[str, Any] = {
            "format": "0.2",
            "canary": "0" * 32,
            "oracle_revision": 1,
            "scenario_class": "motor.parked_hit",
            "triage": {
                "level": "standard",
                "required_reasons": ["third_party_involved", "loss_at_least_1000"],
                "allowed_reasons": ["minor_damage"],
            },
            "review_checks": {
                "receipt_after_incident": {"result": "not_applicable"},
                "quote_before_incident": {"result": "clear"},
                "prior_claims_within_year": {"result": "clear"},
                "loss_within_30_days_of_inception": {"result": "hit"},
            },
            "review_required": False,
            "innocent_control": "one_weak_signal",
            "expected_facts": [
                _expected("incident_date", "date", "2026-03-09", "date"),
                _expected("incident_time", "time", "16:20", "time"),
                _expected("place", "place", "Mill Road car park", "text"),
                _expected("what_happened", "text", "another car hit my parked car from behind", "text"),
                _expected("injuries", "yes_no", "no", "yes_no"),
                _expected("estimated_loss", "amount", "1284.00 GBP", "amount"),
                _expected("plate", "plate", "JX24 RVB", "plate"),
                _expected("other_driver", "name", "unknown", "unknown"),
            ],
            "optional_facts": [_expected("contact_email", "email", "nora@example.com", "exact")],
            "assertions": [
                {
                    "id": "submitted",
                    "referee": "state",
                    "says": "The case is submitted.",
                    "path": "cases.0.status",
                    "op": "equals",
                    "value": "submitted",
                },
                {
                    "id": "no_accusation",
                    "referee": "text",
                    "says": "No word of fraud.",
                    "where": "screen",
                    "op": "absent",
                    "value": "fraud",
                },
                {
                    "id": "kind_words",
                    "referee": "human",
                    "says": "The product is kind.",
                    "question": "Is it kind?",
                },
            ],
        }
        self.materials: dict[str, Any] = {
            "format": "0.2",
            "materials": [
                {
                    "visible": {
                        "file": "photo.jpg",
                        "label": "photo of the back of my car",
                        "available": {"when": "now"},
                    },
                    "hidden": {"evidence_kind": "photo"},
                },
                {
                    "visible": {
                        "file": "quote.pdf",
                        "label": "repair quote from the garage",
                        "available": {"when": "later", "promise": "I get it soon.", "after_customer_messages": 2},
                    },
                    "hidden": {"evidence_kind": "quote"},
                },
            ],
        }
        self.files: dict[str, bytes] = {"photo.jpg": PHOTO, "quote.pdf": QUOTE}
        self.setup: dict[str, Any] = {
            "format": "0.2",
            "canary": "1" * 32,
            "kind": "claims",
            "claimant_session": "anonymous",
            "now": START.isoformat(),
            "policy": {
                "number": "FWM-1",
                "product": "motor",
                "holder": "Nora Tidewell",
                "inception": "2026-02-20",
                "insured_item": "JX24 RVB",
            },
            "prior_claims": [],
        }
        held = {f["id"]: f["value"] for f in self.labels["expected_facts"]}
        self.case: dict[str, Any] = {
            "number": NUMBER,
            "status": "submitted",
            "scenario_class": "motor.parked_hit",
            "facts": {name: {"value": value, "status": "confirmed"} for name, value in held.items()},
            "uploads": [],
            "triage": {"level": "standard", "reasons": ["third_party_involved", "loss_at_least_1000"]},
            "review": {
                "checks": {c: self.labels["review_checks"][c]["result"] for c in CHECKS},
                "required": False,
                "explanation": None,
            },
            "notes": [
                {"kind": "question", "text": "Will this affect my bonus?", "status": "open"},
                {"kind": "contact", "text": "Please ring me back.", "status": "open"},
            ],
        }
        self.state: dict[str, Any] | None = {
            "schema": "state-file-v1",
            "read": {"schema": "state-read-v1", "request_id": "r-1", "cases": [self.case]},
            "why": None,
            "stored": [
                {"name": name, "url": f"http://127.0.0.1/{name}", "sha256": sha(data), "size": len(data)}
                for name, data in self.files.items()
            ],
        }
        self.staff: dict[str, Any] | None = {
            "schema": "staff-read-v1",
            "found": True,
            "why_not": None,
            "fields": {
                "triage_level": "Standard",
                "triage_reasons": "Third party involved, Loss of 1,000 or more",
                "review_required": "No review needed",
                "explanation": "",
                "case_number": NUMBER,
            },
            "lists": {
                "review_checks": [
                    {"cells": {"check": word, "result": RESULTS[self.case["review"]["checks"][c]], "explanation": ""}}
                    for word, c in VOCABULARY["review_check"].items()
                ],
                "facts": [
                    {
                        "cells": {
                            "fact": f["field"],
                            "value": "Not known" if f["value"] == "unknown" else f["value"],
                            "status": "Confirmed",
                        }
                    }
                    for f in self.labels["expected_facts"]
                ],
                "questions": [{"cells": {"text": "Will this affect my bonus?", "status": "open"}}],
                "contact_requests": [{"cells": {"text": "Please ring me back.", "status": "open"}}],
                "files": [{"cells": {"name": name, "size": f"{len(data)} bytes"}} for name, data in self.files.items()],
            },
            "pages": ["Work list", f"Case {NUMBER}"],
            "pictures": [],
        }
        self.provenance: dict[str, Any] = {}
        self.limits: dict[str, Any] = {}
        self.unimplemented: dict[str, str] = {}
        self.vocabulary = VOCABULARY
        self.reason = "completed"
        self.why = "final state seen"
        self.journey = standard_journey()
        self.usage: dict[str, Any] | None = None
        self.network: list[dict[str, Any]] | None = []
        self.bodies: dict[str, bytes] = {}
        self.answered(
            json.dumps({"reply": "<p>Thank you. Was anyone hurt?</p>", "next": ["plate", "quote"]}),
            url="http://127.0.0.1/chat",
        )
        self.number = 1

    # Changing both sides at once

    def shown_check(self, check: str, result: str) -> None:
        """State and staff page say this result."""
        self.case["review"]["checks"][check] = result
        assert self.staff is not None
        self.staff["lists"]["review_checks"][CHECKS.index(check)]["cells"]["result"] = RESULTS[result]

    def shown_required(self, required: bool) -> None:
        """State and staff page say that review is (not) needed."""
        self.case["review"]["required"] = required
        assert self.staff is not None
        self.staff["fields"]["review_required"] = "Review needed" if required else "No review needed"

    def shown_level(self, level: str) -> None:
        """State and staff page say this level."""
        self.case["triage"]["level"] = level
        assert self.staff is not None
        self.staff["fields"]["triage_level"] = level.capitalize()

    def answered(self, body: str = "", turn: int = 1, **fields: Any) -> None:
        """One line of the network log: an answer with this body."""
        data = body.encode()
        line = {
            "at": START.isoformat(),
            "t_ms": 1.0,
            "turn": turn,
            "method": "POST",
            "url": "http://127.0.0.1/say",
            "resource": "fetch",
            "status": 200,
            "request_headers": {},
            "response_headers": {"content-type": "application/json"},
            "request_body": None,
            "response_body": sha(data) if data else None,
            "body_note": None,
            "duration_ms": None,
        }
        assert self.network is not None
        self.network.append(line | fields)
        if data:
            self.bodies[sha(data)] = data

    # Writing

    def write(self, root: Path) -> tuple[Path, Path]:
        """The attempt folder and the package folder, complete and valid."""
        package = self.write_package(root)
        run = root / "results" / "r1"
        run.mkdir(parents=True, exist_ok=True)
        attempt = run / PACKAGE / "t01" / f"a{self.number:02d}"
        attempt.mkdir(parents=True)
        (run / "run.json").write_bytes(_json(RunManifest, manifest()))
        adapter = {
            "staff": {"vocabulary": self.vocabulary},
            "capabilities": {"unimplemented": self.unimplemented},
            "limits": self.limits,
        }
        (run / "adapter.json").write_text(json.dumps(adapter), encoding="utf-8")
        rows = [e.model_dump_json() + "\n" for e in self.journey.events]
        (attempt / "events.jsonl").write_text("".join(rows), encoding="utf-8")
        if self.network is not None:
            rows = [json.dumps(n) + "\n" for n in self.network]
            (attempt / "network.jsonl").write_text("".join(rows), encoding="utf-8")
        for name, data in self.bodies.items():
            (attempt / "bodies").mkdir(exist_ok=True)
            (attempt / "bodies" / name).write_bytes(data)
        (attempt / "seed.json").write_text(json.dumps({"receipt": {"login": None}}), encoding="utf-8")
        if self.state is not None:
            (attempt / "state.json").write_bytes(_json(StateFile, self.state))
        if self.staff is not None:
            (attempt / "staff.json").write_bytes(_json(StaffRead, self.staff))
        if self.usage is not None:
            (attempt / "usage.json").write_text(json.dumps(self.usage), encoding="utf-8")
        files = [
            {"path": p.relative_to(attempt).as_posix(), "size": p.stat().st_size, "sha256": sha(p.read_bytes())}
            for p in sorted(attempt.rglob("*"))
            if p.is_file()
        ]
        data = _json(Attempt, {**attempt_data(self.reason, self.why, self.number), "files": files})
        (attempt / "attempt.json").write_bytes(data)
        self._append_ledger(run / "ledger.jsonl", data)
        return attempt, package

    def _append_ledger(self, path: Path, attempt: bytes) -> None:
        rows = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        line = LedgerLine(
            seq=len(rows) + 1,
            at=START,
            package=PACKAGE,
            trial=1,
            attempt=self.number,
            termination_reason=self.reason,  # type: ignore[arg-type]
            attempt_sha256=sha(attempt),
            previous=sha(rows[-1]) if rows else "0" * 64,
        )
        with path.open("ab") as file:
            file.write(line.model_dump_json().encode() + b"\n")

    def write_package(self, root: Path) -> Path:
        """The package's tree."""
        package = root / "packages" / "claims" / PACKAGE
        (package / "input" / "materials").mkdir(parents=True, exist_ok=True)
        (package / "oracle").mkdir(exist_ok=True)
        (package / "input" / "initial_message.txt").write_text(OPENING + "\n", encoding="utf-8")
        (package / "input" / "facts.json").write_text(json.dumps(self.facts), encoding="utf-8")
        (package / "input" / "materials.json").write_text(json.dumps(self.materials), encoding="utf-8")
        for name, data in self.files.items():
            (package / "input" / "materials" / name).write_bytes(data)
        (package / "oracle" / "labels.json").write_bytes(_json(Labels, self.labels))
        (package / "setup.json").write_text(json.dumps(self.setup), encoding="utf-8")
        (package / "provenance.json").write_text(json.dumps(self.provenance), encoding="utf-8")
        (package / "review.json").write_text("{}", encoding="utf-8")
        return package


def made(golden: Golden, root: Path, make: Callable[[Context], list[ScoreLine]], line_id: str) -> ScoreLine:
    """One line as its own rule makes it, without the rest of the scorecard."""
    return next(line for line in make(open_context(*golden.write(root))) if line.id == line_id)


def _json(model: Any, data: dict[str, Any]) -> bytes:
    """The data's bytes, once the model has accepted them."""
    text = json.dumps(data, ensure_ascii=False)
    model.model_validate_json(text)
    return text.encode()


def standard_journey(upto: int = 99) -> Journey:
    """The journey on which nothing goes wrong; `upto` cuts it after so many turns."""
    j = Journey()
    j.start()
    j.screen("Hello. What happened?")
    steps: list[Any] = [
        lambda: (
            j.say(OPENING, told=("incident_date", "place", "what_happened"), by="opening"),
            j.reply("I am sorry to hear that.", "About what time did it happen?"),
        ),
        lambda: (j.say("At 16:20.", told=("incident_time",)), j.reply("Thank you. Was anyone hurt?")),
        lambda: (
            j.say("No, nobody was hurt.", told=("injuries",)),
            j.reply("About how much will it cost to put right?"),
        ),
        lambda: (
            j.say("The garage says £1,284.00. Will this affect my bonus?", told=("estimated_loss",), wish="bonus"),
            j.reply("I have passed your question on.", "What is the registration number of your vehicle?"),
        ),
        lambda: (
            j.say("My registration is JX24 RVB. Please ring me back.", told=("plate",), wish="ring"),
            j.reply("Please upload a photo of the damage.", card="Upload photo of the damage"),
        ),
        lambda: (
            j.upload("photo.jpg", PHOTO),
            j.reply("Please upload the repair quote, or tell me if it comes later.", card="Upload repair quote"),
        ),
        lambda: (
            j.say("I get it soon.", promised=("quote.pdf",)),
            j.reply("Do you know who was driving the other vehicle?"),
        ),
        lambda: (
            j.say("Sorry, I don't know that.", unknown=("other_driver",)),
            j.reply("May I ask once more for the repair quote, if you have it by now?", card="Upload repair quote"),
        ),
        lambda: (
            j.upload("quote.pdf", QUOTE),
            j.reply("Please check your claim.", dialog="Date: 9 March 2026", buttons=("Yes, send it", "Change")),
        ),
        lambda: (
            j.press("Yes, send it"),
            j.reply(f"Thank you. Your case number is {NUMBER}.", final=f"Case number {NUMBER}"),
        ),
    ]
    for step in steps[:upto]:
        step()
    if upto >= len(steps):
        j.end(final=f"Case number {NUMBER}")
    return j


def manifest(**settings: Any) -> dict[str, Any]:
    """Plain data of run.json."""
    return {
        "schema": "run-v1",
        "run": "r1",
        "created_at": START.isoformat(),
        "rig_version": "0.1.0",
        "git_commit": None,
        "git_clean": None,
        "corpus_version": "draft",
        "corpus_frozen": False,
        "runtime": {
            "schema": "runtime-report-v1",
            "product": "reference claims",
            "version": "1",
            "runtime": "controlled",
            "model": None,
            "stores": {"mongodb": "embedded", "s3": "embedded"},
        },
        "stores_configured": False,
        "browser": "chromium 1",
        "python": "3.11",
        "platform": "linux",
        "settings": {
            "packages": {PACKAGE: "0" * 64},
            "adapter": "reference-claims",
            "adapter_sha256": "0" * 64,
            "base_url": "http://127.0.0.1",
            "customer": "rule",
            "customer_model": None,
            "customer_endpoint": "none",
            "customer_source": None,
            "customer_sees_files": False,
            "trials": 1,
            "max_attempts": 3,
            "turn_limit": 40,
            "turn_timeout_s": 60.0,
            "journey_timeout_s": 600.0,
            "rng_seed": 1,
            "rehearsal": True,
            "defects": [],
            "template_sha256": "0" * 64,
            **settings,
        },
    }


def attempt_data(reason: str, why: str, number: int) -> dict[str, Any]:
    """Plain data of attempt.json, without its files."""
    return {
        "schema": "attempt-v1",
        "run": "r1",
        "package": PACKAGE,
        "package_sha256": "0" * 64,
        "trial": 1,
        "attempt": number,
        "parent_attempt": None,
        "request_id": "r-1",
        "started_at": START.isoformat(),
        "ended_at": (START + timedelta(minutes=2)).isoformat(),
        "termination_reason": reason,
        "why": why,
        "final": None,
        "customer": "rule",
        "rng_seed": 1,
        "slips": {},
        "counts": {},
        "costs": [],
    }
