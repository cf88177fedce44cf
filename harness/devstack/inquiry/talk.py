"""One conversation with a buyer, as it is stored."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from harness.devstack.inquiry.hours import working
from harness.devstack.inquiry.language import Tongue
from harness.devstack.inquiry.world import LeadStatus, World

CONVERTED: LeadStatus = "converted"
FIELDS = ("buyer_type", "buyer_role", "product", "appearance", "interface", "quantity")
"""Fields of the form in the order in which the system wants them."""
HandOver = Literal["working_hours", "asked_for_person", "after_closing"]


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Entry(_Stored):
    """One bubble of the page."""

    id: str
    who: Literal["customer", "assistant", "staff"]
    kind: Literal["text", "image", "document", "video", "kbvideo", "link", "file"] = "text"
    text: str = ""
    """The message, or the caption."""
    target: str = ""
    """Id of a medium or picture, or an address."""
    file_name: str = ""


class Picture(_Stored):
    """A picture that the customer sent."""

    id: str
    name: str
    size: int
    sha256: str
    content_type: str
    recognized: str | None
    clear: bool | None


class Usage(_Stored):
    """What the product's own models cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Talk(_Stored):
    """A conversation. Turns are kept as plain data, in the form that logs of it have."""

    ref: str
    request_id: str
    version: int = 0
    world: World
    base_url: str
    defects: list[str] = []
    turns: list[dict[str, Any]] = []
    entries: list[Entry] = []
    pictures: list[Picture] = []
    messages: int = 0
    """How many messages (texts and pictures) the customer has sent."""
    done: int = 0
    """How many turns have been dealt with; customer turns after these wait for an answer."""
    form: dict[str, str] = {}
    asked: list[str] = []
    """Fields that were asked for, ever."""
    told: list[str] = []
    """Business information heard so far, in the words of `conversion.information`."""
    language: Tongue = "en"
    lead_status: LeadStatus | None = None
    hit: bool = False
    """Evidence for an opportunity has been found in this conversation."""
    intent: str = "business"
    hand_over: HandOver | None = None
    reply_published: bool | None = None
    last_reply: str | None = None
    posters: list[str] = []
    """Posters that reached the customer."""
    closed: bool = False
    """The off-hours closing has reached the customer."""
    usage: Usage = Usage()
    notice: str = ""

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """The customer's turns that nobody has answered."""
        return [t for t in self.turns[self.done :] if t["role"] == "customer"]

    @property
    def first(self) -> bool:
        """Nothing was said to the customer yet."""
        return self.last_reply is None

    @property
    def converted(self) -> bool:
        """The system says that there is an opportunity."""
        return self.lead_status == CONVERTED

    @property
    def working(self) -> bool:
        """The newest message came in working hours."""
        return working(self.world.clock(self.messages))

    @property
    def posters_complete(self) -> bool:
        """Both posters of one language reached the customer."""
        return any(len(ids) == 2 and set(ids) <= set(self.posters) for ids in self.world.media.posters.values())

    @property
    def at(self) -> str:
        """The clock's time, as logs write it."""
        return self.world.clock(self.messages).isoformat().replace("+00:00", "Z")

    @property
    def next_field(self) -> str | None:
        """The field the system would like to be asked for next; what was asked once is not asked again."""
        return next((f for f in FIELDS if f not in self.form and f not in self.asked), None)

    def context(self) -> dict[str, Any]:
        """What both agents are given."""
        return {
            "leadToOpportunityStatus": self.lead_status,
            "replyPublished": self.reply_published,
            "actualLastAiReply": self.last_reply,
            "inquiry_form_snapshot": dict(self.form),
        }
