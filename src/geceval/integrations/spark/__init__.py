"""Spark: the rows of a data frame scored where they are, and corpus scores with the bytes of a local run.

Executors count, each its partitions; what they counted is merged, in trees and on the driver. Needs ``geceval[spark]``
where the driver runs, and ``geceval`` with pyarrow on every executor.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar, get_args

from geceval.base.arguments import THREADS, choice, whole
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.consumers import Result
from geceval.counting.counts import Level, Score
from geceval.counting.metric_names import names as names_of
from geceval.counting.policies import Optimum, Running
from geceval.counting.settings import settings_of
from geceval.counting.stream import ALONE, Watched, given, warn_of
from geceval.integrations.framework_rows import AnyMetric, Metrics, framework, metrics_of
from geceval.integrations.spark.columns import Columns, Key, by_names, columns_of
from geceval.integrations.spark.executor_errors import clear_errors, reporting
from geceval.integrations.spark.tallies import (
    FAN,
    SCHEMA,
    Tally,
    Work,
    merged,
    merged_rows,
    scored,
    surveyed_rows,
    tallied,
)
from geceval.studies.comparison.compare import comparison_of
from geceval.studies.comparison.comparison_options import IntervalKind, References, options_for
from geceval.studies.comparison.comparison_results import SystemScore

__all__ = ["clear_errors", "corpus_scores", "intervals", "sentence_scores"]

T = TypeVar("T")
#: What is known of each metric by its name; where rows are grouped, of each group.
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
    """The data frame with a column of doubles for each metric, the score of the row's sentence by itself.

    ``source``, ``hypothesis``, ``references`` and ``gold`` name columns of text: ``references`` one for each
    reference, null where a row lacks it, or one column with lists of them; ``gold`` M2 blocks, one in each cell.
    ``metrics`` are metrics or their names, by which the new columns are called. Nothing is computed before Spark needs
    it, but for metrics with a corpus constant (CLEME's mean chunk length), which read the data frame once beforehand;
    ``by``: columns by whose values rows are grouped that have one constant together. ``threads``: of each task.
    Raises UsageError for columns and metrics that do not exist, InputError for columns of other types. What is wrong
    in a cell is an error of Spark's when it is read; see clear_errors.
    """
    columns = columns_of(df, source, hypothesis, references, gold, None, by)
    chosen = _checked(metrics, columns)
    names = names_of(chosen)
    taken = {name.lower() for name in df.columns}
    for name in names:
        if name.lower() in taken:
            raise UsageError(f"the data frame has a column {name!r} already", hint=f"df.drop({name!r})")
    work = _surveyed(df, Work(columns, chosen, whole("threads", threads, THREADS)))
    types = framework("pyspark.sql.types", "'geceval[spark]'")
    schema = types.StructType([*df.schema.fields, *(types.StructField(name, types.DoubleType()) for name in names)])
    return df.mapInArrow(partial(reporting, scored, work), schema)


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
    """The score of all rows under each metric, by its name: ``found["green"].value``, to the last bit what a local run
    says of the same sentences.

    ``by``: scores of each group of rows with equal values in these columns: ``found["CAMB"]["green"]``, for a list of
    columns ``found["CAMB", "en"]["green"]``. ``level``: "corpus", or "mean", that of the sentence scores. Columns and
    ``metrics``: see sentence_scores. Raises UsageError for metrics that depend on the order of the sentences, that
    look at all systems together, or that ask language models; InputError, with column and row, for cells that are no
    text, and for a data frame without rows.
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
    interval: IntervalKind = "percentile",
    resampled: References = "auto",
    threads: int = 1,
) -> ByGroup[SystemScore]:
    """The score of all rows under each metric with its bootstrap interval, as ``geceval.intervals`` has it of the same
    sentences, to the last bit.

    ``order``: a column with the number of each row's sentence, from 0 on in each group, by which its weights are drawn
    (rows with one number are drawn together). Without it rows are numbered as Spark reads them, partition after
    partition, which takes a pass beforehand. ``samples``, ``seed``, ``alpha``, ``interval``: see geceval.compare;
    ``resampled`` is what is called ``references`` there. All else: see corpus_scores.
    """
    columns = columns_of(df, source, hypothesis, references, gold, order, by)
    chosen = _checked(metrics, columns, sums=True)
    how: dict[str, Any] = {"seed": seed, "alpha": alpha, "interval": interval, "references": resampled}
    options = options_for([ALONE], len(chosen), samples, **how, pairs="none")
    threads = whole("threads", threads, THREADS)
    # Metrics whose replicates depend on how many references there are.
    anyway = order is None or any(
        metric.policy.averages or isinstance(metric.policy, (Running, Optimum)) for metric in chosen
    )
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


# --- what can be scored ---


def _checked(metrics: Metrics, columns: Columns, *, sums: bool = False) -> tuple[AnyMetric, ...]:
    """The metrics, each once. Raises UsageError for one that cannot be scored in parts, or lacks a column."""
    chosen = tuple(dict.fromkeys(metrics_of(metrics)))
    for metric in chosen:
        if metric.pooled:
            message = f"{metric.label} looks at all systems of a run together, and here is one"
            raise UsageError(message, hint="geceval.evaluate(corpus, metrics) scores the systems of a corpus")
        if metric.asks_judge:
            message = f"{metric.label} asks a language model, and every executor would ask and pay apart"
            raise UsageError(message, hint="geceval.evaluate(corpus, metrics) asks, and keeps answers, in one place")
        if sums and not metric.policy.order_free:
            raise _order(metric)
        if metric.evidence_of == "gold" and columns.gold is None:
            raise UsageError(f"{metric.label} needs gold edits: gold names the column with the M2 blocks")
        there = metric.evidence_of == "nothing" or columns.references
        if not there and (columns.gold is None or metric.evidence_of == "texts"):
            raise UsageError(f"{metric.label} needs references: references names their columns")
    return chosen


def _order(metric: AnyMetric) -> UsageError:
    """The error for a metric whose score depends on the order of the sentences."""
    message = f"{metric.label} chooses references by the sentences before (policy {metric.policy.name})"
    message += ", and the rows of a data frame have no order"
    free = []
    kind = settings_of(type(metric)).get("selection")
    for value in get_args(kind[1]) if kind is not None else ():
        policy = type(metric)(**metric.settings | {"selection": value}).policy
        memory = f", which keeps 8 bytes × {len(metric.columns)} counts × references of each row on the driver"
        if policy.order_free:
            free.append(f"{metric.name}:selection={value}{memory if isinstance(policy, Optimum) else ''}")
    return UsageError(message, hint="choose " + ", or ".join([*free, 'level="mean", the mean of the sentence scores']))


# --- what Spark does ---


def _surveyed(df: Any, work: Work, *, anyway: bool = False) -> Work:
    """The work, with what has to be known of each group before it is counted: a first pass over the data frame where a
    metric has a corpus constant, or ``anyway``."""
    if not (anyway or any(metric.has_constant for metric in work.metrics)):
        return work
    seen = {key: tally.seen for key, tally in _run(df, work, surveyed_rows).items()}
    return dataclasses.replace(work, seen=seen)


def _tallies(df: Any, work: Work) -> dict[Key, Tally]:
    """The tallies of all groups; what is to be told of them is told."""
    found = _run(df, work, tallied)
    for key in work.seen or ():
        if key not in found:
            raise InputError(f"the data frame is not the same when it is read again: there is no {key} any more")
    watched = Watched()
    remarks: list[str] = []
    for tally in found.values():
        watched.merge(tally.watched)
        remarks += tally.warnings
        remarks += (remark for metric in work.metrics for remark in metric.remarks(tally.seen))
    warn_of([*remarks, *watched.remarks()])
    return found


def _run(df: Any, work: Work, task: Callable[[Work, Iterator[Any]], Iterator[Any]]) -> dict[Key, Tally]:
    """What a task makes of the partitions, merged, by group. Raises InputError for a data frame without rows."""
    if df.isStreaming:
        raise UsageError("a stream has no end at which its scores could be told", hint="sentence_scores takes streams")
    needed = df.select(*(f"`{name.replace('`', '``')}`" for name in work.columns.names))
    parts = needed.mapInArrow(partial(reporting, task, work), SCHEMA)
    parts = parts.groupBy("label", (parts["partition"] / FAN).cast("int")).applyInArrow(merged_rows, SCHEMA)
    with clear_errors():
        rows = [(row["partition"], bytes(row["tally"])) for row in parts.collect()]
    if not rows:
        raise InputError("the data frame has no rows")
    return {key: tally for key, (_, tally) in merged(rows).items()}


# --- groups ---


def _by_group(
    tallies: Mapping[Key, Tally], by: str | Sequence[str], scores: Callable[[Key, Tally], ByName[T]]
) -> ByGroup[T]:
    """The scores, by group where rows are grouped, in the order of their values, null first."""
    if not by_names(by):
        [(key, tally)] = tallies.items()
        return scores(key, tally)
    keys = sorted(tallies, key=lambda key: [(value is not None, value) for value in key])
    return {key[0] if isinstance(by, str) else key: scores(key, tallies[key]) for key in keys}
