"""Where in the record of a buyer's journey stands what a verdict rests on."""

import re

from harness.schema.events import Acted, ScreenSeen
from harness.schema.scorecard import Evidence
from harness.schema.session import AssistantTurn, CustomerTurn
from oracle_scoring.inquiry.attempt import BuyersJourney
from oracle_scoring.inquiry.journey import shown_on, squeeze
from oracle_scoring.lines import EVENTS, STATE

_HELD = "read.cases.0"
_TURN = re.compile(r"turns\.(\d{1,5})")


def evidence_of(journey: BuyersJourney, turn: int | None, event: int | None, evidence: str) -> list[Evidence]:
    """In what the product holds, and on the screen or in the message."""
    is_path = evidence == "hand_over" or evidence.startswith(("turns.", "form."))
    quote = None if is_path else evidence or None
    places = []
    if journey.record.talks is not None and journey.record.talks.cases and (is_path or turn is not None):
        path = f"{_HELD}.{evidence if is_path else f'turns.{turn}'}"
        places.append(Evidence(file=STATE, path=path, quote=quote))
    if event is not None:
        places.append(Evidence(file=EVENTS, event=event, quote=quote))
    return places


def turn_of(journey: BuyersJourney, evidence: str) -> int | None:
    """Number of the turn that a field path names or that holds the quote first."""
    if named := _TURN.match(evidence):
        return int(named[1])
    wanted = squeeze(evidence)
    for number, turn in enumerate(journey.session.turns):
        decided = turn.conversion.output if isinstance(turn, AssistantTurn) and turn.conversion else None
        said = turn.reply_text if isinstance(turn, AssistantTurn) else turn.text
        if wanted and any(wanted in squeeze(text or "") for text in (said, decided)):
            return number
    return None


def event_of(journey: BuyersJourney, number: int) -> int | None:
    """The first screen that shows the turn's reply; for what no screen shows, the customer's message before it."""
    turns = journey.session.turns[: number + 1]
    turn = turns[-1]
    if isinstance(turn, AssistantTurn) and turn.reply_text:
        for seen in screens_of(journey):
            if shown_on(turn, squeeze("\n".join(block.text for block in seen.screen.blocks))):
                return seen.n
    said = next((squeeze(t.text) for t in reversed(turns) if isinstance(t, CustomerTurn) and t.text), None)
    acts = (e for e in journey.record.events if isinstance(e, Acted) and e.act == "said")
    return next((e.n for e in acts if squeeze(e.text) == said), None)


def screens_of(journey: BuyersJourney) -> list[ScreenSeen]:
    """All screens, in order."""
    return [e for e in journey.record.events if isinstance(e, ScreenSeen)]
