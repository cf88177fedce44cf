"""The local stack: reference product, stores and local model as background processes on loopback.

What is configured is used; only what is not is started. The embedded stores live with the stack: each `up` that starts
them begins empty, and `down` removes their data. Tokens and passwords are made anew for each stack and kept, with the
process ids, in `stack.json` (mode 0600) in the state folder. Only processes that provably belong to that file are ever
ended.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import httpx
import psutil
from filelock import FileLock, Timeout
from pydantic import ValidationError

from harness.config import LOOPBACK, Config, Endpoint, PartState, Role, S3Store, read_config
from harness.embedded_model import MODEL_NAME, ensure_model
from harness.errors import EnvironmentFault
from harness.processes import Started, end, find, last_line, need_free_port, start_detached
from harness.progress import Reporter, console_reporter
from harness.schema.base import Strict

Runtime = Literal["controlled", "model"]
PartName = Literal["mongodb", "s3", "model", "product"]
PART_NAMES: tuple[PartName, ...] = ("mongodb", "s3", "model", "product")
"""In the order in which they are started; they are ended in the opposite order."""

READY_TIMEOUT_S: dict[PartName, float] = {"mongodb": 60.0, "s3": 90.0, "model": 300.0, "product": 90.0}
"""Hard caps; a slow shared machine needs them, a sound one is ready in seconds."""
POLL_S = 0.1
PROBE_TIMEOUT_S = 5.0
LOCK_TIMEOUT_S = 600.0
REFERENCE_PRODUCT = (sys.executable, "-m", "harness.devstack", "serve")
"""Command of the product; `--port N --runtime R` follow, stores and secrets come by environment."""
TITLES: dict[PartName, str] = {
    "mongodb": "MongoDB (embedded nx-27017)",
    "s3": "S3 (embedded moto)",
    "model": "local model",
    "product": "reference product",
}
PORT_VARIABLES: dict[PartName, str] = {
    "mongodb": "RIG_MONGODB_PORT",
    "s3": "RIG_S3_PORT",
    "model": "RIG_MODEL_PORT",
    "product": "RIG_PRODUCT_PORT",
}


class _Part(Strict):
    """An embedded part, as `stack.json` has it."""

    process: Started
    port: int
    log: str


class _User(Strict):
    """A process that works with the stack now."""

    pid: int
    created: float
    token: str
    """Tells several uses by one process apart."""


class _StackFile(Strict):
    """`stack.json`."""

    format: Literal["1"] = "1"
    id: str
    started_at: str
    transient: bool
    """Started for a run only; the last of its users takes it down."""
    users: list[_User] = []
    runtime: Runtime | None = None
    parts: dict[PartName, _Part] = {}
    settings: dict[str, str] = {}
    """Salted hash of each setting the product was started with, by the variable that sets it."""
    seed_token: str
    staff_user: str
    staff_password: str
    model_key: str
    s3_access_key: str
    s3_secret_key: str


@dataclass(frozen=True)
class PartStatus:
    """One part as it is now."""

    name: PartName
    state: PartState
    """`none`: not started and not configured."""
    alive: bool | None
    """None: configured by the environment, not looked at here."""
    address: str | None
    """Without user or password."""
    pid: int | None
    log: Path | None


@dataclass(frozen=True)
class StackStatus:
    """The stack as it is now."""

    running: bool
    """The product, or if none was asked for the local model, is alive."""
    runtime: Runtime | None
    base_url: str | None
    parts: tuple[PartStatus, ...]
    state_dir: Path


@dataclass(frozen=True)
class StackConnection:
    """All that a run needs to work with the stack. Holds secrets: never write it to a record."""

    base_url: str | None
    """Of the reference product; None if only the local model was asked for."""
    runtime: Runtime | None
    seed_token: str
    staff_user: str
    staff_password: str
    endpoints: dict[Role, Endpoint]
    """Configured or embedded endpoint per role; a role without any is missing."""
    mongodb_state: PartState
    s3_state: PartState

    @property
    def customer(self) -> Endpoint | None:
        """The customer's model, if there is one."""
        return self.endpoints.get("customer")

    def __repr__(self) -> str:
        return f"StackConnection(base_url={self.base_url!r}, runtime={self.runtime!r})"

    def environ(self) -> dict[str, str]:
        """Variables that an adapter refers to."""
        return {
            "RIG_SEED_TOKEN": self.seed_token,
            "RIG_STAFF_USER": self.staff_user,
            "RIG_STAFF_PASSWORD": self.staff_password,
        }


def up(
    runtime: Runtime | None = "controlled",
    *,
    with_model: bool = False,
    config: Config | None = None,
    progress: Reporter | None = None,
    product: Sequence[str] = REFERENCE_PRODUCT,
) -> StackStatus:
    """The stack is up and each part answered. A running stack is kept and completed; it stays until `down`.

    Args:
        runtime: the product's runtime; None starts no product and no stores.
        with_model: start the local model for the customer, unless the customer has a configured endpoint. The product's
            `model` runtime starts it for itself in the same way.
        config: the environment; read if None.
        progress: where steps are told; standard error if None.
        product: command that serves the product; another one in tests.

    Raises:
        EnvironmentFault: a port is taken, a part does not become ready, or a stack with another runtime is running.
        InputError: the environment holds a value that cannot be used.
    """
    return _up(runtime, with_model, config or read_config(), progress or console_reporter(), product, user=None)


def down(config: Config | None = None) -> list[str]:
    """No part of the stack is running and its data are gone.

    Returns:
        Titles of the parts that were ended; empty if none was running.

    Raises:
        EnvironmentFault: another command holds the stack.
    """
    config = config or read_config()
    with _locked(config):
        return _take_down(config)


def status(config: Config | None = None) -> StackStatus:
    """The stack as it is now; nothing is changed."""
    config = config or read_config()
    return _status(config, _read(config))


def connection(config: Config | None = None) -> StackConnection:
    """How to reach the running stack.

    Raises:
        EnvironmentFault: none is running.
    """
    config = config or read_config()
    stack = _read(config)
    if stack is None or not _status(config, stack).running:
        raise EnvironmentFault("no local stack is running; start one with: rig stack up")
    return _connection(config, stack)


@contextlib.contextmanager
def for_run(
    runtime: Runtime | None,
    *,
    with_model: bool = False,
    config: Config | None = None,
    progress: Reporter | None = None,
    product: Sequence[str] = REFERENCE_PRODUCT,
) -> Iterator[StackConnection]:
    """Uses the running stack, or starts one for the time of the context. Arguments and errors as for `up`.

    A stack that was started for runs is taken down by the last of its users; one started by `up` is left alone.
    """
    config = config or read_config()
    me = _User(pid=os.getpid(), created=psutil.Process().create_time(), token=secrets.token_hex(8))
    _up(runtime, with_model, config, progress or console_reporter(), product, user=me)
    try:
        stack = _read(config)
        if stack is None:
            raise EnvironmentFault("the local stack was taken down by another command just now")
        yield _connection(config, stack)
    finally:
        with _locked(config):
            stack = _read(config)
            if stack is not None:
                stack = _with(stack, users=[u for u in _live(stack.users) if u != me])
                _write(config, stack)
                if stack.transient and not stack.users:
                    _take_down(config)


def own_ports(config: Config) -> set[int]:
    """Ports on which living parts of our own stack listen."""
    stack = _read(config)
    return {p.port for p in stack.parts.values() if find(p.process)} if stack else set()


# --- inside -----------------------------------------------------------------------------------------------------------


def _up(
    runtime: Runtime | None,
    with_model: bool,
    config: Config,
    progress: Reporter,
    product: Sequence[str],
    user: _User | None,
) -> StackStatus:
    needs_model = (with_model and config.model_state("customer") == "embedded") or (
        runtime == "model" and config.model_state("product") == "embedded"
    )
    gguf = ensure_model(progress, config) if needs_model else None
    with _locked(config):
        stack = _read(config)
        if stack is not None and not _sound(stack):
            _take_down(config)
            stack = None
        if stack is not None and runtime is not None:
            _check_fits(config, stack, runtime)
        stack = stack or _new(config, transient=user is not None)
        missing: list[PartName] = []
        if runtime is not None:
            missing += ["mongodb"] if config.mongodb_state == "embedded" else []
            missing += ["s3"] if config.s3_state == "embedded" else []
        missing += ["model"] if gguf else []
        missing += ["product"] if runtime is not None else []
        missing = [name for name in missing if name not in stack.parts]
        for name in missing:
            need_free_port(part_port(config, name), TITLES[name], PORT_VARIABLES[name])
        fresh = not stack.parts
        try:
            stack = _bring_up(config, stack, missing, runtime, gguf, progress, product)
        except BaseException:
            # A stack that never was whole must not stay behind; one that was running before is left as it was.
            if fresh:
                _take_down(config)
            else:
                _drop(config, missing)
            raise
        users = [*_live(stack.users), *([user] if user else [])]
        _write(config, _with(stack, users=users, transient=stack.transient and user is not None))
        return _status(config, _read(config))


def _check_fits(config: Config, stack: _StackFile, runtime: Runtime) -> None:
    """The running product, if there is one, is what is asked for.

    Raises:
        EnvironmentFault: it has another runtime, or was started with other stores or another model.
    """
    if stack.runtime is None:
        return
    if stack.runtime != runtime:
        raise EnvironmentFault(
            f"a local stack with the {stack.runtime} runtime is running, {runtime} was asked for; "
            "end it with: rig stack down"
        )
    now = _settings(config, stack, runtime)
    other = sorted(name for name in now if now[name] != stack.settings.get(name))
    if other:
        raise EnvironmentFault(
            f"the running local stack was started with another value of {', '.join(other)}; end it with: rig stack down"
        )


def _settings(config: Config, stack: _StackFile, runtime: Runtime) -> dict[str, str]:
    s3, model = config.s3, config.endpoints.get("product") if runtime == "model" else None
    values = {
        "RIG_MONGODB_URI": config.mongodb_uri,
        "RIG_S3_ENDPOINT": (s3.endpoint, s3.access_key, s3.secret_key) if s3 else None,
        "RIG_PRODUCT_MODEL": (model.base_url, model.model, model.api_key) if model else None,
        "RIG_SEED_TOKEN": config.seed_token or stack.seed_token,
        "RIG_STAFF_USER": config.staff_user or stack.staff_user,
        "RIG_STAFF_PASSWORD": config.staff_password or stack.staff_password,
    }
    return {name: hashlib.sha256(f"{stack.id} {value!r}".encode()).hexdigest() for name, value in values.items()}


def _bring_up(
    config: Config,
    stack: _StackFile,
    missing: list[PartName],
    runtime: Runtime | None,
    gguf: Path | None,
    progress: Reporter,
    product: Sequence[str],
) -> _StackFile:
    """The stack with the missing parts started and ready; the product comes last, after what it stands on."""
    below: list[PartName] = [name for name in missing if name != "product"]
    for name in below:
        progress.say(f"Starting {TITLES[name]} on port {part_port(config, name)} …")
        stack = _start(config, stack, name, _command(config, stack, name, gguf), _clean_environment())
    for name in below:
        _wait_ready(config, stack, name)
    if "product" in missing and runtime is not None:
        progress.say(f"Starting {TITLES['product']} ({runtime}) on port {config.ports.product} …")
        stack = _with(stack, runtime=runtime, settings=_settings(config, stack, runtime))
        command = [*product, "--port", str(config.ports.product), "--runtime", runtime]
        stack = _start(config, stack, "product", command, _product_environment(config, stack, runtime))
        _wait_ready(config, stack, "product")
    return stack


def part_port(config: Config, name: PartName) -> int:
    """The port at which the part is started."""
    return {
        "mongodb": config.ports.mongodb,
        "s3": config.ports.s3,
        "model": config.ports.model,
        "product": config.ports.product,
    }[name]


def _command(config: Config, stack: _StackFile, name: PartName, gguf: Path | None) -> list[str]:
    """The command of an embedded store or of the local model."""
    port = str(part_port(config, name))
    if name == "mongodb":
        data = _data(config) / "mongodb"
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        files = ["--log-file", str(_log(config, name)), "--pid-file", str(_data(config) / "mongodb.pid")]
        engine = [sys.executable, "-m", "nx_27017.nx_27017", "--host", LOOPBACK, "--port", port]
        return [*engine, "--data-dir", str(data), *files]
    if name == "s3":
        return [sys.executable, "-m", "moto.server", "--host", LOOPBACK, "--port", port]
    key_file = _data(config) / "model.key"
    _write_private(key_file, stack.model_key)
    command = [sys.executable, "-m", "harness.embedded_model", "serve", "--port", port, "--key-file", str(key_file)]
    return [*command, "--model", str(gguf)]


def _product_environment(config: Config, stack: _StackFile, runtime: Runtime) -> dict[str, str]:
    """What the product is told. Secrets are in it, since a command line is for all to read."""
    s3 = _s3(config, stack)
    env = _clean_environment() | {
        "RIG_MONGODB_URI": _mongodb_uri(config, stack),
        "RIG_S3_ENDPOINT": s3.endpoint,
        "RIG_S3_ACCESS_KEY": s3.access_key,
        "RIG_S3_SECRET_KEY": s3.secret_key,
        "RIG_SEED_TOKEN": stack.seed_token,
        "RIG_STAFF_USER": stack.staff_user,
        "RIG_STAFF_PASSWORD": stack.staff_password,
    }
    if runtime == "model":
        endpoint = _endpoint(config, stack, "product")
        if endpoint is None:
            raise EnvironmentFault("the product's model runtime needs a model and none is configured")
        env |= {
            "RIG_PRODUCT_BASE_URL": endpoint.base_url,
            "RIG_PRODUCT_MODEL": endpoint.model,
            "RIG_PRODUCT_API_KEY": endpoint.api_key,
        }
    return env


def _clean_environment() -> dict[str, str]:
    """The process's environment without the rig's and the model's variables: a part gets what it needs and no more."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("RIG_", "OPENAI_"))} | {"PYTHONUNBUFFERED": "1"}


def _mongodb_uri(config: Config, stack: _StackFile) -> str:
    part = stack.parts.get("mongodb")
    return f"mongodb://{LOOPBACK}:{part.port}" if part else config.mongodb_uri or ""


def _s3(config: Config, stack: _StackFile) -> S3Store:
    part = stack.parts.get("s3")
    if part is None and config.s3 is not None:
        return config.s3
    port = part.port if part else config.ports.s3
    return S3Store(f"http://{LOOPBACK}:{port}", stack.s3_access_key, stack.s3_secret_key)


def _endpoint(config: Config, stack: _StackFile, role: Role) -> Endpoint | None:
    if role in config.endpoints:
        return config.endpoints[role]
    part = stack.parts.get("model")
    if part is None or role == "vision" or role in config.incomplete:
        return None
    return Endpoint(f"http://{LOOPBACK}:{part.port}/v1", MODEL_NAME, stack.model_key, "embedded")


def _connection(config: Config, stack: _StackFile) -> StackConnection:
    found = {role: _endpoint(config, stack, role) for role in ("customer", "product", "judge", "vision")}
    product = stack.parts.get("product")
    return StackConnection(
        base_url=f"http://{LOOPBACK}:{product.port}" if product else None,
        runtime=stack.runtime,
        seed_token=stack.seed_token,
        staff_user=stack.staff_user,
        staff_password=stack.staff_password,
        endpoints={role: e for role, e in found.items() if e},  # type: ignore[misc]
        mongodb_state="embedded" if "mongodb" in stack.parts else config.mongodb_state,
        s3_state="embedded" if "s3" in stack.parts else config.s3_state,
    )


def _start(config: Config, stack: _StackFile, name: PartName, command: list[str], env: dict[str, str]) -> _StackFile:
    """The stack with the part started and noted on disk, so that it can be ended whatever happens next."""
    log = _log(config, name)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    process = start_detached(command, env, log, stack.id, cwd=_data(config))
    part = _Part(process=process, port=part_port(config, name), log=str(log))
    stack = _with(stack, parts={**stack.parts, name: part})
    _write(config, stack)
    return stack


def _wait_ready(config: Config, stack: _StackFile, name: PartName) -> None:
    """The part answered.

    Raises:
        EnvironmentFault: it ended, or its cap came first; the message ends with the last line of its log.
    """
    part = stack.parts[name]
    probe: Callable[[], bool] = {
        "mongodb": lambda: _mongodb_answers(_mongodb_uri(config, stack)),
        "s3": lambda: _http_ok(f"http://{LOOPBACK}:{part.port}/moto-api/"),
        "model": lambda: _http_ok(f"http://{LOOPBACK}:{part.port}/health"),
        "product": lambda: _runtime_of(f"http://{LOOPBACK}:{part.port}") == stack.runtime,
    }[name]
    until = time.monotonic() + READY_TIMEOUT_S[name]
    while time.monotonic() < until:
        if find(part.process) is None:
            raise EnvironmentFault(f"{TITLES[name]} ended at once: {last_line(Path(part.log))} (log: {part.log})")
        if probe():
            return
        time.sleep(POLL_S)
    raise EnvironmentFault(
        f"{TITLES[name]} was not ready after {READY_TIMEOUT_S[name]:.0f} s: {last_line(Path(part.log))} (log: {part.log})"
    )


def _http_ok(url: str) -> bool:
    try:
        return httpx.get(url, timeout=PROBE_TIMEOUT_S, trust_env=False).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _runtime_of(base_url: str) -> str | None:
    try:
        answer = httpx.get(f"{base_url}/rig/runtime", timeout=PROBE_TIMEOUT_S, trust_env=False)
        body = answer.json() if answer.status_code == httpx.codes.OK else None
    except (httpx.TransportError, ValueError):
        return None
    return str(body.get("runtime")) if isinstance(body, dict) else None


def _mongodb_answers(uri: str) -> bool:
    from pymongo import MongoClient  # belongs to the devstack extra
    from pymongo.errors import PyMongoError

    client: MongoClient[dict[str, object]] = MongoClient(uri, serverSelectionTimeoutMS=1000)
    try:
        client.admin.command("ping")
    except PyMongoError:
        return False
    finally:
        client.close()
    return True


def _status(config: Config, stack: _StackFile | None) -> StackStatus:
    configured: dict[PartName, str | None] = {
        "mongodb": _without_login(config.mongodb_uri) if config.mongodb_uri else None,
        "s3": config.s3.endpoint if config.s3 else None,
        "model": next((e.base_url for r, e in config.endpoints.items() if r in ("customer", "product")), None),
        "product": None,
    }
    parts: list[PartStatus] = []
    for name in PART_NAMES:
        part = stack.parts.get(name) if stack else None
        address = configured[name]
        if part is not None:
            scheme = "mongodb" if name == "mongodb" else "http"
            tail = "/v1" if name == "model" else ""
            alive = find(part.process) is not None
            url = f"{scheme}://{LOOPBACK}:{part.port}{tail}"
            parts.append(PartStatus(name, "embedded", alive, url, part.process.pid, Path(part.log)))
        else:
            parts.append(PartStatus(name, "configured" if address else "none", None, address, None, None))
    product = parts[-1]
    running = stack is not None and _sound(stack) and bool(stack.parts)
    return StackStatus(
        running=running,
        runtime=stack.runtime if stack else None,
        base_url=product.address,
        parts=tuple(parts),
        state_dir=config.state_dir,
    )


def _without_login(uri: str) -> str:
    scheme, _, rest = uri.partition("://")
    return f"{scheme}://{rest.split('?', 1)[0].rpartition('@')[2]}"


def _sound(stack: _StackFile) -> bool:
    """Every part that was started is alive."""
    return all(find(part.process) is not None for part in stack.parts.values())


def _live(users: list[_User]) -> list[_User]:
    alive: list[_User] = []
    for user in users:
        with contextlib.suppress(psutil.NoSuchProcess):
            if abs(psutil.Process(user.pid).create_time() - user.created) < 1.0:
                alive.append(user)
    return alive


def _take_down(config: Config) -> list[str]:
    stack = _read(config)
    ended: list[str] = []
    if stack is not None:
        ended = [TITLES[n] for n in PART_NAMES if n in stack.parts and find(stack.parts[n].process)]
        end(stack.parts[name].process for name in reversed(PART_NAMES) if name in stack.parts)
    _file(config).unlink(missing_ok=True)
    shutil.rmtree(_data(config), ignore_errors=True)
    return ended


def _drop(config: Config, names: list[PartName]) -> None:
    """Ends the named parts only, as far as they were started."""
    stack = _read(config)
    if stack is None:
        return
    end(stack.parts[name].process for name in reversed(names) if name in stack.parts)
    left = {name: part for name, part in stack.parts.items() if name not in names}
    _write(config, _with(stack, parts=left, runtime=stack.runtime if "product" in left else None))


def _new(config: Config, transient: bool) -> _StackFile:
    for folder in (config.state_dir, _data(config), _log(config, "product").parent):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as exc:
            raise EnvironmentFault(f"{folder}: {exc.strerror}; set RIG_STATE_DIR to a folder you may write") from exc
    return _StackFile(
        id=secrets.token_hex(16),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        transient=transient,
        seed_token=config.seed_token or secrets.token_urlsafe(24),
        staff_user=config.staff_user or "staff",
        staff_password=config.staff_password or secrets.token_urlsafe(18),
        model_key=secrets.token_urlsafe(24),
        s3_access_key=secrets.token_hex(10),
        s3_secret_key=secrets.token_urlsafe(24),
    )


def _with(stack: _StackFile, **changes: object) -> _StackFile:
    return stack.model_copy(update=changes)


def _file(config: Config) -> Path:
    return config.state_dir / "stack.json"


def _data(config: Config) -> Path:
    return config.state_dir / "data"


def _log(config: Config, name: PartName) -> Path:
    return config.state_dir / "logs" / f"{name}.log"


def _read(config: Config) -> _StackFile | None:
    """`stack.json`, or None if there is none.

    Raises:
        EnvironmentFault: it cannot be understood; nothing in it is trusted or ended then.
    """
    try:
        return _StackFile.model_validate_json(_file(config).read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as exc:
        raise EnvironmentFault(
            f"{_file(config)} cannot be understood; end its processes by hand and remove it"
        ) from exc


def _write(config: Config, stack: _StackFile) -> None:
    _write_private(_file(config), stack.model_dump_json(indent=1))


def _write_private(path: Path, text: str) -> None:
    """The file, whole or not at all, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    temporary.replace(path)


@contextlib.contextmanager
def _locked(config: Config) -> Iterator[None]:
    """One command at a time changes the stack."""
    try:
        config.state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as exc:
        raise EnvironmentFault(
            f"{config.state_dir}: {exc.strerror}; set RIG_STATE_DIR to a folder you may write"
        ) from exc
    lock = FileLock(config.state_dir / "stack.lock", timeout=LOCK_TIMEOUT_S)
    try:
        lock.acquire()
    except Timeout as exc:
        raise EnvironmentFault(f"another command has held the local stack for {LOCK_TIMEOUT_S:.0f} s") from exc
    try:
        yield
    finally:
        lock.release()
