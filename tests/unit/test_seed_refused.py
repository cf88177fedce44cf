"""A product that says of a seed request that it is wrong is not asked again; any other fault of the seed route is."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from harness import run as running
from harness.errors import InputError, SeedError, SeedRefused
from harness.product import ProductClient
from harness.schema.order import Done
from harness.schema.setup import ClaimsSetup
from harness.screen.adapter import find_adapter, load_adapter
from harness.seed import seed, seed_request

PACKAGE = SimpleNamespace(id="CTL-X-001")


def refusal(status: int, body: str) -> SeedError:
    """What comes of a seed route that answers so."""
    setup = ClaimsSetup(
        format="0.2", canary="0" * 32, kind="claims", claimant_session="anonymous",
        now=datetime(2026, 3, 10, tzinfo=UTC), policy=None, prior_claims=[],
    )  # fmt: skip

    async def go() -> None:
        client = ProductClient(load_adapter(find_adapter("reference-claims")), "token")
        await client.aclose()
        client._http = httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: httpx2.Response(status, text=body)))
        try:
            await seed(client, seed_request(setup, []))
        finally:
            await client.aclose()

    with pytest.raises(SeedError) as caught:
        asyncio.run(go())
    return caught.value


@pytest.mark.parametrize(
    ("status", "wrong"),
    [(400, True), (422, True), (401, False), (404, False), (409, False), (429, False), (500, False)],
)
def test_what_the_seed_route_answers(status: int, wrong: bool) -> None:
    """400 and 422 speak of the request itself; a wrong token, a used id, a busy or a broken product do not."""
    error = refusal(status, "defects: there is no defect 'nosuch'")
    assert isinstance(error, SeedRefused) is wrong
    assert f"answered {status}: defects: there is no defect 'nosuch'" in str(error)


class Played:
    """A slot's attempts, each of which ends with the error given for its trial."""

    def __init__(self, errors: dict[int, Exception], defects: tuple[str, ...], attempts: int = 3) -> None:
        self.errors = errors
        self.finished: list[tuple[int, int, str, str]] = []
        self.queue: asyncio.Queue[tuple[Any, int]] = asyncio.Queue()
        for trial in errors:
            self.queue.put_nowait((PACKAGE, trial))
        options = SimpleNamespace(max_attempts=attempts, workers=1, defects=defects)
        run: Any = SimpleNamespace(options=options, say=lambda _: None)
        directory: Any = self
        nothing: Any = SimpleNamespace()
        self.slot = running._Slot(run, directory, nothing, nothing, self.queue, Path())
        self.folder = Path()
        self.numbers: dict[int, int] = {}

    def new_attempt(self, package: str, trial: int) -> tuple[int, Path]:
        """The next number."""
        self.numbers[trial] = self.numbers.get(trial, 0) + 1
        return self.numbers[trial], Path()


class Attempt:
    """Ends with its error."""

    def __init__(self, slot: Any, package: Any, trial: int, number: int, *_: Any) -> None:
        self.played: Any = slot.directory
        self.package, self.trial, self.number, self.finished = package, trial, number, False

    async def play(self) -> Done:
        """The error."""
        raise self.played.errors[self.trial]

    async def observe(self) -> bool:
        """There is nothing to see."""
        return False

    def finish(self, done: Done, _: Any) -> None:
        """Into the list."""
        self.finished = True
        self.played.finished.append((self.trial, self.number, done.reason, done.why))


@pytest.fixture(autouse=True)
def _attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_Attempt", Attempt)


@pytest.mark.parametrize(
    ("defects", "answer", "where"),
    [
        (("day_month_swapped", "nosuch"), "defects: there is no defect 'nosuch'", "--defect nosuch"),
        (("nosuch",), "unknown Defect", "--defect"),
        (("answer", "nosuch"), "answered 422: there is no nosuch", "--defect nosuch"),
    ],
)
def test_an_unknown_defect_ends_the_run_as_bad_input(defects: tuple[str, ...], answer: str, where: str) -> None:
    """No attempt is repeated, no other trial is begun, and the one attempt is written down as the environment's."""
    played = Played({1: SeedRefused(answer), 2: SeedRefused(answer)}, defects)
    with pytest.raises(InputError) as caught:
        asyncio.run(played.slot.work())
    assert (caught.value.where, caught.value.why, caught.value.exit_code) == (where, answer, 2)
    assert played.finished == [(1, 1, "environment_error", answer)]


@pytest.mark.parametrize("defects", [(), ("day_month_swapped",)])
def test_a_refused_package_is_asked_for_once_and_the_others_are_played(defects: tuple[str, ...]) -> None:
    """A refusal that is not about a defect gives up its trial only; what is no refusal is tried as often as allowed."""
    played = Played({1: SeedRefused("policy: wrong"), 2: SeedError("answered 503")}, defects, attempts=2)
    asyncio.run(played.slot.work())
    assert played.finished == [
        (1, 1, "environment_error", "policy: wrong"),
        (2, 1, "environment_error", "answered 503"),
        (2, 2, "environment_error", "answered 503"),
    ]
