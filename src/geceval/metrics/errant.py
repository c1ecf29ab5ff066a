"""ERRANT: F over the edits of a system and of the annotators (Bryant, Felice and Briscoe, ACL 2017).

Edits come from M2 or are extracted from text. Two M2 files and nothing else is the plain F-score of edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.figures import F
from geceval.counting.metric import FMetric
from geceval.counting.onedits import OnEdits
from geceval.counting.policies import Optimum, Policy, Running
from geceval.counting.settings import FINITE, setting
from geceval.edits.annotation import Annotator
from geceval.edits.edited import shared_extractor
from geceval.edits.extract import Extractor, Merging
from geceval.edits.m2files import literal
from geceval.errors import InputError
from geceval.text.corpus import Corpus, Hypothesis, has_edits
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
        joined = Counts.concatenate(parts)
        cells = [row for part in parts for row in part.cells]  # type: ignore[attr-defined]
        return ErrantCounts(joined.array, joined.columns, joined.present, cells=cells)


@dataclass
class Prepared:
    """The sources' tokens, the keyed edits of the references ``references[s][r]``, and where edits come from."""

    source: list[list[str]]
    references: list[list[Keyed]]
    extractor: Extractor


@dataclass(frozen=True)
class Errant(FMetric[Prepared], OnEdits[Prepared]):
    """F over edits, in the modes of errant_compare.

    References are the corpus's gold edits if it has some, else its texts; texts are annotated by ``annotator``.
    ``exclude``: types that do not count, joined by ``+``.
    """

    name: ClassVar[str] = "errant"

    mode: Mode = "cs"
    beta: float = setting(0.5, "scoring", FINITE)
    selection: Selection = setting("running", "selecting")
    annotator: Annotator | str = "builtin"
    merging: Merging = "rules"
    lev: bool = False
    size: Size = "all"
    exclude: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS

    @property
    def policy(self) -> Policy:
        return Optimum() if self.selection == "optimum" else Running()

    @property
    def f(self) -> F:
        """The rounding is part of errant's choice, and makes ties frequent: then more TP, fewer FP, fewer FN."""
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        ties = (tp, (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
        return F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ties, digits=4)

    @property
    def matching(self) -> Matching:
        """Which edits count, and when two are the same."""
        return Matching(self.mode, self.size, frozenset(self.exclude.split("+") if self.exclude else ()))

    def prepare(self, corpus: Corpus, threads: int = 0) -> Prepared:
        source = [line.split() for line in corpus.source]
        extractor = shared_extractor(corpus, self.annotator, self.merging, self.lev)
        prepared = Prepared(source, [], extractor)
        if corpus.gold is not None:
            prepared.references = self._from_blocks(prepared, corpus.gold)
        elif corpus.references:
            texts = [self._from_text(prepared, reference, threads) for reference in corpus.references]
            present = [[keyed for keyed in row if keyed is not None] for row in zip(*texts, strict=True)]
            prepared.references = present
        else:
            raise InputError("ERRANT needs references: gold edits (M2) or corrected texts")
        return prepared

    def count(
        self, prepared: Prepared, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> ErrantCounts:
        """``array[s, r, k]``."""
        if has_edits(hypothesis):
            systems = self._from_blocks(prepared, hypothesis)
        else:
            texts = self._from_text(prepared, hypothesis, threads)  # type: ignore[arg-type]
            systems = [[keyed] for keyed in texts if keyed is not None]
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

    def _from_blocks(self, prepared: Prepared, blocks: Sequence[Block]) -> list[list[Keyed]]:
        matching = self.matching
        for tokens, block in zip(prepared.source, blocks, strict=True):
            if block.tokens != tokens:
                raise block.error("not the sentence of the source", hint=f"{block.source}\n  {' '.join(tokens)}")
        return [[matching.keyed(edits) for edits in coders(block)] for block in blocks]

    def _from_text(self, prepared: Prepared, lines: Sequence[str | None], threads: int) -> list[Keyed | None]:
        """None where the text is missing."""
        targets = [None if line is None else line.split() for line in lines]
        pairs = [
            (tokens, tokens if target is None else target)
            for tokens, target in zip(prepared.source, targets, strict=True)
        ]
        edits = prepared.extractor.extract_tokens(pairs, threads)
        matching = self.matching
        return [None if target is None else matching.keyed(own) for target, own in zip(targets, edits, strict=True)]

    def by_type(self, counts: ErrantCounts, tier: Tier = "full") -> dict[str, tuple[int, int, int]]:
        """TP, FP and FN by type, sorted, over the references that the policy chooses."""
        [choice] = self.choices(counts)
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
