"""Calibration: whether edits of confidence 0.8 are right in 80 % of cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import Floats
from geceval.counting.figures import F, weighted
from geceval.counting.stream import AnyMetric
from geceval.reporting.edit_variants import ConfidentSystem, Places
from geceval.statistics.intervals import sentence_intervals

#: Names of the errors, and of the columns of bins.
ERRORS = ("expected_calibration_error", "brier_score")
BINS = ("edits", "confidence", "right")


@dataclass(frozen=True, eq=False)
class Calibration:
    """Confidences of edits and their verdicts under a metric.

    An edit is right if it is a hit when it is made alone, against the reference that is chosen for all edits of the
    system. Edits that do not count are left out.

    Attributes:
        system: Name of the system.
        metric: The metric.
        confidences: Confidences [E] in [0, 1].
        right: Whether each edit [E] is right.
        sentence: Sentence [E] of each edit.
        sentences: Number of sentences.
        bins: Number of bins of equal width in [0, 1]; a bin contains its upper end.
    """

    system: str
    metric: AnyMetric
    confidences: Floats
    right: NDArray[np.bool_]
    sentence: Places
    sentences: int
    bins: int = 10

    def figures_of(self, weights: NDArray[Any]) -> dict[str, Any]:
        """Return errors and bins by name.

        ``expected_calibration_error`` is the mean distance of the share of right edits from the mean confidence of a
        bin, weighted by its number of edits; ``brier_score`` is the mean squared distance of confidences from verdicts.
        ``edits``, ``confidence`` and ``right`` are number, mean confidence and share of right edits of the bins. Means
        without edits are NaN.

        Args:
            weights: Weights [S] of the sentences.

        Source:
            sklearn.calibration.calibration_curve, sklearn.metrics.brier_score_loss.
        """
        place = np.searchsorted(np.linspace(0, 1, self.bins + 1)[1:-1], self.confidences)
        drawn = weights[self.sentence]
        columns = drawn, drawn * self.confidences, drawn * self.right
        edits, confidence, right = (np.bincount(place, own, minlength=self.bins) for own in columns)
        with np.errstate(invalid="ignore"):
            errors = np.abs(confidence - right).sum(), drawn @ (self.confidences - self.right) ** 2
            means = [float(error / drawn.sum()) for error in errors]
            bins = edits.tolist(), (confidence / edits).tolist(), (right / edits).tolist()
        return dict(zip((*ERRORS, *BINS), (*means, *bins), strict=True))

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The figures of the whole corpus by name, see ``figures_of``."""
        return self.figures_of(np.ones(self.sentences))

    def intervals(self, *, replicates: int = 1000, seed: int = 0) -> dict[str, Any]:
        """Return bootstrap intervals of the errors, and a list of them for ``right``.

        Args:
            replicates: Number of replicates.
            seed: Seed of the replicates.
        """

        def drawn(weights: NDArray[np.int64]) -> list[float]:
            found = self.figures_of(weights)
            return [*(found[name] for name in ERRORS), *found["right"]]

        found = sentence_intervals(drawn, self.sentences, replicates=replicates, seed=seed)
        return dict(zip(ERRORS, found, strict=False)) | {"right": found[len(ERRORS) :]}


def calibrations(system: ConfidentSystem, bins: int = 10) -> list[Calibration]:
    """Return the calibration of a system under each metric.

    Args:
        system: The system and the metrics, whose scores are F of hits.
        bins: Number of bins of equal width.

    Raises:
        InputError: If a confidence is not in [0, 1].
        UsageError: If a metric has no verdict on an edit.
    """
    known = system.confidences
    edits = np.flatnonzero(~np.isnan(known))
    outside = known[edits][(known[edits] < 0) | (known[edits] > 1)]
    if outside.size:
        message = f"system {system.name}: a confidence of {outside[0]:g} is no probability, which calibration compares"
        raise InputError(message, hint="scale the confidences to 0 to 1")
    size = len(system.blocks)
    # The whole sentences, then each edit alone.
    sentences = np.concatenate([np.arange(size), system.sentence[edits]])
    rows, variant = system.rows(sentences)
    keep = (variant < size) | (rows == edits[np.maximum(variant - size, 0)])
    found = []
    for metric, counts in zip(system.metrics, system.counted(sentences, keep), strict=True):
        figure, choices = metric.figure, metric.choices(counts.at(np.arange(size)))
        if not isinstance(figure, F) or metric.evidence_of == "texts" or len(choices) != 1:
            raise UsageError(f"{metric.name} has no verdict on an edit", hint="-m errant or maxmatch")
        alone = counts.array[np.arange(size, len(counts)), choices[0][system.sentence[edits]]]
        counted = weighted(alone, figure.proposed) > 0
        right = weighted(alone, figure.hit)[counted] > 0
        places = edits[counted]
        found.append(Calibration(system.name, metric, known[places], right, system.sentence[places], size, bins))
    return found
