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
from numpy.typing import NDArray

from geceval._kernel import GoldTable
from geceval.counting.contract import EvidenceOf, Given
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import F
from geceval.counting.metric import FMetric
from geceval.counting.onedits import OnEdits
from geceval.counting.policies import Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import Annotator
from geceval.edits.chunks import tokens_of
from geceval.edits.edited import Edited
from geceval.errors import InputError
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
class WeightedMetric(WithEncoder, FMetric[Any], OnEdits[Any]):
    """What PT-M² and PT-ERRANT share: edits that count by their gain.

    ``baseline`` rescales BERTScore (a number, or a table of bert_score); it changes totals, not scores. Text is turned
    into edits by ``annotator``. The encoder: see WithEncoder.
    """

    block: ClassVar[int] = 128

    beta: float = setting(0.5, "scoring", FINITE)
    baseline: str | None = None
    annotator: Annotator | str = "builtin"

    def signed(self, given: Given) -> dict[str, Any]:
        return super().signed(given) | self.signed_encoder

    @property
    def policy(self) -> Policy:
        return Running()

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
    max_unchanged_words: int = setting(2, bounds=Bounds(0, (1 << 32) - 1))

    @property
    def evidence_of(self) -> EvidenceOf:  # type: ignore[override]
        return "edits" if self.base == "errant" else "gold"

    @property
    def label(self) -> str:
        return "PT-M2"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("correct", "proposed", "gold", "edits_correct", "edits_proposed", "edits_gold")

    @property
    def component(self) -> Component:
        return "f"

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

    @property
    def f(self) -> F:
        correct, proposed, gold, less_beside = (
            (*weights, 0.0, 0.0, 0.0) for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, -(self.beta**2)))
        )
        return Weightless(self.beta, correct, proposed, gold, proposed, gold, ties=(correct, less_beside))

    def sentence_score(self, counts: NDArray[Any]) -> Floats:
        return self.score(alone(counts))

    def sentence_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return self.parts(alone(counts))


def alone(counts: NDArray[Any]) -> Floats:
    """Counts [..., 6] of sentences by themselves; where no edit has a weight, all have the same."""
    counts = np.asarray(counts, dtype=np.float64)
    weightless = counts[..., 1:3].sum(-1, keepdims=True) == 0
    return np.where(weightless, np.tile(counts[..., 3:], 2), counts)


@dataclass(frozen=True)
class Weightless(F):
    """A sentence by itself takes its reference as it is scored by itself."""

    def ranking(self, counts: NDArray[Any]) -> Floats:
        return super().ranking(alone(counts))


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

    def prepare(self, corpus: Corpus, threads: int = 0) -> Edited:
        return Edited(corpus, self.annotator, threads)

    def comparisons(self, prepared: Edited, hypothesis: Hypothesis) -> Iterator[list[Comparison]]:
        for tokens, system, references in _edits(prepared, hypothesis):
            row = []
            for text, gold in references:
                tp, fp = [c for c in system if c in gold], [c for c in system if c not in gold]
                row.append(Comparison(tokens, text, (tp, fp, [c for c in gold if c not in system])))
            yield row

    @property
    def f(self) -> F:
        tp, fp, fn, proposed, gold, less_fp, less_fn = (
            (*weights, 0.0, 0.0, 0.0)
            for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, -1, 0), (0, 0, -1))
        )
        return F(self.beta, tp, proposed, gold, fp, fn, ties=(tp, less_fp, less_fn))


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
