"""The fidelity report of recorded talks, and of a run from the command line."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from harness.cli import app as cli
from harness.schema.events import EVENT, Event
from harness.schema.move import act, say
from harness.schema.screen import Block, Control, Screen
from harness.schema.visible import Available, MaterialVisible
from oracle_scoring.fidelity import fidelity_of_attempt, fidelity_of_run, format_fidelity, judge
from oracle_scoring.fidelity.moves import moves
from oracle_scoring.record import read_record
from tests.support.desk import CORPUS, Office
from tests.support.stand_ins import STAND_INS, good
from tests.support.views import button, screen, upload, view

POLICE = {
    "id": "police_reference",
    "topic": "police",
    "kind": "reference",
    "value": "none",
    "say": "There is none, I did not call the police.",
}
AT = datetime(2026, 3, 11, tzinfo=UTC)


class Talk:
    """Events of a talk, as a worker writes them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.turn = 0

    def add(self, kind: str, **fields: Any) -> None:
        """One event."""
        base = {"n": len(self.events) + 1, "at": AT, "t_ms": 1.0, "turn": self.turn, "kind": kind}
        self.events.append(EVENT.validate_python({**base, **fields}))

    def sees(self, shown: Screen) -> "Talk":
        """A screen."""
        self.add("screen", screen=shown, pictures=[], read_ms=1.0)
        return self

    def says(self, *texts: str, by: str = "model", confirmed: bool = True) -> "Talk":
        """Messages that the page shows."""
        if by != "opening":
            self.add("move", move=say(*texts), by=by, call=None, decide_ms=1.0)
        self.turn += 1
        for text in texts:
            self.add("acted", act="said", text=text, confirmed=confirmed, act_ms=1.0)
        return self

    def uploads(self, name: str) -> "Talk":
        """A file that the page shows."""
        self.add("move", move=act("upload", file=name), by="model", call=None, decide_ms=1.0)
        self.turn += 1
        self.add("acted", act="uploaded", text=name, file=name, confirmed=True, act_ms=1.0)
        return self

    def refused(self, raw: str, problem: str = "ungrounded") -> "Talk":
        """A refused reply."""
        self.add("move_rejected", problem=problem, why="", note="ungrounded", call="c1", raw=raw)
        return self


def began() -> Talk:
    """The author's first message, without a decision, as a worker records it."""
    return Talk().sees(screen("Hello. What happened?")).says(view().initial_message, by="opening")


def found(talk: Talk, **changes: Any) -> Sequence[tuple[str, bool, list[str], list[str]]]:
    """(kind, delivered, about, made good) of each finding."""
    facts = [*view().facts, type(view().facts[0]).model_validate(POLICE)]
    judged = judge(talk.events, view(facts=facts, **changes))
    return [(f.kind, f.delivered, f.about, f.made_good) for f in judged.findings]


def test_a_small_models_real_talk_is_read_rightly() -> None:
    """Asked for a quote it spoke of the other driver; asked about the police it knew nothing, although there is none.

    Both are its own, and together they spoil the journey; what it told in its own words is told.
    """
    talk = began()
    talk.sees(
        screen("Please upload the repair quote, or let me know if it comes later.", upload("Upload repair quote"))
    )
    talk.says(
        "I'm afraid I don't know the name of the other driver. I'm afraid I don't know the insurer of the other car."
    )
    talk.sees(screen("No problem, it can follow later. Was anyone hurt, and is there a police reference?"))
    talk.says("No, nobody was hurt. I'm afraid I don't know the police reference.")
    talk.sees(screen("What is the registration number of your vehicle?")).says("My registration is LK21 ABO.")
    assert found(talk) == [
        ("missed_action", True, ["quote.pdf"], []),
        ("denied", True, ["police_reference"], []),
    ]
    facts = [*view().facts, type(view().facts[0]).model_validate(POLICE)]
    assert "police_reference, quote.pdf" in str(judge(talk.events, view(facts=facts)).spoilt)


def test_what_was_kept_back_and_given_later_is_made_good() -> None:
    """The slip stays, and spoils nothing any more."""
    talk = began().sees(screen("Is there a police reference?")).says("I don't know.")
    talk.sees(screen("So was the police called?")).says("No, the police was not called.")
    talk.sees(screen("Please upload a photo.", upload("Upload photo of the damage"))).says("Here it is.")
    talk.sees(screen("Please upload it now.", upload("Upload photo of the damage"))).uploads("photo of my rear bumper")
    assert found(talk) == [
        ("denied", True, ["police_reference"], ["police_reference"]),
        ("missed_action", True, ["photo.jpg"], ["photo.jpg"]),
    ]
    assert judge(talk.events, view()).spoilt is None


def test_what_the_page_did_not_take_reached_nobody() -> None:
    """An act that was never confirmed tells nothing, and its slips are not delivered."""
    talk = began().sees(screen("When did it happen?")).says("The other car was red.", confirmed=False)
    talk.sees(screen("When did it happen?")).says("It was on 9 March 2026.")
    assert found(talk) == [("hallucination", False, ["incident_date"], [])]


def test_a_refused_reply_is_read_without_the_guards_word() -> None:
    """By its own text: a move with a slip, or no move at all; one that the recorder cut is undecided."""
    talk = began().sees(screen("When did it happen?"))
    talk.refused('{"move":"say","messages":["How can I help you?"]}', "malformed").refused("blah").refused("{" * 4000)
    judged = judge(talk.says("It was on 9 March 2026.").events, view())
    assert [(f.kind, f.delivered) for f in judged.findings] == [("role_flip", False), ("empty_or_malformed", False)]
    assert [u.kind for u in judged.undecided] == ["empty_or_malformed"]


def test_what_no_rule_can_say_is_said_to_be_undecided() -> None:
    """Words from nowhere that state no particular, an answer in other words, a don't-know to two questions."""
    talk = (
        began()
        .sees(screen("Where did it happen?"))
        .says("My brakes failed and I rolled backwards into somebody's garden fence.")
    )
    talk.sees(screen("What is the plate, and who was driving the other car?")).says("I don't know, sorry.")
    judged = judge(talk.events, view())
    assert [(u.kind, u.about) for u in judged.undecided] == [
        ("hallucination", []), ("missed_action", ["place"]), ("denied", ["plate"]),
    ]  # fmt: skip
    assert [f.kind for f in judged.findings] == ["missed_action"]


def test_a_wrong_value_that_is_confirmed_is_the_products_and_a_minor_slip() -> None:
    """The customer pressed Yes under a date that is not its own; that excuses no line."""
    shown = screen("Please check.", button("Yes, that is right"), dialog="Date of the incident\n10 March 2026")
    talk = began().sees(shown)
    talk.add("move", move=act("press", control="Yes, that is right"), by="model", call=None, decide_ms=1.0)
    talk.add("acted", act="pressed", text="Yes, that is right", confirmed=True, act_ms=1.0)
    judged = judge(talk.events, view())
    assert [(f.kind, f.severity) for f in judged.findings] == [("inconsistent", "minor")]
    assert judged.spoilt is None and judged.telling == []


def test_a_receipt_for_a_quote_is_the_customers_slip() -> None:
    """A paper of another kind than the one asked for; one that may be it is none."""
    receipt = MaterialVisible(file="r.jpg", label="receipt for the television", available=Available(when="now"))
    for control, kinds in (("Upload repair quote", ["wrong_sequence"]), ("Upload proof of purchase", [])):
        talk = began().sees(screen("Please upload it here.", upload(control))).uploads("receipt for the television")
        assert [kind for kind, *_ in found(talk, files=[receipt])] == kinds


def test_files_and_facts_given_unasked_are_told_from_those_asked_for() -> None:
    """Asked once is asked; a wish in the author's words and a person who offers files are no slips."""
    plain = Control(kind="upload", name="Add a file", part="page", enabled=True)
    talk = began().sees(screen("When did it happen?", plain)).says("It was on 9 March 2026. It's LK21 ABO.")
    talk.sees(screen("Where did it happen?", plain)).uploads("photo of my rear bumper")
    assert found(talk) == [
        ("revealed_early", True, ["plate"], []),
        ("wrong_sequence", True, ["photo.jpg"], []),
    ]
    persona = view().persona.model_copy(update={"hands_over_unasked": True})
    assert [kind for kind, *_ in found(talk, persona=persona)] == ["revealed_early"]
    asked = began().sees(screen("What is the registration number?")).says("Let me look for it.")
    asked.sees(screen("When did it happen?")).says(
        "It was on 9 March 2026. It's LK21 ABO. Will this affect my no claims bonus?"
    )
    assert [kind for kind, *_ in found(asked)] == ["missed_action"]


def test_moves_of_the_rigs_own_are_no_ones_slips() -> None:
    """The opening, a wish and the nudge at a dead end are the author's and the rig's words; they count as said."""
    talk = (
        began()
        .sees(screen("Thank you."))
        .says("What about my plate LK21 ABX?", by="wish")
        .says("Anything else?", by="dead_end")
    )
    assert found(talk) == []
    talk.sees(screen("When did it happen?")).says("It was on 9 March 2026.")
    (last,) = moves(talk.events, view())
    assert last.before.messages == (view().initial_message, "What about my plate LK21 ABX?", "Anything else?")
    assert last.before.told >= {"incident_date"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one package: an attempt that was spoilt, one that was not, and one that never ended."""
    office, patch = Office(tmp_path_factory.mktemp("run")), pytest.MonkeyPatch()
    (denies,) = [s for s in STAND_INS if s.kind == "denied"]
    office.play(patch, denies.always())
    office.play(patch, good)
    patch.undo()
    office.run.new_attempt(office.package.id, 1)
    office.close()
    return office.run.folder


def test_a_run_is_summed_up(run: Path) -> None:
    """Per kind and attempt; every kind has its row in the data, what was not looked at is named."""
    report = fidelity_of_run(run, CORPUS.parent)
    assert (report.simulator_errors, report.spoilt, report.missed_by_guard) == (1, 1, 0)
    assert [(a.attempt, a.counting) for a in report.attempts] == [(1, False), (2, True)]
    assert report.unfinished == ["CTL-M-001/t01/a03"]
    denied = report.kinds["denied"]
    assert sum(denied.stopped.values()) > 0 and denied.delivered["hindered"] == sum(
        a.kind == "denied" and a.delivered for a in report.attempts[0].findings
    )
    assert sum(report.kinds["role_flip"].stopped.values()) == 0 and "persona_break" in report.not_looked_for
    coverage = report.attempts[1].coverage
    assert coverage.facts["incident_date"] == "opening" and coverage.facts["plate"] == "told_when_asked"
    assert set(coverage.files.values()) == {"handed_over"} and coverage.wishes == {"no_claims_bonus": True}
    assert coverage.unknown == {"other_driver": True, "other_insurer": False}
    text = format_fidelity(report, 80)
    assert (
        "CTL-M-001 t01/a01: simulator_error, does not count" in text
        and "not looked at: CTL-M-001/t01/a03 has no end" in text
    )
    assert max(map(len, text.splitlines())) <= 80


def test_the_command_prints_json_alone_and_bad_input_in_one_line(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 2 for a run that is not there, and for a corpus without the run's packages."""

    def rig(*args: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["rig", "fidelity", *args])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    code, out, _ = rig(str(run), "--json", "--corpus", str(CORPUS.parent))
    assert (code, json.loads(out)["schema"]) == (0, "fidelity-v1")
    code, out, err = rig("no-such-run")
    assert (code, out, err.count("\n")) == (2, "", 1)
    (tmp_path / "corpus").mkdir()
    code, out, err = rig(str(run), "--corpus", str(tmp_path / "corpus"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "CTL-M-001" in err


def test_hostile_words_in_a_record_reach_no_terminal_as_commands(run: Path, tmp_path: Path) -> None:
    """Escape sequences and line breaks of a model are shown as one plain line."""
    talk = began().sees(screen("When did it happen?")).says("\x1b[2J\nI saw a red car.\x07")
    office_record = read_record(run / "CTL-M-001" / "t01" / "a02")
    one = fidelity_of_attempt(type(office_record)(**{**vars(office_record), "events": tuple(talk.events)}), view())
    whole = fidelity_of_run(run, CORPUS.parent).model_copy(update={"attempts": [one]})
    assert not {"\x1b", "\x07"} & set(format_fidelity(whole))


def test_a_block_of_the_screen_is_no_word_of_the_customers() -> None:
    """What only the panel shows is no question, and may be said again."""
    shown = screen("Where did it happen?").model_copy(
        update={
            "blocks": [Block(part="panel", text="Plate ZZ99 ZZZ"), Block(part="reply", text="Where did it happen?")]
        }
    )
    assert found(began().sees(shown).says("In the Oakfield car park in Barnet, not with ZZ99 ZZZ.")) == []
