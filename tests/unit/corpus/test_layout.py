"""Layout of package files: what is found, and what --fix does and leaves alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import InputError, Refused
from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, SETUP
from oracle_scoring.corpus.check import check, check_corpus, check_paths
from oracle_scoring.corpus.layout import json_text, laid_out, mend
from oracle_scoring.corpus.manifest import write_manifest
from oracle_scoring.corpus.synthetic import make_package

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=200, deadline=None)
def test_the_quick_layout_is_that_of_the_library(value: Any) -> None:
    """Whatever JSON can hold."""
    assert json_text(value) == json.dumps(value, ensure_ascii=False, indent=2)


def corpus(root: Path, frozen: bool = False) -> Path:
    """A corpus of one package whose files are laid out in all wrong ways; the package."""
    folder = make_package(root / "claims" / "SYN-P-001")
    for relative, change in (
        (FACTS, lambda b: b"\xef\xbb\xbf" + b),
        (LABELS, lambda b: b.replace(b"\n", b"\r\n")),
        (SETUP, lambda b: json.dumps(json.loads(b)).encode()),
        (INITIAL_MESSAGE, lambda b: b.rstrip(b"\n")),
    ):
        path = folder / relative
        path.write_bytes(change(path.read_bytes()))
    manifest = write_manifest(root, "t", "t").model_dump(mode="json")
    if frozen:
        (root / "manifest.json").write_text(json.dumps({**manifest, "frozen": True}))
    return folder


def test_fix_lays_out_without_touching_content(tmp_path: Path) -> None:
    """Afterwards nothing is found, values and words are the same, and a second run changes nothing."""
    folder = corpus(tmp_path)
    words = (folder / INITIAL_MESSAGE).read_text("utf-8").strip()
    setup = json.loads((folder / SETUP).read_bytes())
    assert {f.code for f in check(folder)} == {"byte_order_mark", "line_endings"}
    report = check_paths([tmp_path], fix=True)
    assert report.findings == [] and len(report.mended) == 4
    assert json.loads((folder / SETUP).read_bytes()) == setup
    assert (folder / INITIAL_MESSAGE).read_text("utf-8") == f"{words}\n"
    assert check_paths([tmp_path], fix=True).mended == []


def test_fix_leaves_a_frozen_corpus_alone(tmp_path: Path) -> None:
    """Not even a line ending of it is mended."""
    folder = corpus(tmp_path, frozen=True)
    before = (folder / SETUP).read_bytes()
    with pytest.raises(Refused, match="frozen"):
        check_paths([tmp_path], fix=True)
    assert (folder / SETUP).read_bytes() == before


def test_what_is_ambiguous_is_not_laid_out(tmp_path: Path) -> None:
    """A key that stands twice has two meanings: a person decides."""
    folder = make_package(tmp_path / "SYN-P-001")
    (folder / SETUP).write_bytes(b'{"canary": "a", "canary": "b"}')
    with pytest.raises(InputError, match="twice"):
        laid_out((folder / SETUP).read_bytes(), SETUP)
    assert mend(folder) == []


def test_a_corpus_that_is_laid_out_gives_no_finding(tmp_path: Path) -> None:
    """The packages that tests and tools write are in order."""
    make_package(tmp_path / "claims" / "SYN-P-001")
    write_manifest(tmp_path, "t", "t")
    assert check_corpus(tmp_path) == []
