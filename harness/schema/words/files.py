"""Which of a customer's files a screen asks for, by words."""

from collections.abc import Sequence
from functools import lru_cache

from harness.schema.screen import Screen
from harness.schema.visible import MaterialVisible
from harness.schema.wording import fold, is_question, is_request, sentences, topic_words
from harness.schema.words.conduct import speaks_of_later


def live_text(screen: Screen) -> str:
    """What the company says now: its newest replies and notices."""
    return "\n".join(b.text for b in screen.blocks if b.part in ("reply", "notice"))


def wanted_files(files: Sequence[MaterialVisible], screen: Screen) -> list[MaterialVisible]:
    """Files that an upload control or a request in the newest words asks for; those an upload control names come first."""
    if not files:
        return []
    controls = [file_words(c.name) for c in screen.controls if c.kind == "upload" and c.enabled]
    words = _asked_words(live_text(screen))
    kinds = [(f, file_words(f.label)) for f in files]
    named = [f for f, kind in kinds if any(kind & w for w in controls)]
    return named + [f for f, kind in kinds if f not in named and any(kind & w for w in words)]


@lru_cache(maxsize=256)
def _asked_words(live: str) -> tuple[frozenset[str], ...]:
    """Kinds of file that each request of a text speaks of, where it speaks of any."""
    asking = [file_words(s) for s in sentences(live) if is_question(s) or is_request(s)]
    return tuple(kinds for kinds in asking if kinds)


def promises(file: MaterialVisible, message: str) -> bool:
    """The message says that this file, which is there later, comes later."""
    promise = file.available.promise
    return (promise is not None and fold(promise).rstrip(".!。") in fold(message)) or speaks_of_later(message)


def another_kind(label: str, wanted: str) -> bool:
    """A file of that label is certainly not what the words ask for: both name kinds of paper, and none in common.

    "Proof of purchase" or "a document" may be any paper; a label that speaks of a picture alone may be a picture of anything.
    """
    have, want = file_words(label) - {"photo"}, file_words(wanted)
    return bool(have and want) and not have & want and not want & _ANY_PAPER


@lru_cache(maxsize=1024)
def file_words(text: str) -> frozenset[str]:
    """What kinds of file the words speak of; a picture of a paper is that paper, however it was taken."""
    kinds = {kind for word in topic_words(text) if (kind := _FILE_WORDS.get(word))}
    return frozenset(kinds - {"photo"} or kinds)


_ANY_PAPER = frozenset({"document", "proof", "statement"})
_FILE_WORDS = {
    **dict.fromkeys(("photo", "photos", "photograph", "picture", "pictures", "image", "pic", "pics", "snap"), "photo"),
    **dict.fromkeys(("quote", "quotation", "estimate"), "quote"),
    **dict.fromkeys(("invoice", "invoices", "bill"), "invoice"),
    **dict.fromkeys(("receipt", "receipts"), "receipt"),
    **{word: word for word in ("letter", "report", "document", "proof", "statement")},
}
"""Word -> kind of file; words of one kind mean the same thing."""
