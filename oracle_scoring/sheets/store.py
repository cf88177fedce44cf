"""Where a run keeps its sheets: keys, and what came back."""

from pathlib import Path

from harness.schema.human import HUMAN_DIR, Answer, ReturnedSheet, SheetItem, SheetKey, SheetKind
from harness.schema.strict_json import read_model
from oracle_scoring.sheets.form import same_person

KEY = "key.json"
RETURNED = "returned"
RowId = tuple[str, int, int, str | None]
"""Package, trial, attempt, and the score line where one is left to a person."""


def read_keys(run_dir: Path, kind: SheetKind) -> dict[Path, SheetKey]:
    """Folder of each sheet of the kind -> its key, in the order of names."""
    homes = sorted((run_dir / HUMAN_DIR).glob(f"{kind}-*/{KEY}"))
    return {path.parent: read_model(SheetKey, path, f"{path.parent.name}/{KEY}") for path in homes}


def read_returned(run_dir: Path, kind: SheetKind) -> list[tuple[Path, ReturnedSheet]]:
    """Every sheet that was taken in: (folder of its key, sheet), earliest first."""
    found = [
        (home, read_model(ReturnedSheet, path, f"{home.name}/{RETURNED}/{path.name}"))
        for home in read_keys(run_dir, kind)
        for path in sorted((home / RETURNED).glob("*.json"))
    ]
    return sorted(found, key=lambda pair: (pair[1].imported_at, pair[1].sha256))


def answers_by_row(
    run_dir: Path, kind: SheetKind
) -> tuple[dict[RowId, list[tuple[SheetItem, Answer]]], int, list[str]]:
    """((attempt and line) -> what people answered, rows without a grade, ids of the sheets)."""
    keys = read_keys(run_dir, kind)
    items = {item.item: item for key in keys.values() for item in key.items}
    found: dict[RowId, list[tuple[SheetItem, Answer]]] = {}
    missing = 0
    returned = read_returned(run_dir, kind)
    for _, sheet in returned:
        missing += len(sheet.missing)
        for answer in sheet.answers:
            item = items[answer.item]
            rows = found.setdefault((item.package, item.trial, item.attempt, item.line), [])
            if all(same_person(a.grader) != same_person(answer.grader) for _, a in rows):
                rows.append((item, answer))
    ids = sorted({keys[home].sheet for home, _ in returned})
    return dict(sorted(found.items(), key=lambda pair: tuple(str(x) for x in pair[0]))), missing, ids
