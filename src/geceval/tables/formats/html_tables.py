"""Tables as HTML, for embedding in other programs such as notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from geceval.tables.table import ReportTable

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
