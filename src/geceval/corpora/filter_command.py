"""``geceval filter``: write the pairs that meet a condition on metrics and features."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, partial
from itertools import repeat
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from cyclopts import Group, Parameter
from numpy.typing import NDArray

from geceval.base.arguments import did_you_mean, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.python_hints import warn
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import METRICS as METRIC_OPTIONS
from geceval.cli.options import OUTPUT, Checks, MetricOptions, OutputFile, OutputOptions, Parts, Signatures
from geceval.cli.output import collected, note, print_spending
from geceval.corpora.conditions import ComparisonNode, Condition, Flag, Junction, Not, condition_error, parse_condition
from geceval.corpora.pair_features import FEATURES, Feature, FeatureReader, find_feature
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import METRICS
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.scoring.evaluation import NamedFigure, figure_named
from geceval.scoring.row_output import RowOutput, cell_text
from geceval.scoring.sentence_rows import RowLayout, ScoredPart, SentenceRows, columns_of
from geceval.tables.report import ROW_FORMATS
from geceval.text.columns import as_text
from geceval.text.corpus import Corpus
from geceval.text.frames import plain_values
from geceval.text.reading.table_columns import InputTable

#: A number of a pair, which a condition compares.
Figure: TypeAlias = "NamedFigure | Feature | ColumnFigure"
#: Comparisons; none of them holds for NaN.
_COMPARE: Mapping[str, Callable[[NDArray[Any], float], NDArray[np.bool_]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": lambda values, bound: (values < bound) | (values > bound),
}
#: Cells of the user's table, by column.
Cells: TypeAlias = Sequence[Sequence[Any]]
_OPPOSITE = {"<": ">=", ">=": "<", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class ColumnFigure:
    """A column of the user's table, compared with numbers or with texts."""

    name: str
    index: int

    scale: ClassVar[int] = 1
    in_percent: ClassVar[bool] = False

    def numbers(self, values: NDArray[Any], first: int) -> NDArray[np.float64]:
        """Return cells as numbers; empty cells are NaN.

        Raises:
            InputError: A cell is not a number.
        """
        numbers = np.full(len(values), np.nan)
        for index, value in enumerate(values):
            if value is None or value == "":
                continue
            try:
                numbers[index] = float(value)
            except (TypeError, ValueError):
                message = f"sentence {first + index + 1}: {self.name} is not a number: {shown(value)}"
                raise InputError(message, hint=f'put a text value in quotes: {self.name} == "{value}"') from None
        return numbers


@dataclass(frozen=True)
class PairFilter:
    """A condition on the pairs of a system.

    Attributes:
        condition: The condition.
        figures: The figures of the condition by name.
        metrics: All metrics of the run.
    """

    condition: Condition
    figures: Mapping[str, Figure]
    metrics: Sequence[AnyMetric]

    @staticmethod
    def of(
        text: str,
        metrics: Sequence[AnyMetric],
        make: Callable[[list[str]], Sequence[AnyMetric]],
        table: Sequence[str] = (),
    ) -> PairFilter:
        """Return the filter of a condition.

        Args:
            text: The condition, such as ``green >= 90 and not identical``.
            metrics: The metrics of the run.
            make: Returns the metrics of specifications, for metrics that only the condition names.
            table: Names of the columns of the user's table; features and metrics precede them.

        Raises:
            UsageError: The condition is malformed, or has unknown names or wrong bounds.
        """
        condition = parse_condition(text)
        figures: dict[str, Figure] = {}
        run = list(metrics)
        for leaf in _leaves(condition):
            figure: Figure
            try:
                figure = find_feature(leaf.name) or figure_named(leaf.name, run, make)
            except UsageError as error:
                if leaf.name not in table:
                    raise condition_error(text, leaf.name_span, *_unknown_name(leaf.name, error, table)) from None
                figure = ColumnFigure(leaf.name, list(table).index(leaf.name))
            if isinstance(figure, NamedFigure) and figure.metric not in run:
                run.append(figure.metric)
            figures[leaf.name] = figure
            _check_comparison(text, leaf, figure)
        return PairFilter(condition, figures, run)

    @property
    def features(self) -> list[Feature]:
        """The features of the condition."""
        return list(dict.fromkeys(figure for figure in self.figures.values() if isinstance(figure, Feature)))

    @property
    def has_parts(self) -> bool:
        """Whether the condition is about parts of scores."""
        return any(isinstance(figure, NamedFigure) and figure.part for figure in self.figures.values())

    def passing(self, part: ScoredPart, system: str, reader: FeatureReader, cells: Cells = ()) -> NDArray[np.intp]:
        """Return the indices of the pairs of a part that meet the condition.

        ``cells`` are those of the user's table.
        """

        @cache
        def values(figure: Figure) -> NDArray[Any]:
            if isinstance(figure, ColumnFigure):
                return np.array([[value] for value in plain_values(cells[figure.index])], object)[:, 0]
            if isinstance(figure, Feature):
                return reader.values(figure, part.corpus, system)
            scores = part.figures[system, figure.metric][figure.part]
            return figure.metric.scale.with_conventions({figure.part: scores})[figure.part]

        return np.flatnonzero(evaluate_condition(self.condition, self.figures, values, first=part.corpus.first))


def evaluate_condition(
    condition: Condition,
    figures: Mapping[str, Figure],
    values: Callable[[Figure], NDArray[Any]],
    *,
    negated: bool = False,
    first: int = 0,
) -> NDArray[np.bool_]:
    """Return for which pairs [S] a condition, or its negation, holds.

    For NaN, neither a comparison nor its negation holds.

    Args:
        condition: The condition.
        figures: Its figures by name.
        values: Returns the raw values [S] of a figure.
        negated: Whether the negation must hold.
        first: Number of pairs before these, for messages.
    """
    if isinstance(condition, Not):
        return evaluate_condition(condition.condition, figures, values, negated=not negated, first=first)
    if isinstance(condition, Junction):
        parts = [
            evaluate_condition(part, figures, values, negated=negated, first=first) for part in condition.conditions
        ]
        combine = np.logical_and if (condition.joint == "and") != negated else np.logical_or
        holds: NDArray[np.bool_] = combine.reduce(parts)
        return holds
    figure = figures[condition.name]
    order, bound = (condition.order, condition.bound) if isinstance(condition, ComparisonNode) else ("==", Decimal(1))
    raw = values(figure)
    if isinstance(bound, str):
        equal = np.array([cell_text(value) == bound for value in raw], bool)
        return equal if (order == "==") != negated else ~equal
    if isinstance(figure, ColumnFigure):
        raw = figure.numbers(raw, first)
    # Decimals are divided since float(57.99) / 100 differs from 0.5799.
    return _COMPARE[_OPPOSITE[order] if negated else order](raw, float(bound / figure.scale))


# --- figures of a condition ---


def _leaves(condition: Condition) -> Iterator[ComparisonNode | Flag]:
    if isinstance(condition, Not):
        yield from _leaves(condition.condition)
    elif isinstance(condition, Junction):
        for part in condition.conditions:
            yield from _leaves(part)
    else:
        yield condition


def _unknown_name(name: str, error: UsageError, table: Sequence[str]) -> tuple[str, str | None]:
    """Return message and hint of the error for the name of an unknown figure."""
    base = re.split("[:. ]", name)[0]
    if base in METRICS or base.lower() in FEATURES:
        return error.message, error.hint
    base = name if base in table else base
    choices = f"choose from {', '.join([*FEATURES, *table])} and the metrics (geceval metrics lists them)"
    return f"unknown name {base!r}", did_you_mean(base, [*FEATURES, *table, *METRICS.names()]) or choices


def _check_comparison(text: str, leaf: ComparisonNode | Flag, figure: Figure) -> None:
    """Raise UsageError if a comparison or its bound does not suit the figure."""
    is_flag = isinstance(figure, Feature) and figure.is_flag
    if isinstance(leaf, Flag):
        if not is_flag:
            is_column = isinstance(figure, ColumnFigure)
            message = f"{leaf.name} is a {'column' if is_column else 'number'} and needs a comparison"
            hint = f"such as: {leaf.name} >= {90 if figure.in_percent else 1}"
            hint += f' or {leaf.name} == "text"' if is_column else ""
            raise condition_error(text, leaf.name_span, message, hint)
    elif is_flag:
        hint = f"write {leaf.name} or not {leaf.name}"
        span = leaf.name_span[0], leaf.bound_span[1]
        raise condition_error(text, span, f"{leaf.name} is true or false and takes no comparison", hint)
    elif isinstance(leaf.bound, str):
        if not isinstance(figure, ColumnFigure):
            raise condition_error(text, leaf.bound_span, f"{leaf.name} is a number and cannot be compared with text")
        if leaf.order not in ("==", "!="):
            raise condition_error(text, leaf.bound_span, "text can only be compared by == and !=")
    elif figure.in_percent and 0 < leaf.bound < 1:
        hint = f"{(100 * leaf.bound).normalize():f}, not {leaf.bound}"
        raise condition_error(text, leaf.bound_span, f"{leaf.name} uses the 0-100 scale", hint)


CONDITION = Group.create_ordered("condition", sort_key=2)


@Parameter(name="*", group=METRIC_OPTIONS)
@dataclass(frozen=True, kw_only=True)
class FilterMetricOptions(MetricOptions):
    """Metrics whose scores are written as well."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics to add, such as errant:mode=ds (list: geceval metrics) (default: the metrics of the condition)"""


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class FilterOutputOptions(OutputOptions):
    """Files, format, digits, threads, quiet."""

    formats: ClassVar[tuple[str, ...]] = ROW_FORMATS
    format: Annotated[str | None, Parameter(alias="-f", choices=ROW_FORMATS)] = None
    """output format (default: by the ending of -o, or tsv)"""
    keep_out: Annotated[tuple[OutputFile, OutputFile] | None, Parameter(metavar="SOURCE HYPOTHESIS")] = None
    """write the pairs to two parallel files, one sentence per line"""
    parts: Parts = False


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
    data: CorpusOptions = CorpusOptions()
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

    documentation: docs/filtering.md
    """
    options = request.output
    output = RowOutput(options, request.signatures, options.keep_out or ())
    output.check()
    with collected() as warnings:
        inputs = CorpusInputs(request.data, threads=options.threads)
        table = _kept_table(inputs)
        numbers = [] if table is None else _kept_columns(table)
        heads = None if table is None else [table.names[number] for number in numbers]
        condition = pair_filter(request, inputs, heads or [])
        corpus = inputs.corpus(pairs=True)
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
        table_cells = TableCells(portions, run.part_size)
        reader = FeatureReader(inputs.language.annotator, options.threads)
        sentences, number = output.write(
            run,
            inputs,
            warnings,
            layout,
            lambda part: passing_rows(part, layout, condition, reader, table_cells.of(part.corpus)),
            parts=options.parts or condition.has_parts,
        )
    for remark in reader.remarks(condition.features):
        warn(remark)
    note(f"kept {number:,} of {sentences:,} pairs ({100 * number / sentences:.2f} %)")
    print_spending(condition.metrics)


def _kept_table(inputs: CorpusInputs) -> InputTable | None:
    """Return the table whose columns are kept: the only one, if its rows stay in their order."""
    is_in_order = len(inputs.tables) == 1 and not inputs.options.files.id
    return inputs.tables[0] if is_in_order and not inputs.tables[0].content.part else None


@dataclass
class TableCells:
    """Cells of the user's table, read along with the parts of its texts.

    A part has the rows of a portion, or consecutive ones of them if these have many references.
    """

    portions: Iterator[Cells]
    size: int
    portion: Cells = ()

    def of(self, part: Corpus) -> Cells:
        """Return the cells of the next part."""
        start = part.first % self.size
        if start == 0:
            self.portion = next(self.portions)
        return [values[start : start + len(part)] for values in self.portion]


def _kept_columns(table: InputTable) -> list[int]:
    """Return the numbers of the columns except those of items of lists, which have a column."""
    return [index for index, name in enumerate(table.names) if name.rpartition(".")[0] not in table.names]


def pair_filter(request: FilterRequest, inputs: CorpusInputs, table: Sequence[str] = ()) -> PairFilter:
    """Return the filter of a request.

    Raises:
        UsageError: The condition is not valid.
    """
    make = partial(inputs.metrics_of, named=request.metric)
    condition = PairFilter.of(request.keep, make(request.metric.metrics), make, table)
    request.metric.check_are_used(condition.metrics)
    return condition


def passing_rows(
    part: ScoredPart,
    layout: RowLayout,
    condition: PairFilter,
    reader: FeatureReader,
    cells: Cells = (),
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
