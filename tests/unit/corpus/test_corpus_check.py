"""The checker: clean packages give nothing, each mistake gives its code."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from oracle_scoring.corpus.check import check, check_corpus
from oracle_scoring.corpus.check_documents import prints_value
from oracle_scoring.corpus.check_leaks import canary_problem, holds, shared_run
from oracle_scoring.corpus.check_texts import says_value
from oracle_scoring.corpus.manifest import write_manifest
from oracle_scoring.corpus.relative import relative_date
from oracle_scoring.corpus.synthetic import DELETE, PAPER, PHOTO, document_bytes, make_package, picture_bytes


def paper(*lines: str) -> bytes:
    """The synthetic quote with other lines."""
    return document_bytes([list(lines)])


def photo_with(**save: Any) -> bytes:
    """A picture saved with metadata."""
    out = io.BytesIO()
    Image.new("RGB", (32, 24), (90, 90, 90)).save(out, "JPEG", **save)
    return out.getvalue()


def exif(tag: int, value: str) -> Image.Exif:
    """Camera metadata with one entry."""
    data = Image.Exif()
    data[tag] = value
    return data


def pdf_with(information: dict[str, str] | None = None, attachment: str | None = None) -> bytes:
    """The synthetic quote with document information or an attached file."""
    lines = ["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "Page 1 of 1"]
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(paper(*lines))))
    if information:
        writer.add_metadata(information)
    if attachment:
        writer.add_attachment(attachment, b"x")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


GOOD = ("Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "Page 1 of 1")
FIELDS = f"provenance.files.{PAPER}.printed_fields"
MUTATIONS: list[tuple[str, dict[str, Any], str]] = [
    ("level", {"labels.triage.level": "standard"}, "triage_level_differs"),
    (
        "required",
        {"labels.triage.required_reasons": ["loss_at_least_10000", "not_drivable"]},
        "triage_required_reasons_differ",
    ),
    ("allowed", {"labels.triage.allowed_reasons": []}, "triage_allowed_reasons_differ"),
    ("check", {"labels.review_checks.quote_before_incident.result": "clear"}, "review_check_differs"),
    (
        "not checked is not clear",
        {"labels.review_checks.prior_claims_within_year": {"result": "clear"}},
        "review_check_differs",
    ),
    (
        "reason of not checked",
        {"labels.review_checks.prior_claims_within_year.reason": "no_data"},
        "not_checked_reason_differs",
    ),
    ("alert", {"labels.review_required": False}, "review_required_differs"),
    ("control", {"labels.innocent_control": "no_signal"}, "innocent_control_differs"),
    ("day 31 of cover", {"setup.policy.inception": "2026-03-07"}, "review_check_differs"),
    ("lookup works", {"setup.failed_lookups": []}, "review_check_differs"),
    ("quote of the day", {f"{FIELDS}.date.value": "2026-04-07"}, "review_check_differs"),
    ("unknown to customer", {"labels.expected_facts.5.id": "colour"}, "fact_unknown_to_customer"),
    ("other value", {"labels.expected_facts.5.value": "another camera"}, "fact_value_differs"),
    ("known is unknown", {"labels.expected_facts.8.value": "in the drawer"}, "fact_value_differs"),
    ("other kind", {"labels.expected_facts.5.kind": "place"}, "fact_kind_differs"),
    ("compare", {"labels.expected_facts.4.compare": "plate"}, "fact_compare_does_not_fit"),
    ("compare unknown", {"labels.expected_facts.8.compare": "text"}, "fact_compare_does_not_fit"),
    ("fact of the class", {"labels.expected_facts.5": DELETE}, "class_fact_missing"),
    ("class", {"labels.scenario_class": "property.theft_away"}, "class_fact_missing"),
    ("date form", {"facts.facts.0.value": "7 April 2026"}, "value_not_canonical"),
    ("amount form", {"facts.facts.4.value": "£15,300"}, "value_not_canonical"),
    ("yes and no", {"facts.facts.3.value": "nobody"}, "value_not_canonical"),
    ("no such day", {"setup.prior_claims.0.reported": "2025-02-29"}, "value_not_canonical"),
    ("other product", {"setup.policy.product": "home"}, "setup_differs"),
    ("other holder", {"setup.policy.holder": "Somebody Else"}, "setup_differs"),
    ("before the incident", {"setup.now": "2026-04-06T08:00:00Z"}, "dated_after_journey"),
    ("short canary", {"labels.canary": "00000000000000000000000000000001"}, "canary_not_random"),
    ("counting canary", {"setup.canary": "0123456789abcdef0123456789abcdef"}, "canary_not_random"),
    ("repeating canary", {"review.canary": "9f3a61c8" * 4}, "canary_not_random"),
    ("relative message", {"message": "Yesterday I broke my camera."}, "relative_date"),
    ("relative say", {"facts.facts.0.say": "That was 7 April 2026, last Tuesday."}, "relative_date"),
    (
        "relative promise",
        {"materials.materials.1.visible.available.promise": "I get it tomorrow."},
        "relative_date",
    ),
    ("say without date", {"facts.facts.0.say": "In early April 2026."}, "say_without_value"),
    ("say without amount", {"facts.facts.4.say": "Far too much."}, "say_without_value"),
    ("say the opposite", {"facts.facts.3.say": "Yes, me."}, "say_without_value"),
    ("plain opening", {"provenance.plain_opening": "Hello."}, "opening_differs_from_plain"),
    ("kind as label", {"materials.materials.0.visible.label": "Zq breakage image"}, "label_from_kind"),
    ("kind turned round", {"materials.materials.0.visible.label": "image: zq-breakage"}, "label_from_kind"),
    ("level as label", {"materials.materials.0.visible.label": "the complex one"}, "answer_in_label"),
    ("value as label", {"materials.materials.1.visible.label": "the 15 300 pounds"}, "answer_in_label"),
    (
        "answer in name",
        {
            "materials.materials.0.visible.file": "quote-before-incident.jpg",
            f"files.{PHOTO}": DELETE,
            "files.quote-before-incident.jpg": picture_bytes(),
        },
        "answer_in_file_name",
    ),
    (
        "value in name",
        {
            "materials.materials.0.visible.file": "15300-gbp.jpg",
            f"files.{PHOTO}": DELETE,
            "files.15300-gbp.jpg": picture_bytes(),
        },
        "answer_in_file_name",
    ),
    ("code in words", {"facts.facts.2.say": "It is property.accidental_damage."}, "code_in_words"),
    ("kind in words", {"facts.wishes.0.say": "Did you get my zq_cost_estimate?"}, "code_in_words"),
    ("purpose in words", {"facts.facts.2.say": "It is zq purpose of the first file."}, "hidden_text_in_words"),
    ("exif", {f"files.{PHOTO}": photo_with(exif=exif(0x010E, "loss 15300"))}, "image_metadata"),
    ("comment", {f"files.{PHOTO}": photo_with(comment=b"urgent")}, "image_metadata"),
    ("after the end", {f"files.{PHOTO}": picture_bytes() + b"loss 15300"}, "image_metadata"),
    ("pdf title", {f"files.{PAPER}": pdf_with({"/Title": "quote before incident"})}, "answer_in_metadata"),
    ("pdf subject", {f"files.{PAPER}": pdf_with({"/Subject": "15300 GBP"})}, "answer_in_metadata"),
    ("pdf attachment", {f"files.{PAPER}": pdf_with(attachment="a.txt")}, "pdf_attachment"),
    ("code in pdf", {f"files.{PAPER}": paper(*GOOD, "not_checked")}, "code_in_document"),
    ("no page mark", {f"files.{PAPER}": paper(*GOOD[:3])}, "page_mark_missing"),
    ("wrong page mark", {f"files.{PAPER}": paper(*GOOD[:3], "Page 1 of 2")}, "page_mark_wrong"),
    ("page count", {f"files.{PAPER}": document_bytes([list(GOOD), list(GOOD)])}, "page_count_differs"),
    ("pages unsaid", {f"provenance.files.{PAPER}.pages_total": None, f"provenance.files.{PAPER}.pages_present": None},
     "pages_not_declared"),
    ("other date", {f"files.{PAPER}": paper(GOOD[0], "Date: 6 April 2026", *GOOD[2:])}, "printed_field_differs"),
    ("date unsaid", {f"{FIELDS}.date": DELETE}, "printed_field_differs"),
    ("other total", {f"files.{PAPER}": paper(*GOOD[:2], "Total: £15,800.00", GOOD[3])}, "printed_field_differs"),
    ("other canonical", {f"{FIELDS}.total.value": "15800.00 GBP"}, "printed_value_differs"),
    (
        "left-out page",
        {
            f"{FIELDS}.total.page": 2,
            f"provenance.files.{PAPER}.pages_total": 2,
            f"files.{PAPER}": paper(*GOOD[:3], "Page 1 of 2"),
        },
        "printed_on_other_page",
    ),
    ("no provenance", {f"provenance.files.{PHOTO}": DELETE}, "provenance_missing"),
    ("unused", {f"provenance.files.{PAPER}.document": "letter", f"{FIELDS}.total": DELETE}, "material_unused"),
    ("source is material", {f"provenance.files.{PAPER}.source_images": [f"raw/{PHOTO}"]}, "source_image_is_material"),
    ("broken picture", {f"files.{PHOTO}": picture_bytes()[:200]}, "image_unreadable"),
    ("broken document", {f"files.{PAPER}": b"%PDF-1.4 and nothing more"}, "pdf_unreadable"),
    ("stale check", {"review.assistant_checks.0.sha256": "0" * 64}, "review_of_other_bytes"),
    (
        "stale signature",
        {
            "review.human_signatures": [
                {"file": PHOTO, "sha256": "0" * 64, "name": "Test Signer", "signed_at": "2026-04-10T10:00:00Z"}
            ]
        },
        "review_of_other_bytes",
    ),
    ("contradicted", {"review.assistant_checks.0.agrees": False}, "review_contradicts"),
    ("nobody looked", {"review.assistant_checks": []}, "review_missing"),
    ("reason without not_checked", {"labels.review_checks.quote_before_incident.reason": "unreadable"}, "format"),
    ("not_checked without reason", {"labels.review_checks.prior_claims_within_year.reason": None}, "format"),
    ("check left out", {"labels.review_checks.quote_before_incident": DELETE}, "format"),
    ("unconfirmed", {"labels.expected_facts.0.confirmed": False}, "format"),
    ("fact twice", {"labels.expected_facts.1.id": "item"}, "format"),
    ("assertion twice", {"labels.assertions.1.id": "zq_submitted"}, "format"),
    ("unknown referee", {"labels.assertions.0.referee": "judge"}, "format"),
    ("bad pattern", {"labels.assertions.1.op": "matches", "labels.assertions.1.value": "("}, "format"),
    ("value missing", {"labels.assertions.0.value": None}, "format"),
    ("no canary", {"provenance.canary": DELETE}, "format"),
    ("upper-case canary", {"setup.canary": lambda c: c.upper()}, "format"),
    ("unknown setup field", {"setup.colour": "blue"}, "format"),
    ("reason twice", {"labels.triage.allowed_reasons": ["loss_at_least_10000"]}, "format"),
    ("drawn without recipe", {f"provenance.files.{PHOTO}.how": "drawn"}, "format"),
    ("generated without prompt", {f"provenance.files.{PHOTO}.how": "generated"}, "format"),
    ("page beyond the last", {f"provenance.files.{PAPER}.pages_present": [1, 2]}, "format"),
    ("blind look without why", {"review.blind_look.why_not": None}, "format"),
]  # fmt: skip


def test_the_synthetic_package_gives_no_finding(tmp_path: Path) -> None:
    """What the mutations start from is in order."""
    assert check(make_package(tmp_path / "SYN-P-001")) == []


@pytest.mark.parametrize(("changes", "code"), [m[1:] for m in MUTATIONS], ids=[m[0] for m in MUTATIONS])
def test_each_mistake_gives_its_code(tmp_path: Path, changes: dict[str, Any], code: str) -> None:
    """The finding names the package's file, says what is wrong and how to mend it, on one line."""
    findings = check(make_package(tmp_path / "SYN-P-001", changes))
    assert code in {f.code for f in findings}
    for finding in findings:
        assert finding.file.startswith("SYN-P-001/") and finding.what and finding.mend
        assert "\n" not in finding.line()


def test_a_canary_in_a_file_is_found(tmp_path: Path) -> None:
    """A canary in a document's bytes or in a say means that something hidden was copied."""
    canary = "9b1c5e07d2f84a6338e5b17c40fa92d6"
    lines = (*GOOD, canary)
    findings = check(make_package(tmp_path / "SYN-P-001", {"labels.canary": canary, f"files.{PAPER}": paper(*lines)}))
    assert [f.file for f in findings if f.code == "canary_in_visible"] == [f"SYN-P-001/input/materials/{PAPER}"]
    said = {"labels.canary": canary, "facts.persona.manner": f"short {canary.upper()}"}
    findings = check(make_package(tmp_path / "SYN-P-002", said))
    assert "canary_in_visible" in {f.code for f in findings}


def test_two_files_cannot_share_a_canary(tmp_path: Path) -> None:
    """Within a package and across packages."""
    canary = "9b1c5e07d2f84a6338e5b17c40fa92d6"
    one = {"labels.canary": canary, "setup.canary": canary}
    assert "canary_repeated" in {f.code for f in check(make_package(tmp_path / "a" / "SYN-P-001", one))}
    for n in (1, 2):
        make_package(tmp_path / "claims" / f"SYN-P-00{n}", {"labels.canary": canary})
    write_manifest(tmp_path, "t", "test")
    assert [f.code for f in check_corpus(tmp_path)] == ["canary_repeated"]


def test_the_corpus_check_goes_on_behind_an_unreadable_package(tmp_path: Path) -> None:
    """One broken package does not hide the findings of another, and the manifest is held against the files."""
    make_package(tmp_path / "claims" / "SYN-P-001")
    make_package(tmp_path / "claims" / "SYN-P-002", {"labels.review_required": False})
    write_manifest(tmp_path, "t", "test")
    (tmp_path / "claims/SYN-P-001/setup.json").write_text("{")
    codes = {f.code for f in check_corpus(tmp_path)}
    assert codes == {"not_json", "review_required_differs", "manifest_file_changed"}


RECEIPT: dict[str, Any] = {
    f"provenance.files.{PAPER}.document": "receipt",
    "materials.materials.1.hidden.evidence_kind": "zq_proof_of_purchase",
    f"files.{PAPER}": paper("Quillmere Optics", "Date: 2 November 2024", "Total: £16,850.00", "Page 1 of 1"),
    f"{FIELDS}.date": {"page": 1, "printed": "2 November 2024", "kind": "date", "value": "2024-11-02"},
    f"{FIELDS}.total": {"page": 1, "printed": "£16,850.00", "kind": "amount", "value": "16850.00 GBP"},
    "labels.review_checks.receipt_after_incident": {"result": "clear"},
    "labels.review_checks.quote_before_incident": {"result": "not_applicable"},
    "labels.review_required": False,
}
"""The paper is the receipt of the purchase."""


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({}, set()),
        ({"facts.facts.6.value": "2024-11-03", "facts.facts.6.say": "On 3 November 2024."}, {"printed_contradicts_fact"}),
        ({"facts.facts.7.value": "16851.00 GBP", "facts.facts.7.say": "£16,851.00."}, {"printed_contradicts_fact"}),
        (
            {f"provenance.files.{PAPER}.document": "invoice", "labels.review_checks.receipt_after_incident": {"result": "not_applicable"}},
            {"document_kind_differs"},
        ),
        (
            {
                f"provenance.files.{PAPER}.document": "invoice",
                "materials.materials.1.hidden.evidence_kind": "zq_repair_invoice",
                "labels.review_checks.receipt_after_incident": {"result": "not_applicable"},
                "facts.facts.6.value": "2024-11-03",
                "facts.facts.6.say": "On 3 November 2024.",
            },
            set(),
        ),
    ],
)  # fmt: skip
def test_a_receipt_says_when_and_for_how_much_it_was_bought(
    changes: dict[str, Any], codes: set[str], tmp_path: Path
) -> None:
    """Date and total are the day and the price of the purchase; an invoice for a repair is about something else."""
    merged = {**RECEIPT, **changes}
    for n in (6, 7):
        if (value := merged.get(f"facts.facts.{n}.value")) is not None:
            merged[f"labels.expected_facts.{n}.value"] = value
    assert {f.code for f in check(make_package(tmp_path / "SYN-P-001", merged))} == codes


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (
            {
                "labels.triage": {
                    "level": "urgent",
                    "required_reasons": ["ongoing_danger"],
                    "allowed_reasons": ["loss_at_least_10000", "loss_at_least_1000"],
                },
                "facts.facts.8": {"id": "ongoing_danger", "topic": "danger", "kind": "yes_no", "value": "yes", "say": "Yes, there is."},
            },
            "reason_fact_not_expected",
        ),
        ({"setup.policy": None}, "claims_without_policy"),
        ({"labels.review_required": False, "labels.innocent_control": "look_alike"}, "innocent_control_differs"),
    ],
)  # fmt: skip
def test_labels_that_rest_on_nothing(changes: dict[str, Any], code: str, tmp_path: Path) -> None:
    """A reason whose fact nobody collects, claims that cannot be looked up, a look-alike of nothing."""
    assert code in {f.code for f in check(make_package(tmp_path / "SYN-P-001", changes))}


def test_an_answer_as_a_common_word_is_no_leak_in_speech(tmp_path: Path) -> None:
    """A customer may say `complex` or `no signal`; only codes and labels are held to more."""
    changes = {"facts.facts.2.say": "It was complex: I knocked my camera off a wall, no signal up there."}
    assert check(make_package(tmp_path / "SYN-P-001", changes)) == []


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "Last night",
        "two days ago",
        "on Monday",
        "this morning",
        "a week ago",
        "next month",
        "the other day",
    ],
)
def test_relative_words(text: str) -> None:
    """Common English ways to mean another day."""
    assert relative_date(f"It broke {text}, I think.")


@pytest.mark.parametrize(
    "text", ["on 9 March 2026", "on Monday 9 March 2026", "for two days", "within a week", "at night"]
)
def test_absolute_words(text: str) -> None:
    """Dates and spans that mean the same whenever they are said."""
    assert not relative_date(f"It broke {text}, I think.")


@pytest.mark.parametrize(
    ("kind", "value", "text", "said"),
    [
        ("date", "2026-03-09", "on March 9th, 2026", True),
        ("date", "2026-03-09", "the 9th of March 2026", True),
        ("date", "2026-03-09", "on 3 September 2026", False),
        ("date", "2026-03-09", "on 19 March 2026", False),
        ("amount", "1284.00 GBP", "£1,284", True),
        ("amount", "1284.00 GBP", "£1,284.50", False),
        ("time", "16:20", "at 4.20 pm", True),
        ("time", "16:20", "at 4.20 am", False),
        ("time", "16:00", "4 pm", True),
        ("plate", "JX24 RVB", "jx24rvb", True),
        ("yes_no", "no", "No, nobody.", True),
        ("yes_no", "no", "Nobody was.", True),
        ("yes_no", "yes", "No.", False),
        ("reference", "none", "I have none.", True),
    ],
)
def test_what_counts_as_saying_a_value(kind: str, value: str, text: str, said: bool) -> None:
    """Forms of one value count, another value does not."""
    assert says_value(kind, value, text) is said


def test_random_canaries_pass_and_made_up_ones_do_not() -> None:
    """Typed, counted and repeated canaries are told from drawn ones."""
    assert canary_problem("4be1f0937ac25d68810fe6b3c7d92a54") is None
    for made_up in ("a" * 32, "deadbeef" * 4, "fedcba9876543210" * 2, "0" * 13 + "4be1f0937ac25d68810"):
        assert canary_problem(made_up) is not None


def test_words_are_compared_whole() -> None:
    """Parts of words are no hit; spelling of codes does not matter."""
    assert holds("a Quote, before-incident", "quote_before_incident") and not holds("complexity", "complex")
    assert shared_run("one two three four five six seven", "x two three four five six seven") is not None
    assert shared_run("one two three four five", "one two three four five") is None


@pytest.mark.parametrize(
    ("printed", "right"),
    [("09/03/2026", True), ("9.3.26 14:22", True), ("09 MAR 2026", True), ("03/09/2026", False), ("2026-03-09", True)],
)
def test_papers_print_dates_in_figures(printed: str, right: bool) -> None:
    """The day first; swapped it is another day."""
    assert prints_value("date", "2026-03-09", printed) is right
