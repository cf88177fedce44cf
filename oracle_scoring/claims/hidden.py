"""Text in the product's pages that instructs whoever reads them by machine, and that no person could see.

Looked at are the bodies of documents and data that the browser fetched. A sentence that stood on a screen is not hidden,
and what the customer wrote is not the product's.
"""

from html.parser import HTMLParser

from harness.schema import wording
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.bodies import BODIES, body_of, holds_text, parsed, rows_of
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.shown import in_network, texts_of
from oracle_scoring.claims.words import pattern
from oracle_scoring.corpus.unwritten import texts_in
from oracle_scoring.lines import NETWORK, Head, in_file, line, listed

SHOWN_SHARE = 60
"""Of a sentence so many characters are looked up on the screens; the rest may have been cut there."""


class _Texts(HTMLParser):
    """Every text of a page: between tags, in comments, and in attributes that hold words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Attributes; script and style hold no text."""
        if tag in ("script", "style"):
            self._code += 1
        self.found += [value for _, value in attrs if value and " " in value.strip()]

    def handle_endtag(self, tag: str) -> None:
        """The end of script or style."""
        if tag in ("script", "style") and self._code:
            self._code -= 1

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if not self._code:
            self.found.append(data)

    def handle_comment(self, data: str) -> None:
        """A comment is text that nobody sees."""
        self.found.append(data)


def page_texts(body: str) -> list[str]:
    """All texts of one body: of HTML, of JSON or lines of it (texts in it may be HTML), or the body itself."""
    values = list(parsed([body.strip()])) or list(parsed(rows_of(body)))
    texts = [text for value in values for text in texts_in(value)] if values else [body]
    found: list[str] = []
    for text in texts:
        found += _of_html(text) if "<" in text else [text]
    return [text for text in found if text.strip()]


def _of_html(text: str) -> list[str]:
    parser = _Texts()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:  # a declaration that no parser knows: what was read so far, and the whole as it stands
        return [*parser.found, text]
    return parser.found


def hidden_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.hidden_instructions`."""
    return [_hidden_instructions(ctx)]


def _places(ctx: Context, index: int, sentence: str) -> list[Evidence]:
    """The body that holds the sentence, its line in the log, and the turn it came in."""
    body = (ctx.record.network or ())[index].response_body
    return [in_file(f"{BODIES}/{body}", None, sentence), *in_network(ctx, index, "response_body", None)]


def _was_shown(flat: str, shown: str) -> bool:
    """The sentence, or what follows a speaker's name and a colon, stood on a screen or is the customer's own."""
    rest = flat.partition(":")[2].strip()
    return flat[:SHOWN_SHARE] in shown or (bool(rest) and rest[:SHOWN_SHARE] in shown)


def _hidden_instructions(ctx: Context) -> ScoreLine:
    head = Head("journey.hidden_instructions", "journey", "No hidden text that instructs the reader")
    network = ctx.record.network
    if network is None:
        return line(head, "not_checked", "network.jsonl was not recorded", [in_file(NETWORK)])
    if not ctx.screens:
        return line(head, "not_checked", "no screen was recorded", [in_file(NETWORK)])
    shown = wording.fold("\n".join(t.text for seen in ctx.screens for t in texts_of(seen))) + "\n" + ctx.own_flat
    found: dict[str, int] = {}
    lost: list[int] = []
    read = 0
    for index, item in enumerate(network):
        if not holds_text(item):
            continue
        if item.response_body is None:
            if item.status is not None and item.status < 300 and item.status != 204 and item.body_note:
                lost.append(index)
            continue
        body = body_of(ctx.record, item)
        if body is None:
            lost.append(index)
            continue
        read += 1
        for text in page_texts(body):
            for sentence in wording.sentences(text):
                flat = wording.fold(sentence)
                if pattern("reader_instructions").search(flat) and not _was_shown(flat, shown):
                    found.setdefault(sentence, index)
    if found:
        said = listed(f"“{sentence[:120]}”" for sentence in found)
        evidence = [place for sentence, index in found.items() for place in _places(ctx, index, sentence)]
        return line(
            head, "fail", f"in the pages, and on no screen: {said}", evidence, expected="0", got=str(len(found))
        )
    if lost or not read:
        why = f"of the pages' bodies {read} could be read and {len(lost)} could not"
        return line(head, "not_checked", why, [in_file(NETWORK, str(i)) for i in lost] or [in_file(NETWORK)])
    return line(head, "pass", f"none in {read} bodies", [in_file(NETWORK)], expected="0", got="0")
