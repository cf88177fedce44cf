"""A page on which a person walks through the files of a corpus, sees beside each what programs and models saw, and signs by name.

It listens on loopback only, answers only to its own address and to a token that stands in it, asks no other host for
anything, and runs no script. A signature goes into `review.json` with the hash of the bytes that were shown.
"""

import io
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from harness.errors import InputError, RigError, one_line
from harness.schema.package import MATERIALS_DIR, find_packages
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.look import is_picture, media_type, missing_looks
from oracle_scoring.corpus.look_compare import a_kind, look_contradictions, must_show
from oracle_scoring.corpus.look_findings import look_findings
from oracle_scoring.corpus.look_ocr import pdf_pages
from oracle_scoring.corpus.models import Contradiction, FileProvenance, HumanSignature, Look, Reading
from oracle_scoring.corpus.pictured import Pictured, load_pictured
from oracle_scoring.corpus.sign import sign, standing, withdraw
from oracle_scoring.loopback import Guard, serve_page
from oracle_scoring.templates import templates_of

SCREEN_DPI = 110
_TEMPLATES = templates_of("oracle_scoring.corpus")
_PDF = threading.Lock()
"""The PDF library draws for one thread at a time."""


@dataclass(frozen=True)
class FieldRow:
    """One printed field: what should stand there, and who saw it."""

    name: str
    printed: str
    state: str
    """`legible`, `unreadable` or `left out`."""
    looked: str | None
    """What is wrong by the blind look; "" if nothing is; None if nobody looked."""
    read: str | None
    """The same by character recognition."""


@dataclass(frozen=True)
class FileView:
    """One file as the page shows it."""

    package: str
    file: str
    sha256: str
    image: bool
    """It is a picture: it needs a signature."""
    pages: int
    label: str
    document: str
    purpose: str
    how: str
    missing_pages: list[int]
    pages_total: int | None
    shows: list[list[str]]
    fields: list[FieldRow]
    checks: list[Any]
    look: Look | None
    reading: Reading | None
    other: list[Contradiction]
    """Contradictions that are about no printed field."""
    signatures: list[HumanSignature]
    fallen: list[HumanSignature]

    @property
    def signed(self) -> bool:
        """A person signed this very file."""
        return bool(self.signatures)

    @property
    def contradicted(self) -> int:
        """How many things programs and models saw otherwise."""
        seen = [
            *(self.look.contradictions if self.look else []),
            *(self.reading.contradictions if self.reading else []),
        ]
        return len(seen)


@dataclass(frozen=True)
class PackageView:
    """One package in the list."""

    id: str
    problem: str | None
    opening: str
    files: list[FileView]
    lacking: list[str]
    """What is missing before a freeze, beside signatures."""


def _field_rows(made: FileProvenance, look: Look | None, reading: Reading | None) -> list[FieldRow]:
    def wrong(found: list[Contradiction], name: str) -> str:
        return "; ".join(c.what for c in found if c.field == f"printed_fields.{name}")

    rows = []
    for name, field in made.printed_fields.items():
        there = made.pages_present is None or field.page in made.pages_present
        state = "left out" if not there else "legible" if field.legible else "unreadable"
        looked = wrong(look.contradictions, name) if look and not look.stub else None
        read = wrong(reading.contradictions, name) if reading else None
        rows.append(FieldRow(name, field.printed, state, looked, read))
    return rows


def file_view(package: Pictured, name: str) -> FileView:
    """Everything the page says of one file."""
    data = package.visible.files[name]
    digest = sha256_hex(data)
    made = package.made.get(name)
    if made is None:
        raise InputError(f"{package.id}/provenance.json: files", f"says nothing of {name}")
    blind = package.review.blind_look
    look = next((x for x in blind.looks if x.file == name and x.sha256 == digest), None)
    if look is not None:
        now = look_contradictions(look, made)
        look = look.model_copy(update={"contradictions": now, "contradicts": bool(now) or look.contradicts})
    reading = next((x for x in blind.readings if x.file == name and x.sha256 == digest), None)
    label = next((m.visible.label for m in package.visible.materials.materials if m.visible.file == name), "")
    present = made.pages_present or []
    seen = [*(look.contradictions if look else []), *(reading.contradictions if reading else [])]
    return FileView(
        package=package.id,
        file=name,
        sha256=digest,
        image=is_picture(data),
        pages=1 if is_picture(data) else len(present) or 1,
        label=label,
        document=made.document,
        purpose=made.purpose,
        how=made.how + (f" by {made.recipe}" if made.recipe else ""),
        missing_pages=[n for n in range(1, (made.pages_total or 0) + 1) if n not in present],
        pages_total=made.pages_total,
        shows=must_show(made) if made.document == "photo" else [],
        fields=_field_rows(made, look, reading),
        checks=[c for c in package.review.assistant_checks if c.file == name and c.sha256 == digest],
        look=look,
        reading=reading,
        other=[c for c in seen if not c.field.startswith("printed_fields.")],
        signatures=standing(package)[name],
        fallen=[s for s in package.review.human_signatures if s.file == name and s.sha256 != digest],
    )


def package_view(folder: Path) -> PackageView:
    """One package of the list; one that cannot be read says why."""
    try:
        package = load_pictured(folder)
        files = [file_view(package, name) for name in package.visible.files]
        lacking = [f.what for f in missing_looks(package)] + [f"{f.field}: {f.what}" for f in look_findings(package)]
        return PackageView(package.id, None, package.visible.initial_message, files, lacking)
    except RigError as exc:
        return PackageView(folder.name, str(exc), "", [], [])


@lru_cache(maxsize=24)
def _page_png(data: bytes, number: int) -> bytes | None:
    with _PDF:
        pages = pdf_pages(data, SCREEN_DPI)
    if not 1 <= number <= len(pages):
        return None
    held = io.BytesIO()
    pages[number - 1].save(held, "PNG")
    return held.getvalue()


class Desk:
    """What the page's routes do."""

    def __init__(self, root: Path, token: str, now: Callable[[], datetime]) -> None:
        self.root = root
        self.base = f"/{token}"
        self._now = now
        self._writing = threading.Lock()

    def folders(self) -> dict[str, Path]:
        """Package id -> folder."""
        return find_packages(self.root, None)

    def _find(self, request: Request) -> tuple[Path, str]:
        folder = self.folders().get(request.path_params["package"])
        if folder is None:
            raise InputError(request.path_params["package"], "is no package of this corpus")
        return folder, request.path_params["file"]

    def _html(self, template: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(
            _TEMPLATES.get_template(template).render(base=self.base, quote=quote, a_kind=a_kind, **values), status
        )

    def _wrong(self, exc: RigError, status: int = 400) -> Response:
        return self._html("wrong.html.j2", status, why=str(exc), signer="")

    def index(self, request: Request) -> Response:
        """All packages and files, with what is signed."""
        try:
            packages = [package_view(folder) for folder in self.folders().values()]
        except RigError as exc:
            return self._wrong(exc)
        images = [f for p in packages for f in p.files if f.image]
        return self._html(
            "index.html.j2",
            packages=packages,
            root=self.root.name,
            total=len(images),
            signed=sum(f.signed for f in images),
            next_file=next((f for f in images if not f.signed), None),
            signer=_signer(request),
        )

    def look(self, request: Request) -> Response:
        """One file beside what was seen in it, and the form to sign."""
        try:
            folder, name = self._find(request)
            package = load_pictured(folder)
            if name not in package.visible.files:
                raise InputError(f"{package.id}/{MATERIALS_DIR}/{name}", "there is no such file")
            return self._file(package, name, _signer(request), "")
        except RigError as exc:
            return self._wrong(exc, 404)

    def _file(self, package: Pictured, name: str, signer: str, wrong: str, status: int = 200) -> Response:
        walk = self._walk()
        at = walk.index((package.id, name))
        return self._html(
            "file.html.j2",
            status,
            view=file_view(package, name),
            opening=package.visible.initial_message,
            number=at + 1,
            total=len(walk),
            before=walk[at - 1] if at else None,
            after=walk[at + 1] if at + 1 < len(walk) else None,
            signer=signer,
            wrong=wrong,
        )

    def _walk(self) -> list[tuple[str, str]]:
        """Every file in the order of packages."""
        found = []
        for folder in self.folders().values():
            try:
                found += [(folder.name, name) for name in load_pictured(folder).visible.files]
            except RigError:
                continue
        return found

    def picture(self, request: Request) -> Response:
        """The file itself, or a page of it drawn; only if it is still the one the page spoke of."""
        try:
            folder, name = self._find(request)
            data = load_pictured(folder).visible.files.get(name)
        except RigError as exc:
            return Response(str(exc), 404, media_type="text/plain")
        if data is None or sha256_hex(data) != request.path_params["sha256"]:
            return Response("There is no such file, or it has changed.", 404, media_type="text/plain")
        kind = media_type(data)
        if kind is not None:
            return Response(data, media_type=kind)
        try:
            drawn = _page_png(data, request.path_params["number"])
        except RigError as exc:
            return Response(str(exc), 404, media_type="text/plain")
        if drawn is None:
            return Response("There is no such page.", 404, media_type="text/plain")
        return Response(drawn, media_type="image/png")

    async def sign(self, request: Request) -> Response:
        """A signature, or a signature taken back."""
        body = await request.body()
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=10)
        form = {key: values[0] for key, values in fields.items()}
        return await run_in_threadpool(self._sign, request, form)

    def _sign(self, request: Request, form: dict[str, str]) -> Response:
        name = " ".join(form.get("name", "").split())
        try:
            folder, file = self._find(request)
            with self._writing:
                if form.get("act") == "withdraw":
                    withdraw(folder, file, form.get("name", ""))
                    return self._to(f"/{folder.name}/{quote(file)}", _signer(request))
                if form.get("looked") != "yes":
                    raise InputError("signature", "is only taken from someone who ticks that they looked at the file")
                sign(folder, file, form.get("sha256", ""), name, self._now())
        except RigError as exc:
            try:
                package = load_pictured(folder)
                return self._file(package, file, name, str(exc), 400)
            except (RigError, ValueError, UnboundLocalError):
                return self._wrong(exc)
        rest = [f for p in map(package_view, self.folders().values()) for f in p.files if f.image and not f.signed]
        later = [f for f in rest if (f.package, f.file) > (folder.name, file)] or rest
        return self._to(f"/{later[0].package}/{quote(later[0].file)}" if later else "/", name)

    def _to(self, path: str, signer: str) -> Response:
        query = f"?{urlencode({'as': signer})}" if signer else ""
        return RedirectResponse(f"{self.base}{path}{query}", 303)

    def style(self, _request: Request) -> Response:
        """The style sheet."""
        return Response(_TEMPLATES.get_template("review.css").render(), media_type="text/css")


def _signer(request: Request) -> str:
    return one_line(request.query_params.get("as", ""), 80)


def review_app(root: Path, token: str, port: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> ASGIApp:
    """The page as an ASGI application.

    Args:
        root: the corpus.
        token: first part of every path; whoever does not know it sees nothing.
        port: of the address at which it answers.
        now: clock of signatures.
    """
    desk = Desk(root, token, now)
    base = desk.base
    file = f"{base}/{{package}}/{{file}}"
    routes = [
        Route(f"{base}/", desk.index),
        Route(f"{base}/style.css", desk.style),
        Route(file, desk.look),
        Route(f"{file}/sign", desk.sign, methods=["POST"]),
        Route(f"{file}/{{sha256}}/{{number:int}}", desk.picture),
    ]
    return Guard(Starlette(routes=routes), token, port, "rig corpus review")


def serve(root: Path, port: int = 0, say: Callable[[str], None] = print) -> None:
    """The page until it is interrupted; its address, with the token, is said first.

    Raises:
        InputError: there is no corpus.
        EnvironmentFault: the port cannot be had.
    """
    find_packages(root)
    serve_page(lambda token, own: review_app(root, token, own), port, say)
