"""`rig view`: the viewer until it is interrupted."""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from filelock import FileLock, Timeout
from starlette.types import ASGIApp

from harness.cli.out import print_line, say
from harness.errors import InputError
from harness.schema.strict_json import sha256_hex
from harness.view.app import templates, view_app
from harness.view.index import Index
from oracle_scoring.loopback import serve_page


def view(results: Path, corpus: Path, cache: Path, port: int) -> None:
    """Say the address, answer there until Ctrl-C.

    Args:
        results: folder of all runs, or one run.
        corpus: folder of the packages; if it is not there, failures are not explained.
        cache: where the index is kept between two times; a folder that cannot be written, or an index that another viewer
            holds, makes this one build an index that is gone afterwards.
        port: 0 for a free one.

    Raises:
        InputError: there is no such folder.
        EnvironmentFault: the port cannot be had.
    """
    if not results.is_dir():
        raise InputError(str(results), "is not a folder with runs")
    with ExitStack() as held:
        index = Index(results, index_file(results, cache, held))
        held.callback(index.close)
        index.start()
        templates()

        def make(token: str, own_port: int) -> ASGIApp:
            return view_app(index, corpus if corpus.is_dir() else None, token, own_port)

        say("rig: the address opens the viewer for who has it; Ctrl-C ends it")
        serve_page(make, port, _print_now)


def _print_now(text: str) -> None:
    """Also where standard output is a file or a pipe, the address is there at once."""
    print_line(text)
    sys.stdout.flush()


def index_file(results: Path, cache: Path, held: ExitStack) -> Path:
    """Where the index of these results lies as long as `held` is open: in the cache, or in a temporary folder."""
    name = f"{sha256_hex(str(results.resolve()).encode('utf-8', 'surrogateescape'))[:24]}.sqlite"
    folder = cache / "view"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / f"{name}.lock", mode=0o600)
        lock.acquire(timeout=0)
    except (OSError, Timeout):
        return Path(held.enter_context(tempfile.TemporaryDirectory(prefix="rig-view-"))) / name
    held.callback(lock.release)
    return folder / name
