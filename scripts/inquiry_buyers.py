"""Journeys of buyers without a browser: the rule customer talks to the controlled product in this process."""

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

from harness.customer.conduct import Conduct
from harness.customer.ledger import ClaimLedger
from harness.customer.players import RulePlayer
from harness.devstack.inquiry.rig_routes import talk_state
from harness.devstack.inquiry.runtime import ControlledAgents
from harness.devstack.inquiry.talk import Entry, Picture, Talk
from harness.devstack.inquiry.turns import answer, take_message, take_picture
from harness.devstack.inquiry.world import World
from harness.schema.inquiry import InquirySetup, TalkState
from harness.schema.screen import Block, Control, Screen
from harness.schema.session import InquirySession
from harness.stage import LoadedPackage, load_package

COMPOSER = Control(kind="composer", name="Write here", part="page", enabled=True)
LINK = Control(kind="link", name="link", part="reply", enabled=True)


class _Sink:
    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0


def buyers(folders: list[Path]) -> dict[str, LoadedPackage]:
    """Packages by their ids."""
    return {folder.name: load_package(folder) for folder in folders}


def journey(package: LoadedPackage, defects: tuple[str, ...] = (), turns: int = 12, apart: bool = False) -> TalkState:
    """One whole journey; the conversation as the state read gives it.

    Args:
        package: the buyer's.
        defects: faults of the product.
        turns: answers of the product at most.
        apart: the first messages come so slowly that each is answered before the next one.
    """
    return asyncio.run(_journey(package, defects, turns, apart))


async def _journey(package: LoadedPackage, defects: tuple[str, ...], turns: int, apart: bool) -> TalkState:
    assert isinstance(package.setup, InquirySetup)
    fields = json.loads(package.setup.model_dump_json(include=set(World.model_fields)))
    world = World.model_validate_json(json.dumps(fields))
    talk = Talk(
        ref="t", request_id="r", world=world, base_url="http://x", lead_status=world.lead_status, defects=list(defects)
    )
    customer = Conduct(RulePlayer(), ClaimLedger(package.view), _Sink(), tries=1, stand_in_limit=9)
    files = package.visible.files
    for first in package.view.opening or []:
        if first.file:
            take_picture(talk, f"p{talk.messages}", _picture(talk, first.file, files[first.file]))
        if first.text:
            take_message(talk, f"m{talk.messages}", first.text)
            customer.took_opening(first.text)
            if apart and first is not (package.view.opening or [])[-1]:
                await answer(talk, ControlledAgents())
    if not package.view.opening:
        take_message(talk, "m0", package.view.initial_message)
        customer.took_opening(package.view.initial_message)
    for _ in range(turns):
        shown = len(talk.entries)
        await answer(talk, ControlledAgents())
        if talk.hand_over is not None:
            break
        screen = _screen(talk.entries[shown:])
        decided = await customer.decide(screen)
        if decided is None or decided[0].move != "say":
            break
        said = list(decided[0].messages)
        for message in said:
            wish = customer.ledger.wish_due()
            if wish is not None and wish.file is not None and wish.say == message:
                take_picture(talk, f"p{talk.messages}", _picture(talk, wish.file, files[wish.file]))
            take_message(talk, f"m{talk.messages}", message)
            customer.took_message(message, screen)
        wish = None if customer.just_led else customer.ledger.wish_due()
        if wish is not None:
            if wish.file is not None:
                take_picture(talk, f"p{talk.messages}", _picture(talk, wish.file, files[wish.file]))
            take_message(talk, f"m{talk.messages}", wish.say)
            customer.took_message(wish.say, screen)
    return TalkState.model_validate_json(json.dumps(talk_state(talk, "http://x")))


def _picture(talk: Talk, name: str, data: bytes) -> Picture:
    digest = hashlib.sha256(data).hexdigest()
    seen = next((r for r in talk.world.recognition if r.sha256 == digest), None)
    return Picture(
        id=name, name=name, size=len(data), sha256=digest, content_type="image/jpeg",
        recognized=seen.recognized if seen else None, clear=seen.clear if seen else None,
    )  # fmt: skip


def _screen(entries: list[Entry]) -> Screen:
    shown = [e for e in entries if e.who != "customer"]
    links = [LINK] if any(e.kind in ("document", "link") for e in shown) else []
    return Screen(
        seq=1, blocks=[Block(part="reply", text=e.text) for e in shown if e.text], controls=[COMPOSER, *links]
    )


def session(name: str, talk: TalkState) -> InquirySession:
    """The conversation as it is graded."""
    return InquirySession(
        schema="inquiry-session-v1", session_id=name, profile="beiyijia", catalog_context=talk.catalog_context,
        media=talk.media, turns=talk.turns,
    )  # fmt: skip
