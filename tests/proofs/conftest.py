"""The local stack and the way to play a run, as journeys have them."""

from tests.journeys.conftest import access, play, stack

__all__ = ["access", "play", "stack"]
