"""A folder of pairs, its key beside it, and the choices made so far."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import InputError
from harness.schema.strict_json import canonical, read_bytes, read_model, sha256_hex
from oracle_scoring.agent_rules.rules import Choice
from oracle_scoring.files import write_atomically
from oracle_scoring.gsb.make import Made
from oracle_scoring.gsb.models import BlindPair, ChoiceLine, Key, Outcome, PairLine
from oracle_scoring.rows import read_rows

PAIRS = "pairs.jsonl"
CHOICES = "choices.jsonl"


def key_path(folder: Path) -> Path:
    """Where the key of a folder lies: beside it, so that the folder can be handed on without."""
    return folder.absolute().with_name(f"{folder.absolute().name}.key.json")


def write_pairs(made: Made, folder: Path) -> Path:
    """Writes pairs and key; where the same are there already nothing happens. The key's path.

    Raises:
        InputError: the folder holds other pairs.
    """
    key = key_path(folder)
    files = {folder / PAIRS: made.pairs_bytes, key: canonical(made.key) + b"\n"}
    for path, data in files.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != data):
            raise InputError(str(path), "is there with other content; name another folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        if not path.exists():
            write_atomically(path, data)
    key.chmod(0o600)
    return key


class Choices:
    """Pairs and choices of a folder.

    Args:
        folder: made by `write_pairs`; its key is not looked at.

    Attributes:
        torn: the file of choices ended in half a line, which is left out.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.folder = folder
        self._path = folder / CHOICES
        self._now = now
        self.pairs: dict[str, BlindPair] = {}
        for where, pair in read_rows(BlindPair, str(folder / PAIRS)):
            if pair.pair in self.pairs:
                raise InputError(f"{where}: pair", f"{pair.pair} stands there twice")
            self.pairs[pair.pair] = pair
        if not self.pairs:
            raise InputError(str(folder / PAIRS), "holds no pair")
        self.torn = self._mend()
        self.made: dict[tuple[str, str], ChoiceLine] = {}
        if self._path.exists():
            for where, line in read_rows(ChoiceLine, str(self._path)):
                if line.pair not in self.pairs:
                    raise InputError(f"{where}: pair", f"{line.pair} is no pair of this folder")
                self._take(line)

    def _mend(self) -> bool:
        if not self._path.is_file():
            return False
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole == len(data):
            return False
        with self._path.open("r+b") as file:
            file.truncate(whole)
        return True

    def _take(self, line: ChoiceLine) -> None:
        self.made.pop((line.pair, line.by), None)
        self.made[line.pair, line.by] = line

    def of(self, by: str) -> dict[str, ChoiceLine]:
        """Pair -> what this one chose, the latest last."""
        return {pair: line for (pair, who), line in self.made.items() if who == by}

    def waiting(self, by: str) -> list[str]:
        """Pairs this one has not chosen in, in order."""
        done = self.of(by)
        return [pair for pair in self.pairs if pair not in done]

    def choose(self, pair: str, choice: Outcome, by: str, orders: list[Choice] | None = None) -> None:
        """One more choice, on disk when this returns.

        Raises:
            InputError: there is no such pair, or the choice cannot be written.
        """
        if pair not in self.pairs:
            raise InputError(f"pair {pair}", "is no pair of this folder")
        line = ChoiceLine(pair=pair, choice=choice, by=by, at=self._now(), orders=orders)
        try:
            with self._path.open("ab") as file:
                file.write(line.model_dump_json().encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as exc:
            raise InputError(str(self._path), f"cannot be written ({exc.strerror})") from exc
        self._take(line)


def reveal(folder: Path) -> list[PairLine]:
    """All choices with the names of the agents.

    Raises:
        InputError: the key is not there or belongs to other pairs.
    """
    key = read_model(Key, key_path(folder))
    if key.pairs_sha256 != sha256_hex(read_bytes(folder / PAIRS)):
        raise InputError(str(key_path(folder)), "is the key of other pairs than those in the folder")
    sides = {row.pair: row for row in key.pairs}
    choices = Choices(folder)
    return [
        PairLine(
            task_id=choices.pairs[line.pair].task_id, left=sides[line.pair].left, right=sides[line.pair].right,
            choice=line.choice, by=line.by, pair_id=line.pair, orders=line.orders,
        )
        for line in choices.made.values()
    ]  # fmt: skip
