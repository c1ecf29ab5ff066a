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
    import numpy as np
    from numpy.typing import NDArray

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
    result = Stats()
    for batch in in_batches(blocks):
        add(result, batch)
    return result


def add(result: Stats, blocks: Blocks) -> None:
    """Count more blocks."""
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
    _compare(result.agreement, columns, is_edit)


def _compare(
    agreement: dict[tuple[int, int], AnnotatorAgreement], columns: EditColumns, is_edit: NDArray[np.bool_]
) -> None:
    """Count, for every two annotators who have lines in one block, how far they agree."""
    import numpy as np

    from geceval.text.m2.edit_columns import paired

    annotators = columns.edits.annotator.tolist()
    together = Counter(tuple(sorted(annotators[a:b])) for a, b in pairwise(columns.edits.versions.tolist()))
    pairs = sorted({pair for who in together for pair in combinations(who, 2)})
    if not pairs:
        return
    keys = np.column_stack([columns.sentence, columns.keys({})])
    rows = {who: np.flatnonzero(is_edit & (columns.annotator == who)) for pair in pairs for who in pair}
    sentences_of = {who: columns.version_sentence[columns.edits.annotator == who] for who in rows}
    for one, other in pairs:
        both = np.zeros(len(columns.edits), bool)
        both[np.intersect1d(sentences_of[one], sentences_of[other])] = True
        mine, theirs = (keys[own][both[keys[own, 0]]] for own in (rows[one], rows[other]))
        shared, _ = paired(mine, theirs)
        found = agreement.setdefault((one, other), AnnotatorAgreement())
        found.sentences += int(both.sum())
        found.edits += len(mine) + len(theirs)
        found.shared += len(shared)
        apart = np.bincount(mine[:, 0], minlength=len(both)) + np.bincount(theirs[:, 0], minlength=len(both))
        apart -= 2 * np.bincount(mine[shared, 0], minlength=len(both))
        found.same += int((both & (apart == 0)).sum())
