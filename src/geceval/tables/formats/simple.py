"""Tables as CSV and TSV, without title, legend and notes.

A part of a score without a value is nan, which other programs read as a number.

Tables as Markdown.

Tables as HTML, for embedding in other programs such as notebooks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape

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


def as_markdown(table: ReportTable, digits: int = 2) -> str:
    """Return a pipe table, with the legend below it and notes as code."""
    rule = ["---:" if column.right else "---" for column in table.columns]
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in [table.heads, *table.texts(digits)]]
    lines = [f"| {' | '.join(row)} |" for row in [head, rule, *body]]
    title = [f"**{table.title}**", ""] if table.title else []
    title += [line for above in table.above for line in (above, "")]
    # A star at the start of a line would start a list.
    legend = [line.replace("*", "\\*") for line in table.legend]
    under = [*(f"{line}  " for line in legend), *(f"`{note}`  " for note in table.notes)]
    return "\n".join([*title, *lines, *(["", *under] if under else [])]) + "\n"


_STYLE = "padding:0.2em 0.8em;text-align:"


def as_html(table: ReportTable, digits: int = 2) -> str:
    """Return a table as HTML with inline styles.

    All text is escaped, and no resources are loaded.
    """
    sides = ["right" if column.right else "left" for column in table.columns]

    def row(cells: Sequence[str], tag: str) -> str:
        made = (
            f'<{tag} style="{_STYLE}{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    title = f"<div>{escape(table.title)}</div>" if table.title else ""
    title += "".join(f"<div>{escape(line)}</div>" for line in table.above)
    under = [f"<div>{escape(line)}</div>" for line in table.legend]
    under += [f"<div><code>{escape(note)}</code></div>" for note in table.notes]
    body = "".join(row(cells, "td") for cells in table.texts(digits))
    return (
        f'<div class="geceval">{title}<table style="border-collapse:collapse"><thead>{row(table.heads, "th")}</thead>'
        f"<tbody>{body}</tbody></table>{''.join(under)}</div>"
    )
