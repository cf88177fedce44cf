"""The page: what a run's record and scorecards say, as one HTML file that loads nothing and runs nothing."""

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.journal import (
    AttemptFolder,
    RunJournal,
    StoredScore,
    chain_problems,
    counting_attempts,
    open_run,
    read_attempt,
    stored_scores,
)
from harness.report.attempt import AttemptView, build_attempt
from harness.report.pictures import BUDGET_BYTES, Album
from harness.report.scores import UNKNOWN
from harness.report.text import Marker, Shown, plain
from harness.schema.grade import grade
from harness.schema.scorecard import Scorecard

NO_STORED_SCORE: tuple[StoredScore, ...] = ()


@dataclass(frozen=True)
class Limits:
    """How large a page may grow. What does not fit stands in the list only; the page says how much that is."""

    detail_attempts: int = 40
    """Attempts shown in full, failures first."""
    detail_bytes: int = 24 * 1024 * 1024
    """No further attempt is shown in full once the HTML of those before it, pictures included, reaches this."""
    picture_bytes: int = BUDGET_BYTES
    """All pictures together, as they stand in the page."""


@dataclass(frozen=True)
class ListRow:
    """One attempt in the run's list."""

    name: str
    prefix: str
    folder: AttemptFolder
    card: Scorecard | None
    score_problem: str | None
    counting: bool
    detailed: bool
    failed: tuple[str, ...]
    unknown: int
    passed: int

    @property
    def tone(self) -> str:
        """`fail`, `unknown`, `pass` or `void`, for symbol and colour."""
        if not self.counting:
            return "void"
        if self.failed:
            return "fail"
        return "unknown" if self.card is None or self.unknown or not self.passed else "pass"


def write_report(run_dir: Path, out: Path | None = None, limits: Limits | None = None) -> Path:
    """Write the report of a run and return where it is.

    The same record and scorecards give the same bytes. Missing or damaged evidence is said in the page.

    Args:
        run_dir: `results/<run>`.
        out: the file to write; `report.html` in the run's folder by default.
        limits: how large the page may grow.

    Raises:
        InputError: there is no such run folder.
    """
    journal = open_run(run_dir)
    target = out if out is not None else run_dir / "report.html"
    html = render(journal, limits or Limits())
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(html.encode("utf-8"))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def render(journal: RunJournal, limits: Limits) -> str:
    """The page's HTML."""
    environment = _environment()
    chain = chain_problems(journal)
    word, reasons = run_grade(journal, not chain)
    scores = stored_scores(journal.path)
    counting = counting_attempts(journal.attempts)
    rows = sorted((_row(at, f, scores, counting) for at, f in enumerate(journal.attempts, 1)), key=_failures_first)
    album = Album(limits.picture_bytes)
    marker = Marker()
    template = environment.get_template("attempt.html.j2")
    sections: list[Markup] = []
    shown_rows: list[ListRow] = []
    size = 0
    for row in rows:
        fits = size < limits.detail_bytes and len(sections) < limits.detail_attempts
        detailed = fits and row.folder.path.is_dir()
        if detailed:
            view = _attempt_view(journal, row, scores, album, marker, chain)
            html = template.render(a=view, run=journal)
            size += len(html.encode("utf-8"))
            sections.append(Markup(html))  # noqa: S704 -- rendered by the autoescaping environment above
        shown_rows.append(replace(row, detailed=detailed))
    css = environment.get_template("report.css").render()
    page: str = environment.get_template("page.html.j2").render(
        css=Markup(css),  # noqa: S704 -- the package's own style sheet
        css_hash=base64.b64encode(hashlib.sha256(css.encode("utf-8")).digest()).decode("ascii"),
        title=plain(f"{word.upper()} – {journal.run}"),
        grade_word=word.upper(),
        reasons=[marker.show(r, whole=True) for r in reasons],
        run=marker.show(journal.run, whole=True),
        manifest=journal.manifest,
        rows=shown_rows,
        sections=sections,
        failing=_failing_lines(rows),
        totals=_totals(rows),
        planned=_planned(journal),
        void=[r for r in shown_rows if not r.counting],
        problems=[marker.show(p) for p in journal.problems],
        chain=[marker.show(p) for p in chain],
        settings=_settings(journal, marker),
        hashes=_hashes(rows, scores, marker),
        album=album,
        cut_chars=marker.cut_chars,
        undetailed=sum(not r.detailed for r in shown_rows),
        show=marker.show,
    )
    return page


def run_grade(journal: RunJournal, chain_ok: bool) -> tuple[str, list[str]]:
    """The run's grade; a run whose manifest cannot be read is a rehearsal."""
    if journal.manifest is None:
        return "rehearsal", ["run.json is missing or unreadable, so nothing shows what ran"]
    return grade(journal.manifest, None, chain_ok)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["when"] = _when
    environment.filters["plural"] = _plural
    environment.filters["plain"] = plain
    return environment


def _when(value: datetime) -> str:
    offset = value.strftime("%z")
    zone = "UTC" if offset in ("+0000", "") else f"{offset[:3]}:{offset[3:]}"
    return f"{value:%Y-%m-%d %H:%M:%S} {zone}"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _row(
    at: int,
    folder: AttemptFolder,
    scores: Mapping[tuple[str, int, int], Sequence[StoredScore]],
    counting: set[tuple[str, int, int]],
) -> ListRow:
    key = (folder.package, folder.trial, folder.number)
    best = next(iter(scores.get(key, NO_STORED_SCORE)), None)
    card = best.card if best else None
    lines = card.lines if card else []
    return ListRow(
        plain(folder.name),
        f"a{at}",
        folder,
        card,
        best.problem if best else None,
        key in counting,
        False,
        tuple(line.id for line in lines if line.state == "fail"),
        sum(line.state in UNKNOWN for line in lines),
        sum(line.state == "pass" for line in lines),
    )


def _failures_first(row: ListRow) -> tuple[int, int, int, str]:
    order = {"fail": 0, "unknown": 1, "pass": 2, "void": 3}[row.tone]
    return order, -len(row.failed), -row.unknown, row.folder.name


def _attempt_view(
    journal: RunJournal,
    row: ListRow,
    scores: Mapping[tuple[str, int, int], Sequence[StoredScore]],
    album: Album,
    marker: Marker,
    chain: Sequence[str],
) -> AttemptView:
    record = read_attempt(row.folder)
    stored = scores.get((row.folder.package, row.folder.trial, row.folder.number), NO_STORED_SCORE)
    own = [p for p in chain if p.startswith(f"{row.folder.name}:")]
    extra: list[str] = []
    if journal.manifest is not None and record.folder.attempt is not None:
        run_reasons = set(grade(journal.manifest, None, not chain)[1])
        extra = [r for r in grade(journal.manifest, record.folder.attempt, not chain)[1] if r not in run_reasons]
    return build_attempt(journal, record, stored, row.prefix, row.counting, album, marker, own, extra)


def _failing_lines(rows: Sequence[ListRow]) -> list[tuple[str, int, int]]:
    """(line id, counting attempts that fail it, counting attempts that were decided on it), most fails first."""
    failed: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    for row in rows:
        if row.counting and row.card is not None:
            failed.update({line.id for line in row.card.lines if line.state == "fail"})
            decided.update({line.id for line in row.card.lines if line.state in ("pass", "fail")})
    return sorted(((i, n, decided[i]) for i, n in failed.items()), key=lambda item: (-item[1], item[0]))


def _totals(rows: Sequence[ListRow]) -> dict[str, int]:
    counting = [r for r in rows if r.counting]
    trials = {(r.folder.package, r.folder.trial) for r in rows}
    return {
        "attempts": len(rows),
        "counting": len(counting),
        "void": len(rows) - len(counting),
        "given_up": len(trials) - len({(r.folder.package, r.folder.trial) for r in counting}),
        "failed": sum(r.tone == "fail" for r in counting),
        "unknown": sum(r.tone == "unknown" and r.card is not None for r in counting),
        "unscored": sum(r.card is None for r in counting),
        "passed": sum(r.tone == "pass" for r in counting),
    }


def _planned(journal: RunJournal) -> int | None:
    """Trials the run was to play; None if run.json cannot be read."""
    return len(journal.manifest.settings.packages) * journal.manifest.settings.trials if journal.manifest else None


def _settings(journal: RunJournal, marker: Marker) -> list[tuple[str, Shown]]:
    if journal.manifest is None:
        return []
    m, s = journal.manifest, journal.manifest.settings
    pairs: list[tuple[str, object]] = [
        ("run", m.run),
        ("created", _when(m.created_at)),
        ("rig", m.rig_version),
        ("commit", m.git_commit or "no work tree"),
        ("work tree clean", {True: "yes", False: "no", None: "not known"}[m.git_clean]),
        ("corpus", f"{m.corpus_version}, {'frozen' if m.corpus_frozen else 'not frozen'}"),
        ("product", f"{m.runtime.product} {m.runtime.version}"),
        ("runtime", m.runtime.runtime),
        ("product's model", m.runtime.model or "none"),
        ("stores", ", ".join(f"{k}: {v}" for k, v in sorted(m.runtime.stores.items())) or "not reported"),
        ("switched-on defects", ", ".join(s.defects) or "none"),
        ("adapter", f"{s.adapter} ({s.adapter_sha256})"),
        ("product's address", s.base_url),
        ("customer", s.customer),
        ("customer's model", f"{s.customer_model or 'none'} ({s.customer_endpoint} endpoint)"),
        ("moves from", s.customer_source or "no file"),
        ("customer sees files", "yes" if s.customer_sees_files else "no, labels only"),
        ("prompt template", s.template_sha256),
        ("trials", f"{s.trials}, at most {s.max_attempts} attempts each"),
        ("limits", f"{s.turn_limit} turns, {s.turn_timeout_s:g} s a turn, {s.journey_timeout_s:g} s a journey"),
        ("random seed", s.rng_seed),
        ("browser", m.browser),
        ("python", m.python),
        ("platform", m.platform),
    ]
    return [(name, marker.show(str(value), whole=True)) for name, value in pairs] + [
        (f"package {plain(name)}", marker.show(digest, whole=True)) for name, digest in sorted(s.packages.items())
    ]


def _hashes(
    rows: Sequence[ListRow], scores: Mapping[tuple[str, int, int], Sequence[StoredScore]], marker: Marker
) -> list[tuple[str, Shown, Shown]]:
    """(attempt, sha256 of attempt.json, scored by)."""
    found = []
    for row in rows:
        key = (row.folder.package, row.folder.trial, row.folder.number)
        keys = ", ".join(s.key for s in scores.get(key, NO_STORED_SCORE)) or "not scored"
        found.append((row.name, marker.show(row.folder.attempt_sha256 or "none", whole=True), marker.show(keys)))
    return found
