"""The checker: a package that gives no finding may be run and scored.

A check is a function from a package to findings; `CHECKS` lists them all. The first mistake of form ends the check of
a package, since nothing behind it can be trusted.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from harness.errors import InputError
from harness.schema.package import find_packages
from oracle_scoring.corpus.check_documents import document_findings
from oracle_scoring.corpus.check_labels import label_findings
from oracle_scoring.corpus.check_leaks import leak_findings
from oracle_scoring.corpus.check_texts import text_findings
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package, load_package
from oracle_scoring.corpus.manifest import verify_manifest

CHECKS: list[Callable[[Package], Iterator[Finding]]] = [
    label_findings,
    text_findings,
    document_findings,
    leak_findings,
]


def form_finding(error: InputError) -> Finding:
    """A mistake of form as a finding."""
    file, _, field = error.where.partition(": ")
    return Finding(
        code="format", file=file, field=field, what=error.why, mend="put the file into the form of format 0.2"
    )


def check_package(package: Package) -> list[Finding]:
    """All findings of a package that could be read."""
    return [finding for one in CHECKS for finding in one(package)]


def check(folder: Path) -> list[Finding]:
    """All findings of the package in `folder`; none if it is in order."""
    try:
        package = load_package(folder)
    except InputError as exc:
        return [form_finding(exc)]
    return check_package(package)


def shared_canaries(packages: Iterable[Package]) -> list[Finding]:
    """Canaries that more than one package has."""
    seen: dict[str, str] = {}
    findings = []
    for package in packages:
        for file, canary in package.canaries().items():
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


def check_corpus(root: Path) -> list[Finding]:
    """Findings of every package below `root`, of the packages together, and of the manifest."""
    findings: list[Finding] = []
    packages: list[Package] = []
    try:
        folders = find_packages(root)
    except InputError as exc:
        return [form_finding(exc)]
    for folder in folders.values():
        try:
            package = load_package(folder)
        except InputError as exc:
            findings.append(form_finding(exc))
            continue
        packages.append(package)
        findings += check_package(package)
    findings += shared_canaries(packages)
    try:
        findings += verify_manifest(root)
    except InputError as exc:
        finding = form_finding(exc)
        if finding not in findings:
            findings.append(finding)
    return findings
