"""Internal codes on a screen: what a programmer wrote for a machine, or a program left unfilled."""

import re
from collections.abc import Iterator

from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.shown import first_shown, piece
from oracle_scoring.compare import contains_words
from oracle_scoring.lines import EVENTS, Head, at_event, in_file, line, listed

_PLAIN = re.compile(
    r"(?:https?://|www\.)\S+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w()-])[\w()-]+(?: ?\(\d+\))?\.(?:jpe?g|png|gif|webp|heic|pdf|docx?|xlsx?|txt|csv|mp4|mov|zip)\b",
    re.IGNORECASE,
)
"""Addresses and names of files: written as they are."""
_ZERO_IN = frozenset({"de", "da", "nb", "nn", "no", "sv"})
"""Languages in which "null" is a number."""

CODES: dict[str, re.Pattern[str]] = {
    "a field's or reason's code": re.compile(
        r"(?<![\w@#/.-])(?:[A-Za-z]\w*\.)*_?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b"
    ),
    "an unfilled template": re.compile(
        r"\{\{[^{}\n]*\}\}|\{%[^%\n]*%\}|\$\{[^{}\n]*\}|<%[^%\n]*%>|\{[A-Za-z_][\w.]*\}|%\([A-Za-z_]\w*\)[sd]"
        r"|\[(?:insert |your |customer(?:'s)? |claimant(?:'s)? |claim |case |policy |company |agent(?:'s)? |first |last )"
        r"[\w '/-]{0,30}\](?!\()",
        re.IGNORECASE,
    ),
    "an object in its raw form": re.compile(r"\[object \w+\]|<(?:\w+\.)*\w+ object at 0x[0-9a-f]+>"),
    "an empty value": re.compile(r"\bundefined\b(?! [a-z])|\bNaN\b|\bNoneType\b"),
    "data in the form of machines": re.compile(
        r"\{\s*(?:\"[\w .-]+\"|'[\w .-]+')\s*:|\[\s*\{\s*[\"']|&(?:nbsp|amp|lt|gt|quot|#\d{1,5}|#x[0-9a-f]{1,5});"
        r"|</?(?:div|span|p|br|b|i|strong|em|ul|ol|li|a|h[1-6]|script|table|tr|td|button)(?: [^<>\n]*)?/?>",
        re.IGNORECASE,
    ),
    "a program's error": re.compile(
        r"Traceback \(most recent call last\)|\bFile \"[^\"\n]+\", line \d+|^[ \t]*at [\w.$<>]+ ?\(.*:\d+(?::\d+)?\)"
        r"|\b[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Error|Exception)\b|\b(?:java|org|com)\.\w+\.\w+|\bE(?:CONNREFUSED|TIMEDOUT|CONNRESET)\b",
        re.MULTILINE,
    ),
    "a bare identifier": re.compile(
        r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
        r"|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)(?:[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\b",
        re.IGNORECASE,
    ),
}
"""What it is -> how it looks."""
_NULL = re.compile(r"\bnull\b(?! (?:and|&|or) void)(?! hypothesis)")


def code_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.internal_codes`."""
    return [_internal_codes(ctx)]


def codes_in(text: str, language: str = "en-GB") -> Iterator[tuple[str, re.Match[str]]]:
    """What no person wrote for a person, and where it stands; addresses and file names are left out.

    A row of a table gives a word of its own: "None" and "Not known" are words.
    """
    bare = _PLAIN.sub(lambda m: " " * len(m.group()), text)
    for what, pattern in CODES.items():
        yield from ((what, match) for match in pattern.finditer(bare))
    if language.split("-")[0] not in _ZERO_IN:
        yield from (("an empty value", match) for match in _NULL.finditer(bare))


def _internal_codes(ctx: Context) -> ScoreLine:
    head = Head("journey.internal_codes", "journey", "No internal code on a screen")
    if not ctx.screens:
        return line(head, "not_checked", "no screen was recorded", [in_file(EVENTS)])
    numbers = [case.number for case in ctx.record.state.cases if case.number] if ctx.record.state else []
    own = "\n".join([*ctx.own_texts, *numbers])
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for shown in first_shown(ctx):
        for what, match in codes_in(shown.text, ctx.visible.facts.persona.language):
            if not contains_words(own, match.group()):
                place = (shown.n, piece(shown.text, *match.span()))
                found.setdefault((what, match.group().strip()), place)
    if found:
        said = listed(f"{what} (“{text[:60]}”)" for what, text in found)
        evidence = [at_event(n, quote) for n, quote in found.values()]
        return line(head, "fail", f"on a screen: {said}", evidence, expected="0", got=str(len(found)))
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so a code may not have been seen"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected="0")
    return line(head, "pass", f"none on {len(ctx.screens)} screens", [in_file(EVENTS)], expected="0", got="0")
