"""Review checks: reasons for a person to look at a claim, never a finding of fraud.

All are relative to the date of the incident. `not_checked` (no data, unreadable, a page missing) never means `clear`.
"""

from collections.abc import Sequence
from datetime import date

from harness.devstack.claims.case import Case, PolicyData, PriorClaimData, Review, Upload

STRONG = ("receipt_after_incident", "quote_before_incident")
WEAK = ("prior_claims_within_year", "loss_within_30_days_of_inception")
CHECKS = (*STRONG, *WEAK)
YEAR_DAYS = 365
EARLY_LOSS_DAYS = 30
PRIOR_CLAIMS = 2


def run_checks(
    incident: date | None,
    uploads: Sequence[Upload],
    policy: PolicyData | None,
    prior_claims: Sequence[PriorClaimData],
    failed_lookups: Sequence[str],
) -> dict[str, str]:
    """Each check as hit, clear, not_checked or not_applicable."""
    return {
        "receipt_after_incident": _papers(incident, [u for u in uploads if u.kind == "receipt"], after=True),
        "quote_before_incident": _papers(incident, [u for u in uploads if u.kind == "quote"], after=False),
        "prior_claims_within_year": _prior_claims(incident, policy, prior_claims, failed_lookups),
        "loss_within_30_days_of_inception": _early_loss(incident, policy, failed_lookups),
    }


def required(checks: dict[str, str]) -> bool:
    """One strong or two weak hits; nothing else."""
    return any(checks.get(c) == "hit" for c in STRONG) or sum(checks.get(c) == "hit" for c in WEAK) >= 2


def explanation(checks: dict[str, str], said: dict[str, str]) -> str | None:
    """What the customer said about the checks that hit, None if nothing."""
    texts = list(dict.fromkeys(said[c] for c in CHECKS if checks.get(c) == "hit" and c in said))
    return "\n".join(texts) or None


def review(case: Case, policy: PolicyData | None, prior: Sequence[PriorClaimData], failed: Sequence[str]) -> Review:
    """The review of a case as it stands."""
    incident = day(case.value("incident_date"))
    checks = run_checks(incident, case.uploads, policy, prior, failed)
    return Review(
        checks=checks,
        required=required(checks),
        explanation=explanation(checks, case.explanations),
        why_not=why_not(checks, incident, case.uploads, failed),
    )


def why_not(
    checks: dict[str, str], incident: date | None, uploads: Sequence[Upload], failed: Sequence[str]
) -> dict[str, str]:
    """Check -> why it was not made, in words for staff."""
    return {c: _why_not(c, incident, uploads, failed) for c, result in checks.items() if result == "not_checked"}


def _why_not(check: str, incident: date | None, uploads: Sequence[Upload], failed: Sequence[str]) -> str:
    if incident is None:
        return "The date of the incident is not known."
    if check in WEAK:
        lookup = "prior_claims" if check == "prior_claims_within_year" else "policy"
        return "The lookup failed." if lookup in failed else "No policy is known."
    kind = "receipt" if check == "receipt_after_incident" else "quote"
    unread = [u for u in uploads if u.kind == kind and day(u.document_date) is None]
    missing = any(u.pages_missing for u in unread)
    return "A page of the document is missing." if missing else "The date on the document could not be read."


def day(value: str | None) -> date | None:
    """A canonical date value as a date; None for "unknown" and absent ones."""
    try:
        return date.fromisoformat(value or "")
    except ValueError:
        return None


def _papers(incident: date | None, papers: list[Upload], after: bool) -> str:
    if not papers:
        return "not_applicable"
    if incident is None:
        return "not_checked"
    dates = [day(p.document_date) for p in papers]
    if any(d is not None and (d > incident if after else d < incident) for d in dates):
        return "hit"
    if any(d is None for d in dates):
        return "not_checked"  # unreadable, or on a page that did not come
    return "clear"


def _prior_claims(
    incident: date | None, policy: PolicyData | None, prior: Sequence[PriorClaimData], failed: Sequence[str]
) -> str:
    if incident is None or policy is None or "prior_claims" in failed:
        return "not_checked"  # earlier claims are looked up by the policy
    reported = [day(p.reported) for p in prior]
    near = [d for d in reported if d is not None and 0 <= (incident - d).days <= YEAR_DAYS]
    return "hit" if len(near) >= PRIOR_CLAIMS else "clear"


def _early_loss(incident: date | None, policy: PolicyData | None, failed: Sequence[str]) -> str:
    if incident is None or policy is None or "policy" in failed:
        return "not_checked"
    inception = day(policy.inception)
    if inception is None:
        return "not_checked"
    return "hit" if 0 <= (incident - inception).days <= EARLY_LOSS_DAYS else "clear"
