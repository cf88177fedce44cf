"""Claim ledger: what this customer has said, promised and handed over so far."""

from dataclasses import dataclass, field
from functools import cached_property

from harness.customer.template import fill
from harness.schema.visible import CustomerView, Fact, MaterialVisible, Wish
from harness.schema.words.conduct import denial, unanswered
from harness.schema.words.grounding import view_pool
from harness.schema.words.values import told_by


@dataclass(frozen=True)
class Answer:
    """What a message makes of what it answers, by ids of facts that the customer knows."""

    denied: tuple[str, ...]
    """It says not to know them."""
    silent: tuple[str, ...]
    """They were asked for, and it does not tell them."""
    perhaps: tuple[str, ...]
    """They were asked for; it may tell them in words that no rule knows."""


@dataclass
class ClaimLedger:
    """State of one journey, owned by the worker; everything else derives from it."""

    view: CustomerView
    messages: list[str] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    """fact id -> number of the message that first told it."""
    asked_for: dict[str, int] = field(default_factory=dict)
    """file -> messages sent when it was first asked for."""
    promised: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    wishes_put: set[str] = field(default_factory=set)
    _newest: tuple[str, str, Answer] | None = field(default=None, init=False, repr=False, compare=False)
    """The message and the words that were weighed last: a move is looked at before it is made and again when it is."""

    @cached_property
    def view_pool(self) -> str:
        """All text of the view, which stays the same for a journey."""
        return view_pool(self.view)

    @cached_property
    def view_text(self) -> str:
        """Persona and facts: the part of the prompt that stays the same for a journey, after rules and examples."""
        persona = self.view.persona
        return fill(
            "view",
            name=persona.name,
            mood=persona.mood,
            manner=persona.manner,
            language=persona.language,
            dont_know=" / ".join(persona.dont_know),
            facts="\n".join(fill("fact", id=f.id, topic=f.topic, say=f.say) for f in self.view.facts),
            unknown="; ".join(u.topic for u in self.view.does_not_know) or "anything else",
        )

    def fact(self, fact_id: str) -> Fact | None:
        """The fact of that id, if this customer knows it."""
        return next((f for f in self.view.facts if f.id == fact_id), None)

    def file_state(self, file: MaterialVisible) -> str:
        """`have`, `later` or `handed`."""
        if file.file in self.handed:
            return "handed"
        if file.available.when == "now":
            return "have"
        first = self.asked_for.get(file.file)
        wait = file.available.after_customer_messages or 0
        return "have" if first is not None and len(self.messages) - first >= wait else "later"

    def file_called(self, words: str) -> MaterialVisible | None:
        """The file of that label or name, case and spaces folded."""
        flat = " ".join(words.split()).casefold()
        return next((f for f in self.view.files if flat in (f.label.casefold(), f.file.casefold())), None)

    def wish_due(self) -> Wish | None:
        """The next wish whose time has come and that was not put yet."""
        sent = len(self.messages)
        return next(
            (w for w in self.view.wishes if w.id not in self.wishes_put and sent >= w.after_customer_messages), None
        )

    def newly_told(self, message: str, asked: list[str]) -> list[str]:
        """Ids of the facts this message tells, told before or not."""
        return told_by(self.view.facts, message, asked)

    def answer(self, message: str, live: str) -> Answer:
        """How a message answers the newest words."""
        if self._newest is None or self._newest[:2] != (message, live):
            sure, perhaps = unanswered(message, live, self.view)
            answer = Answer(denial(message, live, self.view).false, tuple(sure), tuple(perhaps))
            self._newest = (message, live, answer)
        return self._newest[2]

    def unknown_told(self, message: str, asked: list[str]) -> list[str]:
        """Ids asked for that the customer does not know, where the message says so."""
        if not any(words.casefold() in message.casefold() for words in self.view.persona.dont_know):
            return []
        known = {f.id for f in self.view.facts}
        return [a for a in asked if a not in known]
