"""Texts that are counted next to the systems, by the same functions on the same parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from geceval.counting.checks.findings import Finding
from geceval.counting.consumers import ScoredCounts
from geceval.counting.counts import Counts, Floats
from geceval.counting.observations import SignatureInputs
from geceval.counting.results import Result
from geceval.counting.run_options import RunOptions
from geceval.counting.stream import Constants, add_constant_sums, by_constant, count_part, with_constants
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric


def has_ceiling(source: TextSource, metric: AnyMetric, system: str) -> bool:
    """Return whether given gold edits meet edits found in a system's text, and none are carried over to its source."""
    is_given = source.gold is not None and source.gold_edits == "as-given" and not source.systems_with_own_sources
    return metric.matches_edits and is_given and system != SOURCE and system not in source.m2_systems


class BesideSystems(ABC):
    """Texts that are scored next to the systems of a run: systems of a second run over the same parts, in no pool.

    Args:
        results: Results of the texts by metric and name.
        threads: Number of threads (0: one per processor).
    """

    def __init__(self, results: Mapping[AnyMetric, Mapping[str, ScoredCounts]], threads: int) -> None:
        self.results, self._metrics, self._options = results, list(results), RunOptions(threads)
        self._sums: dict[Hashable, dict[str, Floats]] = {key: {} for key in by_constant(self._metrics)}

    @abstractmethod
    def texts(self, part: Corpus) -> Mapping[str, CompleteText]:
        """Return the texts of a part by name."""

    def see(self, name: str, metric: AnyMetric, counts: Counts) -> None:  # noqa: B027
        """Receive the counts of a system of the part."""

    def ceilings(
        self, signature_inputs: Callable[[str, AnyMetric], SignatureInputs]
    ) -> Mapping[AnyMetric, dict[str, Result]]:
        """Return ceilings by metric and annotator, after the last part."""
        return {}

    @abstractmethod
    def remarks(self) -> Iterator[Finding]:
        """Yield warnings, after the last part."""

    def add_constant_sums(self, part: Corpus, preparations: dict[Hashable, Any]) -> None:
        """Take the next part of a first pass."""
        if self._sums and (texts := self.texts(part)):
            add_constant_sums(self._sums, part, self._metrics, self._options, preparations, texts)

    def count(self, part: Corpus, preparations: dict[Hashable, Any]) -> None:
        """Count the texts of the next part."""
        if self._metrics and (texts := self.texts(part)):
            rows = count_part(part, self._metrics, self._options, preparations, self._constants, texts)
            for name, metric, counts in rows:
                self.results[metric][name].add(counts)

    @cached_property
    def _constants(self) -> Constants:
        """Metrics with their constant, after the first pass."""
        return with_constants(self._metrics, self._sums)
