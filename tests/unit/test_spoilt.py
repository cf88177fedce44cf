"""When a customer has spoilt its own journey."""

import pytest

from harness.schema.events import Severity, SlipKind
from harness.schema.spoilt import Delivered, spoilt


def slip(kind: SlipKind, *about: str, severity: Severity = "hindered") -> Delivered:
    """One that reached the product."""
    return Delivered(kind, severity, frozenset(about))


@pytest.mark.parametrize(
    "kind",
    [
        "hallucination",
        "inconsistent",
        "role_flip",
        "reasoning",
        "language_drift",
        "premature_end",
        "corrected",
        "hinted",
        "looping",
    ],
)
def test_what_the_guard_refuses_spoils_at_once(kind: SlipKind) -> None:
    """It got past what should have held it; a minor one does not matter."""
    assert spoilt([slip(kind)]) == f"{kind.replace('_', ' ')} reached the product"
    assert spoilt([slip(kind, severity="minor")]) is None


def test_one_thing_kept_back_spoils_nothing_and_two_do() -> None:
    """Facts and files together, however often each was kept back, and only while they are."""
    assert spoilt([slip("denied", "plate"), slip("denied", "plate")]) is None
    both = [slip("denied", "plate"), slip("missed_action", "quote.pdf")]
    assert "kept back: plate, quote.pdf" in str(spoilt(both))
    assert spoilt([d.given("quote.pdf") for d in both]) is None


def test_three_things_given_unasked_spoil_nothing_and_four_do() -> None:
    """What is told too early cannot be made good by telling it again."""
    early = [slip("revealed_early", "a", "b"), slip("wrong_sequence", "c.pdf", severity="helped")]
    assert spoilt(early) is None
    more = [*early, slip("revealed_early", "d")]
    assert "4 things were given without being asked for" in str(spoilt(more))
    assert spoilt([d.given("a") for d in more]) is not None


def test_nothing_wrong_spoils_nothing() -> None:
    """No slip, no word."""
    assert spoilt([]) is None
