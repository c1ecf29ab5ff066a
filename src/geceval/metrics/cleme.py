"""CLEME and CLEME2.0: comparison in chunks of equal boundaries.

Sources: Ye et al., CLEME (EMNLP 2023) and CLEME2.0 (ACL 2025). The settings are the same as in the public code.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, Text
from geceval.base.arguments import PLACES, Bounds
from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.counting.contract import ByKind, Given, KindOfEdit, Outcomes
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.edit_metric import OnEdits
from geceval.counting.figures import F, Figure, ratio, rounded
from geceval.counting.metric import FMetric
from geceval.counting.policies import Policy, Running, Selection
from geceval.counting.settings import FINITE, setting
from geceval.edits.annotation import Annotator
from geceval.edits.chunks import Booleans, ChunkedVersions, Chunks, ChunkTexts
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.metrics.neural.bertscore import BertScorer, WithEncoder
from geceval.metrics.shared.accepted_edits import Valid, minimal_edits, minimise, read_valid, signed_valid
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2 import Misfits

Assumption: TypeAlias = Literal["dependent", "independent"]
Weights: TypeAlias = Literal["none", "length", "length-sentence"]
Weights2: TypeAlias = Literal["none", "length", "length-sentence", "similarity"]
Factors: TypeAlias = Literal["corpus", "sentence", "class"]

#: The classes of chunks. A wrong edit is necessary where a reference edits too, unnecessary where none does.
COLUMNS = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
TP, FP_NECESSARY, FP_UNNECESSARY, FN, TN = range(5)


@dataclass(frozen=True)
class Curve:
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


_PUBLISHED = Curve(2, 0.75, 1.25)
_NO_FN = Curve(10, 1, 1)
#: Curves of TP, FP and FN by weights and assumption.
CURVES: dict[tuple[Weights2, Assumption], tuple[Curve, Curve, Curve]] = {
    ("length", "dependent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length", "independent"): (_PUBLISHED, _PUBLISHED, _PUBLISHED),
    ("length-sentence", "dependent"): (Curve(10, 1, 10), Curve(10, 0.25, 1), _NO_FN),
    ("length-sentence", "independent"): (Curve(10, 2.5, 10), Curve(10, 0.25, 1), _NO_FN),
}

#: Factors of hit, wrong, under- and over-correction in CLEME2.0.
FACTORS: dict[Factors, tuple[float, float, float, float]] = {
    "corpus": (0.45, 0.35, 0.15, 0.05),
    "sentence": (0.35, 0.25, 0.20, 0.20),
    "class": (0.50, 0.40, 0.05, 0.05),
}


def classify(chunks: Chunks, assumption: Assumption) -> NDArray[np.int64]:
    """Return the class of every chunk against every reference, [C, R].

    A class is a place in COLUMNS. Dependent: against each reference alone. Independent: a hit is the text of any
    reference, a miss is changed in all.
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
    """Combine the references: [C, R] -> [C, 1]."""
    return np.asarray(cells.any(axis=1, keepdims=True))


def chunk_evidence(chunks: Chunks, texts: ChunkTexts, classes: NDArray[np.int64], weights: Floats) -> Evidence:
    """Return a row for every chunk and reference with a weight.

    The text of a missed chunk is the reference's, any other one the hypothesis's.
    """
    chunk, reference = np.nonzero(chunks.there & (weights != 0))
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


class PreparedCleme:
    """Sources and references, ready to be cut into chunks with any system."""

    def __init__(
        self,
        corpus: Corpus,
        extraction: Extraction,
        merge_distance: int,
        drop_unchanged: bool,
        threads: int = 0,
        misfits: Misfits = "error",
    ) -> None:
        self.corpus, self.extraction = corpus, extraction
        self.references = reference_edits(corpus, extraction, threads, misfits=misfits)
        self.versions = ChunkedVersions(
            Text(corpus.source), self.references, merge_distance, drop_unchanged, blocks=corpus.gold, threads=threads
        )
        self._last: tuple[Hypothesis, Edits, Chunks] | None = None

    def chunks(self, hypothesis: Hypothesis, threads: int = 0) -> Chunks:
        """Return the chunks of a system; the last ones are cached for the second pass."""
        return self._cut(hypothesis, threads)[1]

    def texts(self, hypothesis: Hypothesis, threads: int = 0) -> ChunkTexts:
        """Return the texts of these chunks."""
        return self.versions.texts(self.edits(hypothesis, threads), threads)

    def edits(self, hypothesis: Hypothesis, threads: int = 0) -> Edits:
        """Return the edits of a system."""
        return self._cut(hypothesis, threads)[0]

    def _cut(self, hypothesis: Hypothesis, threads: int) -> tuple[Edits, Chunks]:
        last = self._last  # another thread may put its own there meanwhile
        if last is None or last[0] is not hypothesis:
            edits = hypothesis_edits(self.corpus, hypothesis, self.extraction, threads)
            blocks = hypothesis if has_edits(hypothesis) else None
            self._last = last = hypothesis, edits, self.versions.partition(edits, blocks, threads)
        return last[1:]


@dataclass(frozen=True)
class ChunkMetric(OnEdits[PreparedCleme]):
    """Base class of CLEME and CLEME2.0: chunks, their classes and weights.

    ``x0`` is the mean length of the references' changed chunks, from which length weights start: a constant of the
    whole corpus for each system, unless given. ``nan``: undefined, all weights are 1. Text is turned into edits by
    ``annotator``. ``valid``: an M2 file of edits that are right although no reference has them (accept_chunks).
    """

    references_together: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = COLUMNS

    assumption: Assumption = setting(
        "dependent", meaning="one reference for a sentence (dependent), or any reference for each chunk"
    )
    merge_distance: int = setting(0, bounds=PLACES, meaning="number of unchanged tokens between edits of one chunk")
    drop_unchanged: bool = setting(False, meaning="whether references equal to the source are left out")
    x0: float | None = setting(
        None, bounds=Bounds(0, 1e9, nan=True), meaning="mean length of changed chunks; none: computed from the corpus"
    )
    annotator: Annotator | str = setting("builtin", meaning="annotator that finds edits in text")
    valid: str | None = setting(None, meaning="M2 file of edits that are right although no reference has them")

    def signed(self, given: Given) -> dict[str, Any]:
        return super().signed(given) | signed_valid(self.valid)

    @property
    def outcomes(self) -> Outcomes:
        return Outcomes({"tp": "correct", "fp_necessary": "wrong", "fp_unnecessary": "wrong", "fn": "missed"})

    @property
    def prepare_key(self) -> Hashable:
        return (PreparedCleme, self.extraction, self.merge_distance, self.drop_unchanged, self.misfits)

    def by_kind(self, key: KindOfEdit) -> ByKind:
        """Return how chunks have kinds: a rightly unchanged chunk has no edit and none."""
        return ByKind({"tn": "(unchanged)"}, frozenset({"accuracy"}))

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedCleme:
        return PreparedCleme(corpus, self.extraction, self.merge_distance, self.drop_unchanged, threads, self.misfits)

    @property
    def curves(self) -> tuple[Curve, Curve, Curve] | None:
        """The weights of TP, FP and FN by length; None without length weights."""
        return CURVES.get((self.settings["weights"], self.assumption))

    @property
    def has_constant(self) -> bool:
        return self.curves is not None and self.x0 is None

    def survey(self, prepared: PreparedCleme, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """Return the number of changed chunks in all references and their total length."""
        chunks = prepared.chunks(hypothesis, threads)
        changed = chunks.changed[:, 1:] & chunks.there
        lengths = np.maximum(chunks.source_length[:, np.newaxis], chunks.length[:, 1:])
        return np.array([changed.sum(), lengths[changed].sum()], dtype=np.float64)

    def settled(self, sums: Floats) -> ChunkMetric:
        changed, length = sums.tolist()
        return replace(self, x0=length / changed if changed else math.nan)

    def count(
        self, prepared: PreparedCleme, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        chunks = prepared.chunks(hypothesis, threads)
        classes = classify(chunks, self.assumption)
        if self.valid is not None:
            classes = accept_chunks(prepared, hypothesis, classes, self.assumption, read_valid(self.valid))
        weights = self.weigh(prepared, hypothesis, chunks, classes)
        counts = chunks.sums(classes, weights, len(COLUMNS))
        rows = chunk_evidence(chunks, prepared.texts(hypothesis, threads), classes, weights) if evidence else None
        return Counts(counts, COLUMNS, chunks.present, rows)

    def weigh(
        self, prepared: PreparedCleme, hypothesis: Hypothesis, chunks: Chunks, classes: NDArray[np.int64]
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


def accept_chunks(
    prepared: PreparedCleme, hypothesis: Hypothesis, classes: NDArray[np.int64], assumption: Assumption, valid: Valid
) -> NDArray[np.int64]:
    """Return classes [C, R] in which wrong chunks with an accepted change are hits.

    The change of a chunk is accepted as a whole, or if each of its edits is accepted or is an edit of the reference
    (independent: of any reference).
    """
    chunks, texts, edits = prepared.chunks(hypothesis), prepared.texts(hypothesis), prepared.edits(hypothesis)
    classes = classes.copy()
    wrong = (classes == FP_NECESSARY) | (classes == FP_UNNECESSARY)
    for c in np.flatnonzero(wrong.any(axis=1)).tolist():
        s, start, end = (column[c].item() for column in (chunks.sentence, chunks.start, chunks.end))
        tokens = prepared.corpus.source[s].split()
        accepted = valid.of(tokens)
        if not accepted:
            continue
        whole = minimise(tokens, start, end, texts.strings[texts.text[c, 0]])
        [(_, version)] = edits.sentence(s)
        inside = [edit for edit in version if start <= edit[0] and edit[1] <= end]
        own = set(minimal_edits(inside, tokens, literal=edits.literal))
        gold = [
            set(minimal_edits(version, tokens, literal=prepared.references.literal))
            for _, version in prepared.references.sentence(s)
        ]
        if assumption == "independent":
            gold = [set().union(*gold)] * len(gold)
        for r, known in enumerate(gold):
            if wrong[c, r] and (whole in accepted or own <= known | accepted.keys()):
                classes[c, r] = TP
    return classes


#: The public code rounds figures before it compares them.
DIGITS = 4
#: More hits, then fewer wrong, fewer missed, more rightly unchanged chunks.
TIES = ((1.0, 0.0, 0.0, 0.0, 0.0), (0.0, -1.0, -1.0, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0))


def accuracy(totals: NDArray[Any]) -> Floats:
    """Return the share [...] of chunks that equal some reference."""
    tp, necessary, unnecessary, fn, tn = np.moveaxis(totals, -1, 0)
    return ratio(tp + tn, tp + (necessary + unnecessary) + fn + tn, 0.0)


@dataclass(frozen=True)
class RoundedFigures(F):
    """The reference with the highest rounded F, precision, recall, accuracy.

    A sentence alone takes it.
    """

    def ranking(self, counts: NDArray[Any]) -> Floats:
        precision, recall = self.precision_recall(counts)
        figures = [self.score(counts), precision, recall, accuracy(counts)]
        return rounded(np.stack(figures, axis=-1), DIGITS)


@dataclass(frozen=True)
class Cleme(FMetric[PreparedCleme], ChunkMetric):
    """CLEME: F of chunk hits, weighted by chunk length.

    References are compared, and sentences scored, by figures rounded to four decimals, as in the public code.

    Source: Ye et al., CLEME: Debiasing Multi-reference Evaluation for GEC (EMNLP 2023).
    """

    name: ClassVar[str] = "cleme"
    measures: ClassVar[str] = "F of chunks weighted by length"
    example: ClassVar[str] = "assumption=independent"
    weights: Weights = setting("length", meaning="weights of chunks, by their length or all 1")
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    selection: Selection = setting(
        "running", "selecting", meaning="choice of references: in the order of the sentences, or for the best total"
    )
    misfits: Misfits = setting("error", meaning="gold edits outside their sentence: an error, or left out")

    @cached_property
    def f(self) -> F:
        tp, proposed, gold = (1.0, 0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0, 0.0)
        return RoundedFigures(self.beta, tp, proposed, gold, proposed, gold, TIES, ties_of="sentence", digits=DIGITS)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return super().parts(totals) | {"accuracy": accuracy(totals)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return rounded(self.score(counts), DIGITS)

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return {name: rounded(part, DIGITS) for name, part in self.parts(counts).items()}


@dataclass(frozen=True)
class Cleme2(WithEncoder[PreparedCleme], ChunkMetric):
    """CLEME2.0: a weighted sum of four rates of correction over chunks.

    The rates are hit, wrong, under- and over-correction. The weights ``similarity`` are changes of BERTScore and need
    an encoder (see WithEncoder).

    Source: Ye et al., CLEME2.0 (ACL 2025).
    """

    name: ClassVar[str] = "cleme2"
    measures: ClassVar[str] = "hits and three errors of chunks"
    example: ClassVar[str] = "factors=sentence"
    title: ClassVar[str] = "CLEME2.0"
    policy: ClassVar[Policy] = Running()
    weights: Weights2 = setting("length", meaning="weights of chunks, by their length, by BERTScore, or all 1")
    factors: Factors = setting(
        "corpus", "scoring", meaning="factors of hit, wrong, under- and over-correction in the score"
    )
    misfits: Misfits = setting("error", meaning="gold edits outside their sentence: an error, or left out")

    @property
    def uses_encoder(self) -> bool:
        return self.weights == "similarity"

    def weigh(
        self, prepared: PreparedCleme, hypothesis: Hypothesis, chunks: Chunks, classes: NDArray[np.int64]
    ) -> Floats:
        if not self.uses_encoder:
            return super().weigh(prepared, hypothesis, chunks, classes)
        return similarity_weights(chunks, prepared.texts(hypothesis), classes, self.scorer)

    def figures(self, totals: NDArray[Any]) -> tuple[Floats, Floats, Floats, Floats]:
        """Return hit, wrong, under- and over-correction of totals [..., 5], each [...]."""
        tp, necessary, unnecessary, fn, _ = np.moveaxis(totals, -1, 0)
        needed = tp + necessary + fn
        over = ratio(unnecessary, tp + necessary + unnecessary, 0.0)
        return ratio(tp, needed, 0.0), ratio(necessary, needed, 0.0), ratio(fn, needed, 0.0), over

    def score(self, totals: NDArray[Any]) -> Floats:
        hit, wrong, under, over = self.figures(totals)
        a1, a2, a3, a4 = FACTORS[self.factors]
        return np.asarray(a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over))

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return dict(zip(("hit", "wrong", "under", "over"), self.figures(totals), strict=True))

    @property
    def figure(self) -> Figure:
        return Factored(self)


@dataclass(frozen=True)
class Factored(Figure):
    """References compared by the score, then by the four rates."""

    metric: Cleme2

    def ranking(self, counts: NDArray[Any]) -> Floats:
        hit, wrong, under, over = self.metric.figures(counts)
        return np.stack([self.metric.score(counts), hit, -wrong, -under, -over], axis=-1)

    def key(self, totals: Sequence[float], own: Sequence[float]) -> tuple[float, ...]:
        tp, necessary, unnecessary, fn, _ = totals
        needed = (tp + necessary + fn) or math.inf
        done = (tp + necessary + unnecessary) or math.inf
        a1, a2, a3, a4 = FACTORS[self.metric.factors]
        hit, wrong, under, over = tp / needed, necessary / needed, fn / needed, unnecessary / done
        score = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
        tp, necessary, unnecessary, fn, tn = own
        return score, tp, -(necessary + unnecessary), -fn, tn


def similarity_weights(chunks: Chunks, texts: ChunkTexts, classes: NDArray[np.int64], scorer: BertScorer) -> Floats:
    """Return the change of BERTScore F by each chunk alone, [C, R]; 1 for TN.

    The change is in the source's F against each reference. The chunk that is put into the source is the hypothesis's,
    or for FN the reference's. It is 0 where no text is left.
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


def _strings(texts: ChunkTexts, places: NDArray[np.int32]) -> list[str]:
    return [texts.strings[place] for place in places.tolist()]


def _joined(chunks: Sequence[str]) -> str:
    """Return the text of consecutive chunks, some of which may be empty."""
    return " ".join(filter(None, chunks))
