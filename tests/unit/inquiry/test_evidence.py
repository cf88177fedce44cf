"""Every FAIL shows where: a verbatim quote, or a field path that exists."""

from collections.abc import Iterator
from typing import Any

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.grade import grade
from tests.golden.inquiry.build import load


def texts(value: Any) -> Iterator[str]:
    """All texts of plain data."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def leads_somewhere(data: Any, path: str) -> bool:
    """The dotted path exists in the data."""
    for part in path.split("."):
        try:
            data = data[int(part)] if isinstance(data, list) else data[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return False
    return True


def test_the_evidence_of_a_fail_stands_in_the_session() -> None:
    """Over an eighth of the golden sessions that fail no FAIL is without evidence, and no quote is made up."""
    failed = 0
    for golden in [g for g in load() if g.verdict == "FAIL"][::8]:
        said = list(texts(golden.session))
        for m in grade(InquirySession.model_validate(golden.session)).metrics:
            if m.result == "FAIL":
                failed += 1
                assert m.evidence, (golden.id, m.metric_id)
                found = any(m.evidence in text for text in said) or leads_somewhere(golden.session, m.evidence)
                assert found, (golden.id, m.metric_id, m.evidence)
    assert failed > 30


def test_a_quote_that_was_not_said_is_noticed() -> None:
    """The comparison fails on a text that stands nowhere and on a path that leads nowhere."""
    session = load()[0].session
    assert not any("never said by anybody" in text for text in texts(session))
    assert not leads_somewhere(session, "turns.99.reply_text")
    assert leads_somewhere(session, "turns.1.reply_text")
