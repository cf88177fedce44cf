"""What an inquiry product is seeded with: catalogue, knowledge base, media, clock."""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1, max_length=4000)]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Language = Literal["en", "vi", "zh"]
LeadStatus = Literal["new", "converted"]
EMPTY = "—"
"""A cell without a value."""


class _Planted(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Medium(_Planted):
    """A picture or video of a product."""

    id: Id
    type: Literal["image", "video"]
    title: Text


class Product(_Planted):
    """One product; a row of `specifications` is a version."""

    product_id: Id
    model: Text
    category: Text
    tags: list[Text]
    description: str
    specifications: Annotated[list[dict[str, str]], Field(min_length=1)]
    media: list[Medium] = []

    @property
    def versions(self) -> list[str]:
        """Names of the versions."""
        return [row["Version"] for row in self.specifications]

    def row(self, version: str) -> dict[str, str]:
        """The row of a version."""
        return next(row for row in self.specifications if row["Version"] == version)


class Document(_Planted):
    """One document of the knowledge base."""

    title: Text
    language: Language
    topics: Annotated[list[Text], Field(min_length=1)]
    text: Text
    media: list[Id] = []


class LibraryDocument(_Planted):
    """A document that can be sent."""

    id: Id
    file_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class Library(_Planted):
    """Media beside those of products."""

    posters: dict[Language, Annotated[list[Id], Field(max_length=2)]]
    poster_styles: list[Annotated[str, Field(pattern=r"^[A-Z]-\d{2}$")]]
    documents: list[LibraryDocument]
    catalog_pdf: Id | None
    kbvideos: list[Id]


class Recognition(_Planted):
    """What recognition makes of a picture of these bytes."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    recognized: str | None
    clear: bool | None = None


class StaffPicture(_Planted):
    """A picture that staff put into the conversation."""

    after_customer_messages: Annotated[int, Field(ge=1, le=40)]
    id: Id
    recognized: str | None


class World(_Planted):
    """Everything the agents of one conversation can know of."""

    now: AwareDatetime
    seconds_per_message: Annotated[int, Field(ge=0, le=86_400)] = 20
    lead_status: LeadStatus | None = None
    products: list[Product]
    knowledge: list[Document]
    media: Library
    recognition: list[Recognition] = []
    staff_pictures: list[StaffPicture] = []

    def clock(self, messages: int) -> datetime:
        """The time when the customer has sent so many messages (from 1); before the first it is the time of the first."""
        return self.now + timedelta(seconds=self.seconds_per_message * max(messages - 1, 0))

    @property
    def categories(self) -> list[str]:
        """Categories of the catalogue, each once, in order."""
        return list(dict.fromkeys(p.category for p in self.products))

    @property
    def tags(self) -> list[str]:
        """Tags of the catalogue, each once, in order."""
        return list(dict.fromkeys(tag for p in self.products for tag in p.tags))

    @property
    def images(self) -> dict[str, str]:
        """Picture of a product -> the product's id."""
        return {m.id: p.product_id for p in self.products for m in p.media if m.type == "image"}

    @property
    def videos(self) -> dict[str, str]:
        """Video of a product -> the product's id."""
        return {m.id: p.product_id for p in self.products for m in p.media if m.type == "video"}

    def styles_on(self, poster: str) -> list[str]:
        """Styles that a poster shows: the first half stands on the first of its set, the others on the second."""
        for ids in self.media.posters.values():
            if poster in ids:
                half = -(-len(self.media.poster_styles) // 2)
                return self.media.poster_styles[:half] if ids[0] == poster else self.media.poster_styles[half:]
        return []


WALK_IN = World(
    now=datetime.fromisoformat("2026-01-05T03:00:00+00:00"),
    products=[],
    knowledge=[],
    media=Library(posters={}, poster_styles=[], documents=[], catalog_pdf=None, kbvideos=[]),
)
"""Nothing is in stock for somebody whom nobody has sent."""
