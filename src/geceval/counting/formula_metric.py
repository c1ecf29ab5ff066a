"""Base classes of metrics whose score is a formula of the kernel: F, GLEU, GREEN and others."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, TypeVar

from numpy.typing import NDArray

from geceval._kernel import ScoreFormula
from geceval.counting.counts import Floats
from geceval.counting.figures import F, Figure, nan_without, weighted
from geceval.counting.metric import Metric, Outcome, Outcomes, Scale

P = TypeVar("P")


class FormulaMetric(Metric[P]):
    """A metric whose score is computed by a formula of the kernel.

    Tests of pairs use the formula, and the score of a subclass that defines another one.
    """

    _is_scored_by_formula: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._is_scored_by_formula = cls.score is FormulaMetric.score

    @property
    def tested_formula(self) -> ScoreFormula | None:
        return self.formula if self._is_scored_by_formula else None

    @property
    @abstractmethod
    def formula(self) -> ScoreFormula:
        """Formula of the score of totals [..., K]."""

    def score(self, totals: NDArray[Any]) -> Floats:
        return self.formula.scores(totals)


class FMetric(FormulaMetric[P]):
    """A metric whose score, parts and choice of references follow from ``f``."""

    scale: ClassVar[Scale] = Scale(conventions={"precision": 1.0, "recall": 1.0})

    @property
    @abstractmethod
    def f(self) -> F:
        """Computation of F from the columns."""

    @property
    def figure(self) -> Figure:
        return Figure(self.ranking, self.f)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        return self.f.ranking(counts)

    @property
    def formula(self) -> ScoreFormula:
        return self.f.formula

    @property
    def outcomes(self) -> Outcomes:
        """Outcomes of columns: hits are correct, other proposed ones wrong, else missed."""
        f = self.f
        outcomes: dict[str, Outcome] = {}
        for column, hit, proposed, gold in zip(self.columns, f.hit, f.proposed, f.gold, strict=True):
            if hit or proposed or gold:
                outcomes[column] = "correct" if hit else "wrong" if proposed else "missed"
        again = not any(hit and proposed for hit, proposed in zip(f.hit, f.proposed, strict=True))
        return Outcomes(outcomes, again)

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return precision and recall [...] of totals [..., K]."""
        return self.f.precision_recall(totals)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        proposed, gold = (weighted(totals, weights) for weights in (self.f.proposed, self.f.gold))
        return {"precision": nan_without(precision, proposed), "recall": nan_without(recall, gold)}
