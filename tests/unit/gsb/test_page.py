"""The page of choices: who may see it, what it shows, what it keeps; and the judge that chooses instead."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from oracle_scoring.gsb.page import check_person, gsb_app
from oracle_scoring.gsb.store import Choices
from oracle_scoring.judge import Answers, Bounds, JudgeClient
from oracle_scoring.judge.gsb import JudgedPair, judged_pairs
from oracle_scoring.judge.reply import Completion
from oracle_scoring.loopback import LOOPBACK
from tests.unit.gsb.runs import write_folder
from tests.unit.judge.fakes import FakeJudge, said, verdict

TOKEN, PORT, AT = "token", 8899, datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
FORM = {"content-type": "application/x-www-form-urlencoded"}


def page(folder: Path, by: str = "ann") -> TestClient:
    """A browser at the page's own address."""
    own = gsb_app(Choices(folder, lambda: AT), by, TOKEN, PORT)
    return TestClient(own, base_url=f"http://{LOOPBACK}:{PORT}", follow_redirects=False)


def choose(client: TestClient, pair: str, choice: str) -> Any:
    """What the button does."""
    return client.post(f"/{TOKEN}/pair/{pair}", content=urlencode({"choice": choice}), headers=FORM)


def test_only_its_own_address_and_token_are_answered(tmp_path: Path) -> None:
    """No token, another host, a post from elsewhere: refused; its policy allows its own script and nothing else."""
    client = page(write_folder(tmp_path / "p"))
    assert client.get("/").status_code == 404
    assert client.get(f"/{TOKEN}/", headers={"host": "evil.example"}).status_code == 421
    elsewhere = client.post(
        f"/{TOKEN}/pair/P0001", content="choice=left", headers={**FORM, "origin": "http://evil.example"}
    )
    assert elsewhere.status_code == 403
    policy = client.get(f"/{TOKEN}/pair/P0001").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_two_journeys_stand_side_by_side_as_text(tmp_path: Path) -> None:
    """Hostile words are escaped, both sides and the keys are there, and nothing names an agent."""
    client = page(write_folder(tmp_path / "p"))
    html = client.get(f"/{TOKEN}/pair/P0001").text
    assert "<img" not in html
    assert html.count("<script") == 1
    assert "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;" in html
    for word in ("Left", "Right", "<kbd>1</kbd>", "<kbd>4</kbd>", "两个都差", "0 of 3 chosen", "as ann"):
        assert word in html
    assert client.get(f"/{TOKEN}/pair/P0009").status_code == 404


def test_choices_are_kept_and_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Each choice is on disk before the next pair; a second start goes on; a later choice replaces; others start at the first."""
    folder = write_folder(tmp_path / "p")
    client = page(folder)
    assert client.get(f"/{TOKEN}/").headers["location"] == f"/{TOKEN}/pair/P0001"
    assert choose(client, "P0001", "left").headers["location"] == f"/{TOKEN}/"
    assert json.loads((folder / "choices.jsonl").read_text())["choice"] == "left"
    again = page(folder)
    assert again.get(f"/{TOKEN}/").headers["location"] == f"/{TOKEN}/pair/P0002"
    assert f'href="/{TOKEN}/pair/P0001" data-key="z"' in again.get(f"/{TOKEN}/pair/P0002").text
    choose(again, "P0001", "both_bad")
    assert page(folder, "bob").get(f"/{TOKEN}/").headers["location"] == f"/{TOKEN}/pair/P0001"
    for name in ("P0002", "P0003"):
        choose(again, name, "right")
    assert again.get(f"/{TOKEN}/").headers["location"] == f"/{TOKEN}/done"
    assert "All 3 pairs are chosen" in again.get(f"/{TOKEN}/done").text
    assert {k: v.choice for k, v in Choices(folder).of("ann").items()} == {
        "P0001": "both_bad", "P0002": "right", "P0003": "right",
    }  # fmt: skip


def test_what_is_no_choice_is_not_kept(tmp_path: Path) -> None:
    """A fifth choice, a judge's tie, and a pair that is not there change nothing."""
    folder = write_folder(tmp_path / "p")
    client = page(folder)
    assert [choose(client, "P0001", x).status_code for x in ("middle", "order_tie", "")] == [400, 400, 400]
    assert choose(client, "P0009", "left").status_code == 400
    assert not (folder / "choices.jsonl").exists()


def test_half_a_choice_at_the_end_is_left_out(tmp_path: Path) -> None:
    """A line torn by a crash is cut off and said, and the next one does not run into it."""
    folder = write_folder(tmp_path / "p")
    choices = Choices(folder, lambda: AT)
    choices.choose("P0001", "left", "ann")
    choices.choose("P0002", "left", "ann")
    path = folder / "choices.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    mended = Choices(folder, lambda: AT)
    assert (mended.torn, mended.waiting("ann")) == (True, ["P0002", "P0003"])
    mended.choose("P0002", "right", "ann")
    assert Choices(folder).waiting("ann") == ["P0003"]


@pytest.mark.parametrize("name", ["", "  ", "judge", "judge:gpt", "x" * 81])
def test_who_chooses_is_a_person_with_a_name(name: str) -> None:
    """No name, too long a one, and one that stands for a model are refused."""
    with pytest.raises(InputError, match="--by"):
        check_person(name)


def judge(folder: Path, answering: Any) -> tuple[list[JudgedPair], FakeJudge]:
    """What a fake judge makes of the pairs."""
    fake = FakeJudge(answering)

    async def ask() -> list[JudgedPair]:
        client = JudgeClient(fake, None, Bounds(concurrency=2))
        return [found async for found in judged_pairs(Choices(folder).pairs.values(), client)]

    return asyncio.run(ask()), fake


def test_a_judge_that_sees_the_better_side_is_consistent(tmp_path: Path) -> None:
    """Asked in both orders it names the same journey each time, whatever side it stands on."""

    def better(_: int, body: dict[str, Any]) -> Completion:
        user = body["messages"][-1]["content"]
        side = "left" if user.index("(shows a card)") < user.index("onerror") else "right"
        return verdict(side, "(shows a card) Pay", "l1" if side == "left" else "r1")

    found, fake = judge(write_folder(tmp_path / "p", 2), better)
    assert [(p.choice, p.orders) for p in found] == [("right", ["right", "right"])] * 2
    assert len(fake.bodies) == 4
    assert "Acme" not in str(fake.bodies)


def test_a_judge_that_always_says_left_is_a_tie_of_its_own_kind(tmp_path: Path) -> None:
    """Order bias gives no win to anybody."""
    found, _ = judge(write_folder(tmp_path / "p", 2), lambda n, body: verdict("left", "Hello", "l0"))
    assert [(p.choice, p.orders) for p in found] == [("order_tie", ["left", "right"])] * 2


@pytest.mark.parametrize(
    "reply",
    [
        said("Left is better."), said("1"), said("A"), said('{"choice": "left"}'), said("left, left, left, left"),
        verdict("LEFT", "Hello", "l0"), verdict("tie", "Hello", "l0"), verdict("left", "Hello", "left"), verdict("left", "Goodbye", "l0"),
        verdict("left", '"speaker": "left product"', "l0"), verdict("order_tie", "Hello", "l0"), said("", finish="content_filter"),
    ],
)  # fmt: skip
def test_a_broken_reply_is_no_choice(reply: Completion, tmp_path: Path) -> None:
    """What is no verdict in one order leaves the pair without a choice, never with half a one."""
    found, _ = judge(
        write_folder(tmp_path / "p", 1), lambda n, body: verdict("left", "Hello", "l0") if n == 1 else reply
    )
    assert [(p.choice, p.orders) for p in found] == [(None, None)]
    assert [row.answer for row in found[0].rows] == ["left", None]


def test_the_command_writes_a_judges_choices_from_kept_answers(tmp_path: Path) -> None:
    """Choices stand under the judge's name with both orders; what was not judged is counted and is no choice."""
    folder, kept = write_folder(tmp_path / "p", 2), tmp_path / "answers.jsonl"

    async def record() -> None:
        calls = JudgeClient(FakeJudge(lambda n, body: verdict("left", "Hello 1", "l0")), Answers(kept))
        assert [one async for one in judged_pairs(Choices(folder).pairs.values(), calls)]

    asyncio.run(record())
    sheet = tmp_path / "sheet.jsonl"
    assert CliRunner().invoke(app, ["gsb", "judge", str(folder), "--sheet", str(sheet)]).exit_code == 0
    assert [json.loads(x)["rubric"] for x in sheet.read_text().splitlines()] == ["gsb/choice"] * 2
    found = CliRunner().invoke(app, ["gsb", "judge", str(folder), "--replay", "--answers", str(kept)])
    assert found.exit_code == 0, found.output
    assert "1 pairs chosen in, 1 of them otherwise when swapped; 1 not judged" in found.stdout
    (line,) = Choices(folder).of("judge:fake-judge").values()
    assert (line.pair, line.choice, line.orders) == ("P0001", "order_tie", ["left", "right"])
