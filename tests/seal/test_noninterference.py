"""Whatever is hidden, the requests are the same: every hidden leaf of every package is changed, and no byte follows.

The screens of the talk are given, so nothing is left out: what of the setup a product displays would reach a request by the
screen alone. Two leaves per package keep their value, because the format knows one value only.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.customer import prompt
from harness.gate import Gate
from harness.schema.package import FACTS, LABELS, MATERIALS, PROVENANCE, REVIEW, SETUP, find_packages
from oracle_scoring.corpus.synthetic import make_package
from tests.seal.talk import play

CORPUS = Path(__file__).parents[2] / "packages"
Path_ = tuple[str | int, ...]
PACKAGES = [*find_packages(CORPUS), "ZQ-SYNTHETIC-1", "ZQ-SYNTHETIC-2"]
HIDDEN = {LABELS: (), SETUP: (), PROVENANCE: (), REVIEW: (), MATERIALS: ("hidden",), FACTS: ("opening_style",)}
"""File -> keys under which its leaves are hidden; none named: all of them."""
FIXED = {(SETUP, ("format",)), (SETUP, ("kind",))}
"""The only value that the format allows."""
CHOICES: dict[tuple[str, str], list[Any]] = {
    (SETUP, "claimant_session"): ["anonymous", "new_account", "anonymous_then_sign_in"],
    (SETUP, "product"): ["motor", "home", "property"],
    (SETUP, "now"): ["2025-01-02T03:04:05Z", "2024-12-31T23:59:00Z"],
    (SETUP, "inception"): ["2019-01-01", "2018-02-02"],
    (SETUP, "reported"): ["2019-03-03", "2018-04-04"],
    (SETUP, "failed_lookups"): ["policy", "prior_claims"],
    (FACTS, "opening_style"): ["plain", "emotional"],
}
"""Leaves that must keep a form: by file and last key."""
EMPTY: dict[tuple[str, str], Any] = {
    (SETUP, "failed_lookups"): ["prior_claims"],
    (SETUP, "prior_claims"): [{"number": "zz_1", "reported": "2018-04-04", "kind": "zz_kind"}],
    (SETUP, "policy"): {"number": "zz_2", "product": "home", "holder": "zz_3", "inception": "2018-02-02", "insured_item": "zz_4"},
}  # fmt: skip
"""What an empty leaf that must keep a form becomes: by file and key."""


def leaves(value: Any, at: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every leaf with its path; an empty list or object is a leaf."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*at, key))
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from leaves(item, (*at, number))
    else:
        yield at, value


def other(file: str, at: Path_, value: Any, rng: random.Random) -> Any:
    """Another value that the package may still be read with."""
    named = next(k for k in reversed(at) if isinstance(k, str))
    if named == "canary":
        return f"{rng.getrandbits(128):032x}"
    if (file, named) in CHOICES and isinstance(value, str):
        return next(choice for choice in CHOICES[(file, named)] if choice != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"zz_{rng.getrandbits(40):x}"
    return EMPTY.get((file, named), [] if file == SETUP else ["zz_new"])


def put(document: Any, at: Path_, value: Any) -> None:
    """Sets the leaf at a path."""
    for key in at[:-1]:
        document = document[key]
    document[at[-1]] = value


def change(package: Path, file: str) -> tuple[int, int]:
    """Changes every hidden leaf of one file; how many there are, and how many were changed."""
    rng = random.Random(f"{package.name}/{file}")
    document = json.loads((package / file).read_bytes())
    hidden = [(at, value) for at, value in leaves(document) if not HIDDEN[file] or set(at) & set(HIDDEN[file])]
    for at, value in hidden:
        if (file, at) not in FIXED:
            put(document, at, other(file, at, value, rng))
    (package / file).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    before, after = dict(hidden), dict(leaves(document))
    return len(hidden), sum(1 for at, value in before.items() if at not in after or after[at] != value)


def fresh(name: str, folder: Path) -> Path:
    """A copy of a package that may be changed."""
    if name.startswith("ZQ"):
        more = {} if name.endswith("1") else {"facts.persona.hands_over_unasked": True, "labels.triage.level": "urgent"}
        return make_package(folder / name, more)
    shutil.copytree(find_packages(CORPUS)[name], folder / name)
    return folder / name


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[bytes]]:
    """The requests of each package as it is."""
    known: dict[str, list[bytes]] = {}

    def requests(name: str) -> list[bytes]:
        if name not in known:
            folder = tmp_path_factory.mktemp("honest")
            known[name] = play(folder, fresh(name, folder))
        return known[name]

    return requests


@pytest.mark.parametrize("file", HIDDEN)
@pytest.mark.parametrize("name", PACKAGES)
def test_changing_every_hidden_leaf_changes_no_request(
    name: str, file: str, honest: Callable[[str], list[bytes]], tmp_path: Path
) -> None:
    """All leaves of the file have other values, those the format fixes excepted; all requests are the same bytes."""
    package = fresh(name, tmp_path)
    there, changed = change(package, file)
    assert there - changed == sum(1 for where, _ in FIXED if where == file)
    assert changed > 0
    assert play(tmp_path, package) == honest(name)


@pytest.mark.parametrize("name", PACKAGES)
def test_nothing_but_canaries_in_the_hidden_files_changes_no_request(
    name: str, honest: Callable[[str], list[bytes]], tmp_path: Path
) -> None:
    """Answers, provenance and review may be gone altogether."""
    package = fresh(name, tmp_path)
    for number, file in enumerate((LABELS, PROVENANCE, REVIEW)):
        (package / file).write_text(
            json.dumps({"canary": f"{number:x}0123456789abcdef0123456789abcde"}), encoding="utf-8"
        )
    assert play(tmp_path, package) == honest(name)


def test_all_packages_are_covered() -> None:
    """Every package of the corpus, by its own name."""
    assert set(find_packages(CORPUS)) <= set(PACKAGES)


@pytest.mark.parametrize("file", [LABELS, SETUP, PROVENANCE, REVIEW])
def test_a_builder_that_looks_is_noticed(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison has teeth: with the gate open, a prompt builder that reads one hidden leaf makes the bytes differ."""
    monkeypatch.setattr(Gate, "check", lambda self, request: (request, "0" * 64))
    told = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        package = fresh("ZQ-SYNTHETIC-1", folder)
        if number:
            change(package, file)
        leaked = next(value for at, value in leaves(json.loads((package / file).read_bytes())) if at[0] == "canary")
        with monkeypatch.context() as patch:
            turn_text = prompt.turn_text
            patch.setattr(prompt, "turn_text", lambda *a, told=leaked, turn_text=turn_text: f"{turn_text(*a)}\n{told}")
            told.append(play(folder, package))
    assert told[0] != told[1]


def test_a_visible_leaf_does_change_requests(honest: Callable[[str], list[bytes]], tmp_path: Path) -> None:
    """The talk depends on what the customer may know."""
    package = make_package(tmp_path / "ZQ-SYNTHETIC-1", {"facts.persona.mood": "cross"})
    assert play(tmp_path, package) != honest("ZQ-SYNTHETIC-1")
