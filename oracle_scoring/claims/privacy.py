"""Identifying values on a screen that are somebody else's."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from harness.schema.product import CaseState
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.shown import first_shown, piece
from oracle_scoring.compare import fold_phone, fold_plate, fold_text
from oracle_scoring.lines import EVENTS, Head, at_event, in_file, line, listed

WRONG_CHARACTERS = {"plate": 2, "phone number": 1, "reference": 1}
"""With at most so many wrong characters a value of the customer's is theirs, written down wrongly, which is judged where the
fact is. Claim and policy numbers are given in sequence: one other digit is another person."""
SAME_ADDRESS = 0.9
"""The same of e-mail addresses, as a share of equal characters."""
_ROLES = re.compile(
    r"(?:claims?|info|support|help|service|contact|hello|team|no-?reply|donotreply|privacy|complaints?|office|kundenservice"
    r"|customer\W?(?:care|service|support)|enquiries|dpo|lienhe|hotro|kefu)\b",
    re.IGNORECASE,
)
"""Local parts of addresses that belong to an office, not to a person."""
_VALUES: dict[str, re.Pattern[str]] = {
    "e-mail address": re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    # British since 2001, mainland Chinese, Vietnamese; others look like ordinary words and figures
    "plate": re.compile(
        r"\b[A-Z]{2}\d{2} ?[A-Z]{3}\b|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• ]?[A-Z0-9]{5,6}\b"
        r"|\b\d{2}[A-Z]\d?[- ]\d{3}\.?\d{2}\b"
    ),
    # personal numbers only: British, Chinese and Vietnamese mobiles; a landline or free number may be an office's
    "phone number": re.compile(
        r"(?<![\w+])(?:(?:\+44 ?|0044 ?|0)7\d{3}(?: ?\d){6}|(?:\+86 ?)?1[3-9]\d(?: ?\d{4}){2}|(?:\+84 ?|0)[35789]\d(?: ?\d){7})(?!\w)"
    ),
    "number": re.compile(
        r"\b(?!(?:ISO|IEC|DIN|EN|BS|FCA|FRN|VAT)-)(?=[A-Z-]{0,14}(?:\d[A-Z-]{0,7}){5})[A-Z]{2,6}-(?:[A-Z0-9]{1,6}-){0,2}\d{4,}\b"
    ),
    "reference": re.compile(r"\b[A-Z]{1,4}/\d{3,}(?:/\d{2,4})?\b"),
}
BEFORE = 60
"""So many characters before a value are looked at for whose it is."""
_OURS = re.compile(
    r"\b(us|our)\b[^.!?\n]{0,40}$|(我们|本公司|客服)[^。！？\n]{0,20}$|chúng tôi[^.!?\n]{0,40}$", re.IGNORECASE
)
"""What stands before an address or number by which the insurer itself is reached."""
_EXAMPLE = re.compile(
    r"(?:\be\.? ?g\.?|\bfor (?:example|instance)|\bsuch as|\bin the (?:form|format)(?: of)?|\bformat|\bexample"
    r"|例如|比如|格式|\bví dụ|\bchẳng hạn)(?: như)?[ :：,，]{0,3}[(“\"'‘]?$",
    re.IGNORECASE,
)
"""What stands before a value that shows how one is written."""
_NAME = r"[A-Z][\w'’-]+(?: (?:[A-Z][\w'’-]*|de|van|von|bin|al|da|di|du|la|le))*"
_GREETED = re.compile(
    rf"\b(?:[Dd]ear|[Hh]ello|[Hh]i|[Ww]elcome(?: back)?|[Gg]ood (?:morning|afternoon|evening)),? "
    rf"(?P<title>(?:Mr|Mrs|Ms|Miss|Dr|Mx)\.? )?(?P<name>{_NAME})"
)
_LABELLED = re.compile(
    rf"(?im)^(?:(?:(?:your |full |customer(?:'s)? |claimant(?:'s)? )?name|policy ?holder)(?: *: *|\n)"
    rf"|(?:insured(?: person)?|customer|claimant) *: *)(?P<name>(?-i:{_NAME}))$"
)
_CHINESE_NAME = re.compile(r"(?:姓名|投保人|被保险人|客户)\s*[:：\n]\s*(?P<name>[\u4e00-\u9fff·]{2,8})$", re.MULTILINE)
_NOBODY = frozenset(
    [
        "customer",
        "policyholder",
        "policy",
        "holder",
        "sir",
        "madam",
        "team",
        "there",
        "everyone",
        "all",
        "valued",
        "claimant",
        "member",
        "friend",
        "guest",
        "you",
        "user",
        "not",
        "known",
        "unknown",
        "none",
        "given",
        "provided",
        "confirmed",
    ]
)


class Value(NamedTuple):
    """An identifying value and where it stands in its text."""

    kind: str
    text: str
    start: int
    end: int


def values_in(text: str) -> Iterator[Value]:
    """Identifying values of a text: e-mail addresses, plates, mobile numbers, claim and policy numbers, names of persons.

    A name counts where the text says that it is one: in a greeting (two names, or one with a title) or beside a label.
    """
    for kind, pattern in _VALUES.items():
        for match in pattern.finditer(text):
            if kind == "e-mail address" and _ROLES.match(match.group()):
                continue
            before = text[max(0, match.start() - BEFORE) : match.start()]
            if _EXAMPLE.search(before) or (kind in ("e-mail address", "phone number") and _OURS.search(before)):
                continue
            yield Value(kind, match.group(), *match.span())
    for match in _GREETED.finditer(text):
        if match["title"] or " " in match["name"]:
            yield Value("name", match["name"], *match.span("name"))
    for pattern in (_LABELLED, _CHINESE_NAME):
        for match in pattern.finditer(text):
            yield Value("name", match["name"], *match.span("name"))


def _folded(kind: str, text: str) -> str:
    if kind == "phone number":
        return fold_phone(text)
    if kind in ("plate", "number", "reference"):
        return re.sub(r"[\s./·•-]", "", fold_plate(text))
    return fold_text(text)


def _alike(kind: str, one: str, other: str) -> bool:
    """The same value, one of them written down wrongly: wrong characters, two that changed places, one too many or few."""
    if kind == "e-mail address":
        return SequenceMatcher(None, one, other, autojunk=False).ratio() >= SAME_ADDRESS
    if kind not in WRONG_CHARACTERS:
        return False
    if len(one) != len(other):
        long, short = (one, other) if len(one) > len(other) else (other, one)
        return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
    wrong = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    swapped = len(wrong) == 2 and wrong[0] == wrong[1][::-1]
    return swapped or len(wrong) <= WRONG_CHARACTERS[kind]


class _Own:
    """What may be shown: the customer's values, those of this claim, and those the product stores as this claim's."""

    def __init__(self, ctx: Context) -> None:
        held = [f.value for case in _cases(ctx) for f in case.facts.values()]
        numbers = [case.number for case in _cases(ctx) if case.number]
        texts = [*ctx.own_texts, *held, *numbers, *(s.screen.final or "" for s in ctx.screens)]
        # what the product calls this claim's number is judged by its own line
        texts += [m.group() for s in ctx.talk.spoken for m in _THIS_CLAIM.finditer(s.text)]
        self._text = fold_text("\n".join(texts))
        self._plates = re.sub(r"[\s./·•-]", "", fold_plate("\n".join(texts)))
        self._phones = fold_phone("".join(texts).replace("\n", " "))
        self._values: dict[str, set[str]] = {kind: set() for kind in _KINDS}
        for value in (v for text in texts for v in values_in(text)):
            self._values[value.kind].add(_folded(value.kind, value.text))
        self._words = {w for w in re.findall(r"\w+", self._text) if len(w) > 1}

    def has(self, value: Value) -> bool:
        """It is one of theirs, or one of theirs written down wrongly."""
        folded = _folded(value.kind, value.text)
        if value.kind == "name":
            words = set(re.findall(r"\w+", folded)) - _NOBODY
            return not words or bool(words & self._words) or folded in self._text
        if value.kind == "phone number" and (folded in self._phones or folded.replace("+44", "0") in self._phones):
            return True
        if folded in (self._text if value.kind == "e-mail address" else self._plates):
            return True
        return any(_alike(value.kind, folded, own) for own in self._values[value.kind])


_KINDS = (*_VALUES, "name")
_THIS_CLAIM = re.compile(
    r"(?i)\b(?:your|the|this) (?:new )?(?:case|claim|reference)(?: reference)?(?: number| no\.?| id)?(?: is|:)? *\S+"
    r"|(?:案件|理赔|报案)(?:编)?号(?:码)?(?:是|为|[:：])?\s*\S+|(?:mã|số) hồ sơ[^.\n]{0,20}(?:là|:)\s*\S+"
)


def _cases(ctx: Context) -> list[CaseState]:
    return ctx.record.state.cases if ctx.record.state else []


def privacy_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.foreign_data`."""
    return [_foreign_data(ctx)]


def _foreign_data(ctx: Context) -> ScoreLine:
    head = Head("journey.foreign_data", "journey", "Nothing of somebody else on a screen")
    if not ctx.screens:
        return line(head, "not_checked", "no screen was recorded", [in_file(EVENTS)])
    own = _Own(ctx)
    found: dict[tuple[str, str], tuple[int, str]] = {}
    hinted: dict[tuple[str, str], tuple[int, str]] = {}
    hints = {c.placeholder for seen in ctx.screens for c in seen.screen.controls if c.placeholder}
    for shown in first_shown(ctx):
        into = hinted if shown.text in hints else found
        for value in values_in(shown.text):
            if not own.has(value):
                into.setdefault((value.kind, value.text), (shown.n, piece(shown.text, value.start, value.end)))
    if found:
        if ctx.no_state:
            why = f"{_said(found)} may be this claim's own: {ctx.no_state}"
            return line(head, "not_checked", why, [at_event(n, quote) for n, quote in found.values()])
        why = f"neither this customer's nor this claim's: {_said(found)}"
        evidence = [at_event(n, quote) for n, quote in found.values()]
        return line(head, "fail", why, evidence, expected="0", got=str(len(found)))
    if hinted:
        why = f"a person has to say whether the hint in an empty field is only an example: {_said(hinted)}"
        evidence = [at_event(n, quote) for n, quote in hinted.values()]
        return line(head, "needs_human", why, evidence, referee="human", expected="0")
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so a value may not have been seen"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected="0")
    why = "every plate, number, address and name shown is this customer's, this claim's or the insurer's"
    return line(head, "pass", why, [in_file(EVENTS)], expected="0", got="0")


def _said(found: dict[tuple[str, str], tuple[int, str]]) -> str:
    return listed(f"{kind} {text}" for kind, text in found)
