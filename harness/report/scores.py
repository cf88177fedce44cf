"""Score lines in the order a reader needs them, each with the places it can be seen at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.report.evidence import EvidenceFile, FieldQuote
from harness.report.text import Marker, Quote, Shown, plain
from harness.schema.scorecard import Evidence, LineState, Measure, Scorecard, ScoreLine

STATE_ORDER: tuple[LineState, ...] = ("fail", "not_checked", "needs_human", "unimplemented", "pass", "not_applicable")
UNKNOWN: frozenset[LineState] = frozenset(("not_checked", "needs_human", "unimplemented"))
STATE_WORDS: Mapping[LineState, tuple[str, str]] = {
    "fail": ("✘", "FAIL"),
    "not_checked": ("?", "NOT CHECKED"),
    "needs_human": ("?", "NEEDS A PERSON"),
    "unimplemented": ("?", "NOT BUILT YET"),
    "pass": ("✔", "pass"),
    "not_applicable": ("–", "does not apply"),
}


@dataclass(frozen=True)
class EvidenceLink:
    """One place a verdict rests on."""

    href: str | None
    """`#…` inside the page; None if the place is not in it."""
    label: str
    quote: Shown | None
    problem: str | None
    """Why the place cannot be shown, or that the quote is not there."""


@dataclass(frozen=True)
class LineView:
    """One score line."""

    id: str
    anchor: str
    title: Shown
    state: LineState
    symbol: str
    word: str
    group: str
    referee: str
    alarm: str | None
    expected: Shown | None
    got: Shown | None
    why: Shown
    evidence: tuple[EvidenceLink, ...]


@dataclass(frozen=True)
class MeasureView:
    """One number beside the verdicts."""

    title: Shown
    value: str
    note: Shown | None


@dataclass(frozen=True)
class CardView:
    """One scorecard, fails first."""

    failed: tuple[LineView, ...]
    unknown: tuple[LineView, ...]
    passed: tuple[LineView, ...]
    not_applicable: tuple[LineView, ...]
    measures: tuple[MeasureView, ...]

    @property
    def count(self) -> int:
        """Number of lines."""
        return len(self.failed) + len(self.unknown) + len(self.passed) + len(self.not_applicable)


def event_quotes(card: Scorecard | None, prefix: str) -> dict[int, list[Quote]]:
    """By event number, the quotes that score lines take from it; those of failed lines first."""
    found: dict[int, list[Quote]] = {}
    for quote, evidence in _quoted(card, prefix):
        if evidence.event is not None:
            found.setdefault(evidence.event, []).append(quote)
    return found


def file_quotes(card: Scorecard | None, prefix: str) -> dict[str, list[FieldQuote]]:
    """By file name, the quotes that score lines take from it."""
    found: dict[str, list[FieldQuote]] = {}
    for quote, evidence in _quoted(card, prefix):
        if evidence.event is None and evidence.file is not None:
            found.setdefault(evidence.file, []).append(FieldQuote(evidence.path, quote))
    return found


def _quoted(card: Scorecard | None, prefix: str) -> list[tuple[Quote, Evidence]]:
    ordered = _ordered(card.lines) if card else []
    return [
        (Quote(evidence.quote, f"{prefix}-q{at}-{number}", line.state == "fail"), evidence)
        for at, line in ordered
        for number, evidence in enumerate(line.evidence)
        if evidence.quote
    ]


def _ordered(lines: Sequence[ScoreLine]) -> list[tuple[int, ScoreLine]]:
    """(place in the scorecard, line), fails first, then unknown, then pass."""
    return sorted(enumerate(lines), key=lambda pair: (STATE_ORDER.index(pair[1].state), pair[0]))


def failed_events(card: Scorecard | None, prefix: str) -> list[tuple[int, str, str]]:
    """(event number, anchor of the score line, its id) for every event a failed line rests on."""
    return [
        (evidence.event, f"{prefix}-l{at}", line.id)
        for at, line in (_ordered(card.lines) if card else [])
        if line.state == "fail"
        for evidence in line.evidence
        if evidence.event is not None
    ]


class CardBuilder:
    """Makes the view of one scorecard once everything it points to has been built.

    Args:
        prefix: what all anchors of this attempt start with.
        marker: knows which quotes found their place.
        turn_of_event: by event number, its turn; events that are not in the record are not in it.
        files: evidence files that stand in the page, by name.
        pictures: by file name, the anchor of a picture that stands in the page.
    """

    def __init__(
        self,
        prefix: str,
        marker: Marker,
        turn_of_event: Mapping[int, int],
        files: Mapping[str, EvidenceFile],
        pictures: Mapping[str, str],
    ) -> None:
        self.prefix, self.marker, self.turn_of_event = prefix, marker, turn_of_event
        self.files, self.pictures = files, pictures

    def build(self, card: Scorecard) -> CardView:
        """The scorecard's lines by state, and its measures."""
        views = [self._line(at, line) for at, line in _ordered(card.lines)]
        return CardView(
            tuple(v for v in views if v.state == "fail"),
            tuple(v for v in views if v.state in UNKNOWN),
            tuple(v for v in views if v.state == "pass"),
            tuple(v for v in views if v.state == "not_applicable"),
            tuple(self._measure(m) for m in card.measures),
        )

    def _line(self, at: int, line: ScoreLine) -> LineView:
        symbol, word = STATE_WORDS[line.state]
        alarm = {"false_alarm": "false alarm", "miss": "missed", None: None}[line.alarm]
        return LineView(
            line.id,
            f"{self.prefix}-l{at}",
            self.marker.show(line.title),
            line.state,
            symbol,
            word,
            line.group.replace("_", " "),
            line.referee,
            alarm,
            None if line.expected is None else self.marker.show(line.expected),
            None if line.got is None else self.marker.show(line.got),
            self.marker.show(line.why),
            tuple(self._link(f"{self.prefix}-q{at}-{n}", evidence) for n, evidence in enumerate(line.evidence)),
        )

    def _link(self, quote_anchor: str, evidence: Evidence) -> EvidenceLink:
        href, label, problem = self._place(evidence)
        quote = self.marker.show(evidence.quote) if evidence.quote else None
        if quote is not None and quote_anchor in self.marker.placed:
            href = f"#{self.marker.placed[quote_anchor]}"
        elif quote is not None and href is not None:
            problem = "these words are not marked there"
        return EvidenceLink(href, label, quote, problem)

    def _place(self, evidence: Evidence) -> tuple[str | None, str, str | None]:
        if evidence.event is not None:
            if evidence.event not in self.turn_of_event:
                return None, f"event {evidence.event}", "this event is not in the record"
            turn = self.turn_of_event[evidence.event]
            return f"#{self.prefix}-e{evidence.event}", f"turn {turn}, event {evidence.event}", None
        name = evidence.file or "?"
        label = f"{name} · {evidence.path}" if evidence.path else name
        if name in self.pictures:
            return f"#{self.pictures[name]}", label, None
        file = self.files.get(name)
        if file is None:
            return None, label, None
        if file.problem is not None:
            return f"#{file.anchor}", label, file.problem
        place = file.anchor_of(evidence.path)
        return f"#{place}", label, None if place != file.anchor or not evidence.path else "no such field in the file"

    def _measure(self, measure: Measure) -> MeasureView:
        value = "no value" if measure.value is None else plain(number(measure.value, measure.unit), 60)
        return MeasureView(
            self.marker.show(measure.title), value, self.marker.show(measure.note) if measure.note else None
        )


def number(value: float, unit: str) -> str:
    """A measure for people; milliseconds become seconds."""
    if unit == "ms":
        value, unit = value / 1000, "s"
    text = f"{value:,.1f}" if unit == "s" or value != int(value) else f"{int(value):,}"
    return f"{text} {unit}" if unit not in ("", "count", "1") else text
