"""What is there, what is missing, and the command that mends it. Looks only; nothing is started for good or changed."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal

import httpx
from packaging.requirements import InvalidRequirement, Requirement
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.browser import MEND_SANDBOX, check_launch, find_browser, is_root
from harness.config import EMBEDDED_ROLES, ROLES, Config, Endpoint, Role, read_config
from harness.embedded_model import DISK_MARGIN, DOWNLOAD_SIZE, MODEL_SIZE, MODEL_TITLE, model_at_hand
from harness.errors import EnvironmentFault, InputError, RigError, one_line
from harness.processes import port_is_free, who_listens
from harness.stack import PORT_VARIABLES, TITLES, own_ports, part_port

MIN_PYTHON = (3, 11)
REACH_TIMEOUT_S = 10.0
TOOL_TIMEOUT_S = 20.0
CLOCK_SKEW_LIMIT_S = 900.0
"""Beyond a quarter of an hour S3 refuses signed requests (RequestTimeTooSkewed)."""
CLOCK_SKEW_NOTICE_S = 60.0
DISK_NEEDED = 500_000_000
"""Bytes for records of some runs."""
SYNC = "uv pip sync --require-hashes requirements.lock"
SETUP = "bash scripts/test.sh"

State = Literal["ok", "missing", "warning"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: State
    """`missing`: needed, and not there or not usable. `warning`: something works less well or later."""
    detail: str
    mend: str | None = None
    """A command or a setting; None if nothing needs mending."""


def diagnose(config: Config | None = None) -> list[Finding]:
    """All findings, in a fixed order. Every look is bounded in time; none raises for what it finds."""
    findings: list[Finding] = []
    if config is None:
        try:
            config = read_config()
        except InputError as exc:
            findings.append(Finding("settings", "missing", str(exc), f"correct or unset {exc.where}"))
            config = read_config({})
    for check in CHECKS:
        findings.extend(check(config))
    return findings


def exit_code(findings: Sequence[Finding]) -> int:
    """0 if nothing needed is missing, else 4."""
    return 4 if any(f.state == "missing" for f in findings) else 0


def as_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """Plain data for `--json`."""
    return {"ok": exit_code(findings) == 0, "findings": [asdict(f) for f in findings]}


def print_table(findings: Sequence[Finding], console: Console | None = None) -> None:
    """The findings as a table a person reads, with what mends them below."""
    console = console or Console()
    table = Table(box=None, pad_edge=False)
    for heading in ("", "what", "found"):
        table.add_column(heading, overflow="fold")
    styles = {"ok": "green", "warning": "yellow", "missing": "bold red"}
    for found in findings:
        table.add_row(Text(found.state, style=styles[found.state]), Text(found.name), Text(found.detail))
    console.print(table)
    mends = [f for f in findings if f.state != "ok" and f.mend]
    if mends:
        console.print(Text("\nTo mend:"))
        for found in mends:
            console.print(Text(f"  {found.name}: {found.mend}"), soft_wrap=True)


# --- single looks -----------------------------------------------------------------------------------------------------


def _python(config: Config) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    enough = sys.version_info[:2] >= MIN_PYTHON
    mend = None if enough else "install Python 3.11 or later, then " + SETUP
    yield Finding("python", "ok" if enough else "missing", f"{version} at {sys.executable}", mend)


def _tools(config: Config) -> Iterator[Finding]:
    private = Path(__file__).resolve().parent.parent / ".venv-tools" / ("Scripts" if os.name == "nt" else "bin") / "uv"
    uv = shutil.which("uv") or (str(private) if private.exists() else None)
    said = _said([uv, "--version"]) if uv else None
    yield Finding("uv", "ok", said) if said else Finding("uv", "warning", "not found", SETUP)
    said = _said(["git", "--version"])
    why = "not found; a run cannot record its revision"
    yield Finding("git", "ok", said) if said else Finding("git", "warning", why, "apt-get install git")


def _said(command: Sequence[str]) -> str | None:
    """The first line a command prints; None if it is not there or fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=TOOL_TIMEOUT_S
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    return one_line(lines[0], 100) if done.returncode == 0 and lines else None


def normal_name(name: str) -> str:
    """A distribution's name in its one comparable form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked_versions(lock: str) -> dict[str, str]:
    """Name and version of every line of a hashed lock that applies to this platform and Python."""
    versions: dict[str, str] = {}
    for line in lock.splitlines():
        if not line or line[0] in " #-":
            continue
        try:
            requirement = Requirement(line.rstrip("\\ "))
        except InvalidRequirement:
            continue
        if requirement.marker is None or requirement.marker.evaluate():
            versions[normal_name(requirement.name)] = str(requirement.specifier).removeprefix("==")
    return versions


def installed_versions(folder: Path) -> dict[str, str]:
    """Name and version of every distribution installed in a site-packages folder."""
    pairs = (entry.name.removesuffix(".dist-info").rpartition("-") for entry in folder.glob("*.dist-info"))
    return {normal_name(name): version for name, _, version in pairs}


def _environment(config: Config) -> Iterator[Finding]:
    lock = Path(__file__).resolve().parent.parent / "requirements.lock"
    if not lock.is_file():
        yield Finding("environment", "warning", "no requirements.lock beside the package to compare with")
        return
    wanted = locked_versions(lock.read_text(encoding="utf-8"))
    there = installed_versions(Path(sysconfig.get_paths()["purelib"]))
    absent = sorted(name for name in wanted if name not in there)
    other = sorted(name for name in wanted if name in there and there[name] != wanted[name])
    if absent or other:
        names = ", ".join([*absent, *other][:5]) + (", …" if len(absent) + len(other) > 5 else "")
        yield Finding("environment", "missing", f"{len(absent)} absent, {len(other)} of another version: {names}", SYNC)
    else:
        yield Finding("environment", "ok", f"all {len(wanted)} distributions as locked")


def _browser(config: Config) -> Iterator[Finding]:
    try:
        browser = find_browser(config)
        check_launch(browser)
    except RigError as exc:
        told, _, mend = str(exc).partition("; mend: ")
        yield Finding("browser", "missing", told, mend or "see the message")
        return
    shell = ", headless shell" if browser.headless_shell else ""
    yield Finding("browser", "ok", f"{browser.version} at {browser.path} (from {browser.source}{shell}); starts")
    if browser.sandbox:
        yield Finding("browser sandbox", "ok", "on")
    elif is_root():
        yield Finding("browser sandbox", "warning", "off, as it must be for root", "run as an ordinary user")
    elif config.sandbox == "off":
        yield Finding("browser sandbox", "warning", "off by RIG_BROWSER_SANDBOX", "unset RIG_BROWSER_SANDBOX")
    else:
        yield Finding("browser sandbox", "warning", "off, since the system allows none", MEND_SANDBOX)


def _fonts(config: Config) -> Iterator[Finding]:
    if shutil.which("fc-list") is None:
        yield Finding("fonts for Chinese", "warning", "fc-list is not there to ask", "apt-get install fontconfig")
        return
    font = _said(["fc-list", ":lang=zh", "family"])
    if font:
        yield Finding("fonts for Chinese", "ok", font)
    else:
        yield Finding(
            "fonts for Chinese", "warning", "none; such text shows as boxes", "apt-get install fonts-noto-cjk"
        )


def _tesseract(config: Config) -> Iterator[Finding]:
    said = _said(["tesseract", "--version"])
    if said:
        yield Finding("tesseract (optional)", "ok", said)
    else:
        yield Finding("tesseract (optional)", "warning", "not found; pictures are not read by machine",
                      "apt-get install tesseract-ocr")  # fmt: skip


def _models(config: Config) -> Iterator[Finding]:
    embedded: list[Role] = []
    for role in ROLES:
        try:
            state = config.model_state(role)
        except InputError as exc:
            yield Finding(f"{role} model", "missing", str(exc), f"set {exc.where}, or unset the other")
            continue
        if state == "configured":
            yield _reach_endpoint(role, config.endpoints[role])
        elif state == "embedded":
            embedded.append(role)
        else:
            yield Finding(f"{role} model", "ok", "none configured; nothing needs it yet")
    if embedded:
        yield _embedded_model(config, embedded)


def _reach_endpoint(role: Role, endpoint: Endpoint) -> Finding:
    name, where = f"{role} model", f"{endpoint.model} at {endpoint.base_url}"
    mend = f"check RIG_{role.upper()}_BASE_URL and RIG_{role.upper()}_API_KEY (or OPENAI_BASE_URL, OPENAI_API_KEY)"
    try:
        answer = httpx.get(
            f"{endpoint.base_url}/models",
            headers={"Authorization": f"Bearer {endpoint.api_key}"},
            timeout=REACH_TIMEOUT_S,
        )
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as exc:
        return Finding(
            name, "missing", f"{where} does not answer ({one_line(str(exc) or type(exc).__name__, 80)})", mend
        )
    if answer.status_code in (401, 403):
        return Finding(name, "missing", f"{where} refuses the key (HTTP {answer.status_code})", mend)
    if answer.status_code >= 500:
        return Finding(name, "missing", f"{where} is out of order (HTTP {answer.status_code})", mend)
    price = "" if endpoint.price else "; unpriced, so its cost will be marked incomplete"
    return Finding(name, "ok", f"{where} answers{price}")


def _embedded_model(config: Config, roles: Sequence[Role]) -> Finding:
    name = "local model"
    whose = ", ".join(roles)
    if "xllamacpp" not in installed_versions(Path(sysconfig.get_paths()["purelib"])):
        return Finding(name, "missing", f"for {whose}: the package xllamacpp is not installed", SYNC)
    try:
        file = model_at_hand(config)
    except (InputError, OSError) as exc:
        return Finding(name, "missing", str(exc), "name a GGUF file in RIG_MODEL_GGUF, or unset it")
    if file is not None:
        return Finding(name, "ok", f"for {whose}: {file}")
    fetch = "python -m harness.embedded_model fetch"
    return Finding(
        name, "warning", f"for {whose}: {MODEL_TITLE} is fetched at first use ({DOWNLOAD_SIZE / 1e6:.0f} MB)", fetch
    )


def _mongodb(config: Config) -> Iterator[Finding]:
    if config.mongodb_uri is None:
        yield _embedded_store("MongoDB", "nx-27017")
        return
    from pymongo import MongoClient  # belongs to the devstack extra
    from pymongo.errors import PyMongoError

    wait_ms = int(REACH_TIMEOUT_S * 1000)
    try:
        client: MongoClient[dict[str, Any]] = MongoClient(
            config.mongodb_uri, serverSelectionTimeoutMS=wait_ms, connectTimeoutMS=wait_ms, socketTimeoutMS=wait_ms
        )
        try:
            client.admin.command("ping")
        finally:
            client.close()
    except PyMongoError as exc:
        # Messages of the client may quote the address with its password; only their kind is told.
        kind = type(exc).__name__
        yield Finding("MongoDB", "missing", f"configured, does not answer ({kind})", "check RIG_MONGODB_URI")
        return
    yield Finding("MongoDB", "ok", "configured, answers")


def _s3(config: Config) -> Iterator[Finding]:
    if config.s3 is None:
        yield _embedded_store("S3", "moto")
        return
    try:
        answer = httpx.get(config.s3.endpoint, timeout=REACH_TIMEOUT_S)
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as exc:
        why = one_line(str(exc) or type(exc).__name__, 80)
        yield Finding("S3", "missing", f"{config.s3.endpoint} does not answer ({why})", "check RIG_S3_ENDPOINT")
        return
    yield Finding("S3", "ok", f"{config.s3.endpoint} answers")
    yield clock_skew(answer.headers.get("date"), datetime.now(UTC))


def clock_skew(header: str | None, now: datetime) -> Finding:
    """How far the object store's clock is from `now`; both are compared to the second."""
    name = "S3 clock"
    try:
        theirs = parsedate_to_datetime(header or "")
        skew_s = abs((theirs.replace(tzinfo=theirs.tzinfo or UTC) - now).total_seconds())
    except ValueError:
        return Finding(name, "warning", "the object store does not tell its time")
    mend = "set both clocks, for instance: timedatectl set-ntp true"
    if skew_s > CLOCK_SKEW_LIMIT_S:
        return Finding(name, "missing", f"{skew_s:.0f} s apart; signed requests are refused", mend)
    if skew_s > CLOCK_SKEW_NOTICE_S:
        return Finding(name, "warning", f"{skew_s:.0f} s apart", mend)
    return Finding(name, "ok", f"{skew_s:.0f} s apart")


def _embedded_store(name: str, distribution: str) -> Finding:
    version = installed_versions(Path(sysconfig.get_paths()["purelib"])).get(distribution)
    if version is None:
        return Finding(name, "missing", f"none configured, and {distribution} is not installed", SYNC)
    return Finding(name, "ok", f"none configured; embedded {distribution} {version} stands in")


def _ports(config: Config) -> Iterator[Finding]:
    try:
        ours = own_ports(config)
    except EnvironmentFault as exc:
        yield Finding("ports", "missing", str(exc), "see the message")
        return
    configured = {"mongodb": config.mongodb_uri is not None, "s3": config.s3 is not None}
    for name, title in TITLES.items():
        port = part_port(config, name)
        if configured.get(name):
            continue
        if port in ours:
            yield Finding(f"port {port}", "ok", f"{title}: in use by our stack")
        elif port_is_free(port):
            yield Finding(f"port {port}", "ok", f"{title}: free")
        else:
            holder = who_listens(port)
            mend = f"free it or set {PORT_VARIABLES[name]}"
            yield Finding(f"port {port}", "missing", f"{title}: taken{f' by {holder}' if holder else ''}", mend)


def _disk(config: Config) -> Iterator[Finding]:
    fetch_pending = False
    with contextlib.suppress(InputError, OSError):  # told with the model
        fetch_pending = not set(EMBEDDED_ROLES) <= set(config.endpoints) and model_at_hand(config) is None
    needs = {
        "results": (config.results_dir, DISK_NEEDED, "RIG_RESULTS"),
        "state": (config.state_dir, DISK_NEEDED, "RIG_STATE_DIR"),
        "cache": (config.cache_dir, MODEL_SIZE + DISK_MARGIN if fetch_pending else 0, "RIG_CACHE_DIR"),
    }
    for what, (folder, needed, variable) in needs.items():
        there = next(p for p in (folder, *folder.parents) if p.exists())
        free = shutil.disk_usage(there).free
        name, detail = f"disk for {what}", f"{free / 1e9:.1f} GB free at {folder}"
        mend = f"free some, or set {variable} to another disk"
        if not os.access(there, os.W_OK):
            yield Finding(name, "missing", f"{folder} cannot be written", f"set {variable}")
        elif free < needed:
            yield Finding(name, "missing", f"{detail}, {needed / 1e9:.1f} GB needed", mend)
        else:
            yield Finding(name, "ok", detail)


CHECKS: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    _python,
    _tools,
    _environment,
    _browser,
    _fonts,
    _tesseract,
    _models,
    _mongodb,
    _s3,
    _ports,
    _disk,
)
