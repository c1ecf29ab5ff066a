"""Spark: score data frames on executors, with the numbers of a local run.

Each executor counts its partitions; counts are merged in trees and on the driver. The driver requires
``geceval[spark]``, every executor ``geceval`` and pyarrow.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar, get_args

from geceval.base.arguments import THREADS, choice, whole
from geceval.base.errors import GecevalWarning, InputError, UsageError, framework
from geceval.comparison.comparison_results import SystemScore
from geceval.comparison.pair_tests import comparison_of
from geceval.counting.comparison_options import Options
from geceval.counting.consumers import Result
from geceval.counting.counts import Level, Score
from geceval.counting.metric_names import names as names_of
from geceval.counting.policies import Optimum
from geceval.counting.settings import settings_of
from geceval.counting.stream import ALONE, Watched, given, warn_of
from geceval.integrations.framework_rows import AnyMetric, Metrics, metrics_of
from geceval.integrations.spark.columns import Columns, Key, by_names, columns_of
from geceval.integrations.spark.executor_errors import clear_errors, reporting
from geceval.integrations.spark.tallies import (
    FAN,
    SCHEMA,
    Tally,
    Work,
    merge_rows,
    merge_tallies,
    score_rows,
    survey_rows,
    tally_rows,
)

__all__ = ["clear_errors", "corpus_scores", "intervals", "sentence_scores"]

T = TypeVar("T")
#: Results by name of the metric, and with ``by`` also by group.
ByName: TypeAlias = dict[str, T]
ByGroup: TypeAlias = ByName[T] | dict[Any, ByName[T]]


def sentence_scores(
    df: Any,
    *,
    source: str,
    hypothesis: str,
    references: str | Sequence[str] = (),
    metrics: Metrics = "green",
    gold: str | None = None,
    by: str | Sequence[str] = (),
    threads: int = 1,
) -> Any:
    """Add a column of sentence scores for each metric to a data frame.

    The computation is lazy, except that metrics with a corpus constant (CLEME's mean chunk length) read the data frame
    once beforehand. An invalid cell raises an error of Spark when it is read; see ``clear_errors``.

    Args:
        df: Data frame with one row per sentence.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, null if missing, or of one column with lists of references.
        metrics: Metrics or specifications; their names are the names of the new columns.
        gold: Name of the column with M2 blocks, one per cell.
        by: Names of columns whose values define groups of rows, each with its own corpus constant.
        threads: Number of threads of a task.

    Returns:
        The data frame with additional columns of doubles.

    Raises:
        UsageError: If a column or metric does not exist, or a metric cannot be computed by rows.
        InputError: If a column has another type.
    """
    columns = columns_of(df, source, hypothesis, references, gold, None, by)
    chosen = _checked(metrics, columns)
    names = names_of(chosen)
    taken = {name.lower() for name in df.columns}
    for name in names:
        if name.lower() in taken:
            raise UsageError(f"the data frame already has a column {name!r}", hint=f"use df.drop({name!r})")
    work = _surveyed(df, Work(columns, chosen, whole("threads", threads, THREADS)))
    types = framework("pyspark.sql.types", "'geceval[spark]'")
    schema = types.StructType([*df.schema.fields, *(types.StructField(name, types.DoubleType()) for name in names)])
    return df.mapInArrow(partial(reporting, score_rows, work), schema)


def corpus_scores(
    df: Any,
    *,
    source: str,
    hypothesis: str,
    references: str | Sequence[str] = (),
    metrics: Metrics = "green",
    gold: str | None = None,
    by: str | Sequence[str] = (),
    level: Level = "corpus",
    threads: int = 1,
) -> ByGroup[Score]:
    """Return the corpus score of all rows, or of groups of rows, under each metric.

    The scores equal a local run on the same sentences to the last bit.

    Args:
        df: Data frame with one row per sentence.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, null if missing, or of one column with lists of references.
        metrics: Metrics or specifications.
        gold: Name of the column with M2 blocks, one per cell.
        by: Names of columns whose values define groups of rows.
        level: "corpus", or "mean" of the sentence scores.
        threads: Number of threads of a task.

    Returns:
        Scores by name of the metric, ``found["green"].value``; with ``by`` also by group, ``found["CAMB"]["green"]``,
        or for a list of columns ``found["CAMB", "en"]["green"]``.

    Raises:
        UsageError: If a metric depends on the order of sentences, scores all systems together or uses a language model.
        InputError: If the data frame is empty, or a cell is not text; names column and row.
    """
    choice("level", level, ("corpus", "mean"))
    columns = columns_of(df, source, hypothesis, references, gold, None, by)
    chosen = _checked(metrics, columns, sums=level == "corpus")
    threads = whole("threads", threads, THREADS)
    work = _surveyed(df, Work(columns, chosen, threads, level))

    def scores(key: Key, tally: Tally) -> ByName[Score]:
        found = {}
        for name, metric in zip(names_of(chosen), chosen, strict=True):
            result = Result(metric, given(tally.seen, metric, ALONE), [level])
            result.merge(tally.consumers[metric])
            found[name] = result.score(level)
        return found

    return _by_group(_tallies(df, work), by, scores)


def intervals(
    df: Any,
    *,
    source: str,
    hypothesis: str,
    references: str | Sequence[str] = (),
    metrics: Metrics = "green",
    gold: str | None = None,
    by: str | Sequence[str] = (),
    order: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    threads: int = 1,
) -> ByGroup[SystemScore]:
    """Return the corpus score of all rows with its bootstrap interval.

    The numbers equal ``geceval.intervals`` on the same sentences to the last bit.

    Args:
        df: Data frame with one row per sentence.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences.
        references: Names of columns with references, null if missing, or of one column with lists of references.
        metrics: Metrics or specifications.
        gold: Name of the column with M2 blocks, one per cell.
        by: Names of columns whose values define groups of rows.
        order: Name of the column with the number of the sentence, from 0 in each group, which determines its weights;
            rows with the same number are resampled together (None: the order in which Spark reads rows, which requires
            an additional pass).
        samples: Number of replicates, as in ``geceval.compare``.
        seed: Seed of the replicates.
        alpha: Significance level; intervals have the level 1 - alpha.
        threads: Number of threads of a task.

    Returns:
        Scores and intervals by name of the metric; with ``by`` also by group.

    Raises:
        UsageError: If a metric depends on the order of sentences, scores all systems together or uses a language model.
        InputError: If the data frame is empty, or a cell is not text; names column and row.
    """
    columns = columns_of(df, source, hypothesis, references, gold, order, by)
    chosen = _checked(metrics, columns, sums=True)
    options = Options(seed=seed, alpha=alpha, pairs="none").with_samples(samples, [ALONE], len(chosen))
    threads = whole("threads", threads, THREADS)
    # The replicates of some metrics depend on the number of references.
    policies = [metric.policy for metric in chosen]
    anyway = order is None or any(own.averages or isinstance(own, Optimum) for own in policies)
    work = Work(columns, chosen, threads, options=dataclasses.replace(options, threads=threads))
    work = _surveyed(df, work, anyway=anyway)

    def scores(key: Key, tally: Tally) -> ByName[SystemScore]:
        here = dataclasses.replace(work, options=options).tally(key)
        here.merge(tally)
        compared = comparison_of(here.seen, here.consumers, options)
        for warning in compared.warnings:
            group = ", ".join(f"{name} {value}" for name, value in zip(columns.by, key, strict=True))
            warnings.warn(f"{group}: {warning}" if group else warning, GecevalWarning, stacklevel=4)
        return dict(zip(names_of(chosen), compared.systems, strict=True))

    return _by_group(_tallies(df, work), by, scores)


# --- supported metrics ---


def _checked(metrics: Metrics, columns: Columns, *, sums: bool = False) -> tuple[AnyMetric, ...]:
    """Return the distinct metrics; raises UsageError if one is not supported."""
    chosen = tuple(dict.fromkeys(metrics_of(metrics)))
    for metric in chosen:
        if metric.pooled:
            message = f"{metric.label} scores all systems of a run together, but a data frame has one"
            raise UsageError(message, hint="use geceval.evaluate(corpus, metrics)")
        if metric.asks_judge:
            message = f"{metric.label} uses a language model, and every executor would send and pay its own requests"
            raise UsageError(message, hint="use geceval.evaluate(corpus, metrics), which has one cache")
        if sums and not metric.policy.order_free:
            raise _order(metric)
        if metric.evidence_of == "gold" and columns.gold is None:
            raise UsageError(f"{metric.label} requires gold edits: gold=COLUMN, with M2 blocks")
        there = metric.evidence_of == "nothing" or columns.references
        if not there and (columns.gold is None or metric.evidence_of == "texts"):
            raise UsageError(f"{metric.label} requires references: references=COLUMNS")
    return chosen


def _order(metric: AnyMetric) -> UsageError:
    """Return the error for a metric whose score depends on the order of sentences."""
    message = f"{metric.label} chooses references by the preceding sentences (policy {metric.policy.name})"
    message += ", but the rows of a data frame have no order"
    free = []
    kind = settings_of(type(metric)).get("selection")
    for value in get_args(kind[1]) if kind is not None else ():
        policy = type(metric)(**metric.settings | {"selection": value}).policy
        memory = f", which keeps 8 bytes × {len(metric.columns)} counts × references per row on the driver"
        if policy.order_free:
            free.append(f"{metric.name}:selection={value}{memory if isinstance(policy, Optimum) else ''}")
    return UsageError(message, hint="use " + ", or ".join([*free, 'level="mean", the mean of the sentence scores']))


# --- passes over the data frame ---


def _surveyed(df: Any, work: Work, *, anyway: bool = False) -> Work:
    """Return the work with facts about each group, from a first pass.

    The pass is made if a metric has a corpus constant, or ``anyway``.
    """
    if not (anyway or any(metric.has_constant for metric in work.metrics)):
        return work
    seen = {key: tally.seen for key, tally in _run(df, work, survey_rows).items()}
    return dataclasses.replace(work, seen=seen)


def _tallies(df: Any, work: Work) -> dict[Key, Tally]:
    """Return the tallies of all groups, and emit their warnings."""
    found = _run(df, work, tally_rows)
    for key in work.seen or ():
        if key not in found:
            raise InputError(f"the data frame differs when it is read again: the group {key} is missing")
    watched = Watched()
    remarks: list[str] = []
    for tally in found.values():
        watched.merge(tally.watched)
        remarks += tally.warnings
        remarks += (remark for metric in work.metrics for remark in metric.remarks(tally.seen))
    warn_of([*remarks, *watched.remarks()])
    return found


def _run(df: Any, work: Work, task: Callable[[Work, Iterator[Any]], Iterator[Any]]) -> dict[Key, Tally]:
    """Run a task on the partitions and return the merged tallies by group.

    Raises InputError if the data frame has no rows.
    """
    if df.isStreaming:
        raise UsageError("a stream has no end and no corpus score", hint="use sentence_scores, which supports streams")
    needed = df.select(*(f"`{name.replace('`', '``')}`" for name in work.columns.names))
    parts = needed.mapInArrow(partial(reporting, task, work), SCHEMA)
    parts = parts.groupBy("label", (parts["partition"] / FAN).cast("int")).applyInArrow(merge_rows, SCHEMA)
    with clear_errors():
        rows = [(row["partition"], bytes(row["tally"])) for row in parts.collect()]
    if not rows:
        raise InputError("the data frame has no rows")
    return {key: tally for key, (_, tally) in merge_tallies(rows).items()}


# --- groups ---


def _by_group(
    tallies: Mapping[Key, Tally], by: str | Sequence[str], scores: Callable[[Key, Tally], ByName[T]]
) -> ByGroup[T]:
    """Return the scores, by sorted group if rows are grouped, null first."""
    if not by_names(by):
        [(key, tally)] = tallies.items()
        return scores(key, tally)
    keys = sorted(tallies, key=lambda key: [(value is not None, value) for value in key])
    return {key[0] if isinstance(by, str) else key: scores(key, tallies[key]) for key in keys}
