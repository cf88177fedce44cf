"""Runs that satisfy every condition of an official one, on a corpus frozen for the test alone."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import builder
import pytest
from builder import Golden

from harness.schema.package import Change, Manifest, find_packages, package_sha256
from harness.schema.run import RunManifest
from harness.schema.strict_json import canonical
from oracle_scoring.corpus.manifest import corpus_files, files_sha256, manifest_bytes, version_path

PRICED = {
    "role": "customer", "calls": 4, "tokens_in": 4_000, "tokens_out": 200, "cost": "0.0100 USD", "complete": True,
    "why_incomplete": None,
}  # fmt: skip
PRODUCT = {**PRICED, "role": "product", "calls": 9, "cost": "0.0300 USD"}
Spoil = Callable[[Golden], None]


@dataclass
class Official:
    """A folder with `packages/` and `results/`; `play` adds attempts, `seal` freezes and writes run.json."""

    root: Path
    monkeypatch: pytest.MonkeyPatch
    packages: dict[str, None] = field(default_factory=dict)
    costs: list[dict[str, Any]] = field(default_factory=lambda: [PRICED, PRODUCT])

    @property
    def corpus(self) -> Path:
        """The packages."""
        return self.root / "packages"

    @property
    def run(self) -> Path:
        """The run's folder."""
        return self.root / "results" / "r1"

    def play(
        self, package: str, *, trial: int = 1, attempt: int = 1, reason: str = "completed", spoil: Spoil | None = None
    ) -> Path:
        """One attempt on a package, right in every line unless spoilt; its folder."""
        self.packages[package] = None
        plain = builder_attempt_data
        made = lambda *args: {**plain(*args), "trial": trial, "customer": "model", "costs": self.costs}  # noqa: E731
        self.monkeypatch.setattr(builder, "PACKAGE", package)
        self.monkeypatch.setattr(builder, "attempt_data", made)
        golden = Golden()
        golden.number, golden.reason = attempt, reason
        golden.network = []
        if spoil is not None:
            spoil(golden)
        write_trial(golden, self.root, trial, self.monkeypatch)
        return self.run / package / f"t{trial:02d}" / f"a{attempt:02d}"

    def freeze(self, version: str = "v1") -> None:
        """The corpus is frozen as it is; nobody has signed anything, which the hashes do not know."""
        (self.corpus / "versions").mkdir(parents=True, exist_ok=True)
        files = corpus_files(self.corpus)
        bare = Manifest(
            format="0.2", version=version, frozen=True, files=files, changes=[Change(version=version, reason="test")]
        )
        change = bare.changes[0].model_copy(update={"frozen_as": files_sha256(bare)})
        data = manifest_bytes(bare.model_copy(update={"changes": [change]}))
        version_path(self.corpus, version).write_bytes(data)
        (self.corpus / "manifest.json").write_bytes(data)

    def seal(self, trials: int = 1, **changes: Any) -> RunManifest:
        """run.json of an official run over the packages that were played; `changes` break it."""
        self.freeze()
        folders = find_packages(self.corpus)
        hashes = {name: package_sha256(folders[name]) for name in self.packages}
        settings = {
            "packages": hashes, "customer": "model", "customer_model": "people-1", "customer_endpoint": "configured",
            "rehearsal": False, "trials": trials, **changes.pop("settings", {}),
        }  # fmt: skip
        runtime = {
            "schema": "runtime-report-v1", "product": "claims desk", "version": "7", "runtime": "model", "model": "desk-1",
            "stores": {"mongodb": "configured", "s3": "configured"}, **changes.pop("runtime", {}),
        }  # fmt: skip
        plain = {
            **builder.manifest(**settings), "git_commit": "c0ffee" * 6, "git_clean": True, "corpus_version": "v1",
            "corpus_frozen": True, "stores_configured": True, "runtime": runtime, **changes,
        }  # fmt: skip
        manifest = RunManifest.model_validate_json(json.dumps(plain))
        (self.run / "run.json").write_bytes(canonical(manifest.model_dump(mode="json", by_alias=True)))
        return manifest


builder_attempt_data = builder.attempt_data


def write_trial(golden: Golden, root: Path, trial: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `Golden.write`, into the folder of another trial."""
    if trial == 1:
        golden.write(root)
        return
    kept = root / "results" / "r1" / builder.PACKAGE / "t01"
    aside = kept.with_name("aside")
    kept.rename(aside)
    golden.write(root)
    kept.rename(kept.with_name(f"t{trial:02d}"))
    aside.rename(kept)
    _renumber(root / "results" / "r1" / "ledger.jsonl", trial)


def _renumber(ledger: Path, trial: int) -> None:
    """The last line speaks of this trial."""
    rows = ledger.read_bytes().split(b"\n")[:-1]
    last = json.loads(rows[-1])
    last["trial"] = trial
    rows[-1] = json.dumps(last).encode()
    ledger.write_bytes(b"".join(row + b"\n" for row in rows))


def wrong_plate(golden: Golden) -> None:
    """The product holds another plate than it was told."""
    golden.case["facts"]["plate"]["value"] = "JX24 RVD"


def false_alarm(golden: Golden) -> None:
    """Staff are told to look, and need not."""
    golden.shown_required(True)


def ids(count: int) -> Sequence[str]:
    """Package ids."""
    return [f"TST-M-{number:03d}" for number in range(1, count + 1)]
