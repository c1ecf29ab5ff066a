"""GREEN: n-gram F-score over the seven regions of source, reference and hypothesis (Koyama et al., INLG 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.contract import Outcome, Outcomes
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import Figure, Ranked
from geceval.counting.ngrams import ORDERS, REGIONS, NgramMetric, NgramRows, Ngrams, Unit
from geceval.counting.policies import Best, Policy
from geceval.counting.settings import FROM_ZERO, setting
from geceval.text.corpus import Hypothesis


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """F of precision and recall, 0 if either is 0; an infinite beta gives the recall."""
    alpha = 1 / (beta**2 + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = 1 / (alpha / precision + (1 - alpha) / recall)
    return np.where((precision == 0) | (recall == 0), 0.0, f)


def geometric_means(values: Floats) -> Floats:
    """Geometric means of the first 1, 2, …, n of the last axis: [..., n] -> [..., n]."""
    with np.errstate(divide="ignore"):
        logs = np.log(values)
    # Order after order, since numpy is slow on many rows of n.
    means, total = np.empty_like(values), np.zeros(values.shape[:-1])
    for k in range(values.shape[-1]):
        total = total + logs[..., k]
        means[..., k] = np.exp(total / (k + 1))
    return means


@dataclass(frozen=True)
class Green(NgramMetric):
    """GREEN with orders 1..n, F weighted by beta, on words, characters (code points) or graphemes.

    The counts are the seven regions for each order, ``tk_1 … ui_n``: what source, reference and hypothesis keep, delete
    and insert. Precision and recall are geometric means over the orders.
    """

    name: ClassVar[str] = "green"

    n: int = setting(4, bounds=ORDERS)
    beta: float = setting(2.0, "scoring", FROM_ZERO)
    unit: Unit = "word"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{region}_{order}" for order in range(1, self.n + 1) for region in REGIONS)

    @property
    def outcomes(self) -> Outcomes:
        named: dict[str, Outcome] = {"t": "correct", "o": "wrong", "u": "missed"}
        return Outcomes({column: named[column[0]] for column in self.columns})

    @property
    def policy(self) -> Policy:
        return Best()

    def count(self, prepared: Ngrams, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        regions = prepared.count(hypothesis, threads)
        found = self.evidence(prepared.evidence(hypothesis, threads)) if evidence else None
        return Counts(regions.reshape(*regions.shape[:2], -1), self.columns, prepared.present, found)

    def evidence(self, ngrams: NgramRows) -> Evidence:
        """Every n-gram in its region."""
        rows = np.flatnonzero(ngrams.region < len(REGIONS))
        return ngrams.to(rows, (ngrams.order[rows] - 1) * len(REGIONS) + ngrams.region[rows])

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Precision and recall of each order, [..., n] each: 1 if there is no TP + FP, 0 if there is no TP + FN."""
        tk, td, ti, od, oi, ud, ui = np.moveaxis(totals.reshape(*totals.shape[:-1], self.n, len(REGIONS)), -1, 0)
        tp, fp, fn = tk + td + ti, od + oi, ud + ui
        precision = np.where(tp + fp > 0, tp / np.maximum(tp + fp, 1), 1.0)
        recall = np.where(tp + fn > 0, tp / np.maximum(tp + fn, 1), 0.0)
        return precision, recall

    def cumulative(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F over the orders 1..k, for k = 1, 2, …, n: [..., n] each."""
        precision, recall = (geometric_means(values) for values in self.precision_recall(totals))
        return precision, recall, f_score(precision, recall, self.beta)

    def score(self, totals: NDArray[Any]) -> Floats:
        return self.cumulative(totals)[2][..., -1]

    @property
    def figure(self) -> Figure:
        return Ranked(self.ranking)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """F over 1..n, ties broken by F over 1..n-1, and so on down to 1."""
        return self.cumulative(counts)[2][..., ::-1]

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall, _ = self.cumulative(totals)
        return {"precision": precision[..., -1], "recall": recall[..., -1]}
