"""harness/doctor.py: findings are true, bounded and carry what mends them."""

import http.server
import json
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from rich.console import Console

from harness import doctor
from harness.config import Config, read_config
from harness.doctor import Finding, as_json, clock_skew, diagnose, exit_code, print_table

NOW = datetime(2026, 3, 9, 16, 20, tzinfo=UTC)


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    """Folders of its own."""
    return {f"RIG_{name}": str(tmp_path / name) for name in ("RESULTS", "STATE_DIR", "CACHE_DIR")}


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Answers /v1/models: 200 with the key `good`, 401 with another."""

    def do_GET(self) -> None:
        """One answer."""
        self.send_response(200 if self.headers.get("Authorization") == "Bearer good" else 401)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Address of a model endpoint on loopback."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join(timeout=30)


def findings_of(check: object, config: Config) -> dict[str, Finding]:
    """What one look finds, by name."""
    return {found.name: found for found in check(config)}  # type: ignore[operator]


def test_only_what_is_missing_makes_the_exit_code() -> None:
    """Warnings leave the exit code at 0; one thing missing makes it 4."""
    fine, late = Finding("a", "ok", ""), Finding("b", "warning", "", "do this")
    assert exit_code([fine, late]) == 0
    assert exit_code([fine, late, Finding("c", "missing", "", "do that")]) == 4


def test_the_json_form_holds_every_field() -> None:
    """The machine form has the verdict and, for each finding, what was found and what mends it."""
    told = as_json([Finding("x", "missing", "not there", "get it")])
    assert json.loads(json.dumps(told)) == {
        "ok": False,
        "findings": [{"name": "x", "state": "missing", "detail": "not there", "mend": "get it"}],
    }


def test_the_table_shows_text_as_it_is_and_what_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Square brackets are text, not markup, and the mending command stands unbroken on a line of its own."""
    mend = "a command that is much longer than the terminal is wide, and must be copied as it stands"
    print_table([Finding("x", "warning", "[red]not[/red] there", mend)], Console(width=40))
    out = capsys.readouterr().out
    assert "[red]not[/red]" in out and f"  x: {mend}\n" in out


def test_a_bad_setting_is_a_finding_and_the_rest_is_still_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that cannot be used is named, and the other looks go on."""
    monkeypatch.setenv("RIG_PRODUCT_PORT", "eighty")
    monkeypatch.setattr(doctor, "CHECKS", (doctor._python,))
    found = diagnose()
    assert [f.name for f in found] == ["settings", "python"]
    assert found[0].state == "missing" and "RIG_PRODUCT_PORT" in found[0].detail and exit_code(found) == 4


def test_a_reachable_endpoint_is_told_from_one_that_refuses_the_key(endpoint: str) -> None:
    """An endpoint that answers is ok, one that refuses the key is missing; the key itself is never shown."""
    env = {"OPENAI_BASE_URL": endpoint, "RIG_CUSTOMER_MODEL": "m", "RIG_CUSTOMER_API_KEY": "good"}
    env |= {"RIG_PRODUCT_MODEL": "m", "RIG_PRODUCT_API_KEY": "wrong-key", "RIG_JUDGE_MODEL": "m"}
    found = findings_of(doctor._models, read_config(env))
    assert found["customer model"].state == "ok" and "unpriced" in found["customer model"].detail
    assert found["product model"].state == "missing" and "refuses the key" in found["product model"].detail
    assert "wrong-key" not in repr(found)


def test_an_endpoint_that_is_not_there_is_missing() -> None:
    """An address where nothing listens is told with the variables to look at."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        found = findings_of(doctor._models, read_config({"OPENAI_BASE_URL": url, "RIG_CUSTOMER_MODEL": "m"}))
    assert found["customer model"].state == "missing"
    assert "RIG_CUSTOMER_BASE_URL" in (found["customer model"].mend or "")
    assert found["judge model"].state == "missing" and "RIG_JUDGE_MODEL" in found["judge model"].detail


def test_the_local_model_is_a_warning_until_it_is_there(folders: dict[str, str], tmp_path: Path) -> None:
    """A model that will be fetched at first use is not missing; a named one is ok."""
    assert findings_of(doctor._models, read_config(folders))["local model"].state == "warning"
    named = tmp_path / "m.gguf"
    named.write_bytes(b"GGUF")
    config = read_config(folders | {"RIG_MODEL_GGUF": str(named)})
    assert findings_of(doctor._models, config)["local model"].state == "ok"


def test_a_taken_port_is_missing_and_a_free_one_is_ok(folders: dict[str, str]) -> None:
    """A port that somebody else holds stops the stack, so it is missing, with the variable that moves it."""
    with socket.socket() as holder, socket.socket() as other:
        for one in (holder, other):
            one.bind(("127.0.0.1", 0))
        holder.listen()
        taken, free = holder.getsockname()[1], other.getsockname()[1]
        other.close()
        config = read_config(folders | {"RIG_S3_PORT": str(taken), "RIG_MONGODB_PORT": str(free)})
        found = findings_of(doctor._ports, config)
    assert found[f"port {taken}"].state == "missing" and "RIG_S3_PORT" in (found[f"port {taken}"].mend or "")
    assert found[f"port {free}"].state == "ok"


def test_ports_of_configured_stores_do_not_matter(folders: dict[str, str]) -> None:
    """With a configured object store nobody needs the embedded one's port."""
    s3 = {"RIG_S3_ENDPOINT": "http://127.0.0.1:9", "RIG_S3_ACCESS_KEY": "a", "RIG_S3_SECRET_KEY": "b"}
    config = read_config(folders | s3)
    assert f"port {config.ports.s3}" not in findings_of(doctor._ports, config)


def test_a_store_that_does_not_answer_is_missing_and_its_password_stays_secret(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Configured stores are asked, bounded in time, and no message quotes their login."""
    monkeypatch.setattr(doctor, "REACH_TIMEOUT_S", 0.3)
    s3 = {"RIG_S3_ENDPOINT": "http://127.0.0.1:9", "RIG_S3_ACCESS_KEY": "a", "RIG_S3_SECRET_KEY": "hush"}
    config = read_config(folders | s3 | {"RIG_MONGODB_URI": "mongodb://u:hush@127.0.0.1:9/x"})
    mongodb, s3_found = findings_of(doctor._mongodb, config), findings_of(doctor._s3, config)
    assert mongodb["MongoDB"].state == "missing" and s3_found["S3"].state == "missing"
    assert "hush" not in repr([mongodb, s3_found])


@pytest.mark.parametrize(("apart_s", "state"), [(0, "ok"), (59, "ok"), (120, "warning"), (901, "missing")])
def test_clocks_too_far_apart_are_told(apart_s: int, state: str) -> None:
    """S3 refuses signatures a quarter of an hour off, in either direction."""
    for sign in (1, -1):
        header = format_datetime(NOW + timedelta(seconds=sign * apart_s), usegmt=True)
        assert clock_skew(header, NOW).state == state
    assert clock_skew(None, NOW).state == "warning" and clock_skew("yesterday", NOW).state == "warning"


def test_the_lock_is_read_for_this_platform() -> None:
    """Lines whose marker does not hold here do not count; names are compared in their normal form."""
    lock = (
        "Ruamel_YAML==0.19.1 \\\n    --hash=sha256:00\n# a comment\n"
        "numpy==1.0 ; python_full_version < '3.0' \\\n    --hash=sha256:00\n"
        "numpy==2.0 ; python_full_version >= '3.0' \\\n    --hash=sha256:00\n"
    )
    assert doctor.locked_versions(lock) == {"ruamel-yaml": "0.19.1", "numpy": "2.0"}


def test_installed_versions_are_read_from_the_folder(tmp_path: Path) -> None:
    """Distributions are found by their metadata folders, whatever their import names."""
    for name in ("ruamel_yaml-0.19.1.dist-info", "types_psutil-7.2.2.20261111.dist-info", "other"):
        (tmp_path / name).mkdir()
    assert doctor.installed_versions(tmp_path) == {"ruamel-yaml": "0.19.1", "types-psutil": "7.2.2.20261111"}


def test_a_browser_that_is_not_there_is_missing_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a browser the finding carries the command that brings one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    found = findings_of(doctor._browser, read_config({}))
    assert found["browser"].state == "missing" and "playwright install" in (found["browser"].mend or "")


def test_this_interpreter_is_good_enough() -> None:
    """The Python that runs the tests satisfies the rig."""
    found = findings_of(doctor._python, read_config({}))
    assert found["python"].state == "ok" and sys.executable in found["python"].detail
