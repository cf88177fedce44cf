"""Questions to the index: which attempts fit, how many, what was said in them, and what a run's lines came to."""
# ruff: noqa: S608 -- conditions are put together from this module's own words; whatever somebody asks for is bound to a `?`

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from urllib.parse import quote, urlencode

from harness.errors import InputError
from harness.report.scores import STATE_ORDER, UNKNOWN
from harness.view.index import TONES, UTTERANCES
from harness.view.words import SHORT, around, wanted_words

PAGE = 100
HITS = 3
"""Places shown of an attempt in which the words were found."""
ORDERS: Mapping[str, tuple[str, str]] = {
    "failures": ("failures first", "a.tone, a.failed DESC, a.unknown DESC, a.started DESC, a.id"),
    "newest": ("newest first", "a.started DESC, a.id"),
    "package": ("by package", "a.package, a.trial, a.number, a.started DESC"),
    "longest": ("longest first", "a.seconds DESC, a.id"),
}
_CHOICES: Mapping[str, tuple[str, str]] = {
    "run": ("run", "SELECT r.key AS value, count(a.id) AS n FROM run r LEFT JOIN attempt a ON a.run=r.id GROUP BY r.id ORDER BY r.created DESC"),
    "package": ("package", "SELECT package AS value, count(*) AS n FROM attempt GROUP BY 1 ORDER BY 1"),
    "scenario": ("class", "SELECT class AS value, count(*) AS n FROM attempt WHERE class<>'' GROUP BY 1 ORDER BY 1"),
    "style": ("opening style", "SELECT style AS value, count(*) AS n FROM attempt WHERE style<>'' GROUP BY 1 ORDER BY 1"),
    "line": ("failed line", "SELECT n.name AS value, count(*) AS n FROM line l JOIN name n ON n.id=l.name WHERE l.state='fail' GROUP BY l.name ORDER BY 2 DESC, 1"),
    "defect": ("planted defect", "SELECT d.name AS value, count(a.id) AS n FROM defect d LEFT JOIN attempt a ON a.run=d.run GROUP BY 1 ORDER BY 1"),
    "tone": ("result", "SELECT tone AS value, count(*) AS n FROM attempt GROUP BY 1 ORDER BY 1"),
    "grade": ("grade", "SELECT grade AS value, count(*) AS n FROM attempt GROUP BY 1 ORDER BY 1"),
    "ended": ("termination", "SELECT ended AS value, count(*) AS n FROM attempt GROUP BY 1 ORDER BY 2 DESC"),
}  # fmt: skip
"""Filter -> (what it is called, its values with how many attempts have them)."""
_WHERE: Mapping[str, str] = {
    "run": "a.run = (SELECT id FROM run WHERE key=?)",
    "package": "a.package = ?",
    "scenario": "a.class = ?",
    "style": "a.style = ?",
    "line": "a.id IN (SELECT l.attempt FROM line l WHERE l.state='fail' AND l.name=(SELECT id FROM name WHERE name=?))",
    "defect": "a.run IN (SELECT run FROM defect WHERE name=?)",
    "tone": "a.tone = ?",
    "grade": "a.grade = ?",
    "ended": "a.ended = ?",
    "since": "a.started >= ?",
    "until": "a.started <> '' AND substr(a.started, 1, 10) <= ?",
}


@dataclass(frozen=True)
class Wanted:
    """What somebody looks for; an empty text narrows nothing."""

    q: str = ""
    run: str = ""
    package: str = ""
    scenario: str = ""
    style: str = ""
    line: str = ""
    defect: str = ""
    tone: str = ""
    grade: str = ""
    ended: str = ""
    since: str = ""
    until: str = ""
    order: str = "failures"
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Wanted":
        """As an address says it.

        Raises:
            InputError: a date, an order or a page that is none.
        """
        known = {f.name: given[f.name][:500] for f in fields(cls) if f.name in given and f.name != "page"}
        for name in ("since", "until"):
            try:
                date.fromisoformat(known[name]) if known.get(name) else None
            except ValueError:
                raise InputError(name, "is no date; write it as 2026-03-09") from None
        if known.get("order", "failures") not in ORDERS:
            raise InputError("order", f"is none of {', '.join(ORDERS)}")
        page = given.get("page", "1")
        if not (page.isascii() and page.isdigit() and 1 <= len(page) <= 6 and int(page)):
            raise InputError("page", "is no number of a page")
        return cls(**known, page=int(page))

    def address(self, **changes: str | int) -> str:
        """The query of an address that asks for the same with changes; a change other than of the page begins at the first."""
        made = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]
        base = Wanted()
        return urlencode({f.name: v for f in fields(made) if (v := getattr(made, f.name)) != getattr(base, f.name)})

    @property
    def narrowed(self) -> list[tuple[str, str]]:
        """(filter, value) of all that narrows."""
        return [
            (f.name, str(v)) for f in fields(self) if f.name not in ("order", "page") and (v := getattr(self, f.name))
        ]

    def where(self) -> tuple[str, list[str | int]]:
        """Condition on attempts `a`, and its values."""
        parts: list[str] = []
        values: list[str | int] = []
        for name, condition in _WHERE.items():
            value = getattr(self, name)
            if value:
                parts.append(condition)
                values.append(TONES.index(value) if name == "tone" and value in TONES else value)
        if self.q.strip():
            source, found = _said(wanted_words(self.q))
            parts.append(f"a.id IN (SELECT DISTINCT id >> {UTTERANCES} FROM ({source}))")
            values += found
        return " AND ".join(parts) or "1", values


def _said(words: list[str]) -> tuple[str, list[str | int]]:
    """(query of numbers of utterances that hold all of the words, its values)."""
    long = ['"' + w.replace('"', '""') + '"' for w in words if len(w) >= SHORT]
    short = [w for w in words if len(w) < SHORT]
    if not words:
        return "SELECT id FROM utterance WHERE 0", []
    if not long:
        return "SELECT id FROM utterance WHERE " + " AND ".join("instr(folded, ?)" for _ in short), list(short)
    match = "SELECT rowid AS id FROM said WHERE said MATCH ?"
    if not short:
        return match, [" AND ".join(long)]
    conditions = " AND ".join("instr(folded, ?)" for _ in short)
    return f"SELECT id FROM utterance WHERE id IN ({match}) AND {conditions}", [" AND ".join(long), *short]


@dataclass(frozen=True)
class Choice:
    """One filter of the list."""

    name: str
    title: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Hit:
    """A place in a journey where the words stand."""

    turn: int
    event: int
    who: str
    text: str


@dataclass(frozen=True)
class Found:
    """One page of the list."""

    rows: list[sqlite3.Row]
    total: int
    tones: Mapping[str, int]
    hits: Mapping[int, tuple[list[Hit], int]]
    """Attempt -> (first places, how many there are)."""


def choices(db: sqlite3.Connection) -> list[Choice]:
    """All filters with their values."""
    made = []
    for name, (title, sql) in _CHOICES.items():
        rows = [(TONES[r["value"]] if name == "tone" else r["value"], r["n"]) for r in db.execute(sql)]
        made.append(Choice(name, title, tuple(rows)))
    return made


def attempts(db: sqlite3.Connection, wanted: Wanted) -> Found:
    """The attempts that fit, one page of them."""
    where, values = wanted.where()
    counts = dict.fromkeys(TONES, 0) | {
        TONES[r[0]]: r[1]
        for r in db.execute(f"SELECT a.tone, count(*) FROM attempt a WHERE {where} GROUP BY 1", values)
    }
    rows = db.execute(
        f"SELECT a.*, r.key AS run_key, r.name AS run_name FROM attempt a JOIN run r ON r.id=a.run WHERE {where} "
        f"ORDER BY {ORDERS[wanted.order][1]} LIMIT {PAGE} OFFSET {(wanted.page - 1) * PAGE}",
        values,
    ).fetchall()
    words = wanted_words(wanted.q)
    hits = {row["id"]: _hits(db, row["id"], words) for row in rows} if words else {}
    return Found(rows, sum(counts.values()), counts, hits)


def _hits(db: sqlite3.Connection, attempt: int, words: list[str]) -> tuple[list[Hit], int]:
    low, high = attempt << UTTERANCES, (attempt + 1) << UTTERANCES
    conditions = " AND ".join("instr(folded, ?)" for _ in words)
    found = db.execute(
        f"SELECT turn, event, who, text FROM utterance WHERE id >= ? AND id < ? AND {conditions} ORDER BY id",
        (low, high, *words),
    ).fetchall()
    return [Hit(r["turn"], r["event"], r["who"], around(r["text"], words)) for r in found[:HITS]], len(found)


def runs(db: sqlite3.Connection, wanted: Wanted) -> list[sqlite3.Row]:
    """The runs that hold attempts that fit, newest first, with how many; without a filter also runs without any attempt."""
    where, values = wanted.where()
    join = "JOIN" if wanted.narrowed else "LEFT JOIN"
    return db.execute(
        f"SELECT r.*, (SELECT group_concat(name, ', ') FROM defect WHERE run=r.id) AS defects, count(a.id) AS total, "
        f"count(DISTINCT a.package) AS packages, {', '.join(f'sum(a.tone={n}) AS {tone}' for n, tone in enumerate(TONES))} "
        f"FROM run r {join} attempt a ON a.run=r.id AND {where} GROUP BY r.id ORDER BY r.created DESC, r.key",
        values,
    ).fetchall()


@dataclass(frozen=True)
class Cell:
    """One line of one package: how its counting attempts came out."""

    state: str
    """The worst of them."""
    count: int
    """Attempts of that state."""
    of: int
    address: str
    """The attempt, at that line, where it is one; else the list of those attempts."""


@dataclass(frozen=True)
class Matrix:
    """Packages by score lines."""

    lines: list[str]
    packages: list[str]
    cells: Mapping[tuple[str, str], Cell]
    hidden: int
    """Lines left out because no package fails them or leaves them open."""


def matrix(db: sqlite3.Connection, run: sqlite3.Row, every_line: bool) -> Matrix:
    """How each line came out in each package of a run; only of attempts that count."""
    rows = db.execute(
        "SELECT a.package, n.name AS line, l.state, count(*) AS n, min(l.at) AS at, min(a.trial) AS trial, min(a.number) AS number "
        "FROM attempt a CROSS JOIN line l ON l.attempt=a.id CROSS JOIN name n ON n.id=l.name WHERE a.run=? AND a.counting GROUP BY a.package, l.name, l.state",
        (run["id"],),
    ).fetchall()
    by_cell: dict[tuple[str, str], list[sqlite3.Row]] = {}
    for row in rows:
        by_cell.setdefault((row["package"], row["line"]), []).append(row)
    cells = {key: _cell(run["key"], found) for key, found in by_cell.items()}
    weight: dict[str, list[int]] = {}
    for (_, line), cell in cells.items():
        own = weight.setdefault(line, [0, 0])
        own[0] += cell.state == "fail"
        own[1] += cell.state in UNKNOWN
    lines = sorted(weight, key=lambda line: (-weight[line][0], -weight[line][1], line))
    shown = lines if every_line else [line for line in lines if any(weight[line])]
    fails = Counter(package for (package, _), cell in cells.items() if cell.state == "fail")
    packages = [r[0] for r in db.execute("SELECT DISTINCT package FROM attempt WHERE run=?", (run["id"],))]
    return Matrix(shown, sorted(packages, key=lambda p: (-fails[p], p)), cells, len(lines) - len(shown))


def _cell(run_key: str, found: list[sqlite3.Row]) -> Cell:
    worst = min(found, key=lambda r: STATE_ORDER.index(r["state"]))
    total = sum(r["n"] for r in found)
    if worst["n"] == 1:
        address = f"{attempt_address(run_key, worst['package'], worst['trial'], worst['number'])}#j-l{worst['at']}"
    else:
        address = (
            "/?"
            + Wanted(
                run=run_key, package=worst["package"], line=worst["line"] if worst["state"] == "fail" else ""
            ).address()
        )
    return Cell(worst["state"], worst["n"], total, address)


def run_row(db: sqlite3.Connection, key: str) -> sqlite3.Row | None:
    """One run."""
    row: sqlite3.Row | None = db.execute(
        "SELECT r.*, (SELECT group_concat(name, ', ') FROM defect WHERE run=r.id) AS defects FROM run r WHERE key=?",
        (key,),
    ).fetchone()
    return row


def attempt_row(db: sqlite3.Connection, run: int, package: str, trial: int, number: int) -> sqlite3.Row | None:
    """One attempt."""
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM attempt WHERE run=? AND package=? AND trial=? AND number=?", (run, package, trial, number)
    ).fetchone()
    return row


def siblings(db: sqlite3.Connection, run: int, package: str, trial: int) -> list[sqlite3.Row]:
    """All attempts of one trial."""
    return db.execute(
        "SELECT * FROM attempt WHERE run=? AND package=? AND trial=? ORDER BY number", (run, package, trial)
    ).fetchall()


def attempt_address(run: str, package: str, trial: int, number: int) -> str:
    """Path of an attempt's page."""
    return f"/run/{quote(run, safe='')}/{quote(package, safe='')}/t{trial:02d}/a{number:02d}"
