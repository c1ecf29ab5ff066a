"""Similarities of texts: cosines between the means of a pretrained encoder's vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from geceval.counting.counts import Floats
from geceval.metrics.neural.encoder import Vectors
from geceval.metrics.neural.pretrained import NetworkInput, Valued


class MeanVectors(Valued[Vectors]):
    """The mean of the last layer's vectors over all pieces of a text, special ones included."""

    remembered: ClassVar[int] = 1 << 14

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[Vectors]:
        arguments = self._arguments(batch)
        mask = arguments["attention_mask"][..., None]
        states = self._network(**arguments).last_hidden_state.float()
        means: Vectors = (self._torch.where(mask == 1, states, 0.0).sum(dim=1) / mask.sum(dim=1)).cpu().numpy()
        return means

    def cosines(self, pairs: Sequence[tuple[NetworkInput, NetworkInput]]) -> Floats:
        """The cosine [S] of the angle between the two texts of each pair; 1 for equal inputs, whatever the rounding."""
        vectors = self.values(side for pair in pairs if pair[0] != pair[1] for side in pair)
        return np.array([1.0 if one == other else _cosine(vectors[one], vectors[other]) for one, other in pairs])


def _cosine(one: Vectors, other: Vectors) -> float:
    a, b = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0
