"""The tools of the inquiry assistant, over what was seeded. Every call is kept with its arguments and its result."""

import re
import unicodedata
from typing import Any

from harness.devstack.inquiry.markers import video_url
from harness.devstack.inquiry.world import Product, World

NAMES = ("search_products", "get_product_detail", "get_product_media", "knowledge_search")
_WORD = re.compile(r"[a-z0-9]+|[^\W\d_a-z]+")
_DETAILS = "https://beiyijia.product.kzdatong.com/detail/"


def fold(text: str) -> str:
    """Lower case, compatibility forms folded."""
    return unicodedata.normalize("NFKC", text).casefold()


class Tools:
    """The tools of one turn.

    Attributes:
        calls: name, arguments and result of every call so far, in order.
    """

    def __init__(self, world: World, base_url: str) -> None:
        self._world = world
        self._base_url = base_url
        self.calls: list[dict[str, Any]] = []

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool by name; an unknown name or missing argument gives `{"error": …}`."""
        text = {k: str(v) for k, v in arguments.items() if isinstance(v, str | int | float)}
        tags = [str(t) for t in arguments["tags"]] if isinstance(arguments.get("tags"), list) else []
        try:
            if name == "search_products":
                result = self._search(text.get("category", ""), tags, text.get("keyword", ""))
            elif name == "get_product_detail":
                result = self._detail(text["productId"])
            elif name == "get_product_media":
                result = self._media(text["productId"])
            elif name == "knowledge_search":
                result = self._knowledge(text["query"], text.get("language", "en"))
            else:
                result = {"error": "no such tool"}
        except KeyError as exc:
            result = {"error": f"missing argument {exc}"}
        self.calls.append({"name": name, "arguments": arguments, "result": result})
        return result

    def _search(self, category: str, tags: list[str], keyword: str) -> dict[str, Any]:
        found = [p for p in self._world.products if not category or p.category == category]
        found = [p for p in found if set(tags) <= set(p.tags)]
        word = fold(keyword).strip()
        if word:
            found = [p for p in found if word == fold(p.model) or word in fold(p.description)]
        return {"items": [{"productId": p.product_id, "model": p.model} for p in found]}

    def _product(self, product_id: str) -> Product | None:
        return next((p for p in self._world.products if p.product_id == product_id), None)

    def _detail(self, product_id: str) -> dict[str, Any]:
        product = self._product(product_id)
        if product is None:
            return {"error": "no such product"}
        return {
            "productId": product.product_id,
            "model": product.model,
            "description": product.description,
            "specifications": [dict(row) for row in product.specifications],
            "detailUrl": _DETAILS + product.product_id,
        }

    def _media(self, product_id: str) -> dict[str, Any]:
        product = self._product(product_id)
        items = [
            {"id": m.id, "url": video_url(self._base_url, m.id), "type": m.type, "productId": product_id}
            for m in (product.media if product else [])
        ]
        return {"items": items}

    def _knowledge(self, query: str, language: str) -> dict[str, Any]:
        """Documents whose topic or title the query names; in the language asked for, else in English."""
        words = set(_WORD.findall(fold(query)))
        whole = fold(query).strip()
        hits = [
            d
            for d in self._world.knowledge
            if whole == fold(d.title) or any(set(fold(t).split("_")) <= words for t in d.topics if t != "poster")
        ]
        exact = [d for d in hits if fold(d.title) == whole]
        spoken = [d for d in hits if d.language == language] or exact or [d for d in hits if d.language == "en"]
        documents = [{"title": d.title, "text": d.text, "media": list(d.media)} for d in spoken]
        return {"hit": bool(documents), "documents": documents}
