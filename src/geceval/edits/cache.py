"""Each distinct sentence is annotated once, and the edits of a pair extracted once, however often they are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from geceval.edits.annotation import Annotated, Annotator, Lemmatiser, Rules
from geceval.edits.extract import Extractor
from geceval.text.m2 import Edit


class Remembering:
    """An annotator that keeps what another one said. Memory: the columns of all distinct sentences so far."""

    def __init__(self, annotator: Annotator) -> None:
        self.annotator = annotator
        self._places: dict[tuple[str, ...], tuple[int, int]] = {}
        self._batches: list[Annotated] = []

    @property
    def name(self) -> str:
        return self.annotator.name

    @property
    def rules(self) -> Rules:
        return self.annotator.rules

    def bases(self, words: Sequence[str]) -> Sequence[Sequence[str]]:
        """Those of the annotator, if it is a Lemmatiser."""
        return self.annotator.bases(words) if isinstance(self.annotator, Lemmatiser) else [[w] * 3 for w in words]

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """The annotator's columns; only sentences never seen before are passed on, in one call."""
        keys = [sentence if isinstance(sentence, tuple) else tuple(sentence) for sentence in sentences]
        fresh = [key for key in dict.fromkeys(keys) if key not in self._places]
        if fresh or not keys:
            self._places.update((key, (len(self._batches), s)) for s, key in enumerate(fresh))
            self._batches.append(self.annotator.annotate(fresh))
        if len(fresh) == len(keys):
            return self._batches[-1]
        return gather(self._batches, [self._places[key] for key in keys])


@dataclass(frozen=True)
class RememberingExtractor(Extractor):
    """An extractor that keeps the edits of every pair of sentences. Memory: all distinct pairs so far."""

    _edits: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Edit]] = field(default_factory=dict, repr=False)

    def extract_tokens(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], threads: int = 0
    ) -> list[list[Edit]]:
        """As Extractor's; pairs never seen before are extracted in one call."""
        keys = [(tuple(source), tuple(target)) for source, target in pairs]
        fresh = [key for key in dict.fromkeys(keys) if key not in self._edits]
        self._edits.update(zip(fresh, super().extract_tokens(fresh, threads), strict=True))
        return [self._edits[key] for key in keys]


def gather(batches: Sequence[Annotated], places: Sequence[tuple[int, int]]) -> Annotated:
    """One batch of the sentences at ``places``: (batch, sentence) each. Cost: O(tokens of all batches)."""
    strings: dict[str, int] = {}
    tables = [
        np.array([strings.setdefault(string, len(strings)) for string in batch.strings], np.int32) for batch in batches
    ]
    starts = np.cumsum([0, *(int(batch.offsets[-1]) for batch in batches)])
    spans = np.array([(starts[b] + batches[b].offsets[s], starts[b] + batches[b].offsets[s + 1]) for b, s in places])
    spans = spans.reshape(-1, 2)
    lengths = spans[:, 1] - spans[:, 0]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tokens = np.arange(offsets[-1]) + np.repeat(spans[:, 0] - offsets[:-1], lengths)

    def column(name: str) -> npt.NDArray[np.int32]:
        parts = [table[getattr(batch, name)] for table, batch in zip(tables, batches, strict=True)]
        picked: npt.NDArray[np.int32] = np.concatenate(parts)[tokens]
        return picked

    form, lemma, pos, tag, dep = map(column, ("form", "lemma", "pos", "tag", "dep"))
    head = np.concatenate([batch.head for batch in batches])[tokens]
    return Annotated(list(strings), offsets, form, lemma, pos, tag, dep, head)
