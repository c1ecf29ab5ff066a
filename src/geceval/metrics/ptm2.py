"""PT-M² and PT-ERRANT: edits weighted by the change of BERTScore that they cause.

Sources: Gong et al., PT-M² (EMNLP 2022); PT-ERRANT applies the same weights to ERRANT's edits, as in gec-metrics.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.figures import F
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About, ByKind, Scale
from geceval.counting.policies import Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.versions import ReferenceEdits, apply_edits
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
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.edit import Edit, Effect

Component: TypeAlias = Literal["p", "r", "f"]


#: The side of the edits in each column of a comparison, in PT-M² and in PT-ERRANT.
SIDES = (HYPOTHESIS, HYPOTHESIS, REFERENCE)


@dataclass(frozen=True)
class ReferenceComparison:
    """Source tokens, reference text, and the edits summed in each column."""

    tokens: Sequence[str]
    reference: str
    columns: Sequence[Sequence[Edit]]

    @property
    def effects(self) -> dict[Effect, Edit]:
        """The distinct effects of all columns, each with an edit that has it."""
        return {edit.effect: edit for column in self.columns for edit in column}


def compute_gains(
    comparisons: Sequence[ReferenceComparison], scorer: BertScorer, component: int
) -> list[dict[Effect, float]]:
    """Return the change of BERTScore by each single edit of each comparison."""
    pairs: list[tuple[str, str]] = []
    for comparison in comparisons:
        alone = (apply_edits(comparison.tokens, [edit]) for edit in comparison.effects.values())
        texts = [" ".join(comparison.tokens), *alone]
        pairs += [(text, comparison.reference) for text in texts] if len(texts) > 1 else []
    scores = iter(scorer.scores(pairs))
    gains = []
    for comparison in comparisons:
        effects = comparison.effects
        before = next(scores)[component] if effects else 0.0
        gains.append({effect: abs(next(scores)[component] - before) for effect in effects})
    return gains


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
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")

    @property
    @abstractmethod
    def component(self) -> Component:
        """Part of BERTScore whose change is the weight of an edit."""

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        return warn_of_unknown(self.name, corpus) if self.extracts_edits else ()

    @abstractmethod
    def comparisons(self, prepared: Any, hypothesis: Hypothesis, threads: int) -> Iterator[list[ReferenceComparison]]:
        """Yield the comparisons of a system with the references of each sentence."""

    def count(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return the sums of weights, then the numbers of edits."""
        rows = list(self.comparisons(prepared, hypothesis, threads))
        component = COMPONENTS.index(self.component)
        scale = 1 - baseline(self.baseline, self.scorer.encoder.layer)[component]
        comparisons = [comparison for row in rows for comparison in row]
        gains = compute_gains(comparisons, self.scorer, component)
        counts = [sum_weights(comparison, gain, scale) for comparison, gain in zip(comparisons, gains, strict=True)]
        lengths = list(map(len, rows))
        edits = weight_evidence(rows, gains, scale) if evidence else None
        return ragged_counts(lengths, np.array(counts), self.columns, edits)


def sum_weights(comparison: ReferenceComparison, gain: Mapping[Effect, float], scale: float) -> list[float]:
    """Return the sums of weights of each column, then the numbers of its edits."""
    weights = [sum(gain[edit.effect] for edit in column) / scale for column in comparison.columns]
    return [*weights, *map(len, comparison.columns)]


def weight_evidence(
    comparisons: Sequence[Sequence[ReferenceComparison]], weights: Sequence[Mapping[Effect, float]], scale: float
) -> Evidence:
    """Return two rows for each edit of each column, one with its weight, one with 1."""
    rows = EvidenceRows()
    cells = [(s, r, comparison) for s, row in enumerate(comparisons) for r, comparison in enumerate(row)]
    for (s, r, comparison), weight in zip(cells, weights, strict=True):
        for k, (side, column) in enumerate(zip(SIDES, comparison.columns, strict=True)):
            for edit in column:
                rows.add((s, r, k), weight[edit.effect] / scale, side, edit)
                rows.add((s, r, k + len(SIDES)), 1.0, side, edit)
    return rows.evidence()


@dataclass(frozen=True, eq=False)
class PreparedPtM2:
    """Gold edits and corrected texts [A][S] of the annotators, for the base m2."""

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
        "MaxMatch weighted by BERTScore", "model=./my-bert,layer=9", title="PT-M2", extra="neural"
    )
    columns: ClassVar[tuple[str, ...]] = (*GOLD_COLUMNS, *(f"edits_{name}" for name in GOLD_COLUMNS))
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    scale: ClassVar[Scale] = Scale(0.0, math.inf, conventions=FMetric.scale.conventions)
    component: ClassVar[Component] = "f"

    base: Literal["m2", "errant"] = setting("m2", meaning="metric that matches the edits: MaxMatch or ERRANT")
    max_unchanged_words: int = setting(
        2, bounds=Bounds(0, (1 << 32) - 1), meaning="number of unchanged tokens allowed within one edit"
    )

    @property
    def extracts_edits(self) -> bool:  # type: ignore[override]
        return self.base == "errant"

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        return ByKind() if self.base == "errant" else matched_by_kind("proposed", "edits_proposed")

    def prepare(self, corpus: Corpus, threads: int = 0) -> ReferenceEdits | PreparedPtM2:
        if self.base == "errant":
            return ReferenceEdits(corpus, self.extraction, threads)
        if corpus.gold is None:
            hint = Hint("for corrected texts use ", Option("metrics", "ptm2:base=errant"))
            raise InputError("PT-M2 needs gold edits (an M2 file)", hint=hint)
        gold = Gold(corpus.gold)
        annotators = max(len(block.annotators) for block in gold.blocks)
        return PreparedPtM2(gold, [gold.blocks.version(position) for position in range(annotators)])

    def comparisons(
        self, prepared: ReferenceEdits | PreparedPtM2, hypothesis: Hypothesis, threads: int
    ) -> Iterator[list[ReferenceComparison]]:
        if isinstance(prepared, PreparedPtM2):
            yield from _matched(prepared, hypothesis, self.max_unchanged_words, threads)
            return
        for tokens, system, references in prepared.pairs(hypothesis, threads):
            yield [
                ReferenceComparison(tokens, text, (_match_in_order(system, gold), system, gold))
                for text, gold in references
            ]

    @cached_property
    def f(self) -> F:
        correct, proposed, gold, fewest_edits = (
            (*weights, 0.0, 0.0, 0.0) for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, -(self.beta**2)))
        )
        return F(self.beta, correct, proposed, gold, proposed, gold, ties=(correct, fewest_edits))

    def ranking(self, counts: NDArray[Any]) -> Floats:
        return self.f.ranking(weigh_alone(counts))

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return self.score(weigh_alone(counts))

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return self.parts(weigh_alone(counts))


def weigh_alone(counts: NDArray[Any]) -> Floats:
    """Return counts [..., 6] of single sentences, with equal weights if all are 0."""
    counts = np.asarray(counts, dtype=np.float64)
    weightless = counts[..., 1:3].sum(-1, keepdims=True) == 0
    return np.where(weightless, np.tile(counts[..., 3:], 2), counts)


@dataclass(frozen=True)
class PtErrant(WeightedMetric):
    """PT-ERRANT: ERRANT's edits weighted by a part of BERTScore (p, r or f)."""

    name: ClassVar[str] = "pterrant"
    about: ClassVar[About] = About(
        "ERRANT weighted by BERTScore", "model=./my-bert,layer=9", title="PT-ERRANT", extra="neural"
    )
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn", "edits_tp", "edits_fp", "edits_fn")

    part: Component = setting("f", meaning="part of BERTScore whose gain weights an edit: precision, recall or F")

    @property
    def component(self) -> Component:
        return self.part

    def prepare(self, corpus: Corpus, threads: int = 0) -> ReferenceEdits:
        return ReferenceEdits(corpus, self.extraction, threads)

    def comparisons(
        self, prepared: ReferenceEdits, hypothesis: Hypothesis, threads: int
    ) -> Iterator[list[ReferenceComparison]]:
        for tokens, system, references in prepared.pairs(hypothesis, threads):
            row = []
            for text, gold in references:
                of_gold, of_system = ({edit.effect for edit in edits} for edits in (gold, system))
                tp = [edit for edit in system if edit.effect in of_gold]
                fp = [edit for edit in system if edit.effect not in of_gold]
                fn = [edit for edit in gold if edit.effect not in of_system]
                row.append(ReferenceComparison(tokens, text, (tp, fp, fn)))
            yield row

    @cached_property
    def f(self) -> F:
        tp, fp, fn, proposed, gold, less_fp, less_fn = (
            (*weights, 0.0, 0.0, 0.0)
            for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, -1, 0), (0, 0, -1))
        )
        return F(self.beta, tp, proposed, gold, fp, fn, ties=(tp, less_fp, less_fn))


def _matched(
    prepared: PreparedPtM2, hypothesis: Any, max_unchanged: int, threads: int
) -> Iterator[list[ReferenceComparison]]:
    """Yield the comparisons of a system with each annotator, with edits of MaxMatch."""
    evidence = prepared.gold.matched(hypothesis, max_unchanged, threads=threads, evidence=True).evidence
    assert evidence is not None  # requested
    edits = edits_by_cell(evidence)
    for s, line in enumerate(prepared.gold.blocks.source):
        row = []
        for a, text in enumerate(text[s] for text in prepared.texts):
            if text is not None:
                correct, proposed, gold = (edits.get((s, a, column), []) for column in range(len(SIDES)))
                row.append(ReferenceComparison(str(line).split(), text, (correct, proposed, gold)))
        yield row


def _match_in_order(system: Sequence[Edit], gold: Sequence[Edit]) -> list[Edit]:
    """Match edits of the system with gold edits in order."""
    matches: list[Edit] = []
    start = 0
    for edit in system:
        for index in range(start, len(gold)):
            if gold[index].effect == edit.effect:
                matches.append(edit)
                start = index + 1
    return matches
