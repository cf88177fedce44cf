"""What speaks against quoting a run's figures. A run with no reason left is official."""

from collections.abc import Callable, Iterable
from pathlib import Path

from harness.errors import InputError
from harness.schema.grade import grade
from harness.schema.package import KINDS, MANIFEST, Manifest, read_manifest
from harness.schema.run import RunManifest, attempt_number, trial_number
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import canonical, read_model, sha256_hex
from oracle_scoring.corpus.manifest import files_sha256, last_frozen, verify_manifest, version_path
from oracle_scoring.record import ledger_rows


def run_reasons(run_dir: Path, manifest: RunManifest, cards: Iterable[Scorecard], corpus: Path) -> list[str]:
    """Every reason why the run is a rehearsal, each once; none for an official run.

    Looked at are the run's own grade, the grade of each attempt (its hashes and its place in the ledger among it), the
    ledger against the folders, and the corpus: the packages must be those of a frozen version, byte for byte.
    """
    reasons = list(grade(manifest)[1])
    for card in cards:
        own = [reason for reason in card.grade_reasons if reason not in reasons]
        reasons += [f"{card.package}/t{card.trial:02d}/a{card.attempt:02d}: {reason}" for reason in own]
    reasons += ledger_reasons(run_dir)
    reasons += corpus_reasons(corpus)
    reasons += package_reasons(manifest, corpus)
    return list(dict.fromkeys(reasons))


def ledger_reasons(run_dir: Path) -> list[str]:
    """Attempts that the ledger names and the run no longer has, numbers left out, and lines that cannot be read.

    So an attempt that went badly cannot be taken away, neither its folder nor its line.
    """
    path = run_dir / "ledger.jsonl"
    if not path.is_file():
        return ["there is no ledger"]
    known: set[tuple[str, int, int]] = set()
    reasons: list[str] = []
    for number, _, line in ledger_rows(path):
        if line is None:
            reasons.append(f"line {number} of the ledger is unreadable")
        else:
            known.add((line.package, line.trial, line.attempt))
    there = set(_folders(run_dir))
    for package, trial, attempt in sorted(known - there):
        reasons.append(f"{package}/t{trial:02d}/a{attempt:02d} stands in the ledger and its record is gone")
    for package, trial, attempt in sorted(there | known):
        if attempt > 1 and (package, trial, attempt - 1) not in there | known:
            reasons.append(f"{package}/t{trial:02d} has no attempt {attempt - 1}, which came before attempt {attempt}")
    return reasons


def _folders(run_dir: Path) -> Iterable[tuple[str, int, int]]:
    for path in run_dir.glob("*/t*/a*"):
        trial, attempt = trial_number(path.parent.name), attempt_number(path.name)
        if trial is not None and attempt is not None and path.is_dir() and path.parts[-3] != "scores":
            yield path.parts[-3], trial, attempt


def corpus_reasons(corpus: Path) -> list[str]:
    """Why the corpus at hand is not a frozen one, true of every byte."""
    manifest = read_manifest(corpus)
    if not manifest.frozen:
        return [f"the answers are those of {manifest.version}, which is not frozen"]
    try:
        last_frozen(corpus)
    except InputError as exc:
        return [str(exc)]
    changed = verify_manifest(corpus)
    if not changed:
        return []
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return [f"the corpus is not as it was frozen: {changed[0].file} {changed[0].what}{more}"]


def package_reasons(manifest: RunManifest, corpus: Path) -> list[str]:
    """Packages that were played and are not those of the frozen version that the run names."""
    if not manifest.corpus_frozen:
        return []
    frozen = frozen_version(corpus, manifest.corpus_version)
    if frozen is None:
        return [f"{corpus.name} keeps no frozen version {manifest.corpus_version}, which the run was played on"]
    hashes = package_hashes(frozen)
    wrong = [name for name, digest in sorted(manifest.settings.packages.items()) if hashes.get(name) != digest]
    return [f"{name} as played is not the package that was frozen as {manifest.corpus_version}" for name in wrong]


def frozen_version(corpus: Path, version: str) -> Manifest | None:
    """The manifest of a version that was frozen, kept whatever came after it; None if there is none of that name.

    Raises:
        InputError: it is not the one that was frozen.
    """
    now = read_manifest(corpus)
    change = next((c for c in now.changes if c.version == version and c.frozen_as is not None), None)
    path = version_path(corpus, version)
    if change is None or not path.is_file():
        return None
    kept = read_model(Manifest, path, f"{corpus.name}/{path.relative_to(corpus).as_posix()}")
    if files_sha256(kept) != change.frozen_as:
        raise InputError(f"{corpus.name}/{MANIFEST}", f"{version} as kept is not {version} as it was frozen")
    return kept


def package_hashes(manifest: Manifest) -> dict[str, str]:
    """Package id -> the one hash over names and hashes of its files, as a run's settings have it."""
    files: dict[str, dict[str, str]] = {}
    for path, digest in manifest.files.items():
        kind, _, rest = path.partition("/")
        package, _, name = rest.partition("/")
        if kind in KINDS and name:
            files.setdefault(package, {})[name] = digest
    return {package: sha256_hex(canonical(held)) for package, held in files.items()}


ALIKE: tuple[tuple[str, Callable[[RunManifest], object]], ...] = (
    ("the product", lambda m: m.runtime.product), ("the product's version", lambda m: m.runtime.version),
    ("the product's runtime", lambda m: m.runtime.runtime), ("the product's model", lambda m: m.runtime.model),
    ("the adapter", lambda m: m.settings.adapter_sha256), ("the defects", lambda m: m.settings.defects),
    ("the customer", lambda m: m.settings.customer), ("the customer's model", lambda m: m.settings.customer_model),
    ("what the customer sees", lambda m: m.settings.customer_sees_files), ("the prompt template", lambda m: m.settings.template_sha256),
    ("the turn limit", lambda m: m.settings.turn_limit), ("the time a turn may take", lambda m: m.settings.turn_timeout_s),
    ("the time a journey may take", lambda m: m.settings.journey_timeout_s),
)  # fmt: skip
"""What runs must have in common to stand in one table: name, and where it stands in run.json."""


def check_alike(manifests: Iterable[RunManifest]) -> None:
    """InputError that names the first thing in which two runs are not alike, or the run that was named twice."""
    all_of_them = list(manifests)
    first = all_of_them[0]
    for at, other in enumerate(all_of_them[1:], 1):
        if other.run in {m.run for m in all_of_them[:at]}:
            raise InputError(f"run {other.run}", "is named twice; a run's journeys are counted once")
        for name, read in ALIKE:
            if read(first) != read(other):
                raise InputError(
                    f"run {other.run}", f"differs from run {first.run} in {name}; unlike runs stand in no common table"
                )
        shared = sorted(set(first.settings.packages) & set(other.settings.packages))
        changed = [p for p in shared if first.settings.packages[p] != other.settings.packages[p]]
        if changed:
            raise InputError(f"run {other.run}", f"was played on another {changed[0]} than run {first.run}")
