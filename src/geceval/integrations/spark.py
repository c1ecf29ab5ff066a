"""Spark: score data frames on executors, with the numbers of a local run.

Executors read each batch of rows as a corpus, which a run counts, and merge what they count in a partition; the driver
merges the partitions, also in Spark Connect, which has no RDD. The driver requires ``geceval[spark]``, every executor
``geceval`` and pyarrow.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Text
from geceval.base import errors
from geceval.base.arguments import THREADS, as_sequence, check_column, choice, shown, transpose_references, whole
from geceval.base.errors import GecevalError, GecevalWarning, InputError, UsageError, framework
from geceval.counting.consumers import KeptCounts, ScoredCounts
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import names as names_of
from geceval.counting.observations import ALONE, Observed, WarningColumns, warn_of
from geceval.counting.results import RunFacts
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.scores import Level, Score
from geceval.counting.signature import signature_inputs
from geceval.counting.stream import ConstantSums
from geceval.integrations.framework_rows import Metrics, metrics_of
from geceval.text.blank_texts import given_references
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.reading.aligned_files import texts_in
from geceval.text.reading.parquet import column_values

__all__ = ["clear_errors", "corpus_scores", "sentence_scores"]

Names: TypeAlias = str | Sequence[str]
#: Values of the columns ``by`` in a group of rows.
Key: TypeAlias = tuple[Any, ...]
#: Mark before the JSON fields of an error in the text of an exception.
MARK = "geceval error: "


def sentence_scores(
    df: Any,
    *,
    source: str,
    hypothesis: str,
    references: Names = (),
    metrics: Metrics = "green",
    gold: str | None = None,
    by: Names = (),
    threads: int = 1,
) -> Any:
    """Add a column of sentence scores for each metric to a data frame.

    The computation is lazy, except that metrics with a corpus constant (CLEME's mean chunk length) read the data frame
    once beforehand. An invalid cell raises an error of Spark when it is read; see ``clear_errors``.

    Args:
        df: Data frame with one row per sentence.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, or lists of them, null if missing.
        metrics: Metrics or specifications; their names are the names of the new columns.
        gold: Name of the column with M2 blocks, one per cell.
        by: Names of columns whose values define groups of rows, each with its own corpus constant.
        threads: Number of threads of a task.

    Returns:
        The data frame with additional columns of doubles.

    Raises:
        UsageError: If a column or metric does not exist, or a metric cannot be computed by rows.
    """
    work = _work(df, source, hypothesis, references, metrics, gold, by, threads)
    names = names_of(work.metrics)
    taken = {name.lower() for name in df.columns}
    for name in names:
        if name.lower() in taken:
            raise UsageError(f"the data frame already has a column {name!r}", hint=f"use df.drop({name!r})")
    types = framework("pyspark.sql.types", "'geceval[spark]'")
    schema = types.StructType([*df.schema.fields, *(types.StructField(name, types.DoubleType()) for name in names)])
    return df.mapInArrow(partial(_score_rows, _with_first_pass(df, work)), schema)


def corpus_scores(
    df: Any,
    *,
    source: str,
    hypothesis: str,
    references: Names = (),
    metrics: Metrics = "green",
    gold: str | None = None,
    by: Names = (),
    level: Level = "corpus",
    threads: int = 1,
) -> dict[str, Score] | dict[Any, dict[str, Score]]:
    """Return the corpus score of all rows, or of groups of rows, under each metric.

    The scores equal a local run on the same sentences to the last bit.

    Args:
        df: Data frame with one row per sentence.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, or lists of them, null if missing.
        metrics: Metrics or specifications.
        gold: Name of the column with M2 blocks, one per cell.
        by: Names of columns whose values define groups of rows.
        level: "corpus", or "mean" of the sentence scores.
        threads: Number of threads of a task.

    Returns:
        Scores by name of the metric, ``scores["green"].value``; with ``by`` also by group, ``scores["CAMB"]["green"]``,
        or for a list of columns ``scores["CAMB", "en"]["green"]``.

    Raises:
        UsageError: If a metric depends on the order of sentences, scores all systems together or uses a language model.
        InputError: If the data frame is empty, or a cell is not text; names the row.
    """
    choice("level", level, ("corpus", "mean"))
    work = _work(df, source, hypothesis, references, metrics, gold, by, threads)
    for metric in work.metrics:
        if level == "corpus" and not metric.policy.order_free:
            message = f"{metric.label} chooses references by the preceding sentences (policy {metric.policy.name})"
            selection = "mean" if metric.policy.averages else "optimum"
            free = f"selection={selection}, or " if "selection" in metric.settings else ""
            hint = f'use {free}level="mean", the mean of the sentence scores'
            raise UsageError(f"{message}, but the rows of a data frame have no order", hint=hint)
    tallies = _tallies(df, replace(_with_first_pass(df, work), level=level))
    warning_columns, messages = WarningColumns(), set[str]()
    for tally in tallies.values():
        warning_columns.merge(tally.warning_columns)
        messages |= tally.remarks | tally.warnings
    warn_of([*sorted(messages), *warning_columns.remarks()])
    warning_columns.check()
    scores_by_group: dict[Any, dict[str, Score]] = {}
    for key in sorted(tallies, key=lambda key: [(value is not None, value) for value in key]):
        scores = [tallies[key].score(metric, level) for metric in work.metrics]
        group = key[0] if isinstance(by, str) else key
        scores_by_group[group] = dict(zip(names_of(work.metrics), scores, strict=True))
    return scores_by_group if work.by else scores_by_group[()]


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Convert Spark exceptions to the errors of geceval that caused them.

    For example::

        with clear_errors():
            sentence_scores(df, …).write.parquet("scored")

    Yields:
        None.

    Raises:
        GecevalError: If it was raised on an executor.
    """
    try:
        yield
    except Exception as error:
        _, mark, rest = str(error).rpartition(MARK)
        if not mark or not type(error).__module__.startswith(("pyspark.", "py4j.")):
            raise
        kind, fields = json.JSONDecoder().raw_decode(rest)[0]
        raise getattr(errors, kind)(**fields) from None


# --- columns and metrics ---


def _work(
    df: Any,
    source: str,
    hypothesis: str,
    references: Names,
    metrics: Metrics,
    gold: str | None,
    by: Names,
    threads: int,
) -> _Work:
    """Return the task.

    Raises UsageError if a column does not exist or a metric is not supported.
    """
    if not hasattr(df, "mapInArrow"):
        raise InputError(f"df must be a Spark DataFrame, not {shown(df)}", hint="use geceval.score")
    texts = [references] if isinstance(references, str) else as_sequence("references", references, "column")
    keys = [by] if isinstance(by, str) else as_sequence("by", by, "column")
    for name in (source, hypothesis, *texts, *keys, *([] if gold is None else [gold])):
        check_column(name, df.columns, "the data frame")
    distinct = tuple(dict.fromkeys(metrics_of(metrics)))
    for metric in distinct:
        if metric.pool is not None or metric.judging is not None:
            reason = "scores all systems of a run together" if metric.pool is not None else "uses a language model"
            raise UsageError(f"{metric.label} {reason}", hint="use geceval.evaluate(corpus, metrics)")
    return _Work(source, hypothesis, texts, gold, keys, distinct, whole("threads", threads, THREADS))


# --- counting ---


@dataclass
class _Tally:
    """Facts about rows of a group, and results by metric; can be merged and pickled.

    Attributes:
        first: First sentence, with the annotators of the gold edits of all rows.
        remarks: Warnings about the settings that apply to all batches.
        refusals: Errors in the settings that apply to all batches, as (message, hint); a type that a setting names may
            be in some batches only.
        sums: Sums that determine corpus constants, in a first pass.
        observed: Observations in a second pass.
        results: Results by metric, in a second pass.
        warning_columns: Sums of columns for warnings.
        warnings: Warnings that were issued while counting.
    """

    first: Corpus
    remarks: set[str] = field(default_factory=set)
    refusals: set[tuple[str, str | None]] = field(default_factory=set)
    sums: dict[Hashable, dict[str, Floats]] = field(default_factory=dict)
    observed: Observed = field(default_factory=Observed)
    results: dict[AnyMetric, ScoredCounts] = field(default_factory=dict)
    warning_columns: WarningColumns = field(default_factory=WarningColumns)
    warnings: set[str] = field(default_factory=set)

    def merge(self, other: _Tally) -> None:
        """Add a tally of other rows."""
        self.first = self.first.as_part(0, tuple(sorted({*self.first.annotators, *other.first.annotators})))
        self.remarks &= other.remarks
        self.refusals &= other.refusals
        self.observed.merge(other.observed)
        for key, sums in self.sums.items():
            self.sums[key] = {name: np.add(of_system, other.sums[key][name]) for name, of_system in sums.items()}
        for metric, result in other.results.items():
            self.results[metric].merge(result)
        self.warning_columns.merge(other.warning_columns)
        self.warnings |= other.warnings

    def score(self, metric: AnyMetric, level: Level) -> Score:
        """Return the score of a metric, with the signature of all rows."""
        result = self.results[metric]
        result.end(RunFacts(signature_inputs(metric, self.first, ALONE, self.observed)))
        return result.result().score(level)


_Tallies: TypeAlias = dict[Key, _Tally]


def _merge(first: _Tallies, second: _Tallies) -> _Tallies:
    for key, tally in second.items():
        if first.setdefault(key, tally) is not tally:
            first[key].merge(tally)
    return first


@dataclass(frozen=True)
class _Work:
    """Names of columns, metrics, and options of a task of executors.

    Attributes:
        level: Level of the results (None: a first pass).
        known: Tallies of a first pass by group, with corpus constants and annotators.
    """

    source: str
    hypothesis: str
    references: Sequence[str]
    gold: str | None
    by: Sequence[str]
    metrics: Sequence[AnyMetric]
    threads: int
    level: Level | None = None
    known: _Tallies | None = None

    def groups(self, records: Any) -> Iterator[tuple[Key, list[int], Corpus]]:
        """Yield the rows of each group in a record batch, with their corpus."""
        source = _texts(records, self.source)
        texts = [_texts(records, name) for name in self.references]
        if len(texts) == 1 and not isinstance(texts[0], Text):
            texts = [*transpose_references([cell or [] for cell in texts[0]])]
        elif any(isinstance(cell, list) for cells in texts if not isinstance(cells, Text) for cell in cells):
            texts = [*transpose_references(list(map(texts_in, zip(*texts, strict=True))))]
        references = [given_references(text, source) for text in texts]
        gold = None if self.gold is None else _blocks(_texts(records, self.gold))
        corpus = Corpus(source, references, {ALONE: _texts(records, self.hypothesis)}, gold)
        keys = zip(*(records.column(name).to_pylist() for name in self.by), strict=True)
        rows: dict[Key, list[int]] = {}
        for row, key in enumerate(keys if self.by else repeat((), len(corpus))):
            rows.setdefault(key, []).append(row)
        for key, group_rows in rows.items():
            yield key, group_rows, corpus.take(group_rows) if len(rows) > 1 else corpus

    def count(self, key: Key, corpus: Corpus) -> tuple[Run, dict[AnyMetric, Counts]]:
        """Return the run of the rows of a group, and their counts by metric."""
        constants = None
        if self.known is not None:
            if key not in self.known:
                message = f"the data frame differs when it is read again: the group {key} is new"
                raise InputError(message, hint="use df.cache() or df.checkpoint()")
            tally = self.known[key]
            corpus = corpus.as_part(corpus.first, tally.first.annotators)
            constants = tally.sums
        run = self.run(corpus, constants)
        consumers = run.consume(lambda _, metric: KeptCounts(metric))
        return run, {metric: consumers[ALONE, metric].result() for metric in self.metrics}

    def run(self, corpus: Corpus, constants: ConstantSums | None = None) -> Run:
        """Return the run of the rows of a batch."""
        return Run(corpus, self.metrics, RunOptions(self.threads, is_part=True), constants=constants)

    def tallies(self, records: Any) -> _Tallies:
        """Return the tally of each group in a record batch."""
        tallies: _Tallies = {}
        for key, _, corpus in self.groups(records):
            tally = tallies[key] = _Tally(corpus.take([0]).as_part(0, corpus.annotators))
            for metric in self.metrics:
                try:
                    tally.remarks |= {*metric.remarks(corpus)}
                except UsageError as error:
                    tally.refusals.add((error.message, None if error.hint is None else str(error.hint)))
            if self.level is None:
                tally.sums = self.run(corpus).constant_sums()
                continue
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", GecevalWarning)
                run, counts_of = self.count(key, corpus)
                tally.observed, tally.warning_columns = run.observed, run.warning_columns
                for metric, counts in counts_of.items():
                    tally.results[metric] = ScoredCounts(metric, [self.level])
                    tally.results[metric].add(counts)
            tally.warnings = {str(issued.message) for issued in caught if isinstance(issued.message, GecevalWarning)}
        return tallies


def _texts(records: Any, name: str) -> Sequence[Any]:
    try:
        return column_values(records.column(name))
    except UnicodeDecodeError:
        cells = records.column(name).cast("binary").to_pylist()
        row = next(row for row, cell in enumerate(cells) if cell and cell.decode(errors="ignore").encode() != cell)
        raise InputError(f"column {name!r}, sentence {row} (counted from 0): the bytes are not UTF-8") from None


def _blocks(cells: Sequence[Any]) -> Blocks:
    cells = [str(cell).rstrip() for cell in cells]
    for row, cell in enumerate(cells):
        position = f"gold, sentence {row} (counted from 0)"
        if (number := len(Blocks.parse(cell.encode(), position))) != 1:
            raise InputError(f"{position}: one M2 block is required, not {number}")
    return Blocks.parse("\n\n".join(cells).encode())


def _with_first_pass(df: Any, work: _Work) -> _Work:
    """Return the work with constants and annotators of all rows, if needed."""
    makes_texts = work.gold is not None and not work.references
    if any(metric.constant is not None or (makes_texts and metric.compares_texts) for metric in work.metrics):
        return replace(work, known=_tallies(df, work))
    return work


def _tallies(df: Any, work: _Work) -> _Tallies:
    """Return the tallies of all groups.

    Raises:
        InputError: If the data frame has no rows.
        UsageError: If no row of a group has what a setting names.
    """
    if df.isStreaming:
        raise UsageError("a stream has no end and no corpus score", hint="use sentence_scores, which supports streams")
    names = [work.source, work.hypothesis, *work.references, *([] if work.gold is None else [work.gold]), *work.by]
    columns = [df[f"`{name.replace('`', '``')}`"] for name in dict.fromkeys(names)]
    partitions = df.select(*columns).mapInArrow(partial(_tally_rows, work), "tallies binary")
    with clear_errors():
        tallies: _Tallies = reduce(_merge, (pickle.loads(row[0]) for row in partitions.collect()), {})
    if not tallies:
        raise InputError("the data frame has no rows")
    if refusals := {refusal for tally in tallies.values() for refusal in tally.refusals}:
        message, hint = min(refusals, key=str)
        raise UsageError(message, hint=hint)
    return tallies


# --- tasks of executors ---


class ExecutorError(Exception):
    """A GecevalError as text, followed by its fields for ``clear_errors``."""


def _score_rows(work: _Work, partition: Iterator[Any]) -> Iterator[Any]:
    """Add columns of sentence scores to the record batches of a partition."""

    def score_batch(records: Any) -> Any:
        scores = {metric: np.empty(records.num_rows) for metric in work.metrics}
        for key, rows, corpus in work.groups(records):
            for metric, counts in work.count(key, corpus)[1].items():
                scores[metric][rows] = metric.sentence_scores_of(counts)
        columns = [*records.columns, *map(framework("pyarrow").array, scores.values())]
        return type(records).from_arrays(columns, names=[f"column {k}" for k in range(len(columns))])

    return _by_batch(work, score_batch, partition)


def _tally_rows(work: _Work, partition: Iterator[Any]) -> Iterator[Any]:
    """Yield one record batch with the pickled tallies of a partition."""
    tallies: _Tallies = reduce(_merge, _by_batch(work, work.tallies, partition), {})
    yield framework("pyarrow").RecordBatch.from_pydict({"tallies": [pickle.dumps(tallies)]})


def _by_batch(work: _Work, task: Callable[[Any], Any], partition: Iterator[Any]) -> Iterator[Any]:
    """Yield the results of a task for each record batch.

    Errors name the partition and its row.
    """
    resources = [metric.resources() for metric in work.metrics]
    number, first = framework("pyspark").TaskContext.get().partitionId(), 0
    try:
        for records in partition:
            if records.num_rows:
                yield task(records)
            first += records.num_rows
    except GecevalError as error:
        position = f"counted{' in each group' if work.by else ''} from row {first} of partition {number} on"
        hint = None if error.hint is None else str(error.hint)
        fields = vars(error) | {"message": f"{error.message} ({position})", "hint": hint}
        raise ExecutorError(f"{error}\n{MARK}{json.dumps([type(error).__name__, fields])}") from error
    del resources
