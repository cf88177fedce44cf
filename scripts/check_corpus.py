"""Checks the corpus, or single packages; the same code as `rig corpus check`.

    scripts/check_corpus.py [PATH…] [--fix] [--redraw] [--json]
    scripts/check_corpus.py --freeze [v1] [--reason TEXT]   the same code as `rig corpus freeze`; no version: the next one
    scripts/check_corpus.py --bench 100                     time for so many copies of every package

Exit 0: nothing found; 2: findings or bad input; 3: freezing refused.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness.errors import InputError, RigError
from oracle_scoring.corpus import check_show
from oracle_scoring.corpus.check import check_paths
from oracle_scoring.corpus.load import require_packages
from oracle_scoring.corpus.manifest import next_version
from scripts.corpus_bench import bench

ROOT = Path(__file__).resolve().parents[1]


def freeze(root: Path, version: str, reason: str | None, as_json: bool) -> int:
    """Freezes as `rig corpus freeze` does; an empty version is the next one."""
    from oracle_scoring.corpus.freeze import FreezeRefused
    from oracle_scoring.corpus.freeze import freeze as do_freeze

    require_packages(root, corpus_only=True)
    try:
        manifest = do_freeze(root, version or next_version(root), reason, lambda line: print(line, file=sys.stderr))
    except FreezeRefused as exc:
        if as_json:
            print(json.dumps([finding.model_dump() for finding in exc.findings], ensure_ascii=False, indent=2))
        else:
            print("\n".join(finding.line() for finding in exc.findings))
        raise
    if as_json:
        print(json.dumps({"version": manifest.version, "files": len(manifest.files)}))
    return 0


def _copies(text: str) -> int:
    """How many copies to measure."""
    if not text.isdecimal() or int(text) < 1:
        raise InputError("--bench", f"{text!r} is no number of copies; give 1 or more")
    return int(text)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/check_corpus.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="corpora or packages; none: the corpus of the repository")
    parser.add_argument("--fix", action="store_true", help="lay files out anew first; content is never touched")
    parser.add_argument("--redraw", action="store_true", help="draw every drawn file again and compare")
    parser.add_argument("--quotas", action="store_true", help="quotas that are off are findings")
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")
    parser.add_argument("--jobs", type=int, default=None, help="processes")
    parser.add_argument(
        "--freeze",
        nargs="?",
        const="",
        metavar="VERSION",
        help="freeze if nothing speaks against it; none: the next version",
    )
    parser.add_argument("--reason", help="with --freeze: what changed and why")
    parser.add_argument("--bench", type=_copies, metavar="N", help="measure N copies of every package")
    try:
        got = parser.parse_args()
    except RigError as exc:
        print(f"check_corpus: {exc}", file=sys.stderr)
        return exc.exit_code
    if got.freeze and not got.paths and Path(got.freeze).is_dir():
        got.paths, got.freeze = [Path(got.freeze)], ""
    paths = got.paths or [ROOT / "packages"]
    if (got.freeze is not None or got.bench is not None) and len(paths) != 1:
        parser.error("--freeze and --bench take one corpus")
    if got.bench is not None:
        return bench(paths[0], got.bench, got.jobs, got.json)
    try:
        if got.freeze is not None:
            return freeze(paths[0], got.freeze, got.reason, got.json)
        report = check_paths(
            paths,
            fix=got.fix,
            freezing=got.quotas,
            jobs=got.jobs,
            redraw=got.redraw,
            say=lambda line: print(line, file=sys.stderr),
        )
    except RigError as exc:
        print(f"check_corpus: {exc}", file=sys.stderr)
        return exc.exit_code
    if got.json:
        print(json.dumps(check_show.as_json(report), ensure_ascii=False, indent=2))
    else:
        print("\n".join(check_show.as_lines(report)))
    return check_show.exit_code(report)


if __name__ == "__main__":
    sys.exit(main())
