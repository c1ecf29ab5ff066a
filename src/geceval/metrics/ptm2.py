"""PT-M² and PT-ERRANT: edits count as much as they change a sentence's BERTScore against the reference.

Sources: Gong et al., PT-M² (EMNLP 2022); PT-ERRANT is the same weighting on ERRANT's edits, as in gec-metrics.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from geceval._kernel import Edits, GoldTable, Text
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.metric import Metric
from geceval.counting.policies import Policy, Running
from geceval.edits.changes import Change, applied, changes
from geceval.edits.columns import hypothesis_edits, reference_edits
from geceval.edits.languages import make_annotator
from geceval.errors import InputError, UsageError
from geceval.neural.bertscore import COMPONENTS, Scorer, WithEncoder, baseline
from geceval.text.corpus import Corpus, Hypothesis, as_text, has_edits
from geceval.text.m2 import Block, Edit, fitting

Base: TypeAlias = Literal["m2", "errant"]
Component: TypeAlias = Literal["p", "r", "f"]

UNKNOWN = "UNK"


#: Whose edits the columns of a comparison sum up, in PT-M² and in PT-ERRANT.
SIDES = (HYPOTHESIS, HYPOTHESIS, REFERENCE)


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
    annotator: str = "builtin"

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

    def count(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """The weights summed, then the numbers of edits that were summed."""
        rows = list(self.comparisons(prepared, hypothesis))
        place = COMPONENTS.index(self.component)
        scale = 1 - baseline(self.baseline, self.scorer.encoder.layer)[place]
        flat = [comparison for row in rows for comparison in row]
        weights = gains(flat, self.scorer, place)
        width = max(map(len, rows))
        present = np.arange(width) < np.array(list(map(len, rows)))[:, np.newaxis]
        counts = np.zeros((len(rows), width, len(self.columns)))
        counts[present] = [sums(comparison, weight, scale) for comparison, weight in zip(flat, weights, strict=True)]
        why = evidence_of(np.argwhere(present).tolist(), flat, weights, scale) if evidence else None
        return Counts(counts, self.columns, None if present.all() else present, why)


def sums(comparison: Comparison, weight: Mapping[Change, float], scale: float) -> list[float]:
    """For each column the weights of its edits, then for each the number of its edits."""
    weights = [sum(weight[change] for change in column) / scale for column in comparison.columns]
    return [*weights, *map(len, comparison.columns)]


def evidence_of(
    cells: Sequence[Sequence[int]],
    comparisons: Sequence[Comparison],
    weights: Sequence[Mapping[Change, float]],
    scale: float,
) -> Evidence:
    """Two rows for each edit of each column, one with its weight, one with 1; ``cells[c]`` are the sentence and the
    reference of a comparison."""
    strings: dict[str, int] = {}
    found: list[tuple[int, int, int, float, int, int, int, int, int]] = []
    for (s, r), comparison, weight in zip(cells, comparisons, weights, strict=True):
        for k, (side, column) in enumerate(zip(SIDES, comparison.columns, strict=True)):
            for change in column:
                text, type_ = (strings.setdefault(string, len(strings)) for string in (change.correction, change.type))
                what = (side, change.start, change.end, text, type_)
                found += [(s, r, k, weight[change] / scale, *what), (s, r, k + len(SIDES), 1.0, *what)]
    table = np.array(found, dtype=np.float64).reshape(-1, 9).T
    sentence, reference, column_of = table[:3].astype(np.int64)
    start, end, texts, types = table[5:].astype(np.int32)
    side_of = table[4].astype(np.uint8)
    return Evidence(sentence, reference, column_of, table[3], side_of, start, end, texts, types, strings=list(strings))


class Versions:
    """For edits on either side: the sources' tokens, and each reference's text and changes; those of type UNK left out,
    which say that something is wrong but not what."""

    def __init__(self, corpus: Corpus, annotator: str, threads: int = 0) -> None:
        self._corpus, self._annotator, self._text = corpus, annotator, Text(corpus.source)
        self.tokens = [line.split() for line in corpus.source]
        edits = reference_edits(corpus, annotator, threads)
        rows = changes(self._text, edits, corpus.gold, threads)
        #: ``references[s][r]``
        self.references = [
            [(applied(tokens, version), _known(version)) for version in row]
            for tokens, row in zip(self.tokens, rows, strict=True)
        ]

    def system(self, hypothesis: Hypothesis) -> list[list[Change]]:
        """A system's changes, sentence by sentence."""
        edits = hypothesis_edits(self._corpus, hypothesis, self._annotator)
        blocks = hypothesis if has_edits(hypothesis) else None
        return [_known(version) for [version] in changes(self._text, edits, blocks)]

    def pairs(self, hypothesis: Hypothesis) -> Iterator[tuple[list[str], list[Change], list[tuple[str, list[Change]]]]]:
        """Of every sentence its tokens, the system's changes, and each reference's text and changes."""
        return zip(self.tokens, self.system(hypothesis), self.references, strict=True)


def _known(version: Sequence[Change]) -> list[Change]:
    return [change for change in version if change.type != UNKNOWN]


@dataclass(frozen=True, eq=False)
class Gold:
    """For the base m2: the sources, the kernel's table of gold edits, each annotator's changes and corrected text."""

    tokens: list[list[str]]
    table: GoldTable
    changes: list[list[list[Change]]]
    texts: list[list[str]]

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Gold:
        """Changes are in file order; texts are made of them in the order of the sentence."""
        source = Text([block.source for block in blocks])
        rows = [[(who, _rows(block, who)) for who in block.annotators] for block in blocks]
        tokens = [block.tokens for block in blocks]
        in_order = changes(source, Edits(rows), blocks)
        return cls(
            tokens,
            GoldTable(
                [block.source for block in blocks],
                [
                    [[(e.start, e.end, e.alternatives) for e in block.edits_of(who)] for who in block.annotators]
                    for block in blocks
                ],
            ),
            [[[_change(edit) for edit in block.edits_of(who)] for who in block.annotators] for block in blocks],
            [[applied(own, version) for version in row] for own, row in zip(tokens, in_order, strict=True)],
        )


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

    def prepare(self, corpus: Corpus, threads: int = 0) -> Versions | Gold:
        if self.base == "errant":
            return Versions(corpus, self.annotator, threads)
        if corpus.gold is None:
            raise InputError("PT-M2 needs gold edits: an M2 file", hint="or text and --metrics ptm2:base=errant")
        return Gold.of(list(fitting(corpus.gold)))

    def comparisons(self, prepared: Versions | Gold, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        if isinstance(prepared, Gold):
            yield from _matched(prepared, hypothesis, self.max_unchanged_words)
            return
        for tokens, system, references in prepared.pairs(hypothesis):
            yield [Comparison(tokens, text, (_in_turn(system, gold), system, gold)) for text, gold in references]

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

    def prepare(self, corpus: Corpus, threads: int = 0) -> Versions:
        return Versions(corpus, self.annotator, threads)

    def comparisons(self, prepared: Versions, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        for tokens, system, references in prepared.pairs(hypothesis):
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


def _matched(gold: Gold, hypothesis: Hypothesis, max_unchanged: int) -> Iterator[list[Comparison]]:
    """A system's text against each annotator, with the edits that MaxMatch finds in it."""
    for s, line in enumerate(as_text(hypothesis)):
        words = line.split()
        views = gold.table.views(s, line, max_unchanged, False) or []
        row = []
        for (edits, matches), text, wanted in zip(views, gold.texts[s], gold.changes[s], strict=True):
            system = [Change(start, end, " ".join(words[first:last])) for start, end, first, last in edits]
            row.append(Comparison(gold.tokens[s], text, ([system[edit] for edit, _ in matches], system, wanted)))
        yield row


def _rows(block: Block, annotator: int) -> list[tuple[int, int, str, str]]:
    return [(e.start, e.end, e.type, "||".join(e.corrections)) for e in block.edits_of(annotator)]


def _change(edit: Edit) -> Change:
    return Change(edit.start, edit.end, " ".join(edit.correction.split()), edit.type)


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
