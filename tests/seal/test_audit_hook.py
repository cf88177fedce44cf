"""A sealed process reaches its own folders and nothing else. Each attempt runs in a process of its own."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRELUDE = """
import sys
from pathlib import Path
import harness
from harness.seal import Seal, SealBroken, code_folders, install
import json, socket, subprocess, glob, shutil, ctypes
base = Path(sys.argv[1])
package = Path(harness.__file__).parent
seal = Seal(read=(*code_folders(), package, base / "staging"), write=(base / "attempt",),
            forbidden=(package / "devstack", package.parent / "oracle_scoring"))
sys.path = [p for p in sys.path if p and any(p.startswith(str(r)) for r in seal.read)]
install(seal)
"""

ATTEMPTS = {
    "open an answer by a way up": "open(base / 'staging/../oracle/labels.json')",
    "open an answer by its whole path": "open(base / 'oracle/labels.json', 'rb')",
    "open an answer by file descriptor folder": "import os; os.open(str(base / 'oracle/labels.json'), os.O_RDONLY)",
    "open an answer through a link in its own folder": "open(base / 'staging/link')",
    "read setup with pathlib": "(base / 'setup.json').read_text()",
    "read back what was recorded": "open(base / 'attempt/prompts.jsonl')",
    "list the package": "import os; os.listdir(base)",
    "list the package with scandir": "import os; list(os.scandir(base / 'oracle'))",
    "list the package with glob": "glob.glob(str(base / 'oracle/*'))",
    "list the folder above": "import os; os.listdir('..')",
    "write outside its folder": "open(base / 'oracle/new.txt', 'w')",
    "write into the staged half": "open(base / 'staging/view.json', 'w')",
    "remove evidence of others": "import os; os.remove(base / 'oracle/labels.json')",
    "copy an answer into its folder": "shutil.copyfile(base / 'oracle/labels.json', base / 'attempt/x')",
    "spawn a program": "subprocess.run(['cat', str(base / 'oracle/labels.json')])",
    "spawn through the shell": "import os; os.system('cat ' + str(base / 'oracle/labels.json'))",
    "fork": "import os; os.fork()",
    "import scoring": "import oracle_scoring",
    "import the seed": "import harness.seed",
    "import the gate": "import harness.gate",
    "import the setup's models": "import harness.schema.setup",
    "import code by its file": (
        "import importlib.util as u; s = u.spec_from_file_location('x', str(base / 'oracle/code.py')); "
        "m = u.module_from_spec(s); s.loader.exec_module(m)"
    ),
    "import the product": "import harness.devstack",
    "connect to the product's state": "socket.create_connection(('127.0.0.1', 9))",
    "look up a host": "socket.getaddrinfo('localhost', 80)",
    "load a library": "ctypes.CDLL(str(base / 'oracle/labels.json'))",
    "map a path through /proc": "open('/proc/self/environ')",
}
ALLOWED = {
    "read the staged view": "open(base / 'staging/view.json').read()",
    "write evidence": "open(base / 'attempt/new.txt', 'w').write('x')",
    "import a library not loaded yet": "import json.tool, colorsys",
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A package with answers beside a staging and an attempt folder."""
    for folder in ("oracle", "staging", "attempt"):
        (tmp_path / folder).mkdir()
    (tmp_path / "oracle/labels.json").write_text("{}", encoding="utf-8")
    (tmp_path / "oracle/code.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "setup.json").write_text("{}", encoding="utf-8")
    (tmp_path / "staging/view.json").write_text("{}", encoding="utf-8")
    (tmp_path / "staging/link").symlink_to(tmp_path / "oracle/labels.json")
    (tmp_path / "attempt/prompts.jsonl").write_text("{}", encoding="utf-8")
    return tmp_path


def run(code: str, base: Path) -> subprocess.CompletedProcess[str]:
    program = textwrap.dedent(PRELUDE) + "\ntry:\n    " + code + "\nexcept SealBroken as exc:\n    print('SEALED', exc)\nelse:\n    print('DONE')\n"
    return subprocess.run([sys.executable, "-I", "-B", "-c", program, str(base)], capture_output=True, text=True, timeout=60, cwd=base / "staging")


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_sealed_worker_cannot(name: str, base: Path) -> None:
    """The attempt is refused with the seal's own error, before anything was read, written, started or sent."""
    done = run(ATTEMPTS[name], base)
    assert done.stdout.startswith("SEALED"), done.stdout + done.stderr


@pytest.mark.parametrize("name", ALLOWED)
def test_a_sealed_worker_can(name: str, base: Path) -> None:
    """What a journey needs still works."""
    done = run(ALLOWED[name], base)
    assert done.stdout == "DONE\n", done.stdout + done.stderr


def test_without_the_hook_the_attempts_succeed(base: Path) -> None:
    """The guard is what stops them: with the hook taken out, the same code reads the answer."""
    program = textwrap.dedent(PRELUDE).replace("install(seal)", "") + "\nprint(open(base / 'staging/../oracle/labels.json').read())\n"
    done = subprocess.run([sys.executable, "-I", "-B", "-c", program, str(base)], capture_output=True, text=True, timeout=60, cwd=base / "staging")
    assert done.stdout == "{}\n"
