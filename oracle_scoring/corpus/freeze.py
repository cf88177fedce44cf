"""Freezing: a version of the corpus in which every byte was checked, looked at, signed for and written down.

freeze(root, "v1")                                     refuses with every reason, or writes the manifest
freeze(root, "v2", "the total of CTL-M-001 was wrong")    the next one needs a reason
"""

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from harness.errors import InputError, Refused
from harness.schema.package import (
    MANIFEST,
    MATERIALS_DIR,
    PROVENANCE,
    Change,
    Manifest,
    find_packages,
    read_manifest,
)
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.check import check_corpus
from oracle_scoring.corpus.check_recipes import redraw_findings
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.look import missing_looks
from oracle_scoring.corpus.manifest import (
    VERSIONS,
    corpus_files,
    files_sha256,
    last_frozen,
    manifest_bytes,
    verify_manifest,
    version_path,
)
from oracle_scoring.corpus.pictured import load_pictured
from oracle_scoring.corpus.plan import PLAN, quota_findings, read_plan
from oracle_scoring.corpus.sign import missing_signatures
from oracle_scoring.files import write_atomically

VERSION = re.compile(r"^v([1-9]\d{0,3})$")
ATTRIBUTES = ".gitattributes"
PIN = "* -text"
"""Git changes no line ending of any file below the corpus, whatever it is configured to do elsewhere."""
FIRST_REASON = "First frozen version."
_PINNED = re.compile(r"^\*\s+(?:.*\s)?(?:-text|binary)(?:\s|$)", re.MULTILINE)


class FreezeRefused(Refused):
    """The corpus is not as a frozen one has to be.

    Args:
        findings: every reason.
    """

    def __init__(self, version: str, findings: list[Finding]) -> None:
        self.findings = findings
        codes = ", ".join(sorted({f.code for f in findings}))
        super().__init__(f"{version} is not frozen: {len(findings)} findings ({codes})")


def freeze_findings(
    root: Path, before: Manifest | None = None, say: Callable[[str], None] = lambda _: None
) -> list[Finding]:
    """Everything that speaks against freezing the corpus as it is; none if it may be frozen.

    The manifest's own differences are not among them: writing it is what freezing does. Once nothing else speaks against
    it, drawn files of claims are drawn again and compared, save those that `before` has with the same bytes and provenance;
    pictures of buyers are drawn again by every check.
    """
    findings = [f for f in check_corpus(root) if not f.code.startswith("manifest_") and not _is_manifest(f, root)]
    try:
        pictured = [load_pictured(folder) for folder in find_packages(root, None).values()]
    except InputError:
        return findings  # the check has said so
    for each in pictured:
        findings += missing_signatures(each)
        findings += missing_looks(each)
    packages = [each for each in pictured if isinstance(each, Package)]
    findings += quota_findings(root, packages)
    if not findings:
        frozen = before.files if before is not None else {}
        for package in packages:
            findings += redraw_findings(package, say, _drawn_before(package, frozen))
    return _once(findings)


def _drawn_before(package: Package, frozen: Mapping[str, str]) -> set[str]:
    """Files that were frozen as they are, with the provenance that they have."""
    base = f"{package.folder.parent.name}/{package.id}"
    if frozen.get(f"{base}/{PROVENANCE}") != sha256_hex((package.folder / PROVENANCE).read_bytes()):
        return set()
    return {name for name, digest in package.hashes.items() if frozen.get(f"{base}/{MATERIALS_DIR}/{name}") == digest}


def _is_manifest(finding: Finding, root: Path) -> bool:
    return finding.file == f"{root.name}/{MANIFEST}" and not (root / MANIFEST).exists()


def _once(findings: Iterable[Finding]) -> list[Finding]:
    return list(dict.fromkeys(findings))


def _changed(before: Manifest, after: dict[str, str]) -> list[str]:
    return sorted(path for path in {*before.files, *after} if before.files.get(path) != after.get(path))


def freeze(
    root: Path, version: str, reason: str | None = None, say: Callable[[str], None] = lambda _: None
) -> Manifest:
    """Freezes the corpus as `version` and writes manifest, change log, the version's own copy, and `.gitattributes`.

    A version that is frozen already and true of every byte stays as it is.

    Args:
        root: the corpus.
        version: v1, v2, …; above every one before.
        reason: what changed and why; needed from the second version on.
        say: told what was done, line by line.

    Raises:
        InputError: there is no corpus, version or reason cannot be used, the manifest cannot be read, or git would change
            line endings all the same.
        FreezeRefused: there are findings; nothing was written.
    """
    number = VERSION.match(version)
    if number is None:
        raise InputError(f"version {version}", "must be v1, v2, …")
    find_packages(root)
    if not (root / MANIFEST).exists() and (root / VERSIONS).exists():
        raise InputError(f"{root.name}/{MANIFEST}", f"is missing, though {VERSIONS} were frozen; put it back as it was")
    now = read_manifest(root) if (root / MANIFEST).exists() else None
    before = last_frozen(root) if now is not None else None
    if now is not None and now.frozen and now.version == version:
        changed = verify_manifest(root)
        if changed:
            raise FreezeRefused(f"{version} is frozen and stays as it is; the next version", changed)
        say(f"{version} is frozen, and every byte is as it was")
        return now
    changes = list(now.changes) if now is not None else []
    used = [int(found[1]) for change in changes if (found := VERSION.match(change.version))]
    if used and int(number[1]) <= max(used):
        raise InputError(f"version {version}", f"there is v{max(used)} already; the next one is v{max(used) + 1}")
    if before is not None and not (reason or "").strip():
        raise InputError("--reason", f"is missing; a version after {before.version} says what changed and why")
    if before is not None and not _changed(before, corpus_files(root)):
        raise InputError(f"version {version}", f"nothing changed since {before.version}")
    findings = freeze_findings(root, before, say)
    if findings:
        raise FreezeRefused(version, findings)
    pin_line_endings(root)
    if pinned_by_git(root, MANIFEST) is False:
        why = "does not keep git from changing line endings here; something else overrules it (.git/info/attributes?)"
        raise InputError(f"{root.name}/{ATTRIBUTES}", why)
    files = corpus_files(root)
    draft = Manifest(
        format="0.2",
        version=version,
        frozen=True,
        files=files,
        changes=[Change(version=version, reason=_reason(root, reason))],
    )
    change = draft.changes[0].model_copy(
        update={
            "frozen_as": files_sha256(draft),
            "files": _changed(before, files) if before is not None else [],
        }
    )
    manifest = draft.model_copy(update={"changes": [*changes, change]})
    (root / VERSIONS).mkdir(exist_ok=True)
    write_atomically(version_path(root, version), manifest_bytes(manifest))
    write_atomically(root / MANIFEST, manifest_bytes(manifest))
    say(f"{version} is frozen: {len(files)} files")
    return manifest


def _reason(root: Path, reason: str | None) -> str:
    """What the change log says; a corpus that is complete by its own plan only is told apart for good."""
    text = (reason or "").strip() or FIRST_REASON
    plan = read_plan(root)
    if plan == PLAN:
        return text
    numbers = ", ".join(f"{number} {group}" for group, number in plan.groups.items())
    return f"{text} (Complete by a plan of its own: {numbers}.)"


def pin_line_endings(root: Path) -> None:
    """`.gitattributes` of the corpus keeps git from changing a byte; an existing one gets the line if it lacks it."""
    path = root / ATTRIBUTES
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if not _PINNED.search(text):
        start = text if not text or text.endswith("\n") else text + "\n"
        write_atomically(path, f"{start}{PIN}\n".encode())


def pinned_by_git(root: Path, name: str) -> bool | None:
    """Whether git, asked, would leave the line endings of a file below the corpus alone; None outside a work tree."""
    command = ["git", "-C", str(root), "check-attr", "text", "--", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return None
    return done.stdout.rstrip().endswith(": unset") if done.returncode == 0 else None
