"""The results of a command, to be written in any format: document, tables and sentences of conclusion."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from geceval.report.formats.terminal import wrapped

if TYPE_CHECKING:
    from geceval.report.table import ReportTable
    from geceval.report.views import ViewPart

#: A part of a report: a table, or a line of text between tables.
Block: TypeAlias = "ReportTable | str"

#: Format -> what writes it, ``module:function``, imported when it is used: a run writes one format.
WRITERS: Mapping[str, str] = {
    "table": "geceval.report.formats.terminal:as_text",
    "csv": "geceval.report.formats.csv_tables:as_csv",
    "tsv": "geceval.report.formats.csv_tables:as_tsv",
    "markdown": "geceval.report.formats.markdown:as_markdown",
    "latex": "geceval.report.formats.latex:as_latex",
    "json": "geceval.report.documents:as_json",
    "text": "geceval.report.views:print_view",
}


def writer(output: str) -> Callable[..., Any]:
    """Return what writes a format."""
    module, _, function = WRITERS[output].partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


@dataclass(frozen=True)
class Report:
    """The results of a command. Its parts are functions, so that a format makes no more than it shows.

    ``schema`` and ``document``: of JSON. ``tables``: for readers, in a terminal or Markdown; ``records``: for programs,
    CSV and TSV, and ``papers``: for LaTeX, where these have tables of their own. ``conclusion``: sentences for readers,
    given the digits of their numbers. ``view``: for reports on sentences, the format "text", given the digits of
    scores and whether it goes to a terminal; see print_view. ``annotations``: the format "github".
    """

    schema: str
    document: Callable[[], Mapping[str, Any]]
    tables: Callable[[], Sequence[Block]]
    records: Callable[[], Sequence[Block]] | None = None
    papers: Callable[[], Sequence[Block]] | None = None
    conclusion: Callable[[int], Sequence[str]] | None = None
    view: Callable[[int, bool], Iterable[ViewPart]] | None = None
    annotations: Callable[[], Sequence[Block]] | None = None


def render(report: Report, output: str, digits: int = 2, width: int | None = None) -> str:
    """The report in one of the FORMATS. ``digits``: decimals of scores; ``width``: of the terminal, see as_text."""
    if output == "json":
        return str(writer(output)(report.schema, report.document()))
    records, papers, annotations = report.records, report.papers, report.annotations
    own = {"csv": records, "tsv": records, "latex": papers, "github": annotations}.get(output)
    blocks = (own or report.tables)()
    texts = [
        _wrapped(block, width) if isinstance(block, str) else written(block, output, digits, width) for block in blocks
    ]
    if report.conclusion is not None and output in ("table", "markdown"):
        lines = report.conclusion(digits)
        end = "  \n" if output == "markdown" else "\n"
        texts += ["".join(_wrapped(line, width) + end for line in lines)] if lines else []
    return "\n".join(texts)


def _wrapped(text: str, width: int | None) -> str:
    """The text, its lines wrapped at words to the width of a terminal."""
    if width is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def written(table: ReportTable, output: str, digits: int = 2, width: int | None = None) -> str:
    """A table in one of the FORMATS but JSON."""
    more = (width,) if output == "table" else ()
    return str(writer(output)(table, digits, *more))
