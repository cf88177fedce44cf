"""Whether a product that broke is there to be judged: asked by the parent after the journey."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness import run
from harness.errors import EnvironmentFault, SeedError
from harness.run import _Attempt

BASE = "http://127.0.0.1:4711"


class Product:
    """A product whose runtime report gives what is listed, the last thing again and again."""

    def __init__(self, *answers: Exception | None) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def runtime(self) -> None:
        self.asked += 1
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if answer is not None:
            raise answer


DOWN = EnvironmentFault("runtime report: the product does not answer (All connection attempts failed)")


def attempt(folder: Path, product: Product) -> _Attempt:
    """An attempt at that product."""
    slot: Any = SimpleNamespace(client=product, run=SimpleNamespace(base_url=BASE))
    package: Any = None
    return _Attempt(slot, package, 1, 1, folder, folder)


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two questions nothing is waited for."""
    monkeypatch.setattr(run, "RETURN_STEP_S", 0.0)


def test_a_product_that_answers_again_stays_answerable(tmp_path: Path) -> None:
    """Down for a while, as when a supervisor starts it again after a crash: what the customer met is its result."""
    product = Product(DOWN, DOWN, DOWN, None)
    assert asyncio.run(attempt(tmp_path, product).product_gone()) is None
    assert product.asked == 4


def test_a_product_that_never_went_away_is_asked_once(tmp_path: Path) -> None:
    """No waiting, no second question."""
    product = Product(None)
    assert asyncio.run(attempt(tmp_path, product).product_gone()) is None
    assert product.asked == 1


def test_a_product_that_stays_away_is_not_there_to_be_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down for good: the reason says that it does not answer."""
    monkeypatch.setattr(run, "RETURN_S", 0.05)
    product = Product(DOWN)
    assert asyncio.run(attempt(tmp_path, product).product_gone()) == str(DOWN)
    assert product.asked > 1


def test_a_bad_answer_is_an_answer(tmp_path: Path) -> None:
    """A product that answers with an error of its own is there."""
    product = Product(SeedError("runtime report: GET /rig/runtime answered 500"))
    assert asyncio.run(attempt(tmp_path, product).product_gone()) is None


@pytest.mark.parametrize(
    ("line", "away"),
    [
        (f'{{"body_note":"failed: net::ERR_CONNECTION_REFUSED","url":"{BASE}/chat/turns"}}', True),
        ('{"body_note":"failed: net::ERR_CONNECTION_REFUSED","url":"http://127.0.0.1:9/x"}', False),
        (f'{{"body_note":"streamed","url":"{BASE}/chat/turns"}}', False),
    ],
)
def test_the_reason_says_that_the_product_was_away(line: str, away: bool, tmp_path: Path) -> None:
    """Only a refused connection to the product itself is told; it changes no ending."""
    (tmp_path / "network.jsonl").write_text(line + "\n")
    assert attempt(tmp_path, Product(None)).was_away() is away
