"""The manifest of a corpus."""

import json
from pathlib import Path

import pytest

from harness.schema.package import read_manifest
from oracle_scoring.corpus.manifest import corpus_files, take_in, verify_manifest, write_manifest
from oracle_scoring.corpus.synthetic import make_package


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A corpus of one package with its manifest."""
    make_package(tmp_path / "claims" / "SYN-P-001")
    write_manifest(tmp_path, "draft-1", "first")
    return tmp_path


def test_a_fresh_manifest_is_true(root: Path) -> None:
    """Every file of every package stands in it, nothing else."""
    assert verify_manifest(root) == []
    manifest = read_manifest(root)
    assert (manifest.version, manifest.frozen) == ("draft-1", False)
    assert "claims/SYN-P-001/oracle/labels.json" in manifest.files and len(manifest.files) == 9


def test_the_same_files_give_the_same_manifest(root: Path) -> None:
    """No clock and no machine in it."""
    before = (root / "manifest.json").read_bytes()
    write_manifest(root, "draft-1", "first")
    assert (root / "manifest.json").read_bytes() == before


def test_a_changed_byte_is_named(root: Path) -> None:
    """The file that changed, and no other."""
    path = root / "claims/SYN-P-001/setup.json"
    path.write_bytes(path.read_bytes() + b" ")
    assert [(f.code, f.file) for f in verify_manifest(root)] == [
        ("manifest_file_changed", "claims/SYN-P-001/setup.json")
    ]


def test_changed_line_endings_are_called_that(root: Path) -> None:
    """A checkout that turns LF into CRLF is told from an edit."""
    path = root / "claims/SYN-P-001/setup.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "line endings" in verify_manifest(root)[0].what


def test_new_and_missing_files_are_named(root: Path) -> None:
    """A package more and a package less."""
    make_package(root / "claims" / "SYN-P-002")
    (root / "claims/SYN-P-001").rename(root / "claims/SYN-P-003")
    codes = {(f.code, f.file.split("/")[1]) for f in verify_manifest(root)}
    assert codes == {
        ("manifest_file_new", "SYN-P-002"),
        ("manifest_file_new", "SYN-P-003"),
        ("manifest_file_missing", "SYN-P-001"),
    }


def test_versions_add_to_the_change_log(root: Path) -> None:
    """A new version is added with its reason; the newest's reason can be reworded."""
    write_manifest(root, "draft-2", "second")
    write_manifest(root, "draft-2", "second, in other words")
    changes = read_manifest(root).changes
    assert [(c.version, c.reason) for c in changes] == [("draft-1", "first"), ("draft-2", "second, in other words")]


def test_a_frozen_version_is_not_written_again(root: Path) -> None:
    """A change after a freeze needs a new version."""
    path = root / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "frozen": True}))
    with pytest.raises(ValueError, match="new version with a reason"):
        write_manifest(root, "draft-1", "again")
    assert write_manifest(root, "draft-2", "a correction").frozen is False


def test_the_files_of_a_corpus_come_in_order(root: Path) -> None:
    """Paths are posix and sorted."""
    files = list(corpus_files(root))
    assert files == sorted(files) and all("\\" not in f for f in files)


def test_a_draft_takes_in_what_changed(root: Path) -> None:
    """All of it, one package, or single files; version and change log stay, and what was not asked for stays named."""
    make_package(root / "claims" / "SYN-P-002")
    for name in ("setup.json", "provenance.json"):
        path = root / "claims/SYN-P-001" / name
        path.write_bytes(path.read_bytes() + b" ")
    assert take_in(root, root / "claims/SYN-P-001", ("setup.json",)) == ["claims/SYN-P-001/setup.json"]
    assert len(take_in(root, root / "claims/SYN-P-002")) == 9
    assert [f.file for f in verify_manifest(root)] == ["claims/SYN-P-001/provenance.json"]
    assert take_in(root) == ["claims/SYN-P-001/provenance.json"]
    assert (verify_manifest(root), take_in(root)) == ([], [])
    manifest = read_manifest(root)
    assert manifest.version == "draft-1" and [c.reason for c in manifest.changes] == ["first"]


def test_a_file_taken_away_leaves_a_drafts_manifest(root: Path) -> None:
    """Its name is told, and it is not missed any more."""
    (root / "claims/SYN-P-001").rename(root / "claims/SYN-P-009")
    assert {name.split("/")[1] for name in take_in(root)} == {"SYN-P-001", "SYN-P-009"}
    assert verify_manifest(root) == []


def test_nothing_is_taken_into_a_frozen_corpus(root: Path) -> None:
    """Nor is a manifest made up where versions were frozen and it is gone."""
    path = root / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "frozen": True}))
    before = path.read_bytes()
    (root / "claims/SYN-P-001/setup.json").write_bytes(b"{}\n")
    assert (take_in(root), path.read_bytes()) == ([], before)
    (root / "versions").mkdir()
    path.unlink()
    assert (take_in(root), path.exists()) == ([], False)
