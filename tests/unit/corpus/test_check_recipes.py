"""Drawn files against their provenance: recipe, content, and the bytes that they draw."""

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from harness.cli.schemas import names, schema_of
from harness.schema.package import PROVENANCE, find_packages
from oracle_scoring.corpus import check as check_module
from oracle_scoring.corpus import freeze
from oracle_scoring.corpus.check import check_paths
from oracle_scoring.corpus.check_recipes import recipe_findings, redraw_findings, same_look
from oracle_scoring.corpus.draw import RECIPES
from oracle_scoring.corpus.load import load_package
from oracle_scoring.corpus.manifest import corpus_files, write_manifest
from oracle_scoring.corpus.recipes import CONTENT, MAKES
from oracle_scoring.files import json_bytes
from scripts.corrupt import one
from scripts.mistakes.draft import MISTAKES

REAL = find_packages(Path(__file__).parents[3] / "packages")
KINDS = [m for m in MISTAKES if m.name.startswith(("a picture by", "a document by", "a slip in what"))]
QUOTE = "repair-quote.pdf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of CTL-M-001 in a corpus of its own; its photo is said to be photographed, which spares drawing it."""
    copy = tmp_path / "claims" / "CTL-M-001"
    shutil.copytree(REAL["CTL-M-001"], copy)
    change(copy, lambda files: files["photo-rear-bumper.jpg"].update(how="photographed", recipe=None, rng_seed=None))
    return copy


def change(folder: Path, edit: Any) -> None:
    """Edits the files of the provenance."""
    provenance = json.loads((folder / PROVENANCE).read_bytes())
    edit(provenance["files"])
    (folder / PROVENANCE).write_bytes(json_bytes(provenance))


def test_every_recipe_has_a_form_and_the_other_way_round() -> None:
    """What can be drawn can be checked, and what papers are made is said of no picture."""
    assert set(CONTENT) == set(RECIPES) and set(MAKES) < set(CONTENT)
    assert {f"content-{recipe.replace('_', '-')}" for recipe in CONTENT} <= set(names())


@pytest.mark.parametrize("package", sorted(REAL))
def test_the_corpus_is_drawn_by_recipes_from_what_they_know(package: str) -> None:
    """No finding in any package as it ships."""
    assert list(recipe_findings(load_package(REAL[package]))) == []


@pytest.mark.parametrize("kind", KINDS, ids=[m.name for m in KINDS])
def test_a_recipe_that_does_not_fit_is_found_by_this_check_alone(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused with its code; missed when the check is taken out."""
    assert one(kind, REAL["CTL-M-001"]).expected is not None and not one(kind, REAL["CTL-M-001"]).missed
    left = [c for c in check_module.CHECKS if c is not recipe_findings]
    monkeypatch.setattr(check_module, "CHECKS", left)
    assert one(kind, REAL["CTL-M-001"]).missed


@pytest.mark.parametrize(("dot", "alike"), [(0, True), (6, True), (120, False)])
def test_bytes_of_another_processor_may_differ_by_noise(dot: int, alike: bool) -> None:
    """A picture saved otherwise, or a little brighter somewhere, is the same to the eye; a mark of a few pixels is not."""

    def jpeg(quality: int, more: int) -> bytes:
        image = Image.linear_gradient("L").convert("RGB")
        image.paste((100 + more,) * 3, (96, 96, 112, 112))
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality)
        return out.getvalue()

    assert same_look("p.jpg", jpeg(92, 0), jpeg(90, dot)) is alike


def test_a_document_is_the_bytes_that_its_provenance_draws(folder: Path) -> None:
    """Other content, another printed field or another signature gives other bytes; the finding names the file."""
    said: list[str] = []
    assert redraw_findings(load_package(folder), said.append) == [] and len(said) == 1
    change(folder, lambda files: files[QUOTE]["content"].update(motto="Bodywork and paint"))
    (found,) = redraw_findings(load_package(folder))
    assert (found.code, found.file) == ("not_as_drawn", f"CTL-M-001/input/materials/{QUOTE}")
    assert redraw_findings(load_package(folder), leave=[QUOTE]) == []


def test_what_cannot_be_drawn_is_a_finding(folder: Path) -> None:
    """A field that the recipe needs is not there."""
    change(folder, lambda files: files[QUOTE]["printed_fields"].pop("valid_until"))
    (found,) = redraw_findings(load_package(folder))
    assert found.code == "not_as_drawn" and "valid_until" in found.what


def test_files_are_drawn_when_asked_for(folder: Path) -> None:
    """`check --redraw`, of a corpus or of a package; not without it."""
    change(folder, lambda files: files[QUOTE]["content"].update(motto="Bodywork and paint"))
    write_manifest(folder.parent.parent, "t", "t")
    for path in (folder, folder.parent.parent):
        assert [f.code for f in check_paths([path], redraw=True).findings].count("not_as_drawn") == 1
        assert "not_as_drawn" not in {f.code for f in check_paths([path]).findings}


def test_what_was_frozen_as_it_is_is_not_drawn_again(folder: Path) -> None:
    """Until its provenance or the file itself changes."""
    files = corpus_files(folder.parent.parent)
    assert freeze._drawn_before(load_package(folder), {}) == set()
    assert QUOTE in freeze._drawn_before(load_package(folder), files)
    change(folder, lambda made: made[QUOTE]["content"].update(motto="Bodywork and paint"))
    assert freeze._drawn_before(load_package(folder), files) == set()


def test_nothing_is_frozen_that_is_not_as_drawn(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else speaks against it, files are drawn; those frozen before as they are, are not."""
    root = folder.parent.parent
    before = write_manifest(root, "t", "t")
    for other in ("check_corpus", "missing_signatures", "missing_looks", "quota_findings"):
        monkeypatch.setattr(freeze, other, lambda *_: [])
    said: list[str] = []
    assert (freeze.freeze_findings(root, before, said.append), said) == ([], [])
    change(folder, lambda files: files[QUOTE]["content"].update(motto="Bodywork and paint"))
    assert [f.code for f in freeze.freeze_findings(root, before, said.append)] == ["not_as_drawn"] and len(said) == 1


def _problems(edit: Any) -> Iterator[str]:
    provenance = json.loads((REAL["CTL-M-001"] / PROVENANCE).read_bytes())
    edit(provenance["files"])
    for problem in jsonschema.Draft202012Validator(schema_of("provenance")).iter_errors(provenance):
        yield f"{'.'.join(map(str, problem.absolute_path))}: {problem.message}"


def test_the_schema_of_a_provenance_knows_what_each_recipe_draws_from() -> None:
    """An editor underlines a slip in content and a recipe that there is not, and completes the rest."""
    assert list(_problems(lambda _: None)) == []
    (slip,) = _problems(lambda files: files[QUOTE]["content"].update(motttto="x"))
    assert "'motttto' was unexpected" in slip
    assert any("nosuch" in p for p in _problems(lambda files: files[QUOTE].update(recipe="nosuch")))
    assert list(_problems(lambda files: files["photo-rear-bumper.jpg"].update(recipe="ceiling_stain")))
    shapes = schema_of("provenance")["$defs"]
    assert "description" in shapes["RoofTilesContent"]["properties"]["missing"]
