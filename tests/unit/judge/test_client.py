"""Asking: what is asked again, what is counted, what is kept, and within which bounds."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle_scoring.judge import Answers, Bounds, JudgeClient, Open, Question, Replay, Rubric, Ruled, points, settle
from oracle_scoring.judge.faults import EndpointFault, SchemaRefused, TransportFault
from oracle_scoring.judge.prompt import MATERIAL_LIMIT, RETRY
from oracle_scoring.judge.reply import Completion
from tests.unit.judge.fakes import Answering, FakeJudge, question, said, verdict

QUICK = Bounds(first_wait_s=0.001)


def _ask(answering: Answering, *questions: Question, answers: Answers | None = None, bounds: Bounds = QUICK):  # type: ignore[no-untyped-def]
    judge = FakeJudge(answering)
    client = JudgeClient(judge, answers, bounds)
    return asyncio.run(client.ask_all(questions or (question(),))), client.summary(), judge


def test_a_verdict_carries_what_it_stands_on() -> None:
    """A row names prompt, request, models, message and the passage; nothing is asked twice."""
    (row,), summary, judge = _ask(lambda n, body: verdict())
    assert (row.answer, row.message, row.quote, row.not_judged) == ("yes", "t1", "good day", None)
    assert (row.model, row.answered_as, row.tries) == ("fake-judge", "fake-1", ["ok"])
    assert row.prompt_sha256 == question().rubric.prompt_sha256
    assert len(judge.bodies) == 1
    assert judge.bodies[0]["temperature"] == 0
    assert judge.bodies[0]["response_format"]["json_schema"]["schema"]["properties"]["message"]["enum"] == ["t0", "t1"]
    assert (summary.questions, summary.judged, summary.calls) == (1, 1, {"ok": 1})


@pytest.mark.parametrize(
    ("kind", "reply"),
    [
        ("quote_absent", verdict(quote="good night")),
        ("no_such_message", verdict(message="t7")),
        ("wrong_form", said("[]")),
        ("not_json", said("yes")),
        ("empty", said("")),
        ("truncated", said("{", finish="length")),
        ("refusal", said("I'm sorry, but I can't.")),
        ("filtered", said("", finish="content_filter")),
        ("quote_empty", verdict(quote="!")),
    ],
)
def test_a_reply_that_is_no_verdict_is_asked_again_once(kind: str, reply: Completion) -> None:
    """The second request says, in the rig's words, what was wrong; a second such reply ends as not judged, never as an answer."""
    (row,), summary, judge = _ask(lambda n, body: reply if n == 1 else verdict())
    assert (row.answer, row.tries) == ("yes", [kind, "ok"])
    first, second = (b["messages"][-1]["content"] for b in judge.bodies)
    assert second == f"{first}\n\n{RETRY[kind]}"  # type: ignore[index]
    (row,), summary, judge = _ask(lambda n, body: reply)
    assert (row.answer, row.quote, row.not_judged, row.tries) == (None, None, kind, [kind, kind])
    assert len(judge.bodies) == 2
    assert (summary.judged, summary.not_judged, summary.calls) == (0, {kind: 1}, {kind: 2})
    assert summary.spent.cost == "0.02 USD"


@pytest.mark.parametrize(
    "kind", ["rate_limited", "quota_text", "timeout", "unreachable", "cut_off", "server_error", "not_a_completion"]
)
def test_a_busy_endpoint_is_asked_the_same_again(kind: TransportFault) -> None:
    """What passes is tried four times with the same body; then the question is not judged, for that reason."""
    down: Answering = lambda n, body: EndpointFault(kind, "no") if n < 4 else verdict()  # noqa: E731
    (row,), summary, judge = _ask(down)
    assert (row.answer, row.tries) == ("yes", ["ok"])
    assert all(b == judge.bodies[0] for b in judge.bodies)
    assert summary.calls == {kind: 3, "ok": 1}
    assert summary.spent.complete is (kind in ("rate_limited", "quota_text", "unreachable"))
    (row,), summary, judge = _ask(lambda n, body: EndpointFault(kind, "no"))
    assert (row.answer, row.not_judged, len(judge.bodies)) == (None, kind, 4)


def test_words_about_a_quota_count_as_a_busy_endpoint() -> None:
    """A quota text that cost no tokens is tried again, not read as a reply."""
    quota = Completion(text="You exceeded your quota.", finish="stop", model="x")
    (row,), summary, _ = _ask(lambda n, body: quota if n == 1 else verdict())
    assert (row.answer, summary.calls) == ("yes", {"ok": 1, "quota_text": 1})


def test_a_refused_request_is_not_repeated() -> None:
    """HTTP 4xx is not tried again."""
    (row,), _, judge = _ask(lambda n, body: EndpointFault("http_error", "HTTP 401: no key"))
    assert (row.not_judged, row.why, len(judge.bodies)) == ("http_error", "HTTP 401: no key", 1)


def test_an_endpoint_without_schemas_is_asked_in_a_form_it_knows() -> None:
    """A refused schema is counted and left out, for all that follow; a request refused in every form changes nothing for others."""

    def no_schema(n: int, body: dict) -> Completion | Exception:  # type: ignore[type-arg]
        form = body.get("response_format", {}).get("type")
        if "hello 1" in body["messages"][-1]["content"]:
            return SchemaRefused("HTTP 400: too long") if form else EndpointFault("http_error", "HTTP 400: too long")
        return SchemaRefused("HTTP 400: unknown") if form == "json_schema" else verdict()

    rows, summary, judge = _ask(
        no_schema, question(0), question(1), question(2), bounds=Bounds(concurrency=1, first_wait_s=0.001)
    )
    assert [(r.answer, r.not_judged) for r in rows] == [("yes", None), (None, "http_error"), ("yes", None)]
    forms = [b.get("response_format", {}).get("type") for b in judge.bodies]
    assert forms == ["json_schema", "json_object", "json_object", None, "json_object"]
    assert summary.schema_refused == 2


def test_a_dead_endpoint_is_given_up() -> None:
    """After ten questions in a row without any answer the rest is not asked, and says so."""
    bounds = Bounds(concurrency=1, tries=1, give_up_after=10)
    rows, summary, judge = _ask(
        lambda n, body: EndpointFault("unreachable", "no"), *(question(n) for n in range(15)), bounds=bounds
    )
    assert len(judge.bodies) == 10
    assert summary.not_judged == {"given_up": 5, "unreachable": 10}
    assert rows[-1].answer is None


def test_what_cannot_be_quoted_or_sent_is_not_asked() -> None:
    """Material without a word, or beyond the limit, is not judged, and costs nothing."""
    rows, summary, judge = _ask(
        lambda n, body: verdict(),
        Question("q", question().rubric, (), Open("x")),
        question(text="x" * (MATERIAL_LIMIT + 1)),
        Question("q", question().rubric, tuple(m.__class__(m.id, m.speaker, " \n") for m in question().messages), Open("x")),
    )  # fmt: skip
    assert [r.not_judged for r in rows] == ["material_empty", "material_too_large", "material_empty"]
    assert judge.bodies == []
    assert summary.spent.complete


def test_answers_are_kept_and_replayed_without_an_endpoint(tmp_path: Path) -> None:
    """A second time asks nobody and gives the same rows; a replay needs no endpoint, and what it lacks is not judged."""
    path = tmp_path / "answers.jsonl"
    mixed: Answering = lambda n, body: verdict("no") if "hello 1" in str(body) else said("nonsense")  # noqa: E731
    questions = [question(n) for n in range(3)]
    rows, first, _ = _ask(mixed, *questions, answers=Answers(path))
    again, second, judge = _ask(lambda n, body: verdict("yes"), *questions, answers=Answers(path))
    assert judge.bodies == []
    assert [r.model_copy(update={"replayed": False}) for r in again] == rows
    assert all(r.replayed for r in again)
    assert (second.replayed, second.spent.answers, second.spent.cost) == (5, 0, None)
    assert second.stands_for == first.stands_for
    assert first.stands_for.cost == "0.05 USD"
    client = JudgeClient(Replay("fake-judge"), Answers(path, read_only=True), QUICK)
    replayed = asyncio.run(client.ask_all([*questions, question(9)]))
    assert [r.answer for r in replayed] == [None, "no", None, None]
    assert replayed[-1].not_judged == "not_recorded"


def test_a_torn_line_is_left_out_and_mended(tmp_path: Path) -> None:
    """Half a line at the end of the file is not believed; the next answer does not run into it."""
    path = tmp_path / "answers.jsonl"
    _ask(lambda n, body: verdict(), question(0), question(1), answers=Answers(path))
    path.write_bytes(path.read_bytes()[:-20])
    kept = Answers(path)
    assert (kept.torn, len(kept)) == (True, 1)
    _, summary, judge = _ask(lambda n, body: verdict(), question(0), question(1), answers=kept)
    assert (len(judge.bodies), summary.replayed) == (1, 1)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(x for x in lines if x.endswith("}")) + "\n")
    assert len(Answers(path)) == 2


def test_the_same_request_under_way_is_made_once() -> None:
    """Two questions of the same bytes asked together cost one call."""
    rows, summary, judge = _ask(lambda n, body: verdict(), question(0), question(0))
    assert [r.answer for r in rows] == ["yes", "yes"]
    assert (len(judge.bodies), summary.replayed) == (1, 1)
    assert summary.stands_for.cost == summary.spent.cost == "0.01 USD"


def test_rows_come_in_order_and_within_the_concurrency() -> None:
    """However answers come in, rows keep the order; no more calls are under way than allowed, and the source is not run ahead of."""
    taken: list[int] = []

    def source() -> Iterator[Question]:
        for n in range(40):
            taken.append(n)
            yield question(n)

    async def run() -> tuple[list[str], int, FakeJudge]:
        judge = FakeJudge(lambda n, body: verdict(), 0.0005)
        client = JudgeClient(judge, None, Bounds(concurrency=3))
        ids, ahead = [], 0
        async for row in client.stream(source()):
            ids.append(row.question)
            ahead = max(ahead, len(taken) - len(ids))
        return ids, ahead, judge

    ids, ahead, judge = asyncio.run(run())
    assert ids == [f"q{n}" for n in range(40)]
    assert judge.most_at_once == 3
    assert ahead <= 12


def test_calls_begin_no_faster_than_allowed() -> None:
    """Six calls at 6,000 a minute take 50 ms or more; `Retry-After` keeps all calls back."""

    async def run(bounds: Bounds, answering: Answering) -> float:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await JudgeClient(FakeJudge(answering), None, bounds).ask_all([question(n) for n in range(6)])
        return loop.time() - begun

    assert asyncio.run(run(Bounds(concurrency=6, per_minute=6000), lambda n, body: verdict())) >= 0.05
    busy: Answering = lambda n, body: EndpointFault("rate_limited", "later", 0.1) if n == 1 else verdict()  # noqa: E731
    for tries in (1, 4):  # the same question waits, and so does the next
        assert asyncio.run(run(Bounds(concurrency=1, tries=tries, first_wait_s=0.001), busy)) >= 0.1


def test_missing_counts_and_prices_are_not_zero() -> None:
    """An answer without tokens or price makes the cost incomplete, and the sum is then no price."""
    bare = Completion(text=verdict().text, finish="stop", model="")
    _, summary, _ = _ask(lambda n, body: verdict() if n == 1 else bare, question(0), question(1))
    assert (summary.spent.cost, summary.spent.complete) == (None, False)
    assert summary.spent.why_incomplete == "1 answers without token counts; 1 answers without a price"


def test_a_rules_word_stands_whatever_a_judge_says() -> None:
    """A ruled finding takes no verdict; an open one takes it, within the rule's cap; a question without verdict settles nothing."""
    scale = Rubric("test/scale", "r", "q?", points({1: "bad", 3: "so", 5: "good"}), frozenset({"5"}), ordered=True)
    (row,), _, _ = _ask(lambda n, body: verdict("5"), question(rubric=scale))
    (none,), _, _ = _ask(lambda n, body: said(""), question(rubric=scale))
    ruled = Ruled("1", "a quote", "by rule")
    assert settle(ruled, None).value == "1"
    with pytest.raises(TypeError, match="a rule decided"):
        settle(ruled, row)
    assert (settle(Open("x"), row).value, settle(Open("x"), row).by) == ("5", "judge")
    assert settle(Open("a list", at_most=3), row).value == "3"
    assert "a list caps at 3" in settle(Open("a list", at_most=3), row).reason
    assert (settle(Open("x"), none).value, settle(Open("x"), none).by) == (None, "nobody")
