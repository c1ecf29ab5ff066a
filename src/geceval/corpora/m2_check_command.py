"""Options that the actions of ``geceval m2`` share.

As in geceval.cli.options, annotations are evaluated.

``geceval m2 check|stats|source``: inspect M2 files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Annotated, Any, ClassVar, TypeAlias

from cyclopts import Parameter

from geceval.base.errors import InputError
from geceval.cli.options import COMMAS, OUTPUT, Quiet, TargetOption
from geceval.cli.output import quantity, reading, write_text, writing
from geceval.edits.corpus_edits import COMPARED, closest_profile
from geceval.tables.report import FORMATS, Block, Report, render
from geceval.tables.table import ReportTable, TableColumn, TableRow, plain_table, table_columns
from geceval.text.files import check_standard_input, display_name, is_read_once
from geceval.text.m2 import m2_files, m2_statistics
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.m2_files import read
from geceval.text.m2.m2_statistics import Stats

File = Annotated[str, Parameter(name="FILE", help="an M2 file, plain or compressed; - is standard input")]
Files = Annotated[tuple[str, ...], Parameter(name="FILE", help="M2 files, plain or compressed; - is standard input")]
Annotators = Annotated[tuple[int, ...], COMMAS, Parameter(alias="-a", metavar="ID,…")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class M2TargetOption(TargetOption):
    """The output of M2."""

    formats: ClassVar[tuple[str, ...]] = ("m2",)


#: Names of files, and their figures.
Counted: TypeAlias = Sequence[tuple[str, Stats]]
FIGURES = ("sentences", "tokens", "edits")
OPERATION = ("sentences", "answered")


def check(files: Files, /, *, quiet: Quiet = False) -> None:
    """Print all faults of all files, the size of each file, and its annotator.

    Raises:
        InputError: A file has a fault.

    Examples:
      geceval m2 check gold.m2
      geceval m2 check *.m2 --quiet && echo sound
    """
    check_standard_input(files)
    total = 0
    for path in files:
        with reading([path], quiet=quiet):
            found = m2_files.check(path)
        number = len(found.faults)
        for fault in found.faults:
            print(f"{fault.where}{fault.message}")
        total += number
        if not quiet:
            sizes = {"sentence": found.sentences, "edit": found.edits, "annotator": len(found.annotators)}
            contents = ", ".join(quantity(size, noun) for noun, size in sizes.items())
            print(f"{display_name(path)}: {contents}: {quantity(number, 'fault') if number else 'no faults'}")
            if not number and path != "-" and not is_read_once(path):
                print_closest_annotator(path)
    if total:
        raise InputError(f"{quantity(total, 'fault')} found")


def print_closest_annotator(path: str) -> None:
    """Print the annotator that finds most of a file's edits in its corrected text."""
    closest = closest_profile(Blocks.of(list(islice(read(path), COMPARED))))
    if closest is not None:
        print(f"{display_name(path)}: closest annotator: {closest}")


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class StatsRequest(TargetOption):
    """The file of the counts, and their format."""

    formats: ClassVar[tuple[str, ...]] = FORMATS
    format: Annotated[str | None, Parameter(alias="-f", choices=FORMATS)] = None
    """output format (default: by the ending of -o, or table)"""


def stats(files: Files, /, *, request: StatsRequest = StatsRequest()) -> None:
    """Write the counts of each file.

    Examples:
      geceval m2 stats gold.m2
      geceval m2 stats train.m2 dev.m2 -f json
      geceval m2 stats gold.m2 -f tsv | grep type
    """
    check_standard_input(files)
    with reading(files):
        found = [(display_name(path), m2_statistics.stats(read(path))) for path in files]
    write_text(request.target, render(m2_stats_report(found), request.written_format))


def source(files: Files, /, *, request: TargetOption = TargetOption()) -> None:
    """Write the sentences of the files as text.

    Examples:
      geceval m2 source gold.m2 > source.txt
    """
    check_standard_input(files)
    with writing(request.target) as out, reading(files, target=request.target):
        for portion in chain.from_iterable(read(path).portions for path in files):
            out.writelines(f"{line}\n" for line in portion.source)


def m2_stats_report(files: Counted) -> Report:
    """Return the tables of each file, after an overview if there are several files.

    CSV has all figures in one table.
    """
    heads = ["file", "about", "of", "figure", "value"]
    return Report(
        "geceval/m2-stats@1",
        lambda: {"files": [_object(name, found) for name, found in files]},
        lambda: _blocks(files),
        records=lambda: [plain_table(heads, [[name, *row] for name, found in files for row in _figures(found)])],
    )


def _blocks(files: Counted) -> list[Block]:
    if len(files) == 1:
        [(_, found)] = files
        return [f"{found.sentences} sentences, {found.tokens} tokens\n", *_tables(found)]
    blocks: list[Block] = [_together(files)]
    for name, found in files:
        blocks += [f"{name}\n", *_tables(found)]
    return blocks


def _tables(found: Stats) -> list[ReportTable]:
    tables = (_operation(found), _annotators(found), _types(found), _lengths(found), _agreement(found))
    return [table for table in tables if table.rows]


def _together(files: Counted) -> ReportTable:
    columns = [TableColumn("file"), *table_columns("count", "sentences", "tokens", "annotators", "edits", "types")]
    rows: list[TableRow] = []
    for name, one in files:
        rows.append([name, one.sentences, one.tokens, len(one.annotators), one.edits, len(one.types)])
    return ReportTable(columns, rows)


def _annotators(found: Stats) -> ReportTable:
    rows: list[TableRow] = [
        [who, own.sentences, own.changed, own.edits, own.edits / max(own.sentences, 1)]
        for who, own in sorted(found.annotators.items())
    ]
    columns = table_columns("count", "annotator", "sentences", "changed", "edits")
    return ReportTable([*columns, TableColumn("edits a sentence", "count", digits=2)], rows)


def _operation(found: Stats) -> ReportTable:
    """Return the numbers of answered sentences and the latencies of a checker."""
    columns = [TableColumn(name if name in OPERATION else f"latency {name}", "exact") for name in found.operation]
    return ReportTable(columns, [list(found.operation.values())] if columns else [])


def _types(found: Stats) -> ReportTable:
    columns = [TableColumn("type"), *table_columns("count", "edits"), TableColumn("%", "score", percent=True, digits=1)]
    return ReportTable(columns, [[name, count, count / found.edits] for name, count in found.types.most_common()])


def _lengths(found: Stats) -> ReportTable:
    """Return the number of edits by source tokens (rows) and corrections (columns).

    The last row and column include all greater lengths.
    """
    most = 5
    cells = [[0] * (most + 1) for _ in range(most + 1)]
    for (source, correction), count in found.lengths.items():
        cells[min(max(source, 0), most)][min(correction, most)] += count
    names = [*map(str, range(most)), f"{most}+"]
    rows: list[TableRow] = [[name, *row] for name, row in zip(names, cells, strict=True) if any(row)]
    return ReportTable(table_columns("count", "tokens", *(f"-> {name}" for name in names)), rows)


def _agreement(found: Stats) -> ReportTable:
    columns = [
        TableColumn("annotators"),
        *table_columns("count", "sentences"),
        TableColumn("% the same", "score", percent=True, digits=1),
        *table_columns("count", "edits", "in common"),
        TableColumn("F1 of edits", "score", percent=True, digits=1),
    ]
    rows: list[TableRow] = [
        [f"{one} and {other}", own.sentences, own.same / own.sentences, own.edits, 2 * own.shared, own.f1]
        for (one, other), own in sorted(found.agreement.items())
    ]
    return ReportTable(columns, rows)


def _figures(found: Stats) -> Iterator[list[str]]:
    """Yield all figures as rows: kind of object, object, figure, value."""
    for name in FIGURES:
        yield ["file", "", name, str(getattr(found, name))]
    for name, number in found.operation.items():
        yield ["operation", "", name, str(number)]
    for who, annotator in sorted(found.annotators.items()):
        for name, value in asdict(annotator).items():
            yield ["annotator", str(who), name, str(value)]
    for name, count in found.types.most_common():
        yield ["type", name, "edits", str(count)]
    for (source, correction), count in sorted(found.lengths.items()):
        yield ["length", f"{source} -> {correction}", "edits", str(count)]
    for (one, other), agreement in sorted(found.agreement.items()):
        for name, value in {**asdict(agreement), "f1": agreement.f1}.items():
            yield ["agreement", f"{one} and {other}", name, str(value)]


def _object(name: str, found: Stats) -> dict[str, Any]:
    return {
        "file": name,
        **{figure: getattr(found, figure) for figure in FIGURES},
        **({"operation": found.operation} if found.operation else {}),
        "annotators": {str(who): asdict(own) for who, own in sorted(found.annotators.items())},
        "types": dict(found.types.most_common()),
        "lengths": [
            {"source": source, "correction": correction, "edits": count}
            for (source, correction), count in sorted(found.lengths.items())
        ],
        "agreement": [
            {"annotators": list(pair), **asdict(own), "f1": own.f1} for pair, own in sorted(found.agreement.items())
        ],
    }
