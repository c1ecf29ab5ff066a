"""A table of text cells, and the formats it can be written in."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Column heads, rows of cells, and notes that stand under the table; columns in ``right`` hold numbers."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    right: frozenset[int] = field(default_factory=frozenset)


def as_text(table: Table) -> str:
    """Aligned columns for the terminal."""
    from rich import box
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for at, head in enumerate(table.heads):
        rich_table.add_column(Text(head), justify="right" if at in table.right else "left", no_wrap=True)
    for row in table.rows:
        rich_table.add_row(*(Text(cell) for cell in row))
    # As wide as it needs to be: a table that is cut or wrapped at 80 columns has lost numbers.
    console = Console(file=io.StringIO(), width=1_000_000, color_system=None)
    console.width = Measurement.get(console, console.options, rich_table).maximum
    console.print(rich_table)
    output = console.file
    assert isinstance(output, io.StringIO)
    lines = [line.rstrip() for line in output.getvalue().splitlines()]
    return "\n".join([*lines, *(["", *table.notes] if table.notes else [])]) + "\n"


def as_csv(table: Table, delimiter: str = ",") -> str:
    """Comma-separated values, without notes."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.heads)
    writer.writerows(table.rows)
    return out.getvalue()


def as_tsv(table: Table) -> str:
    """Tab-separated values, without notes."""
    return as_csv(table, "\t")


def as_markdown(table: Table) -> str:
    """A Markdown pipe table, the notes as code under it."""
    rule = ["---:" if at in table.right else "---" for at in range(len(table.heads))]
    rows = [[cell.replace("|", "\\|") for cell in row] for row in [table.heads, *table.rows]]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    return "\n".join([*lines, *(["", *(f"`{note}`  " for note in table.notes)] if table.notes else [])]) + "\n"


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "β": r"$\beta$",
    }
)


def as_latex(table: Table) -> str:
    """A LaTeX tabular for the booktabs package, the notes as comments."""
    columns = "".join("r" if at in table.right else "l" for at in range(len(table.heads)))
    rows = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in [table.heads, *table.rows]]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"]
    return "\n".join([*(f"% {note}" for note in table.notes), *lines, r"\end{tabular}"]) + "\n"


#: Format name -> how a table is written in it. JSON is not here: it holds more than a table.
TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "table": as_text,
    "csv": as_csv,
    "tsv": as_tsv,
    "markdown": as_markdown,
    "latex": as_latex,
}
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
