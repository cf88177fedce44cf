"""Synthetic runs for tests of reader and report: written with the schema's models, pictures drawn here."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from harness.schema import events as ev
from harness.schema.events import Event
from harness.schema.move import Move, act, say
from harness.schema.product import RuntimeReport, StaffRead, StaffRow
from harness.schema.run import (
    Attempt,
    CallUsage,
    Cost,
    FileHash,
    LedgerLine,
    NetworkLine,
    PromptLine,
    RunManifest,
    RunSettings,
)
from harness.schema.scorecard import Evidence, Measure, Scorecard, ScoreLine
from harness.schema.screen import Block, Control, Screen
from harness.schema.strict_json import canonical, sha256_hex

START = datetime(2026, 3, 11, 9, 0, tzinfo=UTC)
HASH = "ab" * 32


def manifest(run: str = "r1", **settings: Any) -> RunManifest:
    """A rehearsal with the rule customer; `settings` replace fields of RunSettings."""
    chosen: dict[str, Any] = {
        "packages": {"CTL-M-001": HASH},
        "adapter": "reference-claims",
        "adapter_sha256": HASH,
        "base_url": "http://127.0.0.1:8810",
        "customer": "model",
        "customer_model": "small-instruct",
        "customer_endpoint": "embedded",
        "customer_source": None,
        "customer_sees_files": False,
        "trials": 1,
        "max_attempts": 3,
        "turn_limit": 40,
        "turn_timeout_s": 120.0,
        "journey_timeout_s": 1800.0,
        "rng_seed": 7,
        "rehearsal": True,
        "defects": ["repeated_question"],
        "template_sha256": HASH,
    } | settings
    return RunManifest(
        schema="run-v1",
        run=run,
        created_at=START,
        rig_version="0.1.0",
        git_commit="c0ffee" * 6,
        git_clean=True,
        corpus_version="0.2-draft",
        corpus_frozen=False,
        runtime=RuntimeReport(
            schema="runtime-report-v1",
            product="reference claims",
            version="0.1.0",
            runtime="controlled",
            model=None,
            stores={"mongodb": "embedded", "s3": "embedded"},
        ),
        stores_configured=False,
        browser="Chromium 156.0",
        python="3.11.9",
        platform="Linux x86_64",
        settings=RunSettings(**chosen),
    )


@dataclass
class Talk:
    """Writes events of one journey in order, with a clock of its own."""

    folder: Path
    events: list[Event] = field(default_factory=list)
    prompts: list[PromptLine] = field(default_factory=list)
    network: list[NetworkLine] = field(default_factory=list)
    t_ms: float = 0.0
    turn: int = 0
    screens: int = 0
    bubbles: list[tuple[str, str]] = field(default_factory=list)
    panel: list[str] = field(default_factory=list)
    pictures: bool = True

    def add(self, kind: type[Any], after_ms: float = 5.0, **fields: Any) -> int:
        """One event; its number."""
        self.t_ms += after_ms
        n = len(self.events) + 1
        at = START + timedelta(milliseconds=self.t_ms)
        self.events.append(kind(n=n, at=at, t_ms=self.t_ms, turn=self.turn, **fields))
        return n

    def screen(
        self,
        reply: str,
        tags: Sequence[str] = (),
        card: str | None = None,
        final: str | None = None,
        picture: bool = True,
    ) -> int:
        """A screen with the reply, its tags, the panel and the usual controls."""
        self.screens += 1
        if reply:
            self.bubbles.append(("product", reply))
        blocks = [Block(part="reply", text=reply)] if reply else []
        blocks += [Block(part="tag", text=t) for t in tags]
        controls = [
            Control(kind="composer", name="Your message", part="page", enabled=True, placeholder="Write here"),
            Control(kind="button", name="Send", part="page", enabled=True),
        ]
        if card:
            blocks.append(Block(part="card", text=card))
            controls.append(Control(kind="upload", name="Choose a file", part="card", enabled=True))
        if self.panel:
            blocks.append(Block(part="panel", text="\n".join(self.panel)))
        if final:
            blocks.append(Block(part="final", text=final))
        names = []
        if picture and self.pictures:
            names = [f"screens/{self.screens:04d}.png"]
            draw_chat(self.folder / names[0], self.bubbles, self.panel)
        screen = Screen(seq=self.screens, blocks=blocks, controls=controls, final=final)
        return self.add(ev.ScreenSeen, 140, screen=screen, pictures=names, read_ms=38.0)

    def decide(self, move: Move, by: str = "model", tokens: int = 900, ms: float = 1900) -> None:
        """A model call and the move it gave."""
        call = self.call(tokens, ms) if by == "model" else None
        self.add(ev.MoveDecided, ms, move=move, by=by, call=call, decide_ms=ms)

    def call(self, tokens: int, ms: float, outcome: str = "ok") -> str:
        """A finished model call; its id."""
        call = f"c{len(self.prompts) // 2 + 1}"
        at = START + timedelta(milliseconds=self.t_ms)
        self.prompts.append(
            PromptLine(kind="model_call_started", call=call, at=at, request={"m": 1}, request_sha256=HASH)
        )
        usage = CallUsage(tokens_in=tokens, tokens_out=44, cost=None)
        self.prompts.append(
            PromptLine(
                kind="model_call_ended", call=call, at=at, outcome=outcome, status=200, latency_ms=ms, usage=usage
            )
        )
        return call

    def acted(self, what: str, text: str, **fields: Any) -> int:
        """A confirmed act; a message also becomes a bubble of the drawn pictures."""
        if what == "said":
            self.bubbles.append(("customer", text))
        fields = {"confirmed": True, "act_ms": 90.0} | fields
        return self.add(ev.Acted, 90, act=what, text=text, **fields)

    def reply(self, ms: float, settled: bool = True, status: int = 200) -> int:
        """The product's reaction and one network line."""
        self.network.append(
            NetworkLine(
                at=START,
                t_ms=self.t_ms,
                turn=self.turn,
                method="POST",
                url="http://127.0.0.1:8810/chat",
                resource="fetch",
                status=status,
                request_headers={},
                response_headers={},
                request_body=None,
                response_body=None,
                body_note="streamed",
                duration_ms=ms,
            )
        )
        why = "settled" if settled else "cap"
        return self.add(
            ev.ReplySettled,
            ms + 250,
            settled=settled,
            first_ms=ms * 0.4,
            total_ms=ms,
            waited_ms=ms + 250,
            why=why,
        )


def draw_chat(path: Path, bubbles: Sequence[tuple[str, str]], panel: Sequence[str]) -> None:
    """A picture like a chat page of 1280 by 800."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", (1280, 800), "#f3f5f8")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 1280, 56), fill="#243b6b")
    draw.text((24, 16), "Harbour Insurance", fill="white", font_size=22)
    draw.rectangle((940, 76, 1256, 780), fill="white", outline="#cfd6e2")
    draw.text((960, 90), "Your claim so far", fill="#223", font_size=18)
    for row, line in enumerate(panel):
        draw.text((960, 124 + row * 26), line, fill="#445", font_size=15)
    y = 700
    for who, text in reversed(bubbles[-7:]):
        lines = [text[i : i + 62] for i in range(0, min(len(text), 310), 62)] or [""]
        height = 16 + 22 * len(lines)
        y -= height + 12
        x = 40 if who == "product" else 320
        draw.rounded_rectangle((x, y, x + 580, y + height), 12, fill="#e3ecfa" if who == "product" else "#d6efdc")
        for row, line in enumerate(lines):
            safe = line.encode("latin-1", "replace").decode("latin-1")
            draw.text((x + 14, y + 8 + 22 * row), safe, fill="#1b2230", font_size=16)
    image.save(path, optimize=False)


def motor_talk(folder: Path, pictures: bool = True) -> Talk:
    """A parked-hit claim of eight turns with slips, a retry, a repeated question and a case number."""
    t = Talk(folder, pictures=pictures)
    t.add(
        ev.JourneyStarted,
        url="http://127.0.0.1:8810/c/k3j2",
        customer="model",
        browser="Chromium 156.0",
        sandbox=True,
        rng_seed=7,
    )
    t.screen("Hello! I am the claims assistant. What happened?")
    opening = (
        "Hello, my parked car was hit at the supermarket on 9 March 2026 at about 16:20. The rear bumper is damaged."
    )
    t.turn = 1
    t.decide(say(opening, used=["incident_date", "incident_time", "what_happened"]), by="opening", ms=2)
    t.acted("said", opening)
    for fact in ("incident_date", "incident_time", "what_happened"):
        t.add(ev.LedgerEntry, 1, entry="fact_told", id=fact, how="opening")
    t.reply(1300)
    t.panel = ["Date: 9 March 2026", "Time: 16:20"]
    t.screen("I am sorry to hear that. What is the registration number of your car?", ["Motor claim", "Reported today"])
    t.turn = 2
    t.add(
        ev.MoveRejected,
        1700,
        problem="ungrounded",
        why="“red” is in neither view nor screen",
        note="only_facts",
        call=t.call(1010, 1700),
        raw='{"move":"say","messages":["It is KX19 ABC, the other car was red."]}',
    )
    t.add(
        ev.Slip, 1, slip="hallucination", severity="helped", why="Named a colour nobody told it: “red”", delivered=False
    )
    t.decide(say("My registration number is KX19 ABC.", asked=["plate"], used=["plate"]))
    t.acted("said", "My registration number is KX19 ABC.", retries=1)
    t.add(ev.LedgerEntry, 1, entry="fact_told", id="plate", how="answer")
    t.reply(2100)
    t.panel += ["Plate: KX19 ABC"]
    t.screen("Thank you. Where did it happen?\n(城市或停车场 · bãi đỗ xe 🚗)")
    t.turn = 3
    t.decide(say("In the car park of the Tesco in Leith.", asked=["place"], used=["place"]))
    t.acted("said", "In the car park of the Tesco in Leith.")
    t.add(ev.LedgerEntry, 1, entry="fact_told", id="place", how="answer")
    t.reply(1800)
    t.panel = ["Date: 3 September 2026", "Time: 16:20", "Plate: KX19 ABC", "Place: Leith"]
    t.screen("What is the registration number of your car?")
    t.turn = 4
    t.decide(say("As I said, KX19 ABC.", asked=["plate"], used=["plate"]))
    t.acted("said", "As I said, KX19 ABC.")
    t.add(
        ev.PageEvent,
        what="request_blocked",
        detail="https://metrics.example/collect?u=1",
        policy="aborted",
    )
    t.reply(120000, settled=False)
    t.add(ev.CaptureFailed, what="screenshot", why="the page did not answer within 5 s")
    t.screen(
        "Please upload a photo of the damage.", card="Photo of the damage\nJPEG or PNG, up to 10 MB", picture=False
    )
    t.turn = 5
    t.decide(act("upload", control="Choose a file", file="Photo of my rear bumper", used=[]))
    t.acted("uploaded", "rear-bumper.jpg", file="rear-bumper.jpg", sha256=HASH)
    t.add(ev.LedgerEntry, 1, entry="file_handed_over", id="rear-bumper.jpg", how="answer")
    t.reply(900, status=500)
    t.screen("Thank you, I have the photo. Is the car drivable?")
    t.turn = 6
    t.decide(say("Yes. Will this affect my no claims bonus?", asked=["drivable"], used=["drivable"]))
    t.acted("said", "Yes. Will this affect my no claims bonus?")
    t.add(ev.LedgerEntry, 1, entry="wish_put", id="no_claims_bonus", how="wish")
    t.add(
        ev.Slip,
        1,
        slip="revealed_early",
        severity="hindered",
        why="Put the question two messages early",
        delivered=True,
    )
    t.reply(1500)
    t.panel += ["Drivable: yes"]
    t.screen("A colleague will answer that. Shall I submit your claim?", card="Check and submit")
    t.turn = 7
    t.decide(act("press", control="Submit claim"))
    t.acted("pressed", "Submit claim")
    t.reply(2600)
    t.screen("Your claim is on its way.", final="Case number CLM-2026-000417")
    t.add(
        ev.JourneyEnded,
        reason="completed",
        why="the screen shows a case number",
        final="Case number CLM-2026-000417",
    )
    return t


def line(id_: str, state: str, title: str = "", why: str = "", **fields: Any) -> ScoreLine:
    """One score line; group from the id."""
    plain: dict[str, Any] = {
        "group": id_.split(".")[0],
        "referee": "rule",
        "expected": None,
        "got": None,
        "evidence": [],
    }
    chosen = plain | fields
    return ScoreLine(id=id_, title=title or id_, state=state, why=why or "As expected.", **chosen)


def event_number(talk: Talk, text: str) -> int:
    """Number of the first screen or act that holds `text`."""
    return next(
        e.n
        for e in talk.events
        if (isinstance(e, ev.ScreenSeen) and text in e.screen.visible_text())
        or (isinstance(e, ev.Acted) and text in e.text)
    )


def motor_lines(talk: Talk) -> list[ScoreLine]:
    """Score lines of `motor_talk`: three fail, three are unknown."""
    repeated = [
        e.n for e in talk.events if isinstance(e, ev.ScreenSeen) and "registration number" in e.screen.reply_text()
    ]
    return [
        line(
            "triage.level",
            "pass",
            "Triage level",
            expected="standard",
            got="standard",
            evidence=[Evidence(file="state.json", path="cases.0.triage.level", quote="standard")],
        ),
        line("triage.required_reasons", "pass", "Required triage reasons"),
        line(
            "review.quote_before_incident",
            "fail",
            "Quote dated before the incident",
            "The product raised an alert that the oracle says is clear.",
            expected="clear",
            got="hit",
            alarm="false_alarm",
            evidence=[
                Evidence(file="state.json", path="cases.0.review.checks.quote_before_incident", quote="hit"),
                Evidence(file="staff.json", path="lists.review_checks.1.cells.result", quote="Alert"),
            ],
        ),
        line(
            "review.receipt_after_incident",
            "not_applicable",
            "Receipt dated after the incident",
            "There is no receipt.",
        ),
        line(
            "incident_time.date",
            "fail",
            "Date of the incident",
            "Day and month are swapped.",
            expected="2026-03-09",
            got="2026-09-03",
            evidence=[
                Evidence(event=event_number(talk, "3 September 2026"), quote="Date: 3 September 2026"),
                Evidence(file="state.json", path="cases.0.facts.incident_date.value", quote="2026-09-03"),
            ],
        ),
        line("facts.plate", "pass", "Plate", expected="KX19ABC", got="KX19ABC"),
        line(
            "journey.repeated_questions",
            "fail",
            "No question is put twice",
            "The registration number was asked for again after it had been answered.",
            expected="0",
            got="1",
            evidence=[Evidence(event=n, quote="What is the registration number of your car?") for n in repeated]
            + [
                Evidence(event=event_number(talk, "My registration number is"), quote="KX19 ABC"),
                Evidence(event=999, quote="never said"),
            ],
        ),
        line(
            "journey.case_number",
            "pass",
            "Case number is shown and stored",
            evidence=[Evidence(event=event_number(talk, "CLM-2026"), quote="CLM-2026-000417")],
        ),
        line(
            "staff.explanation_beside_alert",
            "not_checked",
            "Explanation beside the alert",
            "The staff page could not be read to its end.",
        ),
        line(
            "assertions.kind_words",
            "needs_human",
            "The product says something kind",
            "A person has to judge this.",
            referee="human",
        ),
        line("staff.contact_requests", "unimplemented", "Contact requests", "The adapter says: not built yet."),
        *[line(f"facts.f{i}", "pass", f"Further fact {i}") for i in range(8)],
    ]


STATE = {
    "schema": "state-read-v1",
    "request_id": "q1",
    "cases": [
        {
            "number": "CLM-2026-000417",
            "status": "submitted",
            "scenario_class": "motor.parked_hit",
            "facts": {
                "incident_date": {"value": "2026-09-03", "status": "confirmed"},
                "plate": {"value": "KX19ABC", "status": "confirmed"},
            },
            "uploads": [],
            "triage": {"level": "standard", "reasons": ["third_party_involved"]},
            "review": {"checks": {"quote_before_incident": "hit"}, "required": True, "explanation": None},
            "notes": [],
        }
    ],
}


def write_lines(path: Path, items: Sequence[Any]) -> None:
    """One JSON object a line."""
    path.write_bytes(b"".join(item.model_dump_json(by_alias=True).encode() + b"\n" for item in items))


class RunBuilder:
    """Writes a run folder whose ledger verifies."""

    def __init__(self, results: Path, run: str = "r1", **settings: Any) -> None:
        self.dir = results / run
        self.dir.mkdir(parents=True)
        self.manifest = manifest(run, **settings)
        (self.dir / "run.json").write_bytes(self.manifest.model_dump_json(by_alias=True).encode())
        self.previous = "0" * 64
        self.seq = 0

    def folder(self, package: str = "CTL-M-001", trial: int = 1, attempt: int = 1) -> Path:
        """The attempt's folder, made."""
        folder = self.dir / package / f"t{trial:02d}" / f"a{attempt:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def attempt(
        self,
        talk: Talk,
        reason: str = "completed",
        why: str = "the screen shows a case number",
        package: str = "CTL-M-001",
        trial: int = 1,
        attempt: int = 1,
        costs: Sequence[Cost] | None = None,
        staff: StaffRead | None = None,
        state: Any = STATE,
        **fields: Any,
    ) -> Attempt:
        """Files of one attempt and its ledger line."""
        folder = talk.folder
        write_lines(folder / "events.jsonl", talk.events)
        write_lines(folder / "prompts.jsonl", talk.prompts)
        write_lines(folder / "network.jsonl", talk.network)
        (folder / "state.json").write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
        (folder / "seed.json").write_text('{"request": {}}', encoding="utf-8")
        if staff is None:
            draw_chat(folder / "screens" / "staff-0001.png", [("product", "Work list")], ["Standard", "Review needed"])
            rows = [
                StaffRow(cells={"check": "Loss soon after cover began", "result": "Alert"}),
                StaffRow(cells={"check": "Quote dated before the incident", "result": "Alert"}),
            ]
            staff = StaffRead(
                schema="staff-read-v1",
                found=True,
                why_not=None,
                fields={"triage_level": "Standard", "case_number": "CLM-2026-000417"},
                lists={"review_checks": rows},
                pages=["Case CLM-2026-000417\nStandard"],
                pictures=["screens/staff-0001.png"],
            )
        (folder / "staff.json").write_bytes(staff.model_dump_json(by_alias=True).encode())
        files = [
            FileHash(path=str(p.relative_to(folder)), size=p.stat().st_size, sha256=sha256_hex(p.read_bytes()))
            for p in sorted(folder.rglob("*"))
            if p.is_file()
        ]
        ended = talk.events[-1] if talk.events else None
        chosen: dict[str, Any] = {
            "parent_attempt": None,
            "final": getattr(ended, "final", None),
            "slips": {},
            "counts": {"messages_sent": 5, "stand_ins": 0},
        } | fields
        record = Attempt(
            schema="attempt-v1",
            run=self.manifest.run,
            package=package,
            package_sha256=HASH,
            trial=trial,
            attempt=attempt,
            request_id="q1",
            started_at=START,
            ended_at=START + timedelta(milliseconds=talk.t_ms),
            termination_reason=reason,
            why=why,
            customer=self.manifest.settings.customer,
            rng_seed=7,
            costs=list(costs) if costs is not None else default_costs(),
            files=files,
            **chosen,
        )
        data = record.model_dump_json(by_alias=True).encode()
        (folder / "attempt.json").write_bytes(data)
        self.ledger(package, trial, attempt, reason, sha256_hex(data))
        return record

    def ledger(self, package: str, trial: int, attempt: int, reason: str, digest: str) -> None:
        """One line, chained."""
        self.seq += 1
        row = (
            LedgerLine(
                seq=self.seq,
                at=START,
                package=package,
                trial=trial,
                attempt=attempt,
                termination_reason=reason,
                attempt_sha256=digest,
                previous=self.previous,
            )
            .model_dump_json()
            .encode()
        )
        with (self.dir / "ledger.jsonl").open("ab") as ledger:
            ledger.write(row + b"\n")
        self.previous = sha256_hex(row)

    def score(
        self,
        lines: Sequence[ScoreLine],
        package: str = "CTL-M-001",
        trial: int = 1,
        attempt: int = 1,
        version: str = "1",
        counting: bool = True,
        reason: str = "completed",
        measures: Sequence[Measure] | None = None,
    ) -> Path:
        """A scorecard file."""
        totals = {
            s: sum(item.state == s for item in lines)
            for s in ("pass", "fail", "not_applicable", "not_checked", "unimplemented", "needs_human")
        }
        card = Scorecard(
            schema="scorecard-v1",
            rubric="claims",
            scoring_version=version,
            oracle_sha256=HASH,
            oracle_revision=1,
            run=self.manifest.run,
            package=package,
            scenario_class="motor.parked_hit",
            opening_style="plain",
            innocent_control="one_weak_signal",
            trial=trial,
            attempt=attempt,
            counting=counting,
            termination_reason=reason,
            grade="rehearsal",
            grade_reasons=["started with --rehearsal"],
            lines=list(lines),
            measures=list(measures) if measures is not None else default_measures(),
            totals=totals,
        )
        path = self.dir / "scores" / f"claims-{version}-{HASH[:8]}" / package / f"t{trial:02d}-a{attempt:02d}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(canonical(card.model_dump(mode="json", by_alias=True)))
        return path


def default_costs() -> list[Cost]:
    """The customer's calls unpriced, the product's unknown."""
    return [
        Cost(
            role="customer",
            calls=8,
            tokens_in=7300,
            tokens_out=352,
            cost=None,
            complete=False,
            why_incomplete="the endpoint has no price",
        ),
        Cost(
            role="product",
            calls=None,
            tokens_in=None,
            tokens_out=None,
            cost=None,
            complete=False,
            why_incomplete="the product reports no usage",
        ),
    ]


def default_measures() -> list[Measure]:
    """Some numbers, one of them missing."""
    return [
        Measure(id="messages_sent", title="Messages sent", value=5.0, unit="count"),
        Measure(id="questions_asked", title="Questions asked", value=6.0, unit="count"),
        Measure(id="turn_median_ms", title="Median turn", value=1800.0, unit="ms"),
        Measure(id="turn_longest_ms", title="Longest turn", value=120000.0, unit="ms"),
        Measure(
            id="modelled_time_ms",
            title="Product waits plus modelled reading and typing",
            value=None,
            unit="ms",
            note="one turn was unsettled",
        ),
    ]


def motor_run(results: Path, run: str = "r1") -> RunBuilder:
    """One scored attempt of `motor_talk`."""
    builder = RunBuilder(results, run)
    talk = motor_talk(builder.folder())
    builder.attempt(talk, slips={"hallucination": 1, "revealed_early": 1})
    builder.score(motor_lines(talk))
    return builder
