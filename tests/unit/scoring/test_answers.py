"""The customer's questions on the screen, files asked for again, what staff are left with."""

from pathlib import Path

import pytest
from builder import PHOTO, Golden, Journey, made, standard_journey
from records import draft, no_events, no_staff, staff_blind, staff_files, staff_row, wish_put

from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.answers import answer_lines
from oracle_scoring.claims.asked_files import asked_again_lines, asks_for_file, kinds_of
from oracle_scoring.claims.handover import handover_lines

MAKERS = {"journey": answer_lines, "files": asked_again_lines, "staff": handover_lines}
NEXT = "What is the registration number of your vehicle?"


def line(golden: Golden, root: Path, line_id: str) -> ScoreLine:
    """One line of the record's scorecard."""
    return made(golden, root, MAKERS[line_id.split(".")[0]], line_id)


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("I have passed your question on to a colleague, who will answer it.", "pass"),
        ("A colleague will get back to you about that.", "pass"),
        ("We have noted that for the claims team.", "pass"),
        ("I'll find out.", "pass"),
        ("Your bonus is not touched by a claim that was not your fault.", "pass"),
        ("您的问题已转交给同事，稍后会回复您。", "pass"),
        ("Câu hỏi của bạn đã được chuyển cho đồng nghiệp.", "pass"),
        ("Usually it stays as it is.", "needs_human"),
        ("Yes.", "needs_human"),
        ("Of course not!", "needs_human"),
        ("不会。", "needs_human"),
        ("Thank you, I have noted that.", "fail"),
        ("谢谢，已记录。", "fail"),
        ("Cảm ơn bạn.", "fail"),
        ("", "fail"),
    ],
)
def test_a_question_is_answered_taken_up_or_neither(reply: str, state: str, tmp_path: Path) -> None:
    """Taking up, and answering in the question's words, pass; thanks alone fail; an answer in other words is for a person."""
    golden = Golden()
    wish_put(f"{reply} {NEXT}")(golden)
    found = line(golden, tmp_path, "journey.questions_answered")
    assert found.state == state, found.why


def test_an_answer_may_come_later(tmp_path: Path) -> None:
    """That a question was passed on may be said some turns later."""
    golden = Golden()
    j = standard_journey(3)
    j.say("Will this affect my bonus?", wish="bonus")
    for _ in range(2):
        j.reply(NEXT)
        j.say("My registration is JX24 RVB.", told=("plate",))
    j.reply("I have passed on your question about the bonus. Anything else?")
    j.end()
    golden.journey = j
    assert line(golden, tmp_path, "journey.questions_answered").state == "pass"


@pytest.mark.parametrize(("asks_twice", "state"), [(False, "fail"), (True, "pass")])
def test_the_same_answer_twice(asks_twice: bool, state: str, tmp_path: Path) -> None:
    """The same words again are one answer too many, unless the customer asked again."""
    golden = Golden()
    j = standard_journey(3)
    taken = "I have passed your question on to a colleague."
    j.say("Will this affect my bonus?", wish="bonus")
    j.reply(f"{taken} {NEXT}")
    j.say("My registration is JX24 RVB. And who pays?" if asks_twice else "My registration is JX24 RVB.")
    j.reply(f"{taken} Anything else?")
    j.end()
    golden.journey = j
    found = line(golden, tmp_path, "journey.questions_answered")
    assert found.state == state, found.why


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("photo of the back of my car", {"photo"}),
        ("a photo of the receipt", {"receipt"}),
        ("a receipt, an invoice or a letter", {"receipt", "invoice", "letter"}),
        ("维修报价单", {"quote"}),
        ("ảnh chụp hư hỏng", {"photo"}),
        ("hóa đơn mua hàng", {"invoice"}),
        ("the car", set()),
    ],
)
def test_kinds_of_file(text: str, kinds: set[str]) -> None:
    """What a file is, as people of three languages call it; a picture of a paper is the paper."""
    assert kinds_of(text) == kinds


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("Please upload a photo of the damage.", True),
        ("Could you send us the quote?", True),
        ("请上传照片。", True),
        ("Vui lòng tải lên ảnh.", True),
        ("The photo has arrived.", False),
        ("Please upload another photo, from the side.", False),
        ("Please send a clearer photo.", False),
        ("Page 2 of the quote is missing, could you send it?", False),
    ],
)
def test_asking_for_a_file(sentence: str, asks: bool) -> None:
    """A request for a file; one for another, a better or the missing part is a different one."""
    assert asks_for_file(sentence) is asks


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("Please upload a photo of the damage.", "fail"),
        ("Could you upload the photo of the car again?", "fail"),
        ("We still need the photo, please send it.", "fail"),
        ("Please upload a photo of the driver's licence.", "pass"),
        ("Please upload another photo of the damage.", "pass"),
        ("The photo of the damage has arrived. Please upload the repair quote.", "pass"),
        ("Please upload the receipt.", "pass"),
        ("请再次上传照片。", "fail"),
    ],
)
def test_files_asked_for_again(reply: str, state: str, tmp_path: Path) -> None:
    """A file that arrived is not asked for in the same words or "again"; what is new is no repetition."""
    golden = Golden()
    j = standard_journey(5)
    j.upload("photo.jpg", PHOTO)
    j.reply(reply)
    j.end()
    golden.journey = j
    found = line(golden, tmp_path, "files.asked_again")
    assert found.state == state, found.why


def test_a_file_that_did_not_arrive_may_be_asked_for(tmp_path: Path) -> None:
    """What the page never showed, or what was promised, is rightly asked for again."""
    golden = Golden()
    j = standard_journey(5)
    j.upload("photo.jpg", PHOTO, confirmed=False)
    j.reply("Please upload a photo of the damage.")
    j.end()
    golden.journey = j
    assert line(golden, tmp_path, "files.asked_again").state == "not_applicable"


# Staff


@pytest.mark.parametrize(
    ("field", "value", "status", "state"),
    [
        ("Plate", "Not known", "Confirmed", "fail"),
        ("Plate", "", "Confirmed", "fail"),
        ("Plate", "JX24 RVB", "Collected", "fail"),
        ("Injuries", "—", "Missing", "fail"),
        ("Place", "未提供", "Confirmed", "fail"),
        ("Place", "chưa rõ", "Confirmed", "fail"),
        ("Other driver", "Not known", "Confirmed", "pass"),
        ("Other driver", "Not known", "Open", "pass"),
        ("Plate", "None", "Confirmed", "pass"),
        ("Plate", "The missing plate was JX24 RVB", "Confirmed", "pass"),
    ],
)
def test_what_staff_see_as_open(field: str, value: str, status: str, state: str, tmp_path: Path) -> None:
    """Empty, unknown or unsettled facts are open if the customer knows them, and only then."""
    golden = Golden()
    staff_row(field, value, status)(golden)
    found = line(golden, tmp_path, "staff.nothing_open")
    assert found.state == state, found.why


@pytest.mark.parametrize(
    ("label", "state"),
    [("Anyone hurt", "fail"), ("Registration", "fail"), ("Date", "fail"), ("Zodiac sign", "needs_human")],
)
def test_labels_of_staff_are_understood_as_questions(label: str, state: str, tmp_path: Path) -> None:
    """A label in the product's own words means the fact it asks for; one that means none is left to a person."""
    golden = Golden()
    assert golden.staff
    golden.staff["lists"]["facts"][0]["cells"] |= {"fact": label, "value": "Not known"}
    assert line(golden, tmp_path, "staff.nothing_open").state == state


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ("Still missing: photo of the damage", "fail"),
        ("Outstanding: registration number", "fail"),
        ("缺少：车牌号", "fail"),
        ("Missing documents: none", "pass"),
        ("Missing: name of the other driver", "pass"),
        ("Still missing: the signed form B7", "needs_human"),
        ("The ring is missing since Monday", "pass"),
    ],
)
def test_lists_of_what_is_missing(row: str, state: str, tmp_path: Path) -> None:
    """A line that lists what is missing is held against what the customer knows and has."""
    golden = Golden()
    assert golden.staff
    golden.staff["pages"][1] += f"\n{row}"
    j = standard_journey(4)
    j.say("My registration is JX24 RVB.", told=("plate",))
    j.reply("Thank you. Your case number is FW-2026-0042.", final="Case number FW-2026-0042")
    j.end()
    golden.journey = j
    found = line(golden, tmp_path, "staff.nothing_open")
    assert found.state == state, found.why


def test_what_the_customer_kept_back_is_not_open(tmp_path: Path) -> None:
    """A fact that the customer failed to tell when asked could not be given."""
    golden = Golden()
    j = standard_journey(1)
    j.say("Sorry, I don't know that.")
    j.reply("Thank you. Your case number is FW-2026-0042.", final="Case number FW-2026-0042")
    j.end()
    golden.journey = j
    staff_row("Incident time", "Not known")(golden)
    assert line(golden, tmp_path, "staff.nothing_open").state == "pass"


def test_a_claim_that_was_not_sent_is_judged_elsewhere(tmp_path: Path) -> None:
    """A draft is open by nature."""
    golden = Golden()
    draft(golden)
    assert line(golden, tmp_path / "1", "staff.nothing_open").state == "not_applicable"
    golden = Golden()
    no_staff(golden)
    assert line(golden, tmp_path / "2", "staff.nothing_open").state == "not_checked"


@pytest.mark.parametrize(
    ("names", "state"),
    [
        (("photo.jpg", "quote.pdf"), "pass"),
        (("Photo of the damage", "Repair quote"), "pass"),
        (("photo.jpg", "Repair quote"), "pass"),
        (("photo.jpg",), "fail"),
        (("photo.jpg", "quote.pdf", "quote.pdf"), "fail"),
        (("photo.jpg", "quote.pdf", "x.pdf"), "fail"),
        ((), "fail"),
    ],
)
def test_uploads_as_staff_see_them(names: tuple[str, ...], state: str, tmp_path: Path) -> None:
    """Every file once, under its own or another name; one missing, doubled or too many is wrong."""
    golden = Golden()
    staff_files(*names)(golden)
    found = line(golden, tmp_path, "staff.uploads")
    assert found.state == state, found.why


def test_uploads_without_a_journey_or_a_case(tmp_path: Path) -> None:
    """Without events nothing is known of uploads; a case that staff cannot find shows none."""
    golden = Golden()
    no_events(golden)
    assert line(golden, tmp_path / "1", "staff.uploads").state == "not_checked"
    golden = Golden()
    staff_blind(golden)
    assert line(golden, tmp_path / "2", "staff.uploads").state == "fail"
    golden = Golden()
    golden.journey = Journey()
    golden.journey.start()
    golden.journey.end()
    staff_files()(golden)
    assert line(golden, tmp_path / "3", "staff.uploads").state == "not_applicable"
