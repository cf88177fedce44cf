"""`rig fidelity`: the simulated customer's own faults, found from the record."""

from pathlib import Path

from harness.cli.out import print_json, print_line
from oracle_scoring.fidelity import fidelity_of_run, format_fidelity


def show_fidelity(run_dir: Path, corpus: Path, as_json: bool, width: int) -> None:
    """Print the report of a run."""
    report = fidelity_of_run(run_dir, corpus)
    if as_json:
        print_json(report.model_dump(mode="json", by_alias=True))
    else:
        print_line(format_fidelity(report, width))
