"""An attempt in one zip that opens without the rig: page, record, ticket texts, archive of the network. Without secrets."""

import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from harness.errors import InputError
from harness.handover.attempt import Handed, read_handed
from harness.handover.check import check_clean
from harness.handover.har import har
from harness.handover.secrets import Cleaner, known_secrets
from harness.handover.ticket import junit, markdown
from harness.journal import chain_problems, inside
from harness.record import write_whole
from harness.report.page import attempt_page
from harness.schema.network import NetworkLine
from harness.schema.strict_json import canonical, sha256_hex
from harness.trace import TRACE

WHEN = (1980, 1, 1, 0, 0, 0)
"""Of every member, so that the same attempt gives the same bytes."""
LEFT_OUT = {TRACE: "holds requests and pages as Playwright keeps them, cookies among them"}
NETWORK = "network.jsonl"


@dataclass(frozen=True)
class Bundled:
    """What was written."""

    path: Path
    files: int
    redacted: Mapping[str, int]
    """Kind of secret -> places."""
    left_out: Mapping[str, str]
    """File of the record -> why it is not in it."""

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {**self.__dict__, "path": str(self.path)}


def bundle(folder: Path, corpus: Path, out: Path, environ: Mapping[str, str] | None = None) -> Bundled:
    """Write the zip of an attempt.

    Args:
        folder: `results/<run>/<package>/t01/a01`.
        corpus: where the package lies, for the scores.
        out: the file to write.
        environ: where secrets of this machine are looked for; None: the process's environment.

    Raises:
        InputError: the attempt cannot be read, or `out` is no name for a zip.
        Refused: a secret would still be in it; nothing was written.
    """
    if out.suffix.lower() != ".zip":
        raise InputError(f"-o {out}", "must end in .zip")
    handed = read_handed(folder, corpus)
    known = known_secrets(handed.record.folder, environ)
    cleaner = Cleaner(known)
    members = dict(_members(handed, cleaner))
    left_out = {name: why for name, why in LEFT_OUT.items() if (folder / name).exists()}
    members["MANIFEST.json"] = canonical(
        {
            "schema": "bundle-v1",
            "attempt": handed.name,
            "redacted": dict(sorted(cleaner.found.items())),
            "left_out": left_out,
            "attempt_sha256": handed.record.folder.attempt_sha256,
            "record_verifies": not _chain(handed),
            "files": {name: sha256_hex(data) for name, data in sorted(members.items())},
        }
    )
    data = packed(members)
    check_clean(out.name, data, known.values())
    write_whole(out, data)
    return Bundled(out, len(members), dict(sorted(cleaner.found.items())), left_out)


def packed(members: Mapping[str, bytes]) -> bytes:
    """A zip of these files, the same bytes for the same files."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        for name, data in sorted(members.items()):
            info = zipfile.ZipInfo(name, WHEN)
            info.external_attr = 0o644 << 16
            info.create_system = 3
            file.writestr(info, data, zipfile.ZIP_DEFLATED, 6)
    return buffer.getvalue()


def _members(handed: Handed, cleaner: Cleaner) -> Iterator[tuple[str, bytes]]:
    record = dict(_record(handed, cleaner))
    yield from ((f"record/{name}", data) for name, data in record.items())
    yield "index.html", _page(handed, record).encode("utf-8")
    yield "summary.md", markdown(handed, cleaner).encode("utf-8")
    yield "junit.xml", junit(handed, cleaner)
    yield "network.har", _json(har(handed, cleaner))
    yield "README.txt", _readme(handed).encode("utf-8")


def _record(handed: Handed, cleaner: Cleaner) -> Iterator[tuple[str, bytes]]:
    """The run's and the attempt's files below the run's folder, cleaned; only what attempt.json lists, and itself."""
    run, attempt = handed.folder.parents[2], handed.folder
    below = attempt.relative_to(run).as_posix()
    yield "run.json", cleaner.data((run / "run.json").read_bytes())
    if (run / "adapter.json").is_file():
        yield "adapter.json", cleaner.data((run / "adapter.json").read_bytes())
    if handed.record.folder.ledger is not None:
        yield "ledger.jsonl", canonical(handed.record.folder.ledger.model_dump(mode="json")) + b"\n"
    if handed.stored is not None:
        yield handed.stored.path.relative_to(run).as_posix(), cleaner.data(handed.stored.path.read_bytes())
    for name in sorted({listed.path for listed in handed.attempt.files} | {"attempt.json"}):
        path = inside(attempt, name)
        if path is None or name in LEFT_OUT:
            continue
        data = path.read_bytes()
        yield f"{below}/{name}", _network(data, cleaner) if name == NETWORK else cleaner.data(data)


def _network(data: bytes, cleaner: Cleaner) -> bytes:
    """The network record with its headers cleaned; a line that is none is cleaned as text."""
    lines = []
    for row in data.split(b"\n"):
        try:
            line = NetworkLine.model_validate_json(row)
        except ValueError:
            lines.append(cleaner.data(row))
        else:
            lines.append(canonical(cleaner.network(line).model_dump(mode="json")))
    return b"\n".join(lines)


def _page(handed: Handed, record: Mapping[str, bytes]) -> str:
    """The report's page of the attempt, made from the cleaned copy: what is not in that cannot come into the page."""
    with tempfile.TemporaryDirectory(prefix="rig-bundle-") as held:
        run = Path(held) / handed.manifest.run
        for name, data in record.items():
            path = run / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return attempt_page(run, _chain(handed))


def _chain(handed: Handed) -> list[str]:
    """What is wrong with ledger and hashes as far as this attempt goes."""
    journal = replace(handed.journal, attempts=(handed.record.folder,))
    return chain_problems(journal)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).encode("utf-8") + b"\n"


def _readme(handed: Handed) -> str:
    return f"""Attempt {handed.name} of a simulated customer.

index.html     open it in a browser: score lines, conversation, pictures; it loads nothing and runs nothing
summary.md     for a ticket
junit.xml      score lines for a build server
network.har    requests and replies, for the network panel of a browser
record/        the record itself: events.jsonl (all that happened, a line each), screens/, staff.json, state.json, ...
MANIFEST.json  hash of every file, what was redacted, what was left out

Values of keys, tokens, cookies and passwords were replaced by [redacted:...] before this file was written; so hashes in
attempt.json are those of the original. Pictures are as they were taken. The page shows what the product should have done:
keep it from whoever plays the customer.
"""
