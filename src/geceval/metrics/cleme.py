"""CLEME and CLEME2.0: hypothesis and references compared in chunks of equal boundaries.

Sources: Ye et al., CLEME (EMNLP 2023) and CLEME2.0 (ACL 2025); the settings are those of the public code.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import Metric
from geceval.counting.policies import Optimum, Policy, Running
from geceval.edits.annotation import Annotator
from geceval.edits.chunks import Booleans, Chunks, Versions, tokens_of
from geceval.edits.edited import Edited
from geceval.edits.languages import make_annotator
from geceval.errors import UsageError
from geceval.neural.bertscore import Scorer, WithEncoder
from geceval.text.corpus import Corpus, Hypothesis

Assumption: TypeAlias = Literal["dependent", "independent"]
Weights: TypeAlias = Literal["none", "length", "length-sentence"]
Weights2: TypeAlias = Literal["none", "length", "length-sentence", "similarity"]
Selection: TypeAlias = Literal["running", "optimum"]
Factors: TypeAlias = Literal["corpus", "sentence", "class"]

#: The classes of chunks. A wrong edit is necessary where a reference edits too, unnecessary where none does.
COLUMNS = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
TP, FP_NECESSARY, FP_UNNECESSARY, FN, TN = range(5)


@dataclass(frozen=True)
class Curve:
    """A logistic weight of a chunk's length: 1 at the mean length, at most ``top``, clipped to ``low`` … ``high``."""

    top: float
    low: float
    high: float

    def __call__(self, excess: Floats) -> Floats:
        """The weights for ``excess``, the length less the mean length; negated, the curve falls."""
        with np.errstate(over="ignore"):
            return np.clip(self.top / (1 + (self.top - 1) * np.exp(-excess)), self.low, self.high)


_PUBLISHED = Curve(2, 0.75, 1.25)
_NO_FN = Curve(10, 1, 1)
#: Curves of TP, FP and FN by weights and assumption.
CURVES: dict[tuple[Weights2, Assumption], tuple[Curve, Curve, Curve]] = {
    ("length", "dependent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length", "independent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length-sentence", "dependent"): (Curve(10, 1, 10), Curve(10, 0.25, 1), _NO_FN),
    ("length-sentence", "independent"): (Curve(10, 2.5, 10), Curve(10, 0.25, 1), _NO_FN),
}

#: What hit, wrong, under- and over-correction contribute to CLEME2.0.
FACTORS: dict[Factors, tuple[float, float, float, float]] = {
    "corpus": (0.45, 0.35, 0.15, 0.05),
    "sentence": (0.35, 0.25, 0.20, 0.20),
    "class": (0.50, 0.40, 0.05, 0.05),
}


def classify(chunks: Chunks, assumption: Assumption) -> NDArray[np.int64]:
    """The class of every chunk against every reference, [C, R]: places in COLUMNS.

    Dependent: against each reference alone. Independent: a hit is what any reference has, a miss what all change.
    """
    edited, references = chunks.changed[:, :1], chunks.changed[:, 1:]
    if assumption == "dependent":
        same, necessary, missed = chunks.same, references, ~chunks.same
    else:
        there = chunks.there
        same, necessary = _any(chunks.same & there), _any(references & there)
        missed = ~_any(~references & there)
    if_edited = np.where(same, TP, np.where(necessary, FP_NECESSARY, FP_UNNECESSARY))
    classes = np.where(edited, if_edited, np.where(missed, FN, TN))
    return np.broadcast_to(classes, chunks.same.shape)


def _any(cells: Booleans) -> Booleans:
    """[C, R] -> [C, 1]"""
    return np.asarray(cells.any(axis=1, keepdims=True))


class Prepared:
    """Sources and references, ready to be cut into chunks with any system."""

    def __init__(self, edited: Edited, merge_distance: int, drop_unchanged: bool) -> None:
        self.edited = edited
        self.versions = Versions(edited.source, edited.references, merge_distance, drop_unchanged)
        self._last: tuple[Hypothesis, Chunks] | None = None

    def chunks(self, hypothesis: Hypothesis) -> Chunks:
        """The chunks of a system, given as M2 or as text; the last ones are kept, for the second pass."""
        if self._last is None or self._last[0] is not hypothesis:
            self._last = hypothesis, self.versions.partition(self.edited.hypothesis(hypothesis))
        return self._last[1]


@dataclass(frozen=True)
class ChunkMetric(Metric):
    """What CLEME and CLEME2.0 share: chunks, their classes and weights.

    ``x0`` is the mean length of the references' changed chunks, from which length weights start; a constant of the
    whole corpus for each system, unless given. ``nan``: there is none, and all weights are 1. Text is turned into
    edits by ``annotator``.
    """

    assumption: Assumption = "dependent"
    merge_distance: int = 0
    drop_unchanged: bool = False
    x0: float | None = None
    annotator: str | Annotator = "builtin"

    def __post_init__(self) -> None:
        if self.merge_distance < 0:
            raise UsageError(f"merge_distance is {self.merge_distance}; it must not be negative")

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS

    @property
    def policy(self) -> Policy:
        return Running()

    @property
    def signed_settings(self) -> dict[str, Any]:
        """The annotator with its version: edits depend on it."""
        return super().signed_settings | {"annotator": make_annotator(self.annotator).name}

    @property
    def prepare_key(self) -> Hashable:
        return (Prepared, self.annotator, self.merge_distance, self.drop_unchanged)

    def prepare(self, corpus: Corpus, threads: int = 0) -> Prepared:
        return Prepared(Edited(corpus, self.annotator, threads), self.merge_distance, self.drop_unchanged)

    def tie_key(self, counts: Sequence[float]) -> tuple[float, ...]:
        """More hits, then less that is wrong, less that is missed, more that is rightly left alone."""
        tp, necessary, unnecessary, fn, tn = counts
        return tp, -(necessary + unnecessary), -fn, tn

    @property
    @abstractmethod
    def curves(self) -> tuple[Curve, Curve, Curve] | None:
        """How TP, FP and FN are weighed by length, if they are."""

    @property
    def has_constant(self) -> bool:
        return self.curves is not None and self.x0 is None

    def survey(self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """The number of changed chunks in all references, and the sum of their lengths."""
        chunks = prepared.chunks(hypothesis)
        changed = chunks.changed[:, 1:] & chunks.there
        lengths = np.maximum(chunks.source_length[:, np.newaxis], chunks.length[:, 1:])
        return np.array([changed.sum(), lengths[changed].sum()], dtype=np.float64)

    def settled(self, sums: Floats) -> ChunkMetric:
        changed, length = sums.tolist()
        return replace(self, x0=length / changed if changed else math.nan)

    def count(self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0) -> Counts:
        chunks = prepared.chunks(hypothesis)
        classes = classify(chunks, self.assumption)
        counts = chunks.sums(classes, self.weigh(chunks, classes), len(COLUMNS))
        return Counts(counts, COLUMNS, chunks.present)

    def weigh(self, chunks: Chunks, classes: NDArray[np.int64]) -> Floats:
        """The weight of every chunk against every reference, [C, R]."""
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
class Cleme(ChunkMetric):
    """CLEME: F of chunk hits, weighted by chunk length.

    References are compared, and sentences scored, by figures rounded to four decimals, as in the public code.
    """

    name: ClassVar[str] = "cleme"
    scoring_settings: ClassVar[frozenset[str]] = frozenset({"beta", "selection"})

    weights: Weights = "length"
    beta: float = 0.5
    selection: Selection = "running"

    @property
    def curves(self) -> tuple[Curve, Curve, Curve] | None:
        return CURVES.get((self.weights, self.assumption))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.beta >= 0:
            raise UsageError(f"beta is {self.beta}; it must not be negative")

    @property
    def policy(self) -> Policy:
        return Optimum() if self.selection == "optimum" else Running()

    @property
    def ratio(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        square = self.beta**2
        return (1 + square, 0, 0, 0, 0), (1 + square, 1, 1, square, 0)

    def figures(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats, Floats]:
        """F, precision, recall and accuracy of totals [..., 5], each [...]."""
        tp, necessary, unnecessary, fn, tn = np.moveaxis(totals, -1, 0)
        fp = necessary + unnecessary
        precision, recall = _ratio(tp, tp + fp, 1.0), _ratio(tp, tp + fn, 1.0)
        square = self.beta**2
        f = _ratio((1 + square) * precision * recall, square * precision + recall, 0.0)
        return f, precision, recall, _ratio(tp + tn, tp + fp + fn + tn, 0.0)

    def score(self, totals: NDArray[Any]) -> Floats:
        return self.figures(totals)[0]

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        _, precision, recall, accuracy = self.figures(totals)
        return {"precision": precision, "recall": recall, "accuracy": accuracy}

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """F, precision, recall and accuracy of every sentence, rounded."""
        return _rounded(np.stack(self.figures(counts), axis=-1))

    def sentence_score(self, counts: NDArray[Any]) -> Floats:
        return _rounded(self.score(counts))

    def sentence_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return {name: _rounded(part) for name, part in self.parts(counts).items()}

    def running_key(self, totals: Sequence[float]) -> tuple[float, ...]:
        tp, necessary, unnecessary, fn, _ = totals
        fp = necessary + unnecessary
        precision = tp / (tp + fp) if tp + fp else 1.0
        recall = tp / (tp + fn) if tp + fn else 1.0
        square = self.beta**2
        below = square * precision + recall
        f = (1 + square) * precision * recall / below if below else 0.0
        return (round(f, 4),)


@dataclass(frozen=True)
class Cleme2(WithEncoder, ChunkMetric):
    """CLEME2.0: hit, wrong, under- and over-correction of chunks, and their weighted sum.

    The weights ``similarity`` are changes of BERTScore and need an encoder (see WithEncoder).
    """

    name: ClassVar[str] = "cleme2"
    scoring_settings: ClassVar[frozenset[str]] = frozenset({"factors"})

    weights: Weights2 = "length"
    factors: Factors = "corpus"

    @property
    def curves(self) -> tuple[Curve, Curve, Curve] | None:
        return CURVES.get((self.weights, self.assumption))

    @property
    def uses_encoder(self) -> bool:
        return self.weights == "similarity"

    @property
    def signed_settings(self) -> dict[str, Any]:
        return super().signed_settings | self.signed_encoder

    def count(self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0) -> Counts:
        if not self.uses_encoder:
            return super().count(prepared, hypothesis, threads)
        chunks = prepared.chunks(hypothesis)
        classes = classify(chunks, self.assumption)
        weights = similarity_weights(prepared, hypothesis, chunks, classes, self.scorer)
        return Counts(chunks.sums(classes, weights, len(COLUMNS)), COLUMNS, chunks.present)

    @property
    def label(self) -> str:
        return "CLEME2.0"

    def figures(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats, Floats]:
        """Hit, wrong, under- and over-correction of totals [..., 5], each [...]."""
        tp, necessary, unnecessary, fn, _ = np.moveaxis(totals, -1, 0)
        needed = tp + necessary + fn
        over = _ratio(unnecessary, tp + necessary + unnecessary, 0.0)
        return _ratio(tp, needed, 0.0), _ratio(necessary, needed, 0.0), _ratio(fn, needed, 0.0), over

    def score(self, totals: NDArray[Any]) -> Floats:
        hit, wrong, under, over = self.figures(totals)
        a1, a2, a3, a4 = FACTORS[self.factors]
        return np.asarray(a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over))

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return dict(zip(("hit", "wrong", "under", "over"), self.figures(totals), strict=True))

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """The score, then hit, and less wrong, under- and over-correction."""
        hit, wrong, under, over = self.figures(counts)
        return np.stack([self.score(counts), hit, -wrong, -under, -over], axis=-1)

    def running_key(self, totals: Sequence[float]) -> tuple[float, ...]:
        tp, necessary, unnecessary, fn, _ = totals
        needed = (tp + necessary + fn) or math.inf
        done = (tp + necessary + unnecessary) or math.inf
        a1, a2, a3, a4 = FACTORS[self.factors]
        hit, wrong, under, over = tp / needed, necessary / needed, fn / needed, unnecessary / done
        return (a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over),)


def similarity_weights(
    prepared: Prepared, hypothesis: Hypothesis, chunks: Chunks, classes: NDArray[np.int64], scorer: Scorer
) -> Floats:
    """By how much each chunk alone changes the source's BERTScore F against each reference, [C, R]; 1 for TN.

    What is put into the source is the hypothesis's chunk, or for FN the reference's. 0 if that leaves no text.
    """
    weights = np.ones(classes.shape)
    cells: list[tuple[int, int]] = []
    pairs: list[tuple[str, str]] = []
    systems, source = prepared.edited.hypothesis(hypothesis), prepared.edited.source
    for s, (tokens, references) in enumerate(zip(source, prepared.versions.references, strict=True)):
        texts = [None if version is None else " ".join(tokens_of(tokens, version)) for version in references]
        for c in range(chunks.offsets[s], chunks.offsets[s + 1]):
            start, end = int(chunks.start[c]), int(chunks.end[c])
            for r, (version, reference) in enumerate(zip(references, texts, strict=True)):
                if version is None or reference is None or classes[c, r] == TN:
                    continue
                changed = tokens_of(tokens, version if classes[c, r] == FN else systems[s], start, end)
                text = " ".join([*tokens[:start], *changed, *tokens[end:]])
                before = " ".join(tokens)
                cells.append((c, r))
                pairs += [(text or before, reference), (before, reference)]
    scores = iter(scorer.scores(pairs))
    for c, r in cells:
        (*_, after), (*_, before_f) = next(scores), next(scores)
        weights[c, r] = abs(before_f - after)
    return weights


def _ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    """above / below, and ``otherwise`` where nothing is below."""
    some = below > 0
    return np.where(some, above / np.where(some, below, 1.0), otherwise)


def _rounded(values: Floats) -> Floats:
    """Rounded to four decimals as Python does, which numpy's faster rounding is not always."""
    return np.array([round(value, 4) for value in values.ravel().tolist()]).reshape(values.shape)
