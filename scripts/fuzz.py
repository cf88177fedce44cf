"""Feeds damaged package files, adapters, model replies, endpoint answers and product answers to the code that reads them.

    scripts/fuzz --n 10000 --json [--seed N]

Nothing but the documented errors may come out, and each input must be done with in bounded time. Exit 1 on any problem.
"""

import argparse
import json
import secrets
import signal
import sys
import time
import traceback
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tenacity import wait_none

import harness.gate
from tests.fuzz.targets import TARGETS, Target

SLOWEST_S = 20.0
"""For one input, on a machine that others use too."""
ALARM_S = 3 * SLOWEST_S
"""An input that takes so long is stopped; it is a problem like any other."""
ROUNDS = 20
"""hypothesis may stop early; so often it is asked again until the number is reached."""


def _rang(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"stopped after {ALARM_S:g} s")


def fuzz(target: Target, n: int, first_seed: int) -> tuple[dict[str, Any], list[str]]:
    """`n` inputs of one kind; (figures, problems). The first fault of a kind ends it, made as small as can be."""
    figures: dict[str, Any] = {"inputs": 0, "taken": 0, "refused": 0, "slowest_ms": 0.0}
    problems: list[str] = []
    signal.signal(signal.SIGALRM, _rang)

    def one(data: st.DataObject) -> None:
        value = data.draw(target.inputs)
        started = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, ALARM_S)
        try:
            taken = target.take(value)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        took = time.monotonic() - started
        figures["inputs"] += 1
        figures["taken" if taken else "refused"] += 1
        figures["slowest_ms"] = max(figures["slowest_ms"], round(took * 1000, 1))
        if took > SLOWEST_S:
            raise TimeoutError(f"{took:.0f} s for one input")

    for number in range(ROUNDS):
        left = n - figures["inputs"]
        if left <= 0 or problems:
            break
        quiet = settings(
            max_examples=left, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink),
            print_blob=False, report_multiple_bugs=False,
        )  # fmt: skip
        check = seed(first_seed + number)(quiet(given(data=st.data())(one)))
        try:
            check()
        except Exception as exc:  # noqa: BLE001 - whatever comes out is what is looked for
            where = traceback.extract_tb(exc.__traceback__)[-1]
            notes = " ".join(getattr(exc, "__notes__", []))
            problems.append(
                f"{target.name}: {type(exc).__name__}: {exc} ({where.filename}:{where.lineno}) {notes}"[:2000]
            )
    return figures, problems


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=10_000, help="inputs over all kinds")
    parser.add_argument("--seed", type=int, default=None, help="drawn and printed if not given")
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")
    got = parser.parse_args()
    if not 100 <= got.n <= 10_000_000:
        parser.error("--n must be at least 100")
    first_seed = got.seed if got.seed is not None else secrets.randbelow(1_000_000)
    setattr(harness.gate, "wait_exponential_jitter", lambda **_: wait_none())  # noqa: B010 - a name the module imports
    started = time.monotonic()
    kinds: dict[str, Any] = {}
    problems: list[str] = []
    for target in TARGETS:
        figures, found = fuzz(target, got.n * target.share // 100, first_seed)
        kinds[target.name] = figures
        problems += found
        sys.stderr.write(f"{target.name}: {figures} {'; '.join(found)}\n")
    summary = {
        "n": sum(k["inputs"] for k in kinds.values()), "seed": first_seed, "kinds": kinds, "seconds": round(time.monotonic() - started),
        "problems": problems,
    }  # fmt: skip
    print(json.dumps(summary, indent=2) if got.json else "\n".join(f"{k}: {v}" for k, v in summary.items()))
    return 1 if problems or summary["n"] < got.n else 0


if __name__ == "__main__":
    sys.exit(main())
