"""`rig corpus check`, `scripts/check_corpus.py` and `rig schema --write`: what they print, with which exit code they end."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.cli.schemas import FILES, field_words, names, schema_of
from harness.schema.package import find_packages
from harness.schema.visible import Fact
from oracle_scoring.corpus.manifest import next_version, write_manifest
from oracle_scoring.corpus.synthetic import make_package
from scripts import check_corpus, corrupt

ROOT = Path(__file__).parents[3]
PACKAGES = find_packages(ROOT / "packages")


def rig(*args: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, list(args))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of one package with two findings."""
    make_package(
        tmp_path / "claims" / "SYN-P-001", {"labels.review_required": False, "message": "Yesterday I broke it."}
    )
    write_manifest(tmp_path, "t", "t")
    return tmp_path


def test_findings_are_lines_that_say_what_to_do(corpus: Path) -> None:
    """File, field, what, code, mend; then the plan and the sums; exit 2."""
    done = rig("corpus", "check", str(corpus))
    lines = done.stdout.splitlines()
    assert done.exit_code == 2 and lines[-1].startswith("1 packages, ")
    assert any(
        "labels.json: review_required: says false" in line and "[review_required_differs] ->" in line for line in lines
    )
    assert any(line.startswith("plan: ") and "property packages 1 of 20" in line for line in lines)
    clean = rig("corpus", "check", str(PACKAGES["CTL-M-001"]))
    assert (clean.exit_code, clean.stdout) == (0, "1 packages, 0 findings\n")


def test_json_is_alone_on_standard_output(corpus: Path) -> None:
    """Findings, mended files and progress as one value."""
    found = json.loads(rig("corpus", "check", str(corpus), "--json").stdout)
    assert set(found) == {"packages", "findings", "mended", "taken_in", "progress"}
    assert {f["code"] for f in found["findings"]} >= {"review_required_differs", "relative_date"}


def test_quotas_are_findings_when_asked_for(corpus: Path) -> None:
    """Otherwise a draft is only told how far it is."""
    assert "[quota]" in rig("corpus", "check", str(corpus), "--quotas").stdout
    assert "[quota]" not in rig("corpus", "check", str(corpus)).stdout


def test_fix_says_what_it_laid_out(corpus: Path) -> None:
    """And changes nothing else."""
    setup = corpus / "claims/SYN-P-001/setup.json"
    before = json.loads(setup.read_bytes())
    setup.write_text(json.dumps(before))
    write_manifest(corpus, "t", "t")
    done = rig("corpus", "check", str(corpus), "--fix")
    assert "laid out anew: SYN-P-001/setup.json" in done.stdout and "[layout]" not in done.stdout
    assert json.loads(setup.read_bytes()) == before


def test_fix_takes_changed_files_into_a_drafts_manifest_and_says_which(corpus: Path) -> None:
    """Of the corpus, or of the package given; without --fix the finding says that --fix does it."""
    setup = corpus / "claims/SYN-P-001/setup.json"
    for where in (corpus, corpus / "claims/SYN-P-001"):
        setup.write_bytes(setup.read_bytes().replace(b'"number": "', b'"number": "X'))
        told = rig("corpus", "check", str(corpus)).stdout
        assert "[manifest_file_changed] -> rig corpus check --fix" in told
        done = rig("corpus", "check", str(where), "--fix")
        assert "taken into the draft's manifest: claims/SYN-P-001/setup.json" in done.stdout
        assert "[manifest_file_changed]" not in rig("corpus", "check", str(corpus)).stdout


def test_what_is_given_twice_is_checked_once(corpus: Path) -> None:
    """A corpus, a package, or a package beside its corpus."""
    package = str(corpus / "claims/SYN-P-001")
    for given in ((str(corpus), f"{corpus}/."), (package, package), (str(corpus), package), (package, str(corpus))):
        found = json.loads(rig("corpus", "check", "--json", *given).stdout)
        assert found["packages"] == 1
        assert len({json.dumps(f) for f in found["findings"]}) == len(found["findings"])


@pytest.mark.parametrize("where", ["nowhere", "README.md"])
def test_what_is_no_package_is_one_line(where: str) -> None:
    """Exit 2, nothing on standard output."""
    done = rig("corpus", "check", str(ROOT / where))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "neither a corpus nor a package" in done.stderr


@pytest.mark.parametrize(
    "verb", [("check", "{}"), *((v, "--corpus", "{}") for v in ("blind-look", "review", "freeze v1"))]
)
def test_a_folder_without_packages_is_one_line(verb: tuple[str, ...], tmp_path: Path) -> None:
    """An empty folder, a corpus without packages, no folder at all; nothing is looked at, served or written."""
    (tmp_path / "none").mkdir()
    (tmp_path / "empty/claims").mkdir(parents=True)
    for name in ("none", "empty", "missing"):
        words = [word for part in verb for word in part.format(tmp_path / name).split()]
        done = rig("corpus", *words)
        assert done.exit_code == 2 and done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and name in done.stderr


@pytest.mark.parametrize("verb", ["blind-look", "review", "freeze v1"])
def test_a_package_is_no_corpus(verb: str) -> None:
    """Who gives one is told to give the folder that it lies in."""
    done = rig("corpus", *verb.split(), "--corpus", str(PACKAGES["CTL-M-001"]))
    assert done.exit_code == 2 and "is a package; give the corpus" in done.stderr


def test_a_stray_file_among_packages_stays_a_finding(corpus: Path) -> None:
    """It is named with its code; the corpus is not taken for an empty folder."""
    (corpus / "claims/todo.txt").write_text("x")
    found = json.loads(rig("corpus", "check", str(corpus), "--json").stdout)
    assert {f["code"] for f in found["findings"]} == {"file_extra"}


def test_the_script_is_the_same_code(corpus: Path) -> None:
    """The same findings and exit code as the command, from any folder."""
    script = [sys.executable, str(ROOT / "scripts/check_corpus.py"), str(corpus), "--json"]
    done = subprocess.run(script, capture_output=True, text=True, cwd=corpus)
    assert done.returncode == 2
    assert json.loads(done.stdout) == json.loads(rig("corpus", "check", str(corpus), "--json").stdout)


def test_the_script_freezes_as_the_command_does(corpus: Path) -> None:
    """Refused with every reason, exit 3; without a version it is the next one that is refused."""
    script = [sys.executable, str(ROOT / "scripts/check_corpus.py")]
    for args in ([str(corpus), "--freeze", "v1"], [str(corpus), "--freeze"], ["--freeze", str(corpus)]):
        done = subprocess.run([*script, *args], capture_output=True, text=True)
        assert done.returncode == 3 and "signature_missing" in done.stdout and "[quota]" in done.stdout
        assert "v1 is not frozen: " in done.stderr
    assert json.loads((corpus / "manifest.json").read_bytes())["frozen"] is False


@pytest.mark.parametrize("copies", ["x", "0", "-1"])
def test_a_bench_of_no_copies_is_one_line(
    copies: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 2."""
    monkeypatch.setattr(sys, "argv", ["check_corpus.py", f"--bench={copies}"])
    assert check_corpus.main() == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "--bench" in said.err


def test_mistakes_in_one_package_need_not_all_apply(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not apply is told and makes no failure."""
    package = make_package(corpus.parent / f"{corpus.name}-one" / "SYN-P-002")
    monkeypatch.setattr(sys, "argv", ["corrupt", str(package), "--only", "a slip in what a picture", "--json"])
    assert corrupt.main() == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["missed"], found["never_made"]) == (0, ["a slip in what a picture is drawn from"])


def test_the_next_version_is_one_above_the_highest(corpus: Path) -> None:
    """Names of drafts do not count; without a manifest it is the first."""
    assert next_version(corpus) == "v1"
    for version in ("v3", "v1", "draft of v9"):
        write_manifest(corpus, version, "t")
    assert next_version(corpus) == "v4"
    (corpus / "manifest.json").unlink()
    assert next_version(corpus) == "v1"


@pytest.fixture(scope="module")
def schemas() -> dict[str, dict[str, Any]]:
    """Pattern of files -> their schema, each sound in itself."""
    made = {pattern.removeprefix("**/"): schema_of(name) for name, pattern in FILES.items()}
    for schema in made.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return made


@pytest.mark.parametrize("package", [*PACKAGES, "INQ-001", "INQ-010"])
def test_every_file_of_a_package_fits_its_schema(package: str, schemas: dict[str, dict[str, Any]]) -> None:
    """What an editor underlines by the schema is what the checker refuses; each file has exactly one schema."""
    folder = find_packages(ROOT / "packages", None)[package]
    for file in [*folder.rglob("*.json"), *(ROOT / "packages").glob("*.json")]:
        (schema,) = [schema for pattern, schema in schemas.items() if file.match(pattern)]
        jsonschema.validate(json.loads(file.read_bytes()), schema)


def test_schemas_are_written_with_settings(tmp_path: Path) -> None:
    """A file for each name, and which goes with which file."""
    done = rig("schema", "--write", str(tmp_path / "s"))
    assert done.exit_code == 0 and len(done.stdout.splitlines()) == len(names()) + 1
    settings = json.loads((tmp_path / "s/settings.json").read_bytes())
    for entry in settings["json.schemas"]:
        assert Path(entry["url"]).is_file()
    assert len(settings["json.schemas"]) == len(FILES)
    shutil.rmtree(tmp_path / "s")


def test_schemas_say_what_the_code_says() -> None:
    """The text under a field is its description."""
    assert field_words(Fact)["say"] == "How this person says it when asked."
    assert schema_of("facts")["$defs"]["Fact"]["properties"]["say"]["description"] == field_words(Fact)["say"]
