"""Positions of the labels, marks and lines of a drawing."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from geceval.tables.svg import SMALL, TEXT, Point, width_of

#: Bold text is wider than ``width_of`` its characters.
BOLD = 1.12
#: Lines that labels must not touch; the fine grid is not one of them.
LINES = {"trend", "interval", "contour", "cluster", "axis"}


class Box(NamedTuple):
    """A box of a label or a mark."""

    left: float
    top: float
    right: float
    bottom: float
    name: str

    def overlaps(self, box: Box) -> bool:
        """Return whether two boxes share more than a border."""
        return self.left < box.right and box.left < self.right and self.top < box.bottom and box.top < self.bottom

    def meets(self, first: Point, second: Point) -> bool:
        """Return whether a line between two points passes through the box."""
        enters, leaves = 0.0, 1.0  # shares of the line
        for start, end, low, high in zip(first, second, (self.left, self.top), (self.right, self.bottom), strict=True):
            if start == end:
                if not low < start < high:
                    return False
                continue
            shares = sorted(((low - start) / (end - start), (high - start) / (end - start)))
            enters, leaves = max(enters, shares[0]), min(leaves, shares[1])
        return enters < leaves


def labels_of(svg: str) -> list[Box]:
    """Return the boxes of the texts of a chart."""
    return [_box_of(text) for text in _elements(svg, "text")]


def marks_of(svg: str) -> list[Box]:
    """Return the boxes of the marks of a chart."""
    boxes = []
    for path in _elements(svg, "path"):
        if "mark" in path.get("class", "").split():
            points = _points(path.get("d", ""))
            if "a" in path.get("d", ""):  # a circle, which begins at its left end
                (x, y), radius = points[0], float(re.findall(r"a([\d.]+)", path.get("d", ""))[0])
                points = [(x, y - radius), (x + 2 * radius, y + radius)]
            xs, ys = zip(*points, strict=True)
            boxes.append(Box(min(xs), min(ys), max(xs), max(ys), path.findtext("{*}title") or ""))
    return boxes


def problems_of(svg: str) -> list[str]:
    """Return the labels that leave the drawing, or lie on each other, on marks or on lines."""
    labels, marks = labels_of(svg), marks_of(svg)
    _, _, width, height = map(float, ET.fromstring(svg).get("viewBox", "").split())
    outside = [
        f"{box.name} leaves the drawing"
        for box in (*labels, *marks)
        if box.left < 0 or box.right > width or box.top < 0 or box.bottom > height
    ]
    pairs = combinations(labels, 2)
    covered = [f"{first.name} lies on {second.name}" for first, second in pairs if first.overlaps(second)]
    covered += [f"{box.name} lies on the mark of {mark.name}" for box in labels for mark in marks if box.overlaps(mark)]
    crossed = [
        f"{box.name} lies on a line ({kind})"
        for kind, first, second in _segments(svg)
        for box in labels
        if box.meets(first, second)
    ]
    return [*outside, *covered, *crossed]


def _elements(svg: str, tag: str) -> Sequence[ET.Element]:
    return ET.fromstring(svg).findall(f".//{{*}}{tag}")


def _points(path: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.e]+) (-?[\d.e]+)", path)]


def _segments(svg: str) -> Iterator[tuple[str, Point, Point]]:
    for path in _elements(svg, "path"):
        kinds = LINES.intersection(path.get("class", "").split())
        if kinds:
            yield from ((min(kinds), first, second) for first, second in pairwise(_points(path.get("d", ""))))


def _box_of(text: ET.Element) -> Box:
    classes, content = text.get("class", "").split(), text.text or ""
    size = SMALL if "small" in classes else 1.0
    width = size * width_of(content) * (BOLD if "head" in classes else 1.0)
    above, below = 0.72 * size * TEXT, 0.2 * size * TEXT
    if turned := re.match(r"translate\((\S+) (\S+)\) rotate\(-90\)", text.get("transform", "")):
        x, y = float(turned[1]), float(turned[2])
        return Box(x - above, y - width, x + below, y, content)
    x, y = float(text.get("x", "0")), float(text.get("y", "0"))
    left = x - (width if "end" in classes else width / 2 if "middle" in classes else 0)
    return Box(left, y - above, left + width, y + below, content)
