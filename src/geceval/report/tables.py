"""A table of text cells, and the formats it can be written in."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from geceval.report.direction import isolated

#: What stands between two columns of a text table.
GAP = "   "
#: What a cell may end with to say that its number differs by more than chance; a legend says from what.
MARKS = ("*", "†")


@dataclass(frozen=True)
class Table:
    """A table of text cells; columns in ``right`` hold numbers.

    ``notes`` stand under the table, in LaTeX as comments; ``legend`` too, but to be read with the table. ``best``:
    cells (row, column) in bold in LaTeX. ``sections``: rows with a line above them. ``spare``: columns
    that a narrow terminal does without, the first of them first. ``beside``: columns that say something of the one
    before and stay with it.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    right: frozenset[int] = field(default_factory=frozenset)
    title: str = ""
    legend: Sequence[str] = ()
    best: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    sections: frozenset[int] = field(default_factory=frozenset)
    spare: Sequence[int] = ()
    beside: frozenset[int] = field(default_factory=frozenset)

    def columns(self, kept: Sequence[int]) -> Table:
        """The table with these columns only, in this order."""
        place = {old: new for new, old in enumerate(kept)}
        return replace(
            self,
            heads=[self.heads[at] for at in kept],
            rows=[[row[at] for at in kept] for row in self.rows],
            right=frozenset(place[at] for at in self.right if at in place),
            best=frozenset((row, place[at]) for row, at in self.best if at in place),
            spare=[place[at] for at in self.spare if at in place],
            beside=frozenset(place[at] for at in self.beside if at in place),
        )


# --- text ---


def as_text(table: Table, width: int | None = None) -> str:
    """Aligned columns. ``width``: of the terminal that it shall fit; None: as wide as it needs to be.

    A table that is too wide does without its spare columns, then is folded: the columns that do not fit follow below,
    beside the first ones again. No cell is ever cut.
    """
    table, missing = _without_spare(table, width)
    lines = [table.title, ""] if table.title else []
    for part in _folded(table, width):
        lines += [*_aligned(part), ""]
    legend = [*table.legend, *([f"no room for: {', '.join(missing)}"] if missing else [])]
    for under in (legend, table.notes):
        lines += [*under, ""] if under else []
    return "\n".join(lines)


def _widths(table: Table) -> list[int]:
    from rich.cells import cell_len

    columns = zip(table.heads, *table.rows, strict=True)
    marked = [_marked(table, at) for at in range(len(table.heads))]
    return [
        max(cell_len(head), *(cell_len(_padded(cell, mark)) for cell in cells), 0)
        for (head, *cells), mark in zip(columns, marked, strict=True)
    ]


def _width(table: Table) -> int:
    widths = _widths(table)
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _without_spare(table: Table, width: int | None) -> tuple[Table, list[str]]:
    """The table without as many of its spare columns as must go, and their heads."""
    missing: list[str] = []
    while width is not None and table.spare and _width(table) > width:
        first = table.spare[0]
        missing.append(table.heads[first])
        table = table.columns([at for at in range(len(table.heads)) if at != first])
    return table, missing


def _folded(table: Table, width: int | None) -> Iterator[Table]:
    """Parts of the table, each no wider than ``width`` where that can be; all have the columns before the numbers."""
    widths = _widths(table)
    keys = next((at for at in range(len(widths)) if at in table.right), 1)
    keys = min(max(keys, 1), len(widths))
    rest: list[list[int]] = []  # columns that stay together
    for at in range(keys, len(widths)):
        if rest and at in table.beside:
            rest[-1].append(at)
        else:
            rest.append([at])
    if width is None or _width(table) <= width or len(rest) < 2:
        yield table
        return
    used = start = sum(widths[:keys]) + len(GAP) * (keys - 1)
    kept = list(range(keys))
    for columns in rest:
        more = sum(widths[at] + len(GAP) for at in columns)
        if used + more > width and len(kept) > keys:
            yield table.columns(kept)
            kept, used = list(range(keys)), start
        kept, used = [*kept, *columns], used + more
    yield table.columns(kept)


def _marked(table: Table, at: int) -> bool:
    return at in table.right and any(row[at].endswith(MARKS) for row in table.rows)


def _padded(cell: str, marked: bool) -> str:
    """In a column with marks numbers without one keep its place free, so that their digits stand under each other."""
    return f"{cell} " if marked and not cell.endswith(MARKS) else cell


def _aligned(table: Table) -> list[str]:
    from rich.cells import cell_len
    from rich.control import strip_control_codes

    widths = _widths(table)
    marked = [_marked(table, at) for at in range(len(widths))]

    def line(cells: Sequence[str], padded: bool = True) -> str:
        shown = []
        for at, cell in enumerate(cells):
            text = strip_control_codes(_padded(cell, padded and marked[at]))
            room = " " * (widths[at] - cell_len(text))
            shown.append(room + isolated(text) if at in table.right else isolated(text) + room)
        return GAP.join(shown).rstrip()

    rule = "─" * _width(table)
    lines = [line(table.heads, padded=False), rule]
    for at, row in enumerate(table.rows):
        lines += [*([rule] if at in table.sections else []), line(row)]
    return lines


# --- for programs ---


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


# --- for documents ---


def as_markdown(table: Table) -> str:
    """A Markdown pipe table, the legend under it and the notes as code."""
    rule = ["---:" if at in table.right else "---" for at in range(len(table.heads))]
    rows = [[cell.replace("|", "\\|") for cell in row] for row in [table.heads, *table.rows]]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    title = [f"**{table.title}**", ""] if table.title else []
    # A star at the start of a line would make a list.
    legend = [line.replace("*", "\\*") for line in table.legend]
    under = [*(f"{line}  " for line in legend), *(f"`{note}`  " for note in table.notes)]
    return "\n".join([*title, *lines, *(["", *under] if under else [])]) + "\n"


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


def f_name(beta: float) -> str:
    """F₀.₅; in LaTeX $F_{0.5}$."""
    return "F∞" if beta == float("inf") else "F" + f"{beta:g}".translate(str.maketrans("0123456789", _DIGITS))


def _latex(text: str) -> str:
    """Text for LaTeX: signs escaped, F with its beta as math, a mark at the end raised."""
    mark = "$^{*}$" if text.endswith("*") else ""
    escaped = text.removesuffix("*").translate(_LATEX)
    return _F.sub(lambda found: f"$F_{{{found[1].translate(_PLAIN)}}}$", escaped) + mark


def _latex_cell(cell: str, best: bool) -> str:
    """Marks stand beside the bold number."""
    bare = cell.rstrip("".join(MARKS))
    number = rf"\textbf{{{_latex(bare)}}}" if best else _latex(bare)
    return number + "".join(map(_latex, cell[len(bare) :]))


def as_latex(table: Table) -> str:
    """A LaTeX tabular for the booktabs package: the best in bold, the legend under the last rule, notes as comments."""
    columns = "".join("r" if at in table.right else "l" for at in range(len(table.heads)))
    head = " & ".join(map(_latex, table.heads)) + r" \\"
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    for at, row in enumerate(table.rows):
        cells = [_latex_cell(cell, (at, column) in table.best) for column, cell in enumerate(row)]
        lines += [*([r"\midrule"] if at in table.sections else []), " & ".join(cells) + r" \\"]
    width = len(table.heads)
    legend = [rf"\multicolumn{{{width}}}{{l}}{{\footnotesize {_latex_legend(line)}}} \\" for line in table.legend]
    comments = [f"% {note}" for note in (*([table.title] if table.title else []), *table.notes)]
    return "\n".join([*comments, *lines, r"\bottomrule", *legend, r"\end{tabular}"]) + "\n"


def _latex_legend(line: str) -> str:
    """A mark stands at the start of its explanation."""
    return "$^{*}$" + _latex(line[1:]) if line.startswith("*") else _latex(line)


#: Format name -> how a table is written in it. JSON is not here: it holds more than a table.
TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "table": as_text,
    "csv": as_csv,
    "tsv": as_tsv,
    "markdown": as_markdown,
    "latex": as_latex,
}


def written(table: Table, output: str, width: int | None = None) -> str:
    """The table in one of TABLE_FORMATS, as text for a terminal of that width."""
    return as_text(table, width) if output == "table" else TABLE_FORMATS[output](table)


FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
#: Formats whose rows can be written as they come, JSON Lines and Parquet for sentences alone (report.rows).
ROW_FORMATS = ("tsv", "csv", "jsonl", "parquet")
