"""The compiled kernel, typed. A test compares the names here with the binary."""

from collections.abc import Sequence
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

@final
class NgramTable:
    """The n-grams of sources and references, ready to be compared with hypotheses.

    ``texts[s]`` is the source of sentence s followed by its R references. ``threads`` 0 means all processors.
    """

    def __new__(
        cls,
        texts: Sequence[Sequence[str]],
        n: int,
        unit: Literal["word", "char", "grapheme"],
        threads: int = 0,
    ) -> NgramTable: ...
    def count(self, hypotheses: Sequence[str], threads: int = 0) -> NDArray[np.int32]:
        """Counts ``[sentence, reference, order, 8]``: tk td ti od oi ud ui, and ud absent from the reference."""
    def __len__(self) -> int: ...

_Integers = NDArray[np.int64]
_Tokens = tuple[_Integers, NDArray[np.int32]]
_Edits = tuple[int, _Integers, NDArray[np.int32], NDArray[np.int32], _Tokens]

def partition(
    source: _Tokens, hypothesis: _Edits, references: _Edits, distance: int
) -> tuple[_Integers, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.int32], NDArray[np.bool_]]:
    """CLEME's chunks: offsets [S + 1], start [C], end [C], changed [C, 1 + R], length [C, 1 + R], same [C, R].

    ``source`` is (offsets [S + 1], tokens). Edits are (R, offsets [S * R + 1], start [E], end [E], (offsets [E + 1],
    tokens)), in order and without overlap; the hypothesis's R is 1. Cells: hypothesis, then references. ``same``: the
    hypothesis has the reference's text. Raises ValueError for columns that do not fit each other.
    """
