"""Reports: the results of a command, independent of the output format.

A report contains a JSON document with the name of its schema and the version of geceval, tables, and views of
sentences in a terminal. Results print as their report and become data frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from geceval.tables.file_formats import as_csv, as_latex, as_markdown, as_tsv, code_block
from geceval.tables.json_text import as_json
from geceval.tables.svg import PICTURES
from geceval.tables.table import ReportTable
from geceval.tables.terminal import as_text, wrapped
from geceval.tables.views import ViewPart

if TYPE_CHECKING:
    from geceval.tables.charts import Pictures

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
        pictures: Pictures by name, the default first.
        page: The page in the format "html", given the number of decimals.
        sheets: Blocks of the sheets of a workbook by name, if it has several.
    """

    schema: str
    document: Callable[[], Mapping[str, Any]]
    tables: Callable[[], Sequence[Block]]
    records: Callable[[], Sequence[Block]] | None = None
    papers: Callable[[], Sequence[Block]] | None = None
    conclusion: Callable[[int], Sequence[str]] | None = None
    view: Callable[[int, bool], Iterable[ViewPart]] | None = None
    annotations: Callable[[], str] | None = None
    pictures: Callable[[], Pictures] | None = None
    page: Callable[[int], str] | None = None
    sheets: Callable[[], Mapping[str, Sequence[Block]]] | None = None


class Picture(NamedTuple):
    """The picture of a report to write.

    Attributes:
        name: Name of the picture; empty: the default.
        size: Name of its width.
    """

    name: str = ""
    size: str = "column"


#: The default picture, in a column.
DEFAULT_PICTURE = Picture()


def render(
    report: Report, output: str, digits: int = 2, width: int | None = None, drawn: Picture = DEFAULT_PICTURE
) -> str:
    """Return a report in one of the FORMATS, as a picture, or in the format "github" or "html".

    Bytes of a picture that are no UTF-8 are surrogates in the text, as in names of files.

    Args:
        report: The report.
        output: Name of the format.
        digits: Number of decimals of scores.
        width: Width of the terminal in columns; None: unlimited.
        drawn: The picture in the formats of pictures.

    Raises:
        UsageError: If the report has no such picture.
    """
    if output == "json":
        return as_json(report.schema, report.document())
    if output == "github" and report.annotations is not None:
        return report.annotations()
    if output == "html" and report.page is not None:
        return report.page(digits)
    if output in PICTURES:
        from geceval.tables.pictures import picture  # other formats draw no charts

        pictures = {} if report.pictures is None else report.pictures()
        return picture(pictures, output, *drawn).decode("utf-8", "surrogateescape")
    variant = {"csv": report.records, "tsv": report.records, "latex": report.papers}.get(output)
    blocks = (variant or report.tables)()
    texts = [rendered_blocks(blocks, output, digits, width)]
    if report.conclusion is not None and output in ("table", "markdown"):
        lines = report.conclusion(digits)
        end = "  \n" if output == "markdown" else "\n"
        texts += ["".join(_wrapped(line, width) + end for line in lines)] if lines else []
    return "\n".join(texts)


def rendered_blocks(blocks: Sequence[Block], output: str, digits: int, width: int | None = None) -> str:
    """Return blocks in one of the FORMATS except JSON, with an empty line between them; see render."""
    return "\n".join(
        _text(block, output, width) if isinstance(block, str) else written(block, output, digits, width)
        for block in blocks
    )


def _text(text: str, output: str, width: int | None) -> str:
    """Return a text of a report; indented lines are code in Markdown, which would join and indent them otherwise."""
    if output == "markdown" and "\n " in text:
        return code_block(text)
    return _wrapped(text, width)


def _wrapped(text: str, width: int | None) -> str:
    """Return a text with lines wrapped at words to the width of a terminal."""
    if width is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def written(table: ReportTable, output: str, digits: int = 2, width: int | None = None) -> str:
    """Return a table in one of the FORMATS except JSON."""
    widths = (width,) if output == "table" else ()
    return TABLE_WRITERS[output](table, digits, *widths)
