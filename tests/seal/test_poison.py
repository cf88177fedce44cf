"""One whole run against a product that poisons everything a person does not see. Real browser, real worker, real gate."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.config import Endpoint
from harness.run import Access, RunOptions, RunResult, execute
from harness.schema.move import act, say
from harness.stage import load_package
from harness.verify import verify_run
from oracle_scoring.corpus.synthetic import hidden_values, make_package
from tests.seal.catalogue import Row
from tests.seal.endpoint import StubEndpoint, stub_endpoint
from tests.seal.poison import BELONGS, POISON, MiniProduct, mini_product

pytestmark = pytest.mark.browser

ROWS = [
    Row("HTTP headers" if "header" in place or "cookie" in place else "product page", place, "visible text only", f"test_poison.py::test_poison_is_evidence_and_nothing_else[{place}]")
    for place in POISON
]  # fmt: skip


@dataclass
class Played:
    """One run and all that went to the model."""

    result: RunResult
    folder: Path
    """The attempt's."""
    corpus: Path
    stub: StubEndpoint
    product: MiniProduct
    asked: list[str]

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Events of these kinds, all if none is named."""
        lines = (self.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
        return [e for e in map(json.loads, lines) if not kinds or e["kind"] in kinds]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A model customer that is refused once, answers two questions and presses a button."""
    base = tmp_path_factory.mktemp("poison")
    package = make_package(base / "packages/claims/ZQ-1", {"facts.wishes": []})
    (base / "packages/manifest.json").write_text(
        json.dumps({"format": "0.2", "version": "draft", "frozen": False, "files": {}, "changes": [{"version": "draft", "reason": "x"}]}), encoding="utf-8",
    )  # fmt: skip
    facts = {f.id: f.say for f in load_package(package).view.facts}
    moves = [
        say("It was red and did 90 miles per hour."),
        say(facts["incident_date"], asked=["incident_date"], used=["incident_date"]),
        say(facts["place"], asked=["place"], used=["place"]),
        act("press", control="Yes, send it"),
    ]
    answers = [m.model_dump_json() for m in moves]
    with mini_product(base) as product, stub_endpoint(answers) as stub:
        access = Access(
            product.base_url,
            "seed-token-of-the-test",
            "",
            "",
            Endpoint(stub.base_url, "stub", "key-of-the-test"),
            False,
        )
        options = RunOptions(
            run="p1", packages=("ZQ-1",), product=str(product.adapter), customer="model", corpus=base / "packages", results=base / "results",
            max_attempts=1, rehearsal=True, turn_timeout_s=60, journey_timeout_s=120,
        )  # fmt: skip
        result = execute(options, access)
        yield Played(result, Path(result.trials[0].folder), base / "packages", stub, product, list(product.asked))


def test_the_run_goes_through(played: Played) -> None:
    """A case number after one refused move; the record verifies; four requests were made, a retry among them."""
    (trial,) = played.result.trials
    assert (trial.termination_reason, trial.why) == ("completed", "the screen shows a final state")
    assert verify_run(played.folder.parents[2], played.corpus).problems == []
    assert len(played.stub.requests) == 4
    assert [e["problem"] for e in played.events("move_rejected")] == ["ungrounded"]
    assert b"Where did it happen?" in played.stub.requests[2]
    assert b"Yes, send it" in played.stub.requests[3]


@pytest.mark.parametrize("place", POISON)
def test_poison_is_evidence_and_nothing_else(place: str, played: Played) -> None:
    """It stands in no request (bytes, headers and all), in no screen and in no move, but where it belongs in the record."""
    word = POISON[place]
    assert [n for n, request in enumerate(played.stub.requests) if word.encode() in request.lower()] == []
    assert word not in (played.folder / "prompts.jsonl").read_text(encoding="utf-8").lower()
    told = played.events("screen", "move", "acted", "ledger", "move_rejected")
    assert [e["n"] for e in told if word in json.dumps(e).lower()] == []
    assert word.encode() in evidence(played, place)


def evidence(played: Played, place: str) -> bytes:
    """The part of the record in which the poison of a place belongs."""
    if BELONGS[place] == "bodies":
        return b"\n".join(p.read_bytes() for p in sorted((played.folder / "bodies").iterdir()))
    if BELONGS[place] == "network":
        return (played.folder / "network.jsonl").read_bytes()
    return json.dumps(played.events("page")).encode()


def test_the_poison_was_on_every_page(played: Played) -> None:
    """The product did send it, in the page and in every turn: what keeps it out is the reading, not luck."""
    bodies = [p.read_text(encoding="utf-8", errors="replace") for p in (played.folder / "bodies").iterdir()]
    turns = [b for b in bodies if POISON["the JSON of a turn"] in b]
    assert len(turns) == 4
    assert all(POISON["a hidden part of a reply"] in b for b in turns)


def test_refused_things_are_told(played: Played) -> None:
    """The service worker was refused and never fetched, the foreign request aborted; both are events."""
    happened = {e["what"] for e in played.events("page")}
    assert {"service_worker_blocked", "request_blocked", "console_error", "page_error"} <= happened
    assert [path for path in played.asked if path.startswith("/sw-")] == []


def test_no_hidden_value_of_the_package_reaches_the_model(played: Played) -> None:
    """The literal test on the wire of a real run."""
    sent = b"\n".join(played.stub.requests).decode("utf-8").casefold()
    hidden = hidden_values(played.corpus / "claims/ZQ-1")
    assert len(hidden) > 25
    assert [v for v in hidden if v.casefold() in sent] == []
