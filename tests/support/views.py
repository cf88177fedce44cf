"""A plainly fictional customer and screens to show them."""

from harness.customer.ledger import ClaimLedger
from harness.schema.screen import Block, Control, Part, Screen
from harness.schema.visible import Available, CustomerView, Fact, MaterialVisible, Persona, Unknown, Wish


def view(**changes: object) -> CustomerView:
    """A motor customer with a photo at hand and a quote that comes later."""
    base = CustomerView(
        initial_message="My parked car was hit on 9 March 2026. The rear bumper is dented.",
        persona=Persona(
            name="Sam Example", language="en", mood="calm", manner="short sentences", patience=3,
            dont_know=["I don't know, sorry."], hands_over_unasked=False,
        ),
        facts=[
            Fact(id="incident_date", topic="date it happened", kind="date", value="2026-03-09", say="It was on 9 March 2026."),
            Fact(id="incident_time", topic="time it happened", kind="time", value="16:20", say="About 4:20 pm."),
            Fact(id="plate", topic="registration of my car", kind="plate", value="LK21 ABO", say="It's LK21 ABO."),
            Fact(id="estimated_loss", topic="repair cost", kind="amount", value="1240.00 GBP", say="The quote says £1,240."),
            Fact(id="injuries", topic="anyone hurt", kind="yes_no", value="no", say="No, nobody was hurt."),
            Fact(id="place", topic="where it happened", kind="place", value="the Oakfield car park in Barnet", say="In the Oakfield car park in Barnet."),
        ],
        does_not_know=[Unknown(id="other_driver", topic="name of the other driver")],
        wishes=[Wish(id="bonus", kind="question", say="Will this affect my no claims bonus?", after_customer_messages=3)],
        files=[
            MaterialVisible(file="photo.jpg", label="photo of my rear bumper", available=Available(when="now")),
            MaterialVisible(
                file="quote.pdf", label="repair quote from the garage",
                available=Available(when="later", promise="The garage is still writing it, I'll have it soon.", after_customer_messages=2),
            ),
        ],
    )  # fmt: skip
    return base.model_copy(update=changes)


def ledger(**changes: object) -> ClaimLedger:
    """A ledger at the very start."""
    return ClaimLedger(view(**changes))


def screen(reply: str = "", *controls: Control, seq: int = 1, final: str | None = None, **parts: str) -> Screen:
    """A screen with one reply, a composer, and further blocks by part name."""
    blocks = [Block(part="reply", text=reply)] if reply else []
    for part, text in parts.items():
        blocks.append(Block(part=_part(part), text=text))
    composer = Control(kind="composer", name="Your message", part="page", enabled=True)
    return Screen(seq=seq, blocks=blocks, controls=[*controls, composer], final=final)


def _part(name: str) -> Part:
    return name  # type: ignore[return-value]


def upload(name: str) -> Control:
    """An upload control in a card."""
    return Control(kind="upload", name=name, part="card", enabled=True)


def button(name: str, part: Part = "dialog", enabled: bool = True) -> Control:
    """A button."""
    return Control(kind="button", name=name, part=part, enabled=enabled)
