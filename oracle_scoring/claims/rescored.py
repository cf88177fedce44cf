"""A run scored again: what an earlier scoring said beside what this one says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import InputError, one_line
from harness.schema.scorecard import Scorecard, ScoreLine
from harness.schema.strict_json import read_model
from oracle_scoring.claims.version import RUBRIC

SCORES = "scores"
_KEY = re.compile(r"(?P<rubric>[a-z0-9_]+)-(?P<version>.+)-[0-9a-f]{8}")


@dataclass(frozen=True)
class Rescored:
    """A line that two scorings decide otherwise, or about other values."""

    attempt: str
    """`package/t01/a01`."""
    line: str
    before: str | None
    """State; None: there was no such line."""
    now: str | None
    got_before: str | None
    got_now: str | None
    why: str
    """Of the line as it is now, or else as it was."""


@dataclass(frozen=True)
class Again:
    """Two scorings of one run side by side."""

    key: str
    """Of the earlier one."""
    compared: int
    """Attempts that both have scored."""
    alike: int
    """Lines of these that say the same in both."""
    only_now: list[str]
    """Attempts that the earlier scoring does not have."""
    differences: list[Rescored]

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {**self.__dict__, "differences": [vars(d) for d in self.differences]}


def earlier_key(run_dir: Path, asked: str | None, rubric: str = RUBRIC) -> str | None:
    """Name of the earlier scoring by a rubric that is meant; None if the one named is by another, or there is none.

    The newest is the one of the highest scoring version, of equal ones the one that was written last. Ask before the run is
    scored again: a scoring of the same version and the same answers is the earlier one, too.

    Raises:
        InputError: the run has no scoring of the name that was asked for.
    """
    folder = run_dir / SCORES
    there = [p for p in folder.iterdir() if p.is_dir() and _KEY.fullmatch(p.name)] if folder.is_dir() else []
    if asked is not None:
        name = Path(asked).name
        if name not in {p.name for p in there}:
            names = ", ".join(sorted(p.name for p in there)) or "none"
            raise InputError(f"--against {asked}", f"the run has no such scoring; there are {names}")
        return name if _rubric(name) == rubric else None
    there = [p for p in there if _rubric(p.name) == rubric]
    newest = max(there, key=lambda p: (_version(p.name), p.stat().st_mtime_ns, p.name), default=None)
    return None if newest is None else newest.name


def _rubric(key: str) -> str:
    match = _KEY.fullmatch(key)
    return match["rubric"] if match else ""


def _version(key: str) -> tuple[int, ...]:
    match = _KEY.fullmatch(key)
    return tuple(int(part) for part in re.findall(r"\d+", match["version"])) if match else ()


def against_earlier(run_dir: Path, key: str | None, now: Sequence[Scorecard]) -> Again | None:
    """The run's scorecards held against those of an earlier scoring; None if there is none.

    Raises:
        InputError: an earlier scorecard cannot be read.
    """
    if key is None:
        return None
    alike, compared = 0, 0
    only_now: list[str] = []
    found: list[Rescored] = []
    for card in now:
        name = f"{card.package}/t{card.trial:02d}/a{card.attempt:02d}"
        path = run_dir / SCORES / key / card.package / f"t{card.trial:02d}-a{card.attempt:02d}.json"
        if not path.is_file():
            only_now.append(name)
            continue
        before = read_model(Scorecard, path, f"{key}/{card.package}/{path.name}")
        compared += 1
        for line_id, old, new in _pairs(before, card):
            if old is not None and new is not None and (old.state, old.got) == (new.state, new.got):
                alike += 1
                continue
            found.append(
                Rescored(
                    name, line_id, old.state if old else None, new.state if new else None, old.got if old else None,
                    new.got if new else None, (new or old).why if new or old else "",  # type: ignore[union-attr]
                )
            )  # fmt: skip
    return Again(key, compared, alike, only_now, found)


def _pairs(before: Scorecard, now: Scorecard) -> Iterator[tuple[str, ScoreLine | None, ScoreLine | None]]:
    old, new = ({line.id: line for line in card.lines} for card in (before, now))
    for line_id in dict.fromkeys([*old, *new]):
        yield line_id, old.get(line_id), new.get(line_id)


def rescored_lines(again: Again) -> list[str]:
    """The two side by side for a person: only what differs, and how much does not."""
    rows = [
        f"against {again.key}: {len(again.differences)} lines differ, {again.alike} say the same "
        f"({again.compared} attempts in both)"
    ]
    if again.only_now:
        rows.append(f"  not in it: {len(again.only_now)} attempts")
    for d in again.differences:
        values = f" ({d.got_before or 'nothing'} / {d.got_now or 'nothing'})" if d.got_before != d.got_now else ""
        text = f"{d.attempt} {d.line}: {d.before or 'no line'} before, {d.now or 'no line'} now{values}: {d.why}"
        rows.append("  " + one_line(text, 300))
    return rows
