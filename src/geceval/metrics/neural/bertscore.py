"""BERTScore of pairs of sentences, cached in memory and in a file.

Source: Zhang et al., BERTScore (ICLR 2020).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from geceval.base.errors import InputError, UsageError
from geceval.counting.metric import Metric, P
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.networks import Encoded, Encoder
from geceval.metrics.neural.pretrained import NetworkInput, load_shared
from geceval.metrics.shared.value_store import ValueStore
from geceval.text.files import read_text

#: Precision, recall and F.
Triple: TypeAlias = tuple[float, float, float]
COMPONENTS = ("p", "r", "f")

#: Number of pairs whose vectors are in memory at a time.
GROUP = 2048


def bertscore(candidate: Encoded, reference: Encoded) -> Triple:
    """Return precision, recall and F of two sentences, without rescaling.

    Precision is the mean, over the candidate's own pieces, of the largest dot product with any piece of the reference,
    special pieces included. Recall exchanges the two sides. Pieces are not weighted by inverse document frequency. All
    three numbers are 0 if one of the sentences has only special pieces.

    Source: Zhang et al., BERTScore (ICLR 2020), section 3.
    """
    if not candidate.from_text.any() or not reference.from_text.any():
        return 0.0, 0.0, 0.0
    similarity = candidate.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[candidate.from_text].mean())
    recall = float(similarity.max(axis=0)[reference.from_text].mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


class BertScorer:
    """BERTScore of pairs of sentences, computed once per distinct pair.

    Args:
        encoder: Encoder of the sentences.
        path: SQLite file that caches scores for later runs. It may also contain scores of other models. None: scores
            are cached in memory only.
    """

    def __init__(self, encoder: Encoder, path: str | None = None) -> None:
        self.encoder = encoder
        self._store = ValueStore(None if path is None else Path(path))

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return precision, recall and F of (candidate, reference) pairs.

        Raises:
            InputError: If the file cannot be used.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        inputs = dict(zip(texts, self.encoder.inputs(texts)[0], strict=True))
        sides = {pair: (inputs[pair[0]], inputs[pair[1]]) for pair in pairs}
        keys = {pair: self._key(*sides[pair]) for pair in sides}
        known = self._store.get(keys.values())
        fresh = list({keys[pair]: sides[pair] for pair in sides if keys[pair] not in known}.items())
        for start in range(0, len(fresh), GROUP):
            group = dict(fresh[start : start + GROUP])
            vectors = self.encoder.values(side for pair in group.values() for side in pair)
            known |= self._store.put({key: bertscore(vectors[a], vectors[b]) for key, (a, b) in group.items()})
        return [tuple(known[keys[pair]]) for pair in pairs]

    def _key(self, candidate: NetworkInput, reference: NetworkInput) -> str:
        content = repr((self.encoder.name, candidate.pieces, reference.pieces))
        return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True)
class WithEncoder(Metric[P]):
    """Settings of a metric that uses BERTScore.

    A model in a folder is read without network access. ``device``, ``batch`` and ``cache`` do not change scores.
    """

    model: str | None = setting(
        None, meaning="encoder: a name known to transformers, or a folder; none: bert-base-uncased", network=True
    )
    layer: int | None = setting(
        None, bounds=Bounds(1, 1000), meaning="layer of the encoder, from 1; none: the usual layer of a known model"
    )
    device: str = setting("auto", "unsigned", meaning="device for computation: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1, 1 << 16), meaning="number of texts per batch")
    cache: str | None = setting(None, "unsigned", meaning="file that caches scores for other runs")

    @property
    def uses_encoder(self) -> bool:
        """Whether the metric needs BERTScore with its current settings."""
        return True

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the entries of the signature, with the encoder's fingerprint and layer.

        Two folders of one name may contain different weights. The encoder is loaded for its fingerprint.
        """
        if not self.uses_encoder:
            return {name: value for name, value in super().signed(inputs).items() if name not in ("model", "layer")}
        encoder = self.scorer.encoder
        return super().signed(inputs) | {"model": encoder.signed, "layer": encoder.layer}

    def resources(self) -> BertScorer | None:
        """Return the scorer, so that a run signs and counts with the same weights."""
        return self.scorer if self.uses_encoder else None

    @property
    def scorer(self) -> BertScorer:
        """BERTScore with this encoder, which is loaded at the first access.

        Raises the errors of networks.Encoder.
        """
        encoder = load_shared(Encoder, self.model or "bert-base-uncased", self.layer, self.device, self.batch)
        return load_shared(BertScorer, encoder, self.cache)


def baseline(value: str | None, layer: int) -> Triple:
    """Return the baselines of precision, recall and F.

    Rescaling maps a number x with the baseline b to (x - b) / (1 - b).

    Args:
        value: Number for all three, or path of a table of bert_score, which has a line LAYER,P,R,F per layer. None: 0,
            without effect.
        layer: Layer of the encoder, counted from 1.

    Raises:
        UsageError: If the value is neither a number below 1 nor a readable file.
        InputError: If the table has no valid line for the layer.
    """
    if value is None:
        return 0.0, 0.0, 0.0
    try:
        precision = recall = f = float(value)
    except ValueError:
        precision, recall, f = _from_table(value, layer)
    for number in (precision, recall, f):
        if not -1e9 <= number < 1:
            raise UsageError(f"baseline is {number:g}; it must be at least -1e+09 and below 1")
    return precision, recall, f


def _from_table(path: str, layer: int) -> Triple:
    try:
        lines = read_text(path).splitlines()
    except InputError as error:
        raise UsageError(f"baseline is {path!r}; it must be a number or a file ({error.message})") from None
    for number, line in enumerate(lines, 1):
        cells = line.replace("\t", ",").split(",")
        if cells[0].strip() == str(layer):
            try:
                precision, recall, f = map(float, cells[1:])
            except ValueError:
                raise InputError(f"expected LAYER,P,R,F, found {line!r}", path=path, line=number) from None
            return precision, recall, f
    raise InputError(f"no line for layer {layer}", path=path)
