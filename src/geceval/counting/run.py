"""A run: which metrics count which source, and how. It has the one loop that counts, for one sentence or 10^9."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeVar

from geceval.base.arguments import COUNT, THREADS, Bounds, as_sequence, shown, whole
from geceval.base.errors import UsageError
from geceval.counting.checks.corpus_checks import watching
from geceval.counting.consumers import Consumer, KeptCounts, Result, check_level
from geceval.counting.contract import Given
from geceval.counting.counts import LEVELS, Counts, Level
from geceval.counting.stream import (
    AnyMetric,
    Labels,
    Progress,
    Ready,
    Watched,
    asked_parts,
    by_count_key,
    given,
    metrics_of,
    numbered,
    prepared_systems,
    sentences_from,
    settled_for_systems,
    smallest_block,
    warn_of,
    with_needed_texts,
)
from geceval.text.corpus import Corpus, TextSource, WithSource

C = TypeVar("C", bound=Consumer[Any])

#: Sentences of a part.
BLOCK = Bounds(1, COUNT.high)


@dataclass(frozen=True)
class Run:
    """What is counted, by which metrics, and how; checked when it is made.

    ``guard``: add the unchanged source as the last system of ``source`` (stream.wants_guard says for whom); it is off
    once that is done, so that dataclasses.replace does not add it again.
    ``threads`` 0: all processors. ``block``: sentences of a part (None: the smallest of the metrics'). ``evidence``,
    ``labels``: what the counts carry; evidence perhaps those of some metrics alone. ``only``: count these sentences, by
    their places from 0 on, in order; a corpus constant is still that of the whole. ``skip``: do not count this number
    of sentences at the start, whole parts, which are only read; InputError where no part ends there. ``progress`` is
    called with the number of sentence-system pairs done since the last call. ``checks``: warn (GecevalWarning) of
    suspicious input (counting.checks). ``ready``: what was prepared before of the same source and references.
    ``watched``: the source is a part of one that is counted apart: it takes in what there is to warn of at the end of
    the whole, and this run does not warn.
    Raises GecevalError that names the argument if something is wrong with it.
    """

    source: TextSource
    metrics: Sequence[AnyMetric]
    guard: bool = False
    threads: int = 0
    block: int | None = None
    evidence: bool | Collection[AnyMetric] = False
    labels: Labels | None = None
    only: Sequence[int] | None = None
    skip: int = 0
    progress: Progress | None = None
    checks: bool = False
    ready: Ready | None = None
    watched: Watched | None = None
    _held: list[object] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.source, TextSource):
            hint = "make one: geceval.Corpus(source, references, systems), or read one: geceval.read_corpus"
            raise UsageError(f"corpus is a Corpus, not {shown(self.source)}", hint=hint)
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress is a function, not {shown(self.progress)}")
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
        """Keep what metrics hold, such as an encoder, as long as the run exists: what signs is what counts."""
        if not self._held:
            self._held.extend(metric.held() for metric in self.metrics)

    def given(self, system: str, metric: AnyMetric) -> Given:
        """Return what a metric is given of a system, for its signature; known before anything is counted."""
        self.hold()
        return given(self.source, metric, system)

    def stream(self) -> Iterator[tuple[str, AnyMetric, Counts]]:
        """Yield the counts (system, metric, counts) of every system under every distinct metric, part by part."""
        for _, name, metric, counts in self._counted():
            yield name, metric, counts

    def parts(self) -> Iterator[tuple[Corpus, list[tuple[str, AnyMetric, Counts]]]]:
        """Yield each part with its counts of all systems under all metrics. Memory: that of all of them."""
        if not self.metrics:
            checks = watching(self.source, ()) if self.checks else None
            parts = numbered(self.source.parts(self.block or smallest_block(())), checks)
            for part in asked_parts(parts, self.skip, self.only):
                yield part, []
                if self.progress is not None:
                    self.progress(len(part) * len(part.systems))
            return
        for _, rows in groupby(self._counted(), key=lambda row: row[0].first):
            own = list(rows)
            yield own[0][0], [(name, metric, counts) for _, name, metric, counts in own]

    def consume(self, make: Callable[[str, AnyMetric], C]) -> dict[tuple[str, AnyMetric], C]:
        """Return a consumer for each system and metric, as ``make`` makes it, with all the counts taken in."""
        consumers = {(name, metric): make(name, metric) for name in self.source.system_names for metric in self.metrics}
        for _, name, metric, counts in self._counted():
            consumers[name, metric].add(counts)
        return consumers

    def _counted(self) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Count, and warn: of the metrics' settings, of suspicious input, and at the end of what metrics watched."""
        self.hold()
        watched = Watched() if self.watched is None else self.watched
        if self.watched is None:
            warn_of(remark for metric in self.metrics for remark in metric.remarks(self.source))
        for row in self._rows():
            if row[2].watched:
                watched.add(row[2], row[3])
            yield row
        if self.watched is None:
            warn_of(watched.remarks())

    def _rows(self) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Yield (part, system, metric, counts) of every system under every distinct metric: the one loop that counts.

        Each part is prepared once for all metrics with one ``prepare_key``, and a system is counted once for all
        metrics with one ``count_key``. A metric with a corpus constant takes a first pass over the source.
        """
        source = with_needed_texts(self.source, self.metrics)
        ready = Ready(self.block or smallest_block(self.metrics)) if self.ready is None else self.ready
        checks = watching(self.source, self.metrics) if self.checks else None
        sharing = by_count_key(self.metrics)
        settled = {
            key: settled_for_systems(source, own[0], self.threads, ready, self.progress, checks)
            for key, own in sharing.items()
        }
        explained = {
            key: self.evidence if isinstance(self.evidence, bool) else any(metric in self.evidence for metric in own)
            for key, own in sharing.items()
        }
        parts = numbered(source.parts(ready.block), checks)
        for part in parts if self.skip == 0 and self.only is None else asked_parts(parts, self.skip, self.only):
            made = ready.of(part.first) if self.only is None else {}
            labels = None if self.labels is None else self.labels(part)
            with sentences_from(part.first):
                for key, own in sharing.items():
                    for name, prepared in prepared_systems(part, own[0], self.threads, made):
                        asked, system = settled[key][name], part.systems[name]
                        counts = asked.count(prepared, system, self.threads, evidence=explained[key])
                        counts = counts if labels is None else replace(counts, labels=labels)
                        for metric in own:
                            yield part, name, metric, counts
                        if self.progress is not None:
                            self.progress(len(part))

    @property
    def work(self) -> int | None:
        """How many sentence-system pairs will be reported to ``progress``, first passes included, if known."""
        return None if self.source.sentences is None else self.source.sentences * self.work_of_a_sentence()

    def work_of_a_sentence(self, *, first: bool = True) -> int:
        """Return how often a sentence is reported to ``progress``: for every system in every pass, ``first`` ones that
        do not count included or not."""
        passes = sum(1 + (first and own[0].has_constant) for own in by_count_key(self.metrics).values())
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
    """The results of every system, in the order of ``metrics``, from one counting pass.

    ``views``: the levels of which scores will be asked for; all of them unless memory or time is short. ``details``:
    the parts and counts of the sentences will be asked for, too. ``guard``: the unchanged source is one more system,
    the last. ``checks``: warn (GecevalWarning) of suspicious input, such as files that do not belong together; see
    docs/checks.md.
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
    """The counts of every system under one metric, whole."""
    run = Run(corpus, [metric], threads=threads, evidence=evidence, progress=progress)
    kept = run.consume(lambda system, own: KeptCounts(own))
    return {name: consumer.result() for (name, _), consumer in kept.items()}
