"""What a run of many attempts comes to: what failed, by kind and with links, and how numbers are spread."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from harness.report.rows import ListRow
from harness.report.run_charts import Spread, review_chart, spread_chart
from harness.report.scores import UNKNOWN
from harness.report.text import Marker, Shown, plain
from harness.schema.human import LEVELS
from harness.schema.scorecard import Scorecard, ScoreLine

SHOWN_REFS = 6
"""Attempts named at each kind; the list has them all."""
FINISHED = "completed"
QUESTION_LIMIT = 10
"""A product is to ask fewer questions than this (acceptance of the claims product)."""
MINUTES_S = 300.0
"""A notice is to take less than five minutes."""
REVIEW_PREFIX, REVIEW_WHOLE = "review.", "review.required"
TRIAGE = "triage.level"


@dataclass(frozen=True)
class Ref:
    """One attempt, by name."""

    name: str
    href: str | None


@dataclass(frozen=True)
class Kind:
    """One way to fail or to end, and the attempts it happened in."""

    id: str
    title: Shown | None
    count: int
    of: int
    """Counting attempts that were decided on the line; all of them for endings."""
    first: int
    """In so many attempts no other failed line has earlier evidence."""
    note: str
    refs: tuple[Ref, ...]
    pick: int | None
    """Place in the list's filter; None where there is none."""


@dataclass(frozen=True)
class Unknown:
    """One line that was not decided in some attempts."""

    id: str
    not_checked: int
    needs_human: int
    unimplemented: int


@dataclass(frozen=True)
class Confusion:
    """Levels of triage: rows as the answers have it, columns as the product gave it."""

    levels: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    """One more column than levels: anything else, or nothing."""
    right: int
    decided: int
    outside: int
    """Counting, scored attempts whose level is not known."""


@dataclass(frozen=True)
class Controls:
    """Attempts at innocent controls: packages in which something looks suspicious and is not."""

    attempts: int
    false_alarms: int
    clear: int
    unknown: int


@dataclass(frozen=True)
class Group:
    """Counting attempts of one class of claim."""

    name: str
    attempts: int
    failed: int
    unknown: int
    passed: int


@dataclass(frozen=True)
class Chart:
    """One drawing with its words."""

    title: str
    svg: Markup
    note: str


@dataclass(frozen=True)
class Overview:
    """Everything above the list."""

    lines: tuple[Kind, ...]
    endings: tuple[Kind, ...]
    finished: int
    set_aside: tuple[Kind, ...]
    unknown: tuple[Unknown, ...]
    confusion: Confusion | None
    controls: Controls
    groups: tuple[Group, ...]
    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Filters:
    """What the list can be narrowed to; a choice is a place in these."""

    lines: tuple[str, ...]
    endings: tuple[str, ...]
    classes: tuple[str, ...]
    styles: tuple[str, ...]


def filters_of(rows: Sequence[ListRow]) -> Filters:
    """All failed lines, endings, classes and styles of the rows, sorted."""
    cards = [r.card for r in rows if r.card]
    return Filters(
        tuple(sorted({i for r in rows for i in r.failed})),
        tuple(sorted({r.ending for r in rows})),
        tuple(sorted({c.scenario_class for c in cards})),
        tuple(sorted({c.opening_style for c in cards})),
    )


def overview_of(rows: Sequence[ListRow], filters: Filters, marker: Marker) -> Overview:
    """The overview of these attempts. Only attempts that count are in counts of failures, shares and charts."""
    counting = [r for r in rows if r.counting]
    cards = [r.card for r in counting if r.card]
    ended = [r for r in counting if r.ending != FINISHED]
    return Overview(
        lines=_failed_lines(counting, filters, marker),
        endings=_endings(ended, len(counting), filters),
        finished=len(counting) - len(ended),
        set_aside=_endings([r for r in rows if not r.counting], len(rows), filters),
        unknown=_unknown(cards),
        confusion=_confusion(cards),
        controls=_controls(cards),
        groups=_groups(counting),
        charts=_charts(cards),
    )


def first_failed(card: Scorecard) -> str | None:
    """The failed line whose evidence comes first in the journey; lines seen only afterwards come last, in their order."""
    failed = [line for line in card.lines if line.state == "fail"]
    return min(failed, key=_earliest).id if failed else None


def _earliest(line: ScoreLine) -> float:
    return min((e.event for e in line.evidence if e.event is not None), default=float("inf"))


def _refs(rows: Iterable[ListRow]) -> tuple[Ref, ...]:
    return tuple(Ref(r.name, r.href) for r in sorted(rows, key=lambda r: (r.href is None, r.name))[:SHOWN_REFS])


def _failed_lines(counting: Sequence[ListRow], filters: Filters, marker: Marker) -> tuple[Kind, ...]:
    failed: dict[str, list[ListRow]] = defaultdict(list)
    decided: Counter[str] = Counter()
    alarms: dict[str, Counter[str]] = defaultdict(Counter)
    first: Counter[str] = Counter()
    titles: dict[str, str] = {}
    for row in counting:
        if row.card is None:
            continue
        first.update([i for i in [first_failed(row.card)] if i is not None])
        for line in row.card.lines:
            if line.state in ("pass", "fail"):
                decided[line.id] += 1
            if line.state == "fail":
                failed[line.id].append(row)
                titles.setdefault(line.id, line.title)
                if line.alarm:
                    alarms[line.id][line.alarm] += 1
    ids = sorted(failed, key=lambda i: (-len(failed[i]), i))
    return tuple(
        Kind(
            plain(i), marker.show(titles[i]), len(failed[i]), decided[i], first[i], _alarm_note(alarms[i]), _refs(failed[i]),
            filters.lines.index(i),
        )
        for i in ids
    )  # fmt: skip


def _alarm_note(alarms: Counter[str]) -> str:
    words = {"false_alarm": ("false alarm", "false alarms"), "miss": ("missed", "missed")}
    return ", ".join(f"{n} {words[kind][n != 1]}" for kind, n in sorted(alarms.items()))


def _endings(rows: Sequence[ListRow], of: int, filters: Filters) -> tuple[Kind, ...]:
    by_reason: dict[str, list[ListRow]] = defaultdict(list)
    for row in rows:
        by_reason[row.ending].append(row)
    reasons = sorted(by_reason, key=lambda r: (-len(by_reason[r]), r))
    return tuple(
        Kind(r.replace("_", " "), None, len(by_reason[r]), of, 0, "", _refs(by_reason[r]), filters.endings.index(r))
        for r in reasons
    )


def _unknown(cards: Sequence[Scorecard]) -> tuple[Unknown, ...]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for card in cards:
        for line in card.lines:
            if line.state in UNKNOWN:
                found[line.id][line.state] += 1
    ids = sorted(found, key=lambda i: (-found[i].total(), i))
    return tuple(
        Unknown(plain(i), found[i]["not_checked"], found[i]["needs_human"], found[i]["unimplemented"]) for i in ids
    )


def _line(card: Scorecard, line_id: str) -> ScoreLine | None:
    return next((line for line in card.lines if line.id == line_id), None)


def _confusion(cards: Sequence[Scorecard]) -> Confusion | None:
    lines = [line for card in cards if (line := _line(card, TRIAGE)) is not None]
    if not lines:
        return None
    table = [[0] * (len(LEVELS) + 1) for _ in LEVELS]
    outside = right = 0
    for line in lines:
        if line.state not in ("pass", "fail") or line.expected not in LEVELS:
            outside += 1
            continue
        got = next((at for at, level in enumerate(LEVELS) if level == line.got), len(LEVELS))
        table[[str(level) for level in LEVELS].index(line.expected)][got] += 1
        right += line.state == "pass"
    return Confusion(LEVELS, tuple(tuple(row) for row in table), right, len(lines) - outside, outside)


def _controls(cards: Sequence[Scorecard]) -> Controls:
    lines = [_line(c, REVIEW_WHOLE) for c in cards if c.innocent_control]
    alarms = sum(line is not None and line.alarm == "false_alarm" for line in lines)
    clear = sum(line is not None and line.state == "pass" for line in lines)
    return Controls(len(lines), alarms, clear, len(lines) - alarms - clear)


def _groups(counting: Sequence[ListRow]) -> tuple[Group, ...]:
    names = sorted({r.card.scenario_class for r in counting if r.card})
    found = []
    for name in names:
        own = [r.tone for r in counting if r.card and r.card.scenario_class == name]
        found.append(Group(plain(name), len(own), own.count("fail"), own.count("unknown"), own.count("pass")))
    return tuple(found)


_SPREADS = (
    Spread("ended_in_turn", "Turns of a journey", "turns", 1.0, None),
    Spread(
        "questions_asked", "Questions the product asked", "questions", 1.0, (QUESTION_LIMIT - 0.5, "fewer than ten")
    ),
    Spread("wait_product_ms", "Waiting for the product, whole journey", "seconds", 1000.0, (MINUTES_S, "five minutes")),
    Spread("turn_longest_ms", "Longest turn", "seconds", 1000.0, None),
)


def _charts(cards: Sequence[Scorecard]) -> tuple[Chart, ...]:
    charts = []
    for spread in _SPREADS:
        found = [m.value for card in cards for m in card.measures if m.id == spread.measure and m.value is not None]
        if not found:
            continue
        values = [value / spread.scale for value in found]
        missing = len(cards) - len(values)
        note = f"{len(values):,} attempt{'' if len(values) == 1 else 's'}" + (
            f"; {missing:,} without a value" if missing else ""
        )
        charts.append(Chart(spread.title, Markup(spread_chart(spread, values)), note))  # noqa: S704 -- numbers and own words
    review = _review(cards)
    if review:
        note = "not known: not checked, not built, or for a person; these are in no rate"
        charts.append(Chart("Review checks", Markup(review_chart(review)), note))  # noqa: S704 -- numbers and own words
    return tuple(charts)


def _review(cards: Sequence[Scorecard]) -> dict[str, Counter[str]]:
    """Check -> how often right, false alarm, missed, otherwise wrong, not known."""
    found: dict[str, Counter[str]] = {}
    for card in cards:
        for line in card.lines:
            if line.group != "review" or line.state == "not_applicable":
                continue
            name = "".join(c if c.isalnum() else " " for c in line.id.removeprefix(REVIEW_PREFIX))[:40]
            how = "right" if line.state == "pass" else "not known" if line.state in UNKNOWN else "otherwise wrong"
            if line.state == "fail" and line.alarm:
                how = "false alarm" if line.alarm == "false_alarm" else "missed"
            found.setdefault(name, Counter())[how] += 1
    return found
