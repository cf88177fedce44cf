"""A fixed talk, played in one process through conduct, prompt builder and gate: every request that would be sent."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.customer.conduct import Conduct
from harness.customer.players import ModelPlayer
from harness.schema.move import Move, act, say
from harness.schema.order import ModelReply, ModelRequest
from harness.schema.screen import Screen
from harness.schema.strict_json import canonical
from harness.schema.visible import CustomerView
from tests.support.gates import Bench, bench
from tests.support.views import button, screen, upload


@dataclass
class Port:
    """The way to the gate without a pipe."""

    one: Bench
    replies: list[ModelReply] = field(default_factory=list)

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """One request through the gate."""
        reply = await self.one.gate.ask(ModelRequest(messages=messages, schema=schema, screen=screen, note=note))
        self.replies.append(reply)
        return reply


def move(chosen: Move) -> str:
    """A model's words for a move."""
    return chosen.model_dump_json()


def talk_for(view: CustomerView) -> tuple[list[Screen], list[str]]:
    """Screens of a whole talk and what the model answers; refused answers of every kind are among them."""
    first, second = view.facts[0], view.facts[1]
    file = view.files[0]
    screens = [
        screen("When did it happen?", tag="Claim", panel="Your claim so far", seq=1),
        screen("Where did it happen?", seq=2),
        screen("Do you have a report number?", seq=3),
        screen(f"Please upload the {file.label}.", upload("Upload file"), seq=4),
        screen("Thank you.", seq=5, card="Is everything right?"),
        screen("Shall we send it?", button("Send the claim"), seq=6, dialog="Please look at it once more."),
    ]
    answers = [
        move(say("It was red and did 90 miles per hour.")),
        move(say(first.say, asked=[first.id], used=[first.id])),
        "Certainly! Here is my answer.",
        move(say("")),
        move(say("How can I help you today?")),
        move(say(second.say, asked=[second.id], used=[second.id])),
        move(act("press", control="Delete")),
        move(say(view.persona.dont_know[0], unknown=True)),
        move(act("upload", file="another file")),
        move(act("upload", control="Upload file", file=file.label)),
        move(act("leave")),
        move(say("Yes.")),
        move(act("press", control="Send the claim")),
    ]
    return screens, answers


def play(folder: Path, package: Path, talk: tuple[Sequence[Screen], Sequence[str]] | None = None) -> list[bytes]:
    """The bytes of every request of the talk. Fails if the gate closed, or if fewer than one request a screen was sent."""
    one = bench(folder, package=package)
    screens, answers = talk or talk_for(one.package.view)
    one.source.answers = list(answers)
    port = Port(one)
    conduct = Conduct(ModelPlayer(port, "model"), one.ledger, one.record, tries=4, stand_in_limit=4)

    async def journey() -> None:
        opening = one.package.view.initial_message
        one.record.emit("acted", act="said", text=opening, confirmed=True, act_ms=1.0)
        conduct.took_opening(opening)
        for shown in screens:
            one.show(shown)
            decided = await conduct.decide(shown)
            if decided is None:
                continue
            chosen = decided[0]
            if chosen.move == "say":
                for text in chosen.messages:
                    one.record.emit("acted", act="said", text=text, confirmed=True, act_ms=1.0)
                    conduct.took_message(text, shown)
            elif chosen.move == "upload":
                given = one.ledger.file_called(chosen.file)
                assert given is not None
                one.record.emit("acted", act="uploaded", text=given.label, file=given.file, confirmed=True, act_ms=1.0)
                conduct.took_file(given.file)

    asyncio.run(journey())
    one.gate.close()
    one.record.close()
    closed = [reply.why for reply in port.replies if reply.outcome == "gate_closed"]
    assert closed == []
    notes = [
        json.loads(x)["retry_note"]
        for x in (folder / "attempt/prompts.jsonl").read_text("utf-8").splitlines()
        if "started" in x
    ]
    assert len(one.source.bodies) >= len(screens)
    assert len({n for n in notes if n}) >= 3, "the talk holds retries"
    return [canonical(body) for body in one.source.bodies]
