"""Run metrics on a source, in the only counting loop, for one sentence or 10^9."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeVar

from geceval.base.arguments import COUNT, THREADS, Bounds, as_sequence, shown, whole
from geceval.base.errors import UsageError
from geceval.counting.checks.ceilings import Ceilings, SuggestedTexts, has_ceiling
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.consumers import Consumer, KeptCounts, Result, check_level
from geceval.counting.counts import (
    LEVELS,
    Counts,
    Level,
    Observed,
    SignatureInputs,
    WarningColumns,
    sentences_from,
    warn_of,
)
from geceval.counting.metric_names import metrics_of
from geceval.counting.stream import (
    AnyMetric,
    Labels,
    PreparedParts,
    Progress,
    TextsOf,
    by_constant,
    by_count_key,
    first_pass,
    prepare_systems,
    select_sentences,
    smallest_block,
)
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource, check_source
from geceval.text.prefetching import prefetched

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
        evidence: True, or the metrics to keep evidence for.
        longest: Largest order of n-grams in evidence of differences (None: all evidence); see Metric.for_differences.
        labels: Function that returns the labels of a part's sentences, which the counts have.
        only: Sorted indices of the sentences to count; a corpus constant is computed on the whole corpus.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (counting.checks), and score the gold's corrected texts
            where given gold edits meet text (counting.checks.ceilings).
        prepared_parts: Preparations of the same source and references.
        warning_columns: Accumulator of columns for warnings, if the source is a part of a corpus that is counted in
            separate runs. This run then does not warn.

    Attributes:
        ceilings: Results of the gold's corrected texts by metric and annotator, after counting.
        accounts: Numbers of the lines of the source and of systems that are text, after checks.
        observed: Observations of the parts of the source.

    Raises:
        GecevalError: If an argument is not valid; names the argument.
    """

    source: TextSource
    metrics: Sequence[AnyMetric]
    guard: bool = False
    threads: int = 0
    block: int | None = None
    evidence: bool | Collection[AnyMetric] = False
    longest: int | None = None
    labels: Labels | None = None
    only: Sequence[int] | None = None
    progress: Progress | None = None
    checks: bool = False
    prepared_parts: PreparedParts | None = None
    warning_columns: WarningColumns | None = None
    _resources: list[object] = field(default_factory=list, init=False, repr=False, compare=False)
    ceilings: dict[AnyMetric, dict[str, Result]] = field(default_factory=dict, init=False, repr=False, compare=False)
    accounts: dict[str, OutputAccount] = field(default_factory=dict, init=False, repr=False, compare=False)
    observed: Observed = field(default_factory=Observed, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.source, TextSource):
            check_source(self.source)
        if not isinstance(self.evidence, bool):
            object.__setattr__(self, "evidence", metrics_of([*self.evidence], optional=True))
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress must be a function, not {shown(self.progress)}")
        values = {
            "source": self.source.with_unchanged() if self.guard else self.source,
            "guard": False,
            "threads": whole("threads", self.threads, THREADS),
            "metrics": metrics_of(self.metrics, optional=True),
            "block": None if self.block is None else whole("block", self.block, BLOCK),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def hold(self) -> None:
        """Keep resources of metrics, such as an encoder, as long as the run exists."""
        # The signature must name the resources that are used for counting.
        if not self._resources:
            self._resources.extend(metric.resources() for metric in self.metrics)

    def signature_inputs(self, system: str, metric: AnyMetric) -> SignatureInputs:
        """Return the input of a metric for a signature; an uncounted source is read."""
        self.hold()
        if self.observed.texts is None:
            self.observed.merge(Observed.of(self.source))
        return metric.signature_inputs(self.source, system, self.observed)

    def stream(self) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Yield (part, system, metric, counts) of all systems and metrics, by part.

        Each part is prepared once for all metrics with one ``prepare_key``, and a system is counted once for all
        metrics with one ``count_key``. A metric with a corpus constant takes a first pass over the source. The texts of
        the gold and of suggestions are counted like systems. Warns about settings, suspicious input and sums of
        columns.
        """
        self.hold()
        is_complete = self.warning_columns is None
        if is_complete:
            warn_of(remark for metric in self.metrics for remark in metric.remarks(self.source))
        warning_columns = WarningColumns() if self.warning_columns is None else self.warning_columns
        prepared_parts = PreparedParts(self.part_size) if self.prepared_parts is None else self.prepared_parts
        has_ceilings = self.checks and is_complete and self.only is None
        ceilings = Ceilings(self.source, self.metrics) if has_ceilings and self.source.gold is not None else None
        suggested = SuggestedTexts(self.source, self.metrics) if has_ceilings and self.source.m2_systems else None
        sides = [side for side in (ceilings, suggested) if side is not None]

        def more_texts_of(part: Corpus, metric: AnyMetric) -> Mapping[str, CompleteText]:
            return {name: text for side in sides for name, text in side.texts(part, metric).items()}

        metrics_by_key = by_count_key(self.metrics)
        counted_metrics = [metrics[0] for metrics in metrics_by_key.values()]
        with_constants = self._with_constants(counted_metrics, prepared_parts, more_texts_of)
        for part in self._selected(prepared_parts.block, is_first=not by_constant(counted_metrics)):
            preparations = prepared_parts.of(part) if self.only is None else {}
            labels = None if self.labels is None else self.labels(part)
            with sentences_from(part.first):
                for metrics in metrics_by_key.values():
                    first = metrics[0]
                    evidence_metrics = [first] if self.evidence is True else self.evidence or ()
                    evidence = any(metric in evidence_metrics for metric in metrics)
                    more_texts = more_texts_of(part, first)
                    for name, prepared, lines in prepare_systems(part, first, self.threads, preparations, more_texts):
                        metric = with_constants[first].get(name, first)
                        if self.longest is not None:
                            prepared = metric.for_differences(prepared, self.longest)
                        counts = metric.checked_counts(prepared, lines, self.threads, evidence=evidence)
                        for side in sides:
                            side.add(metrics, name, counts)
                        if name in more_texts:
                            continue
                        counts = counts if labels is None else replace(counts, labels=labels)
                        for metric in metrics:
                            warning_columns.add(metric, counts)
                            yield part, name, metric, counts
                        if self.progress is not None:
                            self.progress(len(part))
        if is_complete:
            warn_of(warning_columns.remarks())
        if ceilings is not None:
            self.ceilings.update(ceilings.end(self.signature_inputs))
        for finding in (finding for side in sides for finding in side.remarks()):
            finding.warn()

    def parts(
        self, convert: Callable[[str, AnyMetric, Counts], T]
    ) -> Iterator[tuple[Corpus, dict[tuple[str, AnyMetric], T]]]:
        """Yield each part with its converted counts, by system and metric.

        Counts are not kept after the conversion, since their evidence may take megabytes per system.
        """
        if not self.metrics:
            for part in self._selected(self.part_size, is_first=True):
                yield part, {}
                if self.progress is not None:
                    self.progress(len(part) * len(part.systems))
            return
        for _, rows in groupby(self.stream(), key=lambda row: row[0].place(0)):
            values: dict[tuple[str, AnyMetric], T] = {}
            for counted, name, metric, counts in rows:
                part, values[name, metric] = counted, convert(name, metric, counts)
            yield part, values

    def consume(self, make: Callable[[str, AnyMetric], C]) -> dict[tuple[str, AnyMetric], C]:
        """Return a consumer, made by ``make``, of all counts of each system and metric."""
        consumers = {(name, metric): make(name, metric) for name in self.source.system_names for metric in self.metrics}
        for _, name, metric, counts in self.stream():
            consumers[name, metric].add(counts)
        for (name, metric), consumer in consumers.items():
            consumer.end(self.signature_inputs(name, metric))
            consumer.outputs = self.accounts.get(f"system {name}")
            consumer.uncorrected = name in self.observed.uncorrected
            if metric in self.ceilings and has_ceiling(self.source, metric, name):
                consumer.ceilings = self.ceilings[metric]
        return consumers

    def _with_constants(
        self, metrics: Sequence[AnyMetric], prepared_parts: PreparedParts, more_texts: TextsOf | None
    ) -> dict[AnyMetric, dict[str, AnyMetric]]:
        """Return each metric with its corpus constant by system, from a first pass."""
        parts = self._read(prepared_parts.block, is_first=True) if by_constant(metrics) else ()
        sums_of = first_pass(parts, metrics, prepared_parts, self.threads, self.progress, more_texts)
        return {
            metric: {name: metric.constant.with_constant(sums) for name, sums in by_system.items() if metric.constant}
            for metric, by_system in sums_of.items()
        }

    def _selected(self, block: int, *, is_first: bool) -> Iterator[Corpus]:
        """Yield the parts of the sentences to count."""
        parts = self._read(block, is_first=is_first)
        return parts if self.only is None else select_sentences(parts, self.only, self.block)

    def _read(self, block: int, *, is_first: bool) -> Iterator[Corpus]:
        """Yield the parts of the source; with several threads and parts, the next one is read and checked meanwhile."""
        parts = self._checked(block, is_first=is_first)
        is_single = self.source.sentences is not None and self.source.sentences <= block
        return parts if self.threads == 1 or is_single else prefetched(parts)

    def _checked(self, block: int, *, is_first: bool) -> Generator[Corpus, None, None]:
        """Yield the parts of the source; the first pass observes and checks them."""
        if is_first:  # an earlier use of this run, which may not have read all parts, observed others
            object.__setattr__(self, "observed", Observed())
            self.accounts.clear()
            self.ceilings.clear()
        checks = Checks(self.source, self.metrics, warns=True) if is_first and self.checks else None
        for part in self.source.narrow_parts(block):
            if is_first:
                self.observed.add(part)
            if checks is not None:
                checks.add(part)
            yield part
        if checks is not None:
            checks.end()
            self.accounts.update(checks.accounts)

    @property
    def part_size(self) -> int:
        """Number of sentences that are read together."""
        if self.block is not None and self.only is None:
            return self.block
        return smallest_block(self.metrics)

    @property
    def work(self) -> int | None:
        """Number of sentence-system pairs that ``progress`` receives, if known."""
        return None if self.source.sentences is None else self.source.sentences * self.work_of_a_sentence()

    def work_of_a_sentence(self) -> int:
        """Return the number of times that ``progress`` receives a sentence."""
        passes = len(by_count_key(self.metrics)) + len(by_constant(self.metrics))
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
    results = run.consume(lambda _, metric: Result(metric, views, details=details))
    return {name: [results[name, metric] for metric in run.metrics] for name in run.source.system_names}


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
    consumers = run.consume(lambda _, metric: KeptCounts(metric))
    return {name: consumer.result() for (name, _), consumer in consumers.items()}
