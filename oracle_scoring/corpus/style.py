"""Drafts of a plain opening in the other opening styles, by rules. The author has the last word.

A draft changes words one at a time and keeps a change only if the checker's own comparison still finds every fact where
it was; dates, times, amounts, plates, references, names and places are never touched at all.
"""

import json
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.errors import InputError, Refused
from harness.schema.package import FACTS, INITIAL_MESSAGE, MANIFEST, PROVENANCE, read_manifest, read_visible
from harness.schema.visible import OPENING_STYLES, Facts, OpeningStyle
from oracle_scoring.corpus.load import read_labels, read_provenance
from oracle_scoring.corpus.manifest import take_in
from oracle_scoring.corpus.opening import Moved, exact_values, opening_problems
from oracle_scoring.corpus.style_facts import ORDER, joined, ordered, sentence, tells, with_time
from oracle_scoring.corpus.unwritten import BRACKET
from oracle_scoring.files import json_bytes, write_atomically

DRAFTED: tuple[OpeningStyle, ...] = ("many_facts", "emotional", "typos", "non_native", "wrong_product_term")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z£\d\ue000-\uf8ff])")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Rd|No|Ave|approx|e\.g|i\.e)\.$")
_WORD = re.compile(r"[A-Za-z']+")
_FIRST_MARK = 0xE000


@dataclass(frozen=True)
class Draft:
    """One opening in a style."""

    style: OpeningStyle
    text: str
    problems: list[Moved]
    """Ways in which a fact would have moved; nothing is written while there are any."""


@dataclass(frozen=True)
class _Job:
    """What a draft is made from."""

    facts: Facts
    """With the style asked for."""
    plain: str
    labels: list[str]
    wording: list[str]
    group: str
    """motor, home or property."""
    rng: random.Random

    def moved(self, text: str) -> list[Moved]:
        return opening_problems(self.facts, self.plain, text, self.labels, self.wording)

    def keeps(self, text: str) -> bool:
        """Whether every fact is where it was."""
        return not self.moved(text)


# --- protection --------------------------------------------------------------------------------------------------


def _spans(job: _Job) -> list[str]:
    """Texts that must stay as they are: exact things as written, names, places."""
    kept = set(exact_values(job.plain).values())
    for fact in job.facts.facts:
        if fact.kind in ("place", "name", "plate", "reference", "email", "phone"):
            kept.add(fact.value)
            kept |= {part.strip() for part in fact.value.split(",")}
    kept |= set(job.facts.persona.name.split())
    inside = re.findall(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b", job.plain)
    return sorted((k for k in (kept | set(inside)) if k and k in job.plain and k != "I"), key=len, reverse=True)


def _hide(text: str, spans: list[str]) -> str:
    for n, span in enumerate(spans):
        text = re.sub(rf"(?<!\w){re.escape(span)}(?!\w)", chr(_FIRST_MARK + n), text)
    return text


def _show(text: str, spans: list[str]) -> str:
    return "".join(spans[ord(c) - _FIRST_MARK] if 0xE000 <= ord(c) <= 0xF8FF else c for c in text)


def _sentences(text: str) -> list[str]:
    parts = _SENTENCE.split(text)
    joined: list[str] = []
    for part in parts:
        if joined and _ABBREVIATION.search(joined[-1]):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def _parted(text: str) -> tuple[str, str]:
    """A greeting at the start ("" if there is none), and the rest."""
    found = re.match(r"(?:Hello|Hi|Good day|Good morning|Dear [^,.]+)[,.!]\s*", text)
    return (found[0].strip(), text[found.end() :]) if found else ("", text)


def _greeted(greeting: str, first: str, rest: str) -> str:
    """The greeting, a sentence of its own, the rest with a capital."""
    if greeting.endswith(",") and not re.match(r"I\b|[A-Z]{2}", first):
        first = first[:1].lower() + first[1:]
    return f"{greeting} {first} {rest[:1].upper()}{rest[1:]}".strip()


def _try_each(job: _Job, text: str, spans: list[str], edits: Iterable[Callable[[str], str]]) -> str:
    """The text after those edits, one after the other, that move no fact."""
    for edit in edits:
        changed = edit(text)
        if changed != text and job.keeps(_show(changed, spans)):
            text = changed
    return text


def _swap(old: str, new: str) -> Callable[[str], str]:
    """Replaces a pattern once, keeping a capital at its start."""

    def edit(text: str) -> str:
        def put(found: re.Match[str]) -> str:
            words = found.expand(new)
            return words[:1].upper() + words[1:] if found[0][:1].isupper() else words

        return re.sub(old, put, text, count=1, flags=re.IGNORECASE)

    return edit


# --- styles ------------------------------------------------------------------------------------------------------


def _many_facts(job: _Job) -> str:
    """The plain wording with the time in its place, then more of what the customer knows, each thing where it makes sense."""
    text = with_time(job.plain, job.facts)
    text = text if job.keeps(text) else job.plain
    thing = "the car" if job.group == "motor" else None
    kinds = {f.id: f.kind for f in job.facts.facts}
    sentences: dict[str, str] = {}
    for fact in job.facts.facts:
        said = sentence(fact, thing) if fact.kind in ORDER and fact.value not in ("none", "unknown") else None
        if said is not None and not tells(text, said) and job.keeps(f"{text} {said}"):
            sentences[fact.id] = said
    count = len(sentences)
    wanted = job.rng.randint(max(1, min(4, count - 1)), max(1, min(6, count)))
    for name in job.rng.sample(list(sentences), max(0, count - wanted)):
        del sentences[name]
    told: list[tuple[str, str, str]] = []
    for name in ordered(sentences, job.facts, text):
        more = [*told, (name, kinds[name], sentences[name])]
        if not tells(f"{text} {joined(told)}", sentences[name]) and job.keeps(f"{text} {joined(more)}"):
            told = more
    return f"{text} {joined(told)}".strip()


_CRIES = (
    "Oh my God, please help me!", "Please help, I am so upset!", "I am still shaking, please help me!", "Hello, I am really worried and upset!!"
)  # fmt: skip
_SIGHS = (
    "I still cannot believe it!!", "It is a nightmare!!", "I am so shocked!", "I feel awful!", "I do not know what to do!"
)  # fmt: skip
_PLEAS = (
    "PLEASE tell me what to do, I am desperate!!",
    "Please, please can someone help me?!",
    "I am at my wits' end, please help!!",
)


_GOOD_NEWS = re.compile(r"\b(?:ok|okay|fine|nobody|still|not|none|no)\b", re.IGNORECASE)
"""Nobody shouts that the paint is fine."""
_POINTING = re.compile(r"(?:It|They|He|She|This|That|There)\b")


def _gap(sentences: list[str], first: int, wanted: int) -> int:
    """The place nearest to `wanted`, not before `first`, where a sigh parts no sentence from what its "it" points to."""
    places = [n for n in range(first, len(sentences)) if not _POINTING.match(sentences[n])]
    return min([*places, len(sentences)], key=lambda n: abs(n - wanted))


def _emotional(job: _Job) -> str:
    """A cry at the start, exclamation marks, a sigh in the middle, a plea at the end; what happened stays word for word."""
    spans = _spans(job)
    _, rest = _parted(job.plain)
    sentences = _sentences(_hide(rest[:1].upper() + rest[1:], spans))
    loud = [
        s if _GOOD_NEWS.search(s) else re.sub(r"\.$", job.rng.choice([".", "!", "!", "!!"]) if n else "!", s)
        for n, s in enumerate(sentences)
    ]
    text = _show(" ".join(loud), spans)
    happened = next(
        (n for n, s in enumerate(loud) if any(k.startswith("date") for k in exact_values(_show(s, spans)))), 0
    )
    at = _gap(loud, happened + 1, max(happened + 1, len(loud) // 2 + job.rng.randint(0, 1)))
    for sigh in job.rng.sample(_SIGHS, len(_SIGHS)):
        with_sigh = _show(" ".join([*loud[:at], sigh, *loud[at:]]), spans)
        if job.keeps(with_sigh):
            text = with_sigh
            break
    for cry in job.rng.sample(_CRIES, len(_CRIES)):
        if job.keeps(f"{cry} {text}"):
            text = f"{cry} {text}"
            break
    for plea in job.rng.sample(_PLEAS, len(_PLEAS)):
        if job.keeps(f"{text} {plea}"):
            return f"{text} {plea}"
    return text


_KEEP_SPELLED = frozenset(
    [
        "not",
        "no",
        "none",
        "never",
        "without",
        "with",
        "from",
        "form",
        "were",
        "where",
        "when",
        "then",
        "than",
        "there",
        "their",
        "they",
        "this",
        "that",
        "have",
        "hand",
        "half",
        "over",
        "only",
    ]
)
_REAL = """
able abode angel angels angle angles bare bared barely baring barking barley bars base bass bear beast beats bets
biter blot boards bolt braking bras bread breed broads brunt bugle bugles bulge burnt calm came capped cars carved
cast casual cats causal clam clams claps closets coma come comma coop cost cots crave cusp cuter dairies dairy dealt
desert dessert diary diner dinner dinning does dose droop east eats exist exits farmed fiend filed files filing fist
flies form from froth gaol gasp god gods hall handel hoes hoot hope hoped hoping hopped hopping hots later latte
latter lest lets lied lien liens liter loops loose loosed looser loot loots losses lost lots mater minuets moor moped
mousse noon pained pairs paris parish past pats pined planed planing planned post pots pride pried prod putts quiet
quite quote rial ridding robed roost root roots rot sacred sail salt salted salts sated satin scared scarp scarred
scarring scrap scraped scrapped scrapping shinning shoot shoots sign signed signing silver sing singe singed singer
singing sings siting slat slated slats sliver snag sparred sparring sparse sped spilt split stain star stared staring
starred starring steep stele stoop stoops strata striped super supper tacked tail taped tapped tapping tense then
there three tidied tied tinny tired tires titled tittle tonne tonnes tore torn trail trailed trails train trial trials
tried tries unite united untie untied waist warp wined wining wrist writs
"""
_REAL_WORDS = frozenset(_REAL.split())
"""English words that a slip makes of others: they would say something else."""


def _slips(word: str, rng: random.Random) -> list[str]:
    """Ways in which a hurried hand writes the word, in random order; none of them is another word.

    Two letters change places, one is doubled, or one of a double is lost: a letter lost elsewhere or the key beside it
    makes words too often (tiles, ties).
    """
    n = rng.randint(1, len(word) - 2)
    double = next((k for k in range(1, len(word) - 1) if word[k] == word[k + 1]), None)
    ways = [word[:n] + word[n + 1] + word[n] + word[n + 2 :], word[: n + 1] + word[n] + word[n + 1 :]]
    if double is not None:
        ways.append(word[:double] + word[double + 1 :])
    rng.shuffle(ways)
    return [w for w in ways if w != word and w.casefold() not in _REAL_WORDS]


def _typos(job: _Job) -> str:
    """About one longer word in four is mistyped, some capitals and full stops are gone; figures and names stay right."""
    spans = _spans(job)
    text = _hide(job.plain, spans)
    known = {w.casefold() for w in _WORD.findall(job.plain)}
    starts = [m.start() for m in _WORD.finditer(text) if len(m[0]) >= 4 and m[0].casefold() not in _KEEP_SPELLED]
    chosen = job.rng.sample(starts, min(len(starts), max(4, len(starts) // 4)))
    for start in sorted(chosen, reverse=True):  # from the end, so that no other place moves
        found = _WORD.match(text, start)
        for wrong in _slips(found[0], job.rng) if found else ():
            changed = text[:start] + wrong + text[start + len(found[0] if found else "") :]
            if wrong.casefold() not in known and job.keeps(_show(changed, spans)):
                text = changed
                break
    small: list[Callable[[str], str]] = [
        lambda t: t[:1].lower() + t[1:],
        _swap(r"\bI\b", "i"),
        lambda t: re.sub(r"\. ([A-Z])(?=[a-z])", lambda m: f", {m[1].lower()}", t, count=1),
        lambda t: re.sub(r"\bI\b", "i", t),
        lambda t: re.sub(r"(?<=[a-z])\.$", "", t),
        lambda t: re.sub(r"'", "", t),
    ]
    return _show(_try_each(job, text, spans, small), spans)


_PHRASES: tuple[tuple[str, str], ...] = (
    (r"\bI need to report\b", "I want to make report of"),
    (r"\bI (?:would like|want) to claim on\b", "I want make claim for"),
    (r"\bI would like to (report|claim)\b", r"I want make \1 for"),
    (r"\bI want to (report|claim)\b", r"I want make \1 for"),
    (r"\bI have to report\b", "I must make report of"),
    (r"\bIt happened\b", "This was happen"),
    (r"\bI am writing to\b", "I write for"),
    (r"\bI'm\b", "I am"),
    (r"\bI've\b", "I have"),
    (r"\bIt's\b", "It is"),
    (r"\bwas parked\b", "was park"),
    (r"\bthere is\b", "it is"),
    (r"\bthere was\b", "it was"),
    (r"\bI should like to make a claim on\b", "I want make claim for"),
    (r"\bhas been\b", "is"),
    (r"\bhave been\b", "are"),
    (r"\bmany\b", "much"),
)
_EXCUSES = (
    "Sorry for my English.",
    "Please excuse my English, it is not my language.",
    "Sorry, my English is not so good.",
)
_THANKS = ("Thank you for help.", "Please help me, thank you.", "Please tell me what I must do, thank you.")


def _non_native(job: _Job) -> str:
    """Articles and endings fall off, set phrases are put as another language would; an excuse at the start."""
    spans = _spans(job)
    text = _hide(job.plain, spans)
    text = _try_each(job, text, spans, (_swap(old, new) for old, new in _PHRASES))
    for article in list(re.finditer(r"\b(?:the|an|a) ", text))[::-1]:
        if job.rng.random() < 0.7:
            changed = text[: article.start()] + text[article.end() :]
            text = changed if job.keeps(_show(changed, spans)) else text
    for found in list(re.finditer(r"\b(\w{3,})(ed|s)\b", text))[::-1]:
        if job.rng.random() < 0.35 and found[0].casefold() not in _KEEP_SPELLED and not found[0].endswith("ss"):
            shorter = re.sub(r"([bdgmnpt])\1$", r"\1", found[1])
            shorter += "e" if found[2] == "ed" and found[1][-1] in "vgcz" else ""
            changed = text[: found.start()] + shorter + text[found.end() :]
            text = changed if job.keeps(_show(changed, spans)) else text
    text = _show(text, spans)
    greeting, rest = _parted(text)
    for excuse in job.rng.sample(_EXCUSES, len(_EXCUSES)):
        longer = _greeted(greeting, excuse, rest)
        if job.keeps(longer):
            text = longer
            break
    for thanks in job.rng.sample(_THANKS, len(_THANKS)):
        if job.keeps(f"{text} {thanks}"):
            return f"{text} {thanks}"
    return text


_TERMS = {
    "motor": ("car warranty", "vehicle guarantee", "breakdown cover", "auto protection plan"),
    "home": ("property insurance", "house guarantee", "home warranty", "building protection plan"),
    "property": ("house insurance", "travel insurance", "warranty", "gadget guarantee"),
}
"""Group of the class -> what people call the product and what it is not called."""
_PRODUCT = re.compile(
    r"\b(?:my |our )?(?:(?:car|motor|home|house|household|contents|buildings?|property|gadget) )?(?:insurance|policy|cover)\b",
    re.I,
)


def _article(term: str) -> str:
    """Nothing before insurance and cover, which nobody counts."""
    return "" if term.endswith(("insurance", "cover")) else "an " if term[0] in "aeiou" else "a "


def _renamed(term: str, found: re.Match[str]) -> str:
    return f"my {term}" if found[0].casefold().startswith(("my ", "our ")) else term


def _wrong_product_term(job: _Job) -> str:
    """The product goes by a wrong name; where the plain wording names none, the wrong one is added."""
    for term in job.rng.sample(_TERMS[job.group], len(_TERMS[job.group])):
        if _PRODUCT.search(job.plain):
            text = _PRODUCT.sub(partial(_renamed, term), job.plain)
        else:
            say = job.rng.choice(
                [
                    f"I want to claim on my {term}.",
                    f"This is about my {term}.",
                    f"I have {_article(term)}{term} with you.",
                ]
            )
            greeting, rest = _parted(job.plain)
            text = _greeted(greeting, say, rest)
        if job.keeps(text):
            return text
    return job.plain


_RULES: dict[OpeningStyle, Callable[[_Job], str]] = {
    "many_facts": _many_facts,
    "emotional": _emotional,
    "typos": _typos,
    "non_native": _non_native,
    "wrong_product_term": _wrong_product_term,
}


def draft_opening(
    facts: Facts,
    plain: str,
    style: OpeningStyle,
    group: str,
    rng_seed: int = 0,
    labels: Iterable[str] = (),
    wording: Iterable[str] = (),
) -> Draft:
    """The plain opening in `style`; the same arguments give the same draft.

    Args:
        facts: the customer's.
        group: motor, home or property.
        labels: what the customer calls their files.
        wording: words that the author has judged to carry no fact.
    """
    styled = facts.model_copy(update={"opening_style": style})
    job = _Job(styled, plain, list(labels), list(wording), group, random.Random(f"{style} {rng_seed} {plain}"))  # noqa: S311
    text = _RULES[style](job)
    return Draft(style, text, job.moved(text))


def draft_openings(folder: Path, styles: Iterable[str] = DRAFTED, rng_seed: int = 0) -> list[Draft]:
    """Drafts for a package, from the plain wording in its provenance.

    Raises:
        InputError: there is no such style, or the plain wording is not written yet.
    """
    visible = read_visible(folder)
    provenance = read_provenance(folder)
    if BRACKET in provenance.plain_opening:
        raise InputError(f"{folder.name}/{PROVENANCE}: plain_opening", "is not written yet")
    labels = [m.visible.label for m in visible.materials.materials]
    group = read_labels(folder).scenario_class.split(".")[0]
    drafts = []
    for style in styles:
        known = next((s for s in DRAFTED if s == style), None)
        if known is None:
            raise InputError("--style", f"there is no style {style} to draft; there are {', '.join(DRAFTED)}")
        drafts.append(
            draft_opening(visible.facts, provenance.plain_opening, known, group, rng_seed, labels, provenance.wording)
        )
    return drafts


def write_opening(folder: Path, draft: Draft) -> list[str]:
    """Makes the draft the package's first message and its style; the files written, which a draft's manifest then knows.

    Raises:
        InputError: a fact has moved, or the draft is the plain wording; nothing is written.
        Refused: the package belongs to a frozen corpus.
    """
    root = folder.parent.parent
    if (root / MANIFEST).is_file() and read_manifest(root).frozen:
        raise Refused(f"{root.name} is frozen; a changed opening is a correction (rig corpus correct)")
    shown = f"{folder.name}/{INITIAL_MESSAGE}"
    if draft.problems:
        raise InputError(shown, f"the draft {draft.problems[0].what}; nothing was written")
    if draft.text == read_provenance(folder).plain_opening:
        raise InputError(shown, f"no rule of {draft.style} fits the plain wording; write it by hand")
    facts = json.loads((folder / FACTS).read_bytes())
    facts["opening_style"] = draft.style
    write_atomically(folder / INITIAL_MESSAGE, (draft.text + "\n").encode("utf-8"))
    write_atomically(folder / FACTS, json_bytes(facts))
    if (root / MANIFEST).is_file():
        take_in(root, folder, (INITIAL_MESSAGE, FACTS))
    return [INITIAL_MESSAGE, FACTS]


__all__ = ["DRAFTED", "OPENING_STYLES", "Draft", "draft_opening", "draft_openings", "write_opening"]
