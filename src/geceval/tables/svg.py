"""SVG elements of charts: scales, shapes and text in the colours of the page.

Classes instead of styles set colours, because a content security policy forbids inline styles.
"""

from __future__ import annotations

import html
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

#: Formats of pictures, which are endings of files.
PICTURES = ("svg", "pdf", "png")
#: Size of text and height of a line, in units of a chart.
TEXT, LINE = 11.0, 12.0
#: Size of small text, relative to TEXT.
SMALL = 9.5 / TEXT
#: Widths of characters in DejaVu Sans, one of the wide fonts, in hundredths of TEXT; others are 100 wide.
WIDTHS = {
    sign: width
    for signs, width in (
        ("ijl'", 28),
        (" ,.IJ·", 32),
        ('-/:;\\f|"!()[]t', 40),
        ("*_`rsz†‡₀₁₂₃₄₅₆₇₈₉", 53),
        ("?Lcvkxy", 60),
        ("FPTYaeo", 62),
        ("$0123456789EKSbdghnpqu{}", 65),
        ("ABCRVXZ", 70),
        ("DGHNUw&OQ", 80),
        ("#+<=>M^~−×✗✓←→", 86),
    )
    for sign in signs
}


@lru_cache(maxsize=1 << 14)
def printable(text: str) -> str:
    """Return text with problematic characters replaced by U+FFFD.

    The characters cannot be written in XML or UTF-8, or change the direction of the surrounding text.
    """
    return _UNPRINTABLE.sub("\ufffd", text)


#: Control characters, surrogates, non-characters, and controls of direction.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


def escaped(text: str) -> str:
    """Return text for an element or an attribute."""
    return html.escape(printable(text))


def width_of(text: str) -> float:
    """Return the approximate width of a text, in units of a chart."""
    return TEXT / 100 * sum(WIDTHS.get(sign, 100) for sign in text)


def shortened(text: str, width: float) -> str:
    """Return printable text of at most this width, shortened in the middle."""
    text = printable(text)
    if width_of(text) <= width:
        return text
    shorter = (f"{text[: length - length // 3]}…{text[-(length // 3) :]}" for length in range(len(text) - 1, 2, -1))
    return next((candidate for candidate in shorter if width_of(candidate) <= width), "…")


def lines_of(text: str, width: float) -> list[str]:
    """Return a text as lines of at most this width, broken at spaces and at line ends; long words are shortened."""
    lines = []
    for row in text.split("\n"):
        line = ""
        for word in row.split(" "):
            longer = f"{line} {word}".strip()
            if line and width_of(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return [shortened(line, width) for line in lines]


def coordinate(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{round(value, 1):g}"


@dataclass(frozen=True)
class Scale:
    """A linear map from values to coordinates.

    Attributes:
        low: Value at ``first``.
        high: Value at ``last``.
        first: Coordinate of ``low``.
        last: Coordinate of ``high``.
    """

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value; values beyond the ends are moved to the ends."""
        value = min(max(value, self.low), self.high)
        return self.first + (value - self.low) / ((self.high - self.low) or 1) * (self.last - self.first)

    def fitting_ticks(self) -> list[float]:
        """Return at most six round values whose labels do not touch each other along a horizontal axis."""
        ticks = list[float]()
        for most in range(6, 1, -1):
            ticks = self.ticks(most)
            gaps = [self(after) - self(before) for before, after in itertools.pairwise(ticks)]
            if all(gap >= max(width_of(f"{tick:g}") for tick in ticks) + 7 for gap in gaps):
                break
        return ticks

    def with_ticks(self) -> Scale:
        """Return the scale, extended to round values until an axis has two of them."""
        power = 10.0 ** math.floor(math.log10((self.high - self.low) or 1.0))
        steps = (power * times for times in (1, 2, 5, 10, 20))
        ends = ((step * math.floor(self.low / step), step * math.ceil(self.high / step)) for step in steps)
        scales = (self, *(replace(self, low=low, high=high) for low, high in ends))
        return next((scale for scale in scales if len(scale.fitting_ticks()) > 1), self)

    def ticks(self, most: int = 6) -> list[float]:
        """Return at most ``most`` round values between the ends."""
        width = (self.high - self.low) or 1.0
        power = 10.0 ** math.floor(math.log10(width / most))
        step = next(power * times for times in (1, 2, 5, 10, 20) if width / (power * times) < most)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


@dataclass
class Drawing:
    """A chart as a list of elements.

    Attributes:
        name: Prefix of identifiers, unique in the page.
        width: Width, in units of which text is LINE high.
        height: Height in the same units.
    """

    name: str
    width: float
    height: float
    elements: list[str] = field(default_factory=list)

    def shape(self, path: str, kind: str, title: str = "") -> None:
        """Draw a path of the given classes, with a title if one is given."""
        end = f"><title>{escaped(title)}</title></path>" if title else "/>"
        self.elements.append(f'<path class="{kind}" d="{path}"{end}')

    def group(self, shapes: Sequence[tuple[str, str]], title: str) -> None:
        """Draw paths with their classes, and one title for all of them."""
        paths = "".join(f'<path class="{kind}" d="{path}"/>' for path, kind in shapes)
        self.elements.append(f"<g><title>{escaped(title)}</title>{paths}</g>")

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Draw text whose baseline is at y; the classes ``end`` and ``middle`` align it."""
        classes = f' class="{kind}"' if kind else ""
        self.elements.append(f'<text{classes} x="{coordinate(x)}" y="{coordinate(y)}">{escaped(text)}</text>')

    def upright(self, x: float, y: float, text: str) -> None:
        """Draw text that begins at a point and rises."""
        place = f"translate({coordinate(x)} {coordinate(y)}) rotate(-90)"
        self.elements.append(f'<text transform="{place}">{escaped(text)}</text>')

    def cell(self, path: str, opacity: float, title: str) -> None:
        """Draw a path that is filled with an opacity in [0, 1]."""
        content = f"<title>{escaped(title)}</title>"
        self.elements.append(f'<path class="cell" fill-opacity="{opacity:.2f}" d="{path}">{content}</path>')

    def across(self, scale: Scale, top: float, bottom: float, title: str, *, signed: bool = True) -> None:
        """Draw a horizontal axis with lines, numbers, and a title below if there is one."""
        for tick in scale.fitting_ticks():
            self.shape(line((scale(tick), top), (scale(tick), bottom)), "grid")
            self.text(scale(tick), bottom + LINE + 4, f"{tick if signed else abs(tick):g}", "middle quiet")
        if title:
            self.text((scale.first + scale.last) / 2, bottom + 2 * LINE + 8, title, "middle quiet")

    def along(self, scale: Scale, left: float, right: float, title: str) -> None:
        """Draw a vertical axis with lines, numbers, and a title above."""
        for tick in scale.ticks():
            self.shape(line((left, scale(tick)), (right, scale(tick))), "grid")
            self.text(left - 5, scale(tick) + 4, f"{tick:g}", "end quiet")
        self.text(left - 34, scale.last - 22, title, "quiet")

    def element(self, title: str, description: str, size: str = "") -> str:
        """Return the SVG element, with a title and a description for screen readers.

        ``size`` has further attributes.
        """
        labels = "".join(
            f'<{tag} id="{self.name}-{tag}">{escaped(text)}</{tag}>'
            for tag, text in (("title", title), ("desc", description))
        )
        box = f"0 0 {coordinate(self.width)} {coordinate(self.height)}"
        attributes = f'role="img" aria-labelledby="{self.name}-title {self.name}-desc" class="chart"'
        content = labels + "".join(self.elements)
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {attributes}{size}>{content}</svg>'


Point: TypeAlias = tuple[float, float]


def line(*points: Point) -> str:
    """Return the path of a line through points."""
    return "M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)


def bar(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle."""
    return f"M{coordinate(x)} {coordinate(y)}h{coordinate(width)}v{coordinate(height)}h{coordinate(-width)}z"


def hatching(x: float, y: float, width: float, height: float) -> str:
    """Return the path of slanted lines in a rectangle."""
    starts = [x + 5 * k for k in range(max(int((width - height) / 5) + 1, 0))]
    return "".join(
        f"M{coordinate(start)} {coordinate(y + height)}l{coordinate(height)} {coordinate(-height)}" for start in starts
    )


class Shape(NamedTuple):
    """The shape of a mark: a regular polygon, a star or a circle.

    Attributes:
        corners: Number of outer corners; 0: a circle.
        turn: Rotation, as a share of a full turn.
        inner: Distance of the inner corners of a star from the middle, relative to the outer ones; 0: a polygon.
        scale: Distance of the outer corners from the middle, relative to the radius of the circle.
    """

    corners: int = 0
    turn: float = 0.0
    inner: float = 0.0
    scale: float = 1.0


#: A circle, a square and a diamond.
CIRCLE, SQUARE, DIAMOND = Shape(), Shape(4, 1 / 8, scale=1.25), Shape(4, scale=1.35)
#: Shapes of marks, as different as possible: also a triangle up and down, a plus, a cross and a star.
SHAPES = (
    CIRCLE,
    SQUARE,
    Shape(3, scale=1.4),
    DIAMOND,
    Shape(3, 1 / 2, scale=1.4),
    Shape(4, 0, 0.42, 1.55),
    Shape(4, 1 / 8, 0.42, 1.55),
    Shape(5, 0, 0.45, 1.5),
)


def mark(x: float, y: float, shape: Shape, size: float = 4.0) -> str:
    """Return the path of a mark around a point; ``size`` is the radius of a circle of its area."""
    if shape.corners == 0:
        half = f"a{size:g} {size:g} 0 1 0 "
        return f"{line((x - size, y))}{half}{2 * size:g} 0{half}{-2 * size:g} 0"
    distances = [shape.scale * size * distance for distance in ((1.0, shape.inner) if shape.inner else (1.0,))]
    number = shape.corners * len(distances)
    angles = [math.tau * (shape.turn + k / number) for k in range(number)]
    corners = [
        (x + distances[k % len(distances)] * math.sin(angle), y - distances[k % len(distances)] * math.cos(angle))
        for k, angle in enumerate(angles)
    ]
    return line(*corners) + "z"
