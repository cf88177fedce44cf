"""`rig --version`."""

import tomllib
from pathlib import Path

from typer.testing import CliRunner

import harness
from harness.cli.app import app

ROOT = Path(__file__).resolve().parents[3]


def test_the_version_is_that_of_the_package() -> None:
    """One line, exit code 0; records carry the same."""
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"rig {harness.__version__}\n")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == harness.__version__
