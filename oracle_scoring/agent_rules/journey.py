"""A recorded journey as a run: what its answers expect is the checklist, what a script can see are findings.

Every code of the rules gets a word: found, clear, nothing to check, or not checked. What cannot be seen is never fine.
"""

from collections.abc import Iterator
from pathlib import Path

from harness.errors import InputError
from harness.schema.package import find_packages
from harness.schema.run import NOT_COUNTING, RunManifest, attempt_number, trial_number
from harness.schema.strict_json import read_model
from oracle_scoring.agent_rules.claims import claims_parts
from oracle_scoring.agent_rules.inquiry import inquiry_parts
from oracle_scoring.agent_rules.looks import Look
from oracle_scoring.agent_rules.models import AgentRun, Coverage
from oracle_scoring.agent_rules.rules import Rules
from oracle_scoring.record import attempts_of, read_record, run_folder

UNSEEN = "no script can see it in a record; a judge or a person has to"


def runs_of(folder: Path, corpus: Path, rules: Rules) -> Iterator[tuple[str, AgentRun]]:
    """A run for every attempt that counts, each with its place.

    Args:
        folder: `results/<run>`, or one attempt in it.
        corpus: the packages.
        rules: whose codes get a word each.

    Raises:
        InputError: something is not what it should be, or a package of the run is not in the corpus.
    """
    packages = find_packages(corpus, None)
    if is_attempt(folder):
        yield _run(folder, packages, rules)
        return
    manifest = read_model(RunManifest, folder / "run.json", f"{folder.name}/run.json")
    for package in sorted(manifest.settings.packages):
        below = folder / package
        trials = {n: p for p in below.iterdir() if (n := trial_number(p.name)) is not None} if below.is_dir() else {}
        for number in sorted(trials):
            for attempt in attempts_of(trials[number]):
                if (attempt / "attempt.json").is_file() and read_record(attempt).counting:
                    yield _run(attempt, packages, rules)


def is_attempt(folder: Path) -> bool:
    """The folder is named as an attempt is."""
    return attempt_number(folder.name) is not None and trial_number(folder.parent.name) is not None


def _run(attempt_dir: Path, packages: dict[str, Path], rules: Rules) -> tuple[str, AgentRun]:
    record = read_record(attempt_dir)
    attempt = record.attempt
    name = "/".join(attempt_dir.absolute().parts[-4:])
    if attempt.termination_reason in NOT_COUNTING:
        why = f"ended {attempt.termination_reason}, which is not the product's doing: there is nothing to grade"
        raise InputError(name, why)
    package = packages.get(attempt.package)
    if package is None:
        raise InputError(name, f"the package {attempt.package} is not in this corpus")
    parts = claims_parts if package.parent.name == "claims" else inquiry_parts
    made = parts(attempt_dir, package)
    looks = {look.code: look for look in made.looks}
    coverage = [_coverage(code, looks.get(code)) for code in rules.codes]
    findings = [f for code in rules.codes if code in looks for f in looks[code].findings]
    run = AgentRun(
        run_id=name, agent=run_folder(attempt_dir).name, task_id=attempt.package, checklist=made.checklist,
        findings=findings, transcript=made.transcript, coverage=coverage,
    )  # fmt: skip
    return name, run


def _coverage(code: str, look: Look | None) -> Coverage:
    return look.coverage if look else Coverage(code=code, state="not_checked", why=UNSEEN)
