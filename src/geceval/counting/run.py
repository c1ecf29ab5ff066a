"""Run metrics on a source, in the only counting loop, for one sentence or 10^9."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeVar

from geceval.base.arguments import COUNT, THREADS, Bounds, as_sequence, shown, whole
from geceval.base.errors import UsageError
from geceval.counting.ceilings import Ceilings, has_ceiling
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.consumers import Consumer, KeptCounts, Result, check_level
from geceval.counting.contract import Given
from geceval.counting.counts import LEVELS, Counts, Level
from geceval.counting.stream import (
    AnyMetric,
    Labels,
    Progress,
    Ready,
    Watched,
    by_count_key,
    by_survey_key,
    given,
    metrics_of,
    number_parts,
    prepare_systems,
    select_sentences,
    sentences_from,
    smallest_block,
    survey_systems,
    warn_of,
    with_needed_texts,
)
from geceval.text.corpus import Corpus, TextSource, WithSource, check_source, leaves_unchanged
from geceval.text.files import SOURCE

C = TypeVar("C", bound=Consumer[Any])
T = TypeVar("T")

#: Range of the number of sentences in a part.
BLOCK = Bounds(1, COUNT.high)


@dataclass(frozen=True, eq=False)
class Run:
    """Source, metrics and options of a counting pass, checked when it is made.

    Args:
        source: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        guard: Add the unchanged source as the last system (see stream.wants_guard). It is reset when this is done, so
            that dataclasses.replace does not add the source again.
        threads: Number of threads (0: one per processor).
        block: Number of sentences in a part, or largest number of ``only`` counted together (None: the smallest of the
            metrics).
        evidence: Whether counts have evidence, or the metrics whose counts have it.
        labels: Function that returns the labels of a part's sentences, which the counts have.
        only: Sorted indices of the sentences to count; a corpus constant is computed on the whole corpus.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (counting.checks), and score the gold's corrected texts
            where given gold edits meet text (counting.ceilings).
        ready: Preparation of the same source and references.
        watched: Accumulator of watched columns, if the source is a part of a corpus that is counted in separate runs.
            This run then does not warn.

    Attributes:
        ceilings: Results of the gold's corrected texts by metric and annotator, after counting.
        checked: Checks that were made.
        uncorrected: Names of the systems whose sentences all equal the source, after counting.

    Raises:
        GecevalError: If an argument is not valid; names the argument.
    """

    source: TextSource
    metrics: Sequence[AnyMetric]
    guard: bool = False
    threads: int = 0
    block: int | None = None
    evidence: bool | Collection[AnyMetric] = False
    labels: Labels | None = None
    only: Sequence[int] | None = None
    progress: Progress | None = None
    checks: bool = False
    ready: Ready | None = None
    watched: Watched | None = None
    _held: list[object] = field(default_factory=list, init=False, repr=False, compare=False)
    ceilings: dict[AnyMetric, dict[str, Result]] = field(default_factory=dict, init=False, repr=False, compare=False)
    checked: list[Checks] = field(default_factory=list, init=False, repr=False, compare=False)
    _equal: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.source, TextSource):
            check_source(self.source)
        if not isinstance(self.evidence, bool):
            object.__setattr__(self, "evidence", metrics_of(as_sequence("evidence", self.evidence, "metric")))
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress must be a function, not {shown(self.progress)}")
        values = {
            "source": WithSource(self.source) if self.guard else self.source,
            "guard": False,
            "threads": whole("threads", self.threads, THREADS),
            "metrics": metrics_of(self.metrics),
            "block": None if self.block is None else whole("block", self.block, BLOCK),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def hold(self) -> None:
        """Keep resources of metrics, such as an encoder, as long as the run exists."""
        # The signature must name the resources that are used for counting.
        if not self._held:
            self._held.extend(metric.held() for metric in self.metrics)

    @property
    def uncorrected(self) -> frozenset[str]:
        return frozenset(name for name, is_equal in self._equal.items() if is_equal and name != SOURCE)

    def given(self, system: str, metric: AnyMetric) -> Given:
        """Return the input of a metric for a system's signature, known before counting."""
        self.hold()
        return given(self.source, metric, system)

    def stream(self) -> Iterator[tuple[str, AnyMetric, Counts]]:
        """Yield (system, metric, counts) for all systems and distinct metrics, by part."""
        for _, name, metric, counts in self._counted():
            yield name, metric, counts

    def parts(
        self, made_of: Callable[[str, AnyMetric, Counts], T]
    ) -> Iterator[tuple[Corpus, dict[tuple[str, AnyMetric], T]]]:
        """Yield each part with what is made of its counts, by system and metric.

        Counts live until something is made of them: their evidence may take megabytes a system.
        """
        if not self.metrics:
            checks = Checks(self.source, warns=True) if self.checks else None
            parts = number_parts(self.source.parts(self._block), checks)
            for part in parts if self.only is None else select_sentences(parts, self.only, self.block):
                yield part, {}
                if self.progress is not None:
                    self.progress(len(part) * len(part.systems))
            return
        for _, rows in groupby(self._counted(), key=lambda row: row[0].place(0)):
            made: dict[tuple[str, AnyMetric], T] = {}
            for own, name, metric, counts in rows:
                part, made[name, metric] = own, made_of(name, metric, counts)
            yield part, made

    def consume(self, make: Callable[[str, AnyMetric], C]) -> dict[tuple[str, AnyMetric], C]:
        """Return a consumer, made by ``make``, of all counts of each system and metric."""
        consumers = {(name, metric): make(name, metric) for name in self.source.system_names for metric in self.metrics}
        for _, name, metric, counts in self._counted():
            consumers[name, metric].add(counts)
        for checks in self.checked:
            for (name, _), consumer in consumers.items():
                consumer.outputs = checks.accounts.get(f"system {name}")
        for (name, _), consumer in consumers.items():
            consumer.uncorrected = name in self.uncorrected
        for metric, ceilings in self.ceilings.items():
            for name in self.source.system_names:
                if has_ceiling(self.source, metric, name):
                    consumers[name, metric].ceilings = ceilings
        return consumers

    def _counted(self) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Count and warn, about settings, suspicious input and watched columns."""
        self.hold()
        watched = Watched() if self.watched is None else self.watched
        if self.watched is None:
            warn_of(remark for metric in self.metrics for remark in metric.remarks(self.source))
        ceilings = None
        if self.checks and self.source.has_gold and self.watched is None and self.only is None:
            ceilings = Ceilings(self.source, self.metrics)
        for row in self._rows(ceilings):
            if row[2].watched:
                watched.add(row[2], row[3])
            yield row
        if self.watched is None:
            warn_of(watched.remarks())
        if ceilings is not None:
            self.ceilings.update({} if ceilings.fault is not None else ceilings.results)
            for remark in ceilings.remarks():
                warnings.warn(remark, stacklevel=3)

    def _rows(self, ceilings: Ceilings | None) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Yield (part, system, metric, counts) for all systems and distinct metrics.

        Each part is prepared once for all metrics with one ``prepare_key``, and a system is counted once for all
        metrics with one ``count_key``. A metric with a corpus constant takes a first pass over the source. The gold's
        texts are counted like systems, and ``ceilings`` receives their counts.
        """
        source = with_needed_texts(self.source, self.metrics)
        ready = Ready(self._block) if self.ready is None else self.ready
        checks = Checks(self.source, self.metrics, warns=True) if self.checks else None
        if checks is not None:
            self.checked.append(checks)
        sharing, beside = by_count_key(self.metrics), None if ceilings is None else ceilings.within
        firsts = [own[0] for own in sharing.values()]
        surveyed = survey_systems(source, firsts, self.threads, ready, self.progress, checks, beside)
        settled = {
            metric.count_key: {name: metric.settled(total) for name, total in sums.items()}
            for metric, sums in surveyed.items()
        }
        explained = {
            key: self.evidence if isinstance(self.evidence, bool) else any(metric in self.evidence for metric in own)
            for key, own in sharing.items()
        }
        parts = number_parts(source.parts(ready.block), checks)
        if self.only is not None:
            parts = select_sentences(parts, self.only, self.block)
        for part in parts:
            made = ready.of(part.first) if self.only is None else {}
            for name, system in part.systems.items():
                self._equal[name] = self._equal.get(name, True) and leaves_unchanged(part.source, system)
            labels = None if self.labels is None else self.labels(part)
            with sentences_from(part.first):
                for key, own in sharing.items():
                    texts = None if beside is None else beside(part, own[0])
                    for name, prepared, system in prepare_systems(part, own[0], self.threads, made, texts):
                        counting = settled[key].get(name, own[0])
                        counts = counting.count(prepared, system, self.threads, evidence=explained[key])
                        if texts and ceilings is not None and name in texts:
                            for metric in own:
                                ceilings.add(metric, name, counts)
                            continue
                        counts = counts if labels is None else replace(counts, labels=labels)
                        for metric in own:
                            yield part, name, metric, counts
                        if self.progress is not None:
                            self.progress(len(part))

    @property
    def _block(self) -> int:
        """Number of sentences that are read together."""
        if self.block is not None and self.only is None:
            return self.block
        return smallest_block(self.metrics, alone=not self.evidence and len(self.source.system_names) == 1)

    @property
    def work(self) -> int | None:
        """Number of sentence-system pairs that ``progress`` receives, if known."""
        return None if self.source.sentences is None else self.source.sentences * self.work_of_a_sentence()

    def work_of_a_sentence(self) -> int:
        """Return how often a sentence is reported to ``progress``, by systems and passes."""
        passes = len(by_count_key(self.metrics)) + len(by_survey_key(self.metrics))
        return len(self.source.system_names) * max(1, passes)


def evaluate(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    views: Collection[Level] = LEVELS,
    details: bool = False,
    guard: bool = False,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> dict[str, list[Result]]:
    """Score all systems under all metrics in one counting pass.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        views: Levels of scores that are available in the results; fewer save memory and time.
        details: Also keep parts and counts of the sentences.
        guard: Add the unchanged source as the last system.
        threads: Number of threads (0: one per processor).
        block: Number of sentences counted together (None: by the metrics).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (docs/checks.md).

    Returns:
        Results by system, in the order of ``metrics``.

    Raises:
        InputError: If the input cannot be scored.
        UsageError: If an option has an unsupported value.
    """
    views = as_sequence("views", views, "level")
    for view in views:
        check_level(view)
    run = Run(corpus, metrics, guard, threads, block, progress=progress, checks=checks)
    found = run.consume(lambda system, metric: Result(metric, run.given(system, metric), views, details=details))
    return {name: [found[name, metric] for metric in run.metrics] for name in run.source.system_names}


def kept_counts(
    corpus: TextSource,
    metric: AnyMetric,
    *,
    threads: int = 0,
    evidence: bool = False,
    progress: Progress | None = None,
) -> dict[str, Counts]:
    """Return the counts of all systems under one metric."""
    run = Run(corpus, [metric], threads=threads, evidence=evidence, progress=progress)
    kept = run.consume(lambda system, own: KeptCounts(own))
    return {name: consumer.result() for (name, _), consumer in kept.items()}
