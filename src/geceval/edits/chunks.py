"""Chunks: source, hypothesis and all references of a sentence cut at the same places (Ye et al., CLEME, EMNLP 2023).

Edits of all versions that touch share a chunk; the stretches of source between are chunks too. So every version of a
sentence is the same sequence of chunks, and hypothesis and references can be compared chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ChunkTable, Edits, Text
from geceval.base.cached import cached_property
from geceval.edits.changes import check_only_version, explain_faults

if TYPE_CHECKING:
    from geceval.text.m2 import Block

Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Chunks:
    """The C chunks of S sentences, for the hypothesis and R references.

    Sentence s has the chunks ``offsets[s]:offsets[s + 1]``; chunk c spans the source tokens ``start[c]:end[c]``.
    ``changed[c, v]``: version v (0: hypothesis, r + 1: reference r) has an edit there. ``length[c, v]``: its tokens.
    ``same[c, r]``: hypothesis and reference have the same text. ``present[s, r]``: sentence s has reference r.
    """

    offsets: Integers
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    changed: Booleans
    length: NDArray[np.int32]
    same: Booleans
    present: Booleans

    @cached_property
    def sentence(self) -> Integers:
        """The sentence of every chunk, [C]."""
        return np.repeat(np.arange(len(self.present)), np.diff(self.offsets))

    @cached_property
    def there(self) -> Booleans:
        """Whether the chunk's sentence has the reference, [C, R]."""
        return self.present[self.sentence]

    @property
    def source_length(self) -> NDArray[np.int32]:
        """Source tokens of every chunk, [C]; 0 for an insertion."""
        return self.end - self.start

    def sums(self, classes: NDArray[Any], values: NDArray[Any], width: int) -> NDArray[np.float64]:
        """The values [C, R] summed by sentence, reference and class: [S, R, width]."""
        sentences, references = self.present.shape
        cells = (self.sentence[:, np.newaxis] * references + np.arange(references)) * width + classes
        size = sentences * references * width
        weights = np.broadcast_to(values, cells.shape).astype(np.float64).ravel()
        sums = np.bincount(cells.ravel(), weights, minlength=size).astype(np.float64)
        return sums.reshape(sentences, references, width) * self.present[..., np.newaxis]


@dataclass(frozen=True, eq=False)
class ChunkTexts:
    """What the chunks of Chunks say, as places in ``strings``.

    ``source[c]`` is the source's text; ``text[c, v]`` that of version v, ``type[c, v]`` the types of its edits there,
    joined by ``+`` (nothing where it has none).
    """

    source: NDArray[np.int32]
    text: NDArray[np.int32]
    type: NDArray[np.int32]
    strings: Sequence[str]


class ChunkedVersions:
    """Sources and references in order, ready to be cut into chunks with any hypothesis.

    ``references`` are the edits of one or more versions of every sentence. One that deletes everything is left out, and
    with ``drop_unchanged`` one that leaves the source as it is, unless none would remain. Edits up to
    ``merge_distance`` unchanged tokens apart share a chunk. Raises InputError for edits that overlap or do not fit,
    with file and line if they are those of M2 ``blocks``.
    """

    def __init__(
        self,
        source: Text,
        references: Edits,
        merge_distance: int = 0,
        drop_unchanged: bool = False,
        *,
        blocks: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> None:
        # A distance that no sentence reaches is as good as any other.
        self._made_of = source, references, min(merge_distance, 1 << 31), drop_unchanged
        with explain_faults(blocks):
            self._table = ChunkTable(*self._made_of, threads)
        #: Whether sentence s has reference r, [S, R].
        self.present: Booleans = self._table.present

    def __reduce__(self) -> tuple[Any, ...]:
        """What they are made of; the kernel's table is made anew."""
        return ChunkedVersions, self._made_of

    def partition(self, hypothesis: Edits, blocks: Sequence[Block] | None = None, threads: int = 0) -> Chunks:
        """The chunks of a hypothesis. Errors: as for references, and if a sentence has not one version."""
        check_only_version(hypothesis, blocks)
        with explain_faults(blocks):
            return Chunks(*self._table.partition(hypothesis, threads), present=self.present)

    def texts(self, hypothesis: Edits, threads: int = 0) -> ChunkTexts:
        """What the chunks say that ``partition`` gives for the hypothesis."""
        return ChunkTexts(*self._table.texts(hypothesis, threads))
