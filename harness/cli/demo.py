"""`rig demo`: the whole way once, with a model on both sides."""

from datetime import UTC, datetime
from pathlib import Path

from harness.cli.out import print_line, say
from harness.cli.play import RunRequest, play
from harness.config import read_config
from harness.embedded_model import ensure_model
from harness.errors import EnvironmentFault
from harness.progress import console_reporter
from harness.report import write_report
from oracle_scoring.claims.batch import score_run
from oracle_scoring.claims.show import format_scorecard

PACKAGE = "CTL-M-001"


def run_demo(results: Path, run: str | None, corpus: Path) -> int:
    """Play, score, report CTL-M-001; 0 once it is scored. Raises EnvironmentFault if nothing could be scored."""
    run = run or datetime.now(UTC).strftime("demo-%Y%m%d-%H%M%S")
    config = read_config()
    if config.endpoint("customer") is None or config.endpoint("product") is None:
        ensure_model(console_reporter(), config)
    say(f"[1/3] playing {PACKAGE}; with the embedded model on two cores this takes some minutes")
    request = RunRequest(
        packages=(PACKAGE,), customer="model", product="reference-claims", url=None, run=run, rehearsal=True, defects=(), runtime="model",
        workers=1, trials=1, max_attempts=3, turn_limit=40, turn_timeout_s=300.0, journey_timeout_s=2400.0, rng_seed=1, script=None,
        recorded=None, max_cost=None, headed=False, results=results, corpus=corpus,
    )  # fmt: skip
    outcome = play(request)
    for line in outcome.lines:
        print_line(line)
    say("[2/3] scoring")
    cards = score_run(results / run, corpus)
    if not any(card.counting and line.state in ("pass", "fail") for card in cards for line in card.lines):
        raise EnvironmentFault(f"nothing of the demo could be scored; see {results / run}")
    for card in cards:
        print_line(format_scorecard(card, 110))
    say("[3/3] writing the report")
    print_line(f"report: {write_report(results / run).resolve()}")
    return 0
