"""The viewer's pages. Addresses name runs and attempts that the index knows; no path of a folder is made from an address."""

import json
import sqlite3
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from harness.errors import InputError, RigError
from harness.journal import PROMPT, RunJournal, changed_files, counting_attempts, open_trial, read_lines
from harness.report.attempt import drawn_times
from harness.report.rows import NO_STORED_SCORE
from harness.report.templates import environment
from harness.report.text import Marker
from harness.view import query
from harness.view.bodies import laid_out, read_body
from harness.view.guard import Guard
from harness.view.index import TONES, Index
from harness.view.journey import PREFIX, JourneyPage, calls_of, journey_page, prompt_of, read_picture
from harness.view.places import lies_inside
from harness.view.records import scores_of, verdicts_of
from oracle_scoring.claims.context import open_context
from oracle_scoring.explain import Explanation, explain_card, package_of
from oracle_scoring.inquiry.attempt import journey_of
from oracle_scoring.inquiry.explain import explain_journey
from oracle_scoring.inquiry.version import RUBRIC as BUYERS
from oracle_scoring.record import read_record

STATIC = {
    "view.css": "text/css",
    "report.css": "text/css",
    "view.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
MOST = 999_999
"""The largest number of a trial or attempt that a record can have."""
_HERE = Path(__file__).parent


@cache
def templates() -> Environment:
    """The viewer's templates; pieces of the report's are used as they are."""
    made = environment().overlay(loader=ChoiceLoader([PackageLoader("harness.view"), PackageLoader("harness.report")]))
    made.globals.update(quote=lambda text: quote(text, safe=""), attempt_address=query.attempt_address, tones=TONES)
    return made


@dataclass(frozen=True)
class Place:
    """An attempt that an address names."""

    run: sqlite3.Row
    row: sqlite3.Row
    path: Path
    address: str


class Viewer:
    """What the routes do.

    Args:
        index: knows runs and attempts.
        corpus: folder of the packages, by which failures are explained; None: they are not.
    """

    def __init__(self, index: Index, corpus: Path | None) -> None:
        self.index = index
        self.corpus = corpus

    # Lists

    def attempts(self, request: Request) -> Response:
        """All attempts that fit."""
        return self._list(request, "attempts")

    def runs(self, request: Request) -> Response:
        """All runs that hold attempts that fit."""
        return self._list(request, "runs")

    def _list(self, request: Request, kind: str) -> Response:
        db = self.index.reader()
        try:
            wanted, wrong = query.Wanted.of(request.query_params), ""
        except InputError as exc:
            wanted, wrong = query.Wanted(), str(exc)
        found: Any = query.attempts(db, wanted) if kind == "attempts" else query.runs(db, wanted)
        return self._page(
            f"{kind}.html.j2", kind=kind, wanted=wanted, wrong=wrong, found=found, choices=query.choices(db),
            orders=[(key, title) for key, (title, _) in query.ORDERS.items()], size=query.PAGE,
        )  # fmt: skip

    def status(self, _request: Request) -> Response:
        """How far the index is, as a piece of a page."""
        return self._page("status.html.j2")

    def problems(self, _request: Request) -> Response:
        """What could not be read."""
        return self._page("problems.html.j2", kind="problems")

    # One run, one attempt

    def run(self, request: Request) -> Response:
        """A run: what it was, and its packages by score lines."""
        db = self.index.reader()
        row = self._run(db, request)
        whole = request.query_params.get("all") == "1"
        totals = query.attempts(db, query.Wanted(run=row["key"]))
        return self._page(
            "run.html.j2", kind="run", run=row, matrix=query.matrix(db, row, whole), whole=whole, totals=totals
        )

    def _run(self, db: sqlite3.Connection, request: Request) -> sqlite3.Row:
        row = query.run_row(db, request.path_params["run"])
        if row is None or not lies_inside(self.index.results, Path(row["path"])):
            raise HTTPException(404, "There is no such run.")
        return row

    def _place(self, request: Request) -> Place:
        db = self.index.reader()
        run = self._run(db, request)
        named = request.path_params
        if max(named["trial"], named["number"]) > MOST:
            raise HTTPException(404, "There is no such attempt.")
        row = query.attempt_row(db, run["id"], named["package"], named["trial"], named["number"])
        if row is None or not lies_inside(self.index.results, Path(row["path"])):
            raise HTTPException(404, "There is no such attempt.")
        address = query.attempt_address(run["key"], row["package"], row["trial"], row["number"])
        return Place(run, row, Path(row["path"]), address)

    def _trial(self, place: Place) -> tuple[RunJournal, list[sqlite3.Row]]:
        rows = query.siblings(self.index.reader(), place.run["id"], place.row["package"], place.row["trial"])
        there = {row["number"]: Path(row["path"]) for row in rows if lies_inside(self.index.results, Path(row["path"]))}
        return open_trial(Path(place.run["path"]), place.row["package"], place.row["trial"], there), rows

    def journey(self, request: Request) -> Response:
        """An attempt: its score lines beside its timeline."""
        place = self._place(request)
        page, rows = self._journey_page(place)
        return self._page(
            "journey.html.j2",
            kind="journey",
            page=page,
            a=page.view,
            place=place,
            rows=rows,
            explains=self.corpus is not None,
        )

    def _journey_page(self, place: Place) -> tuple[JourneyPage, list[sqlite3.Row]]:
        journal, rows = self._trial(place)
        paths = {row["number"]: self._inside(json.loads(row["scores"])) for row in rows}
        scores = scores_of(journal, paths, verdicts_of(Path(place.run["path"]))[0])
        folder = next(item for item in journal.attempts if item.number == place.row["number"])
        key = (folder.package, folder.trial, folder.number)
        counting = key in counting_attempts(journal.attempts)
        stored = scores.get(key, NO_STORED_SCORE)
        return journey_page(journal, folder, stored, counting, place.address, changed_files(folder)), rows

    def chart(self, request: Request) -> Response:
        """Where the time of each turn went, as a piece of its page."""
        page, _ = self._journey_page(self._place(request))
        return self._page("chart.html.j2", chart=drawn_times(page.view.times, PREFIX))

    def _inside(self, paths: list[str]) -> list[Path]:
        return [path for path in map(Path, paths) if lies_inside(self.index.results, path)]

    def why(self, request: Request) -> Response:
        """Why the attempt failed, as a piece of its page."""
        place = self._place(request)
        try:
            found, problem = self._explained(place), ""
        except RigError as exc:
            found, problem = None, str(exc)
        return self._page("why.html.j2", found=found, problem=problem, show=Marker().show)

    def _explained(self, place: Place) -> Explanation:
        if self.corpus is None:
            raise InputError("corpus", "was not given")
        package = package_of(place.path, self.corpus)
        journal, _ = self._trial(place)
        scores = scores_of(
            journal,
            {place.row["number"]: self._inside(json.loads(place.row["scores"]))},
            verdicts_of(Path(place.run["path"]))[0],
        )
        found = scores.get((place.row["package"], place.row["trial"], place.row["number"]), [])
        if not found or found[0].card is None:
            raise InputError(place.run["name"], "has no scorecard of this attempt; rig score writes one")
        if found[0].card.rubric == BUYERS:
            return explain_journey(journey_of(read_record(place.path), package), found[0].card, package)
        return explain_card(open_context(place.path, package), found[0].card)

    # What a journey's page asks for when it is opened there

    def call(self, request: Request) -> Response:
        """Prompt and reply of one call, as a piece of a page."""
        place = self._place(request)
        calls = calls_of(read_lines(place.path, "prompts.jsonl", PROMPT).items)
        number = request.path_params["call"]
        if not 1 <= number <= len(calls):
            raise HTTPException(404, "There is no such call.")
        return self._page("call.html.j2", prompt=prompt_of(calls[number - 1]))

    def body(self, request: Request) -> Response:
        """A body as it is, as plain text whatever it is."""
        data = read_body(self._place(request).path, request.path_params["sha256"])
        if data is None:
            raise HTTPException(404, "There is no such body.")
        return Response(data, media_type="text/plain; charset=utf-8")

    def body_shown(self, request: Request) -> Response:
        """A body laid out, as a piece of a page."""
        place = self._place(request)
        data = read_body(place.path, request.path_params["sha256"])
        raw = f"{place.address}/body/{request.path_params['sha256']}"
        return self._page("body.html.j2", body=None if data is None else laid_out(data), raw=raw)

    def picture(self, request: Request) -> Response:
        """A picture of the attempt."""
        found = read_picture(self._place(request).path, request.path_params["name"])
        if found is None:
            raise HTTPException(404, "There is no such picture.")
        return Response(found[0], media_type=found[1])

    # Everything else

    def static(self, request: Request) -> Response:
        """The viewer's own style sheets and scripts."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, "There is no such file.")
        data = (
            environment().get_template(name).render().encode()
            if name == "report.css"
            else (_HERE / "static" / name).read_bytes()
        )
        return Response(data, media_type=STATIC[name])

    def wrong(self, request: Request, exc: Exception) -> Response:
        """A page that says what is wrong with the address."""
        status, why = (exc.status_code, str(exc.detail)) if isinstance(exc, HTTPException) else (500, "")
        if request.headers.get("hx-request") or "/body/" in request.url.path or "/picture/" in request.url.path:
            return PlainTextResponse(f"{why}\n", status)
        return self._page("wrong.html.j2", status, kind="wrong", why=why)

    def _page(self, template: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(
            templates()
            .get_template(template)
            .render(progress=self.index.progress, results=self.index.results.name, **values),
            status,
        )


def view_app(index: Index, corpus: Path | None, token: str, port: int) -> ASGIApp:
    """The viewer as an ASGI application.

    Args:
        index: of the results.
        corpus: folder of the packages, or None.
        token: opens it.
        port: of the address at which it answers.
    """
    viewer = Viewer(index, corpus)
    attempt = "/run/{run}/{package}/t{trial:int}/a{number:int}"
    routes = [
        Route("/", viewer.attempts),
        Route("/runs", viewer.runs),
        Route("/status", viewer.status),
        Route("/problems", viewer.problems),
        Route("/static/{name}", viewer.static),
        Route("/run/{run}", viewer.run),
        Route(attempt, viewer.journey),
        Route(f"{attempt}/why", viewer.why),
        Route(f"{attempt}/chart", viewer.chart),
        Route(f"{attempt}/call/{{call:int}}", viewer.call),
        Route(f"{attempt}/body/{{sha256}}", viewer.body),
        Route(f"{attempt}/body/{{sha256}}/shown", viewer.body_shown),
        Route(f"{attempt}/picture/{{name:path}}", viewer.picture),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={HTTPException: viewer.wrong}), token, port)
