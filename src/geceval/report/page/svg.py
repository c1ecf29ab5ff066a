"""Figures of matplotlib as SVG that can stand in a page: text is text, colours are the page's, so that they follow its
theme, and nothing needs a style that a content security policy forbids."""

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

#: Colours that stand for the page's custom properties: matplotlib draws with the former, the page has the latter.
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

#: Names of systems are no mathematics.
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

#: Elements that are the page's business.
LEFT_OUT = (f"{{{SVG}}}metadata", f"{{{SVG}}}style")
#: Style properties that are presentation attributes too.
ATTRIBUTES = frozenset(
    "fill fill-opacity fill-rule opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin"
    " stroke-miterlimit stroke-opacity stroke-width text-anchor".split()
)


@contextmanager
def drawing() -> Iterator[None]:
    """Within, figures are drawn in the page's style. Raises MissingExtraError without matplotlib."""
    with require_extra("report", "a report needs matplotlib"):
        import matplotlib as mpl
    with mpl.rc_context(PAGE_STYLE), warnings.catch_warnings():
        # The browser has the glyphs that matplotlib's font lacks.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        warnings.filterwarnings("ignore", "constrained_layout not applied")
        yield


def printable(text: str) -> str:
    """Text for people: what cannot be written in XML or UTF-8, or would turn the text around it, is a replacement
    character."""
    return _UNPRINTABLE.sub("\ufffd", text)


#: Control characters, surrogates, what is no character, and controls of direction.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


def as_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """The figure as an SVG element. ``name`` begins its identifiers, which a page has once; ``title`` and
    ``description`` are for who does not see it. What artists have for a ``gid`` becomes the title of their element."""
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
    """A ``gid`` that becomes the title of the element."""
    return TITLE + printable(text)


def _renamed(element: ET.Element, name: str, referred: frozenset[str]) -> None:
    """Identifiers that links and styles refer to become the page's, which has several figures; others go, and titles
    stay."""
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
    """Styles as attributes, colours as the page's."""
    for declaration in element.attrib.pop("style", "").split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key in ("font", "font-size"):  # the former in older versions of matplotlib
            size = re.search(r"([\d.]+)px", value)
            assert size is not None, value
            element.set("font-size", size[1])
        elif key in ATTRIBUTES:
            element.set(key, value)
    for key in ("fill", "stroke"):
        value = element.attrib.get(key, "")
        if value in PAGE_COLOURS:
            element.set(key, f"var(--{PAGE_COLOURS[value]})")
