"""The command starts without what only a verb needs."""

import subprocess
import sys

HEAVY = ("pydantic", "playwright", "openai", "httpx", "rich", "jinja2", "starlette", "numpy", "ruamel")


def test_help_loads_nothing_that_a_verb_needs() -> None:
    """`rig --help` is quick because models, browsers and pages are imported by the verbs that use them."""
    code = f"import sys, harness.cli; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_a_verb_runs_with_cycles_collected() -> None:
    """Only the start goes without: what a verb leaves behind is collected."""
    code = (
        "import atexit, gc, sys, harness.cli; sys.argv = ['rig', 'schema', 'nothing-of-that-name'];"
        "atexit.register(lambda: print('collecting', gc.isenabled())); harness.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "collecting True")
