"""A journey as a plain Playwright script that needs nothing of the rig and fails where the journey failed.

Everything that comes from product, customer or package stands in the script as a Python literal made by `repr`: no text of
theirs can leave it. Names of score lines and of adapter parts are written the same way.
"""

import pprint
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import InputError
from harness.handover.attempt import Handed, Row
from harness.handover.secrets import Cleaner
from harness.journal import inside, read_json
from harness.schema.events import Acted, Event, MoveDecided, ScreenSeen
from harness.schema.package import MATERIALS_DIR, find_packages
from harness.schema.scorecard import Evidence
from harness.schema.strict_json import sha256_hex, validate
from harness.screen.adapter import Adapter, Locator, scripts

HELPERS = Path(__file__).with_name("script_helpers.txt")
TIMEOUT_S, STILL_S = 60, 1.0
STAFF_FILE, EVENTS_FILE = "staff.json", "events.jsonl"
_CHECKED_PARTS = ("reply", "tag", "panel", "todo", "card", "dialog", "notice", "final")


@dataclass(frozen=True)
class Check:
    """One assertion of the script."""

    after: int
    """Number of the event whose screen it is about; staff's side: past all of them."""
    code: str
    line: str
    staff: bool = False


@dataclass(frozen=True)
class Script:
    """What is written."""

    text: str
    files: dict[str, bytes]
    """Files the customer hands over, by name; they go into the folder that the script names."""
    checks: list[str]
    """Score lines that it asserts."""
    unseen: list[str]
    """Failed lines that no page shows, so that no script can fail by them."""
    missing: list[str]
    """Files of the customer's that are not in the corpus as they were sent."""


@dataclass
class _Calls:
    """Lines of the script's journey."""

    lines: list[str] = field(default_factory=list)

    def add(self, name: str, *values: object) -> None:
        self.lines.append(f"    {name}({', '.join(repr(v) for v in values)})")


def playwright_script(handed: Handed, corpus: Path, cleaner: Cleaner, files_folder: str) -> Script:
    """The script of an attempt.

    Args:
        handed: the attempt.
        corpus: where the package's files lie.
        cleaner: takes secrets out of what is written.
        files_folder: name of the folder beside the script that holds the customer's files.

    Raises:
        InputError: the run has no adapter.json, or the record no seed.
    """
    run = handed.folder.parents[2]
    data, problem = read_json(run, "adapter.json")
    seed, seed_problem = read_json(handed.folder, "seed.json")
    if problem or seed_problem:
        raise InputError(f"attempt {handed.name}", problem or seed_problem or "")
    adapter = validate(Adapter, data, f"{run.name}/adapter.json")
    asked = seed.get("request") if isinstance(seed, dict) else None
    if not isinstance(asked, dict):
        raise InputError(f"{handed.name}/seed.json: request", "is not there: the product cannot be seeded by it")
    checks, unseen = _checks(handed)
    last = max((check.after for check in checks if not check.staff), default=None)
    everything = any(check.staff for check in checks) or last is None
    calls, files, missing = _journey(handed, corpus, checks, None if everything else last)
    request = {k: v for k, v in asked.items() if k != "request_id"}
    head = [
        '"""A recorded journey, to be played again without the rig: pip install playwright, then python3 this file.',
        "",
        "Exit code 0: it does not fail; 1: it fails, and where.",
        f"It needs a product at BASE_URL, and {_needs(adapter, checks)}.",
        *([] if checks else ["No failed line of this journey can be seen on a page: the script only plays it."]),
        '"""',
        "",
        "import json", "import os", "import re", "import secrets", "import sys", "import time", "import urllib.request",
        "from pathlib import Path",
        "",
        "from playwright.sync_api import sync_playwright",
        "",
        f"BASE_URL = os.environ.get('BASE_URL', {adapter.base_url!r})",
        f"TIMEOUT_S, STILL_S = {TIMEOUT_S}, {STILL_S}",
        f"FILES = Path(__file__).resolve().parent / {files_folder!r}",
        f"SEED_PATH = {adapter.seed.path if adapter.seed else ''!r}",
        f"SEED_TOKEN_ENV = {adapter.seed.token_env if adapter.seed else None!r}",
        f"SEED = {_literal(request)}",
        f"PLACES = {_literal(_places(adapter))}",
        f"SEND_KEY = {adapter.customer.send.key!r}",
        f"SIGN_IN = {_literal(_steps(adapter.customer.sign_in.steps if adapter.customer.sign_in else []))}",
        f"STAFF = {_literal(_staff(adapter))}",
        "",
        "",
        "def journey(customer, staff):",
        '    """What the customer did, and what should not have been seen."""',
        "    customer.settle()",
        *calls.lines,
    ]  # fmt: skip
    text = "\n".join([*head, "", "", HELPERS.read_text(encoding="utf-8")])
    return Script(cleaner.text(text), files, [check.line for check in checks], unseen, missing)


def _needs(adapter: Adapter, checks: list[Check]) -> str:
    names = [adapter.seed.token_env] if adapter.seed and adapter.seed.token_env else []
    staff = adapter.staff.model_dump_json() if adapter.staff and any(check.staff for check in checks) else ""
    names += [name for name in ("RIG_STAFF_USER", "RIG_STAFF_PASSWORD") if f"${{env.{name}}}" in staff]
    seeding = f"{', '.join(names)} in the environment" if names else "nothing else"
    return f"{seeding}; or START_URL of a fresh customer instead of the seed"


def _literal(value: Any) -> str:
    return pprint.pformat(value, width=118, sort_dicts=False)


def _places(adapter: Adapter) -> dict[str, Any]:
    customer = adapter.customer
    names = ("ready", "transcript", "customer_bubble", "composer", "busy", "upload", "upload_submit", *_CHECKED_PARTS)
    places = {name: scripts(found) for name in names if (found := getattr(customer, name)) is not None}
    return {**places, "send": scripts(customer.send.button or [])}


def _steps(steps: Any) -> list[dict[str, Any]]:
    return [
        {
            k: v.script() if isinstance(v, Locator) else v
            for k in type(s).model_fields
            if (v := getattr(s, k)) is not None
        }
        for s in steps
    ]


def _staff(adapter: Adapter) -> dict[str, Any]:
    staff = adapter.staff
    if staff is None:
        return {}
    return {
        "start": staff.start, "sign_in": _steps(staff.sign_in), "steps": _steps(staff.steps),
        "case_link": scripts(staff.case_link or []), "case_ready": scripts(staff.case_ready or []),
        "fields": {name: scripts(found) for name, found in staff.fields.items()},
        "lists": {
            name: {"rows": scripts(spec.rows), "cells": {n: scripts(c) for n, c in spec.cells.items()}}
            for name, spec in staff.lists.items()
        },
    }  # fmt: skip


# What should not have been seen ----------------------------------------------------------------------------------------


def _checks(handed: Handed) -> tuple[list[Check], list[str]]:
    """(assertions in order, failed lines that nothing visible shows); consequences only where no cause can be seen."""
    failed = handed.failed
    causes = [row for row in failed if not row.follows]
    for rows in (causes, [row for row in failed if row.follows]):
        found = {row.id: _check(row, handed) for row in rows}
        checks = [check for check in found.values() if check is not None]
        if checks:
            unseen = [row.id for row in causes if found.get(row.id) is None and row in rows]
            unseen += [row.id for row in causes if row not in rows]
            return sorted(checks, key=lambda check: check.after), unseen
    return [], [row.id for row in causes]


def _check(row: Row, handed: Handed) -> Check | None:
    """The assertion of one failed line: a text that was on a screen or on the staff page, or an end that was not."""
    for evidence in row.line.evidence if row.line else ():
        if (check := _on_screen(row, evidence, handed.record.events.items)) is not None:
            return check
        if (check := _on_staff_page(row, evidence, handed)) is not None:
            return check
    if row.id in ("journey.completed", "journey.case_number") and not handed.attempt.final:
        last = max((e.n for e in handed.record.events.items if isinstance(e, ScreenSeen)), default=0)
        return Check(last, f"    customer.must_show_final({row.id!r})", row.id)
    return None


def _on_screen(row: Row, evidence: Evidence, events: tuple[Event, ...]) -> Check | None:
    if evidence.event is None or not evidence.quote:
        return None
    screens = [e for e in events if isinstance(e, ScreenSeen)]
    for seen in (s for s in screens if s.n == evidence.event):
        for block in seen.screen.blocks:
            if block.part in _CHECKED_PARTS and evidence.quote in block.text:
                code = f"    customer.must_not_show({block.part!r}, {evidence.quote!r}, {row.id!r})"
                return Check(seen.n, code, row.id)
    return None


def _on_staff_page(row: Row, evidence: Evidence, handed: Handed) -> Check | None:
    staff, way = handed.record.staff, (evidence.path or "").split(".")
    if evidence.file != STAFF_FILE or staff is None or not evidence.quote:
        return None
    after = handed.record.events.items[-1].n + 1 if handed.record.events.items else 0
    if way[0] == "fields" and len(way) == 2 and way[1] in staff.fields:
        return Check(
            after, f"    staff().field_must_not_read({way[1]!r}, {evidence.quote!r}, {row.id!r})", row.id, True
        )
    if way[0] == "lists" and len(way) == 5 and way[2].isdigit() and way[3] == "cells":
        rows = staff.lists.get(way[1], [])
        if int(way[2]) >= len(rows):
            return None
        cells = rows[int(way[2])].cells
        known = next(((n, v) for n, v in cells.items() if n != way[4]), None)
        others = dict([known]) if known else {}
        values = (way[1], others, way[4], evidence.quote, row.id)
        return Check(after, f"    staff().cell_must_not_read({', '.join(map(repr, values))})", row.id, True)
    return None


# What the customer did -------------------------------------------------------------------------------------------------


def _journey(
    handed: Handed, corpus: Path, checks: list[Check], until: int | None
) -> tuple[_Calls, dict[str, bytes], list[str]]:
    """The customer's confirmed acts up to an event, the assertions among them, and the files that were handed over."""
    calls, files, missing = _Calls(), dict[str, bytes](), list[str]()
    package = find_packages(corpus, None).get(handed.attempt.package)
    decided: MoveDecided | None = None
    seen: ScreenSeen | None = None
    for event in handed.record.events.items:
        if isinstance(event, MoveDecided):
            decided = event
        elif isinstance(event, ScreenSeen):
            seen = event
        elif isinstance(event, Acted) and event.confirmed:
            _act(calls, event, decided, seen)
            if event.file is not None:
                path = inside(package, f"{MATERIALS_DIR}/{event.file}") if package else None
                content = path.read_bytes() if path else None
                if content is not None and sha256_hex(content) == event.sha256:
                    files[event.file] = content
                else:
                    missing.append(event.file)
        calls.lines += [check.code for check in checks if check.after == event.n]
        if until is not None and event.n >= until:
            break
    calls.lines += [check.code for check in checks if check.staff]
    return calls, files, list(dict.fromkeys(missing))


def _act(calls: _Calls, event: Acted, decided: MoveDecided | None, seen: ScreenSeen | None) -> None:
    if event.act == "said":
        calls.add("customer.say", event.text)
    elif event.act == "pressed":
        calls.add("customer.press", event.text)
    elif event.act == "filled" and decided is not None:
        calls.add("customer.fill", decided.move.control, decided.move.value)
    elif event.act == "uploaded" and event.file is not None:
        control = decided.move.control if decided is not None and decided.move.move == "upload" else ""
        there = [c.name for c in seen.screen.controls if c.kind == "upload" and c.enabled] if seen else []
        control = control or (there[0] if len(there) == 1 else "")
        calls.add("customer.upload", event.file, control)
    elif event.act == "signed_in":
        calls.add("customer.sign_in")
    elif event.act == "waited":
        calls.add("customer.settle")


def lines_of(script: Script) -> Iterator[str]:
    """What a person should know of the script, a line each."""
    if script.checks:
        yield f"asserts: {', '.join(script.checks)}"
    if script.unseen:
        yield f"no page shows, so no script can assert: {', '.join(script.unseen)}"
    if script.missing:
        yield f"not in the corpus as they were sent; put them into the folder yourself: {', '.join(script.missing)}"
