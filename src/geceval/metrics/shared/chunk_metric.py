"""Base class of CLEME and CLEME2.0: comparison in chunks of equal boundaries.

Sources: Ye et al., CLEME (EMNLP 2023) and CLEME2.0 (ACL 2025). The settings are the same as in the public code.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, Text
from geceval.base.arguments import PLACES, Bounds
from geceval.base.errors import UsageError
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.metric import ByKind, CorpusConstant, Outcomes
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.chunks import Booleans, ChunkedVersions, Chunks, ChunkTexts
from geceval.edits.corpus_edits import Extraction, LruCache, hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import COUNTED, OnEdits
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.type_selectors import TypeSelectors

Assumption: TypeAlias = Literal["dependent", "independent"]
Weights: TypeAlias = Literal["none", "length", "length-sentence"]
Weights2: TypeAlias = Literal["none", "length", "length-sentence", "similarity"]

#: The classes of chunks. A wrong edit is necessary where a reference edits too, unnecessary where none does.
COLUMNS = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
TP, FP_NECESSARY, FP_UNNECESSARY, FN, TN = range(5)
#: More hits, then fewer wrong, fewer missed, more rightly unchanged chunks.
TIES = ((1.0, 0.0, 0.0, 0.0, 0.0), (0.0, -1.0, -1.0, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True)
class LengthWeight:
    """A logistic weight of a chunk's length.

    It is 1 at the mean length, at most ``top``, limited to ``low`` … ``high``.
    """

    top: float
    low: float
    high: float

    def __call__(self, excess: Floats) -> Floats:
        """Return the weights for ``excess``, the length less the mean length.

        With a negated excess the curve falls.
        """
        with np.errstate(over="ignore"):
            return np.clip(self.top / (1 + (self.top - 1) * np.exp(-excess)), self.low, self.high)


_PUBLISHED = LengthWeight(2, 0.75, 1.25)
_NO_FN = LengthWeight(10, 1, 1)
#: Curves of TP, FP and FN by weights and assumption.
CURVES: dict[tuple[Weights2, Assumption], tuple[LengthWeight, LengthWeight, LengthWeight]] = {
    ("length", "dependent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length", "independent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length-sentence", "dependent"): (LengthWeight(10, 1, 10), LengthWeight(10, 0.25, 1), _NO_FN),
    ("length-sentence", "independent"): (LengthWeight(10, 2.5, 10), LengthWeight(10, 0.25, 1), _NO_FN),
}


def classify_chunks(chunks: Chunks, assumption: Assumption) -> NDArray[np.int64]:
    """Return the class of every chunk against every reference, [C, R].

    A class is an index of COLUMNS. Dependent: against each reference alone. Independent: a hit is the text of any
    reference, a miss is changed in all.
    """
    edited, references = chunks.changed[:, :1], chunks.changed[:, 1:]
    if assumption == "dependent":
        same, necessary, missed = chunks.same, references, ~chunks.same
    else:
        present = chunks.has_reference
        same, necessary = _any(chunks.same & present), _any(references & present)
        missed = ~_any(~references & present)
    if_edited = np.where(same, TP, np.where(necessary, FP_NECESSARY, FP_UNNECESSARY))
    classes = np.where(edited, if_edited, np.where(missed, FN, TN))
    return np.broadcast_to(classes, chunks.same.shape)


def _any(cells: Booleans) -> Booleans:
    """Combine the references: [C, R] -> [C, 1]."""
    return np.asarray(cells.any(axis=1, keepdims=True))


def chunk_evidence(chunks: Chunks, texts: ChunkTexts, classes: NDArray[np.int64], weights: Floats) -> Evidence:
    """Return a row for every chunk and reference with a weight.

    The text of a missed chunk is the reference's, any other one the hypothesis's.
    """
    chunk, reference = np.nonzero(chunks.has_reference & (weights != 0))
    column = classes[chunk, reference]
    missed = column == FN
    version = np.where(missed, reference + 1, 0)
    return Evidence(
        sentence=chunks.sentence[chunk],
        reference=reference,
        column=column,
        weight=weights[chunk, reference],
        side=np.where(missed, REFERENCE, HYPOTHESIS).astype(np.uint8),
        start=chunks.start[chunk],
        end=chunks.end[chunk],
        text=texts.text[chunk, version],
        type=texts.type[chunk, version],
        strings=texts.strings,
    )


#: Chunks of texts from first passes. Second passes only read it, so that a full cache keeps the latest chunks.
FIRST_PASS_CHUNKS = LruCache(budget=64 << 20)
#: Minimum number of sentences whose chunks are kept.
MANY = 1 << 7


@dataclass(eq=False)
class PreparedCleme:
    """Sources and references, from which chunks with any system are computed."""

    corpus: Corpus
    extraction: Extraction
    merge_distance: int
    drop_unchanged: bool
    threads: int = 0
    selectors: TypeSelectors | None = None
    _last: tuple[Hypothesis, Chunks] | None = field(default=None, init=False)

    @cached_property
    def references(self) -> Edits:
        """Edits of the references; a second pass with cached chunks needs none."""
        return self._restricted(reference_edits(self.corpus, self.extraction, self.threads))

    @cached_property
    def versions(self) -> ChunkedVersions:
        """Sources and references, in the form that is split into chunks."""
        source, merging = self.corpus.source, (self.merge_distance, self.drop_unchanged)
        return ChunkedVersions(source, self.references, *merging, blocks=self.corpus.gold, threads=self.threads)

    def first_pass_chunks(self, hypothesis: Hypothesis, threads: int) -> Chunks:
        """Return the chunks of a system in a first pass.

        Chunks of texts are cached for the second pass.
        """
        chunks = self.chunks(hypothesis, threads)
        key = self._key(hypothesis)
        if key is not None:
            FIRST_PASS_CHUNKS.put(key, chunks.packed())
        return chunks

    def chunks(self, hypothesis: Hypothesis, threads: int) -> Chunks:
        """Return the chunks of a system; the last ones are cached."""
        last = self._last  # another thread may replace it
        if last is None or last[0] is not hypothesis:
            self._last = last = hypothesis, self._chunks(hypothesis, threads)
        return last[1]

    def texts(self, hypothesis: Hypothesis, threads: int) -> ChunkTexts:
        """Return the texts of these chunks."""
        return self.versions.texts(self.edits(hypothesis, threads), threads)

    def edits(self, hypothesis: Hypothesis, threads: int) -> Edits:
        """Return the edits of a system."""
        return self._restricted(hypothesis_edits(self.corpus, hypothesis, self.extraction, threads))

    def _restricted(self, edits: Edits) -> Edits:
        return edits if self.selectors is None else self.selectors.restricted(edits)

    def _chunks(self, hypothesis: Hypothesis, threads: int) -> Chunks:
        packed = FIRST_PASS_CHUNKS.get(self._key(hypothesis))
        if packed is not None:
            return Chunks.unpacked(packed)
        blocks = hypothesis if isinstance(hypothesis, Blocks) else None
        return self.versions.partition(self.edits(hypothesis, threads), blocks, threads)

    def _key(self, hypothesis: Hypothesis) -> Hashable:
        """Return the key of a system's chunks.

        It is None for edits of M2 and for few sentences, whose chunks are computed quickly.
        """
        if self.corpus.gold is not None or not isinstance(hypothesis, Text) or len(hypothesis) < MANY:
            return None
        _, keys = self.extraction.keys(self.corpus.source, [*self.corpus.references, hypothesis])
        return (self.merge_distance, self.drop_unchanged, self.selectors, *keys)


@dataclass(frozen=True)
class ChunkMetric(OnEdits[PreparedCleme]):
    """Base class of CLEME and CLEME2.0: chunks, their classes and weights.

    ``x0`` is the mean length of the references' changed chunks, from which length weights start: a constant of the
    whole corpus for each system, unless given. ``nan``: undefined, all weights are 1. Text is turned into edits by
    ``annotator``.
    """

    references_together: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    edit_columns: ClassVar[tuple[str, ...]] = COLUMNS[:TN]
    #: A rightly unchanged chunk has no edit.
    by_kind: ClassVar[ByKind] = ByKind({"tn": "(unchanged)"}, frozenset({"accuracy"}))

    assumption: Assumption = setting(
        "dependent", meaning="one reference for a sentence (dependent), or any reference for each chunk"
    )
    merge_distance: int = setting(
        0, "preparing", bounds=PLACES, meaning="number of unchanged tokens between edits of one chunk"
    )
    drop_unchanged: bool = setting(False, "preparing", meaning="whether references equal to the source are ignored")
    x0: float | None = setting(
        None, bounds=Bounds(0, 1e9, nan=True), meaning="mean length of changed chunks; none: computed from the corpus"
    )
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, "preparing", meaning="annotator that finds edits in text")
    types: str | None = setting(None, "preparing", meaning=COUNTED)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        settings = super().signed(inputs)
        if self.curves is None:
            settings.pop("x0", None)
        return settings

    @property
    def outcomes(self) -> Outcomes:
        return Outcomes({"tp": "correct", "fp_necessary": "wrong", "fp_unnecessary": "wrong", "fn": "missed"})

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedCleme:
        return PreparedCleme(corpus, self.extraction, self.merge_distance, self.drop_unchanged, threads, self.selectors)

    @property
    def curves(self) -> tuple[LengthWeight, LengthWeight, LengthWeight] | None:
        """The weights of TP, FP and FN by length; None without length weights."""
        return CURVES.get((self.settings["weights"], self.assumption))

    @property
    def constant(self) -> CorpusConstant | None:
        return MeanChunkLength(self) if self.curves is not None and self.x0 is None else None

    def count(
        self, prepared: PreparedCleme, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        chunks = prepared.chunks(hypothesis, threads)
        classes = classify_chunks(chunks, self.assumption)
        weights = self.weigh(prepared, hypothesis, chunks, classes, threads)
        counts = chunks.sums(classes, weights, len(COLUMNS))
        rows = chunk_evidence(chunks, prepared.texts(hypothesis, threads), classes, weights) if evidence else None
        return Counts(counts, COLUMNS, chunks.present, rows)

    def weigh(
        self,
        prepared: PreparedCleme,
        hypothesis: Hypothesis,
        chunks: Chunks,
        classes: NDArray[np.int64],
        threads: int,
    ) -> Floats:
        """Return the weights of chunks against references by length, [C, R].

        They are 1 without curves.
        """
        if self.curves is None:
            return np.ones(classes.shape)
        if self.x0 is None:
            raise UsageError(f"{self.name}: length weights need x0, the mean length of changed chunks")
        if math.isnan(self.x0):
            return np.ones(classes.shape)
        hit, wrong, missed = self.curves
        excess = np.maximum(chunks.source_length, chunks.length[:, 0]) - self.x0
        by_class = np.stack([hit(excess), wrong(-excess), wrong(-excess), missed(excess), np.ones(len(excess))])
        return by_class[classes, np.arange(len(excess))[:, np.newaxis]]


@dataclass(frozen=True)
class MeanChunkLength(CorpusConstant):
    """Mean length of the references' changed chunks, from which weights start."""

    metric: ChunkMetric

    @property
    def key(self) -> Hashable:
        return self.metric.prepare_key

    def sums(self, prepared: PreparedCleme, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """Return the number of changed chunks in all references and their total length."""
        chunks = prepared.first_pass_chunks(hypothesis, threads)
        changed = chunks.changed[:, 1:] & chunks.has_reference
        lengths = np.maximum(chunks.source_length[:, np.newaxis], chunks.length[:, 1:])
        return np.array([changed.sum(), lengths[changed].sum()], dtype=np.float64)

    def with_constant(self, sums: Floats) -> ChunkMetric:
        changed, length = sums.tolist()
        return replace(self.metric, x0=length / changed if changed else math.nan)
