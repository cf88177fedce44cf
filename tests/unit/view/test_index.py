"""The index: what fits a filter, what was said, and that it follows the results."""

import os
import sqlite3
from pathlib import Path

import pytest
from record_builder import RunBuilder, line, motor_talk

from harness.schema import events as ev
from harness.view import query
from harness.view.index import Index
from harness.view.query import Wanted
from harness.view.words import around, folded, wanted_words

SAID = "我的车在停车场被撞了 Xe của tôi bị đâm ＡＢＣ-42 🚗"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: a failed and a passed trial of two packages, and one that does not count; somebody speaks Chinese."""
    root = tmp_path_factory.mktemp("results")
    builder = RunBuilder(root, "r1", packages={"P-1": "0" * 64, "P-2": "0" * 64}, defects=["fact_lost"])
    talk = motor_talk(builder.folder("P-1"), pictures=False)
    talk.add(ev.Acted, act="said", text=SAID, confirmed=True, act_ms=1.0)
    builder.attempt(talk, package="P-1")
    builder.score([line("facts.plate", "fail"), line("facts.place", "pass")], package="P-1")
    builder.attempt(motor_talk(builder.folder("P-2"), pictures=False), package="P-2")
    builder.score([line("facts.plate", "pass")], package="P-2")
    other = RunBuilder(root / "calibration", "r2", packages={"P-1": "0" * 64}, defects=[])
    other.attempt(motor_talk(other.folder("P-1"), pictures=False), package="P-1", reason="simulator_error")
    return root


@pytest.fixture(scope="module")
def index(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Whole."""
    made = Index(results, tmp_path_factory.mktemp("index") / "deep" / "i.sqlite", again_s=1e9)
    made.update()
    return made


def names(index: Index, **wanted: str) -> list[str]:
    """Attempts that fit."""
    found = query.attempts(index.reader(), Wanted(**wanted))
    assert found.total == len(found.rows)
    return sorted(f"{row['run_key']}/{row['package']}" for row in found.rows)


ALL = ["calibration~r2/P-1", "r1/P-1", "r1/P-2"]


def test_each_filter_narrows(index: Index) -> None:
    """Alone and together, runs in a folder of runs among them."""
    assert names(index) == ALL
    assert names(index, run="calibration~r2") == [ALL[0]]
    assert names(index, package="P-1") == ALL[:2]
    assert names(index, line="facts.plate") == [ALL[1]]
    assert names(index, defect="fact_lost") == ALL[1:]
    assert names(index, tone="void") == [ALL[0]] == names(index, ended="simulator_error")
    assert names(index, tone="pass") == [ALL[2]]
    assert names(index, scenario="motor.parked_hit", style="plain", grade="rehearsal") == ALL[1:]
    assert names(index, since="2026-03-11", until="2026-03-11") == ALL
    assert names(index, until="2026-03-10") == [] == names(index, since="2026-03-12")
    assert names(index, package="P-1", line="facts.plate", q="停车场") == [ALL[1]]
    assert names(index, package="' OR 1=1 --") == [] == names(index, tone="none")


@pytest.mark.parametrize(
    "words",
    [
        "停车场",
        "撞",
        "车在",
        "xe của TÔI",
        "abc-42",
        "ＡＢＣ",
        '"của tôi bị"',
        "🚗",
        "我的车 🚗",
        "KX19 parked",
        "CLM-2026",
    ],
)
def test_words_are_found_in_any_script(index: Index, words: str) -> None:
    """Chinese without blanks and of one letter, Vietnamese, full-width forms, emoji; case makes no difference."""
    assert ALL[1] in names(index, q=words) or words in ("KX19 parked", "CLM-2026")
    found = query.attempts(index.reader(), Wanted(q=words))
    for row in found.rows:
        hits, count = found.hits[row["id"]]
        assert count >= 1
        assert all(any(word in folded(hit.text) for word in wanted_words(words)) for hit in hits)


@pytest.mark.parametrize("words", ["火车站", '"tôi của"', "never said", 'zqa" OR "zqb', "NEAR(x y)", "*", "\x00"])
def test_what_nobody_said_is_not_found(index: Index, words: str) -> None:
    """Signs of the database's own language are words like others."""
    assert names(index, q=words) == []


def test_words_hold_in_one_utterance(index: Index) -> None:
    """All words stand in one thing that was said, not here and there."""
    assert names(index, q="停车场 tôi") == [ALL[1]]
    assert names(index, q="停车场 supermarket") == []
    assert around("x" * 300 + "needle" + "y" * 300, ["needle"]).strip("…").count("needle") == 1


def test_the_index_follows_the_results(tmp_path: Path) -> None:
    """New, changed and vanished attempts; what did not change is not read again; words that are gone are not found."""
    builder = RunBuilder(tmp_path / "results")
    for trial in (1, 2):
        builder.attempt(motor_talk(builder.folder(trial=trial), pictures=False), trial=trial)
    index = Index(tmp_path / "results", tmp_path / "i.sqlite", again_s=1e9)
    assert index.update().attempts == 2
    before = {row["trial"]: row["id"] for row in query.attempts(index.reader(), Wanted()).rows}
    builder.score([line("facts.plate", "fail")])
    index.update()
    after = query.attempts(index.reader(), Wanted())
    assert after.tones["fail"] == 1
    assert {row["trial"]: row["id"] for row in after.rows}[2] == before[2]
    events = builder.folder(trial=2) / "events.jsonl"
    events.write_bytes(events.read_bytes().replace(b"Tesco", b"Aldis"))
    os.utime(events, ns=(1, 1))
    index.update()
    assert [row["trial"] for row in query.attempts(index.reader(), Wanted(q="aldis")).rows] == [2]
    assert [row["trial"] for row in query.attempts(index.reader(), Wanted(q="tesco")).rows] == [1]
    builder.dir.rename(tmp_path / "away")
    assert index.update().attempts == 0
    for table in ("utterance", "line", "trial", "run", "defect"):
        assert index.reader().execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_what_cannot_be_read_is_counted(tmp_path: Path) -> None:
    """Torn events, a damaged attempt.json and scorecard, a link: each is named, and the rest is listed all the same."""
    builder = RunBuilder(tmp_path / "results")
    for trial in (1, 2):
        builder.attempt(motor_talk(builder.folder(trial=trial), pictures=False), trial=trial)
    builder.score([line("facts.plate", "fail")])
    next((builder.dir / "scores").rglob("*.json")).write_text("{")
    (builder.folder(trial=2) / "attempt.json").write_text("{}")
    with (builder.folder(trial=2) / "events.jsonl").open("ab") as out:
        out.write(b'{"kind": "torn')
    (tmp_path / "results" / "link").symlink_to(tmp_path)
    index = Index(tmp_path / "results", tmp_path / "i.sqlite", again_s=1e9)
    told = "\n".join(index.update().unread)
    assert index.progress.attempts == 2 and index.progress.done
    assert (
        "link: is a link" in told
        and "attempt.json is not what it should be" in told
        and "torn" in told
        and "t01-a01.json" in told
    )


def test_a_damaged_or_older_index_is_made_anew(results: Path, tmp_path: Path) -> None:
    """The file is only a copy; it is never trusted to be whole, and nobody else can read it."""
    path = tmp_path / "i.sqlite"
    path.write_bytes(b"not a database" * 100)
    assert Index(results, path).update().attempts == 3
    assert path.stat().st_mode & 0o077 == 0
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=0")
    db.close()
    fresh = Index(results, path)
    assert fresh.progress.attempts == 0 and fresh.update().attempts == 3


def test_nothing_is_written_into_the_results(results: Path, tmp_path: Path) -> None:
    """Reading leaves every file as it was, and adds none."""

    def seen() -> dict[str, tuple[int, int]]:
        return {str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in sorted(results.rglob("*"))}

    before = seen()
    Index(results, tmp_path / "i.sqlite").update()
    assert seen() == before
