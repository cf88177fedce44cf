"""One local stack for all journeys of the test session, on free ports, with a state folder of its own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.config import read_config
from harness.progress import Quiet
from harness.run import Access, RunOptions, RunResult, execute
from harness.stack import StackConnection, for_run
from tests.support.ports import stack_ports

ROOT = Path(__file__).parents[2]
Play = Callable[..., RunResult]


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackConnection]:
    """The reference product, controlled, with embedded stores."""
    env = {**os.environ, "RIG_STATE_DIR": str(tmp_path_factory.mktemp("stack")), **stack_ports()}
    with for_run("controlled", config=read_config(env), progress=Quiet()) as connection:
        yield connection


@pytest.fixture
def access(stack: StackConnection) -> Access:
    """Keys and addresses of that stack."""
    return Access(
        stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, stores_configured=False
    )


@pytest.fixture
def play(access: Access, tmp_path: Path) -> Play:
    """Run CTL-M-001 with the rule customer as a rehearsal; options may be changed."""

    def run(run: str = "r1", **changes: Any) -> RunResult:
        base: dict[str, Any] = {
            "packages": ("CTL-M-001",), "customer": "rule", "rehearsal": True, "corpus": ROOT / "packages", "results": tmp_path / "results",
        }  # fmt: skip
        given = {**base, **changes}
        return execute(
            RunOptions(run=run, **{k: v for k, v in given.items() if k != "access"}), given.get("access", access)
        )

    return run
