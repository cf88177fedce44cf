"""Laying out a new package: every file there and in form, and a mark at each place that only an author can fill.

The same mark stands wherever the same thing must stand, so that it can be replaced in all files at once. As long as one
is left the checker names it.
"""

import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from harness.errors import InputError
from harness.schema.package import (
    FACTS,
    INITIAL_MESSAGE,
    LABELS,
    MANIFEST,
    MATERIALS,
    MATERIALS_DIR,
    PROVENANCE,
    REVIEW,
    SETUP,
    read_manifest,
)
from harness.schema.ticket import ClaimantSession
from harness.schema.visible import FactKind
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.check_labels import CLASS_FACTS, COMMON_FACTS, COMPARES, ID_LETTERS
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import is_corpus, load_package
from oracle_scoring.corpus.manifest import take_in
from oracle_scoring.corpus.models import ScenarioClass
from oracle_scoring.corpus.rules import derive
from oracle_scoring.corpus.unwritten import mark, marks
from oracle_scoring.files import json_bytes

AUTHORS_CODES = frozenset({"not_written", "material_none"})
"""Findings that stay until the author has added files."""
EXAMPLE_NOW, EXAMPLE_INCEPTION = "2026-06-15T09:30:00Z", "2025-02-01"


@dataclass(frozen=True)
class Fact:
    """What is known of a fact id before anyone has written it."""

    field: str
    """What the product's people call it."""
    topic: str
    """What it is about, in a person's words."""
    kind: FactKind


FACT_TABLE: dict[str, Fact] = {
    "incident_date": Fact("Date of the incident", "date it happened", "date"),
    "place": Fact("Place", "where it happened", "place"),
    "what_happened": Fact("What happened", "what happened", "text"),
    "injuries": Fact("Injuries", "anyone hurt", "yes_no"),
    "estimated_loss": Fact("Estimated loss", "what it will cost", "amount"),
    "plate": Fact("Registration of the insured car", "my registration number", "plate"),
    "drivable": Fact("Drivable", "can the car be driven", "yes_no"),
    "other_vehicle": Fact("Other vehicle", "the other car", "text"),
    "other_driver": Fact("Other driver", "name of the other driver", "name"),
    "police_reference": Fact("Police reference", "police, reference", "reference"),
    "vehicle_location": Fact("Where the car is now", "where the car is now", "place"),
    "cause": Fact("Cause", "what caused it", "text"),
    "rooms_affected": Fact("Rooms affected", "which rooms", "text"),
    "habitable": Fact("Habitable", "can we live there", "yes_no"),
    "emergency_work": Fact("Emergency work", "work done at once", "text"),
    "item": Fact("Item", "what it is", "text"),
    "purchase_date": Fact("Date of purchase", "when it was bought", "date"),
    "price": Fact("Price", "what it cost", "amount"),
    "proof_of_purchase": Fact("Proof of purchase", "proof that I bought it", "text"),
    "contact_name": Fact("Name", "my name", "name"),
    "contact_email": Fact("Email", "my email", "email"),
    "contact_phone": Fact("Phone", "my phone number", "phone"),
}
CONTACT = ("contact_name", "contact_email", "contact_phone")


@dataclass(frozen=True)
class ToWrite:
    """One thing left to the author."""

    what: str
    places: tuple[str, ...]
    """`file: field` of each place where it must stand."""


@dataclass(frozen=True)
class New:
    """A package just laid out."""

    folder: Path
    to_write: list[ToWrite]
    findings: list[Finding]
    """What the checker says that is not the author's to mend; nothing, if all is well."""
    frozen: str | None = None
    """The version in which the corpus is frozen: the package is no part of it; None in a draft."""


def _canary() -> str:
    return secrets.token_hex(16)


def _facts(ids: list[str]) -> dict[str, Any]:
    facts = [
        {
            "id": name,
            "topic": FACT_TABLE[name].topic,
            "kind": FACT_TABLE[name].kind,
            "value": mark(name),
            "say": mark(f"how they say {name}"),
        }
        for name in ids
    ]
    persona = {
        "name": mark("contact_name"),
        "language": "en-GB",
        "mood": mark("mood"),
        "manner": mark("manner"),
        "patience": 3,
        "dont_know": [mark("how they say that they do not know")],
        "hands_over_unasked": False,
    }
    return {
        "format": "0.2",
        "opening_style": "plain",
        "persona": persona,
        "facts": facts,
        "does_not_know": [],
        "wishes": [],
    }


def _compare(kind: FactKind) -> str:
    if kind == "email":
        return "exact"
    return next((c for c in ("date", "time", "amount", "plate", "yes_no") if c in COMPARES.get(kind, ())), "text")


def _expected(names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {
            "id": name,
            "field": FACT_TABLE[name].field,
            "kind": FACT_TABLE[name].kind,
            "value": mark(name),
            "compare": _compare(FACT_TABLE[name].kind),
            "confirmed": True,
        }
        for name in names
    ]


def _assertions(scenario_class: str) -> list[dict[str, Any]]:
    return [
        {"id": "case_submitted", "referee": "state", "says": "The case is submitted.",
         "path": "cases.0.status", "op": "equals", "value": "submitted"},
        {"id": "class_found", "referee": "state", "says": "The case has the right scenario class.",
         "path": "cases.0.scenario_class", "op": "equals", "value": scenario_class},
        {"id": "one_case_only", "referee": "state", "says": "One journey makes one case.",
         "path": "cases.1", "op": "absent"},
        {"id": "no_accusation", "referee": "text", "says": "The customer is never told of fraud.",
         "where": "screen", "op": "absent", "value": "fraud"},
    ]  # fmt: skip


def _labels(scenario_class: str, names: tuple[str, ...]) -> dict[str, Any]:
    checks = (
        "receipt_after_incident",
        "quote_before_incident",
        "prior_claims_within_year",
        "loss_within_30_days_of_inception",
    )
    return {
        "format": "0.2",
        "canary": _canary(),
        "oracle_revision": 1,
        "scenario_class": scenario_class,
        "triage": {"level": "simple", "required_reasons": ["minor_damage"], "allowed_reasons": []},
        "review_checks": {check: {"result": "not_applicable"} for check in checks},
        "review_required": False,
        "innocent_control": None,
        "expected_facts": _expected(names),
        "optional_facts": _expected(CONTACT),
        "assertions": _assertions(scenario_class),
    }


def _setup(group: str, session: str) -> dict[str, Any]:
    return {
        "format": "0.2",
        "canary": _canary(),
        "kind": "claims",
        "claimant_session": session,
        "now": EXAMPLE_NOW,
        "policy": {
            "number": mark("policy number"),
            "product": group,
            "holder": mark("contact_name"),
            "inception": EXAMPLE_INCEPTION,
            "insured_item": mark("plate" if group == "motor" else "insured address" if group == "home" else "item"),
        },
        "prior_claims": [],
        "failed_lookups": [],
    }


def _by_the_rules(folder: Path, labels: dict[str, Any]) -> dict[str, Any]:
    """The labels as the rules give them for what is written so far."""
    derived = derive(load_package(folder))
    triage = {
        "level": derived.triage.level,
        "required_reasons": list(derived.triage.required),
        "allowed_reasons": list(derived.triage.allowed),
    }
    checks = {name: label.model_dump(exclude_none=True) for name, label in derived.checks.items()}
    return {**labels, "triage": triage, "review_checks": checks, "review_required": derived.review_required}


def _refuse(corpus: Path, scenario_class: str, package_id: str, session: str) -> None:
    if scenario_class not in get_args(ScenarioClass):
        raise InputError("CLASS", f"there is no class {scenario_class}; there are {', '.join(get_args(ScenarioClass))}")
    letter = next(letter for letter, group in ID_LETTERS.items() if group == scenario_class.split(".")[0])
    if not re.fullmatch(rf"CTL-{letter}-\d{{3}}", package_id):
        raise InputError(
            "ID",
            f"{package_id} is no id of a {scenario_class} package; one is CTL-{letter}-042, with three digits",
        )
    if session not in get_args(ClaimantSession):
        raise InputError(
            "--session", f"there is no session {session}; there are {', '.join(get_args(ClaimantSession))}"
        )
    if not is_corpus(corpus):
        raise InputError("--corpus", f"{corpus} is no corpus: there is neither {MANIFEST} nor a folder claims/ in it")
    folder = corpus / "claims" / package_id
    if folder.exists():
        raise InputError(str(folder), "is there already; nothing was written")


def new_package(corpus: Path, scenario_class: str, package_id: str, session: str = "anonymous") -> New:
    """Lays out `corpus/claims/<id>` with fresh canaries.

    Every file is in form, and a draft's manifest knows it. What an author must write is marked; dates of cover and of the
    journey are examples.

    Raises:
        InputError: class, id or session is wrong, `corpus` is no corpus, or the package is there already.
    """
    folder = corpus / "claims" / package_id
    _refuse(corpus, scenario_class, package_id, session)
    names = tuple(dict.fromkeys((*COMMON_FACTS, *CLASS_FACTS[scenario_class])))
    labels = _labels(scenario_class, names)
    review = {
        "format": "0.2",
        "canary": _canary(),
        "assistant_checks": [],
        "human_signatures": [],
        "blind_look": {"done": False, "why_not": "Nobody has looked yet.", "looks": []},
    }
    provenance = {"format": "0.2", "canary": _canary(), "plain_opening": mark("first message"), "files": {}}
    documents = {
        FACTS: _facts([*names, *CONTACT]),
        MATERIALS: {"format": "0.2", "materials": []},
        LABELS: labels,
        SETUP: _setup(scenario_class.split(".")[0], session),
        PROVENANCE: provenance,
        REVIEW: review,
    }
    (folder / MATERIALS_DIR).mkdir(parents=True)
    (folder / "oracle").mkdir()
    (folder / INITIAL_MESSAGE).write_bytes((mark("first message") + "\n").encode("utf-8"))
    for file, document in documents.items():
        (folder / file).write_bytes(json_bytes(document))
    (folder / LABELS).write_bytes(json_bytes(_by_the_rules(folder, labels)))
    take_in(corpus, folder)
    manifest = read_manifest(corpus) if (corpus / MANIFEST).is_file() else None
    frozen = manifest.version if manifest is not None and manifest.frozen else None
    return New(folder, left_to_write(folder), _other_findings(folder), frozen)


def left_to_write(folder: Path) -> list[ToWrite]:
    """What an author has still to write, and what is there as an example only."""
    found = [ToWrite(what, tuple(places)) for what, places in marks(folder).items()]
    setup = json.loads((folder / SETUP).read_bytes())
    if setup["now"] == EXAMPLE_NOW:
        found.append(
            ToWrite(
                "the product's clock, behind every date of the package (an example stands there)", (f"{SETUP}: now",)
            )
        )
    if setup["policy"] and setup["policy"]["inception"] == EXAMPLE_INCEPTION:
        found.append(ToWrite("first day of cover (an example stands there)", (f"{SETUP}: policy.inception",)))
    if not json.loads((folder / MATERIALS).read_bytes())["materials"]:
        places = (f"{MATERIALS}: materials", f"{PROVENANCE}: files", MATERIALS_DIR)
        found.append(ToWrite("the files the customer has, how each was made and what it prints", places))
    found.append(
        ToWrite(
            "the answers that follow from all this; the checker recomputes them",
            (f"{LABELS}: triage, review_checks, review_required, innocent_control",),
        )
    )
    return found


def _other_findings(folder: Path) -> list[Finding]:
    return [f for f in check(folder) if f.code not in AUTHORS_CODES]
