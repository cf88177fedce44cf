"""What a ticket or a build server takes: a summary in Markdown, and the score lines as JUnit XML."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring  # only written, nothing is parsed

from harness.errors import one_line
from harness.handover.attempt import Handed, Row
from harness.handover.secrets import Cleaner
from harness.schema.events import Acted, ScreenSeen

SHOWN_TURNS = 3
LONGEST = 1500
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def visible(text: str) -> str:
    """The text with every character that hides, steers or reorders written as its number; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{{{ord(c):x}}}" for c in text)


def code(text: str, limit: int = 300) -> str:
    """Foreign text as Markdown that nothing in it can leave: a code span whose fence is longer than any in the text."""
    flat = visible(" ".join(text.split()))
    flat = flat if len(flat) <= limit else flat[: limit - 1] + "…"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    return f"{fence} {flat or ' '} {fence}"


def block(text: str, limit: int = LONGEST) -> list[str]:
    """Foreign text of several lines, as a fenced block."""
    shown = visible(text)
    shown = shown if len(shown) <= limit else shown[: limit - 1] + "…"
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return [f"{fence}text", *shown.split("\n"), fence]


def markdown(handed: Handed, cleaner: Cleaner) -> str:
    """A summary for a ticket. Words of product, customer and package stand in code only: they cannot link, call or load."""
    settings, attempt = handed.manifest.settings, handed.attempt
    failed = handed.failed
    lines = [
        f"# {len(failed)} failed score lines in {code(handed.name)}" if failed else f"# {code(handed.name)}",
        "",
        f"- product: {code(f'{handed.manifest.runtime.product} {handed.manifest.runtime.version}')}, runtime {handed.manifest.runtime.runtime}",
        f"- switched-on defects: {code(', '.join(settings.defects)) if settings.defects else 'none'}",
        f"- customer: {attempt.customer}; ended: {attempt.termination_reason} ({code(attempt.why)})",
        f"- played: {attempt.started_at.isoformat()}, package {code(attempt.package)} ({attempt.package_sha256[:12]})",
    ]
    if attempt.parent_attempt:
        lines.append(f"- replayed or forked from {code(attempt.parent_attempt)}")
    if handed.unscored is not None:
        lines += ["", f"It could not be scored: {code(handed.unscored)}"]
    for row in failed:
        lines += ["", f"## {code(row.id)}{' (a consequence)' if row.follows else ''}", "", *_about(row)]
    if failed and failed[0].turn is not None:
        lines += ["", f"## What was seen around turn {failed[0].turn}", "", *_talk(handed, failed[0].turn)]
    undecided = sum(row.state in ("not_checked", "needs_human", "unimplemented") for row in handed.rows)
    lines += [
        "",
        f"{sum(row.state == 'pass' for row in handed.rows)} lines passed, {undecided} are not decided; a pass shows only that the "
        "product followed these rules here.",
        "",
        "Again: " + code(f"rig replay {handed.name}"),
        "",
    ]
    return cleaner.text("\n".join(lines))


def _about(row: Row) -> Iterator[str]:
    yield f"{code(row.title)}: {code(row.why, 600)}"
    yield ""
    if row.turn is not None:
        yield f"- turn {row.turn}"
    if row.line is not None and (row.line.expected or row.line.got):
        yield f"- expected {code(row.line.expected or 'nothing named')}, got {code(row.line.got or 'nothing named')}"
    for quote in row.quotes:
        yield f"- at its evidence: {code(quote)}"


def _talk(handed: Handed, turn: int) -> Iterator[str]:
    """What was done and shown in that turn and the one before."""
    for event in handed.record.events.items:
        if not turn - 1 <= event.turn <= turn:
            continue
        if isinstance(event, Acted):
            yield f"Customer {event.act}:"
            yield from block(event.text)
        elif isinstance(event, ScreenSeen) and (reply := event.screen.reply_text()):
            yield f"Product, screen {event.screen.seq}:"
            yield from block(reply)


def junit(handed: Handed, cleaner: Cleaner) -> bytes:
    """One test case a score line. What could not be decided is `skipped` with its reason, never passed."""
    rows = handed.rows
    failures = [row for row in rows if row.state == "fail"]
    skipped = [row for row in rows if row.state not in ("pass", "fail")]
    took = (handed.attempt.ended_at - handed.attempt.started_at).total_seconds()
    counts = {"tests": str(len(rows)), "failures": str(len(failures)), "errors": "0", "skipped": str(len(skipped))}

    def clean(text: str) -> str:
        return _NOT_XML.sub("\ufffd", cleaner.text(text))

    root = Element("testsuites", {"name": "simcustomer-rig", **counts, "time": f"{took:.3f}"})
    suite = SubElement(
        root, "testsuite",
        {"name": clean(handed.name), **counts, "time": f"{took:.3f}", "timestamp": handed.attempt.started_at.isoformat(timespec="seconds")},
    )  # fmt: skip
    properties = SubElement(suite, "properties")
    for name, value in _facts(handed):
        SubElement(properties, "property", {"name": name, "value": clean(value)})
    for row in sorted(rows, key=lambda row: row.id):
        case = SubElement(
            suite, "testcase", {"classname": clean(handed.attempt.package), "name": clean(row.id), "time": "0"}
        )
        if row.state == "fail":
            failure = SubElement(case, "failure", {"type": row.state, "message": clean(one_line(row.why, 500))})
            failure.text = clean("\n".join([row.why, *(f"evidence: {quote}" for quote in row.quotes)]))
        elif row.state != "pass":
            SubElement(case, "skipped", {"message": clean(one_line(f"{row.state}: {row.why}", 500))})
    if handed.unscored is not None:
        SubElement(suite, "system-err").text = clean(f"not scored: {handed.unscored}")
    indent(root)
    written: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written}\n'.encode()


def _facts(handed: Handed) -> list[tuple[str, str]]:
    return [
        ("product", f"{handed.manifest.runtime.product} {handed.manifest.runtime.version}"),
        ("runtime", handed.manifest.runtime.runtime),
        ("defects", ", ".join(handed.manifest.settings.defects) or "none"),
        ("termination_reason", handed.attempt.termination_reason),
        ("ended", handed.attempt.why),
    ]
