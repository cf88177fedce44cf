"""All that can go wrong with one question, told apart, so that each kind can be counted."""

from typing import Literal, get_args

TransportFault = Literal[
    "rate_limited", "quota_text", "timeout", "unreachable", "cut_off", "server_error", "not_a_completion",
    "http_error", "not_recorded", "given_up",
]  # fmt: skip
"""No answer came.

`unreachable`: no connection; `cut_off`: it broke before the whole answer was there; `quota_text`: words about a quota in place of an answer; `http_error`: 4xx other than 429; `not_recorded`: a replay holds no
answer to this request; `given_up`: not asked, because the endpoint had answered nothing for long.
"""
ReplyFault = Literal[
    "refusal", "filtered", "empty", "truncated", "not_json", "wrong_form", "no_such_message", "quote_empty", "quote_absent",
]  # fmt: skip
"""An answer came that is no verdict. Each is asked again once, in other words.

`filtered`: stopped by the endpoint's own filter; `wrong_form`: JSON, but not the fields or the options asked for;
`quote_absent`: the words stand nowhere in the message named, in one piece.
"""
MaterialFault = Literal["material_empty", "material_too_large"]
"""Nothing was asked: there was nothing to quote, or more than is sent."""
Fault = TransportFault | ReplyFault | MaterialFault
Remark = Literal["reasoning_block", "fenced"]
"""Found around an answer, taken off, counted."""

TRANSIENT: frozenset[TransportFault] = frozenset(
    {"rate_limited", "quota_text", "timeout", "unreachable", "cut_off", "server_error", "not_a_completion"}
)
"""Worth the same request again, later."""
MAY_HAVE_COST: frozenset[TransportFault] = frozenset({"timeout", "cut_off", "server_error", "not_a_completion"})
"""The endpoint may have worked, and charged, although nothing arrived."""
REPLY_FAULTS: frozenset[ReplyFault] = frozenset(get_args(ReplyFault))


class EndpointFault(Exception):
    """No completion came back.

    Args:
        kind: what happened.
        why: in words, one line.
        retry_after_s: how long the endpoint asks to be left alone.
    """

    def __init__(self, kind: TransportFault, why: str, retry_after_s: float | None = None) -> None:
        self.kind = kind
        self.why = why
        self.retry_after_s = retry_after_s
        super().__init__(f"{kind}: {why}")


class SchemaRefused(Exception):
    """The endpoint does not take this form of `response_format` (HTTP 400); nothing was charged."""
