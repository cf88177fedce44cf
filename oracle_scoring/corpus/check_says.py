"""What the customer says of a fact is not the opposite of its value, and has no second value of its kind.

A product can only know what is said. The rules are conservative: they name what a listener would take for the opposite.

- *yes and no*: an answer to `no` denies something somewhere ("No", "nobody", "not"); an answer to `yes` does not open with a
  denial; for the facts of `OPPOSITES`, the answer neither says what means the opposite nor denies what the value means.
- *dates, times, amounts, plates*: no other date, time, amount or plate stands in the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.schema.package import FACTS
from harness.schema.visible import Fact
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.opening_lexis import clauses, exact_values, plain_number
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount, value_problem

_DENIAL = frozenset(
    {"not", "no", "never", "nobody", "none", "nothing", "nowhere", "neither", "nor", "without", "nope", "nah"}
)
_ASSENT = frozenset({"yes", "yeah", "yep", "aye", "sure", "certainly", "indeed", "unfortunately", "sadly", "correct"})
_UNHURT = frozenset({"fine", "ok", "okay", "well", "unhurt", "unharmed", "uninjured", "safe", "only", "just"})
"""What denies a harm without a denial: "we are all fine", "only my pride"."""
_HARM = frozenset({"injuries", "ongoing_danger"})
_PLATE = re.compile(r"^code [A-Z]{2}\d{2}[A-Z]{3}$")
REACH = 4
"""A word so many words behind a denial is denied by it."""


@dataclass(frozen=True)
class Opposite:
    """What an answer to a yes/no fact with one value must not say."""

    said: str = ""
    """Beginnings of words that mean the opposite when nothing denies them."""
    phrases: str = ""
    """Pattern of what means the opposite wherever it stands."""
    denied: str = ""
    """Beginnings of words that mean the opposite when they are denied."""


OPPOSITES: dict[tuple[str, str], Opposite] = {
    ("drivable", "yes"): Opposite(said="tow recover undriv immobil scrap", denied="driv start move"),
    ("drivable", "no"): Opposite(phrases=r"\b(?:still|can|could) (?:still )?(?:be driven|drives?)\b|\bdrives (?:fine|well|ok)\b"),
    ("habitable", "yes"): Opposite(
        said="uninhabit ruin hotel", phrases=r"\bmoved? out\b|\bstay(?:ing)? (?:with|at my)\b", denied="live living stay"
    ),
    ("habitable", "no"): Opposite(phrases=r"\b(?:still|can) (?:still )?(?:live|living|stay)\b"),
    ("injuries", "no"): Opposite(said="hurt injur bleed ache aching pain sore ambulance hospital whiplash bruis concuss"),
    ("injuries", "yes"): Opposite(denied="hurt injur"),
    ("ongoing_danger", "no"): Opposite(said="danger unsafe sparking", phrases=r"\b(?:may|might|could) (?:still )?(?:fall|come down|collapse)\b"),
    ("ongoing_danger", "yes"): Opposite(said="safe", denied="danger"),
    ("vehicle_stolen", "yes"): Opposite(denied="stolen taken gone"),
    ("vehicle_stolen", "no"): Opposite(said="stolen"),
    ("liability_disputed", "no"): Opposite(said="dispute disputes denies blames"),
    ("liability_disputed", "yes"): Opposite(said="admits admitted apologised"),
}  # fmt: skip
"""Fact and value -> what says the opposite."""


def _begins(word: str, starts: str) -> bool:
    return any(word.startswith(start) for start in starts.split())


def _words(said: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Each word of a clause, and whether a denial stands a few words before it."""
    since = REACH + 1
    for word in said:
        since = 0 if word in _DENIAL else since + 1
        yield word, since <= REACH


def opposite(fact: Fact) -> str | None:
    """What in the answer to a yes/no fact says the opposite of its value; None if nothing does."""
    if fact.kind != "yes_no" or fact.value not in ("yes", "no"):
        return None
    said = clauses(fact.say)
    every = [word for clause in said for word in clause]
    if not every:
        return None
    denials = _DENIAL | (_UNHURT if fact.id in _HARM else frozenset())
    if fact.value == "no" and not denials & set(every):
        return "nothing in it denies anything"
    if fact.value == "yes" and every[0] in _DENIAL:
        return f"it opens with {every[0]!r}"
    rule = OPPOSITES.get((fact.id, fact.value))
    if rule is None:
        wrong = (
            fact.value == "yes" and every[0] not in _ASSENT and set(said[0]) & {"nobody", "nothing", "none", "never"}
        )
        return f"{min(wrong)!r} denies it" if wrong else None
    plain = " ".join(every)
    if (
        rule.phrases
        and (found := re.search(rule.phrases, plain))
        and not re.search(rf"\bnot (?:\w+ )?{re.escape(found[0])}", plain)
    ):
        return f"{found[0]!r} says the opposite"
    for clause in said:
        for word, denied in _words(clause):
            if _begins(word, rule.denied) if denied else _begins(word, rule.said):
                return f"it {'denies' if denied else 'says'} {word!r}"
    return None


def second_value(fact: Fact) -> str | None:
    """Another date, time, amount or plate in the answer than the fact's own; None if there is none."""
    if fact.value in (UNKNOWN, NONE) or value_problem(fact.kind, fact.value) is not None:
        return None
    found = exact_values(fact.say)
    if fact.kind in ("date", "time"):
        own = f"{fact.kind} {fact.value}"
        others = [written for key, written in found.items() if key.startswith(f"{fact.kind} ") and key != own]
    elif fact.kind == "amount":
        amount = parse_amount(fact.value)
        own = f"amount {plain_number(str(amount[0]))}" if amount else ""
        others = [written for key, written in found.items() if key.startswith("amount ") and key != own]
    elif fact.kind == "plate":
        own = f"code {re.sub('[^A-Z0-9]', '', fact.value.upper())}"
        others = [written for key, written in found.items() if _PLATE.match(key) and key != own]
    else:
        return None
    return others[0] if others else None


def said_findings(package: Package) -> Iterator[Finding]:
    """Answers that say the opposite of their fact, or a second value."""
    if not package.visible.facts.persona.language.startswith("en"):
        return
    for n, fact in enumerate(package.visible.facts.facts):
        if (why := opposite(fact)) is not None:
            yield Finding(
                code="say_contradicts_value",
                file=f"{package.id}/{FACTS}",
                field=f"facts.{n}.say",
                what=f"{fact.say!r} is said of {fact.id} {fact.value!r}; {why}",
                mend="let the answer say what the value says, in the persona's words",
            )
        if (other := second_value(fact)) is not None:
            yield Finding(
                code="say_has_another_value",
                file=f"{package.id}/{FACTS}",
                field=f"facts.{n}.say",
                what=f"{fact.say!r} says {other!r} beside the value {fact.value!r} of {fact.id}",
                mend="say the one value; what else the customer knows is a fact of its own",
            )
