"""A run of several packages and trials, small and whole, whose levels a test may choose."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from builder import PACKAGE, Golden, standard_journey
from PIL import Image


@dataclass
class Claim:
    """One journey: its package, its trial, the level the product gives, and whatever else a test changes."""

    package: str
    trial: int = 1
    product: str = "standard"
    oracle: str = "standard"
    change: Any = None
    """Called with the Golden before it is written."""


def jpeg() -> bytes:
    """A small picture."""
    out = BytesIO()
    Image.new("RGB", (60, 40), "#884422").save(out, "JPEG")
    return out.getvalue()


def write_run(root: Path, claims: Sequence[Claim]) -> Path:
    """`<root>/results/r1` with a counting attempt for each claim, and `<root>/packages`."""
    run = root / "results" / "r1"
    photo = jpeg()
    for number, claim in enumerate(claims):
        golden = Golden()
        golden.files = {**golden.files, "photo.jpg": photo}
        golden.journey = standard_journey()
        for event in golden.journey.events:
            if event.kind == "acted" and event.file == "photo.jpg":
                object.__setattr__(event, "sha256", _sha(photo))
        if golden.staff is not None:
            golden.staff["lists"]["facts"] = [
                {"cells": {"fact": "Place", "value": "Mill Road car park", "status": "confirmed"}}
            ]
        golden.shown_level(claim.product)
        golden.labels["triage"]["level"] = claim.oracle
        if claim.change is not None:
            claim.change(golden)
        aside = root / f"aside-{number}"
        attempt, package = golden.write(aside)
        home = run / claim.package / f"t{claim.trial:02d}" / "a01"
        shutil.copytree(attempt, home)
        told = json.loads((home / "attempt.json").read_bytes())
        told |= {"package": claim.package, "trial": claim.trial}
        (home / "attempt.json").write_text(json.dumps(told), encoding="utf-8")
        shutil.copytree(package, root / "packages" / "claims" / claim.package, dirs_exist_ok=True)
        if not (run / "run.json").exists():
            shutil.copytree(
                attempt.parents[2], run, dirs_exist_ok=True, ignore=shutil.ignore_patterns(PACKAGE, "ledger.jsonl")
            )
        shutil.rmtree(aside)
    manifest = json.loads((run / "run.json").read_bytes())
    manifest["settings"]["packages"] = {c.package: "0" * 64 for c in claims}
    (run / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    return run


def _sha(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()
