"""The calibration itself: every defect of the reference product through a real browser, and a score that does not notice."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.cli.calibrate import CalibrateRequest, Calibration, problems, product_adapter
from harness.config import read_config
from harness.devstack.claims.defects import DEFECTS
from harness.progress import Quiet
from harness.run import Access
from harness.screen.adapter import Adapter, Capabilities
from harness.stack import for_run
from oracle_scoring.calibrate import Matrix
from tests.support.ports import stack_ports

pytestmark = [pytest.mark.browser, pytest.mark.stack]
ROOT = Path(__file__).parents[2]
Calibrate = Callable[..., Matrix]


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Access]:
    """The reference product, controlled, on a stack of its own."""
    env = {**os.environ, "RIG_STATE_DIR": str(tmp_path_factory.mktemp("stack")), **stack_ports()}
    with for_run("controlled", config=read_config(env), progress=Quiet()) as stack:
        yield Access(stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, False)


@pytest.fixture
def calibrate(access: Access, tmp_path: Path) -> Calibrate:
    """The short form; defects and packages may be named, and the adapter changed."""

    def run(adapter: Adapter | None = None, defects: tuple[str, ...] = (), packages: tuple[str, ...] = ()) -> Matrix:
        adapter = adapter or product_adapter("claims")
        request = CalibrateRequest(adapter.adapter, packages, defects, False, 2, "c", tmp_path, ROOT / "packages")
        calibration = Calibration(request, adapter, access, Quiet())
        return asyncio.run(calibration.go())

    return run


@pytest.mark.short_proof
@pytest.mark.timeout(1200)
def test_every_defect_is_named_by_its_own_line_and_by_no_other(calibrate: Calibrate) -> None:
    """No miss, no line that moves undeclared, no failing line of the well-behaved product."""
    found = calibrate()
    assert found.exit_code == 0, "\n".join(problems(found))
    assert {row.defect for row in found.rows if row.found} == set(DEFECTS)


def test_a_score_that_does_not_notice_is_found_out(calibrate: Calibrate) -> None:
    """A line that is switched off misses its defect; one that moves with another defect is a false alarm."""
    blind = product_adapter("claims").model_copy(
        update={"capabilities": Capabilities(unimplemented={"facts.plate": "not built"})}
    )
    found = calibrate(blind, ("fact_lost", "case_number_only_in_json"), ("CTL-M-002",))
    assert {row.defect: row.verdict for row in found.rows} == {
        "fact_lost": "missed",
        "case_number_only_in_json": "found",
    }
    assert found.exit_code == 1 and "facts.plate is unimplemented" in problems(found)[0]


def test_a_fault_of_a_conversation_is_named_by_its_metric(calibrate: Calibrate) -> None:
    """Through the page of the inquiry product; what only a judge can tell is listed, and the well-behaved product fails none."""
    found = calibrate(product_adapter("inquiry"), ("kept_in_working_hours", "stiff"), ("INQ-002",))
    assert [(row.defect, row.expected_line, row.verdict) for row in found.rows] == [
        ("stiff", "inquiry.m-028", "awaits_judge"),
        ("kept_in_working_hours", "inquiry.m-104", "found"),
    ]
    assert "inquiry.m-107" in {moved.line for moved in found.rows[1].also_moved}
    assert found.sound == [] and found.exit_code == 0, "\n".join(problems(found))
