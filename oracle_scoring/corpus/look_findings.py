"""What recorded blind looks contradict, as findings. Nothing is looked at here."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.schema.package import MATERIALS_DIR, REVIEW
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.look_compare import look_contradictions

if TYPE_CHECKING:
    from oracle_scoring.corpus.pictured import (
        Pictured,  # which loads the checker of buyers, and that asks for these findings
    )


def look_findings(package: "Pictured") -> Iterator[Finding]:
    """Contradictions of looks and readings of the files as they are, and readings of files as they were."""
    blind = package.review.blind_look
    made = package.made
    entries = [
        (look.file, look.sha256, look.model, look_contradictions(look, made[look.file]))
        for look in blind.looks
        if look.file in made
    ]
    entries += [(r.file, r.sha256, r.engine, r.contradictions) for r in blind.readings]
    for name, digest, who, contradictions in entries:
        for wrong in contradictions if package.hashes.get(name) == digest else []:
            yield Finding(
                code=f"blind_{wrong.code}",
                file=f"{package.id}/{MATERIALS_DIR}/{name}",
                field=wrong.field,
                what=f"{who}: {wrong.what}",
                mend="look at the file: make it again, or correct what provenance says of it; then look again",
            )
    for n, reading in enumerate(blind.readings):
        if package.hashes.get(reading.file) != reading.sha256:
            yield Finding(
                code="review_of_other_bytes",
                file=f"{package.id}/{REVIEW}",
                field=f"blind_look.readings.{n}",
                what=f"is about {reading.file} as it was, not as it is",
                mend="run rig corpus blind-look; a reading falls when the file changes",
            )
