"""What the document recipes draw from: the shape of `content` in `provenance.json`, one model for each recipe.

Values that bear on the claim are not written here but stand in `printed_fields` of the same file. A recipe has fixed
places for some of them; any other field is printed where a text of the content names it in braces: "collected from
{place}". A field that is printed nowhere, one that stands on another page than it says, and braces that name no field are
errors. A field with `legible: false` is drawn as a smudge that holds nothing of its text.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from harness.schema.base import Strict
from harness.schema.visible import Text

Unit = Annotated[float, Field(ge=0, le=1)]
Money = Annotated[str, Field(pattern=r"^\d{1,7}\.\d{2}$")]
"""Pounds and pence as a plain decimal, "1240.00"; printed as £1,240.00."""
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]


class PhoneLook(Strict):
    """The document lies somewhere and is photographed with a phone: the file is a .jpg."""

    surface: Literal["wood", "desk", "worktop", "fabric"] = "wood"
    """What the paper lies on."""
    skew: Unit = 0.4
    """How far from straight above and how turned the picture is; 0 is a scan."""
    shadow: Unit = 0.4
    """How dark the shadow of hand and phone is."""
    noise: Unit = 0.3
    """Grain of the sensor, and how blurred the picture is."""
    creases: Unit = 0.3
    """How folded and crumpled the paper is."""
    width: Annotated[int, Field(ge=300, le=2400)] = 1200
    """Pixels; the height follows from the paper."""
    quality: Annotated[int, Field(ge=30, le=95)] = 72
    """JPEG quality."""


class Line(Strict):
    """One line of work, parts or goods."""

    what: Text
    quantity: Annotated[str, Field(pattern=r"^\d{1,4}(\.\d{1,2})?$")] = "1"
    unit: Text | None = None
    """"hrs", "m²", …; printed after the quantity."""
    unit_price: Money
    """Without VAT where VAT is shown apart."""
    amount: Money
    """quantity times unit price."""

    @model_validator(mode="after")
    def _multiplies(self) -> "Line":
        if (Decimal(self.quantity) * Decimal(self.unit_price)).quantize(Decimal("0.01")) != Decimal(self.amount):
            raise ValueError(f"{self.quantity} x {self.unit_price} is not {self.amount}")
        return self


class Detail(Strict):
    """A label with what stands beside it."""

    label: Text
    text: Text
    """May name fields in braces."""


class Firm(Strict):
    """Who wrote the document."""

    name: Text
    motto: Text | None = None
    address: Annotated[list[Text], Field(min_length=1, max_length=5)]
    contact: Annotated[list[Text], Field(min_length=1, max_length=4)]
    registered: Text
    """The small print at the foot: that the firm is invented, VAT number and the like."""


class Sums(Strict):
    """Lines, and what they come to; the printed field `total` is their sum with VAT."""

    lines: Annotated[list[Line], Field(min_length=1, max_length=14)]
    vat_rate: Annotated[str, Field(pattern=r"^\d{1,2}(\.\d)?$")] | None = "20"
    """Per cent on top of the lines; None: the prices hold it already, or the firm is not registered for VAT."""
    vat_note: Text | None = None
    """With `vat_rate` None: "Not registered for VAT." or "Prices include VAT at 20 %."."""

    @property
    def net(self) -> Decimal:
        """Sum of the lines."""
        return sum((Decimal(line.amount) for line in self.lines), Decimal("0.00"))

    @property
    def vat(self) -> Decimal:
        """VAT on top."""
        rate = Decimal(self.vat_rate or "0")
        return (self.net * rate / 100).quantize(Decimal("0.01"))

    @property
    def total(self) -> Decimal:
        """What is to be paid."""
        return self.net + self.vat


class QuoteLine(Strict):
    """One line of work or parts."""

    what: Text
    quantity: Text
    unit_price: Text
    """Without VAT, as a plain decimal."""
    amount: Text
    """quantity times unit price, as a plain decimal."""


class QuoteContent(Strict):
    """`repair_quote`: a garage's quote of two pages; fixed places for quote_number, date, plate, valid_until, customer, total."""

    garage: Text
    motto: Text
    garage_address: list[Text]
    garage_contact: list[Text]
    customer_address: list[Text]
    vehicle: Text
    colour: Text
    """Of the logo and the lines, "#rrggbb"."""
    findings: Text
    lines: list[QuoteLine]
    net: Text
    vat_rate: Text
    vat: Text
    terms: list[Text]
    signed_for: Text
    registered: Text = Field(default="")


class TradeQuoteContent(Strict):
    """`trade_quote`: what a trade asks for a repair.

    `pages_total` 1: all on one page. 2: page 1 reference block, findings, lines and sums; page 2 terms and signature.
    3: page 1 a covering letter with the reference block; page 2 findings, lines and sums; page 3 terms and signature.
    Fixed places: `date` and `quote_number` (needed, page 1; the number stands at the head of each further page too),
    `total` (needed, the page with the sums), and, if they are given, `valid_until`, `customer` and `plate` (page 1).
    """

    layout: Literal["plumber", "builder", "roofer", "bodyshop", "dent_repair", "glazier"]
    firm: Firm
    colour: Colour
    customer_address: Annotated[list[Text], Field(max_length=4)]
    """Under the name, which is the printed field `customer`."""
    subject: Text
    """"Ceiling of the dining room, 3 Alder Row": heads the quote. May name fields."""
    details: Annotated[list[Detail], Field(max_length=5)] = []
    """More of the reference block: "Vehicle", "Visit by", …"""
    letter: Annotated[list[Text], Field(max_length=5)] = []
    """Paragraphs of the covering letter; with three pages, and only with them. May name fields."""
    findings: Text
    """What was seen. May name fields."""
    sums: Sums
    terms: Annotated[list[Text], Field(min_length=1, max_length=8)]
    signed_for: Text
    look: PhoneLook | None = None


class InvoiceContent(Strict):
    """`invoice`: what was bought or done, and paid or to be paid.

    `pages_total` 1 or 2 (the notes stand on page 2). Fixed places: `date`, `invoice_number`, `total` (needed, page 1; the
    number stands at the head of page 2 too) and, if given, `customer` and `plate` (page 1).
    """

    layout: Literal["recovery", "shop", "online_shop", "jeweller", "car_dealer"]
    firm: Firm
    colour: Colour
    customer_address: Annotated[list[Text], Field(max_length=4)]
    subject: Text | None = None
    details: Annotated[list[Detail], Field(max_length=8)] = []
    sums: Sums
    payment: Text
    """"Paid by card", "Due within 14 days", …"""
    notes: Annotated[list[Text], Field(max_length=8)] = []
    look: PhoneLook | None = None


class TillLine(Strict):
    """One line of a till receipt."""

    what: Annotated[str, Field(min_length=1, max_length=26)]
    """As tills print it: short, usually capitals."""
    quantity: Annotated[int, Field(ge=1, le=99)] = 1
    amount: Money
    """For all of them, VAT included."""


class TillReceiptContent(Strict):
    """`till_receipt`: a strip of thermal paper, 80 mm wide; one page.

    Fixed places: `date`, `total` (needed) and, if given, `time` and `receipt_number`.
    """

    shop: Text
    tagline: Text | None = None
    address: Annotated[list[Text], Field(min_length=1, max_length=4)]
    till: Text
    """"Till 3  Served by Mo"."""
    lines: Annotated[list[TillLine], Field(min_length=1, max_length=20)]
    vat_rate: Annotated[str, Field(pattern=r"^\d{1,2}(\.\d)?$")] = "20"
    """Per cent, held in the amounts."""
    paid_by: Text
    footer: Annotated[list[Text], Field(max_length=6)] = []
    """May name fields; long lines are broken."""
    registered: Text
    fading: Unit = 0.15
    """How far the print has faded."""
    look: PhoneLook | None = None

    @property
    def total(self) -> Decimal:
        """Sum of the lines."""
        return sum((Decimal(line.amount) for line in self.lines), Decimal("0.00"))


class PoliceLetterContent(Strict):
    """`police_letter`: a force confirms a report to the person who made it.

    `pages_total` 1 or 2 (the annex is page 2, and there only with an annex). Fixed places: `date`, `police_reference`
    (needed, page 1; the reference stands at the head of page 2 too), `customer` (needed, page 1).
    """

    force: Text
    """Plainly invented: "Marrowdale Constabulary"."""
    unit: Text
    """"Crime Recording and Support"."""
    address: Annotated[list[Text], Field(min_length=1, max_length=5)]
    contact: Annotated[list[Text], Field(min_length=1, max_length=4)]
    colour: Colour
    customer_address: Annotated[list[Text], Field(max_length=4)]
    salutation: Text
    subject: Text
    details: Annotated[list[Detail], Field(max_length=8)] = []
    """"Offence", "Reported on", "Place", …: a table under the subject."""
    paragraphs: Annotated[list[Text], Field(min_length=1, max_length=8)]
    officer: Text
    rank: Text
    annex_title: Text | None = None
    annex: Annotated[list[Text], Field(max_length=14)] = []
    """Lines of the annex, for instance the things reported stolen; may name fields."""
    registered: Text
    """At the foot: that the force is invented."""
    look: PhoneLook | None = None

    @model_validator(mode="after")
    def _annex_complete(self) -> "PoliceLetterContent":
        if (self.annex_title is None) != (not self.annex):
            raise ValueError("`annex_title` and `annex` go together")
        return self
