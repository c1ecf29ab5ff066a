"""Tables as Markdown."""

from __future__ import annotations

from geceval.tables.table import ReportTable


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
