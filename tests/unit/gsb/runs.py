"""Runs of small journeys to be set side by side, and a folder of pairs."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from oracle_scoring.gsb.models import BlindLine, BlindPair
from oracle_scoring.gsb.store import PAIRS

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

from builder import PACKAGE, Golden, Journey, manifest

HOSTILE = '<img src=x onerror="alert(1)"></p><script>document.title="broken"</script> & 你好 \u202eabc'


def write_run(root: Path, name: str, reply: str, trials: int = 1, **settings: Any) -> Path:
    """`<root>/<name>`: attempts at one package in which the product says `reply`."""
    golden = Golden()
    golden.journey = Journey()
    golden.journey.start()
    golden.journey.screen("What happened?")
    golden.journey.say("Hello, my car was hit.", by="opening")
    golden.journey.reply(reply, card="Upload a photo")
    golden.journey.press("Send")
    golden.journey.reply("Goodbye.", final="Case FW-1")
    golden.journey.end()
    attempt, _ = golden.write(root / f"of-{name}")
    run = attempt.parents[2].rename(root / name)
    for n in range(2, trials + 1):
        shutil.copytree(run / PACKAGE / "t01", run / PACKAGE / f"t{n:02d}")
    data = manifest(**settings)
    data["runtime"].update(product="Acme Claims", model="gpt-9")
    (run / "run.json").write_text(json.dumps(data), encoding="utf-8")
    return run


def write_folder(folder: Path, pairs: int = 3) -> Path:
    """A folder of pairs with hostile words in them."""
    folder.mkdir()
    made = [
        BlindPair(
            pair=f"P{n:04d}", task_id="TST-1",
            left=[BlindLine(speaker="customer", text=f"Hello {n}", deed=False), BlindLine(speaker="agent", text=HOSTILE, deed=False)],
            right=[BlindLine(speaker="customer", text=f"Hello {n}", deed=False), BlindLine(speaker="agent", text="(shows a card) Pay", deed=True)],
        )
        for n in range(1, pairs + 1)
    ]  # fmt: skip
    (folder / PAIRS).write_text("".join(p.model_dump_json() + "\n" for p in made), encoding="utf-8")
    return folder
