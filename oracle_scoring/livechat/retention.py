"""Retention: does the answer keep the viewer, or move him to act. Rules know the acts and what sends a viewer away."""

from oracle_scoring.livechat.correctness import LAZY_CAP, Work
from oracle_scoring.livechat.found import Found, Signals
from oracle_scoring.livechat.text import snippet
from oracle_scoring.livechat.words import Words

TAGS = ("[interaction]", "[conversion]", "[both]", "[neither]")
_LONGEST_NOTHING = 40


def says_nothing(low: str, words: Words) -> bool:
    """Whether the whole answer is an empty phrase."""
    return len(low) <= _LONGEST_NOTHING and words["nothing"].fullmatch(low) is not None


def retention(answer: str, low: str, words: Words, work: Work, empty_phrase: bool) -> Found:
    """The score of the answer; its reason begins with the tag of what was seen."""
    signals: Signals = {}
    for name in ("action", "address", "resonance", "particles"):
        if hit := words[name].search(low):
            signals[name] = (
                answer[hit.start() : hit.end()].strip("，。！？,.!?、~～ \n\t　") or answer[hit.start() : hit.end()]
            )
    acts, warm = "action" in signals, "address" in signals or "resonance" in signals
    tag = TAGS[2] if acts and warm else TAGS[1] if acts else TAGS[0] if warm else TAGS[3]
    cap = LAZY_CAP if work.lazy else 5
    if work.lazy:
        signals["lazy"] = work.lazy
        if work.lazy_alone and not acts:
            return Found(1, work.lazy, f"{tag} the viewer is sent away to look for it", cap, signals)
        if acts:
            return Found(2, work.lazy, f"{tag} lazy: sent to look, with the product beside it", cap, signals)
        return Found(None, "", f"{tag} sends the viewer to look (“{work.lazy}”), and says more", cap, signals)
    if empty_phrase:
        return Found(1, snippet(answer), f"{tag} says nothing that would keep anybody", cap, signals)
    if not acts and len(low) <= _LONGEST_NOTHING and words["shop"].fullmatch(low):
        return Found(3, snippet(answer), f"{tag} a stock invitation without any step to take", cap, signals)
    if acts and not warm and "particles" not in signals:
        return Found(4, str(signals["action"]), f"{tag} a clear step to take, and nothing warm around it", cap, signals)
    return Found(None, "", f"{tag} how warm it sounds is not for rules to say", cap, signals)
