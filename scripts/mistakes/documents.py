"""Mistakes in documents: what a PDF carries or hides, what its pages print, what provenance says of it."""

import io
from collections.abc import Callable
from typing import Any

from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    RectangleObject,
    TextStringObject,
)
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from harness.schema.package import FACTS, LABELS, MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW
from scripts.mistakes.draft import Draft, mistake

GROUP = "documents"
HIDDEN = "kept for the machine only"


def _first(draft: Draft) -> str | None:
    names = draft.files(".pdf")
    return names[0] if names else None


def _written(writer: PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _writer(data: bytes) -> PdfWriter:
    return PdfWriter(clone_from=PdfReader(io.BytesIO(data)))


def rewritten(data: bytes) -> bytes:
    """The document as another program writes it: nothing in it is changed."""
    return _written(_writer(data))


def _pdf(change: Callable[[bytes, Draft], bytes | None], code: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        name = _first(draft)
        if name is None:
            return None
        data = change(draft.bytes_of(name), draft)
        if data is None:
            return None
        draft.put_file(name, data)
        return code

    return spoil


def _through(change: Callable[[PdfWriter, Draft], Any]) -> Callable[[bytes, Draft], bytes]:
    def run(data: bytes, draft: Draft) -> bytes:
        writer = _writer(data)
        change(writer, draft)
        return _written(writer)

    return run


def _overlay(draw: Callable[[Canvas, float, float, Draft], None]) -> Callable[[bytes, Draft], bytes]:
    """Draws over the first page; the canvas, the page's width and height are given."""

    def run(data: bytes, draft: Draft) -> bytes:
        writer = _writer(data)
        page = writer.pages[0]
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        out = io.BytesIO()
        canvas = Canvas(out, pagesize=(width, height), invariant=1, pageCompression=0, initialFontSize=9)
        canvas.setFont("Helvetica", 9)
        draw(canvas, width, height, draft)
        canvas.save()
        page.merge_page(PdfReader(io.BytesIO(out.getvalue())).pages[0])
        return _written(writer)

    return run


# ------------------------------------------------------------------ text that no reader sees


def _mode(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    text = canvas.beginText(width / 4, height / 2)
    text.setTextRenderMode(3)
    text.textOut(HIDDEN)
    canvas.drawText(text)


def _white(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(width / 4, 3, HIDDEN)


def _nearly_white(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.setFillColorRGB(0.95, 0.95, 0.93)
    canvas.drawString(width / 4, 3, HIDDEN)


def _on_dark(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.setFillColorCMYK(0.9, 0.6, 0.1, 0.4)
    canvas.rect(0, 0, width, 12, stroke=0, fill=1)
    canvas.drawString(width / 4, 3, HIDDEN)


def _tiny(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.setFont("Helvetica", 1)
    canvas.drawString(width / 4, height / 2, HIDDEN)


def _scaled(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.translate(width / 4, height / 2)
    canvas.scale(0.1, 0.1)
    canvas.drawString(0, 0, HIDDEN)


def _outside(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.drawString(width + 20, height / 2, HIDDEN)


def _clipped(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    path = canvas.beginPath()
    path.rect(0, 0, 5, 5)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.drawString(width / 4, height / 2, HIDDEN)


def _behind_picture(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.drawString(width / 4, 3, HIDDEN)
    canvas.drawImage(ImageReader(Image.new("RGB", (8, 8), (250, 250, 250))), 0, 0, width, 16)


def _painted_over(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.drawString(width / 4, 3, HIDDEN)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(0, 0, width, 16, stroke=0, fill=1)


def _transparent(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.setFillAlpha(0.02)
    canvas.drawString(width / 4, height / 2, HIDDEN)


def _form(canvas: Canvas, width: float, height: float, _: Draft) -> None:
    canvas.beginForm("inner")
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(width / 4, 3, HIDDEN)
    canvas.endForm()
    canvas.doForm("inner")


for _name, _draw, _code in (
    ("text in a render mode that shows nothing", _mode, "pdf_text_invisible"),
    ("white text on white", _white, "pdf_text_same_colour"),
    ("nearly white text on white", _nearly_white, "pdf_text_same_colour"),
    ("dark text on the same dark", _on_dark, "pdf_text_same_colour"),
    ("white text inside a form", _form, "pdf_text_same_colour"),
    ("tiny text", _tiny, "pdf_text_tiny"),
    ("text made tiny by scaling", _scaled, "pdf_text_tiny"),
    ("text outside the page", _outside, "pdf_text_off_page"),
    ("text clipped away", _clipped, "pdf_text_off_page"),
    ("text behind a picture", _behind_picture, "pdf_text_covered"),
    ("text under white paint", _painted_over, "pdf_text_covered"),
    ("transparent text", _transparent, "pdf_text_invisible"),
):
    mistake(GROUP, _name)(_pdf(_overlay(_draw), _code))


def _actual_text(writer: PdfWriter, _: Draft) -> None:
    page = writer.pages[0]
    stream = DecodedStreamObject()
    stream.set_data(b"/Span <</ActualText (quote before incident)>> BDC EMC")
    old = page["/Contents"]
    contents = list(old) if isinstance(old, ArrayObject) else [page.raw_get("/Contents")]
    page[NameObject("/Contents")] = ArrayObject([*contents, writer._add_object(stream)])


mistake(GROUP, "a replacement text for machines")(_pdf(_through(_actual_text), "pdf_text_invisible"))

# ------------------------------------------------------------------ beside the pages


def _information(key: str, value: Callable[[Draft], str]) -> Callable[[bytes, Draft], bytes]:
    return _through(lambda writer, draft: writer.add_metadata({key: value(draft)}))


mistake(GROUP, "a check as the title")(
    _pdf(_information("/Title", lambda _: "quote before incident"), "answer_in_metadata")
)
mistake(GROUP, "the level among the keywords")(
    _pdf(_information("/Keywords", lambda draft: f"claim, {draft.labels['triage']['level']}"), "answer_in_metadata")
)
mistake(GROUP, "the day of the incident as the subject")(
    _pdf(
        lambda data, draft: (
            _information("/Subject", lambda d: f"loss of {d.fact('incident_date')[1]['value']}")(data, draft)  # type: ignore[index]
            if draft.fact("incident_date")
            else None
        ),
        "answer_in_metadata",
    )
)
mistake(GROUP, "what the document is for, as its author")(
    _pdf(
        _information("/Author", lambda draft: str(draft.made(_first(draft) or "")[1]["purpose"])),
        "answer_in_metadata",
    )
)
mistake(GROUP, "an entry of its own in the information")(
    _pdf(_information("/Seed", lambda _: "20260310"), "pdf_metadata")
)


def _xmp(writer: PdfWriter, _: Draft) -> None:
    stream = DecodedStreamObject()
    stream.set_data(b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>drawn</x:xmpmeta>")
    stream[NameObject("/Type")] = NameObject("/Metadata")
    stream[NameObject("/Subtype")] = NameObject("/XML")
    writer._root_object[NameObject("/Metadata")] = writer._add_object(stream)


def _field(writer: PdfWriter, _: Draft) -> None:
    field = DictionaryObject(
        {
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/T"): TextStringObject("level"),
            NameObject("/V"): TextStringObject("standard"),
        }
    )
    form = DictionaryObject({NameObject("/Fields"): ArrayObject([writer._add_object(field)])})
    writer._root_object[NameObject("/AcroForm")] = writer._add_object(form)


def _layer(writer: PdfWriter, _: Draft) -> None:
    group = writer._add_object(
        DictionaryObject({NameObject("/Type"): NameObject("/OCG"), NameObject("/Name"): TextStringObject("x")})
    )
    layers = DictionaryObject({NameObject("/OCGs"): ArrayObject([group]), NameObject("/D"): DictionaryObject()})
    writer._root_object[NameObject("/OCProperties")] = writer._add_object(layers)


def _script(writer: PdfWriter, _: Draft) -> None:
    action = DictionaryObject(
        {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert('hit')")}
    )
    writer._root_object[NameObject("/OpenAction")] = writer._add_object(action)


def _orphan(writer: PdfWriter, _: Draft) -> None:
    writer._add_object(TextStringObject("expected 1284.00 GBP"))


def _note(writer: PdfWriter, _: Draft) -> None:
    writer.add_annotation(0, FreeText(text="dated later", rect=(50, 50, 120, 80)))


def _popup(writer: PdfWriter, _: Draft) -> None:
    note = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Text"),
            NameObject("/Contents"): TextStringObject("for the checker"),
            NameObject("/Rect"): RectangleObject([FloatObject(n) for n in (10, 10, 20, 20)]),
        }
    )
    writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(note)])


mistake(GROUP, "an XMP packet in a document")(_pdf(_through(_xmp), "pdf_metadata"))
mistake(GROUP, "a file attached to a document")(
    _pdf(_through(lambda writer, _: writer.add_attachment("notes.txt", b"hit")), "pdf_attachment")
)
mistake(GROUP, "a note laid over a page")(_pdf(_through(_note), "pdf_annotation"))
mistake(GROUP, "a sticky note")(_pdf(_through(_popup), "pdf_annotation"))
mistake(GROUP, "a form field")(_pdf(_through(_field), "pdf_annotation"))
mistake(GROUP, "a script")(_pdf(_through(_script), "pdf_active"))
mistake(GROUP, "a layer that can be switched off")(_pdf(_through(_layer), "pdf_hidden_layer"))
mistake(GROUP, "an object that no page uses")(_pdf(_through(_orphan), "pdf_unused_object"))
mistake(GROUP, "an answer as a bookmark")(
    _pdf(
        _through(lambda writer, _: writer.add_outline_item(title="loss_at_least_1000", page_number=0)),
        "answer_in_metadata",
    )
)
mistake(GROUP, "bytes behind the end of a document")(
    _pdf(lambda data, _: data + b"expected 1284\n", "pdf_trailing_bytes")
)
mistake(GROUP, "an earlier revision inside")(
    _pdf(
        lambda data, _: data + b"\n" + data[data.rfind(b"\nxref\n") + 1 :] if b"\nxref\n" in data else None,
        "pdf_earlier_revision",
    )
)
mistake(GROUP, "an answer as a comment")(
    _pdf(
        lambda data, _: data[: data.find(b"\n") + 1] + b"%\x93\x8c review_required\n" + data[data.find(b"\n") + 1 :],
        "answer_in_metadata",
    )
)
mistake(GROUP, "a document with a password")(
    _pdf(_through(lambda writer, _: writer.encrypt("secret")), "pdf_unreadable")
)
mistake(GROUP, "a document cut off")(_pdf(lambda data, _: data[:300], "pdf_unreadable"))
mistake(GROUP, "a document of nothing")(_pdf(lambda _, __: b"%PDF-1.4\nnothing\n%%EOF\n", "pdf_unreadable"))


def _font(writer: PdfWriter) -> DictionaryObject:
    fonts: Any = writer.pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    font: DictionaryObject = next(iter(fonts.values())).get_object()
    return font


def _remapped(writer: PdfWriter, _: Draft) -> None:
    stream = DecodedStreamObject()
    stream.set_data(
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0042> endbfchar endcmap"
    )
    _font(writer)[NameObject("/ToUnicode")] = writer._add_object(stream)


def _own_letters(writer: PdfWriter, _: Draft) -> None:
    _font(writer)[NameObject("/Subtype")] = NameObject("/Type3")


def _with_comment(writer: PdfWriter, _: Draft) -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), (90, 90, 90)).save(out, "JPEG", comment=b"kept")
    stream = DecodedStreamObject()
    stream.set_data(out.getvalue())
    entries = {"/Type": NameObject("/XObject"), "/Subtype": NameObject("/Image"), "/Width": NumberObject(8), "/Height": NumberObject(8),
               "/ColorSpace": NameObject("/DeviceRGB"), "/BitsPerComponent": NumberObject(8), "/Filter": NameObject("/DCTDecode")}  # fmt: skip
    for key, value in entries.items():
        stream[NameObject(key)] = value
    resources: Any = writer.pages[0]["/Resources"]
    resources[NameObject("/XObject")] = DictionaryObject({NameObject("/Photo"): writer._add_object(stream)})


mistake(GROUP, "a font that tells machines other letters")(_pdf(_through(_remapped), "pdf_font"))
mistake(GROUP, "a font that draws its letters itself")(_pdf(_through(_own_letters), "pdf_font"))
mistake(GROUP, "a picture with a comment inside a document")(_pdf(_through(_with_comment), "pdf_metadata"))

# ------------------------------------------------------------------ what pages print


def _print(words: Callable[[Draft], str | None], code: str) -> Callable[[Draft], str | None]:
    def run(data: bytes, draft: Draft) -> bytes | None:
        text = words(draft)
        if text is None:
            return None

        def draw(canvas: Canvas, width: float, height: float, _: Draft) -> None:
            canvas.setFont("Helvetica", 4)
            canvas.drawString(4, 4, text)

        return _overlay(draw)(data, draft)

    return _pdf(run, code)


mistake(GROUP, "a code of the rig's on a page")(_print(lambda _: "innocent_control", "code_in_document"))
mistake(GROUP, "what the document is for, on a page")(
    _print(
        lambda draft: (
            purpose if len((purpose := str(draft.made(_first(draft) or "")[1]["purpose"])).split()) >= 6 else None
        ),
        "hidden_text_in_document",
    )
)
mistake(GROUP, "a canary on a page")(_print(lambda draft: str(draft.setup["canary"]), "canary_in_visible"))


def _drawn(words: str) -> Callable[[Draft], str | None]:
    """Words on a page of a document that a recipe drew."""
    return lambda draft: words if draft.made(_first(draft) or "")[1]["how"] == "drawn" else None


mistake(GROUP, "a date on a page that nothing declares")(
    _print(lambda _: "Looked at on 3 March 2019", "undeclared_in_document")
)
mistake(GROUP, "a plate on a page that nothing declares")(
    _print(lambda _: "Vehicle: ZA99 ZQY", "undeclared_in_document")
)
mistake(GROUP, "an amount on a page that nothing declares")(
    _print(_drawn("Already paid: £77.13"), "undeclared_in_document")
)
mistake(GROUP, "a plan in a trade's words on a page")(
    _print(lambda _: "This paper predates the loss", "document_of_other_matter")
)
mistake(GROUP, "the name of somebody else on a page")(
    _print(lambda _: "The things of Mrs Wilhelmina Zwicker", "document_of_other_matter")
)


@mistake(GROUP, "declared illegible, and told in another form")
def _(draft: Draft) -> str | None:
    name = draft.with_field("date")
    if name is None:
        return None
    provenance, made = draft.made(name)
    field = made["printed_fields"]["date"]
    day, _, rest = field["printed"].partition(" ")
    told = draft.fact("incident_date")
    if not day.isdigit() or (
        told is not None and told[1]["value"] == field["value"]
    ):  # the loss's own day stands anywhere
        return None
    field.update(printed=f"{int(day):02d} of {rest}", legible=False)
    draft.put(PROVENANCE, provenance)
    return "illegible_can_be_read"


@mistake(GROUP, "a receipt for another thing")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    for made in provenance["files"].values():
        lines = made["content"].get("sums", made["content"]).get("lines")
        if made["document"] == "receipt" and lines and "plate" not in made["printed_fields"]:
            max(lines, key=lambda line: float(line["amount"]))["what"] = "Washing machine"
            draft.put(PROVENANCE, provenance)
            return "document_of_other_matter"
    return None


@mistake(GROUP, "a quote for the other end of the car")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    damage = draft.fact("damage")
    for made in provenance["files"].values():
        if made["document"] == "quote" and "findings" in made["content"] and damage and "rear" in damage[1]["value"]:
            made["content"]["findings"] = "Front bumper and bonnet bent."
            draft.put(PROVENANCE, provenance)
            return "document_of_other_matter"
    return None


@mistake(GROUP, "two addresses of one customer")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    sent = [made["content"] for made in provenance["files"].values() if made["content"].get("customer_address")]
    if len(sent) < 2:
        return None
    sent[0]["customer_address"][0] = "99 Elsewhere Road"
    draft.put(PROVENANCE, provenance)
    return "address_differs"


@mistake(GROUP, "a page without its mark")
def _(draft: Draft) -> str | None:
    name = _first(draft)
    if name is None:
        return None
    data = draft.bytes_of(name)
    writer = _writer(data)
    page = writer.pages[0]
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(float(page.mediabox.width), float(page.mediabox.height)), invariant=1)
    canvas.drawString(20, 20, "A page")
    canvas.save()
    page[NameObject("/Contents")] = writer._add_object(
        PdfReader(io.BytesIO(out.getvalue())).pages[0].get_contents().clone(writer)  # type: ignore[union-attr]
    )
    draft.put_file(name, _written(writer))
    return "page_mark_missing"


@mistake(GROUP, "pages marked as of another number")
def _(draft: Draft) -> str | None:
    name = _first(draft)
    if name is None:
        return None
    provenance, made = draft.made(name)
    made["pages_total"] += 1
    draft.put(PROVENANCE, provenance)
    return "page_mark_wrong"


@mistake(GROUP, "a page left out without a word")
def _(draft: Draft) -> str | None:
    for name in draft.files(".pdf"):
        reader = PdfReader(io.BytesIO(draft.bytes_of(name)))
        if len(reader.pages) > 1:
            writer = PdfWriter()
            for page in reader.pages[:-1]:
                writer.add_page(page)
            draft.put_file(name, _written(writer))
            return "page_count_differs"
    return None


@mistake(GROUP, "a page that stands twice")
def _(draft: Draft) -> str | None:
    name = _first(draft)
    if name is None:
        return None
    writer = _writer(draft.bytes_of(name))
    writer.add_page(writer.pages[0])
    draft.put_file(name, _written(writer))
    return "page_count_differs"


@mistake(GROUP, "pages not declared")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    made = next((m for m in provenance["files"].values() if m["document"] != "photo"), None)
    if made is None:
        return None
    made.update(pages_total=None, pages_present=None)
    draft.put(PROVENANCE, provenance)
    return "pages_not_declared"


def _declared(
    field: str, change: Callable[[dict[str, Any]], None], code: str, *documents: str
) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        name = draft.with_field(field, *documents)
        if name is None:
            return None
        provenance, made = draft.made(name)
        change(made["printed_fields"][field])
        draft.put(PROVENANCE, provenance)
        return code

    return spoil


mistake(GROUP, "another date declared than printed")(
    _declared("date", lambda f: f.update(printed="1 January 2026", value="2026-01-01"), "printed_field_differs")
)
mistake(GROUP, "another total declared than printed")(
    _declared("total", lambda f: f.update(printed="£9.99", value="9.99 GBP"), "printed_field_differs")
)
mistake(GROUP, "a date that its value does not say")(
    _declared("date", lambda f: f.update(value="2026-01-01"), "printed_value_differs")
)
mistake(GROUP, "a total that its value does not say")(
    _declared("total", lambda f: f.update(value="9.99 GBP"), "printed_value_differs")
)
mistake(GROUP, "declared illegible, and yet readable")(
    _declared("date", lambda f: f.update(legible=False), "illegible_can_be_read")
)
mistake(GROUP, "the date of a quote or receipt turns the check round")(
    _declared("date", lambda f: f.update(legible=False), "review_check_differs", "quote", "receipt")
)


@mistake(GROUP, "a date that is not declared")
def _(draft: Draft) -> str | None:
    name = draft.with_field("date")
    if name is None:
        return None
    provenance, made = draft.made(name)
    del made["printed_fields"]["date"]
    draft.put(PROVENANCE, provenance)
    return "printed_field_differs" if made["document"] == "quote" else None


@mistake(GROUP, "a field declared on a page that is left out")
def _(draft: Draft) -> str | None:
    for name in draft.files(".pdf"):
        provenance, made = draft.made(name)
        gone = next((p for p in range(1, made["pages_total"] + 1) if p not in made["pages_present"]), None)
        there = [
            f for f in made["printed_fields"].values() if f["page"] in made["pages_present"] and f.get("legible", True)
        ]
        if gone is not None and there:
            there[0]["page"] = gone
            draft.put(PROVENANCE, provenance)
            return "printed_on_other_page"
    return None


def _contradiction(fact: str, field: str, value: dict[str, str]) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        if fact != "persona" and draft.fact(fact) is None:
            return None
        provenance = draft.provenance
        made = next((m for m in provenance["files"].values() if field in m["printed_fields"]), None)
        if made is None:
            return None
        made["printed_fields"][field].update(value)
        draft.put(PROVENANCE, provenance)
        return "printed_contradicts_fact"

    return spoil


mistake(GROUP, "another plate on a file than the customer's")(
    _contradiction("plate", "plate", {"printed": "ZZ99 ZZZ", "value": "ZZ99 ZZZ"})
)
mistake(GROUP, "another name on a document than the customer's")(
    _contradiction("persona", "customer", {"printed": "Somebody Else", "value": "Somebody Else"})
)
mistake(GROUP, "another police reference on the letter than the customer's")(
    _contradiction("police_reference", "police_reference", {"printed": "ZZ/1/26", "value": "ZZ/1/26"})
)


def _bought(fact: str, value: str, said: str) -> Callable[[Draft], str | None]:
    """Another day or price of the purchase than the one receipt prints."""

    def spoil(draft: Draft) -> str | None:
        found = draft.fact(fact)
        field = "date" if fact == "purchase_date" else "total"
        proofs = [
            m for m in draft.provenance["files"].values() if m["document"] == "receipt" and field in m["printed_fields"]
        ]
        if found is None or len(proofs) != 1:
            return None
        found[1].update(value=value, say=said)
        draft.put(FACTS, found[0])
        labels = draft.labels
        for wanted in labels["expected_facts"]:
            if wanted["id"] == fact:
                wanted["value"] = value
        draft.put(LABELS, labels)
        return "printed_contradicts_fact"

    return spoil


mistake(GROUP, "another day of purchase than the receipt's")(
    _bought("purchase_date", "2021-01-30", "It was 30 January 2021.")
)
mistake(GROUP, "another price than the receipt's")(_bought("price", "17.50 GBP", "I paid £17.50."))


def _declared(kind: str, document: str) -> Callable[[Draft], str | None]:
    """A file of a kind is declared as another document."""

    def spoil(draft: Draft) -> str | None:
        kinds = {m["visible"]["file"]: m["hidden"]["evidence_kind"] for m in draft.materials["materials"]}
        provenance = draft.provenance
        name = next((n for n, m in provenance["files"].items() if kind in kinds[n] and m["document"] != document), None)
        if name is None:
            return None
        provenance["files"][name]["document"] = document
        draft.put(PROVENANCE, provenance)
        return "document_kind_differs"

    return spoil


mistake(GROUP, "a proof of purchase declared as another invoice")(_declared("purchase", "invoice"))
mistake(GROUP, "an estimate declared as a letter")(_declared("estimate", "letter"))


@mistake(GROUP, "the customer's figure is not the one on the quote")
def _(draft: Draft) -> str | None:
    found = draft.fact("estimated_loss")
    name = draft.with_field("total", "quote")
    quotes = [m for m in draft.provenance["files"].values() if m["document"] == "quote"]
    if found is None or name is None or len(quotes) != 1 or found[1]["value"] == "unknown":
        return None
    provenance, made = draft.made(name)
    made["printed_fields"]["total"].update(printed="£1.23", value="1.23 GBP")
    draft.put(PROVENANCE, provenance)
    return "printed_contradicts_fact"


@mistake(GROUP, "sums that do not add up")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    for made in provenance["files"].values():
        content = made["content"].get("sums", made["content"])
        if isinstance(content, dict) and content.get("lines") and "unit_price" in content["lines"][0]:
            content["lines"][0]["amount"] = "0.07"
            draft.put(PROVENANCE, provenance)
            return "sums_differ"
    return None


@mistake(GROUP, "a document called a photo")
def _(draft: Draft) -> str | None:
    name = _first(draft)
    if name is None:
        return None
    provenance, made = draft.made(name)
    made["document"] = "photo"
    draft.put(PROVENANCE, provenance)
    return "document_kind_differs"


# ------------------------------------------------------------------ provenance and review


@mistake(GROUP, "a file of which nobody says how it was made")
def _(draft: Draft) -> str:
    provenance = draft.provenance
    del provenance["files"][draft.files(".jpg", ".png", ".pdf")[0]]
    draft.put(PROVENANCE, provenance)
    return "provenance_missing"


@mistake(GROUP, "provenance of a file that is not there")
def _(draft: Draft) -> str:
    provenance = draft.provenance
    provenance["files"]["other.jpg"] = next(iter(provenance["files"].values()))
    draft.put(PROVENANCE, provenance)
    return "provenance_without_file"


@mistake(GROUP, "a source picture among the materials")
def _(draft: Draft) -> str | None:
    names = draft.files(".jpg", ".png", ".pdf")
    if len(names) < 2:
        return None
    provenance = draft.provenance
    provenance["files"][names[0]]["source_images"] = [f"sources/{names[1]}"]
    draft.put(PROVENANCE, provenance)
    return "source_image_is_material"


def _added(draft: Draft, name: str, data: bytes, made: dict[str, Any]) -> None:
    from harness.schema.strict_json import sha256_hex

    draft.put_file(name, data)
    materials, provenance, review = draft.materials, draft.provenance, draft.review
    shown = {"file": name, "label": "a letter I found", "available": {"when": "now"}}
    materials["materials"].append({"visible": shown, "hidden": {"evidence_kind": "other_letter_document"}})
    provenance["files"][name] = made
    seen = {"file": name, "sha256": sha256_hex(data), "by": "assistant", "saw": "a letter", "agrees": True}
    review["assistant_checks"].append(seen)
    draft.put(MATERIALS, materials)
    draft.put(PROVENANCE, provenance)
    draft.put(REVIEW, review)


@mistake(GROUP, "a letter that has nothing to do with it")
def _(draft: Draft) -> str:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 400), invariant=1)
    canvas.drawString(20, 300, "Your library card is ready.")
    canvas.drawString(20, 20, "Page 1 of 1")
    canvas.save()
    made = {
        "how": "scanned", "document": "letter", "recipe": None, "content": {}, "prompt": None, "purpose": "none", "printed_fields": {},
        "pages_total": 1, "pages_present": [1], "rng_seed": None, "source_images": [],
    }  # fmt: skip
    _added(draft, "letter-found.pdf", out.getvalue(), made)
    return "material_unused"


@mistake(GROUP, "nothing to hand over")
def _(draft: Draft) -> str:
    for name in draft.files(".jpg", ".jpeg", ".png", ".pdf"):
        (draft.folder / MATERIALS_DIR / name).unlink()
    materials, provenance, review = draft.materials, draft.provenance, draft.review
    materials["materials"], provenance["files"] = [], {}
    review.update(assistant_checks=[], human_signatures=[])
    review["blind_look"] = {"done": False, "why_not": "There is nothing to look at.", "looks": []}
    draft.put(MATERIALS, materials)
    draft.put(PROVENANCE, provenance)
    draft.put(REVIEW, review)
    return "material_none"


@mistake(GROUP, "one file under two names")
def _(draft: Draft) -> str:
    name = draft.files(".jpg", ".png", ".pdf")[0]
    _added(draft, f"again-{name}", draft.bytes_of(name), dict(draft.made(name)[1]))
    return "material_repeated"


@mistake(GROUP, "a file changed after it was looked at")
def _(draft: Draft) -> str:
    review = draft.review
    review["assistant_checks"][0]["sha256"] = "0" * 64
    draft.put(REVIEW, review)
    return "review_of_other_bytes"


@mistake(GROUP, "a signature of other bytes")
def _(draft: Draft) -> str:
    review = draft.review
    name = draft.files(".jpg", ".png", ".pdf")[0]
    review["human_signatures"] = [
        {"file": name, "sha256": "0" * 64, "name": "Test Signer", "signed_at": "2026-04-10T10:00:00Z"}
    ]
    draft.put(REVIEW, review)
    return "review_of_other_bytes"


@mistake(GROUP, "another figure declared than on the photographed paper")
def _(draft: Draft) -> str | None:
    provenance = draft.provenance
    read = {r["file"] for r in draft.review["blind_look"].get("readings", []) if r.get("against")}
    for name, made in provenance["files"].items():
        field = next((f for k, f in made["printed_fields"].items() if k in ("total", "invoice_number", "date")), None)
        if name in read and name in draft.files(".jpg", ".jpeg", ".png") and field is not None:
            field.update(
                {"printed": "£77.11", "value": "77.11 GBP"} if field["kind"] == "amount" else {"printed": "1 May 2024"}
            )
            if field["kind"] != "amount":
                field["value"] = "2024-05-01" if field["kind"] == "date" else "1 May 2024"
            draft.put(PROVENANCE, provenance)
            return "blind_reading_outdated"
    return None


def _looked(change: dict[str, Any], code: str) -> Callable[[Draft], str | None]:
    """A blind look at the first picture that saw something else."""

    def spoil(draft: Draft) -> str | None:
        from harness.schema.strict_json import sha256_hex

        photos = [n for n in draft.files(".jpg", ".jpeg", ".png") if draft.made(n)[1]["document"] == "photo"]
        if not photos:
            return None
        review = draft.review
        look = {
            "file": photos[0],
            "sha256": sha256_hex(draft.bytes_of(photos[0])),
            "model": "a model",
            "saw": "A glass table.",
            "contradicts": True,
        }
        kept = review["blind_look"].get("readings", [])
        review["blind_look"] = {"done": True, "why_not": None, "looks": [{**look, **change}], "readings": kept}
        draft.put(REVIEW, review)
        return code

    return spoil


mistake(GROUP, "a blind look saw something else")(_looked({}, "review_contradicts"))
mistake(GROUP, "a blind look took the picture for a letter")(
    _looked({"kind": "letter", "things": ["paper"], "texts": []}, "blind_kind_differs")
)


@mistake(GROUP, "nobody looked at a file")
def _(draft: Draft) -> str:
    review = draft.review
    review["assistant_checks"] = review["assistant_checks"][1:]
    draft.put(REVIEW, review)
    return "review_missing"


@mistake(GROUP, "whoever looked saw something else")
def _(draft: Draft) -> str:
    review = draft.review
    review["assistant_checks"][0]["agrees"] = False
    draft.put(REVIEW, review)
    return "review_contradicts"
