"""One inquiry conversation as it is graded: what both sides said, and what the two agents were given and did.

A field that is absent was not recorded; null or empty is known to be empty. The difference is kept (`recorded`), because
what was not recorded can be neither a pass nor "does not apply".
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator

from harness.schema.base import Strict

Recognized = Literal[
    "qr", "cable", "connector", "plug", "charger", "packaging", "catalog", "poster", "style_code", "spec", "unrelated",
    "unrecognized",
]  # fmt: skip


def recorded(model: BaseModel, field: str) -> bool:
    """Whether the field stood in the file, if only as null."""
    return field in model.model_fields_set


class Image(Strict):
    """A picture in the chat."""

    id: str
    recognized: Recognized | None = None
    """What the product's recognition made of it; null: recognition failed."""
    clear: bool | None = None
    """False: blurred or cut, so that it does not show what is wanted. Null or absent: nothing was said against it."""
    sender: Literal["ai", "human"] | None = None
    """Who sent it; on assistant turns only."""


class ToolCall(Strict):
    """One call of a tool."""

    name: str
    arguments: dict[str, Any] | None = None
    result: Any = None
    """As the tool returned it; the shapes that are read stand in docs/inquiry.md."""


class MediaSent(Strict):
    """What became of a marker."""

    id: str
    ok: bool


class Context(Strict):
    """What both agents were given before this turn's output."""

    lead_status: str | None = Field(default=None, alias="leadToOpportunityStatus")
    reply_published: bool | None = Field(default=None, alias="replyPublished")
    """Whether the last reply before this turn was published."""
    actual_last_reply: str | None = Field(default=None, alias="actualLastAiReply")
    """The last reply that was really published before this turn."""
    form: dict[str, Any] | None = Field(default=None, alias="inquiry_form_snapshot")


class Conversion(Strict):
    """A decision of the conversion assistant."""

    phase: Literal["inbound", "post_reply"]
    """`inbound`: on the customer's message; `post_reply`: the check after a reply was published."""
    output: str | None = None
    """All it put out, to the letter."""
    tool_calls: list[ToolCall] | None = None


class CustomerTurn(Strict):
    """One message of the customer."""

    role: Literal["customer"]
    id: str | None = None
    text: str | None = None
    created_at: Any = None
    """Raw; whatever cannot be read as a time with a zone counts as off-hours."""
    language: str | None = None
    """BCP 47, if the log says it; else it is detected."""
    images: list[Image] | None = None


class AssistantTurn(Strict):
    """One reply, or a decision in the background (`reply_text` null)."""

    role: Literal["assistant"]
    id: str | None = None
    created_at: Any = None
    reply_text: str | None = None
    published: bool | None = None
    asked_field_keys: list[str] | None = None
    next_pending_field: str | None = None
    tool_calls: list[ToolCall] | None = None
    media_sent: list[MediaSent] | None = None
    images: list[Image] | None = None
    context: Context | None = None
    conversion: Conversion | None = None


class Catalog(Strict):
    """What the product's agents may choose from when they search."""

    categories: list[str] | None = None
    tags: list[str] | None = None


class Media(Strict):
    """Ids of the media that exist."""

    posters: dict[str, list[str]] | None = None
    """Language -> ids in the order of the document."""
    poster_styles: list[str] | None = None
    documents: list[str] | None = None
    catalog_pdf: str | None = None
    products: dict[str, str] | None = None
    """Image id -> product id."""
    videos: list[str] | None = None
    kbvideos: list[str] | None = None


Turn = Annotated[CustomerTurn | AssistantTurn, Field(discriminator="role")]
MAX_TURNS = 1000
"""A session of more turns is refused: nobody reads it, and grading it takes time that grows with its square."""


class InquirySession(Strict):
    """One conversation."""

    schema_: Literal["inquiry-session-v1"] = Field(alias="schema")
    session_id: str = Field(min_length=1)
    profile: str | None = None
    catalog_context: Catalog | None = None
    media: Media | None = None
    turns: list[Turn] = Field(min_length=1, max_length=MAX_TURNS)

    @model_validator(mode="after")
    def _no_turn_twice(self) -> "InquirySession":
        seen: dict[str, int] = {}
        for n, turn in enumerate(self.turns):
            if turn.id is not None and seen.setdefault(turn.id, n) != n:
                raise ValueError(f"turns.{n} has the id of turns.{seen[turn.id]}, {turn.id!r}")
            last = self.turns[n - 1] if n else None
            if last is None or turn.created_at is None or (turn.role, turn.created_at) != (last.role, last.created_at):
                continue
            if turn == last:
                raise ValueError(f"turns.{n} is turns.{n - 1} once more, its time included")
        return self
