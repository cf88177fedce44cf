"""The browser and the loop of the browser tests of the screen."""

from tests.browser.screen.conftest import browser, run

__all__ = ["browser", "run"]
