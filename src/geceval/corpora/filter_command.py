"""``geceval filter``: write the pairs that meet a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from cyclopts import Group, Parameter

from geceval.base.errors import InputError, UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import METRICS, OUTPUT, Checks, MetricOptions, OutputFile, OutputOptions, Parts, Signatures
from geceval.cli.stderr import collected, note, print_spending, warn
from geceval.corpora.pair_features import FeatureReader
from geceval.corpora.pair_filter import PairFilter
from geceval.counting.run import Run
from geceval.scoring.row_output import RowOutput
from geceval.scoring.sentence_rows import RowLayout, ScoredPart, SentenceRows, columns_of
from geceval.tables.formats import ROW_FORMATS
from geceval.text.corpus import Corpus, TextSource, as_text

CONDITION = Group.create_ordered("condition", sort_key=2)


@Parameter(name="*", group=METRICS)
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
      geceval filter -i pairs.tsv --keep 'edits.NOUN > 0' --keep-out src.txt hyp.txt

    Scores are points, as in tables. Parts follow a dot: errant.precision. Without
    references: edits, edits.TYPE, length_ratio (hypothesis tokens per source
    token), identical, duplicate.

    documentation: docs/filtering.md
    """
    own = request.output
    output = RowOutput(own, request.signatures, own.keep_out or ())
    output.check()
    with collected(quiet=own.quiet) as found:
        inputs = CorpusInputs(request.data, quiet=own.quiet, threads=own.threads)
        kept = pair_filter(request, inputs)
        corpus = inputs.corpus()
        if len(names := corpus.system_names) != 1:
            hint = "-c FILE or --hypothesis-column COL selects it"
            raise UsageError(f"filter takes one system, not {len(names)}: {', '.join(names)}", hint=hint)
        counting = Run(corpus, kept.metrics, threads=own.threads, checks=request.checks)
        layout = _layout(request, counting.source, kept)
        reader = FeatureReader(inputs.language.annotator, own.threads)
        sentences, number = output.write(
            counting,
            inputs,
            found,
            layout,
            lambda part: kept_rows(part, layout, kept, reader),
            parts=own.parts or kept.has_parts,
        )
    if not own.quiet:
        for remark in reader.remarks(kept.features):
            warn(remark)
    note(f"kept {number:,} of {sentences:,} pairs ({100 * number / sentences:.2f} %)", quiet=own.quiet)
    print_spending(kept.metrics, quiet=own.quiet)


def pair_filter(request: FilterRequest, inputs: CorpusInputs) -> PairFilter:
    """Return the filter of a request.

    Raises:
        UsageError: The condition is not valid.
    """
    make = partial(inputs.metrics_of, named=request.metric)
    kept = PairFilter.of(request.keep, make(request.metric.metrics), make)
    request.metric.check_are_used(kept.metrics)
    return kept


def _layout(request: FilterRequest, corpus: TextSource, kept: PairFilter) -> RowLayout:
    """Return the columns of the output."""
    metrics = list(dict.fromkeys(kept.metrics))
    columns = columns_of(corpus.system_names, metrics, parts=request.output.parts, alone=True)
    return RowLayout(columns, corpus.most_references)


def kept_rows(part: ScoredPart, layout: RowLayout, kept: PairFilter, reader: FeatureReader) -> SentenceRows:
    """Return the rows of a part that pass, with their texts as they were given."""
    [system] = part.corpus.systems
    places = kept.passing(part, system, reader)
    lines = [part.corpus.first + place + 1 for place in places.tolist()]
    figures = [part.figures[system, column.metric][column.part][places] for column in layout.columns]
    return SentenceRows(lines, _texts(part.corpus.unprepared or part.corpus, system, layout, places.tolist()), figures)


def _texts(corpus: Corpus, system: str, layout: RowLayout, places: Sequence[int]) -> list[list[str | None]]:
    """Return the texts of the pairs in these places, a list for each column."""
    columns: list[Sequence[str | None]] = [corpus.source, as_text(corpus.systems[system]), *corpus.references]
    if len(corpus.references) > (layout.references or 0):
        hint = "give one column of lists: --reference-column COL"
        raise InputError(f"sentence {corpus.first + 1}: more references than {layout.references}", hint=hint)
    missing: list[list[str | None]] = [[None] * len(places)] * ((layout.references or 0) - len(corpus.references))
    return [*([column[place] for place in places] for column in columns), *missing]
