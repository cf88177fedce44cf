"""Blinded pairs of journeys: the same package, two agents, sides and order by a seed, names struck out."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

from harness.errors import InputError
from harness.schema.events import TerminationReason
from harness.schema.package import PACKAGE_ID
from harness.schema.run import RunManifest, trial_number
from harness.schema.strict_json import read_model, sha256_hex
from oracle_scoring.gsb.models import BlindLine, BlindPair, Key, KeyPair
from oracle_scoring.record import Record, attempts_of, read_record
from oracle_scoring.transcript import transcript

STRUCK = "▮▮▮"
SHORTEST_NAME = 3
"""Shorter names would strike out ordinary words."""


@dataclass(frozen=True)
class Made:
    """Pairs and their key."""

    pairs: list[BlindPair]
    key: Key
    pairs_bytes: bytes


@dataclass(frozen=True)
class _Side:
    agent: str
    where: str
    lines: list[BlindLine]


@dataclass(frozen=True)
class _Agent:
    name: str
    packages: dict[str, str]
    """Package -> hash of its files."""
    sides: dict[tuple[str, int], _Side]
    """Package and trial -> journey."""
    hidden: list[str]


def make_pairs(runs: Sequence[Path], rng_seed: int = 1, hide: Iterable[str] = ()) -> Made:
    """A pair for every package and trial that two runs both have a counting attempt of.

    The same runs, seed and words give the same bytes.

    Args:
        runs: folders of two runs or more; each is an agent, named by its folder.
        rng_seed: seed of sides and order.
        hide: words to strike out beside the names of adapters, products, models and hosts.

    Raises:
        InputError: a run cannot be read, two have one name, or there is nothing to pair.
    """
    if len(runs) < 2:
        raise InputError("rig gsb make", "wants two runs or more")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise InputError("rig gsb make", "two of the runs have the same name")
    agents = [_read(run) for run in runs]
    words = sorted({w.strip() for w in [*hide, *(w for a in agents for w in a.hidden)]} - {""})
    left_out: list[str] = []
    matched: list[tuple[str, _Side, _Side]] = []
    for one, other in combinations(sorted(agents, key=lambda a: a.name), 2):
        matched += _match(one, other, left_out)
    if not matched:
        raise InputError("rig gsb make", f"no two runs have a journey of the same package; {'; '.join(left_out[:3])}")
    pairs, rows = _drawn(matched, random.Random(f"gsb {rng_seed}"), _striker(words))  # noqa: S311 - to be drawn again
    data = "".join(pair.model_dump_json() + "\n" for pair in pairs).encode()
    key = Key(
        schema="gsb-key-v1", rng_seed=rng_seed, pairs_sha256=sha256_hex(data), agents=sorted(names), hidden_words=words,
        left_out=left_out, pairs=rows,
    )  # fmt: skip
    return Made(pairs, key, data)


def _read(run: Path) -> _Agent:
    manifest = read_model(RunManifest, run / "run.json", f"{run.name}/run.json")
    sides: dict[tuple[str, int], _Side] = {}
    for package in sorted(manifest.settings.packages):
        below = run / package
        if not PACKAGE_ID.match(package) or not below.is_dir():
            continue
        for trial in sorted(below.iterdir()):
            number = trial_number(trial.name)
            for attempt in attempts_of(trial) if number is not None else []:
                if (attempt / "attempt.json").is_file() and (record := read_record(attempt)).counting:
                    sides[package, number or 0] = _Side(run.name, _where(record), _lines(record))
    hosts = [urlsplit(manifest.settings.base_url).netloc]
    runtime = manifest.runtime
    hidden = [manifest.settings.adapter, runtime.product, runtime.model or "", *hosts]
    return _Agent(run.name, dict(manifest.settings.packages), sides, [w for w in hidden if len(w) >= SHORTEST_NAME])


def _where(record: Record) -> str:
    return "/".join(record.folder.absolute().parts[-4:])


def _lines(record: Record) -> list[BlindLine]:
    said = [BlindLine(speaker=x.speaker, text=x.text, deed=x.deed) for x in transcript(record.events)]
    return [*said, BlindLine(speaker="record", text=_ENDED[record.attempt.termination_reason], deed=True)]


_ENDED: dict[TerminationReason, str] = {
    "completed": "The journey reached its end.",
    "customer_left": "The customer left.",
    "nothing_to_do": "The customer had nothing left to do.",
    "turn_limit": "The journey was stopped after its longest number of turns.",
    "time_limit": "The journey was stopped after its longest time.",
    "product_error": "The product failed.",
}
"""Of journeys that count; what others ended by is not the product's."""


def _match(one: _Agent, other: _Agent, left_out: list[str]) -> list[tuple[str, _Side, _Side]]:
    found = []
    for place in sorted({*one.sides, *other.sides}):
        package, trial = place
        name = f"{package}/t{trial:02d}"
        if one.packages.get(package) != other.packages.get(package):
            if package in one.packages and package in other.packages:
                left_out.append(f"{name} of {one.name} and {other.name}: the package is not the same")
            else:
                left_out.append(f"{name}: only one of {one.name} and {other.name} played it")
        elif place not in one.sides or place not in other.sides:
            who = other.name if place in one.sides else one.name
            left_out.append(f"{name}: {who} has no counting attempt")
        else:
            found.append((package, one.sides[place], other.sides[place]))
    return found


def _drawn(
    matched: list[tuple[str, _Side, _Side]], rng: random.Random, strike: Callable[[list[BlindLine]], list[BlindLine]]
) -> tuple[list[BlindPair], list[KeyPair]]:
    """Half of the pairs of two agents with either on the left, all in a random order."""
    turned: dict[tuple[str, str], list[bool]] = {}
    for _, one, other in matched:
        turned.setdefault((one.agent, other.agent), []).append(len(turned.get((one.agent, other.agent), [])) % 2 == 1)
    for sides in turned.values():
        rng.shuffle(sides)
    drawn = []
    for package, one, other in matched:
        left, right = (other, one) if turned[one.agent, other.agent].pop() else (one, other)
        drawn.append((package, left, right))
    rng.shuffle(drawn)
    pairs, rows = [], []
    for number, (package, left, right) in enumerate(drawn, 1):
        pair = f"P{number:04d}"
        pairs.append(BlindPair(pair=pair, task_id=package, left=strike(left.lines), right=strike(right.lines)))
        rows.append(
            KeyPair(
                pair=pair, left=left.agent, right=right.agent, left_attempt=left.where, right_attempt=right.where
            )
        )  # fmt: skip
    return pairs, rows


def _striker(words: Sequence[str]) -> Callable[[list[BlindLine]], list[BlindLine]]:
    """Strikes the words out; of words in Latin letters whole ones only, whatever their case."""
    if not words:
        return lambda lines: lines
    names = re.compile("|".join(_whole(w) for w in sorted(words, key=len, reverse=True)), re.IGNORECASE)
    return lambda lines: [line.model_copy(update={"text": names.sub(STRUCK, line.text)}) for line in lines]


def _whole(word: str) -> str:
    before = "(?<![0-9A-Za-z])" if word[0].isascii() and word[0].isalnum() else ""
    after = "(?![0-9A-Za-z])" if word[-1].isascii() and word[-1].isalnum() else ""
    return f"{before}{re.escape(word)}{after}"
