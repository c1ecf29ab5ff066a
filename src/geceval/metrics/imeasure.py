"""I-measure: weighted accuracy over tokens relative to the unchanged source.

Source: Felice and Briscoe, NAACL 2015.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text, three_way
from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.contract import ByKind, EvidenceOf, KindOfEdit, Outcomes
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.edit_metric import OnEdits
from geceval.counting.figures import f_score, nan_without, ratio
from geceval.counting.policies import Best, Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import Annotator
from geceval.edits.changes import changes
from geceval.edits.corpus_edits import reference_edits
from geceval.edits.mixed_references import count_mixed_texts, mix_texts
from geceval.metrics.shared.edit_counts import ragged_counts
from geceval.text.corpus import Corpus, Hypothesis, as_text

Aspect: TypeAlias = Literal["correction", "detection"]
Maximised: TypeAlias = Literal["wacc", "i", "acc"]

#: Cells of the largest alignment: (source tokens + 1) × (hypothesis tokens + 1) × (candidate tokens + 1).
MOST_CELLS = 501**3

COLUMNS = ("kept", "missed", "wrong", "right", "changed", "base_kept", "base_missed")


class TokenConfusion(NamedTuple):
    """Tokens of the binary confusion.

    ``fpn``: tokens that are both false positives and false negatives.
    """

    tp: NDArray[Any]
    tn: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    fpn: NDArray[Any]

    def weighted_accuracy(self, w: float) -> Floats:
        """Return the weighted accuracy of equation 7.

        A token that is changed counts w times. The accuracy is 1 without tokens.
        """
        above = w * self.tp + self.tn
        return ratio(above, w * (self.tp + self.fp) + self.tn + self.fn - (w + 1) * self.fpn / 2, 1.0)

    def accuracy(self) -> Floats:
        """Return the accuracy of equation 6; 1 without tokens."""
        return ratio(self.tp + self.tn, self.tp + self.tn + self.fp + self.fn - self.fpn, 1.0)


def confusion_of(counts: NDArray[Any], aspect: Aspect) -> TokenConfusion:
    """Return the confusion of counts [..., 7] for an aspect.

    A wrong change at the right place is right for detection, and two errors for correction.
    """
    kept, missed, wrong, right, changed, _, _ = np.moveaxis(np.asarray(counts), -1, 0)
    if aspect == "detection":
        return TokenConfusion(right + changed, kept, wrong, missed, np.zeros_like(changed))
    return TokenConfusion(right, kept, wrong + changed, missed + changed, changed)


def source_confusion(counts: NDArray[Any]) -> TokenConfusion:
    """Return the confusion of the source as hypothesis."""
    kept, missed = counts[..., 5], counts[..., 6]
    none = np.zeros_like(kept)
    return TokenConfusion(none, kept, none, missed, none)


def improvement(own: Floats, before: Floats) -> Floats:
    """Return I of equation 8, the share of the distance to perfection or to nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        better, worse = (own - before) / (1 - before), own / before - 1
    return np.where(own == before, np.floor(own), np.where(own > before, better, worse))


@dataclass(frozen=True)
class ByFigure(Policy):
    """A policy that compares references by another figure than the score."""

    figure_name: Maximised = "wacc"

    @property
    def settings(self) -> dict[str, Any]:
        return {"policy": f"{self.name}-{self.figure_name}"}


class Highest(ByFigure, Best):
    """Each sentence takes the candidate with the highest figure."""

    name: ClassVar[str] = "highest"


class RunningHighest(ByFigure, Running):
    """Each sentence takes the candidate with the highest figure so far."""


@dataclass(frozen=True, eq=False)
class PreparedIMeasure:
    """The sentences, with the candidates ``offsets[s]:offsets[s + 1]`` of each."""

    corpus: Corpus
    candidates: Text
    offsets: NDArray[np.int64]


@dataclass(frozen=True)
class IMeasure(OnEdits[PreparedIMeasure]):
    """I-measure with the weight ``w`` of changed tokens.

    ``mix``: references are mixed from the annotators' edits, error by error, up to this number; 0: no mixing.
    ``aspect``: with "detection" a change of the right tokens is enough. The candidate with the highest ``maximise``
    (weighted accuracy, I, accuracy of the aspect) is taken, for each sentence alone or, with ``selection`` "running",
    over all sentences so far. ``beta``: of the part F.

    Source: Felice and Briscoe, Towards a standard evaluation method for GEC (NAACL 2015).
    """

    name: ClassVar[str] = "imeasure"
    measures: ClassVar[str] = "weighted accuracy versus the source"
    example: ClassVar[str] = "aspect=detection"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    title: ClassVar[str] = "I-measure"
    references_together: ClassVar[bool] = True
    #: A sentence can have many candidates.
    block: ClassVar[int] = 1024
    conventions: ClassVar[Mapping[str, float]] = {"precision": 1.0, "recall": 1.0}
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    outcomes: ClassVar[Outcomes] = Outcomes(
        {"right": "correct", "wrong": "wrong", "changed": "wrong", "missed": "missed"}
    )

    w: float = setting(
        2.0, "scoring", Bounds(0, 1e9, open=True), meaning="weight of changed tokens against unchanged ones"
    )
    beta: float = setting(1.0, "scoring", FINITE, meaning="weight of recall against precision in the part F")
    aspect: Aspect = setting(
        "correction", "scoring", meaning="aspect of a change that must be right: its correction, or its place"
    )
    mix: int = setting(
        1024,
        bounds=Bounds(0, 1 << 16),
        meaning="largest number of references mixed from the annotators' edits; 0: no mixing",
    )
    selection: Literal["best", "running"] = setting(
        "best", "selecting", meaning="choice of a reference: for each sentence alone, or by the sentences before it"
    )
    maximise: Maximised = setting(
        "wacc", "selecting", meaning="figure that the chosen reference maximises: weighted accuracy, I, or accuracy"
    )
    annotator: Annotator | str = setting("builtin", meaning="annotator that finds edits in text")

    @property
    def evidence_of(self) -> EvidenceOf:  # type: ignore[override]
        return "edits" if self.mix else "texts"

    @property
    def policy(self) -> Policy:
        return Highest(self.maximise) if self.selection == "best" else RunningHighest(self.maximise)

    def reference_names(self, names: Sequence[str], number: int) -> Sequence[str]:
        """Return names of the candidates, which have an order different from references."""
        return super().reference_names([] if self.mix else names, number)

    def by_kind(self, key: KindOfEdit) -> ByKind | None:
        return None

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedIMeasure:
        """Return the candidates of every sentence.

        Warns of sentences with too many candidates to mix.
        """
        if not self.mix and not corpus.references:
            raise InputError("I-measure needs references: corrected texts, or gold edits that make them")
        texts = self._mixed(corpus, threads) if self.mix else zip(*corpus.references, strict=True)
        rows = [[text for text in row if text is not None] for row in texts]
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return PreparedIMeasure(corpus, Text([line for row in rows for line in row]), offsets)

    def _mixed(self, corpus: Corpus, threads: int) -> Iterator[list[str]]:
        edits = reference_edits(corpus, self.extraction, threads)
        rows = changes(Text(corpus.source), edits, corpus.gold, threads)
        plain = 0
        for line, versions in zip(corpus.source, rows, strict=True):
            tokens = line.split()
            if count_mixed_texts(versions) <= self.mix:
                yield list(mix_texts(tokens, versions))
            else:
                plain += 1
                yield list(dict.fromkeys(text for [text] in (mix_texts(tokens, [version]) for version in versions)))
        if plain:
            first, last = corpus.place(0) + 1, corpus.place(len(corpus) - 1) + 1
            many = f"{plain} of the sentences {first} to {last} would make more than {self.mix} references"
            warnings.warn(f"imeasure: {many}; their references are not mixed", GecevalWarning, stacklevel=2)

    def count(
        self, prepared: PreparedIMeasure, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return ``array[s, c, k]`` with the candidates c of each sentence.

        Cost: O(|S| |H| |C|) for each. Raises InputError for a sentence of more than MOST_CELLS cells.
        """
        corpus, text = prepared.corpus, Text(as_text(hypothesis))
        given = Text(corpus.source), text, prepared.candidates, prepared.offsets
        try:
            rows, listed = three_way(*given, MOST_CELLS, threads, evidence=evidence)
        except ValueError as error:
            s, lengths = error.args
            several = ", ".join(map(str, lengths[:2]))
            line = f"line {corpus.place(s) + 1}"
            message = f"{line} is too long to be aligned: source, hypothesis and reference have {several}"
            hint = "is a line end missing? Sentences of 500 tokens are supported"
            raise InputError(f"{message} and {lengths[2]} tokens", hint=hint) from None
        found = None if listed is None else self._evidence(prepared, text, listed)
        cells = rows[:, : len(COLUMNS)].astype(np.int32)
        return ragged_counts(np.diff(prepared.offsets), cells, COLUMNS, found)

    @staticmethod
    def _evidence(prepared: PreparedIMeasure, text: Text, listed: Sequence[NDArray[np.int64]]) -> Evidence:
        """Return a row for every column of every alignment.

        It has the reference's token if that is missed, else the hypothesis's.
        """
        candidate, of_base, kind, start, *tokens = listed
        sentence = np.repeat(np.arange(len(prepared.corpus)), np.diff(prepared.offsets))[candidate]
        missed = kind == COLUMNS.index("missed")
        which = np.where(missed, 2, np.where(of_base == 1, 0, 1))
        at = np.choose(which, tokens)
        strings: dict[str, int] = {"": 0}
        said = np.zeros(len(kind), np.int32)
        for w, lines in enumerate((Text(prepared.corpus.source), text, prepared.candidates)):
            words = [str(line).split() for line in lines]
            ids = np.array([strings.setdefault(word, len(strings)) for row in words for word in row], np.int32)
            firsts = np.cumsum([0, *map(len, words)])
            mine = np.flatnonzero((which == w) & (at >= 0))
            said[mine] = ids[firsts[(candidate if w == 2 else sentence)[mine]] + at[mine]]
        side = np.where(missed, REFERENCE, HYPOTHESIS).astype(np.uint8)
        span = start.astype(np.int32), (start + (tokens[0] >= 0)).astype(np.int32)
        reference, column, weight = candidate - prepared.offsets[sentence], kind + 5 * of_base, np.ones(len(kind))
        return Evidence(sentence, reference, column, weight, side, *span, said, strings=list(strings))

    def score(self, totals: NDArray[Any]) -> Floats:
        return self._figures(totals, self.aspect)["i"]

    def _figures(self, totals: NDArray[Any], aspect: Aspect) -> dict[Maximised, Floats]:
        own = confusion_of(totals, aspect)
        weighted = own.weighted_accuracy(self.w)
        before = source_confusion(np.asarray(totals)).weighted_accuracy(self.w)
        return {"i": improvement(weighted, before), "wacc": weighted, "acc": own.accuracy()}

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return the figures by which candidates are compared.

        The maximised one, then I, weighted accuracy and accuracy of the aspect, then weighted accuracy, I and accuracy
        of the other aspect.
        """
        other: Aspect = "detection" if self.aspect == "correction" else "correction"
        own, rest = self._figures(counts, self.aspect), self._figures(counts, other)
        return np.stack([own[self.maximise], *own.values(), rest["wacc"], rest["i"], rest["acc"]], axis=-1)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        own, figures = confusion_of(totals, self.aspect), self._figures(totals, self.aspect)
        precision, recall = (ratio(own.tp, own.tp + beside, 1.0) for beside in (own.fp, own.fn))
        return {
            "precision": nan_without(precision, own.tp + own.fp),
            "recall": nan_without(recall, own.tp + own.fn),
            "f": f_score(precision, recall, self.beta),
            "accuracy": figures["acc"],
            "weighted_accuracy": figures["wacc"],
            "base": source_confusion(np.asarray(totals)).weighted_accuracy(self.w),
        }
