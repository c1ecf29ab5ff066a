"""BERTScore between sentences (Zhang et al., ICLR 2020), with a cache."""

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
from geceval.text.reading.lines import read_text

#: A candidate and a reference.
Pair: TypeAlias = tuple[NetworkInput, NetworkInput]
#: Precision, recall and F.
Triple: TypeAlias = tuple[float, float, float]
COMPONENTS = ("p", "r", "f")

#: Number of pairs whose vectors are in memory at a time.
GROUP = 2048


def bertscore(candidate: Encoded, reference: Encoded) -> Triple:
    """Return precision, recall and F of two sentences, without rescaling.

    Precision is the mean over the candidate's pieces of the largest product with any of the reference's, special ones
    included; recall the same with the sides exchanged (section 3 of the paper, without inverse document frequencies).
    They are 0 if a sentence has no pieces but special ones.
    """
    if not candidate.own.any() or not reference.own.any():
        return 0.0, 0.0, 0.0
    similarity = candidate.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[candidate.own].mean())
    recall = float(similarity.max(axis=0)[reference.own].mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


class BertScorer:
    """BERTScore of pairs of sentences, each distinct pair computed once.

    ``path``: an SQLite file in which scores are cached for other runs; it may hold scores of other models, too. Raises
    InputError if it cannot be used.
    """

    def __init__(self, encoder: Encoder, path: str | None = None) -> None:
        self.encoder = encoder
        self._known: dict[Pair, Triple] = {}
        self._stored = None if path is None else Stored(path, encoder.name)

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return precision, recall and F of (candidate, reference) pairs."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        inputs = dict(zip(texts, self.encoder.inputs(texts)[0], strict=True))
        keys = [(inputs[candidate], inputs[reference]) for candidate, reference in pairs]
        fresh = [key for key in dict.fromkeys(keys) if key not in self._known]
        if self._stored is not None:
            self._known.update(self._stored.read(fresh))
            fresh = [key for key in fresh if key not in self._known]
        for start in range(0, len(fresh), GROUP):
            group = fresh[start : start + GROUP]
            vectors = self.encoder.values(side for key in group for side in key)
            found = {key: bertscore(vectors[key[0]], vectors[key[1]]) for key in group}
            self._known.update(found)
            if self._stored is not None:
                self._stored.write(found)
        return [self._known[key] for key in keys]


class Stored:
    """Scores in an SQLite file, by model and by the pieces of the pair."""

    def __init__(self, path: str, model: str) -> None:
        self.path, self.model = path, model
        with self._guarded():
            self._connection = sqlite3.connect(path, timeout=60)
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS bertscore (model TEXT, pair BLOB, p REAL, r REAL, f REAL,"
                " PRIMARY KEY (model, pair)) WITHOUT ROWID"
            )

    def read(self, keys: Sequence[Pair]) -> dict[Pair, Triple]:
        """Return the known scores of these pairs."""
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
        """Keep scores, all or none."""
        rows = [(self.model, _digest(key), *score) for key, score in scores.items()]
        with self._guarded(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO bertscore VALUES (?, ?, ?, ?, ?)", rows)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot be used to keep scores: {error}", path=self.path) from None


def _digest(key: Pair) -> bytes:
    candidate, reference = key
    return hashlib.sha256(repr((candidate.pieces, reference.pieces)).encode()).digest()


@dataclass(frozen=True)
class WithEncoder(Metric[P]):
    """A metric that uses BERTScore.

    ``model``: a name known to transformers (None: bert-base-uncased), or a folder, read without network; ``layer``
    counts from 1 (None: the usual layer of a known name). ``device`` (``auto``, ``cpu``, ``cuda``), ``batch``
    (sentences encoded at a time) and ``cache`` (a file of scores for other runs) change no number.
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
        """Whether BERTScore is needed."""
        return True

    def signed(self, given: Given) -> dict[str, Any]:
        """Return the entries of the signature, with layer and fingerprint.

        Two folders of one name may hold different weights. The encoder is loaded for this, unless it is loaded already.
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
        """BERTScore with this encoder, loaded on first use.

        Errors: see encoder.Encoder.
        """
        encoder = load_shared(Encoder, self.model or "bert-base-uncased", self.layer, self.device, self.batch)
        return load_shared(BertScorer, encoder, self.cache)


def baseline(value: str | None, layer: int) -> Triple:
    """Return the values b by which scores are rescaled to (x - b) / (1 - b).

    A number for precision, recall and F, or a table of bert_score (lines LAYER,P,R,F). None: 0, no rescaling. Raises
    UsageError for neither, and InputError for a table without the layer.
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
        raise UsageError(f"baseline is {path!r}: a number or a file is needed ({error.message})") from None
    for number, line in enumerate(lines, 1):
        cells = line.replace("\t", ",").split(",")
        if cells[0].strip() == str(layer):
            try:
                precision, recall, f = map(float, cells[1:])
            except ValueError:
                raise InputError(f"expected LAYER,P,R,F, found {line!r}", path=path, line=number) from None
            return precision, recall, f
    raise InputError(f"no line for layer {layer}", path=path)
