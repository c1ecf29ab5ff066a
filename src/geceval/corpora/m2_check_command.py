"""``geceval m2 check|stats|source``: inspect M2 files.

Options that all actions of ``geceval m2`` share are here as well. Their annotations are evaluated, as in
geceval.cli.options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from typing import Annotated, Any, ClassVar, TextIO, TypeAlias

from cyclopts import Parameter

from geceval.base.errors import CheckFailedError, InputError
from geceval.base.python_hints import warn
from geceval.cli.options import COMMAS, OUTPUT, TargetOption
from geceval.cli.output import quantity, reading, write_text, writing
from geceval.corpora.m2_self_test import SelfTest
from geceval.counting.checks.corpus_checks import checked_blocks
from geceval.edits.corpus_edits import COMPARED, ProfileAgreement, closest_profile
from geceval.tables.report import FORMATS, Block, Report, render
from geceval.tables.table import ReportTable, TableColumn, TableRow, plain_table, table_columns
from geceval.text.files import check_standard_input, display_name, is_read_once
from geceval.text.m2 import m2_files, m2_statistics
from geceval.text.m2.blocks import Blocks, BlockStream
from geceval.text.m2.headings import Headings, unedited
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


#: Names of files with their counts.
FileStats: TypeAlias = Sequence[tuple[str, Stats]]
FIGURES = ("sentences", "tokens", "edits")
OPERATION = ("sentences", "answered")
#: Number of lines that are shown of each cause of the self-test.
SHOWN = 5


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class CheckRequest(TargetOption):
    """The output of the faults."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "csv", "tsv")
    format: Annotated[str | None, Parameter(alias="-f", choices=("text", "json", "csv", "tsv"))] = None
    """output format: text has the first blocks of each cause of the self-test, others all (default: by the ending of
    -o, or text)"""


@dataclass(frozen=True)
class CheckedFile:
    """The faults of a file, its size, its annotator and its self-test.

    The last two are None for standard input and pipes, which are read once; the annotator also with faults. Text
    contains faults as they are found, which are then not kept, and the first blocks of each cause of the self-test.
    """

    name: str
    checked: m2_files.Checked
    faults: int
    closest: ProfileAgreement | None = None
    self_test: SelfTest | None = None


def check(files: Files, /, *, request: CheckRequest = CheckRequest()) -> None:
    """Print all faults of all files, the size of each file, its annotator, and its self-test.

    Raises:
        CheckFailedError: A file has a fault.

    Examples:
      geceval m2 check gold.m2
      geceval m2 check *.m2 --quiet && echo sound
      geceval m2 check gold.m2 -f json -o check.json

    The self-test scores the corrected text of each annotator against the
    annotator's edits by MaxMatch. A block not at 100 has edits that the official
    scorer cannot match; it is not a fault.
    """
    check_standard_input(files)
    is_text = request.written_format == "text"
    results: list[CheckedFile] = []
    with writing(request.target) as out:
        for path in files:
            with reading([path], target=request.target):
                results.append(_checked(path, out if is_text else None, quiet=request.quiet))
            if is_text and not request.quiet:
                out.writelines(f"{line}\n" for line in _check_lines(results[-1]))
        if not is_text:
            out.write(render(_check_report(results), request.written_format))
    total = sum(result.faults for result in results)
    if total:
        raise CheckFailedError(f"{quantity(total, 'fault')} found")


def _checked(path: str, text: TextIO | None, *, quiet: bool) -> CheckedFile:
    """Return the result of a file; its faults are written to ``text``, or kept without it."""
    name, number = display_name(path), 0
    faults: list[InputError] = []

    def report(found: Sequence[InputError]) -> None:
        nonlocal number
        number += len(found)
        if text is None:
            faults.extend(found)
        else:
            text.writelines(f"{fault.where}{fault.message}\n" for fault in found)

    checked = replace(m2_files.check_each(path, report), faults=faults)
    if (text is not None and quiet) or path == "-" or is_read_once(path):
        return CheckedFile(name, checked, number)
    self_test = SelfTest(checked.annotators, None if text is None else SHOWN)
    for blocks in checked_blocks(BlockStream(blocks for blocks, _ in m2_files.parse_portions(path)), name).portions:
        self_test.add(blocks)
    closest = None if number else closest_profile(Blocks.of(list(islice(read(path), COMPARED))))
    return CheckedFile(name, checked, number, closest, self_test)


def _check_lines(file: CheckedFile) -> Iterator[str]:
    """Yield the text for readers after the faults: the size, the annotator and the self-test."""
    checked = file.checked
    sizes = {"sentence": checked.sentences, "edit": checked.edits, "annotator": len(checked.annotators)}
    contents = ", ".join(quantity(size, noun) for noun, size in sizes.items())
    yield f"{file.name}: {contents}: {quantity(file.faults, 'fault') if file.faults else 'no faults'}"
    if file.closest is not None:
        yield f"{file.name}: closest annotator: {file.closest}"
    if file.self_test is None or not checked.edits:
        return
    applied = file.self_test.scores("fallback")
    scores = [f"{100 * score:.2f} ({annotator})" for annotator, score in file.self_test.scores("plain").items()]
    yield f"{file.name}: MaxMatch of each annotator's text: {', '.join(scores)}"
    filled = [f"{100 * score:.2f} ({annotator})" for annotator, score in applied.items()]
    if filled != scores:
        yield f"  with missing lines filled, as m2 apply does: {', '.join(filled)}"
    for cause, number in file.self_test.causes.most_common():
        lines = [str(block.line) for block in file.self_test.unmatched if block.cause == cause]
        shown = ", ".join(lines[:SHOWN]) + (", …" if number > SHOWN else "")
        yield f"  {number} not at 100: {cause}: {'line' if number == 1 else 'lines'} {shown}"


def _check_report(files: Sequence[CheckedFile]) -> Report:
    """Return the report of all faults and all blocks of the self-test."""
    heads = ["file", "line", "about", "annotator", "correct", "proposed", "gold", "message"]
    rows: list[list[str]] = []
    for file in files:
        for fault in file.checked.faults:
            rows.append([file.name, str(fault.line or ""), "fault", "", "", "", "", fault.message])
        for block in () if file.self_test is None else file.self_test.unmatched:
            line, *numbers, cause = map(str, asdict(block).values())
            rows.append([file.name, line, "not at 100", *numbers, cause])
    return Report(
        "geceval/m2-check@1",
        lambda: {"files": [_check_document(file) for file in files]},
        lambda: [plain_table(heads, rows)],
    )


def _check_document(file: CheckedFile) -> dict[str, Any]:
    checked, self_test = file.checked, file.self_test
    document: dict[str, Any] = {
        "file": file.name,
        "sentences": checked.sentences,
        "edits": checked.edits,
        "annotators": checked.annotators,
        "faults": [{"line": fault.line, "message": fault.message} for fault in checked.faults],
        "closest_annotator": None if file.closest is None else asdict(file.closest),
        "self_test": None,
    }
    if self_test is not None:
        document["self_test"] = {
            "scores": self_test.scores("plain"),
            "scores_fallback": self_test.scores("fallback"),
            "causes": self_test.causes,
            "below": [asdict(block) for block in self_test.unmatched],
        }
    return document


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
        names = [(display_name(path), path) for path in files]
        file_stats = [
            (name, m2_statistics.stats(checked_blocks(_warned(read(path), path), name))) for name, path in names
        ]
    write_text(request.target, render(m2_stats_report(file_stats), request.written_format))


def _warned(blocks: BlockStream, path: str) -> BlockStream:
    """Return the same blocks, and warn at the end if some are headings of documents."""

    def portions() -> Iterator[Blocks]:
        headings, number = Headings(), 0
        for portion in blocks.portions:
            number += len(headings.add(portion.source, unedited(portion)))
            yield portion
        number += len(headings.series())
        if number:
            counted = "1 block is a heading" if number == 1 else f"{number} blocks are headings"
            message = f"{display_name(path)}: {counted} of documents, not sentences: geceval m2 check names them"
            warn(message, "geceval m2 filter FILE --misfits drop writes a file without them")

    return BlockStream(portions())


def source(files: Files, /, *, request: TargetOption = TargetOption()) -> None:
    """Write the sentences of the files as text.

    Examples:
      geceval m2 source gold.m2 > source.txt
    """
    check_standard_input(files)
    with writing(request.target) as out, reading(files, target=request.target):
        for portion in chain.from_iterable(read(path).portions for path in files):
            out.writelines(f"{line}\n" for line in portion.source)


def m2_stats_report(files: FileStats) -> Report:
    """Return the tables of each file, after an overview if there are several files.

    CSV has all figures in one table.
    """
    heads = ["file", "about", "of", "figure", "value"]
    return Report(
        "geceval/m2-stats@1",
        lambda: {"files": [_json_object(name, counts) for name, counts in files]},
        lambda: _blocks(files),
        records=lambda: [plain_table(heads, [[name, *row] for name, counts in files for row in _figure_rows(counts)])],
    )


def _blocks(files: FileStats) -> list[Block]:
    if len(files) == 1:
        [(_, counts)] = files
        return [f"{counts.sentences} sentences, {counts.tokens} tokens\n", *_tables(counts)]
    blocks: list[Block] = [_overview(files)]
    for name, counts in files:
        blocks += [f"{name}\n", *_tables(counts)]
    return blocks


def _overview(files: FileStats) -> ReportTable:
    columns = [TableColumn("file"), *table_columns("count", "sentences", "tokens", "annotators", "edits", "types")]
    rows: list[TableRow] = []
    for name, counts in files:
        rows.append([name, counts.sentences, counts.tokens, len(counts.annotators), counts.edits, len(counts.types)])
    return ReportTable(columns, rows)


def _tables(counts: Stats) -> list[ReportTable]:
    tables = _operation(counts), _annotators(counts), _types(counts), _lengths(counts), _agreement(counts)
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


def _types(counts: Stats) -> ReportTable:
    columns = [TableColumn("type"), *table_columns("count", "edits"), TableColumn("%", "score", percent=True, digits=1)]
    return ReportTable(columns, [[name, count, count / counts.edits] for name, count in counts.types.most_common()])


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
