"""In which packages a fault can show, decided from the package alone and never from a result."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from harness.errors import InputError
from harness.schema.package import VisiblePackage, read_visible
from harness.schema.setup import ClaimsSetup
from oracle_scoring.compare import fold_text, mentions, no_value
from oracle_scoring.corpus.inquiry import InquiryPackage, load_inquiry
from oracle_scoring.corpus.load import read_labels, read_setup
from oracle_scoring.corpus.models import Labels


@dataclass(frozen=True)
class PackageData:
    """What conditions look at."""

    visible: VisiblePackage
    labels: Labels
    setup: ClaimsSetup

    @property
    def id(self) -> str:
        """The package's name."""
        return self.visible.id


Looked = PackageData | InquiryPackage
"""A package of either kind, as conditions look at it."""


def read_package(folder: Path) -> Looked:
    """The package in `folder`; the first mistake is an InputError with file, field and why."""
    if folder.absolute().parent.name == "inquiry":
        return load_inquiry(folder)
    return PackageData(read_visible(folder), read_labels(folder), read_setup(folder))


def _knows(package: PackageData, fact: str, value: str) -> bool:
    """The customer knows the fact; with this value, if one is given."""
    known = next((f for f in package.visible.facts.facts if f.id == fact), None)
    if known is None or no_value(known.value):
        return False
    return not value or fold_text(known.value) == fold_text(value)


def _optional(package: PackageData, fact: str, value: str) -> bool:
    return any(f.id == fact and fold_text(f.value) == fold_text(value) for f in package.labels.optional_facts)


def _check(package: PackageData, check: str, result: str) -> bool:
    labels = package.labels.review_checks.by_name()
    return any(label.result == result for name, label in labels.items() if check in ("*", name))


def _explained(package: PackageData, _what: str, _value: str) -> bool:
    """A check hits, and the customer can say why."""
    can_say = any("explanation" in f.id.split("_") for f in package.visible.facts.facts)
    return can_say and _check(package, "*", "hit")


def _can_swap(package: PackageData, _what: str, _value: str) -> bool:
    """Day and month of the incident change places and give another day."""
    told = next((f.value for f in package.labels.expected_facts if f.id == "incident_date"), "")
    try:
        day = date.fromisoformat(told)
    except ValueError:
        return False
    return day.day <= 12 and day.day != day.month


CONDITIONS: dict[str, Callable[[PackageData, str, str], bool]] = {
    "fact": _knows,
    "optional": _optional,
    "check": _check,
    "explained": _explained,
    "day_and_month_can_swap": _can_swap,
    "wish": lambda package, kind, _: any(w.kind == kind for w in package.visible.facts.wishes),
    "session": lambda package, kind, _: package.setup.claimant_session == kind,
    "triage": lambda package, level, _: package.labels.triage.level == level,
    "review_required": lambda package, answer, _: package.labels.review_required == (answer == "yes"),
}
"""Name -> rule. Written `name`, `name:what` or `name:what=value`; with `!` before it, it must not hold."""
INQUIRY_CONDITIONS: dict[str, Callable[[InquiryPackage, str, str], bool]] = {
    "applies": lambda package, metric, _: metric in package.labels.applies,
    "event": lambda package, event, _: any(event in label.after for label in package.labels.events),
    "ends": lambda package, how, _: package.labels.ends == how,
    "package": lambda package, names, _: package.id in names.split(","),
}
"""The same for packages of buyers."""


def holds(package: Looked, needs: Iterable[str], shown: str) -> bool:
    """Whether all conditions hold in a package.

    Args:
        package: the package.
        needs: conditions as a product declares them.
        shown: whose they are, for the message.

    Raises:
        InputError: there is no such condition.
    """
    return all(_holds(package, need, shown) for need in needs)


def _holds(package: Looked, need: str, shown: str) -> bool:
    name, _, rest = need.removeprefix("!").partition(":")
    what, _, value = rest.partition("=")
    known = INQUIRY_CONDITIONS if isinstance(package, InquiryPackage) else CONDITIONS
    if name not in known:
        raise InputError(f"{shown}: needs", f"there is no condition {name!r}; there are {', '.join(sorted(known))}")
    if isinstance(package, InquiryPackage):
        true = INQUIRY_CONDITIONS[name](package, what, value)
    else:
        true = CONDITIONS[name](package, what, value)
    return true != need.startswith("!")


def effort(package: Looked) -> tuple[int, str]:
    """How long a journey through the package is, for choosing a short one: what the opening leaves to be told, files,
    signing in; of a buyer, what they have to say, and files. The name decides between equals."""
    files = 2 * len(package.visible.materials.materials)
    if isinstance(package, InquiryPackage):
        return len(package.visible.opening.messages if package.visible.opening else [""]) + 2 * len(
            package.visible.facts.wishes
        ) + files, package.id
    opening = package.visible.initial_message
    untold = sum(not mentions(f.kind, f.value, opening) for f in package.labels.expected_facts)
    signs_in = package.setup.claimant_session == "anonymous_then_sign_in"
    return untold + files + 2 * signs_in, package.id
