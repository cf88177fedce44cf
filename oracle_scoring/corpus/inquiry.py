"""The hidden half of an inquiry package, and what its checker looks at.

The answers are keyed on events of a conversation ("after the posters, when a style was picked"), never on numbers of
turns: how many turns a product takes is its own affair.
"""

import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image, ImageChops, ImageStat
from pydantic import Field, ValidationError, model_validator

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.inquiry import InquirySetup
from harness.schema.package import (
    FACTS,
    LABELS,
    MATERIALS_DIR,
    PROVENANCE,
    REVIEW,
    SETUP,
    read_visible,
)
from harness.schema.setup import Canary
from harness.schema.strict_json import first_problem, sha256_hex
from harness.schema.visible import FileName, Identifier, Text
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.inquiry_pictures import RECIPES, drawn
from oracle_scoring.corpus.load import AnyPackage, read_part
from oracle_scoring.corpus.look_findings import look_findings
from oracle_scoring.corpus.models import FileProvenance, Review

MetricId = Annotated[str, Field(pattern=r"^M-\d{3}$")]
Event = Literal[
    "posters_sent", "style_picked", "quantity_given", "interface_named", "evidence_picture", "other_picture",
    "price_asked", "moq_asked", "sample_asked", "person_asked", "catalog_asked", "rules_asked", "insulted",
    "closing_published", "own_picture_by_staff",
]  # fmt: skip
SHOWN_AS: dict[str, tuple[str | None, ...]] = {
    "cable": ("cable",),
    "blurred_cable": (None, "unrecognized"),
    "qr_card": ("qr",),
    "landscape": ("unrelated",),
}
"""Recipe of a picture -> what recognition may make of it."""
ALIKE = 8
"""How far a channel of any tile of a redrawn picture may be from the one that is there."""
TILES = (45, 34)
_LANGUAGES = ("en", "vi", "zh")


class EventLabel(Strict):
    """What the conversion assistant has to decide once certain things have happened."""

    id: Identifier
    after: Annotated[list[Event], Field(min_length=1)]
    """All of them, in any order; the decision is the first one made when the last of them is there."""
    auto_convert: bool | None = None
    hand_over: bool | None = None
    intent: Literal["business", "off_topic", "harassment"] | None = None
    """Fields that are None are not looked at."""

    @model_validator(mode="after")
    def _something(self) -> "EventLabel":
        if self.auto_convert is None and self.hand_over is None and self.intent is None:
            raise ValueError("expects nothing")
        return self


class Buyer(Strict):
    """Who the customer is."""

    type: Literal["wholesale", "online", "own_brand", "gift"] | None
    """None: never said."""
    role: Literal["owner", "purchaser"] | None
    language: Literal["en", "vi", "zh-Hans", "zh-Hant"]


class InquiryLabels(Strict):
    """`oracle/labels.json` of an inquiry package."""

    format: Literal["0.2"]
    canary: Canary
    kind: Literal["inquiry"]
    oracle_revision: Annotated[int, Field(ge=1)]
    buyer: Buyer
    form: dict[Identifier, Text]
    """Form key -> value that the product must hold at the end."""
    events: list[EventLabel]
    ends: Literal["working_hours", "asked_for_person", "after_closing", "not_handed_over"]
    """Why a person takes over at the end, if one does."""
    applies: Annotated[list[MetricId], Field(min_length=1)]
    """Metrics whose trigger this package is meant to bring about: none of them may come out as N/A."""


class PictureProvenance(Strict):
    """How one picture was drawn."""

    recipe: Identifier
    colour: Annotated[list[Annotated[int, Field(ge=0, le=255)]], Field(min_length=3, max_length=3)]
    rng_seed: int
    purpose: Text


class InquiryProvenance(Strict):
    """`provenance.json` of an inquiry package."""

    format: Literal["0.2"]
    canary: Canary
    plain_opening: Text
    """The first messages in plain English, whatever their language and style."""
    files: dict[FileName, PictureProvenance]


@dataclass(frozen=True)
class InquiryPackage(AnyPackage):
    """One inquiry package with all it holds."""

    setup: InquirySetup
    labels: InquiryLabels
    provenance: InquiryProvenance
    review: Review

    @cached_property
    def made(self) -> dict[str, FileProvenance]:
        """File -> how it was made, as looks and signatures know it: a drawn picture."""
        return {
            name: FileProvenance(
                how="drawn", document="photo", recipe=one.recipe, content={}, prompt=None, purpose=one.purpose,
                printed_fields={}, pages_total=None, pages_present=None, rng_seed=one.rng_seed, source_images=[],
            )
            for name, one in self.provenance.files.items()
        }  # fmt: skip

    @cached_property
    def canaries(self) -> dict[str, str]:
        """Hidden file -> its canary."""
        return {
            LABELS: self.labels.canary, SETUP: self.setup.canary, PROVENANCE: self.provenance.canary,
            REVIEW: self.review.canary,
        }  # fmt: skip


def load_inquiry(folder: Path) -> InquiryPackage:
    """The whole package; the first mistake is an InputError with file, field and why."""
    return InquiryPackage(
        visible=read_visible(folder),
        setup=read_part(InquirySetup, folder, SETUP),
        labels=read_part(InquiryLabels, folder, LABELS),
        provenance=read_part(InquiryProvenance, folder, PROVENANCE),
        review=read_part(Review, folder, REVIEW),
    )


def check_inquiry(folder: Path) -> list[Finding]:
    """All findings of the package in `folder`; none if it is in order."""
    try:
        package = load_inquiry(folder)
    except InputError as exc:
        file, _, field = exc.where.partition(": ")
        mend = "put the file into its form; `rig schema inquiry-setup` (opening, inquiry-labels, …) prints it"
        return [Finding(code=exc.code, file=file, field=field, what=exc.why, mend=mend)]
    except ValidationError as exc:
        problem = first_problem(exc, folder.name)
        return [Finding(code="form", file=folder.name, field="", what=problem.why, mend="put it into its form")]
    looks = (_canaries, _answers, _leaks, _pictures, _knowledge, _catalogue, look_findings)
    return [finding for look in looks for finding in look(package)]


def _finding(package: InquiryPackage, code: str, where: str, what: str, mend: str) -> Finding:
    file, _, field = where.partition(": ")
    return Finding(code=code, file=f"{package.id}/{file}", field=field, what=what, mend=mend)


def _texts(package: InquiryPackage) -> Iterator[tuple[str, str]]:
    """Where -> every text that the customer may read or say."""
    visible = package.visible
    yield "input: first messages", visible.initial_message
    persona = visible.facts.persona
    for name in ("name", "mood", "manner"):
        yield f"{FACTS}: persona.{name}", getattr(persona, name)
    for n, words in enumerate(persona.dont_know):
        yield f"{FACTS}: persona.dont_know.{n}", words
    for n, fact in enumerate(visible.facts.facts):
        yield f"{FACTS}: facts.{n}", f"{fact.topic}\n{fact.value}\n{fact.say}"
    for n, wish in enumerate(visible.facts.wishes):
        yield f"{FACTS}: wishes.{n}.say", wish.say
    for n, material in enumerate(visible.materials.materials):
        yield f"input/materials.json: materials.{n}.visible.label", material.visible.label


def _canaries(package: InquiryPackage) -> Iterator[Finding]:
    """Canaries are random, one a file, and nowhere in what the customer sees."""
    seen: dict[str, str] = {}
    for file, canary in package.canaries.items():
        if canary in seen:
            yield _finding(
                package, "canary_repeated", f"{file}: canary", f"is the one of {seen[canary]}", "draw another one"
            )
        seen[canary] = file
        if any(canary in text for _, text in _texts(package)):
            yield _finding(
                package, "canary_visible", f"{file}: canary", "stands in the visible half", "take it out there"
            )


def _answers(package: InquiryPackage) -> Iterator[Finding]:
    """Answers agree with the customer's facts and with each other."""
    facts = {fact.id: fact.value for fact in package.visible.facts.facts}
    buyer = package.labels.buyer
    for key, label in (("buyer_type", buyer.type), ("buyer_role", buyer.role)):
        if label is not None and key in facts and facts[key] != label:
            what = f"says {label}, the customer's fact says {facts[key]}"
            yield _finding(package, "answer_differs", f"{LABELS}: buyer", what, "make the two agree")
    for key, value in package.labels.form.items():
        if key in facts and facts[key] != value:
            what = f"says {value}, the customer's fact says {facts[key]}"
            yield _finding(package, "answer_differs", f"{LABELS}: form.{key}", what, "make the two agree")
    spoken = package.visible.facts.persona.language.split("-")[0]
    if not buyer.language.startswith(spoken):
        what = f"says {buyer.language}, the persona speaks {spoken}"
        yield _finding(package, "answer_differs", f"{LABELS}: buyer.language", what, "make the two agree")
    ids = [event.id for event in package.labels.events]
    if len(set(ids)) != len(ids):
        yield _finding(package, "id_repeated", f"{LABELS}: events", "an id stands twice", "give each event its own")
    if len(set(package.labels.applies)) != len(package.labels.applies):
        yield _finding(package, "id_repeated", f"{LABELS}: applies", "a metric stands twice", "name it once")
    if not package.visible.facts.persona.leads:
        yield _finding(package, "does_not_lead", f"{FACTS}: persona.leads", "is not true", "a buyer leads the talk")


_SECRET = re.compile(
    r"shouldautoconvert|shouldforcehumantakeover|conversationintent|leadtoopportunitystatus|knowledge_search|"
    r"search_products|get_product_(?:detail|media)|convert(?:s|ed)?\b|hand(?:ed)?[- ]?over\b|\bM-\d{3}\b",
    re.IGNORECASE,
)


def _leaks(package: InquiryPackage) -> Iterator[Finding]:
    """What only product and scorer know does not shine through the visible half."""
    hidden = {m.id for p in package.setup.products for m in p.media} | {p.product_id for p in package.setup.products}
    hidden |= {i for ids in package.setup.media.posters.values() for i in ids}
    hidden |= {m.hidden.evidence_kind for m in package.visible.materials.materials if "_" in m.hidden.evidence_kind}
    for where, text in _texts(package):
        flat = unicodedata.normalize("NFKC", text)
        if found := _SECRET.search(flat):
            yield _finding(package, "answer_visible", where, f"says {found[0]!r}", "say it as a buyer would")
        for word in sorted(hidden):
            if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", flat, re.IGNORECASE):
                yield _finding(package, "answer_visible", where, f"names {word}", "a customer knows no inner id")


def _pictures(package: InquiryPackage) -> Iterator[Finding]:
    """Each picture has a recipe that draws it, and the product recognises what the recipe shows."""
    made, seen = package.provenance.files, {r.sha256: r for r in package.setup.recognition}
    for name in sorted(set(made) - set(package.visible.files)):
        yield _finding(
            package, "file_missing", f"{PROVENANCE}: files.{name}", "is no file of the package", "take it out"
        )
    for name, data in package.visible.files.items():
        where = f"{MATERIALS_DIR}/{name}"
        how, recognition = made.get(name), seen.get(sha256_hex(data))
        if how is None:
            yield _finding(package, "not_told", where, "has no provenance", "say how it was made")
            continue
        if how.recipe not in RECIPES:
            what = f"{how.recipe} is no recipe; there are {', '.join(RECIPES)}"
            yield _finding(package, "unknown_recipe", f"{PROVENANCE}: files.{name}.recipe", what, "name one of them")
            continue
        shown = recognition.recognized if recognition else None
        if shown not in SHOWN_AS[how.recipe]:
            what = f"is recognised as {shown}, and shows {how.recipe}"
            yield _finding(package, "recognised_wrongly", f"{SETUP}: recognition", what, "make the two agree")
        red, green, blue = how.colour
        if not alike(data, drawn(how.recipe, (red, green, blue), how.rng_seed)):
            yield _finding(package, "redrawn_differs", where, "is not what its recipe draws", "draw it again")
    for recognition in package.setup.recognition:
        if recognition.sha256 not in {sha256_hex(d) for d in package.visible.files.values()}:
            what = f"{recognition.sha256[:12]}… is no file of the package"
            yield _finding(package, "recognised_wrongly", f"{SETUP}: recognition", what, "hash the file again")


def alike(data: bytes, picture: Image.Image) -> bool:
    """Whether a file shows the picture, but for what saving it changed."""
    try:
        there = Image.open(io.BytesIO(data)).convert("RGB")
    except OSError:
        return False
    if there.size != picture.size:
        return False
    small = [image.resize(TILES, Image.Resampling.BOX) for image in (there, picture)]
    return all(high <= ALIKE for _, high in ImageStat.Stat(ImageChops.difference(*small)).extrema)


def _knowledge(package: InquiryPackage) -> Iterator[Finding]:
    """Documents name media that exist; a knowledge base that is there speaks three languages."""
    known = {m.id for p in package.setup.products for m in p.media} | set(package.setup.media.kbvideos)
    known |= {i for ids in package.setup.media.posters.values() for i in ids}
    known |= {d.id for d in package.setup.media.documents}
    for n, document in enumerate(package.setup.knowledge):
        for medium in document.media:
            if medium not in known:
                where = f"{SETUP}: knowledge.{n}.media"
                yield _finding(package, "unknown_medium", where, f"{medium} is no medium", "name one that is there")
    languages = {d.language for d in package.setup.knowledge}
    if languages and not set(_LANGUAGES) <= languages:
        what = f"has nothing in {', '.join(sorted(set(_LANGUAGES) - languages))}"
        yield _finding(package, "one_language", f"{SETUP}: knowledge", what, "write it in all three, or leave it empty")


def _catalogue(package: InquiryPackage) -> Iterator[Finding]:
    """A catalogue has a product of several versions, and an empty cell."""
    products = package.setup.products
    if products and not any(len(p.specifications) > 1 for p in products):
        yield _finding(
            package, "one_version", f"{SETUP}: products", "no product has several versions", "give one to one"
        )
    if products and not any("—" in row.values() for p in products for row in p.specifications):
        yield _finding(package, "no_empty_cell", f"{SETUP}: products", "no cell is empty (—)", "leave one empty")
