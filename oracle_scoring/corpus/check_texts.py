"""Visible words: absolute dates, values that are really said, an opening that keeps to its plain wording."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from harness.schema.package import FACTS, INITIAL_MESSAGE, MATERIALS, PROVENANCE
from harness.schema.visible import Fact
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount, parse_date

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SPAN = r"(?:minute|hour|day|night|week|weekend|fortnight|month|year)s?"
RELATIVE = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|(?:last|this|next|past|previous) (?:{_SPAN}|morning|afternoon|evening|{_DAY})"
    rf"|(?:a|an|one|two|three|four|five|six|seven|\d+|few|several|couple of) {_SPAN} (?:ago|earlier|before)"
    rf"|the (?:other day|day before|night before|next day)|(?:just|right) now|earlier on|(?:on|since) {_DAY}s?\b(?!,? \d))\b",
    re.IGNORECASE,
)
"""Words that mean another day whenever they are said (English)."""
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def visible_texts(package: Package) -> Iterator[tuple[str, str, str]]:
    """File, field and text of everything the customer may say or be shown, file names included."""
    yield INITIAL_MESSAGE, "", package.visible.initial_message
    facts = package.visible.facts
    persona = facts.persona
    for field, text in (("name", persona.name), ("mood", persona.mood), ("manner", persona.manner)):
        yield FACTS, f"persona.{field}", text
    for n, text in enumerate(persona.dont_know):
        yield FACTS, f"persona.dont_know.{n}", text
    for n, fact in enumerate(facts.facts):
        yield FACTS, f"facts.{n}.topic", fact.topic
        yield FACTS, f"facts.{n}.value", fact.value
        yield FACTS, f"facts.{n}.say", fact.say
    for n, unknown in enumerate(facts.does_not_know):
        yield FACTS, f"does_not_know.{n}.topic", unknown.topic
    for n, wish in enumerate(facts.wishes):
        yield FACTS, f"wishes.{n}.say", wish.say
    for n, material in enumerate(package.visible.materials.materials):
        shown = material.visible
        yield MATERIALS, f"materials.{n}.visible.file", shown.file
        yield MATERIALS, f"materials.{n}.visible.label", shown.label
        if shown.available.promise:
            yield MATERIALS, f"materials.{n}.visible.available.promise", shown.available.promise


def relative_dates(package: Package) -> Iterator[Finding]:
    """No word of the customer's moves with the day of the run."""
    for file, field, text in visible_texts(package):
        if (found := RELATIVE.search(text)) is not None:
            yield Finding(
                code="relative_date",
                file=f"{package.id}/{file}",
                field=field,
                what=f"{found[0]!r} means another day on every run",
                mend="write the date itself, for instance 9 March 2026",
            )


def _squeezed(text: str) -> str:
    return re.sub(r"[^0-9a-z]", "", text.casefold())


def date_forms(day: date) -> list[str]:
    """Ways in which English writes a day, squeezed (letters and digits only)."""
    month = MONTHS[day.month - 1]
    suffix = "th" if 11 <= day.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    forms = [day.isoformat()]
    for name in (month, month[:3], f"of {month}"):
        forms += [f"{number} {name} {day.year}" for number in (f"{day.day}", f"{day.day}{suffix}", f"{day.day:02d}")]
        forms += [f"{name} {number} {day.year}" for number in (f"{day.day}", f"{day.day}{suffix}")]
    return [_squeezed(form) for form in forms]


def printed_amounts(text: str) -> list[Decimal]:
    """Every number with optional thousands commas and pence in `text`."""
    return [
        Decimal(n.replace(",", "")) for n in re.findall(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?", text)
    ]


def says_value(kind: str, value: str, text: str) -> bool:
    """Whether English `text` carries the canonical `value`; kinds that are free wording always do."""
    if value in (UNKNOWN, NONE):
        return True
    squeezed = _squeezed(text)
    if kind == "date":
        day = parse_date(value)
        any_form = "|".join(date_forms(day)) if day else ""
        return day is not None and re.search(rf"(?<!\d)(?:{any_form})", squeezed) is not None
    if kind == "amount":
        amount = parse_amount(value)
        return amount is not None and amount[0] in printed_amounts(text)
    if kind == "time":
        hour, minute = (int(part) for part in value.split(":"))
        half, twelve = ("am" if hour < 12 else "pm"), (hour % 12 or 12)
        forms = [f"{hour}{minute:02d}", f"{hour:02d}{minute:02d}", f"{twelve}{minute:02d}{half}"]
        return any(form in squeezed for form in [*forms, *([f"{twelve}{half}"] if minute == 0 else [])])
    if kind == "yes_no":
        opposite = "no" if value == "yes" else "yes"
        return re.match(rf"\W*{opposite}\b", text, re.IGNORECASE) is None
    if kind in ("plate", "phone", "email", "reference"):
        return _squeezed(value) in squeezed
    return True


def said_values(package: Package) -> Iterator[Finding]:
    """A fact's `say` carries its value, so that a product that listens can know it."""
    if not package.visible.facts.persona.language.startswith("en"):
        return

    def wrong(fact: Fact) -> bool:
        return not says_value(fact.kind, fact.value, fact.say)

    for n, fact in enumerate(package.visible.facts.facts):
        if wrong(fact):
            yield Finding(
                code="say_without_value",
                file=f"{package.id}/{FACTS}",
                field=f"facts.{n}.say",
                what=f"{fact.say!r} does not carry the value {fact.value!r} of {fact.id}",
                mend="say the value in full, once, in the persona's words",
            )


def plain_opening(package: Package) -> Iterator[Finding]:
    """A plain opening is its own plain wording."""
    plain = package.provenance.plain_opening
    if package.visible.facts.opening_style == "plain" and plain != package.visible.initial_message:
        yield Finding(
            code="opening_differs_from_plain",
            file=f"{package.id}/{PROVENANCE}",
            field="plain_opening",
            what="the style is plain, but the opening is not the plain wording",
            mend="make both the same text",
        )


def text_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (relative_dates, said_values, plain_opening):
        yield from one(package)
