"""The results of a suite as one HTML page without external resources."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from geceval.reporting.page_template import program, render_page, table_rows
from geceval.tables.report import Report
from geceval.tables.table import SOURCE_NOTE, ReportTable
from geceval.text.files import SOURCE


def render_board(report: Report, title: str, document: Mapping[str, Any], digits: int) -> str:
    """Return the page of the tables of a suite, which are sorted by a click on a head.

    Args:
        report: The report of the suite.
        title: Title of the page.
        document: The JSON document in the page, which is public.
        digits: Number of decimals of scores.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    blocks = report.tables()
    tables = [block.mapped() for block in blocks if isinstance(block, ReportTable)]
    notes = dict.fromkeys(note for table in tables for note in table.notes)
    page = {
        "title": title,
        "source": SOURCE,
        "colours": {},
        "tables": tables,
        "texts": [block for block in blocks if isinstance(block, str)],
        "notes": [note for note in notes if note == SOURCE_NOTE],
        "signatures": [note for note in notes if note != SOURCE_NOTE],
    }
    rows_of = partial(table_rows, digits=digits)
    return render_page("board.html.jinja", report.schema, document, program(), page=page, rows_of=rows_of)
