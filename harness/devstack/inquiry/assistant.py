"""The inquiry assistant, by rule: what is said to a buyer, and what is looked up for it."""

import re
from dataclasses import dataclass, field
from typing import Any

from harness.devstack.inquiry.language import Tongue, in_script, shelf
from harness.devstack.inquiry.markers import WEBSITE, Marker, markers
from harness.devstack.inquiry.phrases import phrase
from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.tools import Tools, fold
from harness.devstack.inquiry.understand import Heard
from harness.devstack.inquiry.world import EMPTY

POLICIES = (
    "moq", "sample", "payment", "lead_time", "shipping", "certification", "custom", "company", "platform", "after_sales",
)  # fmt: skip
PRICES = frozenset({"price", "discount", "freight", "tariff"})
POSTER_TITLES = {"en": "英文快速选品海报", "vi": "越南语快速选品海报"}
LONG = {"zh": 120, "words": 70}
"""Longer replies are two paragraphs: Chinese characters, words of other languages."""
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass
class Draft:
    """A reply before it is published."""

    text: str
    asked: str | None = None
    """The form field that it asks for."""
    markers: list[Marker] = field(default_factory=list)
    closing: bool = False
    """It is the closing of an off-hours hand-over."""
    withheld: bool = False
    """It is written and never sent; of a fault only."""
    noted: str | None = None
    """A field that is noted as asked for without having been; of a fault only."""

    @property
    def reply(self) -> str:
        """Text and markers, each marker on a line of its own."""
        return "\n".join([self.text, *map(str, self.markers)]) if self.markers else self.text


def closing_due(talk: Talk) -> bool:
    """There is an opportunity, it is outside working hours, and the closing has not gone out yet."""
    return talk.converted and not talk.working and not talk.closed


def compose(talk: Talk, heard: Heard, tools: Tools) -> Draft:
    """The reply to an utterance; the first one introduces and asks for the type of buyer, whatever was said.

    The closing of an off-hours hand-over goes before everything else, once.
    """
    if closing_due(talk):
        return Draft(phrase("closing", talk.language), closing=True)
    if talk.first:
        return Draft(phrase("introduction", talk.language), "buyer_type")
    return _Reply(talk, heard, tools).draft()


class _Reply:
    """One reply being put together: answers first, then what carries the talk on."""

    def __init__(self, talk: Talk, heard: Heard, tools: Tools) -> None:
        self.talk, self.heard, self.tools = talk, heard, tools
        self.language: Tongue = talk.language
        self.answers: list[tuple[str, str]] = []
        """Label and sentence."""
        self.media: list[Marker] = []
        self.asked: str | None = None
        self.question = ""

    def say(self, name: str, **values: str) -> str:
        """A phrase in the customer's language."""
        return phrase(name, self.language, **values)

    def draft(self) -> Draft:
        """The whole reply."""
        self._conduct()
        self._product_facts()
        self._policies()
        self._pictures()
        self._catalog()
        invite = self._poster()
        onward = invite or self._onward()
        said = self._answered()
        return Draft(_laid_out(said, onward, self.language), self.asked, self.media)

    def _answered(self) -> str:
        if not any(label for label, _ in self.answers) or len(self.answers) < 2:
            gap = "" if self.language in ("zh", "zh-Hant") else " "
            return gap.join(sentence for _, sentence in self.answers)
        lines = [
            f"- {sentence}" if not label or sentence.startswith(label) else f"- {label}: {sentence}"
            for label, sentence in self.answers
        ]
        if self.language in ("zh", "zh-Hant"):
            lines = [re.sub(r"^(- [^:]{1,12}): ", r"\1：", line) for line in lines]
        return "\n".join(lines)

    # -- answers --------------------------------------------------------------------------------------------------

    def _conduct(self) -> None:
        """What is no question about business."""
        flags = self.heard.flags
        if "attack" in flags or ("off_topic" in flags and not self.heard.about_product):
            self.answers.append(("", self.say("lead_back")))
        elif "insult" in flags:
            self.answers.append(("", self.say("calm")))
        elif "asks_what_you_are" in flags:
            self.answers.append(("", self.say("what_i_am")))
        if "asks_person" in flags:
            self.answers.append(("", self.say("person")))
        elif "wechat" in flags:
            self.answers.append(("", self.say("wechat")))

    def _policies(self) -> None:
        told: set[str] = set()
        for topic in self.heard.topics:
            if topic in PRICES:
                if "price" not in told:
                    told.add("price")
                    self.answers.append((self.say("topics.price"), self.say("price")))
            elif topic in POLICIES:
                text = self._looked_up(topic)
                if text not in told:
                    told.add(text)
                    self.answers.append((self.say(f"topics.{topic}"), text))
            elif topic == "stock":
                self.answers.append((self.say("topics.stock"), self.say("not_found.stock")))

    def _looked_up(self, topic: str) -> str:
        query = topic.replace("_", " ")
        found = self.tools.call("knowledge_search", {"query": query, "language": shelf(self.language)})
        texts = [re.sub(r"\[[A-Z]+:[^\]]*\]", "", d["text"]).strip() for d in found["documents"]]
        if not any(texts):
            return self.say(f"not_found.{topic}")
        if topic == "platform":
            clips = [m for d in found["documents"] for m in markers(d["text"]) if m.kind == "KBVIDEO"]
            self.media += clips if "images" in self.heard.topics else []
        return in_script(" ".join(t for t in texts if t), self.language)

    def _model(self) -> str | None:
        """The product that is spoken of: named now, or before."""
        return self.heard.models[0] if self.heard.models else self.talk.form.get("product")

    def _find(self, model: str) -> str | None:
        """The id of a product, by a search for its article number."""
        product = next((p for p in self.talk.world.products if p.model == model), None)
        arguments: dict[str, Any] = {"keyword": model}
        if product is not None:
            arguments = {"category": product.category, "tags": product.tags[:1], "keyword": model}
        items = self.tools.call("search_products", arguments)["items"]
        return next((str(i["productId"]) for i in items if i["model"] == model), None)

    def _any_product(self) -> None:
        """Looked for where no article is named: what there is at all."""
        categories = self.talk.world.categories
        self.tools.call("search_products", {"category": categories[0]} if categories else {})

    def _product_facts(self) -> None:
        if self.heard.unknown_models and not self.heard.models:
            self._unknown_model()
            return
        if not self.heard.facts:
            return
        model = self._model()
        if model is None:
            self._any_product()
            self.answers.append(("", self.say("which_product")))
            return
        found = self._find(model)
        if found is None:
            self._unknown_model()
            return
        detail = self.tools.call("get_product_detail", {"productId": found})
        rows: list[dict[str, str]] = detail["specifications"]
        row = self._row(rows)
        if row is None:
            name = self.say(f"facts.{self.heard.facts[0]}")
            self.answers.append(("", self.say("by_version", fact=name, model=model)))
            versions = self.say("ask.or").join(r["Version"] for r in rows)
            self.question = self.say("ask.version", versions=versions)
            self.asked = "interface"
            return
        what = model if len(rows) == 1 else f"{model} ({row['Version']})"
        for column in self.heard.facts:
            value = row.get(column, EMPTY)
            known = value not in (EMPTY, "", "-")
            name = self.say(f"facts.{column}")
            sentence = self.say("fact_value" if known else "fact_open", what=what, fact=name, value=value)
            self.answers.append((what, sentence))

    def _row(self, rows: list[dict[str, str]]) -> dict[str, str] | None:
        """The row of the version that the customer means; None if that is open."""
        if len(rows) == 1:
            return rows[0]
        said = self.heard.values.get("interface") or self.talk.form.get("interface", "")
        return next((row for row in rows if said and fold(row["Version"]) == fold(said)), None)

    def _unknown_model(self) -> None:
        model = (self.heard.unknown_models or [self._model() or ""])[0]
        self.tools.call("search_products", {"keyword": model})
        self.question = self.say("unknown_model", model=model)

    def _pictures(self) -> None:
        if "images" not in self.heard.topics or "platform" in self.heard.topics:
            return
        model = self._model()
        found = self._find(model) if model else None
        if found is not None and model is not None:
            items = self.tools.call("get_product_media", {"productId": found})["items"]
            for item in items:  # the caption is the article number, which is the same in every language
                image = item["type"] == "image"
                self.media.append(Marker("IMAGE" if image else "VIDEO", item["id"] if image else item["url"], model))
            if items:
                self.answers.append(("", self.say("here_is", model=model)))
        elif self.talk.posters_complete and not self.question:
            self.question = self.say("describe")
            self.asked = "appearance"

    def _catalog(self) -> None:
        if "catalog" not in self.heard.topics:
            return
        if not self.talk.posters_complete:
            self.answers.append(("", self.say("accept.catalog")))
            return
        found = self.tools.call("knowledge_search", {"query": "catalog", "language": shelf(self.language)})
        files = {m.target: m for d in found["documents"] for m in markers(d["text"]) if m.kind == "DOCUMENT"}
        for marker in files.values():
            caption = self.say("caption.catalog")
            self.media.append(Marker("DOCUMENT", marker.target, caption, marker.file_name))
        self.media.append(Marker("LINK", WEBSITE, self.say("caption.website")))
        self.answers.append(("", self.say("catalog" if files else "catalog_website")))

    # -- what carries on ------------------------------------------------------------------------------------------

    def _poster(self) -> str:
        """Both posters at the first talk of products, with the sentence that invites to look; else nothing."""
        heard, talk = self.heard, self.talk
        known = "appearance" in talk.form or "appearance" in heard.values
        if talk.posters or known or self.question or not heard.about_product:
            return ""
        language = "vi" if self.language == "vi" else "en"
        found = self.tools.call("knowledge_search", {"query": POSTER_TITLES[language]})
        images = [m for d in found["documents"] for m in markers(d["text"]) if m.kind == "IMAGE"]
        if not self.answers:
            blurred = bool(heard.pictures)
            name = "blurred" if blurred else "interface" if "interface" in heard.values else "product"
            if name == "interface" and heard.question:
                self._any_product()
            self.answers.append(("", self.say(f"accept.{name}")))
        if len(images) != 2:
            if "appearance" in talk.asked:
                return ""
            self.asked = "appearance"
            return self.say("ask.appearance")
        self.media += [
            Marker("IMAGE", m.target, self.say("caption.poster", n=str(n))) for n, m in enumerate(images, start=1)
        ]
        if "interface" in heard.values and not heard.question:
            self.asked = "appearance"
            return self.say("invite_ask")
        return self.say("invite")

    def _onward(self) -> str:
        """At most one question; none where the customer asked one and got the answer."""
        if self.question:
            return self.question
        heard, values = self.heard, self.heard.values
        if heard.nods:
            self.answers.append(("", self.say("accept.nod")))
            return ""
        if self.answers and (heard.question or heard.topics or heard.facts):
            return ""
        if not self.answers or ("attack" in heard.flags and values):
            self._acknowledge()
        return self._next_question() if values or heard.pictures or "attack" in heard.flags else ""

    def _acknowledge(self) -> None:
        values = self.heard.values
        if self.heard.style:
            self.answers.append(("", self.say("accept.style", style=self.heard.style)))
        elif self.heard.clear_picture or self.heard.models:
            self.answers.append(("", self.say("accept.look")))
        elif self.heard.pictures:
            self.answers.append(("", self.say("accept.picture")))
        elif "buyer_role" in values:
            self.answers.append(("", self.say(f"confirm_role.{values['buyer_role']}")))
        elif "buyer_type" in values:
            self.answers.append(("", self.say(f"confirm_type.{values['buyer_type']}")))
        else:
            self.answers.append(("", self.say("accept.noted")))

    def _next_question(self) -> str:
        have = {**self.talk.form, **self.heard.values}
        order = ["interface", "quantity"] if "appearance" in have else ["buyer_role", "product"]
        if "appearance" in have and self.heard.models:
            have.setdefault("product", self.heard.models[0])
        name = next((f for f in order if f not in have and f not in self.talk.asked), None)
        if name is None:
            return ""
        self.asked = name
        return self.say(f"ask.{name}")


def _laid_out(said: str, onward: str, language: Tongue) -> str:
    """One paragraph, or two with an empty line between where the whole is long."""
    if not said or not onward:
        return _halved(said or onward)
    whole = f"{said}{'' if language in ('zh', 'zh-Hant') else ' '}{onward}"
    if "\n" in said or is_long(whole):
        return f"{said}\n\n{onward}"
    return whole


def is_long(text: str) -> bool:
    """More than a reply in one paragraph should have."""
    return len(_HAN.findall(text)) > LONG["zh"] or len(re.findall(r"[^\W_]+", _HAN.sub(" ", text))) > LONG["words"]


def _halved(text: str) -> str:
    """A long text with an empty line after the line or sentence nearest to its middle."""
    if not is_long(text):
        return text
    ends = [m.end() for m in re.finditer(r"\n|(?<=[.!。！])(?: |(?=[\u3400-\u9fff]))", text[:-1])]
    if not ends:
        return text
    at = min(ends, key=lambda end: abs(end - len(text) / 2))
    return f"{text[:at].rstrip()}\n\n{text[at:].lstrip()}"
