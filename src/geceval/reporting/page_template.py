"""HTML pages from templates, with their style, script and security policy in them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geceval._kernel import __version__
from geceval.base.errors import require_extra
from geceval.tables.json_text import as_json
from geceval.tables.pictures import CHART_STYLE
from geceval.tables.svg import printable
from geceval.tables.table import ReportTable, TableCell

FILES = Path(__file__).parent / "html"
#: Files of the script, in this order.
SCRIPTS = ("data.js", "sentence.js", "explorer.js", "page.js")


def page_environment() -> Any:
    """Return the templates' environment; raises MissingExtraError without Jinja2."""
    with require_extra("report", "a report needs Jinja2"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    return Environment(
        loader=FileSystemLoader(FILES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )


def render_page(template: str, schema: str, document: Mapping[str, Any], script: str = "", **values: Any) -> str:
    """Return a page; equal values give equal bytes.

    Args:
        template: Name of the template.
        schema: Name of the schema of the document.
        document: The JSON document in the page.
        script: The script of the page.
        values: Further values of the template, whose charts are pairs of title and SVG element.

    Returns:
        The page as HTML.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    style = "".join(path.read_text(encoding="utf-8") for path in (CHART_STYLE, FILES / "report.css"))
    return str(
        page_environment()
        .get_template(template)
        .render(
            version=__version__,
            style=style,
            script=script,
            policy=policy(script, style),
            # Text cannot end the script element.
            document=as_json(schema, document, short=True).replace("<", "\\u003c"),
            **values,
        )
    )


def table_rows(table: ReportTable, digits: int) -> list[list[tuple[str, bool, bool]]]:
    """Return the rows of a table for the template.

    Each cell has its text, whether it is a number, and whether it is the best.
    """
    return [
        [
            (text, column.right, isinstance(cell, TableCell) and cell.best)
            for text, column, cell in zip(texts, table.columns, row, strict=True)
        ]
        for texts, row in zip(table.texts(digits), table.rows, strict=True)
    ]


def program() -> str:
    """Return the script of the page: all files in one block, without global names."""
    files = "".join((FILES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f'"use strict";\n{{\n{files}}}\n'


def policy(script: str, style: str) -> str:
    """Return a content security policy that allows only this script and this style."""

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    hashes = f"script-src {source(script)}; style-src {source(style)}"
    return f"default-src 'none'; {hashes}; base-uri 'none'; form-action 'none'"
