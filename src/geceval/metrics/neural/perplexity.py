"""Perplexities of texts under a causal language model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from geceval.base.errors import UsageError
from geceval.metrics.neural.pretrained import Inputs, NetworkInput, Pretrained


class LanguageModel(Pretrained[float]):
    """The perplexity of a text, in the network's precision.

    It is exp(mean of -log p(piece | beginning, earlier pieces)). The string of the beginning-of-sentence piece is
    directly before the text; neither it nor an end is predicted. With a tokenizer that adds this piece itself there are
    two, the second of which is predicted, as in the public code. A text without pieces has the perplexity NaN.
    ``length``: largest number of pieces, the beginning included. None: nothing is cut. Other arguments and errors: see
    pretrained.Pretrained; UsageError for a tokenizer without a beginning of sentences, or a network that is not causal.
    """

    kind: ClassVar[str] = "AutoModelForCausalLM"
    needless: ClassVar[tuple[str, ...]] = ()
    #: Bytes that the logits of a batch may take, on a processor and elsewhere.
    room: ClassVar[tuple[int, int]] = (1 << 27, 1 << 31)

    def _check(self, length: int | None) -> int | None:
        if length is not None and self.positions is not None and length > self.positions:
            raise UsageError(f"length is {length}; {self.model} takes {self.positions} pieces at most")
        if not self._tokenizer.bos_token:
            raise UsageError(f"the tokenizer of {self.model} has no piece for the beginning of a sentence")
        if not self._is_causal():
            raise UsageError(f"{self.model} looks at what follows: a causal language model is needed, such as gpt2")
        return length

    def _is_causal(self) -> bool:
        """Return whether the output for a piece is independent of later pieces.

        transformers accepts other networks as causal, too, such as RoBERTa.
        """
        ids = self._torch.tensor([[0, 1, 2], [0, 1, 3]], device=self.device)
        with self._torch.inference_mode():
            logits = self._network(input_ids=ids, use_cache=False).logits
        return bool(self._torch.allclose(logits[0, :2], logits[1, :2], rtol=1e-3, atol=1e-3))

    @cached_property
    def positions(self) -> int | None:
        """The number of pieces that the network accepts; None: no limit."""
        found = getattr(self._network.config, "max_position_embeddings", None)
        return None if found is None else int(found)

    def inputs(self, *sides: Sequence[str]) -> Inputs:
        """Return the inputs of texts, and which of them, [S], were cut.

        They are cut at ``length`` or, without it, have more pieces than the network has positions.
        """
        [texts] = sides
        if not texts:
            return [], np.zeros(0, dtype=bool)
        found = self._tokenizer([self._tokenizer.bos_token + text for text in texts], return_attention_mask=False)
        rows = [tuple(ids) for ids in found["input_ids"]]
        most = self.positions if self.length is None else self.length
        long = np.array([most is not None and len(row) > most for row in rows])
        return [NetworkInput(row[: self.length]) for row in rows], long

    def _size(self, length: int) -> int:
        element = int(self._torch.finfo(self._network.dtype).bits) // 8
        logits = length * element * int(self._network.config.vocab_size)
        return max(1, min(super()._size(length), self.room[self.device.type != "cpu"] // logits))

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        """Return the values of a batch.

        Padding is at the end, so that no piece depends on it and no mask is needed.
        """
        ids, mask = self.padded([one.pieces for one in batch])
        if ids.shape[1] < 2:
            return [float("nan")] * len(batch)
        logits = self._network(input_ids=ids, use_cache=False).logits
        wanted, counts = self._torch.roll(ids, -1, dims=1), self._torch.roll(mask, -1, dims=1)
        counts[:, -1] = 0  # nothing follows the last piece
        loss = self._torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction="none")
        loss = loss.view_as(ids)
        means = (loss * counts).sum(dim=1) / counts.sum(dim=1)
        found: list[float] = self._torch.exp(means).tolist()
        return found
