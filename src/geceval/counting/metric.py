"""Base class of metrics, with scores of corpora and sentences from one call."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, cast

from numpy.typing import NDArray

from geceval.base.arguments import as_sequence
from geceval.base.errors import GecevalWarning
from geceval.counting.consumers import Result
from geceval.counting.contract import Contract, Outcome, Outcomes, P
from geceval.counting.counts import Counts, Floats, Level, Score
from geceval.counting.figures import F, Figure, nan_without, weighted
from geceval.counting.run import evaluate, kept_counts
from geceval.counting.stream import ALONE, count_alone, handed
from geceval.text.corpus import Corpus, Hypothesis, Lines, References, text_of
from geceval.text.m2.edit import Block


class Metric(Contract[P]):
    """A metric: a frozen dataclass of settings that prepares, counts and scores.

    Contract lists the members to define; an entry point in the group ``geceval.metrics`` registers a class.
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
        """Return the counts [S, R, K] of one system.

        Args:
            source: Source sentences [S].
            hypothesis: Corrected sentences [S], as text or M2 blocks.
            references: Reference sentences [R][S]; None for a missing reference.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            threads: Number of threads (0: one per processor).
            evidence: Also return evidence.

        Raises:
            InputError: If lengths differ, or a sentence cannot be counted.
        """
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return kept_counts(corpus, self, threads=threads, evidence=evidence)[ALONE]

    def corpus_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """Return the corpus score of one system.

        Args:
            source: Source sentences [S].
            hypothesis: Corrected sentences [S], as text or M2 blocks.
            references: Reference sentences [R][S]; None for a missing reference.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            threads: Number of threads (0: one per processor).

        Returns:
            The score of summed counts, on the metric's scale.

        Raises:
            InputError: If lengths differ, or a sentence cannot be counted.
        """
        return self._result(Corpus(source, references, {ALONE: hypothesis}, gold), "corpus", threads).score()

    def sentence_scores(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Floats:
        """Return the sentence scores [S] of one system; see ``corpus_score``.

        Each score uses the best reference of the sentence, or the mean over its references, by the metric's policy.
        """
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return self._result(corpus, "sentence", threads).sentence_scores()

    def sentence_score(
        self, source: str, hypothesis: str, references: Sequence[str] = (), *, gold: Block | None = None
    ) -> float:
        """Return the score of one sentence.

        The preparation of the last sources and references is cached, so that further hypotheses take microseconds.

        Args:
            source: Source sentence.
            hypothesis: Corrected sentence.
            references: Reference sentences.
            gold: M2 block of gold edits.

        Returns:
            The score, as in ``sentence_scores``.

        Raises:
            InputError: If the sentence cannot be counted.
        """
        text = text_of(ALONE, [hypothesis])
        texts = tuple(as_sequence("references", references, "reference"))
        counts = count_alone(self, prepare_alone(self, source, texts, gold), cast(Lines, text))
        return float(self._scores_of(counts)[0])

    def mean_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """Return the mean of the sentence scores of one system; see ``corpus_score``."""
        return self._result(Corpus(source, references, {ALONE: hypothesis}, gold), "mean", threads).score("mean")

    def _result(self, corpus: Corpus, level: Level, threads: int) -> Result:
        [[result]] = evaluate(corpus, [self], views=[level], threads=threads, checks=False).values()
        return result


#: Largest number of characters of a cached source with its references; longer ones are rare.
_MOST = 10_000


def prepare_alone(metric: Contract[P], source: str, references: tuple[str, ...], gold: Block | None = None) -> P:
    """Return the preparation of one sentence; the last 1,024 short ones are cached."""
    try:
        short = len(source) + sum(map(len, references)) <= _MOST
        found: P = (_prepare_cached if short else _prepare)(metric, source, references, gold)
    except TypeError:  # a value without length or hash, which is an error unless it is text
        found = _prepare(metric, source, references, gold)
    return found


def _prepare(metric: Contract[P], source: str, references: tuple[str, ...], gold: Block | None) -> P:
    corpus = Corpus([source], [[text] for text in references], gold=None if gold is None else [gold])
    for remark in metric.remarks(corpus):
        warnings.warn(remark, GecevalWarning, stacklevel=4)
    return metric.prepare(handed(corpus, metric), 1)


_prepare_cached = lru_cache(maxsize=1024)(_prepare)


class FMetric(Metric[P]):
    """A metric whose score, parts and choice of references follow from ``f``."""

    conventions: ClassVar[Mapping[str, float]] = {"precision": 1.0, "recall": 1.0}

    @property
    @abstractmethod
    def f(self) -> F:
        """Computation of F from the columns."""

    @property
    def figure(self) -> Figure:
        return self.f

    @property
    def outcomes(self) -> Outcomes:
        """Outcomes of columns: hits are correct, other proposed ones wrong, else missed."""
        f = self.f
        named: dict[str, Outcome] = {}
        for column, hit, proposed, gold in zip(self.columns, f.hit, f.proposed, f.gold, strict=True):
            if hit or proposed or gold:
                named[column] = "correct" if hit else "wrong" if proposed else "missed"
        return Outcomes(named, again=not any(hit and own for hit, own in zip(f.hit, f.proposed, strict=True)))

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return precision and recall [...] of totals [..., K]."""
        return self.f.precision_recall(totals)

    def score(self, totals: NDArray[Any]) -> Floats:
        return self.f.score(totals)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        proposed, gold = (weighted(totals, weights) for weights in (self.f.proposed, self.f.gold))
        return {"precision": nan_without(precision, proposed), "recall": nan_without(recall, gold)}
