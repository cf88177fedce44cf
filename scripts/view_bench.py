"""The viewer over many attempts and a long journey, beside what somebody would do without it.

    python scripts/view_bench.py RUN… [--attempts 10000] [--turns 60] [--rounds 5] [--only lists|journey] [--keep DIR]

RUN are folders of scored runs of the reference product; their attempts are repeated (files linked, pictures and bodies left
out) until there are so many, and the longest of them is made longer until it has so many turns. Prints, each with processor
seconds where they tell more:

- `index`: reading all of it for the first time, and looking again when nothing changed. Reference: a loop that only reads
  and parses the same attempt.json, scorecards and events as JSON.
- `list …`: the first page, a filter, a search; whole answer over HTTP, median. Reference of filters: that loop over
  attempt.json and scorecards; of searches: `grep -rl` over the events.
- `journey`: Chromium opens the long journey, until its first pictures are there and every score line can be clicked, median.
  Reference: the static page that `rig report` writes for the same attempt.

Nothing depends on these figures: the exit code is 0 whatever they are.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx
from playwright.sync_api import sync_playwright

from harness.browser import find_browser, launch_args
from harness.journal import open_run
from harness.report import write_report
from harness.schema.strict_json import canonical, sha256_hex
from harness.view.app import view_app
from harness.view.index import Index
from tests.support.many import repeat_runs
from tests.support.served import served

TOKEN = "measure"
LEFT_OUT = shutil.ignore_patterns("screens", "bodies", "downloads", "report*", "human")
QUERIES = {
    "list, first page": "/",
    "list, one package": "/?package={package}",
    "list, one failed line": "/?line={line}",
    "list, search a word": "/?q=windscreen",
    "list, search two letters": "/?q=No",
    "list, search, nothing found": "/?q=nobody+said+this",
    "runs": "/runs",
    "run's matrix": "/run/many",
}


def many(sources: list[Path], target: Path, attempts: int) -> None:
    """So many attempts, without pictures and bodies."""
    with tempfile.TemporaryDirectory(dir=target.parent) as bare:
        slim = [Path(shutil.copytree(run, Path(bare) / str(n), ignore=LEFT_OUT)) for n, run in enumerate(sources)]
        repeat_runs(slim, target, attempts)


def long_journey(sources: list[Path], target: Path, turns: int) -> tuple[str, int]:
    """(package, turns) of a run of one attempt: the longest recorded one, its turns repeated."""
    found = [(len(a.attempt.files), run, a) for run in sources for a in open_run(run).attempts if a.attempt is not None]
    _, run, folder = max(found, key=lambda item: item[0])
    home = target / folder.package / "t01" / "a01"
    shutil.copytree(folder.path, home)
    shutil.copytree(
        run,
        target,
        dirs_exist_ok=True,
        ignore=lambda _, names: [n for n in names if n not in ("run.json", "adapter.json")],
    )
    events = [json.loads(row) for row in (home / "events.jsonl").read_bytes().splitlines()]
    network = [json.loads(row) for row in (home / "network.jsonl").read_bytes().splitlines()]
    last = max(e["turn"] for e in events)
    middle = [e for e in events if e["turn"] >= 1 and e["kind"] != "journey_ended"]
    made = [e for e in events if e["kind"] != "journey_ended"]
    asked = list(network)
    for again in range(1, -(-turns // last)):
        shift = again * (events[-1]["t_ms"] + 50.0)
        made += [{**e, "turn": e["turn"] + again * last, "t_ms": e["t_ms"] + shift} for e in middle]
        asked += [{**n, "turn": n["turn"] + again * last, "t_ms": n["t_ms"] + shift} for n in network]
    made = [e for e in made if e["turn"] <= turns]
    made.append({**events[-1], "turn": turns, "t_ms": made[-1]["t_ms"] + 1})
    rows = [canonical({**e, "n": n}) for n, e in enumerate(made, 1)]
    (home / "events.jsonl").write_bytes(b"".join(row + b"\n" for row in rows))
    (home / "network.jsonl").write_bytes(b"".join(canonical(n) + b"\n" for n in asked if n["turn"] <= turns))
    told = json.loads((home / "attempt.json").read_bytes()) | {"trial": 1, "attempt": 1}
    told["files"] = [
        {"path": p.relative_to(home).as_posix(), "size": p.stat().st_size, "sha256": sha256_hex(p.read_bytes())}
        for p in sorted(home.rglob("*")) if p.is_file() and p.name != "attempt.json"
    ]  # fmt: skip
    (home / "attempt.json").write_bytes(canonical(told) + b"\n")
    name = f"t{folder.trial:02d}-a{folder.number:02d}.json"
    for card in run.glob(f"scores/*/{folder.package}/{name}"):
        place = target / "scores" / card.parent.parent.name / folder.package / "t01-a01.json"
        place.parent.mkdir(parents=True)
        shutil.copy(card, place)
    return folder.package, turns


def plain_loop(run: Path, line: str, words: bool) -> int:
    """What a script without an index does: reads every attempt and scorecard, and the events too if asked."""
    fits = 0
    for path in run.glob("*/t*/a*/attempt.json"):
        json.loads(path.read_bytes())
        if words:
            for row in (path.parent / "events.jsonl").read_bytes().splitlines():
                json.loads(row)
    for path in run.glob("scores/*/*/*.json"):
        fits += any(one["id"] == line and one["state"] == "fail" for one in json.loads(path.read_bytes())["lines"])
    return fits


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """(seconds, processor seconds of this process)."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def row(name: str, ours: float, reference: float | None, of: str) -> None:
    """One line of the table."""
    beside = "" if reference is None else f"{reference:10.3f} s  {of}"
    print(f"{name:32}{ours:10.3f} s   {beside}", flush=True)


def lists(results: Path, folder: Path, rounds: int) -> None:
    """Index, filters and searches."""
    run = results / "many"
    index = Index(results, folder / "index.sqlite", again_s=1e9)
    wall, cpu = timed(index.update)
    line = (
        index.reader()
        .execute(
            "SELECT n.name FROM line l JOIN name n ON n.id=l.name WHERE l.state='fail' GROUP BY 1 ORDER BY count(*) LIMIT 1"
        )
        .fetchone()[0]
    )
    package = index.reader().execute("SELECT package FROM attempt LIMIT 1").fetchone()[0]
    whole, whole_cpu = timed(lambda: plain_loop(run, line, True))
    row(
        f"index of {index.progress.attempts:,} attempts",
        wall,
        whole,
        f"read and parse as JSON (processor: {cpu:.1f} s and {whole_cpu:.1f} s)",
    )
    print(f"{'':32}{index.path.stat().st_size / 1e6:10.1f} MB of index")
    row("looking again, nothing changed", timed(index.update)[0], None, "")
    part = statistics.median(timed(lambda: plain_loop(run, line, False))[0] for _ in range(max(1, rounds // 2)))
    grep = ["grep", "-rlF", "--include=events.jsonl", "windscreen", str(run)]
    search = statistics.median(
        timed(lambda: subprocess.run(grep, stdout=subprocess.DEVNULL))[0] for _ in range(max(1, rounds // 2))
    )
    with (
        served(lambda port: view_app(index, None, TOKEN, port)) as home,
        httpx.Client(base_url=home, follow_redirects=True, timeout=60) as client,
    ):
        client.get(f"/{TOKEN}/").raise_for_status()
        for name, address in QUERIES.items():
            path = address.format(package=package, line=line)
            took = statistics.median(
                timed(lambda path=path: client.get(path).raise_for_status())[0] for _ in range(rounds)
            )
            row(
                name,
                took,
                search if "search" in name else part,
                "grep -rl" if "search" in name else "a loop over attempts and scorecards",
            )


def journey(results: Path, folder: Path, package: str, turns: int, rounds: int) -> None:
    """A long journey in Chromium."""
    run = results / "long"
    report = write_report(run, folder / "report.html")
    index = Index(results, folder / "long.sqlite", again_s=1e9)
    index.update()
    ready = "() => document.readyState === 'complete' && [...document.images].filter(i => i.getBoundingClientRect().top < innerHeight).every(i => i.complete)"
    browser_path = find_browser()
    with sync_playwright() as playwright, served(lambda port: view_app(index, None, TOKEN, port)) as home:
        browser = playwright.chromium.launch(
            executable_path=str(browser_path.path),
            args=launch_args(browser_path.sandbox),
            chromium_sandbox=browser_path.sandbox,
        )

        def opened(address: str) -> float:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{home}/{TOKEN}/")
            begun = time.perf_counter()
            page.goto(address)
            while not page.evaluate(ready):
                time.sleep(0.005)
            took = time.perf_counter() - begun
            page.close()
            return took

        address = f"{home}/run/long/{package}/t01/a01"
        took: dict[str, list[float]] = {"ours": [], "reference": []}
        for _ in range(rounds):
            took["ours"].append(opened(address))
            took["reference"].append(opened(report.as_uri()))
        made = timed(lambda: write_report(run, folder / "report.html"))[0]
        row(
            f"journey of {turns} turns",
            statistics.median(took["ours"]),
            statistics.median(took["reference"]),
            f"the static report ({report.stat().st_size / 1e6:.1f} MB; writing it took {made:.1f} s before)",
        )
        browser.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--attempts", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["lists", "journey"], help="Only one half; the journey needs a browser.")
    parser.add_argument("--keep", type=Path, help="Where the results are made, and left; else they are temporary.")
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        root = given.keep or Path(temporary)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; median of {given.rounds}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            if given.only != "journey":
                if not (root / "lists" / "many").is_dir():
                    (root / "lists").mkdir(parents=True)
                    many(given.runs, root / "lists" / "many", given.attempts)
                lists(root / "lists", Path(folder), given.rounds)
            if given.only != "lists":
                shutil.rmtree(root / "one", ignore_errors=True)
                (root / "one").mkdir()
                package, turns = long_journey(given.runs, root / "one" / "long", given.turns)
                journey(root / "one", Path(folder), package, turns, given.rounds)


if __name__ == "__main__":
    main()
