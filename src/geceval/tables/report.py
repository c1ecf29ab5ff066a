"""Reports: the results of a command, independent of the output format.

A report contains a JSON document with the name of its schema and the version of geceval, tables, and views of
sentences in a terminal. Results print as their report and become data frames.
"""

from __future__ import annotations

import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, TextIO, TypeAlias

from geceval._kernel import __version__
from geceval.base.arguments import choice, in_line, printable
from geceval.base.errors import framework
from geceval.tables.charts import Chart
from geceval.tables.file_formats import as_csv, as_html, as_latex, as_markdown, as_tsv
from geceval.tables.pictures import charts_html, save_charts
from geceval.tables.table import ReportTable
from geceval.tables.terminal import as_text, text_width, wrapped
from geceval.text.files import PathLike

if TYPE_CHECKING:
    from rich.console import Console


def as_json(schema: str, content: Mapping[str, Any], *, short: bool = False) -> str:
    """Return a JSON document.

    Dataclasses become objects, NaN becomes null, and infinity becomes the string "inf".

    Args:
        schema: Name of the schema.
        content: Keys and values of the document.
        short: Write one line without spaces.
    """
    document = {"schema": schema, "version": __version__, **content}
    layout: dict[str, Any] = {"separators": (",", ":")} if short else {"indent": 1}
    return json.dumps(_plain(document), ensure_ascii=False, allow_nan=False, **layout) + "\n"


def json_of_many(schema: str, key: str, items: Iterable[Any]) -> Iterator[str]:
    """Yield the text of a JSON document whose ``key`` is a list of many items."""
    head, tail = as_json(schema, {key: [None]}).split("null")
    yield head
    for number, item in enumerate(items):
        text = json.dumps(_plain(item), ensure_ascii=False, allow_nan=False, indent=1)
        yield (",\n  " if number else "") + text.replace("\n", "\n  ")
    yield tail


def _plain(value: Any) -> Any:
    if value is None or type(value) in (str, int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else str(value) if math.isinf(value) else value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return _plain(vars(value)) if is_dataclass(value) else value


#: A line in parts, each with its style.
StyledLine: TypeAlias = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class HangingLines:
    """Texts, each after its name, with names in a column.

    ``style`` is the style of the names.
    """

    lines: Sequence[tuple[str, StyledLine]]
    indent: int = 4
    style: str = "dim"


#: Part of a view of sentences; an empty text is an empty line.
ViewPart: TypeAlias = "StyledLine | HangingLines | ReportTable | str"


def print_view(parts: Iterable[ViewPart], out: TextIO, digits: int = 2, width: int | None = None) -> None:
    """Print a view, with colours if ``out`` is a terminal.

    Args:
        parts: Parts of the view.
        out: The output.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None for lines that are not wrapped.
    """
    from geceval.tables.console import Console

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    is_plain = width is None and not console.is_terminal
    for part in parts:
        if isinstance(part, ReportTable):
            console.print(as_text(part, digits, width), markup=False, end="")
            continue
        for head, text in _lines(part):
            if is_plain:  # rich takes 100 us per line
                line = plain(head) + printable(plain(text)).rstrip()
                out.write(line.expandtabs() + "\n")
            else:
                _print_line(console, head, [(printable(words), style) for words, style in text], width)


def plain(line: StyledLine) -> str:
    """Return a line without styles."""
    return "".join([text for text, _ in line])


def _lines(part: StyledLine | HangingLines | str) -> Iterator[tuple[StyledLine, StyledLine]]:
    """Yield the head, with escapes for control characters, and the text of each line."""
    if not isinstance(part, HangingLines):
        yield (), [(part, "")] if isinstance(part, str) else part
        return
    names = [in_line(name) for name, _ in part.lines]
    column = max(map(text_width, names), default=0) + 2
    for name, (_, text) in zip(names, part.lines, strict=True):
        yield [(" " * part.indent, ""), (name + " " * (column - text_width(name)), part.style)], text


def _print_line(console: Console, head: StyledLine, text: StyledLine, width: int | None) -> None:
    """Print a text after its head, wrapped to ``width`` columns if given."""
    from rich.text import Text

    line = Text.assemble(*text)
    rows = [line] if width is None else line.wrap(console, max(width - text_width(plain(head)), 20)) or [line]
    for row in rows:
        row.rstrip()
        console.print(Text.assemble(*head).append_text(row), markup=False)
        head = [(" " * text_width(part), style) for part, style in head]


#: Formats of reports.
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
#: Formats that are written row by row; JSON Lines and Parquet are for sentences only.
ROW_FORMATS = ("tsv", "csv", "jsonl", "parquet")
#: Part of a report: a table, or a line of text between tables.
Block: TypeAlias = "ReportTable | str"

#: Functions that write a table, by format.
TABLE_WRITERS: Mapping[str, Callable[..., str]] = {
    "table": as_text,
    "csv": as_csv,
    "tsv": as_tsv,
    "markdown": as_markdown,
    "latex": as_latex,
}


@dataclass(frozen=True)
class Report:
    """The results of a command.

    Its parts are functions, so that a format computes only the parts that it shows.

    Attributes:
        schema: Name of the JSON schema.
        document: The JSON document.
        tables: Blocks for readers, in a terminal or Markdown.
        records: Blocks for CSV and TSV, if they differ from the tables.
        papers: Blocks for LaTeX, if they differ from the tables.
        conclusion: Sentences for readers, given the number of decimals.
        view: Sentences in the format "text", given the number of decimals and whether the output is a terminal.
        annotations: Text in the format "github".
    """

    schema: str
    document: Callable[[], Mapping[str, Any]]
    tables: Callable[[], Sequence[Block]]
    records: Callable[[], Sequence[Block]] | None = None
    papers: Callable[[], Sequence[Block]] | None = None
    conclusion: Callable[[int], Sequence[str]] | None = None
    view: Callable[[int, bool], Iterable[ViewPart]] | None = None
    annotations: Callable[[], str] | None = None


def render(report: Report, output: str, digits: int = 2, width: int | None = None) -> str:
    """Return a report in one of the FORMATS or in the format "github".

    Args:
        report: The report.
        output: Name of the format.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None: unlimited.
    """
    if output == "json":
        return as_json(report.schema, report.document())
    if output == "github" and report.annotations is not None:
        return report.annotations()
    variant = {"csv": report.records, "tsv": report.records, "latex": report.papers}.get(output)
    blocks = (variant or report.tables)()
    texts = [
        _wrapped(block, width) if isinstance(block, str) else written(block, output, digits, width) for block in blocks
    ]
    if report.conclusion is not None and output in ("table", "markdown"):
        lines = report.conclusion(digits)
        end = "  \n" if output == "markdown" else "\n"
        texts += ["".join(_wrapped(line, width) + end for line in lines)] if lines else []
    return "\n".join(texts)


def _wrapped(text: str, width: int | None) -> str:
    """Return a text with lines wrapped at words to the width of a terminal."""
    if width is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def written(table: ReportTable, output: str, digits: int = 2, width: int | None = None) -> str:
    """Return a table in one of the FORMATS except JSON."""
    widths = (width,) if output == "table" else ()
    return TABLE_WRITERS[output](table, digits, *widths)


#: A row of a data frame.
FrameRow: TypeAlias = dict[str, Any]


class ShownResults(ABC):
    """Results that print as their report, are drawn in notebooks, and become data frames.

    Attributes:
        kinds: Names of the data frames, the default first.
    """

    kinds: ClassVar[Sequence[str]]

    @abstractmethod
    def _report(self) -> Report:
        """Return the report."""

    @abstractmethod
    def _rows(self, kind: str) -> Iterator[FrameRow]:
        """Yield the rows of a data frame."""

    def __repr__(self) -> str:
        report = self._report()
        if report.view is None:
            return render(report, "table").rstrip()
        out = io.StringIO()
        print_view(report.view(2, False), out)
        return out.getvalue().rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else repr(self))

    def _repr_html_(self) -> str:
        report = self._report()
        if report.view is not None:
            return f"<pre>{escape(repr(self))}</pre>"
        lines = [] if report.conclusion is None else report.conclusion(2)
        blocks = [
            f"<div>{escape(block)}</div>" if isinstance(block, str) else as_html(block) for block in report.tables()
        ]
        return "".join([*blocks, *(f"<div>{escape(line)}</div>" for line in lines), charts_html(self._charts())])

    def _repr_markdown_(self) -> str:
        return render(self._report(), "markdown")

    def _charts(self) -> Sequence[Chart]:
        """Return the charts of the results, if they have any."""
        return ()

    def save(self, path: PathLike) -> None:
        """Write the charts to a file.

        Args:
            path: File whose name ends in .svg, .pdf or .png. PDF and PNG require the extra ``geceval[plots]``.

        Raises:
            UsageError: If the name has another ending, or the results have no chart.
            MissingExtraError: If CairoSVG, or the library cairo, is not installed.
            InputError: If the file cannot be written.
        """
        save_charts(self._charts(), path)

    def columns(self, kind: str = "") -> dict[str, list[Any]]:
        """Return a data frame as a dict of columns of equal length.

        Args:
            kind: One of ``kinds`` (default: the first).

        Returns:
            Values by column; None if a row lacks a value. Scores are on the metric's scale, not in per cent.

        Raises:
            UsageError: If ``kind`` is unknown.
        """
        kind = kind or self.kinds[0]
        choice("kind", kind, self.kinds)
        rows = list(self._rows(kind))
        return {head: [row.get(head) for row in rows] for head in dict.fromkeys(name for row in rows for name in row)}

    def to_pandas(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a pandas.DataFrame; requires pandas."""
        return framework("pandas").DataFrame(self.columns(kind, **options))

    def to_polars(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a polars.DataFrame; requires polars."""
        return framework("polars").DataFrame(self.columns(kind, **options))

    def to_arrow(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a pyarrow.Table; requires pyarrow."""
        return framework("pyarrow").table(self.columns(kind, **options))
