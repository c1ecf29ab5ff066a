"""Charts as pictures: SVG documents, files (SVG; PDF and PNG with CairoSVG), and results in notebooks."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from geceval.base.errors import UsageError, require_extra
from geceval.base.output_files import write_errors
from geceval.tables.charts import Chart
from geceval.tables.svg import PICTURES, Drawing, bar, escaped
from geceval.text.files import PathLike

#: Returns the content of a file for an SVG document.
Writer: TypeAlias = Callable[[str], bytes]

#: Colours in both themes, and the classes of charts.
CHART_STYLE = Path(__file__).with_name("charts.css")
#: Height of the title of a chart.
HEAD = 24.0
#: Pixels of a PNG per unit of a drawing.
PIXELS = 3


def save_charts(charts: Sequence[Chart], path: PathLike) -> None:
    """Write charts to a file; the ending of its name is the format.

    Raises:
        UsageError: If the ending is not one of PICTURES, or there is no chart.
        MissingExtraError: If CairoSVG, or the library cairo, is not installed (PDF, PNG).
        InputError: If the file cannot be written.
    """
    format = picture_format(path)
    content = picture(charts, format)
    with write_errors(path):
        Path(path).write_bytes(content)


def picture(charts: Sequence[Chart], format: str) -> bytes:
    """Return charts as the content of a file in one of the PICTURES.

    Raises:
        UsageError: If there is no chart.
        MissingExtraError: If CairoSVG, or the library cairo, is not installed (PDF, PNG).
    """
    write = picture_writer(format)
    if not charts:
        raise UsageError("these results have no chart")
    return write(document(charts))


def charts_html(charts: Sequence[Chart]) -> str:
    """Return charts as an HTML image, whose style does not affect the page; empty without charts."""
    if not charts:
        return ""
    titles, code = "; ".join(chart.title for chart in charts), b64encode(document(charts).encode()).decode()
    return f'<div><img alt="{escaped(titles)}" src="data:image/svg+xml;base64,{code}"></div>'


def document(charts: Sequence[Chart]) -> str:
    """Return an SVG document with the charts below each other, in the colours of the report's light theme."""
    width = max(chart.drawing.width for chart in charts)
    drawing = Drawing("charts", width, sum(HEAD + chart.drawing.height for chart in charts))
    drawing.elements += [f"<style>{_style()}</style>", f'<path class="paper" d="{bar(0, 0, width, drawing.height)}"/>']
    top = 0.0
    for chart in charts:
        drawing.text(8, top + HEAD - 6, chart.title, "head")
        top += HEAD
        drawing.elements.append(f'<g transform="translate(0 {top:g})">{"".join(chart.drawing.elements)}</g>')
        top += chart.drawing.height
    title, description = ("; ".join(texts) for texts in zip(*((chart[1], chart[2]) for chart in charts), strict=True))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawing.element(title, description)}\n'


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
    head = "svg { font: 11px sans-serif; }"
    rules += ["svg .paper { fill: #ffffff; stroke: none; }", "svg .head { font-weight: bold; }"]
    return "\n".join([head, *rules])
