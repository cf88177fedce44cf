"""Necessity: is the query worth an answer. Rules know malice, flood, vague words, and clear questions of the business."""

from oracle_scoring.livechat.found import Found, Signals
from oracle_scoring.livechat.text import snippet
from oracle_scoring.livechat.words import Words

_LONGEST_CHATTER = 1000
"""Characters of a query that may be flood or a vague word as a whole."""


def necessity(query: str, low: str, words: Words) -> Found:
    """The score of the query; `low` is the query folded."""
    if not low.strip():
        return Found(None, "", "the query is empty", 5, {})
    if hit := words["script"].search(low):
        quote = query[hit.start() : hit.end()]
        return Found(1, quote, "a disguised word of scripts and touts", 5, {"script": quote})
    signals: Signals = {}
    asked = words["asks"].search(low)
    if asked is None and words["question"].search(low):
        asked = words["topics"].search(low)
    if asked:
        signals["asks"] = query[asked.start() : asked.end()]
    for name, reason in (("insult", "an insult"), ("provoke", "sets people against each other")):
        if hit := words[name].search(low):
            quote = signals[name] = query[hit.start() : hit.end()]
            if asked:
                return Found(None, "", f"{reason} beside a question of the business", 5, signals)
            return Found(1, quote, reason, 5, signals)
    if len(low) <= _LONGEST_CHATTER:
        if not any(c.isalnum() for c in low) or words["flood"].fullmatch(low):
            return Found(
                2, snippet(query), "flood without harm: greeting, praise, figures, emoji", 5, {"flood": snippet(query)}
            )
        if words["vague"].fullmatch(low):
            return Found(
                3,
                snippet(query),
                "a vague word or a figure that hangs on what went before",
                5,
                {"vague": snippet(query)},
            )
    if asked:
        return Found(5, str(signals["asks"]), "a clear question about product or business", 5, signals)
    if hit := words["edge"].search(low):
        quote = signals["edge"] = query[hit.start() : hit.end()]
        return Found(4, quote, "at the edge of the business, or a question to the host", 5, signals)
    return Found(None, "", "no known wording: talk, flood or question", 5, signals)
