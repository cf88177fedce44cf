"""`rig publish --json`: figures with all that belongs to them."""

from typing import Literal

from pydantic import AwareDatetime, Field

from harness.schema.base import Strict
from harness.schema.human import Agreement
from harness.schema.product import Sha256
from oracle_scoring.publish.intervals import Interval, Statistic

Met = Literal["met", "not met", "not decided"]


class Outside(Strict):
    """Counting journeys that are in neither numerator nor denominator, by reason."""

    not_applicable: int
    """The question does not arise: no review alarm can be false where a review is due."""
    not_checked: int
    unimplemented: int
    needs_human: int

    @property
    def unknown(self) -> int:
        """Those that would be inside if more were known."""
        return self.not_checked + self.unimplemented + self.needs_human


class Share(Strict):
    """A share of journeys."""

    id: str
    title: str
    counts: str
    """What a journey must do to be in the numerator."""
    numerator: int
    denominator: int
    """Counting journeys that were decided, pass or fail."""
    value: float | None
    interval: Interval | None
    outside: Outside
    if_unknown_failed: float | None
    """The share if every journey outside for want of knowledge had failed …"""
    if_unknown_passed: float | None
    """… or passed."""
    target: str | None
    met: Met | None
    """None: the figure has no target."""
    met_why: str | None
    failed: list[str]
    """`run/package/t01/a01` of the journeys that were decided and are not in the numerator."""
    unknown: list[str]
    """The journeys outside for want of knowledge."""


class Number(Strict):
    """A measure over packages: one value per package (the mean of its repeats)."""

    id: str
    title: str
    unit: str
    statistic: Statistic
    value: float | None
    interval: Interval | None
    packages: int
    """Packages with a value."""
    without: int
    """Packages without one, for want of evidence."""
    note: str | None


class Repeats(Strict):
    """pass^k of one share: all of `k` repeats of a package pass."""

    id: str
    title: str
    k: int
    value: float | None
    interval: Interval | None
    packages: int
    """Packages with at least `k` decided repeats."""
    too_few: int
    """Packages with fewer."""


class RoleCost(Strict):
    """What the model calls of one role used, retries and attempts that do not count included."""

    role: str
    attempts: int
    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    """Sums of what is known; None if nothing is."""
    cost: list[str]
    """Sum per currency, e.g. `0.42 USD`; empty: nothing was priced, which is not zero."""
    complete: bool
    why_incomplete: list[str]
    """Each with the number of attempts it holds for."""


class BlindTriage(Strict):
    """Staff's own grading against the product's."""

    share: Share | None
    """None: nothing was graded."""
    why_not: str | None
    graders: int
    agreements: dict[str, list[Agreement]]
    """Run -> agreement between staff, product and oracle, as it was found at the import of the sheets."""


class RunPart(Strict):
    """One run the figures stand on."""

    run: str
    created_at: AwareDatetime
    rig_version: str
    git_commit: str | None
    corpus_version: str
    grade: Literal["official", "rehearsal"]
    reasons: list[str]
    planned_trials: int
    counting: int
    attempts: int
    not_counting: dict[str, int]
    """Termination reason (or `unfinished`) -> attempts that are in no figure but cost."""


class Publication(Strict):
    """Everything `rig publish` says."""

    schema_: Literal["publication-v1"] = Field(alias="schema")
    published: bool
    """False: a rehearsal's table, not to be quoted as a figure of the product."""
    reasons: list[str]
    """Why not; empty if published."""
    runs: list[RunPart]
    corpus_version: str
    corpus_sha256: Sha256
    """Over names and hashes of all files of the corpus whose answers scored the runs."""
    rubric: str
    scoring_version: str
    oracle_revisions: dict[str, int]
    packages: int
    """Packages with a counting journey."""
    packages_in_corpus: int
    product: str
    product_version: str
    product_model: str | None
    customer: str
    customer_model: str | None
    journeys: int
    """Counting journeys."""
    acceptance: list[Share]
    blind_triage: BlindTriage
    further: list[Share]
    numbers: list[Number]
    repeats: list[Repeats]
    cost: list[RoleCost]
    cost_by_package: dict[str, list[RoleCost]]
    caveats: list[str]
    """What was corrected, not checked or left out in these runs."""
    says_not: list[str]
