"""Bad input to `rig`: one line that says which file, which field and why, and the right exit code."""

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.screen.adapter import find_adapter

ROOT = Path(__file__).parents[3]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A copy of the corpus that may be spoilt."""
    shutil.copytree(ROOT / "packages", tmp_path / "packages")
    return tmp_path / "packages"


def rig(*args: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(app, list(args), env=env)


def one_line(result: Result, code: int) -> str:
    """The only line on standard error; the exit code is as expected and nothing was printed on standard output."""
    assert result.exit_code == code, (result.exit_code, result.output, result.exception)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return lines[0]


def _json(path: str, change: Callable[[dict[str, object]], None]) -> Callable[[Path], None]:
    def spoil(package: Path) -> None:
        data = json.loads((package / path).read_bytes())
        change(data)
        (package / path).write_text(json.dumps(data), encoding="utf-8")

    return spoil


def _bytes(path: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda package: (package / path).write_bytes(change((package / path).read_bytes()))  # type: ignore[func-returns-value]


def _link(package: Path) -> None:
    file = package / "input/materials/photo-rear-bumper.jpg"
    target = package.parents[2] / "elsewhere.jpg"
    file.rename(target)
    file.symlink_to(target)


SPOILT: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "missing facts": (lambda p: (p / "input/facts.json").unlink(), "input/facts.json", "missing"),
    "missing setup": (lambda p: (p / "setup.json").unlink(), "setup.json", "missing"),
    "missing answers": (lambda p: (p / "oracle/labels.json").unlink(), "oracle/labels.json", "missing"),
    "extra file": (lambda p: (p / "notes.txt").write_text("x", encoding="utf-8") and None, "notes.txt", ""),
    "extra material": (lambda p: (p / "input/materials/b.jpg").write_bytes(b"\xff\xd8\xff") and None, "b.jpg", ""),
    "wrong type": (_json("input/facts.json", lambda d: d["persona"].update(patience="high")), "persona.patience", "integer"),  # type: ignore[attr-defined]
    "unknown field": (_json("input/facts.json", lambda d: d.update(secret="x")), "secret", ""),
    "duplicate key": (_bytes("setup.json", lambda b: b.replace(b"{", b'{"kind": "claims", ', 1)), "kind", "twice"),
    "byte order mark": (_bytes("input/facts.json", lambda b: b"\xef\xbb\xbf" + b), "input/facts.json", "byte order mark"),
    "a link": (_link, "photo-rear-bumper.jpg", "link"),
    "a way up in a file name": (
        _json("input/materials.json", lambda d: d["materials"][0]["visible"].update(file="../oracle/labels.json")),  # type: ignore[index]
        "materials", "",
    ),
    "no canary": (_json("oracle/labels.json", lambda d: d.update(canary="short")), "canary", "32"),
    "not JSON": (_bytes("setup.json", lambda b: b[:-5]), "setup.json", "JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_package_is_one_line(name: str, corpus: Path, tmp_path: Path) -> None:
    """The line names the file (and field); exit code 2; no run is begun and the package is as it was."""
    spoil, where, why = SPOILT[name]
    spoil(corpus / "claims/CTL-M-001")
    result = rig(
        "run",
        "CTL-M-001",
        "--customer",
        "rule",
        "--rehearsal",
        "--corpus",
        str(corpus),
        "--results",
        str(tmp_path / "r"),
    )
    line = one_line(result, 2)
    assert where in line
    assert why in line
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("args", "where"),
    [
        (["CTL-X-999"], "CTL-X-999"),
        (["CTL-M-001", "--customer", "robot"], "--customer"),
        (["CTL-M-001", "--run", "../x"], "--run"),
        (["CTL-M-001", "--workers", "0"], "--workers"),
        (["CTL-M-001", "--customer", "scripted"], "--script"),
        (["CTL-M-001", "--customer", "recorded", "--recorded", "nowhere.jsonl"], "nowhere.jsonl"),
        (["CTL-M-001", "--product", "no-such-product"], "no-such-product"),
        (["CTL-M-001", "--max-cost", "much"], "--max-cost"),
        (["CTL-M-001", "--max-journey-cost", "1"], "the rule customer is none"),
        (["CTL-M-001", "--runtime", "magic"], "--runtime"),
        (["CTL-M-001", "--corpus", "no/such/folder"], "no/such/folder"),
    ],
)
def test_a_wrong_argument_is_one_line(args: list[str], where: str, tmp_path: Path) -> None:
    """The argument is named; exit code 2."""
    common = ["--results", str(tmp_path / "r"), "--rehearsal"]
    if "--customer" not in args:
        common += ["--customer", "rule"]
    if "--corpus" not in args:
        common += ["--corpus", str(ROOT / "packages")]
    assert where in one_line(rig("run", *args, *common), 2)


@pytest.mark.parametrize("needed", ["transcript", "customer_bubble", "reply", "composer", "send", "final"])
def test_an_adapter_without_a_needed_locator_is_one_line(needed: str, tmp_path: Path) -> None:
    """The locator is named; exit code 2."""
    lines = find_adapter("reference-claims").read_text(encoding="utf-8").splitlines()
    adapter = tmp_path / "mine.yaml"
    adapter.write_text("\n".join(x for x in lines if not x.startswith(f"  {needed}:")), encoding="utf-8")
    result = rig(
        "run",
        "CTL-M-001",
        "--customer",
        "rule",
        "--rehearsal",
        "--product",
        str(adapter),
        "--corpus",
        str(ROOT / "packages"),
    )
    line = one_line(result, 2)
    assert "mine.yaml" in line
    assert needed in line


def test_no_model_is_one_line(tmp_path: Path) -> None:
    """Nothing configured and nothing fetched: the line says both ways to mend it; exit code 4; no download is begun."""
    env = {
        "RIG_CACHE_DIR": str(tmp_path / "cache"),
        "RIG_STATE_DIR": str(tmp_path / "state"),
        "RIG_MODEL_GGUF": "",
        "OPENAI_API_KEY": "",
    }
    env |= {"OPENAI_BASE_URL": "", "RIG_CUSTOMER_BASE_URL": "", "RIG_CUSTOMER_MODEL": ""}
    result = rig(
        "run", "CTL-M-001", "--rehearsal", "--corpus", str(ROOT / "packages"), "--results", str(tmp_path / "r"), env=env
    )
    line = one_line(result, 4)
    assert "RIG_CUSTOMER_BASE_URL" in line
    assert "rig stack up --model" in line


def test_a_busy_port_is_one_line(tmp_path: Path) -> None:
    """The port is named; exit code 4."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        env = {"RIG_MONGODB_PORT": str(port), "RIG_STATE_DIR": str(tmp_path / "state")}
        result = rig("stack", "up", env=env)
    assert result.exit_code == 4
    assert str(port) in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.output


def test_an_unreachable_product_is_one_line(tmp_path: Path) -> None:
    """The address is named; exit code 4."""
    env = {"RIG_SEED_TOKEN": "token-of-a-test", "RIG_STAFF_USER": "x", "RIG_STAFF_PASSWORD": "y"}
    args = ("--url", "http://127.0.0.1:9", "--corpus", str(ROOT / "packages"), "--results", str(tmp_path / "r"))
    line = one_line(rig("run", "CTL-M-001", "--customer", "rule", "--rehearsal", *args, env=env), 4)
    assert "127.0.0.1:9" in line


def test_a_product_elsewhere_gets_no_token(tmp_path: Path) -> None:
    """A seed route that is not on this machine is refused; exit code 2."""
    args = ("--url", "http://203.0.113.7", "--corpus", str(ROOT / "packages"), "--results", str(tmp_path / "r"))
    line = one_line(
        rig(
            "run",
            "CTL-M-001",
            "--customer",
            "rule",
            "--rehearsal",
            *args,
            env={"RIG_SEED_TOKEN": "token-of-a-test", "RIG_STAFF_USER": "x", "RIG_STAFF_PASSWORD": "y"},
        ),
        2,
    )
    assert "loopback" in line


def test_a_missing_staff_login_is_said_before_the_run() -> None:
    """A product of one's own without the staff login that its adapter needs: exit code 2, the variable is named."""
    env = {"RIG_SEED_TOKEN": "token-of-a-test", "RIG_STAFF_USER": "", "RIG_STAFF_PASSWORD": ""}
    args = ("--url", "http://127.0.0.1:9", "--corpus", str(ROOT / "packages"))
    assert "RIG_STAFF_USER" in one_line(rig("run", "CTL-M-001", "--customer", "rule", "--rehearsal", *args, env=env), 2)


@pytest.mark.parametrize("amount", ["nan", "-1", "0", "inf"])
def test_a_cap_that_cannot_cap_is_refused(amount: str) -> None:
    """Not a number, nothing, or less than nothing: exit code 2."""
    args = ("--max-cost", amount, "--corpus", str(ROOT / "packages"))
    assert "--max-cost" in one_line(rig("run", "CTL-M-001", "--customer", "rule", "--rehearsal", *args), 2)


def test_a_frozen_corpus_with_a_changed_byte_is_refused(corpus: Path, tmp_path: Path) -> None:
    """The file is named; exit code 2; a draft may change."""
    manifest = json.loads((corpus / "manifest.json").read_bytes())
    manifest["frozen"] = True
    (corpus / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    message = corpus / "claims/CTL-M-001/input/initial_message.txt"
    message.write_bytes(message.read_bytes().replace(b"Hello", b"Hallo"))
    result = rig(
        "run",
        "CTL-M-001",
        "--customer",
        "rule",
        "--rehearsal",
        "--corpus",
        str(corpus),
        "--results",
        str(tmp_path / "r"),
    )
    assert "initial_message.txt" in one_line(result, 2)


def test_a_recorded_file_of_other_lines_is_one_line(tmp_path: Path) -> None:
    """A list, or a line without a call: exit code 2."""
    for text in ("[1]", '{"kind":"model_call_started"}'):
        (tmp_path / "p.jsonl").write_text(text, encoding="utf-8")
        args = ("--customer", "recorded", "--recorded", str(tmp_path / "p.jsonl"), "--corpus", str(ROOT / "packages"))
        assert "p.jsonl" in one_line(rig("run", "CTL-M-001", "--rehearsal", *args), 2)


def test_the_corpus_checks_clean() -> None:
    """The packages that ship give no finding."""
    result = rig("corpus", "check", str(ROOT / "packages"), "--json")
    assert (result.exit_code, json.loads(result.stdout)["findings"]) == (0, [])


def test_a_run_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """verify, score and report alike."""
    for verb in ("verify", "score", "report"):
        assert "nosuchrun" in one_line(rig(verb, "nosuchrun", "--results", str(tmp_path)), 2)


def test_every_schema_is_printed() -> None:
    """Each name the list gives is a JSON Schema."""
    names = rig("schema").stdout.split()
    assert "facts" in names
    assert "seed-request" in names
    for name in names:
        assert json.loads(rig("schema", name).stdout)["title"] == name
    assert "no-such" in one_line(rig("schema", "no-such"), 2)
