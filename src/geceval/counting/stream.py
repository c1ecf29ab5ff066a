"""Parts of a source, and what metrics prepare of them: what the loop that counts (run.py) is made of.

A source of text yields parts: corpora of consecutive sentences. A part is prepared once for all metrics with one
``prepare_key``; a metric with a corpus constant takes a first pass over all parts.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import Counts
from geceval.text.corpus import Corpus, Hypothesis, TextSource
from geceval.text.files import SOURCE

#: The name of a system that is given without one.
ALONE = "hypothesis"

if TYPE_CHECKING:
    from geceval.counting.checks.corpus_checks import Checks

AnyMetric: TypeAlias = Contract[Any]
#: Called with the number of sentence-system pairs done since the last call.
Progress: TypeAlias = Callable[[int], None]
#: The labels [S] of the sentences of a part, by which they may be grouped.
Labels: TypeAlias = Callable[[Corpus], Sequence[Any]]


def smallest_block(metrics: Sequence[AnyMetric]) -> int:
    """Return the sentences of a part that no metric finds too many."""
    return min((metric.block for metric in metrics), default=Contract.block)


@dataclass(frozen=True, eq=False)
class Ready:
    """What metrics prepared of the parts of a corpus, ``block`` sentences each, by ``prepare_key``.

    Once it is made, nothing of it changes: any thread may count with it.
    """

    block: int
    parts: Sequence[dict[Hashable, Any]] = ()

    @staticmethod
    def made(corpus: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> Ready:
        """Prepare all that can be prepared before there is a system. Raises what ``prepare`` of the metrics does."""
        block, parts = smallest_block(metrics), []
        for part in numbered(with_needed_texts(corpus, metrics).parts(block)):
            made: dict[Hashable, Any] = {}
            with sentences_from(part.first):
                for metric in metrics:
                    _prepare(part, metric, threads, made)
            parts.append(made)
        return Ready(block, parts)

    def of(self, start: int) -> dict[Hashable, Any]:
        """What there is of the part that begins at this sentence."""
        return self.parts[start // self.block] if self.parts else {}


def counted_alone(metric: AnyMetric, prepared: Any, hypothesis: Hypothesis) -> Counts:
    """The counts of one hypothesis for what was prepared of its source and references, all of a corpus of one system.

    For a sentence or two, which are counted in less time than a stream takes to begin.
    """
    prepared = metric.pool(prepared, {ALONE: hypothesis}, 1) if metric.pooled else prepared
    settled = metric.settled(metric.survey(prepared, hypothesis, 1)) if metric.has_constant else metric
    counts = settled.count(prepared, hypothesis, 1)
    if metric.watched:
        watched = Watched()
        watched.add(metric, counts)
        warn_of(watched.remarks())
    return counts


def metrics_of(metrics: Sequence[AnyMetric]) -> Sequence[AnyMetric]:
    """The metrics in a list. Raises UsageError for one metric alone, for a name, for what is no metric."""
    if isinstance(metrics, Contract):
        raise UsageError("metrics are a list", hint="for one metric write [metric]")
    if isinstance(metrics, str):
        raise UsageError(f"metrics are a list of metrics, not {shown(metrics)}", hint=_MAKE)
    metrics = as_sequence("metrics", metrics, "metric")
    for metric in metrics:
        if not isinstance(metric, Contract):
            raise UsageError(f"no metric: {shown(metric)}", hint=_MAKE)
    return metrics


_MAKE = 'make one, such as geceval.Green(), or by its name: geceval.make_metric("green")'


def warn_of(remarks: Iterable[str]) -> None:
    """Warn (GecevalWarning) of each remark once."""
    for remark in dict.fromkeys(remarks):
        warnings.warn(remark, GecevalWarning, stacklevel=3)


@dataclass(frozen=True)
class Watched:
    """The sums of the columns that metrics watch, over all parts and systems; it can be pickled."""

    _sums: dict[AnyMetric, dict[str, float]] = field(default_factory=dict)

    def add(self, metric: AnyMetric, counts: Counts) -> None:
        """Take in the next counts of a metric."""
        for name in metric.watched:
            sums = self._sums.setdefault(metric, dict.fromkeys(metric.watched, 0.0))
            sums[name] += float(counts.array[..., counts.columns.index(name)].sum())

    def merge(self, other: Watched) -> None:
        """Take in what another one took in."""
        for metric, sums in other._sums.items():
            own = self._sums.setdefault(metric, dict.fromkeys(sums, 0.0))
            for name, value in sums.items():
                own[name] += value

    def remarks(self) -> Iterator[str]:
        """Yield what the metrics warn of, given the sums."""
        for metric, sums in self._sums.items():
            yield from metric.final_remarks(sums)


def given(corpus: TextSource, metric: AnyMetric, system: str) -> Given:
    """What the metric is given of a system, for its signature; known before anything is counted."""
    facts = corpus.facts
    m2 = system in facts.m2_systems
    pool = facts.system_names if metric.pooled else ()
    if pool and system != SOURCE and _judges_source_apart(metric):
        pool = tuple(name for name in pool if name != SOURCE)
    prepared = tuple(facts.prepared_by.signed.items())
    references, made = "", ""
    if metric.evidence_of == "gold" or (metric.evidence_of == "edits" and facts.has_gold):
        references, made = Given.number(*facts.gold_versions()), "gold"
    elif metric.evidence_of != "nothing":
        texts = with_needed_texts(corpus, [metric])
        facts = facts if texts is corpus else texts.facts
        references, made = Given.number(*facts.references()), facts.made_by
    return Given(references, made, m2, pool, prepared)


def with_needed_texts(corpus: TextSource, metrics: Sequence[AnyMetric]) -> TextSource:
    """The corpus, with texts made from its gold edits if it has no others and a metric needs some."""
    return corpus.with_texts() if any(metric.evidence_of == "texts" for metric in metrics) else corpus


def by_count_key(metrics: Sequence[AnyMetric]) -> dict[Hashable, list[AnyMetric]]:
    """Return the distinct metrics, those with equal counts together."""
    sharing: dict[Hashable, list[AnyMetric]] = {}
    for metric in dict.fromkeys(metrics):
        sharing.setdefault(metric.count_key, []).append(metric)
    return sharing


def _prepare(part: Corpus, metric: AnyMetric, threads: int, made: dict[Hashable, Any]) -> Any:
    """What ``metric.prepare`` yields, made once for all metrics with its ``prepare_key``."""
    key = metric.prepare_key
    if key not in made:
        made[key] = metric.prepare(part, threads)
    return made[key]


def prepared_systems(
    part: Corpus, metric: AnyMetric, threads: int, made: dict[Hashable, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the name of every system with what the metric counts it with.

    The systems of a pooled metric that sees references are judged among themselves: to it the unchanged source, where
    there is one, is one more system for the source's own row only.
    """
    prepared = _prepare(part, metric, threads, made)
    systems = dict(part.systems)
    source = systems.pop(SOURCE, None) if _judges_source_apart(metric) else None
    pooled = metric.pool(prepared, systems, threads) if metric.pooled else prepared
    for name in systems:
        yield name, pooled
    if source is not None:
        yield SOURCE, metric.pool(prepared, part.systems, threads)


def _judges_source_apart(metric: AnyMetric) -> bool:
    """Return whether the unchanged source is no system of the metric's pool."""
    return metric.pooled and metric.evidence_of != "nothing"


def wants_guard(metrics: Iterable[AnyMetric]) -> bool:
    """Return whether one of the metrics sees no reference.

    Its scores can be had without correcting anything: a system that is not clearly above the unchanged source has shown
    nothing, so that the source is shown beside the systems.
    """
    return any(metric.evidence_of == "nothing" for metric in metrics)


def shows_source(metrics: Sequence[AnyMetric]) -> bool:
    """Return whether the unchanged source is compared with the systems: for metrics without references, unless another
    one would take it for one of the systems of its pool."""
    return wants_guard(metrics) and not any(map(_judges_source_apart, metrics))


def settled_for_systems(
    corpus: TextSource,
    metric: AnyMetric,
    threads: int = 0,
    ready: Ready | None = None,
    progress: Progress | None = None,
    checks: Checks | None = None,
) -> dict[str, AnyMetric]:
    """The metric for every system, with its corpus constant if it needs one: a first pass over the corpus."""
    if not metric.has_constant:
        return dict.fromkeys(corpus.system_names, metric)
    sums = surveyed(corpus, metric, threads, ready, progress, checks)
    return {name: metric.settled(total) for name, total in sums.items()}


def surveyed(
    corpus: TextSource,
    metric: AnyMetric,
    threads: int = 0,
    ready: Ready | None = None,
    progress: Progress | None = None,
    checks: Checks | None = None,
) -> dict[str, Any]:
    """The sums for every system from which a metric works out its corpus constant."""
    sums: dict[str, Any] = dict.fromkeys(corpus.system_names, 0.0)
    ready = Ready(metric.block) if ready is None else ready
    for part in numbered(corpus.parts(ready.block), checks):
        with sentences_from(part.first):
            for name, prepared in prepared_systems(part, metric, threads, ready.of(part.first)):
                sums[name] = np.add(sums[name], metric.survey(prepared, part.systems[name], threads))
                if progress is not None:
                    progress(len(part))
    return sums


def asked_parts(parts: Iterator[Corpus], skip: int, only: Sequence[int] | None) -> Iterator[Corpus]:
    """Yield the parts after ``skip`` sentences; of ``only``, places in the whole, those parts that have some."""
    end = 0
    wanted = None if only is None else np.asarray(only, dtype=np.int64)
    for part in parts:
        end = part.first + len(part)
        if part.first < skip < end:
            raise InputError(f"no part of the corpus ends after {skip} sentences")
        own = part if wanted is None else picked(part, wanted)
        if part.first >= skip and own is not None:
            yield own
    if skip > end:
        raise InputError(f"the corpus has {end} sentences, fewer than the {skip} to be skipped")


def picked(part: Corpus, places: NDArray[np.int64]) -> Corpus | None:
    """Return of a part the sentences in these places of the whole, which are in order; None without any."""
    first, last = np.searchsorted(places, (part.first, part.first + len(part)))
    own = (places[first:last] - part.first).tolist()
    if not own:
        return None
    return part if len(own) == len(part) else part.picked(own)


def numbered(parts: Iterator[Corpus], checks: Checks | None = None) -> Iterator[Corpus]:
    """Yield each part, once the checks have seen it, with the number of sentences before it (``first``)."""
    start = 0
    for part in parts:
        if checks is not None:
            checks.add(part)
        yield part.after(start)
        start += len(part)
    if checks is not None:
        checks.end()


@contextlib.contextmanager
def sentences_from(start: int) -> Iterator[None]:
    """Metrics number the sentences of a part; errors raised within number those of the corpus."""
    try:
        yield
    except InputError as error:
        if start == 0 or error.sentence is None:
            raise
        raise error.relocate(start, f"(sentences counted from number {start + 1} on)") from error
