"""CLEME: F of chunks of equal boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Floats
from geceval.counting.figures import F, ratio, rounded
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About
from geceval.counting.policies import SELECTED, Selection
from geceval.counting.settings import FINITE, setting
from geceval.metrics.shared.chunk_metric import TIES, ChunkMetric, PreparedCleme, Weights

#: The public code rounds figures before it compares them.
DIGITS = 4


def accuracy(totals: NDArray[Any]) -> Floats:
    """Return the share [...] of chunks that equal some reference."""
    tp, necessary, unnecessary, fn, tn = np.moveaxis(totals, -1, 0)
    return ratio(tp + tn, tp + (necessary + unnecessary) + fn + tn, 0.0)


@dataclass(frozen=True)
class Cleme(FMetric[PreparedCleme], ChunkMetric):
    """CLEME: F of chunk hits, weighted by chunk length.

    References are compared, and sentences scored, by figures rounded to four decimals, as in the public code.

    Source: Ye et al., CLEME: Debiasing Multi-reference Evaluation for GEC (EMNLP 2023).
    """

    name: ClassVar[str] = "cleme"
    about: ClassVar[About] = About("F of chunks weighted by length", "assumption=independent")
    weights: Weights = setting("length", meaning="weights of chunks, by their length or all 1")
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    selection: Selection = setting("running", "selecting", meaning=SELECTED)

    @cached_property
    def f(self) -> F:
        tp, proposed, gold = (1.0, 0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0, 0.0)
        return F(self.beta, tp, proposed, gold, proposed, gold, TIES, ties_of="sentence", digits=DIGITS)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        precision, recall = self.precision_recall(counts)
        return rounded(np.stack([self.score(counts), precision, recall, accuracy(counts)], axis=-1), DIGITS)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return super().parts(totals) | {"accuracy": accuracy(totals)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return rounded(self.score(counts), DIGITS)

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return {name: rounded(part, DIGITS) for name, part in self.parts(counts).items()}
