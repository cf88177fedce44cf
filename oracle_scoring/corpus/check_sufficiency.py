"""The visible half is enough: whoever knows nothing else can give every answer that the oracle expects.

The answers are taken from the customer's view alone, as it is handed over; the oracle only says what is asked.
"""

import re
from collections.abc import Iterator

from harness.schema.package import FACTS
from harness.schema.visible import CustomerView
from oracle_scoring.corpus.check_texts import says_value
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import OracleFact
from oracle_scoring.corpus.opening import content_stems, exact_values
from oracle_scoring.corpus.values import NONE, UNKNOWN

_NO = re.compile(r"\b(?:no|none|not|nothing|nobody|never|without|neither)\b|n[o']t\b|\bonly\b", re.IGNORECASE)
FREE_KINDS = frozenset({"text", "place", "name"})
"""Kinds whose value is wording: its words must be said."""


def answer(view: CustomerView, fact_id: str) -> str | None:
    """What a customer with this view says when asked for the fact; None if they have no answer, not even "I don't know"."""
    for fact in view.facts:
        if fact.id == fact_id:
            return fact.say
    known_unknown = any(unknown.id == fact_id for unknown in view.does_not_know)
    return view.persona.dont_know[0] if known_unknown else None


def answers(view: CustomerView, fact: OracleFact) -> bool:
    """Whether the answer of a customer with this view carries the value that the oracle expects."""
    said = answer(view, fact.id)
    if said is None:
        return False
    unknown = any(u.id == fact.id for u in view.does_not_know)
    if unknown or fact.value == UNKNOWN:
        return unknown and fact.value == UNKNOWN
    if not view.persona.language.startswith("en"):
        return True
    if fact.value == NONE:
        return _NO.search(said) is not None
    if fact.kind in FREE_KINDS:
        return set(content_stems(fact.value)) <= set(content_stems(said)) and set(exact_values(fact.value)) <= set(
            exact_values(said)
        )
    return says_value(fact.kind, fact.value, said)


def sufficiency_findings(package: Package) -> Iterator[Finding]:
    """Every expected and optional fact can be answered from the view."""
    view = CustomerView.model_validate_json(package.visible.view().model_dump_json())
    for fact in (*package.labels.expected_facts, *package.labels.optional_facts):
        if not answers(view, fact):
            said = answer(view, fact.id)
            yield Finding(
                code="answer_not_in_view",
                file=f"{package.id}/{FACTS}",
                field=fact.id,
                what=f"the oracle expects {fact.value!r}; the customer would "
                + ("have no answer" if said is None else f"say {said!r}"),
                mend="let the customer's `say` carry the value, word for word, or correct the oracle",
            )
