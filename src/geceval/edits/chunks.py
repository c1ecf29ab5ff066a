"""Chunks: source, hypothesis and all references of a sentence cut at the same places (Ye et al., CLEME, EMNLP 2023).

Edits of all versions that touch share a chunk; the stretches of source between are chunks too. So every version of a
sentence is the same sequence of chunks, and hypothesis and references can be compared chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval import _kernel

if TYPE_CHECKING:
    from geceval.text.m2 import Edit

#: One version of a sentence: its edits in order, without overlap (see m2.ordered).
Version: TypeAlias = Sequence["Edit"]
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

    @property
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


class Versions:
    """Sources and references in columns, ready to be cut into chunks with any hypothesis.

    ``source[s]`` are tokens, ``references[s]`` the versions of sentence s, one or more. A reference that deletes
    everything is left out, and with ``drop_unchanged`` one that leaves the source as it is, unless none would remain.
    Edits up to ``merge_distance`` unchanged tokens apart share a chunk.
    """

    def __init__(
        self,
        source: Sequence[Sequence[str]],
        references: Sequence[Sequence[Version]],
        merge_distance: int = 0,
        drop_unchanged: bool = False,
    ) -> None:
        self.source, self.merge_distance = source, merge_distance
        #: References of a sentence by column; None where there is none.
        self.references = [
            _kept(tokens, versions, drop_unchanged) for tokens, versions in zip(source, references, strict=True)
        ]
        self._width = max(map(len, self.references))
        self._ids: dict[str, int] = {}
        self._source = self._sequences(source)
        self._references = self._edits(self.references, self._width)

    @cached_property
    def present(self) -> Booleans:
        """Whether sentence s has reference r, [S, R]."""
        width = self._width
        rows = [[version is not None for version in row] + [False] * (width - len(row)) for row in self.references]
        return np.array(rows, dtype=bool)

    def partition(self, hypothesis: Sequence[Version]) -> Chunks:
        """The chunks of a hypothesis: ``hypothesis[s]`` are its edits."""
        edits = self._edits([[version] for version in hypothesis], 1)
        columns = _kernel.partition(self._source, edits, self._references, self.merge_distance)
        return Chunks(*columns, present=self.present)

    def _sequences(self, sequences: Sequence[Sequence[str]]) -> tuple[Integers, NDArray[np.int32]]:
        ids = self._ids
        tokens = [ids.setdefault(token, len(ids)) for sequence in sequences for token in sequence]
        return _offsets(map(len, sequences)), np.array(tokens, dtype=np.int32)

    def _edits(self, rows: Sequence[Sequence[Version | None]], width: int) -> Any:
        versions = [version or () for row in rows for version in [*row, *[None] * (width - len(row))]]
        edits = [edit for version in versions for edit in version]
        start = np.array([edit.start for edit in edits], dtype=np.int32)
        end = np.array([edit.end for edit in edits], dtype=np.int32)
        texts = self._sequences([edit.correction.split() for edit in edits])
        return width, _offsets(map(len, versions)), start, end, texts


def _offsets(lengths: Any) -> Integers:
    return np.array([0, *accumulate(lengths)], dtype=np.int64)


def _kept(tokens: Sequence[str], versions: Sequence[Version], drop_unchanged: bool) -> list[Version | None]:
    """The versions, None in place of those that do not count as references."""
    kept = [r for r, version in enumerate(versions) if not _is_empty(tokens, version)] or [0]
    if drop_unchanged:
        kept = [r for r in kept if tokens_of(tokens, versions[r]) != list(tokens)] or kept[:1]
    return [version if r in kept else None for r, version in enumerate(versions)]


def _is_empty(tokens: Sequence[str], version: Version) -> bool:
    """Whether nothing is left after the edits; they do not overlap, so their lengths tell whether all is deleted."""
    deleted = sum(edit.end - edit.start for edit in version)
    return deleted == len(tokens) and not any(edit.correction for edit in version)


def tokens_of(tokens: Sequence[str], version: Version, start: int = 0, end: int | None = None) -> list[str]:
    """The source tokens ``start:end`` (all, if not given) after the edits that lie in them."""
    end = len(tokens) if end is None else end
    text: list[str] = []
    done = start
    for edit in version:
        if start <= edit.start and edit.end <= end:
            text += tokens[done : edit.start]
            text += edit.correction.split()
            done = edit.end
    return text + list(tokens[done:end])
