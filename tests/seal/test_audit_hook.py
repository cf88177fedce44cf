"""A sealed process reaches its own folders and nothing else.

Each attempt runs in a process of its own: one program imports what a worker has imported and forks once per attempt, so that
every child seals itself afresh. The same attempts run a second time without the hook.
"""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.seal.catalogue import Place, Row

PROGRAM = """
import glob, io, json, mmap, multiprocessing.util, os, pathlib, runpy, shutil, signal, socket, sqlite3, subprocess, sys, urllib.request
import _posixsubprocess, ctypes, ctypes.util
import harness
from harness.seal import Seal, SealBroken, code_folders, install
from pathlib import Path

package = Path(harness.__file__).parent

def child(name, code, base, sealed, out):
    os.chdir(base / "staging")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.alarm(20)
    if sealed:
        seal = Seal(read=(*code_folders(), package, base / "staging", base / "home"), write=(base / "attempt", base / "home"),
                    forbidden=(package / "devstack", package.parent / "oracle_scoring", base / "oracle"))
        sys.path = [p for p in sys.path if p and any(p.startswith(str(r)) for r in seal.read)]
        install(seal)
    try:
        exec(code, {**globals(), "base": base})
        said = "DONE"
    except SealBroken as exc:
        said = f"SEALED {exc}"
    except BaseException as exc:
        refused = sealed and seal.broken  # a library may turn the refusal into an error of its own
        said = f"{'SEALED' if refused else 'FAILED'} {type(exc).__name__}: {exc}"
    os.write(out, (json.dumps([name, said]) + "\\n").encode())
    os._exit(0)

attempts, sealed = json.loads(Path(sys.argv[1]).read_text()), sys.argv[3] == "sealed"
for number, (name, code) in enumerate(attempts.items()):
    base = Path(sys.argv[2]) / str(number)
    pid = os.fork()
    if pid == 0:
        child(name, code, base, sealed, os.dup(1))
    os.waitpid(pid, 0)
"""

LABELS = "base / 'oracle/labels.json'"
ATTEMPTS = {
    "open an answer by a way up": "open(base / 'staging/../oracle/labels.json')",
    "open an answer by its whole path": f"open({LABELS}, 'rb')",
    "open an answer with os.open": f"os.open(str({LABELS}), os.O_RDONLY)",
    "open an answer by bytes": f"open(os.fsencode({LABELS}))",
    "open an answer through a link in its own folder": "open(base / 'staging/link')",
    "open an answer by a path object that says another name": f"""
class Named:
    def __fspath__(self): return str({LABELS})
    def __str__(self): return str(base / 'staging/view.json')
open(Named())""",
    "open an answer by a text that says another name": f"""
class Text(str):
    def __str__(self): return str(base / 'staging/view.json')
os.open(Text({LABELS}), os.O_RDONLY)""",
    "open an answer below a folder's descriptor": """
folder = os.open(base / 'staging', os.O_RDONLY)
os.open('../oracle/labels.json', os.O_RDONLY, dir_fd=folder)""",
    "open a file of its own name below another folder's descriptor": """
folder = os.open(base / 'attempt', os.O_WRONLY | os.O_PATH)
os.open('view.json', os.O_RDONLY, dir_fd=folder)""",
    "open an answer after going there": "os.chdir(base / 'oracle'); open('labels.json')",
    "open an answer as code": f"io.open_code(str({LABELS}))",
    "map an answer into memory": f"mmap.mmap(os.open({LABELS}, os.O_RDONLY), 0, prot=mmap.PROT_READ)",
    "read setup with pathlib": "(base / 'setup.json').read_text()",
    "open an answer as an address": f"urllib.request.urlopen(({LABELS}).as_uri())",
    "open an answer as a database": "sqlite3.connect(base / 'oracle/answers.db').execute('select 1').fetchall()",
    "attach an answer to a database of its own": (
        "sqlite3.connect(':memory:').execute('attach ? as x', (str(base / 'oracle/answers.db'),))"
    ),
    "open its own environment": "open('/proc/self/environ')",
    "open the parent's environment": "open(f'/proc/{os.getppid()}/environ')",
    "open an answer through /proc/self/root": f"open('/proc/self/root' + str({LABELS}))",
    "open an answer through /proc/self/cwd": "open('/proc/self/cwd/../oracle/labels.json')",
    "read back its evidence through /proc/self/fd": (
        "fd = os.open(base / 'attempt/prompts.jsonl', os.O_WRONLY); open(f'/proc/self/fd/{fd}')"
    ),
    "read back what was recorded": "open(base / 'attempt/prompts.jsonl')",
    "read back the seed in a mode that also writes": "open(base / 'attempt/seed.json', 'r+').read()",
    "read back the seed by opening it for appending": "open(base / 'attempt/seed.json', 'a+').read()",
    "read back the seed with read-write flags": "os.open(base / 'attempt/seed.json', os.O_RDWR)",
    "move the seed to where it may read": "os.rename(base / 'attempt/seed.json', base / 'home/x')",
    "give the seed a second name where it may read": "os.link(base / 'attempt/seed.json', base / 'home/x')",
    "copy the seed to where it may read": "shutil.copyfile(base / 'attempt/seed.json', base / 'home/x')",
    "read another attempt's prompts": "open(base / 'other/prompts.jsonl')",
    "list the package": "os.listdir(base)",
    "list the package with scandir": "list(os.scandir(base / 'oracle'))",
    "list the package with pathlib": "list((base / 'oracle').iterdir())",
    "list the package with rglob": "list(base.rglob('*.json'))",
    "list the package with walk": "list(os.walk(base / 'oracle'))",
    "list the package with glob": "glob.glob(str(base / 'oracle/*'))",
    "list the package by a descriptor": "list(os.scandir(os.open(base / 'oracle', os.O_RDONLY)))",
    "list a folder's descriptor": "os.listdir(os.open(base / 'staging', os.O_RDONLY))",
    "list the folder above": "os.listdir('..')",
    "list where it went": "os.chdir(base / 'oracle'); os.listdir()",
    "write outside its folder": "open(base / 'oracle/new.txt', 'w')",
    "write into the staged half": "open(base / 'staging/view.json', 'w')",
    "remove evidence of others": f"os.remove({LABELS})",
    "copy an answer into its folder": f"shutil.copyfile({LABELS}, base / 'attempt/x')",
    "copy the package into its folder": "shutil.copytree(base / 'oracle', base / 'attempt/x')",
    "link an answer into its folder": f"os.link({LABELS}, base / 'attempt/x')",
    "spawn a program": "subprocess.run(['cat', str(base / 'oracle/labels.json')])",
    "spawn through the shell": "os.system('cat ' + str(base / 'oracle/labels.json'))",
    "spawn with a pipe": "os.popen('cat ' + str(base / 'oracle/labels.json')).read()",
    "spawn with posix_spawn": "os.posix_spawn('/bin/cat', ['cat', str(base / 'oracle/labels.json')], {})",
    "spawn with spawnv": "os.spawnv(os.P_WAIT, '/bin/true', ['true'])",
    "spawn as multiprocessing does": "multiprocessing.util.spawnv_passfds(b'/bin/true', [b'true'], [])",
    "become another program": "os.execv('/bin/true', ['true'])",
    "fork": "os.fork() or os._exit(0)",
    "import scoring": "import oracle_scoring",
    "import the seed": "import harness.seed",
    "import the gate": "import harness.gate",
    "import the gate's rendering": "import harness.gate_render",
    "import the record's reader": "import harness.verify",
    "import the product's routes": "import harness.product",
    "import the setup's models": "import harness.schema.setup",
    "import code by its file": (
        "import importlib.util as u; s = u.spec_from_file_location('x', str(base / 'oracle/code_of_answers.py')); "
        "m = u.module_from_spec(s); s.loader.exec_module(m)"
    ),
    "import code from a path it adds": "sys.path.insert(0, str(base / 'oracle')); import code_of_answers",
    "run code by its file": "runpy.run_path(str(base / 'oracle/code_of_answers.py'))",
    "import the product": "import harness.devstack",
    "connect to the product's state": "socket.create_connection(('127.0.0.1', 9), 1)",
    "connect to a socket in the file system": "socket.socket(socket.AF_UNIX).connect(str(base / 'oracle/s'))",
    "listen": "socket.socket().bind(('127.0.0.1', 0))",
    "send a datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "send a message": "socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', 9))",
    "look up a host": "socket.getaddrinfo('localhost', 80)",
    "open a page": "urllib.request.urlopen('http://127.0.0.1:9/rig/state')",
    "load a library": f"ctypes.CDLL(str({LABELS}))",
    "call the C library that is there already": "ctypes.pythonapi.getpid()",
}  # fmt: skip
ALLOWED = {
    "read the staged view": "open(base / 'staging/view.json').read()",
    "list the staged half": "os.listdir(base / 'staging')",
    "list its working folder": "os.listdir()",
    "write evidence": "open(base / 'attempt/new.txt', 'w').write('x')",
    "append to evidence": "os.write(os.open(base / 'attempt/events.jsonl', os.O_WRONLY | os.O_CREAT | os.O_APPEND), b'x')",
    "look for a torn line where there is no file": """
try:
    os.open(base / 'attempt/nothing.jsonl', os.O_RDWR)
except FileNotFoundError:
    pass""",
    "import a library not loaded yet": "import colorsys, json.tool",
}
ROWS = [
    Row("worker environment" if "environment" in name else "worker process", name, "audit hook", f"test_audit_hook.py::test_a_sealed_worker_cannot[{name}]")
    for name in ATTEMPTS
]  # fmt: skip
PLACES_HERE: tuple[Place, ...] = ("worker process", "worker environment")


def package(base: Path) -> None:
    """A package with answers beside a staging folder, an attempt folder and another attempt's."""
    for folder in ("oracle", "staging", "attempt", "other", "home"):
        (base / folder).mkdir(parents=True)
    (base / "oracle/labels.json").write_text("{}", encoding="utf-8")
    (base / "oracle/code_of_answers.py").write_text("x = 1\n", encoding="utf-8")
    (base / "setup.json").write_text("{}", encoding="utf-8")
    (base / "staging/view.json").write_text("{}", encoding="utf-8")
    (base / "staging/link").symlink_to(base / "oracle/labels.json")
    for file in ("attempt/prompts.jsonl", "attempt/seed.json", "attempt/view.json", "other/prompts.jsonl"):
        (base / file).write_text("{}", encoding="utf-8")


def outcomes(attempts: dict[str, str], folder: Path, sealed: bool) -> dict[str, str]:
    """What each attempt came to: SEALED, DONE or FAILED, with the reason."""
    for number in range(len(attempts)):
        package(folder / str(number))
    listed = folder / "attempts.json"
    listed.write_text(json.dumps({name: textwrap.dedent(code) for name, code in attempts.items()}), encoding="utf-8")
    arguments = [str(listed), str(folder), "sealed" if sealed else "open"]
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", PROGRAM, *arguments], capture_output=True, text=True, timeout=240, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All attempts, each in a sealed process."""
    return outcomes({**ATTEMPTS, **ALLOWED}, tmp_path_factory.mktemp("sealed"), sealed=True)


@pytest.fixture(scope="module")
def unsealed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same without the hook."""
    return outcomes(ATTEMPTS, tmp_path_factory.mktemp("open"), sealed=False)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_sealed_worker_cannot(name: str, sealed: dict[str, str]) -> None:
    """The attempt is refused, before anything was read, written, started or sent."""
    assert sealed[name].startswith("SEALED"), sealed[name]


@pytest.mark.parametrize("name", ALLOWED)
def test_a_sealed_worker_can(name: str, sealed: dict[str, str]) -> None:
    """What a journey needs still works."""
    assert sealed[name] == "DONE"


NOT_DONE = {
    "connect to the product's state": "ConnectionRefusedError",
    "connect to a socket in the file system": "FileNotFoundError",
    "open a page": "URLError",
    "load a library": "OSError",
}
"""Attempts that come to nothing without the hook either, and why; nobody listens there, or the file is no library."""


@pytest.mark.parametrize("name", ATTEMPTS)
def test_without_the_hook_the_same_code_gets_through(name: str, unsealed: dict[str, str]) -> None:
    """The hook is what stops it: with it taken out, the same code reads, lists, starts or sends."""
    if name == "become another program":
        assert name not in unsealed, "it is another program now"
    else:
        assert unsealed[name].startswith(f"FAILED {NOT_DONE[name]}" if name in NOT_DONE else "DONE")
