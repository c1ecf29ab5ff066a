"""Vectors of an encoder, ratings of a classifier, perplexities of a language model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import Floats
from geceval.metrics.neural.pretrained import Inputs, NetworkInput, Pieces, Precision, Pretrained

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
        from_text: Whether a piece [T] comes from the text; False for special pieces.
    """

    vectors: NDArray[Any]
    from_text: NDArray[np.bool_]


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
        for row, item in zip(vectors, batch, strict=True):
            from_text = np.array([piece not in special for piece in item.pieces])
            yield self._encoded(row[: len(item.pieces)], from_text)

    def _encoded(self, vectors: Vectors, from_text: NDArray[np.bool_]) -> Encoded:
        """Return the value of a sentence that is remembered."""
        return Encoded(vectors.copy(), from_text)

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
        hint = Hint(
            "set the layer, for example ", Option("metrics", "ptm2:layer=9"), " (bert-base-uncased: layer 9 of 12)"
        )
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

    def _encoded(self, vectors: Vectors, from_text: NDArray[np.bool_]) -> Encoded:
        return Encoded(vectors.mean(axis=0, keepdims=True, dtype=np.float64), np.ones(1, bool))

    def vectors(self, texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """Return the vector [D] of each text.

        Texts with equal pieces share one array.
        """
        distinct = list(dict.fromkeys(texts))
        inputs, _ = self.inputs(distinct)
        values = self.values(inputs)
        return {text: values[item].vectors[0] for text, item in zip(distinct, inputs, strict=True)}


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
        return np.array(
            [1.0 if first == second else _cosine(vectors[first], vectors[second]) for first, second in pairs]
        )


def _cosine(first: Vectors, second: Vectors) -> float:
    a, b = first.astype(np.float64), second.astype(np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0


Pooling: TypeAlias = Literal["cls", "mean"]


class Regressor(Pretrained[float]):
    """Rating of a text or of a pair of texts: the one logit of a classifier.

    Args:
        model: As for pretrained.Pretrained, like the other arguments without a description.
        pooling: Vector from which ModernBERT's head computes the logit: the vector of the first piece (``cls``) or the
            mean of all. None: as in the model's configuration.

    Raises:
        InputError: If the model has several outputs.
        UsageError: If the model does not support ``pooling``.
    """

    kind: ClassVar[str] = "AutoModelForSequenceClassification"
    needless: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model: str,
        length: int | None = None,
        device: str = "auto",
        batch: int = 64,
        precision: Precision = "float32",
        pooling: Pooling | None = None,
    ) -> None:
        super().__init__(model, length, device, batch, precision)
        config: Any = self._network.config
        if config.num_labels != 1:
            raise InputError(f"the model {model!r} has {config.num_labels} outputs; a rating requires one")
        if pooling is not None:
            if self.pooling is None:
                message = f"pooling requires a classifier of ModernBERT; the type of {model} is {config.model_type}"
                raise UsageError(message)
            config.classifier_pooling = pooling

    @property
    def pooling(self) -> Pooling | None:
        """The pooling of the classifier's head; None if it cannot be chosen."""
        pooling: Pooling | None = getattr(self._network.config, "classifier_pooling", None)
        return pooling

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        ratings: list[float] = self._network(**self._arguments(batch)).logits[:, 0].float().tolist()
        return ratings


#: Index of a piece, by the index of the preceding piece (-1 before the first one) and the piece.
Tree: TypeAlias = dict[tuple[int, int], int]


class LanguageModel(Pretrained[float]):
    """Perplexity of a text under a causal language model.

    The perplexity is exp(mean of -log p(piece | beginning, earlier pieces)), in the network's precision. The string of
    the beginning-of-sentence piece is put before the text. It is not predicted, and no end of the text is. If the
    tokenizer adds another beginning-of-sentence piece, that one is predicted, as in the public code. The perplexity of
    a text without pieces is NaN.

    Args:
        model: As for pretrained.Pretrained, like the other arguments without a description.
        length: Maximum number of pieces, the beginning included. None: texts are not cut.

    Raises:
        UsageError: If the tokenizer has no beginning-of-sentence piece, or if the network is not causal.
    """

    kind: ClassVar[str] = "AutoModelForCausalLM"
    needless: ClassVar[tuple[str, ...]] = ()
    #: Number of pieces of a tree, about, and number of words whose logits are computed at a time.
    packed_pieces: ClassVar[int] = 1 << 8
    words: ClassVar[int] = 1 << 12
    #: Maximum size of a padded batch's logits in bytes, on a CPU and on other devices.
    room: ClassVar[tuple[int, int]] = (1 << 27, 1 << 31)

    def _check(self, length: int | None) -> int | None:
        if length is not None and self.positions is not None and length > self.positions:
            raise UsageError(f"length is {length}; {self.model} supports at most {self.positions} pieces")
        if not self._tokenizer.bos_token:
            raise UsageError(f"the tokenizer of {self.model} has no beginning-of-sentence piece")
        if not self._is_causal():
            raise UsageError(f"{self.model} is not a causal language model", hint="use one such as gpt2")
        return length

    def _is_causal(self) -> bool:
        """Return whether the output for a piece does not depend on later pieces.

        transformers loads other networks, such as RoBERTa, as causal ones without an error.
        """
        ids = self._torch.tensor([[0, 1, 2], [0, 1, 3]], device=self.device)
        with self._torch.inference_mode():
            logits = self._network(input_ids=ids, use_cache=False).logits
        return bool(self._torch.allclose(logits[0, :2], logits[1, :2], rtol=1e-3, atol=1e-3))

    @cached_property
    def _is_packed(self) -> bool:
        """Whether texts are computed as trees, faster and with the same numbers.

        Other networks may limit attention to a window or change the logits. GPUs were not measured. In bfloat16 the
        rounding depends on the operations. Earlier releases of transformers were not tested.
        """
        kind = (self._network.config.model_type, self._network.dtype, self.device.type)
        return self._release >= 5 and kind == ("gpt2", self._torch.float32, "cpu")

    @cached_property
    def positions(self) -> int | None:
        """The maximum number of pieces that the network supports; None: unlimited."""
        positions = getattr(self._network.config, "max_position_embeddings", None)
        return None if positions is None else int(positions)

    def inputs(self, *sides: Sequence[str]) -> Inputs:
        """Return the inputs of texts, and which of them [S] are too long.

        A text is too long if it is cut at ``length`` or, without ``length``, if it has more pieces than the network has
        positions.
        """
        [texts] = sides
        if not texts:
            return [], np.zeros(0, dtype=bool)
        tokenised = self._tokenizer([self._tokenizer.bos_token + text for text in texts], return_attention_mask=False)
        rows = [tuple(ids) for ids in tokenised["input_ids"]]
        most = self.positions if self.length is None else self.length
        long = np.array([most is not None and len(row) > most for row in rows])
        return [NetworkInput(row[: self.length]) for row in rows], long

    def _size(self, length: int) -> int:
        element = int(self._torch.finfo(self._network.dtype).bits) // 8
        logits = length * element * int(self._network.config.vocab_size)
        return max(1, min(super()._size(length), self.room[self.device.type != "cpu"] // logits))

    def _batches(self, inputs: list[NetworkInput]) -> Iterator[list[NetworkInput]]:
        if not self._is_packed:
            yield from super()._batches(inputs)
            return
        tree: Tree = {}
        groups: defaultdict[int, list[NetworkInput]] = defaultdict(list)
        for item in sorted(inputs):  # neighbours share the longest beginnings
            _path(item.pieces, tree)
            groups[len(tree) // self.packed_pieces].append(item)
        for group in groups.values():
            yield from (group[start : start + self.batch] for start in range(0, len(group), self.batch))

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        counts = [len(item.pieces) - 1 for item in batch]
        if not any(counts):
            return [float("nan")] * len(batch)
        losses = self._packed_losses(batch) if self._is_packed else self._padded_losses(batch)
        means = self._torch.stack([part.sum() / len(part) for part in losses.split(counts)])
        perplexities: list[float] = self._torch.exp(means).tolist()
        return perplexities

    def _packed_losses(self, batch: Sequence[NetworkInput]) -> Any:
        """Return -log p of each predicted piece, text after text.

        The texts form a tree of pieces: common beginnings are computed once, and each piece attends to its path.
        """
        torch, tree = self._torch, Tree()
        nodes = torch.tensor([node for item in batch for node in _path(item.pieces[:-1], tree)])
        attended = torch.eye(len(tree))  # row: a piece; column: a piece that it attends to
        for node, (parent, _) in enumerate(tree):
            if parent >= 0:
                attended[node] += attended[parent]
        [states] = self._network.base_model(
            input_ids=torch.tensor([[piece for _, piece in tree]]),
            position_ids=attended.sum(dim=1).long()[None] - 1,
            attention_mask=((attended - 1) * 1e30)[None, None],
            use_cache=False,
        ).last_hidden_state
        weights = self._network.get_output_embeddings().weight
        # The logits of a part of the vocabulary stay in the processor's cache.
        sums = torch.stack([(states @ part.T).logsumexp(dim=1) for part in weights.split(self.words)]).logsumexp(dim=0)
        targets = torch.tensor([piece for item in batch for piece in item.pieces[1:]])
        return sums[nodes] - (states[nodes] * weights[targets]).sum(dim=1)

    def _padded_losses(self, batch: Sequence[NetworkInput]) -> Any:
        """Return -log p of each predicted piece, text after text."""
        # Padding is last: no piece attends to it, so the network needs no mask.
        ids, mask = self.padded([item.pieces for item in batch])
        logits = self._network(input_ids=ids, use_cache=False).logits
        targets, predicted = self._torch.roll(ids, -1, dims=1), self._torch.roll(mask, -1, dims=1)
        predicted[:, -1] = 0  # no piece follows the last one
        loss = self._torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
        return loss[predicted.flatten() == 1]


def _path(pieces: Pieces, tree: Tree) -> list[int]:
    """Return the index of each piece in the tree, and add the missing ones."""
    path, node = list[int](), -1
    for piece in pieces:
        node = tree.setdefault((node, piece), len(tree))
        path.append(node)
    return path
