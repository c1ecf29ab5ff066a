"""Perplexities of texts under a causal language model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from geceval.base.errors import UsageError
from geceval.metrics.neural.pretrained import Inputs, NetworkInput, Pieces, Pretrained

#: Place of a piece, by the place of the preceding piece (-1 before the first one) and the piece.
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

    def _batches(self, inputs: list[NetworkInput]) -> Iterator[list[NetworkInput]]:
        if not self._is_packed:
            yield from super()._batches(inputs)
            return
        tree: Tree = {}
        groups: defaultdict[int, list[NetworkInput]] = defaultdict(list)
        for one in sorted(inputs):  # neighbours share the longest beginnings
            _path(one.pieces, tree)
            groups[len(tree) // self.packed_pieces].append(one)
        for group in groups.values():
            yield from (group[at : at + self.batch] for at in range(0, len(group), self.batch))

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        counts = [len(one.pieces) - 1 for one in batch]
        if not any(counts):
            return [float("nan")] * len(batch)
        losses = self._packed_losses(batch) if self._is_packed else self._padded_losses(batch)
        means = self._torch.stack([part.sum() / len(part) for part in losses.split(counts)])
        found: list[float] = self._torch.exp(means).tolist()
        return found

    def _packed_losses(self, batch: Sequence[NetworkInput]) -> Any:
        """Return -log p of each predicted piece, text after text.

        The texts form a tree of pieces: common beginnings are computed once, and each piece attends to its path.
        """
        torch, tree = self._torch, Tree()
        places = torch.tensor([place for one in batch for place in _path(one.pieces[:-1], tree)])
        seen = torch.eye(len(tree))  # row: a piece; column: a piece that it attends to
        for place, (parent, _) in enumerate(tree):
            if parent >= 0:
                seen[place] += seen[parent]
        [states] = self._network.base_model(
            input_ids=torch.tensor([[piece for _, piece in tree]]),
            position_ids=seen.sum(dim=1).long()[None] - 1,
            attention_mask=((seen - 1) * 1e30)[None, None],
            use_cache=False,
        ).last_hidden_state
        weights = self._network.get_output_embeddings().weight
        # The logits of a part of the vocabulary stay in the processor's cache.
        sums = torch.stack([(states @ part.T).logsumexp(dim=1) for part in weights.split(self.words)]).logsumexp(dim=0)
        targets = torch.tensor([piece for one in batch for piece in one.pieces[1:]])
        return sums[places] - (states[places] * weights[targets]).sum(dim=1)

    def _padded_losses(self, batch: Sequence[NetworkInput]) -> Any:
        """Return -log p of each predicted piece, text after text."""
        # Padding is last: no piece attends to it, so the network needs no mask.
        ids, mask = self.padded([one.pieces for one in batch])
        logits = self._network(input_ids=ids, use_cache=False).logits
        targets, predicted = self._torch.roll(ids, -1, dims=1), self._torch.roll(mask, -1, dims=1)
        predicted[:, -1] = 0  # no piece follows the last one
        loss = self._torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
        return loss[predicted.flatten() == 1]


def _path(pieces: Pieces, tree: Tree) -> list[int]:
    """Return the place of each piece in the tree, and add the missing ones."""
    path, place = list[int](), -1
    for piece in pieces:
        place = tree.setdefault((place, piece), len(tree))
        path.append(place)
    return path
