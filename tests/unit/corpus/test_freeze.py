"""Signing, freezing, correcting: on throwaway corpora, with a test signer."""

import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from harness.run import check_frozen
from harness.schema.package import LABELS, find_packages, read_manifest
from harness.schema.strict_json import sha256_hex
from harness.stage import load_package as load_for_run
from harness.vision import VisionReply
from oracle_scoring.corpus.check import check_corpus
from oracle_scoring.corpus.freeze import FIRST_REASON, FreezeRefused, freeze, freeze_findings, pinned_by_git
from oracle_scoring.corpus.ledger import Edit, correct, ledger_findings, package_at, read_ledger, revisions
from oracle_scoring.corpus.load import load_package, read_labels
from oracle_scoring.corpus.look import blind_look
from oracle_scoring.corpus.look_compare import provenance_sha256
from oracle_scoring.corpus.manifest import last_frozen, verify_manifest, write_manifest
from oracle_scoring.corpus.models import FileProvenance, Reading
from oracle_scoring.corpus.sign import json_bytes, missing_signatures, sign, standing, withdraw
from oracle_scoring.corpus.synthetic import PAPER, PHOTO, make_package, picture_bytes

SIGNER = "Tessa Testsigner"
AT = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
PLAN = {"groups": {"property": 2}, "review_required": 2, "innocent_controls": 0, "every_class": False}
IDS = ("SYN-P-001", "SYN-P-002")
SAW = {"kind": "photo", "description": "A camera.", "things": ["a broken camera"], "texts": []}


def unread(name: str, data: bytes, made: FileProvenance) -> Reading:
    """Character recognition is left out where it is not the point."""
    return Reading(
        file=name,
        sha256=sha256_hex(data),
        engine="none",
        text="as printed",
        contradictions=[],
        against=provenance_sha256(made),
    )


def looked(folder: Path, stub: bool = False, answer: dict[str, Any] = SAW) -> None:
    """A blind look by a function in a model's place."""
    blind_look(folder, lambda *_: VisionReply(json.dumps(answer), "seeing-model-3", stub), read=unread)


def signed(folder: Path, name: str = SIGNER) -> None:
    """The test signer's name under every picture."""
    package = load_package(folder)
    for file, data in package.visible.files.items():
        if not data.startswith(b"%PDF-"):
            sign(folder, file, sha256_hex(data), name, AT)


def make(root: Path, ids: tuple[str, ...] = IDS) -> Path:
    """A draft corpus with a plan of its own."""
    for number, package in enumerate(ids, 1):
        person = f"Person{number} Brackwater"
        make_package(
            root / "claims" / package,
            {
                f"provenance.files.{PHOTO}.shows": [["camera"], ["broken"]],
                "facts.persona.name": person, "setup.policy.holder": person,
                "materials.materials.0.visible.label": f"picture number {number} of the broken camera",
                "materials.materials.1.visible.label": f"what the shop at corner {number} wrote",
            },
        )  # fmt: skip
    (root / "plan.json").write_text(json.dumps(PLAN), encoding="utf-8")
    write_manifest(root, "draft-1", "first")
    return root


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with nothing against it: looked at, and signed by the test signer."""
    root = make(tmp_path_factory.mktemp("built") / "corpus")
    for folder in find_packages(root).values():
        looked(folder)
        signed(folder)
    return root


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    """That corpus, for one test alone."""
    return shutil.copytree(built, tmp_path / "corpus")


def by_hand(root: Path, name: str, change: Callable[[Any], Any]) -> None:
    """A change in an editor, of the first package."""
    path = root / "claims" / IDS[0] / name
    value = json.loads(path.read_bytes())
    change(value)
    path.write_bytes(json_bytes(value))


def codes(findings: list[Any]) -> set[str]:
    """Codes only."""
    return {f.code for f in findings}


# ---------------------------------------------------------------------- signing


def test_a_signature_is_of_one_files_bytes(root: Path) -> None:
    """It stands while the file is the same, falls when it changes, and a new one takes its place."""
    folder = root / "claims" / IDS[0]
    assert [s.name for s in standing(load_package(folder))[PHOTO]] == [SIGNER]
    changed = picture_bytes((80, 60))
    (folder / "input/materials" / PHOTO).write_bytes(changed)
    package = load_package(folder)
    assert standing(package)[PHOTO] == []
    assert "fell when the file changed" in missing_signatures(package)[0].what
    assert "review_of_other_bytes" in codes(check_corpus(root))
    sign(folder, PHOTO, sha256_hex(changed), SIGNER, AT)
    review = load_package(folder).review
    assert [(s.name, s.sha256) for s in review.human_signatures] == [(SIGNER, sha256_hex(changed))]


def test_what_was_not_shown_cannot_be_signed(root: Path) -> None:
    """The hash is that of what the person saw."""
    folder = root / "claims" / IDS[0]
    with pytest.raises(InputError, match="it has changed: look at it again"):
        sign(folder, PHOTO, "0" * 64, SIGNER, AT)
    with pytest.raises(InputError, match="there is no such file"):
        sign(folder, "other.jpg", "0" * 64, SIGNER, AT)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "7",
        "A",
        "zq checker",
        "seeing-model-3",
        "The assistant",
        "anonymous",
        "Eve\u202egnp.exe Lee",
        "x" * 90,
    ],
)
def test_only_a_persons_name_signs(name: str, root: Path) -> None:
    """Not a program's, not an assistant's, not a name that cannot be read."""
    folder = root / "claims" / IDS[0]
    before = (folder / "review.json").read_bytes()
    with pytest.raises(InputError, match="name"):
        sign(folder, PHOTO, sha256_hex((folder / "input/materials" / PHOTO).read_bytes()), name, AT)
    assert (folder / "review.json").read_bytes() == before


def test_two_people_may_sign_and_one_may_take_it_back(root: Path) -> None:
    """Each signature is its signer's."""
    folder = root / "claims" / IDS[0]
    signed(folder, "Otto Other")
    assert [s.name for s in standing(load_package(folder))[PHOTO]] == [SIGNER, "Otto Other"]
    assert withdraw(folder, PHOTO, SIGNER) == 1
    assert [s.name for s in standing(load_package(folder))[PHOTO]] == ["Otto Other"]


def test_signing_keeps_a_drafts_manifest_true_and_hides_no_other_change(root: Path) -> None:
    """Only the one file whose old bytes it knew."""
    assert verify_manifest(root) == []
    setup = root / "claims" / IDS[0] / "setup.json"
    setup.write_bytes(setup.read_bytes() + b"\n")
    signed(root / "claims" / IDS[0], "Otto Other")
    assert [f.file for f in verify_manifest(root)] == [f"claims/{IDS[0]}/setup.json"]


# ---------------------------------------------------------------------- freezing


def test_a_corpus_with_nothing_against_it_is_frozen(root: Path) -> None:
    """Version, every hash, the change log, line endings; and a copy of the manifest that stays."""
    assert freeze_findings(root) == []
    manifest = freeze(root, "v1")
    assert (manifest.version, manifest.frozen, manifest.changes[-1].version) == ("v1", True, "v1")
    assert (
        manifest.changes[-1].reason.startswith(FIRST_REASON)
        and "a plan of its own: 2 property" in manifest.changes[-1].reason
    )
    assert len([name for name in manifest.files if name.startswith("claims/")]) == 18
    assert read_manifest(root) == manifest == last_frozen(root)
    assert (root / ".gitattributes").read_text() == "* -text\n"
    assert check_corpus(root) == [] and verify_manifest(root) == []


def test_freezing_again_changes_nothing(root: Path) -> None:
    """A frozen version stays as it is, and says so."""
    freeze(root, "v1")
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    said: list[str] = []
    freeze(root, "v1", say=said.append)
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before
    assert said == ["v1 is frozen, and every byte is as it was"]


Break = Callable[[Path], None]


def _stub(root: Path) -> None:
    looked(root / "claims" / IDS[0], stub=True)


def _contradiction(root: Path) -> None:
    looked(root / "claims" / IDS[0], answer={**SAW, "things": ["a glass table"]})


def _no_look(root: Path) -> None:
    path = root / "claims" / IDS[0] / "review.json"
    review = json.loads(path.read_bytes())
    review["blind_look"] = {"done": False, "why_not": "nobody there", "looks": [], "readings": []}
    path.write_bytes(json_bytes(review))


def _no_subject(root: Path) -> None:
    path = root / "claims" / IDS[0] / "provenance.json"
    made = json.loads(path.read_bytes())
    made["files"][PHOTO]["shows"] = []
    path.write_bytes(json_bytes(made))


def _subject_moved(root: Path) -> None:
    by_hand(root, "provenance.json", lambda made: made["files"][PHOTO].update(shows=[["violin"]]))


def _print_moved(root: Path) -> None:
    def change(made: Any) -> None:
        made["files"][PAPER]["printed_fields"]["shop"] = {
            "page": 1,
            "printed": "Quillmere Optics",
            "kind": "name",
            "value": "Quillmere Optics",
        }

    by_hand(root, "provenance.json", change)


def _label(root: Path) -> None:
    path = root / "claims" / IDS[0] / LABELS
    labels = json.loads(path.read_bytes())
    labels["review_required"] = False
    path.write_bytes(json_bytes(labels))


def _plan(root: Path) -> None:
    (root / "plan.json").write_text(json.dumps({**PLAN, "groups": {"property": 3}}), encoding="utf-8")


def _new_picture(root: Path) -> None:
    (root / "claims" / IDS[0] / "input/materials" / PHOTO).write_bytes(picture_bytes((64, 48)))


BREAKS: dict[str, tuple[Break, set[str]]] = {
    "nobody signed": (lambda root: withdraw(root / "claims" / IDS[0], PHOTO, SIGNER) and None, {"signature_missing"}),
    "a stand-in looked": (_stub, {"blind_look_by_stub"}),
    "the look contradicts": (_contradiction, {"blind_not_seen", "review_contradicts"}),
    "nobody looked": (_no_look, {"blind_look_missing", "blind_reading_missing"}),
    "nothing says what the picture shows": (_no_subject, {"blind_look_without_subject"}),
    "another subject is declared after the look": (_subject_moved, {"blind_not_seen"}),
    "another print is declared after the reading": (_print_moved, {"blind_reading_outdated"}),
    "a label does not follow": (_label, {"review_required_differs", "quota"}),
    "quotas are off": (_plan, {"quota"}),
    "the plan of a hundred": (lambda root: (root / "plan.json").unlink(), {"quota"}),
    "a picture changed": (
        _new_picture,
        {"signature_missing", "review_of_other_bytes", "blind_look_missing"},
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_freeze_is_refused_with_every_reason(name: str, root: Path) -> None:
    """One thing wrong, and nothing is written."""
    spoil, expected = BREAKS[name]
    spoil(root)
    before = (root / "manifest.json").read_bytes()
    with pytest.raises(FreezeRefused) as caught:
        freeze(root, "v1")
    assert codes(caught.value.findings) == expected
    assert (root / "manifest.json").read_bytes() == before and not (root / "versions").exists()


@pytest.mark.parametrize("version", ["1", "v0", "v1.1", "draft-2", "V1", "v01", "v1 "])
def test_a_version_has_one_form(version: str, root: Path) -> None:
    """v1, v2, …"""
    with pytest.raises(InputError, match="must be v1, v2"):
        freeze(root, version)


def test_a_corpus_without_a_manifest_can_be_frozen_and_no_corpus_cannot(root: Path) -> None:
    """Freezing writes the manifest, the first time only."""
    (root / "manifest.json").unlink()
    assert [c.version for c in freeze(root, "v1").changes] == ["v1"]
    (root / "manifest.json").unlink()
    with pytest.raises(InputError, match="put it back as it was"):
        freeze(root, "v1")
    with pytest.raises(InputError, match="there is no such corpus folder"):
        freeze(root / "nowhere", "v1")


def test_a_changed_byte_is_named_until_the_next_version(root: Path) -> None:
    """By the check, by a run, and by a freeze of the same version."""
    freeze(root, "v1")
    by_hand(root, "input/facts.json", lambda facts: facts["persona"].update(mood="cross"))
    (finding,) = verify_manifest(root)
    assert (finding.code, finding.file) == ("manifest_file_changed", f"claims/{IDS[0]}/input/facts.json")
    assert "new version with a reason" in finding.mend
    with pytest.raises(InputError, match=r"facts\.json: is not the file that was frozen as v1"):
        check_frozen(root, [load_for_run(folder) for folder in find_packages(root).values()])
    with pytest.raises(FreezeRefused, match="v1 is frozen and stays as it is"):
        freeze(root, "v1")
    with pytest.raises(FreezeRefused) as caught:
        freeze(root, "v2", "facts in another form")
    assert codes(caught.value.findings) == {"change_not_in_ledger"}


def test_a_new_version_needs_a_reason_a_change_and_the_next_number(root: Path) -> None:
    """Each is refused by name."""
    freeze(root, "v1")
    with pytest.raises(InputError, match="nothing changed since v1"):
        freeze(root, "v2", "because")
    signed(root / "claims" / IDS[0], "Otto Other")
    with pytest.raises(InputError, match="--reason: is missing"):
        freeze(root, "v2")
    manifest = freeze(root, "v3", "a second pair of eyes")
    assert manifest.changes[-1].files == [f"claims/{IDS[0]}/review.json"]
    with pytest.raises(InputError, match=r"there is v3 already; the next one is v4"):
        freeze(root, "v2", "late")


def test_packages_may_come_with_a_new_version(root: Path) -> None:
    """A draft after a freeze may grow; what was frozen may still not change by hand."""
    freeze(root, "v1")
    ids = (*IDS, "SYN-P-003")
    other = make(root.parent / "other", ids)
    (other / "claims" / "SYN-P-003").rename(root / "claims" / "SYN-P-003")
    (root / "plan.json").write_text(json.dumps({**PLAN, "groups": {"property": 3}, "review_required": 3}))
    write_manifest(root, "draft-2", "one more")
    looked(root / "claims" / "SYN-P-003")
    signed(root / "claims" / "SYN-P-003")
    path = root / "claims" / IDS[0] / "setup.json"
    right = path.read_bytes()
    by_hand(root, "setup.json", lambda setup: setup.update(now="2026-04-09T09:15:00Z"))
    write_manifest(root, "draft-2", "one more")
    assert codes(freeze_findings(root)) == {"change_not_in_ledger"}
    path.write_bytes(right)
    assert freeze(root, "v2", "a third package").changes[-1].files[-1] == "plan.json"


def test_git_changes_no_line_ending_of_a_frozen_corpus(root: Path, tmp_path: Path) -> None:
    """Cloned where git turns every text into CRLF, every hash is still right."""
    freeze(root, "v1")
    env = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]

    def git(*words: str, at: Path = root) -> None:
        subprocess.run(["git", *env, *words], cwd=at, check=True, capture_output=True, timeout=60)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "frozen")
    git("-c", "core.autocrlf=true", "clone", "-q", str(root), "copy", at=tmp_path)
    assert verify_manifest(tmp_path / "copy") == []
    assert pinned_by_git(root, "manifest.json") is True


def test_where_git_would_change_line_endings_nothing_is_frozen(root: Path) -> None:
    """Attributes that overrule the corpus's own are found by asking git."""
    subprocess.run(["git", "init", "-q"], cwd=root, check=True, capture_output=True, timeout=60)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* text eol=crlf\n", encoding="utf-8")
    with pytest.raises(InputError, match="does not keep git from changing line endings"):
        freeze(root, "v1")
    assert not read_manifest(root).frozen


# ---------------------------------------------------------------------- correcting


def corrected(root: Path, edit: Edit | None = None) -> Any:
    """One correction of the first package."""
    wanted = edit or Edit(file=LABELS, field="expected_facts.6.field", value="Day of purchase")
    return correct(root, IDS[0], [wanted], "the field was called otherwise", "Cora Corrector", AT)


def test_a_correction_stands_in_the_ledger_and_moves_the_revision(root: Path) -> None:
    """Before, after, why, by whom; the old answers stay; the manifest names what changed; the next version takes it in."""
    freeze(root, "v1")
    folder = root / "claims" / IDS[0]
    old = (folder / LABELS).read_bytes()
    corrected(root)
    (entry,) = read_ledger(root)
    (change,) = entry.changes
    assert (change.file, change.field, change.before, change.after) == (
        LABELS,
        "expected_facts.6.field",
        "Zq field 6",
        "Day of purchase",
    )
    assert (entry.why, entry.by, entry.corrects) == ("the field was called otherwise", "Cora Corrector", "v1")
    assert (entry.revision_before, entry.revision_after, read_labels(folder).oracle_revision) == (1, 2, 2)
    assert (root / "revisions" / IDS[0] / "1" / LABELS).read_bytes() == old
    assert {f.file for f in verify_manifest(root)} == {
        f"claims/{IDS[0]}/{LABELS}", f"revisions/{IDS[0]}/1/{LABELS}", "corrections.jsonl",
    }  # fmt: skip
    manifest = freeze(root, "v2", "a field's name")
    assert manifest.changes[-1].files == sorted(manifest.changes[-1].files)
    assert f"claims/{IDS[0]}/{LABELS}" in manifest.changes[-1].files
    assert check_corpus(root) == []


def test_every_revision_can_be_put_together(root: Path, tmp_path: Path) -> None:
    """Three revisions of one package, byte for byte, whichever file was corrected."""
    freeze(root, "v1")
    folder = root / "claims" / IDS[0]
    first = {n: (folder / n).read_bytes() for n in (LABELS, "setup.json")}
    corrected(root)
    second = {n: (folder / n).read_bytes() for n in (LABELS, "setup.json")}
    corrected(root, Edit(file="setup.json", field="prior_claims.0.kind", value="zq_other"))
    assert revisions(root, IDS[0]) == [1, 2] and read_labels(folder).oracle_revision == 3
    for number, wanted in ((1, first), (2, second)):
        there = package_at(root, folder, number, tmp_path / str(number))
        assert {n: (there / n).read_bytes() for n in wanted} == wanted
        assert load_package(there).labels.oracle_revision == number
    assert ledger_findings(root) == []


def test_a_picture_can_be_replaced_and_needs_a_new_look_and_signature(root: Path) -> None:
    """A correction of bytes; the old picture stays below revisions."""
    freeze(root, "v1")
    folder = root / "claims" / IDS[0]
    corrected(root, Edit(file=f"input/materials/{PHOTO}", data=picture_bytes((88, 66))))
    (change,) = read_ledger(root)[0].changes
    assert (change.field, change.before, change.after) == ("", None, None)
    assert codes(freeze_findings(root)) >= {"signature_missing", "blind_look_missing"}
    looked(folder)
    signed(folder)
    path = folder / "review.json"
    review = json.loads(path.read_bytes())
    review["assistant_checks"][0]["sha256"] = sha256_hex((folder / "input/materials" / PHOTO).read_bytes())
    path.write_bytes(json_bytes(review))
    assert freeze(root, "v2", "a better picture").frozen


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (Edit(file=LABELS, field="triage.colour", value="red"), "leads nowhere"),
        (Edit(file=LABELS, field="expected_facts.99.value", value="red"), "leads nowhere"),
        (Edit(file=LABELS, field="triage.level", value="dreadful"), "triage.level"),
        (Edit(file=LABELS, field="triage.level", value="complex"), "is that already"),
        (Edit(file="oracle/other.json", field="a", value=1), "is no file of the package"),
        (Edit(file="review.json", field="human_signatures", value=[]), "written by looking and signing"),
        (Edit(file=f"input/materials/{PAPER}", field="a", value=1), "has no fields"),
        (Edit(file=f"input/materials/{PHOTO}", data=b"no picture"), "does not start like"),
        (Edit(file=LABELS, field="oracle_revision", value=7), "moves by itself with every correction"),
        (Edit(file="setup.json", field="canary", value="0" * 32), "canary: is no answer"),
        (Edit(file=LABELS, field="format", value="0.3"), "is the form of the file"),
    ],
)  # fmt: skip
def test_a_correction_that_cannot_be_made_writes_nothing(edit: Edit, why: str, root: Path) -> None:
    """Package, ledger and revisions are as they were."""
    freeze(root, "v1")
    with pytest.raises(InputError, match=why):
        corrected(root, edit)
    assert verify_manifest(root) == [] and not (root / "revisions").exists() and read_ledger(root) == []


@pytest.mark.parametrize("field", ["oracle_revision", "canary", "format"])
def test_a_file_that_takes_anothers_place_keeps_what_no_correction_changes(field: str, root: Path) -> None:
    """Else the ledger would tell of a revision or a canary that the file has not."""
    freeze(root, "v1")
    labels = json.loads((root / "claims" / IDS[0] / LABELS).read_bytes())
    labels["expected_facts"][0]["field"] = "Day"
    corrected(root, Edit(file=LABELS, data=json_bytes(labels)))
    labels = json.loads((root / "claims" / IDS[0] / LABELS).read_bytes())
    assert labels["oracle_revision"] == 2
    labels[field] = 7 if field == "oracle_revision" else "7" * 32
    with pytest.raises(InputError, match=f"{field}: .* still"):
        corrected(root, Edit(file=LABELS, data=json_bytes(labels)))
    assert len(read_ledger(root)) == 1


def test_a_draft_needs_no_ledger_and_a_hand_made_change_is_no_correction(root: Path) -> None:
    """Corrections are for frozen corpora, and only they change those."""
    with pytest.raises(InputError, match="never frozen"):
        corrected(root)
    freeze(root, "v1")
    path = root / "claims" / IDS[0] / "setup.json"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(InputError, match="was changed by hand"):
        corrected(root)


SPOILT: dict[str, tuple[Break, str]] = {
    "a line reworded": (
        lambda r: (r / "corrections.jsonl").write_text((r / "corrections.jsonl").read_text().replace("otherwise", "wrongly", 1)) and None,
        "ledger_broken",
    ),
    "a torn line": (lambda r: (r / "corrections.jsonl").write_bytes((r / "corrections.jsonl").read_bytes()[:-1]) and None, "ledger_broken"),
    "the ledger gone": (lambda r: (r / "corrections.jsonl").unlink(), "change_not_in_ledger"),
    "an old revision gone": (lambda r: (r / "revisions" / IDS[0] / "1" / LABELS).unlink(), "revision_missing"),
    "an old revision changed": (lambda r: (r / "revisions" / IDS[0] / "1" / LABELS).write_text("{}") and None, "revision_differs"),
    "the frozen manifest changed": (
        lambda r: (r / "versions/v1.json").write_text((r / "versions/v1.json").read_text().replace('"0', '"1', 1)) and None,
        "ledger_broken",
    ),
    "the change log begun anew": (
        lambda r: (r / "manifest.json").unlink() or (write_manifest(r, "draft-1", "nothing was ever frozen") and None),
        "ledger_broken",
    ),
    "the revision moved by hand": (
        lambda r: (r / "claims" / IDS[0] / LABELS).write_text(
            (r / "claims" / IDS[0] / LABELS).read_text().replace('"oracle_revision": 3', '"oracle_revision": 4')
        ) and None,
        "oracle_revision_differs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_history_is_not_rewritten(name: str, root: Path) -> None:
    """Ledger, earlier revisions and frozen manifests hold each other."""
    freeze(root, "v1")
    corrected(root)
    corrected(root, Edit(file="setup.json", field="prior_claims.0.kind", value="zq_other"))
    spoil, code = SPOILT[name]
    spoil(root)
    assert code in codes(ledger_findings(root))


# ---------------------------------------------------------------------- verbs


def test_the_verbs_freeze_correct_and_freeze_again(root: Path) -> None:
    """From draft to v2 by the command; refusals have exit code 3 and every reason."""
    run = CliRunner()
    c = ["--corpus", str(root)]
    withdraw(root / "claims" / IDS[0], PHOTO, SIGNER)
    refused = run.invoke(app, ["corpus", "freeze", "v1", *c])
    assert refused.exit_code == 3 and "signature_missing" in refused.stdout
    signed(root / "claims" / IDS[0])
    done = run.invoke(app, ["corpus", "freeze", "v1", *c, "--json"])
    assert done.exit_code == 0 and json.loads(done.stdout)["version"] == "v1"
    words = ["corpus", "correct", IDS[0], LABELS, "--field", "expected_facts.6.field", "--to", '"Day of purchase"', *c]
    assert run.invoke(app, [*words, "--why", "its name"]).exit_code == 2
    made = run.invoke(app, [*words, "--why", "its name", "--by", "Cora Corrector"])
    assert made.exit_code == 0 and "revision 2" in made.stdout and "'Zq field 6' -> 'Day of purchase'" in made.stdout
    assert run.invoke(app, ["corpus", "freeze", "v2", *c]).exit_code == 2
    assert run.invoke(app, ["corpus", "freeze", "v2", *c, "--reason", "its name"]).exit_code == 0
