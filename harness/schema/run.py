"""`run.json`, `attempt.json`, a line of `ledger.jsonl`, and lines of `prompts.jsonl` and `network.jsonl`."""

import re
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from harness.schema.base import Strict
from harness.schema.events import NOT_COUNTING as NOT_COUNTING
from harness.schema.events import TerminationReason
from harness.schema.network import NetworkLine as NetworkLine
from harness.schema.product import RuntimeReport, Sha256

CustomerKind = Literal["model", "rule", "scripted", "recorded", "replayed", "person"]
"""Who plays the customer. `replayed`: the moves of an earlier attempt and nobody else; `person`: somebody at a terminal."""
WITHOUT_MODEL = frozenset({"rule", "scripted", "replayed", "person"})
"""Customers that ask no model, so that there are no prompts and no costs of theirs."""
TraceKept = Literal["off", "on", "retain-on-failure"]
_NUMBERED = re.compile(r"(?P<kind>[ta])(?P<number>[0-9]{2,6})")


def trial_number(folder: str) -> int | None:
    """The number in the name of a trial's folder (`t01`, `t100`); None for every other name."""
    return _number(folder, "t")


def attempt_number(folder: str) -> int | None:
    """The number in the name of an attempt's folder (`a01`, `a100`); None for every other name, as `a01-copy` or `a001`."""
    return _number(folder, "a")


def _number(folder: str, kind: str) -> int | None:
    match = _NUMBERED.fullmatch(folder)
    if match is None or match["kind"] != kind:
        return None
    number = int(match["number"])
    return number if folder == f"{kind}{number:02d}" else None


class RunSettings(Strict):
    """Everything that makes two runs comparable; a run can only be continued with equal settings."""

    packages: dict[str, Sha256]
    """Package id -> hash over the names and hashes of all its files."""
    adapter: str
    adapter_sha256: Sha256
    base_url: str
    customer: CustomerKind
    customer_model: str | None
    customer_endpoint: Literal["configured", "embedded", "none"]
    customer_source: str | None
    """scripted, recorded: sha256 of the file the moves come from."""
    customer_sees_files: bool
    trials: int
    max_cost: str | None = None
    """Cap on the customer's model per journey (`--max-journey-cost`), in the price's currency; None: no cap."""
    max_attempts: int
    """Attempts a trial may have before it is given up."""
    turn_limit: int
    turn_timeout_s: float
    journey_timeout_s: float
    rng_seed: int
    rehearsal: bool
    defects: list[str]
    template_sha256: Sha256
    """The locked prompt template."""
    parent_attempt: str | None = None
    """Replays and forks: the attempt whose moves are sent, as `run/package/t01/a01`."""
    fork_turn: int | None = None
    """Forks: the last turn that is replayed."""
    trace: TraceKept = "off"
    """Whether Playwright's trace is kept."""
    slow_ms: int = 0
    """Before each act of the customer, so that a person can follow."""
    pause_at: int | None = None
    """The turn before whose move the run waits for a person."""


class RunManifest(Strict):
    """`run.json`: written once, when the run is created."""

    schema_: Literal["run-v1"] = Field(alias="schema")
    run: str
    created_at: AwareDatetime
    rig_version: str
    git_commit: str | None
    git_clean: bool | None
    """None where there is no work tree to ask."""
    corpus_version: str
    corpus_frozen: bool
    runtime: RuntimeReport
    stores_configured: bool
    product_model_embedded: bool = False
    """The product's agent runs on the rig's own embedded model."""
    browser: str
    python: str
    platform: str
    settings: RunSettings


class CallUsage(Strict):
    """What one model call used. None means not reported, which is not zero."""

    tokens_in: int | None
    tokens_out: int | None
    cost: str | None
    """Decimal with currency, None if unpriced."""


class PromptLine(Strict):
    """One line of prompts.jsonl. `started` is on disk before anything is sent."""

    kind: Literal["model_call_started", "model_call_ended"]
    call: str
    at: AwareDatetime
    request: dict[str, Any] | None = None
    """started: the body as sent (no key)."""
    request_sha256: Sha256 | None = None
    screen: int | None = None
    """started: seq of the screen it answers."""
    retry_note: str | None = None
    outcome: (
        Literal[
            "ok",
            "refused_schema",
            "rate_limited",
            "timeout",
            "http_error",
            "empty",
            "truncated",
            "refusal",
            "quota_text",
            "gate_closed",
        ]
        | None
    ) = None
    status: int | None = None
    reply: str | None = None
    latency_ms: float | None = None
    usage: CallUsage | None = None
    error: str | None = None


class FileHash(Strict):
    path: str
    size: int
    sha256: Sha256


class Cost(Strict):
    """Sum over the calls of one role."""

    role: Literal["customer", "product"]
    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    cost: str | None
    complete: bool
    """False where a call was under way when something died, or where usage or price is missing."""
    why_incomplete: str | None


class Attempt(Strict):
    """`attempt.json`, written last."""

    schema_: Literal["attempt-v1"] = Field(alias="schema")
    run: str
    package: str
    package_sha256: Sha256
    trial: int
    attempt: int
    parent_attempt: str | None
    """Replays and forks: the attempt they come from, as `run/package/t01/a01`."""
    request_id: str
    started_at: AwareDatetime
    ended_at: AwareDatetime
    termination_reason: TerminationReason
    why: str
    final: str | None
    customer: CustomerKind
    rng_seed: int
    slips: dict[str, int]
    """Fidelity: slips by kind (delivered or not)."""
    counts: dict[str, int]
    """messages_sent, moves, rejected_moves, stand_ins, retries, uploads, unsettled_turns, capture_failed, blocked_requests."""
    costs: list[Cost]
    files: list[FileHash]


COST_ROLES = ("customer", "product")
"""Whose models an attempt's costs speak of."""


def unreported_costs(attempt: Attempt) -> list[str]:
    """Roles of which the attempt says nothing, which is not zero; a customer that is no model costs nothing."""
    said = {cost.role for cost in attempt.costs}
    free = {"customer"} if attempt.customer in WITHOUT_MODEL else set()
    return [role for role in COST_ROLES if role not in said | free]


class LedgerLine(Strict):
    """One finished attempt."""

    seq: int
    at: AwareDatetime
    package: str
    trial: int
    attempt: int
    termination_reason: TerminationReason
    attempt_sha256: Sha256
    """Hash of the bytes of attempt.json."""
    previous: Sha256
    """Hash of the bytes of the previous line without its line break; 64 zeros for the first."""
