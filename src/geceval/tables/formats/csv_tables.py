"""Tables as CSV and TSV, without title, legend and notes.

A part of a score without a value is nan, which other programs read as a number.
"""

from __future__ import annotations

import csv
import io

from geceval.tables.table import ReportTable


def as_csv(table: ReportTable, digits: int = 2, delimiter: str = ",") -> str:
    """Return a table as comma-separated values."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.heads)
    writer.writerows(table.texts(digits, undefined="nan"))
    return out.getvalue()


def as_tsv(table: ReportTable, digits: int = 2) -> str:
    """Return a table as tab-separated values."""
    return as_csv(table, digits, "\t")
