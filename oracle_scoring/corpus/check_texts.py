"""Visible words: absolute dates, values that are really said, an opening that keeps to its plain wording and the facts."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache

from harness.schema.package import FACTS, INITIAL_MESSAGE, MATERIALS, PROVENANCE
from harness.schema.visible import Fact
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.opening import opening_problems
from oracle_scoring.corpus.relative import ambiguous_date, date_without_year, relative_date
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount, parse_date, value_problem

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
    """No word of the customer's moves with the day of the run, and no date can be read in two ways."""
    for file, field, text in visible_texts(package):
        where = f"{package.id}/{file}"
        if (found := relative_date(text)) is not None:
            yield Finding(
                code="relative_date",
                file=where,
                field=field,
                what=f"{found!r} means another day on every run",
                mend="write the date itself, for instance 9 March 2026",
            )
        if (found := date_without_year(text)) is not None:
            yield Finding(
                code="date_without_year",
                file=where,
                field=field,
                what=f"{found!r} means another day in every year",
                mend="add the year",
            )
        if (found := ambiguous_date(text)) is not None:
            yield Finding(
                code="date_ambiguous",
                file=where,
                field=field,
                what=f"{found!r} can be read with day and month swapped",
                mend="write the month as a word",
            )


def _squeezed(text: str) -> str:
    return re.sub(r"[^0-9a-z]", "", text.casefold())


@lru_cache(maxsize=64)
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
    if value in (UNKNOWN, NONE) or value_problem(kind, value) is not None:
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
    """A plain opening is its own plain wording; another style is not."""
    plain, opening = package.provenance.plain_opening, package.visible.initial_message
    style = package.visible.facts.opening_style
    if style == "plain" and plain != opening:
        yield Finding(
            code="opening_differs_from_plain",
            file=f"{package.id}/{PROVENANCE}",
            field="plain_opening",
            what="the style is plain, but the opening is not the plain wording",
            mend="make both the same text",
        )
    if style != "plain" and plain == opening:
        yield Finding(
            code="opening_same_as_plain",
            file=f"{package.id}/{INITIAL_MESSAGE}",
            field="",
            what=f"is the plain wording, while the style is {style}",
            mend="write it in the style, or call the style plain",
        )


def opening_facts(package: Package) -> Iterator[Finding]:
    """The opening, and its plain wording, say what the facts say and nothing else."""
    facts, provenance = package.visible.facts, package.provenance
    labels = [m.visible.label for m in package.visible.materials.materials]
    plain, opening = provenance.plain_opening, package.visible.initial_message
    texts = [(INITIAL_MESSAGE, "", facts, opening)]
    if plain != opening:
        texts.append((PROVENANCE, "plain_opening", facts.model_copy(update={"opening_style": "plain"}), plain))
    for file, field, said, text in texts:
        for moved in opening_problems(said, plain, text, labels, provenance.wording):
            yield Finding(
                code=moved.code,
                file=f"{package.id}/{file}",
                field=field,
                what=moved.what,
                mend="keep to what the facts and the plain wording say, add the fact, or, if it is no more than wording, "
                f"list the word under `wording` in {PROVENANCE}",
            )


def text_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (relative_dates, said_values, plain_opening, opening_facts):
        yield from one(package)
