"""What the customer's page shows of a case, and what its JSON carries besides."""

from typing import Any

from harness.devstack.claims import policy
from harness.devstack.claims.case import Case, Customer, TurnRecord, show_value
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.defects import talk
from harness.devstack.claims.parse import UNKNOWN
from harness.devstack.web.templating import fragment

REGIONS = ("panel", "todo", "actions")
_LONG = 160


def chat_view(case: Case, customer: Customer) -> dict[str, Any]:
    """Values for the chat's templates."""
    return {
        "entries": case.entries,
        "rows": talk.panel_rows(customer.defects, _rows(case)),
        "files": [u.name for u in case.uploads],
        "todo": _todo(case),
        "card": _card(case),
        "choices": _choices(case),
        "summary": _rows(case) if case.stage == "confirming" and not case.idle else None,
        "sign_in": case.stage == "signing_in",
        "final": _final(case),
        "signed_in": customer.email if customer.signed_in else None,
        "contact": not case.idle,
        "notice": case.notice,
        "unseen": talk.unseen_text(customer.defects),
    }


def regions(case: Case, customer: Customer) -> dict[str, str]:
    """The changing parts of the page, rendered."""
    view = chat_view(case, customer)
    return {name: fragment(f"_{name}.html", **view) for name in REGIONS}


def beyond_the_screen(case: Case, customer: Customer, record: TurnRecord | None) -> dict[str, Any]:
    """Data for the page's own script and for logs; none of it is shown."""
    step = policy.next_step(case, customer)
    return {
        "claim": {"status": case.status, "number": case.number, "stage": case.stage},
        "customer_next_step": {
            "kind": step.kind,
            "facts": list(step.facts),
            "required_items": policy.required_items(case, customer),
        },
        "turn_record": record.model_dump() if record else None,
        "form": {
            "scenario_class": case.scenario_class,
            "values": {f: held.value for f, held in case.facts.items()},
            "asked": case.asked,
            "attempts": case.attempts,
            "files": case.files,
        },
    }


def _rows(case: Case) -> list[dict[str, str]]:
    specs = catalogue().facts
    order = {f: n for n, f in enumerate(specs)}
    rows = []
    for fact, held in sorted(case.facts.items(), key=lambda item: order.get(item[0], len(order))):
        shown = show_value(fact, held.value)
        rows.append(
            {
                "fact": fact,
                "label": specs[fact].label if fact in specs else fact,
                "value": shown if len(shown) <= _LONG else shown[: _LONG - 1] + "…",
                "full": shown,
                "status": held.status,
                "known": "no" if held.value == UNKNOWN else "yes",
            }
        )
    return rows


def _todo(case: Case) -> list[str]:
    if case.idle:
        return []
    files = catalogue().files
    items = []
    for kind, state in case.files.items():
        if state in ("asked", "asked_again"):
            items.append(files[kind].label)
        elif state in ("later", "given_up"):
            items.append(f"{files[kind].label}, when you have it")
    if case.stage in ("confirming", "correcting"):
        items.append("Check the summary")
    if case.stage == "signing_in":
        items.append("Sign in")
    return items


def _card(case: Case) -> dict[str, str] | None:
    kind = case.card
    if case.status == "submitted":
        kind = next((k for k, s in case.files.items() if s in ("later", "given_up")), None)
    if kind is None:
        return None
    spec = catalogue().files[kind]
    return {"kind": kind, "title": spec.label, "label": spec.card, "accept": spec.accept}


def _choices(case: Case) -> list[dict[str, str]]:
    if not case.choosing:
        return []
    return [{"action": f"choose:{name}", "text": spec.choice} for name, spec in catalogue().classes.items()]


def _final(case: Case) -> dict[str, str | None] | None:
    return {"number": case.told_number} if case.stage == "submitted" else None
