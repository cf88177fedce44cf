"""Makes one mistake at a time in a copy of each package and says whether the checker refuses it with the right code.

    scripts/corrupt [PATH…] [--json] [--only WORDS] [--jobs N]

Every untouched package must give no finding, and each mistake must be refused with the code it is known by; over the whole
corpus every kind must also apply to a package at least. Exit 1 otherwise.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.schema.package import find_packages
from oracle_scoring.corpus.check import check, check_corpus
from oracle_scoring.corpus.load import is_corpus
from scripts.mistakes import documents, form, labels, openings, pictures, words
from scripts.mistakes.corpus import CORPUS_MISTAKES
from scripts.mistakes.draft import MISTAKES, Draft, Mistake

ROOT = Path(__file__).resolve().parents[1]
GROUPS = (form, labels, words, openings, pictures, documents)
PAGE_HEAD = """# Mistakes that the checker refuses

`scripts/corrupt` makes each of these in a copy of every package that has something to make it in, and fails if the checker
does not refuse it with the code beside it; written by `scripts/corrupt --markdown docs/mistakes.md`. What a finding means
and how to mend it stands in the finding: `rig corpus check`. The checks themselves are proved by taking them out one by
one (`tests/unit/corpus/test_corrupt.py`)."""
FEWEST = 80
"""So many kinds of mistakes at least."""


@dataclass(frozen=True)
class Outcome:
    """What came of one mistake in one package."""

    mutation: str
    group: str
    package: str
    expected: str | None
    """Code; None: it does not apply to the package."""
    got: list[str]
    """Codes of all findings, each once."""

    @property
    def missed(self) -> bool:
        """It applies and was not refused as it should be."""
        return self.expected is not None and self.expected not in self.got


def one(mistake: Mistake, folder: Path) -> Outcome:
    """Makes the mistake in a copy of the package and checks the copy."""
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room) / folder.name
        shutil.copytree(folder, copy)
        try:
            expected = mistake.spoil(Draft(copy))
        except Exception:  # noqa: BLE001 - a mistake that cannot be made is reported as missed, with where it broke
            return Outcome(
                mistake.name, mistake.group, folder.name, "(could be made)", [traceback.format_exc(limit=-2)]
            )
        got = [] if expected is None else sorted({finding.code for finding in check(copy)})
    return Outcome(mistake.name, mistake.group, folder.name, expected, got)


def all_of(job: tuple[Path, str]) -> list[Outcome]:
    """Every mistake whose name or group holds the words, in one package."""
    folder, only = job
    return [one(m, folder) for m in MISTAKES if only in m.name or only in m.group]


def over_corpus(folders: Sequence[Path], only: str) -> list[Outcome]:
    """Mistakes that need a corpus: of the first two packages given."""
    found = []
    for name, spoil in CORPUS_MISTAKES:
        if only not in name and only not in "corpus":
            continue
        with tempfile.TemporaryDirectory() as room:
            root = Path(room)
            for folder in folders[:2]:
                shutil.copytree(folder, root / "claims" / folder.name)
            from oracle_scoring.corpus.manifest import write_manifest

            write_manifest(root, "t", "t")
            expected = spoil(root)
            got = sorted({f.code for f in check_corpus(root, freezing=expected == "quota", jobs=1)})
            found.append(Outcome(name, "corpus", "corpus", expected, got))
    return found


def untouched(folders: Iterable[Path]) -> dict[str, list[str]]:
    """Package -> findings it gives as it is; packages without any are left out."""
    found = {folder.name: [finding.line() for finding in check(folder)] for folder in folders}
    return {name: lines for name, lines in found.items() if lines}


def run(folders: Sequence[Path], only: str = "", jobs: int | None = None) -> list[Outcome]:
    """Every mistake in every package, then those of the corpus, in the order of packages and of the list."""
    jobs = jobs or min(os.cpu_count() or 1, len(folders), 8)
    work = [(folder, only) for folder in folders]
    if jobs <= 1:
        found = [outcome for job in work for outcome in all_of(job)]
    else:
        with ProcessPoolExecutor(max_workers=jobs) as pool:
            found = [outcome for part in pool.map(all_of, work) for outcome in part]
    return [*found, *over_corpus(folders, only)]


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each kind of mistake: group, code, packages in which it was made, words."""
    lines = []
    for name in dict.fromkeys(o.mutation for o in outcomes):
        of_it = [o for o in outcomes if o.mutation == name]
        made = [o for o in of_it if o.expected is not None]
        codes = ", ".join(dict.fromkeys(str(o.expected) for o in made)) or "-"
        lines.append(f"{of_it[0].group:10} {codes:28} {len(made):3} of {len(of_it):3}  {name}")
    return lines


def markdown(outcomes: Sequence[Outcome]) -> str:
    """The list of mistakes with their codes, as a page."""
    rows: dict[tuple[str, str], set[str]] = {}
    for o in outcomes:
        rows.setdefault((o.group, o.mutation), set()).update([o.expected] if o.expected else [])
    lines = [PAGE_HEAD]
    for group in dict.fromkeys(group for group, _ in rows):
        lines += ["", f"## {group.capitalize()}", "", "| mistake | code |", "|---|---|"]
        lines += [
            f"| {name} | {', '.join(f'`{c}`' for c in sorted(codes))} |"
            for (g, name), codes in rows.items()
            if g == group
        ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/corrupt", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="corpora or packages; none: the corpus of the repository")
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the list of mistakes and codes")
    parser.add_argument("--only", default="", help="mistakes whose name or group holds these words")
    parser.add_argument("--jobs", type=int, default=None, help="processes")
    got = parser.parse_args()
    folders: list[Path] = []
    for path in got.paths or [ROOT / "packages"]:
        folders += find_packages(path).values() if is_corpus(path) else [path.resolve()]
    dirty = untouched(folders)
    outcomes = run(folders, got.only, got.jobs)
    missed = [o for o in outcomes if o.missed]
    kinds = list(dict.fromkeys(o.mutation for o in outcomes))
    made = Counter(o.mutation for o in outcomes if o.expected is not None)
    never = [kind for kind in kinds if not made[kind]]
    whole = not got.only and all(is_corpus(path) for path in got.paths)
    bad = bool(missed or dirty) or (whole and (bool(never) or len(kinds) < FEWEST))
    summary = {
        "packages": len(folders),
        "kinds": len(kinds),
        "made": sum(made.values()),
        "not_applicable": sum(o.expected is None for o in outcomes),
        "codes": len({o.expected for o in outcomes if o.expected}),
        "missed": len(missed),
        "never_made": never,
        "findings_of_untouched_packages": dirty,
    }
    if got.markdown:
        got.markdown.write_text(markdown(outcomes), "utf-8")
    if got.json:
        rows = [{k: v for k, v in asdict(o).items()} for o in outcomes]
        print(json.dumps({**summary, "mutations": rows}, ensure_ascii=False, indent=2))
    else:
        print("\n".join(table(outcomes)))
        for o in missed:
            print(f"MISSED {o.package}: {o.mutation}: expected {o.expected}, got {', '.join(o.got) or 'nothing'}")
        print("\n".join(f"{k}: {v}" for k, v in summary.items()))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
