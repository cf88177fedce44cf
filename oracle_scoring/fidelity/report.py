"""The fidelity report of a run."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from harness.errors import InputError
from harness.schema.events import MoveRejected, Severity, SlipKind
from harness.schema.package import find_packages, read_visible
from harness.schema.run import RunManifest, trial_number
from harness.schema.strict_json import read_model
from harness.schema.visible import CustomerView
from harness.schema.wording import fold
from harness.schema.words.conduct import says_unknown
from oracle_scoring.fidelity.detectors import NOT_LOOKED_FOR
from oracle_scoring.fidelity.judge import Judged, judge
from oracle_scoring.fidelity.models import (
    AttemptFidelity,
    Coverage,
    FactCoverage,
    FileCoverage,
    KindCount,
    RunFidelity,
)
from oracle_scoring.record import Record, attempts_of, read_record


def fidelity_of_run(run_dir: Path, packages_root: Path) -> RunFidelity:
    """Every finished attempt of the run, held against what its customer knew. Writes nothing; the same input gives the same.

    Raises:
        InputError: record or package is not what it should be.
    """
    manifest = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json")
    there = find_packages(packages_root, None)
    attempts: list[AttemptFidelity] = []
    unfinished: list[str] = []
    skipped: dict[str, str] = {}
    for package in sorted(manifest.settings.packages):
        if package not in there:
            skipped[package] = f"is not in {packages_root.name}"
            continue
        view = read_visible(there[package]).view()
        for folder in _attempts(run_dir / package):
            if not (folder / "attempt.json").is_file():
                unfinished.append(f"{package}/{folder.parent.name}/{folder.name}")
                continue
            attempts.append(fidelity_of_attempt(read_record(folder), view))
    if not attempts and skipped:
        name, why = next(iter(skipped.items()))
        raise InputError(f"{packages_root.name}/{name}", why)
    return RunFidelity(
        schema="fidelity-v1",
        run=manifest.run,
        attempts=attempts,
        unfinished=unfinished,
        skipped=skipped,
        kinds={kind: _count(kind, attempts) for kind in get_args(SlipKind)},
        not_looked_for=NOT_LOOKED_FOR,
        simulator_errors=sum(a.termination_reason == "simulator_error" for a in attempts),
        spoilt=sum(a.spoilt is not None for a in attempts),
        missed_by_guard=sum(a.missed_by_guard for a in attempts),
    )


def fidelity_of_attempt(record: Record, view: CustomerView) -> AttemptFidelity:
    """One attempt, from its record and what its customer knew."""
    judged = judge(record.events, view)
    attempt = record.attempt
    done = [m for m in judged.moves if m.delivered]
    refused = Counter(e.problem for e in record.events if isinstance(e, MoveRejected))
    return AttemptFidelity(
        package=attempt.package,
        trial=attempt.trial,
        attempt=attempt.attempt,
        counting=record.counting,
        customer=attempt.customer,
        termination_reason=attempt.termination_reason,
        moves=len(done),
        messages=sum(len(m.move.messages) for m in done if m.move and m.move.move == "say"),
        rejected=dict(sorted(refused.items())),
        stand_ins=[m.n for m in judged.moves if m.by == "stand_in"],
        findings=judged.findings,
        undecided=judged.undecided,
        guard_only=judged.guard_only,
        spoilt=judged.spoilt,
        missed_by_guard=judged.spoilt is not None and attempt.termination_reason != "simulator_error",
        coverage=_coverage(judged, view),
    )


def _attempts(package_dir: Path) -> list[Path]:
    if not package_dir.is_dir():
        return []
    trials = {n: p for p in package_dir.iterdir() if p.is_dir() and (n := trial_number(p.name)) is not None}
    return [attempt for n in sorted(trials) for attempt in attempts_of(trials[n])]


def _count(kind: SlipKind, attempts: Iterable[AttemptFidelity]) -> KindCount:
    each = list(attempts)
    found = [f for a in each for f in a.findings if f.kind == kind]
    severities: tuple[Severity, ...] = get_args(Severity)
    return KindCount(
        delivered={s: sum(f.delivered and f.severity == s for f in found) for s in severities},
        stopped={s: sum(not f.delivered and f.severity == s for f in found) for s in severities},
        undecided=sum(u.kind == kind for a in each for u in a.undecided),
        flagged=sum(f.flagged for f in found),
    )


def _coverage(judged: Judged, view: CustomerView) -> Coverage:
    end = judged.end
    said = [t for m in judged.moves if m.delivered and m.move and m.move.move == "say" for t in m.move.messages]
    unknown = [t for t in said if says_unknown(t, view)]
    own = [t for t in unknown if any(fold(p) in fold(t) for p in view.persona.dont_know)]
    return Coverage(
        facts={f.id: _fact(f.id, judged) for f in view.facts},
        unknown={u.id: u.id in end.asked for u in view.does_not_know},
        files={f.file: _file(f.file, judged) for f in view.files},
        wishes={w.id: any(fold(w.say) in fold(t) for t in end.messages) for w in view.wishes},
        dont_know_own_words=len(own),
        dont_know_other_words=len(unknown) - len(own),
    )


def _fact(fact: str, judged: Judged) -> FactCoverage:
    """Where it was first told; else whether it was asked for."""
    first = next((m for m, g in zip(judged.moves, judged.gives, strict=True) if fact in g.told), None)
    if fact in judged.end.told and (first is None or fact in first.before.told):
        return "opening"
    if first is not None:
        return "told_when_asked" if fact in first.before.asked else "told_unasked"
    if any(fact in f.about for f in judged.findings if f.kind == "denied" and f.delivered):
        return "denied"
    if fact not in judged.end.asked:
        return "never_came_up"
    missed = any(fact in f.about for f in judged.findings if f.kind == "missed_action" and f.delivered)
    return "asked_not_told" if missed else "not_recognised"


def _file(name: str, judged: Judged) -> FileCoverage:
    end = judged.end
    if name in end.handed:
        return "handed_over"
    if name in end.promised:
        return "promised"
    return "asked_not_given" if name in end.first_asked else "never_asked_for"
