"""Codes, plans and outcomes of the rig's own that a customer's words, labels and file names must not hold."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.corpus.rules import LEVELS

RIG_WORDS = (
    "oracle", "canary", "evidence_kind", "review_required", "innocent_control", "not_checked", "not_applicable",
    "no_signal", "one_weak_signal", "look_alike", "fraud", "triage", "scenario_class", "provenance",
)  # fmt: skip
"""Words of the rig's own that no customer's label or file carries."""
PLAN_PHRASES = (
    "oracle", "alert", "alerts", "must not alert", "review required", "review check", "review checks", "innocent control", "look alike",
    "lookalike", "one weak signal", "scenario class", "evidence kind", "triage level", "triage reason",
)  # fmt: skip
"""What authors and judges say of a package among themselves; a customer says it in other words, wherever it is."""
OUTCOME_WORDS = frozenset(
    {"hit", "clear", "weak", "strong", "signal", "innocent", "suspicious", "guilty", "genuine", "fake", "control", "flagged", "unflagged"}
)  # fmt: skip
"""Ordinary words in a sentence; a file that is called so and nothing else is called by the answer."""
LONG_SECRET = 9
"""A code of two words or more and so many letters is found in a file name without the gaps, too."""
_EVENT = r"(?:the|my|our|this|any) (?:accident|incident|damage|loss|theft|burglary|break in|storm|hail|crash|collision|leak|fire|flood)"
_PLANS = tuple(
    re.compile(rf"\b(?:{pattern})\b")
    for pattern in (
        r"(?:weak|strong) (?:hits|signals)",
        r"(?:one|two|three|both|single|\d) (?:weak|strong) (?:hits?|signals?)",
        r"human (?:look|review)",
        r"(?:will|would|must|should|shall|may|might|can|could|to|not|never|gets?) (?:not )?(?:be )?flagged(?! (?:\w+ )?down\b)",
        r"flagged (?:up )?(?:because|for (?:a )?review|as (?:suspicious|fraud|urgent))",
        r"(?<!in )(?<!to )(?<!at )(?<!through )triage(?! (?:nurses?|desk|room|area|unit|ward|doctor|at|in)\b)",
        r"triaged as (?:urgent|complex|standard|simple)",
        r"(?:suspicious|innocent|fraudulent) (?:\w+ )?(?:quote|receipt|invoice|claim|bill|estimate|document|explanation)s?",
    )
)
"""What authors and judges say of a package, in words joined by single blanks; "flagged down", a triage nurse and a suspicious
man are nobody's plan."""
_PERSONA_PLANS = tuple(
    re.compile(rf"\b(?:{pattern})\b")
    for pattern in (
        r"(?:weak|strong) (?:hit|signal)",
        r"flagged",
        r"triaged?",
        r"(?:an|any|no|the|to|must|should|not) alert",
    )
)
"""The same of mood and manner, which nobody says and which are about a person only."""
_FILE_PLANS = tuple(
    re.compile(rf"\b(?:{pattern})\b")
    for pattern in (
        rf"(?:quotes?|quotation|estimate)(?: \w+){{0,4}}? (?:before|prior to|older than|earlier than) {_EVENT}",
        rf"receipts? (?:dated |from )(?:\w+ )?(?:after|later than) {_EVENT}",
        rf"dated (?:\w+ )?(?:before|after|prior to) {_EVENT}",
        r"(?:date|day)(?: \w+){0,3}? (?:cannot|can not|can t|cant|could not|couldn t|not) be read",
        r"(?:unreadable|illegible|missing) (?:date|day)",
        r"(?:date|day) (?:(?:that |which )?is )?(?:unreadable|illegible|missing)",
    )
)
"""The same of labels, file names and promises: whoever holds a file says what it is, not how it compares."""
ID_WORDS = frozenset(
    {"flagged", "unflagged", "triage", "suspicious", "innocent", "fraud", "oracle", "canary", "alert", "alerts"}
)  # fmt: skip
"""Words that no id of a fact, an unknown thing or a wish has; the customer's model reads ids."""
_ID_PHRASES = (
    *PLAN_PHRASES, *CHECKS, "review hit", "weak hit", "weak hits", "strong hit", "strong hits", "weak signal", "strong signal", "not checked", "no signal",
)  # fmt: skip
SPELLED = re.compile(r"(?<!\w)(?:\w[ .*_-]){3,}\w(?!\w)")
"""Letters one by one: "u r g e n t"."""
_WORD = re.compile(r"[^\W_]+")
SHORT_HIDDEN = 3
"""A hidden text of so many words or more is looked for as a whole, too, where nothing should stand."""


def words(text: str) -> list[str]:
    """Letters and digits in runs, lower case, full-width ones as plain ones; underscores, hyphens and dots part words."""
    return _WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())


@lru_cache(maxsize=4096)
def phrase_of(text: str) -> tuple[str, ...]:
    """The words of a code or phrase."""
    return tuple(words(text))


def holds(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand in `text` one after the other."""
    return stands_in(words(text), phrase_of(phrase))


def stands_in(there: list[str], wanted: tuple[str, ...]) -> bool:
    """Whether `wanted` stands among the words one after the other."""
    size = len(wanted)
    if size == 0 or wanted[0] not in there:
        return False
    return size == 1 or any(tuple(there[n : n + size]) == wanted for n in range(len(there) - size + 1))


def secret_words(package: Package) -> dict[str, str]:
    """Phrase -> what it is, for everything that must not stand in a label, a file name or metadata."""
    secrets = {word: "a word of the rig's" for word in (*RIG_WORDS, *PLAN_PHRASES)}
    secrets |= {check: "a review check" for check in CHECKS}
    secrets |= {reason: "a triage reason" for reasons in LEVELS.values() for reason in reasons}
    secrets |= {level: "a triage level" for level in LEVELS}
    secrets |= {assertion.id: "an assertion" for assertion in package.labels.assertions if "_" in assertion.id}
    secrets[package.labels.scenario_class] = "the scenario class"
    name = package.labels.scenario_class.partition(".")[2]
    if "_" in name:
        secrets[name] = "the scenario class"
    for material in package.visible.materials.materials:
        secrets[material.hidden.evidence_kind] = "an evidence kind"
    return secrets


def spelled_out(text: str, secrets: Mapping[str, str]) -> str | None:
    """A secret whose letters stand one by one, "u r g e n t"; None if there is none."""
    spelled = {"".join(words(found)) for found in SPELLED.findall(text)}
    return next((secret for secret in secrets if spelled and "".join(words(secret)) in spelled), None)


def named_by_answer(base: str, secrets: Mapping[str, str]) -> str | None:
    """What of the answers a file is named by, beside whole words of secrets; None if by nothing."""
    there = words(base)
    if {w for w in there if not w.isdigit()} and all(w.isdigit() or w in OUTCOME_WORDS for w in there):
        return f"{' '.join(there)}, an outcome"
    squeezed = "".join(there)
    for secret, what in secrets.items():
        phrase = phrase_of(secret)
        if (
            len(phrase) >= 2
            and len("".join(phrase)) >= LONG_SECRET
            and "".join(phrase) in squeezed
            and not stands_in(there, phrase)
        ):
            return f"{secret}, {what}"
    return None


def spoken(secrets: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Secrets that no sentence holds, and those that it holds only as two words.

    The first are plans, review checks and triage reasons of three words or more, however their words are parted. The second
    are codes of two ordinary words: "not drivable" may be said, "not-drivable" is the code. Levels and single words
    ("urgent", "clear", "weak") are ordinary and may be said.
    """
    plain = {s: w for s, w in secrets.items() if s in PLAN_PHRASES or w == "a review check"}
    plain |= {s: w for s, w in secrets.items() if w == "a triage reason" and len(words(s)) >= SHORT_HIDDEN}
    plain |= {
        s: w
        for s, w in secrets.items()
        if s in ("innocent_control", "one_weak_signal", "look_alike", "review_required")
    }
    joined = {s: w for s, w in secrets.items() if w in ("a triage reason", "a word of the rig's") and s.count("_") == 1}
    return plain, {s: w for s, w in joined.items() if s not in plain and s != "no_signal"}


def plan_in(text: str, field: str) -> str | None:
    """The words of a visible text that tell the plan rather than the story; None if there are none.

    Args:
        text: as the customer has it.
        field: where in its file it stands, "persona.mood" or "materials.0.visible.label".
    """
    rules = _PLANS
    place = field.rpartition(".")[2]
    if place in ("mood", "manner"):
        rules = (*_PLANS, *_PERSONA_PLANS)
    elif place in ("label", "file", "promise"):
        rules = (*_PLANS, *_FILE_PLANS)
    said = " ".join(words(text))
    return next((found[0] for rule in rules if (found := rule.search(said))), None)


def plan_in_id(name: str) -> str | None:
    """The word or phrase of the plan by which a fact is called; None if it is called by what it is about."""
    there = words(name)
    if found := next((w for w in there if w in ID_WORDS), None):
        return found
    return next((phrase for phrase in _ID_PHRASES if stands_in(there, phrase_of(phrase))), None)
