"""Tables as LaTeX."""

from __future__ import annotations

import re

from geceval.report.table import ReportTable, TableCell, TableColumn, Value, cell_text

_SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "β": r"$\beta$",
        "ρ": r"$\rho$",
        "−": "$-$",
        "<": "$<$",
        ">": "$>$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "†": r"$^{\dagger}$",
        "∅": r"$\emptyset$",
    }
)
_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
_F = re.compile(rf"F([{_DIGITS}]+(?:\.[{_DIGITS}]+)?|∞)")
_PLAIN = str.maketrans(_DIGITS, "0123456789") | {ord("∞"): r"\infty"}


def as_latex(table: ReportTable, digits: int = 2) -> str:
    """Return a tabular for the booktabs package.

    The best scores are bold, the legend and lines above are below the last rule, and notes are comments.
    """
    columns = "".join("r" if column.right else "l" for column in table.columns)
    head = " & ".join(map(_escaped, table.heads)) + r" \\"
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    for at, row in enumerate(table.rows):
        cells = [_cell(column, cell, digits) for column, cell in zip(table.columns, row, strict=True)]
        lines += [*([r"\midrule"] if at in table.sections else []), " & ".join(cells) + r" \\"]
    width = len(table.columns)
    legend = [
        rf"\multicolumn{{{width}}}{{l}}{{\footnotesize {_legend(line)}}} \\" for line in (*table.above, *table.legend)
    ]
    comments = [f"% {note}" for note in (*([table.title] if table.title else []), *table.notes)]
    return "\n".join([*comments, *lines, r"\bottomrule", *legend, r"\end{tabular}"]) + "\n"


def _escaped(text: str) -> str:
    """Return text for LaTeX.

    Special characters are escaped, F with its beta is math, and a star at the end is raised.
    """
    mark = "$^{*}$" if text.endswith("*") else ""
    escaped = text.removesuffix("*").translate(_SIGNS)
    return _F.sub(lambda found: f"$F_{{{found[1].translate(_PLAIN)}}}$", escaped) + mark


def _cell(column: TableColumn, cell: Value | TableCell, digits: int) -> str:
    """Return a cell for LaTeX; its mark is not bold."""
    text = _escaped(cell_text(column, cell, digits))
    if not isinstance(cell, TableCell):
        return text
    return (rf"\textbf{{{text}}}" if cell.best else text) + _escaped(cell.mark)


def _legend(line: str) -> str:
    """Return a line of the legend; a star at its start is raised."""
    return "$^{*}$" + _escaped(line[1:]) if line.startswith("*") else _escaped(line)
