"""Read parts of a source and prepare them for metrics, as used by run.py.

A source of text yields parts: corpora of consecutive sentences. A part is prepared once for all metrics with the same
``prepare_key``; a metric with a corpus constant takes a first pass over all parts.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.contract import Contract, Given
from geceval.counting.counts import Counts
from geceval.text.corpus import Corpus, Hypothesis, Lines, TextSource, leaves_unchanged, single_blanks
from geceval.text.files import SOURCE

#: Name of a system without name.
ALONE = "hypothesis"

if TYPE_CHECKING:
    from geceval._kernel import Text

AnyMetric: TypeAlias = Contract[Any]
#: Called with the number of sentence-system pairs done since the last call.
Progress: TypeAlias = Callable[[int], None]
#: Function that returns texts of a part's sentences that are counted beside the systems, by name.
Beside: TypeAlias = "Callable[[Corpus, AnyMetric], Mapping[str, Text]]"
#: Function that returns the labels [S] of a part's sentences.
Labels: TypeAlias = Callable[[Corpus], Sequence[Any]]


def smallest_block(metrics: Sequence[AnyMetric], *, alone: bool = False) -> int:
    """Return the smallest number of sentences in a part among the metrics.

    ``alone``: of a single system without evidence.
    """
    return min((metric.block * (metric.times_alone if alone else 1) for metric in metrics), default=Contract.block)


@dataclass(frozen=True, eq=False)
class Ready:
    """Preparations of parts of a corpus, ``block`` sentences each, by prepare_key.

    With all ``parts`` it is immutable, so that any thread may use it. Without them, it keeps the part of the last call
    of ``of``, which a first pass over a corpus of one part leaves to the next pass.
    """

    block: int
    parts: Sequence[dict[Hashable, Any]] = ()
    _last: dict[int, dict[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def made(corpus: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> Ready:
        """Prepare source and references for metrics, before any system is known."""
        block, parts = smallest_block(metrics), []
        for part in corpus.parts(block):
            made: dict[Hashable, Any] = {}
            with sentences_from(part.first):
                for metric in metrics:
                    prepare(part, metric, threads, made)
            parts.append(made)
        return Ready(block, parts)

    def of(self, part: Corpus) -> dict[Hashable, Any]:
        """Return the preparations of a part."""
        start = part.place(0)
        if self.parts:
            return self.parts[start // self.block]
        if start not in self._last:
            self._last.clear()
        return self._last.setdefault(start, {})


def count_alone(metric: AnyMetric, prepared: Any, hypothesis: Lines) -> Counts:
    """Return the counts of one hypothesis from the preparation of its corpus.

    It is used for single sentences, which take less time to count than the start of a stream.
    """
    hypothesis = single_blanks(hypothesis) if metric.takes == "texts" else hypothesis
    prepared = metric.pool(prepared, {ALONE: hypothesis}, 1) if metric.pooled else prepared
    settled = metric.settled(metric.survey(prepared, hypothesis, 1)) if metric.has_constant else metric
    counts = settled.count(prepared, hypothesis, 1)
    if metric.watched:
        watched = Watched()
        watched.add(metric, counts)
        warn_of(watched.remarks())
    return counts


def metrics_of(metrics: Sequence[AnyMetric]) -> Sequence[AnyMetric]:
    """Return a list of metrics; raises UsageError if the argument is not one."""
    if isinstance(metrics, Contract):
        raise UsageError("metrics must be a list", hint="for one metric use [metric]")
    if isinstance(metrics, str):
        raise UsageError(f"metrics must be a list of metrics, not {shown(metrics)}", hint=_MAKE)
    metrics = as_sequence("metrics", metrics, "metric")
    for metric in metrics:
        if not isinstance(metric, Contract):
            raise UsageError(f"not a metric: {shown(metric)}", hint=_MAKE)
    return metrics


_MAKE = 'use geceval.Green() or geceval.make_metric("green")'


def warn_of(remarks: Iterable[str]) -> None:
    """Warn (GecevalWarning) about each remark once."""
    for remark in dict.fromkeys(remarks):
        warnings.warn(remark, GecevalWarning, stacklevel=3)


@dataclass(frozen=True)
class Watched:
    """Sums of watched columns over all parts and systems; can be pickled."""

    _sums: dict[AnyMetric, dict[str, float]] = field(default_factory=dict)

    def add(self, metric: AnyMetric, counts: Counts) -> None:
        """Add counts of a metric."""
        for name in metric.watched:
            sums = self._sums.setdefault(metric, dict.fromkeys(metric.watched, 0.0))
            sums[name] += float(counts.array[..., counts.columns.index(name)].sum())

    def merge(self, other: Watched) -> None:
        """Add the sums of another object."""
        for metric, sums in other._sums.items():
            own = self._sums.setdefault(metric, dict.fromkeys(sums, 0.0))
            for name, value in sums.items():
                own[name] += value

    def remarks(self) -> Iterator[str]:
        """Yield the warnings of the metrics on the sums."""
        for metric, sums in self._sums.items():
            yield from metric.final_remarks(sums)


@dataclass
class Observed:
    """Observations of a run in the parts that it reads, for signatures.

    Attributes:
        texts: Smallest and largest number of reference texts of a sentence; None before the first part.
        gold: The same of annotators of gold edits.
        uncorrected: Systems whose sentences all equal the source so far.
    """

    texts: tuple[int, int] | None = None
    gold: tuple[int, int] | None = None
    uncorrected: frozenset[str] = frozenset()

    def add(self, part: Corpus) -> None:
        """Observe the next part."""
        names = part.systems.keys() - {SOURCE} if self.texts is None else self.uncorrected
        unchanged = frozenset(name for name in names if leaves_unchanged(part.source, part.systems[name]))
        gold = None if part.gold is None else part.reference_numbers(of_gold=True)
        self.merge(Observed(part.reference_numbers(), gold, unchanged))

    def merge(self, other: Observed) -> None:
        """Add what was observed in other parts."""
        self.uncorrected = other.uncorrected if self.texts is None else self.uncorrected & other.uncorrected
        self.texts, self.gold = _widest(self.texts, other.texts), _widest(self.gold, other.gold)

    def given(self, source: TextSource, metric: AnyMetric, system: str) -> Given:
        """Return the input of a metric for a system's signature."""
        m2 = system in source.m2_systems
        pool = source.system_names if metric.pooled else ()
        if system != SOURCE and judges_source_apart(metric):
            pool = tuple(name for name in pool if name != SOURCE)
        numbers, made = self.texts, ""
        if metric.evidence_of == "nothing":
            numbers = None
        elif source.gold is not None and metric.evidence_of in ("gold", "edits"):
            is_reannotated = metric.evidence_of == "edits" and source.gold_edits == "reannotated"
            numbers, made = self.gold, "reannotated" if is_reannotated else "gold"
        elif source.gold is not None and not source.has_references:
            numbers, made = (len(source.annotators),) * 2, source.missing
        overlaps = "" if not (made or m2) or source.overlaps == "error" else source.overlaps or "kept"
        references = "" if numbers is None else Given.number(*numbers)
        return Given(references, made, overlaps, m2, pool, tuple(source.prepared_by.signed.items()))


def _widest(*ranges: tuple[int, int] | None) -> tuple[int, int] | None:
    known = [numbers for numbers in ranges if numbers is not None]
    return (min(few for few, _ in known), max(many for _, many in known)) if known else None


def mixed_forms(corpus: TextSource, metric: AnyMetric) -> dict[str, str]:
    """Return whether each system is given as "M2" or as "text".

    The result is empty if this does not matter to the metric, or all systems are given in one form.
    """
    m2 = corpus.m2_systems
    forms = {name: "M2" if name in m2 else "text" for name in corpus.system_names if name != SOURCE}
    return forms if metric.evidence_of == "edits" and len(set(forms.values())) > 1 else {}


def by_count_key(metrics: Sequence[AnyMetric]) -> dict[Hashable, list[AnyMetric]]:
    """Return the distinct metrics, grouped by equal counts."""
    sharing: dict[Hashable, list[AnyMetric]] = {}
    for metric in dict.fromkeys(metrics):
        sharing.setdefault(metric.count_key, []).append(metric)
    return sharing


def handed(part: Corpus, metric: AnyMetric) -> Corpus:
    """Return a part as a metric takes it, with texts made from gold if it needs any."""
    return (part.with_texts() if metric.evidence_of == "texts" else part).handed(metric.takes)


def prepare(part: Corpus, metric: AnyMetric, threads: int, made: dict[Hashable, Any]) -> Any:
    """Return the preparation of a part, shared by metrics with equal ``prepare_key``."""
    key = metric.prepare_key
    if key not in made:
        made[key] = metric.prepare(handed(part, metric), threads)
    return made[key]


def prepare_systems(
    part: Corpus, metric: AnyMetric, threads: int, made: dict[Hashable, Any], beside: Mapping[str, Text] | None = None
) -> Iterator[tuple[str, Any, Hypothesis]]:
    """Yield each system's name, its preparation and its sentences.

    The sentences have the form that the metric takes.

    For a pooled metric with references, the unchanged source is not in the pool of other systems; only the source's own
    row has it in its pool. Texts ``beside`` the systems are in no pool.
    """
    prepared = prepare(part, metric, threads, made)
    every = part.handed(metric.takes).systems
    systems = dict(every)
    source = systems.pop(SOURCE, None) if judges_source_apart(metric) else None
    pooled = metric.pool(prepared, systems, threads) if metric.pooled else prepared
    more = cast("Mapping[str, Hypothesis]", beside or {})
    for name, lines in {**systems, **more}.items():
        yield name, pooled, lines
    if source is not None:
        yield SOURCE, metric.pool(prepared, every, threads), source


def judges_source_apart(metric: AnyMetric) -> bool:
    """Return whether the unchanged source is excluded from the metric's pool."""
    return metric.pooled and metric.evidence_of != "nothing"


def wants_guard(metrics: Iterable[AnyMetric]) -> bool:
    """Return whether one of the metrics uses no references.

    The unchanged source may have a high score under this metric, and a system must score clearly above it. The source
    is therefore shown with the systems.
    """
    return any(metric.evidence_of == "nothing" for metric in metrics)


def shows_source(metrics: Sequence[AnyMetric]) -> bool:
    """Return whether the unchanged source is compared with the systems.

    This is the case for metrics without references, unless the source would be in the pool of another metric.
    """
    return wants_guard(metrics) and not any(map(judges_source_apart, metrics))


def settle_for_systems(corpus: TextSource, metric: AnyMetric, threads: int = 0) -> dict[str, AnyMetric]:
    """Return the metric for each system, with its corpus constant from a first pass."""
    sums = survey_systems(corpus.parts(metric.block), [metric], Ready(metric.block), threads)[metric]
    return dict.fromkeys(corpus.system_names, metric) | {name: metric.settled(own) for name, own in sums.items()}


def survey_systems(
    parts: Iterable[Corpus],
    metrics: Sequence[AnyMetric],
    ready: Ready,
    threads: int = 0,
    progress: Progress | None = None,
    beside: Beside | None = None,
) -> dict[AnyMetric, dict[str, Any]]:
    """Return the sums that determine corpus constants, by metric and system.

    They are empty for a metric without a constant. All metrics share one pass. Texts ``beside`` the systems are
    included.
    """
    surveyed = by_survey_key(metrics)
    sums: dict[Hashable, dict[str, Any]] = {key: {} for key in surveyed}
    for part in parts if surveyed else ():
        for key, metric in surveyed.items():
            with sentences_from(part.first):
                texts = None if beside is None else beside(part, metric)
                for name, prepared, system in prepare_systems(part, metric, threads, ready.of(part), texts):
                    sums[key][name] = np.add(sums[key].get(name, 0.0), metric.survey(prepared, system, threads))
                    if progress is not None and name in part.systems:
                        progress(len(part))
    return {metric: sums[metric.survey_key] if metric.has_constant else {} for metric in metrics}


def by_survey_key(metrics: Iterable[AnyMetric]) -> dict[Hashable, AnyMetric]:
    """Return a metric for each distinct survey of a corpus."""
    return {metric.survey_key: metric for metric in metrics if metric.has_constant}


def select_sentences(parts: Iterable[Corpus], indices: Sequence[int], together: int | None = None) -> Iterator[Corpus]:
    """Yield the sentences at sorted indices of the corpus.

    ``together``: the largest number of sentences in a part.
    """
    size, wanted = together or len(indices) or 1, np.asarray(indices, dtype=np.int64)
    for part in parts:
        first, last = np.searchsorted(wanted, (part.first, part.first + len(part))).tolist()
        for start in range(first, last, size):
            selected = pick_sentences(part, wanted[start : min(start + size, last)])
            if selected is not None:
                yield selected


def pick_sentences(part: Corpus, places: NDArray[np.int64]) -> Corpus | None:
    """Return the sentences of a part at sorted indices of the corpus; None if empty."""
    first, last = np.searchsorted(places, (part.first, part.first + len(part)))
    own = (places[first:last] - part.first).tolist()
    if not own:
        return None
    return part if len(own) == len(part) else part.picked(own)


@contextlib.contextmanager
def sentences_from(start: int) -> Iterator[None]:
    """Add the number of preceding sentences to errors raised within."""
    try:
        yield
    except InputError as error:
        if start == 0 or error.sentence is None:
            raise
        raise error.relocate(start, f"(sentences counted from number {start + 1} on)") from error
