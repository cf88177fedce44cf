"""A session in a few lines, for tests."""

import json
from typing import Any

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.grade import MetricResult, SessionResult, grade

INTRODUCTION = (
    "Hi, I'm Tom Jasper from Shenzhen Beiyijia, a PD fast-charging cable factory. Which fits you best: wholesale import, online "
    "sales, own brand or gift customization?"
)
WORKING = "2026-01-05T03:00:00Z"
OFF_HOURS = "2026-01-05T14:00:00Z"
POSTERS = "Please take a look at these two directions. Which style do you like?\n[IMAGE:img-en-1|First]\n[IMAGE:img-en-2|Second]"
POSTER_SEARCH = {
    "name": "knowledge_search",
    "arguments": {"query": "English quick selection poster"},
    "result": {"hit": True, "documents": [{"title": "English quick selection poster", "text": "", "media": ["img-en-1", "img-en-2"]}]},
}  # fmt: skip


def said(text: str, at: str | None = WORKING, **more: Any) -> dict[str, Any]:
    """A message of the customer's."""
    return {"role": "customer", "text": text, "created_at": at, "images": [], **more}


def replied(text: str | None, decides: Any = None, **more: Any) -> dict[str, Any]:
    """A reply with all that can be recorded, known to be empty; `decides`: (auto, force, intent), or the output as a text."""
    output = decides
    if isinstance(decides, tuple):
        auto, force, intent = decides
        output = json.dumps(
            {"shouldAutoConvert": auto, "shouldForceHumanTakeover": force, "conversationIntent": intent}
        )
    return {
        "role": "assistant", "reply_text": text, "published": True, "asked_field_keys": [], "next_pending_field": None, "tool_calls": [],
        "context": {"leadToOpportunityStatus": None, "replyPublished": None, "actualLastAiReply": None, "inquiry_form_snapshot": {}},
        "conversion": None if output is None else {"phase": "inbound", "output": output, "tool_calls": []}, **more,
    }  # fmt: skip


def session(*turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The session as JSON."""
    return {
        "schema": "inquiry-session-v1", "session_id": "T-1", "profile": "beiyijia",
        "media": {"posters": {"en": ["img-en-1", "img-en-2"], "vi": ["img-vi-1", "img-vi-2"]}, "poster_styles": ["A-03"],
                  "documents": ["doc-1"], "catalog_pdf": "doc-1", "products": {}, "videos": [], "kbvideos": []},
        "turns": list(turns), **more,
    }  # fmt: skip


def graded(*turns: dict[str, Any], **more: Any) -> SessionResult:
    """Its result."""
    return grade(InquirySession.model_validate(session(*turns, **more)))


def metric(metric_id: str, *turns: dict[str, Any], **more: Any) -> MetricResult:
    """One metric's result."""
    return next(m for m in graded(*turns, **more).metrics if m.metric_id == metric_id)
