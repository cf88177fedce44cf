"""What people said about a run: sheets handed out, sheets that came back, and what follows from them.

Everything lies below `results/<run>/human/`: a folder for each sheet (`key.json`, `returned/*.json`), and two files that are
made anew from all of them at each import: `triage.json` and `verdicts.json`.
"""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from harness.schema.base import Strict
from harness.schema.product import Sha256, TriageLevel

HUMAN_DIR = "human"
"""Folder of a run."""
TRIAGE_FILE = "triage.json"
VERDICTS_FILE = "verdicts.json"
LEVELS: tuple[TriageLevel, ...] = ("simple", "standard", "complex", "urgent")
"""Lightest first: the order that weighted kappa stands on."""
CANNOT_SAY = "cannot_say"
"""A person looked and could not decide; in no rate."""

SheetKind = Literal["triage", "human"]
Grade = Literal["simple", "standard", "complex", "urgent", "pass", "fail", "cannot_say"]
Grader = Annotated[str, Field(min_length=1, max_length=60)]
"""Name or initials, as the person wrote them; two writings that differ by case or width only are one person."""


class SheetItem(Strict):
    """One row of a sheet: what its neutral id stands for."""

    item: str
    package: str
    trial: int
    attempt: int
    attempt_sha256: Sha256
    """Of the bytes of attempt.json when the sheet was made."""
    line: str | None = None
    """human: id of the score line that is left to a person."""
    question: str | None = None
    """human: what the person is asked, whole and as the score line has it."""


class SheetKey(Strict):
    """`key.json`: kept with the run, never handed out."""

    schema_: Literal["sheet-key-v1"] = Field(alias="schema")
    kind: SheetKind
    sheet: str
    """Id of the sheet; its first characters begin every item's id."""
    run: str
    rng_seed: int
    """Seed of the order, and of the choice where only a sample was taken."""
    of: int
    """Rows there would have been without `--sample`."""
    items: list[SheetItem]
    """In the order of the sheet."""
    files: dict[str, Sha256]
    """Name -> hash of what was handed out."""
    words_left_out: int
    """Places where a word of the product's could have told a level or a reason and stands as […]."""
    files_not_shown: int
    """Files of customers that the page could not show."""


class Answer(Strict):
    """One graded row."""

    item: str
    grader: Grader
    grade: Grade
    comment: str | None


class ReturnedSheet(Strict):
    """`returned/<sha256>.json`: one sheet as it came back; the file itself lies beside it."""

    schema_: Literal["returned-sheet-v1"] = Field(alias="schema")
    kind: SheetKind
    source: str
    """Name of the file."""
    sha256: Sha256
    imported_at: AwareDatetime
    missing: list[str]
    """Items without a grade (`--partial`)."""
    answers: list[Answer]


class Kappa(Strict):
    """Agreement beyond chance; 1 is full, 0 is what chance gives."""

    weights: Literal["linear", "quadratic"]
    value: float | None
    low: float | None
    high: float | None
    """95 %, by bootstrap over packages."""
    note: str | None
    """Why there is no value or no interval."""


class Agreement(Strict):
    """Two sides' levels of the same attempts."""

    one: str
    """`staff` (every grade of every person), or `grader <name>`."""
    other: str
    """`product`, `oracle`, or `grader <name>`."""
    pairs: int
    packages: int
    same: int
    same_low: float | None
    same_high: float | None
    """95 % (Wilson) of same / pairs; None without pairs. Several grades of one attempt are not independent."""
    kappas: list[Kappa]
    confusion: list[list[int]]
    """Rows: `one`, columns: `other`, both in the order of `levels`."""


class GradedAttempt(Strict):
    """One counting attempt that somebody graded."""

    package: str
    trial: int
    attempt: int
    attempt_sha256: Sha256
    grades: dict[str, Grade]
    """Grader -> level, or cannot_say."""
    staff_level: TriageLevel | None
    """The level that more than half of those who gave one gave; None if there is no such level."""
    product_level: TriageLevel | None
    product_why: str | None
    """Why the product has no level."""
    oracle_level: TriageLevel


class TriageGrading(Strict):
    """`triage.json`: levels given blind by people, beside the product's and the oracle's."""

    schema_: Literal["human-triage-v1"] = Field(alias="schema")
    run: str
    scoring_version: str
    levels: list[TriageLevel]
    sheets: list[str]
    graders: list[str]
    counting: int
    """Counting attempts of the run."""
    graded: int
    """Those that at least one person gave a level."""
    decided: int
    """Those with a staff level and a product level."""
    product_as_staff: int
    """Of the decided: the product's level is the staff's."""
    cannot_say: int
    """Grades that were no level."""
    missing: int
    """Rows of returned sheets without a grade."""
    rng_seed: int
    resamples: int
    attempts: list[GradedAttempt]
    agreements: list[Agreement]


class Verdict(Strict):
    """What people said about one score line that is left to them."""

    package: str
    trial: int
    attempt: int
    attempt_sha256: Sha256
    line: str
    question: str
    answers: list[Answer]
    state: Literal["pass", "fail", "needs_human"]
    """needs_human where they do not agree, or nobody could say."""
    why: str


class HumanVerdicts(Strict):
    """`verdicts.json`: shown with the scorecards, never written into them."""

    schema_: Literal["human-verdicts-v1"] = Field(alias="schema")
    run: str
    missing: int
    """Rows of returned sheets without a grade."""
    verdicts: list[Verdict]
