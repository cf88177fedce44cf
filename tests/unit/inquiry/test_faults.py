"""The well-behaved inquiry product fails no metric, and each fault is named by the metric meant for it."""

from pathlib import Path

import pytest

from harness.devstack.inquiry.defects import DEFECTS
from harness.devstack.inquiry.defects.registry import declared
from harness.schema.package import find_packages
from harness.stage import LoadedPackage
from oracle_scoring.corpus.inquiry import load_inquiry
from oracle_scoring.inquiry.expected import expectations
from oracle_scoring.inquiry.grade import grade
from scripts.inquiry_buyers import buyers, journey, session
from scripts.inquiry_matrix import AWAITS_JUDGE, failing, verdicts

FOLDERS = find_packages(Path(__file__).parents[3] / "packages", "inquiry")
SHOWN_IN = {
    "INQ-001": ["no_posters", "closing_asks", "information_ignored", "converts_again", "person_before_closing",
                "kept_after_closing", "clock_of_the_server", "person_without_closing", "no_closing", "moq_invented",
                "policy_unconfirmed", "posters_in_wrong_language", "marker_misspelt", "caption_in_wrong_language",
                "website_unasked", "posters_by_media_tool", "no_role_question", "asked_keys_wrong", "asks_known_again",
                "converts_without_posters", "json_in_a_fence", "writes_form"],
    "INQ-002": ["no_introduction", "picture_ignored", "kept_in_working_hours", "first_reply_bent"],
    "INQ-003": ["power_beside_posters", "claims_human", "tool_named", "best_seller", "figure_invented", "bare_address"],
    "INQ-004": ["posters_again", "catalogue_at_once", "policy_by_product_tool", "asks_before_it_answers", "two_questions"],
    "INQ-005": ["question_left_out", "quotes_price", "sample_fee_chosen", "transit_estimated", "payment_invented",
                "clearance_promised", "other_language"],
    "INQ-006": ["store_promised", "person_refused", "intent_misread"],
    "INQ-008": ["posters_though_look_known", "whole_sheet", "any_version", "fills_empty_cell", "facts_without_tools",
                "left_unknown", "wordy_thanks"],
    "INQ-009": ["asks_wechat", "stiff"],
    "INQ-010": ["one_block", "stock_inferred"],
}  # fmt: skip
"""Package -> faults that show in it."""


@pytest.fixture(scope="module")
def packages() -> dict[str, LoadedPackage]:
    """All inquiry packages."""
    return buyers(list(FOLDERS.values()))


@pytest.mark.parametrize("name", FOLDERS)
def test_with_no_fault_nothing_fails_and_all_answers_hold(name: str, packages: dict[str, LoadedPackage]) -> None:
    """The product follows the manual on every package, and every package brings about what it is meant to."""
    talk = journey(packages[name])
    verdict = grade(session(name, talk))
    assert [m.metric_id for m in verdict.metrics if m.result == "FAIL"] == []
    found = expectations(session(name, talk), load_inquiry(FOLDERS[name]).labels, talk, verdict)
    assert [(e.id, e.why) for e in found if e.state != "pass"] == []


@pytest.mark.parametrize("name", ["INQ-001", "INQ-010"])
def test_first_messages_that_come_slowly_are_answered_by_the_manual_too(
    name: str, packages: dict[str, LoadedPackage]
) -> None:
    """Each is answered before the next one is there: more replies than to a burst, and no metric fails."""
    talk = journey(packages[name], apart=True)
    assert len(talk.turns) != len(journey(packages[name]).turns)
    assert [(m.metric_id, m.reason) for m in grade(session(name, talk)).metrics if m.result == "FAIL"] == []


def test_there_is_one_fault_for_each_metric_and_a_package_for_each() -> None:
    """58 metrics, 58 faults, none without a package in which it shows."""
    assert len({d.metric for d in DEFECTS.values()}) == len(DEFECTS) == 58
    assert sorted(n for names in SHOWN_IN.values() for n in names) == sorted(DEFECTS)


@pytest.mark.parametrize(("name", "package"), [(n, p) for p, names in SHOWN_IN.items() for n in names])
def test_a_fault_is_named_by_its_own_metric(name: str, package: str, packages: dict[str, LoadedPackage]) -> None:
    """Switched on, it makes its metric fail; where only a judge can tell, the metric is not passed by rule. What fails with
    it is what the product declares."""
    metric = DEFECTS[name].metric
    found = verdicts({package: packages[package]}, (name,))
    said = declared()[name]
    assert set(failing(found)) - {metric} <= set(said["with"])
    assert (package in said["in"]) == (package in failing(found).get(metric, []))
    if metric in AWAITS_JUDGE:
        assert found[metric][package] == "NOT_CHECKED"
    else:
        assert package in failing(found).get(metric, [])
