"""The recipes for documents: quotes of trades, invoices, till receipts, police letters, and the phone's view of them."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from harness.errors import InputError
from oracle_scoring.corpus.contents import contents, read_pdf
from oracle_scoring.corpus.draw import draw
from oracle_scoring.corpus.load import read_provenance
from oracle_scoring.corpus.look_compare import compare_reading
from oracle_scoring.corpus.look_ocr import page_pictures, read_page
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import Paper
from oracle_scoring.corpus.paper_badge import badge
from oracle_scoring.corpus.paper_pen import sign
from oracle_scoring.corpus.paper_style import LOOKS, letterhead
from oracle_scoring.corpus.picture_parts import image_metadata

FIRM = {
    "name": "Tarn & Oakley",
    "motto": "Done by Friday",
    "address": ["4 Sluice Lane", "Harrowmere"],
    "contact": ["01632 960 455"],
    "registered": "Tarn & Oakley is an invented business.",
}
LINES = [
    {
        "what": "Open the ceiling, cut out wet board",
        "quantity": "6.5",
        "unit": "hrs",
        "unit_price": "48.00",
        "amount": "312.00",
    },
    {"what": "New board and skim", "quantity": "9", "unit_price": "38.50", "amount": "346.50"},
]
PACKAGES = Path(__file__).parents[3] / "packages"
LOOK = {"width": 480, "surface": "worktop"}


def field(printed: str, kind: str, value: str, page: int = 1, legible: bool = True) -> dict[str, Any]:
    """A printed field."""
    return {"page": page, "printed": printed, "kind": kind, "value": value, "legible": legible}


DATE = field("9 February 2026", "date", "2026-02-09")
TOTAL = field("£790.20", "amount", "790.20 GBP")
NUMBER = field("TO-4471", "reference", "TO-4471")
NAME = field("Basil Quennell", "name", "Basil Quennell")


def entry(recipe: str, content: dict[str, Any], fields: dict[str, Any], pages: int = 1, **more: Any) -> FileProvenance:
    """Provenance of one drawn document."""
    return FileProvenance.model_validate(
        {
            "how": "drawn",
            "document": "other",
            "recipe": recipe,
            "content": content,
            "prompt": None,
            "purpose": "ZEBRA CROSSING",
            "printed_fields": fields,
            "pages_total": pages,
            "pages_present": list(range(1, pages + 1)),
            "rng_seed": 5,
            "source_images": [],
            **more,
        }
    )


def quote(
    layout: str = "plumber", pages: int = 1, fields: dict[str, Any] | None = None, **change: Any
) -> FileProvenance:
    """A trade's quote."""
    more = {k: change.pop(k) for k in ("pages_present", "rng_seed") if k in change}
    content = {
        "layout": layout,
        "firm": FIRM,
        "colour": "#0f4c81",
        "customer_address": ["3 Alder Row"],
        "subject": "Dining room ceiling",
        "findings": "The board is soft.",
        "sums": {"lines": LINES, "vat_rate": "20"},
        "terms": ["Half is due before the work begins."],
        "signed_for": "S. Oakley",
        **change,
    }
    return entry(
        "trade_quote",
        content,
        {"date": DATE, "total": TOTAL, "quote_number": NUMBER, "customer": NAME, **(fields or {})},
        pages,
        **more,
    )


def invoice(
    layout: str = "recovery", pages: int = 1, fields: dict[str, Any] | None = None, **change: Any
) -> FileProvenance:
    """An invoice."""
    content = {
        "layout": layout,
        "firm": FIRM,
        "colour": "#7a2e12",
        "customer_address": [],
        "details": [{"label": "Collected from", "text": "{place}"}],
        "sums": {"lines": LINES, "vat_rate": "20"},
        "payment": "Paid by card.",
        "notes": ["Thank you."],
        **change,
    }
    place = field("B1180, Marl Hill", "place", "B1180, Marl Hill")
    fields = {"date": DATE, "total": TOTAL, "invoice_number": NUMBER, "place": place, **(fields or {})}
    return entry("invoice", content, fields, pages)


def till(date: dict[str, Any] = DATE, **change: Any) -> FileProvenance:
    """A till receipt."""
    content = {
        "shop": "BRAMBLE",
        "address": ["12 Corn Street"],
        "till": "Till 2",
        "lines": [{"what": "TABLET", "amount": "429.00"}, {"what": "CASE", "amount": "35.00"}],
        "paid_by": "CARD",
        "registered": "An invented business",
        **change,
    }
    return entry("till_receipt", content, {"date": date, "total": field("£464.00", "amount", "464.00 GBP")})


def letter(pages: int = 1, **change: Any) -> FileProvenance:
    """A police letter."""
    content = {
        "force": "Marrowdale Constabulary",
        "unit": "Crime Recording",
        "address": ["Bridewell House"],
        "contact": ["01632 960 101"],
        "colour": "#1b2f5b",
        "customer_address": ["9 Quay Terrace"],
        "salutation": "Dear Mr Quennell,",
        "subject": "Theft of {item}",
        "paragraphs": ["We have recorded your report."],
        "officer": "PC R. Hask",
        "rank": "Recording officer",
        "registered": "There is no such force.",
        **change,
    }
    fields = {"date": DATE, "police_reference": NUMBER, "customer": NAME, "item": field("a ring", "text", "a ring")}
    return entry("police_letter", content, fields, pages)


@pytest.mark.parametrize("layout", ["plumber", "builder", "roofer", "bodyshop", "dent_repair", "glazier"])
def test_each_trade_prints_its_quote(layout: str) -> None:
    """Title early, date on a line of its own, total, name, number and page mark, whatever the layout."""
    page = read_pdf(draw("q.pdf", quote(layout))).pages[0]
    lines = [line.strip() for line in page.splitlines()]
    assert any(word in " ".join(lines[:4]) for word in ("QUOT", "ESTIMATE"))
    assert "Date: 9 February 2026" in lines and "Total including VAT: £790.20" in lines
    assert "Basil Quennell" in page and "TO-4471" in page and "Page 1 of 1" in page


def test_layouts_differ() -> None:
    """No two trades' papers are alike."""
    layouts = ("plumber", "builder", "roofer", "bodyshop", "dent_repair", "glazier")
    assert len({draw("q.pdf", quote(layout)) for layout in layouts}) == len(layouts)


@pytest.mark.parametrize("layout", ["recovery", "shop", "online_shop", "jeweller", "car_dealer"])
def test_invoices_print_their_fields(layout: str) -> None:
    """Fixed places and a field that a text names in braces."""
    page = read_pdf(draw("i.pdf", invoice(layout))).pages[0]
    for words in (
        "INVOICE",
        "Date: 9 February 2026",
        "Total including VAT: £790.20",
        "B1180, Marl Hill",
        "Page 1 of 1",
    ):
        assert words in page


def test_a_till_receipt_prints_its_fields() -> None:
    """Date, lines, total and page mark; VAT is what the total holds."""
    page = read_pdf(draw("t.pdf", till())).pages[0]
    for words in ("SALES RECEIPT", "Date: 9 February 2026", "TOTAL £464.00", "429.00", "77.33", "Page 1 of 1"):
        assert words in page


def test_a_police_letter_prints_its_fields_and_its_annex() -> None:
    """Reference on both pages."""
    made = letter(2, annex_title="Things reported stolen", annex=["{item}", "a camera"])
    pages = read_pdf(draw("l.pdf", made)).pages
    assert "Date of issue: 9 February 2026" in pages[0] and "Theft of a ring" in pages[0]
    assert "a camera" in pages[1] and all(f"Page {n} of 2" in page for n, page in enumerate(pages, start=1))
    assert all("TO-4471" in page for page in pages)


def test_the_page_with_the_date_can_be_left_out() -> None:
    """Of three pages the first holds the date; without it no other says it, and the marks show that it is missing."""
    fields = {"total": {**TOTAL, "page": 2}, "quote_number": {**NUMBER, "page": 2}}
    made = quote(pages=3, fields=fields, letter=["Dear Mr Quennell,"], pages_present=[2, 3])
    pages = read_pdf(draw("q.pdf", made)).pages
    assert len(pages) == 2 and "9 February" not in " ".join(pages) and "£790.20" in pages[0]
    assert "Page 2 of 3" in pages[0] and "Page 3 of 3" in pages[1]


@pytest.mark.parametrize("name", ["q.pdf", "q.jpg"])
def test_an_illegible_field_leaves_no_trace(name: str) -> None:
    """Two documents that differ only in an illegible date of the same length are the same bytes: nothing of it is there."""
    look = {"look": LOOK} if name.endswith("jpg") else {}
    drawn = {
        draw(name, quote(fields={"date": field(printed, "date", value, legible=False)}, **look))
        for printed, value in (("9 February 2026", "2026-02-09"), ("8 November 2025", "2025-11-08"))
    }
    assert len(drawn) == 1 and drawn != {draw(name, quote(**look))}
    assert b"2026-02-09" not in next(iter(drawn))
    if not look:
        assert "February" not in " ".join(read_pdf(next(iter(drawn))).pages)


@pytest.mark.parametrize("made", [quote(), quote("builder", pages=2), invoice(), till(), letter()])
def test_documents_carry_nothing_beside_their_pages(made: FileProvenance) -> None:
    """No hidden text, no layers, no information, no purpose; the same bytes again for the same provenance."""
    data = draw("d.pdf", made)
    read = contents(data)
    assert (read.problem, read.oddities, read.unseen) == (None, [], [])
    assert "zebra" not in read.text and "zebra" not in " ".join(read.metadata.values()).casefold()
    assert draw("d.pdf", made) == data and len(data) < 60_000


def strokes(draws: Callable[[Canvas], None]) -> bytes:
    """The drawing on a page by itself, uncompressed."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=0)
    draws(canvas)
    canvas.save()
    return out.getvalue()


def test_a_signature_is_the_signers() -> None:
    """The name alone moves the pen: the same whatever the paper's seed, another for every other name."""
    assert draw("q.pdf", quote(rng_seed=6)) == draw("q.pdf", quote())
    names = [f"{first}. {last}" for first in "ABKRST" for last in ("Oakley", "Larkin", "Quill", "Wren", "Hask")]

    def signed(name: str) -> bytes:
        return strokes(lambda canvas: sign(canvas, 0, 0, name))

    assert len({signed(name) for name in names}) == len(names) and signed(names[0]) == signed(names[0])


def test_forces_and_firms_have_heads_of_their_own() -> None:
    """Of two letters or invoices that differ in the name alone, badge, frame, type or rules differ as well."""
    forces = (
        "Tarn Valley Police",
        "Marrowdale Constabulary",
        "Estuary Police",
        "Northmoor Police",
        "Sable Vale Police",
    )
    paper = Paper(letter(), (600, 800))

    def badge_of(force: str) -> bytes:
        def draws(canvas: Canvas) -> None:
            paper.c = canvas
            badge(paper, 90, 90, HexColor("#22335a"), force)

        return strokes(draws)

    assert len({badge_of(force) for force in forces}) == len(forces)
    heads = {letterhead(firm) for firm in ("Tarn & Oakley", "Spindle & Spoke", "Nightjar Recovery", "Fenwright Online")}
    assert len(heads) == 4 and letterhead("Tarn & Oakley") in heads


def test_no_two_firms_of_the_corpus_are_headed_alike() -> None:
    """Papers of two firms differ in layout, sign, frame or type of the name."""
    heads: dict[Any, str] = {}
    for folder in sorted((PACKAGES / "claims").iterdir()):
        for made in read_provenance(folder).files.values():
            if (firm := made.content.get("firm")) is not None:
                own = letterhead(firm["name"])
                head = (LOOKS[made.content["layout"]].head, LOOKS[made.content["layout"]].sign, own.frame, own.family)
                assert heads.setdefault(head, firm["name"]) == firm["name"]
    assert len(heads) >= 6


@pytest.mark.parametrize(
    ("made", "name", "says"),
    [
        (quote(fields={"total": field("£790.30", "amount", "790.30 GBP")}), "q.pdf", r"printed_fields\.total\.value: is 790\.30 GBP; the lines come to 790\.20"),
        (quote(fields={"colour": field("blue", "text", "blue")}), "q.pdf", r"printed_fields\.colour: is printed nowhere"),
        (quote(pages=2, fields={"date": {**DATE, "page": 2}}), "q.pdf", r"printed_fields\.date\.page: is 2; the recipe prints it on page 1"),
        (quote(findings="Seen on {day}."), "q.pdf", r"content: a text names \{day\}"),
        (quote(terms=["very long words " * 200]), "q.pdf", r"content: does not fit on page 1"),
        (quote(pages=4), "q.pdf", r"pages_total: the recipe draws documents of 1 or 2 or 3 pages"),
        (quote(letter=["Dear"]), "q.pdf", r"content\.letter: goes with three pages"),
        (quote(), "q.jpg", r"what is drawn is a \.pdf file"),
        (quote(look=LOOK), "q.pdf", r"what is drawn is a \.jpg file"),
        (quote(sums={"lines": [{**LINES[0], "amount": "313.00"}]}), "q.pdf", r"content: sums\.lines\.0"),
        (letter(annex_title="Things"), "l.pdf", r"`annex_title` and `annex` go together"),
        (quote("butcher"), "q.pdf", r"content: layout"),
    ],
)  # fmt: skip
def test_provenance_that_does_not_fit_is_told_by_field(made: FileProvenance, name: str, says: str) -> None:
    """Sums that do not add up, fields printed nowhere or elsewhere, texts that do not fit, wrong kinds of file."""
    with pytest.raises(InputError, match=says):
        draw(name, made)


def test_a_phone_photo_of_a_document() -> None:
    """A small plain JPEG in portrait; another seed, another hand; no metadata."""
    data = draw("q.jpg", quote(look=LOOK))
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "JPEG" and image.size == (480, 640)
    assert image_metadata(data) == {} and len(data) < 300_000
    assert draw("q.jpg", quote(look=LOOK)) == data != draw("q.jpg", quote(look=LOOK, rng_seed=6))


def test_two_pages_lie_side_by_side_and_three_are_too_many() -> None:
    """Landscape for two; three pages are refused."""
    with Image.open(io.BytesIO(draw("q.jpg", quote(pages=2, look=LOOK)))) as image:
        assert image.size == (480, 360)
    fields = {"total": {**TOTAL, "page": 2}}
    with pytest.raises(InputError, match="holds at most 2 pages; there are 3"):
        draw("q.jpg", quote(pages=3, fields=fields, letter=["Dear"], look=LOOK))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_what_is_legible_in_a_photo_can_be_read() -> None:
    """The project's reader reads everything in a phone photo as it should be, and nothing of an illegible date."""
    made = till(date=field("9 February 2026", "date", "2026-02-09", legible=False), look={})
    made = made.model_copy(update={"document": "receipt"})
    (page,) = page_pictures("t.jpg", draw("t.jpg", made))
    texts = read_page(page, True, lambda read: not compare_reading(made, [read]))
    assert compare_reading(made, [texts]) == []
    assert not any("2026" in text or "Februar" in text for text in texts)


def _drawn_documents() -> list[tuple[str, str]]:
    return [
        (folder.name, name)
        for folder in sorted((PACKAGES / "claims").iterdir())
        for name, made in sorted(read_provenance(folder).files.items())
        if made.how == "drawn" and made.document != "photo"
    ]


@pytest.mark.parametrize(("package", "name"), _drawn_documents())
def test_documents_in_the_corpus_are_what_their_provenance_draws(package: str, name: str) -> None:
    """A PDF byte for byte; a photo of one as good as pixel for pixel, whatever the processor rounds."""
    folder = PACKAGES / "claims" / package
    drawn, shipped = draw(name, read_provenance(folder).files[name]), (folder / "input/materials" / name).read_bytes()
    if drawn == shipped:
        return
    assert name.endswith(".jpg")
    one, two = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.float32) for data in (drawn, shipped))
    assert float(np.abs(one - two).mean()) < 1.0
