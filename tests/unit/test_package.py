"""Strict reading of the visible half of a package."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import InputError
from harness.schema.package import (
    MAX_MATERIAL_BYTES,
    check_layout,
    file_hashes,
    find_packages,
    name_problem,
    package_sha256,
    read_manifest,
    read_visible,
)
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.synthetic import DELETE, PAPER, PHOTO, document_bytes, make_package, picture_bytes

FACTS = "SYN-P-001/input/facts.json"
MATERIALS = "SYN-P-001/input/materials.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a package goes."""
    return tmp_path / "SYN-P-001"


def refused(folder: Path) -> InputError:
    """The one error that reading gives; it fits on one line."""
    with pytest.raises(InputError) as caught:
        read_visible(folder)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_good_package_is_read_whole(folder: Path) -> None:
    """Message without its closing line break, facts, materials and the files' bytes come back."""
    package = read_visible(make_package(folder))
    assert package.id == "SYN-P-001"
    assert package.initial_message.startswith("Good day.") and not package.initial_message.endswith("\n")
    assert list(package.files) == [PHOTO, PAPER]
    assert package.sha256(PHOTO) == sha256_hex(package.files[PHOTO])
    assert [f.file for f in package.view().files] == [PHOTO, PAPER]


def test_the_view_holds_nothing_hidden(folder: Path) -> None:
    """No evidence kind and no opening style reaches the view."""
    text = read_visible(make_package(folder)).view().model_dump_json()
    assert "evidence_kind" not in text and "zq_" not in text and "opening_style" not in text


def test_hidden_files_are_not_opened(folder: Path) -> None:
    """Reading the visible half works though oracle and setup hold rubbish."""
    make_package(folder, {"raw.oracle/labels.json": b"\xff", "raw.setup.json": b"", "raw.provenance.json": b"{"})
    assert read_visible(folder).id == "SYN-P-001"


def test_only_one_closing_line_break_belongs_to_the_file(folder: Path) -> None:
    """Blank lines and spaces of the author's are sent as they are."""
    make_package(folder, {"message": "  Hi\n\n there \n"})
    assert read_visible(folder).initial_message == "  Hi\n\n there \n"


@pytest.mark.parametrize(
    "missing",
    [
        "input/initial_message.txt",
        "input/facts.json",
        "input/materials.json",
        "oracle/labels.json",
        "setup.json",
        "provenance.json",
        "review.json",
    ],
)
def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    """Each file of the layout is needed."""
    make_package(folder, {f"raw.{missing}": DELETE})
    error = refused(folder)
    assert error.where == f"SYN-P-001/{missing}" and error.why == "is missing"


@pytest.mark.parametrize(
    "extra",
    [
        "notes.txt",
        ".DS_Store",
        "input/facts.json~",
        "input/.facts.json.swp",
        "input/#facts.json#",
        "oracle/labels.json.bak",
        "oracle/other.json",
        "input/materials/.hidden.jpg",
        "input/materials/picture-one.jpg~",
        "input/materials/Thumbs.db",
        "input/materials/deeper/x.jpg",
        ".git/config",
    ],
)
def test_anything_beside_the_layout_is_refused(folder: Path, extra: str) -> None:
    """Extra files and folders and what editors leave behind are named."""
    make_package(folder, {f"raw.{extra}": b"x"})
    error = refused(folder)
    assert error.where.startswith(f"SYN-P-001/{extra.split('/')[0]}")


def test_an_empty_extra_folder_is_refused(folder: Path) -> None:
    """A folder counts even with nothing in it."""
    (make_package(folder) / "drafts").mkdir()
    assert refused(folder).where == "SYN-P-001/drafts/"


@pytest.mark.parametrize("place", ["input/facts.json", "input/materials/picture-one.jpg", "setup.json"])
def test_a_link_in_place_of_a_file_is_refused(folder: Path, tmp_path: Path, place: str) -> None:
    """A link is refused even if what it points to is in order."""
    make_package(folder)
    target = tmp_path / "elsewhere"
    (folder / place).rename(target)
    (folder / place).symlink_to(target)
    error = refused(folder)
    assert error.where == f"SYN-P-001/{place}" and "link" in error.why


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    """A linked folder is not walked into, wherever it leads."""
    make_package(folder)
    (folder / "oracle").rename(tmp_path / "oracle")
    (folder / "oracle").symlink_to(tmp_path / "oracle")
    assert "link" in refused(folder).why


def test_a_linked_package_is_refused(folder: Path, tmp_path: Path) -> None:
    """The package's own folder is no link either."""
    make_package(folder)
    linked = tmp_path / "SYN-P-002"
    linked.symlink_to(folder)
    assert "link" in refused(linked).why


def test_a_pipe_is_refused(folder: Path) -> None:
    """Something that is no plain file is refused without being opened."""
    make_package(folder)
    os.mkfifo(folder / "input/materials/pipe.jpg")
    assert refused(folder).why == "is not a plain file"


@pytest.mark.parametrize(
    ("file", "word"),
    [
        ("../setup.json", ".."),
        ("a/../../x.jpg", ".."),
        ("/etc/x.jpg", "absolute"),
        ("C:x.jpg", "absolute"),
        ("a\\b.jpg", "backslash"),
        ("sub/x.jpg", "slash"),
        ("CON.jpg", "reserved"),
        ("nul", "reserved"),
        ("com1.pdf", "reserved"),
        ("photo.jpg.", "dot or a space"),
        ("photo.jpg ", "dot or a space"),
        ("pho\u200bto.jpg", "invisible"),
        ("pho\nto.jpg", "control"),
        ("what?.jpg", "Windows"),
        ("", "empty"),
    ],
)
def test_a_bad_file_name_in_the_list_is_refused(folder: Path, file: str, word: str) -> None:
    """The error names the field and says what is wrong with the name."""
    make_package(folder, {"materials.materials.0.visible.file": file})
    error = refused(folder)
    assert error.where == f"{MATERIALS}: materials.0.visible.file"
    assert word in error.why


@pytest.mark.parametrize("name", ["NUL.jpg", "trailing.jpg.", "a\\b.jpg", "x:y.jpg"])
def test_a_bad_file_name_on_disk_is_refused(folder: Path, name: str) -> None:
    """Names that another system could not hold are refused where they lie."""
    make_package(folder, {f"raw.input/materials/{name}": picture_bytes()})
    assert refused(folder).why.startswith("the name ")


def test_names_that_differ_by_case_are_refused(folder: Path) -> None:
    """Two files that one folder of another system could not hold side by side."""
    make_package(folder, {"raw.input/materials/PICTURE-ONE.jpg": picture_bytes()})
    assert "only by case" in refused(folder).why


def test_names_that_differ_by_normalisation_are_refused(folder: Path) -> None:
    """é composed and é decomposed are one name."""
    for form in ("NFC", "NFD"):
        name = unicodedata.normalize(form, "café.jpg")
        make_package(folder, {f"raw.input/materials/{name}": b"x"}) if form == "NFC" else (
            folder / "input/materials" / name
        ).write_bytes(b"x")
    assert "normalisation" in refused(folder).why


def test_listed_names_that_differ_by_case_are_refused(folder: Path) -> None:
    """The list is held to the same rule as the folder."""
    make_package(folder, {"materials.materials.1.visible.file": PHOTO.upper()})
    assert "only by case" in refused(folder).why


def test_a_listed_file_must_be_there(folder: Path) -> None:
    """Listed but absent."""
    make_package(folder, {f"files.{PHOTO}": DELETE})
    error = refused(folder)
    assert error.where == f"{MATERIALS}: materials.0.visible.file" and "not in input/materials" in error.why


def test_a_file_must_be_listed(folder: Path) -> None:
    """Present but not listed."""
    make_package(folder, {"files.third.jpg": picture_bytes()})
    error = refused(folder)
    assert error.where == "SYN-P-001/input/materials/third.jpg" and "not listed" in error.why


def test_a_package_without_materials_needs_no_folder(folder: Path) -> None:
    """An empty list is a package too."""
    make_package(folder, {"materials.materials": [], f"files.{PHOTO}": DELETE, f"files.{PAPER}": DELETE})
    (folder / "input/materials").rmdir()
    assert read_visible(folder).files == {}


@pytest.mark.parametrize("text", ["", "\n", "   \n", "\u00a0\n\n"])
def test_an_empty_first_message_is_refused(folder: Path, text: str) -> None:
    """White space alone says nothing."""
    make_package(folder, {"raw.input/initial_message.txt": text.encode()})
    assert refused(folder).why.startswith("is empty")


def test_a_control_character_in_the_message_is_refused(folder: Path) -> None:
    """What could move a cursor is no message."""
    make_package(folder, {"message": "Hello \x1b[2J"})
    assert "U+001B" in refused(folder).why


@pytest.mark.parametrize("file", ["input/initial_message.txt", "input/facts.json", "input/materials.json"])
def test_crlf_is_reported_as_line_endings(folder: Path, file: str) -> None:
    """The error speaks of line endings, not of a changed file."""
    make_package(folder)
    path = folder / file
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    error = refused(folder)
    assert error.where == f"SYN-P-001/{file}" and "CRLF line endings" in error.why


@pytest.mark.parametrize("file", ["input/initial_message.txt", "input/facts.json", "input/materials.json"])
def test_a_byte_order_mark_is_refused(folder: Path, file: str) -> None:
    """Saved with BOM."""
    make_package(folder)
    (folder / file).write_bytes(b"\xef\xbb\xbf" + (folder / file).read_bytes())
    assert "byte order mark" in refused(folder).why


def test_a_duplicate_key_is_refused(folder: Path) -> None:
    """The later value does not silently win."""
    make_package(folder, {"raw.input/facts.json": b'{"format": "0.2", "format": "0.2"}'})
    error = refused(folder)
    assert error.where == f"{FACTS}: format" and "twice" in error.why


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("facts.persona.patience", "4", "persona.patience"),
        ("facts.facts.0.value", 5, "facts.0.value"),
        ("facts.facts.0.kind", "colour", "facts.0.kind"),
        ("facts.surprise", 1, "surprise"),
        ("facts.format", "0.1", "format"),
        ("facts.facts", [], "facts"),
        ("facts.persona.dont_know", [], "persona.dont_know"),
        ("facts.facts.0.id", "Incident Date", "facts.0.id"),
        ("facts.facts.0.say", DELETE, "facts.0.say"),
    ],
)
def test_a_wrong_type_or_field_is_named(folder: Path, path: str, value: object, field: str) -> None:
    """File and field stand in the error; nothing is converted."""
    make_package(folder, {path: value})
    assert refused(folder).where == f"{FACTS}: {field}"


def test_an_id_that_stands_twice_is_refused(folder: Path) -> None:
    """A fact and an unknown cannot share an id."""
    make_package(folder, {"facts.does_not_know.0.id": "item"})
    assert "item stands twice" in refused(folder).why


def test_visible_and_hidden_share_no_object(folder: Path) -> None:
    """An evidence kind in the visible object is an unknown field."""
    make_package(folder, {"materials.materials.0.visible.evidence_kind": "zq"})
    assert refused(folder).where == f"{MATERIALS}: materials.0.visible.evidence_kind"


def test_a_later_file_needs_its_promise(folder: Path) -> None:
    """`later` without what the customer says meanwhile is incomplete."""
    make_package(folder, {"materials.materials.1.visible.available.promise": None})
    assert "go with `later`" in refused(folder).why


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (PHOTO, document_bytes([["x"]])),
        (PHOTO, b""),
        (PHOTO, b"\x89PNG\r\n\x1a\n"),
        (PAPER, picture_bytes()),
        (PAPER, b"\n%PDF-1.4"),
    ],
)
def test_bytes_must_fit_the_extension(folder: Path, name: str, data: bytes) -> None:
    """A file is what its name says."""
    make_package(folder, {f"files.{name}": data})
    error = refused(folder)
    assert error.where == f"SYN-P-001/input/materials/{name}" and "does not start like" in error.why


def test_an_unknown_extension_is_refused(folder: Path) -> None:
    """Only pictures and documents are materials."""
    make_package(
        folder, {f"files.{PHOTO}": DELETE, "files.run.exe": b"MZ", "materials.materials.0.visible.file": "run.exe"}
    )
    assert "extension .exe" in refused(folder).why


def test_a_file_that_is_too_big_is_refused(folder: Path) -> None:
    """The limit is checked before anything is read."""
    make_package(folder)
    with (folder / "input/materials" / PHOTO).open("r+b") as file:
        file.truncate(MAX_MATERIAL_BYTES + 1)
    assert str(MAX_MATERIAL_BYTES) in refused(folder).why


@pytest.mark.parametrize("name", ["ctl-m-001", "CTL M 001", "CTL-", "-CTL", "CTL_M"])
def test_a_folder_that_is_no_package_id_is_refused(tmp_path: Path, name: str) -> None:
    """Ids are capitals, digits and hyphens."""
    assert "package id" in refused(make_package(tmp_path / name)).why


def test_no_such_package(tmp_path: Path) -> None:
    """An absent folder and a plain file are told apart."""
    assert refused(tmp_path / "SYN-P-009").why == "there is no such package"
    (tmp_path / "SYN-P-009").write_text("x")
    assert refused(tmp_path / "SYN-P-009").why == "is not a package folder"


def test_hashes_cover_every_file_and_move_with_every_byte(folder: Path, tmp_path: Path) -> None:
    """One changed byte in any file changes its hash and the package's."""
    make_package(folder)
    before, whole = file_hashes(folder), package_sha256(folder)
    assert set(before) == set(check_layout(folder))
    for file in before:
        other = make_package(tmp_path / file.replace("/", "_") / "SYN-P-001")
        path = other / file
        path.write_bytes(path.read_bytes() + b" ")
        after = file_hashes(other)
        assert {f for f in before if before[f] != after[f]} == {file}
        assert package_sha256(other) != whole


def test_packages_are_found_by_kind_and_sorted(tmp_path: Path) -> None:
    """Both kinds are looked through; contents are not."""
    for place in ("claims/SYN-P-002", "inquiry/SYN-I-001", "claims/SYN-P-001"):
        (tmp_path / place).mkdir(parents=True)
    assert list(find_packages(tmp_path, None)) == ["SYN-I-001", "SYN-P-001", "SYN-P-002"]
    assert list(find_packages(tmp_path)) == ["SYN-P-001", "SYN-P-002"]
    assert list(find_packages(tmp_path, "inquiry")) == ["SYN-I-001"]


@pytest.mark.parametrize("stray", ["claims/notes.txt", "claims/lower-case/x", "claims/.cache/x"])
def test_a_stray_entry_among_packages_is_refused(tmp_path: Path, stray: str) -> None:
    """A forgotten file must not look like a package that is missing."""
    (tmp_path / stray).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / stray).write_text("x")
    with pytest.raises(InputError, match="only packages lie here"):
        find_packages(tmp_path)


def test_one_id_in_both_kinds_is_refused(tmp_path: Path) -> None:
    """An id names one package."""
    for kind in ("claims", "inquiry"):
        (tmp_path / kind / "SYN-P-001").mkdir(parents=True)
    with pytest.raises(InputError, match="stands twice"):
        find_packages(tmp_path)


def test_no_corpus_and_no_manifest_are_input_errors(tmp_path: Path) -> None:
    """Both are named."""
    with pytest.raises(InputError, match="no such corpus"):
        find_packages(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"manifest\.json: is missing"):
        read_manifest(tmp_path)


def test_the_manifest_speaks_of_one_version(tmp_path: Path) -> None:
    """The change log ends with the version of the corpus."""
    (tmp_path / "manifest.json").write_text(
        '{"format": "0.2", "version": "b", "frozen": false, "files": {}, "changes": [{"version": "a", "reason": "r"}]}'
    )
    with pytest.raises(InputError, match="last entry"):
        read_manifest(tmp_path)


@given(st.text(min_size=1, max_size=40))
def test_a_name_without_problem_stays_in_its_folder(name: str) -> None:
    """Whatever passes is one path component, free of what Windows or a terminal would stumble over."""
    if name_problem(name) is None:
        assert name not in (".", "..") and not set(name) & set('/\\:*?"<>|')
        assert name.isprintable() and name == name.rstrip(". ")
        assert Path("root", name).parent == Path("root")
