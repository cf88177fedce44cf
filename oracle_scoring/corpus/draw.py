"""Draws a package's materials from its provenance: same provenance, same bytes (with the same library versions)."""

from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from harness.errors import InputError
from harness.schema.package import MATERIALS_DIR, PROVENANCE
from harness.schema.strict_json import first_problem
from oracle_scoring.corpus.draw_bumper import draw_bumper
from oracle_scoring.corpus.draw_ceiling import draw_ceiling
from oracle_scoring.corpus.draw_door import draw_door
from oracle_scoring.corpus.draw_front import draw_front
from oracle_scoring.corpus.draw_hail import draw_hail
from oracle_scoring.corpus.draw_invoice import draw_invoice
from oracle_scoring.corpus.draw_police_letter import draw_police_letter
from oracle_scoring.corpus.draw_quote import draw_quote
from oracle_scoring.corpus.draw_roof import draw_roof
from oracle_scoring.corpus.draw_screen import draw_screen
from oracle_scoring.corpus.draw_till_receipt import draw_till_receipt
from oracle_scoring.corpus.draw_trade_quote import draw_trade_quote
from oracle_scoring.corpus.load import read_provenance
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import DrawError

RECIPES: dict[str, Callable[[FileProvenance], bytes]] = {
    "ceiling_stain": draw_ceiling,
    "cracked_screen": draw_screen,
    "forced_door": draw_door,
    "front_damage": draw_front,
    "hail_bonnet": draw_hail,
    "invoice": draw_invoice,
    "police_letter": draw_police_letter,
    "rear_bumper": draw_bumper,
    "repair_quote": draw_quote,
    "roof_tiles": draw_roof,
    "till_receipt": draw_till_receipt,
    "trade_quote": draw_trade_quote,
}
"""Recipe name -> what draws it."""
SUFFIXES = {b"%PDF": (".pdf",), b"\xff\xd8\xff\xe0": (".jpg", ".jpeg")}
"""First bytes of what a recipe draws -> extensions of such a file."""


def draw(name: str, made: FileProvenance) -> bytes:
    """Bytes of the file `name`; InputError if its provenance names no recipe or the recipe lacks something."""
    where = f"{PROVENANCE}: files.{name}"
    if made.recipe is None:
        raise InputError(f"{where}.recipe", f"the file is {made.how}, not drawn; it cannot be made here")
    if made.recipe not in RECIPES:
        raise InputError(f"{where}.recipe", f"there is no recipe {made.recipe}; there are {', '.join(sorted(RECIPES))}")
    try:
        data = RECIPES[made.recipe](made)
    except ValidationError as exc:
        raise first_problem(exc, f"{where}.content") from exc
    except DrawError as exc:
        raise InputError(f"{where}.{exc.field}", str(exc)) from exc
    except KeyError as exc:
        raise InputError(f"{where}.printed_fields", f"the recipe needs the field {exc.args[0]}") from exc
    wanted = SUFFIXES[data[:4]]
    if Path(name).suffix.lower() not in wanted:
        raise InputError(where, f"what is drawn is a {wanted[0]} file; name it so, or change content.look")
    return data


def draw_package(folder: Path) -> list[str]:
    """Writes every drawn material of the package; the names written, in order."""
    provenance = read_provenance(folder)
    written = []
    for name, made in sorted(provenance.files.items()):
        if made.how == "drawn":
            target = folder / MATERIALS_DIR / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(draw(name, made))
            written.append(name)
    return written
