"""Words that no customer writes to a company: another speaker's, and what is thought, played or staged beside a message."""

import re

from harness.schema.wording import fold

_COMPANY = re.compile(
    r"\b(as an ai\b|language model|i am an assistant|i'm an assistant|virtual assistant|how (can|may) i (help|assist)|can i help you"
    r"|i'?m here to (help|assist)|we will (process|review) your claim|thank you for (contacting|reporting)|your claim has been"
    r"|anything else (that )?(i|we) (can|could|may) (do|help|assist)"
    r"|let (me|us) know if (you need|you require|you want|there('s| is)) anything (else|further|more)(?! from (me|us)\b)"
    r"|(please )?(feel free|do not hesitate|don't hesitate) to (ask|contact|reach out)\b(?! (to )?me\b)"
    r"|i('m| am|'d be| would be) (happy|glad) to (assist|help you))"
)
_SPEAKER = re.compile(
    r"[\s>#*_\[(【]*(assistant|agent|customer|claimant|user|system|客户|客服|助手|用户|系统)\b[\s\])】*_]*:",
    re.IGNORECASE,
)
_REASONING = re.compile(
    r"(<think|</think|</?(internal|reasoning|analysis|scratchpad|reflection|inner|thoughts?)\b"
    r"|as the (user|customer),? i (should|need|must|will)|the user (wants|asks|is)|i should (say|answer|respond|not)"
    r"|\bas (a|an|the) (\w+ )?(user|customer|claimant|policy ?holder),? i(('d|'ll)| would| will| should| can| could| might| must| need to| have to) "
    r"(now |then |simply |just )?(say|answer|respond|reply|state|write|tell)\b"
    r"|\bthe (simulated )?(customer|claimant|user)('s (answer|reply|response|message)\b| (would|should|might|could) (say|answer|respond|reply)\b)"
    r"|\b(stay|remain|staying|remaining) in character\b|\b(my|the) (persona|role-?play)\b|作为(一[名个位])?(客户|顾客|用户)[,，]?我(会|应该|要)(说|回答|回复)"
    r"|my (instructions|prompt|facts)\b|your facts\b|according to (my|the) (facts|rules)|asked_unknown|json\b|\{\s*\")"
)
_OPEN, _CLOSE = r"[(\[【<{]", r"[)\]】>}]"
_INWARD = (
    r"internal(ly)?|inner|thinking|thinks?|thoughts?|ponder(s|ing)|muses|musing|reasoning|analysis|monologue|note to self|aside"
    r"|out of character|ooc|in character|stage directions?|scratchpad"
)
_ACTS = (
    r"sighs?|sighing|pauses?|pausing|nods|nodding|shrugs|shrugging|smiles|smiling|laughs|laughing|frowns|frowning|hesitates|hesitating"
    r"|checks|looks|types|typing|reads|scrolls|waits|waiting|uploads|uploading|attaches|attaching|presses|clicks|clears|scratches"
)
_MORE = r"( (to (my|him|her|them)sel(f|ves)|aloud|out loud|quietly|silently|hard|deeply|for a (moment|second|while)|monologue|voice|thoughts?|notes?|reasoning|process|speech))*"
_START = r"(^|[.!?。！？…:]\s*)"
_ENDS = rf"\s*({_CLOSE}|[*_:]|\.\.|…|-|$)"
_STAGED = re.compile(
    rf"({_OPEN}\s*(?!(internal(ly)?|inner)\s*\))({_INWARD}|{_ACTS}){_MORE}{_ENDS}"
    rf"|{_START}\(\s*internal(ly)?\s*\)"
    rf"|[\[【]\s*({_INWARD})\b(?! (damage|parts?|doors?|walls?|wiring|panels?|lining|trim))"
    rf"|{_OPEN}\s*({_ACTS}) (the|a|an|my|his|her|their|at|through|over|into|in|out|off|on)\b[^()\[\]【】]*{_CLOSE}"
    rf"|{_START}[*_]{{1,3}}({_INWARD}|{_ACTS})(?![^\W_])[^*]*[*_]"
    rf"|[*_]({_INWARD}|{_ACTS}){_MORE}[*_]\s*$"
    rf"|({_OPEN}|[*_])\s*(在?思考|内心|心想|心里想|旁白|独白|沉思|想了想|叹了?口?气|内部(思考|想法|独白)|suy nghĩ|nghĩ thầm|nội tâm|thở dài))"
)


def speaks_as_another(text: str) -> bool:
    """The company's or an assistant's set phrases, or a line that begins with a speaker's label."""
    return bool(_COMPANY.search(fold(text))) or any(_SPEAKER.match(fold(line)) for line in text.splitlines())


def thinks_aloud(text: str) -> bool:
    """Reasoning, instructions, talk of the part that is played, or stage directions beside what is said.

    A person's own brackets and stressed words ("The car (a Farrow) …", "I *never* said so") are none of it; "(internal)"
    behind a noun is a place, at the head of a sentence a thought.
    """
    flat = fold(text)
    return bool(_REASONING.search(flat) or _STAGED.search(flat))
