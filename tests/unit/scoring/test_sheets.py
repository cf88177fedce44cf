"""Sheets for blind grading: what is handed out tells no grade, and what comes back is checked whole."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import xlsxwriter
from builder import VOCABULARY, Golden
from python_calamine import CalamineWorkbook
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.errors import InputError
from harness.schema.human import SheetKey, TriageGrading
from oracle_scoring.corpus.rules import LEVELS
from oracle_scoring.publish.intervals import wilson
from oracle_scoring.sheets import export
from oracle_scoring.sheets.blind import GAP, Blinder, require_blind
from oracle_scoring.sheets.export import Exported, export_sheet
from oracle_scoring.sheets.form import FORMS, inert, width_of
from oracle_scoring.sheets.verdicts import read_verdicts, with_people
from oracle_scoring.sheets.workbook import xlsx_bytes
from tests.unit.scoring.sheet_runs import Claim, write_run

ROWS = [
    Claim("TST-M-001", product="standard", oracle="standard"),
    Claim("TST-M-002", product="complex", oracle="urgent"),
    Claim("TST-M-003", product="simple", oracle="simple"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with a run of three packages; tests copy it before they change it."""
    root = tmp_path_factory.mktemp("sheets")
    write_run(root, ROWS)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(made, tmp_path / "root")
    return tmp_path / "root"


@pytest.fixture(scope="module")
def handed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, with both kinds of sheet handed out."""
    root = tmp_path_factory.mktemp("handed") / "root"
    shutil.copytree(made, root)
    for kind in ("triage", "human"):
        handed_out(root, kind)
    return root


@pytest.fixture
def out(handed: Path, tmp_path: Path) -> Path:
    """A copy of that."""
    shutil.copytree(handed, tmp_path / "root")
    return tmp_path / "root"


def there(root: Path, kind: str = "triage") -> Exported:
    """The sheet that was handed out."""
    (path,) = (root / "results" / "r1" / "human").glob(f"{kind}-*/key.json")
    return Exported(SheetKey.model_validate_json(path.read_bytes()), path.parent / "hand-out", path)


def rig(root: Path, *args: str) -> Result:
    """`rig` on this root; the import verb of human sheets needs no corpus."""
    where = ["--results", str(root / "results")]
    corpus = [] if args[:2] == ("human-sheet", "import") else ["--corpus", str(root / "packages")]
    return CliRunner().invoke(app, [*args, *where, *corpus])


def test_a_file_is_no_folder_to_hand_out(out: Path, tmp_path: Path) -> None:
    """`-o` names a folder; a file there is bad input, and stays as it is."""
    there_is = tmp_path / "sheet.csv"
    there_is.write_text("mine", encoding="utf-8")
    result = rig(out, "triage-sheet", "export", "r1", "-o", str(there_is))
    assert (result.exit_code, result.stderr) == (2, f"rig: --out {there_is}: is a file; name a folder\n")
    assert there_is.read_text(encoding="utf-8") == "mine"


def handed_out(root: Path, kind: str = "triage", **options: object) -> Exported:
    return export_sheet(kind, root / "results" / "r1", root / "packages", **options)  # type: ignore[arg-type]


def texts(exported: Exported) -> dict[str, str]:
    """Everything that is handed out as text: page without pictures, CSV, every part of the workbook."""
    found = {}
    for name in exported.key.files:
        data = (exported.folder / name).read_bytes()
        if name.endswith(".xlsx"):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                found |= {f"{name}/{part}": packed.read(part).decode() for part in packed.namelist()}
        else:
            found[name] = re.sub(r"data:image/jpeg;base64,[A-Za-z0-9+/=]+", "", data.decode("utf-8-sig"))
    return found


def filled(
    exported: Exported, to: Path, grade: Callable[[str, str], Sequence[str]], columns: Sequence[str] = ()
) -> Path:
    """The CSV as a person gives it back: `grade(item, package)` gives level, grader and comment."""
    source = next(exported.folder / n for n in exported.key.files if n.endswith(".csv"))
    rows = list(csv.reader(io.StringIO(source.read_text("utf-8-sig"), newline="")))
    package = {item.item: item.package for item in exported.key.items}
    with to.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns or rows[0])
        for row in rows[1:]:
            writer.writerow([row[0], *grade(row[0], package[row[0]]), *row[4:]])
    return to


# Blindness -------------------------------------------------------------------------------------------------------------


def test_nothing_tells_a_grade(root: Path) -> None:
    """No package id, canary, reason or review word stands in anything handed out, and a level only where one is chosen."""
    for path in (root / "results" / "r1").glob("*/t*/a*/events.jsonl"):
        told = "I have marked your claim as Urgent (Third party involved). This is a standard_case: complex."
        path.write_text(path.read_text("utf-8").replace("I am sorry to hear that.", told), encoding="utf-8")
    exported = handed_out(root)
    assert exported.key.words_left_out >= 3 * 3
    secrets = {c.package for c in ROWS} | {"0" * 32, "1" * 32, "2" * 32, "3" * 32}
    secrets |= {word for reasons in LEVELS.values() for word in reasons}
    secrets |= {w for f in ("triage_reason", "review_check", "review_required") for w in VOCABULARY[f] if " " in w}
    for name, text in texts(exported).items():
        for secret in secrets:
            assert secret.lower() not in text.lower(), (name, secret)
    page = next(text for name, text in texts(exported).items() if name.endswith(".html"))
    cases = page[page.index("<article") :]
    for level in LEVELS:
        assert not re.search(rf"\b{level}", cases, re.IGNORECASE), level
    rows = csv.reader(io.StringIO(next(t for n, t in texts(exported).items() if n.endswith(".csv"))))
    assert not re.search("|".join(LEVELS), str(list(rows)), re.IGNORECASE)
    assert GAP in cases


def test_grades_of_product_and_oracle_move_no_byte(root: Path, tmp_path: Path) -> None:
    """Runs that differ in nothing but the levels of product and oracle are handed out alike, byte for byte."""

    def other(golden: Golden) -> None:
        golden.shown_required(True)
        golden.shown_check("quote_before_incident", "hit")
        golden.labels["canary"] = "9" * 32

    write_run(tmp_path / "other", [Claim(c.package, product="urgent", oracle="simple", change=other) for c in ROWS])
    one, two = handed_out(root), handed_out(tmp_path / "other")
    assert [texts(one)[n] for n in sorted(texts(one))] != []
    cells = [list(csv.reader(io.StringIO(t))) for e in (one, two) for n, t in texts(e).items() if n.endswith(".csv")]
    assert [row[1:] for row in cells[0]] == [row[1:] for row in cells[1]]
    pages = [
        re.sub(r"[0-9a-f]{6}-\d{3}", "ID", t) for e in (one, two) for n, t in texts(e).items() if n.endswith(".html")
    ]
    assert pages[0] == pages[1]


def test_the_guard_behind_the_blinding_stops_the_export(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the blinding leaves a reason's code in, nothing is written; without the guard it would be."""
    for path in (root / "results" / "r1").glob("*/t*/a*/events.jsonl"):
        path.write_text(path.read_text("utf-8").replace("Was anyone hurt?", "police_involved?"), encoding="utf-8")
    monkeypatch.setattr(Blinder, "__call__", lambda self, text: text)
    with pytest.raises(InputError, match="police_involved"):
        handed_out(root)
    assert not (root / "results" / "r1" / "human").exists()
    monkeypatch.setattr(export, "require_blind", lambda texts, secrets: None)
    assert "police_involved" in str(texts(handed_out(root)))


@pytest.mark.parametrize("secret", ["TST-M-001", "a" * 32])
def test_guard_finds_ids_and_canaries(secret: str) -> None:
    """A package id or a canary anywhere in what is handed out is refused."""
    with pytest.raises(InputError):
        require_blind({"page": f"text ({secret})"}, [secret])
    require_blind({"page": f"text x{secret}x"}, [secret])


@pytest.mark.parametrize(
    ("text", "blind"),
    [
        ("This is URGENT.", f"This is {GAP}."),
        ("We treat it urgently", f"We treat it {GAP}"),
        ("Ｕｒｇｅｎｔ!", f"{GAP}!"),
        ("ur\u200bgent", GAP),
        ("third-party involved, loss at least 1000", f"{GAP}, {GAP}"),
        ("案件为紧急处理", f"案件为{GAP}处理"),
        ("hồ sơ khẩn cấp", f"hồ sơ {GAP}"),
        ("Is it clear? Thank you 🙂", "Is it clear? Thank you 🙂"),
        ("insurgent", "insurgent"),
    ],
)
def test_words_are_left_out_however_written(text: str, blind: str) -> None:
    """Case, width, hyphens, invisible characters and endings do not hide a level; other words stay."""
    levels = {**VOCABULARY["triage_level"], "紧急": "urgent", "Khẩn cấp": "urgent"}
    assert Blinder({**VOCABULARY, "triage_level": levels})(text) == blind


def test_a_fact_called_as_a_reason_is_kept() -> None:
    """A fact's name stays where a reason is called the same, with its value; a level or a code does not."""
    blind = Blinder({**VOCABULARY, "triage_reason": {"Danger continuing": "ongoing_danger"}})
    assert blind.name("Danger continuing") == "Danger continuing"
    assert blind("Danger continuing") == GAP
    assert blind.name("Urgent, ongoing_danger") == f"{GAP}, {GAP}"


def test_questions_about_alerts_keep_the_alerts(root: Path) -> None:
    """Where people judge what staff see, review signals stand on the page; levels and reasons still do not."""
    for path in (root / "results" / "r1").glob("*/t*/a*/staff.json"):
        told = "Quote dated before the incident: Alert. Urgent: Third party involved."
        path.write_text(path.read_text("utf-8").replace('"Work list"', json.dumps(told)), encoding="utf-8")
    page = next(t for n, t in texts(handed_out(root, "human")).items() if n.endswith(".html"))
    assert f"Quote dated before the incident: Alert. {GAP}: {GAP}." in page


def test_order_is_random_seeded_and_recorded(root: Path) -> None:
    """The same seed gives the same files; the key, which stays behind, has order, seed and hashes."""
    one = handed_out(root)
    before = {p: p.read_bytes() for p in one.folder.iterdir()}
    again = handed_out(root)
    assert {p: p.read_bytes() for p in again.folder.iterdir()} == before
    orders = {tuple(i.package for i in handed_out(root, rng_seed=seed).key.items) for seed in range(1, 5)}
    assert len(orders) > 1
    stored = SheetKey.model_validate_json(one.key_path.read_bytes())
    assert stored == one.key
    assert one.key_path.parent not in [p.parent for p in before]
    assert not any("key" in p.name for p in before)


def test_a_sample_says_of_how_many(root: Path) -> None:
    """A sample takes so many rows and records how many there were."""
    key = handed_out(root, sample=2).key
    assert (len(key.items), key.of) == (2, 3)


def test_graded_sheets_are_never_written_over(root: Path, tmp_path: Path) -> None:
    """Where a file of the name holds something else, for instance grades, nothing is written."""
    out = tmp_path / "out"
    exported = handed_out(root, out=out)
    sheet = next(p for p in out.iterdir() if p.suffix == ".csv")
    sheet.write_text("graded", encoding="utf-8")
    with pytest.raises(InputError, match="another content"):
        handed_out(root, out=out)
    assert sheet.read_text("utf-8") == "graded"
    assert exported.key.sheet


# Cells -----------------------------------------------------------------------------------------------------------------

EVIL = ['=HYPERLINK("http://127.0.0.1/x","click")', "+1+1", "-2+3", "@SUM(1)", "＝1+1", "\t=1+1", "==cmd|' /C calc'!A0"]


def test_no_cell_is_computed(tmp_path: Path) -> None:
    """Texts that begin like a formula stand as text in the workbook and behind an apostrophe in the CSV."""
    for at, evil in enumerate(EVIL):
        root = tmp_path / str(at)

        def change(golden: Golden, evil: str = evil) -> None:
            assert golden.staff is not None
            golden.staff["lists"]["facts"] = [
                {"cells": {"fact": evil, "value": "停车场被追尾，左后门凹陷", "status": "x"}}
            ]
            for event in golden.journey.events:
                if event.kind == "acted" and event.text.startswith("Hello, another car"):
                    object.__setattr__(event, "text", evil)

        write_run(root, [Claim("TST-M-001", change=change)])
        exported = handed_out(root)
        names = {p.suffix: p for p in exported.folder.iterdir()}
        (row,) = CalamineWorkbook.from_path(names[".xlsx"]).get_sheet_by_name("Grades").to_python()[1:]
        assert row[4] == evil.strip("\r")
        assert "停车场" in str(row[5])
        with zipfile.ZipFile(names[".xlsx"]) as packed:
            sheet = packed.read("xl/worksheets/sheet1.xml").decode()
            assert "<f>" not in sheet
            assert "hyperlink" not in sheet.lower()
        (_, cells) = csv.reader(io.StringIO(names[".csv"].read_text("utf-8-sig"), newline=""))
        assert cells[4].startswith("'")
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@", "＝")) for cell in cells)


@pytest.mark.parametrize("text", ["1 + 1", "a=b", "你好", "'quoted", ""])
def test_ordinary_cells_stay(text: str) -> None:
    """What no spreadsheet computes is left as it is."""
    assert inert(text) == text


def test_columns_are_as_wide_as_what_stands_in_them() -> None:
    """Letters of full width take two columns, the widest line counts, and no column is wider than a screen can show."""
    assert (width_of("停车场"), width_of("ab\n停车场被追尾"), width_of("Đỗ xe"), width_of("")) == (6, 12, 5, 0)
    sheet = xlsx_bytes(FORMS["triage"], [["x-001", "", "", "", "停车场" * 4, "a" * 500, "f"]], "page.html")
    with zipfile.ZipFile(io.BytesIO(sheet)) as packed:
        columns = re.findall(
            r'<col min="(\d+)" [^>]*width="([\d.]+)"', packed.read("xl/worksheets/sheet1.xml").decode()
        )
    widths = {int(first): float(width) for first, width in columns}
    assert (widths[5], widths[6]) == pytest.approx((26, 60), abs=1)


def test_page_escapes_and_loads_nothing(tmp_path: Path) -> None:
    """Markup of a product or a customer is text on the page, and the page's policy allows styles by hash and pictures only."""
    evil = "</style><script>alert(1)</script><img src=http://127.0.0.1/x>"

    def change(golden: Golden) -> None:
        assert golden.staff is not None
        golden.staff["lists"]["facts"] = [{"cells": {"fact": evil, "value": evil, "status": evil}}]

    write_run(tmp_path, [Claim("TST-M-001", change=change)])
    page = next(text for name, text in texts(handed_out(tmp_path)).items() if name.endswith(".html"))
    assert "<script" not in page
    assert "http://127.0.0.1/x>" not in page
    assert page.count("&lt;script&gt;") == 3
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in page


# Coming back -----------------------------------------------------------------------------------------------------------


def graded(levels: dict[str, str], grader: str = "Ann") -> Callable[[str, str], Sequence[str]]:
    """These levels by package."""
    return lambda item, package: (levels[package], grader, "")


GIVEN = {"TST-M-001": "standard", "TST-M-002": "Urgent ", "TST-M-003": "ｃｏｍｐｌｅｘ"}


def test_agreement_of_two_people(out: Path, tmp_path: Path) -> None:
    """Levels of people are set beside those of product and oracle, and stored with the sheets as they came back."""
    exported = there(out)
    one = filled(exported, tmp_path / "ann.csv", graded(GIVEN))
    two = filled(exported, tmp_path / "bo.csv", graded({**GIVEN, "TST-M-003": "simple"}, "博"))
    result = rig(out, "triage-sheet", "import", "r1", str(one), str(two))
    assert result.exit_code == 0, result.output
    home = out / "results" / "r1" / "human"
    found = TriageGrading.model_validate_json((home / "triage.json").read_bytes())
    assert (found.graders, found.counting, found.graded) == (["Ann", "博"], 3, 3)
    by_package = {a.package: a for a in found.attempts}
    assert by_package["TST-M-002"].staff_level == "urgent"
    assert by_package["TST-M-003"].staff_level is None, "one said complex, one simple: no majority"
    assert (found.decided, found.product_as_staff) == (2, 1)
    sides = {(a.one, a.other): a for a in found.agreements}
    product = sides["staff", "product"]
    assert (product.pairs, product.same) == (6, 3)
    over_packages = wilson(3 / 6, 3)
    assert over_packages is not None
    assert (product.same_low, product.same_high) == (over_packages.low, over_packages.high)
    assert product.confusion == [[1, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 2, 0]]
    assert (sides["staff", "oracle"].same, sides["grader Ann", "grader 博"].same) == (5, 2)
    assert "staff – product: 3 of 6 equal" in result.stdout
    returned = list((home / exported.key_path.parent.name / "returned").glob("*.csv"))
    assert sorted(p.read_bytes() for p in returned) == sorted([one.read_bytes(), two.read_bytes()])
    again = rig(out, "triage-sheet", "import", "r1", str(one))
    assert again.exit_code == 0
    assert "taken in before" in again.stderr


def test_a_workbook_comes_back_too(out: Path, tmp_path: Path) -> None:
    """A workbook with grades, saved by a spreadsheet, is read like the CSV."""
    exported = there(out)
    path = tmp_path / "back.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Grades")
        sheet.write_row(0, 0, ["Case", "Level", "Grader", "Comment", "First message", "Facts", "Files"])
        for at, item in enumerate(exported.key.items, 1):
            sheet.write_row(at, 0, [item.item, "cannot say" if at == 1 else "urgent", "安", "=1+1", "x", "y", "z"])
        sheet.write_blank(40, 0, None)
    result = rig(out, "triage-sheet", "import", "r1", str(path), "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["cannot_say"], told["graded"], told["graders"]) == (1, 2, ["安"])


def test_an_open_document_comes_back_too(out: Path, tmp_path: Path) -> None:
    """A spreadsheet in the OpenDocument format is read, and kept under its own ending."""
    exported = there(out)
    head = ["Case", "Level", "Grader", "Comment", "First message", "Facts", "Files"]
    rows = [head, *([item.item, "simple", "Ann", "", "x", "y", "z"] for item in exported.key.items)]
    cells = [
        [f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>' for c in r]
        for r in rows
    ]
    table = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in cells)
    names = {n: f"urn:oasis:names:tc:opendocument:xmlns:{n}:1.0" for n in ("office", "table", "text")}
    spaces = " ".join(f'xmlns:{name}="{urn}"' for name, urn in names.items())
    content = (
        f'<office:document-content {spaces} office:version="1.2"><office:body><office:spreadsheet>'
        f'<table:table table:name="Grades">{table}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    path = tmp_path / "back.ods"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in (("mimetype", kind), ("META-INF/manifest.xml", manifest), ("content.xml", content)):
            packed.writestr(name, text)
    result = rig(out, "triage-sheet", "import", "r1", str(path))
    assert result.exit_code == 0, result.output
    assert [p.read_bytes() for p in (out / "results").rglob("returned/*.ods")] == [path.read_bytes()]


MISTAKES: dict[str, tuple[Callable[[str, str], Sequence[str]], str]] = {
    "a missing grade": (lambda item, package: ("" if package == "TST-M-002" else "simple", "Ann", ""), "has no level"),
    "a wrong level": (lambda item, package: ("medium" if package == "TST-M-002" else "simple", "Ann", ""), "“medium” is none of urgent"),
    "no grader": (lambda item, package: ("simple", "", ""), "Grader: is empty"),
    "no grader where there are two": (
        lambda item, package: ("simple", {"TST-M-001": "Ann", "TST-M-002": "Bo"}.get(package, ""), ""), "Grader: is empty",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_stored(name: str, out: Path, tmp_path: Path) -> None:
    """Each mistake has its line with file, row and why; exit code 2; neither the good sheet nor the bad one is stored."""
    grade, why = MISTAKES[name]
    exported = there(out)
    good = filled(exported, tmp_path / "good.csv", graded(GIVEN, "Cem"))
    bad = filled(exported, tmp_path / "bad.csv", grade)
    result = rig(out, "triage-sheet", "import", "r1", str(good), str(bad))
    assert result.exit_code == 2, result.output
    assert why in result.stderr
    assert all(line.startswith("rig: bad.csv") for line in result.stderr.splitlines())
    assert not list((out / "results" / "r1" / "human").rglob("returned/*"))
    assert bad.exists()


def test_an_unknown_case_and_a_lost_row_are_two_lines(out: Path, tmp_path: Path) -> None:
    """A row of another run and a row that is gone are told apart, all in one go."""
    exported = there(out)
    sheet = filled(exported, tmp_path / "bad.csv", graded(GIVEN))
    first = exported.key.items[0].item
    sheet.write_text(sheet.read_text("utf-8-sig").replace(first, "ffffff-001"), encoding="utf-8-sig")
    result = rig(out, "triage-sheet", "import", "r1", str(sheet))
    assert result.exit_code == 2
    assert [line for line in result.stderr.splitlines() if "no such case" in line and "ffffff-001" in line]
    assert [line for line in result.stderr.splitlines() if f"case {first}: is not in the sheet any more" in line]


def test_one_person_has_one_grade(out: Path, tmp_path: Path) -> None:
    """Two different grades by one person are refused, within an import and against an earlier one; equal ones are one."""
    exported = there(out)
    one = filled(exported, tmp_path / "one.csv", graded(GIVEN, "Ann"))
    other = filled(exported, tmp_path / "other.csv", graded({**GIVEN, "TST-M-001": "simple"}, " ＡＮＮ "))
    both = rig(out, "triage-sheet", "import", "r1", str(one), str(other))
    assert both.exit_code == 2
    assert "gave “simple” here and “standard” in one.csv row" in both.stderr
    assert rig(out, "triage-sheet", "import", "r1", str(one)).exit_code == 0
    later = rig(out, "triage-sheet", "import", "r1", str(other))
    assert later.exit_code == 2
    assert "one.csv, imported before" in later.stderr
    equal = filled(exported, tmp_path / "equal.csv", lambda item, package: (GIVEN[package], "ann", "again"))
    assert rig(out, "triage-sheet", "import", "r1", str(equal)).exit_code == 0
    told = json.loads((out / "results" / "r1" / "human" / "triage.json").read_bytes())
    assert told["graders"] == ["Ann"]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (
            ["Case", "Grade", "Grader", "Comment", "First message", "Facts", "Files"],
            "column 2: is “Grade”, “Level” was",
        ),
        (["Case", "Level", "Grader", "Comment", "First message", "Facts"], "column 7: is missing"),
        (
            ["Case", "Level", "Grader", "Comment", "First message", "Facts", "Files", "Mine"],
            "column 8: “Mine” was added",
        ),
    ],
)
def test_changed_columns_are_refused(columns: list[str], why: str, out: Path, tmp_path: Path) -> None:
    """Columns that are not those handed out are one line."""
    sheet = filled(there(out), tmp_path / "bad.csv", graded(GIVEN), columns)
    result = rig(out, "triage-sheet", "import", "r1", str(sheet))
    assert result.exit_code == 2
    assert (
        result.stderr == f"rig: bad.csv: {why}{' handed out; columns stay as they are' if why.endswith('was') else ''}"
        or why in result.stderr
    )
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("data", [b"PK\x03\x04 no workbook", b"\xff\xfe\x00", b"", "Fall;Grad".encode("utf-16")])
def test_no_sheet_at_all_is_one_line(data: bytes, out: Path, tmp_path: Path) -> None:
    """Bytes that are no sheet are refused in one line."""
    there(out)
    path = tmp_path / "bad.xlsx"
    path.write_bytes(data)
    result = rig(out, "triage-sheet", "import", "r1", str(path))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_partial_counts_what_is_missing(out: Path, tmp_path: Path) -> None:
    """With --partial an unfinished sheet is taken in, and what is missing is counted and shown."""
    exported = there(out)
    sheet = filled(
        exported, tmp_path / "a.csv", lambda item, package: ("" if package == "TST-M-002" else "simple", "Ann", "")
    )
    result = rig(out, "triage-sheet", "import", "r1", str(sheet), "--partial")
    assert result.exit_code == 0, result.output
    assert "2 of 3 counting attempts graded by 1 person; 0 “cannot say”, 1 rows left empty" in result.stdout


def test_a_semicolon_is_a_comma_elsewhere(out: Path, tmp_path: Path) -> None:
    """CSV as spreadsheets of other languages write it is read."""
    exported = there(out)
    sheet = filled(exported, tmp_path / "a.csv", graded(GIVEN))
    rows = list(csv.reader(io.StringIO(sheet.read_text("utf-8-sig"), newline="")))
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    assert rig(out, "triage-sheet", "import", "r1", str(sheet)).exit_code == 0


def test_nothing_to_grade_and_nothing_handed_out_are_said(root: Path, tmp_path: Path) -> None:
    """A run of which nothing counts has no sheet, and a sheet for a run that handed none out is refused."""
    sheet = tmp_path / "a.csv"
    sheet.write_text("Case", encoding="utf-8")
    result = rig(root, "triage-sheet", "import", "r1", str(sheet))
    assert result.exit_code == 2
    assert "no sheet was handed out" in result.stderr
    for path in (root / "results" / "r1").glob("*/t*/a*/attempt.json"):
        path.write_text(path.read_text("utf-8").replace('"completed"', '"environment_error"'), encoding="utf-8")
    result = rig(root, "triage-sheet", "export", "r1")
    assert result.exit_code == 2
    assert "nothing to grade" in result.stderr


# Lines left to a person ------------------------------------------------------------------------------------------------


def test_a_persons_verdict_is_shown_and_moves_no_rule(out: Path, tmp_path: Path) -> None:
    """What people say stands at the lines left to them, as the referee human; every other line stays, fails among them."""
    from oracle_scoring.claims.batch import score_run
    from oracle_scoring.sheets.verdicts import attempt_sha256

    run = out / "results" / "r1"
    exported = there(out, "human")
    assert {item.line for item in exported.key.items} == {"assertions.kind_words"}
    assert "Is it kind?" in str(texts(exported))
    said = {"TST-M-001": "pass", "TST-M-002": "fail", "TST-M-003": "cannot say"}
    sheet = filled(exported, tmp_path / "a.csv", lambda item, package: (said[package], "Ann", "cold, I thought"))
    result = rig(out, "human-sheet", "import", "r1", str(sheet))
    assert result.exit_code == 0, result.output
    verdicts = read_verdicts(run)
    assert verdicts is not None
    shown = {}
    for card in score_run(run, out / "packages"):
        merged = with_people(card, verdicts, attempt_sha256(run, card))
        lines = {line.id: line for line in merged.lines}
        shown[card.package] = lines["assertions.kind_words"].state
        assert [x for x in merged.lines if x.id != "assertions.kind_words"] == [
            x for x in card.lines if x.id != "assertions.kind_words"
        ]
        assert sum(merged.totals.values()) == len(merged.lines)
        assert with_people(card, verdicts, "0" * 64) == card, "a verdict belongs to the attempt it was given on"
        asks_otherwise = card.model_copy(
            update={"lines": [x.model_copy(update={"why": "another"}) for x in card.lines]}
        )
        assert with_people(asks_otherwise, verdicts, attempt_sha256(run, card)) == asks_otherwise
        assert "cold, I thought" in lines["assertions.kind_words"].why
    assert shown == {"TST-M-001": "pass", "TST-M-002": "fail", "TST-M-003": "needs_human"}


def test_people_who_disagree_decide_nothing(out: Path, tmp_path: Path) -> None:
    """A line on which two people differ still needs a person."""
    exported = there(out, "human")
    one = filled(exported, tmp_path / "a.csv", lambda item, package: ("pass", "Ann", ""))
    two = filled(exported, tmp_path / "b.csv", lambda item, package: ("fail", "Bo", ""))
    result = rig(out, "human-sheet", "import", "r1", str(one), str(two), "--json")
    assert result.exit_code == 0, result.output
    assert {v["state"] for v in json.loads(result.stdout)["verdicts"]} == {"needs_human"}


def test_score_shows_what_people_said(out: Path, tmp_path: Path) -> None:
    """`rig score` prints the line with the people's verdict, and the stored scorecard stays as scoring wrote it."""
    exported = there(out, "human")
    cards = {p: p.read_bytes() for p in (out / "results" / "r1" / "scores").rglob("*.json")}
    sheet = filled(exported, tmp_path / "a.csv", lambda item, package: ("fail", "Ann", ""))
    assert rig(out, "human-sheet", "import", "r1", str(sheet)).exit_code == 0
    shown = rig(out, "score", "r1")
    assert shown.stdout.count("people: 1 said fail") == 3
    assert {p: p.read_bytes() for p in cards} == cards
