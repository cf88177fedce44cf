"""What the rig knows of a product: one YAML file, read into models.

Every scalar is a string (`NO` stays "NO", `0107` stays "0107"). A file that holds anything unexpected is refused with one
line: file, field, why. The format is explained in `harness/adapters/reference-claims.yaml`.
"""

import io
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.strict_json import decode_text, first_problem, read_bytes

ADAPTERS = Path(__file__).resolve().parent.parent / "adapters"
MAX_BYTES = 256 * 1024
MAX_DEPTH = 16
MAX_NODES = 20_000
VERBS = ("goto", "click", "fill", "press", "upload", "wait_for")
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
_KNOWN_PLACEHOLDER = re.compile(r"(base_url|case_ref|login\.(email|password)|env\.RIG_[A-Z0-9_]+)")
_ORIGIN = re.compile(r"(https?|wss?)://[^/?#@]+/?")
_NAME = re.compile(r"^[a-z0-9][a-z0-9._-]{0,60}$")
_KEY = re.compile(r"^[A-Za-z0-9+]{1,40}$")


def _placeholders(text: str) -> str:
    for name in PLACEHOLDER.findall(text):
        if not _KNOWN_PLACEHOLDER.fullmatch(name):
            raise ValueError(
                f"${{{name}}} is not known; there are ${{base_url}}, ${{case_ref}}, ${{login.email}}, "
                "${login.password} and ${env.RIG_…}"
            )
    return text


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Words = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_placeholders)]
Flag = Literal["true", "false"]


class Locator(Strict):
    """Where something is. Exactly one of role, label, text and css.

    Names and texts match whole (white space folded, case ignored); where nothing matches whole, what contains them.
    """

    role: Annotated[str, Field(pattern=r"^[a-z]+$")] | None = None
    name: Words | None = None
    """With role: the accessible name."""
    label: Words | None = None
    text: Words | None = None
    css: Words | None = None
    exact: Flag = "false"
    """true: a name, label or text must match whole."""
    frame: Annotated[list[Words], BeforeValidator(_listed)] = []
    """CSS of the frames to go through, outermost first (same origin only)."""
    shadow: Annotated[list[Words], BeforeValidator(_listed)] = []
    """CSS of the hosts of open shadow roots to go through, outermost first, inside the frames."""
    within: "Locator | None" = None
    """Looked for inside this."""

    @model_validator(mode="after")
    def _one_way(self) -> "Locator":
        ways = [key for key in ("role", "label", "text", "css") if getattr(self, key) is not None]
        if len(ways) != 1:
            found = " and ".join(ways) or "none"
            raise ValueError(f"needs exactly one of role, label, text, css (found {found})")
        if self.name is not None and self.role is None:
            raise ValueError("`name` goes with `role` only")
        return self

    def script(self) -> dict[str, Any]:
        """Plain data for the page scripts; fields not set are left out."""
        return self.model_dump(exclude_none=True, exclude_defaults=True)


Locators = Annotated[list[Locator], Field(min_length=1), BeforeValidator(_listed)]
"""One locator or a list. Where one thing is meant, the first that is shown; where many are, all of them together."""


def scripts(locators: list[Locator]) -> list[dict[str, Any]]:
    """Locators as plain data for the page scripts."""
    return [locator.script() for locator in locators]


class Step(Strict):
    """One act of a fixed sequence: exactly one verb."""

    goto: Words | None = None
    click: Locator | None = None
    fill: Locator | None = None
    press: Locator | None = None
    upload: Locator | None = None
    wait_for: Locator | None = None
    value: Annotated[str, AfterValidator(_placeholders)] | None = None
    """fill: what to type or choose."""
    key: Annotated[str, Field(pattern=_KEY.pattern)] | None = None
    """press: which key, for instance Enter."""
    file: Words | None = None
    """upload: path of the file."""

    @model_validator(mode="after")
    def _one_verb(self) -> "Step":
        verbs = [verb for verb in VERBS if getattr(self, verb) is not None]
        if len(verbs) != 1:
            found = " and ".join(verbs) or "none"
            raise ValueError(f"needs exactly one verb of {', '.join(VERBS)} (found {found})")
        for key, verb in (("value", "fill"), ("key", "press"), ("file", "upload")):
            if (getattr(self, key) is not None) != (verbs[0] == verb):
                raise ValueError(f"`{key}` goes with `{verb}`, and only with it")
        return self

    @property
    def verb(self) -> str:
        """Which of VERBS it is."""
        return next(verb for verb in VERBS if getattr(self, verb) is not None)


class Send(Strict):
    """How a message leaves the composer: by a button or by a key."""

    button: Locators | None = None
    key: Annotated[str, Field(pattern=_KEY.pattern)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "Send":
        if (self.button is None) == (self.key is None):
            raise ValueError("needs exactly one of button, key")
        return self


class SignIn(Strict):
    """Sign-in, when the product asks for it."""

    shown: Locators
    """On the screen exactly while the product asks."""
    steps: Annotated[list[Step], Field(min_length=1)]


class Customer(Strict):
    """The customer's page. Bubbles and replies are looked for inside the transcript, tags inside a reply."""

    ready: Locators
    """On the screen once the page can be used."""
    transcript: Locators
    customer_bubble: Locators
    reply: Locators
    tag: Locators | None = None
    busy: Locators | None = None
    """On the screen while the product works on a reply."""
    panel: Locators | None = None
    todo: Locators | None = None
    card: Locators | None = None
    dialog: Locators | None = None
    notice: Locators | None = None
    final: Locators
    composer: Locators
    send: Send
    controls: Locators | None = None
    """Standing places, outside the other parts, whose controls the customer may use."""
    upload: Locators | None = None
    """What opens the file chooser; such a control is an upload on the screen, whatever element it is."""
    upload_submit: Locators | None = None
    """Pressed after a file was chosen, where choosing alone does not send it."""
    upload_confirmed: Locators | None = None
    """One more of these stands on the screen after each upload."""
    sign_in: SignIn | None = None
    newest_first: Flag = "false"
    """true: the newest item stands first in the document."""
    quiet_ms: Annotated[str, Field(pattern=r"^\d{1,5}$")] = "80"
    """How long the text must be still once busy mark or composer have said that the reply is finished."""
    quiet_unmarked_ms: Annotated[str, Field(pattern=r"^\d{1,5}$")] | None = None
    """The same for a turn in which the page never showed that it was busy: 800, or 3000 for a product without busy mark."""
    quiet_opening_ms: Annotated[str, Field(pattern=r"^\d{1,5}$")] | None = None
    """The same for a page just opened: 120, and 300 if it shows no greeting. Less only where whatever greets is in the document."""


class ListSpec(Strict):
    """A list of a staff page: rows, and cells looked for inside a row."""

    rows: Locators
    cells: Annotated[dict[str, Locators], Field(min_length=1)]


class Staff(Strict):
    """The staff's pages."""

    start: Annotated[str, Field(pattern=r"^/")]
    sign_in: list[Step] = []
    """From the start page to where `steps` begin; taken once by a browser context, which then serves further cases."""
    steps: list[Step]
    """From the start page (as it is for staff who are signed in) to the list that shows the case."""
    case_link: Locators | None = None
    case_ready: Locators | None = None
    fields: dict[str, Locators] = {}
    lists: dict[str, ListSpec] = {}
    vocabulary: dict[str, dict[str, str]] = {}
    """Visible words -> codes, by kind."""


class Route(Strict):
    """An address of the product that the rig, not the customer, talks to."""

    method: Literal["GET", "POST"]
    path: Annotated[str, Field(pattern=r"^/"), AfterValidator(_placeholders)]
    token_env: Annotated[str, Field(pattern=r"^RIG_[A-Z0-9_]+$")] | None = None
    """Environment variable that holds the bearer token."""


class Capabilities(Strict):
    """What the product has not built yet: {score line: why}; those lines score `unimplemented`."""

    unimplemented: dict[str, str] = {}


class Limits(Strict):
    """Limits of the product's own, where they are stricter than those of the score."""

    slow_reply_s: Annotated[str, Field(pattern=r"^\d{1,4}(\.\d{1,3})?$")] | None = None
    """Seconds a single reply may take."""


class Adapter(Strict):
    """One product."""

    adapter: Annotated[str, Field(pattern=_NAME.pattern)]
    version: str
    product: Annotated[str, Field(min_length=1)]
    kind: Literal["claims", "inquiry"] | None = "claims"
    """Which kind of packages it is for; None in the half that a worker gets."""
    base_url: Annotated[str, Field(pattern=r"^https?://[^/]+$")]
    origins: Annotated[list[Words], Field(min_length=1)]
    """All that a browser context may request."""
    embedded_stack: Flag = "false"
    surface: Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")] | None = None
    """`module:Class` of harness.screen.registry.SURFACES, for a widget that steps and locators cannot describe."""
    runtime_report: Route | None = None
    seed: Route | None = None
    state: Route | None = None
    usage: Route | None = None
    defects: Route | None = None
    """The faults that a seed request can switch on: of a product made for calibration only."""
    limits: Limits | None = None
    capabilities: Capabilities = Capabilities()
    customer: Customer
    staff: Staff | None = None

    @model_validator(mode="after")
    def _addresses(self) -> "Adapter":
        host = urlsplit(self.base_url).hostname or ""
        if self.seed is not None and host not in LOOPBACK:
            raise ValueError(f"seed goes to {host}, which is not loopback; a seed route is for development only")
        for origin in self.origins:
            url = substitute(origin, {"base_url": self.base_url})
            if _origin(url) is None or not _ORIGIN.fullmatch(url):
                raise ValueError(f"origins: {origin} is not an origin such as https://host:port")
        return self

    def with_base_url(self, base_url: str) -> "Adapter":
        """The same product at another address."""
        return Adapter.model_validate({**self.model_dump(), "base_url": base_url.rstrip("/")})

    def _mine(self) -> list[tuple[str, str, int]]:
        """The allowed origins as `_origin` gives them."""
        found = (_origin(substitute(o, {"base_url": self.base_url})) for o in self.origins)
        return [o for o in found if o is not None]

    @property
    def hosts(self) -> list[str]:
        """The host names of the allowed origins, each once, sorted."""
        return sorted({host for _, host, _ in self._mine()})

    @property
    def browser_origins(self) -> list[str]:
        """The allowed origins as a browser writes them: scheme://host[:port], without a default port."""
        return [
            f"{scheme}://{f'[{host}]' if ':' in host else host}" + ("" if port == _PORTS[scheme] else f":{port}")
            for scheme, host, port in self._mine()
        ]

    def allowed(self, url: str) -> bool:
        """True if a browser context may request this: an allowed origin, or data, blob and about addresses."""
        try:
            scheme = urlsplit(url).scheme
        except ValueError:
            return False
        if scheme in ("data", "blob", "about"):
            return True
        return _origin(url) in self._mine()


_PORTS = {"http": 80, "https": 443}


def _origin(url: str) -> tuple[str, str, int] | None:
    """Scheme (a socket's counts as its page's), host and port; None for anything that is no web address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    if not parts.hostname or scheme not in ("http", "https"):
        return None
    return scheme, parts.hostname, port or _PORTS[scheme]


def substitute(text: str, values: Mapping[str, str]) -> str:
    """The text with every `${name}` replaced once; what a value contains is not looked at again.

    Raises:
        InputError: a name has no value.
    """

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in values:
            why = "is not set" if name.startswith("env.") else "has no value here"
            raise InputError(f"${{{name}}}", why)
        return values[name]

    return PLACEHOLDER.sub(put, text)


def env_values(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """`env.RIG_…` values for `substitute`; no other variable can be named by an adapter."""
    source = os.environ if environ is None else environ
    return {f"env.{name}": value for name, value in source.items() if name.startswith("RIG_")}


def find_adapter(name_or_path: str) -> Path:
    """The adapter's file: a plain name is looked up among the adapters that ship, anything else is a path.

    Raises:
        InputError: there is no such adapter; the message lists those that ship.
    """
    path = Path(name_or_path)
    if _NAME.fullmatch(name_or_path) and not path.suffix:
        shipped = ADAPTERS / f"{name_or_path}.yaml"
        if not shipped.is_file():
            there = ", ".join(sorted(p.stem for p in ADAPTERS.glob("*.yaml")))
            raise InputError(name_or_path, f"no such adapter; there are {there}, or give the path of a YAML file")
        return shipped
    if not path.is_file():
        raise InputError(name_or_path, "no such adapter file")
    return path


def load_adapter(path: Path, name: str | None = None) -> Adapter:
    """One adapter file as a model.

    Raises:
        InputError: one line with file, field and why.
    """
    shown = name or str(path)
    data = parse_yaml(decode_text(read_bytes(path, shown, MAX_BYTES), shown), shown)
    if not isinstance(data, dict):
        raise InputError(shown, "is not a mapping")
    try:
        adapter = Adapter.model_validate(data)
    except ValidationError as exc:
        raise first_problem(exc, shown) from exc
    except InputError as exc:
        raise InputError(f"{shown}: {exc.where}", exc.why) from exc
    if adapter.surface is not None:
        from harness.screen.registry import SURFACES  # only an adapter that names a surface needs the browser's module

        if adapter.surface not in SURFACES:
            known = ", ".join(sorted(SURFACES)) or "none"
            raise InputError(f"{shown}: surface", f"{adapter.surface} is not registered (registered: {known})")
    return adapter


def parse_yaml(text: str, shown: str) -> Any:
    """Mappings, lists and strings. Duplicate keys, anchors, aliases, tags, depth and size are refused.

    Raises:
        InputError: what is wrong and in which line.
    """
    try:
        events = YAML(typ="base", pure=True).parse(io.StringIO(text))
        return _Builder(events, shown).document()
    except (YAMLError, ValueError, RecursionError) as exc:
        mark = getattr(exc, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark is not None else ""
        raise InputError(shown, f"is not YAML: {getattr(exc, 'problem', None) or exc}{where}") from exc


class _Builder:
    """Builds plain data from parser events, counting as it goes."""

    def __init__(self, events: Iterator[Any], shown: str) -> None:
        self.events = events
        self.shown = shown
        self.nodes = 0

    def document(self) -> Any:
        """The one document of the stream."""
        value: Any = None
        seen = False
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                if seen:
                    raise InputError(self.shown, "holds more than one document")
                seen = True
                value = self.node(next(self.events), "", 0)
        if not seen:
            raise InputError(self.shown, "is empty")
        return value

    def node(self, event: Any, where: str, depth: int) -> Any:
        """The value that starts with `event`."""
        self.nodes += 1
        at = f"{self.shown}: {where}" if where else self.shown
        line = event.start_mark.line + 1 if event.start_mark is not None else 0
        if self.nodes > MAX_NODES:
            raise InputError(at, f"more than {MAX_NODES} values")
        if depth > MAX_DEPTH:
            raise InputError(at, f"is nested deeper than {MAX_DEPTH}")
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise InputError(at, f"anchors and aliases are not used in adapters (line {line})")
        if getattr(event, "tag", None):
            raise InputError(at, f"tags are not used in adapters (line {line})")
        if isinstance(event, ScalarEvent):
            if any("\ud800" <= c <= "\udfff" for c in event.value):
                raise InputError(at, f"holds half of a surrogate pair, which is not text (line {line})")
            return str(event.value)
        if isinstance(event, SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(following := next(self.events), SequenceEndEvent):
                items.append(self.node(following, f"{where}.{len(items)}".lstrip("."), depth + 1))
            return items
        if isinstance(event, MappingStartEvent):
            mapping: dict[str, Any] = {}
            while not isinstance(following := next(self.events), MappingEndEvent):
                key = self.node(following, where, depth + 1)
                if not isinstance(key, str):
                    raise InputError(at, f"a key must be plain text (line {line})")
                field = f"{where}.{key}".lstrip(".")
                if key in mapping:
                    raise InputError(f"{self.shown}: {field}", "stands twice in the same mapping")
                mapping[key] = self.node(next(self.events), field, depth + 1)
            return mapping
        raise InputError(at, "is not YAML the rig understands")
