"""Faults against score lines: what the planted fault moved, beside what the well-behaved product's scorecard says."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from harness.schema.base import Strict
from harness.schema.product import SwitchableDefect

Verdict = Literal["found", "missed", "not_applicable", "not_played", "awaits_judge"]


class Line(Protocol):
    """A decided line."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def state(self) -> str:
        """What came out."""

    @property
    def why(self) -> str:
        """One sentence."""


class Card(Protocol):
    """One scored attempt: a scorecard, or the metrics of a conversation."""

    @property
    def trial(self) -> int:
        """Number of the trial."""

    @property
    def lines(self) -> Sequence[Line]:
        """All lines."""


class Moved(Strict):
    """A line whose state is another than that of the well-behaved product."""

    line: str
    sound: str | None
    """State without the fault; None: there was no such line."""
    now: str | None
    declared: str | None
    """Why it rightly moves with the fault; None: nobody said that it does."""


class Row(Strict):
    """One fault in one package."""

    defect: str
    package: str
    expected_line: str
    """The line that failed by it; where none did, the declared one or its pattern."""
    verdict: Verdict
    found: bool | None
    """None: it was not played, or cannot show here."""
    also_moved: list[Moved]
    why: str
    attempt: str | None = None
    """Folder of the attempt below the calibration."""

    @property
    def undeclared(self) -> list[Moved]:
        """False alarms: lines that moved and were neither expected nor declared."""
        return [m for m in self.also_moved if m.declared is None]


class Matrix(Strict):
    """What a calibration found."""

    rows: list[Row]
    sound: list[str]
    """What is wrong with the well-behaved product's scorecards; empty: nothing fails, and all trials agree."""
    nowhere: list[str]
    """Faults that cannot show in any package of the corpus; those that only a judge can tell are not among them."""
    unplayed: list[str]
    """Faults (or `sound`) and packages that were to be played and have no counting attempt."""

    @property
    def missed(self) -> list[Row]:
        """Rows in which the fault was not named by its line."""
        return [row for row in self.rows if row.verdict == "missed"]

    @property
    def false_alarms(self) -> list[Row]:
        """Rows in which a line moved that nobody had declared."""
        return [row for row in self.rows if row.undeclared]

    @property
    def awaiting(self) -> list[tuple[str, str]]:
        """Faults that no rule can tell, each with the line that a judge decides."""
        return list(dict.fromkeys((r.defect, r.expected_line) for r in self.rows if r.verdict == "awaits_judge"))

    @property
    def exit_code(self) -> int:
        """0: every fault was named by its line and by no other; 1: it was not; 4: not all could be played."""
        if self.missed or self.false_alarms or self.sound or self.nowhere:
            return 1
        return 4 if self.unplayed or not any(row.found for row in self.rows) else 0


def states(card: Card) -> dict[str, str]:
    """Line -> state."""
    return {line.id: line.state for line in card.lines}


def expected_lines(patterns: Sequence[str], lines: Iterable[str]) -> tuple[str, list[str]]:
    """The first pattern that a scorecard has lines of, and those lines; the first pattern and none if it has none of any."""
    ids = list(lines)
    for pattern in patterns:
        if matching := [i for i in ids if fnmatchcase(i, pattern)]:
            return pattern, matching
    return patterns[0], []


def compare(
    defect: SwitchableDefect, package: str, sound: Card, bent: Card, attempt: str, fails_only: bool = False
) -> Row:
    """What one fault moved in one package.

    The fault is found if exactly the line that names it fails now and did not before; of a pattern one line does. All other
    lines that differ are `also_moved`.

    Args:
        defect: the fault.
        package: where it was played.
        sound: what the well-behaved product got there.
        bent: what came out with the fault.
        attempt: folder of the attempt.
        fails_only: a line moves by failing, or by failing no more: where lines have occasions, whether one comes up depends
            on the course that a conversation takes.
    """
    before, after = states(sound), states(bent)
    pattern, own = expected_lines(defect.lines, {**before, **after})
    moved = [
        i
        for i in {**before, **after}
        if before.get(i) != after.get(i) and (not fails_only or "fail" in (before.get(i), after.get(i)))
    ]
    named = [i for i in own if i in moved and after.get(i) == "fail"]
    line = named[0] if named else pattern
    if not named:
        if not own:
            why = "no scorecard has such a line"
        else:
            why = "; ".join(
                f"{i} is {after.get(i, 'gone')}, without the fault {before.get(i, 'not there')}" for i in own
            )
    else:
        why = next(one.why for one in bent.lines if one.id == line)
    return Row(
        defect=defect.name,
        package=package,
        expected_line=line,
        verdict="found" if named else "missed",
        found=bool(named),
        also_moved=[
            Moved(line=i, sound=before.get(i), now=after.get(i), declared=_declared(defect.follows, i))
            for i in moved
            if i != line
        ],
        why=why,
        attempt=attempt,
    )


def _declared(follows: Mapping[str, str], line: str) -> str | None:
    return next((why for pattern, why in follows.items() if fnmatchcase(line, pattern)), None)


def sound_problems(cards: Mapping[str, Sequence[Card]]) -> list[str]:
    """Lines that fail without any fault, and lines that are not the same in all trials of a package.

    Args:
        cards: counting scorecards of the well-behaved product by package, one for each trial.
    """
    found: list[str] = []
    for package, trials in sorted(cards.items()):
        for card in trials:
            failing = [f"{line.id} ({line.why})" for line in card.lines if line.state == "fail"]
            found += [f"{package} trial {card.trial}: {line}" for line in failing]
        first = states(trials[0]) if trials else {}
        for card in trials[1:]:
            now = states(card)
            other = sorted(i for i in {**first, **now} if first.get(i) != now.get(i))
            found += [
                f"{package} trial {card.trial}: {i} is {now.get(i)}, in the first trial {first.get(i)}" for i in other
            ]
    return found


def judge(
    planned: Mapping[str, Sequence[str]],
    applies: Mapping[str, Sequence[str]],
    defects: Sequence[SwitchableDefect],
    packages: Sequence[str],
    played: Mapping[tuple[str, str], tuple[Card, str]],
    sound: Mapping[str, Sequence[Card]],
    awaiting: frozenset[str] = frozenset(),
    fails_only: bool = False,
) -> Matrix:
    """The matrix of all faults and the packages looked at.

    Args:
        planned: fault -> packages in which it was to be played.
        applies: fault -> packages of the whole corpus in which it can show.
        defects: the faults.
        packages: those of the calibration, in order.
        played: fault and package -> counting scorecard, and the attempt's folder.
        sound: package -> counting scorecards of the well-behaved product.
        awaiting: lines that no rule decides.
        fails_only: as for `compare`.
    """
    rows: list[Row] = []
    unplayed = [f"sound in {p}" for p in packages if not sound.get(p) and any(p in x for x in planned.values())]
    for defect in defects:
        for package in packages:
            if awaiting.issuperset(defect.lines):
                rows.append(_without(defect, package, "awaits_judge", "no rule decides this line; a judge does"))
            elif package not in applies[defect.name]:
                rows.append(_without(defect, package, "not_applicable", f"it needs {' and '.join(defect.needs)}"))
            elif package not in planned[defect.name]:
                rows.append(_without(defect, package, "not_played", "the short form plays each fault once"))
            elif (defect.name, package) not in played or not sound.get(package):
                unplayed.append(f"{defect.name} in {package}")
                rows.append(_without(defect, package, "not_played", "there is no counting attempt"))
            else:
                card, attempt = played[defect.name, package]
                rows.append(compare(defect, package, sound[package][0], card, attempt, fails_only))
    nowhere = [d.name for d in defects if not applies[d.name] and not awaiting.issuperset(d.lines)]
    return Matrix(rows=rows, sound=sound_problems(sound), nowhere=nowhere, unplayed=unplayed)


def _without(defect: SwitchableDefect, package: str, verdict: Verdict, why: str) -> Row:
    return Row(
        defect=defect.name,
        package=package,
        expected_line=defect.lines[0],
        verdict=verdict,
        found=None,
        also_moved=[],
        why=why,
    )
