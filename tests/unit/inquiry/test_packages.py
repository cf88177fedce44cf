"""Inquiry packages: what is read of them, what the corpus check says, and that the real ones are in order."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError
from harness.run import load_corpus
from harness.schema.inquiry import InquirySeedRequest, InquirySetup
from harness.schema.package import OPENING, find_packages, read_visible
from harness.seed import seed_request
from harness.stage import check_view, load_package
from oracle_scoring.corpus.inquiry import check_inquiry, load_inquiry

ROOT = Path(__file__).parents[3] / "packages"
PICTURE = "INQ-010"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a package with three first messages and a picture."""
    return shutil.copytree(ROOT / "inquiry" / PICTURE, tmp_path / "inquiry" / PICTURE)


def change(file: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change a JSON file."""
    data = json.loads(file.read_text(encoding="utf-8"))
    edit(data)
    file.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


@pytest.mark.parametrize("package", sorted(find_packages(ROOT, "inquiry")))
def test_the_real_packages_give_no_finding_and_stage_as_they_are(package: str) -> None:
    """The checker has nothing to say, and the view equals a second reading of the files."""
    folder = find_packages(ROOT, "inquiry")[package]
    assert check_inquiry(folder) == []
    loaded = load_package(folder)
    check_view(loaded)
    assert isinstance(loaded.setup, InquirySetup)
    request = seed_request(loaded.setup, [])
    assert isinstance(request, InquirySeedRequest)
    sent = request.model_dump_json()
    assert not any(canary in sent for canary in loaded.canaries.values())


def test_ten_packages_cover_buyers_languages_and_endings() -> None:
    """Four kinds of buyer, both roles, four ways to write and all endings are there; every canary is its own."""
    packages = [load_inquiry(folder) for folder in find_packages(ROOT, "inquiry").values()]
    assert len(packages) == 10
    buyers = [p.labels.buyer for p in packages]
    assert {b.type for b in buyers} >= {"wholesale", "online", "own_brand", "gift"}
    assert {b.role for b in buyers} >= {"owner", "purchaser"}
    assert {b.language for b in buyers} == {"en", "vi", "zh-Hans", "zh-Hant"}
    assert {p.labels.ends for p in packages} == {
        "working_hours",
        "asked_for_person",
        "after_closing",
        "not_handed_over",
    }
    canaries = [c for p in packages for c in p.canaries.values()]
    assert len(set(canaries)) == 40


def test_an_opening_of_several_messages_is_read_in_order(folder: Path) -> None:
    """Texts and files come back in order; the first message stands for all texts."""
    view = read_visible(folder).view()
    assert [(m.text, m.file) for m in view.opening][1] == ("Do you have this cable?", "blurry.jpg")
    assert view.initial_message.count("\n") == 2


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda d: d["messages"][1].update(file="other.jpg"), "is not one of"),
        (lambda d: d.update(messages=[]), "messages"),
        (lambda d: d["messages"].append({}), "a text, a file or both"),
        (lambda d: d.update(messages=[{"file": "blurry.jpg"}]), "at least one of the messages has a text"),
        (lambda d: d["messages"][0].update(text="a\u0007"), "control character"),
        (lambda d: d["messages"][0].update(text=" "), "empty"),
    ],
)
def test_a_wrong_opening_is_refused_in_one_line(
    folder: Path, edit: Callable[[dict[str, Any]], object], why: str
) -> None:
    """The line names the file and why."""
    change(folder / OPENING, edit)
    with pytest.raises(InputError) as caught:
        read_visible(folder)
    assert why in str(caught.value) and "opening.json" in str(caught.value) and "\n" not in str(caught.value)


def test_an_opening_beside_a_first_message_is_refused(folder: Path) -> None:
    """One of the two is the customer's opening."""
    (folder / "input/initial_message.txt").write_text("Hi\n")
    with pytest.raises(InputError, match="keep one of the two"):
        read_visible(folder)


@pytest.mark.parametrize(
    ("file", "edit", "code"),
    [
        ("oracle/labels.json", lambda d: d["buyer"].update(type="gift"), "answer_differs"),
        ("oracle/labels.json", lambda d: d["form"].update(buyer_role="purchaser"), "answer_differs"),
        ("oracle/labels.json", lambda d: d["buyer"].update(language="vi"), "answer_differs"),
        ("oracle/labels.json", lambda d: d["events"].append(d["events"][0]), "id_repeated"),
        ("oracle/labels.json", lambda d: d["applies"].append(d["applies"][0]), "id_repeated"),
        ("oracle/labels.json", lambda d: d["events"][0].update(after=["never"]), "schema"),
        ("input/facts.json", lambda d: d["persona"].update(leads=False), "does_not_lead"),
        ("input/facts.json", lambda d: d["persona"].update(manner="will be converted"), "answer_visible"),
        ("input/facts.json", lambda d: d["facts"][0].update(say="I want P-7."), "answer_visible"),
        ("setup.json", lambda d: d["recognition"][0].update(recognized="cable"), "recognised_wrongly"),
        ("setup.json", lambda d: d["knowledge"].clear() or d["knowledge"].append(
            {"title": "MOQ", "language": "en", "topics": ["moq"], "text": "500", "media": ["none"]}), "unknown_medium"),
        ("setup.json", lambda d: d.update(knowledge=[k for k in d["knowledge"] if k["language"] != "vi"]), "one_language"),
        ("setup.json", lambda d: d.update(products=d["products"][1:]), "one_version"),
        ("provenance.json", lambda d: d["files"]["blurry.jpg"].update(rng_seed=8, recipe="cable"), "recognised_wrongly"),
        ("provenance.json", lambda d: d["files"]["blurry.jpg"].update(colour=[250, 250, 0]), "redrawn_differs"),
        ("provenance.json", lambda d: d.update(files={}), "not_told"),
    ],
)  # fmt: skip
def test_each_mistake_is_found(folder: Path, file: str, edit: Callable[[dict[str, Any]], object], code: str) -> None:
    """Broken in one place, the package gives the finding meant for it."""
    change(folder / file, edit)
    found = check_inquiry(folder)
    assert code in {f.code for f in found} or (code == "schema" and found), found


def test_a_canary_in_the_visible_half_is_found(folder: Path) -> None:
    """It would be in every prompt."""
    canary = load_inquiry(folder).labels.canary
    change(folder / "input/facts.json", lambda d: d["persona"].update(mood=canary))
    assert "canary_visible" in {f.code for f in check_inquiry(folder)}


def test_a_product_takes_packages_of_its_kind_only() -> None:
    """Without ids it gets all of its kind; a package of the other kind is refused in one line."""
    assert [p.id for p in load_corpus(ROOT, [], "inquiry")][:2] == ["INQ-001", "INQ-002"]
    assert not any(p.id.startswith("INQ") for p in load_corpus(ROOT, []))
    with pytest.raises(InputError, match="is of kind inquiry; this product takes packages of kind claims"):
        load_corpus(ROOT, ["INQ-001"])
