"""CLEME2.0: rates of correction over chunks of equal boundaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ScoreFormula
from geceval.counting.counts import Floats
from geceval.counting.figures import Figure
from geceval.counting.formula_metric import FormulaMetric
from geceval.counting.metric import About
from geceval.counting.policies import Policy, Running
from geceval.counting.settings import setting
from geceval.edits.chunks import Chunks, ChunkTexts
from geceval.metrics.neural.bertscore import BertScorer, WithEncoder
from geceval.metrics.shared.chunk_metric import FN, TIES, TN, ChunkMetric, PreparedCleme, Weights2
from geceval.text.columns import Hypothesis

Factors: TypeAlias = Literal["corpus", "sentence", "class"]

#: Factors of hit, wrong, under- and over-correction in CLEME2.0.
FACTORS: dict[Factors, tuple[float, float, float, float]] = {
    "corpus": (0.45, 0.35, 0.15, 0.05),
    "sentence": (0.35, 0.25, 0.20, 0.20),
    "class": (0.50, 0.40, 0.05, 0.05),
}


@dataclass(frozen=True)
class Cleme2(FormulaMetric[PreparedCleme], WithEncoder[PreparedCleme], ChunkMetric):
    """CLEME2.0: a weighted sum of four rates of correction over chunks.

    The rates are hit, wrong, under- and over-correction. The weights ``similarity`` are changes of BERTScore and need
    an encoder (see WithEncoder).

    Source: Ye et al., CLEME2.0 (ACL 2025).
    """

    name: ClassVar[str] = "cleme2"
    about: ClassVar[About] = About("hits and three kinds of errors", "factors=sentence", title="CLEME2.0")
    policy: ClassVar[Policy] = Running()
    weights: Weights2 = setting("length", meaning="weights of chunks, by their length, by BERTScore, or all 1")
    factors: Factors = setting(
        "corpus", "scoring", meaning="factors of hit, wrong, under- and over-correction in the score"
    )

    @property
    def uses_encoder(self) -> bool:
        return self.weights == "similarity"

    def weigh(
        self,
        prepared: PreparedCleme,
        hypothesis: Hypothesis,
        chunks: Chunks,
        classes: NDArray[np.int64],
        threads: int,
    ) -> Floats:
        if not self.uses_encoder:
            return super().weigh(prepared, hypothesis, chunks, classes, threads)
        return similarity_weights(chunks, prepared.texts(hypothesis, threads), classes, self.scorer)

    def figures(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats, Floats]:
        """Return hit, wrong, under- and over-correction of totals [..., 5], each [...]."""
        hit, wrong, under, over = np.moveaxis(self.formula.parts(totals), -1, 0)
        return hit, wrong, under, over

    @property
    def formula(self) -> ScoreFormula:
        return ScoreFormula.rates(FACTORS[self.factors])

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return dict(zip(("hit", "wrong", "under", "over"), self.figures(totals), strict=True))

    @property
    def figure(self) -> Figure:
        """Comparison of references by the score, with the ties of the public code.

        ``running`` compares scores of the totals and breaks ties by the counts of the sentence: more hits, fewer wrong,
        fewer missed, more rightly unchanged chunks. Sentence scores compare the sentence alone and break ties by its
        four rates.
        """
        return Figure(self.ranking, running=self._running)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        hit, wrong, under, over = self.figures(counts)
        return np.stack([self.score(counts), hit, -wrong, -under, -over], axis=-1)

    def _running(
        self, counts: NDArray[Any], present: NDArray[np.bool_], totals: NDArray[Any]
    ) -> tuple[NDArray[np.int64], Floats]:
        return self.formula.running_choices(counts, present, totals, TIES)


def similarity_weights(chunks: Chunks, texts: ChunkTexts, classes: NDArray[np.int64], scorer: BertScorer) -> Floats:
    """Return the change of BERTScore F by each chunk alone, [C, R]; 1 for TN.

    The chunk of the hypothesis, or for FN of the reference, replaces the source's chunk, and the change is in the F of
    the source against each reference. It is 0 if no text remains.
    """
    weights = np.ones(classes.shape)
    cells: list[tuple[int, int]] = []
    pairs: list[tuple[str, str]] = []
    for s, present in enumerate(chunks.present):
        first, last = chunks.offsets[s : s + 2].tolist()
        source = _strings(texts, texts.source[first:last])
        versions = [_strings(texts, column) for column in texts.text[first:last].T]
        before, references = _joined(source), [_joined(version) for version in versions[1:]]
        for c, r in np.argwhere(present & (classes[first:last] != TN)).tolist():
            changed = versions[r + 1 if classes[first + c, r] == FN else 0][c]
            after = _joined([*source[:c], changed, *source[c + 1 :]])
            cells.append((first + c, r))
            pairs += [(after or before, references[r]), (before, references[r])]
    scores = iter(scorer.scores(pairs))
    for c, r in cells:
        (*_, after_f), (*_, before_f) = next(scores), next(scores)
        weights[c, r] = abs(before_f - after_f)
    return weights


def _strings(texts: ChunkTexts, indices: NDArray[np.int32]) -> list[str]:
    return [texts.strings[index] for index in indices.tolist()]


def _joined(chunks: Sequence[str]) -> str:
    """Return the text of consecutive chunks, some of which may be empty."""
    return " ".join(filter(None, chunks))
