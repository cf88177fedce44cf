"""What the product does next: a plain rule over the case, the same for both runtimes."""

from dataclasses import dataclass
from typing import Literal

from harness.devstack.claims import review
from harness.devstack.claims.case import Case, Customer
from harness.devstack.claims.catalogue import Group, catalogue
from harness.devstack.claims.parse import show_date

StepKind = Literal["choose", "ask", "file", "explain", "confirm", "sign_in", "submit", "done"]
MOST_ASKS = 2
"""A fact is asked for at most this often; then it counts as not known."""


@dataclass(frozen=True)
class Step:
    """One next step. `text` is what the product says for it."""

    kind: StepKind
    text: str
    facts: tuple[str, ...] = ()
    file: str | None = None
    check: str | None = None


def plan(case: Case, customer: Customer) -> list[Group]:
    """The groups to go through; someone without a known policy is asked how to reach them as well."""
    planned = catalogue().plan(case.scenario_class) if case.scenario_class else []
    groups = [group for group in planned if group.applies(case.value)]
    return groups if customer.policy else [*groups, catalogue().groups["contact"]]


def wanted_facts(case: Case, customer: Customer) -> tuple[str, ...]:
    """All facts a message may give: those of the class, or all facts while the class is not known."""
    if case.scenario_class is None:
        return tuple(catalogue().facts)
    held = [f for group in plan(case, customer) for f in group.facts]
    extra = (
        "contact_name",
        "contact_email",
        "contact_phone",
        "witness",
        "liability_disputed",
        "ongoing_danger",
        "what_happened",
    )
    return tuple(dict.fromkeys([*held, *extra]))


def required_items(case: Case, customer: Customer) -> list[str]:
    """What is still open, by id: facts, then files."""
    groups = plan(case, customer)
    facts = [f for g in groups for f in g.facts if f not in case.facts]
    return facts + [g.file for g in groups if g.file and case.files.get(g.file) != "done"]


def next_step(case: Case, customer: Customer) -> Step:
    """The step a case is at. A pure function of case and customer."""
    if case.stage == "submitted":
        return Step("done", "")
    if case.stage == "signing_in":
        return Step("sign_in", "Please sign in below, so that I can send your claim.")
    if case.scenario_class is None:
        return Step("choose", "Please choose below what fits best.")
    for group in plan(case, customer):
        if step := _ask(case, group) or _ask_file(case, group):
            return step
    for kind, state in case.files.items():
        if state == "later":
            return Step("file", catalogue().files[kind].again, file=kind)
    return _explain(case, customer) or Step(
        "confirm", "That is all I need. Please check the summary below and tell me whether it is right."
    )


def _ask(case: Case, group: Group) -> Step | None:
    open_facts = [f for f in group.facts if f not in case.facts and case.attempts.get(f, 0) < MOST_ASKS]
    if not open_facts:
        return None
    fresh = all(case.attempts.get(f, 0) == 0 for f in open_facts)
    if group.ask and fresh and len(open_facts) == len(group.facts):
        return Step("ask", group.ask, facts=tuple(open_facts))
    specs = catalogue().facts
    words = [specs[f].ask if case.attempts.get(f, 0) == 0 else specs[f].again for f in open_facts]
    return Step("ask", " ".join(words), facts=tuple(open_facts))


def _ask_file(case: Case, group: Group) -> Step | None:
    if group.file is None or case.files.get(group.file, "asked") != "asked":
        return None
    return Step("file", catalogue().files[group.file].ask, file=group.file)


def _explain(case: Case, customer: Customer) -> Step | None:
    found = review.review(case, customer.policy, customer.prior_claims, customer.failed_lookups)
    if not found.required:
        return None
    strong = any(found.checks[c] == "hit" for c in review.STRONG)
    incident = show_date(case.value("incident_date") or "")
    for check in review.STRONG if strong else review.WEAK:
        if found.checks[check] != "hit" or check in case.explanations or check in case.explained:
            continue
        if check in review.STRONG:
            kind = "receipt" if check == "receipt_after_incident" else "quote"
            paper = next((show_date(u.document_date or "") for u in case.uploads if u.kind == kind), "")
            name = catalogue().files[kind].label.lower()
            side = "before" if kind == "quote" else "after"
            text = f"Can you tell us why your {name} is dated {paper}, {side} the incident on {incident}?"
            return Step("explain", text, check=check)
        return Step(
            "explain",
            "Is there anything about your cover or about earlier claims you would like us to know?",
            check=check,
        )
    return None
