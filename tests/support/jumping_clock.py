"""A wall clock that jumps, and a worker that goes by it: run as a program, this file is `harness.worker` under such a clock."""

import runpy
import sys
from datetime import UTC, datetime, timedelta
from typing import Any


class Jumping(datetime):
    """A wall clock that goes back so many days at one look, and forth as many at the next."""

    looks = 0

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Another time than a clock would say."""
        cls.looks += 1
        return datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=cls.looks if cls.looks % 2 else -cls.looks)


if __name__ == "__main__":
    from harness import netlog, record

    for module in (record, netlog):
        vars(module)["datetime"] = Jumping
    sys.argv = ["harness.worker"]
    runpy.run_module("harness.worker", run_name="__main__", alter_sys=True)
