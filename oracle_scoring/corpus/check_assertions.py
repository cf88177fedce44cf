"""Assertions: a path is one that a state can have, what is asked of the state follows from the labels, and what staff must
read is something that somebody says."""

from collections.abc import Iterator
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from harness.schema.package import LABELS
from harness.schema.product import StateRead
from oracle_scoring.corpus.check_texts import visible_texts
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import CHECKS, Assertion, Labels, StateAssertion, TextAssertion
from oracle_scoring.corpus.opening_lexis import content_stems
from oracle_scoring.corpus.rules import Derived, derive, fact_values

CASE = "cases.0"
"""The one case of a journey."""
_ANY = object()
"""Labels say nothing of it."""
STANDARD: dict[str, tuple[str, str, object]] = {
    "case_submitted": (f"{CASE}.status", "equals", "submitted"),
    "class_found": (f"{CASE}.scenario_class", "equals", _ANY),
    "one_case_only": ("cases.1", "absent", None),
    "no_accusation": ("screen", "absent", "fraud"),
}
"""Assertions that `rig corpus new` lays out: id -> path or page, how it is held, value."""


def _parts(kind: Any) -> list[Any]:
    """The types a value may have; None is left out."""
    if get_origin(kind) in (Union, UnionType):
        return [k for k in get_args(kind) if k is not type(None)]
    return [kind]


@lru_cache(maxsize=1024)
def leads_to(path: str) -> Any | None:
    """The type of what a state read holds at a path; None if no state read can have the path."""
    kind: Any = StateRead
    for n, key in enumerate(path.split(".")):
        (inner,) = _parts(kind)
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            by_key = {field.alias or name: field.annotation for name, field in inner.model_fields.items()}
            kind = by_key.get(key)
        elif get_origin(inner) is list and key.isdigit():
            kind = get_args(inner)[0]
        elif get_origin(inner) is dict and not key.isdigit() and _known_key(path.split(".")[:n], key):
            kind = get_args(inner)[1]
        else:
            return None
        if kind is None:
            return None
    return kind


def _known_key(parents: list[str], key: str) -> bool:
    return parents[-1] != "checks" or key in CHECKS


def _fits(kind: Any, item: StateAssertion) -> bool:
    """Whether a value of this type can ever be what the assertion asks for."""
    (inner,) = _parts(kind)
    if item.op not in ("equals", "contains"):
        return True
    if get_origin(inner) is list:
        return item.op == "contains"
    if get_origin(inner) is Literal:
        return item.value in get_args(inner) if item.op == "equals" else isinstance(item.value, str)
    if hasattr(inner, "__metadata__"):
        inner = get_args(inner)[0]
    if inner in (bool, int):
        return item.op == "equals" and type(item.value) is inner
    return inner is str and isinstance(item.value, str)


def _expected(package: Package, derived: Derived, path: str) -> Any:
    """What the state holds at a path if the product did its work; `_ANY` where the labels say nothing of it."""
    labels: Labels = package.labels
    fixed: dict[str, Any] = {
        f"{CASE}.status": "submitted",
        f"{CASE}.scenario_class": labels.scenario_class,
        f"{CASE}.triage.level": derived.triage.level,
        f"{CASE}.review.required": derived.review_required,
    }
    fixed |= {f"{CASE}.review.checks.{check}": label.result for check, label in derived.checks.items()}
    values = fact_values(package.visible.facts)
    values |= {f.id: f.value for f in (*labels.expected_facts, *labels.optional_facts)}
    for fact, value in values.items():
        fixed[f"{CASE}.facts.{fact}.value"] = value
    for wanted in labels.expected_facts:
        fixed[f"{CASE}.facts.{wanted.id}.status"] = "confirmed"
    return fixed.get(path, _ANY)


def _must_be_there(package: Package, path: str) -> bool:
    """Whether a state of this package holds something at the path whenever the product did its work."""
    expected = {f.id for f in package.labels.expected_facts}
    parts = path.split(".")
    if parts[0] != "cases":
        return True
    if len(parts) > 1 and parts[1] != "0":
        return False
    if len(parts) > 3 and parts[2] == "facts":
        return parts[3] in expected
    below = parts[2:]
    return below[:1] in ([], ["number"], ["scenario_class"], ["triage"], ["status"], ["facts"], ["uploads"], ["notes"], ["review"]) and (
        len(below) <= 1 or below[:2] in (["triage", "level"], ["review", "required"], ["review", "checks"])
    )  # fmt: skip


def contradiction(package: Package, derived: Derived, item: StateAssertion) -> str | None:
    """In what an assertion contradicts the labels; None if it agrees with them or they say nothing of it."""
    parts = item.path.split(".")
    if parts[0] == "cases" and len(parts) > 1 and parts[1] != "0" and item.op != "absent":
        return "one journey makes one case"
    if item.op == "absent":
        return "the labels expect it to be there" if _must_be_there(package, item.path) else None
    known = {*fact_values(package.visible.facts), *(f.id for f in package.labels.optional_facts)}
    if parts[:3] == ["cases", "0", "facts"] and len(parts) > 3 and parts[3] not in known:
        return f"{parts[3]} is no fact of the customer's"
    reasons = [*derived.triage.required, *derived.triage.allowed]
    if item.path == f"{CASE}.triage.reasons" and item.op == "contains" and item.value not in reasons:
        return f"the facts give {', '.join(reasons)}"
    expected = _expected(package, derived, item.path)
    if expected is _ANY or item.op == "present":
        return None
    agrees = item.value == expected if item.op == "equals" else str(item.value).casefold() in str(expected).casefold()
    return (
        None if agrees else f"labels and facts give {str(expected).lower() if isinstance(expected, bool) else expected}"
    )


def unsaid(package: Package, item: TextAssertion) -> bool:
    """Whether staff must read several words of which customer and labels have no more than half.

    Other pages hold the product's own words; on those of staff stands what the customer said and what became of it.
    """
    wanted = set(content_stems(item.value))
    if item.where != "staff" or item.op != "contains" or len(wanted) < 2:
        return False
    labels = package.labels
    coded = [
        labels.scenario_class,
        labels.triage.level,
        *labels.triage.required_reasons,
        *labels.triage.allowed_reasons,
        *CHECKS,
    ]
    known = [text for _, _, text in visible_texts(package)] + [
        code.replace("_", " ").replace(".", " ") for code in coded
    ]
    return 2 * len(wanted & set(content_stems("\n".join(known)))) <= len(wanted)


def _held(item: Assertion) -> tuple[str, str, object] | None:
    """Path or page, how it is held and the value; None for a person's verdict."""
    if isinstance(item, StateAssertion):
        return item.path, item.op, item.value
    return (item.where, item.op, item.value) if isinstance(item, TextAssertion) else None


def standard_findings(package: Package) -> Iterator[Finding]:
    """The end of the case and something that nobody is told are asserted, and a standard assertion says what its id says.

    A package with one of the standard ids has all of them.
    """
    items = package.labels.assertions
    held = [_held(item) for item in items]
    ids = {item.id for item in items}
    missing = []
    if STANDARD["case_submitted"] not in held:
        missing.append("that the case is submitted")
    if not any(one is not None and one[:2] == ("screen", "absent") for one in held):
        missing.append("that the customer is not told of fraud")
    if ids & set(STANDARD):
        missing += sorted(set(STANDARD) - ids)
    for what in missing:
        yield Finding(
            code="assertion_missing",
            file=f"{package.id}/{LABELS}",
            field="assertions",
            what=f"nothing asserts {what}" if " " in what else f"{what} is missing",
            mend="add the assertions that every package has, as `rig corpus new` writes them",
        )
    for n, item in enumerate(items):
        wanted, got = STANDARD.get(item.id), held[n]
        if wanted is not None and (got is None or got[:2] != wanted[:2] or wanted[2] not in (_ANY, got[2])):
            yield Finding(
                code="assertion_differs",
                file=f"{package.id}/{LABELS}",
                field=f"assertions.{n}",
                what=f"{item.id} is not what every package holds by that name: {wanted[0]} {wanted[1]}",
                mend="write it as `rig corpus new` does, or call it something else",
            )


def assertion_findings(package: Package) -> Iterator[Finding]:
    """Each assertion about the state can be decided, and agrees with the labels as the rules give them."""
    derived = derive(package)
    file = f"{package.id}/{LABELS}"
    yield from standard_findings(package)
    for n, item in enumerate(package.labels.assertions):
        if isinstance(item, TextAssertion) and unsaid(package, item):
            yield Finding(
                code="assertion_differs",
                file=file,
                field=f"assertions.{n}.value",
                what=f"{item.id} wants {item.value!r} on the staff pages; no fact, answer or label says it",
                mend="give the customer the fact that is meant, or ask for words that somebody says",
            )
        if not isinstance(item, StateAssertion):
            continue
        kind = leads_to(item.path)
        if kind is None or not _fits(kind, item):
            yield Finding(
                code="assertion_impossible",
                file=file,
                field=f"assertions.{n}.{'path' if kind is None else 'value'}",
                what=f"{item.id}: no state has {item.path}"
                if kind is None
                else f"{item.id}: {item.path} is never {item.value!r} ({item.op})",
                mend="use a path and a value of the state read (`rig schema state-read`)",
            )
        elif (why := contradiction(package, derived, item)) is not None:
            yield Finding(
                code="assertion_differs",
                file=file,
                field=f"assertions.{n}",
                what=f"{item.id} wants {item.path} {item.op}{'' if item.value is None else f' {item.value!r}'}; {why}",
                mend="correct the assertion, or the label it repeats",
            )
