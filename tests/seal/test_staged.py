"""View, file names and pictures: what could carry an answer before a single request is made."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin
from PIL.ExifTags import Base as ImageTags
from pydantic import ValidationError
from pypdf import PdfReader, PdfWriter

import harness.schema.visible
import harness.stage
from harness.errors import GateClosed, InputError
from harness.schema.base import visible_projection
from harness.schema.package import read_visible
from harness.schema.visible import CustomerView, Fact, MaterialVisible
from harness.stage import load_package, stage
from oracle_scoring.corpus import check_leaks
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.synthetic import DELETE, PAPER, PHOTO, document_bytes, make_package, picture_bytes
from tests.seal.catalogue import Catalogue

LEAKS = Catalogue()
ANSWER = "loss_at_least_10000"


def _leaking_view(patch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Whatever makes the view puts something hidden into it."""
    honest = harness.stage.customer_view
    patch.setattr(harness.stage, "customer_view", lambda *a: honest(*a).model_copy(update=changes))


def _stopped_by_second_reading(folder: Path, patch: pytest.MonkeyPatch, leaked: str) -> None:
    package = load_package(make_package(folder / "ZQ-1"))
    with pytest.raises(GateClosed, match="gate closed by view"):
        stage(package, folder / "staged")
    assert not (folder / "staged").exists()
    patch.setattr(harness.stage, "check_view", lambda package: None)
    stage(package, folder / "staged")
    assert leaked in (folder / "staged/view.json").read_text(encoding="utf-8")


@LEAKS.leak("view", "the evidence kind as the file's label", "stager: second reading of the package")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    files = load_package(make_package(folder / "ZQ-0")).view.files
    labelled = [files[0].model_copy(update={"label": "zq_breakage_image"}), *files[1:]]
    _leaking_view(patch, files=labelled)
    _stopped_by_second_reading(folder, patch, "zq_breakage_image")


@LEAKS.leak("view", "the policy as something the customer knows", "stager: second reading of the package")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    facts = load_package(make_package(folder / "ZQ-0")).view.facts
    policy = Fact(id="policy", topic="policy", kind="reference", value="ZQP-550817", say="It is ZQP-550817.")
    _leaking_view(patch, facts=[*facts, policy])
    _stopped_by_second_reading(folder, patch, "ZQP-550817")


@LEAKS.leak("view", "the triage level in the persona's manner", "stager: second reading of the package")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    persona = load_package(make_package(folder / "ZQ-0")).view.persona
    _leaking_view(patch, persona=persona.model_copy(update={"manner": "short, complex"}))
    _stopped_by_second_reading(folder, patch, "short, complex")


@LEAKS.leak("view", "a projection that leaves nothing out", "types: the view refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    package = make_package(folder / "ZQ-1")
    patch.setattr(harness.schema.visible, "visible_projection", lambda value: value.model_dump())
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        load_package(package)
    patch.setitem(CustomerView.model_config, "extra", "allow")
    CustomerView.model_rebuild(force=True)
    try:
        assert "opening_style" in load_package(package).view.model_dump()
    finally:
        patch.undo()
        CustomerView.model_rebuild(force=True)


@LEAKS.leak("stager", "the stager rewrites the view on its way to disk", "stager: comparison after staging")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    package = load_package(make_package(folder / "ZQ-1"))
    honest = Path.write_bytes
    patch.setattr(Path, "write_bytes", lambda self, data: honest(self, data.replace(b"calm", b"complex")))
    with pytest.raises(GateClosed, match=r"staged view\.json differs"):
        stage(package, folder / "staged")
    patch.setattr(harness.stage, "check_staged", lambda staged: None)
    stage(package, folder / "unchecked")
    assert b"complex" in (folder / "unchecked/view.json").read_bytes()


@LEAKS.leak("stager", "the stager writes its source folder beside the view", "stager: comparison after staging")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    package = load_package(make_package(folder / "ZQ-1"))
    honest = harness.stage.view_bytes

    def also(view: CustomerView) -> bytes:
        if (folder / "staged").exists():
            (folder / "staged/source.txt").write_text(str(package.folder), encoding="utf-8")
        return honest(view)

    patch.setattr(harness.stage, "view_bytes", also)
    with pytest.raises(GateClosed, match=r"staged names differ.*source\.txt"):
        stage(package, folder / "staged")
    assert (folder / "staged/source.txt").is_file()


# ------------------------------------------------------------------ file names


def _renamed(folder: Path, name: str) -> Path:
    """A package whose picture has another name, everywhere."""
    return make_package(
        folder / "ZQ-1",
        {
            f"files.{PHOTO}": DELETE,
            f"files.{name}": picture_bytes(),
            "materials.materials.0.visible.file": name,
            "provenance.files": lambda files: {name if k == PHOTO else k: v for k, v in files.items()},
        },
    )


def _found(code: str, folder: Path) -> bool:
    return code in {finding.code for finding in check(folder)}


def _finding_only_from(check_name: str, code: str, package: Path, patch: pytest.MonkeyPatch) -> None:
    """The checker has a finding of this code, and none of it without the one check meant for it."""
    assert _found(code, package)
    patch.setattr(check_leaks, check_name, lambda package: iter(()))
    assert not _found(code, package)
    assert load_package(package).view.files, "without the checker the package would be played"


@LEAKS.leak("file names", "a file named by its evidence kind", "corpus check: answer_in_file_name")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("labels_and_names", "answer_in_file_name", _renamed(folder, "zq-breakage-image.jpg"), patch)


@LEAKS.leak("file names", "a file named by the triage level", "corpus check: answer_in_file_name")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("labels_and_names", "answer_in_file_name", _renamed(folder, "complex-case.jpg"), patch)


@LEAKS.leak("file names", "a file named by an expected amount", "corpus check: answer_in_file_name")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("labels_and_names", "answer_in_file_name", _renamed(folder, "camera-15300.jpg"), patch)


@LEAKS.leak("file names", "a material that points to the oracle", "types: a name stays in its folder")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    name = "../../oracle/labels.json"
    package = make_package(folder / "ZQ-1", {"materials.materials.0.visible.file": name})
    with pytest.raises(InputError, match=r"`\.\.`"):
        read_visible(package)
    with pytest.raises(ValidationError):
        MaterialVisible.model_validate({"file": name, "label": "x", "available": {"when": "now"}})
    assert b"canary" in (package / "input/materials" / name).read_bytes(), "an unchecked name would be opened"


@LEAKS.leak("file names", "a material that is a link to the oracle", "package reader: plain files only")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    package = make_package(folder / "ZQ-1")
    photo = package / "input/materials" / PHOTO
    photo.unlink()
    photo.symlink_to(package / "oracle/labels.json")
    with pytest.raises(InputError, match="is a link"):
        read_visible(package)
    assert b"canary" in photo.read_bytes(), "an unchecked link would be followed"


@LEAKS.leak("file names", "the labels themselves among the materials", "package reader: kinds of materials")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    package = _renamed(folder, "labels.json")
    (package / "input/materials/labels.json").write_bytes((package / "oracle/labels.json").read_bytes())
    with pytest.raises(InputError, match=r"extension \.json"):
        read_visible(package)


# ------------------------------------------------------------------ pictures and documents


def _picture(folder: Path, data: bytes) -> Path:
    return make_package(folder / "ZQ-1", {f"files.{PHOTO}": data})


def _saved(**options: Any) -> bytes:
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture_bytes())) as image:
        image.save(out, "JPEG", **options)
    return out.getvalue()


def _metadata_is_a_finding(package: Path, leaked: bytes, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("metadata", "image_metadata", package, patch)
    staged = stage(load_package(package), package.parent / "staged")
    assert leaked in (staged.folder / "materials" / PHOTO).read_bytes(), "it would reach the customer and the product"


@LEAKS.leak("image metadata", "a description in EXIF", "corpus check: image_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    exif = Image.Exif()
    exif[ImageTags.ImageDescription] = ANSWER
    _metadata_is_a_finding(_picture(folder, _saved(exif=exif)), ANSWER.encode(), patch)


@LEAKS.leak("image metadata", "a comment in a JPEG", "corpus check: image_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _metadata_is_a_finding(_picture(folder, _saved(comment=ANSWER)), ANSWER.encode(), patch)


@LEAKS.leak("image metadata", "an XMP packet", "corpus check: image_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _metadata_is_a_finding(_picture(folder, _saved(xmp=f"<x>{ANSWER}</x>".encode())), ANSWER.encode(), patch)


@LEAKS.leak("image metadata", "words after the end of the picture", "corpus check: image_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _metadata_is_a_finding(_picture(folder, picture_bytes() + ANSWER.encode()), ANSWER.encode(), patch)


@LEAKS.leak("image metadata", "a text chunk in a PNG", "corpus check: image_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    text, out = PngImagePlugin.PngInfo(), io.BytesIO()
    text.add_text("Title", ANSWER)
    with Image.open(io.BytesIO(picture_bytes())) as image:
        image.save(out, "PNG", pnginfo=text)
    package = _renamed(folder, "picture-one.png")
    (package / "input/materials/picture-one.png").write_bytes(out.getvalue())
    _finding_only_from("metadata", "image_metadata", package, patch)


@LEAKS.leak("image metadata", "a canary inside the picture", "corpus check: canary_in_visible")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    canary = load_package(make_package(folder / "one/ZQ-1")).canaries["oracle/labels.json"]
    _finding_only_from("canaries", "canary_in_visible", _picture(folder, _saved(comment=canary)), patch)


def _pdf(folder: Path, **more: Any) -> Path:
    lines = ["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "Page 1 of 1"]
    writer, out = PdfWriter(), io.BytesIO()
    writer.append(PdfReader(io.BytesIO(document_bytes([lines]))))
    if "title" in more:
        writer.add_metadata({"/Title": more["title"]})
    if "attached" in more:
        writer.add_attachment("notes.txt", more["attached"])
    writer.write(out)
    return make_package(folder / "ZQ-1", {f"files.{PAPER}": out.getvalue()})


@LEAKS.leak("image metadata", "a triage reason as the title of a document", "corpus check: answer_in_metadata")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("metadata", "answer_in_metadata", _pdf(folder, title=ANSWER), patch)


@LEAKS.leak("image metadata", "a file attached to a document", "corpus check: pdf_attachment")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _finding_only_from("metadata", "pdf_attachment", _pdf(folder, attached=ANSWER.encode()), patch)


ROWS = LEAKS.rows("test_staged.py::test_planted_leak_is_caught")


@pytest.mark.parametrize("name", LEAKS)
def test_planted_leak_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard meant for it refuses it, and the same leak passes where the guard is taken out."""
    LEAKS[name].plant(tmp_path, monkeypatch)


def test_an_honest_package_has_nothing_to_catch(tmp_path: Path) -> None:
    """No finding, and the second reading of the package agrees with the models' marks."""
    package = load_package(make_package(tmp_path / "ZQ-1"))
    assert check(package.folder) == []
    staged = stage(package, tmp_path / "staged")
    assert json.loads((staged.folder / "view.json").read_bytes()) == visible_projection(package.view)
