"""Pairs: who may know what, which sides and order, and the key that is kept apart."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from oracle_scoring.gsb.make import STRUCK, make_pairs
from oracle_scoring.gsb.store import Choices, key_path, reveal, write_pairs
from tests.unit.gsb.runs import write_run


def test_nothing_in_a_pair_says_whose_it_is(tmp_path: Path) -> None:
    """Names of adapter, product, model and host and the given words are struck out, whole words only; runs and paths are in the key alone."""
    words = "Acme claims by gpt-9 at 127.0.0.1, reference-claims. Zenith! Zenithal? 贝怡佳客服"
    one = write_run(tmp_path, "zeta-run", words)
    other = write_run(tmp_path, "beta-run", "Hello.")
    made = make_pairs([one, other], hide=["zenith", "贝怡佳"])
    text = made.pairs_bytes.decode()
    assert f"{STRUCK} by {STRUCK} at {STRUCK}, {STRUCK}. {STRUCK}! Zenithal? {STRUCK}客服" in text
    for name in ("zeta", "beta", str(tmp_path), "t01"):
        assert name not in text
    (row,) = made.key.pairs
    assert {row.left, row.right} == {"zeta-run", "beta-run"}
    assert row.left_attempt.startswith(row.left)


def test_sides_and_order_are_drawn_and_can_be_drawn_again(tmp_path: Path) -> None:
    """Each agent of two stands left in half of their pairs; the same seed gives the same bytes, another seed others."""
    runs = [write_run(tmp_path, name, f"I am {name[0]}.", trials=6) for name in ("aaa", "bbb", "ccc")]
    made = make_pairs(runs, 1)
    assert len(made.pairs) == 18
    for two in (("aaa", "bbb"), ("aaa", "ccc"), ("bbb", "ccc")):
        lefts = [r.left for r in made.key.pairs if {r.left, r.right} == set(two)]
        assert sorted(lefts) == sorted(list(two) * 3)
    assert make_pairs(runs, 1) == make_pairs(list(reversed(runs)), 1) == made
    assert make_pairs(runs, 2).pairs_bytes != made.pairs_bytes
    order = [tuple(sorted((r.left, r.right))) for r in made.key.pairs]
    assert order != sorted(order)


def test_journeys_without_a_partner_are_counted(tmp_path: Path) -> None:
    """A trial only one run has, and a package that changed between the runs, are left out and named."""
    one, other = write_run(tmp_path, "one", "Hello.", trials=2), write_run(tmp_path, "two", "Hello.")
    assert make_pairs([one, other]).key.left_out == ["TST-M-001/t02: two has no counting attempt"]
    changed = write_run(tmp_path, "three", "Hello.", packages={"TST-M-001": "1" * 64})
    with pytest.raises(
        InputError, match=r"no two runs have a journey of the same package; .*the package is not the same"
    ):
        make_pairs([one, changed])


def test_pairs_chosen_in_are_revealed_by_their_own_key_only(tmp_path: Path) -> None:
    """The key lies beside the folder, readable to its owner alone; with the key of other pairs nothing is revealed."""
    runs = [write_run(tmp_path, name, "Hello.") for name in ("one", "two")]
    folder = tmp_path / "pairs"
    out = CliRunner().invoke(app, ["gsb", "make", *map(str, runs), "-o", str(folder), "--json"])
    assert out.exit_code == 0, out.output
    assert json.loads(out.stdout)["pairs"] == 1
    assert [p.name for p in folder.iterdir()] == ["pairs.jsonl"]
    assert key_path(folder).stat().st_mode & 0o077 == 0
    choices = Choices(folder)
    choices.choose("P0001", "both_bad", "ann")
    choices.choose("P0001", "left", "ann")
    (line,) = reveal(folder)
    (row,) = make_pairs(runs).key.pairs
    assert (line.left, line.right, line.choice, line.by, line.pair_id) == (row.left, row.right, "left", "ann", "P0001")
    again = CliRunner().invoke(app, ["gsb", "make", *map(str, runs), "-o", str(folder)])
    assert again.exit_code == 0, again.output
    with pytest.raises(InputError, match="is there with other content"):
        write_pairs(make_pairs(runs, 1, ["Hello"]), folder)
    (folder / "pairs.jsonl").write_bytes((folder / "pairs.jsonl").read_bytes().replace(b"Hello", b"Hallo"))
    with pytest.raises(InputError, match="key of other pairs"):
        reveal(folder)


@pytest.mark.parametrize(
    ("names", "why"),
    [(["one"], "two runs or more"), (["one", "one"], "same name"), (["one", "none"], "no run of that name")],
)
def test_what_cannot_be_paired_is_one_line(names: list[str], why: str, tmp_path: Path) -> None:
    """One run, the same run twice, and no run end with one line and exit code 2."""
    write_run(tmp_path, "one", "Hello.")
    found = CliRunner().invoke(app, ["gsb", "make", *names, "-o", str(tmp_path / "x"), "--results", str(tmp_path)])
    assert found.exit_code == 2
    assert why in found.stderr
    assert len(found.stderr.splitlines()) == 1
