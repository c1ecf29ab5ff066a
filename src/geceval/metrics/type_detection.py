"""Type detection: F of the sentences in which a system makes edits of a type. Higher is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import nan_without, ratio
from geceval.counting.metric import About, Outcomes
from geceval.counting.settings import FINITE, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import (
    COLUMNS,
    COUNTED,
    OnEdits,
    counted_edits,
    evidence_without_edits,
    sentences_of,
)
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus

#: A corpus, and whether each of its sentences [S] has an edit of an annotator.
Prepared = tuple[Corpus, NDArray[np.bool_]]


@dataclass(frozen=True)
class TypeDetection(OnEdits[Prepared]):
    """F of sentences: whether a system makes an edit of some types where an annotator has one.

    A sentence is correct if both have an edit of ``types`` (None: any edit), wrong if the system alone has one, and
    missed if the annotators alone have one; place and correction do not matter. A sentence without edits scores 0; a
    corpus without edits scores nan.
    """

    name: ClassVar[str] = "type-detection"
    about: ClassVar[About] = About("F of sentences with a type", "types=R:VERB:SVA")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    references_together: ClassVar[bool] = True
    outcomes: ClassVar[Outcomes] = Outcomes({"tp": "correct", "fp": "wrong", "fn": "missed"})
    #: Evidence is sentences.
    by_kind: ClassVar[None] = None  # type: ignore[assignment]

    beta: float = setting(1.0, "scoring", FINITE, meaning="weight of recall against precision")
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")
    types: str | None = setting(None, meaning=COUNTED)

    def prepare(self, corpus: Corpus, threads: int = 0) -> Prepared:
        references = reference_edits(corpus, self.extraction, threads)
        sentences = sentences_of(references)[counted_edits(references, self.selectors)]
        return corpus, np.bincount(sentences, minlength=len(corpus)) > 0

    def count(self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return whether a sentence is correct, wrong or missed, ``array[s, 0, k]``."""
        corpus, gold = prepared
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        sentences = sentences_of(edits)[counted_edits(edits, self.selectors)]
        proposed = np.bincount(sentences, minlength=len(corpus)) > 0
        array = np.stack([gold & proposed, ~gold & proposed, gold & ~proposed], axis=-1).astype(np.int64)[:, np.newaxis]
        return Counts(array, COLUMNS, None, evidence_without_edits(array) if evidence else None)

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        """Return the name of all references, of which one must have an edit."""
        return ["any"]

    def score(self, totals: NDArray[Any]) -> Floats:
        tp, fp, fn = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        square = self.beta**2
        hits, total = (1 + square) * tp, (1 + square) * tp + fp + square * fn
        return nan_without(ratio(hits, total, 0.0), tp + fp + fn)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        tp, fp, fn = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        sums = {"precision": tp + fp, "recall": tp + fn}
        return {name: ratio(tp, total, np.nan) for name, total in sums.items()}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return np.nan_to_num(self.score(counts))
