"""Count one system, or one sentence, under one metric, for the methods of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from geceval.base.arguments import as_sequence
from geceval.counting.consumers import Consumer
from geceval.counting.counts import Counts
from geceval.counting.observations import ALONE, WarningColumns, warn_of
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.text.columns import single_blanks, text_of
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import Block

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

C = TypeVar("C", bound=Consumer[Any])


def consumed(metric: AnyMetric, corpus: Corpus, consumer: C, options: RunOptions) -> C:
    """Return a consumer with the counts of the only system of a corpus."""
    return Run(corpus, [metric], options).consume(lambda *_: consumer)[ALONE, metric]


def counts_of_sentence(
    metric: AnyMetric, source: str, hypothesis: str, references: Sequence[str], gold: Block | None
) -> Counts:
    """Return the counts of one sentence; the preparation of the last sources and references is cached."""
    lines = text_of(ALONE, [hypothesis])
    lines = single_blanks(lines) if metric.input_form == "texts" else lines
    prepared = prepare_alone(metric, source, tuple(as_sequence("references", references, "reference")), gold)
    prepared = metric.pool(prepared, {ALONE: lines}, 1) if metric.pool is not None else prepared
    if (constant := metric.constant) is not None:
        metric = constant.with_constant(constant.sums(prepared, lines, 1))
    [counts] = metric.checked_counts(prepared, [lines], 1)
    warning_columns = WarningColumns()
    warning_columns.add(metric, counts)
    warn_of(warning_columns.remarks())
    return counts


#: Largest number of characters of a cached source with its references; longer ones are rare.
_LONGEST_CACHED = 10_000


def prepare_alone(metric: AnyMetric, source: str, references: tuple[str, ...], gold: Block | None) -> Any:
    """Return the preparation of one sentence; the last 1,024 short ones are cached."""
    try:
        is_short = len(source) + sum(map(len, references)) <= _LONGEST_CACHED
        return (_prepare_cached if is_short else _prepare)(metric, source, references, gold)
    except TypeError:  # a value without length or hash, which is an error unless it is text
        return _prepare(metric, source, references, gold)


def _prepare(metric: AnyMetric, source: str, references: tuple[str, ...], gold: Block | None) -> Any:
    corpus = Corpus([source], [[text] for text in references], gold=None if gold is None else [gold])
    warn_of(metric.remarks(corpus))
    return metric.prepare(metric.in_form(corpus), 1)


_prepare_cached = lru_cache(maxsize=1024)(_prepare)
