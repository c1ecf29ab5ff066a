"""Selection policies: which reference each sentence is scored against.

A policy sees counts and the metric's arithmetic, never text. It is named in every signature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import sampled_references, sampled_sums

if TYPE_CHECKING:
    from geceval.counting.counts import Counts
    from geceval.counting.metric import Metric


class Policy(ABC):
    """How references are chosen: ``choices(metric, counts)`` is [m, S], the reference of every sentence, m times."""

    name: ClassVar[str]
    #: Whether a sentence's choice depends on that sentence alone, so that a corpus can be summed up block by block.
    local: ClassVar[bool]
    #: Whether the order of the sentences is without effect.
    order_free: ClassVar[bool]

    @abstractmethod
    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        """[m, S]: the reference of every sentence, m times; the corpus score is the mean over the m."""

    @property
    def settings(self) -> dict[str, Any]:
        """What goes into the signature."""
        return {"policy": self.name}

    def totals(self, metric: Metric, counts: Counts) -> NDArray[Any]:
        """The sums [m, K] of the chosen rows."""
        sums = [counts.chosen(choice).sum(axis=0) for choice in self.choices(metric, counts)]
        return np.stack(sums)

    def sentence_scores(self, metric: Metric, counts: Counts) -> NDArray[np.float64]:
        """[S]: every sentence on its own, with its best reference."""
        return metric.sentence_score(counts.chosen(best(metric, counts)))

    def sentence_parts(self, metric: Metric, counts: Counts) -> dict[str, NDArray[np.float64]]:
        """The metric's parts for every sentence on its own, [S] each, with the reference of its score."""
        return metric.sentence_parts(counts.chosen(best(metric, counts)))


def best(metric: Metric, counts: Counts) -> NDArray[np.intp]:
    """[S]: for every sentence the reference with the largest ``metric.ranking``, the first one among equals."""
    if counts.array.shape[1] == 1:
        return np.zeros(len(counts), dtype=np.intp)
    return first_largest(metric.ranking(counts.array), counts.mask)


def first_largest(ranks: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """[S]: in each row the place r with the largest ``ranks[s, r]``, compared number by number, the first one among
    equals; places outside ``mask[s, r]`` do not count."""
    ranks = np.where(mask[..., np.newaxis], ranks, -np.inf)
    choice = np.zeros(len(ranks), dtype=np.intp)
    top = ranks[:, 0]
    for r in range(1, ranks.shape[1]):
        other = ranks[:, r]
        differs = np.argmax(other != top, axis=1)[:, np.newaxis]  # 0 if nothing differs, which is no gain either
        gain = np.take_along_axis(other, differs, 1) > np.take_along_axis(top, differs, 1)
        choice[gain[:, 0]] = r
        top = np.where(gain, other, top)
    return choice


@dataclass(frozen=True)
class Best(Policy):
    """Every sentence takes the reference with which it scores highest by itself (GREEN, GLEU -m)."""

    name: ClassVar[str] = "best"
    local: ClassVar[bool] = True
    order_free: ClassVar[bool] = True

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        return best(metric, counts)[np.newaxis]


def mean_over_references(metric: Metric, counts: Counts) -> NDArray[np.float64]:
    """[S]: for every sentence the mean of its scores with each of the references it has."""
    return _mean_present(metric.sentence_score(counts.array), counts)


def mean_parts(metric: Metric, counts: Counts) -> dict[str, NDArray[np.float64]]:
    """As mean_over_references, for the metric's parts."""
    parts = metric.sentence_parts(counts.array)
    return {name: _mean_present(part, counts) for name, part in parts.items()}


def _mean_present(values: NDArray[np.float64], counts: Counts) -> NDArray[np.float64]:
    """[S, R] -> [S]"""
    means: NDArray[np.float64] = np.where(counts.mask, values, 0.0).sum(axis=1) / counts.mask.sum(axis=1)
    return means


@dataclass(frozen=True)
class Mean(Policy):
    """The mean of R corpus scores, in the k-th of which every sentence takes its k-th reference.

    A sentence with fewer references starts again at its first one. A sentence score is the mean over its references.
    """

    name: ClassVar[str] = "mean"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = True

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        own = np.argsort(~counts.mask, axis=1, kind="stable")  # those a sentence has, in order, then the others
        number = counts.mask.sum(axis=1)
        choices = [own[np.arange(len(own)), k % number] for k in range(counts.array.shape[1])]
        return np.stack(choices)

    def sentence_scores(self, metric: Metric, counts: Counts) -> NDArray[np.float64]:
        return mean_over_references(metric, counts)

    def sentence_parts(self, metric: Metric, counts: Counts) -> dict[str, NDArray[np.float64]]:
        return mean_parts(metric, counts)


@dataclass(frozen=True)
class Sampled(Policy):
    """The mean of corpus scores with references drawn at random for every sentence, ``iterations`` times (GLEU).

    Seed None draws what the original scorer draws: for iteration i the generator (MT19937) is seeded with i * 101, and
    each sentence in order takes int(random() * R). Any other seed is free. With one reference a single iteration is
    enough. A sentence score is the mean over its references, which is what sampling tends to.
    """

    iterations: int = 500
    seed: int | None = None

    name: ClassVar[str] = "sampled"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = False

    @property
    def settings(self) -> dict[str, Any]:
        seed = "fixed" if self.seed is None else self.seed
        return {"policy": self.name, "iterations": self.iterations, "seed": seed}

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        return sampled_references(counts.mask, self._enough(counts), self.seed).astype(np.intp)

    def totals(self, metric: Metric, counts: Counts) -> NDArray[Any]:
        return sampled_sums(np.ascontiguousarray(counts.array), counts.mask, self._enough(counts), self.seed)

    def sentence_scores(self, metric: Metric, counts: Counts) -> NDArray[np.float64]:
        return mean_over_references(metric, counts)

    def sentence_parts(self, metric: Metric, counts: Counts) -> dict[str, NDArray[np.float64]]:
        return mean_parts(metric, counts)

    def _enough(self, counts: Counts) -> int:
        return 1 if bool((counts.mask.sum(axis=1) == 1).all()) else self.iterations


@dataclass(frozen=True)
class Running(Policy):
    """Sentence after sentence, the reference that makes the score of all sentences so far highest (MaxMatch, ERRANT).

    What is compared is ``metric.running_key`` of the totals so far plus the sentence's counts; the first among equals
    wins. The choice depends on the order of the sentences, as in the public tools.
    """

    name: ClassVar[str] = "running"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = False

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        totals = [0] * len(counts.columns)
        chosen = []
        for rows, mask in zip(counts.array.tolist(), counts.mask.tolist(), strict=True):
            candidates = [
                ([total + more for total, more in zip(totals, row, strict=True)], row, r)
                for r, row in enumerate(rows)
                if mask[r]
            ]
            if len(candidates) > 1:
                totals, _, r = max(candidates, key=lambda it: (metric.running_key(it[0]), metric.tie_key(it[1])))
            else:
                [(totals, _, r)] = candidates
            chosen.append(r)
        return np.array(chosen, dtype=np.intp)[np.newaxis]


@dataclass(frozen=True)
class Optimum(Policy):
    """The references that together give the highest corpus score, whatever the order of the sentences.

    For scores that are a ratio of two weighted sums of counts (``metric.ratio``): Dinkelbach's method (Management
    Science 13.7, 1967) alternates between the ratio and the best reference of each sentence under it, until neither
    changes; the result is the exact optimum. Among equals more above the line, then less below it, then the first
    reference (so that a sentence without any gain still takes the reference that costs least).
    """

    name: ClassVar[str] = "optimum"
    local: ClassVar[bool] = False
    order_free: ClassVar[bool] = True

    def choices(self, metric: Metric, counts: Counts) -> NDArray[np.intp]:
        above, below = metric.ratio
        gains, costs = counts.array @ np.asarray(above), counts.array @ np.asarray(below)
        rows = np.arange(len(counts))
        cheapest = first_largest(-costs[..., np.newaxis], counts.mask)
        if not costs[rows, cheapest].any():
            return cheapest[np.newaxis]  # nothing found, nothing missed: perfect, though no ratio
        ratio = 0.0
        while True:
            choice = first_largest(np.stack([gains - ratio * costs, gains, -costs], axis=-1), counts.mask)
            gain, cost = gains[rows, choice].sum(), costs[rows, choice].sum()
            if cost == 0 or gain / cost <= ratio:
                return choice[np.newaxis]
            ratio = gain / cost
