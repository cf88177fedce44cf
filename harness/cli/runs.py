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
