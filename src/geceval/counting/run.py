"""Run metrics on a source, in the only counting loop, for one sentence or 10^9."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar, cast

from geceval.counting.checks.beside_systems import BesideSystems, has_ceiling
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.consumers import Consumer
from geceval.counting.counts import ChosenSums, Counts, Floats
from geceval.counting.observations import Observed, SignatureInputs, WarningColumns, warn_of
from geceval.counting.results import Result, RunFacts
from geceval.counting.run_options import USUAL, Progress, RunOptions
from geceval.counting.signature import signature_inputs
from geceval.counting.stream import (
    Constants,
    ConstantSums,
    Misheards,
    PreparedParts,
    add_constant_sums,
    by_constant,
    by_count_key,
    check_own_references,
    check_own_sources,
    count_part,
    remarks_on,
    select_sentences,
    smallest_block,
    sum_part,
    with_constants,
)
from geceval.text.corpus import Corpus, TextSource
from geceval.text.prefetching import prefetched

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric, BestSums

C = TypeVar("C", bound=Consumer[Any])
T = TypeVar("T")


class Run:
    """A counting pass of metrics over a source; it can be used again, and starts anew each time.

    Args:
        source: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Options of the pass.
        prepared_parts: Preparations of the same source and references.
        constants: Sums of the whole corpus that determine its constants, if they are known (None: a first pass).

    Attributes:
        ceilings: Results of the gold's corrected texts by metric and annotator, after counting.
        accounts: Numbers of the lines of the source and of systems that are text, after checks.
        observed: Observations of the parts of the source.
        warning_columns: Sums of columns for warnings, after counting.
    """

    def __init__(
        self,
        source: TextSource,
        metrics: Sequence[AnyMetric],
        options: RunOptions = USUAL,
        *,
        prepared_parts: PreparedParts | None = None,
        constants: ConstantSums | None = None,
    ) -> None:
        self.source, self.metrics, self.options = source, list(metrics), options
        self._prepared_parts = PreparedParts(self.part_size) if prepared_parts is None else prepared_parts
        self._known_constants = constants
        self._resources: list[object] = []
        self._restart()

    def _restart(self) -> None:
        """Forget what an earlier use, which may not have read all parts, observed."""
        self.ceilings: dict[AnyMetric, dict[str, Result]] = {}
        self.accounts: dict[str, OutputAccount] = {}
        self.observed = Observed()
        self.warning_columns = WarningColumns()

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
        return signature_inputs(metric, self.source, system, self.observed)

    def stream(self) -> Iterator[tuple[Corpus, str, AnyMetric, Counts]]:
        """Yield (part, system, metric, counts) of all systems and metrics, by part.

        Each part is prepared once for all metrics with one ``prepare_key``, and a system is counted once for all
        metrics with one ``count_key``. A metric with a corpus constant takes a first pass over the source. The texts of
        the gold and of suggestions are counted with the systems. Warns about settings, suspicious input and sums of
        columns.
        """
        # Without metrics to sum, all rows have counts.
        return cast("Iterator[tuple[Corpus, str, AnyMetric, Counts]]", self._stream())

    def _stream(
        self, summed: Collection[AnyMetric] = ()
    ) -> Iterator[tuple[Corpus, str, AnyMetric, Counts | ChosenSums]]:
        """Yield the rows of ``stream``, for some metrics with sums in place of counts if nothing else needs counts."""
        options = self.options
        check_own_references(self.source, self.metrics)
        check_own_sources(self.source, self.metrics)
        self.hold()
        self._restart()
        if not options.is_part:
            warn_of(remark for metric in self.metrics for remark in metric.remarks(self.source))
        sides = self._beside()
        has_constants = bool(by_constant(self.metrics))
        constants = self.with_constants(sides) if has_constants else {}
        by_sums = {} if sides else self._by_sums(summed)
        counted = [metric for metric in self.metrics if metric not in by_sums]
        misheard: Misheards = {}
        for part in self._selected(is_first=not has_constants or self._known_constants is not None):
            preparations = self._prepared_parts.of(part) if options.only is None else {}
            for side in sides:
                side.count(part, preparations)
            for metric, best_sums in by_sums.items():
                for name, sums in sum_part(part, metric, best_sums, options, preparations):
                    yield part, name, metric, sums
            for name, metric, counts in count_part(part, counted, options, preparations, constants, misheard=misheard):
                for side in sides:
                    side.see(name, metric, counts)
                self.warning_columns.add(metric, counts)
                yield part, name, metric, counts
        if not options.is_part:
            warn_of(remarks_on(misheard))
            warn_of(self.warning_columns.remarks())
            self.warning_columns.check()
        for side in sides:
            self.ceilings.update(side.ceilings(self.signature_inputs))
            for finding in side.remarks():
                finding.warn()

    def parts(
        self, convert: Callable[[str, AnyMetric, Counts], T]
    ) -> Iterator[tuple[Corpus, dict[tuple[str, AnyMetric], T]]]:
        """Yield each part with its converted counts, by system and metric.

        Counts are not kept after the conversion, since their evidence may take megabytes per system.
        """
        if not self.metrics:
            self._restart()
            for part in self._selected(is_first=True):
                yield part, {}
                if self.options.progress is not None:
                    self.options.progress(len(part) * len(part.systems))
            return
        for _, rows in groupby(self.stream(), key=lambda row: row[0].place(0)):
            values: dict[tuple[str, AnyMetric], T] = {}
            for counted, name, metric, counts in rows:
                part, values[name, metric] = counted, convert(name, metric, counts)
            yield part, values

    def consume(self, make: Callable[[str, AnyMetric], C]) -> dict[tuple[str, AnyMetric], C]:
        """Return a consumer, made by ``make``, of all counts of each system and metric."""
        consumers = {(name, metric): make(name, metric) for name in self.source.system_names for metric in self.metrics}
        names = self.source.system_names
        summed = [metric for metric in self.metrics if all(consumers[name, metric].takes_sums for name in names)]
        for _, name, metric, counts in self._stream(summed):
            consumers[name, metric].add(counts)
        for (name, metric), consumer in consumers.items():
            consumer.end(self.facts(name, metric))
        return consumers

    def results(self, make: Callable[[str, AnyMetric], Consumer[T]]) -> dict[str, list[T]]:
        """Return the results of consumers, made by ``make``, by system, in the order of the metrics."""
        consumers, names = self.consume(make), self.source.system_names
        return {name: [consumers[name, metric].result() for metric in self.metrics] for name in names}

    def _by_sums(self, metrics: Collection[AnyMetric]) -> dict[AnyMetric, BestSums]:
        """Return the metrics whose references are chosen while counting: nothing else reads their counts."""
        if self.options.labels is not None:
            return {}
        alone = [group[0] for group in by_count_key(self.metrics).values() if len(group) == 1 and group[0] in metrics]
        return {
            metric: best_sums
            for metric in alone
            if (best_sums := metric.best_sums) is not None
            and not self.options.has_evidence([metric])
            and metric.final_remarks is None
            and metric.check_sums is None
        }

    def facts(self, system: str, metric: AnyMetric) -> RunFacts:
        """Return what was observed of a system, after the last part."""
        ceilings = self.ceilings.get(metric, {}) if has_ceiling(self.source, metric, system) else {}
        outputs, uncorrected = self.accounts.get(f"system {system}"), system in self.observed.uncorrected
        return RunFacts(self.signature_inputs(system, metric), ceilings, outputs, uncorrected)

    # --- corpus constants ---

    def constant_sums(self, sides: Sequence[BesideSystems] = ()) -> dict[Hashable, dict[str, Floats]]:
        """Return the sums that determine the constants of the corpus, by key of the constant and system."""
        sums: dict[Hashable, dict[str, Floats]] = {key: {} for key in by_constant(self.metrics)}
        if not sums:
            return sums
        for part in self._read(is_first=True):
            preparations = self._prepared_parts.of(part)
            add_constant_sums(sums, part, self.metrics, self.options, preparations)
            for side in sides:
                side.add_constant_sums(part, preparations)
        return sums

    def with_constants(self, sides: Sequence[BesideSystems] = ()) -> Constants:
        """Return the metrics that have a corpus constant, with it, by system."""
        sums = self.constant_sums(sides) if self._known_constants is None else self._known_constants
        return with_constants(self.metrics, sums)

    def _beside(self) -> list[BesideSystems]:
        """Return the texts of the gold and of suggestions, counted with the systems."""
        if not self.options.checks or self.options.is_part or self.options.only is not None:
            return []
        sides: list[BesideSystems] = []
        if self.source.gold is not None:
            from geceval.counting.checks.ceilings import Ceilings  # other runs need none

            sides.append(Ceilings(self.source, self.metrics, self.options.threads))
        if self.source.m2_systems:
            from geceval.counting.checks.suggested_texts import SuggestedTexts  # other runs need none

            sides.append(SuggestedTexts(self.source, self.metrics, self.options.threads))
        return sides

    # --- reading ---

    def _selected(self, *, is_first: bool) -> Iterator[Corpus]:
        """Yield the parts of the sentences to count."""
        parts = self._read(is_first=is_first)
        return parts if self.options.only is None else select_sentences(parts, self.options.only, self.options.block)

    def _read(self, *, is_first: bool) -> Iterator[Corpus]:
        """Yield the parts of the source; with several threads and parts, the next one is read and checked meanwhile."""
        parts = self._checked(is_first=is_first)
        is_single = self.source.sentences is not None and self.source.sentences <= self._prepared_parts.block
        return parts if self.options.threads == 1 or is_single else prefetched(parts)

    def _checked(self, *, is_first: bool) -> Generator[Corpus, None, None]:
        """Yield the parts of the source; the first pass observes and checks them."""
        checks = Checks(self.source, self.metrics, warns=True) if is_first and self.options.checks else None
        for part in self.source.narrow_parts(self._prepared_parts.block):
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
        if self.options.block is not None and self.options.only is None:
            return self.options.block
        return smallest_block(self.metrics)

    # --- progress ---

    def reporting(self, progress: Progress | None) -> Run:
        """Return a run with the same source and options that reports its progress."""
        return Run(self.source, self.metrics, replace(self.options, progress=progress))

    @property
    def work(self) -> int | None:
        """Number of sentence-system pairs that ``progress`` receives, if known."""
        return None if self.source.sentences is None else self.source.sentences * self.work_of_a_sentence()

    def work_of_a_sentence(self) -> int:
        """Return the number of times that ``progress`` receives a sentence."""
        passes = len(by_count_key(self.metrics)) + len(by_constant(self.metrics))
        return len(self.source.system_names) * max(1, passes)
