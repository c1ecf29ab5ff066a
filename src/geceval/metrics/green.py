"""GREEN: n-gram F-score over seven regions (Koyama et al., INLG 2024).

The regions hold the n-grams that source, reference and hypothesis share or lack.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ScoreFormula, best_regions, region_figures
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import Figure, nan_without
from geceval.counting.metric import About, BestSums, Outcome, Outcomes, Scale
from geceval.counting.settings import FROM_ZERO, setting
from geceval.metrics.shared.ngram_counting import (
    BLANKS,
    ORDERS,
    REGIONS,
    Blanks,
    NgramMetric,
    NgramRows,
    Ngrams,
    NgramUnit,
)
from geceval.text.columns import Lines

#: Only the orders of which source or reference has an n-gram.
Orders: TypeAlias = Literal["present"]


@dataclass(frozen=True)
class Green(NgramMetric):
    """GREEN with orders 1..n, F weighted by beta.

    The counts are the seven regions for each order, ``tk_1 … ui_n``: n-grams that source, reference and hypothesis
    keep, delete and insert. Precision and recall are geometric means over the orders.

    Source: Koyama, Nagata, Takamura and Okazaki, n-gram F-score for evaluating GEC (INLG 2024).
    """

    name: ClassVar[str] = "green"
    about: ClassVar[About] = About("F of n-grams kept, deleted, added", "unit=char,beta=1")
    scale: ClassVar[Scale] = Scale(conventions={"precision": 1.0, "recall": 0.0})

    n: int = setting(4, "preparing", bounds=ORDERS, meaning="largest n-gram order")
    beta: float = setting(2.0, "scoring", FROM_ZERO, meaning="weight of recall against precision; inf is recall")
    unit: NgramUnit = setting("word", "preparing", meaning="unit of the n-grams: words, code points or graphemes")
    blanks: Blanks | None = setting(None, "preparing", meaning=BLANKS)
    orders: Orders | None = setting(
        None,
        "scoring",
        meaning="orders that count: present, those of which source or reference has an n-gram; none: all up to n",
    )

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{region}_{order}" for order in range(1, self.n + 1) for region in REGIONS)

    @property
    def outcomes(self) -> Outcomes:
        outcomes: dict[str, Outcome] = {"t": "correct", "o": "wrong", "u": "missed"}
        return Outcomes({column: outcomes[column[0]] for column in self.columns})

    def counts_of(
        self, overlaps: NDArray[np.int32], prepared: Ngrams, hypothesis: Lines, threads: int, *, evidence: bool
    ) -> Counts:
        rows = self.evidence(prepared.evidence(hypothesis, threads)) if evidence else None
        return Counts(overlaps.reshape(*overlaps.shape[:2], -1), self.columns, prepared.present, rows)

    @property
    def best_sums(self) -> BestSums | None:
        # A subclass may count or compare references in its own way; the kernel compares by all orders.
        if type(self) is not Green or self.orders is not None:
            return None
        return lambda prepared, hypotheses, threads: prepared.best_sums(hypotheses, self.beta, threads)

    def evidence(self, ngrams: NgramRows) -> Evidence:
        """Return every n-gram with its region."""
        rows = np.flatnonzero(ngrams.region < len(REGIONS))
        return ngrams.to(rows, (ngrams.order[rows] - 1) * len(REGIONS) + ngrams.region[rows])

    def figures(self, totals: NDArray[Any]) -> Floats:
        """Return precision, recall and F of each order, and over the orders up to it.

        The shape is [..., n, 6]. Precision is 1 without TP + FP, recall is 0 without TP + FN; over several orders they
        are geometric means.
        """
        return region_figures(totals, self.n, self.beta)

    def figures_of_score(self, totals: NDArray[Any]) -> Floats:
        """Return the figures [..., 6] of the last order that counts; see ``figures``."""
        figures = self.figures(totals)
        if self.orders is None:
            return figures[..., -1, :]
        regions = np.asarray(totals).reshape(*np.shape(totals)[:-1], self.n, len(REGIONS))
        present = np.delete(regions, REGIONS.index("oi"), axis=-1).sum(axis=-1) > 0
        last = np.maximum(present.sum(axis=-1) - 1, 0)
        return np.take_along_axis(figures, last[..., np.newaxis, np.newaxis], axis=-2)[..., 0, :]

    @property
    def formula(self) -> ScoreFormula:
        return ScoreFormula.regions(n=self.n, beta=self.beta)

    @property
    def tested_formula(self) -> ScoreFormula | None:
        return self.formula if self.orders is None and type(self).score is Green.score else None

    def score(self, totals: NDArray[Any]) -> Floats:
        return super().score(totals) if self.orders is None else self.figures_of_score(totals)[..., 5]

    @property
    def figure(self) -> Figure:
        if self.orders is not None:
            return Figure(self.ranking, is_score=True)
        return RegionFigure(self.ranking, is_score=True, beta=self.beta)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return the score if orders are left out, then F over the orders 1..n, over 1..n-1, and so on down to 1."""
        over_orders = self.figures(counts)[..., ::-1, 5]
        if self.orders is None:
            return over_orders
        return np.concatenate([self.score(counts)[..., np.newaxis], over_orders], axis=-1)

    def reduced_columns(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts with TP as ``tk``, FP as ``od`` and FN as ``ud`` of each order."""
        regions = counts.reshape(-1, len(REGIONS))
        merged = np.zeros_like(regions)
        merged[:, [0, 3, 5]] = np.add.reduceat(regions, [0, 3, 5], axis=1)
        return merged.reshape(counts.shape)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        figures, regions = self.figures_of_score(totals), np.asarray(totals)[..., : len(REGIONS)]
        proposed, gold = ([region[0] in letters for region in REGIONS] for letters in ("to", "tu"))
        return {
            "precision": nan_without(figures[..., 3], regions[..., proposed].sum(axis=-1)),
            "recall": nan_without(figures[..., 4], regions[..., gold].sum(axis=-1)),
        }


@dataclass(frozen=True, kw_only=True)
class RegionFigure(Figure):
    """Figure that computes F over fewer orders only to break ties."""

    beta: float

    def best(self, counts: NDArray[Any], present: NDArray[np.bool_] | None) -> NDArray[np.intp]:
        return best_regions(counts, present, self.beta)
