"""`rig schema`: every published JSON Schema by name."""

from typing import Any

from pydantic import TypeAdapter

from harness.errors import InputError
from harness.schema.events import Event
from harness.schema.product import PUBLISHED, StaffRead
from harness.schema.run import Attempt, LedgerLine, NetworkLine, PromptLine, RunManifest
from harness.schema.scorecard import Scorecard
from harness.schema.screen import Screen
from harness.schema.setup import ClaimsSetup
from harness.schema.visible import CustomerView, Facts, Materials
from oracle_scoring.corpus.models import Labels, Provenance, Review

_ALL: dict[str, Any] = {
    **PUBLISHED,
    "facts": Facts, "materials": Materials, "customer-view": CustomerView, "setup": ClaimsSetup, "labels": Labels,
    "provenance": Provenance, "review": Review, "screen": Screen, "event": Event, "run": RunManifest, "attempt": Attempt,
    "ledger-line": LedgerLine, "prompt-line": PromptLine, "network-line": NetworkLine, "staff": StaffRead, "scorecard": Scorecard,
}  # fmt: skip


def names() -> list[str]:
    """All names, sorted."""
    return sorted(_ALL)


def schema_of(name: str) -> dict[str, Any]:
    """The schema of that name (JSON Schema 2020-12)."""
    if name not in _ALL:
        raise InputError(f"schema {name}", f"is not known; there are {', '.join(names())}")
    schema = TypeAdapter(_ALL[name]).json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": name}
