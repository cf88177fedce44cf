"""Faults of files: what is stored of what the customer handed over."""

import secrets
from collections.abc import Iterable

from harness.devstack.claims.case import Case, Upload
from harness.devstack.claims.defects.registry import Defect, once

_ON_THE_STAFF_PAGE = {"staff.uploads": "the staff page lists what is stored"}

DEFECTS = (
    Defect("upload_damaged", "The first file sent is stored with other bytes than it arrived with.", ("files.*",)),
    Defect(
        "upload_lost",
        "The first file is thanked for and shown, and is gone once the claim is sent.",
        ("files.*",),
        _ON_THE_STAFF_PAGE,
    ),
    Defect("upload_doubled", "The first file sent is stored twice.", ("files.*",), _ON_THE_STAFF_PAGE),
)


def bend_bytes(data: bytes, case: Case, defects: Iterable[str]) -> bytes:
    """upload_damaged: the first file loses its last bytes on the way to the store."""
    if data and once(case, defects, "upload_damaged"):
        return data[: -max(1, min(1024, len(data) // 10))]
    return data


def second_copy(upload: Upload, case: Case, defects: Iterable[str]) -> Upload | None:
    """upload_doubled: the same file once more under another id; None for a sound product."""
    if not once(case, defects, "upload_doubled"):
        return None
    return upload.model_copy(update={"id": secrets.token_hex(8)})


def lose_first(case: Case, defects: Iterable[str]) -> None:
    """upload_lost: the first file is not among those of the claim that is sent."""
    if case.uploads and once(case, defects, "upload_lost"):
        case.uploads = case.uploads[1:]
