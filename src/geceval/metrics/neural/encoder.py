"""Vectors of word pieces from a pretrained encoder, through transformers and torch (extra ``geceval[neural]``)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.metrics.neural.pretrained import Pieces, Pretrained

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

#: The layer that comes last, however many there are.
LAST = -1

#: Bytes of vectors that an encoder keeps.
MEMORY = 1 << 30


@dataclass(frozen=True, eq=False)
class Encoded:
    """A sentence's vectors [T, D], of length 1 if the encoder scales them; ``own[t]`` is False for the special pieces
    put around it."""

    vectors: NDArray[Any]
    own: NDArray[np.bool_]


class Encoder(Pretrained):
    """The output of one layer of a pretrained encoder, each piece's vector ``scaled`` to length 1.

    ``model``: a name known to transformers, or a folder, which is read without network. ``layer`` counts from 1; None
    takes the usual layer of a known name, LAST the last one. ``device``: ``auto`` (a GPU if there is one), ``cpu``,
    ``cuda``, … ``batch`` sentences are encoded at a time. Sentences of the same word pieces are encoded once, as long
    as ``memory`` bytes hold their vectors.

    Raises UsageError for a setting that cannot be, or if a layer must be given, MissingExtraError without torch and
    transformers, and InputError if the model cannot be loaded.
    """

    def __init__(
        self,
        model: str,
        layer: int | None = None,
        device: str = "auto",
        batch: int = 64,
        memory: int = MEMORY,
        *,
        scaled: bool = True,
    ) -> None:
        self.memory, self.scaled = memory, scaled
        self.layer = usual_layer(model) if layer is None else layer
        super().__init__(model, device, batch)
        self._cut()
        self._kept: OrderedDict[Pieces, Encoded] = OrderedDict()
        self._bytes = 0

    @property
    def name(self) -> str:
        """Weights and layer: what the vectors depend on."""
        return f"{self.fingerprint}-{self.layer}"

    def pieces(self, sentences: Sequence[str]) -> list[Pieces]:
        """The word pieces of sentences, with the special ones, cut at the model's maximal length."""
        if not sentences:
            return []
        encoded = self._tokenizer(list(sentences), add_special_tokens=True, truncation=True, max_length=self._longest)
        return [tuple(ids) for ids in encoded["input_ids"]]

    def encode(self, pieces: Iterable[Pieces]) -> dict[Pieces, Encoded]:
        """The vectors of sentences, given their pieces."""
        found: dict[Pieces, Encoded] = {}
        fresh: list[Pieces] = []
        for key in dict.fromkeys(pieces):
            if key in self._kept:
                self._kept.move_to_end(key)
                found[key] = self._kept[key]
            else:
                fresh.append(key)
        # Neighbours in length share a batch, so that little is padded.
        fresh.sort(key=lambda key: (len(key), key), reverse=True)
        for start in range(0, len(fresh), self.batch):
            for key, encoded in self._forward(fresh[start : start + self.batch]):
                found[key] = encoded
                self._keep(key, encoded)
        return found

    def _keep(self, key: Pieces, encoded: Encoded) -> None:
        self._kept[key] = encoded
        self._bytes += encoded.vectors.nbytes
        while self._bytes > self.memory:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.vectors.nbytes

    def _forward(self, batch: Sequence[Pieces]) -> Iterator[tuple[Pieces, Encoded]]:
        torch, special = self._torch, set(self._tokenizer.all_special_ids) - {self._tokenizer.unk_token_id}
        padded, mask = self.padded(batch)
        with torch.inference_mode():
            output = self._network(input_ids=padded, attention_mask=mask, output_hidden_states=True)
            states = output.hidden_states[self.layer].float()
            states = torch.nn.functional.normalize(states, dim=-1) if self.scaled else states
        vectors: Vectors = states.cpu().numpy()
        for row, pieces in enumerate(batch):
            own = np.array([piece not in special for piece in pieces])
            yield pieces, self._encoded(vectors[row, : len(pieces)], own)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        """What is kept of a sentence."""
        return Encoded(vectors.copy(), own)

    def _cut(self) -> None:
        """Drop the layers above the one that is used, where the network has them in a list."""
        count = int(self._network.config.num_hidden_layers)
        self.layer = count if self.layer == LAST else self.layer
        if not 1 <= self.layer <= count:
            raise UsageError(f"{self.model} has the layers 1 to {count}, not {self.layer}")
        stack = getattr(self._network, "encoder", None) or getattr(self._network, "transformer", None)
        layers = getattr(stack, "layer", None)
        if isinstance(layers, self._torch.nn.ModuleList) and len(layers) == count:
            del layers[self.layer :]


def usual_layer(model: str) -> int:
    """The usual layer of a model known by name. Raises UsageError for any other."""
    if model not in LAYERS:
        raise UsageError(
            f"which layer of {model} is to be used?", hint="give --layer; of bert-base-uncased 9 is usual, of 12"
        )
    return LAYERS[model]


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
