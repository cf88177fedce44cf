"""Handing sheets out: a run's cases in random order, under neutral ids, with the key kept behind."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import InputError
from harness.schema.human import HUMAN_DIR, SheetItem, SheetKey, SheetKind
from harness.schema.package import LABELS, PROVENANCE, REVIEW, SETUP, find_packages
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard, ScoreLine
from harness.schema.strict_json import canonical, parse_json, read_bytes, read_model, sha256_hex
from oracle_scoring.claims.batch import score_run
from oracle_scoring.corpus.rules import LEVELS
from oracle_scoring.files import write_atomically
from oracle_scoring.sheets.blind import require_blind, without_invisible
from oracle_scoring.sheets.cases import CaseMaker
from oracle_scoring.sheets.form import FORMS, Form, question_of
from oracle_scoring.sheets.page import Entry, page_bytes
from oracle_scoring.sheets.store import KEY
from oracle_scoring.sheets.workbook import csv_bytes, xlsx_bytes

HAND_OUT = "hand-out"
PREFIX = 6
"""Characters of the sheet's id that begin each item's id."""


@dataclass(frozen=True)
class Exported:
    """What was written."""

    key: SheetKey
    folder: Path
    """Where the files to hand out are."""
    key_path: Path


@dataclass(frozen=True)
class _Wanted:
    """One row to be: an attempt, and the score line where one is left to a person."""

    card: Scorecard
    line: ScoreLine | None


def export_sheet(
    kind: SheetKind, run_dir: Path, packages_root: Path, out: Path | None = None, rng_seed: int = 1, sample: int | None = None
) -> Exported:  # fmt: skip
    """Writes workbook, CSV and page of a run's counting attempts, and keeps the key in the run's folder.

    The run is scored first if it was not. The same run, seed and sample give the same files.

    Args:
        kind: `triage` for levels, `human` for the lines that are left to a person.
        run_dir: `results/<run>`.
        packages_root: the corpus.
        out: folder for what is handed out; by default beside the key.
        rng_seed: seed of the order and of the sample.
        sample: so many rows, chosen at random; None: all.

    Raises:
        InputError: there is nothing to grade, something is not what it should be, something would tell a grade, or a file
            of another content is there already.
    """
    form = FORMS[kind]
    run = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json").run
    wanted = _wanted(kind, score_run(run_dir, packages_root))
    if not wanted:
        what = "counting attempt of a claims package" if kind == "triage" else "line that is left to a person"
        raise InputError(f"run {run}", f"has no {what}, so there is nothing to grade")
    if sample is not None and sample < 1:
        raise InputError("--sample", "a sample has at least one row")
    rng = random.Random(f"{kind} {rng_seed}")  # noqa: S311 - an order that can be drawn again, no secret
    chosen = rng.sample(wanted, min(sample or len(wanted), len(wanted)))
    sheet = _sheet_id(kind, run, rng_seed, chosen, run_dir)
    packages = _folders(packages_root, {w.card.package for w in chosen})
    maker = CaseMaker(with_staff_pages=kind == "human")
    entries, items = [], []
    for number, one in enumerate(chosen, 1):
        item = f"{sheet[:PREFIX]}-{number:03d}"
        folder = _attempt_dir(run_dir, one.card)
        statement = without_invisible(one.line.title) if one.line else ""
        question = without_invisible(one.line.why) if one.line else ""
        entries.append(Entry(item, statement, question, maker.case(folder, packages[one.card.package])))
        items.append(
            SheetItem(
                item=item, package=one.card.package, trial=one.card.trial, attempt=one.card.attempt,
                attempt_sha256=sha256_hex((folder / "attempt.json").read_bytes()),
                line=one.line.id if one.line else None, question=question_of(one.line) if one.line else None,
            )
        )  # fmt: skip
    _require_blind(kind, entries, packages.values())
    files = _files(form, sheet, entries, maker.words_left_out)
    key = SheetKey(
        schema="sheet-key-v1", kind=kind, sheet=sheet, run=run, rng_seed=rng_seed, of=len(wanted), items=items,
        files={name: sha256_hex(data) for name, data in files.items()},
        words_left_out=maker.words_left_out, files_not_shown=maker.files_not_shown,
    )  # fmt: skip
    home = run_dir / HUMAN_DIR / f"{kind}-{sheet}"
    target = out if out is not None else home / HAND_OUT
    everything = {target / name: data for name, data in files.items()} | {home / KEY: canonical(key) + b"\n"}
    _write(everything)
    return Exported(key, target, home / KEY)


def _wanted(kind: SheetKind, cards: Sequence[Scorecard]) -> list[_Wanted]:
    counting = [c for c in cards if c.counting]
    if kind == "triage":
        return [_Wanted(card, None) for card in counting]
    return [_Wanted(card, line) for card in counting for line in card.lines if line.state == "needs_human"]


def _sheet_id(kind: SheetKind, run: str, rng_seed: int, chosen: Sequence[_Wanted], run_dir: Path) -> str:
    rows = [
        [c.card.package, c.card.trial, c.card.attempt, c.line.id if c.line else None, question_of(c.line) if c.line else None,
         sha256_hex((_attempt_dir(run_dir, c.card) / "attempt.json").read_bytes())]
        for c in chosen
    ]  # fmt: skip
    return sha256_hex(canonical([kind, run, rng_seed, rows]))[:12]


def _attempt_dir(run_dir: Path, card: Scorecard) -> Path:
    return run_dir / card.package / f"t{card.trial:02d}" / f"a{card.attempt:02d}"


def _folders(root: Path, wanted: set[str]) -> dict[str, Path]:
    if all((root / name).is_dir() for name in wanted):
        return {name: root / name for name in sorted(wanted)}
    found = find_packages(root)
    return {name: found[name] for name in sorted(wanted)}


def _cells(kind: SheetKind, entry: Entry) -> list[str]:
    case = entry.case
    if kind == "human":
        return [entry.item, "", "", "", entry.statement, entry.question, case.opening]
    facts = "\n".join(f"{row.name}: {row.value}" for row in case.facts)
    return [entry.item, "", "", "", case.opening, facts, "\n".join(file.name for file in case.files)]


def _files(form: Form, sheet: str, entries: Sequence[Entry], left_out: int) -> dict[str, bytes]:
    rows = [_cells(form.kind, entry) for entry in entries]
    stem = f"{form.kind}-{sheet[:PREFIX]}"
    return {
        f"{stem}.xlsx": xlsx_bytes(form, rows, f"{stem}.html"),
        f"{stem}.csv": csv_bytes(form, rows),
        f"{stem}.html": page_bytes(form, entries, left_out),
    }


def _require_blind(kind: SheetKind, entries: Sequence[Entry], folders: Iterable[Path]) -> None:
    """The guard behind the blinding: no package id, no canary, and for triage no code of a reason."""
    reasons: set[str] = {reason for all_of_it in LEVELS.values() for reason in all_of_it}
    secrets = reasons if kind == "triage" else set()
    for folder in folders:
        secrets |= {folder.name, *_canaries(folder)}
    words = {e.item: "\n".join([e.item, e.statement, e.question, *e.case.texts()]) for e in entries}
    require_blind(words, sorted(secrets))


def _canaries(folder: Path) -> Iterable[str]:
    for name in (LABELS, SETUP, PROVENANCE, REVIEW):
        shown = f"{folder.name}/{name}"
        data = parse_json(read_bytes(folder / name, shown), shown)
        if isinstance(data, dict) and isinstance(data.get("canary"), str):
            yield data["canary"]


def _write(files: Mapping[Path, bytes]) -> None:
    for path, data in files.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != data):
            raise InputError(
                str(path), "is there with another content, perhaps graded already; name another folder with -o"
            )
    for path, data in files.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
