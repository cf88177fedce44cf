"""`rig explain`: which attempt is meant, and the explanation with places a person can open."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.cli.out import print_json, print_line
from harness.errors import InputError, one_line
from harness.journal import AttemptFolder, RunJournal, counting_attempts, inside, open_run
from harness.schema.run import attempt_number, trial_number
from oracle_scoring.explain import Cause, Explanation, Place, explain
from oracle_scoring.record import run_folder

SHOWN = 8
"""Lines of one kind that are shown; `--json` has them all."""
PLACES = 3


def explain_attempt(
    asked: str, results: Path, corpus: Path, find_run: Callable[[str], Path]
) -> tuple[Explanation, Path]:
    """The explanation and the attempt's folder.

    Args:
        asked: an attempt's folder, `run/package/t01/a01`, or a run: then its newest attempt in which something failed.
        results: folder of all runs.
        corpus: folder of the packages.
        find_run: a run's folder by its id.

    Raises:
        InputError: there is no such attempt, or the run has none.
    """
    for path in (Path(asked), results / asked):
        named = trial_number(path.parent.name) is not None and attempt_number(path.name) is not None
        if named and path.is_dir():
            return explain(path, corpus), path
    if "/" in asked and not (Path(asked) / "run.json").is_file():
        raise InputError(f"attempt {asked}", f"there is none of that name in {results}, and no such folder")
    return _newest(find_run(asked), corpus)


def print_explanation(asked: str, results: Path, corpus: Path, find_run: Callable[[str], Path], as_json: bool) -> None:
    """Print it, as lines or as JSON; arguments as for `explain_attempt`."""
    found, attempt_dir = explain_attempt(asked, results, corpus, find_run)
    where = links(found, attempt_dir)
    if as_json:
        print_json({**found.model_dump(mode="json", by_alias=True), "links": where})
    else:
        for row in explanation_lines(found, where):
            print_line(row)


def _newest(run_dir: Path, corpus: Path) -> tuple[Explanation, Path]:
    """The newest attempt in which something failed; the newest of all if nothing did."""
    journal = open_run(run_dir)
    finished = sorted(
        (a for a in journal.attempts if a.attempt is not None and a.path.is_dir()),
        key=lambda a: (a.attempt.ended_at, a.name) if a.attempt else (),
        reverse=True,
    )
    if not finished:
        raise InputError(f"run {journal.run}", "has no finished attempt")
    counting = counting_attempts(journal.attempts)
    for item in [a for a in finished if _key(a) in counting]:
        found = explain(item.path, corpus)
        if found.first is not None or found.stuck is not None:
            return found, item.path
    return explain(finished[0].path, corpus), finished[0].path


def _key(item: AttemptFolder) -> tuple[str, int, int]:
    return item.package, item.trial, item.number


def links(found: Explanation, attempt_dir: Path) -> dict[str, Any]:
    """Files a person can open: the attempt's folder, the first cause's picture, and its place in the report."""
    journal = open_run(run_folder(attempt_dir))
    event = found.first.event if found.first else found.stuck.event if found.stuck else None
    picture = (found.first.picture if found.first else None) or (found.stuck.picture if found.stuck else None)
    return {
        "attempt": str(attempt_dir),
        "picture": str(attempt_dir / picture) if picture and (attempt_dir / picture).is_file() else None,
        "report": _in_report(journal, found, event),
    }


def _in_report(journal: RunJournal, found: Explanation, event: int | None) -> str | None:
    """Where the run's report shows that very event, as `report.html#a3-e31`; None if no report does.

    A run of many has a page for the attempt itself, others have all of them on one.
    """
    wanted = (found.package, found.trial, found.attempt)
    at = next((n for n, item in enumerate(journal.attempts, 1) if _key(item) == wanted), None)
    own = f"report/{found.package}-t{found.trial:02d}-a{found.attempt:02d}.html"
    for name in (own, "report.html"):
        path = inside(journal.path, name)
        page = path.read_text(encoding="utf-8", errors="replace") if path else ""
        for anchor in (f"a{at}-e{event}", f"a{at}"):
            if f'id="{anchor}"' in page:
                return f"{journal.path / name}#{anchor}"
    return None


def explanation_lines(found: Explanation, where: dict[str, Any]) -> list[str]:
    """The explanation for a person, a few lines."""
    name = f"{found.package}/t{found.trial:02d}/a{found.attempt:02d}"
    head = f"{name} of run {found.run}: {found.termination_reason.replace('_', ' ')}; whose doing: {found.doing} ({found.doing_why})"
    lines = [one_line(head, 400)]
    if found.stuck is not None:
        lines.append(f"stopped: {one_line(found.stuck.why, 600)}")
    if found.first is not None:
        lines.append(f"first cause: {_words(found.first)}")
        lines += [f"  seen at {_place(place)}" for place in found.first.places[:PLACES]]
    lines += _listed("follows from it or from another line", found.following, follows=True)
    lines += _listed("by itself", found.others)
    lines += [f"note: {one_line(note, 400)}" for note in found.notes[:SHOWN]]
    if found.undecided:
        lines.append(f"not decided: {found.undecided} of its lines; `rig score` lists them")
    lines.append(f"record: {where['attempt']}")
    if where["picture"]:
        lines.append(f"picture: {where['picture']}")
    lines.append(
        f"report: {where['report']}" if where["report"] else f"report: none that shows it (rig report {found.run})"
    )
    return lines


def _words(cause: Cause) -> str:
    return f"{cause.line} ({cause.since}): {one_line(cause.why, 400)}"


def _place(place: Place) -> str:
    where = (
        place.file
        + (f" event {place.event}" if place.event is not None else "")
        + (f" {place.path}" if place.path else "")
    )
    return one_line(where, 200) + (f": “{one_line(place.quote, 160)}”" if place.quote else "")


def _listed(title: str, causes: list[Cause], follows: bool = False) -> list[str]:
    lines = [
        f"{title}: {_words(cause)}" + (f" [from {', '.join(cause.follows[:3])}]" if follows else "")
        for cause in causes[:SHOWN]
    ]
    return lines + ([f"{title}: {len(causes) - SHOWN} more"] if len(causes) > SHOWN else [])
