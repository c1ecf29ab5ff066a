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

@final
class Tagger:
    """A tagging model with a profile: the body of a model file, and rules (tag, form, universal POS, lemma).

    A rule with form "" holds for all forms with that tag, one with a lower-case form only for it; lemma ""
    leaves the lemma to the lexicon. Raises ValueError if the model is damaged.
    """

    def __new__(cls, model: bytes, rules: Sequence[tuple[str, str, str, str]]) -> Tagger: ...
    def annotate(
        self, sentences: Sequence[Sequence[str]], threads: int = 0
    ) -> tuple[list[str], NDArray[np.int64], list[NDArray[np.int32]]]:
        """Strings, offsets, and the columns form, lemma, pos, tag, dep, head. ``threads`` 0: all processors."""
