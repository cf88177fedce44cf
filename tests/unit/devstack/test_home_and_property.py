"""Whole conversations about homes and belongings, and what is asked only where it makes sense."""

from harness.devstack.claims.case import PolicyData
from tests.unit.devstack.talks import Talk, customer, prior

HOME = PolicyData(number="P2", product="home", holder="N T", inception="2020-01-01", insured_item="3 Alder Row")
FRESH = PolicyData(number="P3", product="property", holder="N T", inception="2026-03-01", insured_item="belongings")
STORM: list[object] = [
    "Hello, on 8 March 2026 the storm tore tiles off the roof of Gull Cottage, Shore Lane, Tarrick.",
    "About 2:30 am.",
    "The storm did it. Both bedrooms and the landing.",
    "No, we cannot live there, we are staying with friends. A roofer covered the hole.",
    "No, nobody was hurt. Yes, it is still dangerous.",
    ("upload", "photo", None),
]


def test_a_storm_ends_with_a_number_and_the_facts_of_a_home() -> None:
    """Cause, rooms, whether people can live there, danger and emergency work are held, and triage follows them."""
    talk = Talk(customer(policy=HOME)).play(
        [*STORM, "I don't know.", ("upload", "receipt", None), "About £6,400.", ("press", "confirm")]
    )
    case = talk.case
    assert case.status == "submitted"
    assert {f: case.value(f) for f in ("cause", "rooms_affected", "habitable", "ongoing_danger", "emergency_work")} == {
        "cause": "the storm",
        "rooms_affected": "Both bedrooms and the landing",
        "habitable": "no",
        "ongoing_danger": "yes",
        "emergency_work": "A roofer covered the hole",
    }
    assert case.triage and (case.triage.level, case.triage.reasons) == (
        "urgent",
        ["uninhabitable", "ongoing_danger", "loss_at_least_1000"],
    )
    assert case.review and case.review.checks["receipt_after_incident"] == "not_checked"


def test_a_file_the_customer_knows_nothing_of_is_not_asked_for_again() -> None:
    """ "I don't know" to a quote is no promise of one; it can still follow."""
    talk = Talk(customer(policy=HOME)).play([*STORM, "I don't know."])
    assert talk.case.files["quote"] == "given_up"
    talk.play([("upload", "receipt", None), "About £6,400."])
    assert talk.case.stage == "confirming"


def test_a_car_that_does_not_drive_has_a_recovery_invoice_and_no_quote_yet() -> None:
    """What is asked for follows what was told."""
    start = ["On 7 March 2026 at 21:40 I skidded and my car hit a wall on Ferrow Lane, Osmere.", "No, and no police."]
    towed = Talk().play([*start, "It is AB12 CDE, at the yard in Cobb Street.", "No, it was towed. £3,000."])
    towed.play([("upload", "photo", None)])
    assert towed.case.card == "recovery" and "recovery truck" in towed.reply
    drives = Talk().play([*start, "It is AB12 CDE, at the yard in Cobb Street.", "Yes, it drives. £3,000."])
    drives.play([("upload", "photo", None)])
    assert drives.case.card == "quote"


def test_a_burglary_without_the_police_asks_for_no_letter_of_theirs() -> None:
    """The letter is asked for where there is a reference."""
    opening = "On 9 March 2026 our house at 27 Cordwainer Street, Hexley was broken into. A ring is gone."
    without = Talk(customer(policy=HOME)).play([opening])
    without.play(["At 9 pm.", "The back door was forced. The hall.", "Yes. No work.", ("upload", "photo", None)])
    with_them = Talk(customer(policy=HOME)).play(
        [opening, "At 9 pm.", "The back door was forced. The hall.", "Yes. No work.", ("upload", "photo", None)]
    )
    without.say("Nobody was hurt. We did not call the police.")
    with_them.say("Nobody was hurt. Yes, the reference is HX/40772/26.")
    assert (without.case.card, with_them.case.card) == ("receipt", "police_letter")


def test_two_weak_signals_are_explained_in_one_answer() -> None:
    """One question speaks of cover and earlier claims; the answer stands beside both and is not asked for twice."""
    who = customer(policy=FRESH, prior_claims=prior("2025-08-04", "2026-01-23"))
    talk = Talk(who).play(
        [
            "On 9 March 2026 at 4 pm my Halden Tourer bicycle was stolen at the library in Quay Street, Morrowby.",
            "I have the invoice.",
            "I bought it on 20 June 2025 for £1,180.",
            "No, nobody was hurt. No police.",
            ("upload", "receipt", "2025-06-20"),
            "A new one costs £1,240.",
        ]
    )
    assert "about your cover or about earlier claims" in talk.reply
    talk.say("I changed to you in March 2026, the claims were a phone and a lost key.")
    assert talk.case.stage == "confirming"
    talk.play([("press", "confirm")])
    review = talk.case.review
    assert review and review.required and review.explanation and review.explanation.count("a lost key") == 1
    assert set(talk.case.explanations) == {"prior_claims_within_year", "loss_within_30_days_of_inception"}


def test_the_name_somebody_gives_their_insurance_explains_nothing() -> None:
    """ "On my house insurance" opens a claim; it is no word about the cover."""
    talk = Talk(customer(policy=FRESH)).play(["I want to report a theft on my house insurance. My bag was stolen."])
    assert talk.case.scenario_class == "property.theft_away" and not talk.case.explanations
