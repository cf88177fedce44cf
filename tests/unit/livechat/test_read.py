"""Reading samples: two forms of file, and every way to get a record wrong."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError
from oracle_scoring.livechat.models import Sample
from oracle_scoring.livechat.read import Samples
from oracle_scoring.livechat.words import library
from tests.unit.livechat.samples import PLAIN, lines, sample

FULL: dict[str, Any] = {
    "id": "甲-1", **PLAIN, "query": "含“引号”,逗号\n和换行", "answer": '问|有的哈, "三号"😊', "kb": "棉", "room_density": "sparse",
    "history": "前面说过", "day": "2026-02-28",
}  # fmt: skip


def read(path: Path) -> list[Sample | str]:
    """Each sample, or what is wrong with it."""
    return [r.sample or str(r.problem) for r in Samples([str(path)], library())]


def test_both_forms_give_the_same_samples(tmp_path: Path) -> None:
    """A CSV file, with a byte order mark or another delimiter, holds what the JSON lines hold."""
    plain = {"id": "b", **PLAIN}
    wanted = [Sample.model_validate(FULL), Sample.model_validate(plain)]
    assert read(lines(tmp_path / "s.jsonl", FULL, plain)) == wanted
    for name, delimiter, encoding in (("a.csv", ",", "utf-8"), ("b.csv", ";", "utf-8-sig"), ("c.tsv", "\t", "utf-8")):
        with (tmp_path / name).open("w", encoding=encoding, newline="") as file:
            writer = csv.DictWriter(file, list(FULL), delimiter=delimiter)
            writer.writeheader()
            writer.writerows([FULL, plain])
        assert read(tmp_path / name) == wanted


def test_a_history_may_be_exchanges(tmp_path: Path) -> None:
    """Earlier exchanges are a list in JSON lines."""
    path = lines(tmp_path / "s.jsonl", {"history": [{"query": "在吗", "answer": "在的"}, {"query": "好"}]})
    (found,) = read(path)
    assert isinstance(found, Sample) and isinstance(found.history, list) and found.history[1].answer is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"room_density": "full"}, "room_density"), ({"day": "2026-02-30"}, "day"), ({"day": "20260201"}, "day"),
        ({"answr": "x"}, "answr"), ({"query": None}, "query"), ({"id": ""}, "id"), ({"business_type": "cars"}, "there are apparel_ecom"),
        ({"kb": 3}, "kb"), ({"history": [{"q": "x"}]}, "history"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_with_its_line(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    """One line says file, line, field and why; the samples around it are read."""
    first, wrong, last = read(lines(tmp_path / "s.jsonl", {}, change, {}))
    assert isinstance(first, Sample) and isinstance(last, Sample)
    assert isinstance(wrong, str) and "s.jsonl: line 2" in wrong and why in wrong and "\n" not in wrong


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b'"x"', b"{}", b'{"id": NaN}', b'{"id": "a", "id": "b"}', b"\xff\xfe", b'{"id": "\\ud800"}', b"[" * 10_000]
)  # fmt: skip
def test_what_is_no_sample_is_one_clear_line(tmp_path: Path, line: bytes) -> None:
    """Not JSON, not an object, not text: each is named with its line."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(line + b"\n")
    (wrong,) = read(path)
    assert isinstance(wrong, str) and "line 1" in wrong and "\n" not in wrong


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("id,query\n1,2\n", "has no column answer"), ("id,id,query\n", "stands twice"), ("", "has no column"),
        (",".join(Sample.model_fields) + ",more\n", "'more' is not known"),
    ],
)  # fmt: skip
def test_columns_of_csv_are_checked_first(tmp_path: Path, text: str, why: str) -> None:
    """A missing, unknown or doubled column ends it before any sample."""
    path = tmp_path / "s.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=why):
        read(path)


def test_rows_of_csv_that_are_wrong(tmp_path: Path) -> None:
    """Too few cells are one wrong row, at the line it begins at; an open quotation mark or other bytes end the file."""
    head = "id,query,answer,business_type,industry_kg,platform\n"
    good = 'a,"问\n问",有的哈,other,家电,douyin\n'
    path = tmp_path / "s.csv"
    path.write_text(head + good + "b,问\n" + good, "utf-8")
    first, wrong, last = read(path)
    assert isinstance(first, Sample) and first.query == "问\n问" and isinstance(last, Sample)
    assert isinstance(wrong, str) and "line 4" in wrong and "2 cells" in wrong
    path.write_text(head + 'a,"问', "utf-8")
    with pytest.raises(InputError, match="is not CSV"):
        read(path)
    path.write_bytes(head.encode() + b"a,\xff,b,c,d,e\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        read(path)


def test_how_far_it_is_can_be_told(tmp_path: Path) -> None:
    """Bytes of all files are known before, and are all read at the end; a missing file is said before anything is read."""
    paths = [lines(tmp_path / "a.jsonl", {}, {}), lines(tmp_path / "b.jsonl", {})]
    samples = Samples([str(p) for p in paths], library())
    assert samples.total == sum(p.stat().st_size for p in paths)
    assert len(list(samples)) == 3 and samples.done() == samples.total
    with pytest.raises(InputError, match="is missing"):
        Samples([str(tmp_path / "none.jsonl")], library())


def test_a_further_business_is_words_and_examples(tmp_path: Path) -> None:
    """A file adds a business, or stands in for one; its hash is in the version, and what it may not hold is named."""
    own = {
        "business": "books",
        "about": "图书",
        "long_answers": True,
        "words": {"topics": ["装帧"]},
        "judge": {},
        "examples": [],
    }
    path = tmp_path / "books.yaml"
    path.write_text(json.dumps(own, ensure_ascii=False), "utf-8")
    known = library((path,))
    made = sample(query="装帧好吗", business_type="books")
    assert known.of("books", "x")["topics"].search(made.query) and not library().of("other", "x")["topics"].search(
        made.query
    )
    assert known.given and not library().given
    for change, why in (
        ({"words": {"topiks": ["a"]}}, "topiks"),
        ({"words": {"topics": ["~("]}}, "topics"),
        ({"code": "x"}, "code"),
    ):
        path = tmp_path / f"{why}.yaml"
        path.write_text(json.dumps({**own, **change}, ensure_ascii=False), "utf-8")
        with pytest.raises(InputError, match=why):
            library((path,))
