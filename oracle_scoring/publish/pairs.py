"""Two versions of a product on the same packages: what moved, line by line, and whether chance could have done it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal

from pydantic import Field

from harness.errors import EnvironmentFault, Refused
from harness.schema.base import Strict
from harness.schema.run import RunManifest
from harness.schema.scorecard import LineState, Scorecard
from oracle_scoring.kleene import all_of
from oracle_scoring.publish.criteria import ACCEPTANCE, FURTHER, Criterion
from oracle_scoring.publish.figures import Journey, measure, per_package
from oracle_scoring.publish.intervals import Interval, bootstrap, mcnemar

Direction = Literal["up", "down", "other"]
MEASURES = (
    "messages_sent", "questions_asked", "repeated_questions", "nothing_to_do_replies", "retries", "person_journey_ms",
    "wait_product_ms", "turn_median_ms", "turn_p95_ms", "turn_longest_ms", "product_tokens_in", "product_tokens_out",
    "product_cost", "customer_tokens_in", "customer_tokens_out", "customer_cost",
)  # fmt: skip
_WHOLE = {"no_further_contact", "no_false_review_alarm", "under_five_minutes", "under_ten_questions", "nothing_failed"}


class Move(Strict):
    """One line of one package that is not what it was. A package's line is all its repeats together."""

    line: str
    before: LineState | None
    """None: there was no such line."""
    now: LineState | None
    direction: Direction
    """`up`: fail became pass; `down`: pass became fail; `other`: to or from what is not decided."""


class PackageMoves(Strict):
    """One package in both runs."""

    package: str
    before: str
    """`t01/a01` of the run's first counting journey of it."""
    now: str
    same: int
    """Lines that are what they were."""
    moves: list[Move]

    def count(self, direction: Direction) -> int:
        """Lines that moved this way."""
        return sum(move.direction == direction for move in self.moves)


class PairTest(Strict):
    """One criterion or line over all packages that were decided in both runs."""

    id: str
    title: str
    pairs: int
    """Packages decided, pass or fail, in both runs."""
    passed_before: int
    passed_now: int
    up: int
    down: int
    p: float | None
    can_decide: bool
    """At least six discordant pairs."""
    words: str


class Difference(Strict):
    """A measure: now minus before, one difference per package."""

    id: str
    title: str
    unit: str
    before: float
    now: float
    """Means over the packages that have the measure in both runs."""
    mean: float
    interval: Interval | None
    packages: int


class Side(Strict):
    """One of the two runs."""

    run: str
    grade: Literal["official", "rehearsal"]
    reasons: list[str]
    product: str
    product_version: str
    product_model: str | None
    customer: str
    customer_model: str | None
    corpus_version: str
    defects: list[str]
    journeys: int


class Comparison(Strict):
    """`rig compare --json`."""

    schema_: Literal["comparison-v1"] = Field(alias="schema")
    before: Side
    now: Side
    rubric: str
    scoring_version: str
    packages: list[PackageMoves]
    only_before: list[str]
    only_now: list[str]
    """Packages with a counting journey in one run only; they are in no number."""
    criteria: list[PairTest]
    lines: list[PairTest]
    """Lines with a discordant pair."""
    lines_tested: int
    """Lines that were decided in both runs somewhere: of so many tests, one in twenty falls below 5 % by chance."""
    differences: list[Difference]
    caveats: list[str]

    def moved(self, direction: Direction) -> int:
        """Lines of packages that moved this way."""
        return sum(package.count(direction) for package in self.packages)


Cards = Mapping[str, list[Scorecard]]


def compare(
    before: RunManifest,
    now: RunManifest,
    cards_before: Iterable[Scorecard],
    cards_now: Iterable[Scorecard],
    rescored: bool,
) -> Comparison:
    """Both runs, package by package.

    Args:
        before: `run.json` of the first run.
        now: `run.json` of the second.
        cards_before: its scorecards; those that do not count are left out.
        cards_now: likewise.
        rescored: both were scored just now, by the same answers.

    Raises:
        Refused: the runs were scored by unlike versions or answers, or played on unlike packages, and not scored anew.
        EnvironmentFault: no package has a counting journey in both.
    """
    old, new = _by_package(cards_before), _by_package(cards_now)
    shared = sorted(set(old) & set(new))
    if not shared:
        raise EnvironmentFault(f"runs {before.run} and {now.run} have no package with a counting journey in both")
    _check_alike(before, now, old, new, shared, rescored)
    moves = [_package(package, old[package], new[package]) for package in shared]
    lines = _line_tests(old, new, shared)
    caveats = _caveats(before, now, shared)
    first = new[shared[0]][0]
    return Comparison(
        schema="comparison-v1", before=_side(before, old), now=_side(now, new), rubric=first.rubric,
        scoring_version=first.scoring_version, packages=moves, only_before=sorted(set(old) - set(new)),
        only_now=sorted(set(new) - set(old)), criteria=_criteria_tests(old, new, shared),
        lines=[test for test in lines if test.up or test.down], lines_tested=sum(test.pairs > 0 for test in lines),
        differences=_differences(old, new, shared), caveats=caveats,
    )  # fmt: skip


def _by_package(cards: Iterable[Scorecard]) -> dict[str, list[Scorecard]]:
    found: dict[str, list[Scorecard]] = {}
    for card in sorted((c for c in cards if c.counting), key=lambda c: (c.package, c.trial)):
        found.setdefault(card.package, []).append(card)
    return found


def _check_alike(
    before: RunManifest, now: RunManifest, old: Cards, new: Cards, shared: Sequence[str], rescored: bool
) -> None:
    mend = "compare with --rescore"
    versions = [sorted({f"{c.rubric} {c.scoring_version}" for p in shared for c in cards[p]}) for cards in (old, new)]
    if versions[0] != versions[1] or len(versions[0]) != 1:
        spoken = " and ".join("/".join(v) for v in versions)
        raise Refused(f"runs {before.run} and {now.run} were scored by unlike versions ({spoken}); {mend}")
    for package in shared:
        answers = {c.oracle_sha256 for cards in (old, new) for c in cards[package]}
        if len(answers) > 1:
            raise Refused(f"{package} was scored by other answers in run {before.run} than in run {now.run}; {mend}")
        if not rescored and before.settings.packages.get(package) != now.settings.packages.get(package):
            raise Refused(f"{package} as played in run {before.run} is another than in run {now.run}; {mend}")


def _side(manifest: RunManifest, cards: Cards) -> Side:
    held = [card for package in cards.values() for card in package]
    runtime, settings = manifest.runtime, manifest.settings
    return Side(
        run=manifest.run, grade="official" if all(c.grade == "official" for c in held) else "rehearsal",
        reasons=list(dict.fromkeys(reason for card in held for reason in card.grade_reasons)), product=runtime.product,
        product_version=runtime.version, product_model=runtime.model, customer=settings.customer, customer_model=settings.customer_model,
        corpus_version=manifest.corpus_version, defects=settings.defects, journeys=len(held),
    )  # fmt: skip


def _line_states(cards: Sequence[Scorecard]) -> dict[str, LineState]:
    """Line -> its state over all repeats: a fail in one is a fail."""
    ids = dict.fromkeys(line.id for card in cards for line in card.lines)
    return {i: all_of(line.state for card in cards for line in card.lines if line.id == i) for i in ids}


def _package(package: str, old: Sequence[Scorecard], new: Sequence[Scorecard]) -> PackageMoves:
    was, is_ = _line_states(old), _line_states(new)
    moves = [
        Move(line=i, before=was.get(i), now=is_.get(i), direction=_direction(was.get(i), is_.get(i)))
        for i in dict.fromkeys([*was, *is_])
        if was.get(i) != is_.get(i)
    ]
    first, second = (f"t{cards[0].trial:02d}/a{cards[0].attempt:02d}" for cards in (old, new))
    return PackageMoves(
        package=package,
        before=first,
        now=second,
        same=sum(was.get(i) == state for i, state in is_.items()),
        moves=moves,
    )


def _direction(before: LineState | None, now: LineState | None) -> Direction:
    if (before, now) == ("fail", "pass"):
        return "up"
    return "down" if (before, now) == ("pass", "fail") else "other"


def _criteria_tests(old: Cards, new: Cards, shared: Sequence[str]) -> list[PairTest]:
    wanted = [criterion for criterion in (*ACCEPTANCE, *FURTHER) if criterion.id in _WHOLE]
    return [_tested(c.id, c.title, [(_all(c, old[p]), _all(c, new[p])) for p in shared]) for c in wanted]


def _all(criterion: Criterion, cards: Sequence[Scorecard]) -> LineState:
    return all_of(criterion.state(card) for card in cards)


def _line_tests(old: Cards, new: Cards, shared: Sequence[str]) -> list[PairTest]:
    titles = {line.id: line.title for cards in (old, new) for p in shared for c in cards[p] for line in c.lines}
    states = [{p: _line_states(cards[p]) for p in shared} for cards in (old, new)]
    found = []
    for line, title in sorted(titles.items()):
        pairs = [(states[0][p].get(line), states[1][p].get(line)) for p in shared]
        found.append(_tested(line, title, pairs))
    return found


def _tested(name: str, title: str, pairs: Iterable[tuple[LineState | None, LineState | None]]) -> PairTest:
    """Only pairs that were decided on both sides count."""
    seen = Counter((a, b) for a, b in pairs if a in ("pass", "fail") and b in ("pass", "fail"))
    up, down = seen["fail", "pass"], seen["pass", "fail"]
    test = mcnemar(up, down)
    return PairTest(
        id=name, title=title, pairs=seen.total(), passed_before=seen["pass", "pass"] + down, passed_now=seen["pass", "pass"] + up,
        up=up, down=down, p=test.p, can_decide=test.can_decide, words=test.words,
    )  # fmt: skip


def _differences(old: Cards, new: Cards, shared: Sequence[str]) -> list[Difference]:
    found = []
    for name in MEASURES:
        kind = next((m for p in shared for c in new[p] for m in c.measures if m.id == name), None)
        sides = [per_package([Journey("", c) for p in shared for c in cards[p]], measure(name)) for cards in (old, new)]
        packages = sorted(set(sides[0]) & set(sides[1]))
        if kind is None or not packages:
            continue
        was, is_ = ([side[p] for p in packages] for side in sides)
        apart = [b - a for a, b in zip(was, is_, strict=True)]
        found.append(
            Difference(
                id=name, title=kind.title, unit=kind.unit, before=fmean(was), now=fmean(is_), mean=fmean(apart),
                interval=bootstrap(apart, "mean"), packages=len(packages),
            )
        )  # fmt: skip
    return found


def _caveats(before: RunManifest, now: RunManifest, shared: Sequence[str]) -> list[str]:
    changed = [p for p in shared if before.settings.packages.get(p) != now.settings.packages.get(p)]
    found = []
    if changed:
        found.append(
            f"{len(changed)} packages are not the same in both runs ({', '.join(changed[:5])}): differences may be theirs"
        )
    for what, a, b in (
        ("customer", before.settings.customer, now.settings.customer),
        ("customer's model", before.settings.customer_model, now.settings.customer_model),
        ("customer's prompt", before.settings.template_sha256, now.settings.template_sha256),
        ("turn limit", before.settings.turn_limit, now.settings.turn_limit),
        ("time a turn may take", before.settings.turn_timeout_s, now.settings.turn_timeout_s),
        ("machine", before.platform, now.platform),
    ):
        if a != b:
            found.append(f"the {what} is another ({a}, now {b}): differences may be its doing")
    if max(before.settings.trials, now.settings.trials) > 1:
        found.append("a package's repeats count as one: a line that failed in one of them failed")
    return found
