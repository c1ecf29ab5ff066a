"""ERRANT: F over the edits of a system and of the annotators (Bryant, Felice and Briscoe, ACL 2017).

Edits come from M2 or are extracted from text. Two M2 files and nothing else is the plain F-score of edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.counting.counts import Counts, Floats, Level
from geceval.counting.metric import Metric
from geceval.counting.policies import Optimum, Policy, Running
from geceval.edits.annotation import Annotator
from geceval.edits.columns import versions
from geceval.edits.edited import Extraction, hypothesis_edits, reference_edits
from geceval.edits.extract import MERGINGS, Merging
from geceval.edits.languages import make_annotator
from geceval.edits.m2files import literal
from geceval.errors import InputError, UsageError
from geceval.text.corpus import Corpus, Hypothesis
from geceval.text.m2 import DELETE, NOOP, Block, Edit

#: What makes two edits the same: span and correction (cs), and type (cse); span (ds); token (dt).
Mode: TypeAlias = Literal["cs", "cse", "ds", "dt"]
#: Only edits of at most one token on either side, only others, or all.
Size: TypeAlias = Literal["all", "single", "multi"]
Selection: TypeAlias = Literal["running", "optimum"]
Tier: TypeAlias = Literal["operation", "type", "full"]

COLUMNS = ("tp", "fp", "fn")
UNKNOWN = "UNK"

#: What an edit is known by -> the types of the edits known by it, in file order.
Keyed: TypeAlias = Mapping[tuple[Any, ...], Sequence[str]]
#: type -> tp, fp, fn
Cells: TypeAlias = dict[str, list[int]]


@dataclass(frozen=True)
class Matching:
    """Which edits count and when two are the same.

    ``literal``: the correction ``-NONE-`` is a word like any other, as for errant_compare, and not a deletion.
    """

    mode: Mode = "cs"
    size: Size = "all"
    exclude: frozenset[str] = frozenset()
    literal: bool = False

    def keyed(self, edits: Iterable[Edit]) -> Keyed:
        """The edits of one annotator by what they are compared by. Noops are kept, with the type ``noop``."""
        keyed: dict[tuple[Any, ...], list[str]] = {}
        for edit in edits:
            if self.counts(edit):
                for key in self._keys(edit):
                    keyed.setdefault(key, []).append(edit.type)
        return keyed

    def counts(self, edit: Edit) -> bool:
        """Whether the edit is looked at. A fault without a correction (UNK) matters to detection only."""
        if edit.type in self.exclude or (edit.type == UNKNOWN and self.mode in ("cs", "cse")):
            return False
        longest = max(edit.end - edit.start, len(literal(edit).split()))
        return self.size == "all" or (longest < 2) == (self.size == "single")

    def _keys(self, edit: Edit) -> Iterator[tuple[Any, ...]]:
        start, end = edit.start, edit.end
        match self.mode:
            case "cs":
                yield start, end, self._correction(edit)
            case "cse":
                yield start, end, edit.type, self._correction(edit)
            case "ds":
                yield start, end
            case "dt" if start == -1:
                yield -1, -1
            case "dt":
                # An insertion is a fault of the token to its right.
                for token in range(start, end) if start != end else (start,):
                    yield token, token + 1

    def _correction(self, edit: Edit) -> str:
        text = literal(edit)
        return "" if text == DELETE and not self.literal else text


def coders(block: Block) -> list[list[Edit]]:
    """The edits of each annotator with a line in the block, in order of appearance; noops included."""
    edits: dict[int, list[Edit]] = {}
    for edit in block.edits:
        edits.setdefault(edit.annotator, []).append(edit)
    return list(edits.values()) or [[]]


def compare(hypothesis: Keyed, reference: Keyed) -> Cells:
    """True positives, false positives and false negatives by type.

    A match counts once for each reference edit with that key, under its type; a miss once for each edit.
    """
    cells: Cells = {}
    for key, types in hypothesis.items():
        if types[0] != NOOP:
            found = key in reference
            for type_ in reference[key] if found else types:
                cells.setdefault(type_, [0, 0, 0])[0 if found else 1] += 1
    for key, types in reference.items():
        if types[0] != NOOP and key not in hypothesis:
            for type_ in types:
                cells.setdefault(type_, [0, 0, 0])[2] += 1
    return cells


def precision_recall_f(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    """Precision is 1 without false positives, recall is 1 without false negatives; F is 0 if both are 0."""
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    below = beta**2 * p + r
    return p, r, (1 + beta**2) * p * r / below if below else 0.0


@dataclass(frozen=True, eq=False)
class ErrantCounts(Counts):
    """TP, FP, FN of every sentence and reference, and beside it the same by type: ``cells[s][r]``."""

    cells: Sequence[Sequence[Cells]] = field(default=(), kw_only=True)

    def _joined(self, parts: Sequence[Counts]) -> Counts:
        joined = super()._joined(parts)
        cells = [row for part in parts for row in part.cells]  # type: ignore[attr-defined]
        return ErrantCounts(joined.array, joined.columns, joined.present, cells=cells)


@dataclass
class Prepared:
    """The corpus, and the keyed edits of the references ``references[s][r]``."""

    corpus: Corpus
    references: list[list[Keyed]]


@dataclass(frozen=True)
class Errant(Metric):
    """F over edits, in the modes of errant_compare.

    References are the corpus's gold edits if it has some, else its texts; texts are annotated by ``annotator``. A
    system given as M2 with several annotators is compared with each reference under each of them. ``exclude``: types
    that do not count, joined by ``+``.
    """

    name: ClassVar[str] = "errant"
    scoring_settings: ClassVar[frozenset[str]] = frozenset({"beta", "selection"})

    mode: Mode = "cs"
    beta: float = 0.5
    selection: Selection = "running"
    annotator: str | Annotator = "builtin"
    merging: Merging = "rules"
    lev: bool = False
    size: Size = "all"
    exclude: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.beta < float("inf"):
            raise UsageError(f"beta is {self.beta}; it must be a number from 0 on")
        for setting, choices in (("mode", Mode), ("size", Size), ("selection", Selection)):
            value = getattr(self, setting)
            if value not in get_args(choices):
                raise UsageError(f"errant: {setting} is one of {', '.join(get_args(choices))}, not {value}")
        if self.merging not in MERGINGS:
            raise UsageError(f"errant: merging is one of {', '.join(MERGINGS)}, not {self.merging}")

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS

    @property
    def policy(self) -> Policy:
        return Optimum() if self.selection == "optimum" else Running()

    @property
    def matching(self) -> Matching:
        """Which edits count, and when two are the same."""
        return Matching(self.mode, self.size, frozenset(self.exclude.split("+") if self.exclude else ()))

    def signature(self, references: str | int, level: Level = "corpus") -> str:
        """The annotator with its version: edits depend on it."""
        name = make_annotator(self.annotator).name
        signature = super().signature(references, level)
        return signature.replace(f"|annotator:{self.annotator}|", f"|annotator:{name}|")

    def prepare(self, corpus: Corpus, threads: int = 0) -> Prepared:
        if corpus.gold is None and not corpus.references:
            raise InputError("ERRANT needs references: gold edits (M2) or corrected texts")
        return Prepared(corpus, self._keyed(reference_edits(corpus, self.extraction, threads)))

    @property
    def extraction(self) -> Extraction:
        """How text becomes edits."""
        return Extraction(self.annotator, self.merging, self.lev)

    def count(self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0) -> ErrantCounts:
        """``array[s, r, k]``; of a system with H annotators r runs over the pairs (annotator, reference), H · R."""
        systems = self._keyed(hypothesis_edits(prepared.corpus, hypothesis, self.extraction, threads))
        cells = [
            [compare(mine, theirs) for mine in system for theirs in references]
            for system, references in zip(systems, prepared.references, strict=True)
        ]
        width = max(map(len, cells))
        array = np.zeros((len(cells), width, len(COLUMNS)), dtype=np.int64)
        for s, row in enumerate(cells):
            for r, by_type in enumerate(row):
                for counts in by_type.values():
                    array[s, r] += counts
        lengths = np.array([len(row) for row in cells])
        present = None if (lengths == width).all() else np.arange(width) < lengths[:, np.newaxis]
        return ErrantCounts(array, COLUMNS, present, cells=cells)

    def _keyed(self, edits: Edits) -> list[list[Keyed]]:
        matching = self.matching
        return [[matching.keyed(version) for version in sentence] for sentence in versions(edits)]

    def precision_recall(self, totals: NDArray[Any]) -> tuple[Floats, Floats]:
        """[...] each; 1 without false positives, or false negatives."""
        tp, fp, fn = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
        precision = np.where(fp > 0, tp / np.maximum(tp + fp, 1), 1.0)
        return precision, np.where(fn > 0, tp / np.maximum(tp + fn, 1), 1.0)

    def score(self, totals: NDArray[Any]) -> Floats:
        precision, recall = self.precision_recall(totals)
        weight = self.beta**2
        below = weight * precision + recall
        return np.where(below > 0, (1 + weight) * precision * recall / np.where(below > 0, below, 1.0), 0.0)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        return {"precision": precision, "recall": recall}

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """F to 4 digits, then more TP, fewer FP, fewer FN."""
        signs = np.array([1, -1, -1])
        return np.concatenate([np.round(self.score(counts), 4)[..., np.newaxis], counts * signs], axis=-1)

    def running_key(self, totals: Sequence[Any]) -> tuple[float, ...]:
        """As ``ranking``, of the totals so far: the rounding is part of errant's choice, and makes ties frequent."""
        tp, fp, fn = totals
        return round(precision_recall_f(tp, fp, fn, self.beta)[2], 4), tp, -fp, -fn

    @property
    def ratio(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        weight = self.beta**2
        return (1 + weight, 0, 0), (1 + weight, 1, weight)

    def by_type(self, counts: ErrantCounts, tier: Tier = "full") -> dict[str, tuple[int, int, int]]:
        """TP, FP and FN by type, sorted, over the references that the policy chooses."""
        [choice] = self.policy.choices(self, counts)
        sums: Cells = {}
        for row, r in zip(counts.cells, choice, strict=True):
            add(sums, row[r])
        return {name: (tp, fp, fn) for name, (tp, fp, fn) in sorted(in_tier(sums, tier).items())}


def add(sums: Cells, more: Cells) -> None:
    """Add counts by type to sums by type."""
    for name, counts in more.items():
        own = sums.setdefault(name, [0, 0, 0])
        for k, count in enumerate(counts):
            own[k] += count


def in_tier(cells: Cells, tier: Tier) -> Cells:
    """Counts by operation (``R``), by type (``NOUN:NUM``) or by both (``R:NOUN:NUM``).

    As errant cuts them: the first letter, and what follows the second one, even of types without an operation; UNK
    stays whole.
    """
    cut = {"operation": slice(0, 1), "type": slice(2, None), "full": slice(None)}[tier]
    sums: Cells = {}
    for name, counts in cells.items():
        add(sums, {name if name == UNKNOWN else name[cut]: counts})
    return sums
