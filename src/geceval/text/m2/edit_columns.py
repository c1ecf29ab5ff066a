"""Arrays [E] that describe all edits of blocks in columns, including noops."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.text.m2.cherrant_dialect import errant_type
from geceval.text.m2.edit import NOOP, UNKNOWN, correction_of


class EditColumns:
    """Edits [E] in columns, and properties derived from them.

    ``type`` contains indices of ``strings``, ``version`` the version of each edit, and ``version_sentence`` the
    sentence of each version.
    """

    def __init__(self, edits: Edits) -> None:
        self.edits = edits
        self.start, self.end, self.type, self.strings = edits.start, edits.end, edits.type, edits.strings
        self.version = np.repeat(np.arange(len(edits.annotator)), np.diff(edits.offsets))
        self.version_sentence = np.repeat(np.arange(len(edits)), np.diff(edits.versions))
        self.sentence, self.annotator = self.version_sentence[self.version], edits.annotator[self.version]

    @cached_property
    def is_edit(self) -> NDArray[np.bool_]:
        """[E]: False for noops, by their type or the span -1 -1."""
        noop: NDArray[np.bool_] = (self.start == -1) & (self.end == -1)
        return ~(noop | self.are_of_type(lambda name: name == NOOP))

    def are_of_type(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return which edits [E] have a wanted type; ``wanted`` is called once per type."""
        places = [place for place in np.unique(self.type).tolist() if wanted(self.strings[place])]
        return np.isin(self.type, places).astype(np.bool_)

    @cached_property
    def corrections(self) -> dict[int, str]:
        """Index in ``strings`` -> first alternative, with one blank between tokens."""
        return {place: correction_of(self.strings[place]) for place in np.unique(self.edits.text).tolist()}

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """[E]: number of tokens of the corrections."""
        counts = np.zeros(len(self.strings) + 1, np.int64)
        for place, text in self.corrections.items():
            counts[place] = len(text.split())
        return counts[self.edits.text]

    def operations(self, *, is_cherrant: bool = False) -> NDArray[np.str_]:
        """Return the operations [E]: M inserts, U deletes, R replaces.

        Noops and UNK have an empty operation.

        Types determine the operation by ERRANT's or ChERRANT's letters; for other types the effect of the edit does.
        """
        operations = np.where(self.start == self.end, "M", np.where(self.words == 0, "U", "R"))
        types, in_errant = np.unique(self.type).tolist(), errant_type if is_cherrant else str
        for letter in "MRU":
            places = [place for place in types if in_errant(self.strings[place]).partition(":")[0] == letter]
            operations[np.isin(self.type, places)] = letter
        return np.where(self.is_edit & ~self.are_of_type(lambda name: name == UNKNOWN), operations, "")

    def fit(self, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which edits [E] fit sentences of lengths [S] in tokens, or are noops."""
        fits = (self.start >= 0) & (self.end >= self.start) & (self.end <= lengths[self.sentence])
        return ~self.is_edit | fits

    def are_reversed(self, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which edits [E] lie in sentences of lengths [S] but end too early."""
        inside = (self.end >= 0) & (self.start <= lengths[self.sentence])
        return inside & (self.end < self.start)

    def suspects(self, lengths: NDArray[np.int64]) -> list[int]:
        """Return the sentences that may contain a fault, for lengths [S] in tokens.

        Cost: O(edits · log edits).

        Faults are an edit that does not fit, a noop with other edits, and two edits of one annotator that overlap, have
        the same span or are out of order.
        """
        with_others = ~self.is_edit & (np.diff(self.edits.offsets)[self.version] > 1)
        wrong = ~self.fit(lengths) | with_others | self.are_early | self.are_crowded(same_points=True)
        return sorted(set(self.sentence[wrong].tolist()))

    @cached_property
    def are_early(self) -> NDArray[np.bool_]:
        """[E]: whether the edit precedes the one that comes before it in its version."""
        start, end, early = self.start, self.end, np.zeros(len(self.start), bool)
        is_before = (start[1:] < start[:-1]) | ((start[1:] == start[:-1]) & (end[1:] < end[:-1]))
        early[1:] = is_before & (self.version[1:] == self.version[:-1])
        return early

    def are_crowded(self, *, same_points: bool) -> NDArray[np.bool_]:
        """Return which edits [E] begin within another edit or have its span.

        Cost: O(edits · log edits).

        Args:
            same_points: also edits that insert at the point where another one does.
        """
        start, end, version = (column.astype(np.int64) for column in (self.start, self.end, self.version))
        order = np.lexsort((end, start, version))
        start, end, version = start[order], end[order], version[order]
        widest = np.maximum.accumulate(end + (version << 32))  # keeps edits of different versions apart
        same = (version[1:] == version[:-1]) & (start[1:] == start[:-1]) & (end[1:] == end[:-1])
        crowded: NDArray[np.bool_] = np.zeros(len(order), bool)
        crowded[order[1:]] = (start[1:] + (version[1:] << 32) < widest[:-1]) | (same & same_points)
        return crowded
