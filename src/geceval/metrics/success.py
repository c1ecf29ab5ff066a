"""Success: sentences in which a system makes all edits of one annotator. Higher is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import nan_without, ratio
from geceval.counting.metric import About, Outcomes, Scale
from geceval.counting.settings import setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.edits.versions import check_only_version
from geceval.metrics.shared.edit_matching import (
    COUNTED,
    OnEdits,
    counted_edits,
    evidence_without_edits,
    sentences_of,
    versions_of,
)
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import DELETE, UNKNOWN

COLUMNS = ("corrected", "missed")


@dataclass(frozen=True)
class Success(OnEdits[tuple[Corpus, Edits]]):
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

    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")
    types: str | None = setting(None, meaning=COUNTED)

    def prepare(self, corpus: Corpus, threads: int = 0) -> tuple[Corpus, Edits]:
        return corpus, reference_edits(corpus, self.extraction, threads)

    def count(
        self, prepared: tuple[Corpus, Edits], hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return whether all edits of an annotator who has some are made, or of none, ``array[s, 0, k]``."""
        corpus, references = prepared
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        check_only_version(edits, hypothesis if isinstance(hypothesis, Blocks) else None)
        counted = counted_edits(references, self.selectors) & ~_has_type(references, UNKNOWN)
        made = counted & _made(edits, references)
        version, versions = versions_of(references), len(references.annotator)
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
        return nan_without(ratio(corrected, corrected + missed, 0.0), corrected + missed)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return {"sentences": np.asarray(totals, np.float64).sum(-1)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return np.nan_to_num(self.score(counts))


def _has_type(edits: Edits, name: str) -> NDArray[np.bool_]:
    strings = edits.strings
    return np.array([text == name for text in strings], np.bool_)[edits.type]


def _made(edits: Edits, references: Edits) -> NDArray[np.bool_]:
    """Return whether each edit of the references [E] has the span and the correction of one of the system."""
    ids: dict[str, int] = {}
    rows = []
    for columns in (edits, references):
        # Edits of type UNK mark an error and correct nothing.
        text_ids = np.array([ids.setdefault(_correction(text), len(ids)) for text in columns.strings], np.int64)
        rows.append(np.stack([sentences_of(columns), columns.start, columns.end, text_ids[columns.text]], axis=-1))
    proposed = rows[0][~_has_type(edits, UNKNOWN)]
    keys = np.unique(np.concatenate([proposed, rows[1]]), axis=0, return_inverse=True)[1].ravel()
    return np.isin(keys[len(proposed) :], keys[: len(proposed)])


def _correction(text: str) -> str:
    text = text.strip()
    return "" if text == DELETE else text
