"""``geceval filter``: write the pairs that meet a condition on metrics and features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import Annotated, Any

import numpy as np
from cyclopts import Group, Parameter
from numpy.typing import NDArray

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.commands.shared.corpus_options import CorpusOptions, FileOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA
from geceval.commands.shared.option_groups import METRICS as METRIC_OPTIONS
from geceval.commands.shared.option_values import OutputFile
from geceval.commands.shared.options import Checks, MetricOptions, OutputOptions, Parts, Signatures, written_as
from geceval.commands.shared.row_output import RowOutput
from geceval.commands.shared.run_warnings import print_spending
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.results.sentence_rows import RowLayout, ScoredPart, SentenceRows, columns_of
from geceval.selection.pair_features import FeatureReader, warning_of_short_texts
from geceval.selection.pair_filter import Cells, PairFilter
from geceval.tables.report import ROW_FORMATS
from geceval.terminal.messages import collected, note
from geceval.text.columns import as_text
from geceval.text.corpus import Corpus
from geceval.text.reading.input_tables import InputTable

CONDITION = Group.create_ordered("condition", sort_key=2)


@Parameter(name="*", group=METRIC_OPTIONS)
@dataclass(frozen=True, kw_only=True)
class FilterMetricOptions(MetricOptions):
    """Metrics whose scores are written as well."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics to add, such as errant:mode=ds (list: geceval metrics) (default: the metrics of the condition)"""


@written_as(*ROW_FORMATS)
class FilterOutputOptions(OutputOptions):
    """Files, format, digits, threads, quiet."""

    keep_out: Annotated[tuple[OutputFile, OutputFile] | None, Parameter(metavar="SOURCE HYPOTHESIS")] = None
    """write the pairs to two parallel files, one sentence per line"""
    parts: Parts = False


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class PairFileOptions(FileOptions):
    """Source, references and one system, whose rows have the cells of the table."""

    skip_bad_rows: Annotated[bool, Parameter(parse=False)] = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PairCorpusOptions(CorpusOptions):
    """Options of pairs: files, a table, preparation of text, language."""

    files: PairFileOptions = PairFileOptions()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FilterRequest:
    """Pairs, the condition they must meet, and where they are written."""

    keep: Annotated[
        str,
        Parameter(
            metavar="CONDITION",
            group=CONDITION,
            help="condition of the pairs to write: comparisons with <, <=, >, >=, ==, !=, combined by and, or, not and"
            " ()",
        ),
    ]
    metric: FilterMetricOptions = FilterMetricOptions()
    data: PairCorpusOptions = PairCorpusOptions()
    output: FilterOutputOptions = FilterOutputOptions()
    signatures: Signatures = None
    checks: Checks = True


def filter(*, request: FilterRequest) -> None:
    """Write the pairs that meet the condition.

    Examples:
      geceval filter -i pairs.tsv --keep 'green >= 90 and edits <= 3' -o kept.tsv
      geceval filter -i pairs.parquet --keep 'not duplicate' -o kept.parquet
      geceval filter -i pairs.csv --keep 'gen == "m1" and score > 0.5' -o kept.csv
      geceval filter -i pairs.tsv --keep 'edits.NOUN > 0' --keep-out src.txt hyp.txt

    All columns of a table are kept, and conditions can use them. Scores are on the
    0-100 scale, as in tables. Parts follow a dot: errant.precision. Without
    references: edits, edits.TYPE, length_ratio (hypothesis tokens per source
    token), identical, duplicate.

    documentation: docs/training.md
    """
    options = request.output
    output = RowOutput(options, request.signatures, options.keep_out or ())
    output.check()
    with collected() as warnings:
        inputs = CorpusInputs(request.data, threads=options.threads, pairs=True)
        table = _kept_table(inputs)
        numbers = [] if table is None else _kept_columns(table)
        heads = None if table is None else [table.names[number] for number in numbers]
        condition = pair_filter(request, inputs, heads or [])
        corpus = inputs.corpus()
        if len(names := corpus.system_names) != 1:
            hint = "-c FILE or --hypothesis-column COL selects it"
            raise UsageError(f"filter takes one system, not {len(names)}: {', '.join(names)}", hint=hint)
        run = Run(corpus, condition.metrics, RunOptions(threads=options.threads, checks=request.checks))
        columns = columns_of(
            corpus.system_names, list(dict.fromkeys(condition.metrics)), parts=options.parts, alone=True
        )
        columns = [replace(column, head=f"{column.head}{' 2' * (column.head in (heads or ()))}") for column in columns]
        # The columns of a table are written instead of the texts.
        references = run.source.most_references if heads is None else 0 if options.keep_out else None
        layout = RowLayout(columns, references, heads)
        portions: Iterator[Cells] = repeat([]) if table is None else table.content.cells(numbers, run.part_size)
        table_cells = TableCells("" if table is None else table.content.file.name, portions, run.part_size)
        reader = FeatureReader(inputs.language.annotator, options.threads)
        short_texts: dict[str, str] = {}

        def passing(part: ScoredPart) -> SentenceRows:
            _find_short_texts(part.corpus, condition, short_texts)
            return passing_rows(part, layout, condition, reader, table_cells.of(part.corpus))

        has_parts = options.parts or condition.has_parts
        check_end = table_cells.check_end
        sentences, number = output.write(run, inputs, warnings, layout, passing, parts=has_parts, check_end=check_end)
    for remark in reader.remarks(condition.features):
        warn(remark)
    for label, message in short_texts.items():
        warn(f"{label}: {message}")
    note(f"kept {number:,} of {sentences:,} pairs ({100 * number / sentences:.2f} %)")
    print_spending(condition.metrics)


def _find_short_texts(corpus: Corpus, condition: PairFilter, messages: dict[str, str]) -> None:
    """Add a warning by the label of each metric that gives its lowest score to perfect, short corrections."""
    for metric in condition.conditional_metrics:
        if metric.label in messages or not (metric.uses_references and corpus.references):
            continue
        rows = zip(corpus.source, zip(*corpus.references, strict=True), strict=True)
        present = ((source, [text for text in texts if text is not None]) for source, texts in rows)
        if message := warning_of_short_texts(metric, present):
            messages[metric.label] = message


def _kept_table(inputs: CorpusInputs) -> InputTable | None:
    """Return the table whose columns are kept: the only one, if its rows stay in their order."""
    is_in_order = len(inputs.tables) == 1 and not inputs.options.files.id
    return inputs.tables[0] if is_in_order and not inputs.tables[0].content.part else None


@dataclass
class TableCells:
    """Cells of the user's table, read along with the parts of its texts.

    A part has the rows of a portion, or consecutive ones of them if these have many references.
    """

    name: str
    portions: Iterator[Cells]
    size: int
    portion: Cells = ()

    def of(self, part: Corpus) -> Cells:
        """Return the cells of the next part.

        Raises:
            InputError: The table, of which no text is read, has fewer rows than the texts.
        """
        start = part.first % self.size
        if start == 0:
            self.portion = next(self.portions, [()])
        cells = [values[start : start + len(part)] for values in self.portion]
        if any(len(values) < len(part) for values in cells):
            rows = part.first - start + len(self.portion[0])
            raise InputError(f"{self.name} has {rows} rows, the texts have at least {part.first + len(part)}")
        return cells

    def check_end(self, sentences: int) -> None:
        """Raise InputError if the table, of which no text is read, has more rows than the texts."""
        rows = (sentences - 1) // self.size * self.size + len(next(iter(self.portion), ()))
        if self.portion and (rows > sentences or next(self.portions, None) is not None):
            raise InputError(f"{self.name} has more rows than the texts, which have {sentences}")


def _kept_columns(table: InputTable) -> list[int]:
    """Return the numbers of the columns except those of items of lists, which have a column."""
    return [index for index, name in enumerate(table.names) if not _is_item(name, table.names)]


def _is_item(name: str, names: Sequence[str]) -> bool:
    above, _, _ = name.rpartition(".")
    return bool(above) and above in names


def pair_filter(request: FilterRequest, inputs: CorpusInputs, table: Sequence[str]) -> PairFilter:
    """Return the filter of a request.

    Raises:
        UsageError: The condition is not valid, or its metrics lack references.
    """
    make = partial(inputs.metrics_of, named=request.metric)
    condition = PairFilter.of(request.keep, make(request.metric.metrics), make, table)
    request.metric.check_are_used(condition.metrics)
    inputs.check_references(condition.metrics)
    return condition


def passing_rows(
    part: ScoredPart, layout: RowLayout, condition: PairFilter, reader: FeatureReader, cells: Cells
) -> SentenceRows:
    """Return the rows of a part that meet the condition, with their unprepared texts."""
    [system] = part.corpus.systems
    indices = condition.passing(part, system, reader, cells)
    lines = [part.corpus.first + index + 1 for index in indices.tolist()]
    scores = [part.figures[system, column.metric][column.part][indices] for column in layout.columns]
    texts = _texts(part.corpus.unprepared or part.corpus, system, layout, indices.tolist())
    return SentenceRows(lines, texts, scores, [_picked(values, indices) for values in cells])


def _picked(values: Sequence[Any], indices: NDArray[np.intp]) -> Any:
    """Return the values with these indices; those of an Arrow array are one, too."""
    return values.take(indices) if hasattr(values, "take") else [values[index] for index in indices.tolist()]


def _texts(corpus: Corpus, system: str, layout: RowLayout, indices: Sequence[int]) -> list[list[str | None]]:
    """Return the texts of the pairs with these indices, a list for each column."""
    if layout.references is None:
        return []
    references = corpus.references[: layout.references]
    columns: list[Sequence[str | None]] = [corpus.source, as_text(corpus.systems[system]), *references]
    missing: list[list[str | None]] = [[None] * len(indices)] * (layout.references - len(references))
    return [*([column[index] for index in indices] for column in columns), *missing]
