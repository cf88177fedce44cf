"""Where a verb finds a run that is named by id or folder."""

from pathlib import Path

from harness.errors import InputError


def results_dir(given: Path | None) -> Path:
    """Folder of all runs: as given, else as configured."""
    from harness.config import read_config

    return given or read_config().results_dir


def run_dir(run: str, results: Path | None) -> Path:
    """Folder of the run.

    Raises:
        InputError: there is none of that name.
    """
    folder = results_dir(results)
    for path in (folder / run, Path(run)):
        if (path / "run.json").is_file():
            return path
    raise InputError(f"run {run}", f"there is no run of that name in {folder}, and no folder with a run.json")


def attempt_dir(asked: str, results: Path | None) -> Path:
    """Folder of the attempt.

    Args:
        asked: its folder, `run/package/t01/a01`, or a run that has no more than one.
        results: folder of all runs; None: as configured.

    Raises:
        InputError: there is none of that name, or a run has several.
    """
    from harness.schema.run import attempt_number, trial_number

    for path in (Path(asked), results_dir(results) / asked):
        if trial_number(path.parent.name) is not None and attempt_number(path.name) is not None and path.is_dir():
            return path.absolute()
        if (path / "run.json").is_file():
            found = [p for p in sorted(path.glob("*/t*/a*")) if attempt_number(p.name) is not None and p.is_dir()]
            if len(found) != 1:
                names = ", ".join(attempt_name(p.absolute()) for p in found[:4])
                raise InputError(f"attempt {asked}", f"is a run of {len(found)} attempts; name one of them: {names}")
            return found[0].absolute()
    raise InputError(f"attempt {asked}", f"there is none of that name in {results_dir(results)}, and no such folder")


def run_of(attempt: Path) -> Path:
    """Folder of an attempt's run."""
    return attempt.parents[2]


def attempt_name(attempt: Path) -> str:
    """`run/package/t01/a01`."""
    return "/".join(attempt.parts[-4:])
