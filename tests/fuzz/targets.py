"""What is fuzzed. A target takes one input and says whether it was taken or refused; any other exception is a fault."""

import asyncio
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
from hypothesis import strategies as st
from openai import AsyncOpenAI

from harness.config import Endpoint
from harness.customer.conduct import Conduct
from harness.customer.ledger import ClaimLedger
from harness.customer.parse import Malformed, parse_move
from harness.customer.players import ModelPlayer
from harness.errors import EnvironmentFault, InputError, SimulatorFault
from harness.gate import EndpointSource
from harness.observe import Observer
from harness.product import ProductClient
from harness.record import Redactor
from harness.schema.move import say
from harness.schema.order import ModelReply
from harness.schema.package import read_manifest
from harness.schema.strict_json import canonical
from harness.screen.adapter import Adapter, load_adapter
from harness.seed import Seeded, seed, seed_request
from harness.stage import load_package, view_bytes
from oracle_scoring.corpus.check import check
from tests.fuzz.strategies import ANY_CHARACTER, LONG, TEXT, as_json, changed, cut_bytes, cut_text, json_bytes
from tests.support.gates import PACKAGE, bench
from tests.support.stub_endpoint import KEY, Say, completion
from tests.support.views import button, ledger, screen, upload

CORPUS = PACKAGE.parents[1]
ADAPTER = Path(__file__).parents[2] / "harness/adapters/reference-claims.yaml"


@dataclass(frozen=True)
class Target:
    """One kind of input."""

    name: str
    inputs: st.SearchStrategy[Any]
    take: Callable[[Any], bool]
    """True: taken; False: refused in the documented way."""
    share: int
    """How many of a hundred inputs are of this kind."""


# ---------------------------------------------------------------------------------------------------------- packages


@cache
def _files() -> dict[str, bytes]:
    return {p.relative_to(PACKAGE).as_posix(): p.read_bytes() for p in sorted(PACKAGE.rglob("*")) if p.is_file()}


@st.composite
def package_changes(draw: st.DrawFn) -> dict[str, bytes | str | None]:
    """File below the package -> new bytes, None (removed), or a text (a link to there)."""
    files = _files()
    names = [n for n in files if n.endswith((".json", ".txt"))]
    name = draw(st.sampled_from([*names, *names, *names, *files]))
    how = draw(st.sampled_from(("content", "content", "content", "content", "remove", "link", "extra")))
    if how == "remove":
        return {name: None}
    if how == "link":
        return {name: draw(st.sampled_from(["/dev/null", "/etc/hostname", "..", name]))}
    if how == "extra":
        extra = draw(st.text(ANY_CHARACTER, min_size=1, max_size=20).filter(_possible_name))
        return {draw(st.sampled_from(["", "input/", "input/materials/", "oracle/"])) + extra: b"x"}
    if name.endswith(".json"):
        return {name: draw(json_bytes(json.loads(files[name])))}
    return {name: draw(cut_bytes(files[name][:4000]))}


def _possible_name(name: str) -> bool:
    try:
        return len(os.fsencode(name)) < 200 and not set(name) & {"/", "\x00"} and name not in (".", "..")
    except UnicodeEncodeError:
        return False


def take_package(changes: dict[str, bytes | str | None]) -> bool:
    """Read by the run, and by the checker of the corpus, which finds what is wrong and raises nothing."""
    with tempfile.TemporaryDirectory(prefix="rig-fuzz-") as folder:
        root = Path(folder) / PACKAGE.name
        for name, data in {**_files(), **changes}.items():
            if data is None:
                continue
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(data, str):
                path.symlink_to(data)
            elif name in changes or not name.startswith("input/materials/"):
                path.write_bytes(data)
            else:
                os.link(PACKAGE / name, path) if _same_disk(path) else path.write_bytes(data)
        taken = True
        try:
            view_bytes(load_package(root).view)
        except InputError:
            taken = False
        return not check(root) and taken


def _same_disk(path: Path) -> bool:
    return path.parent.stat().st_dev == PACKAGE.stat().st_dev


def take_manifest(data: bytes) -> bool:
    """The corpus's manifest."""
    with tempfile.TemporaryDirectory(prefix="rig-fuzz-") as folder:
        (Path(folder) / "manifest.json").write_bytes(data)
        try:
            read_manifest(Path(folder))
        except InputError:
            return False
        return True


# ---------------------------------------------------------------------------------------------------------- adapters


@st.composite
def adapters(draw: st.DrawFn) -> bytes:
    """The reference adapter with bytes changed, or with values changed and written as YAML's JSON subset."""
    if draw(st.booleans()):
        return draw(cut_bytes(ADAPTER.read_bytes()))
    return as_json(draw(changed(reference().model_dump(mode="json", exclude_none=True))))


@cache
def reference() -> Adapter:
    """The reference adapter."""
    return load_adapter(ADAPTER)


def take_adapter(data: bytes) -> bool:
    """Loaded, and asked what it allows."""
    with tempfile.TemporaryDirectory(prefix="rig-fuzz-") as folder:
        path = Path(folder) / "x.yaml"
        path.write_bytes(data)
        try:
            adapter = load_adapter(path)
        except InputError:
            return False
        for url in ("http://127.0.0.1:8810/x", "http://[::1", "data:,x", "javascript:x", ""):
            adapter.allowed(url)
        canonical(adapter)
        return True


# ------------------------------------------------------------------------------------------------------ model replies

SCREENS = [
    screen("Thank you. When did it happen, and was anyone hurt?"),
    screen("Please upload a photo.", upload("Photo of the damage")),
    screen("Is that right?", button("Yes, that is right"), button("No, change something")),
    screen("Registered: LK21 ABO, £1,240.00 on 9 March 2026. Anything else?"),
]
MOVE = say("It was on 9 March 2026, about 4:20 pm.", asked=["incident_date"], used=["incident_date"]).model_dump()


@st.composite
def replies(draw: st.DrawFn) -> str:
    """A move's JSON, damaged; perhaps in a fence or behind a thought; or any text."""
    if draw(st.integers(0, 4)) == 0:
        other: str = draw(st.one_of(TEXT, LONG))
        return other
    kind = draw(st.sampled_from(("say", "press", "fill", "upload", "wait", "leave")))
    base = {**MOVE, "move": kind, "control": draw(st.sampled_from(("", "Yes, that is right", "Photo of the damage")))}
    base |= {"file": draw(st.sampled_from(("", "photo of my rear bumper")))}
    if draw(st.booleans()):
        base["messages"] = [draw(cut_text(MOVE["messages"][0]))]
    whole = as_json(base)
    data: bytes = draw(st.one_of(st.just(whole), json_bytes(base)))
    text = data.decode("utf-8", "surrogateescape")
    before = draw(st.sampled_from(("", "", "<think>hm {x}</think>", "```json\n", "Sure: ", "<think>")))
    return before + text + draw(st.sampled_from(("", "", "\n```", "}", " {}")))


@dataclass
class _OnePort:
    """A gate that always gives the same reply."""

    text: str

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """The reply."""
        return ModelReply(call="c0001", outcome="ok", text=self.text, why="")


class _Nowhere:
    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped, but it must be text that could be stored."""
        canonical(fields)
        return 0


def take_reply(text: str) -> bool:
    """Parsed, then decided about on every kind of screen; a reply that is no text never gets past the gate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            parse_move(text)
        except Malformed:
            return False
        return True
    taken = False
    for seen in SCREENS:
        one: ClaimLedger = ledger()
        conduct = Conduct(ModelPlayer(_OnePort(text), "model"), one, _Nowhere(), tries=2, stand_in_limit=1)
        try:
            got = asyncio.run(conduct.decide(seen))
        except SimulatorFault:
            continue
        taken = taken or (got is not None and got[1] == "model")
    return taken


ANSWER = json.loads(completion(Say(json.dumps(MOVE))))


@st.composite
def endpoint_answers(draw: st.DrawFn) -> tuple[int, bytes, str]:
    """(status, body, content type) of an endpoint's answer."""
    status = draw(st.sampled_from((200, 200, 200, 200, 200, 201, 204, 302, 400, 401, 404, 408, 429, 500, 503, 599)))
    kind = draw(
        st.sampled_from(
            ("application/json", "application/json", "text/plain", "text/event-stream", "x/y; charset=utf-99")
        )
    )
    return status, draw(json_bytes(ANSWER)), kind


def take_endpoint_answer(answer: tuple[int, bytes, str]) -> bool:
    """Through the openai client and the gate: always a reply, and always recorded."""
    status, data, kind = answer

    def respond(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, content=data, headers={"Content-Type": kind})

    async def ask() -> ModelReply:
        with tempfile.TemporaryDirectory(prefix="rig-fuzz-") as folder:
            one = bench(Path(folder))
            source = _source(respond)
            one.gate.source, source.inspect = source, one.gate.inspect
            try:
                return await one.gate.ask(one.request(one.show(SCREENS[0])))
            finally:
                await source.close()
                one.gate.close()
                one.record.close()

    return asyncio.run(ask()).outcome == "ok"


def _source(respond: Callable[[httpx2.Request], httpx2.Response]) -> EndpointSource:
    """An endpoint source over a made-up transport."""
    source = EndpointSource(Endpoint("http://127.0.0.1:9/v1", "stub", KEY))
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
    source._client = AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key=KEY, max_retries=0, http_client=http)
    source._http = http
    return source


# ------------------------------------------------------------------------------------------------------- seed answers


@cache
def _request() -> Any:
    return seed_request(load_package(PACKAGE).setup, [])


def _good(what: str) -> Any:
    """A right answer of each route."""
    request = _request().model_dump(mode="json", by_alias=True)
    case = {
        "number": "CLM-2026-1", "status": "submitted", "scenario_class": "motor.parked_hit",
        "facts": {"plate": {"value": "LK21 ABO", "status": "confirmed"}},
        "uploads": [{"name": "a.jpg", "size": 1, "sha256": "a" * 64, "url": "http://127.0.0.1:8810/f", "kind": None}],
        "triage": {"level": "standard", "reasons": ["loss_at_least_1000"]},
        "review": {"checks": {"receipt_after_incident": "clear"}, "required": False, "explanation": None},
        "notes": [{"kind": "question", "text": "?", "status": "open"}],
    }  # fmt: skip
    return {
        "runtime": {
            "schema": "runtime-report-v1", "product": "p", "version": "1", "runtime": "controlled", "model": None, "stores": {"mongodb": "embedded"},
        },
        "seed": {
            "schema": "seed-receipt-v1", "stored": request, "start_url": "http://127.0.0.1:8810/c", "login": {"email": "a@b.example", "password": "secret1"},
            "case_ref": "ref-1",
        },
        "state": {"schema": "state-read-v1", "request_id": "r", "cases": [case]},
        "usage": {"schema": "usage-report-v1", "request_id": "r", "calls": 1, "tokens_in": 2, "tokens_out": 3, "cost": "0.10 GBP"},
    }[what]  # fmt: skip


@st.composite
def product_answers(draw: st.DrawFn) -> tuple[str, dict[str, tuple[int, bytes]]]:
    """(route that answers wrongly, (status, body) of every route)."""
    what = draw(st.sampled_from(("runtime", "seed", "seed", "seed", "state", "state", "usage")))
    answers = {name: (200, as_json(_good(name))) for name in ("runtime", "seed", "state", "usage")}
    status = draw(st.sampled_from((200, 200, 200, 200, 200, 200, 201, 204, 302, 404, 500)))
    answers[what] = (status, draw(json_bytes(_good(what))))
    return what, answers


def take_product_answer(given: tuple[str, dict[str, tuple[int, bytes]]]) -> bool:
    """Seeded and observed as a run does; a wrong answer is an EnvironmentFault or a reason written down."""
    _, answers = given

    def respond(request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        name = next((n for n in answers if path.startswith(f"/rig/{n}")), None)
        status, data = answers[name] if name else (200, b"bytes of a file")
        return httpx2.Response(status, content=data)

    async def go() -> bool:
        client = ProductClient(reference(), "token-of-a-test")
        client._http = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
        try:
            await client.runtime()
            seeded = await seed(client, _request())
            return await _observe(client, seeded)
        finally:
            await client.aclose()

    try:
        return asyncio.run(go())
    except EnvironmentFault:
        return False


async def _observe(client: ProductClient, seeded: Seeded) -> bool:
    """State, stored files and usage, written down; the staff pages need a browser and are left out."""
    adapter = client.adapter.model_copy(update={"staff": None})
    with tempfile.TemporaryDirectory(prefix="rig-fuzz-") as folder:
        observer = Observer(None, adapter, client, "staff", "password")  # type: ignore[arg-type]
        await observer.observe(seeded, Path(folder), Redactor({}))
        state = json.loads((Path(folder) / "state.json").read_bytes())
        usage = json.loads((Path(folder) / "usage.json").read_bytes())
        return state["why"] is None and usage["why"] is None


TARGETS = [
    Target("package files", package_changes(), take_package, 20),
    Target("manifest", json_bytes(json.loads((CORPUS / "manifest.json").read_bytes())), take_manifest, 5),
    Target("adapter", adapters(), take_adapter, 20),
    Target("model reply", replies(), take_reply, 20),
    Target("endpoint answer", endpoint_answers(), take_endpoint_answer, 15),
    Target("product answer", product_answers(), take_product_answer, 20),
]
