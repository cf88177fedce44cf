"""Run manifests for tests."""

from datetime import UTC, datetime
from typing import Any

from harness.schema.product import RuntimeReport
from harness.schema.run import RunManifest, RunSettings

SHA = "a" * 64


def settings(**changes: Any) -> RunSettings:
    """Settings of a rehearsal with one package."""
    base: dict[str, Any] = {
        "packages": {"CTL-T-001": SHA}, "adapter": "reference-claims", "adapter_sha256": SHA, "base_url": "http://127.0.0.1:1",
        "customer": "rule", "customer_model": None, "customer_endpoint": "none", "customer_source": None, "customer_sees_files": False,
        "trials": 1, "max_attempts": 3, "turn_limit": 40, "turn_timeout_s": 60.0, "journey_timeout_s": 600.0, "rng_seed": 1,
        "rehearsal": True, "defects": [], "template_sha256": SHA,
    }  # fmt: skip
    return RunSettings(**{**base, **changes})


def manifest(run: str = "r1", **changes: Any) -> RunManifest:
    """A run of the reference product."""
    runtime = RuntimeReport(
        schema="runtime-report-v1", product="reference claims", version="1", runtime="controlled", model=None, stores={}
    )
    base: dict[str, Any] = {
        "schema": "run-v1", "run": run, "created_at": datetime(2026, 1, 2, tzinfo=UTC), "rig_version": "0", "git_commit": None,
        "git_clean": None, "corpus_version": "draft", "corpus_frozen": False, "runtime": runtime, "stores_configured": False,
        "browser": "x", "python": "3", "platform": "x", "settings": settings(),
    }  # fmt: skip
    return RunManifest(**{**base, **changes})
