"""The way to the pages that `scripts/ocr_check` reads: a page that is not reached would be one that nobody looked at."""

import asyncio

import pytest

from harness.stack import StackConnection
from scripts.ocr_check import launched
from scripts.ocr_reference import Reference

pytestmark = [pytest.mark.browser, pytest.mark.stack, pytest.mark.short_proof]


def test_the_staff_pages_of_a_case_and_of_none_are_reached(stack: StackConnection) -> None:
    """One journey, its case for staff, a refused sign-in and a search that finds nothing, each with words on it."""

    async def work() -> None:
        async with launched() as browser:
            reference = Reference(browser, stack)
            shown = await reference.pages(("CTL-M-001",))
        assert all(page.visible for page in shown)
        staff = {"staff sign-in", "staff refused", "staff list", "staff list empty", "staff case"}
        assert staff | {"home", "error", "customer", "dialog", "final"} <= set(reference.kinds)

    asyncio.run(work())
