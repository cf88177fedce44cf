"""What each recipe draws from and what it makes, for checker and schemas; what draws it stands in `draw.py`."""

from pydantic import BaseModel

from oracle_scoring.corpus import document_content, picture_content
from oracle_scoring.corpus.models import DocumentKind

CONTENT: dict[str, type[BaseModel]] = {
    "ceiling_stain": picture_content.CeilingStainContent,
    "cracked_screen": picture_content.CrackedScreenContent,
    "forced_door": picture_content.ForcedDoorContent,
    "front_damage": picture_content.FrontDamageContent,
    "hail_bonnet": picture_content.HailBonnetContent,
    "invoice": document_content.InvoiceContent,
    "police_letter": document_content.PoliceLetterContent,
    "rear_bumper": picture_content.BumperContent,
    "repair_quote": document_content.QuoteContent,
    "roof_tiles": picture_content.RoofTilesContent,
    "till_receipt": document_content.TillReceiptContent,
    "trade_quote": document_content.TradeQuoteContent,
}
"""Recipe -> the form of its `content`."""
MAKES: dict[str, tuple[DocumentKind, ...]] = {
    "invoice": ("invoice", "receipt"),
    "police_letter": ("letter",),
    "repair_quote": ("quote",),
    "till_receipt": ("receipt",),
    "trade_quote": ("quote",),
}
"""Recipe of a paper -> what `document` can be; the other recipes make photos."""
