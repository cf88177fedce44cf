"""What a script sees of the agent rules in a recorded claim: certain findings with evidence, and what it does not see."""

from collections.abc import Callable
from pathlib import Path

import pytest
from builder import PACKAGE, PHOTO, Golden, standard_journey
from records import (
    _finish,
    cut_screen,
    draft,
    no_state,
    nothing_to_do_reply,
    photo_again,
    repeated_question,
    stored,
)

from harness.errors import InputError
from oracle_scoring.agent_rules import AgentRun, grade_run, load_rules
from oracle_scoring.agent_rules.journey import UNSEEN, runs_of

Change = Callable[[Golden], None]
RULES = load_rules()
LOOKED_FOR = {"OUT-08", "INS-03", "INS-06", "EXE-06", "MT-02", "MT-04"}


def run_of(root: Path, change: Change | None = None) -> AgentRun:
    """The run made of a record with this change."""
    golden = Golden()
    if change is not None:
        change(golden)
    attempt, package = golden.write(root)
    ((_, run),) = runs_of(attempt, package.parents[1], RULES)
    return run


def states(run: AgentRun) -> dict[str, str]:
    """Code -> what came of looking."""
    return {c.code: c.state for c in run.coverage or ()}


def test_the_good_record_has_no_finding_and_every_code_a_word(tmp_path: Path) -> None:
    """Nothing is found where the product did right; what no script can see is listed as not checked, never as fine."""
    run = run_of(tmp_path)
    assert run.findings == []
    assert list(states(run)) == RULES.codes
    assert {code for code, state in states(run).items() if state != "not_checked"} == LOOKED_FOR
    assert {c.why for c in run.coverage or () if c.code.startswith(("SAFE", "PLN", "CO"))} == {UNSEEN}
    result = grade_run(run, RULES)
    assert (result.total, result.completion.failed, result.completion.rate) == (60, 0, 1.0)
    assert len(result.not_checked) == len(RULES.codes) - len(LOOKED_FOR)
    assert {i.id for i in run.checklist} >= {"journey.completed", "triage.level", "facts.plate", "assertions.submitted"}
    assert result.completion.unknown == sum(i.referee == "human" for i in run.checklist) == 1


def same_reply(g: Golden) -> None:
    """After an answer the product says the very same."""
    j = standard_journey(4)
    j.say("My registration is JX24 RVB.", told=("plate",))
    j.reply("Please tell me something about the damage.")
    j.say("It was hit from behind.", told=("what_happened",))
    j.reply("Please tell me something about the damage.")
    j.say("It was hit from behind.", told=("what_happened",))
    j.reply("Please upload a photo of the damage.", card="Upload photo of the damage")
    _finish(j)
    g.journey = j


def same_reply_after_no_answer(g: Golden) -> None:
    """The customer did not know, and is asked the same once more."""
    same_reply(g)
    for event in g.journey.events:
        if event.kind == "ledger" and event.id == "what_happened" and event.how == "answer":
            event.__dict__.update(entry="unknown_told", id="other_driver")


def ended(reason: str) -> Change:
    """The claim was never sent, and the journey ended so."""

    def change(g: Golden) -> None:
        draft(g)
        g.journey = standard_journey(5)
        g.journey.end(reason, "so it ended", None)
        g.reason, g.why = reason, "so it ended"

    return change


def wishing(*says: str, submitted: bool = True, note: str | None = "Please ring me back.") -> Change:
    """The package's wishes, all put; the product holds an open note to contact the customer, or none."""

    def change(g: Golden) -> None:
        kinds = ["contact" if s == "Please ring me back." else "message" for s in says]
        g.facts["wishes"] = [
            {"id": f"w{n}", "kind": kind, "say": text, "after_customer_messages": 3}
            for n, (text, kind) in enumerate(zip(says, kinds, strict=True))
        ]
        j = standard_journey(4)
        for n, text in enumerate(says):
            j.say(text, wish=f"w{n}")
            j.reply("What is the registration number of your vehicle?" if n == 0 else "Is there anything else?")
        j.say("My registration is JX24 RVB.", told=("plate",))
        j.reply("Thank you. Your case number is FW-2026-0042.", final="Case number FW-2026-0042")
        j.end(final="Case number FW-2026-0042")
        g.journey = j
        g.case["notes"] = [{"kind": "contact", "text": note, "status": "open"}] if note else []
        if not submitted:
            g.case["status"], g.case["number"] = "draft", None

    return change


FOUND: list[tuple[str, Change, int]] = [
    ("MT-04", same_reply, 1),
    ("INS-06", repeated_question, 1),
    ("INS-06", photo_again, 1),
    ("EXE-06", ended("product_error"), 1),
    ("EXE-06", ended("nothing_to_do"), 1),
    ("OUT-08", stored("photo.jpg", b"other bytes"), 1),
    ("OUT-08", stored("photo.jpg", PHOTO, 0), 1),
    ("INS-03", wishing("Please do not call me."), 1),
    ("INS-03", wishing("请不要给我打电话。"), 1),
    ("INS-03", wishing("Xin đừng gọi cho tôi."), 1),
    ("INS-03", wishing("Please don't submit the claim yet."), 1),
    ("MT-02", wishing("Please ring me back.", "Forget about the call."), 1),
    ("MT-02", wishing("Please ring me back.", "You need not call me."), 1),
    ("MT-02", wishing("I want to withdraw my claim."), 1),
]


@pytest.mark.parametrize(("code", "change", "times"), FOUND, ids=lambda x: getattr(x, "__name__", str(x)))
def test_what_the_record_shows_is_a_certain_finding(code: str, change: Change, times: int, tmp_path: Path) -> None:
    """Each is found under its own code and no other, by the script, with a place in the record, and deducts."""
    run = run_of(tmp_path, change)
    sure = [f for f in run.findings if f.certain]
    assert [f.code for f in sure] == [code] * times
    assert {f.by for f in sure} == {"script"}
    assert all("event" in f.evidence or ".json" in f.evidence for f in sure)
    assert states(run)[code] == "found"
    assert grade_run(run, RULES).deducted == float(RULES.errors[code].deduct) * times


CLEAR: list[tuple[str, Change, str]] = [
    ("MT-04", same_reply_after_no_answer, "clear"),
    ("MT-04", nothing_to_do_reply, "clear"),
    ("EXE-06", ended("turn_limit"), "clear"),
    ("EXE-06", ended("customer_left"), "clear"),
    ("INS-03", wishing("Please do not call me.", note=None), "clear"),
    ("INS-03", wishing("Please do not call me.", note="The customer says: please do not call me."), "clear"),
    ("INS-03", wishing("Please do not call me.", "Please ring me back."), "nothing_to_check"),
    ("INS-03", wishing("Please don't submit the claim yet.", submitted=False), "clear"),
    ("INS-03", wishing("Please do not send me any pictures."), "not_checked"),
    ("MT-02", wishing("Please ring me back.", "Forget about the call.", note=None), "clear"),
    ("MT-02", wishing("Will you call me?"), "nothing_to_check"),
    ("MT-04", cut_screen, "not_checked"),
    ("INS-06", cut_screen, "not_checked"),
    ("OUT-08", no_state, "not_checked"),
    ("OUT-08", stored("photo.jpg", None), "not_checked"),
    ("INS-03", lambda g: (wishing("Please do not call me.")(g), no_state(g))[0], "not_checked"),
]


@pytest.mark.parametrize(("code", "change", "state"), CLEAR, ids=lambda x: getattr(x, "__name__", str(x)))
def test_what_the_record_does_not_show_is_no_finding(code: str, change: Change, state: str, tmp_path: Path) -> None:
    """What may have been right is at most a note; what is missing is not checked; neither deducts."""
    run = run_of(tmp_path, change)
    assert states(run)[code] == state
    assert not [f for f in run.findings if f.code == code and f.certain]


def test_a_limit_that_came_first_is_a_note(tmp_path: Path) -> None:
    """Whether a journey that met the rig's limit was broken off, a person says."""
    result = grade_run(run_of(tmp_path, ended("turn_limit")), RULES)
    assert [n for n in result.notes if n.startswith("EXE-06 uncertain (script): ")]
    assert result.deducted == 0


def test_an_attempt_that_says_nothing_is_refused(tmp_path: Path) -> None:
    """A journey that the rig or the simulator broke is not the product's."""
    with pytest.raises(InputError, match="not the product's doing"):
        run_of(tmp_path, ended("simulator_error"))


def test_a_run_is_its_counting_attempts(tmp_path: Path) -> None:
    """Of a whole run every attempt that counts is graded, named as its folder is."""
    attempt, package = Golden().write(tmp_path)
    ((where, run),) = runs_of(attempt.parents[2], package.parents[1], RULES)
    assert where == run.run_id == f"r1/{PACKAGE}/t01/a01"
    assert (run.agent, run.task_id) == ("r1", PACKAGE)
    assert isinstance(run.transcript, list)
    assert [m.role for m in run.transcript[:3]] == ["agent", "customer", "agent"]
