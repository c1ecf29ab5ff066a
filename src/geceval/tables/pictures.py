"""Charts as pictures: SVG documents, files (SVG; PDF and PNG with CairoSVG), and results in notebooks."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from geceval.base.arguments import choice
from geceval.base.errors import UsageError, require_extra
from geceval.base.output_files import write_errors
from geceval.tables.charts import Chart, Pictures
from geceval.tables.svg import PICTURES, TEXT, bar, coordinate, escaped
from geceval.text.files import PathLike

#: Returns the content of a file for an SVG document.
Writer: TypeAlias = Callable[[str], bytes]

#: Colours in both themes, and the classes of charts.
CHART_STYLE = Path(__file__).with_name("charts.css")
#: Widths of pictures in millimetres: a column, and the text of a page, of papers on A4 in two columns (ACL).
SIZES = {"column": 77.0, "page": 160.0}
#: Millimetres of a unit of a chart: text of 11 units is 8 points high.
MILLIMETRES = 25.4 / 72 * 8 / 11
#: Pixels of a PNG per pixel of 1/96 inch: 600 per inch.
PIXELS = 600 / 96


def save_picture(pictures: Pictures, path: PathLike, name: str = "", size: str = "column") -> None:
    """Write a picture to a file; the ending of its name is the format.

    Args:
        pictures: The pictures of the results.
        path: The file.
        name: Name of the picture; empty: the first one.
        size: One of SIZES.

    Raises:
        UsageError: If the ending is not one of PICTURES, or the picture or the size does not exist.
        MissingExtraError: If CairoSVG, or the library cairo, is not installed (PDF, PNG).
        InputError: If the file cannot be written.
    """
    content = picture(pictures, picture_format(path), name, size)
    with write_errors(path):
        Path(path).write_bytes(content)


def picture(pictures: Pictures, format: str, name: str = "", size: str = "column") -> bytes:
    """Return a picture as the content of a file in one of the PICTURES.

    Raises:
        UsageError: If the picture or the size does not exist.
        MissingExtraError: If CairoSVG, or the library cairo, is not installed (PDF, PNG).
    """
    write = picture_writer(format)
    choice("size", size, list(SIZES))
    if not pictures:
        raise UsageError("these results have no picture")
    name = name or next(iter(pictures))
    choice("picture", name, list(pictures))
    return write(svg_document(pictures[name](SIZES[size] / MILLIMETRES)))


def pictures_html(pictures: Pictures) -> str:
    """Return all pictures as HTML images, whose style does not affect the page; empty without pictures."""
    charts = [draw(SIZES["column"] / MILLIMETRES) for draw in pictures.values()]
    codes = [(chart.title, b64encode(svg_document(chart).encode()).decode()) for chart in charts]
    return "".join(
        f'<div><img alt="{escaped(title)}" src="data:image/svg+xml;base64,{code}"></div>' for title, code in codes
    )


def svg_document(chart: Chart) -> str:
    """Return an SVG document with a chart, in its size and in the colours of the report's light theme."""
    width, height = chart.drawing.width, chart.drawing.height
    paper = f'<path class="paper" d="{bar(0, 0, width, height)}"/>'
    drawing = replace(chart.drawing, elements=[f"<style>{_style()}</style>", paper, *chart.drawing.elements])
    width, height = (MILLIMETRES * length for length in (width, height))
    size = f' width="{coordinate(width)}mm" height="{coordinate(height)}mm"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawing.element(chart.title, chart.description, size)}\n'


def picture_format(path: PathLike) -> str:
    """Return the format of a picture by the ending of its name.

    Raises:
        UsageError: If the ending is not one of PICTURES.
    """
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in PICTURES:
        raise UsageError(f"{path} must end in .svg, .pdf or .png")
    return ending


def picture_writer(format: str) -> Writer:
    """Return the function that makes the content of a file in one of the PICTURES.

    Raises:
        MissingExtraError: If CairoSVG, or the library cairo, is not installed (PDF, PNG).
    """
    return str.encode if format == "svg" else _cairo_writers()[format]


def _cairo_writers() -> dict[str, Writer]:
    with require_extra("plots", "plots as PDF and PNG need CairoSVG and the library cairo"):
        try:
            from cairocffi import PDF_METADATA_CREATE_DATE
            from cairosvg.surface import PDFSurface, PNGSurface
        except OSError as error:  # without the library
            raise ImportError from error

    class UndatedPdf(PDFSurface):  # type: ignore[misc]
        """A PDF with a fixed date: equal input gives equal bytes."""

        def finish(self) -> None:
            self.cairo.set_metadata(PDF_METADATA_CREATE_DATE, "1980-01-01T00:00:00Z")
            super().finish()

    def pdf(document: str) -> bytes:
        return bytes(UndatedPdf.convert(document.encode()))

    def png(document: str) -> bytes:
        return bytes(PNGSurface.convert(document.encode(), scale=PIXELS))

    return {"pdf": pdf, "png": png}


@cache
def _style() -> str:
    """Return the style of charts without variables."""
    css = CHART_STYLE.read_text(encoding="utf-8")
    light = dict(re.findall(r"--([\w-]+): light-dark\((#\w+),", css))
    rules = re.findall(r"^(?:svg |\.s\d)[^{]*\{[^}]*\}$", css, re.MULTILINE)
    rules = [re.sub(r"var\(--([\w-]+)\)", lambda variable: light[variable[1]], rule) for rule in rules]
    head = f"svg {{ font: {TEXT:g}px sans-serif; }}"
    rules += ["svg .paper { fill: #ffffff; stroke: none; }", "svg .head { font-weight: bold; }"]
    return "\n".join([head, *rules])
