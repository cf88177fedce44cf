"""`rig view`: what it refuses, and where the index lies."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.cli.view import index_file


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2, and what is wrong."""
    monkeypatch.setenv("RIG_CACHE_DIR", str(tmp_path / "cache"))
    done = CliRunner().invoke(app, ["view", str(tmp_path / "none")])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1 and "is not a folder with runs" in done.stderr


def test_two_viewers_of_one_folder_do_not_share_an_index(tmp_path: Path) -> None:
    """The first keeps its index in the cache, for itself alone; the second makes one that is gone afterwards."""
    cache = tmp_path / "cache"
    with ExitStack() as first, ExitStack() as second:
        kept = index_file(tmp_path, cache, first)
        other = index_file(tmp_path, cache, second)
        other.write_bytes(b"x")
        assert kept.parent == cache / "view" and cache not in other.parents
        assert kept.parent.stat().st_mode & 0o077 == 0
    assert not other.exists()
    with ExitStack() as again:
        assert index_file(tmp_path, cache, again) == kept


def test_a_cache_that_cannot_be_made_is_no_hindrance(tmp_path: Path) -> None:
    """The index is then a temporary one."""
    (tmp_path / "cache").write_bytes(b"a file")
    with ExitStack() as held:
        assert tmp_path not in index_file(tmp_path, tmp_path / "cache", held).parents
