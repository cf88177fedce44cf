"""A page on which one person chooses between two journeys, pair by pair, with the keyboard.

It listens on loopback only and answers only to its own address and token. Its one script, its own, makes keys press the
page's buttons; without it the buttons work. A choice is on disk before the next pair is shown.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from harness.errors import InputError, RigError
from oracle_scoring.agent_rules.rules import Choice, load_rules
from oracle_scoring.gsb.models import by_judge
from oracle_scoring.gsb.store import Choices
from oracle_scoring.loopback import Guard, serve_page
from oracle_scoring.templates import templates_of

COMMAND = "rig gsb choose"
_TEMPLATES = templates_of("oracle_scoring.gsb")


@dataclass(frozen=True)
class Key:
    """One key of the page."""

    key: str
    choice: Choice
    words: str


KEYS = (
    Key("1", "left", "Left is better"),
    Key("2", "right", "Right is better"),
    Key("3", "both_good", "Both are good"),
    Key("4", "both_bad", "Both are bad"),
)


class Desk:
    """What the page's routes do."""

    def __init__(self, choices: Choices, by: str, token: str) -> None:
        self._choices = choices
        self._by = by
        self.base = f"/{token}"
        self._writing = threading.Lock()
        self._labels = load_rules().file.choice_labels

    def _html(self, template: str, status: int = 200, **values: Any) -> Response:
        done, total = len(self._choices.of(self._by)), len(self._choices.pairs)
        page = _TEMPLATES.get_template(template).render(base=self.base, by=self._by, done=done, total=total, **values)
        return HTMLResponse(page, status)

    def index(self, _request: Request) -> Response:
        """The first pair that waits; when none does, the end."""
        waiting = self._choices.waiting(self._by)
        return self._to(f"/pair/{waiting[0]}" if waiting else "/done")

    def done(self, _request: Request) -> Response:
        """Nothing is left to choose."""
        if waiting := self._choices.waiting(self._by):
            return self._to(f"/pair/{waiting[0]}")
        return self._html("done.html.j2", last=next(reversed(self._choices.of(self._by))))

    def pair(self, request: Request) -> Response:
        """Two journeys side by side."""
        pair = self._choices.pairs.get(request.path_params["pair"])
        if pair is None:
            return self._html("wrong.html.j2", 404, why="There is no such pair.")
        mine = self._choices.of(self._by)
        earlier = [name for name in mine if name != pair.pair]
        number = list(self._choices.pairs).index(pair.pair) + 1
        return self._html(
            "pair.html.j2", pair=pair, number=number, keys=KEYS, labels=self._labels,
            chosen=mine[pair.pair].choice if pair.pair in mine else None, before=earlier[-1] if earlier else None,
        )  # fmt: skip

    async def choose(self, request: Request) -> Response:
        """One choice, then the next pair."""
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=5)
        return await run_in_threadpool(self._choose, request.path_params["pair"], fields.get("choice", [""])[0])

    def _choose(self, pair: str, given: str) -> Response:
        choice = next((c for c in get_args(Choice) if c == given), None)
        if choice is None:
            return self._html("wrong.html.j2", 400, why="That is none of the four choices.")
        try:
            with self._writing:
                self._choices.choose(pair, choice, self._by)
        except RigError as exc:
            return self._html("wrong.html.j2", 400, why=str(exc))
        return self._to("/")

    def _to(self, path: str) -> Response:
        return RedirectResponse(f"{self.base}{path}", 303)

    def style(self, _request: Request) -> Response:
        """The style sheet."""
        return Response(_TEMPLATES.get_template("gsb.css").render(), media_type="text/css")

    def script(self, _request: Request) -> Response:
        """The script behind the keys."""
        return Response(_TEMPLATES.get_template("keys.js").render(), media_type="text/javascript")


def gsb_app(choices: Choices, by: str, token: str, port: int) -> ASGIApp:
    """The page as an ASGI application.

    Args:
        choices: pairs and what was chosen.
        by: the person who chooses.
        token: first part of every path; whoever does not know it sees nothing.
        port: of the address at which it answers.
    """
    desk = Desk(choices, by, token)
    base = desk.base
    routes = [
        Route(f"{base}/", desk.index),
        Route(f"{base}/done", desk.done),
        Route(f"{base}/style.css", desk.style),
        Route(f"{base}/keys.js", desk.script),
        Route(f"{base}/pair/{{pair}}", desk.pair),
        Route(f"{base}/pair/{{pair}}", desk.choose, methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes), token, port, COMMAND, script=True)


def check_person(by: str) -> str:
    """The name, spaces folded.

    Raises:
        InputError: it is empty, too long, or a judge's.
    """
    name = " ".join(by.split())
    if not name or len(name) > 80 or not name.isprintable():
        raise InputError("--by", "names the person who chooses, in up to 80 characters")
    if by_judge(name):
        raise InputError("--by", f"{name!r} stands for a model that chooses; name a person")
    return name


def serve(folder: Path, by: str, port: int = 0, say: Callable[[str], None] = print) -> None:
    """The page until it is interrupted; its address, with the token, is said first.

    Raises:
        InputError: the folder holds no pairs, or the name is none.
        EnvironmentFault: the port cannot be had.
    """
    person = check_person(by)
    choices = Choices(folder)
    if choices.torn:
        say(f"{folder}: the last choice was written by half and is left out")
    serve_page(lambda token, own: gsb_app(choices, person, token, own), port, say)
