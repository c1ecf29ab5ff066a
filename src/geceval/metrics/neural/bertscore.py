"""BERTScore of pairs of sentences, cached in memory and in a file.

Source: Zhang et al., BERTScore (ICLR 2020).
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from geceval.base.errors import InputError, UsageError
from geceval.counting.contract import Given, P
from geceval.counting.metric import Metric
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.encoder import Encoded, Encoder
from geceval.metrics.neural.pretrained import NetworkInput, load_shared
from geceval.text.files import read_text

#: A candidate and a reference.
Pair: TypeAlias = tuple[NetworkInput, NetworkInput]
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
    if not candidate.own.any() or not reference.own.any():
        return 0.0, 0.0, 0.0
    similarity = candidate.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[candidate.own].mean())
    recall = float(similarity.max(axis=0)[reference.own].mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


class BertScorer:
    """BERTScore of pairs of sentences, computed once per distinct pair.

    Args:
        encoder: Encoder of the sentences.
        path: SQLite file that caches scores for later runs. It may also contain scores of other models. None: scores
            are cached in memory only.

    Raises:
        InputError: If the file cannot be used.
    """

    def __init__(self, encoder: Encoder, path: str | None = None) -> None:
        self.encoder = encoder
        self._known: dict[Pair, Triple] = {}
        self._file = None if path is None else ScoreFile(path, encoder.name)

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return precision, recall and F of (candidate, reference) pairs."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        inputs = dict(zip(texts, self.encoder.inputs(texts)[0], strict=True))
        keys = [(inputs[candidate], inputs[reference]) for candidate, reference in pairs]
        fresh = [key for key in dict.fromkeys(keys) if key not in self._known]
        if self._file is not None:
            self._known.update(self._file.read(fresh))
            fresh = [key for key in fresh if key not in self._known]
        for start in range(0, len(fresh), GROUP):
            group = fresh[start : start + GROUP]
            vectors = self.encoder.values(side for key in group for side in key)
            found = {key: bertscore(vectors[key[0]], vectors[key[1]]) for key in group}
            self._known.update(found)
            if self._file is not None:
                self._file.write(found)
        return [self._known[key] for key in keys]


class ScoreFile:
    """SQLite file of scores, by model and by the pieces of a pair."""

    def __init__(self, path: str, model: str) -> None:
        self.path, self.model = path, model
        with self._guarded():
            self._connection = sqlite3.connect(path, timeout=60)
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS bertscore (model TEXT, pair BLOB, p REAL, r REAL, f REAL,"
                " PRIMARY KEY (model, pair)) WITHOUT ROWID"
            )

    def read(self, keys: Sequence[Pair]) -> dict[Pair, Triple]:
        """Return the scores of the pairs that are in the file."""
        found = {}
        with self._guarded():
            for key in keys:
                row = self._connection.execute(
                    "SELECT p, r, f FROM bertscore WHERE model = ? AND pair = ?", (self.model, _digest(key))
                ).fetchone()
                if row is not None:
                    found[key] = row
        return found

    def write(self, scores: Mapping[Pair, Triple]) -> None:
        """Write scores in one transaction."""
        rows = [(self.model, _digest(key), *score) for key, score in scores.items()]
        with self._guarded(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO bertscore VALUES (?, ?, ?, ?, ?)", rows)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"scores cannot be cached: {error}", path=self.path) from None


def _digest(key: Pair) -> bytes:
    candidate, reference = key
    return hashlib.sha256(repr((candidate.pieces, reference.pieces)).encode()).digest()


@dataclass(frozen=True)
class WithEncoder(Metric[P]):
    """Settings of a metric that uses BERTScore.

    A model in a folder is read without network access. ``device``, ``batch`` and ``cache`` do not change scores.
    """

    model: str | None = setting(
        None, meaning="encoder: a name known to transformers, or a folder; none: bert-base-uncased"
    )
    layer: int | None = setting(
        None, bounds=Bounds(1, 1000), meaning="layer of the encoder, from 1; none: the usual layer of a known model"
    )
    device: str = setting("auto", "unsigned", meaning="device that computes: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1, 1 << 16), meaning="number of texts computed at a time")
    cache: str | None = setting(None, "unsigned", meaning="file that keeps scores for other runs")

    @property
    def uses_encoder(self) -> bool:
        """Whether the metric needs BERTScore with its current settings."""
        return True

    def signed(self, given: Given) -> dict[str, Any]:
        """Return the entries of the signature, with the encoder's fingerprint and layer.

        Two folders of one name may contain different weights. The encoder is loaded for its fingerprint.
        """
        if not self.uses_encoder:
            return super().signed(given)
        encoder = self.scorer.encoder
        return super().signed(given) | {"model": encoder.signed, "layer": encoder.layer}

    def held(self) -> BertScorer | None:
        """Return the scorer, so that a run signs and counts with the same weights."""
        return self.scorer if self.uses_encoder else None

    @property
    def scorer(self) -> BertScorer:
        """BERTScore with this encoder, which is loaded at the first access.

        Raises the errors of encoder.Encoder.
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
