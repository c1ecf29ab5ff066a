"""DSGram: three weighted grades of a correction by a language model.

The wording of the requests is original (judging/templates).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import About, Scale
from geceval.counting.settings import setting
from geceval.metrics.judging.judge import Question, Request, Template, UnreadableError, read_template
from geceval.metrics.judging.judged_metric import JudgedMetric, repeat_marks
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus

GRADES = ("meaning", "edits", "fluency")
#: The comparisons of two grades each, above the diagonal of their matrix.
PAIRS = ("meaning_edits", "meaning_fluency", "edits_fluency")
LOWEST, HIGHEST = 1, 10
#: Allowed ratios of the importance of two grades.
MOST = 9

#: The consistency index of random 3 × 3 comparisons (Saaty), and the share of it that is accepted.
RANDOM_INDEX, LARGEST_RATIO = 0.58, 0.1
#: Allowed distance of a · 1/a from 1.
RECIPROCITY = 0.05

#: The sums of each repetition.
SUMS = ("score", *GRADES, "judged")


@dataclass(frozen=True)
class DsGram(JudgedMetric):
    """Grades of corrections by a language model, without references.

    The model grades each correction from 1 to 10 by meaning, extent of edits and fluency. The score of a sentence is
    their weighted mean, and the score of a corpus is the mean of its sentences. If ``weights`` is "judged", the model
    also compares the importance of each two grades for the sentence. The weights are then the principal eigenvector of
    these comparisons, or equal if no try is consistent, which is counted. Two empty texts score 10 without a request.
    JudgedMetric describes the other settings.

    Source: Xie et al., DSGram: Dynamic Weighting Sub-Metrics for GEC (AAAI 2025), section "weights" by Saaty's AHP.
    """

    name: ClassVar[str] = "dsgram"
    about: ClassVar[About] = About("grades by a language model", "model=NAME,weights=equal")
    scale: ClassVar[Scale] = Scale(LOWEST, HIGHEST, in_percent=False)

    weights: Literal["judged", "equal"] = setting(
        "judged", meaning="weights of the three grades: judged for each sentence, or equal"
    )

    @property
    def columns(self) -> tuple[str, ...]:
        sums = (f"{name}{mark}" for mark in repeat_marks(self.repeats) for name in SUMS)
        return (*sums, "sentences", "unread", "inconsistent")

    @property
    def templates(self) -> list[Template]:
        return [read_template("dsgram-1"), *([read_template("dsgram-weights-1")] if self.weights == "judged" else [])]

    # --- requests ---

    def requests(self, prepared: Corpus, systems: Mapping[str, Any]) -> Iterator[Request]:
        for system in systems.values():
            for _, _, *questions in self._questions(prepared, system):
                yield from (question.request for question in questions)

    def _questions(self, corpus: Corpus, system: Lines) -> Iterator[tuple[Any, ...]]:
        """Yield sentence, repetition and questions.

        The first question is about grades. The second one, unless weights are equal, compares their importance.
        """
        grades, *weights = self.templates
        for s, (source, target) in enumerate(zip(corpus.source, system, strict=True)):
            data = {"source": str(source), "target": str(target)}
            if not (source or target):
                continue
            for repetition in range(self.repeats):
                questions = [Question(self.request(repetition, grades, data, GRADES, LOWEST, HIGHEST))]
                for template in weights:
                    request = self.request(repetition, template, data, PAIRS, -MOST, MOST)
                    questions.append(Question(request, weigh_grades))
                yield s, repetition, *questions

    def count(self, prepared: Corpus, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        rows = list(self._questions(prepared, hypothesis))
        grades = self.ask([row[2] for row in rows])
        weights = self.ask([row[3] for row in rows if len(row) > 3], "their grades have equal weights")
        sums = np.zeros((len(prepared), self.repeats, len(SUMS)))
        sums[..., :] = (*[HIGHEST] * (len(SUMS) - 1), 1)  # pairs of empty texts
        numbers = np.zeros((len(prepared), 3))  # of sentences, unread and inconsistent answers
        numbers[:, 0] = 1
        for index, (s, repetition, *_) in enumerate(rows):
            by_name, importance = grades[index].meaning, weights[index].meaning if weights else EQUAL
            numbers[s, 1] += by_name is None
            numbers[s, 2] += importance is None
            if by_name is None:
                sums[s, repetition] = 0.0
                continue
            values = [by_name[name] for name in GRADES]
            mean = round_to_grid(float(np.dot(EQUAL if importance is None else importance, values)))
            sums[s, repetition] = (mean, *values, 1)
        return Counts(np.hstack([sums.reshape(len(prepared), -1), numbers])[:, np.newaxis], self.columns)

    # --- scoring ---

    def _means(self, totals: NDArray[Any]) -> Floats:
        """Return the means [..., repetitions + 1, 4] of the score and the grades.

        The last row is over all repetitions. A mean of no sentences is NaN.
        """
        sums = np.asarray(totals, dtype=np.float64)[..., :-3]
        sums = sums.reshape(*sums.shape[:-1], self.repeats, len(SUMS))
        sums = np.concatenate([sums, sums.sum(axis=-2, keepdims=True)], axis=-2)
        judged = sums[..., -1:]
        return np.where(judged > 0, sums[..., :-1] / np.where(judged > 0, judged, 1.0), np.nan)

    def score(self, totals: NDArray[Any]) -> Floats:
        return self._means(totals)[..., -1, 0]

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return the means of the three grades, and shares of requests.

        Requests are ``unread`` if their answer is not readable, and ``inconsistent`` if their comparisons are. With
        repetitions, ``spread`` is the standard deviation of the score over them.
        """
        means = self._means(totals)
        parts = {name: means[..., -1, 1 + k] for k, name in enumerate(GRADES)}
        requests = np.maximum(np.asarray(totals)[..., -3] * self.repeats, 1)
        parts |= {name: np.asarray(totals)[..., k] / requests for k, name in ((-2, "unread"), (-1, "inconsistent"))}
        return parts | ({"spread": means[..., :-1, 0].std(axis=-1)} if self.repeats > 1 else {})


def round_to_grid(value: float) -> float:
    """Return the nearest multiple of 2^-30.

    Sums of up to 800,000 multiples are exact, so they do not depend on how a corpus is split.
    """
    return round(value * (1 << 30)) / (1 << 30)


EQUAL = np.full(len(GRADES), 1 / len(GRADES))


def weigh_grades(comparisons: Mapping[str, int]) -> Floats:
    """Return the weights [3] of the grades.

    Args:
        comparisons: Importance by names of PAIRS: 2 to 9 if the first grade is more important, -2 to -9 if the second
            one is, 1 if neither.

    Raises:
        UnreadableError: If a number is not allowed, or if the comparisons are inconsistent.
    """
    matrix = np.ones((len(GRADES), len(GRADES)))
    for (a, b), value in zip(((0, 1), (0, 2), (1, 2)), (comparisons[name] for name in PAIRS), strict=True):
        if value in (0, -1):
            raise UnreadableError(f"a comparison is {value}; it must be 1, 2 to {MOST} or -2 to -{MOST}")
        matrix[a, b] = value if value > 0 else -1 / value
        matrix[b, a] = 1 / matrix[a, b]
    if not is_consistent(matrix):
        raise UnreadableError(f"the comparisons contradict each other: {', '.join(map(str, comparisons.values()))}")
    return principal_eigenvector(matrix)


def principal_eigenvector(matrix: Floats) -> Floats:
    """Return the eigenvector [3] of the largest eigenvalue, with sum 1."""
    values, vectors = np.linalg.eig(matrix)
    vector = vectors[:, values.real.argmax()].real
    return np.asarray(vector / vector.sum())


def is_consistent(matrix: Floats) -> bool:
    """Return whether comparisons are reciprocal and consistent.

    Their consistency ratio must be less than 0.1 (Saaty 1980). The public code divides by the random index of 4
    grades (0.90) instead of 3 and does not check reciprocity.
    """
    largest = np.linalg.eigvals(matrix).real.max()
    n = len(matrix)
    ratio = (largest - n) / (n - 1) / RANDOM_INDEX
    return bool((np.abs(matrix * matrix.T - 1) <= RECIPROCITY).all() and ratio < LARGEST_RATIO)
