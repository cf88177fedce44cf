"""Mistakes in answers, facts and setup: what does not follow from the rules."""

from collections.abc import Callable
from datetime import date, timedelta

from harness.schema.package import FACTS, LABELS, PROVENANCE, SETUP
from oracle_scoring.corpus.check_labels import CLASS_FACTS, COMMON_FACTS
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.corpus.rules import LEVELS
from scripts.mistakes.draft import Draft, mistake

GROUP = "answers"
OTHER = {"hit": "clear", "clear": "hit", "not_applicable": "clear", "not_checked": "hit"}


@mistake(GROUP, "triage one level off")
def _(draft: Draft) -> str:
    labels, levels = draft.labels, list(LEVELS)
    at = levels.index(labels["triage"]["level"])
    labels["triage"]["level"] = levels[at + 1 if at + 1 < len(levels) else at - 1]
    draft.put(LABELS, labels)
    return "triage_level_differs"


@mistake(GROUP, "a required reason is missing")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["triage"]["required_reasons"].pop()
    draft.put(LABELS, labels)
    return "triage_required_reasons_differ"


@mistake(GROUP, "a required reason that is not true")
def _(draft: Draft) -> str:
    labels = draft.labels
    said = {*labels["triage"]["required_reasons"], *labels["triage"]["allowed_reasons"]}
    labels["triage"]["required_reasons"].append(
        next(r for r in ("ongoing_danger", "liability_disputed") if r not in said)
    )
    draft.put(LABELS, labels)
    return "triage_required_reasons_differ"


@mistake(GROUP, "an allowed reason is missing")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    if not labels["triage"]["allowed_reasons"]:
        return None
    labels["triage"]["allowed_reasons"].pop()
    draft.put(LABELS, labels)
    return "triage_allowed_reasons_differ"


@mistake(GROUP, "an allowed reason that is not true")
def _(draft: Draft) -> str:
    labels = draft.labels
    said = {*labels["triage"]["required_reasons"], *labels["triage"]["allowed_reasons"]}
    labels["triage"]["allowed_reasons"].append(
        next(r for r in ("liability_disputed", "ongoing_danger") if r not in said)
    )
    draft.put(LABELS, labels)
    return "triage_allowed_reasons_differ"


for _check in CHECKS:

    def _flip(draft: Draft, check: str = _check) -> str:
        labels = draft.labels
        before = labels["review_checks"][check]["result"]
        labels["review_checks"][check] = {"result": OTHER[before]}
        draft.put(LABELS, labels)
        return "review_check_differs"

    mistake(GROUP, f"{_check} says something else")(_flip)

    def _unchecked(draft: Draft, check: str = _check) -> str | None:
        labels = draft.labels
        if labels["review_checks"][check]["result"] == "not_checked":
            return None
        labels["review_checks"][check] = {"result": "not_checked", "reason": "no_data"}
        draft.put(LABELS, labels)
        return "review_check_differs"

    mistake(GROUP, f"{_check} was checked after all")(_unchecked)


@mistake(GROUP, "what was not checked is called clear")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    check = next((c for c, v in labels["review_checks"].items() if v["result"] == "not_checked"), None)
    if check is None:
        return None
    labels["review_checks"][check] = {"result": "clear"}
    draft.put(LABELS, labels)
    return "review_check_differs"


@mistake(GROUP, "another reason why it was not checked")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    check = next((c for c, v in labels["review_checks"].items() if v["result"] == "not_checked"), None)
    if check is None:
        return None
    before = labels["review_checks"][check]["reason"]
    labels["review_checks"][check]["reason"] = "unreadable" if before != "unreadable" else "missing_page"
    draft.put(LABELS, labels)
    return "not_checked_reason_differs"


@mistake(GROUP, "the alert turned round")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["review_required"] = not labels["review_required"]
    draft.put(LABELS, labels)
    return "review_required_differs"


@mistake(GROUP, "a wrong kind of innocent control")
def _(draft: Draft) -> str:
    labels = draft.labels
    hits = [v["result"] for v in labels["review_checks"].values()].count("hit")
    labels["innocent_control"] = "no_signal" if hits else "one_weak_signal"
    draft.put(LABELS, labels)
    return "innocent_control_differs"


@mistake(GROUP, "a class of another line of insurance")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["scenario_class"] = "home.storm" if not labels["scenario_class"].startswith("home") else "motor.weather"
    draft.put(LABELS, labels)
    return "class_differs_from_id"


@mistake(GROUP, "a fact of the class is not expected")
def _(draft: Draft) -> str:
    labels = draft.labels
    needed = (*COMMON_FACTS, *CLASS_FACTS[labels["scenario_class"]])
    labels["expected_facts"] = [f for f in labels["expected_facts"] if f["id"] != needed[-1]]
    draft.put(LABELS, labels)
    return "class_fact_missing"


@mistake(GROUP, "an expected value that the customer does not have")
def _(draft: Draft) -> str:
    labels = draft.labels
    fact = next(f for f in labels["expected_facts"] if f["id"] == "place")
    fact["value"] = "Nowhere Street"
    draft.put(LABELS, labels)
    return "fact_value_differs"


@mistake(GROUP, "day and month swapped in the answer")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    fact = next(f for f in labels["expected_facts"] if f["id"] == "incident_date")
    year, month, day = fact["value"].split("-")
    if int(day) > 12 or day == month:
        return None
    fact["value"] = f"{year}-{day}-{month}"
    draft.put(LABELS, labels)
    return "fact_value_differs"


@mistake(GROUP, "an optional value that the customer does not have")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    fact = next((f for f in labels["optional_facts"] if f["kind"] in ("phone", "email", "name", "time")), None)
    if fact is None:
        return None
    fact["value"] = {"time": "03:07"}.get(fact["kind"], "somebody else")
    draft.put(LABELS, labels)
    return "fact_value_differs"


@mistake(GROUP, "another kind of value in the answer")
def _(draft: Draft) -> str:
    labels = draft.labels
    next(f for f in labels["expected_facts"] if f["id"] == "place")["kind"] = "reference"
    draft.put(LABELS, labels)
    return "fact_kind_differs"


@mistake(GROUP, "an amount compared as a plate")
def _(draft: Draft) -> str:
    labels = draft.labels
    next(f for f in labels["expected_facts"] if f["id"] == "injuries")["compare"] = "plate"
    draft.put(LABELS, labels)
    return "fact_compare_does_not_fit"


@mistake(GROUP, "an expected fact that the customer was never given")
def _(draft: Draft) -> str:
    labels = draft.labels
    fact = dict(
        labels["expected_facts"][0], id="shoe_size", field="Shoe size", kind="text", value="nine", compare="text"
    )
    labels["expected_facts"].append(fact)
    draft.put(LABELS, labels)
    return "fact_unknown_to_customer"


@mistake(GROUP, "a fact that must be collected is taken from the customer")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["facts"] = [f for f in facts["facts"] if f["id"] != "injuries"]
    draft.put(FACTS, facts)
    return "fact_unknown_to_customer"


@mistake(GROUP, "nothing says that the customer does not know it")
def _(draft: Draft) -> str | None:
    facts, expected = draft.facts, {f["id"] for f in draft.labels["expected_facts"]}
    unknown = next((u for u in facts["does_not_know"] if u["id"] in expected), None)
    if unknown is None:
        return None
    facts["does_not_know"].remove(unknown)
    draft.put(FACTS, facts)
    return "fact_unknown_to_customer"


@mistake(GROUP, "unknown as the value of a fact")
def _(draft: Draft) -> str:
    found = draft.fact("place")
    assert found is not None
    facts, fact = found
    fact.update(value="unknown", say="I don't know where that was.")
    draft.put(FACTS, facts)
    return "unknown_as_fact"


def _value(kind: str, value: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        found = draft.of_kind(kind)
        if found is None:
            return None
        facts, fact = found
        fact["value"] = value
        draft.put(FACTS, facts)
        return "value_not_canonical"

    return spoil


mistake(GROUP, "a date in words")(_value("date", "9 March 2026"))
mistake(GROUP, "a day that is in no calendar")(_value("date", "2026-02-30"))
mistake(GROUP, "an amount without its currency")(_value("amount", "1284"))
mistake(GROUP, "a yes or no in other words")(_value("yes_no", "nobody"))
mistake(GROUP, "a time in words")(_value("time", "half past four"))


def _incident(draft: Draft) -> date | None:
    found = draft.fact("incident_date")
    return date.fromisoformat(found[1]["value"]) if found else None


@mistake(GROUP, "cover begins on another side of day 30")
def _(draft: Draft) -> str | None:
    setup, incident = draft.setup, _incident(draft)
    if setup["policy"] is None or incident is None or "policy" in setup["failed_lookups"]:
        return None
    near = (incident - date.fromisoformat(setup["policy"]["inception"])).days <= 30
    setup["policy"]["inception"] = (incident - timedelta(days=31 if near else 30)).isoformat()
    draft.put(SETUP, setup)
    return "review_check_differs"


@mistake(GROUP, "cover begins after the incident")
def _(draft: Draft) -> str | None:
    setup, incident = draft.setup, _incident(draft)
    if setup["policy"] is None or incident is None:
        return None
    setup["policy"]["inception"] = (incident + timedelta(days=1)).isoformat()
    draft.put(SETUP, setup)
    return "dates_out_of_order"


@mistake(GROUP, "two more claims within the year, or none")
def _(draft: Draft) -> str | None:
    setup, incident = draft.setup, _incident(draft)
    if incident is None or setup["policy"] is None or "prior_claims" in setup["failed_lookups"]:
        return None
    result = draft.labels["review_checks"]["prior_claims_within_year"]["result"]
    day = (incident - timedelta(days=90)).isoformat()
    more = [{"number": f"ADDED-{n}", "reported": day, "kind": "windscreen"} for n in range(2)]
    setup["prior_claims"] = [] if result == "hit" else more
    draft.put(SETUP, setup)
    return "review_check_differs"


@mistake(GROUP, "a lookup that fails, or works again")
def _(draft: Draft) -> str:
    setup = draft.setup
    setup["failed_lookups"] = [] if "prior_claims" in setup["failed_lookups"] else ["prior_claims"]
    draft.put(SETUP, setup)
    return "review_check_differs" if setup["policy"] else "not_checked_reason_differs"


@mistake(GROUP, "the journey starts before the incident")
def _(draft: Draft) -> str | None:
    setup, incident = draft.setup, _incident(draft)
    if incident is None:
        return None
    setup["now"] = f"{incident - timedelta(days=1)}T09:00:00Z"
    draft.put(SETUP, setup)
    return "dated_after_journey"


@mistake(GROUP, "a prior claim of the future")
def _(draft: Draft) -> str:
    setup = draft.setup
    day = date.fromisoformat(setup["now"][:10]) + timedelta(days=3)
    setup["prior_claims"].append({"number": "ADDED-9", "reported": day.isoformat(), "kind": "windscreen"})
    draft.put(SETUP, setup)
    return "dated_after_journey"


@mistake(GROUP, "a prior claim on a day of no calendar")
def _(draft: Draft) -> str:
    setup = draft.setup
    setup["prior_claims"].append({"number": "ADDED-9", "reported": "2025-02-29", "kind": "windscreen"})
    draft.put(SETUP, setup)
    return "value_not_canonical"


@mistake(GROUP, "cover of somebody else")
def _(draft: Draft) -> str | None:
    setup = draft.setup
    if setup["policy"] is None:
        return None
    setup["policy"]["holder"] = "Somebody Else"
    draft.put(SETUP, setup)
    return "setup_differs"


@mistake(GROUP, "cover of another kind")
def _(draft: Draft) -> str | None:
    setup = draft.setup
    if setup["policy"] is None:
        return None
    setup["policy"]["product"] = "home" if setup["policy"]["product"] != "home" else "motor"
    draft.put(SETUP, setup)
    return "setup_differs"


@mistake(GROUP, "cover of another car")
def _(draft: Draft) -> str | None:
    setup = draft.setup
    if setup["policy"] is None or setup["policy"]["product"] != "motor" or draft.fact("plate") is None:
        return None
    setup["policy"]["insured_item"] = "ZZ99 ZZZ"
    draft.put(SETUP, setup)
    return "setup_differs"


@mistake(GROUP, "no police reference for a theft")
def _(draft: Draft) -> str | None:
    found = draft.fact("police_reference")
    if found is None or draft.labels["scenario_class"] not in ("motor.theft", "home.burglary", "property.theft_away"):
        return None
    facts, fact = found
    fact.update(value="none", say="There is none.")
    draft.put(FACTS, facts)
    return "police_reference_missing"


@mistake(GROUP, "bought after it was lost")
def _(draft: Draft) -> str | None:
    found, incident = draft.fact("purchase_date"), _incident(draft)
    if found is None or incident is None:
        return None
    facts, fact = found
    day = incident + timedelta(days=1)
    fact.update(value=day.isoformat(), say=f"I bought it on {day.day} {day:%B %Y}.")
    draft.put(FACTS, facts)
    return "dates_out_of_order"


@mistake(GROUP, "persona and fact with two names")
def _(draft: Draft) -> str | None:
    found = draft.fact("contact_name")
    if found is None:
        return None
    facts, fact = found
    fact.update(value="Somebody Else", say="My name is Somebody Else.")
    draft.put(FACTS, facts)
    return "name_differs"


def _canary(value: str) -> Callable[[Draft], str]:
    def spoil(draft: Draft) -> str:
        setup = draft.setup
        setup["canary"] = value
        draft.put(SETUP, setup)
        return "canary_not_random"

    return spoil


mistake(GROUP, "a canary typed by hand")(_canary("deadbeef" * 4))
mistake(GROUP, "a canary that counts")(_canary("0123456789abcdef" * 2))


@mistake(GROUP, "one canary for two files")
def _(draft: Draft) -> str:
    setup = draft.setup
    setup["canary"] = draft.labels["canary"]
    draft.put(SETUP, setup)
    return "canary_repeated"


# ------------------------------------------------------------------ assertions


def _asserts(
    path: str, value: Callable[[Draft], object], code: str, op: str = "equals"
) -> Callable[[Draft], str | None]:
    """Adds an assertion about the product's state."""

    def spoil(draft: Draft) -> str | None:
        asked = value(draft)
        if asked is None and op in ("equals", "contains"):
            return None
        labels = draft.labels
        labels["assertions"].append(
            {"id": "added", "referee": "state", "says": "One thing more.", "path": path, "op": op, "value": asked}
        )
        draft.put(LABELS, labels)
        return code

    return spoil


def _other_level(draft: Draft) -> str:
    return "simple" if draft.labels["triage"]["level"] != "simple" else "urgent"


def _other_class(draft: Draft) -> str:
    return "motor.theft" if draft.labels["scenario_class"] != "motor.theft" else "home.storm"


def _other_result(draft: Draft) -> str:
    return OTHER[draft.labels["review_checks"]["quote_before_incident"]["result"]]


mistake(GROUP, "an assertion that contradicts the alert")(
    _asserts("cases.0.review.required", lambda d: not d.labels["review_required"], "assertion_differs")
)
mistake(GROUP, "an assertion of another level")(_asserts("cases.0.triage.level", _other_level, "assertion_differs"))
mistake(GROUP, "an assertion of another class")(_asserts("cases.0.scenario_class", _other_class, "assertion_differs"))
mistake(GROUP, "an assertion of another result of a check")(
    _asserts("cases.0.review.checks.quote_before_incident", _other_result, "assertion_differs")
)
mistake(GROUP, "an assertion of a reason that is not true")(
    _asserts("cases.0.triage.reasons", lambda _: "liability_disputed", "assertion_differs", "contains")
)
mistake(GROUP, "an assertion that there is no case")(_asserts("cases.0", lambda _: None, "assertion_differs", "absent"))
mistake(GROUP, "an assertion that there are two cases")(
    _asserts("cases.1", lambda _: None, "assertion_differs", "present")
)
mistake(GROUP, "an assertion of a draft at the end")(_asserts("cases.0.status", lambda _: "draft", "assertion_differs"))
mistake(GROUP, "an assertion of a value that is not the customer's")(
    _asserts("cases.0.facts.place.value", lambda _: "Nowhere Street", "assertion_differs")
)
mistake(GROUP, "an assertion of a fact that nobody has")(
    _asserts("cases.0.facts.shoe_size.value", lambda _: "nine", "assertion_differs")
)
mistake(GROUP, "an assertion about a place that no state has")(
    _asserts("cases.0.verdict", lambda _: "fine", "assertion_impossible")
)
mistake(GROUP, "an assertion about a check that does not exist")(
    _asserts("cases.0.review.checks.receipt_before_incident", lambda _: "hit", "assertion_impossible")
)
mistake(GROUP, "an assertion of a value that no state has")(
    _asserts("cases.0.status", lambda _: "finished", "assertion_impossible")
)


@mistake(GROUP, "an assertion that staff read what nobody says")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["assertions"].append(
        {
            "id": "added", "referee": "text", "says": "One thing more.", "where": "staff", "op": "contains",
            "value": "crocodile in the kitchenette",
        }
    )  # fmt: skip
    draft.put(LABELS, labels)
    return "assertion_differs"


# ------------------------------------------------------------------ look-alikes, reasons, claims without a policy


@mistake(GROUP, "a look-alike that nothing resembles")
def _(draft: Draft) -> str | None:
    incident = _incident(draft)
    if incident is None or draft.labels["review_required"]:
        return None
    labels, setup, provenance = draft.labels, draft.setup, draft.provenance
    labels["innocent_control"] = "look_alike"
    setup["prior_claims"] = [
        {"number": "ADDED-7", "reported": (incident - timedelta(days=500)).isoformat(), "kind": "mirror"}
    ]
    if setup["policy"] is not None:
        setup["policy"]["inception"] = (incident - timedelta(days=91)).isoformat()
    for made in provenance["files"].values():
        if made["document"] in ("quote", "receipt") and "date" in made["printed_fields"]:
            made["printed_fields"]["date"]["value"] = (
                incident + timedelta(days=4 if made["document"] == "quote" else -4)
            ).isoformat()
    draft.put(LABELS, labels)
    draft.put(SETUP, setup)
    draft.put(PROVENANCE, provenance)
    return "innocent_control_differs"


@mistake(GROUP, "a danger that no product is asked to collect")
def _(draft: Draft) -> str | None:
    facts, labels = draft.facts, draft.labels
    if any(f["id"] == "ongoing_danger" for f in facts["facts"]):
        return None
    facts["facts"].append(
        {
            "id": "ongoing_danger",
            "topic": "danger",
            "kind": "yes_no",
            "value": "yes",
            "say": "Yes, it may still come down.",
        }
    )
    order = list(LEVELS)
    was = labels["triage"]
    true = [*was["required_reasons"], *was["allowed_reasons"]]
    urgent = [r for r in true if r in LEVELS[order[0]]]
    lower = [r for r in true if r not in urgent and r != "minor_damage"]
    labels["triage"] = {"level": order[0], "required_reasons": [*urgent, "ongoing_danger"], "allowed_reasons": lower}
    draft.put(FACTS, facts)
    draft.put(LABELS, labels)
    return "reason_fact_not_expected"


@mistake(GROUP, "claims of a customer without a policy")
def _(draft: Draft) -> str:
    setup = draft.setup
    setup["policy"] = None
    setup["prior_claims"] = [{"number": "ADDED-8", "reported": f"{int(setup['now'][:4]) - 1}-01-05", "kind": "mirror"}]
    draft.put(SETUP, setup)
    return "claims_without_policy"


# ------------------------------------------------------------------ standard assertions, names of fields, times


@mistake(GROUP, "nothing is asserted")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["assertions"] = []
    draft.put(LABELS, labels)
    return "assertion_missing"


@mistake(GROUP, "a standard assertion left out")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    kept = [a for a in labels["assertions"] if a["id"] != "one_case_only"]
    if len(kept) == len(labels["assertions"]):
        return None
    labels["assertions"] = kept
    draft.put(LABELS, labels)
    return "assertion_missing"


@mistake(GROUP, "a standard assertion turned round")
def _(draft: Draft) -> str | None:
    labels = draft.labels
    turned = next((a for a in labels["assertions"] if a["id"] == "no_accusation"), None)
    if turned is None:
        return None
    labels["assertions"].append(dict(turned, id="added"))
    turned["op"] = "contains"
    draft.put(LABELS, labels)
    return "assertion_differs"


@mistake(GROUP, "a field called as another fact is")
def _(draft: Draft) -> str:
    labels = draft.labels
    next(f for f in labels["expected_facts"] if f["id"] == "estimated_loss")["field"] = "Drivable"
    draft.put(LABELS, labels)
    return "fact_field_differs"


@mistake(GROUP, "one field for two facts")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["expected_facts"][0]["field"] = labels["expected_facts"][1]["field"]
    draft.put(LABELS, labels)
    return "fact_field_differs"


@mistake(GROUP, "the journey starts on the day, before it happened")
def _(draft: Draft) -> str | None:
    setup, found = draft.setup, draft.fact("incident_time")
    incident = _incident(draft)
    if found is None or incident is None or not "06:00" < found[1]["value"] < "24:00":
        return None
    setup["now"] = f"{incident}T04:30:00Z"
    for made in (provenance := draft.provenance)["files"].values():
        made["printed_fields"] = {k: v for k, v in made["printed_fields"].items() if v["kind"] != "date"}
    draft.put(PROVENANCE, provenance)
    draft.put(SETUP, setup)
    return "dated_after_journey"


@mistake(GROUP, "bought on the day, after it broke")
def _(draft: Draft) -> str | None:
    incident = _incident(draft)
    provenance, facts = draft.provenance, draft.facts
    dates = ((m, m["printed_fields"].get("date")) for m in provenance["files"].values())
    dated = (m for m, date in dates if date is not None and date.get("legible", True))
    made = next((m for m in dated if m["printed_fields"]["date"]["page"] in (m["pages_present"] or [1])), None)
    if incident is None or made is None:
        return None
    made["document"] = "receipt"
    made["printed_fields"]["date"]["value"] = incident.isoformat()
    made["printed_fields"]["time"] = {"page": 1, "printed": "23:50", "kind": "time", "value": "23:50"}
    if draft.fact("incident_time") is None:
        facts["facts"].append(
            {"id": "incident_time", "topic": "time", "kind": "time", "value": "15:20", "say": "It was 15:20."}
        )
        facts["does_not_know"] = [u for u in facts["does_not_know"] if u["id"] != "incident_time"]
    draft.put(FACTS, facts)
    draft.put(PROVENANCE, provenance)
    return "dates_out_of_order"


@mistake(GROUP, "a police letter of a day before the incident")
def _(draft: Draft) -> str | None:
    incident, provenance = _incident(draft), draft.provenance
    for made in provenance["files"].values():
        printed = made["printed_fields"]
        if made["document"] == "letter" and "police_reference" in printed and "date" in printed and incident:
            printed["date"]["value"] = (incident - timedelta(days=2)).isoformat()
            draft.put(PROVENANCE, provenance)
            return "dates_out_of_order"
    return None


# ------------------------------------------------------------------ facts against each other and the cover


def _told(fact: str, value: str, say: str, code: str) -> Callable[[Draft], str | None]:
    """One fact more that tells something else than a fact which has that value."""

    def spoil(draft: Draft) -> str | None:
        facts = draft.facts
        if fact and (
            draft.fact(fact) is None or not any(f["id"] == fact and f["value"] == value for f in facts["facts"])
        ):
            return None
        facts["facts"].append({"id": "added", "topic": "one thing more", "kind": "text", "value": say, "say": say})
        draft.put(FACTS, facts)
        return code

    return spoil


mistake(GROUP, "nobody was hurt, and somebody was")(
    _told("injuries", "no", "My son hurt his neck.", "facts_contradict")
)
mistake(GROUP, "the car drives, and had to be towed")(
    _told("drivable", "yes", "The wheel came off, the car had to be towed.", "facts_contradict")
)


@mistake(GROUP, "more claims told than the insurer has")
def _(draft: Draft) -> str | None:
    if "prior_claims" in draft.setup["failed_lookups"]:
        return None
    return _told("", "", "I have had nine claims with you.", "setup_differs")(draft)


@mistake(GROUP, "another first day of cover told")
def _(draft: Draft) -> str | None:
    if draft.setup["policy"] is None:
        return None
    facts = draft.facts
    facts["facts"].append(
        {"id": "cover_start", "topic": "start of my cover", "kind": "date", "value": "2019-02-21",
         "say": "My cover began on 21 February 2019."}
    )  # fmt: skip
    draft.put(FACTS, facts)
    return "setup_differs"


@mistake(GROUP, "a number of another product")
def _(draft: Draft) -> str | None:
    setup = draft.setup
    if setup["policy"] is None:
        return None
    setup["policy"]["number"] = "FWH-204417" if setup["policy"]["product"] != "home" else "FWM-204417"
    draft.put(SETUP, setup)
    return "setup_differs"


@mistake(GROUP, "the cover of another home")
def _(draft: Draft) -> str | None:
    setup = draft.setup
    if setup["policy"] is None or setup["policy"]["product"] == "motor":
        return None
    place = draft.fact("place")
    if place is None:
        return None
    facts, fact = place
    fact.update(value="3 Alder Row, Penhollin", say="At 3 Alder Row, Penhollin.")
    setup["policy"].update(product="home", insured_item="5 Alder Row, Penhollin")
    labels = draft.labels
    labels["scenario_class"] = "home.storm"
    draft.put(FACTS, facts)
    draft.put(LABELS, labels)
    draft.put(SETUP, setup)
    return "setup_differs"


@mistake(GROUP, "a parked car that waited at the lights")
def _(draft: Draft) -> str | None:
    labels, facts = draft.labels, draft.facts
    if not labels["scenario_class"].startswith("motor."):
        return None
    labels["scenario_class"] = "motor.parked_hit"
    for fact in facts["facts"]:
        if fact["kind"] == "text" or fact["id"] == "place":
            fact.update(value="a car at the red light", say="It was at the red light.")
    draft.put(LABELS, labels)
    draft.put(FACTS, facts)
    draft.say("A van ran into my car at the red light.")
    return "class_differs_from_facts"


def _contact(kind: str, value: str, say: str) -> Callable[[Draft], str | None]:
    """Another telephone number or mail address."""

    def spoil(draft: Draft) -> str | None:
        found = draft.of_kind(kind)
        if found is None:
            return None
        facts, one = found
        one.update(value=value, say=say)
        draft.put(FACTS, facts)
        return "may_be_somebodys"

    return spoil


mistake(GROUP, "a telephone number that may be somebody's")(
    _contact("phone", "07911 123456", "My number is 07911 123456.")
)
mistake(GROUP, "a mail address that may be somebody's")(
    _contact("email", "nora@tidewell.co.uk", "It is nora@tidewell.co.uk.")
)
