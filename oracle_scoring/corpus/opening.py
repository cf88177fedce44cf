"""An opening against its plain wording and the facts: a style changes words, never a fact.

Exact things (dates, times, amounts, numbers, plates, references) are compared as values, everything else word by word:
a word that neither the plain wording nor a fact has, and that is not known to carry no fact, is named.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from harness.schema.visible import Fact, Facts
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount, parse_date

RECENT = 96
"""So many texts are remembered: those of one package, which are asked for several times."""
_WORDS_FILE = Path(__file__).parent / "opening_words.txt"
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{m}|{m[:3]}" for m in _MONTHS) + "|sept"
_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?,? ({_MONTH})\.?,? (\d{{4}})\b", re.I)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.I)
_FIGURES = re.compile(r"\b(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b")
_TIME = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\b\.?|\b(\d{1,2}):(\d{2})\b", re.I)
_AMOUNT = re.compile(
    r"[£€$] ?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)|(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?) ?(?:pounds?|quid|gbp|euros?|eur|dollars?|usd)\b",
    re.I,
)
_CODE = re.compile(
    r"\b[A-Z]{2}\d{2} ?[A-Z]{3}\b|\b(?=[A-Za-z0-9/-]*\d)(?=[A-Za-z0-9/-]*[A-Za-z])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*\b"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_NEGATIONS = frozenset(
    ["not", "no", "never", "nobody", "none", "without", "neither", "nor", "cannot", "nothing", "nowhere"]
)
_BARE_NEGATIONS = frozenset(["dont", "didnt", "isnt", "wasnt", "cant", "wont", "couldnt", "doesnt", "werent", "arent"])
_CLAUSE = re.compile(r"[.!?;,:\n]+")
NEGATION_REACH = 6
"""A word so many words behind a negation is no longer denied by it."""
_IRREGULAR = {
    "came": "come", "went": "go", "gone": "go", "hit": "hit", "broke": "break", "broken": "break", "stole": "steal", "stolen": "steal",
    "took": "take", "taken": "take", "drove": "drive", "driven": "drive", "fell": "fall", "fallen": "fall", "ran": "run", "saw": "see",
    "seen": "see", "left": "leave", "lost": "lose", "found": "find", "tore": "tear", "torn": "tear", "blew": "blow", "blown": "blow",
    "slid": "slide", "bent": "bend", "got": "get", "gave": "give", "given": "give", "felt": "feel", "brought": "bring", "bought": "buy",
    "caught": "catch", "heard": "hear", "held": "hold", "knew": "know", "known": "know", "made": "make", "paid": "pay", "said": "say",
    "sent": "send", "stood": "stand", "struck": "strike", "threw": "throw", "thrown": "throw", "woke": "wake", "wrote": "write",
    "written": "write", "children": "child", "men": "man", "women": "woman", "feet": "foot", "leaves": "leaf", "roofs": "roof",
    "began": "begin", "begun": "begin", "shook": "shake", "shaken": "shake", "spilt": "spill", "leapt": "leap", "burnt": "burn", "smelt": "smell",
    "slipped": "slip", "wet": "wet", "cut": "cut", "split": "split", "burst": "burst", "forced": "force", "kept": "keep", "told": "tell",
}  # fmt: skip


@dataclass(frozen=True)
class Moved:
    """One way in which an opening says something else than it should."""

    code: str
    """`opening_says_no_fact`, `opening_fact_added`, `opening_fact_lost`, `opening_fact_changed`."""
    what: str


@lru_cache(maxsize=RECENT)
def exact_values(text: str) -> Mapping[str, str]:
    """Canonical exact thing -> how the text writes it: `date 2026-03-09`, `time 16:20`, `amount 1284`, `code JX24RVB`, `number 3`."""
    found: dict[str, str] = {}
    if _DIGIT.search(text) is None:
        return {f"number {_COUNTS[t.casefold()]}": t for t in _LETTERS.findall(text) if t.casefold() in _COUNTS}

    def take(pattern: re.Pattern[str], build: Callable[[re.Match[str]], str | None]) -> None:
        nonlocal text

        def note(match: re.Match[str]) -> str:
            key = build(match)
            if key is None:
                return match[0]
            found.setdefault(key, match[0])
            return " ~ "

        text = pattern.sub(note, text)

    take(_ISO, lambda m: _date(m[1], m[2], m[3]))
    take(_DAY_FIRST, lambda m: _date(m[3], m[2], m[1]))
    take(_MONTH_FIRST, lambda m: _date(m[3], m[1], m[2]))
    take(_FIGURES, lambda m: _date(m[3], m[2], m[1]))
    take(_AMOUNT, lambda m: f"amount {_plain(m[1] or m[2])}")
    take(_TIME, _time)
    take(_CODE, lambda m: f"code {re.sub('[^A-Z0-9]', '', m[0].upper())}")
    take(_NUMBER, lambda m: f"number {_plain(m[0])}")
    for token in _LETTERS.findall(text):
        if token.casefold() in _COUNTS:
            found.setdefault(f"number {_COUNTS[token.casefold()]}", token)
    return found


def _date(year: str, month: str, day: str) -> str | None:
    number = int(month) if month.isdigit() else [m[:3] for m in _MONTHS].index(month.casefold()[:3]) + 1
    value = f"{int(year):04d}-{number:02d}-{int(day):02d}"
    return f"date {value}" if parse_date(value) else None


def _time(match: re.Match[str]) -> str | None:
    hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
    if match[3]:
        hour = hour % 12 + (12 if match[3].casefold() == "p" else 0)
    return f"time {hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def _plain(number: str) -> str:
    whole, _, part = number.replace(",", "").partition(".")
    part = part.rstrip("0")
    whole = str(int(whole or 0)) if len(whole) < 19 else whole.lstrip("0")  # so many digits are no amount
    return f"{whole}.{part}" if part else whole


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without common endings, so that walk, walks, walked and walking are one."""
    word = word.casefold().removesuffix("'s").removesuffix("s'").removesuffix("n't")
    word = _IRREGULAR.get(word, word)
    for ending in ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly", "er", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


_THINKING = frozenset(
    stem(w)
    for w in (
        "believe", "know", "think", "understand", "sleep", "cope", "stop", "bear", "sure", "happy", "idea", "fault", "imagine", "expect",
        "wish", "want", "mind", "sense",
    )
)  # fmt: skip


@cache
def neutral_stems() -> frozenset[str]:
    """Stems of words that carry no fact."""
    lines = _WORDS_FILE.read_text("utf-8").splitlines()
    return frozenset(stem(w) for line in lines if not line.startswith("#") for w in line.split())


def words(text: str) -> list[str]:
    """The words of a text as they stand, parted at apostrophes, without figures."""
    return _LETTERS.findall(text)


@lru_cache(maxsize=RECENT)
def content_stems(text: str) -> Mapping[str, str]:
    """Stem -> word, for the words that may carry a fact."""
    neutral = neutral_stems()
    found: dict[str, str] = {}
    for word in words(text):
        if (s := stem(word)) not in neutral and len(s) > 1 and word.casefold() not in _COUNTS:
            found.setdefault(s, word)
    return found


def _slip(a: str, b: str) -> bool:
    """Whether `a` is `b` with one slip of the hand (two in long words): a letter lost, doubled, wrong or swapped."""
    limit = 2 if len(b) >= 7 else 1 if len(b) >= 3 else 0
    if limit == 0 or abs(len(a) - len(b)) > limit or len(set(a) ^ set(b)) > 2 * limit:
        return False
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1] <= limit


def _fact_texts(facts: Facts) -> Iterable[str]:
    for fact in facts.facts:
        yield from (fact.topic, fact.value, fact.say)
    for unknown in facts.does_not_know:
        yield unknown.topic
    yield facts.persona.name


def _told(fact: Fact, exact: Mapping[str, str], there: set[str]) -> bool:
    """Whether a text with these exact things and word stems tells the fact."""
    if fact.value in (UNKNOWN, NONE):
        return False
    values = exact_values(fact.value)
    if fact.kind == "amount":
        amount = parse_amount(fact.value)
        values = {f"amount {_plain(str(amount[0]))}": ""} if amount else {}
    elif fact.kind == "date":
        values = {f"date {fact.value}": ""}
    elif fact.kind == "time":
        values = {f"time {fact.value}": ""}
    elif fact.kind == "plate":
        values = {f"code {re.sub('[^A-Z0-9]', '', fact.value.upper())}": ""}
    if fact.kind == "yes_no":
        keys = set(content_stems(fact.say))
        return bool(keys) and keys <= there
    stems = set() if fact.kind in ("amount", "date", "time", "plate") else set(content_stems(fact.value))
    return bool(values or stems) and set(values) <= set(exact) and stems <= there


def _known_values(facts: Facts) -> set[str]:
    known = set(exact_values("\n".join(_fact_texts(facts))))
    for fact in facts.facts:
        if fact.kind == "amount" and (amount := parse_amount(fact.value)):
            known.add(f"amount {_plain(str(amount[0]))}")
    return known | {f"number {key.split()[1]}" for key in known if key.startswith("amount")}


def _proper(facts: Facts) -> dict[str, str]:
    """Stem -> word, for names of people and places."""
    texts = [facts.persona.name, *(f.value for f in facts.facts if f.kind in ("place", "name"))]
    return {stem(w): w for text in texts for w in words(text) if w[0].isupper()}


def _negated(text: str) -> dict[str, bool]:
    """Stem of a word that may carry a fact -> whether a negation stands a few words before it in its clause.

    A negation that goes with a word of thinking or feeling ("I can't believe", "not sure") is used up by it.
    """
    found: dict[str, bool] = {}
    for clause in _CLAUSE.split(text.replace("’", "'")):
        since = NEGATION_REACH
        for word in _TOKEN.findall(clause):
            folded, s = word.casefold(), stem(word)
            if folded in _NEGATIONS or folded.endswith("n't") or folded in _BARE_NEGATIONS:
                since = 0
                continue
            since = NEGATION_REACH if s in _THINKING else since + 1
            if s not in neutral_stems():
                found[s] = found.get(s, False) or since <= NEGATION_REACH - 1
    return found


def opening_problems(
    facts: Facts, plain: str, opening: str, labels: Iterable[str] = (), wording: Iterable[str] = ()
) -> list[Moved]:
    """All ways in which `opening` says something else than its plain wording and the facts.

    Args:
        facts: the customer's, with the style.
        plain: the plain wording.
        opening: the first message as it is sent; the plain wording itself when the style is plain.
        labels: what the customer calls their files.
        wording: words that the author has judged to carry no fact.
    """
    return [*_unsaid(facts, plain, opening, labels, wording), *_against_plain(facts, plain, opening)]


def _unsaid(facts: Facts, plain: str, opening: str, labels: Iterable[str], wording: Iterable[str]) -> list[Moved]:
    """Exact things and words that no fact has."""
    found: list[Moved] = []
    known = _known_values(facts)
    exact = exact_values(opening)
    for key, written in exact.items():
        if key not in known:
            found.append(Moved("opening_says_no_fact", f"says {written!r}, which no fact of the customer's has"))
    style = facts.opening_style
    spoken = content_stems("\n".join([*_fact_texts(facts), *labels]))
    allowed = {*spoken, *(stem(w) for w in wording)}
    if style != "plain":
        allowed |= set(content_stems(plain))
    proper = _proper(facts)
    for s, word in content_stems(opening).items():
        if s in allowed:
            continue
        if style == "typos":
            if any(_slip(s, name) or _slip(word.casefold(), w.casefold()) for name, w in proper.items()):
                near = next(w for name, w in proper.items() if _slip(s, name) or _slip(word.casefold(), w.casefold()))
                if not any(_slip(s, a) for a in allowed - set(proper)):
                    found.append(Moved("opening_fact_changed", f"writes {word!r} for {near!r}; names stay as they are"))
                continue
            if any(_slip(s, a) for a in allowed | neutral_stems()) or any(
                _slip(word.casefold(), w.casefold()) for w in (*spoken.values(), *content_stems(plain).values())
            ):
                continue
        code = "opening_says_no_fact" if style == "plain" else "opening_fact_added"
        found.append(Moved(code, f"says {word!r}, which neither the plain wording nor a fact says"))
    return found


def _against_plain(facts: Facts, plain: str, opening: str) -> list[Moved]:
    style = facts.opening_style
    if style == "plain" or plain == opening:
        return []
    found: list[Moved] = []
    before, after = exact_values(plain), exact_values(opening)
    for key, written in before.items():
        if key not in after:
            found.append(Moved("opening_fact_lost", f"leaves out {written!r} of the plain wording"))
    if style != "many_facts":
        for key, written in after.items():
            if key not in before:
                found.append(Moved("opening_fact_added", f"says {written!r}, which the plain wording does not"))
    plain_stems, open_stems = set(content_stems(plain)), set(content_stems(opening))
    if style == "typos":
        open_stems |= {p for p in plain_stems for s, w in content_stems(opening).items() if _slip(s, p)}
    for fact in facts.facts:
        was, now = _told(fact, before, plain_stems), _told(fact, after, open_stems)
        if was and not now:
            found.append(
                Moved("opening_fact_lost", f"no longer tells {fact.id} ({fact.value!r}) as the plain wording does")
            )
        elif now and not was and style != "many_facts":
            found.append(
                Moved("opening_fact_added", f"tells {fact.id} ({fact.value!r}), which the plain wording does not")
            )
    was_not, is_not = _negated(plain), _negated(opening)
    for s in sorted(set(was_not) & set(is_not)):
        if was_not[s] != is_not[s]:
            found.append(
                Moved("opening_fact_changed", f"turns round what is said of {content_stems(opening).get(s, s)!r}")
            )
    return found
