"""A drawn file against what its provenance says of it: the recipe, what it draws from, and on demand the bytes it draws."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from pydantic import ValidationError

from harness.errors import InputError
from harness.schema.package import MATERIALS_DIR, PROVENANCE
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.recipes import CONTENT, MAKES

PATCH = 8
"""Pixels, the side of the squares in which two pictures are compared."""
NOISE = 12
"""Of 255: so much may the mean colour of a square differ."""
DRAW_AGAIN = "draw the file again from its provenance (draw_package) and look at it, or take the change back"


def recipe_findings(package: Package) -> Iterator[Finding]:
    """The recipe is one of the project's, makes such a file, and draws from what stands in `content`."""
    for name, made in package.provenance.files.items():
        if made.how != "drawn" or made.recipe is None:
            continue
        file, at = f"{package.id}/{PROVENANCE}", f"files.{name}"
        model = CONTENT.get(made.recipe)
        if model is None:
            known = ", ".join(sorted(CONTENT))
            yield Finding(
                code="recipe_unknown",
                file=file,
                field=f"{at}.recipe",
                what=f"there is no recipe {made.recipe}",
                mend=f"name one of {known}, or say how the file was made",
            )
            continue
        makes = MAKES.get(made.recipe, ("photo",))
        if made.document not in makes:
            yield Finding(
                code="recipe_makes_other",
                file=file,
                field=f"{at}.document",
                what=f"is {made.document}; {made.recipe} makes {' or '.join(makes)}",
                mend="say what it is, or name the recipe that made it",
            )
        pixels = makes == ("photo",) or made.content.get("look") is not None
        if (Path(name).suffix.lower() in (".jpg", ".jpeg")) != pixels:
            yield Finding(
                code="recipe_makes_other",
                file=file,
                field=at,
                what=f"{made.recipe} makes a {'.jpg' if pixels else '.pdf'} file of this content",
                mend="name the recipe that made it, or change `content.look` and draw it again",
            )
        for field, why in _misfits(made):
            yield Finding(
                code="recipe_content",
                file=file,
                field=f"{at}.content.{field}" if field else f"{at}.content",
                what=f"{made.recipe} cannot draw from it: {why}",
                mend="put it into the form of `rig schema provenance`, and draw the file again",
            )


def _misfits(made: FileProvenance) -> list[tuple[str, str]]:
    """Field and why, of everything in `content` that the recipe's model refuses."""
    try:
        CONTENT[str(made.recipe)].model_validate(made.content)
    except ValidationError as exc:
        return [(".".join(map(str, e["loc"])), e["msg"]) for e in exc.errors(include_url=False, include_input=False)]
    return []


def same_look(name: str, drawn: bytes, there: bytes) -> bool:
    """Whether two files of that name are the same bytes, or the same to the eye: no patch of a page differs by more than noise."""
    if drawn == there:
        return True
    from PIL import ImageChops

    from oracle_scoring.corpus.look_ocr import page_pictures

    old, new = page_pictures(name, there), page_pictures(name, drawn)
    if [p.size for p in old] != [p.size for p in new]:
        return False
    for a, b in zip(old, new, strict=True):
        patches = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).reduce(PATCH)
        if max(max(band.tobytes()) for band in patches.split()) > NOISE:
            return False
    return True


def redraw_findings(
    package: Package, say: Callable[[str], None] = lambda _: None, leave: Collection[str] = ()
) -> list[Finding]:
    """Drawn files that are not what their recipe draws from content, printed fields and seed.

    A picture takes from seconds to minutes. With the locked libraries on a processor of the same kind the bytes are the same;
    elsewhere the last digit of a calculation may differ, so files of other bytes are compared by what is seen on them.

    Args:
        package: as it is.
        say: told of each file before it is drawn.
        leave: names of files that need not be drawn.
    """
    from oracle_scoring.corpus.draw import draw  # the drawing libraries are slow to load, and few checks need them

    findings = []
    for name, made in package.provenance.files.items():
        data = package.visible.files.get(name)
        if made.how != "drawn" or made.recipe not in CONTENT or data is None or name in leave:
            continue
        say(f"{package.id}/{MATERIALS_DIR}/{name}: drawing")
        file = f"{package.id}/{MATERIALS_DIR}/{name}"
        try:
            alike = same_look(name, draw(name, made), data)
            what = None if alike else f"is not what {made.recipe} draws from its provenance"
        except InputError as exc:
            what = f"cannot be drawn from its provenance: {exc}"
        if what is not None:
            findings.append(Finding(code="not_as_drawn", file=file, field="", what=what, mend=DRAW_AGAIN))
    return findings
