"""What the tools returned, and when: the only ground for figures, ids and product facts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from harness.schema.session import Media, ToolCall
from oracle_scoring.inquiry.lexicon import fold
from oracle_scoring.inquiry.measures import bare_numbers, measures
from oracle_scoring.inquiry.profile import Tools

EMPTY_CELLS = frozenset({"", "-", "—", "–", "--", "——", "n/a", "null", "none"})


@dataclass(frozen=True)
class Document:
    """One document of the knowledge base."""

    turn: int
    title: str
    text: str
    media: list[str]


@dataclass(frozen=True)
class Search:
    """One search of the knowledge base."""

    turn: int
    query: str
    hit: bool
    documents: list[Document]


@dataclass(frozen=True)
class Item:
    """One candidate of a product search."""

    turn: int
    product_id: str
    model: str


@dataclass(frozen=True)
class ProductSearch:
    """One product search."""

    turn: int
    arguments: dict[str, Any]
    items: list[Item]


@dataclass(frozen=True)
class Detail:
    """One product's details; a specification is a version's row, column -> cell."""

    turn: int
    product_id: str
    text: str
    """Model, name and description."""
    rows: list[dict[str, str]]
    url: str | None

    @property
    def versions(self) -> list[str]:
        """Names of the versions, each once."""
        return list(dict.fromkeys(row["Version"] for row in self.rows if row.get("Version")))


@dataclass(frozen=True)
class MediaItem:
    """One item of a product's media."""

    turn: int
    id: str
    url: str
    type: str
    product_id: str


@dataclass
class Sources:
    """All that tools returned in a session, in order."""

    media: Media | None
    searches: list[Search] = field(default_factory=list)
    products: list[ProductSearch] = field(default_factory=list)
    details: list[Detail] = field(default_factory=list)
    items: list[MediaItem] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)
    """Turn, folded text of everything returned."""
    _by_count: list[tuple[str, set[tuple[str, str]], set[str]]] = field(default_factory=list)
    _ids: frozenset[str] | None = None

    @property
    def documents(self) -> list[Document]:
        """Documents of all searches."""
        return [d for s in self.searches for d in s.documents]

    def text(self, upto: int) -> str:
        """Everything returned in turns up to and with `upto`."""
        return self._told(upto)[0]

    def figures(self, upto: int) -> tuple[set[tuple[str, str]], set[str]]:
        """(number, unit) of all figures returned, and all numbers."""
        return self._told(upto)[1:]

    def _told(self, upto: int) -> tuple[str, set[tuple[str, str]], set[str]]:
        count = sum(turn <= upto for turn, _ in self.texts)
        for done in range(len(self._by_count), count + 1):
            if done == 0:
                self._by_count.append(("", set(), set()))
                continue
            text, figures, numbers = self._by_count[-1]
            more = self.texts[done - 1][1]
            told = {(m.number, m.unit) for m in measures(more)}
            self._by_count.append((f"{text}\n{more}", figures | told, numbers | bare_numbers(more)))
        return self._by_count[count]

    def media_ids(self) -> frozenset[str]:
        """Every real media id: of the session's list and of what tools returned."""
        if self._ids is None:
            self._ids = frozenset(self._all_ids())
        return self._ids

    def _all_ids(self) -> set[str]:
        ids: set[str] = {m.id for m in self.items} | {i for d in self.documents for i in d.media}
        media = self.media
        if media is not None:
            for group in (media.documents, media.videos, media.kbvideos, list(media.products or {})):
                ids.update(group or [])
            for posters in (media.posters or {}).values():
                ids.update(posters)
            if media.catalog_pdf:
                ids.add(media.catalog_pdf)
        return ids


def read_tools(sources: Sources, turn: int, calls: list[ToolCall], tools: Tools) -> None:
    """Adds what the calls of one turn returned; results of another shape are kept as text alone."""
    for call in calls:
        arguments = call.arguments or {}
        result = call.result if isinstance(call.result, dict) else {}
        if call.name == tools.knowledge:
            documents = [_document(turn, d) for d in _dicts(result.get("documents"))]
            hit = result.get("hit", bool(documents)) is True
            sources.searches.append(Search(turn, _text(arguments.get("query")), hit, documents if hit else []))
        elif call.name == tools.search:
            items = [Item(turn, _text(i.get("productId")), _text(i.get("model"))) for i in _dicts(result.get("items"))]
            sources.products.append(ProductSearch(turn, arguments, items))
        elif call.name == tools.detail:
            sources.details.append(_detail(turn, result))
        elif call.name == tools.media:
            sources.items.extend(
                MediaItem(
                    turn, _text(i.get("id")), _text(i.get("url")), _text(i.get("type")), _text(i.get("productId"))
                )
                for i in _dicts(result.get("items"))
            )
        if call.result is not None:
            sources.texts.append((turn, fold("\n".join(_leaves(call.result)))))


def _document(turn: int, data: dict[str, Any]) -> Document:
    media = data.get("media")
    ids = [_text(m.get("id")) if isinstance(m, dict) else _text(m) for m in media] if isinstance(media, list) else []
    return Document(turn, _text(data.get("title")), _text(data.get("text")), [i for i in ids if i])


def _detail(turn: int, data: dict[str, Any]) -> Detail:
    rows = [{str(k): _text(v).strip() for k, v in row.items()} for row in _dicts(data.get("specifications"))]
    words = " ".join(_text(data.get(k)) for k in ("model", "name", "title", "description"))
    return Detail(turn, _text(data.get("productId")), words, rows, _text(data.get("detailUrl")) or None)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _leaves(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            for leaf in _leaves(item):
                yield f"{key}: {leaf}" if not isinstance(item, dict | list) else leaf
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
