"""Everything the page says about one attempt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from markupsafe import Markup

from harness.journal import AttemptRecord, RunJournal, StoredScore
from harness.report.chart import TurnTime, time_chart
from harness.report.evidence import EvidenceFile, evidence_file
from harness.report.pictures import Album, Picture
from harness.report.scores import CardBuilder, CardView, event_quotes, failed_events, file_quotes
from harness.report.text import Marker, Shown
from harness.report.turns import Journey, JourneyBuilder, Turn, seconds
from harness.schema.events import CaptureFailed, MoveRejected, PageEvent, ReplySettled, Slip
from harness.schema.run import Attempt, Cost
from harness.schema.scorecard import LineState, Scorecard

SEVERITY_ORDER = ("hindered", "helped", "minor")
STATE_COUNTS: tuple[tuple[LineState, str], ...] = (
    ("not_checked", "score lines not checked"),
    ("needs_human", "score lines that need a person"),
    ("unimplemented", "score lines about what the product has not built yet"),
    ("not_applicable", "score lines that do not apply to this package"),
)


@dataclass(frozen=True)
class SlipView:
    """One slip of the simulated customer."""

    kind: str
    severity: str
    delivered: bool
    why: Shown
    turn: int
    anchor: str


@dataclass(frozen=True)
class CostView:
    """What one role's model calls cost."""

    role: str
    calls: str
    tokens: str
    cost: str
    complete: bool
    why_incomplete: Shown | None


@dataclass(frozen=True)
class AttemptView:
    """One attempt, ready for the template."""

    prefix: str
    name: Shown
    counting: bool
    verdict: str
    tone: str
    facts: tuple[tuple[str, Shown], ...]
    extra_reasons: tuple[Shown, ...]
    card: CardView | None
    card_source: Shown | None
    """Which rubric, version and oracle; None if unscored."""
    no_card: str
    other_scores: tuple[Shown, ...]
    journey: Journey
    story: Shown
    slips: tuple[SlipView, ...]
    rejected: tuple[tuple[str, int], ...]
    stand_ins: int
    costs: tuple[CostView, ...]
    chart: Markup | None
    times: tuple[TurnTime, ...]
    files: tuple[EvidenceFile, ...]
    staff_pictures: tuple[Picture, ...]
    caveats: tuple[tuple[int, Shown], ...]
    problems: tuple[Shown, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The conversation."""
        return self.journey.turns


def build_attempt(
    journal: RunJournal,
    record: AttemptRecord,
    stored: Sequence[StoredScore],
    prefix: str,
    counting: bool,
    album: Album,
    marker: Marker,
    chain: Sequence[str],
    extra_reasons: Sequence[str],
    charted: bool = True,
) -> AttemptView:
    """The view of one attempt.

    Args:
        journal: the run it belongs to.
        record: what can be read of it.
        stored: its scorecards, the one to show first.
        prefix: what all its anchors start with.
        counting: it is the attempt that counts for its trial.
        album: makes pictures within the page's budget.
        marker: shows texts.
        chain: what does not verify about it.
        extra_reasons: what makes this attempt, beyond its run, a rehearsal.
        charted: draw where the time went; it takes as long as all else together.
    """
    card = stored[0].card if stored else None
    journey = JourneyBuilder(record, prefix, marker, album, event_quotes(card, prefix)).build()
    staff_pictures = _staff_pictures(record, prefix, album)
    files = _files(record, card, prefix, marker)
    pictures = {p.name: p.anchor for turn in journey.turns for p in turn.pictures if p.uri}
    pictures |= {p.name: p.anchor for p in staff_pictures if p.uri}
    view = None
    if card is not None:
        by_name = {f.name: f for f in files}
        view = CardBuilder(prefix, marker, journey.turn_of_event, by_name, pictures).build(card)
    _flag(journey, failed_events(card, prefix))
    verdict, tone = _verdict(view, counting, record)
    return AttemptView(
        prefix=prefix,
        name=marker.show(record.folder.name, whole=True),
        counting=counting,
        verdict=verdict,
        tone=tone,
        facts=_facts(journal, record, card, marker),
        extra_reasons=tuple(marker.show(r) for r in extra_reasons),
        card=view,
        card_source=_source(card, marker),
        no_card=_no_card(stored),
        other_scores=tuple(marker.show(s.key if not s.problem else f"{s.key}: {s.problem}") for s in stored[1:]),
        journey=journey,
        story=marker.show(_story(record, journey)),
        slips=_slips(record, journey, prefix, marker),
        rejected=_rejected(record),
        stand_ins=_count(record, "stand_ins"),
        costs=tuple(_cost(c, marker) for c in _costs(record)),
        chart=drawn_times(journey.times, prefix) if charted else None,
        times=journey.times,
        files=files,
        staff_pictures=staff_pictures,
        caveats=_caveats(record, journey, card, marker, (*_all_pictures(journey), *staff_pictures), files),
        problems=tuple(marker.show(p) for p in (*record.problems, *chain)),
    )


def _flag(journey: Journey, failed: Sequence[tuple[int, str, str]]) -> None:
    """Names at each turn the failed lines that rest on it."""
    turn_with = {item.n: turn for turn in journey.turns for item in turn.items}
    for event, anchor, line in failed:
        turn = turn_with.get(event)
        if turn is not None and (anchor, line) not in turn.flags:
            turn.flags.append((anchor, line))


def _verdict(card: CardView | None, counting: bool, record: AttemptRecord) -> tuple[str, str]:
    """The one line a reader sees first, and its tone."""
    if not counting:
        ended = record.folder.attempt.termination_reason if record.folder.attempt else "unfinished"
        return f"This attempt does not count: {ended.replace('_', ' ')}", "void"
    if card is None:
        return "Not scored", "unknown"
    counts = f"{len(card.passed)} passed, {len(card.unknown)} not known, {len(card.not_applicable)} not applicable"
    if card.failed:
        return f"{len(card.failed)} failed — {counts}", "fail"
    if card.unknown or not card.passed:
        return f"Nothing failed, but not everything is known — {counts}", "unknown"
    return f"Nothing failed — {counts}", "pass"


def _facts(
    journal: RunJournal, record: AttemptRecord, card: Scorecard | None, marker: Marker
) -> tuple[tuple[str, Shown], ...]:
    manifest, attempt = journal.manifest, record.folder.attempt
    unscored = "not known (not scored)"
    pairs: list[tuple[str, str]] = [
        ("package", record.folder.package),
        ("class", card.scenario_class if card else unscored),
        ("opening style", card.opening_style.replace("_", " ") if card else unscored),
    ]
    if card and card.innocent_control:
        pairs.append(("innocent control", card.innocent_control.replace("_", " ")))
    if manifest:
        runtime = manifest.runtime
        model = f", model {runtime.model}" if runtime.model else ""
        pairs += [
            ("product", f"{runtime.product} {runtime.version}"),
            ("product's runtime", f"{runtime.runtime}{model}"),
        ]
        if manifest.settings.defects:
            pairs.append(("switched-on defects", ", ".join(manifest.settings.defects)))
        named = f", {manifest.settings.customer_model}" if manifest.settings.customer_model else ""
        endpoint = manifest.settings.customer_endpoint
        pairs.append(
            ("customer", f"{manifest.settings.customer}{named}" + ("" if endpoint == "none" else f", {endpoint}"))
        )
    if attempt:
        length = (attempt.ended_at - attempt.started_at).total_seconds()
        pairs += [
            ("trial, attempt", f"{attempt.trial}, {attempt.attempt}"),
            ("ended", f"{attempt.termination_reason.replace('_', ' ')}: {attempt.why}"),
            ("final state shown", attempt.final or "none"),
            ("started", f"{attempt.started_at:%Y-%m-%d %H:%M:%S} UTC" if _is_utc(attempt) else str(attempt.started_at)),
            ("took", seconds(length * 1000) if length >= 0 else "not known: the clock was set back"),
        ]
        if attempt.parent_attempt:
            pairs.append(("replay or fork of", attempt.parent_attempt))
    else:
        pairs.append(("ended", "not known: there is no readable attempt.json"))
    return tuple((name, marker.show(value)) for name, value in pairs)


def _is_utc(attempt: Attempt) -> bool:
    return attempt.started_at.utcoffset() == timedelta(0)


def _story(record: AttemptRecord, journey: Journey) -> str:
    """What happened, in two sentences."""
    attempt = record.folder.attempt
    last = journey.times[-1].turn if journey.times else 0
    product = sum(t.product_s for t in journey.times)
    longest = max(journey.times, key=lambda t: t.product_s, default=None)
    ended = attempt.termination_reason.replace("_", " ") if attempt else "unfinished"
    parts = [f"The journey ended “{ended}” after {last} turn{'s' if last != 1 else ''}"]
    if attempt:
        parts.append(
            f"; the final state on the screen was “{attempt.final}”" if attempt.final else "; no final state was shown"
        )
    parts.append(f". The product was waited for {seconds(product * 1000)} in all")
    if longest is not None and longest.product_s > 0:
        parts.append(f", longest in turn {longest.turn} ({seconds(longest.product_s * 1000)})")
    return "".join(parts) + "."


def _source(card: Scorecard | None, marker: Marker) -> Shown | None:
    if card is None:
        return None
    return marker.show(
        f"rubric {card.rubric}, scoring version {card.scoring_version}, oracle revision {card.oracle_revision} "
        f"({card.oracle_sha256[:8]})",
        whole=True,
    )


def _no_card(stored: Sequence[StoredScore]) -> str:
    if stored:
        return f"There is a scorecard, but {stored[0].problem}. Nothing is known about how the product did."
    return "This attempt has not been scored. Nothing below says how the product did."


def _slips(record: AttemptRecord, journey: Journey, prefix: str, marker: Marker) -> tuple[SlipView, ...]:
    found = [e for e in record.events.items if isinstance(e, Slip)]
    found.sort(key=lambda e: (not e.delivered, SEVERITY_ORDER.index(e.severity), e.n))
    return tuple(
        SlipView(
            e.slip.replace("_", " "),
            e.severity,
            e.delivered,
            marker.show(e.why),
            journey.turn_of_event.get(e.n, e.turn),
            f"{prefix}-e{e.n}",
        )
        for e in found
    )


def _rejected(record: AttemptRecord) -> tuple[tuple[str, int], ...]:
    counts = Counter(e.problem for e in record.events.items if isinstance(e, MoveRejected))
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _count(record: AttemptRecord, name: str) -> int:
    return record.folder.attempt.counts.get(name, 0) if record.folder.attempt else 0


def _costs(record: AttemptRecord) -> list[Cost]:
    return sorted(record.folder.attempt.costs, key=lambda c: c.role) if record.folder.attempt else []


def _cost(cost: Cost, marker: Marker) -> CostView:
    def known(value: int | None) -> str:
        return "not reported" if value is None else f"{value:,}"

    tokens = "not reported"
    if cost.tokens_in is not None or cost.tokens_out is not None:
        tokens = f"{known(cost.tokens_in)} in, {known(cost.tokens_out)} out"
    price = cost.cost or ("unpriced (not zero)" if cost.calls else "not reported" if cost.calls is None else "no calls")
    why = marker.show(cost.why_incomplete) if cost.why_incomplete else None
    return CostView(cost.role, known(cost.calls), tokens, price, cost.complete, why)


def drawn_times(times: Sequence[TurnTime], prefix: str) -> Markup | None:
    """Where the time of each turn went, as a drawing; None if no times were recorded."""
    if not any(t.product_s or t.customer_s or t.rig_s for t in times):
        return None
    return Markup(time_chart(times, prefix))  # noqa: S704 -- numbers and this module's own words only


def _files(record: AttemptRecord, card: Scorecard | None, prefix: str, marker: Marker) -> tuple[EvidenceFile, ...]:
    quotes = file_quotes(card, prefix)
    named = {e.file for line in card.lines for e in line.evidence} if card else set()
    staff = record.staff.model_dump(mode="json", by_alias=True) if record.staff else None
    values = [
        ("state.json", "What the product holds", record.state, True),
        ("staff.json", "What the staff pages showed", staff, True),
        ("seed.json", "What the product was seeded with", record.seed, "seed.json" in named),
    ]
    files = []
    for name, title, value, wanted in values:
        if not wanted:
            continue
        problem = next((p for p in record.problems if p.startswith(f"{name} ")), None)
        if value is None and problem is None:
            problem = f"{name} holds nothing"
        anchor = f"{prefix}-{name.removesuffix('.json')}"
        files.append(evidence_file(name, title, anchor, value, problem, marker, quotes.get(name, [])))
    return tuple(files)


def _staff_pictures(record: AttemptRecord, prefix: str, album: Album) -> tuple[Picture, ...]:
    names = record.staff.pictures if record.staff else []
    return tuple(album.picture(record.folder.path, name, f"{prefix}-staff-p{at}") for at, name in enumerate(names, 1))


def _all_pictures(journey: Journey) -> tuple[Picture, ...]:
    return tuple(p for turn in journey.turns for p in turn.pictures)


def _caveats(
    record: AttemptRecord,
    journey: Journey,
    card: Scorecard | None,
    marker: Marker,
    pictures: Sequence[Picture],
    files: Sequence[EvidenceFile],
) -> tuple[tuple[int, Shown], ...]:
    """(count, what): everything that was not checked, skipped, capped or could not be recorded."""
    events = record.events.items
    found: list[tuple[int, str]] = []
    for state, words in STATE_COUNTS:
        found.append((sum(line.state == state for line in card.lines) if card else 0, words))
    bodiless = Counter((line.body_note or "").split(":")[0] for line in record.network.items if line.body_note)
    reasons = ", ".join(f"{why} {count}" for why, count in sorted(bodiless.items()))
    failed = Counter(e.what for e in events if isinstance(e, CaptureFailed))
    found += [(count, f"captures failed: {what}") for what, count in sorted(failed.items())]
    found += [
        (sum(isinstance(e, ReplySettled) and not e.settled for e in events), "turns still unsettled when the cap came"),
        (journey.truncated_screens, "screens cut by the reader's cap before the customer saw them"),
        (journey.unreadable_parts, "parts of screens that could not be read (canvas, foreign frame, picture of text)"),
        (sum(isinstance(e, PageEvent) and e.what == "request_blocked" for e in events), "requests blocked"),
        (sum(bodiless.values()), f"answers recorded without their body ({reasons})"),
        (sum(p.uri is None for p in pictures), "pictures not in this page (missing, damaged or over the budget)"),
        (sum(f.left_out for f in files), "fields of evidence files not in this page"),
        (
            record.events.unreadable + record.prompts.unreadable + record.network.unreadable,
            "unreadable lines of the record",
        ),
    ]
    return tuple((count, marker.show(words)) for count, words in found if count)
