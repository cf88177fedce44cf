"""Writes the expected scorecards anew: `python tests/golden/write_expected.py`. Look at the difference before keeping it."""

import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from builder import Golden  # noqa: E402
from records import DEFECTS  # noqa: E402

from oracle_scoring.claims import card_bytes, score_attempt  # noqa: E402


def main() -> None:
    """One file per golden record, indented so that differences can be read."""
    for name in ("good", *DEFECTS):
        golden = Golden()
        if name in DEFECTS:
            DEFECTS[name][0](golden)
        with tempfile.TemporaryDirectory() as folder:
            card = json.loads(card_bytes(score_attempt(*golden.write(Path(folder)))))
        path = HERE / "expected" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(card, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
