"""``geceval m2 stats``: count sentences, edits, types, lengths and agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from geceval.base.caller_warnings import warn
from geceval.commands.m2.m2_options import Files, read_examined
from geceval.commands.shared.options import TargetOption, TypeNamesOption, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.counting.checks.blank_corrections import checked_blocks
from geceval.edits.type_names import TypeNames, type_name
from geceval.tables.report import FORMATS, Block, Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, plain_table, table_columns
from geceval.terminal.progress import reading
from geceval.text.files import check_standard_input, display_name
from geceval.text.m2 import m2_statistics
from geceval.text.m2.blocks import Blocks, BlockStream
from geceval.text.m2.headings import Headings, unedited
from geceval.text.m2.m2_statistics import Stats

#: Names of files with their counts.
FileStats: TypeAlias = Sequence[tuple[str, Stats]]
FIGURES = ("sentences", "tokens", "edits")
OPERATION = ("sentences", "answered")


@written_as(*FORMATS)
class StatsRequest(TargetOption):
    """The file of the counts, their format, and the names of types."""

    type_names: TypeNamesOption = "codes"


def stats(files: Files, /, *, request: StatsRequest = StatsRequest()) -> None:
    """Write the counts of each file.

    Examples:
      geceval m2 stats gold.m2
      geceval m2 stats train.m2 dev.m2 -f json
      geceval m2 stats gold.m2 -f tsv | grep type
    """
    check_standard_input(files)
    with reading(files):
        names = [(display_name(path), path) for path in files]
        file_stats = [(name, m2_statistics.stats(checked_blocks(_examined(path), name))) for name, path in names]
    write_report(m2_stats_report(file_stats, request.type_names), request)


def _examined(path: str) -> BlockStream:
    """Return the blocks of a file, and warn at their end of doubtful edits and of headings of documents."""

    def portions() -> Iterator[Blocks]:
        headings, number = Headings(), 0
        for portion in read_examined(path).portions:
            number += len(headings.add(portion.source, unedited(portion)))
            yield portion
        number += len(headings.series())
        if number:
            counted = "1 block is a heading" if number == 1 else f"{number} blocks are headings"
            message = f"{display_name(path)}: {counted} of documents, not sentences: geceval m2 check names them"
            warn(message, "geceval m2 filter FILE --misfits drop writes a file without them")

    return BlockStream(portions())


def m2_stats_report(files: FileStats, type_names: TypeNames) -> Report:
    """Return the tables of each file, after an overview if there are several files.

    CSV has all figures in one table. ``type_names`` are the names of types in tables for readers.
    """
    heads = ["file", "about", "of", "figure", "value"]
    return Report(
        "geceval/m2-stats@1",
        lambda: {"files": [_json_object(name, counts) for name, counts in files]},
        lambda: _blocks(files, type_names),
        records=lambda: [plain_table(heads, [[name, *row] for name, counts in files for row in _figure_rows(counts)])],
    )


def _blocks(files: FileStats, type_names: TypeNames) -> list[Block]:
    if len(files) == 1:
        [(_, counts)] = files
        return [f"{counts.sentences} sentences, {counts.tokens} tokens\n", *_tables(counts, type_names)]
    blocks: list[Block] = [_overview(files)]
    for name, counts in files:
        blocks += [f"{name}\n", *_tables(counts, type_names)]
    return blocks


def _overview(files: FileStats) -> ReportTable:
    columns = [TableColumn("file"), *table_columns("count", "sentences", "tokens", "annotators", "edits", "types")]
    rows: list[TableRow] = []
    for name, counts in files:
        rows.append([name, counts.sentences, counts.tokens, len(counts.annotators), counts.edits, len(counts.types)])
    return ReportTable(columns, rows)


def _tables(counts: Stats, type_names: TypeNames) -> list[ReportTable]:
    types = _types(counts, type_names)
    tables = _operation(counts), _annotators(counts), types, _lengths(counts), _agreement(counts)
    return [table for table in tables if table.rows]


def _operation(counts: Stats) -> ReportTable:
    """Return the numbers of answered sentences and the latencies of a checker."""
    columns = [TableColumn(name if name in OPERATION else f"latency {name}", "exact") for name in counts.operation]
    return ReportTable(columns, [list(counts.operation.values())] if columns else [])


def _annotators(counts: Stats) -> ReportTable:
    rows: list[TableRow] = []
    for annotator, row in sorted(counts.annotators.items()):
        rows.append([annotator, row.sentences, row.changed, row.edits, row.edits / max(row.sentences, 1)])
    columns = table_columns("count", "annotator", "sentences", "changed", "edits")
    return ReportTable([*columns, TableColumn("edits per sentence", "count", digits=2)], rows)


def _types(counts: Stats, type_names: TypeNames) -> ReportTable:
    columns = [TableColumn("type"), *table_columns("count", "edits"), TableColumn("%", "score", percent=True, digits=1)]
    rows: list[TableRow] = [
        [type_name(name, type_names), count, count / counts.edits] for name, count in counts.types.most_common()
    ]
    return ReportTable(columns, rows)


def _lengths(counts: Stats) -> ReportTable:
    """Return the number of edits by source tokens (rows) and corrections (columns).

    The last row and column include all greater lengths.
    """
    longest = 5
    cells = [[0] * (longest + 1) for _ in range(longest + 1)]
    for (source, correction), count in counts.lengths.items():
        cells[min(max(source, 0), longest)][min(correction, longest)] += count
    names = [*map(str, range(longest)), f"{longest}+"]
    rows: list[TableRow] = [[name, *row] for name, row in zip(names, cells, strict=True) if any(row)]
    return ReportTable(table_columns("count", "tokens", *(f"-> {name}" for name in names)), rows)


def _agreement(counts: Stats) -> ReportTable:
    columns = [
        TableColumn("annotators"),
        *table_columns("count", "sentences"),
        TableColumn("% the same", "score", percent=True, digits=1),
        *table_columns("count", "edits", "in common"),
        TableColumn("F1 of edits", "score", percent=True, digits=1),
    ]
    rows: list[TableRow] = []
    for (first, second), pair in sorted(counts.agreement.items()):
        agreement = [pair.same / pair.sentences, pair.edits, 2 * pair.shared, pair.f1]
        rows.append([f"{first} and {second}", pair.sentences, *agreement])
    return ReportTable(columns, rows)


def _figure_rows(counts: Stats) -> Iterator[list[str]]:
    """Yield all figures as rows: kind of object, object, figure, value."""
    for name in FIGURES:
        yield ["file", "", name, str(getattr(counts, name))]
    for name, number in counts.operation.items():
        yield ["operation", "", name, str(number)]
    for annotator, annotator_counts in sorted(counts.annotators.items()):
        for name, value in asdict(annotator_counts).items():
            yield ["annotator", str(annotator), name, str(value)]
    for name, count in counts.types.most_common():
        yield ["type", name, "edits", str(count)]
    for (source, correction), count in sorted(counts.lengths.items()):
        yield ["length", f"{source} -> {correction}", "edits", str(count)]
    for (first, second), agreement in sorted(counts.agreement.items()):
        for name, value in {**asdict(agreement), "f1": agreement.f1}.items():
            yield ["agreement", f"{first} and {second}", name, str(value)]


def _json_object(name: str, counts: Stats) -> dict[str, Any]:
    return {
        "file": name,
        **{figure: getattr(counts, figure) for figure in FIGURES},
        **({"operation": counts.operation} if counts.operation else {}),
        "annotators": {str(annotator): asdict(row) for annotator, row in sorted(counts.annotators.items())},
        "types": dict(counts.types.most_common()),
        "lengths": [
            {"source": source, "correction": correction, "edits": count}
            for (source, correction), count in sorted(counts.lengths.items())
        ],
        "agreement": [
            {"annotators": list(pair), **asdict(row), "f1": row.f1} for pair, row in sorted(counts.agreement.items())
        ],
    }
