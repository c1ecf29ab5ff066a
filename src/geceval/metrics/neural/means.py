"""Sentences as one vector each: the mean of an encoder's vectors over all pieces, special ones included."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from geceval.metrics.neural.encoder import LAST, Encoded, Encoder, Vectors


class MeanEncoder(Encoder):
    """An encoder that keeps of each sentence the mean over its pieces, as they come out of the layer (None: the last).

    ``longest``: at most so many pieces, special ones included.
    """

    def __init__(self, model: str, layer: int | None, longest: int, device: str, batch: int) -> None:
        self.limit = longest
        super().__init__(model, LAST if layer is None else layer, device, batch, scaled=False)

    @property
    def _longest(self) -> int:
        return min(self.limit, super()._longest)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        return Encoded(vectors.mean(axis=0, keepdims=True, dtype=np.float64), np.ones(1, bool))

    def vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """The vector [D] of every text; texts of the same pieces have the very same one."""
        distinct = list(dict.fromkeys(texts))
        pieces = self.pieces(distinct)
        found = self.encode(pieces)
        return {text: found[key].vectors[0] for text, key in zip(distinct, pieces, strict=True)}


#: As in bertscore: the encoders that a run holds, and the last ones.
_LOADED: WeakValueDictionary[tuple[object, ...], MeanEncoder] = WeakValueDictionary()
_LAST_USED: deque[MeanEncoder] = deque(maxlen=2)


def loaded(model: str, layer: int | None, longest: int, device: str, batch: int) -> MeanEncoder:
    """The encoder, loaded when first asked for. Errors: see encoder.Encoder."""
    key = (model, layer, longest, device, batch)
    found = _LOADED.get(key)
    if found is None:
        found = _LOADED[key] = MeanEncoder(model, layer, longest, device, batch)
        _LAST_USED.append(found)
    return found
