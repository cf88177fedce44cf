"""The checker: a package that gives no finding may be run and scored.

A check is a function from a package to findings; `CHECKS` lists them all. Mistakes of form end the check of a package,
since nothing behind them can be trusted. Packages are independent of each other and are shared out among processes when
there are many; what concerns several packages is compared afterwards, from their summaries.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from harness.errors import InputError
from harness.schema.package import INITIAL_MESSAGE, KINDS, MANIFEST, find_packages
from harness.schema.strict_json import read_bytes
from oracle_scoring.corpus.check_assertions import assertion_findings
from oracle_scoring.corpus.check_characters import character_findings
from oracle_scoring.corpus.check_documents import document_findings
from oracle_scoring.corpus.check_form import form_finding, read_package
from oracle_scoring.corpus.check_labels import label_findings
from oracle_scoring.corpus.check_leaks import leak_findings
from oracle_scoring.corpus.check_recipes import recipe_findings, redraw_findings
from oracle_scoring.corpus.check_says import said_findings
from oracle_scoring.corpus.check_sufficiency import sufficiency_findings
from oracle_scoring.corpus.check_texts import text_findings
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.inquiry import InquiryPackage, check_inquiry, load_inquiry
from oracle_scoring.corpus.layout import JSON_FILES, layout_findings, mend
from oracle_scoring.corpus.ledger import ledger_findings
from oracle_scoring.corpus.load import Package, is_corpus, require_packages
from oracle_scoring.corpus.look_findings import look_findings
from oracle_scoring.corpus.manifest import take_in, verify_manifest
from oracle_scoring.corpus.plan import Count, Plan, Summary, progress, quota_findings, read_plan, summary
from oracle_scoring.corpus.unwritten import BRACKET, unwritten_findings, without_follow_ups

CHECKS: list[Callable[[Package], Iterator[Finding]]] = [
    label_findings,
    assertion_findings,
    text_findings,
    said_findings,
    character_findings,
    document_findings,
    recipe_findings,
    leak_findings,
    sufficiency_findings,
    look_findings,
    unwritten_findings,
]
SHARE = 24
"""From so many packages on, processes share the work."""
MANY_LABELS = 5
"""So many files of one kind with one and the same label were not labelled by hand."""


@dataclass(frozen=True)
class Report:
    """What the checker says."""

    findings: list[Finding]
    packages: list[str]
    """Ids of the packages looked at, in the order of ids."""
    progress: list[Count] = field(default_factory=list)
    """Against the plan of the corpus; empty where single packages were checked."""
    mended: list[str] = field(default_factory=list)
    """Files that `fix` laid out anew."""
    taken_in: list[str] = field(default_factory=list)
    """Files that `fix` wrote into the manifest of a draft, or out of it."""


def check_package(package: Package) -> list[Finding]:
    """All findings of a package that could be read."""
    return _findings(package, _texts(package))


def _texts(package: Package) -> dict[str, bytes]:
    return {f: read_bytes(package.folder / f, f) for f in (INITIAL_MESSAGE, *JSON_FILES)}


def _findings(package: Package, texts: dict[str, bytes]) -> list[Finding]:
    found = [*layout_findings(package.folder, texts), *(finding for one in CHECKS for finding in one(package))]
    return without_follow_ups(found)


def check(folder: Path) -> list[Finding]:
    """All findings of the package in `folder`; none if it is in order."""
    return check_one(folder)[0]


def check_one(folder: Path) -> tuple[list[Finding], Summary | None]:
    """Findings and summary of one package; no summary if it could not be read, or is an inquiry package."""
    if folder.resolve().parent.name == "inquiry":
        return check_inquiry(folder), None
    package = read_package(folder)
    if isinstance(package, list):
        return package, None
    try:
        texts = _texts(package)
        return _findings(package, texts), summary(package, texts)
    except InputError as exc:
        return [form_finding(exc)], None


def _check_many(folders: Sequence[Path]) -> list[tuple[list[Finding], Summary | None]]:
    return [check_one(folder) for folder in folders]


def check_folders(folders: Sequence[Path], jobs: int | None = None) -> list[tuple[list[Finding], Summary | None]]:
    """`check_one` of each folder, in their order.

    Args:
        folders: of packages.
        jobs: processes; None: as many as there are processors, and one for few packages.
    """
    if jobs is None:
        jobs = min(os.cpu_count() or 1, 8) if len(folders) >= SHARE else 1
    if jobs <= 1:
        return _check_many(folders)
    size = max(1, -(-len(folders) // (jobs * 4)))
    parts = [folders[n : n + size] for n in range(0, len(folders), size)]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        return [result for part in pool.map(_check_many, parts) for result in part]


class _HasCanaries(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def canaries(self) -> dict[str, str]: ...


def _inquiries(folders: Iterable[Path]) -> list[InquiryPackage]:
    """The inquiry packages that can be read; what is wrong with the others is found where they are checked."""
    read = []
    for folder in folders:
        with suppress(InputError):
            read.append(load_inquiry(folder))
    return read


def shared_canaries(packages: Iterable[_HasCanaries]) -> list[Finding]:
    """Canaries that more than one package has."""
    seen: dict[str, str] = {}
    findings = []
    for package in packages:
        for file, canary in package.canaries.items():
            where = f"{package.id}/{file}"
            owner = seen.setdefault(canary, where)
            if owner.split("/")[0] != package.id:
                findings.append(
                    Finding(
                        code="canary_repeated",
                        file=where,
                        field="canary",
                        what=f"is the one of {owner}",
                        mend="draw another one; a copied package gets new canaries",
                    )
                )
    return findings


def shared_things(packages: Iterable[Summary]) -> list[Finding]:
    """Numbers, addresses, plates and files that two packages have: packages share nothing."""
    findings = []
    owners: dict[str, str] = {}
    files: dict[str, str] = {}
    for package in packages:
        for value, where in package.identities.items():
            if BRACKET in value:
                continue  # nobody's yet
            if (owner := owners.setdefault(value.casefold(), package.id)) != package.id:
                file, _, place = where.partition(": ")
                findings.append(
                    Finding(
                        code="identity_repeated",
                        file=f"{package.id}/{file}",
                        field=place,
                        what=f"{value} belongs to {owner} already",
                        mend="each package has its own customer, cover and references",
                    )
                )
        for name, digest in package.hashes.items():
            if (owner := files.setdefault(digest, package.id)) != package.id:
                findings.append(
                    Finding(
                        code="material_shared",
                        file=f"{package.id}/input/materials/{name}",
                        field="",
                        what=f"is a file of {owner}, byte for byte",
                        mend="make a file of its own for each package",
                    )
                )
    return findings


def same_labels(packages: Iterable[Summary]) -> list[Finding]:
    """Kinds of which every file in the corpus has the same label: that label comes from a table, not from a hand."""
    found: dict[str, list[tuple[str, str]]] = {}
    for package in packages:
        for kind, label in package.labels:
            found.setdefault(kind, []).append((package.id, label))
    return [
        Finding(
            code="label_from_kind",
            file=f"{places[0][0]}/input/materials.json",
            field="materials",
            what=f"all {len(places)} files of one kind are called {places[0][1]!r}",
            mend="describe each file by hand, as the person who holds it would",
        )
        for places in found.values()
        if len(places) >= MANY_LABELS and len({label for _, label in places}) == 1
    ]


def check_corpus(
    root: Path, *, freezing: bool = False, plan: Plan | None = None, jobs: int | None = None
) -> list[Finding]:
    """Findings of every package below `root`, of the packages together, and of the manifest.

    Args:
        root: folder with `claims/`, `inquiry/` and the manifest.
        freezing: the quotas of `plan` are findings too.
        plan: how many packages of what; None: the corpus's own.
        jobs: processes; None: chosen by the number of packages.
    """
    return corpus_report(root, freezing=freezing, plan=plan, jobs=jobs).findings


def corpus_report(root: Path, *, freezing: bool = False, plan: Plan | None = None, jobs: int | None = None) -> Report:
    """As `check_corpus`, with the progress against the plan."""
    try:
        folders = find_packages(root)
        inquiries = find_packages(root, "inquiry")
    except InputError as exc:
        return Report([form_finding(exc)], [])
    results = check_folders(list(folders.values()), jobs)
    findings = [finding for found, _ in results for finding in found]
    read = [one for _, one in results if one is not None]
    findings += [finding for folder in inquiries.values() for finding in check_inquiry(folder)]
    canaries = shared_canaries([*read, *_inquiries(inquiries.values())])
    findings += [*canaries, *shared_things(read), *same_labels(read)]
    try:
        findings += verify_manifest(root, {one.id: one.files for one in read})
        findings += ledger_findings(root)
    except InputError as exc:
        finding = form_finding(exc)
        if finding not in findings:
            findings.append(finding)
    try:
        plan = plan or read_plan(root)
    except InputError as exc:
        return Report([*findings, form_finding(exc)], [*folders, *inquiries])
    if freezing:
        findings += quota_findings(root, read, plan)
    return Report(findings, [*folders, *inquiries], progress(read, plan))


def check_paths(
    paths: Sequence[Path],
    *,
    fix: bool = False,
    freezing: bool = False,
    plan: Plan | None = None,
    jobs: int | None = None,
    redraw: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """What the commands do: each path is a corpus or a package.

    Args:
        paths: at least one.
        fix: lay files out anew first, and make a draft's manifest true of the files; content is never touched.
        freezing: quotas count as findings.
        plan: how many packages of what; None: each corpus's own.
        jobs: processes; None: chosen by the number of packages.
        redraw: draw every drawn file again and hold it against the one that is there; minutes for each picture.
        say: told of each file that is drawn.

    What is given twice is checked once.

    Raises:
        InputError: a path is neither.
        Refused: `fix` would change a frozen corpus.
    """
    findings: list[Finding] = []
    ids: list[str] = []
    counts: list[Count] = []
    mended: list[str] = []
    taken: list[str] = []
    singles: list[Path] = []
    given = {path.resolve(): path for path in reversed(paths)}
    corpora = {where for where in given if is_corpus(where)}
    for where, path in reversed(given.items()):
        require_packages(path)
        if where.parent.parent in corpora and where.parent.name in KINDS:
            continue  # checked with its corpus
        if not is_corpus(path):
            singles.append(path)
            continue
        if fix:
            mended += [name for folder in find_packages(path).values() for name in mend(folder)]
            taken += take_in(path)
        report = corpus_report(path, freezing=freezing, plan=plan, jobs=jobs)
        findings, ids, counts = findings + report.findings, ids + report.packages, counts + report.progress
    if fix:
        mended += [name for folder in singles for name in mend(folder.resolve())]
        for folder in singles:
            root = folder.resolve().parent.parent
            taken += take_in(root, folder.resolve()) if (root / MANIFEST).is_file() else []
    results = check_folders([folder.resolve() for folder in singles], jobs)
    read = [one for _, one in results if one is not None]
    findings += [finding for found, _ in results for finding in found] + shared_canaries(read)
    if redraw:
        corpora_given = [path for path in paths if is_corpus(path)]
        drawn = [folder for path in corpora_given for folder in find_packages(path).values()]
        for folder in dict.fromkeys(f.resolve() for f in [*drawn, *singles]):
            package = read_package(folder)
            findings += redraw_findings(package, say) if not isinstance(package, list) else []
    return Report(findings, ids + [folder.resolve().name for folder in singles], counts, mended, taken)
