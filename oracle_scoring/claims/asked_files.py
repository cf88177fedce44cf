"""Files that were asked for again after they had arrived."""

from harness.schema import wording
from harness.schema.events import MoveDecided
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.talk import Spoken
from oracle_scoring.claims.words import file_kinds, pattern, word_list
from oracle_scoring.lines import EVENTS, Head, at_event, in_file, line


def asked_again_lines(ctx: Context) -> list[ScoreLine]:
    """`files.asked_again`."""
    return [_asked_again(ctx)]


def kinds_of(text: str) -> set[str]:
    """Kinds of file a text names. A picture of a paper is the paper."""
    flat = wording.fold(text)
    kinds = {kind for kind, words in file_kinds().items() if words.search(flat)}
    return kinds - {"photo"} if len(kinds) > 1 and pattern("picture_of").search(flat) else kinds


def asks_for_file(sentence: str) -> bool:
    """The sentence wants a file handed over, and not another or a better one."""
    flat = wording.fold(sentence)
    wants = wording.is_request(sentence) or wording.is_question(sentence)
    return wants and bool(pattern("hand_over").search(flat)) and not pattern("another_file").search(flat)


def _arrived(ctx: Context) -> dict[str, int]:
    """File -> event at which it was handed over and the page showed it."""
    return {e.id: e.n for e in ctx.ledger if e.entry == "file_handed_over"}


def _request_words(ctx: Context, file: str, handed: int) -> set[str]:
    """Words of the requests that the customer fulfilled with the file: label, control, and what the product had said."""
    label = next(m.visible.label for m in ctx.visible.materials.materials if m.visible.file == file)
    kinds = kinds_of(label)
    moves = [e for e in ctx.record.events if isinstance(e, MoveDecided) and e.n < handed and e.move.move == "upload"]
    texts = [label, *(moves[-1].move.control for _ in moves[-1:])]
    for said in ctx.talk.spoken:
        if said.n < handed:
            texts += [s for s in wording.sentences(said.text) if asks_for_file(s) and kinds_of(s) & kinds]
    return {word for text in texts for word in wording.topic_words(text)}


def _asked_again(ctx: Context) -> ScoreLine:
    head = Head("files.asked_again", "files", "No file asked for again after it had arrived")
    if not ctx.talk.spoken:
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)])
    arrived = _arrived(ctx)
    if not arrived:
        return line(head, "not_applicable", "no file was handed over", [in_file(EVENTS)], expected="0")
    found = [(said, sentence, file) for said in ctx.talk.spoken for sentence, file in _again(ctx, said, arrived)]
    if found:
        said = "; ".join(f"{file} in turn {s.turn} (“{sentence}”)" for s, sentence, file in found)
        evidence = [e for s, text, file in found for e in (at_event(s.n, text), at_event(arrived[file], file))]
        why = f"asked for again after it had arrived: {said}"
        return line(head, "fail", why, evidence, expected="0", got=str(len(found)))
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so a request may not have been seen"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected="0")
    why = f"none of {len(arrived)} files was asked for again"
    return line(head, "pass", why, [at_event(n, file) for file, n in arrived.items()], expected="0", got="0")


def _again(ctx: Context, said: Spoken, arrived: dict[str, int]) -> list[tuple[str, str]]:
    """Sentences of a reply that ask for a file that had arrived, with the file.

    All files of the kind must have arrived, and the words must be those of the earlier request, or say "again".
    """
    found: list[tuple[str, str]] = []
    for sentence in wording.sentences(said.text):
        if not asks_for_file(sentence):
            continue
        for kind in sorted(kinds_of(sentence)):
            files = [m.visible.file for m in ctx.visible.materials.materials if kind in kinds_of(m.visible.label)]
            if not files or any(arrived.get(file, said.n) >= said.n for file in files):
                continue
            known = {w for file in files for w in _request_words(ctx, file, arrived[file])}
            new = wording.topic_words(sentence) - known - word_list("request_fillers")
            if not new or pattern("once_more").search(wording.fold(sentence)):
                found.append((sentence, files[-1]))
                break
    return found
