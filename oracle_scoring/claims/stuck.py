"""Where a journey stuck, and why: the turn, what was on the screen, and the last thing the customer tried."""

from dataclasses import dataclass

from harness.errors import one_line
from harness.schema.scorecard import Evidence
from oracle_scoring.claims.context import Context
from oracle_scoring.lines import at_event, in_file, listed

SHOWN = 160
"""So many characters of the last reply are quoted."""


@dataclass(frozen=True)
class Stuck:
    """The end of a journey that did not reach its final state."""

    turn: int
    why: str
    """Ending, last reply, controls that were there, and acts the page did not take."""
    evidence: list[Evidence]
    """The last screen and its picture, the act before it."""


def stuck(ctx: Context) -> Stuck | None:
    """Where it stuck; None if the journey ended on a final state."""
    attempt = ctx.record.attempt
    if attempt.termination_reason == "completed":
        return None
    turn = max((e.turn for e in ctx.record.events), default=0)
    said = [f"{attempt.termination_reason} in turn {turn}: {attempt.why}"]
    evidence: list[Evidence] = []
    if ctx.screens:
        last = ctx.screens[-1]
        reply = one_line(last.screen.reply_text(), 10_000)
        usable = [c.name for c in last.screen.controls if c.enabled and c.kind != "composer"]
        said.append(f"the last reply was “{_cut(reply)}”" if reply else "the last screen shows no reply")
        if usable:
            said.append(f"there was {listed(f'“{name}”' for name in usable[:5])} to use")
        evidence.append(at_event(last.n, reply or None))
        evidence += [in_file(name) for name in last.pictures[:1]]
    acts = [a for a in ctx.acts if a.act != "waited"]
    refused = [a for a in acts if not a.confirmed and a.turn >= turn - 1]
    if refused:
        said.append(f"the page did not take {listed(f'{a.act} “{_cut(a.text)}”' for a in refused[-2:])}")
    evidence += [at_event(a.n, a.text) for a in (refused or acts)[-1:]]
    return Stuck(turn, "; ".join(said), evidence)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
