"""A blind look held against what the package assumes. Every difference is found here by rules; no one's opinion is asked."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import Field
from ruamel.yaml import YAML

from harness.schema.base import Strict
from harness.schema.strict_json import canonical, sha256_hex
from harness.schema.visible import FactKind
from oracle_scoring.corpus.look_text import gives_away, stands_in
from oracle_scoring.corpus.models import Contradiction, DocumentKind, FileProvenance, Look, PrintedField

TABLE = Path(__file__).with_name("pictures.yaml")
KIND_WORDS: dict[DocumentKind, tuple[str, ...]] = {
    "quote": ("quote", "quotation", "estimate"),
    "receipt": ("receipt",),
    "invoice": ("invoice",),
}
"""Words by which a paper calls itself what it is. A letter or another paper need not."""
_ONE_KIND: tuple[frozenset[DocumentKind], ...] = (frozenset({"receipt", "invoice"}),)
"""A paid invoice is a receipt, and looks like one."""
REPEATED: frozenset[FactKind] = frozenset({"reference", "name", "plate", "phone", "email"})
"""What papers print at the head of every page: that it can be read where its own page is left out gives nothing away."""
HEAD_LINES = 25
"""A paper says what it is within so many lines that hold words."""
_LETTERS_LONG = 4
_NOT = re.compile(r"\b(no|not|none|without|nothing|never|isn't|aren't|absent|undamaged)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;,!?\n]|\bbut\b|\bhowever\b", re.IGNORECASE)


class Seen(Strict):
    """What a looking model says it sees; the form of its answer."""

    kind: DocumentKind
    description: str = Field(max_length=4000)
    things: list[str] = Field(max_length=60)
    texts: list[str] = Field(max_length=200)


@cache
def picture_table() -> dict[str, list[list[str]]]:
    """Recipe, or recipe and value -> groups of words."""
    table: dict[str, list[list[str]]] = YAML(typ="safe").load(TABLE.read_text(encoding="utf-8"))
    return table


def must_show(made: FileProvenance) -> list[list[str]]:
    """Groups of words for a picture, of each of which one must be named; empty if nobody said what it shows."""
    if made.shows:
        return made.shows
    table = picture_table()
    keys = [f"{made.recipe}/{value}" for value in made.content.values() if isinstance(value, str)]
    return next((table[key] for key in [*keys, str(made.recipe)] if key in table), [])


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def names(text: str, phrase: str) -> bool:
    """Whether the phrase occurs, word by word; a word of four letters or more may go on (crack, cracked)."""
    wanted, there = _tokens(phrase), _tokens(text)

    def same(want: str, got: str) -> bool:
        return got.startswith(want) if len(want) >= _LETTERS_LONG else got in (want, want + "s")

    size = len(wanted)
    return size > 0 and any(all(map(same, wanted, there[n : n + size])) for n in range(len(there) - size + 1))


def affirmed(seen: Seen) -> list[str]:
    """The clauses of what was said that deny nothing."""
    clauses = [clause for text in [*seen.things, seen.description] for clause in _CLAUSE.split(text)]
    return [clause for clause in clauses if clause.strip() and not _NOT.search(clause)]


def _present(made: FileProvenance, field: PrintedField) -> bool:
    return made.pages_present is None or field.page in made.pages_present


def _elsewhere(made: FileProvenance, name: str, field: PrintedField) -> bool:
    """The same value may be read, by right, in another field."""
    return any(
        other.legible and _present(made, other) and (other.value == field.value or other.printed == field.printed)
        for key, other in made.printed_fields.items()
        if key != name
    )


def _hidden_fields(made: FileProvenance, texts: Sequence[str]) -> Iterator[Contradiction]:
    """Fields that are smudged or on a page that is left out, and were read all the same."""
    for name, field in made.printed_fields.items():
        there = _present(made, field)
        if (there and field.legible) or _elsewhere(made, name, field) or (not there and field.kind in REPEATED):
            continue
        if gives_away(field.kind, field.printed, field.value, texts):
            why = "should be unreadable" if there else f"stands on page {field.page}, which is left out"
            code = "illegible_field_read" if there else "missing_page_read"
            what = f"{name} {why}, and {field.printed!r} was read"
            yield Contradiction(code=code, field=f"printed_fields.{name}", what=what)


def _fields(made: FileProvenance, by_page: dict[int, Sequence[str]], whole: Sequence[str]) -> Iterator[Contradiction]:
    for name, field in made.printed_fields.items():
        if not (field.legible and _present(made, field)):
            continue
        if not stands_in(field.kind, field.printed, by_page.get(field.page, whole)):
            what = f"{name} should read {field.printed!r}; that was not seen"
            yield Contradiction(code="printed_field_not_read", field=f"printed_fields.{name}", what=what)
    yield from _hidden_fields(made, whole)


def compare_look(made: FileProvenance, seen: Seen) -> list[Contradiction]:
    """Everything in which a model's look differs from provenance: kind, texts, and what a picture must show."""
    found: list[Contradiction] = []
    if not same_kind(seen.kind, made.document):
        what = f"was taken for {a_kind(seen.kind)}; it should be {a_kind(made.document)}"
        found.append(Contradiction(code="kind_differs", field="document", what=what))
    found += _fields(made, {}, [*seen.texts, " ".join(seen.texts)])
    if made.document == "photo":
        clauses = affirmed(seen)
        for n, group in enumerate(must_show(made)):
            if not any(names(clause, word) for clause in clauses for word in group):
                what = f"none of {', '.join(group)} was named as seen"
                found.append(Contradiction(code="not_seen", field=f"shows.{n}", what=what))
    return found


def look_contradictions(look: Look, made: FileProvenance) -> list[Contradiction]:
    """What a recorded look contradicts in provenance as it is now; as recorded, if it is not known what was seen."""
    if look.kind is None:
        return look.contradictions
    return compare_look(made, Seen(kind=look.kind, description=look.saw, things=look.things, texts=look.texts))


def provenance_sha256(made: FileProvenance) -> str:
    """Stands for everything a reading is held against."""
    return sha256_hex(canonical(made))


def same_kind(one: DocumentKind, other: DocumentKind) -> bool:
    """Whether a paper of one kind may pass for the other."""
    return one == other or any({one, other} <= kinds for kinds in _ONE_KIND)


def a_kind(kind: DocumentKind) -> str:
    """The kind with its article."""
    return {"photo": "a photo", "other": "another paper", "invoice": "an invoice"}.get(kind, f"a {kind}")


def compare_reading(made: FileProvenance, pages: Sequence[Sequence[str]]) -> list[Contradiction]:
    """Everything in which optical character recognition differs from provenance.

    Args:
        made: what the package says of the file.
        pages: for each page of the file what each pass read.
    """
    found: list[Contradiction] = []
    numbers = made.pages_present or list(range(1, len(pages) + 1))
    if len(numbers) != len(pages):
        what = f"has {len(pages)} pages; provenance says {len(numbers)}"
        found.append(Contradiction(code="page_count_differs", field="pages_present", what=what))
        numbers = list(range(1, len(pages) + 1))
    whole = [text for page in pages for text in page]
    found += _fields(made, dict(zip(numbers, pages, strict=True)), whole)
    for number, page in zip(numbers, pages, strict=True):
        mark = f"Page {number} of {made.pages_total or len(pages)}"
        if not stands_in("reference", mark, page):
            found.append(Contradiction(code="page_mark_not_read", field="pages_total", what=f"{mark!r} was not read"))
    head = " ".join(" ".join(_head(text)) for text in (pages[0] if pages else []))
    others = [kind for kind, own in KIND_WORDS.items() if any(names(head, w) for w in own)]
    if others and made.document in KIND_WORDS and not any(same_kind(other, made.document) for other in others):
        what = f"calls itself {a_kind(others[0])}; it should be {a_kind(made.document)}"
        found.append(Contradiction(code="kind_differs", field="document", what=what))
    return found


def _head(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.search(r"[^\W\d_]{3}", line)][:HEAD_LINES]


def all_read(made: FileProvenance, number: int, texts: Sequence[str]) -> bool:
    """Whether a page's passes are enough: all that should be read was, and nothing on it should be unreadable."""
    own = [f for f in made.printed_fields.values() if f.page == number]
    if any(not f.legible for f in own):
        return False
    mark = f"Page {number} of {made.pages_total or 1}"
    return stands_in("reference", mark, texts) and all(stands_in(f.kind, f.printed, texts) for f in own)
