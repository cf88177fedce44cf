"""Making score lines: every line says what it found, in words, and where that can be seen."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from harness.errors import one_line
from harness.schema.scorecard import Evidence, Group, LineState, Referee, ScoreLine

STATE = "state.json"
STAFF = "staff.json"
EVENTS = "events.jsonl"
ATTEMPT = "attempt.json"
NETWORK = "network.jsonl"
QUOTE_LIMIT = 300
MOST_EVIDENCE = 50
"""So many places of one line are kept; how many there were is said in its reason."""


def in_file(file: str, path: str | None = None, quote: str | None = None) -> Evidence:
    """A place in one of the attempt's JSON files."""
    return Evidence(file=file, path=path, quote=_cut(quote))


def at_event(n: int, quote: str | None = None) -> Evidence:
    """An event of the journey."""
    return Evidence(file=EVENTS, event=n, quote=_cut(quote))


def _cut(quote: str | None) -> str | None:
    return quote if quote is None or len(quote) <= QUOTE_LIMIT else quote[:QUOTE_LIMIT]


class Head(NamedTuple):
    """What a line is called."""

    id: str
    group: Group
    title: str


def line(
    head: Head,
    state: LineState,
    why: str,
    evidence: Iterable[Evidence],
    *,
    referee: Referee = "rule",
    expected: str | None = None,
    got: str | None = None,
    alarm: Literal["false_alarm", "miss"] | None = None,
) -> ScoreLine:
    """One score line; evidence is obligatory, an alarm goes with a fail only."""
    shown = list(evidence)
    if len(shown) > MOST_EVIDENCE:
        why = f"{one_line(why, 500)} ({MOST_EVIDENCE} of {len(shown)} places are listed)"
        shown = shown[:MOST_EVIDENCE]
    if not shown or (alarm and state != "fail"):
        raise ValueError(f"{head.id}: a line needs evidence, and an alarm goes with a fail")
    return ScoreLine(
        id=head.id,
        group=head.group,
        title=head.title,
        state=state,
        referee=referee,
        expected=expected,
        got=got,
        why=one_line(why, 600),
        evidence=shown,
        alarm=alarm,
    )


def listed(items: Iterable[str]) -> str:
    """Items in words: "a, b and c"; "none" if there are none."""
    parts = list(items)
    if len(parts) < 2:
        return parts[0] if parts else "none"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
