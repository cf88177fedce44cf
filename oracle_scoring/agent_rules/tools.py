"""Order of tools in a recorded conversation: what needs a product's id comes after the search that returned it."""

from collections.abc import Iterator
from typing import Any

from harness.schema.session import AssistantTurn, InquirySession, ToolCall
from oracle_scoring.agent_rules.looks import Look, finding, found
from oracle_scoring.inquiry.profile import Profile


def tool_order(session: InquirySession, profile: Profile, code: str = "EXE-04") -> Look:
    """Calls for a product's details or media before the search that returned its id. An id no search ever returned is not
    a matter of order."""
    turns = [(n, t) for n, t in enumerate(session.turns) if isinstance(t, AssistantTurn)]
    if not turns or any(t.tool_calls is None and t.reply_text is not None for _, t in turns):
        return Look(code, "not_checked", "the tools that were called are not recorded")
    calls = list(_calls(turns))
    needing = [c for c in calls if c[1].name in (profile.data.tools.detail, profile.data.tools.media)]
    if not needing:
        return Look(code, "nothing_to_check", "no tool was called that needs what another returns")
    returned = {k: set(_ids(c.result)) for k, c in calls if c.name == profile.data.tools.search}
    known = set(session.media.products.values()) if session.media and session.media.products else set()
    findings = []
    for k, call in needing:
        for wanted in _ids(call.arguments):
            before = any(wanted in ids for j, ids in returned.items() if j < k)
            after = any(wanted in ids for j, ids in returned.items() if j > k)
            if after and not before and wanted not in known:
                turn, index = k
                where = f"turns.{turn}.tool_calls.{index}: {call.name} of {wanted}"
                findings.append(finding(code, where, note="the search that returned this id came later"))
    return found(code, findings, f"each of {len(needing)} calls came after what it needs, as far as searches show")


def _calls(turns: list[tuple[int, AssistantTurn]]) -> Iterator[tuple[tuple[int, int], ToolCall]]:
    for n, turn in turns:
        for k, call in enumerate(turn.tool_calls or []):
            yield (n, k), call


def _ids(value: Any) -> Iterator[str]:
    """Every text under `productId` or `productIds`, however deep."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("productId", "productIds"):
                yield from (text for text in (item if isinstance(item, list) else [item]) if isinstance(text, str))
            else:
                yield from _ids(item)
    elif isinstance(value, list):
        for item in value:
            yield from _ids(item)
