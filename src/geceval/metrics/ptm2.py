"""PT-M² and PT-ERRANT: edits weighted by the change of BERTScore that they cause.

Sources: Gong et al., PT-M² (EMNLP 2022); PT-ERRANT applies the same weights to ERRANT's edits, as in gec-metrics.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text
from geceval.base.errors import InputError
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, EvidenceOf, Floats
from geceval.counting.metric import About, ByKind, FMetric, Scale
from geceval.counting.policies import F, Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import Annotator
from geceval.edits.changes import Change, CorpusChanges
from geceval.metrics.neural.bertscore import COMPONENTS, BertScorer, WithEncoder, baseline
from geceval.metrics.shared.edit_matching import (
    GOLD_COLUMNS,
    EvidenceRows,
    Gold,
    OnEdits,
    edits_by_cell,
    matched_by_kind,
    ragged_counts,
    warn_of_unknown,
)
from geceval.text.corpus import Corpus, Hypothesis, TextSource
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Misfits, correction_of

Component: TypeAlias = Literal["p", "r", "f"]


#: The side of the edits in each column of a comparison, in PT-M² and in PT-ERRANT.
SIDES = (HYPOTHESIS, HYPOTHESIS, REFERENCE)


@dataclass(frozen=True)
class ReferenceComparison:
    """A system against one reference.

    The source, the reference's text, and the edits that each column sums up.
    """

    tokens: Sequence[str]
    reference: str
    columns: Sequence[Sequence[Change]]

    @property
    def changes(self) -> list[Change]:
        """Return the distinct edits."""
        return list(dict.fromkeys(change for column in self.columns for change in column))


def compute_gains(
    comparisons: Sequence[ReferenceComparison], scorer: BertScorer, component: int
) -> list[dict[Change, float]]:
    """Return the change of BERTScore by each edit of each comparison, made alone."""
    pairs: list[tuple[str, str]] = []
    for comparison in comparisons:
        texts = [" ".join(comparison.tokens), *(change.made(comparison.tokens) for change in comparison.changes)]
        pairs += [(text, comparison.reference) for text in texts] if len(texts) > 1 else []
    scores = iter(scorer.scores(pairs))
    found = []
    for comparison in comparisons:
        changes = comparison.changes
        before = next(scores)[component] if changes else 0.0
        found.append({change: abs(next(scores)[component] - before) for change in changes})
    return found


@dataclass(frozen=True)
class WeightedMetric(WithEncoder[Any], FMetric[Any], OnEdits[Any]):
    """Base class of PT-M² and PT-ERRANT: edits that count by their gain.

    ``baseline`` rescales BERTScore (a number, or a table of bert_score); it changes totals, not scores. Text is turned
    into edits by ``annotator``. The encoder: see WithEncoder.
    """

    block: ClassVar[int] = 128
    policy: ClassVar[Policy] = Running()

    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    baseline: str | None = setting(None, meaning="rescaling of BERTScore: a number, or a table of bert_score")
    annotator: Annotator | str = setting("builtin", meaning="annotator that finds edits in text")

    @property
    @abstractmethod
    def component(self) -> Component:
        """The part of BERTScore whose change weights an edit."""

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        return warn_of_unknown(self.name, corpus) if self.evidence_of == "edits" else ()

    @abstractmethod
    def comparisons(self, prepared: Any, hypothesis: Hypothesis) -> Iterator[list[ReferenceComparison]]:
        """Yield a system against each reference, sentence by sentence."""

    def count(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return the sums of weights, then the numbers of edits."""
        rows = list(self.comparisons(prepared, hypothesis))
        place = COMPONENTS.index(self.component)
        scale = 1 - baseline(self.baseline, self.scorer.encoder.layer)[place]
        flat = [comparison for row in rows for comparison in row]
        weights = compute_gains(flat, self.scorer, place)
        counts = [sum_weights(comparison, weight, scale) for comparison, weight in zip(flat, weights, strict=True)]
        lengths = list(map(len, rows))
        found = weight_evidence(rows, weights, scale) if evidence else None
        return ragged_counts(lengths, np.array(counts), self.columns, found)


def sum_weights(comparison: ReferenceComparison, weight: Mapping[Change, float], scale: float) -> list[float]:
    """Return the sums of weights of each column, then the numbers of its edits."""
    weights = [sum(weight[change] for change in column) / scale for column in comparison.columns]
    return [*weights, *map(len, comparison.columns)]


def weight_evidence(
    comparisons: Sequence[Sequence[ReferenceComparison]], weights: Sequence[Mapping[Change, float]], scale: float
) -> Evidence:
    """Return two rows for each edit of each column, one with its weight, one with 1."""
    rows = EvidenceRows()
    cells = [(s, r, own) for s, row in enumerate(comparisons) for r, own in enumerate(row)]
    for (s, r, comparison), weight in zip(cells, weights, strict=True):
        for k, (side, column) in enumerate(zip(SIDES, comparison.columns, strict=True)):
            for change in column:
                rows.add((s, r, k), weight[change] / scale, side, change)
                rows.add((s, r, k + len(SIDES)), 1.0, side, change)
    return rows.evidence()


@dataclass(frozen=True, eq=False)
class PreparedPtM2:
    """The gold edits and the corrected text of each annotator, for the base m2.

    ``texts[a][s]``: the text of annotator a.
    """

    gold: Gold
    texts: list[Text]


@dataclass(frozen=True)
class PtM2(WeightedMetric):
    """PT-M²: edits weighted by their gain in BERTScore's F.

    The edits are matched by MaxMatch (``base`` m2) or as by ERRANT (errant). A sentence in which every weight is 0
    counts all its edits alike, as in the public code.

    Source: Gong et al., Revisiting Grammatical Error Correction Evaluation and Beyond (EMNLP 2022).
    """

    name: ClassVar[str] = "ptm2"
    about: ClassVar[About] = About(
        "M² with edits weighted by BERTScore", "model=./my-bert,layer=9", title="PT-M2", extra="neural"
    )
    columns: ClassVar[tuple[str, ...]] = (*GOLD_COLUMNS, *(f"edits_{name}" for name in GOLD_COLUMNS))
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    scale: ClassVar[Scale] = Scale(0.0, math.inf, conventions=FMetric.scale.conventions)
    component: ClassVar[Component] = "f"

    base: Literal["m2", "errant"] = setting("m2", meaning="metric that matches the edits: MaxMatch or ERRANT")
    max_unchanged_words: int = setting(
        2, bounds=Bounds(0, (1 << 32) - 1), meaning="number of unchanged tokens allowed within one edit"
    )
    misfits: Misfits = setting("error", meaning="gold edits outside their sentence: an error, or left out")

    @property
    def evidence_of(self) -> EvidenceOf:  # type: ignore[override]
        return "edits" if self.base == "errant" else "gold"

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        return ByKind() if self.base == "errant" else matched_by_kind("proposed", "edits_proposed")

    def prepare(self, corpus: Corpus, threads: int = 0) -> CorpusChanges | PreparedPtM2:
        if self.base == "errant":
            return CorpusChanges(corpus, self.extraction, threads, self.misfits)
        if corpus.gold is None:
            raise InputError("PT-M2 needs gold edits (an M2 file)", hint="for corrected texts use -m ptm2:base=errant")
        gold = Gold(Blocks.of(corpus.gold).fitting(self.misfits))
        most = max(len(block.annotators) for block in gold.blocks)
        return PreparedPtM2(gold, [gold.blocks.version(place) for place in range(most)])

    def comparisons(
        self, prepared: CorpusChanges | PreparedPtM2, hypothesis: Hypothesis
    ) -> Iterator[list[ReferenceComparison]]:
        if isinstance(prepared, PreparedPtM2):
            yield from _matched(prepared, hypothesis, self.max_unchanged_words)
            return
        for tokens, system, references in prepared.pairs(hypothesis):
            columns = [(text, (_match_in_turn(system, gold), system, gold)) for text, gold in references]
            yield [ReferenceComparison(tokens, text, own) for text, own in columns]

    @cached_property
    def f(self) -> F:
        correct, proposed, gold, less_beside = (
            (*weights, 0.0, 0.0, 0.0) for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, -(self.beta**2)))
        )
        return Weightless(self.beta, correct, proposed, gold, proposed, gold, ties=(correct, less_beside))

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return self.score(weigh_alone(counts))

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return self.parts(weigh_alone(counts))


def weigh_alone(counts: NDArray[Any]) -> Floats:
    """Return counts [..., 6] of single sentences.

    Where no edit has a weight, all have the same weight.
    """
    counts = np.asarray(counts, dtype=np.float64)
    weightless = counts[..., 1:3].sum(-1, keepdims=True) == 0
    return np.where(weightless, np.tile(counts[..., 3:], 2), counts)


@dataclass(frozen=True)
class Weightless(F):
    """F by which a single sentence takes the reference with its highest score."""

    def ranking(self, counts: NDArray[Any]) -> Floats:
        return super().ranking(weigh_alone(counts))


@dataclass(frozen=True)
class PtErrant(WeightedMetric):
    """PT-ERRANT: ERRANT's edits weighted by a part of BERTScore (p, r or f)."""

    name: ClassVar[str] = "pterrant"
    about: ClassVar[About] = About(
        "ERRANT, edits weighted by BERTScore", "model=./my-bert,layer=9", title="PT-ERRANT", extra="neural"
    )
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn", "edits_tp", "edits_fp", "edits_fn")

    part: Component = setting("f", meaning="part of BERTScore whose gain weights an edit: precision, recall or F")
    misfits: Misfits = setting("error", meaning="gold edits outside their sentence: an error, or left out")

    @property
    def component(self) -> Component:
        return self.part

    def prepare(self, corpus: Corpus, threads: int = 0) -> CorpusChanges:
        return CorpusChanges(corpus, self.extraction, threads, self.misfits)

    def comparisons(self, prepared: CorpusChanges, hypothesis: Hypothesis) -> Iterator[list[ReferenceComparison]]:
        for tokens, system, references in prepared.pairs(hypothesis):
            row = []
            for text, gold in references:
                tp, fp = [c for c in system if c in gold], [c for c in system if c not in gold]
                row.append(ReferenceComparison(tokens, text, (tp, fp, [c for c in gold if c not in system])))
            yield row

    @cached_property
    def f(self) -> F:
        tp, fp, fn, proposed, gold, less_fp, less_fn = (
            (*weights, 0.0, 0.0, 0.0)
            for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, -1, 0), (0, 0, -1))
        )
        return F(self.beta, tp, proposed, gold, fp, fn, ties=(tp, less_fp, less_fn))


def _matched(prepared: PreparedPtM2, hypothesis: Any, max_unchanged: int) -> Iterator[list[ReferenceComparison]]:
    """Yield a system's text against each annotator, with the edits of MaxMatch."""
    evidence = prepared.gold.matched(hypothesis, max_unchanged, evidence=True).evidence
    assert evidence is not None  # it was asked for
    edits = edits_by_cell(evidence)
    for s, line in enumerate(prepared.gold.blocks.source):
        row = []
        for a, text in enumerate(text[s] for text in prepared.texts):
            if text is not None:
                correct, proposed, gold = (edits.get((s, a, column), []) for column in range(len(SIDES)))
                first = [replace(edit, correction=correction_of(edit.correction)) for edit in gold]
                row.append(ReferenceComparison(str(line).split(), text, (correct, proposed, first)))
        yield row


def _match_in_turn(system: Sequence[Change], gold: Sequence[Change]) -> list[Change]:
    """Match edits from left to right.

    A gold edit matches a change after the changes that earlier ones match.
    """
    met: list[Change] = []
    done = 0
    for change in system:
        for place in range(done, len(gold)):
            if gold[place] == change:
                met.append(change)
                done = place + 1
    return met
