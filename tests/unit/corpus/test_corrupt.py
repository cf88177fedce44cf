"""Single mistakes: every one is refused with its code, and is missed once the check meant for it is taken out."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.schema.package import find_packages
from oracle_scoring.corpus import check as check_module
from oracle_scoring.corpus import (
    check_agree,
    check_assertions,
    check_characters,
    check_declared,
    check_documents,
    check_labels,
    check_leaks,
    check_says,
    check_texts,
    contents,
    opening,
)
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.synthetic import PAPER, document_bytes, make_package
from scripts.corrupt import FEWEST, one, over_corpus
from scripts.mistakes.draft import MISTAKES

CORPUS = Path(__file__).parents[3] / "packages"
FIELDS = f"provenance.files.{PAPER}"
EMOTIONAL = {
    "facts.opening_style": "emotional",
    "message": "Oh no, I can't believe it! On 7 April 2026 I knocked my camera off a wall at the Quillmere lookout and it broke!!",
}
HALF = {
    f"{FIELDS}.pages_total": 2,
    f"files.{PAPER}": document_bytes([["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "Page 1 of 2"]]),
}
STOLEN: dict[str, Any] = {
    "labels.scenario_class": "property.theft_away",
    "labels.triage.allowed_reasons": ["loss_at_least_1000", "police_involved"],
    "facts.facts.8": {
        "id": "police_reference", "topic": "police", "kind": "reference", "value": "QM/4471/26", "say": "They gave me QM/4471/26.",
    },
    "labels.expected_facts.9": {
        "id": "police_reference", "field": "Police", "kind": "reference", "value": "QM/4471/26", "compare": "text", "confirmed": True,
    },
    f"{FIELDS}.printed_fields.police_reference": {"page": 1, "printed": "QM/4471/26", "kind": "reference", "value": "QM/4471/26"},
    f"files.{PAPER}": document_bytes(
        [["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "QM/4471/26", "Page 1 of 1"]]
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Packages that have between them something to make every mistake in; the first is a real one."""
    root = tmp_path_factory.mktemp("packages")
    made = [make_package(root / f"SYN-P-10{n}", c) for n, c in enumerate(({}, EMOTIONAL, HALF, STOLEN))]
    real = find_packages(CORPUS)
    return [real["CTL-M-001"], *made, real["CTL-P-002"]]


def test_what_is_spoilt_is_in_order_before(folders: list[Path]) -> None:
    """No untouched package gives a finding."""
    assert [finding.line() for folder in folders for finding in check(folder)] == []


def test_every_mistake_is_refused_with_its_code(folders: list[Path]) -> None:
    """Each in the first package that has something to make it in; there is one for each."""
    assert len(MISTAKES) >= FEWEST
    page = (CORPUS.parent / "docs/mistakes.md").read_text("utf-8")
    bad = []
    for n, mistake in enumerate(MISTAKES):
        turned = folders if n % 2 == 0 else [*folders[1:], folders[0]]
        outcomes = (one(mistake, folder) for folder in turned)
        outcome = next((o for o in outcomes if o.expected is not None), None)
        if outcome is None or outcome.missed:
            bad.append((mistake.name, outcome))
            continue
        row = next((line for line in page.splitlines() if line.startswith(f"| {mistake.name} |")), "")
        if f"`{outcome.expected}`" not in row:
            bad.append((f"{mistake.name} is not in docs/mistakes.md", outcome))
    assert bad == []


def test_every_mistake_of_a_corpus_is_refused_with_its_code(folders: list[Path]) -> None:
    """Copies, quotas and the manifest."""
    outcomes = over_corpus(folders[:2], "")
    assert len(outcomes) >= 10
    assert [o for o in outcomes if o.missed or o.expected is None] == []


NOTHING: Callable[..., Any] = lambda *_, **__: iter(())  # noqa: E731
LIST: Callable[..., Any] = lambda *_, **__: []  # noqa: E731
GUARDS: list[tuple[Any, str, Callable[..., Any], str]] = [
    (check_labels, "triage_label", NOTHING, "triage one level off"),
    (check_labels, "review_labels", NOTHING, "the alert turned round"),
    (check_labels, "review_labels", NOTHING, "quote_before_incident says something else"),
    (check_labels, "expected_facts", NOTHING, "a fact of the class is not expected"),
    (check_labels, "expected_facts", NOTHING, "nothing says that the customer does not know it"),
    (check_labels, "customer_values", NOTHING, "an amount without its currency"),
    (check_labels, "setup_fits", NOTHING, "cover of somebody else"),
    (check_labels, "date_order", NOTHING, "cover begins after the incident"),
    (check_labels, "class_fits", NOTHING, "a class of another line of insurance"),
    (check_texts, "relative_dates", NOTHING, "a relative date in the opening: Chinese"),
    (check_texts, "relative_date", lambda _: None, "a relative date in the opening: Vietnamese"),
    (check_texts, "date_without_year", lambda _: None, "a date without a year"),
    (check_texts, "ambiguous_date", lambda _: None, "a date that can be read in two ways"),
    (check_texts, "said_values", NOTHING, "a date that is not said"),
    (check_texts, "plain_opening", NOTHING, "a plain opening and another plain wording"),
    (check_texts, "opening_facts", NOTHING, "the opening names an amount that no fact has"),
    (opening, "_unsaid", LIST, "the opening makes it worse"),
    (opening, "_against_plain", LIST, "the opening leaves the date out"),
    (opening, "_negated", lambda _: {}, "the opening turns it: a denial changes its place"),
    (opening, "turned", NOTHING, "the opening turns it: left becomes right"),
    (opening, "turned", NOTHING, "the opening turns it: not called becomes called"),
    (opening, "miscounted", NOTHING, "the opening turns it: counts change places"),
    (opening, "other_doer", NOTHING, "the opening turns it: I did it becomes another did it"),
    (opening, "other_owner", NOTHING, "the opening turns it: mine becomes theirs"),
    (opening, "_against_plain", NOTHING, "the opening leaves a word out"),
    (opening, "unsaid_places", NOTHING, "the plain wording says a place that no fact says"),
    (opening, "_denied", NOTHING, "the plain wording denies what the facts affirm"),
    (opening, "_denied", NOTHING, "the plain wording tells of what there is none of"),
    (check_assertions, "contradiction", lambda *_: None, "an assertion that contradicts the alert"),
    (check_assertions, "standard_findings", NOTHING, "nothing is asserted"),
    (check_assertions, "standard_findings", NOTHING, "a standard assertion left out"),
    (check_assertions, "standard_findings", NOTHING, "a standard assertion turned round"),
    (check_labels, "field_names", NOTHING, "a field called as another fact is"),
    (check_labels, "field_names", NOTHING, "one field for two facts"),
    (check_labels, "time_order", NOTHING, "the journey starts on the day, before it happened"),
    (check_labels, "time_order", NOTHING, "bought on the day, after it broke"),
    (check_labels, "date_order", NOTHING, "a police letter of a day before the incident"),
    (check_agree, "other_answers", NOTHING, "nobody was hurt, and somebody was"),
    (check_agree, "other_answers", NOTHING, "the car drives, and had to be towed"),
    (check_agree, "told_of_cover", NOTHING, "more claims told than the insurer has"),
    (check_agree, "told_of_cover", NOTHING, "another first day of cover told"),
    (check_agree, "insured", NOTHING, "a number of another product"),
    (check_agree, "class_told", NOTHING, "a parked car that waited at the lights"),
    (check_agree, "invented", NOTHING, "a telephone number that may be somebody's"),
    (check_agree, "invented", NOTHING, "a mail address that may be somebody's"),
    (check_assertions, "leads_to", lambda _: str, "an assertion about a place that no state has"),
    (check_assertions, "unsaid", lambda *_: False, "an assertion that staff read what nobody says"),
    (check_assertions, "_fits", lambda *_: True, "an assertion of a value that no state has"),
    (check_characters, "invisible", lambda _: None, "a space of no width in the opening"),
    (check_characters, "mixed_word", lambda _: None, "a Cyrillic letter in a word"),
    (check_says, "opposite", lambda _: None, "an answer to no that denies nothing"),
    (check_says, "second_value", lambda _: None, "a second amount in an answer"),
    (check_leaks, "spoken", lambda _: ({}, {}), "a plan in an answer: oracle"),
    (check_leaks, "spelled_out", lambda *_: None, "a level letter by letter in an answer"),
    (check_leaks, "named_by_answer", lambda *_: None, "a plan as a file name: clear"),
    (check_leaks, "plan_in", lambda *_: None, "the plan as a mood: weak hits"),
    (check_leaks, "plan_in", lambda *_: None, "the plan as a label: receipt whose date cannot be read"),
    (check_leaks, "plan_in", lambda *_: None, "the plan in a promise"),
    (check_leaks, "plan_in_id", lambda _: None, "the plan as a fact's id"),
    (check_labels, "looks_alike", lambda _: True, "a look-alike that nothing resembles"),
    (check_documents, "purchase_proofs", LIST, "another price than the receipt's"),
    (check_documents, "document_kinds", NOTHING, "a proof of purchase declared as another invoice"),
    (check_documents, "provenance_covers", NOTHING, "a file of which nobody says how it was made"),
    (check_documents, "pages_declared", NOTHING, "pages not declared"),
    (check_documents, "file_contents", NOTHING, "a picture cut off"),
    (check_documents, "_pages", NOTHING, "a page without its mark"),
    (check_documents, "_printed", NOTHING, "another date declared than printed"),
    (check_documents, "printed_values", NOTHING, "a total that its value does not say"),
    (check_documents, "printed_against_facts", NOTHING, "another plate on a file than the customer's"),
    (check_documents, "sums", NOTHING, "sums that do not add up"),
    (check_documents, "unused_materials", NOTHING, "a letter that has nothing to do with it"),
    (check_declared, "withheld_dates", NOTHING, "declared illegible, and told in another form"),
    (check_declared, "undeclared", NOTHING, "a date on a page that nothing declares"),
    (check_declared, "undeclared", NOTHING, "a plate on a page that nothing declares"),
    (check_declared, "undeclared", NOTHING, "an amount on a page that nothing declares"),
    (check_declared, "other_matter", NOTHING, "a plan in a trade's words on a page"),
    (check_declared, "other_matter", NOTHING, "the name of somebody else on a page"),
    (check_declared, "_dearest", lambda _: None, "a receipt for another thing"),
    (check_declared, "other_matter", NOTHING, "a quote for the other end of the car"),
    (check_declared, "one_address", NOTHING, "two addresses of one customer"),
    (check_documents, "looked_at", NOTHING, "a file changed after it was looked at"),
    (check_leaks, "canaries", NOTHING, "a canary in a comment"),
    (check_leaks, "labels_and_names", NOTHING, "a label that is the kind, turned round"),
    (check_leaks, "labels_and_names", NOTHING, "the day of the incident as a file name"),
    (check_leaks, "derived_label", lambda *_: False, "a label that is the kind, in the plural"),
    (check_leaks, "codes_in_words", NOTHING, "what a file is for, in an answer"),
    (check_leaks, "metadata", NOTHING, "the level among the keywords"),
    (check_leaks, "_hit", lambda *_: None, "an answer as a bookmark"),
    (contents, "image_metadata", lambda _: {}, "an XMP packet"),
    (contents, "transparent", lambda _: False, "transparent pixels"),
    (contents, "unseen", LIST, "white text on white"),
    (contents, "unseen", LIST, "text in a render mode that shows nothing"),
    (contents, "unseen", LIST, "text behind a picture"),
    (contents, "unseen", LIST, "text outside the page"),
    (contents, "unseen", LIST, "tiny text"),
    (contents, "_revisions", LIST, "an earlier revision inside"),
    (contents, "_objects", LIST, "an object that no page uses"),
    (contents, "_odd_font", LIST, "a font that tells machines other letters"),
    (contents, "_outline_titles", LIST, "an answer as a bookmark"),
    (check_module, "layout_findings", LIST, "JSON by tabs"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "guard", "nothing", "name"), GUARDS, ids=[f"{g[1]}-{g[3]}" for g in GUARDS])
def test_a_check_that_is_taken_out_is_missed(
    folders: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    guard: str,
    nothing: Callable[..., Any],
    name: str,
) -> None:
    """The mistake is refused by the one check meant for it and by no other with its code."""
    mistake = next(m for m in MISTAKES if m.name == name)
    made = [o for folder in folders if (o := one(mistake, folder)).expected is not None]
    assert made and not [o for o in made if o.missed]
    monkeypatch.setattr(contents, "_READ", OrderedDict())
    monkeypatch.setattr(module, guard, nothing)
    spoilt = next(folder for folder in folders if folder.name == made[0].package)
    assert one(mistake, spoilt).missed


@pytest.mark.parametrize(
    ("guard", "name"),
    [
        ("shared_canaries", "a package copied with its canaries"),
        ("shared_things", "one customer in two packages"),
        ("same_labels", "one label for every file of a kind"),
        ("verify_manifest", "a changed byte"),
        ("quota_findings", "quotas that are off, when freezing"),
    ],
)
def test_a_check_of_the_corpus_that_is_taken_out_is_missed(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch, guard: str, name: str
) -> None:
    """Each of them is what finds it."""
    assert [o.missed for o in over_corpus(folders[:2], name)] == [False]
    monkeypatch.setattr(check_module, guard, LIST)
    assert [o.missed for o in over_corpus(folders[:2], name)] == [True]


def test_sufficiency_alone_finds_an_answer_that_is_not_in_the_view(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it a customer would be sent who cannot say where it happened."""
    mistake = next(m for m in MISTAKES if m.name == "an answer that leaves the place out")
    assert not one(mistake, folders[0]).missed
    left = [c for c in check_module.CHECKS if c.__name__ != "sufficiency_findings"]
    monkeypatch.setattr(check_module, "CHECKS", left)
    assert one(mistake, folders[0]).missed
