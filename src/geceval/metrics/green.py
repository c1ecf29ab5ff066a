"""GREEN: n-gram F-score over the seven regions of source, reference and hypothesis (Koyama et al., INLG 2024)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import Figure, Ranked
from geceval.counting.ngrams import ORDERS, REGIONS, NgramMetric, NgramRows, Ngrams, Unit
from geceval.counting.policies import Best, Policy
from geceval.counting.settings import FROM_ZERO, setting
from geceval.text.corpus import Hypothesis

#: Precision where nothing is proposed, recall where there is nothing to find.
_EMPTY = np.array([1.0, 0.0]).reshape(2, 1, 1)


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """F of precision and recall, 0 if either is 0; an infinite beta gives the recall."""
    with _zeros():
        return _f_score(precision, recall, beta)


def _f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    alpha = 1 / (beta**2 + 1)
    f: Floats = 1 / (alpha / precision + (1 - alpha) / recall)
    # With both in it, something is divided by 0, and f is 0 already.
    return f if 0 < alpha < 1 else np.where((precision == 0) | (recall == 0), 0.0, f)


def _zeros() -> np.errstate:
    """Within, dividing by 0 and its logarithm are no warning."""
    return np.errstate(divide="ignore", invalid="ignore")


@lru_cache
def _columns(n: int) -> tuple[str, ...]:
    return tuple(f"{region}_{order}" for order in range(1, n + 1) for region in REGIONS)


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
        return _columns(self.n)

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
        with _zeros():
            precision, recall = self._ratios(totals).swapaxes(1, 2).reshape(2, *totals.shape[:-1], self.n)
        return precision, recall

    def _ratios(self, totals: NDArray[Any]) -> Floats:
        """Precision and recall of each order, [2, n, rows]: few steps, each over many rows, since numpy is slow both in
        its steps and on rows of n."""
        cells = totals.reshape(-1, self.n, len(REGIONS)).transpose(2, 1, 0).copy()
        tp = cells[0] + cells[1] + cells[2]  # tk, td, ti
        wholes = cells[3::2] + cells[4::2] + tp  # od + oi, ud + ui
        return np.where(wholes > 0, tp / wholes, _EMPTY)

    def _log_sums(self, totals: NDArray[Any]) -> Iterator[Floats]:
        """The sums of the logarithms of precision and recall of the orders 1..k, [2, rows], for k = 1, 2, …, n."""
        logs = np.log(self._ratios(totals))
        yield (total := logs[:, 0])
        for order in range(1, self.n):
            yield (total := total + logs[:, order])

    def cumulative(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Precision, recall (geometric means) and F over the orders 1..k, for k = 1, 2, …, n: [..., n] each."""
        with _zeros():
            means = np.stack([np.exp(total / k) for k, total in enumerate(self._log_sums(totals), 1)], axis=-1)
            precision, recall = means.reshape(2, *totals.shape[:-1], self.n)
            return precision, recall, _f_score(precision, recall, self.beta)

    def score(self, totals: NDArray[Any]) -> Floats:
        with _zeros():
            *_, total = self._log_sums(totals)
            precision, recall = np.exp(total / self.n)
            return _f_score(precision, recall, self.beta).reshape(totals.shape[:-1])

    @property
    def figure(self) -> Figure:
        return Ranked(self.ranking, by_score=True)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """F over 1..n, ties broken by F over 1..n-1, and so on down to 1."""
        return self.cumulative(counts)[2][..., ::-1]

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall, _ = self.cumulative(totals)
        return {"precision": precision[..., -1], "recall": recall[..., -1]}
