"""All attempts of a run scored, written once per key, with a summary beside them."""

from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from harness.errors import InputError
from harness.schema.package import LABELS, find_packages
from harness.schema.run import RunManifest, trial_number
from harness.schema.scorecard import LineState, Scorecard
from harness.schema.strict_json import canonical, parse_json, read_bytes, read_model, sha256_hex
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.claims.version import RUBRIC, SCORING_VERSION
from oracle_scoring.files import write_atomically
from oracle_scoring.kleene import STATES, count
from oracle_scoring.numbers import percentile
from oracle_scoring.record import attempts_of

SUMMARY = "summary.json"


def score_run(run_dir: Path, packages_root: Path) -> list[Scorecard]:
    """Scores every finished attempt of the run and writes scorecards and summary.

    They go to `scores/claims-<scoring version>-<oracle sha8>/<package>/t01-a01.json` below the run; the summary stands in
    the folder of the key. A file that is there already and says the same is left alone.

    Returns:
        The scorecards, by package, trial and attempt; those of attempts that do not count among them.

    Raises:
        InputError: something is not what it should be, or a file of the same key says something else.
    """
    manifest = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json")
    packages = _claims_packages(sorted(manifest.settings.packages), packages_root)
    oracles = {p: sha256_hex(read_bytes(folder / LABELS, f"{p}/{LABELS}")) for p, folder in packages.items()}
    if not packages:
        return []
    target = run_dir / "scores" / score_key(oracles)
    cards: list[Scorecard] = []
    unfinished: list[str] = []
    for package, folder in packages.items():
        for attempt_dir in attempts_in(run_dir / package):
            name = f"{package}/{attempt_dir.parent.name}/{attempt_dir.name}"
            if not (attempt_dir / "attempt.json").is_file():
                unfinished.append(name)
                continue
            card = score_attempt(attempt_dir, folder)
            write_once(target / package / f"{attempt_dir.parent.name}-{attempt_dir.name}.json", card_bytes(card))
            cards.append(card)
    _write_summary(target / SUMMARY, summarise(cards, unfinished, oracles, manifest.run))
    return cards


def left_out(run_dir: Path, packages_root: Path) -> list[str]:
    """The run's packages that are no claims: `oracle_scoring.inquiry.card` scores their conversations.

    Raises:
        InputError: the run cannot be read, or a package of it is not in this corpus.
    """
    wanted = sorted(read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json").settings.packages)
    claims = _claims_packages(wanted, packages_root)
    return [package for package in wanted if package not in claims]


def card_bytes(card: Scorecard) -> bytes:
    """The one byte form of a scorecard."""
    return canonical(card.model_dump(mode="json", by_alias=True)) + b"\n"


def score_key(oracles: dict[str, str], rubric: str = RUBRIC, version: str = SCORING_VERSION) -> str:
    """Folder name of a scoring: rubric, version, and eight characters that stand for the oracles.

    For one package these are the first of its oracle's hash, for several the first of a hash over all of them.
    """
    only = next(iter(oracles.values())) if len(oracles) == 1 else sha256_hex(canonical(oracles))
    return f"{rubric}-{version}-{only[:8]}"


def _claims_packages(wanted: Iterable[str], root: Path) -> dict[str, Path]:
    """Folders of the run's claims packages; packages of other kinds are left out."""
    below = {} if (root / next(iter(wanted), "")).is_dir() else find_packages(root, None)
    found: dict[str, Path] = {}
    for package in wanted:
        folder = below.get(package, root / package)
        if not folder.is_dir():
            raise InputError(f"{root.name}/{package}", "the run's package is not in this corpus")
        if package not in below or folder.parent.name == "claims":
            found[package] = folder
    return found


def attempts_in(package_dir: Path) -> list[Path]:
    """Every attempt of a package of the run, by trial and number."""
    if not package_dir.is_dir():
        return []
    trials = {n: p for p in package_dir.iterdir() if p.is_dir() and (n := trial_number(p.name)) is not None}
    return [attempt for n in sorted(trials) for attempt in attempts_of(trials[n])]


def write_once(path: Path, data: bytes) -> None:
    """The file holds `data`, whole or not at all; a file that holds something else is an InputError."""
    if path.exists():
        if path.read_bytes() != data:
            why = "holds other scores under the same key: record, package or scoring changed without a new version"
            raise InputError(str(path), why)
        return
    _replace(path, data)


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)


def _write_summary(path: Path, summary: dict[str, Any]) -> None:
    """Replaced when attempts were added since; otherwise as any other file of the key."""
    data = canonical(summary) + b"\n"
    if path.exists() and path.read_bytes() != data:
        old = parse_json(path.read_bytes(), path.name)
        before = {a["name"] for a in old.get("attempts", [])} if isinstance(old, dict) else set()
        now = {a["name"] for a in summary["attempts"]}
        if before < now or (before == now and old.get("unfinished") != summary["unfinished"]):
            _replace(path, data)
            return
    write_once(path, data)


def summarise(cards: list[Scorecard], unfinished: list[str], oracles: dict[str, str], run: str) -> dict[str, Any]:
    """Counts over the attempts that count; the others are listed by name and reason, and are in no count."""
    counting = [c for c in cards if c.counting]
    ids = list(dict.fromkeys(line.id for card in counting for line in card.lines))
    by_line = {i: count(line.state for card in counting for line in card.lines if line.id == i) for i in ids}
    review = [line for card in counting for line in card.lines if line.group == "review"]
    return {
        "schema": "score-summary-v1",
        "run": run,
        "rubric": RUBRIC,
        "scoring_version": SCORING_VERSION,
        "oracles": oracles,
        "attempts": [
            {
                "name": _name(c),
                "counting": c.counting,
                "termination_reason": c.termination_reason,
                "grade": c.grade,
                "totals": c.totals,
            }
            for c in cards
        ],
        "not_counting": [
            {"name": _name(c), "termination_reason": c.termination_reason} for c in cards if not c.counting
        ],
        "unfinished": unfinished,
        "counted": len(counting),
        "totals": {s: sum(c.totals[s] for c in counting) for s in STATES},
        "lines": {i: {"states": states, "rate": _rate(states)} for i, states in by_line.items()},
        "review": {
            "false_alarms": sum(line.alarm == "false_alarm" for line in review if line.id != "review.required"),
            "misses": sum(line.alarm == "miss" for line in review if line.id != "review.required"),
            "required_false_alarms": sum(x.alarm == "false_alarm" for x in review if x.id == "review.required"),
            "required_misses": sum(x.alarm == "miss" for x in review if x.id == "review.required"),
            "innocent_controls": _controls(counting),
            "product_not_checked": sum(_measure(c, "review_not_checked") for c in counting),
        },
        "not_built": {line.id: line.why for card in counting for line in card.lines if line.state == "unimplemented"},
        "measures": {name: _spread(counting, name) for name in SPREADS},
        "stuck": [
            {"name": _name(c), "turn": int(m.value), "why": m.note}
            for c in counting
            for m in c.measures
            if m.id == "stuck_in_turn" and m.value is not None
        ],
    }


SPREADS = (
    "messages_sent", "questions_asked", "repeated_questions", "nothing_to_do_replies", "retries", "turn_median_ms",
    "turn_p95_ms", "turn_longest_ms", "wait_product_ms", "wait_customer_ms", "wait_rig_ms", "wall_ms", "person_journey_ms",
)  # fmt: skip
"""Measures whose spread over the attempts stands in the summary."""


def _spread(cards: list[Scorecard], name: str) -> dict[str, Any]:
    """Median, 95th percentile and largest value over the attempts that have one; how many have none stands beside."""
    found = [next((m for m in c.measures if m.id == name), None) for c in cards]
    values = [m.value for m in found if m is not None and m.value is not None]
    some = {"median": median(values), "p95": percentile(values, 0.95), "max": max(values)} if values else {}
    return {"n": len(values), "without": len(cards) - len(values), **some}


def _name(card: Scorecard) -> str:
    return f"{card.package}/t{card.trial:02d}/a{card.attempt:02d}"


def _rate(states: dict[LineState, int]) -> dict[str, int]:
    """Numerator and denominator; only pass and fail are in it."""
    return {"passed": states["pass"], "of": states["pass"] + states["fail"]}


def _controls(cards: list[Scorecard]) -> dict[str, int]:
    lines = [x for c in cards if c.innocent_control for x in c.lines if x.id == "review.required"]
    found = {"n": len(lines), "false_alarms": sum(x.alarm == "false_alarm" for x in lines)}
    found.update({str(state): n for state, n in count(x.state for x in lines).items()})
    return found


def _measure(card: Scorecard, name: str) -> int:
    return int(next((m.value for m in card.measures if m.id == name and m.value is not None), 0))
