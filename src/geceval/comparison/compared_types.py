"""Types of edits that are compared: their gold edits, and the metrics of each type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import MetricHeads, heads_of, labels
from geceval.counting.stream import smallest_block
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import OnEdits, counted_edits, possible_types
from geceval.text.corpus import TextSource
from geceval.text.m2.edit import UNKNOWN, cut_at_colons
from geceval.text.m2.type_selectors import TypeSelectors

#: Metrics that are also computed for edits of any type, once for each system.
FOR_ANY_TYPE = frozenset({"false-alarms"})


@dataclass(frozen=True)
class ComparedTypes:
    """Types of edits, and metrics that are computed for each of them.

    Attributes:
        edits: Number of gold edits of all annotators by selector of types, the most frequent type first.
        by_type: Metrics that count only the edits of a type.
        once: Metrics of all edits.
        absent: Selectors of types that no edit of references or systems has: nothing is computed for them.
    """

    edits: Mapping[str, int]
    by_type: tuple[AnyMetric, ...]
    once: tuple[AnyMetric, ...]
    absent: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[str | None, AnyMetric]]:
        """The type and the metric of each result, in the order of ``metrics``; None: any type."""
        present = [type_ for type_ in self.edits if type_ not in self.absent]
        typed: list[tuple[str | None, AnyMetric]] = [(type_, metric) for type_ in present for metric in self.by_type]
        return [*typed, *((None, metric) for metric in self.once)]

    @property
    def metrics(self) -> list[AnyMetric]:
        """The metrics of all types, then those of all edits."""
        cells = cast("Sequence[tuple[str | None, Any]]", self.cells)  # of type: metrics on edits, which have types
        return [metric if type_ is None else replace(metric, types=type_) for type_, metric in cells]

    @property
    def heads(self) -> dict[AnyMetric, MetricHeads]:
        """Names of the metrics in tables, without their types."""
        metrics = [*self.by_type, *(metric for metric in self.once if metric not in self.by_type)]
        return dict(zip(metrics, heads_of(metrics, labels(metrics, by="name")), strict=True))


def compared_types(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    types: Sequence[str] = (),
    *,
    top: int | None = None,
    threads: int = 0,
) -> ComparedTypes:
    """Return types of edits, the most frequent first, with the metrics that are computed for each.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics; those with the setting ``types`` are computed for each type.
        types: Selectors of types.
        top: Add this number of types, without operation, that are the most frequent in the gold edits.
        threads: Number of threads (0: one per processor).

    Raises:
        UsageError: If no metric has the setting ``types``, or one has a value for it.
        InputError: Without references and gold edits.
    """
    by_type = [metric for metric in metrics if isinstance(metric, OnEdits) and "types" in metric.settings]
    if not by_type:
        names = ", ".join(metric.name for metric in metrics)
        hint = Hint("use for example ", Option("metrics", "errant"))
        raise UsageError(f"no metric of {names} has the setting types", hint=hint)
    for metric in by_type:
        if metric.types is not None:
            raise UsageError(f"{metric.name}: types={metric.types} and compared types exclude each other")
    numbers = edits_by_type(corpus, by_type[0], threads)
    selectors = [*types, *([] if top is None else most_frequent(numbers, top))]
    edits = {selector: _matching(numbers, selector) for selector in dict.fromkeys(selectors)}
    in_order = sorted(edits, key=lambda selector: -edits[selector])
    once = [metric for metric in metrics if metric not in by_type or metric.name in FOR_ANY_TYPE]
    absent = _absent([selector for selector in in_order if not edits[selector]], corpus, by_type[0], threads)
    if len(absent) == len(in_order):
        absent = []  # the metric names what is wrong
    return ComparedTypes(
        {selector: edits[selector] for selector in in_order}, tuple(by_type), tuple(once), tuple(absent)
    )


def edits_by_type(corpus: TextSource, metric: OnEdits[Any], threads: int, *, of_systems: bool = False) -> Counter[str]:
    """Return the number of edits by full type, as a metric finds them: gold edits of all annotators, or of systems."""
    numbers = Counter[str]()
    # The parts of the run: edits that are found in text stay in the cache for it.
    for part in corpus.narrow_parts(smallest_block([metric])):
        if of_systems:
            hypotheses = part.systems.values()
            sides = [hypothesis_edits(part, hypothesis, metric.extraction, threads) for hypothesis in hypotheses]
        else:
            sides = [reference_edits(part, metric.extraction, threads)]
        for edits in sides:
            indices, counts = np.unique(edits.type[counted_edits(edits)], return_counts=True)
            strings = edits.strings
            counted = zip(indices.tolist(), counts.tolist(), strict=True)
            numbers.update({strings[index]: count for index, count in counted})
    return numbers


def _absent(selectors: Sequence[str], corpus: TextSource, metric: OnEdits[Any], threads: int) -> list[str]:
    """Return the selectors of possible types that no system's edit has, of those that no gold edit has."""
    possible, _ = possible_types(corpus)
    selectors = [selector for selector in selectors if not TypeSelectors.of(selector).unmatched(possible)]
    numbers = edits_by_type(corpus, metric, threads, of_systems=True) if selectors else {}
    return [selector for selector in selectors if not _matching(numbers, selector)]


def most_frequent(numbers: Mapping[str, int], top: int) -> list[str]:
    """Return the most frequent types without their operation; UNK, an error without a correction, is no type.

    Raises UsageError if there are no gold edits.
    """
    categories = Counter[str]()
    for type_, number in numbers.items():
        categories.update(dict.fromkeys(_categories(type_), number))
    if not categories:
        raise UsageError("there are no gold edits, so no type is frequent")
    return sorted(categories, key=lambda category: (-categories[category], category))[:top]


def _categories(type_: str) -> Iterator[str]:
    yield from {category for category in cut_at_colons(type_, "type").split("+") if category != UNKNOWN}


def _matching(numbers: Mapping[str, int], selector: str) -> int:
    selectors = TypeSelectors.of(selector)
    return sum(number for type_, number in numbers.items() if selectors.match(type_))
