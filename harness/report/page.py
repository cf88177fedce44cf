"""The pages: what a run's record and scorecards say, as HTML files that load nothing.

A run of few attempts is one page, which runs nothing. A run of many is a page about all of them, without pictures, and
pages of single attempts in a folder beside it; its list is sorted and narrowed by a script that stands in it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from harness.errors import InputError
from harness.journal import (
    RunJournal,
    StoredScore,
    chain_problems,
    counting_attempts,
    open_run,
    read_attempt,
    stored_scores,
)
from harness.record import write_whole
from harness.report.attempt import AttemptView, build_attempt
from harness.report.overview import filters_of, overview_of
from harness.report.pictures import BUDGET_BYTES, Album
from harness.report.rows import NO_STORED_SCORE, AttemptKey, ListRow, failures_first, list_row
from harness.report.templates import environment, when
from harness.report.text import Marker, Shown, plain
from harness.schema.grade import grade
from harness.schema.human import HUMAN_DIR, TRIAGE_FILE, TriageGrading
from harness.schema.strict_json import read_model, sha256_hex
from oracle_scoring.sheets.verdicts import read_verdicts, with_people
from oracle_scoring.templates import content_hash

SHOWN_OF_A_KIND = 3
"""Attempts of each kind of failure that get a page before others do."""


@dataclass(frozen=True)
class Limits:
    """How large a page may grow. What does not fit stands in the list only; the page says how much that is."""

    together: int = 12
    """A run of up to so many attempts is one page."""
    detail_attempts: int = 40
    """Attempts shown in full, failures first; in a run of many the first of each kind of failure before all others."""
    detail_bytes: int = 24 * 1024 * 1024
    """One page: no further attempt is shown in full once the HTML of those before it, pictures included, reaches this."""
    picture_bytes: int = BUDGET_BYTES
    """All pictures of a page together, as they stand in it."""


def write_report(run_dir: Path, out: Path | None = None, limits: Limits | None = None) -> Path:
    """Write the report of a run and return where it is.

    The same record and scorecards give the same bytes. Missing or damaged evidence is said in the page.

    Args:
        run_dir: `results/<run>`.
        out: the file to write; `report.html` in the run's folder by default. Pages of single attempts, if there are any, lie
            in a folder of the same name without its ending.
        limits: how large pages may grow, and how many there are.

    Raises:
        InputError: there is no such run folder, or the file's name has no ending.
    """
    journal = open_run(run_dir)
    target = out if out is not None else run_dir / "report.html"
    limits = limits or Limits()
    run = _Run.read(journal)
    if len(run.rows) <= limits.together:
        write_whole(target, _one_page(run, limits).encode("utf-8"))
        return target
    if not target.suffix:
        raise InputError(
            f"--out {target}", "needs an ending, as report.html; a folder without it holds the attempts' pages"
        )
    chosen = attempts_with_pages(run.rows, limits.detail_attempts)
    folder = target.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    linked: dict[str, str] = {}
    for row in chosen:
        name = page_name(row)
        write_whole(folder / name, _attempt_page(run, row, limits, f"../{quote(target.name)}").encode("utf-8"))
        linked[row.prefix] = f"{quote(folder.name)}/{quote(name)}"
    write_whole(
        target, _many_page(run, [replace(row, href=linked.get(row.prefix)) for row in run.rows]).encode("utf-8")
    )
    return target


def attempt_page(run_dir: Path, chain: Sequence[str], limits: Limits | None = None) -> str:
    """The HTML of the page of a run's only attempt, which needs no other file.

    Args:
        run_dir: a folder with the run's record as far as this attempt goes, for instance a copy that was changed.
        chain: what is wrong with the ledger and the hashes of the original; of a copy it is not looked at.
        limits: how large the page may grow.

    Raises:
        InputError: the folder holds no attempt, or several.
    """
    run = _Run.read(open_run(run_dir), list(chain))
    if len(run.rows) != 1:
        raise InputError(str(run_dir), f"holds {len(run.rows)} attempts, not one")
    return _attempt_page(run, run.rows[0], limits or Limits(), "")


@dataclass(frozen=True)
class _Run:
    """Everything that is read once for all pages."""

    journal: RunJournal
    chain: list[str]
    word: str
    reasons: list[str]
    scores: Mapping[AttemptKey, Sequence[StoredScore]]
    rows: list[ListRow]
    """Failures first."""
    grading: TriageGrading | None
    """Levels that people gave; None if nobody did."""
    problems: list[str]

    @classmethod
    def read(cls, journal: RunJournal, chain: list[str] | None = None) -> "_Run":
        """Of this run, what people said about it included; `chain` in place of what its ledger and hashes say."""
        chain = chain_problems(journal) if chain is None else chain
        word, reasons = run_grade(journal, not chain)
        scores, problem = _with_people(journal)
        counting = counting_attempts(journal.attempts)
        rows = [list_row(at, folder, scores, counting) for at, folder in enumerate(journal.attempts, 1)]
        grading, wrong = _grading(journal)
        problems = [*journal.problems, *(p for p in (problem, wrong) if p)]
        return cls(journal, chain, word, reasons, scores, sorted(rows, key=failures_first), grading, problems)


def _with_people(journal: RunJournal) -> tuple[Mapping[AttemptKey, Sequence[StoredScore]], str | None]:
    """(stored scorecards, with people's verdicts on the lines left to them; what is wrong with those verdicts)."""
    scores = stored_scores(journal.path)
    try:
        verdicts = read_verdicts(journal.path)
    except InputError as exc:
        return scores, str(exc)
    if verdicts is None:
        return scores, None
    hashes = {(a.package, a.trial, a.number): a.attempt_sha256 for a in journal.attempts}
    return {
        key: [replace(s, card=with_people(s.card, verdicts, hashes.get(key))) if s.card else s for s in found]
        for key, found in scores.items()
    }, None


def _grading(journal: RunJournal) -> tuple[TriageGrading | None, str | None]:
    """(levels that people gave, what is wrong with their file)."""
    path = journal.path / HUMAN_DIR / TRIAGE_FILE
    try:
        return (read_model(TriageGrading, path, f"{HUMAN_DIR}/{TRIAGE_FILE}") if path.is_file() else None), None
    except InputError as exc:
        return None, str(exc)


def attempts_with_pages(rows: Sequence[ListRow], most: int) -> list[ListRow]:
    """The attempts that get a page of their own: of each kind of failure and ending a first, a second and a third one, then
    the others, failures first; at most so many."""
    there = [row for row in rows if row.folder.path.is_dir()]
    kinds: dict[str, list[str]] = {}
    for row in there:
        for kind in (*row.failed, f"ended {row.ending}"):
            kinds.setdefault(kind, []).append(row.prefix)
    early = [names[at] for at in range(SHOWN_OF_A_KIND) for names in kinds.values() if at < len(names)]
    order = {prefix: at for at, prefix in enumerate(dict.fromkeys([*early, *(row.prefix for row in there)]))}
    return sorted(there, key=lambda row: order[row.prefix])[:most]


def page_name(row: ListRow) -> str:
    """File name of an attempt's page; a package whose name is no plain one is told apart by a hash."""
    plain_name = re.sub(r"[^A-Za-z0-9_-]", "_", row.folder.package)[:60]
    mark = (
        ""
        if plain_name == row.folder.package
        else f"-{sha256_hex(row.folder.package.encode('utf-8', 'surrogatepass'))[:8]}"
    )
    return f"{plain_name}{mark}-t{row.folder.trial:02d}-a{row.folder.number:02d}.html"


def _one_page(run: _Run, limits: Limits) -> str:
    """All attempts on one page."""
    album, marker = Album(limits.picture_bytes), Marker()
    sections: list[Markup] = []
    shown: list[ListRow] = []
    size = 0
    for row in run.rows:
        fits = size < limits.detail_bytes and len(sections) < limits.detail_attempts
        detailed = fits and row.folder.path.is_dir()
        if detailed:
            sections.append(_section(run, row, album, marker))
            size += len(sections[-1].encode("utf-8"))
        shown.append(replace(row, href=f"#{row.prefix}" if detailed else None))
    return _render(run, shown, album, marker, sections=sections)


def _attempt_page(run: _Run, row: ListRow, limits: Limits, home: str) -> str:
    """One attempt on a page of its own."""
    album, marker = Album(limits.picture_bytes), Marker()
    section = _section(run, row, album, marker)
    return _render(run, [replace(row, href=f"#{row.prefix}")], album, marker, sections=[section], home=home)


def _many_page(run: _Run, rows: Sequence[ListRow]) -> str:
    """The page about a run of many attempts."""
    script = environment().get_template("list.js").render()
    return _render(run, rows, Album(0), Marker(), script=script)


def _section(run: _Run, row: ListRow, album: Album, marker: Marker) -> Markup:
    view = _attempt_view(run.journal, row, run.scores, album, marker, run.chain)
    html = environment().get_template("attempt.html.j2").render(a=view, run=run.journal)
    return Markup(html)  # noqa: S704 -- rendered by the autoescaping environment


def _render(
    run: _Run, rows: Sequence[ListRow], album: Album, marker: Marker, *,
    sections: Sequence[Markup] = (), script: str | None = None, home: str | None = None,
) -> str:  # fmt: skip
    """A page's HTML.

    Args:
        run: what was read of the run.
        rows: attempts the page is about.
        album: pictures that were put into the sections.
        marker: texts that were put into them.
        sections: attempts shown in full.
        script: sorts and narrows the list; None: the page runs nothing.
        home: address of the run's page; None on that page itself.
    """
    filters = filters_of(rows)
    templates = environment()
    css = templates.get_template("report.css").render()
    page: str = templates.get_template("page.html.j2").render(
        css=Markup(css),  # noqa: S704 -- the package's own style sheet
        css_hash=content_hash(css),
        script=Markup(script) if script else None,  # noqa: S704 -- the package's own script
        script_hash=content_hash(script) if script else None,
        home=home,
        title=plain(f"{run.word.upper()} – {run.journal.run}"),
        grade_word=run.word.upper(),
        reasons=[marker.show(r, whole=True) for r in run.reasons],
        run=marker.show(run.journal.run, whole=True),
        manifest=run.journal.manifest,
        rows=rows,
        sections=sections,
        filters=filters,
        overview=overview_of(rows, filters, marker) if len(rows) > 1 else None,
        grading=run.grading,
        totals=_totals(rows),
        planned=_planned(run.journal) if home is None else None,
        void=[r for r in rows if not r.counting],
        problems=[marker.show(p) for p in run.problems],
        chain=[marker.show(p) for p in run.chain],
        settings=_settings(run.journal, marker),
        hashes=_hashes(rows, run.scores, marker),
        album=album,
        cut_chars=marker.cut_chars,
        undetailed=sum(r.href is None for r in rows),
        show=marker.show,
    )
    return page


def run_grade(journal: RunJournal, chain_ok: bool) -> tuple[str, list[str]]:
    """The run's grade; a run whose manifest cannot be read is a rehearsal."""
    if journal.manifest is None:
        return "rehearsal", ["run.json is missing or unreadable, so nothing shows what ran"]
    return grade(journal.manifest, None, chain_ok)


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
        ("created", when(m.created_at)),
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
