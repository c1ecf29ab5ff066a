"""Figures of matplotlib as SVG elements of a page.

Text remains text, and colours are the colours of the page, which follow its theme. Styles become attributes, because
a content security policy forbids inline styles.
"""

from __future__ import annotations

import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from geceval.base.errors import require_extra
from geceval.report.comparisons.meta_plots import STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"

#: Custom property of the page for each colour that matplotlib uses.
PAGE_COLOURS: Mapping[str, str] = {
    "#000001": "ink",
    "#000002": "muted",
    "#000003": "line",
    "#000004": "surface",
    "#000011": "right",
    "#000012": "wrong",
    "#000013": "missed",
    **{f"#0000{0x20 + k:x}": f"series-{k}" for k in range(1, 7)},
}
COLOURS = {name: code for code, name in PAGE_COLOURS.items()}
SERIES = tuple(COLOURS[f"series-{k}"] for k in range(1, 7))

#: Style of charts; names of systems are not parsed as mathematics.
PAGE_STYLE: Any = STYLE | {
    "text.parse_math": False,
    "axes.formatter.use_mathtext": False,
    "axes.edgecolor": COLOURS["line"],
    "axes.labelcolor": COLOURS["muted"],
    "xtick.color": COLOURS["line"],
    "ytick.color": COLOURS["line"],
    "xtick.labelcolor": COLOURS["muted"],
    "ytick.labelcolor": COLOURS["ink"],
    "text.color": COLOURS["ink"],
    "grid.color": COLOURS["line"],
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.8,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}

#: Elements to remove; the page has its own.
LEFT_OUT = (f"{{{SVG}}}metadata", f"{{{SVG}}}style")
#: Style properties that are also presentation attributes.
ATTRIBUTES = frozenset(
    "fill fill-opacity fill-rule opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin"
    " stroke-miterlimit stroke-opacity stroke-width text-anchor".split()
)


@contextmanager
def drawing() -> Iterator[None]:
    """Draw figures in the style of the page within this context.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    with require_extra("report", "a report needs matplotlib"):
        import matplotlib as mpl
    with mpl.rc_context(PAGE_STYLE), warnings.catch_warnings():
        # Browsers have the glyphs that the font of matplotlib lacks.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        warnings.filterwarnings("ignore", "constrained_layout not applied")
        yield


def printable(text: str) -> str:
    """Return text with problematic characters replaced by U+FFFD.

    The characters cannot be written in XML or UTF-8, or change the direction of the surrounding text.
    """
    return _UNPRINTABLE.sub("\ufffd", text)


#: Control characters, surrogates, non-characters, and controls of direction.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


def as_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """Return a figure as an SVG element.

    The ``gid`` of an artist becomes the title of its element.

    Args:
        figure: The figure.
        name: Prefix of identifiers, unique in the page.
        title: Title for screen readers.
        description: Description for screen readers.
    """
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = out.getvalue().decode()
    root, referred = ET.fromstring(svg), frozenset(re.findall(r'(?:url\(|xlink:href=")#([^)"]+)', svg))
    for element in list(root.iter()):
        _without_style(element)
        _renamed(element, name, referred)
        for child in [child for child in element if child.tag in LEFT_OUT]:
            element.remove(child)
    del root.attrib["width"], root.attrib["height"]
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-desc", "class": "chart"}
    for at, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{name}-{tag}"})
        element.text = printable(text)
        root.insert(at, element)
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", LINK[1:-5])
    return ET.tostring(root, encoding="unicode")


#: Prefix of a ``gid`` that becomes the title of its element: ``artist.set_gid(titled(…))``.
TITLE = "title:"


def titled(text: str) -> str:
    """Return a ``gid`` that becomes the title of the element."""
    return TITLE + printable(text)


def _renamed(element: ET.Element, name: str, referred: frozenset[str]) -> None:
    """Rename the identifiers of an element.

    Identifiers that links and styles refer to get the prefix of the figure. Titles become elements; other identifiers
    are removed.
    """
    own = element.attrib.pop("id", "")
    if own.startswith(TITLE):
        title = ET.Element(f"{{{SVG}}}title")
        title.text = own.removeprefix(TITLE)
        element.insert(0, title)
    elif own in referred:
        element.set("id", f"{name}-{own}")
    for key, value in element.attrib.items():
        if key == LINK:
            element.set(key, f"#{name}-{value[1:]}")
        elif "url(#" in value:
            element.set(key, value.replace("url(#", f"url(#{name}-"))


def _without_style(element: ET.Element) -> None:
    """Convert styles to attributes, with the colours of the page."""
    for declaration in element.attrib.pop("style", "").split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key in ("font", "font-size"):  # older versions of matplotlib write font
            size = re.search(r"([\d.]+)px", value)
            assert size is not None, value
            element.set("font-size", size[1])
        elif key in ATTRIBUTES:
            element.set(key, value)
    for key in ("fill", "stroke"):
        value = element.attrib.get(key, "")
        if value in PAGE_COLOURS:
            element.set(key, f"var(--{PAGE_COLOURS[value]})")
