"""The visible half of a package (format 0.2) and the view the customer gets of it."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from harness.schema.base import Strict, Visible, visible_projection

FORMAT = "0.2"
OPENING_STYLES = ("plain", "many_facts", "emotional", "typos", "non_native", "wrong_product_term")
OpeningStyle = Literal["plain", "many_facts", "emotional", "typos", "non_native", "wrong_product_term"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
FactKind = Literal["date", "time", "amount", "plate", "yes_no", "place", "name", "reference", "phone", "email", "text"]


class Persona(Strict):
    """Who the customer is and how they speak."""

    name: Visible[Text]
    language: Visible[Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$")]]
    mood: Visible[Text]
    manner: Visible[Text]
    """How they write: short, wordy, formal, …"""
    patience: Visible[Annotated[int, Field(ge=1, le=5)]]
    """1 leaves at the second stumble, 5 never leaves."""
    dont_know: Visible[Annotated[list[Text], Field(min_length=1, max_length=5)]]
    """What they say when they do not know; in their own words."""
    hands_over_unasked: Visible[bool] = False
    """True if this person offers files nobody asked for."""
    leads: Visible[bool] = False
    """True of a buyer, who asks what they came for: an answer without a question leaves them something to do while a wish is
    left, and they go when none is."""


class Fact(Strict):
    """One thing the customer knows."""

    id: Visible[Identifier]
    topic: Visible[Text]
    """What it is about, in a person's words: "registration number of my car"."""
    kind: Visible[FactKind]
    value: Visible[Text]
    """The value, canonical: date YYYY-MM-DD, time HH:MM, amount "1240.00 GBP", yes_no "yes" or "no", else plain text."""
    say: Visible[Text]
    """How this person says it when asked."""


class Unknown(Strict):
    """Something the customer is known not to know."""

    id: Visible[Identifier]
    topic: Visible[Text]


class Wish(Strict):
    """A question the customer wants to put, a wish to be contacted, or what one who leads tells: the only things said unasked."""

    id: Visible[Identifier]
    kind: Visible[Literal["question", "contact", "message"]]
    say: Visible[Text]
    file: Visible[FileName | None] = None
    """Handed over right before the words."""
    after_customer_messages: Visible[Annotated[int, Field(ge=1, le=40)]]
    """Due once this many messages were sent; put by the rig in these words, after the customer's next message."""


class Facts(Strict):
    """`input/facts.json`."""

    format: Literal["0.2"]
    opening_style: OpeningStyle
    persona: Visible[Persona]
    facts: Visible[Annotated[list[Fact], Field(min_length=1, max_length=80)]]
    does_not_know: Visible[list[Unknown]] = []
    wishes: Visible[list[Wish]] = []

    @model_validator(mode="after")
    def _ids_once(self) -> "Facts":
        ids = [f.id for f in self.facts] + [u.id for u in self.does_not_know] + [w.id for w in self.wishes]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"the id {twice[0]} stands twice")
        return self


class Available(Strict):
    """When the customer has a file."""

    when: Visible[Literal["now", "later"]]
    promise: Visible[Text | None] = None
    """later: what the customer says when asked before it is there."""
    after_customer_messages: Visible[Annotated[int, Field(ge=1, le=40)] | None] = None
    """later: it is there once the customer has sent this many messages after first being asked for it."""

    @model_validator(mode="after")
    def _later_is_complete(self) -> "Available":
        later = self.when == "later"
        if later != (self.promise is not None) or later != (self.after_customer_messages is not None):
            raise ValueError("`promise` and `after_customer_messages` go with `later`, and only with it")
        return self


class MaterialVisible(Strict):
    """The visible object of one file."""

    file: Visible[FileName]
    label: Visible[Text]
    available: Visible[Available]


class MaterialHidden(Strict):
    """The hidden object of one file; never staged."""

    evidence_kind: Identifier


class Material(Strict):
    """One file: a visible and a hidden object that share nothing."""

    visible: Visible[MaterialVisible]
    hidden: MaterialHidden


class Materials(Strict):
    """`input/materials.json`."""

    format: Literal["0.2"]
    materials: Visible[list[Material]]

    @model_validator(mode="after")
    def _files_once(self) -> "Materials":
        names = [m.visible.file.casefold() for m in self.materials]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"the file name {twice[0]} stands twice (case does not count)")
        return self


class OpeningMessage(Strict):
    """One of several first messages."""

    text: Visible[Annotated[str, Field(min_length=1, max_length=8000)] | None] = None
    file: Visible[FileName | None] = None
    """Handed over right before the words, or alone."""

    @model_validator(mode="after")
    def _something(self) -> "OpeningMessage":
        if self.text is None and self.file is None:
            raise ValueError("a message has a text, a file or both")
        if self.text is not None and not self.text.strip():
            raise ValueError("the text is empty")
        return self


class Opening(Strict):
    """`input/opening.json`, instead of the text file: first messages in a row, sent before any reply is waited for."""

    format: Literal["0.2"]
    messages: Visible[Annotated[list[OpeningMessage], Field(min_length=1, max_length=6)]]

    @model_validator(mode="after")
    def _words(self) -> "Opening":
        if not any(m.text for m in self.messages):
            raise ValueError("at least one of the messages has a text")
        return self

    @property
    def text(self) -> str:
        """The texts, a line each."""
        return "\n".join(m.text for m in self.messages if m.text)


class CustomerView(Strict):
    """All the customer may know before the first screen. This, and nothing else of a package, is staged."""

    initial_message: Visible[Annotated[str, Field(min_length=1, max_length=8000)]]
    """The first message; of several the texts, a line each."""
    opening: Visible[list[OpeningMessage]] = []
    """Several first messages, or one with a file; empty: `initial_message` alone."""
    persona: Visible[Persona]
    facts: Visible[list[Fact]]
    does_not_know: Visible[list[Unknown]]
    wishes: Visible[list[Wish]]
    files: Visible[list[MaterialVisible]]


def customer_view(
    initial_message: str, facts: Facts, materials: Materials, opening: Opening | None = None
) -> CustomerView:
    """The visible projection of a package's input as the view."""
    shown: dict[str, Any] = visible_projection(facts)
    files = [item["visible"] for item in visible_projection(materials)["materials"]]
    first = visible_projection(opening)["messages"] if opening is not None else []
    return CustomerView.model_validate({"initial_message": initial_message, "opening": first, **shown, "files": files})
