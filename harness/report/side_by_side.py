"""Two runs on one page: what moved, and journeys side by side, turn by turn. Loads nothing, runs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from harness.errors import InputError
from harness.journal import AttemptFolder, open_run, read_attempt
from harness.record import write_whole
from harness.report.templates import environment
from harness.report.text import Marker, Shown
from harness.schema.events import Acted, Event, ReplySettled
from oracle_scoring.claims.talk import heard
from oracle_scoring.publish.pairs import Comparison, PackageMoves
from oracle_scoring.publish.show import shown
from oracle_scoring.templates import content_hash

MOST_JOURNEYS = 10
"""Packages shown side by side, unless they are named; the page says how many more moved."""
_ACTS = {
    "said": "says", "pressed": "presses", "filled": "fills in", "uploaded": "uploads", "signed_in": "signs in as",
    "waited": "waits",
}  # fmt: skip


@dataclass
class TurnView:
    """One turn of one journey."""

    customer: list[tuple[str, Shown]] = field(default_factory=list)
    """(what was done, words)."""
    product: list[Shown] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """All of it as recorded, by which turns are the same or not."""
    wait_s: float | None = None
    settled: bool = True


@dataclass(frozen=True)
class JourneyView:
    """One journey, turn by turn."""

    name: str
    ended: Shown
    turns: dict[int, TurnView]
    problem: str | None
    """Why it cannot be shown."""


@dataclass(frozen=True)
class PairView:
    """One package: what moved, and both journeys."""

    anchor: str
    moves: PackageMoves
    before: JourneyView
    now: JourneyView

    @property
    def rows(self) -> list[tuple[int, bool]]:
        """Turns of either journey, and whether other words were said in them."""
        turns = sorted({*self.before.turns, *self.now.turns})
        return [(turn, self._words(self.before, turn) != self._words(self.now, turn)) for turn in turns]

    @property
    def first_other(self) -> int | None:
        """The first turn in which other words were said."""
        return next((turn for turn, differs in self.rows if differs), None)

    @staticmethod
    def _words(journey: JourneyView, turn: int) -> list[str] | None:
        found = journey.turns.get(turn)
        return found.words if found else None


def write_comparison(found: Comparison, before: Path, now: Path, out: Path, packages: Sequence[str] = ()) -> Path:
    """Write the page.

    Args:
        found: the comparison.
        before: folder of the first run.
        now: folder of the second.
        out: the file to write.
        packages: those whose journeys are shown; none: those that moved, worst first.

    Raises:
        InputError: a package is not in the comparison.
    """
    known = {moves.package: moves for moves in found.packages}
    for package in packages:
        if package not in known:
            raise InputError(
                f"--package {package}", f"has no counting journey in both runs; there are {', '.join(known)}"
            )
    moved = sorted(
        (moves for moves in found.packages if moves.moves),
        key=lambda moves: (-moves.count("down"), -moves.count("up"), moves.package),
    )
    chosen = [known[package] for package in dict.fromkeys(packages)] or moved[:MOST_JOURNEYS]
    html = _render(found, before, now, chosen, 0 if packages else len(moved) - len(chosen))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, html.encode("utf-8"))
    return out


def _render(found: Comparison, before: Path, now: Path, chosen: Sequence[PackageMoves], not_shown: int) -> str:
    marker = Marker()
    folders = [{a.name: a for a in open_run(run).attempts} for run in (before, now)]
    pairs = [
        PairView(
            f"p{at}",
            moves,
            _journey(folders[0].get(f"{moves.package}/{moves.before}"), f"{moves.package}/{moves.before}", marker),
            _journey(folders[1].get(f"{moves.package}/{moves.now}"), f"{moves.package}/{moves.now}", marker),
        )
        for at, moves in enumerate(chosen, 1)
    ]
    templates = environment()
    css = "".join(templates.get_template(name).render() for name in ("report.css", "compare.css"))
    page: str = templates.get_template("compare.html.j2").render(
        css=Markup(css),  # noqa: S704 -- the package's own style sheets
        css_hash=content_hash(css),
        c=found,
        pairs=pairs,
        anchors={pair.moves.package: pair.anchor for pair in pairs},
        not_shown=not_shown,
        show=marker.show,
        number=shown,
    )
    return page


def _journey(folder: AttemptFolder | None, name: str, marker: Marker) -> JourneyView:
    if folder is None or folder.attempt is None or not folder.path.is_dir():
        return JourneyView(name, marker.show("not known"), {}, "the record of this journey is not there")
    record = read_attempt(folder)
    ended = f"{folder.attempt.termination_reason.replace('_', ' ')}: {folder.attempt.why}"
    problem = None if record.events.items else "no event can be read"
    return JourneyView(name, marker.show(ended), turns(record.events.items, marker), problem)


def turns(events: Sequence[Event], marker: Marker) -> dict[int, TurnView]:
    """What was done, said and waited for, by turn."""
    found: dict[int, TurnView] = {}
    for event in events:
        if isinstance(event, Acted):
            text = event.text if event.confirmed else f"{event.text} (not confirmed by the page)"
            turn = found.setdefault(event.turn, TurnView())
            turn.customer.append((_ACTS[event.act], marker.show(text)))
            turn.words.append(text)
        elif isinstance(event, ReplySettled):
            turn = found.setdefault(event.turn, TurnView())
            turn.wait_s = (turn.wait_s or 0.0) + event.total_ms / 1000
            turn.settled = turn.settled and event.settled
    for spoken in heard(events):
        turn = found.setdefault(spoken.turn, TurnView())
        turn.product.append(marker.show(spoken.text))
        turn.words.append(spoken.text)
    return found
