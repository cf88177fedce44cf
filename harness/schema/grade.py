"""Official or rehearsal: computed when read, never stored as a claim."""

from typing import Literal

from harness.schema.run import Attempt, RunManifest


def grade(
    manifest: RunManifest, attempt: Attempt | None = None, chain_ok: bool = True
) -> tuple[Literal["official", "rehearsal"], list[str]]:
    """The grade and every reason that makes it a rehearsal (empty for official)."""
    s = manifest.settings
    reasons: list[str] = []
    if s.rehearsal:
        reasons.append("started with --rehearsal")
    if s.customer != "model":
        reasons.append(f"the customer is {s.customer}, not a model")
    elif s.customer_endpoint != "configured":
        reasons.append("the customer's model is the embedded one")
    if manifest.runtime.runtime != "model":
        reasons.append("the product's runtime is controlled")
    elif manifest.product_model_embedded or manifest.runtime.stores.get("model") == "embedded":
        reasons.append("the product's model is the embedded one")
    if s.defects:
        reasons.append("the product runs with switched-on defects")
    if s.parent_attempt is not None:
        reasons.append(f"a replay or fork of {s.parent_attempt}")
    if s.trace != "off":
        reasons.append("Playwright's trace was kept (--trace)")
    if s.slow_ms:
        reasons.append(f"slowed by {s.slow_ms} ms an act to be watched (--slow)")
    if s.pause_at is not None:
        reasons.append(f"a person could take part from turn {s.pause_at} on (--pause-at)")
    if not manifest.stores_configured:
        reasons.append("MongoDB or S3 is embedded, not configured")
    if not manifest.corpus_frozen:
        reasons.append(f"the corpus {manifest.corpus_version} is not frozen")
    if manifest.git_clean is not True:
        reasons.append(
            "the work tree is not clean" if manifest.git_clean is False else "there is no work tree to show what ran"
        )
    if attempt is not None and attempt.parent_attempt not in (None, s.parent_attempt):
        reasons.append(f"a replay or fork of {attempt.parent_attempt}")
    if not chain_ok:
        reasons.append("the record does not verify")
    return ("rehearsal" if reasons else "official"), reasons
