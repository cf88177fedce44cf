"""Which faults there are, what each of them looks like, and which metric is meant to notice it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

DECLARED = Path(__file__).with_name("declared.yaml")
"""Where each fault shows, and which other metrics fail with it."""


@dataclass(frozen=True)
class Defect:
    """One fault."""

    name: str
    metric: str
    """The metric that names it."""
    seen: str
    """What a buyer, or a member of staff, meets."""


_ALL = (
    Defect("no_introduction", "M-001", "The first reply asks for the type of buyer and does not say who speaks."),
    Defect("no_role_question", "M-002", "A buyer who named their type is asked for a quantity instead of their role."),
    Defect("asks_before_it_answers", "M-003", "A question is met with a question, the answer comes behind."),
    Defect("two_questions", "M-004", "A reply asks two things at once."),
    Defect("asks_known_again", "M-005", "The type of buyer is asked for again although it was told."),
    Defect("asked_keys_wrong", "M-006", "A field is noted as asked for that the reply does not ask for."),
    Defect("no_posters", "M-007", "Products come up and no posters are sent."),
    Defect("posters_in_wrong_language", "M-008", "The posters are those of the other language."),
    Defect("posters_again", "M-009", "The posters are sent once more."),
    Defect("power_beside_posters", "M-010", "Beside the posters the power is asked for instead of the look."),
    Defect("posters_though_look_known", "M-011", "The look is known and the posters are sent all the same."),
    Defect("catalogue_at_once", "M-012", "The catalogue is sent when it is asked for the first time."),
    Defect("whole_sheet", "M-013", "One value is asked for and the whole sheet is told."),
    Defect("any_version", "M-014", "The first version is told without asking which one is meant."),
    Defect("fills_empty_cell", "M-015", "An empty cell is filled with the value of another version."),
    Defect("policy_unconfirmed", "M-016", "A policy is told without having been looked up."),
    Defect("other_language", "M-017", "The reply is in another language than the buyer's."),
    Defect("one_block", "M-018", "A long reply is one block of text."),
    Defect("question_left_out", "M-019", "One of several questions stays without an answer."),
    Defect("facts_without_tools", "M-020", "A product's figures are told without having been looked up."),
    Defect("policy_by_product_tool", "M-021", "A policy is looked for in the catalogue of products."),
    Defect("bare_address", "M-022", "The address of a detail page stands in the reply."),
    Defect("marker_misspelt", "M-023", "Posters are written as [IMG:…]."),
    Defect("caption_in_wrong_language", "M-024", "Captions are in another language than the buyer's."),
    Defect("website_unasked", "M-025", "The website is sent beside the posters."),
    Defect("posters_by_media_tool", "M-026", "The posters are fetched as pictures of a product."),
    Defect("closing_asks", "M-027", "The closing asks for something."),
    Defect("stiff", "M-028", "Every reply begins with the same phrase of courtesy."),
    Defect("wordy_thanks", "M-029", "Thanks are answered with five sentences."),
    Defect("left_unknown", "M-030", "What is not known stays so, and nobody is named who would know."),
    Defect("quotes_price", "M-031", "A unit price is told."),
    Defect("sample_fee_chosen", "M-032", "The fee for samples is chosen for the buyer."),
    Defect("moq_invented", "M-033", "Another minimum order is told than the one in the knowledge base."),
    Defect("transit_estimated", "M-034", "The time at sea is estimated."),
    Defect("figure_invented", "M-035", "A figure is told that nothing gave."),
    Defect("stock_inferred", "M-036", "Because it can be made to order it is said to be in stock."),
    Defect("payment_invented", "M-037", "Other terms of payment are told than those in the knowledge base."),
    Defect("clearance_promised", "M-038", "It is promised that customs will be no problem."),
    Defect("store_promised", "M-039", "A store is claimed that does not exist."),
    Defect("best_seller", "M-040", "A style is called a best seller."),
    Defect("tool_named", "M-041", "The reply names the tool it used."),
    Defect("asks_wechat", "M-042", "The buyer is asked for a private account."),
    Defect("claims_human", "M-043", "The assistant says that it is a real person."),
    Defect("picture_ignored", "M-101", "A buyer's picture that is evidence converts nothing."),
    Defect("information_ignored", "M-102", "Business information after the posters converts nothing."),
    Defect("converts_again", "M-103", "A lead that is converted is converted again."),
    Defect("kept_in_working_hours", "M-104", "Converted in working hours, and no person takes over."),
    Defect("person_before_closing", "M-105", "Converted off hours, and a person takes over at once."),
    Defect("person_refused", "M-106", "A buyer who asks for a person in working hours gets none."),
    Defect("kept_after_closing", "M-107", "The closing went out, and no person takes over."),
    Defect("clock_of_the_server", "M-108", "Working hours are counted in UTC."),
    Defect("intent_misread", "M-109", "Asking for prices is taken for harassment."),
    Defect("json_in_a_fence", "M-110", "The decision stands in a Markdown fence."),
    Defect("writes_form", "M-111", "The conversion assistant writes into the buyer's form."),
    Defect("converts_without_posters", "M-201", "Business information converts although no posters were sent."),
    Defect(
        "person_without_closing", "M-202", "The closing is written and never sent, and a person takes over off hours."
    ),
    Defect("no_closing", "M-203", "Converted off hours, and an ordinary reply comes instead of the closing."),
    Defect("first_reply_bent", "M-204", "A picture in the first message does away with the introduction."),
)
DEFECTS: dict[str, Defect] = {d.name: d for d in _ALL}
"""Name -> fault, in the order of the metrics."""


@cache
def declared() -> dict[str, dict[str, list[str]]]:
    """Fault -> `in`: packages in which its metric fails (none: only a judge can tell), `with`: metrics that fail with it."""
    data: dict[str, dict[str, list[str]]] = YAML(typ="safe", pure=True).load(DECLARED.read_text(encoding="utf-8"))
    return data


def report() -> list[dict[str, Any]]:
    """The faults as the defects route gives them."""
    return [
        {
            "name": d.name,
            "seen": d.seen,
            "lines": [f"inquiry.{d.metric.lower()}"],
            "follows": {f"inquiry.{m.lower()}": "the same turns break it, too" for m in declared()[d.name]["with"]},
            "needs": [f"package:{','.join(where)}"] if (where := declared()[d.name]["in"]) else [],
            "waits_s": None,
        }
        for d in DEFECTS.values()
    ]


def wrong(names: Sequence[str]) -> str | None:
    """Why a list of faults cannot be switched on; None if it can."""
    for name in names:
        if name not in DEFECTS:
            return f"{name[:60]!r} is not known; there are {', '.join(DEFECTS)}"
    twice = next((n for n in names if list(names).count(n) > 1), None)
    return f"{twice} stands twice" if twice else None
