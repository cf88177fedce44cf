"""The visible half of every package is enough to answer all that the oracle expects."""

import json
from pathlib import Path

import pytest

from harness.customer.ledger import ClaimLedger
from harness.customer.rule import next_move
from harness.devstack.claims.catalogue import catalogue
from harness.schema.package import find_packages, read_visible
from harness.schema.visible import CustomerView
from oracle_scoring.corpus.check_sufficiency import answer, answers
from oracle_scoring.corpus.load import load_package, read_labels
from oracle_scoring.corpus.models import OracleFact
from oracle_scoring.corpus.synthetic import DELETE, make_package
from tests.support.views import screen

CORPUS = Path(__file__).parents[3] / "packages"
PACKAGES = find_packages(CORPUS)


def facts_of(folder: Path) -> list[OracleFact]:
    """All that the oracle expects, or accepts if asked."""
    labels = read_labels(folder)
    return [*labels.expected_facts, *labels.optional_facts]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_view_alone_answers_the_oracle(package: str, tmp_path: Path) -> None:
    """The hidden files are not even there when the view is read."""
    folder = tmp_path / package
    for part in ("input/facts.json", "input/materials.json", "input/initial_message.txt"):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        (folder / part).write_bytes((PACKAGES[package] / part).read_bytes())
    facts = json.loads((folder / "input/facts.json").read_bytes())
    materials = json.loads((folder / "input/materials.json").read_bytes())
    view = CustomerView.model_validate(
        {
            "initial_message": (folder / "input/initial_message.txt").read_text("utf-8"),
            "persona": facts["persona"],
            "facts": facts["facts"],
            "does_not_know": facts["does_not_know"],
            "wishes": facts["wishes"],
            "files": [m["visible"] for m in materials["materials"]],
        }
    )
    assert [fact.id for fact in facts_of(PACKAGES[package]) if not answers(view, fact)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_rule_customer_answers_when_asked(package: str) -> None:
    """Asked in a product's words for each expected fact, they say it, or that they do not know it."""
    view = read_visible(PACKAGES[package]).view()
    asks = {name: fact.ask for name, fact in catalogue().facts.items()}
    wrong = []
    for fact in facts_of(PACKAGES[package]):
        if fact.id not in asks:
            continue
        move = next_move(ClaimLedger(view), screen(asks[fact.id]))
        said = answer(view, fact.id) or "(nothing)"
        if said not in " ".join(move.messages):
            wrong.append((fact.id, asks[fact.id], move.messages))
    assert wrong == []


@pytest.mark.parametrize(
    "changes",
    [
        {"facts.facts.1.say": "Where I always walk."},
        {"facts.facts.4.say": "Quite a sum."},
        {"facts.facts.0.say": "In spring."},
        {"facts.facts.3.say": "Yes, me."},
        {"facts.does_not_know": []},
        {"facts.facts.5": DELETE},
        {"facts.facts.5.say": "A camera."},
    ],
)
def test_a_view_that_is_not_enough_is_told(tmp_path: Path, changes: dict[str, object]) -> None:
    """Value not said, "does not know" not declared, fact not given."""
    package = load_package(make_package(tmp_path / "SYN-P-001", changes))
    facts = [*package.labels.expected_facts, *package.labels.optional_facts]
    assert [f for f in facts if not answers(package.visible.view(), f)]
