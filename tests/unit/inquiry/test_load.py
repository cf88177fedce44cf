"""`rig grade inquiry`: reading, streaming, exit codes, and every way to get a session wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.schema.session import MAX_TURNS
from tests.unit.inquiry.sessions import INTRODUCTION, replied, said, session

GOOD = session(said("Hi"), replied(INTRODUCTION))
BAD = session(said("Hi"), replied("Hello! Which one? And why?"), session_id="T-2")


def run(*arguments: str, given: bytes | None = None) -> tuple[int, str, str]:
    """Exit code, standard output, standard error of `rig grade inquiry`."""
    result = CliRunner().invoke(app, ["grade", "inquiry", *arguments], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def written(folder: Path, data: Any, name: str = "s.json") -> str:
    """A file that holds the value, or the bytes."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode())
    return str(path)


def test_one_session_a_list_and_lines_give_one_result_a_line(tmp_path: Path) -> None:
    """JSON lines on standard output alone, in input order; exit 1 because one is unqualified."""
    lines = b"\n".join(json.dumps(s).encode() for s in (GOOD, BAD)) + b"\n\n"
    files = [written(tmp_path, GOOD), written(tmp_path, [BAD, GOOD], "l.json"), written(tmp_path, lines, "x.jsonl")]
    code, out, err = run(*files, "--json")
    assert code == 1
    assert [json.loads(line)["session_id"] for line in out.splitlines()] == ["T-1", "T-2", "T-1", "T-1", "T-2"]
    assert "5 sessions" in err


def test_standard_input_and_an_output_file(tmp_path: Path) -> None:
    """`-` reads lines; -o writes them; nothing failed is exit 0."""
    code, out, _ = run("-", "-o", str(tmp_path / "r.jsonl"), given=json.dumps(GOOD).encode())
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "r.jsonl").read_text("utf-8"))["conclusion"] == "qualified"


def test_for_a_person_the_failed_metrics_are_shown_with_their_evidence(tmp_path: Path) -> None:
    """Conclusion, failed metrics with reason and quote, and what was not checked."""
    code, out, _ = run(written(tmp_path, BAD))
    assert code == 1
    assert out.startswith("T-2: unqualified")
    assert "M-004 FAIL  check_1: 2 questions in one reply" in out
    assert "And why?" in out
    assert "not checked: M-028" in out


def with_turn(**changes: Any) -> dict[str, Any]:
    """The good session with its first turn changed."""
    return session({**said("Hi"), **changes}, replied(INTRODUCTION))


TWICE = said("Hi", id="a")
WRONG: dict[str, tuple[Any, str]] = {
    "unknown schema": ({**GOOD, "schema": "inquiry-session-v9"}, "schema"),
    "a field that does not exist": ({**GOOD, "turnz": []}, "turnz"),
    "no turns": ({**GOOD, "turns": []}, "turns"),
    "too many turns": (session(*[said(str(n)) for n in range(MAX_TURNS + 1)]), "turns"),
    "a role that does not exist": (with_turn(role="robot"), r"turns\.0"),
    "a text that is a number": (with_turn(text=7), r"turns\.0\.customer\.text"),
    "a picture of an unknown kind": (with_turn(images=[{"id": "c", "recognized": "cat"}]), "recognized"),
    "an unknown phase": (session(said("Hi"), replied("x", conversion={"phase": "later", "output": "{}"})), "phase"),
    "two turns of one id": (session(TWICE, replied("x"), {**TWICE, "text": "y"}), "has the id of"),
    "a turn that stands twice": (session(said("Hi"), said("Hi")), "once more"),
    "an unknown profile": ({**GOOD, "profile": "nobody"}, "profile nobody"),
    "a profile that is a path": ({**GOOD, "profile": "../beiyijia"}, r"profile \.\./beiyijia"),
    "no object": ([1], "0"),
    "no JSON": (b"{", "is not JSON"),
    "an empty file": (b"", "is not JSON"),
    "a list of none": ([], "holds no session"),
    "half an emoji": (json.dumps(GOOD).replace('"Hi"', '"\\ud83d"').encode(), "half of a surrogate pair"),
    "bytes that are no UTF-8": (json.dumps(GOOD).replace("Hi", "H\xff").encode("latin-1"), "is not UTF-8"),
    "a key that stands twice": (json.dumps(GOOD).replace('"text": "Hi"', '"text": "Hi", "text": "Ho"').encode(), "text.*twice"),
    "NaN": (json.dumps(GOOD).replace('"Hi"', "NaN").encode(), "NaN"),
    "nesting without end": (b"[" * 100_000, "nested too deeply"),
}  # fmt: skip


@pytest.mark.parametrize("lines", [False, True], ids=["json", "jsonl"])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_session_is_one_line_that_says_where_and_why(tmp_path: Path, name: str, lines: bool) -> None:
    """Exit 2, one line on standard error, no traceback, nothing on standard output."""
    data, why = WRONG[name]
    if lines and not isinstance(data, bytes):
        data = b"\n".join(
            json.dumps(x, ensure_ascii=False).encode() for x in (data if isinstance(data, list) else [data])
        )
    path = written(tmp_path, data, "s.jsonl" if lines else "s.json")
    code, out, err = run(path, "--json")
    if lines and name == "an empty file":
        why = "holds no session"
    if lines and name == "no object":
        why = "line 1"
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"rig: {path}")
    assert re.search(why, err), err


def test_results_before_a_wrong_line_are_printed(tmp_path: Path) -> None:
    """Grading streams: the second line's error comes after the first line's result, and names the line."""
    path = written(tmp_path, json.dumps(GOOD).encode() + b"\n{}\n", "s.jsonl")
    code, out, err = run(path, "--json")
    assert code == 2
    assert json.loads(out)["session_id"] == "T-1"
    assert f"{path} line 2" in err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "wants files or --run"),
        (("a.json", "--run", "r1"), "wants files or --run"),
        (("/nowhere/a.json",), "is missing"),
        (("/nowhere/a.jsonl",), "is missing"),
        (("/tmp",), "is not a plain file"),
        (("--run", "no-such-run"), "there is no run of that name"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: tuple[str, ...], why: str) -> None:
    """Exit 2, and what would be right."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert why in err
    assert len(err.splitlines()) == 1


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    """Another product needs a profile and no code; a wrong one is one line."""
    text = (Path("oracle_scoring/inquiry/profiles/beiyijia.yaml")).read_text("utf-8")
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        text.replace('identity: ["tom jasper", "贝怡佳", "数据线工厂", "beiyijia"]', 'identity: ["jane miller"]'),
        "utf-8",
    )
    path = written(tmp_path, GOOD)
    code, out, _ = run(path, "--json", "--profile", str(mine))
    first = json.loads(out)["metrics"][0]
    assert (code, first["checks"]["check_1"]) == (1, "fail")
    mine.write_text(text.replace('start: "09:00:00"', "start: nine"), "utf-8")
    code, _, err = run(path, "--profile", str(mine))
    assert code == 2
    assert str(mine) in err
