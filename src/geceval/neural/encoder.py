"""Vectors of word pieces from a pretrained encoder, through transformers and torch (extra ``geceval[neural]``)."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.errors import InputError, MissingExtraError, UsageError

Vectors: TypeAlias = NDArray[np.float32]
Pieces: TypeAlias = tuple[int, ...]

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


class Encoder:
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
        if batch < 1:
            raise UsageError(f"batch is {batch}; it must be positive")
        self.model, self.batch, self.memory, self.scaled = model, batch, memory, scaled
        self.layer = usual_layer(model) if layer is None else layer
        self._torch, transformers = _libraries()
        self.device = _device(self._torch, device)
        self._tokenizer, self._network = _load(transformers, model)
        self._cut()
        self._network.eval().to(self.device)
        self._kept: OrderedDict[Pieces, Encoded] = OrderedDict()
        self._bytes = 0

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that tell the weights and the vocabulary apart from others."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._network.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
        digest.update(repr(sorted(self._tokenizer.get_vocab().items())).encode())
        return digest.hexdigest()[:8]

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
        padded = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(padded)
        for row, pieces in enumerate(batch):
            padded[row, : len(pieces)] = pieces
            mask[row, : len(pieces)] = 1
        with torch.inference_mode():
            output = self._network(
                input_ids=torch.from_numpy(padded).to(self.device),
                attention_mask=torch.from_numpy(mask).to(self.device),
                output_hidden_states=True,
            )
            states = output.hidden_states[self.layer].float()
            states = torch.nn.functional.normalize(states, dim=-1) if self.scaled else states
        vectors: Vectors = states.cpu().numpy()
        for row, pieces in enumerate(batch):
            own = np.array([piece not in special for piece in pieces])
            yield pieces, self._encoded(vectors[row, : len(pieces)], own)

    def _encoded(self, vectors: Vectors, own: NDArray[np.bool_]) -> Encoded:
        """What is kept of a sentence."""
        return Encoded(vectors.copy(), own)

    @cached_property
    def _longest(self) -> int:
        """The tokenizer's limit; where it has none, the model's number of positions."""
        limit = int(self._tokenizer.model_max_length)
        if limit < 1_000_000:
            return limit
        config = self._network.config
        positions = int(getattr(config, "max_position_embeddings", 512))
        # RoBERTa's positions begin behind the padding index.
        return positions - (int(config.pad_token_id) + 1 if "roberta" in config.model_type else 0)

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


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(
            f"an encoder needs torch and transformers ({error})", hint="pip install 'geceval[neural]'"
        ) from None
    return torch, transformers


def _device(torch: Any, name: str) -> Any:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError(f"device {name!r} cannot be used: {_first_line(error)}") from None
    return device


def _load(transformers: Any, model: str) -> tuple[Any, Any]:
    """Tokenizer and network, from a folder or from what was downloaded before, else from the network.

    Raises InputError in one line.
    """
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    try:
        return _pretrained(transformers, model, local=True)
    except _UNLOADABLE as error:
        reason = error
    if not Path(model).is_dir():
        try:
            return _pretrained(transformers, model, local=False)
        except _UNLOADABLE as error:
            reason = error
    hint = None if Path(model).exists() else "give a folder that holds the model, or the name of one that can be had"
    raise InputError(f"the model {model!r} cannot be loaded: {_first_line(reason)}", hint=hint)


#: What transformers raises for names, folders and files that are no model.
_UNLOADABLE = (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError)


def _pretrained(transformers: Any, model: str, local: bool) -> tuple[Any, Any]:
    tokenizer = transformers.AutoTokenizer.from_pretrained(model, local_files_only=local)
    return tokenizer, transformers.AutoModel.from_pretrained(model, local_files_only=local)


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
