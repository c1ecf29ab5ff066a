"""The stream of counts: the one loop that counts, for one sentence or 10^9.

A source of text yields parts (corpora of consecutive sentences); ``counted`` yields the counts of every system under
every metric, part by part, to consumers (consumers.py), which never count.
"""

from __future__ import annotations

import contextlib
import dataclasses
import warnings
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import COUNT, THREADS, Bounds, shown, whole
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import Counts
from geceval.text.corpus import Corpus, Hypothesis, TextSource
from geceval.text.sequences import listed

#: The name of a system that is given without one.
ALONE = "hypothesis"
#: Sentences of a part.
BLOCK = Bounds(1, COUNT.high)

if TYPE_CHECKING:
    from geceval.counting.checks.part_checks import Checks

AnyMetric: TypeAlias = Contract[Any]
#: Called with the number of sentence-system pairs done since the last call.
Progress: TypeAlias = Callable[[int], None]
#: The labels [S] of the sentences of a part, by which they may be grouped.
Labels: TypeAlias = Callable[[Corpus], Sequence[Any]]


def counted(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    threads: int = 0,
    block: int | None = None,
    evidence: bool | Collection[AnyMetric] = False,
    labels: Labels | None = None,
    only: Sequence[int] | None = None,
    skip: int = 0,
    progress: Progress | None = None,
    checks: Checks | None = None,
    ready: Ready | None = None,
    watched: Watched | None = None,
) -> Iterator[tuple[str, AnyMetric, Counts]]:
    """The counts (system, metric, counts) of every system under every distinct metric, part by part in order.

    Each part is prepared once for all metrics with one ``prepare_key``, and a system is counted once for all metrics
    with one ``count_key``. A metric with a corpus constant takes a first pass over the corpus. ``block``: sentences a
    part (None: the smallest of the metrics'). ``evidence``, ``labels``: what the counts are to carry, evidence perhaps
    those of some metrics alone. ``only``: count these sentences, by their places from 0 on, in order; a corpus constant
    is still that of the whole. ``skip``: do not count so many sentences at the start, whole parts, which are only read;
    InputError where no part ends there. ``checks`` look at the parts of the first pass. ``ready``: what was prepared
    before of the same source and references. ``watched``: the corpus is a part of one that is counted apart; takes in
    what is to be told of the whole, which nobody tells here.
    """
    metrics, threads, block = checked(corpus, metrics, threads, block, progress)
    held = [metric.held() for metric in metrics]
    if watched is None:
        tell_remarks(corpus, metrics)
    corpus = with_needed_texts(corpus, metrics)
    sharing = _by_count_key(metrics)
    kept = Ready(block or _block(metrics)) if ready is None else ready
    settled = {
        key: settled_for_systems(corpus, own[0], threads, kept, progress, checks) for key, own in sharing.items()
    }
    explained = {
        key: evidence if isinstance(evidence, bool) else any(metric in evidence for metric in own)
        for key, own in sharing.items()
    }
    own_watch = Watched() if watched is None else watched
    for start, part in _picked(_from(skip, numbered(corpus.parts(kept.block), checks)), only):
        made = kept.of(start) if only is None else {}
        named = None if labels is None else labels(part)
        for key, own in sharing.items():
            with telling(start):
                prepared = _prepared(part, own[0], threads, made)
            for name, hypothesis in part.systems.items():
                with telling(start):
                    counts = settled[key][name].count(prepared, hypothesis, threads, evidence=explained[key])
                own_watch.add(own[0], counts)
                counts = counts if named is None else dataclasses.replace(counts, labels=named)
                for metric in own:
                    yield name, metric, counts
                if progress is not None:
                    progress(len(part))
    if watched is None:
        own_watch.tell()
    del held


def tell_remarks(corpus: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Warn (GecevalWarning) of what is odd about the metrics' settings; each remark once."""
    for remark in dict.fromkeys(remark for metric in metrics for remark in metric.remarks(corpus)):
        warnings.warn(remark, GecevalWarning, stacklevel=3)


def _block(metrics: Sequence[AnyMetric]) -> int:
    return min((metric.block for metric in metrics), default=1)


@dataclass(frozen=True, eq=False)
class Ready:
    """What metrics prepared of the parts of a corpus, ``block`` sentences each, by ``prepare_key``.

    Once it is made, nothing of it changes: any thread may count with it.
    """

    block: int
    parts: Sequence[dict[Hashable, Any]] = ()

    @staticmethod
    def made(corpus: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> Ready:
        """All that can be prepared before there is a system. Raises what ``prepare`` of the metrics does."""
        metrics, threads, _ = checked(corpus, metrics, threads, None, None)
        block, parts = _block(metrics), []
        for start, part in numbered(with_needed_texts(corpus, metrics).parts(block)):
            made: dict[Hashable, Any] = {}
            with telling(start):
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
        watched.tell()
    return counts


def checked(
    corpus: TextSource, metrics: Sequence[AnyMetric], threads: int, block: int | None, progress: Progress | None
) -> tuple[Sequence[AnyMetric], int, int | None]:
    """Metrics, threads and block as they are used. Raises GecevalError that names the argument if something is wrong
    with what a run is given."""
    if not isinstance(corpus, TextSource):
        hint = "make one: geceval.Corpus(source, references, systems), or read one: geceval.read_corpus"
        raise UsageError(f"corpus is a Corpus, not {shown(corpus)}", hint=hint)
    if progress is not None and not callable(progress):
        raise UsageError(f"progress is a function, not {shown(progress)}")
    threads = whole("threads", threads, THREADS)
    return metrics_of(metrics), threads, None if block is None else whole("block", block, BLOCK)


def metrics_of(metrics: Sequence[AnyMetric]) -> Sequence[AnyMetric]:
    """The metrics in a list. Raises UsageError for one metric alone, for a name, for what is no metric."""
    if isinstance(metrics, Contract):
        raise UsageError("metrics are a list", hint="for one metric write [metric]")
    if isinstance(metrics, str):
        raise UsageError(f"metrics are a list of metrics, not {shown(metrics)}", hint=_MAKE)
    metrics = listed("metrics", metrics, "metric")
    for metric in metrics:
        if not isinstance(metric, Contract):
            raise UsageError(f"no metric: {shown(metric)}", hint=_MAKE)
    return metrics


_MAKE = 'make one, such as geceval.Green(), or by its name: geceval.make_metric("green")'


class Watched:
    """The sums of the columns that metrics watch, over all parts and systems; it can be pickled."""

    def __init__(self) -> None:
        self._sums: dict[AnyMetric, dict[str, float]] = {}

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

    def tell(self) -> None:
        """Warn (GecevalWarning) of what the sums say."""
        for remark in dict.fromkeys(remark for metric, sums in self._sums.items() for remark in metric.told(sums)):
            warnings.warn(remark, GecevalWarning, stacklevel=3)


def work(corpus: TextSource, metrics: Sequence[AnyMetric]) -> int | None:
    """How many sentence-system pairs ``counted`` will report to ``progress``, first passes included, if known."""
    each = work_of_a_sentence(corpus, metrics)
    return None if corpus.sentences is None else corpus.sentences * each


def work_of_a_sentence(corpus: TextSource, metrics: Sequence[AnyMetric], *, first: bool = True) -> int:
    """How often ``counted`` will report a sentence to ``progress``: for every system in every pass, ``first`` ones that
    do not count included or not."""
    metrics, *_ = checked(corpus, metrics, 0, None, None)
    passes = sum(1 + (first and own[0].has_constant) for own in _by_count_key(metrics).values())
    return len(corpus.system_names) * passes


def given(corpus: TextSource, metric: AnyMetric, system: str) -> Given:
    """What the metric is given of a system, for its signature; known before anything is counted."""
    m2 = corpus.is_m2(system)
    pool = corpus.system_names if metric.pooled else ()
    prepared = tuple(corpus.prepared_by.signed.items())
    if metric.evidence_of == "nothing":
        return Given(m2=m2, pool=pool, prepared=prepared)
    uses_gold = metric.evidence_of == "gold" or (metric.evidence_of == "edits" and corpus.has_gold)
    if not uses_gold:
        corpus = with_needed_texts(corpus, [metric])
    references = Given.number(*corpus.reference_numbers(of_gold=uses_gold))
    return Given(references, "gold" if uses_gold else corpus.made_by, m2, pool, prepared)


def with_needed_texts(corpus: TextSource, metrics: Sequence[AnyMetric]) -> TextSource:
    """The corpus, with texts made from its gold edits if it has no others and a metric needs some."""
    return corpus.with_texts() if any(metric.evidence_of == "texts" for metric in metrics) else corpus


def _by_count_key(metrics: Sequence[AnyMetric]) -> dict[Hashable, list[AnyMetric]]:
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


def _prepared(part: Corpus, metric: AnyMetric, threads: int, made: dict[Hashable, Any]) -> Any:
    """What a metric counts the part's systems with."""
    prepared = _prepare(part, metric, threads, made)
    return metric.pool(prepared, part.systems, threads) if metric.pooled else prepared


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
    for start, part in numbered(corpus.parts(ready.block), checks):
        with telling(start):
            prepared = _prepared(part, metric, threads, ready.of(start))
        for name, hypothesis in part.systems.items():
            with telling(start):
                sums[name] = np.add(sums[name], metric.survey(prepared, hypothesis, threads))
            if progress is not None:
                progress(len(part))
    return sums


def _from(skip: int, parts: Iterator[tuple[int, Corpus]]) -> Iterator[tuple[int, Corpus]]:
    """The parts after so many sentences."""
    end = 0
    for start, part in parts:
        end = start + len(part)
        if start < skip < end:
            raise InputError(f"no part of the corpus ends after {skip} sentences")
        if start >= skip:
            yield start, part
    if skip > end:
        raise InputError(f"the corpus has {end} sentences, fewer than the {skip} to be skipped")


def _picked(parts: Iterator[tuple[int, Corpus]], only: Sequence[int] | None) -> Iterator[tuple[int, Corpus]]:
    """The parts with these sentences only, by their places in the whole, in order; parts without any are left out."""
    if only is None:
        yield from parts
        return
    wanted = np.asarray(only, dtype=np.int64)
    for start, part in parts:
        own = picked(start, part, wanted)
        if own is not None:
            yield start, own


def picked(start: int, part: Corpus, places: NDArray[np.int64]) -> Corpus | None:
    """Of a part before which ``start`` sentences stand those in these places of the whole, which are in order; None
    without any."""
    first, last = np.searchsorted(places, (start, start + len(part)))
    own = (places[first:last] - start).tolist()
    if not own:
        return None
    return part if len(own) == len(part) else part.picked(own)


def numbered(parts: Iterator[Corpus], checks: Checks | None = None) -> Iterator[tuple[int, Corpus]]:
    """Each part with the number of sentences before it, once the checks have seen it."""
    start = 0
    for part in parts:
        if checks is not None:
            checks.add(part)
        yield start, part.after(start)
        start += len(part)
    if checks is not None:
        checks.end()


@contextlib.contextmanager
def telling(start: int) -> Iterator[None]:
    """Metrics number the sentences of a part; who reads their errors counts those of the corpus."""
    try:
        yield
    except InputError as error:
        if start == 0 or "sentence " not in error.message:
            raise
        message = f"{error.message} (sentences counted from number {start + 1} on)"
        raise InputError(message, path=error.path, line=error.line, hint=error.hint) from error
