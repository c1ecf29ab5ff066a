"""Vectors of texts from a pretrained encoder, per word piece or averaged."""

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

#: Best layers, counted from 1, according to BERTScore's authors (Zhang et al., ICLR 2020).
LAYERS = {
    "bert-base-uncased": 9,
    "bert-base-multilingual-cased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-uncased": 5,
    "roberta-base": 10,
    "roberta-large": 17,
}

#: Number that selects the last layer of any model.
LAST = -1


@dataclass(frozen=True, eq=False)
class Encoded:
    """Vectors of a sentence.

    Attributes:
        vectors: Vectors [T, D] of the pieces, of length 1 if the encoder scales them.
        own: Whether a piece [T] comes from the text; False for special pieces.
    """

    vectors: NDArray[Any]
    own: NDArray[np.bool_]


class Encoder(Pretrained[Encoded]):
    """Output of one layer of a pretrained encoder.

    If ``scaled``, the vector of each piece has length 1.

    Args:
        model: As for pretrained.Pretrained, like the other arguments without a description.
        layer: Layer, counted from 1. None: the usual layer of a known model. LAST: the last layer.

    Raises:
        UsageError: If the model does not have this layer, or if it has no usual layer and none is given.
    """

    scaled: ClassVar[bool] = True
    #: Limit of remembered vectors in bytes.
    remembered: ClassVar[int] = 1 << 30

    def __init__(
        self, model: str, layer: int | None = None, device: str = "auto", batch: int = 64, length: int | None = None
    ) -> None:
        self.layer = usual_layer(model) if layer is None else layer
        super().__init__(model, length, device, batch)
        self._cut()

    @property
    def name(self) -> str:
        """The fingerprint of the weights and the layer, which determine the vectors."""
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
        """Return the value of a sentence that is remembered."""
        return Encoded(vectors.copy(), own)

    def _cut(self) -> None:
        """Delete the layers above the selected one, if the network has them in a list."""
        count = int(self._network.config.num_hidden_layers)
        self.layer = count if self.layer == LAST else self.layer
        if not 1 <= self.layer <= count:
            raise UsageError(f"layer is {self.layer}; {self.model} has the layers 1 to {count}")
        stack = getattr(self._network, "encoder", None) or getattr(self._network, "transformer", None)
        layers = getattr(stack, "layer", None)
        if isinstance(layers, self._torch.nn.ModuleList) and len(layers) == count:
            del layers[self.layer :]


def usual_layer(model: str) -> int:
    """Return the usual layer of a known model; raise UsageError for other models."""
    if model not in LAYERS:
        hint = "set the layer, for example -m ptm2:layer=9 (bert-base-uncased: layer 9 of 12)"
        raise UsageError(f"{model} has no default layer", hint=hint)
    return LAYERS[model]


class MeanEncoder(Encoder):
    """Encoder that returns the mean of the unscaled vectors of a sentence's pieces.

    Args:
        model: As for pretrained.Pretrained, like the other arguments without a description.
        layer: Layer, counted from 1. None: the last layer.
        length: Maximum number of pieces, special ones included. The limit of the model holds if it is smaller.
    """

    scaled: ClassVar[bool] = False

    def __init__(self, model: str, layer: int | None, length: int, device: str, batch: int) -> None:
        super().__init__(model, LAST if layer is None else layer, device, batch, length)

    def _check(self, length: int | None) -> int:
        return self._longest if length is None else min(length, self._longest)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        return Encoded(vectors.mean(axis=0, keepdims=True, dtype=np.float64), np.ones(1, bool))

    def vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """Return the vector [D] of each text.

        Texts with equal pieces share one array.
        """
        distinct = list(dict.fromkeys(texts))
        inputs, _ = self.inputs(distinct)
        found = self.values(inputs)
        return {text: found[one].vectors[0] for text, one in zip(distinct, inputs, strict=True)}


class MeanVectors(Pretrained[Vectors]):
    """Mean of the last layer's vectors over all pieces, special ones included."""

    remembered: ClassVar[int] = 1 << 14

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[Vectors]:
        arguments = self._arguments(batch)
        mask = arguments["attention_mask"][..., None]
        states = self._network(**arguments).last_hidden_state.float()
        means: Vectors = (self._torch.where(mask == 1, states, 0.0).sum(dim=1) / mask.sum(dim=1)).cpu().numpy()
        return means

    def cosines(self, pairs: Sequence[tuple[NetworkInput, NetworkInput]]) -> Floats:
        """Return the cosine similarity [S] of the two texts of each pair.

        It is exactly 1 for equal inputs, regardless of rounding.
        """
        vectors = self.values(side for pair in pairs if pair[0] != pair[1] for side in pair)
        return np.array([1.0 if one == other else _cosine(vectors[one], vectors[other]) for one, other in pairs])


def _cosine(one: Vectors, other: Vectors) -> float:
    a, b = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0
