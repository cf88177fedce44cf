"""An application served on loopback for the time of a test."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from oracle_scoring.loopback import LOOPBACK, listen


@contextmanager
def served(make: Callable[[int], ASGIApp]) -> Iterator[str]:
    """The address of an application that is made for its port."""
    with listen() as held:
        port = held.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(make(port), log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{port}"
        server.should_exit = True
        thread.join(20)
