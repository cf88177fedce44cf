"""The command starts without what only a verb needs."""

import subprocess
import sys

HEAVY = ("pydantic", "playwright", "openai", "httpx", "rich", "jinja2", "starlette", "numpy", "ruamel")


def test_help_loads_nothing_that_a_verb_needs() -> None:
    """`rig --help` is quick because models, browsers and pages are imported by the verbs that use them."""
    code = f"import sys, harness.cli; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
