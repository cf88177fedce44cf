"""Labels against the rules, expected facts against what the customer knows, setup against facts."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from harness.schema.package import FACTS, LABELS, PROVENANCE, SETUP
from harness.schema.visible import FactKind
from oracle_scoring.corpus.check_agree import agreement_findings
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import Compare, OracleFact
from oracle_scoring.corpus.rules import (
    NEAR_CLAIM_DAYS,
    NEAR_COVER_DAYS,
    NEAR_DOCUMENT_DAYS,
    NEW_COVER_DAYS,
    REASON_FACTS,
    YEAR_DAYS,
    Derived,
    control_fits,
    derive,
    document_date,
    fact_values,
    incident_date,
    near_hits,
)
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_date, parse_time, value_problem

COMMON_FACTS = ("incident_date", "place", "what_happened", "injuries", "estimated_loss")
MOTOR_FACTS = ("plate", "drivable", "other_vehicle", "other_driver", "police_reference", "vehicle_location")
CLASS_FACTS: dict[str, tuple[str, ...]] = {
    "motor.parked_hit": MOTOR_FACTS,
    "motor.rear_end": MOTOR_FACTS,
    "motor.single_vehicle": ("plate", "drivable", "police_reference", "vehicle_location"),
    "motor.theft": ("plate", "police_reference"),
    "motor.weather": ("plate", "drivable", "police_reference", "vehicle_location"),
    "home.escape_of_water": ("cause", "rooms_affected", "habitable", "emergency_work"),
    "home.storm": ("cause", "rooms_affected", "habitable", "emergency_work"),
    "home.burglary": ("cause", "rooms_affected", "habitable", "emergency_work", "police_reference"),
    "property.accidental_damage": ("item", "purchase_date", "price", "proof_of_purchase"),
    "property.theft_away": ("item", "purchase_date", "price", "proof_of_purchase", "police_reference"),
}
"""Facts a notice of each class must collect beside the common ones."""
POLICE_CLASSES = frozenset({"motor.theft", "home.burglary", "property.theft_away"})
"""Classes in which the police must have been told: a reference exists, even if the customer does not know it."""
SUMMER_TIME = timedelta(hours=1)
"""The customer's clock is at most so far before that of the product, which counts in UTC."""
FIELDS: dict[str, frozenset[str]] = {
    "incident_date": frozenset({"date of the incident"}),
    "incident_time": frozenset({"time of the incident"}),
    "place": frozenset({"place"}),
    "what_happened": frozenset({"what happened"}),
    "injuries": frozenset({"injuries"}),
    "estimated_loss": frozenset({"estimated loss"}),
    "plate": frozenset({"registration of the insured car"}),
    "drivable": frozenset({"drivable"}),
    "other_vehicle": frozenset({"other vehicle"}),
    "other_driver": frozenset({"other driver"}),
    "police_reference": frozenset({"police reference"}),
    "vehicle_location": frozenset({"where the car is now"}),
    "cause": frozenset({"cause"}),
    "rooms_affected": frozenset({"rooms affected"}),
    "habitable": frozenset({"can be lived in", "habitable"}),
    "emergency_work": frozenset({"emergency work"}),
    "ongoing_danger": frozenset({"danger continuing"}),
    "liability_disputed": frozenset({"blame disputed"}),
    "item": frozenset({"item"}),
    "purchase_date": frozenset({"bought on", "date of purchase"}),
    "price": frozenset({"price paid", "price"}),
    "proof_of_purchase": frozenset({"proof of purchase"}),
    "contact_name": frozenset({"name"}),
    "contact_email": frozenset({"email"}),
    "contact_phone": frozenset({"phone"}),
}
"""Fact -> what its field is called in these packages, in lower case."""
ID_LETTERS = {"M": "motor", "H": "home", "P": "property"}
COMPARES: dict[FactKind, frozenset[Compare]] = {
    "date": frozenset({"date", "exact"}),
    "time": frozenset({"time", "exact"}),
    "amount": frozenset({"amount", "exact"}),
    "plate": frozenset({"plate", "exact"}),
    "yes_no": frozenset({"yes_no"}),
}
"""How a kind may be compared; kinds not named here are text."""


def triage_label(package: Package, derived: Derived) -> Iterator[Finding]:
    """Level and reasons, recomputed."""
    file = f"{package.id}/{LABELS}"
    label, right = package.labels.triage, derived.triage
    if label.level != right.level:
        yield Finding(
            code="triage_level_differs",
            file=file,
            field="triage.level",
            what=f"says {label.level}; the facts give {right.level} ({', '.join(right.required)})",
            mend="correct the label, or the facts if they are wrong",
        )
        return
    for name, said, wanted in (
        ("required_reasons", label.required_reasons, right.required),
        ("allowed_reasons", label.allowed_reasons, right.allowed),
    ):
        if set(said) != set(wanted):
            yield Finding(
                code=f"triage_{name}_differ",
                file=file,
                field=f"triage.{name}",
                what=f"says {', '.join(said) or 'none'}; the facts give {', '.join(wanted) or 'none'}",
                mend="list every true reason of the level as required, true reasons of lower levels as allowed",
            )


def review_labels(package: Package, derived: Derived) -> Iterator[Finding]:
    """Each check, the alert and the kind of innocent control, recomputed."""
    file = f"{package.id}/{LABELS}"
    for check, label in package.labels.review_checks.by_name().items():
        right = derived.checks[check]
        if label.result != right.result:
            because = f" ({right.reason})" if right.reason else ""
            yield Finding(
                code="review_check_differs",
                file=file,
                field=f"review_checks.{check}.result",
                what=f"says {label.result}; facts, printed fields and setup give {right.result}{because}",
                mend="correct the label, or what it rests on; what was not checked is never clear",
            )
        elif label.reason != right.reason:
            yield Finding(
                code="not_checked_reason_differs",
                file=file,
                field=f"review_checks.{check}.reason",
                what=f"says {label.reason}; it could not be checked because of {right.reason}",
                mend="give the reason that the files and the setup give",
            )
    if package.labels.review_required != derived.review_required:
        yield Finding(
            code="review_required_differs",
            file=file,
            field="review_required",
            what=f"says {str(package.labels.review_required).lower()}; the checks give "
            f"{str(derived.review_required).lower()}",
            mend="one strong hit or two weak ones require a review, nothing else does",
        )
    results = {check: label.result for check, label in derived.checks.items()}
    control = package.labels.innocent_control
    if not control_fits(control, results) or (control == "look_alike" and not looks_alike(package)):
        yield Finding(
            code="innocent_control_differs",
            file=file,
            field="innocent_control",
            what=f"says {control}, which does not fit the results of the checks and the dates",
            mend="no_signal has no hit, one_weak_signal exactly one weak hit, look_alike a check that is clear and "
            f"nearly hits (a document within {NEAR_DOCUMENT_DAYS} days, cover within {NEW_COVER_DAYS + NEAR_COVER_DAYS}, two claims "
            f"within {YEAR_DAYS + NEAR_CLAIM_DAYS}); no control needs a review",
        )


def looks_alike(package: Package) -> bool:
    """Whether a check is clear and comes close to a hit; how close stands in `rules`."""
    incident = incident_date(fact_values(package.visible.facts))
    return bool(near_hits(package.setup, package.provenance, incident))


def _one_fact(package: Package, group: str, n: int, fact: OracleFact, values: dict[str, str]) -> Iterator[Finding]:
    file, field = f"{package.id}/{LABELS}", f"{group}.{n}"
    known = {f.id: f for f in package.visible.facts.facts}
    if fact.id not in values:
        yield Finding(
            code="fact_unknown_to_customer",
            file=file,
            field=f"{field}.id",
            what=f"{fact.id} is neither a fact of the customer's nor among what they do not know",
            mend=f"add {fact.id} to facts or to does_not_know in {FACTS}, or leave it out here",
        )
        return
    if fact.value != values[fact.id]:
        yield Finding(
            code="fact_value_differs",
            file=file,
            field=f"{field}.value",
            what=f"{fact.id} is {fact.value!r} here and {values[fact.id]!r} for the customer",
            mend="one value for both",
        )
    if fact.id in known and fact.kind != known[fact.id].kind:
        yield Finding(
            code="fact_kind_differs",
            file=file,
            field=f"{field}.kind",
            what=f"{fact.id} is a {fact.kind} here and a {known[fact.id].kind} for the customer",
            mend="one kind for both",
        )
    unknown = fact.value == UNKNOWN
    allowed = COMPARES.get(fact.kind, frozenset({"text", "exact"}))
    fits = fact.compare == "unknown" if unknown else fact.compare in allowed
    if not fits and not (fact.value == NONE and fact.compare == "text"):
        yield Finding(
            code="fact_compare_does_not_fit",
            file=file,
            field=f"{field}.compare",
            what=f"{fact.id}, a {fact.kind} with the value {fact.value!r}, cannot be compared as {fact.compare}",
            mend=f"use {'unknown' if unknown else ' or '.join(sorted(allowed))}",
        )


def expected_facts(package: Package, derived: Derived) -> Iterator[Finding]:
    """What the product must collect is something the customer can answer, or is known not to know."""
    values = fact_values(package.visible.facts)
    labels = package.labels
    for group, facts in (("expected_facts", labels.expected_facts), ("optional_facts", labels.optional_facts)):
        for n, fact in enumerate(facts):
            yield from _one_fact(package, group, n, fact, values)
    expected = {fact.id for fact in labels.expected_facts}
    for needed in (*COMMON_FACTS, *CLASS_FACTS[labels.scenario_class]):
        if needed not in expected:
            yield Finding(
                code="class_fact_missing",
                file=f"{package.id}/{LABELS}",
                field="expected_facts",
                what=f"{needed} is missing; every notice of {labels.scenario_class} collects it",
                mend=f"add {needed} with the customer's value, or with the value unknown",
            )
    for reason in derived.triage.required:
        fact_id = REASON_FACTS.get(reason)
        if fact_id is not None and fact_id in values and fact_id not in expected:
            yield Finding(
                code="reason_fact_not_expected",
                file=f"{package.id}/{LABELS}",
                field="expected_facts",
                what=f"{fact_id} is missing; the required reason {reason} rests on it",
                mend=f"add {fact_id} with the customer's value: a product that never collects it can only guess the level",
            )


def customer_values(package: Package, derived: Derived) -> Iterator[Finding]:
    """Values of facts and of setup are in their canonical form."""
    for n, fact in enumerate(package.visible.facts.facts):
        if fact.value == UNKNOWN:
            yield Finding(
                code="unknown_as_fact",
                file=f"{package.id}/{FACTS}",
                field=f"facts.{n}.value",
                what=f"{fact.id} is a fact with the value unknown",
                mend="declare it under does_not_know instead",
            )
        if (problem := value_problem(fact.kind, fact.value)) is not None:
            yield Finding(
                code="value_not_canonical",
                file=f"{package.id}/{FACTS}",
                field=f"facts.{n}.value",
                what=f"{fact.value!r} of {fact.id} {problem}",
                mend="write the canonical form; the customer's words belong into `say`",
            )
    dated = [("policy.inception", package.setup.policy.inception)] if package.setup.policy else []
    dated += [(f"prior_claims.{n}.reported", c.reported) for n, c in enumerate(package.setup.prior_claims)]
    for field, value in dated:
        if parse_date(value) is None:
            yield Finding(
                code="value_not_canonical",
                file=f"{package.id}/{SETUP}",
                field=field,
                what=f"{value!r} is no day of the calendar",
                mend="write a real date YYYY-MM-DD",
            )


def setup_fits(package: Package, derived: Derived) -> Iterator[Finding]:
    """The insurer's data and the customer's facts speak of the same cover, and nothing is dated after the journey."""
    file = f"{package.id}/{SETUP}"
    values = fact_values(package.visible.facts)
    setup = package.setup
    now = setup.now.date()
    if setup.policy is None and setup.prior_claims:
        yield Finding(
            code="claims_without_policy",
            file=file,
            field="prior_claims",
            what=f"lists {len(setup.prior_claims)} claims; without a policy nothing can be looked up",
            mend="give the customer a policy, or take the claims out",
        )
    if setup.policy is not None:
        wanted = package.labels.scenario_class.split(".")[0]
        pairs: list[tuple[str, str, str]] = [("policy.product", setup.policy.product, wanted)]
        pairs.append(("policy.holder", setup.policy.holder, package.visible.facts.persona.name))
        if setup.policy.product == "motor" and values.get("plate", UNKNOWN) != UNKNOWN:
            pairs.append(("policy.insured_item", setup.policy.insured_item, values["plate"]))
        for field, got, right in pairs:
            if got != right:
                yield Finding(
                    code="setup_differs",
                    file=file,
                    field=field,
                    what=f"is {got!r}; the rest of the package says {right!r}",
                    mend="make setup, facts and labels speak of the same cover and person",
                )
    incident = incident_date(values)
    late = [("the incident", incident)] if incident else []
    for name, made in sorted(package.provenance.files.items()):
        found = document_date(made)
        if not isinstance(found, str):
            late.append((name, found))
    late += [(f"the claim {c.number}", day) for c in setup.prior_claims if (day := parse_date(c.reported))]
    if setup.policy is not None and (day := parse_date(setup.policy.inception)):
        late.append(("the first day of cover", day))
    for what, day in late:
        if day > now:
            yield Finding(
                code="dated_after_journey",
                file=file,
                field="now",
                what=f"the journey starts on {now}, {what} is dated {day}",
                mend="move `now` behind every date of the package",
            )


def date_order(package: Package, derived: Derived) -> Iterator[Finding]:
    """Things that can only happen one after the other are dated so."""
    values = fact_values(package.visible.facts)
    incident = incident_date(values)
    policy = package.setup.policy
    inception = parse_date(policy.inception) if policy else None
    pairs = [
        (f"{package.id}/{SETUP}", "policy.inception", "cover begins", inception, "the incident", incident),
        (
            f"{package.id}/{FACTS}",
            "purchase_date",
            "the thing was bought",
            parse_date(values.get("purchase_date", UNKNOWN)),
            "the incident",
            incident,
        ),
    ]
    for name, made in sorted(package.provenance.files.items()):
        start, end = made.printed_fields.get("date"), made.printed_fields.get("valid_until")
        if start is not None and end is not None:
            where, field = f"{package.id}/{PROVENANCE}", f"files.{name}.printed_fields.valid_until"
            pairs.append((where, field, f"{name} is dated", parse_date(start.value), "it ends", parse_date(end.value)))
        if made.document == "letter" and "police_reference" in made.printed_fields and start is not None:
            where, field = f"{package.id}/{PROVENANCE}", f"files.{name}.printed_fields.date"
            pairs.append(
                (
                    where,
                    field,
                    "the incident is",
                    incident,
                    f"{name}, which confirms the report,",
                    parse_date(start.value),
                )
            )
    for file, field, first, earlier, then, later in pairs:
        if earlier is not None and later is not None and earlier > later:
            yield Finding(
                code="dates_out_of_order",
                file=file,
                field=field,
                what=f"{first} on {earlier}, {then} is on {later}",
                mend="put the dates in the order in which these things happen",
            )


def time_order(package: Package, derived: Derived) -> Iterator[Finding]:
    """On the day of the incident nothing was bought after it, and the journey does not start before it."""
    values = fact_values(package.visible.facts)
    incident, happened = incident_date(values), parse_time(values.get("incident_time", UNKNOWN))
    if incident is None or happened is None:
        return
    for name, made in sorted(package.provenance.files.items()):
        printed = made.printed_fields.get("time")
        bought = parse_time(printed.value) if printed is not None else None
        if made.document == "receipt" and document_date(made) == incident and bought is not None and bought > happened:
            yield Finding(
                code="dates_out_of_order",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.printed_fields.time",
                what=f"bought at {bought:%H:%M}; it happened at {happened:%H:%M} on the same day",
                mend="put the times in the order in which these things happen",
            )
    local = (package.setup.now + SUMMER_TIME).replace(tzinfo=None)
    if local.date() == incident and local.time() < happened:
        yield Finding(
            code="dated_after_journey",
            file=f"{package.id}/{SETUP}",
            field="now",
            what=f"the journey starts at {package.setup.now:%H:%M} UTC, it happened at {happened:%H:%M} on the same day",
            mend="move `now` behind every date and time of the package",
        )


def field_names(package: Package, derived: Derived) -> Iterator[Finding]:
    """Each expected fact has a field of its own, and none is called what people call another fact."""
    labels = package.labels
    groups = (("expected_facts", labels.expected_facts), ("optional_facts", labels.optional_facts))
    rows = [(f"{group}.{n}.field", fact) for group, facts in groups for n, fact in enumerate(facts)]
    times = Counter(fact.field.casefold() for _, fact in rows)
    for field, fact in rows:
        name = fact.field.casefold()
        others = [known for known, names in FIELDS.items() if known != fact.id and name in names]
        if times[name] > 1 or (others and name not in FIELDS.get(fact.id, frozenset())):
            yield Finding(
                code="fact_field_differs",
                file=f"{package.id}/{LABELS}",
                field=field,
                what=f"{fact.id} is called {fact.field!r}, "
                + ("as another fact is" if times[name] > 1 else f"the name of {others[0]}"),
                mend="call each fact by a name of its own",
            )


def class_fits(package: Package, derived: Derived) -> Iterator[Finding]:
    """Id, police reference and name belong to the class and the person."""
    group = package.labels.scenario_class.split(".")[0]
    letter = re.search(r"-([MHP])-", package.id)
    if letter is not None and ID_LETTERS[letter[1]] != group:
        yield Finding(
            code="class_differs_from_id",
            file=f"{package.id}/{LABELS}",
            field="scenario_class",
            what=f"is {package.labels.scenario_class}; the id says {ID_LETTERS[letter[1]]}",
            mend="rename the package, or correct the class",
        )
    values = fact_values(package.visible.facts)
    if package.labels.scenario_class in POLICE_CLASSES and values.get("police_reference") == NONE:
        yield Finding(
            code="police_reference_missing",
            file=f"{package.id}/{FACTS}",
            field="police_reference",
            what=f"is none, but a {package.labels.scenario_class} is reported to the police first",
            mend="give the reference, or declare that the customer does not know it",
        )
    name = values.get("contact_name", UNKNOWN)
    if name not in (UNKNOWN, NONE, package.visible.facts.persona.name):
        yield Finding(
            code="name_differs",
            file=f"{package.id}/{FACTS}",
            field="persona.name",
            what=f"is {package.visible.facts.persona.name!r}; the fact contact_name is {name!r}",
            mend="one person, one name",
        )


def label_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    derived = derive(package)
    for one in (
        triage_label,
        review_labels,
        expected_facts,
        customer_values,
        setup_fits,
        date_order,
        time_order,
        field_names,
        class_fits,
    ):
        yield from one(package, derived)
    yield from agreement_findings(package)
