"""Success: sentences in which a system makes all edits of one annotator. Higher is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import ratio
from geceval.counting.metric import About, Outcomes, Scale
from geceval.counting.settings import setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import (
    COUNTED,
    OnEdits,
    counted_edits,
    evidence_without_edits,
    sentences_of,
    version_indices,
)
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import DELETE, UNKNOWN

COLUMNS = ("corrected", "missed")

#: Sentence, span and correction of an edit.
EditKey: TypeAlias = tuple[int, int, int, str]


@dataclass(frozen=True, eq=False)
class PreparedSuccess:
    """A corpus with the edits [E] of its references, and their keys."""

    corpus: Corpus
    references: Edits
    keys: Sequence[EditKey]


@dataclass(frozen=True)
class Success(OnEdits[PreparedSuccess]):
    """Share of the sentences with edits of an annotator in which all edits of one such annotator are made.

    An edit is made if the system has one with its span and correction, of any type. ``types`` restricts the edits of
    the annotators: the sentences are those in which one of them has an edit of these types. Edits of type UNK, which
    have no correction, do not count. A sentence without edits scores 0; a corpus without edits scores nan.
    """

    name: ClassVar[str] = "success"
    about: ClassVar[About] = About("sentences corrected completely", "types=R:VERB:SVA")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    references_together: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale(plain_parts=frozenset({"sentences"}))
    outcomes: ClassVar[Outcomes] = Outcomes({"corrected": "correct", "missed": "missed"})
    #: Evidence is sentences.
    by_kind: ClassVar[None] = None  # type: ignore[assignment]

    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, "preparing", meaning="annotator that finds edits in text")
    types: str | None = setting(None, meaning=COUNTED)

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedSuccess:
        references = reference_edits(corpus, self.extraction, threads)
        return PreparedSuccess(corpus, references, _keys(references))

    def count(
        self, prepared: PreparedSuccess, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return whether all edits of an annotator who has some are made, or of none, ``array[s, 0, k]``."""
        corpus, references = prepared.corpus, prepared.references
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        counted = counted_edits(references, self.selectors) & ~_has_type(references, UNKNOWN)
        # Edits of type UNK mark an error and correct nothing.
        proposed = set(compress(_keys(edits), ~_has_type(edits, UNKNOWN)))
        made = counted & np.fromiter((key in proposed for key in prepared.keys), np.bool_, len(counted))
        version, versions = version_indices(references), len(references.annotator)
        numbers, numbers_made = (np.bincount(version[rows], minlength=versions) for rows in (counted, made))
        sentence = np.repeat(np.arange(len(corpus)), np.diff(references.versions))
        has_edits = numbers > 0
        is_made = has_edits & (numbers == numbers_made)
        found, corrected = (np.bincount(sentence[rows], minlength=len(corpus)) > 0 for rows in (has_edits, is_made))
        array = np.stack([corrected, found & ~corrected], axis=-1).astype(np.int64)[:, np.newaxis]
        return Counts(array, COLUMNS, None, evidence_without_edits(array) if evidence else None)

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        """Return the name of all references, of which one must be reached."""
        return ["any"]

    def score(self, totals: NDArray[Any]) -> Floats:
        corrected, missed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return ratio(corrected, corrected + missed, np.nan)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return {"sentences": np.asarray(totals, np.float64).sum(-1)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return np.nan_to_num(self.score(counts))


def _has_type(edits: Edits, name: str) -> NDArray[np.bool_]:
    strings = edits.strings
    return np.array([text == name for text in strings], np.bool_)[edits.type]


def _keys(edits: Edits) -> list[EditKey]:
    corrections = [_correction(text) for text in edits.strings]
    texts = [corrections[index] for index in edits.text.tolist()]
    return list(zip(sentences_of(edits).tolist(), edits.start.tolist(), edits.end.tolist(), texts, strict=True))


def _correction(text: str) -> str:
    text = text.strip()
    return "" if text == DELETE else text
