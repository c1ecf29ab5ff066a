"""PT-M² and PT-ERRANT: edits count as much as they change a sentence's BERTScore against the reference.

Sources: Gong et al., PT-M² (EMNLP 2022); PT-ERRANT is the same weighting on ERRANT's edits, as in gec-metrics.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from geceval._kernel import GoldTable
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import Metric
from geceval.counting.policies import Policy, Running
from geceval.edits.annotation import Annotator
from geceval.edits.chunks import tokens_of
from geceval.edits.edited import Edited
from geceval.edits.languages import make_annotator
from geceval.errors import InputError, UsageError
from geceval.neural.bertscore import COMPONENTS, Scorer, WithEncoder, baseline
from geceval.text.corpus import Corpus, Hypothesis, as_text
from geceval.text.m2 import Edit, fitting, ordered

Base: TypeAlias = Literal["m2", "errant"]
Component: TypeAlias = Literal["p", "r", "f"]

UNKNOWN = "UNK"


@dataclass(frozen=True, order=True)
class Change:
    """An edit by what it does: source tokens start..end become the correction."""

    start: int
    end: int
    correction: str

    def made(self, tokens: Sequence[str]) -> str:
        """The sentence with this edit alone."""
        return " ".join([*tokens[: self.start], *self.correction.split(), *tokens[self.end :]])


@dataclass(frozen=True)
class Comparison:
    """A system against one reference: the source, the reference's text, and the edits that each column sums up."""

    tokens: Sequence[str]
    reference: str
    columns: Sequence[Sequence[Change]]

    @property
    def changes(self) -> list[Change]:
        """The distinct edits."""
        return list(dict.fromkeys(change for column in self.columns for change in column))


def gains(comparisons: Sequence[Comparison], scorer: Scorer, component: int) -> list[dict[Change, float]]:
    """How much each edit of each comparison, made alone, changes the source's BERTScore against the reference."""
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
class WeightedMetric(WithEncoder, Metric):
    """What PT-M² and PT-ERRANT share: edits that count by their gain.

    ``baseline`` rescales BERTScore (a number, or a table of bert_score); it changes totals, not scores. Text is turned
    into edits by ``annotator``. The encoder: see WithEncoder.
    """

    block: ClassVar[int] = 128

    beta: float = 0.5
    baseline: str | None = None
    annotator: str | Annotator = "builtin"

    def __post_init__(self) -> None:
        if not 0 <= self.beta < float("inf"):
            raise UsageError(f"beta is {self.beta}; it must be a number from 0 on")

    @property
    def signed_settings(self) -> dict[str, Any]:
        """The annotator with its version: edits depend on it."""
        named = {"annotator": make_annotator(self.annotator).name}
        return super().signed_settings | named | self.signed_encoder

    @property
    @abstractmethod
    def component(self) -> Component:
        """The part of BERTScore whose change weighs an edit."""

    @abstractmethod
    def comparisons(self, prepared: Any, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        """A system against each reference, sentence by sentence."""

    def count(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0) -> Counts:
        """The weights summed, then the numbers of edits that were summed."""
        rows = list(self.comparisons(prepared, hypothesis))
        place = COMPONENTS.index(self.component)
        scale = 1 - baseline(self.baseline, self.scorer.encoder.layer)[place]
        flat = [comparison for row in rows for comparison in row]
        weights = iter(gains(flat, self.scorer, place))
        width, columns = max(map(len, rows)), len(self.columns) // 2
        counts = np.zeros((len(rows), width, 2 * columns))
        present = np.zeros((len(rows), width), dtype=bool)
        for s, row in enumerate(rows):
            for r, comparison in enumerate(row):
                weight = next(weights)
                present[s, r] = True
                counts[s, r, :columns] = [sum(weight[change] for change in c) / scale for c in comparison.columns]
                counts[s, r, columns:] = [len(column) for column in comparison.columns]
        return Counts(counts, self.columns, None if present.all() else present)


@dataclass(frozen=True, eq=False)
class Gold:
    """For the base m2: the sources, the kernel's table of gold edits, each annotator's changes and corrected text."""

    tokens: list[list[str]]
    table: GoldTable
    changes: list[list[list[Change]]]
    texts: list[list[str]]


@dataclass(frozen=True)
class PtM2(WeightedMetric):
    """PT-M²: MaxMatch (``base`` m2) or ERRANT's matching (errant), each edit weighted by its gain in BERTScore's F.

    At the sentence level all edits count alike where every weight is 0, as in the public code.
    """

    name: ClassVar[str] = "ptm2"
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    base: Base = "m2"
    max_unchanged_words: int = 2

    @property
    def label(self) -> str:
        return "PT-M2"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("correct", "proposed", "gold", "edits_correct", "edits_proposed", "edits_gold")

    @property
    def component(self) -> Component:
        return "f"

    @property
    def policy(self) -> Policy:
        return Running()

    def prepare(self, corpus: Corpus, threads: int = 0) -> Edited | Gold:
        if self.base == "errant":
            return Edited(corpus, self.annotator, threads)
        if corpus.gold is None:
            raise InputError("PT-M2 needs gold edits: an M2 file", hint="or text and --metrics ptm2:base=errant")
        blocks = list(fitting(corpus.gold))
        edits = [[ordered(block, annotator) for annotator in block.annotators] for block in blocks]
        tokens = [block.tokens for block in blocks]
        rows = [
            [[(e.start, e.end, e.alternatives) for e in block.edits_of(who)] for who in block.annotators]
            for block in blocks
        ]
        return Gold(
            tokens,
            GoldTable([block.source for block in blocks], rows),
            [
                [[_change(edit) for edit in block.edits_of(annotator)] for annotator in block.annotators]
                for block in blocks
            ],
            [[" ".join(tokens_of(own, version)) for version in row] for own, row in zip(tokens, edits, strict=True)],
        )

    def comparisons(self, prepared: Edited | Gold, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        if isinstance(prepared, Edited):
            for tokens, system, references in _edits(prepared, hypothesis):
                yield [Comparison(tokens, text, (_in_turn(system, gold), system, gold)) for text, gold in references]
            return
        for s, line in enumerate(as_text(hypothesis)):
            tokens, words = prepared.tokens[s], line.split()
            views = prepared.table.views(s, line, self.max_unchanged_words, False) or []
            row = []
            for (edits, matches), text, gold in zip(views, prepared.texts[s], prepared.changes[s], strict=True):
                system = [Change(start, end, " ".join(words[first:last])) for start, end, first, last in edits]
                row.append(Comparison(tokens, text, ([system[edit] for edit, _ in matches], system, gold)))
            yield row

    def precision_recall(self, totals: ArrayLike) -> tuple[Floats, Floats]:
        """[...] each; 1 if nothing is proposed, or there is no gold."""
        correct, proposed, gold, *_ = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
        return _ratio(correct, proposed), _ratio(correct, gold)

    def score(self, totals: ArrayLike) -> Floats:
        return _f(*self.precision_recall(totals), self.beta)

    def parts(self, totals: ArrayLike) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        return {"precision": precision, "recall": recall}

    def _alone(self, counts: ArrayLike) -> Floats:
        """Counts of sentences; where no edit has a weight, all have the same."""
        counts = np.asarray(counts, dtype=np.float64)
        weightless = counts[..., 1:3].sum(-1, keepdims=True) == 0
        return np.where(weightless, np.tile(counts[..., 3:], 2), counts)

    def sentence_score(self, counts: ArrayLike) -> Floats:
        return self.score(self._alone(counts))

    def sentence_parts(self, counts: ArrayLike) -> dict[str, Floats]:
        return self.parts(self._alone(counts))

    def ranking(self, counts: ArrayLike) -> Floats:
        """F, then more that is correct, then less beside it."""
        alone = self._alone(counts)
        beside = alone[..., 1] + self.beta**2 * alone[..., 2]
        return np.stack([self.score(alone), alone[..., 0], -beside], axis=-1)

    def running_key(self, totals: Sequence[float]) -> tuple[float, ...]:
        correct, proposed, gold, *_ = totals
        precision, recall = correct / proposed if proposed else 1.0, correct / gold if gold else 1.0
        return _plain_f(precision, recall, self.beta), correct, -(proposed + self.beta**2 * gold)


@dataclass(frozen=True)
class PtErrant(WeightedMetric):
    """PT-ERRANT: ERRANT's edits, each weighted by its gain in a part of BERTScore (p, r or f)."""

    name: ClassVar[str] = "pterrant"

    part: Component = "f"

    @property
    def label(self) -> str:
        return "PT-ERRANT"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("tp", "fp", "fn", "edits_tp", "edits_fp", "edits_fn")

    @property
    def component(self) -> Component:
        return self.part

    @property
    def policy(self) -> Policy:
        return Running()

    def prepare(self, corpus: Corpus, threads: int = 0) -> Edited:
        return Edited(corpus, self.annotator, threads)

    def comparisons(self, prepared: Edited, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        for tokens, system, references in _edits(prepared, hypothesis):
            row = []
            for text, gold in references:
                tp, fp = [c for c in system if c in gold], [c for c in system if c not in gold]
                row.append(Comparison(tokens, text, (tp, fp, [c for c in gold if c not in system])))
            yield row

    def precision_recall(self, totals: ArrayLike) -> tuple[Floats, Floats]:
        """[...] each; 1 if there is no fp, or no fn."""
        tp, fp, fn, *_ = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
        return np.where(fp == 0, 1.0, _ratio(tp, tp + fp)), np.where(fn == 0, 1.0, _ratio(tp, tp + fn))

    def score(self, totals: ArrayLike) -> Floats:
        return _f(*self.precision_recall(totals), self.beta)

    def parts(self, totals: ArrayLike) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        return {"precision": precision, "recall": recall}

    def ranking(self, counts: ArrayLike) -> Floats:
        """F, then more tp, less fp, less fn."""
        counts = np.asarray(counts, dtype=np.float64)
        signs = np.array([1, -1, -1])
        return np.concatenate([self.score(counts)[..., np.newaxis], counts[..., :3] * signs], axis=-1)

    def running_key(self, totals: Sequence[float]) -> tuple[float, ...]:
        tp, fp, fn, *_ = totals
        precision, recall = tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0
        return _plain_f(precision, recall, self.beta), tp, -fp, -fn


def _edits(
    prepared: Edited, hypothesis: Hypothesis
) -> Iterator[tuple[list[str], list[Change], list[tuple[str, list[Change]]]]]:
    """Of every sentence its tokens, the system's changes, and each reference's text and changes; those of type UNK left
    out, which say that something is wrong but not what."""
    rows = zip(prepared.source, prepared.hypothesis(hypothesis), prepared.references, strict=True)
    for tokens, system, references in rows:
        gold = [(" ".join(tokens_of(tokens, version)), _changes(version)) for version in references]
        yield tokens, _changes(system), gold


def _changes(edits: Sequence[Edit]) -> list[Change]:
    return [_change(edit) for edit in edits if edit.type != UNKNOWN]


def _change(edit: Edit) -> Change:
    return Change(edit.start, edit.end, " ".join(edit.correction.split()))


def _in_turn(system: Sequence[Change], gold: Sequence[Change]) -> list[Change]:
    """Matches from left to right: a gold edit is met by a change that comes after those that met earlier ones."""
    met: list[Change] = []
    done = 0
    for change in system:
        for place in range(done, len(gold)):
            if gold[place] == change:
                met.append(change)
                done = place + 1
    return met


def _ratio(above: Floats, below: Floats) -> Floats:
    """above / below, and 1 where nothing is below."""
    some = below > 0
    return np.where(some, above / np.where(some, below, 1.0), 1.0)


def _f(precision: Floats, recall: Floats, beta: float) -> Floats:
    below = beta**2 * precision + recall
    return np.where(below > 0, (1 + beta**2) * precision * recall / np.where(below > 0, below, 1.0), 0.0)


def _plain_f(precision: float, recall: float, beta: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0
