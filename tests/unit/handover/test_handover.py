"""An attempt leaves the machine without secrets, in forms that others can open, and with hostile text inert."""

import ast
import json
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

from builder import Golden
from records import RECORDS

from harness.errors import Refused
from harness.handover import bundle as bundling
from harness.handover.attempt import Handed, read_handed
from harness.handover.bundle import bundle, packed
from harness.handover.check import check_clean, left_in
from harness.handover.har import har
from harness.handover.script import Script, playwright_script
from harness.handover.secrets import Cleaner, forms, known_secrets
from harness.handover.ticket import code, junit, markdown
from harness.schema.strict_json import canonical
from harness.screen.adapter import ADAPTERS, load_adapter

KEY, COOKIE, CSRF = "k-7Qx9!planted&key", "Zx81kQpL02mNvB", "cs4f77Token19"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.dBjftJeZ4CVP"
EVIL = "</script><img src=x onerror=alert(1)>\"'''\\\n```\n# [x](javascript:alert(1)) @team \u202e\x1b[2J{{7*7}}]]>"
ENVIRON = {"RIG_CUSTOMER_API_KEY": KEY, "RIG_STATE_DIR": "/nonexistent"}


def recorded(root: Path, change: str | None = None, **network: Any) -> tuple[Path, Path]:
    """(attempt, corpus) of a golden record with an adapter and one request that carries secrets everywhere."""
    golden = Golden()
    if change is not None:
        RECORDS[change][1](golden)
    body = json.dumps({"token": CSRF, "said": f"my key is {KEY}"})
    golden.answered(
        body, url=f"http://127.0.0.1:8810/chat?token={CSRF}&q=1",
        request_headers={"Cookie": f"sid={COOKIE}; theme=dark", "Authorization": f"Bearer {JWT}"},
        response_headers={"Set-Cookie": f"sid={COOKIE}; Path=/; HttpOnly", "Content-Type": "application/json"}, **network,
    )  # fmt: skip
    attempt, package = golden.write(root)
    seed = {
        "request": {"schema": "seed-request-v1", "request_id": "r", "now": "2026-03-11"},
        "receipt": {"login": None},
    }
    (attempt / "seed.json").write_text(json.dumps(seed), encoding="utf-8")
    (attempt.parents[2] / "adapter.json").write_bytes(canonical(load_adapter(ADAPTERS / "reference-claims.yaml")))
    return attempt, package.parent.parent


def handed(root: Path, change: str | None = None) -> tuple[Handed, Cleaner]:
    attempt, corpus = recorded(root, change)
    found = read_handed(attempt, corpus)
    return found, Cleaner(known_secrets(found.record.folder, ENVIRON))


def script_of(root: Path, change: str) -> Script:
    one, cleaner = handed(root, change)
    return playwright_script(one, root / "packages", cleaner, "files")


def everything(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_bundle_holds_page_record_and_ticket_and_no_secret(tmp_path: Path) -> None:
    """Keys of the machine, cookies, tokens and what looks like one: searched for in every member, as any form writes them."""
    attempt, corpus = recorded(tmp_path, "facts.plate")
    for name in ("events.jsonl", "state.json"):
        text = (attempt / name).read_text(encoding="utf-8")
        assert KEY not in text and JWT not in text
    made = bundle(attempt, corpus, tmp_path / "b.zip", ENVIRON)
    parts = everything(made.path)
    assert {"index.html", "summary.md", "junit.xml", "network.har", "MANIFEST.json", "README.txt"} <= set(parts)
    below = "record/" + "/".join(attempt.parts[-3:])
    assert {f"{below}/events.jsonl", f"{below}/attempt.json", "record/run.json"} <= set(parts)
    for name, data in parts.items():
        for secret in (KEY, COOKIE, CSRF, JWT):
            assert not any(form.encode() in data for form in forms(secret)), f"{secret} in {name}"
    assert (
        b"theme=dark" not in parts[f"{below}/network.jsonl"] and b"[redacted:header]" in parts[f"{below}/network.jsonl"]
    )
    assert b"facts.plate" in parts["index.html"] and b"facts.plate" in parts["junit.xml"]
    listed = json.loads(parts["MANIFEST.json"])
    assert set(listed["files"]) == set(parts) - {"MANIFEST.json"} and listed["redacted"]["header"] >= 3
    again = bundle(attempt, corpus, tmp_path / "c.zip", ENVIRON)
    assert again.path.read_bytes() == made.path.read_bytes()


def test_a_secret_that_the_cleaning_missed_stops_the_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cleaning broken, the check that shares no code with it refuses, and no file appears."""
    attempt, corpus = recorded(tmp_path)
    monkeypatch.setattr(bundling, "known_secrets", lambda *_: {"key": KEY})
    monkeypatch.setattr(Cleaner, "text", lambda self, text: text)
    with pytest.raises(Refused, match="nothing was written"):
        bundle(attempt, corpus, tmp_path / "b.zip", ENVIRON)
    assert not (tmp_path / "b.zip").exists()


@pytest.mark.parametrize(
    "text",
    [
        KEY, "k-7Qx9%21planted%26key", "k-7Qx9!planted&amp;key", "k-7Qx9<wbr>!plan<wbr>ted&key", '{"a":"k-7Qx9!planted&key"}',
        "ay03UXg5IXBsYW50ZWQma2V5", f"Authorization: Bearer {JWT}", f"x {JWT}", "sk-abcdefghijklmnop1234", "AKIAIOSFODNN7EXAMPLE",
        '"cookie": "sid=abcdef123"', "set-cookie: sid=abcdef123", "-----BEGIN RSA PRIVATE KEY-----", "ghp_abcdefghijklmnop1234",
    ],
)  # fmt: skip
def test_the_last_look_finds_secrets_however_they_are_written(text: str) -> None:
    """Encoded, escaped, broken by the page's tags, packed into an archive; and an ordinary text is let through."""
    assert left_in(text.encode(), [KEY]) is not None
    with pytest.raises(Refused):
        check_clean("b.zip", packed({"in.zip": packed({"a.txt": text.encode()})}), [KEY])
    assert (
        left_in("The bearer of this letter asks for a cookie: yes. 查询 task-force-of-twenty".encode(), [KEY]) is None
    )


def test_ordinary_words_stay_readable(tmp_path: Path) -> None:
    """A field called session that holds a word, and a cookie that holds one, take nothing out of the talk."""
    one, cleaner = handed(tmp_path)
    assert cleaner.text("dark claimant anonymous_then_sign_in 2026-03-09 £1,284.00") == (
        "dark claimant anonymous_then_sign_in 2026-03-09 £1,284.00"
    )
    assert one.rows and one.unscored is None


HAR_SCHEMA = {
    "type": "object",
    "required": ["log"],
    "properties": {
        "log": {
            "type": "object",
            "required": ["version", "creator", "entries"],
            "properties": {
                "version": {"const": "1.2"},
                "creator": {"required": ["name", "version"]},
                "pages": {"items": {"required": ["startedDateTime", "id", "title", "pageTimings"]}},
                "entries": {
                    "type": "array",
                    "items": {
                        "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
                        "properties": {
                            "startedDateTime": {"pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"},
                            "time": {"type": "number", "minimum": 0},
                            "request": {
                                "required": ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
                                "properties": {
                                    "headers": {"items": {"required": ["name", "value"]}},
                                    "queryString": {"items": {"required": ["name", "value"]}},
                                    "postData": {"required": ["mimeType", "params", "text"]},
                                },
                            },
                            "response": {
                                "required": ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"],
                                "properties": {"status": {"type": "integer"}, "content": {"required": ["size", "mimeType"]}},
                            },
                            "timings": {"required": ["send", "wait", "receive"]},
                        },
                    },
                },
            },
        }
    },
}  # fmt: skip
"""What HAR 1.2 asks of a file."""


def test_the_archive_of_the_network_is_a_har(tmp_path: Path) -> None:
    """Every request in order with its body, none with a cookie or token; what has no place in it is counted."""
    one, cleaner = handed(tmp_path)
    made = har(one, cleaner)
    jsonschema.validate(made, HAR_SCHEMA)
    text = json.dumps(made)
    assert not any(secret in text for secret in (KEY, COOKIE, CSRF, JWT))
    (entry,) = [e for e in made["log"]["entries"] if "/chat?" in e["request"]["url"]]
    assert json.loads(entry["response"]["content"]["text"])["said"] == "my key is [redacted:rig_customer_api_key]"
    assert {"name": "q", "value": "1"} in entry["request"]["queryString"]
    del made["log"]["entries"][0]["cache"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(made, HAR_SCHEMA)


def test_score_lines_become_test_cases_that_fail_or_are_skipped_with_their_reason(tmp_path: Path) -> None:
    """A failed line is a failure, an undecided one is skipped and never passes; the counts are those of the cases."""
    one, cleaner = handed(tmp_path, "facts.plate")
    suite = ET.fromstring(junit(one, cleaner)).find("testsuite")  # our own bytes
    assert suite is not None
    cases = {case.get("name"): case for case in suite.findall("testcase")}
    assert len(cases) == len(one.rows) == int(suite.get("tests", 0))
    assert cases["facts.plate"].find("failure") is not None and int(suite.get("failures", 0)) == len(one.failed)
    assert cases["assertions.kind_words"].find("skipped") is not None


def hostile(root: Path) -> tuple[Handed, Cleaner]:
    """An attempt in which every word that comes from elsewhere is hostile."""
    one, cleaner = handed(root, "facts.plate")
    rows = [type(row)(f"{row.id}{EVIL}", EVIL, row.state, EVIL, row.turn, row.follows, row.line) for row in one.rows]
    attempt = one.attempt.model_copy(update={"why": EVIL, "package": EVIL})
    return Handed(one.folder, one.name, one.journal, one.manifest, one.record, attempt, rows, EVIL, one.stored), cleaner


def test_hostile_text_stays_text_in_a_ticket(tmp_path: Path) -> None:
    """In XML it is escaped and holds no forbidden character; in Markdown it never stands outside a code span or block."""
    one, cleaner = hostile(tmp_path)
    suite = ET.fromstring(junit(one, cleaner)).find("testsuite")
    assert suite is not None and "<img src=x" in str(suite.findall("testcase")[0].get("name"))
    outside, fence = [], None
    for line in markdown(one, cleaner).splitlines():
        ticks = len(line) - len(line.lstrip("`"))
        if fence is None and ticks >= 3 and line[ticks:] == "text":
            fence = line[:ticks]
        elif fence is not None:
            fence = None if line == fence else fence
        else:
            outside.append(line)
    bare = "\n".join(_without_spans(line) for line in outside)
    assert "\u202e" not in bare and "\x1b" not in markdown(one, cleaner)
    assert not any(bad in bare for bad in ("<img", "javascript:", "@team", "[x]", "{{7*7}}"))
    assert code("a ``` b") == "```` a ``` b ````" and code("\u202e") == "` \\u{202e} `"


def _without_spans(line: str) -> str:
    """A line of Markdown without its code spans, as CommonMark finds them: a run of ticks closes at the next equal run."""
    out, at = "", 0
    while at < len(line):
        if line[at] != "`":
            out, at = out + line[at], at + 1
            continue
        end = at
        while end < len(line) and line[end] == "`":
            end += 1
        ticks, close = line[at:end], end
        while True:
            close = line.find(ticks, close)
            if close < 0:
                return out + line[at:]
            after = close + len(ticks)
            if line[close - 1] != "`" and (after == len(line) or line[after] != "`"):
                break
            close = after
        at = close + len(ticks)
    return out


def test_the_script_asserts_what_was_visible_and_needs_nothing_of_the_rig(tmp_path: Path) -> None:
    """A repeated question by its words at its moment; an end that did not come; a false alarm as staff read it."""
    script = script_of(tmp_path / "a", "journey.repeated_questions")
    assert script.checks == ["journey.repeated_questions"] and "must_not_show('reply'" in script.text
    tree = ast.parse(script.text)
    imports = {n.name for i in ast.walk(tree) if isinstance(i, ast.Import) for n in i.names}
    modules = {i.module for i in ast.walk(tree) if isinstance(i, ast.ImportFrom)}
    assert "harness" not in script.text and not any("oracle" in name for name in imports)
    assert modules == {"pathlib", "playwright.sync_api"}
    assert next(n.name for n in tree.body if isinstance(n, ast.FunctionDef)) == "journey"
    staff = script_of(tmp_path / "b", "review.quote_before_incident")
    assert staff.checks and "staff().cell_must_not_read('review_checks'" in staff.text
    unseen = script_of(tmp_path / "c", "facts.plate")
    assert unseen.checks == [] and unseen.unseen == ["facts.plate"] and "only plays it" in unseen.text


def test_no_text_leaves_its_literal_in_the_script(tmp_path: Path) -> None:
    """What the customer said and the product showed is one string each, whatever it holds; the code around it is the same."""
    attempt, corpus = recorded(tmp_path, "journey.repeated_questions")
    events = attempt / "events.jsonl"
    rows = [json.loads(row) for row in events.read_text(encoding="utf-8").splitlines()]
    said = [row for row in rows if row["kind"] == "acted" and row["act"] == "said"]
    before = playwright_script(read_handed(attempt, corpus), corpus, Cleaner({}), "files").text
    said[0]["text"] = EVIL + '"""\n\'\'\'\nimport os; os.system("x")'
    events.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    one = read_handed(attempt, corpus)
    script = playwright_script(one, corpus, Cleaner({}), EVIL)
    calls = [n for n in ast.walk(ast.parse(script.text)) if isinstance(n, ast.Call)]
    words = [
        n.args[0].value
        for n in calls
        if isinstance(n.func, ast.Attribute) and n.func.attr == "say" and isinstance(n.args[0], ast.Constant)
    ]
    assert words[0] == said[0]["text"]
    assert len(calls) == len([n for n in ast.walk(ast.parse(before)) if isinstance(n, ast.Call)])
    assert all(c.isprintable() or c == "\n" for c in script.text)
