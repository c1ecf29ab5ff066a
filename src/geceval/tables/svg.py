"""SVG elements of charts: scales, shapes and text in the colours of the page.

Classes instead of styles set colours, because a content security policy forbids inline styles.
"""

from __future__ import annotations

import html
import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

#: Formats of pictures, which are endings of files.
PICTURES = ("svg", "pdf", "png")
#: Height of a line of text, and mean width of a character, in units of a chart.
LINE, CHARACTER = 12.0, 6.4


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
    """Return the approximate width of a text: wide characters count twice."""
    return CHARACTER * sum(2.0 if ord(sign) >= 0x1100 else 1.2 if sign.isupper() else 1.0 for sign in text)


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

    def slanted(self, x: float, y: float, text: str) -> None:
        """Draw text that begins at a point and rises to the right."""
        place = f"translate({coordinate(x)} {coordinate(y)}) rotate(-45)"
        self.elements.append(f'<text transform="{place}">{escaped(text)}</text>')

    def cell(self, path: str, opacity: float, title: str) -> None:
        """Draw a path that is filled with an opacity in [0, 1]."""
        content = f"<title>{escaped(title)}</title>"
        self.elements.append(f'<path class="cell" fill-opacity="{opacity:.2f}" d="{path}">{content}</path>')

    def across(self, scale: Scale, top: float, bottom: float, title: str, *, signed: bool = True) -> None:
        """Draw a horizontal axis with lines, numbers and a title below."""
        for tick in scale.ticks():
            self.shape(line((scale(tick), top), (scale(tick), bottom)), "grid")
            self.text(scale(tick), bottom + LINE + 2, f"{tick if signed else abs(tick):g}", "middle quiet")
        self.text((scale.first + scale.last) / 2, bottom + 2 * LINE + 6, title, "middle quiet")

    def along(self, scale: Scale, left: float, right: float, title: str) -> None:
        """Draw a vertical axis with lines, numbers, and a title above."""
        for tick in scale.ticks():
            self.shape(line((left, scale(tick)), (right, scale(tick))), "grid")
            self.text(left - 5, scale(tick) + 4, f"{tick:g}", "end quiet")
        self.text(left - 30, scale.last - 18, title, "quiet")

    def element(self, title: str, description: str) -> str:
        """Return the SVG element, with a title and a description for screen readers."""
        labels = "".join(
            f'<{tag} id="{self.name}-{tag}">{escaped(text)}</{tag}>'
            for tag, text in (("title", title), ("desc", description))
        )
        box = f"0 0 {coordinate(self.width)} {coordinate(self.height)}"
        attributes = f'role="img" aria-labelledby="{self.name}-title {self.name}-desc" class="chart"'
        content = labels + "".join(self.elements)
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {attributes}>{content}</svg>'


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


def mark(x: float, y: float, sides: int, size: float = 4.0) -> str:
    """Return the path of a regular polygon around a point; 0 sides: a circle."""
    if sides == 0:
        half = f"a{size:g} {size:g} 0 1 0 "
        return f"{line((x - size, y))}{half}{2 * size:g} 0{half}{-2 * size:g} 0"
    corners = [
        (x + 1.2 * size * math.sin(math.tau * k / sides), y - 1.2 * size * math.cos(math.tau * k / sides))
        for k in range(sides)
    ]
    return line(*corners) + "z"


# --- names of points ---

Box: TypeAlias = tuple[float, float, float, float]

#: Directions of a name from its point, and growing distances.
DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
DISTANCES = (7.0, 16.0, 28.0)


def name_points(
    drawing: Drawing, points: Sequence[tuple[str, Point]], frame: Box, distances: Sequence[float] = DISTANCES
) -> None:
    """Draw the names of points within the frame, without overlaps.

    A line connects a name with its point if they are not adjacent. Names that do not fit are omitted.
    """
    boxes: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for _, (x, y) in points]
    for name, (x, y) in points:
        for distance, (across, along) in itertools.product(distances, DIRECTIONS):
            middle = (x + across * (distance + width_of(name) / 2), y + along * (distance + LINE / 4))
            box = _around(middle, width_of(name))
            if _within(box, frame) and not any(_overlaps(box, drawn) for drawn in boxes):
                boxes.append(box)
                if distance > distances[0]:
                    near = (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]))
                    drawing.shape(line((x, y), near), "leader")
                drawing.text(middle[0], middle[1] + 4, name, "middle")
                break


def _around(middle: Point, width: float) -> Box:
    x, y = middle
    return (x - width / 2, y - LINE / 2, x + width / 2, y + LINE / 2)


def _within(box: Box, frame: Box) -> bool:
    return box[0] >= frame[0] and box[1] >= frame[1] and box[2] <= frame[2] and box[3] <= frame[3]


def _overlaps(first: Box, second: Box) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def spread(values: Iterable[float], gap: float) -> list[float]:
    """Return ascending coordinates, moved to distances of at least ``gap``."""
    coordinates: list[float] = []
    for value in values:
        coordinates.append(value if not coordinates else max(value, coordinates[-1] + gap))
    return coordinates
