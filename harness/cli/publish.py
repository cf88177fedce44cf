"""`rig publish`: verify, score, count, print."""

from collections.abc import Sequence
from pathlib import Path

from harness.cli.out import print_json, print_line
from harness.verify import verify_run
from oracle_scoring.publish.publication import publish
from oracle_scoring.publish.show import format_publication


def publish_runs(runs: Sequence[Path], corpus: Path, rehearsal: bool, as_json: bool, width: int) -> int:
    """Print the figures of these runs; 1 if a target is not met, else 0.

    Raises:
        Refused: a run is not official, and `rehearsal` is not set.
        EnvironmentFault: no journey counts.
    """
    unverified = {run.name: [f"does not verify: {why}" for why in verify_run(run, corpus).problems] for run in runs}
    table = publish(runs, corpus, rehearsal, unverified)
    if as_json:
        print_json(table.model_dump(mode="json", by_alias=True))
    else:
        print_line(format_publication(table, width))
    return 1 if any(share.met == "not met" for share in table.acceptance) else 0
