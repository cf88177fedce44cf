"""Naturalness: would a host say it so. Rules know length, flaws, marks that nobody can speak; not how it sounds."""

import re

from oracle_scoring.livechat.found import Found, Signals
from oracle_scoring.livechat.text import clause_spans, clauses, length_of, snippet
from oracle_scoring.livechat.words import Words

BANDS = ((80, 5), (150, 4), (200, 3), (300, 2))
"""Up to so many characters -> at most this; above the last, 1."""
FLAWS = {0: 5, 1: 4, 2: 3}
"""Flaws -> at most this; more, 2."""
_C = "[\u3400-\u9fff]"
_CALLED = "亲亲|亲爱的|亲们|亲|宝宝们|宝宝|宝子们|宝子|宝贝们|宝贝|家人们|家人|姐妹们|姐妹|老铁们|老铁|朋友们|大哥|哥哥|哥|大姐|姐姐|姐|小姐姐|小哥哥|美女|帅哥"

_MARKED = re.compile("[【】《<{\\[#*`_|①•·●▪\\-－]|第|[1一aA]\\s?[.、．)）]|[案答由出考]\\s?[：:]")
"""Without one of these no hard trigger can be there."""
_STRUCTURE = re.compile(
    r"[【】]"
    r"|^[ \t　]*《[^《》\n]{1,40}》[ \t　]*(?:[：:]|$)"
    r"|\[/[^\[\]\n]{1,20}\]"
    r"|</?[A-Za-z_][\w-]{0,30}\s?/?>"
    r'|[{\[]\s?"[^"\n]{1,60}"\s?:|"[\w-]{1,40}"\s?:\s?["\d\[{]|\[\s?\{\s?"'
    r"|^[ \t　]*(?:答案|理由|回答|输出|思考)[ \t]?[：:]"
    r"|^[ \t　]*第[一二三四五六七八九十\d]{1,3}[章节](?=[\s：:、]|$)",
    re.MULTILINE,
)
_MARKUP = re.compile(
    r"^[ \t　]*[-*+•·●▪－][ \t　]+\S[^\n]*"
    r"|^[ \t　]*[•●▪]\S[^\n]*"
    r"|^[ \t　]*#{1,6}[ \t]+\S[^\n]*"
    r"|\*\*[^*\n]{1,200}\*\*"
    r"|__[^_\n]{1,100}__"
    r"|```"
    r"|\|[ \t]?:?-{3,20}"
    r"|\[[^\]\n]{1,80}\]\(https?:"
    r"|(?:^|(?<=[\s：:，,。；;！!？?]))1[ \t]?[.、．)）][ \t]?(?!\d)\S(?=(?:[^\n]|\n){0,300}?[\s，,。；;！!？?]2[ \t]?[.、．)）][ \t]?(?!\d)\S)"
    r"|(?:^|(?<=[\s：:，,。；;]))[aA][.)）][ \t]?\S(?=[^\n]{0,200}?[\s，,。；;][bB][.)）])"
    r"|[(（]1[)）][ \t]?\S(?=[^\n]{0,200}?[(（]2[)）])"
    r"|①(?=[^②]{1,300}②)"
    r"|^[ \t　]*一、\S(?=(?:[^\n]|\n){0,300}?\n[ \t　]*二、)",
    re.MULTILINE,
)
_MARKS_MEET = re.compile("[。！？，、；：]{2}")
_HALF_MARK = re.compile("[,.?!;]")
_DOUBLE_STOP = re.compile("。{2,}")
_CLASH = re.compile("[！？，、；：]。|。[！？，、；：]|，[，、；：！？]|、[，、；：！？]|[！？；：][，、；：]")
_HALF = re.compile(rf"{_C}[,.?!;]|[0-9A-Za-z][,?!;]{_C}")
_BLANK = re.compile(rf"{_C}[ \t　]+{_C}|\d[ \t]+[-~–—至到][ \t]*\d|\d[ \t]*[-~–—][ \t]+\d")
_TRIPLE = re.compile(r"更[^，。！？更、\n]{1,6}[，、]?更[^，。！？更、\n]{1,6}[，、]?更")
_ADDRESS = re.compile(rf"(?:^|(?<=[，。！？,.!?、~～\s]))({_CALLED})(?=[，。！？,.!?、~～\s]|$)|(亲亲)")
_CALLS = re.compile(f"[{''.join(sorted({word[0] for word in _CALLED.split('|')}))}]")
"""Without one of these nobody is called by name."""
_SAME_CLAUSE = 6
"""Characters of a clause that is a repetition when it stands twice."""
_PIECE = 8
_LOOKED_AT = 5000
"""Characters in which repetition is looked for."""
_MOST_FLAWS = 5
"""Of one kind that are noted by name."""
COPIED = 80
"""Characters in a row that, word for word in the knowledge base, are copied and not said."""
_BLOCK = COPIED // 2
_COPY_LOOKED_AT = 2000


def length_cap(length: int) -> int:
    """The most that a text of this many characters gets."""
    return next((cap for most, cap in BANDS if length <= most), 1)


def flaw_cap(flaws: int) -> int:
    """The most that a text with so many flaws gets."""
    return FLAWS.get(flaws, 2)


def exception(low_query: str, words: Words, sparse: bool, chatter: bool) -> str | None:
    """Why a long answer is right to be long, if it is.

    Args:
        sparse: the room is sparse.
        chatter: the query is flood or worse, so that nobody asked for anything.
    """
    if sparse:
        return "sparse_room"
    if words.business.long_answers and not chatter:
        return "lead_generation"
    if words["complex"].search(low_query):
        return "complex_question"
    if words["follow_up"].search(low_query):
        return "deep_follow_up"
    return None


def repeats_itself(text: str, parts: list[str]) -> str | None:
    """The words by which it does: a clause that stands twice, or a text of which more than a tenth was there before."""
    if (twice := repeated_clause(parts)) is not None:
        return twice
    seen: set[str] = set()
    again, first = 0, None
    flat = text[:_LOOKED_AT]
    for at in range(len(flat) - _PIECE + 1):
        piece = flat[at : at + _PIECE]
        if piece in seen:
            again += 1
            first = first or piece
        else:
            seen.add(piece)
    return first if again * 10 > len(flat) else None


def repeated_clause(parts: list[str]) -> str | None:
    """The first clause of some length that stands twice."""
    seen: set[str] = set()
    for part in parts:
        if len(part) >= _SAME_CLAUSE:
            if part in seen:
                return part
            seen.add(part)
    return None


def copied_from(kb: str, answer: str) -> str | None:
    """A passage of at least `COPIED` characters that stands in the knowledge base word for word."""
    text = answer[:_COPY_LOOKED_AT]
    for at in range(0, len(text) - _BLOCK + 1, _BLOCK):
        found = kb.find(text[at : at + _BLOCK])
        if found < 0:
            continue
        start, end, place = at, at + _BLOCK, found
        while start and place and text[start - 1] == kb[place - 1]:
            start, place = start - 1, place - 1
        after = found + _BLOCK
        while end < len(text) and after < len(kb) and text[end] == kb[after]:
            end, after = end + 1, after + 1
        if length_of(text[start:end]) >= COPIED:
            return text[start:end]
    return None


def naturalness(
    answer: str, low: str, words: Words, kb: str | None, low_query: str, sparse: bool, chatter: bool, empty_phrase: bool
) -> Found:  # fmt: skip
    """The score of the answer: the lowest of what length, flaws and hard triggers leave."""
    length = length_of(answer)
    signals: Signals = {"length": length}
    base = length_cap(length)
    parts = clauses(answer)
    if base < 5 and (why := exception(low_query, words, sparse, chatter)) is not None:
        signals["exception"] = why
        if (twice := repeats_itself(answer, parts)) is None:
            base = 5
        else:
            signals["repeats"] = twice
    if _MARKED.search(answer) and (hard := _hard(answer, base, signals)) is not None:
        return hard
    if kb and length >= COPIED and (copied := copied_from(kb, answer)) is not None:
        signals["copied"] = snippet(copied)
        return Found(1, snippet(copied), "copied from the knowledge base, not said", 1, signals)
    flaws = _flaws(answer, low, words, parts, signals)
    if empty_phrase and length <= 30:
        flaws.append(("says_nothing", snippet(answer)))
    signals["flaws"] = len(flaws)
    for name, quote in flaws:
        key, n = name, 2
        while key in signals and n <= _MOST_FLAWS:
            key, n = f"{name}_{n}", n + 1
        signals.setdefault(key, quote)
    cap = min(base, flaw_cap(len(flaws)))
    if empty_phrase and length <= 30:
        cap = min(cap, 3)
    if cap == 1:
        return Found(1, snippet(answer), f"{length} characters: nobody listens so long", 1, signals)
    if flaws:
        named = ", ".join(f"{name} “{quote}”" for name, quote in flaws[:_MOST_FLAWS])
        long = f"; {length} characters" if base < 5 else ""
        return Found(
            cap, flaws[0][1], f"{len(flaws)} {'flaw' if len(flaws) == 1 else 'flaws'}: {named}{long}", cap, signals
        )
    if base < 5:
        return Found(None, "", f"{length} characters; how it sounds is not for rules to say", cap, signals)
    return Found(None, "", "no known flaw; how it sounds is not for rules to say", cap, signals)


def _hard(answer: str, base: int, signals: Signals) -> Found | None:
    """The score of an answer with marks that nobody can speak; `base`: what its length leaves."""
    if hit := _STRUCTURE.search(answer):
        quote = signals["tag"] = snippet(hit.group()) or hit.group()
        return Found(1, quote, "a structural mark that nobody can speak", 1, signals)
    if hit := _MARKUP.search(answer):
        quote = signals["markup"] = snippet(hit.group()) or hit.group()
        long = f", and {signals['length']} characters" if base < 2 else ""
        return Found(min(base, 2), quote, f"a list, heading or bold mark{long}", min(base, 2), signals)
    return None


def _flaws(answer: str, low: str, words: Words, parts: list[str], signals: Signals) -> list[tuple[str, str]]:
    """Name and words of each flaw. Marks, joins and repetitions count once each, worn words once a clause."""
    found: list[tuple[str, str]] = []
    if _MARKS_MEET.search(answer):
        for name, pattern in (("double_stop", _DOUBLE_STOP), ("clashing_marks", _CLASH)):
            if hit := pattern.search(answer):
                found.append((name, hit.group()))
    if _HALF_MARK.search(answer) and (hit := _HALF.search(answer)):
        found.append(("half_width_mark", hit.group()))
    if signals["length"] != len(answer) and (hit := _BLANK.search(answer)):
        found.append(("blank_inside", hit.group()))
    if hit := _TRIPLE.search(answer):
        found.append(("triple", hit.group()))
    if words["cliche"].search(low):
        for start, end in clause_spans(low):
            if (hit := words["cliche"].search(low, start, end)) is not None:
                found.append(("cliche", answer[hit.start() : hit.end()]))
    for name in ("bookish", "trailing"):
        if hit := words[name].search(low):
            found.append((name, answer[hit.start() : hit.end()].strip()))
    if _CALLS.search(answer) and len(called := [hit.group() for hit in _ADDRESS.finditer(answer)]) > len(set(called)):
        found.append(("address_again", next(c for n, c in enumerate(called) if c in called[:n])))
    if (twice := repeated_clause(parts)) is not None:
        found.append(("repeated", twice))
    return found
