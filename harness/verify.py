"""`rig verify`: is the record what the ledger says, and does every prompt come from what was recorded?"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import RigError
from harness.gate_render import Replay, Sections, locked_template
from harness.journal import AttemptFolder, chain_problems, open_run
from harness.schema.package import find_packages
from harness.schema.strict_json import canonical, parse_json, sha256_hex
from harness.stage import LoadedPackage, load_package, view_bytes


@dataclass
class Verification:
    """What was checked and what is wrong."""

    run: str
    attempts: int = 0
    files: int = 0
    prompts: int = 0
    problems: list[str] = field(default_factory=list)
    not_checked: list[str] = field(default_factory=list)
    """What could not be checked, and why; it makes nothing right or wrong."""

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return not self.problems

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {
            "run": self.run,
            "ok": self.ok,
            "attempts": self.attempts,
            "files": self.files,
            "prompts": self.prompts,
            "problems": self.problems,
            "not_checked": self.not_checked,
        }

    def lines(self) -> list[str]:
        """For a person."""
        head = f"run {self.run}: {'verifies' if self.ok else 'DOES NOT VERIFY'}; {self.attempts} attempts, {self.files} files, {self.prompts} prompts rendered again"
        return [head, *(f"  wrong: {p}" for p in self.problems), *(f"  not checked: {n}" for n in self.not_checked)]


def verify_run(run_dir: Path, corpus: Path) -> Verification:
    """Check hashes, ledger chain and prompts of a run. The corpus gives the views; a changed package is not checked."""
    journal = open_run(run_dir)
    found = Verification(journal.run)
    aside = [p for p in journal.ledger.problems if journal.ledger.torn_aside and p.endswith("ledger.jsonl.torn")]
    found.problems += [p for p in journal.problems if p not in aside]
    found.problems += chain_problems(journal)
    found.not_checked += aside
    there = find_packages(corpus, None) if corpus.is_dir() else {}
    packages: dict[str, LoadedPackage | str] = {}
    for item in journal.attempts:
        found.attempts += 1
        found.files += len(item.attempt.files) if item.attempt else 0
        if not (item.path / "prompts.jsonl").is_file():
            continue
        if item.package not in packages:
            packages[item.package] = _package(item, there)
        package = packages[item.package]
        if isinstance(package, str):
            found.not_checked.append(f"{item.name}: prompts ({package})")
        else:
            found.prompts += _check_prompts(item, package, found)
    return found


def planned_trials(run_dir: Path) -> int:
    """How many trials the run was to play: packages times repeats; 0 if run.json cannot be read."""
    manifest = open_run(run_dir).manifest
    return len(manifest.settings.packages) * manifest.settings.trials if manifest else 0


def _package(item: AttemptFolder, there: dict[str, Path]) -> LoadedPackage | str:
    if item.package not in there:
        return "the package is not in the corpus"
    try:
        package = load_package(there[item.package])
    except RigError as exc:
        return f"the package cannot be read: {exc}"
    if item.attempt is not None and item.attempt.package_sha256 != package.sha256:
        return "the package has changed since"
    return package


def _objects(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def _notes_on(events: list[dict[str, Any]], screen: int) -> set[str]:
    """Keys of the retry notes that were given on one screen."""
    notes: set[str] = set()
    now: int | None = None
    for event in events:
        if event["kind"] == "screen":
            now = event["screen"]["seq"]
        elif event["kind"] == "move_rejected" and now == screen:
            notes.add(event["note"])
    return notes


def _check_prompts(item: AttemptFolder, package: LoadedPackage, found: Verification) -> int:
    """Render every request again from the events before it; the number of requests.

    Where an aborted attempt lost the screen of a request (a torn tail), that request cannot be checked.
    """
    started = [x for x in _objects(item.path / "prompts.jsonl") if x["kind"] == "model_call_started"]
    events = _objects(item.path / "events.jsonl")
    sections = Sections(locked_template())
    view = parse_json(view_bytes(package.view), "view")
    seen = {event["screen"]["seq"] for event in events if event["kind"] == "screen"}
    aborted = item.attempt is not None and item.attempt.termination_reason == "aborted"
    checked = 0
    for call in started:
        if aborted and call["screen"] not in seen:
            found.not_checked.append(f"{item.name}: the prompt of call {call['call']} (its screen was lost)")
            continue
        checked += 1
        replay = Replay(view)
        for event in events:
            past = replay.screen is not None and replay.screen["seq"] == call["screen"]
            if past and event["kind"] not in ("ledger", "slip", "page", "capture_failed"):
                break
            if event["kind"] != "move_rejected":
                replay.take(event)
        replay.note = call["retry_note"]
        if call["retry_note"] is not None and call["retry_note"] not in _notes_on(events, call["screen"]):
            found.problems.append(f"{item.name}: the retry note of call {call['call']} was never given")
        messages = replay.messages(sections)
        if canonical(call["request"]["messages"]) != canonical(messages):
            found.problems.append(f"{item.name}: the prompt of call {call['call']} is not what the record gives")
        elif call["request_sha256"] != sha256_hex(canonical({"messages": messages, "schema": replay.schema()})):
            found.problems.append(f"{item.name}: the request hash of call {call['call']} is not what the record gives")
    return checked
