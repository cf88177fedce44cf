"""Which text of a PDF page a reader cannot see: drawn invisibly, in the ground's colour, tiny, off the page or covered.

The page's drawing operations are followed in order. Positions of letters are estimated from the font size, colours of the
ground from the shapes filled before; where the ground cannot be known (a picture, a pattern), text counts as seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pypdf import PageObject
from pypdf.generic import ContentStream, DictionaryObject

TINY_POINTS = 3.5
"""Letters lower than this on the page cannot be read without a glass; small print of firms has 6 to 8."""
SAME_COLOUR = 0.15
"""Largest difference in one of red, green, blue (0 to 1) at which ink and ground look alike."""
FAINT = 0.15
"""Opacity below which nothing is seen."""
MAX_OPERATIONS = 400_000
MAX_DEPTH = 8
LETTER = 0.5
"""Estimated width of a letter, in font sizes."""

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
Colour = tuple[float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
BLACK: Colour = (0.0, 0.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Unseen:
    """Text in the text layer that is not on the page for a reader."""

    code: str
    """Of the finding: `pdf_text_invisible`, `pdf_text_same_colour`, `pdf_text_tiny`, `pdf_text_off_page`, `pdf_text_covered`."""
    why: str
    text: str


@dataclass
class _State:
    ctm: Matrix = IDENTITY
    fill: Colour | None = BLACK
    stroke: Colour | None = BLACK
    fill_space: str = "/DeviceGray"
    stroke_space: str = "/DeviceGray"
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    masked: bool = False
    mode: int = 0
    size: float = 0.0
    leading: float = 0.0
    spacing: float = 0.0
    scale: float = 1.0
    rise: float = 0.0
    clip: Box | None = None


@dataclass(frozen=True)
class _Painted:
    box: Box
    colour: Colour | None
    """None: a picture or pattern."""
    whole: bool
    """The box is filled entirely and cannot be seen through."""


@dataclass(frozen=True)
class _Text:
    order: int
    text: str
    box: Box
    height: float
    mode: int
    ink: Colour | None
    alpha: float
    masked: bool
    clip: Box | None


@dataclass
class _Page:
    painted: list[_Painted] = field(default_factory=list)
    texts: list[_Text] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    operations: int = 0


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """`a` applied first, then `b`."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _point(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _bounds(points: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def _box(m: Matrix, x: float, y: float, w: float, h: float) -> Box:
    return _bounds([_point(m, *p) for p in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))])


def _meet(a: Box | None, b: Box) -> Box:
    return b if a is None else (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def _share(inner: Box, outer: Box) -> float:
    """Part of `inner` that lies in `outer`, 0 to 1."""
    w, h = min(inner[2], outer[2]) - max(inner[0], outer[0]), min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = max(inner[2] - inner[0], 1e-6) * max(inner[3] - inner[1], 1e-6)
    return max(w, 0.0) * max(h, 0.0) / area


def _number(value: Any) -> float:
    return float(value)


def _matrix(values: Sequence[Any]) -> Matrix:
    a, b, c, d, e, f = (_number(v) for v in values)
    return a, b, c, d, e, f


def _colour(values: Sequence[Any], space: str) -> Colour | None:
    """Operands of a colour operator as red, green, blue; None for patterns and inks that are not understood."""
    try:
        parts = [min(max(_number(v), 0.0), 1.0) for v in values]
    except (TypeError, ValueError):
        return None
    if space not in ("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/CalGray", "/CalRGB", "/ICCBased"):
        return None
    if len(parts) == 1:
        return parts[0], parts[0], parts[0]
    if len(parts) == 3:
        return parts[0], parts[1], parts[2]
    if len(parts) == 4:
        c, m, y, k = parts
        return (1 - c) * (1 - k), (1 - m) * (1 - k), (1 - y) * (1 - k)
    return None


def _string(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1").replace("\x00", "")
    return str(value)


class _Walk:
    """Follows the operations of one page, forms included."""

    def __init__(self, page: _Page, reader: Any) -> None:
        self.page = page
        self.reader = reader

    def run(self, stream: ContentStream, resources: Any, state: _State, depth: int) -> None:
        """Draws `stream` into the page, starting from `state`."""
        stack: list[_State] = []
        path: list[Box] = []
        rect_only, clipping = True, False
        tm = line = IDENTITY
        for operands, operator in stream.operations:
            self.page.operations += 1
            if self.page.operations > MAX_OPERATIONS:
                raise ValueError("draws too much to be followed")
            op = operator.decode("latin-1") if isinstance(operator, bytes) else str(operator)
            if op == "q":
                stack.append(replace(state))
            elif op == "Q":
                state = stack.pop() if stack else state
            elif op == "cm":
                state.ctm = multiply(_matrix(operands), state.ctm)
            elif op == "re":
                path.append(_box(state.ctm, *(_number(v) for v in operands[:4])))
            elif op in ("m", "l"):
                x, y = _point(state.ctm, _number(operands[0]), _number(operands[1]))
                path.append((x, y, x, y))
                rect_only = False
            elif op in ("c", "v", "y"):
                points = [
                    _point(state.ctm, _number(operands[n]), _number(operands[n + 1]))
                    for n in range(0, len(operands) - 1, 2)
                ]
                path.append(_bounds(points))
                rect_only = False
            elif op in ("W", "W*"):
                clipping = True
            elif op in ("f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"):
                if op[0] in "fFBb" and path:
                    self._paint(path, rect_only, state)
                if clipping and path:
                    state.clip = _meet(state.clip, _bounds([c for b in path for c in ((b[0], b[1]), (b[2], b[3]))]))
                path, rect_only, clipping = [], True, False
            elif op == "BT":
                tm = line = IDENTITY
            elif op in ("Td", "TD"):
                x, y = _number(operands[0]), _number(operands[1])
                if op == "TD":
                    state.leading = -y
                line = multiply((1, 0, 0, 1, x, y), line)
                tm = line
            elif op == "Tm":
                tm = line = _matrix(operands)
            elif op == "T*":
                line = multiply((1, 0, 0, 1, 0, -state.leading), line)
                tm = line
            elif op in ("Tj", "TJ", "'", '"'):
                if op in ("'", '"'):
                    line = multiply((1, 0, 0, 1, 0, -state.leading), line)
                    tm = line
                tm = self._show(operands, state, tm)
            elif op == "Do":
                self._object(operands, resources, state, depth)
            elif op in ("sh", "INLINE IMAGE"):
                box = state.clip or (-1e6, -1e6, 1e6, 1e6) if op == "sh" else _box(state.ctm, 0, 0, 1, 1)
                self.page.painted.append(_Painted(box, None, op != "sh"))
            elif op in ("BDC", "DP") and len(operands) > 1 and isinstance(operands[1], dict):
                self.page.replaced += [str(operands[1][k]) for k in ("/ActualText", "/Alt", "/E") if k in operands[1]]
            else:
                self._settings(op, operands, resources, state)

    def _settings(self, op: str, operands: list[Any], resources: Any, state: _State) -> None:
        if op == "Tf":
            state.size = _number(operands[1])
        elif op == "Tr":
            state.mode = int(operands[0])
        elif op == "TL":
            state.leading = _number(operands[0])
        elif op == "Tc":
            state.spacing = _number(operands[0])
        elif op == "Tz":
            state.scale = _number(operands[0]) / 100
        elif op == "Ts":
            state.rise = _number(operands[0])
        elif op in ("g", "rg", "k"):
            state.fill_space = {"g": "/DeviceGray", "rg": "/DeviceRGB", "k": "/DeviceCMYK"}[op]
            state.fill = _colour(operands, state.fill_space)
        elif op in ("G", "RG", "K"):
            state.stroke_space = {"G": "/DeviceGray", "RG": "/DeviceRGB", "K": "/DeviceCMYK"}[op]
            state.stroke = _colour(operands, state.stroke_space)
        elif op == "cs":
            state.fill_space, state.fill = self._space(operands, resources), BLACK
        elif op == "CS":
            state.stroke_space, state.stroke = self._space(operands, resources), BLACK
        elif op in ("sc", "scn"):
            state.fill = _colour(operands, state.fill_space)
        elif op in ("SC", "SCN"):
            state.stroke = _colour(operands, state.stroke_space)
        elif op == "gs":
            self._graphics_state(operands, resources, state)

    def _space(self, operands: list[Any], resources: Any) -> str:
        name = str(operands[0])
        named = _resource(resources, "/ColorSpace", name)
        if isinstance(named, list) and named:
            return str(named[0])
        return name if named is None else str(named)

    def _graphics_state(self, operands: list[Any], resources: Any, state: _State) -> None:
        settings = _resource(resources, "/ExtGState", str(operands[0]))
        if not isinstance(settings, DictionaryObject):
            return
        if "/ca" in settings:
            state.fill_alpha = _number(settings["/ca"])
        if "/CA" in settings:
            state.stroke_alpha = _number(settings["/CA"])
        if "/SMask" in settings:
            state.masked = str(settings["/SMask"]) != "/None"

    def _paint(self, path: list[Box], rect_only: bool, state: _State) -> None:
        solid = state.fill_alpha > 1 - FAINT and not state.masked
        for box in path if rect_only else [_bounds([c for b in path for c in ((b[0], b[1]), (b[2], b[3]))])]:
            shown = _meet(state.clip, box)
            if state.fill_alpha > FAINT and shown[0] < shown[2] and shown[1] < shown[3]:
                self.page.painted.append(_Painted(shown, state.fill if solid else None, solid and rect_only))

    def _show(self, operands: list[Any], state: _State, tm: Matrix) -> Matrix:
        """Notes the text and gives the text matrix behind it."""
        shown = operands[-1] if operands else ""
        parts = list(shown) if isinstance(shown, list) else [shown]
        text = "".join(_string(p) for p in parts if isinstance(p, str | bytes))
        kern = sum(_number(p) for p in parts if not isinstance(p, str | bytes))
        width = (len(text) * (LETTER * state.size + state.spacing) - kern / 1000 * state.size) * state.scale
        if text.strip():
            whole = multiply((1, 0, 0, 1, 0, state.rise), multiply(tm, state.ctm))
            box = _box(whole, 0, -0.2 * state.size, width, state.size)
            high = abs(state.size) * (whole[2] ** 2 + whole[3] ** 2) ** 0.5
            stroked = state.mode % 4 == 1
            self.page.texts.append(
                _Text(
                    order=len(self.page.painted),
                    text=text,
                    box=box,
                    height=high,
                    mode=state.mode,
                    ink=state.stroke if stroked else state.fill,
                    alpha=state.stroke_alpha if stroked else state.fill_alpha,
                    masked=state.masked,
                    clip=state.clip,
                )
            )
        return multiply((1, 0, 0, 1, width, 0), tm)

    def _object(self, operands: list[Any], resources: Any, state: _State, depth: int) -> None:
        found = _resource(resources, "/XObject", str(operands[0]))
        if found is None:
            return
        if found.get("/Subtype") == "/Form":
            if depth >= MAX_DEPTH:
                raise ValueError("forms are nested too deeply")
            inner = replace(state)
            if "/Matrix" in found:
                inner.ctm = multiply(_matrix(found["/Matrix"]), inner.ctm)
            if "/BBox" in found:
                x0, y0, x1, y1 = (_number(v) for v in found["/BBox"])
                inner.clip = _meet(inner.clip, _box(inner.ctm, x0, y0, x1 - x0, y1 - y0))
            own = found.get("/Resources")
            self.run(
                ContentStream(found, self.reader), own.get_object() if own is not None else resources, inner, depth + 1
            )
        else:
            see_through = any(key in found for key in ("/SMask", "/Mask")) or bool(found.get("/ImageMask", False))
            solid = not see_through and state.fill_alpha > 1 - FAINT and not state.masked
            self.page.painted.append(_Painted(_meet(state.clip, _box(state.ctm, 0, 0, 1, 1)), None, solid))


def _resource(resources: Any, kind: str, name: str) -> Any:
    group = resources.get(kind) if resources is not None else None
    group = group.get_object() if group is not None else None
    found = group.get(name) if group is not None else None
    return found.get_object() if found is not None else None


def unseen(page: PageObject, reader: Any) -> list[Unseen]:
    """Text of the page's text layer that a reader does not see, in the order of drawing.

    Raises:
        ValueError: the page draws more than can be followed.
    """
    drawn = _Page()
    contents = page.get_contents()
    if contents is not None:
        resources = page.get("/Resources")
        _Walk(drawn, reader).run(
            ContentStream(contents, reader), resources.get_object() if resources is not None else None, _State(), 0
        )
    crop = page.cropbox
    sheet: Box = (float(crop.left), float(crop.bottom), float(crop.right), float(crop.top))
    found = [Unseen("pdf_text_invisible", "stands only in the text layer", text) for text in drawn.replaced]
    for text in drawn.texts:
        if (problem := _problem(text, drawn.painted, sheet)) is not None:
            found.append(Unseen(*problem, text.text))
    return found


def _problem(text: _Text, painted: list[_Painted], sheet: Box) -> tuple[str, str] | None:
    if text.mode in (3, 7):
        return "pdf_text_invisible", f"is drawn in render mode {text.mode}, which shows nothing"
    if text.alpha < FAINT or text.masked:
        return "pdf_text_invisible", "is drawn transparent"
    if _share(text.box, sheet) < 0.5:
        return "pdf_text_off_page", "lies outside the page"
    if text.clip is not None and _share(text.box, text.clip) < 0.5:
        return "pdf_text_off_page", "is clipped away"
    if text.height < TINY_POINTS:
        return "pdf_text_tiny", f"is {text.height:.1f} points high"
    if any(p.whole and _share(text.box, p.box) > 0.9 for p in painted[text.order :]):
        return "pdf_text_covered", "is painted over"
    if text.ink is None:
        return None
    grounds: list[Colour | None] = [WHITE]
    middle = ((text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2)
    for p in painted[: text.order]:
        if p.box[0] <= middle[0] <= p.box[2] and p.box[1] <= middle[1] <= p.box[3]:
            grounds = [p.colour] if p.whole else [*grounds, p.colour]
    if all(g is not None and max(abs(a - b) for a, b in zip(g, text.ink, strict=True)) < SAME_COLOUR for g in grounds):
        return "pdf_text_same_colour", "has the colour of what it stands on"
    return None
