"""GREEN: n-gram F-score over seven regions (Koyama et al., INLG 2024).

The regions hold the n-grams that source, reference and hypothesis share or lack.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.contract import Outcome, Outcomes
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.settings import FROM_ZERO, setting
from geceval.metrics.shared.ngram_counting import BLANKS, ORDERS, REGIONS, Blanks, NgramMetric, NgramRows, Ngrams, Unit
from geceval.text.corpus import Lines

#: The regions [3, 7] of which TP, TP + FP and TP + FN consist.
_SUMS = np.array([[1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1, 1]], np.float64)
#: Precision without a proposed n-gram, recall without an n-gram to find.
_EMPTY = np.array([[1.0], [0.0]])


def _f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Return F as the public code computes it.

    Its last bits differ from figures.f_score. F is 0 if precision or recall is 0; an infinite beta gives the recall.
    """
    alpha = 1 / (beta**2 + 1)
    f: Floats = 1 / (alpha / precision + (1 - alpha) / recall)
    # With both in it, something is divided by 0, and f is 0 already.
    return f if 0 < alpha < 1 else np.where((precision == 0) | (recall == 0), 0.0, f)


def _zeros() -> np.errstate:
    """Ignore divisions by 0 and logarithms of 0 in a block."""
    return np.errstate(divide="ignore", invalid="ignore")


@lru_cache
def _columns(n: int) -> tuple[str, ...]:
    return tuple(f"{region}_{order}" for order in range(1, n + 1) for region in REGIONS)


@dataclass(frozen=True)
class Green(NgramMetric):
    """GREEN with orders 1..n, F weighted by beta.

    The counts are the seven regions for each order, ``tk_1 … ui_n``: n-grams that source, reference and hypothesis
    keep, delete and insert. Precision and recall are geometric means over the orders.

    Source: Koyama, Nagata, Takamura and Okazaki, n-gram F-score for evaluating GEC (INLG 2024).
    """

    name: ClassVar[str] = "green"
    measures: ClassVar[str] = "F of n-grams kept, deleted or added"
    example: ClassVar[str] = "unit=char,beta=1"
    best_is_highest: ClassVar[bool] = True

    n: int = setting(4, bounds=ORDERS, meaning="largest n-gram order")
    beta: float = setting(2.0, "scoring", FROM_ZERO, meaning="weight of recall against precision; inf is recall")
    unit: Unit = setting("word", meaning="unit of the n-grams: words, code points or graphemes")
    blanks: Blanks | None = setting(None, meaning=BLANKS)

    @property
    def columns(self) -> tuple[str, ...]:
        return _columns(self.n)

    @property
    def outcomes(self) -> Outcomes:
        named: dict[str, Outcome] = {"t": "correct", "o": "wrong", "u": "missed"}
        return Outcomes({column: named[column[0]] for column in self.columns})

    def count(self, prepared: Ngrams, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        regions = prepared.count(hypothesis, threads)
        found = self.evidence(prepared.evidence(hypothesis, threads)) if evidence else None
        return Counts(regions.reshape(*regions.shape[:2], -1), self.columns, prepared.present, found)

    def evidence(self, ngrams: NgramRows) -> Evidence:
        """Return every n-gram with its region."""
        rows = np.flatnonzero(ngrams.region < len(REGIONS))
        return ngrams.to(rows, (ngrams.order[rows] - 1) * len(REGIONS) + ngrams.region[rows])

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return precision and recall of each order, [..., n] each.

        Precision is 1 without TP + FP, recall is 0 without TP + FN.
        """
        with _zeros():
            precision, recall = self._ratios(totals).transpose(1, 2, 0).reshape(2, *totals.shape[:-1], self.n)
        return precision, recall

    def _ratios(self, totals: NDArray[Any]) -> Floats:
        """Return precision and recall of each order, [n, 2, rows].

        Few steps over many rows: numpy is slow in its steps and on rows of n.
        """
        sums = np.matmul(_SUMS, totals.reshape(-1, self.n, len(REGIONS)).transpose(1, 2, 0))
        tp, wholes = sums[:, :1], sums[:, 1:]
        return np.where(wholes > 0, tp / wholes, _EMPTY)

    def f_of(self, precision: Floats, recall: Floats) -> Floats:
        """Return F [...] of precisions and recalls."""
        with _zeros():
            return _f_score(precision, recall, self.beta)

    def cumulative(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Return precision, recall and F over the orders 1..k, [..., n] each.

        k is 1, 2, …, n; precision and recall are geometric means.
        """
        with _zeros():
            sums = accumulate(np.log(self._ratios(totals)), np.add)
            means = np.stack([np.exp(total / k) for k, total in enumerate(sums, 1)], axis=-1)
            precision, recall = means.reshape(2, *totals.shape[:-1], self.n)
            return precision, recall, _f_score(precision, recall, self.beta)

    def score(self, totals: NDArray[Any]) -> Floats:
        with _zeros():
            # Order after order, as above: with at least two rows numpy sums in this way.
            precision, recall = np.exp(np.add.reduce(np.log(self._ratios(totals)), axis=0) / self.n)
            return _f_score(precision, recall, self.beta).reshape(totals.shape[:-1])

    def condensed(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts with TP as ``tk``, FP as ``od`` and FN as ``ud`` of each order."""
        regions = counts.reshape(-1, len(REGIONS))
        found = np.zeros_like(regions)
        found[:, [0, 3, 5]] = np.add.reduceat(regions, [0, 3, 5], axis=1)
        return found.reshape(counts.shape)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return F over 1..n, then F over 1..n-1, and so on down to 1."""
        return self.cumulative(counts)[2][..., ::-1]

    @property
    def beta_of_score(self) -> float:
        return self.beta

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall, _ = self.cumulative(totals)
        return {"precision": precision[..., -1], "recall": recall[..., -1]}
