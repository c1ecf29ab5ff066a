"""What is in an M2 file, counted in one pass: sentences, edits, types, lengths, and how far annotators agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from geceval.text.m2.blocks import Blocks, in_batches
from geceval.text.m2.edit import Block


@dataclass
class AnnotatorCounts:
    """What one annotator did: ``sentences`` with a line of theirs, how many of them they ``changed``, their edits."""

    sentences: int = 0
    changed: int = 0
    edits: int = 0


@dataclass
class AnnotatorAgreement:
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
    annotators: dict[int, AnnotatorCounts] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    lengths: Counter[tuple[int, int]] = field(default_factory=Counter)
    agreement: dict[tuple[int, int], AnnotatorAgreement] = field(default_factory=dict)

    @property
    def edits(self) -> int:
        """Those of all annotators."""
        return self.types.total()


def stats(blocks: Iterable[Block]) -> Stats:
    """Count everything in one pass; memory does not grow with the file. Of ChERRANT's files all alignments count."""
    return stats_of(in_batches(blocks))


def stats_of(batches: Iterable[Blocks]) -> Stats:
    """As :func:`stats`, of blocks in columns, some at a time."""
    result = Stats()
    for blocks in batches:
        _add(result, blocks)
    return result


def _add(result: Stats, blocks: Blocks) -> None:
    from geceval.text.m2.edit_columns import EditColumns  # which imports numpy

    columns = EditColumns(blocks.edits)
    result.sentences += len(blocks)
    result.tokens += int(blocks.table.lengths().sum())
    annotators = columns.edits.annotator.tolist()
    edits: list[Counter[tuple[int, int, str]]] = [Counter() for _ in annotators]
    arrays = (columns.version, columns.start, columns.end, columns.edits.text, columns.type)
    for version, start, end, text, name in zip(*(own[columns.is_edit].tolist() for own in arrays), strict=True):
        correction = columns.corrections[text]
        edits[version][start, end, correction] += 1
        result.types[columns.strings[name]] += 1
        result.lengths[end - start, len(correction.split())] += 1
    for annotator, own in zip(annotators, edits, strict=True):
        counts = result.annotators.setdefault(annotator, AnnotatorCounts())
        counts.sentences += 1
        counts.changed += bool(own)
        counts.edits += own.total()
    for first, last in pairwise(columns.edits.versions.tolist()):
        for one, other in combinations(sorted(range(first, last), key=annotators.__getitem__), 2):
            found = result.agreement.setdefault((annotators[one], annotators[other]), AnnotatorAgreement())
            found.sentences += 1
            found.edits += edits[one].total() + edits[other].total()
            found.shared += (edits[one] & edits[other]).total()
            found.same += edits[one] == edits[other]
