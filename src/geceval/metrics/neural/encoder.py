"""Vectors of texts from a pretrained encoder, by word pieces or as means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.counts import Floats
from geceval.metrics.neural.pretrained import NetworkInput, Pretrained

Vectors: TypeAlias = NDArray[np.float32]

#: The layers that BERTScore's authors found best (Zhang et al., ICLR 2020), counted from 1.
LAYERS = {
    "bert-base-uncased": 9,
    "bert-base-multilingual-cased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-uncased": 5,
    "roberta-base": 10,
    "roberta-large": 17,
}

#: The last layer, for any number of layers.
LAST = -1


@dataclass(frozen=True, eq=False)
class Encoded:
    """A sentence's vectors [T, D], of length 1 if the encoder scales them.

    ``own[t]`` is False for special pieces.
    """

    vectors: NDArray[Any]
    own: NDArray[np.bool_]


class Encoder(Pretrained[Encoded]):
    """The output of one layer of a pretrained encoder.

    Each piece's vector is ``scaled`` to length 1. ``layer`` counts from 1; None takes the usual layer of a known name,
    LAST the last one. Other arguments and errors: see pretrained.Pretrained; UsageError for a layer that does not
    exist, or that must be given.
    """

    scaled: ClassVar[bool] = True
    #: Bytes of vectors.
    remembered: ClassVar[int] = 1 << 30

    def __init__(
        self,
        model: str,
        layer: int | None = None,
        device: str = "auto",
        batch: int = 64,
        length: int | None = None,
    ) -> None:
        self.layer = usual_layer(model) if layer is None else layer
        super().__init__(model, length, device, batch)
        self._cut()

    @property
    def name(self) -> str:
        """Weights and layer, on which the vectors depend."""
        return f"{self.fingerprint}-{self.layer}"

    def _size(self, length: int) -> int:
        return self.batch

    def _extent(self, value: Encoded) -> int:
        return value.vectors.nbytes

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[Encoded]:
        special = set(self._tokenizer.all_special_ids) - {self._tokenizer.unk_token_id}
        output = self._network(**self._arguments(batch), output_hidden_states=True)
        states = output.hidden_states[self.layer].float()
        states = self._torch.nn.functional.normalize(states, dim=-1) if self.scaled else states
        vectors: Vectors = states.cpu().numpy()
        for row, one in zip(vectors, batch, strict=True):
            own = np.array([piece not in special for piece in one.pieces])
            yield self._encoded(row[: len(one.pieces)], own)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        """Return the part of a sentence's output that is kept."""
        return Encoded(vectors.copy(), own)

    def _cut(self) -> None:
        """Drop the layers above the used one, if the network has a list of them."""
        count = int(self._network.config.num_hidden_layers)
        self.layer = count if self.layer == LAST else self.layer
        if not 1 <= self.layer <= count:
            raise UsageError(f"{self.model} has the layers 1 to {count}, not {self.layer}")
        stack = getattr(self._network, "encoder", None) or getattr(self._network, "transformer", None)
        layers = getattr(stack, "layer", None)
        if isinstance(layers, self._torch.nn.ModuleList) and len(layers) == count:
            del layers[self.layer :]


def usual_layer(model: str) -> int:
    """Return the usual layer of a known model. Raises UsageError for any other."""
    if model not in LAYERS:
        hint = "-m ptm2:layer=9; 9 of 12 is usual for bert-base-uncased"
        raise UsageError(f"no layer is usual for {model}: name one", hint=hint)
    return LAYERS[model]


class MeanEncoder(Encoder):
    """An encoder that keeps the mean over the pieces of each sentence.

    The vectors are the output of the layer (None: the last). ``length``: the largest number of pieces, special ones
    included, limited by the model.
    """

    scaled: ClassVar[bool] = False

    def __init__(self, model: str, layer: int | None, length: int, device: str, batch: int) -> None:
        super().__init__(model, LAST if layer is None else layer, device, batch, length)

    def _check(self, length: int | None) -> int:
        return self._longest if length is None else min(length, self._longest)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        return Encoded(vectors.mean(axis=0, keepdims=True, dtype=np.float64), np.ones(1, bool))

    def vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """Return the vector [D] of every text.

        Texts of the same pieces have the same array.
        """
        distinct = list(dict.fromkeys(texts))
        inputs, _ = self.inputs(distinct)
        found = self.values(inputs)
        return {text: found[one].vectors[0] for text, one in zip(distinct, inputs, strict=True)}


class MeanVectors(Pretrained[Vectors]):
    """The mean of the last layer's vectors over all pieces, special ones included."""

    remembered: ClassVar[int] = 1 << 14

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[Vectors]:
        arguments = self._arguments(batch)
        mask = arguments["attention_mask"][..., None]
        states = self._network(**arguments).last_hidden_state.float()
        means: Vectors = (self._torch.where(mask == 1, states, 0.0).sum(dim=1) / mask.sum(dim=1)).cpu().numpy()
        return means

    def cosines(self, pairs: Sequence[tuple[NetworkInput, NetworkInput]]) -> Floats:
        """Return the cosine [S] of the two texts of each pair.

        It is exactly 1 for equal inputs.
        """
        vectors = self.values(side for pair in pairs if pair[0] != pair[1] for side in pair)
        return np.array([1.0 if one == other else _cosine(vectors[one], vectors[other]) for one, other in pairs])


def _cosine(one: Vectors, other: Vectors) -> float:
    a, b = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0
