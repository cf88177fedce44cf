"""The real worker process: what it is given to start with, and what becomes of a journey whose code wants more."""

import asyncio
import json
import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import harness.pool
from harness.browser import Browser, find_browser
from harness.pool import Worker, WorkerDied
from harness.run import customer_half
from harness.schema.order import Done, JourneyOrder, Limits, ModelReply, ModelRequest
from harness.schema.ticket import StartTicket
from harness.screen.adapter import load_adapter
from harness.stage import load_package, stage
from oracle_scoring.corpus.synthetic import make_package
from tests.seal.catalogue import Catalogue, Row
from tests.seal.poison import mini_product

ROOT = Path(__file__).resolve().parents[2]

LEAKS = Catalogue()
SECRET = "secret-of-the-test"
BROWSER = Browser(Path("/bin/true"), "path", "none", True, False)

TELLS = """
import json, os, sys
sys.stdin.buffer.readline()
about = {"environ": dict(os.environ), "path": sys.path, "argv": sys.orig_argv, "cwd": os.getcwd(),
         "open": [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")]}
print(json.dumps({"type": "ready", "browser": json.dumps(about), "sandbox": False}), flush=True)
sys.stdin.buffer.readline()
"""


class Teller(Worker):
    """A worker whose program starts no browser and tells what it was given."""

    program = ("-c", TELLS)


def given(folder: Path) -> dict[str, Any]:
    """What a fresh worker process finds."""

    async def start() -> str:
        async with Teller(folder / "staging", BROWSER, []) as worker:
            return worker.version

    told: dict[str, Any] = json.loads(asyncio.run(start()))
    return told


def _variable(folder: Path, patch: pytest.MonkeyPatch, name: str, value: str) -> None:
    patch.setenv(name, value)
    assert value not in json.dumps(given(folder))
    patch.setattr(harness.pool, "scrubbed_env", lambda home: dict(os.environ))
    assert given(folder)["environ"][name] == value


@LEAKS.leak("worker environment", "the model's key in a variable", "pool: the worker's variables are listed")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _variable(folder, patch, "OPENAI_API_KEY", SECRET)


@LEAKS.leak("worker environment", "the seed token in a variable", "pool: the worker's variables are listed")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _variable(folder, patch, "RIG_SEED_TOKEN", SECRET)


@LEAKS.leak("worker environment", "the expected level in a variable", "pool: the worker's variables are listed")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _variable(folder, patch, "RIG_EXPECTED_LEVEL", "zq-complex")


@LEAKS.leak("worker environment", "the corpus on the import path", "pool: an isolated interpreter")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "corpus").mkdir()
    patch.setattr(harness.pool, "scrubbed_env", lambda home: {**os.environ, "PYTHONPATH": str(folder / "corpus")})
    assert str(folder / "corpus") not in given(folder)["path"]
    honest = asyncio.create_subprocess_exec
    patch.setattr(asyncio, "create_subprocess_exec", lambda *a, **k: honest(*(x for x in a if x != "-I"), **k))
    assert str(folder / "corpus") in given(folder)["path"]


@LEAKS.leak("worker environment", "an answer left open by the parent", "pool: nothing but the pipe is handed down")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    labels = make_package(folder / "ZQ-1") / "oracle/labels.json"
    with labels.open("rb") as held:
        os.set_inheritable(held.fileno(), True)
        assert str(labels) not in given(folder)["open"]
        honest = asyncio.create_subprocess_exec
        patch.setattr(asyncio, "create_subprocess_exec", lambda *a, **k: honest(*a, **k, close_fds=False))
        assert str(labels) in given(folder)["open"]


@LEAKS.leak("worker environment", "the repository as working folder", "pool: the worker runs in its staging folder")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    assert given(folder)["cwd"] == str(folder / "staging")
    honest = asyncio.create_subprocess_exec
    patch.setattr(asyncio, "create_subprocess_exec", lambda *a, **k: honest(*a, **{**k, "cwd": folder}))
    assert given(folder)["cwd"] == str(folder)


ROWS = LEAKS.rows("test_worker.py::test_planted_leak_is_caught")


@pytest.mark.parametrize("name", LEAKS)
def test_planted_leak_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh worker process does not have it, and would have it without the guard."""
    LEAKS[name].plant(tmp_path, monkeypatch)


def own_variables() -> set[str]:
    """Every variable that the rig's own code or the documentation names, and those put together from a role."""
    files = [*(ROOT / "harness").rglob("*.py"), ROOT / "README.md"]
    found = {name for f in files for name in re.findall(r"\b(?:RIG|OPENAI)_[A-Z0-9_]*[A-Z0-9]\b", f.read_text("utf-8"))}
    roles, ends = ("CUSTOMER", "PRODUCT", "JUDGE", "VISION"), ("BASE_URL", "MODEL", "API_KEY", "PRICE_IN", "PRICE_OUT")
    found |= {f"RIG_{role}_{end}" for role in roles for end in ends}
    assert {"RIG_SEED_TOKEN", "RIG_STAFF_PASSWORD", "OPENAI_API_KEY"} <= found
    return found


def test_a_worker_is_told_what_is_listed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its variables are a handful by name, whatever else is set of ours; its command line names no package."""
    monkeypatch.setenv("LD_PRELOAD_OF_THE_TEST", "x")
    for name in own_variables():
        if name not in ("RIG_BROWSER", "RIG_BROWSER_SANDBOX"):  # those the test itself may need
            monkeypatch.setenv(name, "x")
    told = given(tmp_path)
    allowed = {
        "PATH",
        "SYSTEMROOT",
        "WINDIR",
        "TEMP",
        "TMP",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "FONTCONFIG_PATH",
    }
    assert set(told["environ"]) <= allowed | {"LANG", "LC_ALL", "HOME", "TMPDIR"}
    assert told["environ"]["HOME"] == str(tmp_path / "staging")
    assert not [word for word in told["argv"] if "CTL" in word or "packages" in word]


SPEAKS = {
    "a line that is no message": b"the level is standard\n",
    "a message with a field too many": b'{"type":"ready","browser":"x","sandbox":false,"seen":"turn_record"}\n',
    "a message of an unknown kind": b'{"type":"peek","file":"oracle/labels.json"}\n',
}


@pytest.mark.parametrize("name", SPEAKS)
def test_what_is_no_message_ends_the_worker_not_the_run(name: str, tmp_path: Path) -> None:
    """The parent says so in one line, as an error it knows."""

    class Wrong(Worker):
        program = (
            "-c",
            f"import sys; sys.stdin.buffer.readline(); sys.stdout.buffer.write({SPEAKS[name]!r}); sys.stdout.flush(); sys.stdin.read()",
        )

    async def start() -> None:
        worker = Wrong(tmp_path / "staging", BROWSER, [])
        try:
            await worker.start()
        finally:
            await worker.kill()

    with pytest.raises(WorkerDied, match="no message"):
        asyncio.run(start())


# ------------------------------------------------------------------ journeys in a sealed worker

PEEKS = {
    "the player opens the oracle": "open(labels)",
    "the player opens the oracle and hides that it was refused": "swallow(lambda: open(labels))",
    "the player lists the package": "swallow(lambda: os.listdir(package))",
    "the player reads the seed in its own attempt": "swallow(lambda: open(attempt + '/seed.json', 'r+').read())",
    "the player reads the network log": "swallow(lambda: open(attempt + '/network.jsonl').read())",
    "the player starts a program": "swallow(lambda: subprocess.run(['cat', labels]))",
    "the player asks the product's state": "swallow(lambda: urllib.request.urlopen(base_url + '/rig/state/x'))",
    "the player imports scoring": "swallow(lambda: exec('import oracle_scoring.corpus.models'))",
    "the player does nothing of the kind": "None",
}
PLAYER = """
import asyncio, os, subprocess, urllib.request
import harness.worker as worker
from harness.customer import players
from harness.schema.move import act
package, labels, base_url = {package!r}, {labels!r}, {base_url!r}
peeks, journeys = {peeks!r}, []

def swallow(peek):
    try:
        peek()
    except BaseException:
        pass

honest = worker.make_player
def make_player(order, pipe):
    journeys.append(order.attempt_dir)
    return honest(order, pipe)
worker.make_player = make_player

async def decide(self, ledger, screen, note):
    eval(peeks[len(journeys) - 1], {{**globals(), "attempt": journeys[-1]}})
    move = act("leave")
    return players.Decision(move, move.model_dump_json(), "rule", None)
players.RulePlayer.decide = decide
asyncio.run(worker.main())
"""
PEEK_ROWS = [
    Row("worker process", name, "audit hook, in a journey", f"test_worker.py::test_a_journey_that_peeks_is_the_rigs_fault[{name}]")
    for name in list(PEEKS)[:-1]
]  # fmt: skip
ROWS += PEEK_ROWS


@pytest.fixture(scope="module")
def peeked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Done]]:
    """One sealed worker with its browser; one journey for each peek."""
    base = tmp_path_factory.mktemp("peek")
    package = load_package(make_package(base / "packages/claims/ZQ-1", {"facts.wishes": []}))

    with mini_product(base) as product:
        program = textwrap.dedent(PLAYER).format(
            package=str(package.folder),
            labels=str(package.folder / "oracle/labels.json"),
            base_url=product.base_url,
            peeks=list(PEEKS.values()),
        )
        adapter = customer_half(load_adapter(product.adapter).with_base_url(product.base_url))

        class Peeking(Worker):
            pass

        Peeking.program = ("-c", program)

        async def no_model(request: ModelRequest) -> ModelReply:
            raise AssertionError("this customer has no model")

        async def play() -> dict[str, Done]:
            done = {}
            async with Peeking(base / "staging", find_browser(), [base / "packages"]) as worker:
                for number, name in enumerate(PEEKS):
                    attempt = base / f"results/a{number}"
                    attempt.mkdir(parents=True)
                    (attempt / "seed.json").write_text('{"policy": "ZQP-550817"}', encoding="utf-8")
                    staged = stage(package, base / f"staging/j{number}")
                    order = JourneyOrder(
                        ticket=StartTicket(start_url=f"{product.base_url}/chat", claimant_session="anonymous", login=None), adapter=adapter,
                        attempt_dir=str(attempt), staging_dir=str(staged.folder), customer="rule", script=None, rng_seed=1,
                        limits=Limits(turn_limit=3, turn_timeout_s=60, journey_timeout_s=120, move_tries=1, stand_in_limit=0),
                    )  # fmt: skip
                    done[name] = await worker.journey(order, no_model)
                assert worker.pid is not None
                assert psutil.Process(worker.pid).is_running()
            return done

        yield asyncio.run(play())


@pytest.mark.browser
@pytest.mark.parametrize("name", list(PEEKS)[:-1])
def test_a_journey_that_peeks_is_the_rigs_fault(name: str, peeked: dict[str, Done]) -> None:
    """It ends `rig_error` and says what was refused, also where the code caught the refusal and went on."""
    assert peeked[name].reason == "rig_error"
    assert peeked[name].why.startswith("sealed: ")


@pytest.mark.browser
def test_a_journey_that_does_not_peek_is_none_of_it(peeked: dict[str, Done]) -> None:
    """The same worker, the same code without the peek: the customer's own ending."""
    ended = peeked["the player does nothing of the kind"]
    assert "sealed" not in ended.why
    assert ended.reason == "simulator_error"
