"""What is in an M2 file, counted in one pass: sentences, edits, types, lengths, and how far annotators agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from geceval.text.m2 import Block, Edit


@dataclass
class Annotator:
    """What one annotator did: ``sentences`` he has a line in, how many of them he ``changed``, his edits."""

    sentences: int = 0
    changed: int = 0
    edits: int = 0


@dataclass
class Agreement:
    """Two annotators on the ``sentences`` both have a line in: their ``edits``, how many are ``shared`` (span and first
    correction agree), and in how many sentences all are the ``same``."""

    sentences: int = 0
    edits: int = 0
    shared: int = 0
    same: int = 0

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both), 1 if there are none."""
        return 2 * self.shared / self.edits if self.edits else 1.0


@dataclass
class Stats:
    """``lengths[source tokens, correction tokens]`` counts edits by their size; noops are no edits anywhere."""

    sentences: int = 0
    tokens: int = 0
    annotators: dict[int, Annotator] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    lengths: Counter[tuple[int, int]] = field(default_factory=Counter)
    agreement: dict[tuple[int, int], Agreement] = field(default_factory=dict)


def stats(blocks: Iterable[Block]) -> Stats:
    """Count everything in one pass; memory does not grow with the file. Of ChERRANT's files all alignments count."""
    result = Stats()
    for block in blocks:
        result.sentences += 1
        result.tokens += len(block.tokens)
        own = {who: block.edits_of(who, alignment=None) for who in sorted(block.annotators)}
        for who, edits in own.items():
            annotator = result.annotators.setdefault(who, Annotator())
            annotator.sentences += 1
            annotator.changed += bool(edits)
            annotator.edits += len(edits)
            result.types.update(edit.type for edit in edits)
            result.lengths.update((edit.end - edit.start, len(edit.alternatives[0].split())) for edit in edits)
        for pair in combinations(own, 2):
            _compare(result.agreement.setdefault(pair, Agreement()), own[pair[0]], own[pair[1]])
    return result


def _compare(agreement: Agreement, one: Iterable[Edit], other: Iterable[Edit]) -> None:
    mine, theirs = (Counter((edit.start, edit.end, edit.alternatives[0]) for edit in edits) for edits in (one, other))
    agreement.sentences += 1
    agreement.edits += mine.total() + theirs.total()
    agreement.shared += (mine & theirs).total()
    agreement.same += mine == theirs
