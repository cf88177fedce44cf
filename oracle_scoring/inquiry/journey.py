"""The conversation that an inquiry product holds, as a session; what it says it published is held against the screens."""

import re

from harness.errors import InputError
from harness.schema.events import Acted, ScreenSeen
from harness.schema.inquiry import TalkState
from harness.schema.session import AssistantTurn, CustomerTurn, InquirySession
from oracle_scoring.record import Record

_MARKER = re.compile(r"\[[A-Z]{1,20}:[^\[\]]{0,2000}\]")
_BREAK = re.compile(r"\n[ \t]{0,50}\n")


def session_name(record: Record) -> str:
    """Run, package, trial and attempt, as the folder names them."""
    return "/".join(record.folder.absolute().parts[-4:])


def session_of_state(record: Record, talk: TalkState, profile: str) -> InquirySession:
    """The conversation as the product holds it.

    A reply that no screen of the journey showed counts as not published, whatever the product says.

    Raises:
        InputError: a message that the customer sent, and the page showed, is not in the conversation.
    """
    shown = squeeze("\n".join(_screens(record)))
    held = [squeeze(turn.text or "") for turn in talk.turns if isinstance(turn, CustomerTurn)]
    for event in record.events:
        if isinstance(event, Acted) and event.act == "said" and event.confirmed and squeeze(event.text) not in held:
            raise InputError(
                f"{session_name(record)}/state.json", f"the message of event {event.n} is not in the state read"
            )
    turns = [
        turn.model_copy(update={"published": False})
        if isinstance(turn, AssistantTurn) and not shown_on(turn, shown)
        else turn
        for turn in talk.turns
    ]
    return InquirySession(
        schema="inquiry-session-v1", session_id=session_name(record), profile=profile,
        catalog_context=talk.catalog_context, media=talk.media, turns=turns,
    )  # fmt: skip


def unseen(record: Record, talk: TalkState) -> list[int]:
    """Numbers of the turns whose reply the product calls published and no screen showed."""
    shown = squeeze("\n".join(_screens(record)))
    return [
        number
        for number, turn in enumerate(talk.turns)
        if isinstance(turn, AssistantTurn) and turn.published is not False and not shown_on(turn, shown)
    ]


def _screens(record: Record) -> list[str]:
    return [block.text for e in record.events if isinstance(e, ScreenSeen) for block in e.screen.blocks]


def shown_on(turn: AssistantTurn, shown: str) -> bool:
    """Every paragraph of the reply stood on a screen; what is no reply has nothing to be seen."""
    paragraphs = _BREAK.split(_MARKER.sub("\n\n", turn.reply_text or ""))
    return all(squeeze(p) in shown for p in paragraphs)


def squeeze(text: str) -> str:
    """The text without white space."""
    return "".join(text.split())
