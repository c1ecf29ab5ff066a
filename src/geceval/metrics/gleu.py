"""GLEU: n-gram precision with a penalty for missed corrections.

Source: Napoles et al., ACL 2015; GLEU+, 2016.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ScoreFormula
from geceval.base.arguments import Bounds
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import Figure
from geceval.counting.metric import About, Outcome, Outcomes
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import Best, Mean, Policy, Sampled
from geceval.counting.settings import setting
from geceval.metrics.shared.ngram_counting import (
    BLANKS,
    ORDERS,
    REGIONS,
    UD_ABSENT,
    Blanks,
    NgramMetric,
    NgramRows,
    Ngrams,
    NgramUnit,
    orders_of,
)
from geceval.text.columns import Lines


def _indices(*regions: str) -> list[int]:
    return [REGIONS.index(region) for region in regions]


#: The regions of n-grams in hypothesis and reference, and in either of them.
_SHARED = _indices("tk", "ti")
_HYPOTHESIS = _indices("tk", "ti", "oi", "ud")
_REFERENCE = _indices("tk", "ti", "od", "ui")


def _cut(ngrams: NgramRows, which: NDArray[np.bool_], most: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the weights of rows, row after row, limited in each cell.

    ``which``: the rows; ``most``: the limits [s, r, n].
    """
    weights = np.where(which, ngrams.weight, 0)
    cells = np.ravel_multi_index((ngrams.sentence, ngrams.reference, ngrams.order - 1), most.shape)
    before = np.cumsum(weights) - weights
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    before -= np.repeat(before[starts], np.diff(starts, append=len(cells)))  # rows come cell by cell
    return np.asarray(np.clip(most.ravel()[cells] - before, 0, weights))


def in_columns(match: NDArray[Any], penalty: NDArray[Any], total: NDArray[Any], lengths: NDArray[Any]) -> NDArray[Any]:
    """Return counts [..., K] of match, penalty, total [..., n] and lengths [..., 2]."""
    orders = np.stack([match, penalty, total], axis=-1)
    return np.concatenate([orders.reshape(*match.shape[:-1], -1), lengths], axis=-1)


@dataclass(frozen=True)
class Gleu(NgramMetric):
    """GLEU with orders 1..n.

    ``variant`` "source" is the formula of the original scorer, "paper" the formula of GLEU+. With ``cut`` "sentence"
    the penalty is limited to the match of each sentence. With "none" it is not limited, an empty line counts as one
    word, and the defaults are ``variant`` "paper" and ``draws`` "python3", as in gec-metrics. ``selection``: "sampled"
    averages over ``iterations`` draws of references (seed None: the original's draws, which depend on the release of
    Python), "best" takes each sentence's
    best reference, "mean" averages over the references. The counts are match, penalty and total for each order, and the
    lengths of reference and hypothesis in tokens.

    Source: Napoles, Sakaguchi, Post and Tetreault, ACL 2015; arXiv 1605.02592.
    """

    name: ClassVar[str] = "gleu"
    about: ClassVar[About] = About("n-gram precision with a penalty", "selection=best")

    n: int = setting(4, "preparing", bounds=ORDERS, meaning="largest n-gram order")
    unit: NgramUnit = setting("word", "preparing", meaning="unit of the n-grams: words, code points or graphemes")
    variant: Literal["source", "paper"] | None = setting(
        None, meaning="formula of the released scorer or of the paper; none: by cut"
    )
    cut: Literal["sentence", "none"] = setting(
        "sentence", meaning="penalty limited to the matches of each sentence, or not limited"
    )
    selection: Literal["sampled", "best", "mean"] = setting(
        "sampled",
        "selecting",
        meaning="treatment of several references: mean of draws, best of each sentence, or mean of all",
    )
    iterations: int = setting(500, "selecting", Bounds(1, 100_000), meaning="number of draws with selection=sampled")
    seed: int | None = setting(
        None, "selecting", Bounds(0, (1 << 64) - 1), meaning="seed of the draws; none: the draws of the original scorer"
    )
    draws: Literal["python2", "python3"] | None = setting(
        None,
        "selecting",
        meaning="draws without a seed: the original scorer's under Python 2 or 3; none: by cut",
    )
    blanks: Blanks | None = setting(None, "preparing", meaning=BLANKS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws is not None and self.seed is not None:
            raise UsageError("draws are those of the original scorer, which has no seed", hint="omit draws or seed")
        if self.variant is None:
            object.__setattr__(self, "variant", "paper" if self.cut == "none" else "source")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = (f"{name}_{order}" for order in range(1, self.n + 1) for name in ("match", "penalty", "total"))
        return (*orders, "reference_length", "hypothesis_length")

    @property
    def outcomes(self) -> Outcomes:
        """Return the outcome of each column: matches are correct, penalties wrong."""
        outcomes: dict[str, Outcome] = {"match": "correct", "penalty": "wrong"}
        return Outcomes({f"{name}_{n}": outcome for n in range(1, self.n + 1) for name, outcome in outcomes.items()})

    @property
    def policy(self) -> Policy:
        if self.selection == "sampled":
            draws = self.draws or ("python3" if self.cut == "none" else "python2")
            return Sampled(self.iterations, self.seed, randint=draws == "python3")
        return Best() if self.selection == "best" else Mean()

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the entries of the signature, with ``cut`` only if it is not "sentence".

        Signatures are older than the setting.
        """
        settings = super().signed(inputs)
        return {name: value for name, value in settings.items() if (name, value) != ("cut", "sentence")}

    @property
    def counts_absent(self) -> bool:
        return self.variant == "source"

    def counts_of(
        self, overlaps: NDArray[np.int32], prepared: Ngrams, hypothesis: Lines, threads: int, *, evidence: bool
    ) -> Counts:
        match, penalty, total, lengths = self.matches(overlaps)
        if self.cut == "sentence":
            penalty = np.minimum(match, penalty)
        rows = self.evidence(prepared.evidence(hypothesis, threads), match) if evidence else None
        counts = Counts(in_columns(match, penalty, total, lengths), self.columns, prepared.present, rows)
        return self._with_empty_lines(counts) if self.cut == "none" and self.unit == "word" else counts

    def _with_empty_lines(self, counts: Counts) -> Counts:
        """Return lengths as ``split(" ")`` gives them.

        An empty line has no n-gram, and counts as one word.
        """
        lengths = counts.array[..., -2:]
        empty = (lengths == 0) & counts.mask[..., np.newaxis]
        lengths[empty] = 1
        if counts.evidence is None:
            return counts
        sentence, reference, side = (axis.astype(np.int64) for axis in np.nonzero(empty))
        weight, order = np.ones(len(side)), np.ones(len(side), np.int32)
        text, column = np.zeros(len(side), np.int32), side + len(self.columns) - 2
        tokens = Evidence(sentence, reference, column, weight, text=text, order=order, strings=[""])
        return replace(counts, evidence=Evidence.concatenate([counts.evidence, tokens], [0, 0]))

    def evidence(self, ngrams: NgramRows, match: NDArray[np.int32]) -> Evidence:
        """Return the n-grams of the regions of each count.

        ``match``: [s, r, n]. A limited penalty counts its n-grams in order of appearance until the match is used up.
        """
        within = 3 * (ngrams.order - 1)  # the first column of an order
        lengths = np.full_like(within, 3 * self.n)
        unigrams = ngrams.order == 1
        penalty = ngrams.region == (REGIONS.index("ud") if self.variant == "paper" else UD_ABSENT)
        weights = _cut(ngrams, penalty, match) if self.cut == "sentence" else ngrams.weight
        counted = [
            (np.isin(ngrams.region, _SHARED), within, ngrams.weight),
            (penalty, within + 1, weights),
            (np.isin(ngrams.region, _HYPOTHESIS), within + 2, ngrams.weight),
            (np.isin(ngrams.region, _REFERENCE) & unigrams, lengths, ngrams.weight),
            (np.isin(ngrams.region, _HYPOTHESIS) & unigrams, lengths + 1, ngrams.weight),
        ]
        rows = [np.flatnonzero(which & (weight > 0)) for which, _, weight in counted]
        columns = [column[indices] for indices, (_, column, _) in zip(rows, counted, strict=True)]
        weighed = [weight[indices] for indices, (_, _, weight) in zip(rows, counted, strict=True)]
        return ngrams.to(np.concatenate(rows), np.concatenate(columns), np.concatenate(weighed))

    def matches(
        self, overlaps: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Return match, unlimited penalty and total [s, r, n], and both lengths.

        The match is what a hypothesis keeps or inserts rightly. The penalty of "paper" is the n-grams of the source
        that it should have deleted, of "source" the ones of them that the reference lacks. The lengths are [s, r, 2].
        """
        tk, _, ti, od, oi, ud, ui = np.moveaxis(overlaps[..., : len(REGIONS)], -1, 0)
        penalty = ud if self.variant == "paper" else overlaps[..., UD_ABSENT]
        total = tk + ti + oi + ud
        reference = tk + ti + od + ui
        return tk + ti, penalty, total, np.stack([reference[..., 0], total[..., 0]], axis=-1)

    def uncut(self) -> UncutGleu:
        """Return the metric whose penalty is not limited, as the public tool prints it."""
        return UncutGleu(**self.settings)

    def log_precisions(self, totals: NDArray[Any]) -> Floats:
        """Return logarithms of the precisions of each order, [..., n].

        A precision without n-grams is 1; none is below 0.
        """
        return self.formula.parts(totals)[..., :-1]

    def log_brevity_penalty(self, totals: NDArray[Any]) -> Floats:
        """Return the logarithms [...] of the brevity penalty.

        0 unless the hypothesis is shorter than the reference; -inf if only the hypothesis is empty.
        """
        return self.formula.parts(totals)[..., -1]

    @property
    def formula(self) -> ScoreFormula:
        return ScoreFormula.gleu(self.n)

    @property
    def figure(self) -> Figure:
        return Figure(self.ranking, is_score=True)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return the score, then brevity penalty times precision of order n down to 1."""
        orders = np.exp(self.log_brevity_penalty(counts)[..., np.newaxis] + self.log_precisions(counts))
        return np.concatenate([self.score(counts)[..., np.newaxis], orders[..., ::-1]], axis=-1)

    def reduced_columns(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts with the penalties subtracted from the matches."""
        match, penalty, total, lengths = orders_of(counts, self.n)
        return in_columns(match - penalty, np.zeros_like(penalty), total, lengths)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        logs = self.log_precisions(totals)
        orders = {f"precision_{order}": np.exp(logs[..., order - 1]) for order in range(1, self.n + 1)}
        brevity_penalty = np.exp(self.log_brevity_penalty(totals))
        return {"precision": np.exp(logs.mean(axis=-1)), "brevity_penalty": brevity_penalty, **orders}


@dataclass(frozen=True)
class UncutGleu(Gleu):
    """GLEU whose penalty is shown before it is limited, without evidence.

    References are compared as GLEU compares them.
    """

    def counts_of(
        self, overlaps: NDArray[np.int32], prepared: Ngrams, hypothesis: Lines, threads: int, *, evidence: bool
    ) -> Counts:
        return Counts(in_columns(*self.matches(overlaps)), self.columns, prepared.present)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        match, penalty, total, lengths = orders_of(counts, self.n)
        return super().ranking(in_columns(match, np.minimum(match, penalty), total, lengths))
