"""What the conversion rules should come to: the hit by picture or after the posters, and who takes over."""

from dataclasses import dataclass

from harness.schema.session import Image
from oracle_scoring.inquiry.lazy import remembered
from oracle_scoring.inquiry.talk import HITS, Conversation, Decision, Exchange, is_closing

_TOPICS = ("price", "moq", "sample", "custom", "certification", "lead_time")


@dataclass(frozen=True)
class Expected:
    """What follows from the rules, as far as rules can tell."""

    value: bool | None
    """None: cannot be told."""
    why: str
    evidence: str = ""


def is_hit(image: Image) -> bool:
    """The picture shows a code, or plainly something of the business."""
    if image.recognized == "qr":
        return True
    return image.recognized in HITS and image.clear is not False


def hit_images(e: Exchange) -> list[Image]:
    """Pictures of the customer's in this utterance that are evidence."""
    return [i for i in e.images if is_hit(i)] if e.images else []


@remembered
def information(c: Conversation, e: Exchange) -> set[tuple[str, str]]:
    """What business information the utterance gives, each with its value."""
    found: set[tuple[str, str]] = {("interface", i) for i in e.interfaces}
    found |= {("article", s) for s in c.profile.skus(e.raw)} | {("style", s) for s in c.named_styles(e)}
    if "picks_style" in e.signals:
        found.add(("style", e.folded))
    for t in e.texts:
        found |= {(m.kind, m.number) for m in t.measures if m.kind in ("pieces", "power", "length")}
    found |= {(name, "") for name in _TOPICS if name in e.signals}
    found |= {(name, "") for name in e.signals & (c.profile.types | c.profile.roles)}
    if "contact_intent" in e.signals:
        found.add(("contact", ""))
    return found


@remembered
def information_after_posters(c: Conversation, e: Exchange) -> Expected:
    """Whether this or an earlier utterance since the posters gave something new that can be checked."""
    complete = c.complete_turn
    if complete is None:
        return Expected(False, "no complete set of posters was sent")
    before = set().union(*(information(c, x) for x in c.utterances if x.turn < complete), set())
    doubtful = False
    for x in c.until(e):
        if x.turn < complete:
            continue
        new = information(c, x) - before
        if "personal_use" in x.signals and not any(k in ("pieces",) and int(float(v)) > 1 for k, v in new if v):
            continue
        if new:
            return Expected(True, f"{sorted(new)[0][0]} after the posters", x.raw)
        if _weak(x) or not x.raw.strip() or information(c, x):
            continue
        if "vague_buying" in x.signals and len(x.folded) < 60:
            continue
        doubtful = True
    if doubtful:
        return Expected(None, "whether the utterance holds business information needs a judge")
    return Expected(False, "nothing new after the posters")


def _weak(e: Exchange) -> bool:
    return all(t.signals & {"weak_reply", "simple_reply"} or not any(ch.isalnum() for ch in t.raw) for t in e.texts)


@remembered
def expected_auto(c: Conversation, d: Decision) -> Expected:
    """What `shouldAutoConvert` has to be."""
    e = d.exchange
    if d.converted:
        return Expected(False, "the lead is converted")
    if d.phase == "post_reply":
        return Expected(None, "the check after the reply repeats no earlier decision")
    if e.images is None and not c.images_recorded:
        after = information_after_posters(c, e)
        return after if after.value else Expected(None, "pictures of the customer are not recorded")
    if hits := hit_images(e):
        return Expected(True, f"the customer's picture shows {hits[0].recognized}", f"turns.{e.turn}.images")
    if any(x.auto for x in c.decisions if x.turn < d.turn) and evidence_at_hand(c, e).value is not False:
        return Expected(None, "an earlier decision converted already")
    for x in c.earlier(e):
        if hit_images(x):
            return Expected(True, "an earlier picture of the customer's is evidence", f"turns.{x.turn}.images")
    return information_after_posters(c, e)


@remembered
def evidence_at_hand(c: Conversation, e: Exchange) -> Expected:
    """Whether the session up to this utterance holds evidence for a lead, whatever was decided."""
    for x in c.until(e):
        if hit_images(x):
            return Expected(True, "a picture of the customer's", f"turns.{x.turn}.images")
    after = information_after_posters(c, e)
    if after.value is not True and not c.images_recorded:
        return Expected(None, "pictures of the customer are not recorded")
    return after


def closing_confirmed(c: Conversation, d: Decision) -> bool | None:
    """The last reply that was really published is the closing; None: what was published is not recorded."""
    context = d.context
    if context is None or not {"reply_published", "actual_last_reply"} <= context.model_fields_set:
        return None
    if context.reply_published is not True or not context.actual_last_reply:
        return False
    return is_closing(c.profile.text(context.actual_last_reply))
