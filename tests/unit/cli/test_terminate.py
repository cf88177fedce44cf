"""SIGTERM is how schedulers end a command."""

import signal
import subprocess
import sys

import pytest

from harness.cli.out import one_line_errors

PROGRAM = """
import asyncio, signal, time
from harness.cli.out import end_on_terminate
{before}
end_on_terminate()
async def journey():
    try:
        print("under way", flush=True)
        await asyncio.sleep(30)
    finally:
        print("closed", flush=True)
try:
    {body}
except KeyboardInterrupt:
    print("ended", flush=True)
"""


@pytest.mark.parametrize("before", ["", "signal.signal(signal.SIGINT, signal.SIG_IGN)"])
@pytest.mark.parametrize("body", ["asyncio.run(journey())", "print('under way', flush=True); time.sleep(30)"])
def test_what_was_begun_is_closed(before: str, body: str) -> None:
    """Inside and outside an event loop, also where the shell had Ctrl-C ignored (a job in the background)."""
    code = PROGRAM.format(before=before, body=body)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "under way\n"
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=20)
    assert out.splitlines() == (["closed", "ended"] if "journey()" in body else ["ended"])
    assert process.returncode == 0


def test_an_interrupted_verb_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """One line on standard error and exit code 4, as for anything that kept the rig from ending its work."""
    with pytest.raises(SystemExit) as ended, one_line_errors():
        raise KeyboardInterrupt
    assert ended.value.code == 4
    assert capsys.readouterr().err == "rig: stopped\n"
