"""GLEU: n-gram precision with a penalty for what should have been corrected (Napoles et al., ACL 2015; GLEU+, 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from geceval.arguments import Bounds
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import Figure, Ranked
from geceval.counting.ngrams import ORDERS, REGIONS, UD_ABSENT, NgramMetric, NgramRows, Ngrams, Unit
from geceval.counting.policies import Best, Mean, Policy, Sampled
from geceval.counting.settings import setting
from geceval.text.corpus import Hypothesis


def _places(*regions: str) -> list[int]:
    return [REGIONS.index(region) for region in regions]


#: The regions of what hypothesis and reference share, and of all that either has.
_SHARED = _places("tk", "ti")
_HYPOTHESIS = _places("tk", "ti", "oi", "ud")
_REFERENCE = _places("tk", "ti", "od", "ui")


def _cut(ngrams: NgramRows, which: NDArray[np.bool_], most: NDArray[np.int32]) -> NDArray[np.int32]:
    """The weights of the rows ``which``, row after row, up to ``most`` [s, r, n] in each cell."""
    weights = np.where(which, ngrams.weight, 0)
    cells = np.ravel_multi_index((ngrams.sentence, ngrams.reference, ngrams.order - 1), most.shape)
    before = np.cumsum(weights) - weights
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    before -= np.repeat(before[starts], np.diff(starts, append=len(cells)))  # rows come cell by cell
    cut: NDArray[np.int32] = np.clip(most.ravel()[cells] - before, 0, weights)
    return cut


@dataclass(frozen=True)
class Gleu(NgramMetric):
    """GLEU with orders 1..n on words, characters (code points) or graphemes.

    ``variant`` "source" is what the original scorer computes, "paper" the formula of GLEU+ (arXiv 1605.02592).
    ``selection``: "sampled" averages over ``iterations`` draws of references (seed None: the original's draws), "best"
    takes each sentence's best reference, "mean" averages over the references.
    The counts are match, penalty (cut to the match) and total for each order, and the lengths of reference and
    hypothesis in tokens.
    """

    name: ClassVar[str] = "gleu"

    n: int = setting(4, bounds=ORDERS)
    unit: Unit = "word"
    variant: Literal["source", "paper"] = "source"
    selection: Literal["sampled", "best", "mean"] = setting("sampled", "selecting")
    iterations: int = setting(500, "selecting", Bounds(1, 100_000))
    seed: int | None = setting(None, "selecting", Bounds(0, (1 << 64) - 1))

    @property
    def columns(self) -> tuple[str, ...]:
        orders = (f"{name}_{order}" for order in range(1, self.n + 1) for name in ("match", "penalty", "total"))
        return (*orders, "reference_length", "hypothesis_length")

    @property
    def policy(self) -> Policy:
        if self.selection == "sampled":
            return Sampled(self.iterations, self.seed)
        return Best() if self.selection == "best" else Mean()

    def count(self, prepared: Ngrams, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        match, penalty, total, lengths = self.matches(prepared, hypothesis, threads)
        orders = np.stack([match, np.minimum(match, penalty), total], axis=-1)
        array = np.concatenate([orders.reshape(*orders.shape[:2], -1), lengths], axis=-1)
        found = self.evidence(prepared.evidence(hypothesis, threads), orders) if evidence else None
        return Counts(array, self.columns, prepared.present, found)

    def evidence(self, ngrams: NgramRows, orders: NDArray[np.int32]) -> Evidence:
        """The n-grams of the regions that make up each count; ``orders`` [s, r, n, 3]: match, penalty and total.

        Of the penalty's n-grams those count, in order of appearance, that come before the match is used up.
        """
        within = 3 * (ngrams.order - 1)  # the first column of an order
        lengths = np.full_like(within, 3 * self.n)
        unigrams = ngrams.order == 1
        penalty = ngrams.region == (REGIONS.index("ud") if self.variant == "paper" else UD_ABSENT)
        counted = [
            (np.isin(ngrams.region, _SHARED), within, ngrams.weight),
            (penalty, within + 1, _cut(ngrams, penalty, orders[..., 0])),
            (np.isin(ngrams.region, _HYPOTHESIS), within + 2, ngrams.weight),
            (np.isin(ngrams.region, _REFERENCE) & unigrams, lengths, ngrams.weight),
            (np.isin(ngrams.region, _HYPOTHESIS) & unigrams, lengths + 1, ngrams.weight),
        ]
        rows = [np.flatnonzero(which & (weight > 0)) for which, _, weight in counted]
        columns = [column[own] for own, (_, column, _) in zip(rows, counted, strict=True)]
        weights = [weight[own] for own, (_, _, weight) in zip(rows, counted, strict=True)]
        return ngrams.to(np.concatenate(rows), np.concatenate(columns), np.concatenate(weights))

    def matches(
        self, prepared: Ngrams, hypothesis: Hypothesis, threads: int = 0
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Match, uncut penalty and total [s, r, n], and both lengths [s, r, 2], of a hypothesis.

        What a hypothesis shares with the reference is kept or inserted rightly; n-grams of the source that it should
        have dropped are the under-deleted ones (paper), or those of them that the reference lacks altogether (source).
        """
        overlaps = prepared.count(hypothesis, threads, absent=self.variant == "source")
        tk, _, ti, od, oi, ud, ui = np.moveaxis(overlaps[..., : len(REGIONS)], -1, 0)
        penalty = ud if self.variant == "paper" else overlaps[..., UD_ABSENT]
        total = tk + ti + oi + ud
        reference = tk + ti + od + ui
        return tk + ti, penalty, total, np.stack([reference[..., 0], total[..., 0]], axis=-1)

    def log_precisions(self, totals: NDArray[Any]) -> Floats:
        """Logarithms of the precisions of each order, [..., n]; a precision is 1 if there is no n-gram."""
        match, penalty, total = np.moveaxis(totals[..., :-2].reshape(*totals.shape[:-1], self.n, 3), -1, 0)
        precision = np.where(total > 0, (match - penalty) / np.maximum(total, 1), 1.0)
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(precision)
        return logs

    @staticmethod
    def log_brevity_penalty(totals: NDArray[Any]) -> Floats:
        """[...]: 0 unless the hypothesis is shorter than the reference; -inf if only the hypothesis is empty."""
        reference, hypothesis = totals[..., -2], totals[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.where(hypothesis > 0, np.minimum(1 - reference / hypothesis, 0.0), -np.inf)
        return np.asarray(np.where((reference == 0) & (hypothesis == 0), 0.0, penalty))

    def score(self, totals: NDArray[Any]) -> Floats:
        score: Floats = np.exp(self.log_brevity_penalty(totals) + self.log_precisions(totals).mean(axis=-1))
        return score

    @property
    def figure(self) -> Figure:
        return Ranked(self.ranking)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """The score, ties broken by brevity penalty times precision of order n, and so on down to 1."""
        orders = np.exp(self.log_brevity_penalty(counts)[..., np.newaxis] + self.log_precisions(counts))
        return np.concatenate([self.score(counts)[..., np.newaxis], orders[..., ::-1]], axis=-1)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        logs = self.log_precisions(totals)
        orders = {f"precision_{order}": np.exp(logs[..., order - 1]) for order in range(1, self.n + 1)}
        brevity_penalty = np.exp(self.log_brevity_penalty(totals))
        return {"precision": np.exp(logs.mean(axis=-1)), "brevity_penalty": brevity_penalty, **orders}
