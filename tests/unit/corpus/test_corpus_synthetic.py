"""Synthetic packages, and reading whole packages."""

from pathlib import Path

import pytest

from harness.errors import InputError
from harness.schema.package import file_hashes, read_visible
from oracle_scoring.corpus.load import load_package, read_labels, read_setup
from oracle_scoring.corpus.synthetic import DELETE, PHOTO, hidden_values, make_package


def test_two_synthetic_packages_of_one_id_are_the_same(tmp_path: Path) -> None:
    """Nothing random, no clock."""
    one, two = (make_package(tmp_path / n / "SYN-P-001") for n in "ab")
    assert file_hashes(one) == file_hashes(two)


def test_hidden_values_occur_nowhere_in_the_view(tmp_path: Path) -> None:
    """So any of them in a prompt proves a leak; canaries, kinds, level and policy are among them."""
    folder = make_package(tmp_path / "SYN-P-001")
    values = hidden_values(folder)
    view = read_visible(folder).view().model_dump_json().casefold()
    assert not [v for v in values if v.casefold() in view]
    labels, setup = read_labels(folder), read_setup(folder)
    assert setup.policy is not None
    wanted = {
        labels.canary, setup.canary, "complex", "zq_breakage_image", setup.policy.number, "property.accidental_damage",
    }  # fmt: skip
    assert wanted <= set(values) and len(values) > 40


def test_overrides_set_call_append_and_delete(tmp_path: Path) -> None:
    """Dotted paths, list positions, keys that hold dots, functions of the old value."""
    changes = {
        "facts.persona.patience": 1,
        "facts.facts.0.say": lambda old: old + " Yes.",
        "facts.does_not_know.1": {"id": "colour", "topic": "colour"},
        f"provenance.files.{PHOTO}.purpose": "other",
        "labels.assertions.2": DELETE,
    }
    package = load_package(make_package(tmp_path / "SYN-P-001", changes))
    assert package.visible.facts.persona.patience == 1
    assert package.visible.facts.facts[0].say.endswith(" Yes.")
    assert [u.id for u in package.visible.facts.does_not_know] == ["proof_of_purchase", "colour"]
    assert package.provenance.files[PHOTO].purpose == "other"
    assert len(package.labels.assertions) == 2


def test_a_whole_package_is_read(tmp_path: Path) -> None:
    """All five parts, and a canary per hidden file."""
    package = load_package(make_package(tmp_path / "SYN-P-001"))
    assert package.id == "SYN-P-001" and package.folder == tmp_path / "SYN-P-001"
    assert list(package.canaries) == ["oracle/labels.json", "setup.json", "provenance.json", "review.json"]
    assert len(set(package.canaries.values())) == 4


@pytest.mark.parametrize("file", ["oracle/labels.json", "setup.json", "provenance.json", "review.json"])
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is not JSON"),
        (b"[]", "should be an object"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"{\r\n}", "CRLF line endings"),
        (b"\xff\xff", "is not UTF-8"),
        (b'{"a": NaN}', "NaN"),
    ],
)
def test_hidden_files_are_read_as_strictly(tmp_path: Path, file: str, data: bytes, why: str) -> None:
    """One line with file and reason."""
    folder = make_package(tmp_path / "SYN-P-001", {f"raw.{file}": data})
    with pytest.raises(InputError) as caught:
        load_package(folder)
    assert caught.value.where.startswith(f"SYN-P-001/{file}") and why in str(caught.value)
