"""Laying out a new package."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from harness.errors import InputError
from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW, SETUP
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.check import check, check_corpus
from oracle_scoring.corpus.check_labels import CLASS_FACTS, ID_LETTERS
from oracle_scoring.corpus.check_leaks import canary_problem
from oracle_scoring.corpus.load import load_package
from oracle_scoring.corpus.models import ScenarioClass
from oracle_scoring.corpus.new import AUTHORS_CODES, FACT_TABLE, new_package
from oracle_scoring.corpus.rules import derive
from oracle_scoring.corpus.synthetic import picture_bytes
from oracle_scoring.corpus.unwritten import mark, marks

CLASSES = get_args(ScenarioClass)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus without packages."""
    (tmp_path / "claims").mkdir()
    return tmp_path


WRITTEN = {
    "contact_name": "Ada Wren",
    "mood": "calm",
    "manner": "short",
    "how they say that they do not know": "I do not know.",
    "incident_date": "2026-04-05",
    "place": "12 Quince Lane, Harrowmere",
    "what_happened": "the thing fell and broke",
    "injuries": "no",
    "estimated_loss": "640.00 GBP",
    "plate": "JQ71 LMN",
    "drivable": "yes",
    "other_vehicle": "none",
    "other_driver": "none",
    "police_reference": "MD/26/04417",
    "vehicle_location": "12 Quince Lane, Harrowmere",
    "cause": "a leak in the storm",
    "rooms_affected": "the kitchen",
    "habitable": "yes",
    "emergency_work": "none",
    "item": "a camera",
    "purchase_date": "2025-11-20",
    "price": "640.00 GBP",
    "proof_of_purchase": "a receipt",
    "contact_email": "ada.wren@example.com",
    "contact_phone": "07700 900177",
    "policy number": "FW-300417",
    "insured address": "12 Quince Lane, Harrowmere",
    "first message": "Hello, I need to report a claim.",
}
SAID = {"incident_date": "It was on 5 April 2026.", "purchase_date": "On 20 November 2025."}


def id_for(scenario_class: str) -> str:
    """A package id that goes with the class."""
    letter = next(k for k, group in ID_LETTERS.items() if group == scenario_class.split(".")[0])
    return f"CTL-{letter}-099"


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Changes a JSON file of the package, laid out as package files are."""
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8", newline="\n")


def add_a_photo(folder: Path) -> None:
    """The author's file, its provenance, and a look at it."""
    data = picture_bytes()
    (folder / MATERIALS_DIR / "photo.jpg").write_bytes(data)
    shown = {"file": "photo.jpg", "label": "photo of it", "available": {"when": "now"}}
    edit(
        folder / MATERIALS,
        lambda m: m["materials"].append({"visible": shown, "hidden": {"evidence_kind": "loss_image"}}),
    )
    made = {
        "how": "photographed", "document": "photo", "recipe": None, "content": {}, "prompt": None, "purpose": "Shows the loss.",
        "printed_fields": {}, "pages_total": None, "pages_present": None, "rng_seed": None, "source_images": [],
    }  # fmt: skip
    edit(folder / PROVENANCE, lambda p: p["files"].update({"photo.jpg": made}))
    look = {"file": "photo.jpg", "sha256": sha256_hex(data), "by": "a test", "saw": "Something.", "agrees": True}
    edit(folder / REVIEW, lambda r: r["assistant_checks"].append(look))


def write_everything(folder: Path, but: str | None = None) -> None:
    """Does the author's part: replaces every mark (save `but`), adds one file, puts the labels to the rules."""
    for path in [folder / INITIAL_MESSAGE, *folder.rglob("*.json")]:
        text = path.read_text("utf-8")
        for what in set(marks(folder)) - {but}:
            value = WRITTEN.get(what) or _say(what.removeprefix("how they say "))
            text = text.replace(mark(what), value)
        path.write_text(text, "utf-8", newline="\n")
    add_a_photo(folder)
    derived = derive(load_package(folder))
    triage = {
        "level": derived.triage.level,
        "required_reasons": list(derived.triage.required),
        "allowed_reasons": list(derived.triage.allowed),
    }
    checks = {k: v.model_dump(exclude_none=True) for k, v in derived.checks.items()}
    edit(folder / LABELS, lambda labels: labels.update({"triage": triage, "review_checks": checks}))


def _say(fact: str) -> str:
    value = WRITTEN[fact]
    return SAID.get(fact) or {"yes": "Yes.", "no": "No.", "none": "There is none."}.get(value, f"It is {value}.")


@pytest.mark.parametrize("scenario_class", CLASSES)
def test_a_new_package_lacks_only_what_an_author_writes(corpus: Path, scenario_class: str) -> None:
    """The checker names marks and what follows from them; once all are replaced it has nothing left to say."""
    made = new_package(corpus, scenario_class, id_for(scenario_class))
    assert made.findings == []
    found = check(made.folder)
    assert {f.code for f in found} == AUTHORS_CODES
    assert sum(f.code == "not_written" for f in found) == len(marks(made.folder))
    write_everything(made.folder)
    assert [f.line() for f in check(made.folder)] == []


def test_after_new_a_corpus_lacks_only_what_an_author_writes(corpus: Path) -> None:
    """The draft's manifest knows the package, be it the first of the corpus or not."""
    for number in (1, 2):
        new_package(corpus, "motor.theft", f"CTL-M-09{number}")
        assert {f.code for f in check_corpus(corpus)} == AUTHORS_CODES


def test_canaries_are_fresh(corpus: Path) -> None:
    """Each hidden file has its own, random, and no other package has the same."""
    folders = [new_package(corpus, "motor.theft", f"CTL-M-09{n}").folder for n in (1, 2)]
    canaries = [c for folder in folders for c in load_package(folder).canaries.values()]
    assert len(set(canaries)) == 8 and not any(canary_problem(c) for c in canaries)


def test_what_is_left_is_told_with_its_places(corpus: Path) -> None:
    """A thing that stands in several files is told once; examples and files to add are told as well."""
    made = new_package(corpus, "motor.rear_end", "CTL-M-099", "new_account")
    by_name = {w.what: w.places for w in made.to_write}
    assert f"{SETUP}: policy.insured_item" in by_name["plate"] and len(by_name["plate"]) == 3
    told = " ".join(by_name)
    assert "clock" in told and "first day of cover" in told and "the files the customer has" in told
    assert load_package(made.folder).setup.claimant_session == "new_account"


def test_every_fact_of_every_class_has_a_topic() -> None:
    """No class asks for a fact that the table does not know; topics are no codes."""
    assert {name for names in CLASS_FACTS.values() for name in names} <= set(FACT_TABLE)
    assert not any("_" in fact.topic for fact in FACT_TABLE.values())


@pytest.mark.parametrize(
    ("scenario_class", "package", "session", "says"),
    [
        ("motor.flood", "CTL-M-001", "anonymous", "there is no class motor.flood"),
        ("home.storm", "CTL-M-001", "anonymous", "is no id of a home.storm package; one is CTL-H-042"),
        ("home.storm", "../CTL-H-1", "anonymous", "is no id"),
        (
            "home.storm",
            "CTL-H-01",
            "anonymous",
            "is no id of a home.storm package; one is CTL-H-042, with three digits",
        ),
        ("home.storm", "CTL-H-001", "by_post", "there is no session by_post"),
    ],
)
def test_wrong_wishes_are_refused(corpus: Path, scenario_class: str, package: str, session: str, says: str) -> None:
    """Nothing is written for an unknown class, an id of another class, or an unknown session."""
    with pytest.raises(InputError, match=says):
        new_package(corpus, scenario_class, package, session)
    assert list(corpus.rglob("*")) == [corpus / "claims"]


def test_an_existing_package_is_never_overwritten(corpus: Path) -> None:
    """The second call is refused and changes nothing."""
    folder = new_package(corpus, "motor.theft", "CTL-M-099").folder
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match="is there already; nothing was written"):
        new_package(corpus, "motor.theft", "CTL-M-099")
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_a_mark_anywhere_is_found(corpus: Path) -> None:
    """A mark that an author forgot in a label is named with file and field."""
    folder = new_package(corpus, "motor.theft", "CTL-M-099").folder
    write_everything(folder)
    wish = {"id": "w", "kind": "question", "say": "When? [[write: rest]]", "after_customer_messages": 2}
    edit(folder / FACTS, lambda facts: facts["wishes"].append(wish))
    assert [(f.code, f.file, f.field) for f in check(folder)] == [("not_written", f"CTL-M-099/{FACTS}", "wishes.0.say")]


def test_a_mark_left_is_one_finding_and_no_other(corpus: Path) -> None:
    """Whatever is left to write, in however many files: one finding names it and its places, nothing else quotes it."""
    folder = new_package(corpus, "motor.rear_end", "CTL-M-099").folder
    places = marks(folder)
    for what in ("plate", "injuries", "how they say estimated_loss", "contact_name"):
        rest = corpus / "claims" / "CTL-M-098"
        shutil.copytree(folder, rest)
        write_everything(rest, but=what)
        (found,) = check(rest)
        assert (found.code, found.file) == ("not_written", f"CTL-M-098/{places[what][0].partition(': ')[0]}")
        assert all(place in found.what for place in places[what][1:])
        shutil.rmtree(rest)


def test_two_packages_just_laid_out_share_nothing(corpus: Path) -> None:
    """A mark is nobody's plate or address: the corpus check names marks and missing files only."""
    for number in (1, 2):
        new_package(corpus, "motor.theft", f"CTL-M-09{number}")
    assert {f.code for f in check_corpus(corpus) if f.file.startswith("CTL")} == AUTHORS_CODES
