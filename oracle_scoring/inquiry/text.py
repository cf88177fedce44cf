"""One message as rules read it: markers, addresses, sentences, questions, signals, language, length. Computed when asked."""

import re

from oracle_scoring.inquiry import language
from oracle_scoring.inquiry.lazy import lazy
from oracle_scoring.inquiry.lexicon import Lexicon, fold, folds_by_character
from oracle_scoring.inquiry.markers import Marker, find_addresses, find_markers
from oracle_scoring.inquiry.measures import Measure, bare_numbers, measures

_LEAD_IN = 6  # characters
_END = re.compile(
    r"[!?！？。…؟\n]++[!?！？。…؟\s]*+|(?<!\.)\.++(?=\s|$)[!?\s]*+|(?<=[a-z0-9)])\.(?=[A-Z][a-z])"
)  # a dot inside 1.5 or a.b ends nothing
_ASK = re.compile("[?？؟]")
_QUOTED = re.compile(r"“[^”\n]{0,200}”|\"[^\"\n]{0,200}\"|「[^」\n]{0,200}」|『[^』\n]{0,200}』")
_WORDLIKE = re.compile(r"[^\W_]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_WORDS = re.compile(r"[^\W\d_][\w'’-]*+")
_ABBREVIATIONS = ("approx", "e.g", "i.e", "no", "etc", "mr", "ms", "vs", "max", "min", "co", "ltd", "pcs", "st", "tp")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n\s*+")
_DIGIT = re.compile(r"\d")
_JOINED = re.compile(r"[,;，；]|(?<![a-z])(?:and|also|plus)(?![a-z])|并且|以及|另外|然后|(?<!\w)(?:và|đồng thời)(?!\w)")
"""What joins two requests in one sentence."""


READ = frozenset({"en", "zh", "vi", language.UNDETERMINED})
"""Families of languages whose words the lexicon holds."""


def _figures(folded: str, worded: bool) -> list[Measure]:
    return measures(folded, worded) if worded or _DIGIT.search(folded) else []


class Sentence:
    """One sentence of a message."""

    def __init__(self, raw: str, folded: str, asks: bool, lexicon: Lexicon, told: frozenset[str]) -> None:
        self.raw = raw
        """As written: a verbatim quote."""
        self.folded = folded
        self.marked = asks
        """It ends with a question mark outside quotation marks."""
        self._lexicon = lexicon
        self._told = told

    @lazy
    def signals(self) -> frozenset[str]:
        """Names of the lexicon that it holds."""
        return self._lexicon.signals_of_part(self.folded, self._told)

    @lazy
    def is_request(self) -> bool:
        """It asks without a question mark; polite closings ("let me know if you have questions") do not."""
        return not self.marked and "requests" in self.signals and "polite_close" not in self.signals

    @lazy
    def asked_for(self) -> int:
        """How many things it asks for: 1 for a question; for a request, its joined parts that each request something by name."""
        if not self.is_request:
            return int(self.marked)
        told = (self._lexicon.signals_of_part(part, self.signals) for part in _JOINED.split(self.folded))
        named = sum("requests" in names and any(name.startswith("asks_") for name in names) for names in told)
        return max(1, named)

    @lazy
    def lead_in(self) -> frozenset[str] | None:
        """Names of the lexicon in the words before the first comma; None if those are too few to say anything."""
        at = min((i for mark in ",;:" if (i := self.folded.find(mark)) >= 0), default=-1)
        return self._lexicon.signals_of_part(self.folded[:at], self.signals) if at >= _LEAD_IN else None

    @property
    def clauses(self) -> list[tuple[str, frozenset[str]]]:
        """Its parts between commas, folded, each with the names of the lexicon that it holds."""
        parts = [part.strip() for part in self.folded.replace(";", ",").split(",")]
        return [(part, self._lexicon.signals_of_part(part, self.signals)) for part in parts if part]

    @property
    def asks(self) -> bool:
        """A question or a request."""
        return self.marked or self.is_request

    @lazy
    def measures(self) -> list[Measure]:
        """Figures with units."""
        return _figures(self.folded, "number_word" in self.signals)


class Text:
    """One message."""

    def __init__(self, raw: str, lexicon: Lexicon, ignored: re.Pattern[str]) -> None:
        self.raw = raw
        self._lexicon = lexicon
        self._ignored = ignored

    @lazy
    def markers(self) -> tuple[Marker, ...]:
        """Markers, well-formed or not."""
        return find_markers(self.raw)

    @lazy
    def body(self) -> str:
        """The text without its markers."""
        if not self.markers:
            return self.raw
        parts, at = [], 0
        for marker in self.markers:
            parts.append(self.raw[at : marker.start])
            at = marker.end
        return "".join([*parts, self.raw[at:]])

    @lazy
    def addresses(self) -> list[str]:
        """Web addresses outside markers."""
        return [self.body[a:b] for a, b in self._address_spans]

    @lazy
    def plain(self) -> str:
        """The body with its addresses blanked; same length as the body."""
        text, parts, at = self.body, [], 0
        for start, end in self._address_spans:
            parts += [text[at:start], " " * (end - start)]
            at = end
        return "".join([*parts, text[at:]]) if parts else text

    @lazy
    def _address_spans(self) -> list[tuple[int, int]]:
        return find_addresses(self.body)

    @lazy
    def folded(self) -> str:
        """The plain text, folded."""
        return fold(self.plain)

    @lazy
    def signals(self) -> frozenset[str]:
        """Names of the lexicon that the message holds."""
        return self._lexicon.signals(self.folded.strip())

    def found(self, name: str) -> list[str]:
        """What the message holds of one name."""
        return self._lexicon.texts(name, self.folded) if name in self.signals else []

    @lazy
    def sentences(self) -> list[Sentence]:
        """Sentences that hold a letter or a digit."""
        text = self.plain
        unquoted = (
            _QUOTED.sub(lambda m: " " * len(m.group()), text)
            if '"' in text or "“" in text or "「" in text or "『" in text
            else text
        )
        found: list[Sentence] = []
        start = 0
        for match in _END.finditer(text):
            if match.group()[0] == "." and text[max(start, match.start() - 8) : match.start()].lower().endswith(
                _ABBREVIATIONS
            ):
                words = text[start : match.start()].lower().rsplit(None, 1)
                if words and words[-1].lstrip("(") in _ABBREVIATIONS:
                    continue
            self._take(found, start, match.end(), unquoted, bool(_ASK.search(unquoted, match.start(), match.end())))
            start = match.end()
        self._take(found, start, len(text), unquoted, False)
        return found

    def _take(self, found: list[Sentence], start: int, end: int, unquoted: str, asks: bool) -> None:
        if not _WORDLIKE.search(self.plain, start, end):
            return
        asks = asks and bool(_WORDLIKE.search(unquoted, start, end))
        raw = self.body[start:end].strip()
        folded = self._folded_part(start, end)
        sentence = Sentence(raw, folded, asks, self._lexicon, self.signals)
        if len(folded) == len(self.folded.strip()):
            sentence.__dict__["signals"] = self.signals  # the message is this sentence
        found.append(sentence)

    def _folded_part(self, start: int, end: int) -> str:
        """The part of the plain text, stripped, then folded."""
        part = self.plain[start:end].lstrip()
        if not self._by_character:
            return fold(part.rstrip())
        start = end - len(part)
        return self.folded[start : start + len(part.rstrip())]

    @lazy
    def _by_character(self) -> bool:
        return folds_by_character(self.plain, self.folded)

    @lazy
    def questions(self) -> list[Sentence]:
        """Questions and requests."""
        return [s for s in self.sentences if s.asks]

    @lazy
    def statements(self) -> list[Sentence]:
        """Everything else."""
        return [s for s in self.sentences if not s.asks]

    @lazy
    def language(self) -> str:
        """As `language.detect`, with addresses, brands, abbreviations and article numbers left out."""
        return language.detect(self._ignored.sub(" ", self.plain))

    @lazy
    def readable(self) -> bool:
        """Rules know the words of its language."""
        return language.family(self.language) in READ

    @lazy
    def length(self) -> tuple[int, int]:
        """Chinese characters, and words of other scripts."""
        han = 0 if self.plain.isascii() else sum(map(len, _HAN.findall(self.plain)))
        return han, len(_WORDS.findall(_HAN.sub(" ", self.plain) if han else self.plain))

    @lazy
    def paragraphs(self) -> list[str]:
        """Blocks of the body between blank lines, those without a letter or digit left out."""
        return [p for p in _BLANK_LINE.split(self.body.strip()) if _WORDLIKE.search(p)]

    @lazy
    def lines(self) -> list[str]:
        """Lines of the body that hold something."""
        return [line for line in self.body.splitlines() if _WORDLIKE.search(line)]

    @lazy
    def measures(self) -> list[Measure]:
        """Figures with units."""
        return _figures(self.folded, "number_word" in self.signals)

    @lazy
    def numbers(self) -> set[str]:
        """All numbers."""
        return bare_numbers(self.folded) if _DIGIT.search(self.folded) else set()

    def quote(self, name: str) -> str:
        """The first sentence that holds the name, verbatim; the start of the body if none does alone."""
        return next((s.raw for s in self.sentences if name in s.signals), self.body.strip()[:200])
