"""Uploaded files: the bytes the product stores against the package's bytes."""

from harness.schema.events import Acted
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.compare import fold_text
from oracle_scoring.lines import STATE, Head, at_event, in_file, line
from oracle_scoring.record import StoredFile


def file_lines(ctx: Context) -> list[ScoreLine]:
    """`files.<file name>` for every material of the package."""
    return [_file(ctx, m.visible.file, m.visible.label) for m in ctx.visible.materials.materials]


def _named(stored: StoredFile, name: str) -> bool:
    return fold_text(stored.name.replace("\\", "/").rsplit("/", 1)[-1]) == fold_text(name)


def _file(ctx: Context, name: str, label: str) -> ScoreLine:
    head = Head(f"files.{name}", "files", f"{label} ({name}) arrived unchanged")
    want = ctx.visible.sha256(name)
    tries = [a for a in ctx.acts if a.act == "uploaded" and name in (a.file, a.text)]
    given = [a for a in tries if a.confirmed]
    if not given:
        return _not_given(ctx, name, tries, head)
    shown = [at_event(a.n, a.text) for a in given]
    odd = next((a for a in given if a.sha256 is not None and a.sha256 != want), None)
    if odd:
        why = "the bytes handed to the page are not the package's: the package changed since, or the rig erred"
        return line(head, "not_checked", why, [at_event(odd.n, odd.sha256)], expected=want, got=odd.sha256)
    stored = ctx.record.stored
    if stored is None or ctx.record.state is None:
        why = ctx.no_state or "state.json was not recorded"
        return line(head, "not_checked", why, [in_file(STATE, "read"), *shown], expected=want)
    intact = [i for i, f in enumerate(stored) if f.sha256 == want]
    others = [i for i, f in enumerate(stored) if f.sha256 != want and _named(f, name)]
    unread = [i for i in others if stored[i].sha256 is None]
    places = [in_file(STATE, f"stored.{i}", stored[i].sha256) for i in (*intact, *others)]
    if len(intact) + len(others) > len(given) and intact:
        why = f"doubled: handed over {_times(len(given))}, stored {_times(len(intact) + len(others))}"
        return line(head, "fail", why, [*places, *shown], expected=want, got=f"{len(intact) + len(others)} copies")
    if intact:
        why = "the stored bytes are the package's bytes"
        return line(head, "pass", why, [*places, *shown], expected=want, got=want)
    if unread:
        why = f"stored, but the bytes could not be fetched: {stored[unread[0]].why or 'no reason recorded'}"
        return line(head, "not_checked", why, [*places, *shown], expected=want)
    if others:
        file, size = stored[others[0]], len(ctx.visible.files[name])
        why = f"damaged: {file.size} bytes with another hash are stored; handed over were {size} bytes"
        return line(head, "fail", why, [*places, *shown], expected=want, got=file.sha256)
    if any(f.sha256 is None for f in stored):
        why = "no stored file has this name or these bytes, but not all stored files could be fetched"
        return line(head, "not_checked", why, [in_file(STATE, "stored"), *shown], expected=want)
    why = "missing: the customer handed it over, the page confirmed it, and the product does not store it"
    return line(head, "fail", why, [in_file(STATE, "stored"), *shown], expected=want)


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def _not_given(ctx: Context, name: str, tries: list[Acted], head: Head) -> ScoreLine:
    if tries:
        why = "the customer tried to hand it over and the page never confirmed it"
        return line(head, "not_checked", why, [at_event(a.n, a.text) for a in tries])
    promised = next((e for e in ctx.ledger if e.entry == "file_promised" and e.id == name), None)
    if promised:
        why = "promised for later, and the journey ended before it was handed over"
        return line(head, "not_applicable", why, [at_event(promised.n)])
    asked = next((e for e in ctx.ledger if e.entry == "file_asked" and e.id == name), None)
    if asked:
        why = "the product asked for it, and the customer did not hand it over"
        return line(head, "not_applicable", why, [at_event(asked.n)])
    why = "the product never asked for it, so the customer did not hand it over"
    return line(head, "not_applicable", why, [in_file("events.jsonl")])
