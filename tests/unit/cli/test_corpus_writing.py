"""`rig corpus new` and `rig corpus style` as an author types them."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.manifest import verify_manifest, write_manifest
from oracle_scoring.corpus.style import DRAFTED
from oracle_scoring.corpus.synthetic import make_package


def rig(*args: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, list(args))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of one plain package."""
    make_package(tmp_path / "claims" / "SYN-P-001")
    return tmp_path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A corpus without packages."""
    (tmp_path / "claims").mkdir()
    return tmp_path


def test_new_says_what_is_left_to_write(empty: Path) -> None:
    """Folder and places on standard output, exit 0; the same again is refused in one line with exit 2."""
    args = ("corpus", "new", "home.burglary", "CTL-H-042", "--session", "new_account", "--corpus", str(empty))
    done = rig(*args)
    assert done.exit_code == 0 and "Left to write" in done.stdout and "input/facts.json: facts.0.value" in done.stdout
    again = rig(*args)
    assert again.exit_code == 2 and again.stdout == "" and "is there already" in again.stderr


def test_new_as_json(empty: Path) -> None:
    """One JSON object with folder, things to write and findings."""
    said = json.loads(rig("corpus", "new", "motor.theft", "CTL-M-042", "--corpus", str(empty), "--json").stdout)
    assert Path(said["folder"]).is_dir() and said["findings"] == []
    assert {"what": "plate"}.items() <= next(w for w in said["to_write"] if w["what"] == "plate").items()


@pytest.mark.parametrize(
    ("package", "folder", "says"),
    [
        ("CTL-M-42", "claims", "CTL-M-42 is no id of a motor.theft package; one is CTL-M-042, with three digits"),
        ("CTL-M-0042", "claims", "one is CTL-M-042, with three digits"),
        ("CTL-M-042", "holiday", "is no corpus: there is neither manifest.json nor a folder claims/ in it"),
    ],
)
def test_new_refuses_in_one_line(tmp_path: Path, package: str, folder: str, says: str) -> None:
    """Exit 2 and one line for an id without three digits and for a folder that is no corpus; nothing is written."""
    (tmp_path / folder).mkdir()
    done = rig("corpus", "new", "motor.theft", package, "--corpus", str(tmp_path))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1) and says in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == [folder]


def test_style_prints_drafts_and_writes_nothing(corpus: Path) -> None:
    """All five styles, exit 0; no file changes."""
    folder = corpus / "claims" / "SYN-P-001"
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    done = rig("corpus", "style", "SYN-P-001", "--corpus", str(corpus), "--json")
    assert done.exit_code == 0
    assert [d["style"] for d in json.loads(done.stdout)["drafts"]] == list(DRAFTED)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_style_writes_one_draft_on_demand(corpus: Path) -> None:
    """With `--write` and one style the message is the draft, and the package is in order."""
    done = rig("corpus", "style", "SYN-P-001", "--style", "non_native", "--write", "--corpus", str(corpus))
    assert done.exit_code == 0 and "written" in done.stdout
    message = (corpus / "claims/SYN-P-001/input/initial_message.txt").read_text("utf-8").strip()
    assert f"non_native: {message}" in done.stdout
    assert check(corpus / "claims" / "SYN-P-001") == []


def test_a_drafts_manifest_knows_what_style_wrote(corpus: Path) -> None:
    """Message and facts, and no other change beside them."""
    write_manifest(corpus, "t", "t")
    setup = corpus / "claims/SYN-P-001/setup.json"
    setup.write_bytes(setup.read_bytes() + b" ")
    rig("corpus", "style", "SYN-P-001", "--style", "non_native", "--write", "--corpus", str(corpus))
    assert [f.file for f in verify_manifest(corpus)] == ["claims/SYN-P-001/setup.json"]


def test_a_new_package_in_a_frozen_corpus_is_told_to_be_no_part_of_it(empty: Path) -> None:
    """One line on standard error; the manifest stays as it is."""
    manifest = write_manifest(empty, "v1", "t").model_dump(mode="json")
    (empty / "manifest.json").write_text(json.dumps({**manifest, "frozen": True}), "utf-8")
    before = (empty / "manifest.json").read_bytes()
    done = rig("corpus", "new", "motor.theft", "CTL-M-099", "--corpus", str(empty))
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1) and "frozen as v1: CTL-M-099 is no part" in done.stderr
    assert (empty / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("SYN-P-007",), "there is no package SYN-P-007"),
        (("SYN-P-001", "--write"), "goes with exactly one --style"),
        (("SYN-P-001", "--style", "loud"), "there is no style loud"),
    ],
)
def test_style_refuses_in_one_line(corpus: Path, args: tuple[str, ...], says: str) -> None:
    """Exit 2 and one line that names the argument."""
    done = rig("corpus", "style", *args, "--corpus", str(corpus))
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1


def test_style_refuses_a_frozen_corpus(corpus: Path) -> None:
    """A frozen package's message is not rewritten by a tool; the way is a correction."""
    shutil.copy(Path(__file__).parents[3] / "packages/manifest.json", corpus / "manifest.json")
    manifest = json.loads((corpus / "manifest.json").read_bytes())
    (corpus / "manifest.json").write_text(json.dumps({**manifest, "frozen": True}), "utf-8")
    done = rig("corpus", "style", "SYN-P-001", "--style", "emotional", "--write", "--corpus", str(corpus))
    assert done.exit_code == 3 and "frozen" in done.stderr
