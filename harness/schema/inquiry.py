"""What an inquiry product must hold before a journey, and what it says it holds afterwards.

Setup, seed request, receipt and state read of the inquiry kind; `harness.schema.setup` and `harness.schema.product` have
the same of claims. All of it is hidden from whatever speaks for the customer.
"""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field, model_validator

from harness.schema.base import Strict
from harness.schema.product import Sha256, UploadState
from harness.schema.session import AssistantTurn, Catalog, CustomerTurn, Media, Recognized
from harness.schema.setup import Canary
from harness.schema.visible import Identifier, Text

MediaId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Language = Literal["en", "vi", "zh"]
LeadStatus = Literal["new", "converted"]


class ProductMedium(Strict):
    """A picture or video of one product."""

    id: MediaId
    type: Literal["image", "video"]
    title: Text


class CatalogProduct(Strict):
    """One product of the catalogue."""

    product_id: MediaId
    model: Text
    """The article number that customers see."""
    category: Text
    tags: list[Text]
    description: str
    specifications: Annotated[list[dict[str, str]], Field(min_length=1)]
    """A row a version: `Version` and the columns; an empty cell is `—`."""
    media: list[ProductMedium] = []

    @model_validator(mode="after")
    def _versions(self) -> "CatalogProduct":
        names = [row.get("Version", "") for row in self.specifications]
        if not all(names) or len(set(names)) != len(names):
            raise ValueError("every row of `specifications` has a `Version` of its own")
        return self


class KnowledgeDocument(Strict):
    """One document of the knowledge base, in one language."""

    title: Text
    language: Language
    topics: Annotated[list[Identifier], Field(min_length=1)]
    """What it is found by: `moq`, `sample`, `payment`, `lead_time`, `shipping`, `certification`, `custom`, `company`,
    `platform`, `after_sales`, `catalog`, `poster`."""
    text: Text
    """Media stand in it as markers: `[IMAGE:id|caption]`."""
    media: list[MediaId] = []


class LibraryDocument(Strict):
    """A document that can be sent."""

    id: MediaId
    file_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class MediaLibrary(Strict):
    """Media beside those of products."""

    posters: dict[Language, Annotated[list[MediaId], Field(max_length=2)]]
    """Language -> ids in the order of the document."""
    poster_styles: list[Annotated[str, Field(pattern=r"^[A-Z]-\d{2}$")]]
    """Styles shown on the posters: the first half on the first, the others on the second."""
    documents: list[LibraryDocument]
    catalog_pdf: MediaId | None
    kbvideos: list[MediaId]


class Recognition(Strict):
    """What the product's recognition of pictures makes of one file."""

    sha256: Sha256
    recognized: Recognized | None
    """None: recognition fails."""
    clear: bool | None = None


class StaffPicture(Strict):
    """A picture that a member of staff puts into the conversation."""

    after_customer_messages: Annotated[int, Field(ge=1, le=40)]
    """It stands before the reply to this message."""
    id: MediaId
    recognized: Recognized | None


class InquiryState(Strict):
    """The state of the inquiry product: the part of a setup that is sent as it is."""

    now: AwareDatetime
    """The product's clock at the customer's first message, UTC."""
    seconds_per_message: Annotated[int, Field(ge=0, le=86_400)] = 20
    """How far the clock goes on with each further message of the customer; it does not run by itself."""
    lead_status: LeadStatus | None = None
    """`leadToOpportunityStatus` at the start; None: the system says nothing."""
    products: list[CatalogProduct]
    knowledge: list[KnowledgeDocument]
    media: MediaLibrary
    recognition: list[Recognition] = []
    """A picture that is not here is one that recognition fails at."""
    staff_pictures: list[StaffPicture] = []


class InquirySetup(InquiryState):
    """`setup.json` of an inquiry package."""

    format: Literal["0.2"]
    canary: Canary
    kind: Literal["inquiry"]
    claimant_session: Literal["anonymous"] = "anonymous"


class InquirySeedRequest(InquiryState):
    """`POST seed route` of an inquiry product, header `Authorization: Bearer <seed token>`. Dev only, loopback only.

    Puts the product into this state with a fresh visitor. Nothing of an oracle is in it.
    """

    schema_: Literal["inquiry-seed-request-v1"] = Field(alias="schema")
    request_id: str
    """Random; the product files everything of this journey under it."""
    claimant_session: Literal["anonymous"]
    defects: list[str]
    """Switchable defects of a calibration product; empty for real ones."""


class InquirySeedReceipt(Strict):
    """The answer. Every field of the request comes back as it was stored; a difference makes the environment dirty."""

    schema_: Literal["inquiry-seed-receipt-v1"] = Field(alias="schema")
    stored: InquirySeedRequest
    start_url: str
    """Where the visitor starts, absolute; carries no meaning a person could read."""
    login: None
    case_ref: str
    """What to ask the state read for."""


class TalkState(Strict):
    """One conversation as the product holds it."""

    ref: str
    status: Literal["open", "handed_over"]
    lead_status: LeadStatus | None
    form: dict[str, str]
    hand_over: Literal["working_hours", "asked_for_person", "after_closing"] | None
    """Why a person has taken over; None: nobody has."""
    uploads: list[UploadState]
    """Pictures the visitor sent; `kind`: what recognition made of them."""
    catalog_context: Catalog
    media: Media
    turns: list[CustomerTurn | AssistantTurn]
    """In order, in the form of `rig schema inquiry-session`."""


class InquiryStateRead(Strict):
    """`GET state read` of an inquiry product: all conversations of one seeded visitor."""

    schema_: Literal["inquiry-state-read-v1"] = Field(alias="schema")
    request_id: str
    cases: list[TalkState]
    """The visitor's conversations; the one of the start page first."""


INQUIRY_PUBLISHED: dict[str, Any] = {
    "inquiry-setup": InquirySetup,
    "inquiry-seed-request": InquirySeedRequest,
    "inquiry-seed-receipt": InquirySeedReceipt,
    "inquiry-state-read": InquiryStateRead,
}
