"""Metrics as their users see them: the contract, with scores of whole corpora and of sentences from one call."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from geceval.counting.contract import Contract, Outcome, Outcomes, P
from geceval.counting.counts import Counts, Floats, Level, Score
from geceval.counting.evaluation import Result, evaluate, kept_counts
from geceval.counting.figures import F, Figure
from geceval.text.corpus import Corpus, Hypothesis, Lines, References
from geceval.text.m2 import Block


class Metric(Contract[P]):
    """A metric: a frozen dataclass whose fields are its settings, with ``prepare``, ``count`` and ``score``.

    What is to be defined stands in Contract; an entry point in the group ``geceval.metrics`` registers a class.
    """

    def counts(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
        evidence: bool = False,
    ) -> Counts:
        """The counts of one system: ``array[s, r, k]``, with their evidence if asked for.

        Arguments and errors: see corpus_score.
        """
        corpus = Corpus(source, references, {"hypothesis": hypothesis}, gold)
        return kept_counts(corpus, self, threads=threads, evidence=evidence)["hypothesis"]

    def corpus_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """The score of the whole corpus: choose references, sum, score.

        ``source[s]``, ``hypothesis[s]`` and ``references[r][s]`` are plain strings (None where a sentence lacks a
        reference); metrics on edits take ``gold[s]``, M2 blocks, instead of or beside references. ``threads`` 0 means
        all processors. Raises ValueError with the lengths if they differ.
        """
        return self._result(Corpus(source, references, {"hypothesis": hypothesis}, gold), "corpus", threads).score()

    def sentence_scores(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Floats:
        """The scores of the sentences, [S], each with the reference (or mean of references) its policy gives."""
        corpus = Corpus(source, references, {"hypothesis": hypothesis}, gold)
        return self._result(corpus, "sentence", threads).sentence_scores()

    def mean_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """The plain mean of the sentence scores."""
        return self._result(Corpus(source, references, {"hypothesis": hypothesis}, gold), "mean", threads).score("mean")

    def _result(self, corpus: Corpus, level: Level, threads: int) -> Result:
        [[result]] = evaluate(corpus, [self], views=[level], threads=threads, checks=False).values()
        return result


class FMetric(Metric[P]):
    """A metric whose score is F: it states its ``f``, and the score, its parts and the choice of references follow."""

    @property
    @abstractmethod
    def f(self) -> F:
        """How F is made of the columns."""

    @property
    def figure(self) -> Figure:
        return self.f

    @property
    def outcomes(self) -> Outcomes:
        """What hits is correct, what else is proposed wrong, what else is gold missed."""
        f = self.f
        named: dict[str, Outcome] = {}
        for column, hit, proposed, gold in zip(self.columns, f.hit, f.proposed, f.gold, strict=True):
            if hit or proposed or gold:
                named[column] = "correct" if hit else "wrong" if proposed else "missed"
        return Outcomes(named, again=not any(hit and own for hit, own in zip(f.hit, f.proposed, strict=True)))

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Precision and recall [...] of totals [..., K]."""
        return self.f.precision_recall(totals)

    def score(self, totals: NDArray[Any]) -> Floats:
        return self.f.score(totals)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        return {"precision": precision, "recall": recall}
