"""What the environment says: endpoints, stores, browser, folders, ports. Read once, checked, never changed.

Each part is `configured` (the environment names one), `embedded` (nothing named; a part of the rig stands in) or `none`
(nothing named and nothing stands in). A value that is wrong is an `InputError` that names the variable; the values of
keys and passwords appear in no message and no `repr`.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

import platformdirs

from harness.errors import InputError

APP = "simcustomer-rig"
LOOPBACK = "127.0.0.1"
PUBLIC_OPENAI = "https://api.openai.com/v1"
"""What the OpenAI client itself uses when it has a key and no address."""

Role = Literal["customer", "product", "judge", "vision"]
PartState = Literal["configured", "embedded", "none"]
Sandbox = Literal["auto", "on", "off"]
ROLES: tuple[Role, ...] = get_args(Role)
EMBEDDED_ROLES: tuple[Role, ...] = ("customer", "product", "judge")
"""Roles the embedded model can play; it cannot see pictures."""


@dataclass(frozen=True)
class Price:
    """What a configured endpoint costs, per million tokens."""

    input_per_million: Decimal
    output_per_million: Decimal
    currency: str


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint for one role."""

    base_url: str
    model: str
    api_key: str = field(repr=False)
    state: PartState = "configured"
    price: Price | None = None
    """None: unpriced, which is not free of charge."""


@dataclass(frozen=True)
class S3Store:
    """A configured object store."""

    endpoint: str
    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)


@dataclass(frozen=True)
class Ports:
    """Loopback ports of the parts the rig starts itself."""

    product: int = 8810
    mongodb: int = 8817
    s3: int = 8818
    model: int = 8819


@dataclass(frozen=True)
class Config:
    """The environment, read and checked."""

    endpoints: Mapping[Role, Endpoint]
    """Configured roles only."""
    incomplete: Mapping[Role, InputError]
    """Roles for which something, but not enough, is set. It is an error only for who needs the role."""
    mongodb_uri: str | None = field(repr=False)
    s3: S3Store | None
    seed_token: str | None = field(repr=False)
    staff_user: str | None
    staff_password: str | None = field(repr=False)
    browser: Path | None
    sandbox: Sandbox
    model_gguf: Path | None
    results_dir: Path
    state_dir: Path
    cache_dir: Path
    ports: Ports

    def model_state(self, role: Role) -> PartState:
        """Where the model of a role comes from.

        Raises:
            InputError: the role is configured only in part.
        """
        if role in self.endpoints:
            return "configured"
        if role in self.incomplete:
            raise self.incomplete[role]
        return "embedded" if role in EMBEDDED_ROLES else "none"

    def endpoint(self, role: Role) -> Endpoint | None:
        """The configured endpoint of a role; None if nothing is configured for it.

        Raises:
            InputError: the role is configured only in part.
        """
        self.model_state(role)
        return self.endpoints.get(role)

    @property
    def mongodb_state(self) -> PartState:
        """Whose MongoDB is used."""
        return "configured" if self.mongodb_uri else "embedded"

    @property
    def s3_state(self) -> PartState:
        """Whose object store is used."""
        return "configured" if self.s3 else "embedded"


class _Env:
    """Checked access to variables. An empty value counts as not set."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env

    def text(self, *names: str) -> str | None:
        """The first of the named variables that is set."""
        for name in names:
            value = self._env.get(name, "").strip()
            if value:
                if not value.isprintable():
                    raise InputError(name, "holds a control character")
                return value
        return None

    def url(self, names: tuple[str, ...], schemes: tuple[str, ...]) -> str | None:
        """An address with one of the schemes and a host, without a slash at its end."""
        for name in names:
            value = self.text(name)
            if value is None:
                continue
            wanted = " or ".join(f"{scheme}://HOST" for scheme in schemes)
            try:
                parts = urlsplit(value)
                ok = parts.scheme in schemes and bool(parts.netloc)
                if ok and parts.scheme in ("http", "https"):
                    ok = bool(parts.hostname) and (parts.port is None or parts.port > 0)
            except ValueError:
                ok = False
            if not ok:
                raise InputError(name, f"is not an address of the form {wanted}")
            return value.rstrip("/")
        return None

    def folder(self, name: str, default: Path) -> Path:
        """An absolute path that is a folder or does not exist yet."""
        value = self.text(name)
        path = Path(value).expanduser().absolute() if value else default.absolute()
        if path.exists() and not path.is_dir():
            raise InputError(name, f"{path} is not a folder")
        return path

    def file(self, name: str) -> Path | None:
        """An absolute path of a file that exists."""
        value = self.text(name)
        if value is None:
            return None
        path = Path(value).expanduser().absolute()
        if not path.is_file():
            raise InputError(name, f"there is no file {path}")
        return path

    def port(self, name: str, default: int) -> int:
        """A TCP port an ordinary user may open."""
        value = self.text(name)
        if value is None:
            return default
        if not (value.isascii() and value.isdigit() and 1024 <= int(value) <= 65535):
            raise InputError(name, "must be a whole number from 1024 to 65535")
        return int(value)

    def amount(self, name: str) -> Decimal | None:
        """A price, not negative."""
        value = self.text(name)
        if value is None:
            return None
        try:
            amount = Decimal(value)
        except InvalidOperation as exc:
            raise InputError(name, "is not a decimal number") from exc
        if not amount.is_finite() or amount < 0 or not math.isfinite(float(amount)):
            raise InputError(name, "must be a price of zero or more")
        return amount


def _price(env: _Env, role: Role) -> Price | None:
    name = f"RIG_{role.upper()}_PRICE"
    price_in, price_out = env.amount(f"{name}_IN"), env.amount(f"{name}_OUT")
    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        missing, there = (f"{name}_IN", f"{name}_OUT") if price_in is None else (f"{name}_OUT", f"{name}_IN")
        raise InputError(missing, f"is not set but {there} is; a price needs both")
    currency = env.text("RIG_PRICE_CURRENCY") or "USD"
    if not (len(currency) == 3 and currency.isascii() and currency.isupper()):
        raise InputError("RIG_PRICE_CURRENCY", "must be a three-letter currency code such as USD")
    return Price(price_in, price_out, currency)


def _endpoint(env: _Env, role: Role) -> Endpoint | InputError | None:
    prefix = f"RIG_{role.upper()}"
    base_url = env.url((f"{prefix}_BASE_URL", "OPENAI_BASE_URL"), ("http", "https"))
    api_key = env.text(f"{prefix}_API_KEY", "OPENAI_API_KEY")
    model = env.text(f"{prefix}_MODEL")
    price = _price(env, role)
    if model is None:
        if base_url is not None:
            set_by = f"{prefix}_BASE_URL" if env.text(f"{prefix}_BASE_URL") else "OPENAI_BASE_URL"
            return InputError(f"{prefix}_MODEL", f"is not set but {set_by} is; name the model to use there")
        return None
    if base_url is None and api_key is None:
        return InputError(f"{prefix}_BASE_URL", f"is not set but {prefix}_MODEL is; say where that model is served")
    # Local servers often want no key; the client wants a text that is not empty.
    return Endpoint(base_url or PUBLIC_OPENAI, model, api_key or "none", "configured", price)


def _s3(env: _Env) -> S3Store | None:
    names = ("RIG_S3_ENDPOINT", "RIG_S3_ACCESS_KEY", "RIG_S3_SECRET_KEY")
    endpoint = env.url((names[0],), ("http", "https"))
    access, secret = env.text(names[1]), env.text(names[2])
    if endpoint is None and access is None and secret is None:
        return None
    for name, value in zip(names, (endpoint, access, secret), strict=True):
        if value is None:
            raise InputError(name, f"is not set; an object store needs all of {', '.join(names)}")
    return S3Store(endpoint or "", access or "", secret or "")


def read_config(environ: Mapping[str, str] | None = None) -> Config:
    """The environment as a `Config`.

    Args:
        environ: variables to read; the process's own if None.

    Raises:
        InputError: a variable has a value that cannot be used.
    """
    env = _Env(os.environ if environ is None else environ)
    endpoints: dict[Role, Endpoint] = {}
    incomplete: dict[Role, InputError] = {}
    for role in ROLES:
        found = _endpoint(env, role)
        if isinstance(found, InputError):
            incomplete[role] = found
        elif found is not None:
            endpoints[role] = found
    sandbox = env.text("RIG_BROWSER_SANDBOX") or "auto"
    if sandbox not in get_args(Sandbox):
        raise InputError("RIG_BROWSER_SANDBOX", "must be auto, on or off")
    browser = env.file("RIG_BROWSER")
    if browser is not None and not os.access(browser, os.X_OK):
        raise InputError("RIG_BROWSER", f"{browser} is not an executable file")
    default = Ports()
    ports = Ports(
        product=env.port("RIG_PRODUCT_PORT", default.product),
        mongodb=env.port("RIG_MONGODB_PORT", default.mongodb),
        s3=env.port("RIG_S3_PORT", default.s3),
        model=env.port("RIG_MODEL_PORT", default.model),
    )
    if len({ports.product, ports.mongodb, ports.s3, ports.model}) < 4:
        raise InputError("RIG_PRODUCT_PORT, RIG_MONGODB_PORT, RIG_S3_PORT, RIG_MODEL_PORT", "two of them are the same")
    return Config(
        endpoints=endpoints,
        incomplete=incomplete,
        mongodb_uri=env.url(("RIG_MONGODB_URI",), ("mongodb", "mongodb+srv")),
        s3=_s3(env),
        seed_token=env.text("RIG_SEED_TOKEN"),
        staff_user=env.text("RIG_STAFF_USER"),
        staff_password=env.text("RIG_STAFF_PASSWORD"),
        browser=browser,
        sandbox=sandbox,  # type: ignore[arg-type]  # checked above
        model_gguf=env.file("RIG_MODEL_GGUF"),
        results_dir=env.folder("RIG_RESULTS", Path("results")),
        state_dir=env.folder("RIG_STATE_DIR", platformdirs.user_state_path(APP)),
        cache_dir=env.folder("RIG_CACHE_DIR", platformdirs.user_cache_path(APP)),
        ports=ports,
    )
