"""Tables as CSV, TSV, Markdown, HTML (for notebooks) and LaTeX.

CSV and TSV have no title, legend and notes. They contain nan for a part of a score without a value, because other
programs read it as a number.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from geceval.base.arguments import in_line
from geceval.base.output_files import write_cells
from geceval.base.package_tables import table_rows
from geceval.tables.table import ReportTable, TableCell, TableColumn, Value, cell_text


def as_csv(table: ReportTable, digits: int = 2, delimiter: str = ",") -> str:
    """Return a table as comma-separated values."""
    out = io.StringIO()
    write_cells(out, [table.heads, *table.texts(digits, undefined="nan")], delimiter)
    return out.getvalue()


def as_tsv(table: ReportTable, digits: int = 2) -> str:
    """Return a table as tab-separated values."""
    return as_csv(table, digits, "\t")


#: Markup of Markdown within a line, and lines that would make the line before a heading or a head of a table.
#: Underscores within words and brackets without a link are none.
_MARKUP = re.compile(
    r"[\\`*|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=\])[(\[]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\A[-=:](?=[-=:]+\Z)"
)
_ENTITIES = {"<": "&lt;", "&": "&amp;"}


def _in_markdown(text: str) -> str:
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), in_line(text))


def as_markdown(table: ReportTable, digits: int = 2) -> str:
    """Return a pipe table, with the legend below it and notes as code."""
    rule = ["---:" if column.right else "---" for column in table.columns]
    notes, table = table.notes, table.mapped(_in_markdown)
    lines = [f"| {' | '.join(row)} |" for row in [table.heads, rule, *table.texts(digits)]]
    title = [f"**{table.title}**", ""] if table.title else []
    title += [line for above in table.above for line in (above, "")]
    under = [*(f"{line}  " for line in table.legend), *(f"{_code(in_line(note))}  " for note in notes)]
    return "\n".join([*title, *lines, *(["", *under] if under else [])]) + "\n"


def _code(text: str) -> str:
    """Return text as code in Markdown, between more backticks than the text has in a row."""
    longest = _most_backticks(text)
    space = " " if longest else ""
    return f"{'`' * (longest + 1)}{space}{text}{space}{'`' * (longest + 1)}"


def code_block(text: str) -> str:
    """Return lines as a block of code in Markdown."""
    fence = "`" * max(3, _most_backticks(text) + 1)
    return "\n".join([f"{fence}text", text.rstrip("\n"), fence, ""])


def _most_backticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_STYLE = "padding:0.2em 0.8em;text-align:"


def as_html(table: ReportTable) -> str:
    """Return a table as HTML with inline styles.

    All text is escaped, and no resources are loaded.
    """
    table = table.mapped()
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
    body = "".join(row(cells, "td") for cells in table.texts(2))
    return (
        f'<div class="geceval">{title}<table style="border-collapse:collapse"><thead>{row(table.heads, "th")}</thead>'
        f"<tbody>{body}</tbody></table>{''.join(under)}</div>"
    )


_SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"} | dict(table_rows(Path(__file__).with_name("latex_signs.tsv")))
)
_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
#: F with its beta, or a character.
_F_OR_SIGN = re.compile(rf"F([{_DIGITS}]+(?:\.[{_DIGITS}]+)?|∞)|.", re.DOTALL)
_PLAIN = str.maketrans(_DIGITS, "0123456789") | {ord("∞"): r"\infty"}

#: Kinds of columns whose numbers have the same decimals.
CENTRED = ("score", "figure")
#: Code pages whose characters pdflatex has in the font encoding T1.
T1_CODE_PAGES = ("cp1252", "cp1250", "cp1254", "cp1257")
#: Upper bounds of the widths of characters in Computer Modern at 10 pt; others have WIDEST.
_WIDTHS = {
    sign: width
    for signs, width in (
        ("il.,:;'!|[]", 2.8),
        ("fjI- ", 3.7),
        ("rst()_", 4.0),
        ("cez", 4.5),
        ("0123456789aog/*$", 5.1),
        ("bdhknpquvxySJ", 5.6),
        ("EFLPZ", 6.9),
        ("ABCHNRTUVXYw", 7.6),
        ("DGKOQ&@+−<>=≤≥±", 7.9),
        ("mM%#", 9.2),
    )
    for sign in signs
}
WIDEST = 10.4
BOLD = 1.16
#: Width up to which heads are not broken, in points.
NARROW = 52


@dataclass(frozen=True)
class _Layout:
    """A layout of a table in an article of two columns.

    Attributes:
        environment: Environment of the table.
        width: Width in the environment, in points.
        size: Command for the size of the font, with its width relative to 10 pt.
        space: Space on each side of a column, in points; None: LaTeX's.
        broken: Break heads that are wider than their columns.
    """

    environment: str
    width: float
    size: tuple[str, float] = ("", 1)
    space: int | None = None
    broken: bool = True


_COLUMN, _PAGE, _PAGES = ("table", 229), ("table*", 469), ("longtable", 469)
#: Layouts, the preferred one first; the last is scaled if it is too wide.
_LAYOUTS = [
    _Layout(*_COLUMN, broken=False),
    _Layout(*_COLUMN),
    _Layout(*_COLUMN, (r"\small", 0.926), 4),
    _Layout(*_PAGE, broken=False),
    _Layout(*_PAGE, space=4),
    _Layout(*_PAGE, (r"\small", 0.926), 4),
    _Layout(*_PAGE, (r"\footnotesize", 0.852), 3),
]
#: Number of rows that fit on a page with a caption; longer tables are broken over pages, unless they are too wide.
ROWS_OF_PAGE = 40
_LONG_LAYOUTS = [
    _Layout(*_PAGES, broken=False),
    _Layout(*_PAGES, space=4),
    _Layout(*_PAGES, (r"\small", 0.926), 4),
    _Layout(*_PAGES, (r"\footnotesize", 0.852), 3),
    _Layout(*_PAGES, (r"\scriptsize", 0.8), 2),
]


def as_latex(table: ReportTable, digits: int = 2) -> str:
    """Return a tabular for the booktabs package, or a longtable if it is longer than a page.

    The best scores are bold, the decimal points of scores are aligned, lines above and the legend are paragraphs below
    the tabular, and notes are comments. Comments name the preamble, and the environment for an article of two columns.
    A longtable stands in no environment, and on pages of one column.
    """
    table = table.mapped()
    printed = [*zip(*table.texts(digits), strict=True)] or [()] * len(table.columns)
    texts = [_cells(column, [row[index] for row in table.rows], digits) for index, column in enumerate(table.columns)]
    widths = [max(map(_width, cells), default=0) for cells in printed]
    has_bold = [
        any(isinstance(cell, TableCell) and cell.best for cell in cells) for cells in zip(*table.rows, strict=True)
    ]
    widths = [width * BOLD if bold else width for width, bold in zip(widths, has_bold or widths, strict=True)]
    depth = max((len(column.rows) for column in table.columns), default=0) or 1
    heads = [column.rows or (*[""] * (depth - 1), column.head) for column in table.columns]
    for layout in [*(_LONG_LAYOUTS if len(table.rows) > ROWS_OF_PAGE else []), *_LAYOUTS]:
        broken = [(*head[:-1], _broken(head[-1], width)) for head, width in zip(heads, widths, strict=True)]
        layout_heads = broken if layout.broken else heads
        needed = layout.size[1] * _tabular_width(layout_heads, widths)
        needed += len(heads) * 2 * (6 if layout.space is None else layout.space)
        if needed <= layout.width:
            break
    columns = "".join("c" if column.kind in CENTRED else "r" if column.right else "l" for column in table.columns)
    is_long = layout in _LONG_LAYOUTS
    name, foot = ("longtable", [r"\endhead", r"\bottomrule", r"\endfoot"]) if is_long else ("tabular", [])
    lines = [rf"\begin{{{name}}}{{{columns}}}", r"\toprule", *_head_lines(layout_heads, columns), r"\midrule", *foot]
    for number, row in enumerate(zip(*texts, strict=True)):
        # LaTeX reads a bracket or star after the end of a row as an option of it.
        protection = "{}" if row[0].startswith(("[", "*")) else ""
        lines += [*([r"\midrule"] if number in table.sections else []), protection + " & ".join(row) + r" \\"]
    lines += [*([] if is_long else [r"\bottomrule"]), rf"\end{{{name}}}"]
    if needed > layout.width:
        lines = [r"\resizebox{\linewidth}{!}{%", *lines[:-1], lines[-1] + "}"]
    legend = [rf"{{\footnotesize {_legend(line)}\par}}" for line in (*table.above, *table.legend)]
    words = "".join([*(cell for cells in printed for cell in cells), *(text for head in heads for text in head)])
    comments = [f"% {note}" for note in (*([table.title] if table.title else []), *table.notes)]
    packages = ["booktabs", *(["longtable"] if is_long else []), *(["graphicx"] if needed > layout.width else [])]
    comments += [f"% {_preamble(words + ''.join(legend), packages)}"]
    place = r"on pages of one column (\onecolumn)" if is_long else layout.environment
    comments += [f"% in an article of two columns: {place}"]
    # The settings of a table in no environment end with it.
    comments += [r"\begingroup"] if is_long else []
    comments += [layout.size[0]] if layout.size[0] else []
    comments += [] if layout.space is None else [rf"\setlength{{\tabcolsep}}{{{layout.space}pt}}"]
    lines += [r"\par\smallskip", *legend] if legend else []
    return "\n".join([*comments, *lines, *([r"\endgroup"] if is_long else [])]) + "\n"


def _width(text: str) -> float:
    """Return an upper bound of the width of a text in points, in regular type."""
    return sum([_WIDTHS.get(sign, WIDEST) for sign in text])


def _tabular_width(heads: Sequence[tuple[str, ...]], widths: Sequence[float]) -> float:
    """Return the width of columns in points, without the space between them.

    Columns share the width of a head above them.
    """
    levels = range(1, len(heads[0]) + 1) if heads else ()
    shared = Counter(head[:level] for head in heads for level in levels)
    return sum(
        max(width, *(max(map(_width, head[level - 1].split("\n"))) / shared[head[:level]] for level in levels))
        for head, width in zip(heads, widths, strict=True)
    )


def _broken(head: str, width: float) -> str:
    """Return a head in lines that are not wider than its cells, where its words permit it."""
    lines = [""]
    for word in re.findall(r".+?(?:[-_/ ]+|$)", head):
        if lines[-1] and _width((lines[-1] + word).rstrip()) > max(width, NARROW):
            lines.append("")
        lines[-1] += word
    return "\n".join(line.rstrip() for line in lines)


def _preamble(text: str, packages: Sequence[str]) -> str:
    """Return the packages, and the engine and font, that a table with a text needs."""
    usepackage = rf"\usepackage{{{','.join(packages)}}}"
    signs = {sign for sign in unicodedata.normalize("NFC", text) if not sign.isascii() and ord(sign) not in _SIGNS}
    unencoded = {sign for sign in signs if not any(_is_in(sign, page) for page in T1_CODE_PAGES)}
    if not unencoded:
        return f"preamble: {usepackage}" + (r" \usepackage[T1]{fontenc}" if signs else "")
    is_wide = {unicodedata.east_asian_width(sign) in "WF" for sign in unencoded}
    fonts = [font for wide, font in ((True, "Noto Serif CJK SC"), (False, "FreeSerif")) if wide in is_wide]
    preamble = rf"{usepackage} \usepackage{{fontspec}} \setmainfont{{{fonts[0]}}}"
    also = f"; {fonts[1]} has the others" if len(fonts) > 1 else ""
    # LuaLaTeX writes right-to-left words from the left.
    leftward = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in unencoded)
    engine = "xelatex" if leftward else "xelatex or lualatex"
    return f"compile with {engine}; preamble: {preamble} (or another font with these characters{also})"


def _is_in(sign: str, code_page: str) -> bool:
    try:
        sign.encode(code_page)
    except UnicodeEncodeError:
        return False
    return True


def _head_lines(heads: Sequence[tuple[str, ...]], columns: str) -> Iterator[str]:
    """Yield the lines of the heads of columns, [column][row].

    Adjacent equal heads are one cell, and a head of several lines is a tabular aligned as its column.
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
    texts = [r"\\".join(map(_escaped, head[-1].split("\n"))) for head in heads]
    stacked = r"\begin{tabular}[b]{@{}%s@{}}%s\end{tabular}"
    yield (
        " & ".join(
            stacked % (column, text) if "\n" in head[-1] else text
            for head, column, text in zip(heads, columns, texts, strict=True)
        )
        + r" \\"
    )


def _escaped(text: str) -> str:
    """Return text for LaTeX.

    Special characters are escaped, F with its beta is math, and a star at the end is raised.
    """
    mark = "$^{*}$" if text.endswith("*") else ""
    plain = unicodedata.normalize("NFC", text.removesuffix("*"))
    return _F_OR_SIGN.sub(_escaped_match, plain) + mark


def _escaped_match(match: re.Match[str]) -> str:
    return f"$F_{{{match[1].translate(_PLAIN)}}}$" if match[1] else match[0].translate(_SIGNS)


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
