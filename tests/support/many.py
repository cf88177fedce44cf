"""A run of many attempts, made by repeating recorded ones: `python -m tests.support.many RUN… --attempts 1000 --out DIR`.

Files of attempts are linked, not copied; ledger, hashes and scorecards are made anew, so that the record verifies.
"""

import argparse
import itertools
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.journal import open_run, stored_scores
from harness.schema.strict_json import canonical, sha256_hex


def repeat_runs(sources: Sequence[Path], target: Path, attempts: int) -> Path:
    """Writes the run folder `target` with so many attempts, those of the sources in turn, each a further trial.

    An attempt that does not count is followed by the next one as the second attempt of its trial.

    Args:
        sources: folders of scored runs; the first one's run.json is taken over.
        target: a folder that is not there yet.
        attempts: how many.
    """
    shutil.copytree(
        sources[0], target, ignore=lambda folder, names: [n for n in names if n not in ("run.json", "adapter.json")]
    )
    found: list[tuple[Path, str, Any, Any]] = []
    for source in sources:
        scores = stored_scores(source)
        for folder in open_run(source).attempts:
            if folder.attempt is not None:
                best = scores.get((folder.package, folder.trial, folder.number), [])
                found.append((folder.path, folder.package, folder.attempt, best[0] if best else None))
    trials: dict[str, int] = {}
    number: dict[str, int] = {}
    previous = "0" * 64
    ledger: list[bytes] = []
    for seq, (path, package, attempt, score) in enumerate(itertools.islice(itertools.cycle(found), attempts), 1):
        void = attempt.termination_reason in ("aborted", "rig_error", "environment_error", "simulator_error")
        if number.get(package, 0) == 0:
            trials[package] = trials.get(package, 0) + 1
        at = number.get(package, 0) + 1
        number[package] = at if void else 0
        trial = trials[package]
        home = target / package / f"t{trial:02d}" / f"a{at:02d}"
        shutil.copytree(path, home, copy_function=os.link, ignore=shutil.ignore_patterns("attempt.json"))
        told = attempt.model_dump(mode="json", by_alias=True) | {"trial": trial, "attempt": at}
        data = canonical(told) + b"\n"
        (home / "attempt.json").write_bytes(data)
        line = {
            "seq": seq, "at": told["ended_at"], "package": package, "trial": trial, "attempt": at,
            "termination_reason": told["termination_reason"], "attempt_sha256": sha256_hex(data), "previous": previous,
        }  # fmt: skip
        ledger.append(canonical(line))
        previous = sha256_hex(ledger[-1])
        if score is not None and score.card is not None:
            card = score.card.model_dump(mode="json", by_alias=True) | {
                "trial": trial,
                "attempt": at,
                "counting": not void,
            }
            place = target / "scores" / score.key / package / f"t{trial:02d}-a{at:02d}.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(canonical(card))
    (target / "ledger.jsonl").write_bytes(b"".join(row + b"\n" for row in ledger))
    manifest = json.loads((target / "run.json").read_bytes())
    manifest["settings"]["trials"] = max(trials.values())
    manifest["settings"]["packages"] = {name: manifest["settings"]["packages"].get(name, "0" * 64) for name in trials}
    (target / "run.json").write_bytes(canonical(manifest) + b"\n")
    return target


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--attempts", type=int, default=1000)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    repeat_runs(given.runs, given.out, given.attempts)
    print(given.out)


if __name__ == "__main__":
    main()
