"""Tables as CSV, TSV, Markdown, HTML (for notebooks) and LaTeX.

CSV and TSV have no title, legend and notes. They contain nan for a part of a score without a value, because other
programs read it as a number.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from geceval.base.registry import table_rows
from geceval.tables.table import ReportTable, TableCell, TableColumn, Value, cell_text


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
        elements = (
            f'<{tag} style="{_STYLE}{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(elements)}</tr>"

    title = f"<div>{escape(table.title)}</div>" if table.title else ""
    title += "".join(f"<div>{escape(line)}</div>" for line in table.above)
    under = [f"<div>{escape(line)}</div>" for line in table.legend]
    under += [f"<div><code>{escape(note)}</code></div>" for note in table.notes]
    body = "".join(row(cells, "td") for cells in table.texts(digits))
    return (
        f'<div class="geceval">{title}<table style="border-collapse:collapse"><thead>{row(table.heads, "th")}</thead>'
        f"<tbody>{body}</tbody></table>{''.join(under)}</div>"
    )


_SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"} | dict(table_rows(Path(__file__).with_name("latex_signs.tsv")))
)
_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
_F = re.compile(rf"F([{_DIGITS}]+(?:\.[{_DIGITS}]+)?|∞)")
_PLAIN = str.maketrans(_DIGITS, "0123456789") | {ord("∞"): r"\infty"}

#: Kinds of columns whose numbers have the same decimals.
CENTRED = ("score", "figure")
#: Width of a column of an article in characters, and number of columns from which space between them is reduced.
COLUMN, MANY = 40, 8


def as_latex(table: ReportTable, digits: int = 2) -> str:
    """Return a tabular for the booktabs package.

    The best scores are bold, the decimal points of scores are aligned, lines above and the legend are paragraphs below
    the tabular, and notes are comments. A comment names the environment for an article of two columns.
    """
    printed = [*zip(*table.texts(digits), strict=True)] or [()] * len(table.columns)
    texts = [_cells(column, [row[index] for row in table.rows], digits) for index, column in enumerate(table.columns)]
    depth = max((len(column.rows) for column in table.columns), default=0) or 1
    heads = [column.rows or (*[""] * (depth - 1), column.head) for column in table.columns]
    layout = "".join("c" if column.kind in CENTRED else "r" if column.right else "l" for column in table.columns)
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", *_head_lines(heads), r"\midrule"]
    for number, row in enumerate(zip(*texts, strict=True)):
        lines += [*([r"\midrule"] if number in table.sections else []), " & ".join(row) + r" \\"]
    legend = [rf"{{\footnotesize {_legend(line)}\par}}" for line in (*table.above, *table.legend)]
    # Columns share the width of a head above them.
    shared = Counter(head[:level] for head in heads for level in range(1, depth + 1))
    shares = [[len(head[level]) // shared[head[: level + 1]] for level in range(depth)] for head in heads]
    width = sum(2 + max(*widths, *map(len, cells), 0) for widths, cells in zip(shares, printed, strict=True))
    comments = [f"% {note}" for note in (*([table.title] if table.title else []), *table.notes)]
    if depth > 1:
        comments.append(f"% in an article of two columns: {'table' if width <= COLUMN else 'table*'}")
    comments += [r"\setlength{\tabcolsep}{4pt}"] if len(heads) > MANY else []
    below = [r"\par\smallskip", *legend] if legend else []
    return "\n".join([*comments, *lines, r"\bottomrule", r"\end{tabular}", *below]) + "\n"


def _head_lines(heads: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of the heads of columns, [column][row].

    Adjacent equal heads are one cell.
    """
    for level in range(1, len(heads[0])):
        cells, rules, first, sizes = list[str](), list[str](), 1, set[int]()
        for head, equal_heads in groupby(heads, itemgetter(slice(level))):
            size, text = len([*equal_heads]), _escaped(head[-1])
            cells += [rf"\multicolumn{{{size}}}{{c}}{{{text}}}"] if text and size > 1 else [text] * size
            rules += [rf"\cmidrule(lr){{{first}-{first + size - 1}}}"] if text else []
            first += size
            sizes.add(size)
        if rules:
            yield " & ".join(cells) + r" \\"
            yield from [" ".join(rules)] if max(sizes) > 1 else []
    yield " & ".join(_escaped(head[-1]) for head in heads) + r" \\"


def _escaped(text: str) -> str:
    """Return text for LaTeX.

    Special characters are escaped, F with its beta is math, and a star at the end is raised.
    """
    mark = "$^{*}$" if text.endswith("*") else ""
    escaped = text.removesuffix("*").translate(_SIGNS)
    return _F.sub(lambda match: f"$F_{{{match[1].translate(_PLAIN)}}}$", escaped) + mark


def _cells(column: TableColumn, cells: Sequence[Value | TableCell], digits: int) -> list[str]:
    """Return the cells of a column for LaTeX.

    Marks have no width and numbers are padded to equal widths, which aligns decimal points in centred columns.
    """
    texts = [cell_text(column, cell, digits) for cell in cells]
    integers = [text.partition(".")[0] if text[-1:].isdigit() and column.kind in CENTRED else "" for text in texts]
    signed = any(integer.startswith("−") for integer in integers)
    widest = max((integer.lstrip("−") for integer in integers), key=len, default="")
    latex = []
    for text, integer, cell in zip(texts, integers, cells, strict=True):
        missing = widest[len(integer.lstrip("−")) :] + "−" * (signed and not integer.startswith("−"))
        pad = rf"\phantom{{{_escaped(missing)}}}" if integer and missing else ""
        best, mark = (cell.best, cell.mark) if isinstance(cell, TableCell) else (False, "")
        number = rf"\textbf{{{_escaped(text)}}}" if best else _escaped(text)
        latex.append(pad + number + (rf"\rlap{{{_escaped(mark)}}}" if mark else ""))
    return latex


def _legend(line: str) -> str:
    """Return a line of the legend; a star at its start is raised."""
    return "$^{*}$" + _escaped(line[1:]) if line.startswith("*") else _escaped(line)
