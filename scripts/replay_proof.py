"""Plays every switchable defect of the reference product once, replays each failure, and replays it on the mended product.

    scripts/replay_proof [--product claims] [--defect NAME]... [--every N] [--workers N] [--json] [--keep DIR]

A failure must come again (`rig replay`: reproduced), and must not on the product without the defect (`rig replay --no-defects
--continue-live`: did not reproduce). A defect whose journey fails no line (a judge would have to tell) is counted apart. Exit 1
on any other outcome.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from harness.cli.calibrate import CalibrateRequest, Calibration, product_adapter
from harness.cli.replay import ReplayRequest, replay
from harness.config import read_config
from harness.errors import RigError
from harness.product import ProductClient
from harness.progress import Quiet
from harness.run import Access, at_address
from harness.schema.product import SwitchableDefect
from harness.screen.adapter import Adapter
from harness.stack import for_run
from tests.support.ports import stack_ports

ROOT = Path(__file__).resolve().parents[1]


def outcome(attempt: str, results: Path, run: str, mended: bool) -> dict[str, Any]:
    """What a replay said, or why there was none."""
    request = ReplayRequest(
        attempt=attempt, run=run, customer=None, continue_live=mended, turn=None, times=1, lines=(), defects=() if mended else None,
        product=None, url=None, headed=False, slow_ms=0, results=results, corpus=ROOT / "packages",
    )  # fmt: skip
    try:
        return replay(request).plain
    except RigError as exc:
        return {"verdict": "error", "why": str(exc), "failed_in_parent": None}


def judged(again: dict[str, Any], mended: dict[str, Any]) -> str:
    """`ok`, `nothing failed`, or what went wrong."""
    if again["verdict"] == "nothing_failed":
        return "nothing failed"
    if again["verdict"] != "reproduced":
        return f"replay: {again['verdict']}: {again['why']}"
    return "ok" if mended["verdict"] == "did_not_reproduce" else f"mended: {mended['verdict']}: {mended['why']}"


async def declared(adapter: Adapter, access: Access) -> list[SwitchableDefect]:
    """The faults that the product can switch on."""
    client = ProductClient(at_address(adapter, access.base_url), access.seed_token)
    try:
        return await client.defects()
    finally:
        await client.aclose()


def main() -> int:
    """Do it; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--product", default="claims")
    parser.add_argument("--defect", action="append", default=[])
    parser.add_argument("--every", type=int, default=1, help="only every Nth defect")
    parser.add_argument("--workers", type=int, default=2, help="browsers that play the faults; replays go one by one")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.every < 1 or given.workers < 1:
        parser.error("--every and --workers begin at 1")
    if given.defect and given.every > 1:
        parser.error("--every chooses among all faults, and --defect names them")
    folder = given.keep or Path(tempfile.mkdtemp(prefix="rig-replay-proof-"))
    os.environ |= {"RIG_STATE_DIR": str(folder / "stack"), **stack_ports()}
    adapter = product_adapter(given.product)
    rows: list[dict[str, Any]] = []
    with for_run("controlled", config=read_config(), progress=Quiet()) as stack:
        access = Access(stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, False)
        names = tuple(given.defect) or tuple(
            sorted(d.name for d in asyncio.run(declared(adapter, access)))[:: given.every]
        )
        request = CalibrateRequest(
            adapter.adapter, (), names, False, given.workers, "parents", folder, ROOT / "packages"
        )
        asyncio.run(Calibration(request, adapter, access, Quiet()).go())
        parents = sorted(p for p in (folder / "parents").iterdir() if (p / "run.json").is_file() and p.name != "sound")
        print(f"{len(parents)} faults played", file=sys.stderr, flush=True)
        for parent in parents:
            for attempt in sorted(parent.glob("*/t01/a01")):
                name = f"{parent.name}-{attempt.parts[-3]}"
                again = outcome(str(attempt), folder / "again", name, mended=False)
                mended = outcome(str(attempt), folder / "mended", name, mended=True)
                rows.append(
                    {"defect": parent.name, "package": attempt.parts[-3], "again": again["verdict"], "mended": mended["verdict"],
                     "result": judged(again, mended)}
                )  # fmt: skip
                print(f"{len(rows)}: {name}: {rows[-1]['result']}", file=sys.stderr, flush=True)
    counts = Counter(
        "ok" if r["result"] == "ok" else "nothing failed" if r["result"] == "nothing failed" else "wrong" for r in rows
    )
    if given.json:
        print(json.dumps({"counts": counts, "rows": rows}, indent=2))
    else:
        print(
            f"{counts['ok']} reproduced, and not when mended; {counts['nothing failed']} fail no line; {counts['wrong']} wrong"
        )
    return 1 if counts["wrong"] or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
