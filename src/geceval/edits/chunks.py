"""The chunks that versions of a sentence share.

Edits of all versions that touch share a chunk, and the source tokens between them are chunks. Every version of a
sentence is thus the same sequence of chunks, and hypothesis and references are compared chunk by chunk.

Source: Ye et al., CLEME, EMNLP 2023.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ChunkTable, Edits, Text
from geceval.text.m2.blocks import explain_faults
from geceval.text.m2.edit import Block

Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Chunks:
    """The C chunks of S sentences, for the hypothesis and R references.

    Attributes:
        offsets: [S + 1]; sentence s has the chunks ``offsets[s]:offsets[s + 1]``.
        start: First source token [C].
        end: Token after the last one [C].
        changed: [C, 1 + R], whether version v (0: hypothesis, r + 1: reference r) has an edit in the chunk.
        length: [C, 1 + R], number of tokens of version v.
        same: [C, R], whether hypothesis and reference have the same text.
        present: [S, R], whether sentence s has reference r.
    """

    offsets: Integers
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    changed: Booleans
    length: NDArray[np.int32]
    same: Booleans
    present: Booleans

    @property
    def sentence(self) -> Integers:
        """The sentence of every chunk, [C]."""
        return np.repeat(np.arange(len(self.present)), np.diff(self.offsets))

    @property
    def has_reference(self) -> Booleans:
        """[C, R]: whether the sentence of the chunk has the reference."""
        return self.present[self.sentence]

    @property
    def source_length(self) -> NDArray[np.int32]:
        """Number of source tokens of every chunk, [C]; 0 for an insertion."""
        return self.end - self.start

    def packed(self) -> NDArray[np.uint8]:
        """Return the bytes from which ``unpacked`` makes the chunks, some 40 a sentence."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        return np.frombuffer(zlib.compress(pickle.dumps(arrays), 1), dtype=np.uint8)

    @staticmethod
    def unpacked(packed: NDArray[np.uint8]) -> Chunks:
        """Return the chunks that were packed in this process."""
        return Chunks(*pickle.loads(zlib.decompress(packed.data)))

    def sums(self, classes: NDArray[Any], values: NDArray[Any], width: int) -> NDArray[np.float64]:
        """Return the sums [S, R, width] of values [C, R] by sentence and class."""
        sentences, references = self.present.shape
        cells = (self.sentence[:, np.newaxis] * references + np.arange(references)) * width + classes
        size = sentences * references * width
        weights = np.broadcast_to(values, cells.shape).astype(np.float64).ravel()
        sums = np.bincount(cells.ravel(), weights, minlength=size).astype(np.float64)
        return sums.reshape(sentences, references, width) * self.present[..., np.newaxis]


@dataclass(frozen=True, eq=False)
class ChunkTexts:
    """The texts of chunks as indices of ``strings``.

    Attributes:
        source: Text of the source [C].
        text: Text of version v [C, 1 + R].
        type: Types of the edits of version v, joined by ``+``; empty without edits [C, 1 + R].
        strings: The strings.
    """

    source: NDArray[np.int32]
    text: NDArray[np.int32]
    type: NDArray[np.int32]
    strings: Sequence[str]


class ChunkedVersions:
    """Sources and references that can be split into chunks with any hypothesis.

    A reference that deletes everything is dropped, and with ``drop_unchanged`` also an unchanged one, unless no
    reference would remain.

    Args:
        source: The sentences.
        references: Edits of one or more versions of every sentence.
        merge_distance: Edits at most this number of unchanged tokens apart share a chunk.
        drop_unchanged: Whether to drop references without edits.
        blocks: The M2 blocks of the references, for errors.
        threads: Number of threads; 0 means one per processor.

    Raises:
        InputError: For edits that overlap or do not fit; M2 blocks give file and line.
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
        # The kernel takes 32 bits, and no sentence is longer.
        self._made_of = source, references, min(merge_distance, (1 << 31) - 1), drop_unchanged
        with explain_faults(blocks):
            self._table = ChunkTable(*self._made_of, threads)
        #: [S, R]: whether sentence s has reference r.
        self.present: Booleans = self._table.present

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the arguments; the kernel's table is made again."""
        return ChunkedVersions, self._made_of

    def partition(self, hypothesis: Edits, blocks: Sequence[Block] | None = None, threads: int = 0) -> Chunks:
        """Return the chunks of a hypothesis with one version of each sentence.

        Raises InputError as for references.
        """
        with explain_faults(blocks):
            return Chunks(**self._table.partition(hypothesis, threads), present=self.present)

    def texts(self, hypothesis: Edits, threads: int = 0) -> ChunkTexts:
        """Return the texts of the chunks that ``partition`` returns for the hypothesis."""
        return ChunkTexts(**self._table.texts(hypothesis, threads))
