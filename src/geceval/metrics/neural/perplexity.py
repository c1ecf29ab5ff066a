"""Perplexities of texts under a causal language model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from geceval.base.errors import UsageError
from geceval.metrics.neural.pretrained import Inputs, NetworkInput, Pretrained


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
    #: Maximum size of a batch's logits in bytes, on a CPU and on other devices.
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
    def positions(self) -> int | None:
        """The maximum number of pieces that the network supports; None: unlimited."""
        found = getattr(self._network.config, "max_position_embeddings", None)
        return None if found is None else int(found)

    def inputs(self, *sides: Sequence[str]) -> Inputs:
        """Return the inputs of texts, and which of them [S] are too long.

        A text is too long if it is cut at ``length`` or, without ``length``, if it has more pieces than the network has
        positions.
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
        # Padding is last: no piece attends to it, so the network needs no mask.
        ids, mask = self.padded([one.pieces for one in batch])
        if ids.shape[1] < 2:
            return [float("nan")] * len(batch)
        logits = self._network(input_ids=ids, use_cache=False).logits
        targets, counts = self._torch.roll(ids, -1, dims=1), self._torch.roll(mask, -1, dims=1)
        counts[:, -1] = 0  # no piece follows the last one
        loss = self._torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
        loss = loss.view_as(ids)
        means = (loss * counts).sum(dim=1) / counts.sum(dim=1)
        found: list[float] = self._torch.exp(means).tolist()
        return found
