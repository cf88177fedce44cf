"""What the lists are made from: attempts, score lines and what was said, in a database outside the results.

It is built while the viewer answers, trial by trial, and only what changed is read again.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from harness.errors import RigError, one_line
from harness.journal import AttemptFolder, RunJournal, StoredScore, counting_attempts, open_trial, read_lines
from harness.report.rows import AttemptKey, ListRow, list_row
from harness.report.text import plain
from harness.schema.events import EVENT
from harness.schema.grade import grade
from harness.schema.human import HumanVerdicts
from harness.view.places import RunPlace, Skipped, TrialPlace, find_runs, find_trials
from harness.view.records import scores_of, verdicts_of
from harness.view.words import MOST_CHARS, folded, spoken

VERSION = 1
BATCH = 64
"""Trials written at a time."""
TONES = ("fail", "unknown", "pass", "void")
UTTERANCES = 16
"""Bits of an utterance's number that count within its attempt."""
_SCHEMA = """
CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, path TEXT NOT NULL, sig TEXT NOT NULL, name TEXT NOT NULL,
  created TEXT NOT NULL, product TEXT NOT NULL, customer TEXT NOT NULL, grade TEXT NOT NULL, problem TEXT);
CREATE TABLE defect(run INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE trial(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, package TEXT NOT NULL, number INTEGER NOT NULL, sig TEXT NOT NULL,
  UNIQUE(run, package, number));
CREATE TABLE attempt(id INTEGER PRIMARY KEY, trial_id INTEGER NOT NULL, run INTEGER NOT NULL, package TEXT NOT NULL, trial INTEGER NOT NULL,
  number INTEGER NOT NULL, path TEXT NOT NULL, scores TEXT NOT NULL, ended TEXT NOT NULL, why TEXT NOT NULL, started TEXT NOT NULL,
  class TEXT NOT NULL, style TEXT NOT NULL, grade TEXT NOT NULL, tone INTEGER NOT NULL, scored INTEGER NOT NULL, counting INTEGER NOT NULL,
  failed INTEGER NOT NULL, unknown INTEGER NOT NULL, passed INTEGER NOT NULL, first TEXT NOT NULL, seconds REAL, problem TEXT, heard INTEGER NOT NULL);
CREATE INDEX attempt_trial ON attempt(trial_id);
CREATE INDEX attempt_run ON attempt(run);
CREATE INDEX attempt_order ON attempt(tone, failed DESC, unknown DESC, started DESC);
CREATE INDEX attempt_started ON attempt(started);
CREATE TABLE name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE line(attempt INTEGER NOT NULL, name INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY(attempt, name)) WITHOUT ROWID;
CREATE INDEX line_state ON line(state, name, attempt);
CREATE TABLE utterance(id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, event INTEGER NOT NULL, who TEXT NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL);
CREATE VIRTUAL TABLE said USING fts5(folded, content='utterance', content_rowid='id', tokenize='trigram');
"""


@dataclass(frozen=True)
class Progress:
    """How far the index is."""

    runs: int = 0
    trials: int = 0
    """Trials found."""
    listed: int = 0
    """Trials that stand in the lists as they are on disk."""
    heard: int = 0
    """Attempts of which the words can be searched."""
    attempts: int = 0
    unread: tuple[str, ...] = ()
    """What could not be read or was passed over, and why."""
    done: bool = False

    @property
    def busy(self) -> bool:
        """Something is still to be read."""
        return not self.done


class Index:
    """The database, and the thread that keeps it like the results.

    Args:
        results: folder of the runs; nothing is written there.
        path: file of the database. One that is of another version or damaged is made anew.
        again_s: seconds after which a question makes the thread look at the folder again.
    """

    def __init__(self, results: Path, path: Path, again_s: float = 3.0) -> None:
        self.results = results.resolve()
        self.path = path
        self.progress = Progress()
        self._again_s = again_s
        self._local = threading.local()
        self._asked = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._looked = 0.0
        self._prepare()

    def _prepare(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            fits = self.path.is_file() and self._fits()
        except sqlite3.DatabaseError:
            fits = False
        if fits:
            return
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self.path.touch(mode=0o600)
        with closing(self._connect()) as db, db:
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version={VERSION}")

    def _fits(self) -> bool:
        with closing(self._connect()) as db:
            version: int = db.execute("PRAGMA user_version").fetchone()[0]
            db.execute("SELECT count(*) FROM run").fetchone()
            return version == VERSION

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=30, check_same_thread=False)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA synchronous=OFF")
        db.execute("PRAGMA cache_size=-32000")
        return db

    def reader(self) -> sqlite3.Connection:
        """A connection of this thread that cannot write; asking for it makes the folder be looked at again, now and then."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = self._connect()
            db.execute("PRAGMA query_only=1")
        if time.monotonic() - self._looked > self._again_s:
            self._asked.set()
        return db

    def start(self) -> None:
        """Begin to read, beside the caller."""
        self._thread = threading.Thread(target=self._keep, name="index", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the reading; what was read is kept."""
        self._stop.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join(30)

    def _keep(self) -> None:
        while not self._stop.is_set():
            self._asked.clear()
            self.update()
            self._looked = time.monotonic()
            self._asked.wait()

    def update(self) -> Progress:
        """Read what is new or changed: first all that the lists need, then what was said, the newest run first."""
        with closing(self._connect()) as db:
            update = _Update(db, self.results, self._stop.is_set, self._say)
            update.go()
        return self.progress

    def _say(self, progress: Progress) -> None:
        self.progress = progress


class _Update:
    """One pass over the results."""

    def __init__(
        self, db: sqlite3.Connection, results: Path, stopped: Callable[[], bool], say: Callable[[Progress], None]
    ) -> None:
        self.db, self.results, self.stopped, self.say = db, results, stopped, say
        self.skipped = Skipped()
        self.now = Progress()
        self.names: dict[str, int] = dict(db.execute("SELECT name, id FROM name").fetchall())

    def go(self) -> None:
        runs = list(find_runs(self.results, self.skipped))
        ids = self._runs(runs)
        found = [(run, trial) for run in runs for trial in find_trials(run, self.skipped)]
        self._told(runs=len(runs), trials=len(found))
        self._trials(ids, found)
        self._hear()
        if not self.stopped():
            self._told(done=True)

    def _told(
        self, runs: int | None = None, trials: int | None = None, listed: int | None = None, done: bool = False
    ) -> None:
        heard, attempts = self.db.execute("SELECT sum(heard), count(*) FROM attempt").fetchone()
        problems = [
            f"{r['name']}: {r['problem']}"
            for r in self.db.execute("SELECT name, problem FROM run WHERE problem IS NOT NULL")
        ]
        problems += [
            f"{r['path']}: {r['problem']}"
            for r in self.db.execute(
                "SELECT package || '/t' || trial || '/a' || number AS path, problem FROM attempt WHERE problem IS NOT NULL LIMIT 1000"
            )
        ]
        self.now = replace(
            self.now,
            runs=self.now.runs if runs is None else runs,
            trials=self.now.trials if trials is None else trials,
            listed=self.now.listed if listed is None else listed,
            heard=heard or 0, attempts=attempts, done=done,
            unread=tuple(plain(p, 300) for p in (*self.skipped.reasons, *problems)),
        )  # fmt: skip
        self.say(self.now)

    def _runs(self, runs: Iterable[RunPlace]) -> dict[str, int]:
        """Row of each run, by its key."""
        known = {row["key"]: row for row in self.db.execute("SELECT id, key, path, sig FROM run")}
        ids: dict[str, int] = {}
        with self.db:
            for run in runs:
                row = known.get(run.key)
                if run.key in ids:
                    self.skipped.add(run.key, "a second run of this name was left out")
                elif row is not None and (row["path"], row["sig"]) == (str(run.path), run.sig):
                    ids[run.key] = row["id"]
                else:
                    if row is not None:
                        self._forget_run(row["id"])
                    ids[run.key] = self._add_run(run)
            for key, row in known.items():
                if key not in ids:
                    self._forget_run(row["id"])
        return ids

    def _insert(self, sql: str, values: tuple[str | float | None, ...]) -> int:
        """Number of the new row."""
        return int(self.db.execute(sql, values).lastrowid or 0)

    def _add_run(self, run: RunPlace) -> int:
        journal = open_trial(run.path, "", 0, {})
        manifest = journal.manifest
        if manifest is None:
            values = (run.path.name, "", "not known", "not known", "rehearsal")
        else:
            s = manifest.settings
            product = f"{manifest.runtime.product} {manifest.runtime.version}, {manifest.runtime.runtime}"
            values = (manifest.run, manifest.created_at.isoformat(), product, s.customer, grade(manifest)[0])
        problem = "; ".join(p for p in (*journal.problems, verdicts_of(run.path)[1]) if p) or None
        row = self._insert(
            "INSERT INTO run(key, path, sig, name, created, product, customer, grade, problem) VALUES(?,?,?,?,?,?,?,?,?)",
            (run.key, str(run.path), run.sig, *values, problem),
        )
        defects = manifest.settings.defects if manifest else []
        self.db.executemany("INSERT INTO defect VALUES(?,?)", [(row, d) for d in defects])
        return row

    def _forget_run(self, run: int) -> None:
        for (trial,) in self.db.execute("SELECT id FROM trial WHERE run=?", (run,)).fetchall():
            self._forget_trial(trial)
        self.db.execute("DELETE FROM defect WHERE run=?", (run,))
        self.db.execute("DELETE FROM run WHERE id=?", (run,))

    def _forget_trial(self, trial: int) -> None:
        for (attempt,) in self.db.execute("SELECT id FROM attempt WHERE trial_id=?", (trial,)).fetchall():
            low, high = attempt << UTTERANCES, (attempt + 1) << UTTERANCES
            self.db.execute(
                "INSERT INTO said(said, rowid, folded) SELECT 'delete', id, folded FROM utterance WHERE id >= ? AND id < ?",
                (low, high),
            )
            self.db.execute("DELETE FROM utterance WHERE id >= ? AND id < ?", (low, high))
            self.db.execute("DELETE FROM line WHERE attempt=?", (attempt,))
        self.db.execute("DELETE FROM attempt WHERE trial_id=?", (trial,))
        self.db.execute("DELETE FROM trial WHERE id=?", (trial,))

    def _trials(self, ids: dict[str, int], found: list[tuple[RunPlace, TrialPlace]]) -> None:
        known = {
            (r["run"], r["package"], r["number"]): (r["id"], r["sig"]) for r in self.db.execute("SELECT * FROM trial")
        }
        there = {(ids[run.key], trial.package, trial.trial) for run, trial in found}
        with self.db:
            for key, (row, _) in known.items():
                if key not in there:
                    self._forget_trial(row)
        fresh = [
            (run, trial) for run, trial in found
            if known.get((ids[run.key], trial.package, trial.trial), (0, ""))[1] != trial.sig
        ]  # fmt: skip
        self._told(listed=len(found) - len(fresh))
        verdicts: dict[str, HumanVerdicts | None] = {}
        for at in range(0, len(fresh), BATCH):
            if self.stopped():
                return
            with self.db:
                for run, trial in fresh[at : at + BATCH]:
                    row = known.get((ids[run.key], trial.package, trial.trial))
                    if row is not None:
                        self._forget_trial(row[0])
                    if run.key not in verdicts:
                        verdicts[run.key] = verdicts_of(run.path)[0]
                    self._add_trial(ids[run.key], run, trial, verdicts[run.key])
            self._told(listed=len(found) - len(fresh) + at + len(fresh[at : at + BATCH]))

    def _add_trial(self, run_id: int, run: RunPlace, trial: TrialPlace, verdicts: HumanVerdicts | None) -> None:
        row = self._insert(
            "INSERT INTO trial(run, package, number, sig) VALUES(?,?,?,?)",
            (run_id, trial.package, trial.trial, trial.sig),
        )
        journal = open_trial(run.path, trial.package, trial.trial, trial.attempts)
        scores = scores_of(journal, trial.scores, verdicts)
        counting = counting_attempts(journal.attempts)
        for at, folder in enumerate(journal.attempts, 1):
            self._add_attempt((row, run_id), journal, folder, list_row(at, folder, scores, counting), scores, trial)

    def _add_attempt(
        self, ids: tuple[int, int], journal: RunJournal, folder: AttemptFolder, shown: ListRow,
        scores: dict[AttemptKey, list[StoredScore]], trial: TrialPlace,
    ) -> None:  # fmt: skip
        card, attempt = shown.card, folder.attempt
        length = (attempt.ended_at - attempt.started_at).total_seconds() if attempt else None
        word = card.grade if card else grade(journal.manifest, attempt)[0] if journal.manifest else "rehearsal"
        problem = "; ".join(
            one_line(p, 200) for p in (*folder.problems, shown.score_problem) if p and not _unfinished(folder, p)
        )
        new = self._insert(
            "INSERT INTO attempt(trial_id, run, package, trial, number, path, scores, ended, why, started, class, style, grade, tone, scored, counting,"
            " failed, unknown, passed, first, seconds, problem, heard) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,0)",
            (
                *ids, folder.package, folder.trial, folder.number, str(folder.path), json.dumps([str(p) for p in trial.scores.get(folder.number, ())]),
                shown.ending, attempt.why if attempt else "", attempt.started_at.isoformat() if attempt else "",
                card.scenario_class if card else "", card.opening_style if card else "",
                word if word == "rehearsal" or card else "not verified", TONES.index(shown.tone), card is not None, shown.counting,
                len(shown.failed), shown.unknown, shown.passed, shown.failed[0] if shown.failed else "", length, problem or None,
            ),
        )  # fmt: skip
        rows = {self._name(line.id): (at, line.state) for at, line in enumerate(card.lines if card else ())}
        self.db.executemany(
            "INSERT INTO line VALUES(?,?,?,?)", [(new, name, at, state) for name, (at, state) in rows.items()]
        )

    def _name(self, line: str) -> int:
        if line not in self.names:
            row = self._insert("INSERT INTO name(name) VALUES(?)", (line,))
            self.names[line] = row
        return self.names[line]

    def _hear(self) -> None:
        waiting = self.db.execute(
            "SELECT a.id, a.path FROM attempt a JOIN run r ON r.id=a.run WHERE NOT a.heard ORDER BY r.created DESC, a.tone, a.id"
        ).fetchall()
        for at in range(0, len(waiting), BATCH):
            if self.stopped():
                return
            with self.db:
                for row in waiting[at : at + BATCH]:
                    self._hear_one(row["id"], Path(row["path"]))
            self._told()

    def _hear_one(self, attempt: int, path: Path) -> None:
        first = attempt << UTTERANCES
        try:
            events = read_lines(path, "events.jsonl", EVENT)
            said = list(spoken(events.items))[: 1 << UTTERANCES]
        except (OSError, RigError) as exc:
            self.db.execute("UPDATE attempt SET heard=1, problem=? WHERE id=?", (one_line(str(exc), 200), attempt))
            return
        rows = [
            (
                first + n,
                u.turn,
                u.event,
                u.who,
                text := u.text[:MOST_CHARS].encode("utf-8", "replace").decode(),
                folded(text),
            )
            for n, u in enumerate(said)
        ]
        self.db.executemany("INSERT INTO utterance VALUES(?,?,?,?,?,?)", rows)
        self.db.executemany("INSERT INTO said(rowid, folded) VALUES(?,?)", [(r[0], r[5]) for r in rows])
        cut = sum(len(u.text) > MOST_CHARS for u in said)
        found = [
            *events.problems,
            *([f"{cut} texts longer than {MOST_CHARS:,} characters can be searched up to there only"] if cut else []),
        ]
        note = "; ".join(found)
        self.db.execute(
            "UPDATE attempt SET heard=1, problem=CASE WHEN ?='' THEN problem WHEN problem IS NULL THEN ? ELSE problem || '; ' || ? END WHERE id=?",
            (note, note, note, attempt),
        )


def _unfinished(folder: AttemptFolder, problem: str) -> bool:
    """An attempt that is still being played has no attempt.json yet; its ending says so."""
    return folder.attempt is None and problem == "attempt.json is missing"
