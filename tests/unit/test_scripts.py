"""scripts/ and .ci/: they parse, are clean to their checkers, and keep to what they share."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter_powershell
from tree_sitter import Language, Node, Parser

ROOT = Path(__file__).resolve().parents[2]
BASH = [ROOT / ".ci" / "run", ROOT / "scripts" / "check", *sorted((ROOT / "scripts").rglob("*.sh"))]
POWERSHELL = sorted((ROOT / "scripts").rglob("*.ps1"))


def ids(path: Path) -> str:
    """The path below the repository, as a test id."""
    return path.relative_to(ROOT).as_posix()


def powershell_errors(source: bytes) -> list[str]:
    """Places that a PowerShell parser cannot read, as `line: text`."""
    root = Parser(Language(tree_sitter_powershell.language())).parse(source).root_node
    found: list[str] = []

    def look(node: Node) -> None:
        if node.is_error or node.is_missing:
            line = node.start_point.row + 1
            found.append(f"{line}: {source.splitlines()[line - 1].decode()}")
        for child in node.children:
            look(child)

    look(root)
    return found


@pytest.mark.parametrize("script", POWERSHELL, ids=ids)
def test_powershell_scripts_parse(script: Path) -> None:
    """Every PowerShell script is read by a parser without an error."""
    assert powershell_errors(script.read_bytes()) == []


def test_the_powershell_parser_notices_errors() -> None:
    """The parser that the check rests on refuses what PowerShell refuses."""
    good = (ROOT / "scripts" / "start-dev.ps1").read_bytes()
    assert powershell_errors(good.replace(b"function Find-Python {", b"function Find-Python {{", 1))
    assert powershell_errors(b"if ($true) { 'open'")


@pytest.mark.parametrize("script", BASH, ids=ids)
def test_bash_scripts_are_clean_to_shellcheck(script: Path) -> None:
    """Every bash script passes shellcheck, what it sources included."""
    checker = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run([checker, "-x", script], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", [s for s in BASH if s.name != "setup.sh"], ids=ids)
def test_bash_scripts_stop_at_the_first_failure(script: Path) -> None:
    """Every script that is run, not sourced, is strict, and starts from the repository wherever it is called from."""
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n") and "\nset -euo pipefail\n" in text
    assert 'cd "$(dirname "${BASH_SOURCE[0]}")/.."' in text


def test_continuous_integration_runs_what_a_person_runs() -> None:
    """.ci/run has no checks of its own."""
    assert "bash scripts/test.sh" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'scripts/check "$@"' in (ROOT / "scripts" / "test.sh").read_text(encoding="utf-8")


def test_locks_pin_by_hash_and_name_no_address() -> None:
    """Every locked package has a version and hashes, and no lock says where to download from."""
    for lock in (ROOT / "requirements.lock", ROOT / "scripts" / "lib" / "uv.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text and "--index" not in text and "--find-links" not in text
        entries = re.split(r"\n(?=\S)", text.strip())
        assert all(re.match(r"[A-Za-z0-9._-]+==[^\s;]+", e) and "--hash=sha256:" in e for e in entries)


def test_the_lock_holds_every_direct_dependency_and_the_model_engine_as_pinned() -> None:
    """What pyproject.toml names is locked; what it pins is locked at that version."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").lower()
    for name, version in re.findall(r'"([a-z0-9-]+)==([^"]+)"', project):
        assert f"\n{name}=={version} " in lock


@pytest.mark.parametrize("windows_too", ["requirements.lock", "scripts/lib/uv.txt"])
def test_both_start_scripts_use_the_same_locks(windows_too: str) -> None:
    """The Windows script installs from the same pinned files as the others."""
    ps1 = (ROOT / "scripts" / "start-dev.ps1").read_text(encoding="utf-8").replace("\\", "/")
    shell = (ROOT / "scripts" / "lib" / "setup.sh").read_text(encoding="utf-8")
    assert windows_too in ps1 and windows_too in shell
    assert "--require-hashes" in ps1 and "--require-hashes" in shell
