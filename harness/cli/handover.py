"""`rig bundle` and `rig export`."""

import json
import sys
from pathlib import Path

from harness.cli.out import print_json, print_line, say
from harness.cli.runs import attempt_dir, attempt_name
from harness.errors import InputError
from harness.handover.attempt import Handed, read_handed
from harness.handover.bundle import bundle
from harness.handover.check import check_clean
from harness.handover.har import har
from harness.handover.script import Script, lines_of, playwright_script
from harness.handover.secrets import Cleaner, known_secrets
from harness.handover.ticket import junit, markdown
from harness.record import write_whole

FORMS = ("playwright", "har", "junit", "markdown")


def bundle_attempt(asked: str, out: Path | None, results: Path | None, corpus: Path, as_json: bool) -> None:
    """Write the zip and say what is in it.

    Raises:
        InputError: there is no such attempt.
        Refused: a secret would still be in it.
    """
    folder = attempt_dir(asked, results)
    made = bundle(folder, corpus, out or Path(attempt_name(folder).replace("/", "-") + ".zip"))
    if as_json:
        print_json(made.plain())
        return
    taken = ", ".join(f"{n} {kind}" for kind, n in made.redacted.items()) or "none found"
    print_line(str(made.path))
    say(f"rig: {made.files} files; secrets redacted: {taken}")
    for name, why in made.left_out.items():
        say(f"rig: left out: {name} ({why})")


def export_attempt(asked: str, form: str, out: Path | None, results: Path | None, corpus: Path) -> None:
    """Write the attempt in one of FORMS, to a file or standard output.

    Raises:
        InputError: there is no such attempt or form, or the form needs a file.
        Refused: a secret would still be in it.
    """
    if form not in FORMS:
        raise InputError(f"--as {form}", f"must be one of {', '.join(FORMS)}")
    handed = read_handed(attempt_dir(asked, results), corpus)
    known = known_secrets(handed.record.folder)
    cleaner = Cleaner(known)
    files: dict[Path, bytes] = {}
    if form == "playwright":
        script = _script(handed, corpus, cleaner, out)
        data = script.text.encode("utf-8")
        if out is not None:
            files = {out.parent / _folder(out) / name: content for name, content in script.files.items()}
        for line in lines_of(script):
            say(f"rig: {line}")
    elif form == "har":
        data = json.dumps(har(handed, cleaner), ensure_ascii=False, indent=1).encode("utf-8") + b"\n"
    else:
        data = junit(handed, cleaner) if form == "junit" else markdown(handed, cleaner).encode("utf-8")
    check_clean(out.name if out else form, data, known.values())
    if out is None:
        sys.stdout.buffer.write(data)
        return
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    write_whole(out, data)
    print_line(str(out))


def _folder(out: Path) -> str:
    return f"{out.stem}_files"


def _script(handed: Handed, corpus: Path, cleaner: Cleaner, out: Path | None) -> Script:
    script = playwright_script(handed, corpus, cleaner, _folder(out) if out else "files")
    if script.files and out is None:
        raise InputError("-o", "is needed: the customer hands over files, which go into a folder beside the script")
    return script
