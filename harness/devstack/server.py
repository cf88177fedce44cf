"""Serving the product on loopback until it is told to stop."""

import logging
import signal
import socket
import sys
from contextlib import closing
from types import FrameType

import uvicorn
from openai import AsyncOpenAI

from harness.devstack.app import create_app
from harness.devstack.claims.model_runtime import ModelRuntime
from harness.devstack.claims.runtime import Controlled, Runtime
from harness.devstack.config import ConfigFault, Settings, require_loopback
from harness.devstack.inquiry.model_agents import ModelAgents
from harness.devstack.inquiry.runtime import Agents, ControlledAgents
from harness.devstack.inquiry.service import Inquiry
from harness.devstack.inquiry.store import TalkStore
from harness.devstack.stores import Database, Files, StoreFault

BROKEN = 4
"""Exit code: a port is busy or a store does not answer."""


class _Announcing(uvicorn.Server):
    """Prints one line once it answers."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(self._line + "\n")
            sys.stdout.flush()


def make_runtime(settings: Settings) -> Runtime:
    """The runtime the settings ask for."""
    if settings.runtime == "controlled":
        return Controlled(stream_ms=settings.stream_ms)
    return ModelRuntime(*_model(settings))


def make_agents(settings: Settings) -> Agents:
    """The two agents of the inquiry app, in the runtime the settings ask for."""
    return ControlledAgents() if settings.runtime == "controlled" else ModelAgents(*_model(settings))


def _model(settings: Settings) -> tuple[AsyncOpenAI, str]:
    if settings.model is None:
        raise ConfigFault("the model runtime needs a model")
    chosen = settings.model
    client = AsyncOpenAI(base_url=chosen.base_url, api_key=chosen.api_key, timeout=chosen.timeout_s, max_retries=1)
    return client, chosen.model


def serve(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT. Gives the exit code; faults are one line on stderr."""
    require_loopback(settings.host)
    logging.basicConfig(level=logging.WARNING, format="%(name)s %(levelname)s %(message)s")
    listener = _listen(settings.host, settings.port)
    with closing(listener):
        db, files = Database(settings.mongodb_uri, settings.database), Files(settings.s3)
        try:
            stores = {"mongodb": db.check(), "s3": files.check()}
        except StoreFault as exc:
            raise ConfigFault(" ".join(str(exc).split())[:300], BROKEN) from exc
        talks = TalkStore(settings.mongodb_uri, settings.database)
        inquiry = Inquiry(talks, files, make_agents(settings))
        app = create_app(settings, db, files, make_runtime(settings), stores, inquiry)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        server = _Announcing(config, f"reference claims ({settings.runtime}) at http://{shown}:{port}")
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _already_handled)
        server.run(sockets=[listener])
        db.close()
        talks.close()
    return 0


def _already_handled(_number: int, _frame: FrameType | None) -> None:
    """The server raises the signal that stopped it once more after its shutdown; by then all is done."""


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as exc:
        listener.close()
        raise ConfigFault(f"cannot listen on {host}:{port}: {exc.strerror}", BROKEN) from exc
    return listener
