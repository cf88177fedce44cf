"""`python -m harness.devstack`: what it refuses, in one line and with which exit code."""

import socket

import pytest

from harness.devstack.__main__ import main

NEEDED = [
    "--mongodb-uri",
    "mongodb://127.0.0.1:1",
    "--s3-endpoint",
    "http://127.0.0.1:1",
    "--s3-access-key",
    "a",
    "--s3-secret-key",
    "b",
]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which nothing is configured."""
    names = (
        "RIG_MONGODB_URI",
        "RIG_S3_ENDPOINT",
        "RIG_PRODUCT_BASE_URL",
        "RIG_PRODUCT_MODEL",
        "OPENAI_BASE_URL",
        "OPENAI_MODEL",
    )
    for name in names:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RIG_STAFF_PASSWORD", "x")


def test_a_busy_port_is_one_line_and_exit_code_4(capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--runtime", "controlled", "--port", str(port), *NEEDED]) == 4
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"127.0.0.1:{port}" in said


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.com"])
def test_nothing_but_loopback_is_listened_on(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused, exit code 3."""
    assert main(["serve", "--runtime", "controlled", "--host", host, "--port", "0", *NEEDED]) == 3
    assert "loopback" in capsys.readouterr().err


def test_a_missing_store_or_model_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and the variable that is not set."""
    assert main(["serve", "--runtime", "controlled", "--port", "0"]) == 2
    assert "RIG_MONGODB_URI" in capsys.readouterr().err
    assert main(["serve", "--runtime", "model", "--port", "0", *NEEDED]) == 2
    assert "RIG_PRODUCT_BASE_URL" in capsys.readouterr().err
