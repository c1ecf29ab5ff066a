"""Metrics as their users see them: the contract, with scores of whole corpora and of sentences from one call."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from numpy.typing import NDArray

from geceval.base.arguments import as_sequence
from geceval.base.errors import GecevalWarning
from geceval.counting.consumers import Result
from geceval.counting.contract import Contract, Outcome, Outcomes, P
from geceval.counting.counts import Counts, Floats, Level, Score
from geceval.counting.figures import F, Figure
from geceval.counting.run import evaluate, kept_counts
from geceval.counting.stream import ALONE, counted_alone, with_needed_texts
from geceval.text.corpus import Corpus, Hypothesis, Lines, References, text_of
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
        """The score of the whole corpus: choose references, sum, score.

        ``source[s]``, ``hypothesis[s]`` and ``references[r][s]`` are plain strings (None where a sentence lacks a
        reference); metrics on edits take ``gold[s]``, M2 blocks, instead of or beside references. ``threads`` 0 means
        all processors. Raises ValueError with the lengths if they differ.
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
        """The scores of the sentences, [S], each with the reference (or mean of references) its policy gives."""
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return self._result(corpus, "sentence", threads).sentence_scores()

    def sentence_score(
        self, source: str, hypothesis: str, references: Sequence[str] = (), *, gold: Block | None = None
    ) -> float:
        """The score of one sentence by itself, as ``sentence_scores`` has it.

        ``references`` are the sentence's: a list of strings; ``gold`` is its M2 block. What is prepared of the last
        pairs of source and references is remembered, so that further hypotheses for one take microseconds. Raises
        InputError as corpus_score does.
        """
        text = text_of(ALONE, [hypothesis])
        texts = tuple(as_sequence("references", references, "reference"))
        counts = counted_alone(self, prepared_alone(self, source, texts, gold), cast(Lines, text))
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
        """The plain mean of the sentence scores."""
        return self._result(Corpus(source, references, {ALONE: hypothesis}, gold), "mean", threads).score("mean")

    def _result(self, corpus: Corpus, level: Level, threads: int) -> Result:
        [[result]] = evaluate(corpus, [self], views=[level], threads=threads, checks=False).values()
        return result


#: Characters of a source with its references that are remembered; longer ones are rare.
_MOST = 10_000


def prepared_alone(metric: Contract[P], source: str, references: tuple[str, ...], gold: Block | None = None) -> P:
    """What the metric prepared of one sentence. Remembered, for the last 1,024 of them all, unless it is long."""
    try:
        short = len(source) + sum(map(len, references)) <= _MOST
        found: P = (_remembered if short else _made)(metric, source, references, gold)
    except TypeError:  # what has no length, or no hash; if it is no text, the error says so
        found = _made(metric, source, references, gold)
    return found


def _made(metric: Contract[P], source: str, references: tuple[str, ...], gold: Block | None) -> P:
    corpus = Corpus([source], [[text] for text in references], gold=None if gold is None else [gold])
    for remark in metric.remarks(corpus):
        warnings.warn(remark, GecevalWarning, stacklevel=4)
    corpus = cast(Corpus, with_needed_texts(corpus, [metric]))
    return metric.prepare(corpus, 1)


_remembered = lru_cache(maxsize=1024)(_made)


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
