"""What is in an M2 file, counted in one pass: sentences, edits, types, lengths, and how far annotators agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from geceval.text.m2.blocks import Blocks, in_batches
from geceval.text.m2.edit import Block

if TYPE_CHECKING:
    from geceval.text.m2.edit_columns import EditColumns


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
    import numpy as np

    from geceval.text.m2.edit_columns import EditColumns

    columns = EditColumns(blocks.edits)
    table, is_edit = blocks.table, columns.is_edit
    result.sentences += len(blocks)
    result.tokens += int(table.lengths().sum())
    version_edits = np.bincount(columns.version[is_edit], minlength=len(columns.version_sentence))
    annotators = blocks.edits.annotator
    for annotator in np.unique(annotators).tolist():
        found = result.annotators.setdefault(annotator, AnnotatorCounts())
        edits = version_edits[annotators == annotator]
        found.sentences += len(edits)
        found.changed += int((edits > 0).sum())
        found.edits += int(edits.sum())
    types, first, counts = np.unique(columns.type[is_edit], return_index=True, return_counts=True)
    for at in np.argsort(first):  # as they come, so that among equals the first is first
        result.types[columns.strings[types[at]]] += int(counts[at])
    sizes = np.stack([columns.end - columns.start, columns.words], axis=1)[is_edit]
    for (source, correction), count in zip(*np.unique(sizes, axis=0, return_counts=True), strict=True):
        result.lengths[int(source), int(correction)] += int(count)
    if len(annotators) > len(blocks):
        _compare(result.agreement, columns)


def _compare(agreement: dict[tuple[int, int], AnnotatorAgreement], columns: EditColumns) -> None:
    """Count, for every two annotators who have lines in one block, how far they agree."""
    annotators = columns.edits.annotator.tolist()
    edits: list[Counter[tuple[int, int, str]]] = [Counter() for _ in annotators]
    spans = zip(columns.start.tolist(), columns.end.tolist(), columns.edits.text.tolist(), strict=True)
    for version, is_edit, (start, end, text) in zip(columns.version, columns.is_edit, spans, strict=True):
        if is_edit:
            edits[version][start, end, columns.corrections[text]] += 1
    for first, last in pairwise(columns.edits.versions.tolist()):
        for one, other in combinations(sorted(range(first, last), key=annotators.__getitem__), 2):
            found = agreement.setdefault((annotators[one], annotators[other]), AnnotatorAgreement())
            found.sentences += 1
            found.edits += edits[one].total() + edits[other].total()
            found.shared += (edits[one] & edits[other]).total()
            found.same += edits[one] == edits[other]
