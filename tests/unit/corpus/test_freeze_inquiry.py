"""Looking at, signing, freezing and correcting packages of buyers: on a throwaway corpus, with a test signer."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.run import check_frozen
from harness.schema.package import LABELS, find_packages, read_manifest
from harness.schema.strict_json import sha256_hex
from harness.stage import load_package as load_for_run
from harness.vision import VisionReply
from oracle_scoring.corpus.check import check_corpus
from oracle_scoring.corpus.freeze import FreezeRefused, freeze
from oracle_scoring.corpus.inquiry import load_inquiry
from oracle_scoring.corpus.ledger import Edit, correct, package_at, read_ledger
from oracle_scoring.corpus.look import blind_look
from oracle_scoring.corpus.manifest import write_manifest
from oracle_scoring.corpus.review_page import package_view
from oracle_scoring.corpus.sign import sign

CORPUS = Path(__file__).parents[3] / "packages"
SIGNER = "Tessa Testsigner"
AT = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
PLAN = {"groups": {"property": 0}, "review_required": 0, "innocent_controls": 0, "every_class": False}
SAW = {"kind": "photo", "description": "A red cable.", "things": ["a braided cable", "two dark plugs"], "texts": []}


def looked(folder: Path, **other: object) -> None:
    """A blind look by a function in a model's place."""
    blind_look(folder, lambda *_: VisionReply(json.dumps({**SAW, **other}), "seeing-model-3", False))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A draft of two buyers, one without and one with a picture."""
    for name in ("INQ-001", "INQ-002"):
        shutil.copytree(CORPUS / "inquiry" / name, tmp_path / "corpus/inquiry" / name)
    root = tmp_path / "corpus"
    (root / "plan.json").write_text(json.dumps(PLAN), encoding="utf-8")
    write_manifest(root, "draft-1", "first")
    return root


def refused(root: Path) -> set[str]:
    """Why it is not frozen."""
    with pytest.raises(FreezeRefused) as caught:
        freeze(root, "v1")
    assert not read_manifest(root).frozen
    return {f.code for f in caught.value.findings}


def signed(folder: Path) -> None:
    """The test signer's name under the picture."""
    sign(folder, "cable.jpg", sha256_hex((folder / "input/materials/cable.jpg").read_bytes()), SIGNER, AT)


def test_a_buyers_picture_that_nobody_looked_at_is_not_frozen(root: Path) -> None:
    """A look and a person's signature are both needed, and a look must name what the picture shows."""
    folder = root / "inquiry/INQ-002"
    assert refused(root) == {"signature_missing", "blind_look_missing"}
    (view,) = package_view(folder).files
    assert view.image and view.shows and not view.signed
    looked(folder)
    assert refused(root) == {"signature_missing"}
    looked(folder, things=["a garden"], description="Some flowers.")
    signed(folder)
    assert refused(root) == {"blind_not_seen"}


def test_a_frozen_package_of_a_buyer_keeps_every_byte(root: Path) -> None:
    """Another byte is a finding and refuses a run; a correction moves the revision and keeps what was, and v2 may follow."""
    folder = root / "inquiry/INQ-002"
    looked(folder)
    signed(folder)
    manifest = freeze(root, "v1")
    assert manifest.frozen and "inquiry/INQ-002/oracle/labels.json" in manifest.files and check_corpus(root) == []
    packages = [load_for_run(one) for one in find_packages(root, "inquiry").values()]
    check_frozen(root, packages)
    before = (folder / LABELS).read_bytes()
    (folder / LABELS).write_bytes(before.replace(b'"working_hours"', b'"not_handed_over"'))
    assert {f.code for f in check_corpus(root)} == {"manifest_file_changed", "change_not_in_ledger"}
    with pytest.raises(InputError, match=r"inquiry/INQ-002/oracle/labels.json: is not the file that was frozen as v1"):
        check_frozen(root, packages)
    (folder / LABELS).write_bytes(before)
    correct(root, "INQ-002", [Edit(file=LABELS, field="ends", value="not_handed_over")], "was wrong", SIGNER, AT)
    assert load_inquiry(folder).labels.oracle_revision == 2 and len(read_ledger(root)) == 1
    assert {f.code for f in check_corpus(root)} == {"manifest_file_changed", "manifest_file_new"}
    assert (package_at(root, folder, 1, root.parent / "then") / LABELS).read_bytes() == before
    assert freeze(root, "v2", "how it ends").changes[-1].files
    assert check_corpus(root) == []
