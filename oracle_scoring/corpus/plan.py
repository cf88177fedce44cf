"""The plan of the claims corpus: how many packages of what, and how far it is."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from harness.schema.base import Strict
from harness.schema.package import MATERIALS_DIR
from harness.schema.strict_json import read_model, sha256_hex
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import ScenarioClass

PLAN_FILE = "plan.json"
Number = Annotated[int, Field(ge=0)]


class Plan(Strict):
    """`packages/plan.json`: what a complete corpus has. Without the file, the plan of the claims corpus holds."""

    groups: dict[Literal["motor", "home", "property"], Number] = {"motor": 50, "home": 30, "property": 20}
    """First part of a scenario class -> number of packages."""
    review_required: Number = 17
    """Packages that need a review."""
    innocent_controls: Number = 13
    """Packages that look suspicious and must not be flagged."""
    every_class: bool = True
    """Each scenario class has at least one package."""


PLAN = Plan()
"""Of the claims corpus: 100 packages."""


def read_plan(root: Path) -> Plan:
    """The plan of the corpus in `root`.

    Raises:
        InputError: there is a plan file, and it is wrong.
    """
    path = root / PLAN_FILE
    return read_model(Plan, path, f"{root.name}/{PLAN_FILE}") if path.exists() else PLAN


@dataclass(frozen=True)
class Summary:
    """What the plan and the comparison of packages need to know of one package."""

    id: str
    scenario_class: str
    review_required: bool
    innocent_control: str | None
    canaries: dict[str, str]
    """File below the package -> its canary."""
    hashes: dict[str, str]
    """Material -> sha256."""
    identities: dict[str, str]
    """Number, address or plate that belongs to one customer -> where it stands."""
    labels: list[tuple[str, str]]
    """Evidence kind and label of each file."""
    files: dict[str, str]
    """Path below the package -> sha256, for every file."""


def summary(package: Package, texts: Mapping[str, bytes]) -> Summary:
    """The summary of a package.

    Args:
        package: the package.
        texts: path below it -> bytes, for its text files.
    """
    setup, labels = package.setup, package.labels
    identities = {c.number: f"setup.json: prior_claims.{n}.number" for n, c in enumerate(setup.prior_claims)}
    if setup.policy is not None:
        identities[setup.policy.number] = "setup.json: policy.number"
    for n, fact in enumerate(package.visible.facts.facts):
        if fact.id in ("contact_email", "contact_phone", "plate", "police_reference") and fact.value != "none":
            identities[fact.value] = f"input/facts.json: facts.{n}.value"
    return Summary(
        id=package.id,
        scenario_class=labels.scenario_class,
        review_required=labels.review_required,
        innocent_control=labels.innocent_control,
        canaries=package.canaries,
        hashes=package.hashes,
        identities=identities,
        labels=[
            (m.hidden.evidence_kind, " ".join(m.visible.label.casefold().split()))
            for m in package.visible.materials.materials
        ],
        files={
            **{name: sha256_hex(data) for name, data in texts.items()},
            **{f"{MATERIALS_DIR}/{name}": digest for name, digest in package.hashes.items()},
        },
    )


@dataclass(frozen=True)
class Count:
    """One line of the progress."""

    what: str
    have: int
    plan: int
    exact: bool = True
    """False: the plan is a least number."""

    @property
    def done(self) -> bool:
        """Neither too few nor too many."""
        return self.have == self.plan if self.exact else self.have >= self.plan


def progress(packages: Iterable[Summary | Package], plan: Plan = PLAN) -> list[Count]:
    """How many packages there are of everything that the plan counts."""
    labels = [p.labels if isinstance(p, Package) else p for p in packages]
    groups = Counter(p.scenario_class.split(".")[0] for p in labels)
    counts = [Count(f"{group} packages", groups[group], number) for group, number in plan.groups.items()]
    counts.append(Count("packages that need a review", sum(p.review_required for p in labels), plan.review_required))
    innocent = sum(p.innocent_control is not None for p in labels)
    counts.append(Count("innocent controls", innocent, plan.innocent_controls))
    if plan.every_class:
        classes = Counter(p.scenario_class for p in labels)
        counts += [Count(name, classes[name], 1, exact=False) for name in get_args(ScenarioClass)]
    return counts


def quota_findings(root: Path, packages: Iterable[Summary | Package], plan: Plan | None = None) -> list[Finding]:
    """Everything in which the corpus is not as planned; a corpus with any is not frozen.

    Args:
        root: the corpus, with its plan if it has one of its own.
        packages: all of its packages.
        plan: another plan than the corpus's.

    Raises:
        InputError: the corpus's plan cannot be read.
    """
    return [
        Finding(
            code="quota",
            file=root.name,
            field=count.what,
            what=f"{count.have} of {count.plan}",
            mend=f"add packages, or take some out; the plan stands in {PLAN_FILE}",
        )
        for count in progress(packages, plan or read_plan(root))
        if not count.done
    ]
