"""Features of a pair without references: edits, lengths, equality, repetition."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, Text
from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.counting.counts import Floats
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.text.corpus import Corpus, as_text
from geceval.text.m2.edit import NOOP, cut_at_colons, matches_type

EDITS = "edits"
#: Features that are true or false.
FLAGS = ("identical", "duplicate")
#: The names of all features, as hints list them.
FEATURES = (EDITS, f"{EDITS}.TYPE", "length_ratio", *FLAGS)


@dataclass(frozen=True)
class Feature:
    """A feature by its name; ``type`` is the pattern of the counted types of edits."""

    name: str
    type: str = ""

    scale: ClassVar[int] = 1
    in_percent: ClassVar[bool] = False

    @property
    def is_flag(self) -> bool:
        """Whether it is true or false."""
        return self.name in FLAGS


def find_feature(name: str) -> Feature | None:
    """Return the feature of a name, in upper or lower case; None for another name.

    Raises UsageError for a part of another feature than edits.
    """
    base, dot, type_ = name.partition(".")
    base = base.lower()
    if base not in FEATURES:
        return None
    if dot and base != EDITS:
        raise UsageError(f"{base} has no part {type_!r}")
    if dot and not type_:
        raise UsageError("the type of the edits is missing", hint="such as edits.R:VERB:TENSE")
    return Feature(base, type_)


class FeatureReader:
    """Computes features of parts, in the order of the corpus.

    Memory: ``duplicate`` keeps 8 bytes for each distinct pair.
    """

    def __init__(self, annotator: str, threads: int = 0) -> None:
        self._extraction, self._threads = Extraction(annotator), threads
        self._pairs = SeenPairs()
        self._types: dict[str, None] = {}

    def values(self, feature: Feature, part: Corpus, system: str) -> Floats:
        """Return the values [S] of a feature of one system."""
        hypothesis = part.systems[system]
        if feature.name == EDITS:
            edits = hypothesis_edits(part, hypothesis, self._extraction, self._threads)
            return self._numbers_of_edits(edits, feature.type)
        source, target = Text(part.source), Text(as_text(hypothesis))
        if feature.name == "length_ratio":
            return _ratios(_lengths(target), _lengths(source))
        if feature.name == "identical":
            same = np.ones(len(source))
            same[source.differing(target)] = 0
            return same
        return self._pairs.repeated(_hashes(source, target)).astype(float)

    def _numbers_of_edits(self, edits: Edits, pattern: str) -> Floats:
        """Return the number [S] of edits whose types match a pattern, or of all edits."""
        used = np.unique(edits.type)
        types = {place: edits.strings[place] for place in used.tolist()}
        self._types.update(dict.fromkeys(types.values()))
        wanted = [
            place for place, type_ in types.items() if type_ != NOOP and (not pattern or matches_type(pattern, type_))
        ]
        sentences = np.repeat(np.arange(len(edits)), np.diff(edits.offsets[edits.versions]))
        return np.bincount(sentences[np.isin(edits.type, wanted)], minlength=len(edits)).astype(float)

    def remarks(self, features: Iterable[Feature]) -> list[str]:
        """Return warnings of types of edits that no edit had."""
        tiers = {cut_at_colons(type_, tier) for type_ in self._types for tier in ("full", "type", "operation")}
        found = []
        for feature in features:
            if feature.type and not any(matches_type(feature.type, type_) for type_ in self._types):
                hint = did_you_mean(feature.type, sorted(tiers))
                found.append(f"no edit has the type {feature.type}" + (f" ({hint})" if hint else ""))
        return found


def _lengths(text: Text) -> NDArray[np.int64]:
    """Return the numbers of tokens."""
    return np.fromiter((len(str(line).split()) for line in text), np.int64, len(text))


def _ratios(lengths: NDArray[np.int64], of: NDArray[np.int64]) -> Floats:
    """Return the ratios; 1 where both are 0, infinite where only the second is."""
    ratios = np.where(lengths > 0, np.inf, 1.0)
    np.divide(lengths, of, out=ratios, where=of > 0)
    return ratios


def _hashes(source: Text, target: Text) -> NDArray[np.uint64]:
    """Return a hash of 64 bits for each pair."""
    digests = [
        hashlib.blake2b(f"{len(str(own))} {own}{other}".encode(), digest_size=8).digest()
        for own, other in zip(source, target, strict=True)
    ]
    return np.frombuffer(b"".join(digests), np.dtype("<u8"))


class SeenPairs:
    """Hashes of the pairs so far, in sorted runs of growing length.

    Memory: 8 bytes for each distinct hash.
    """

    def __init__(self) -> None:
        self._runs: list[NDArray[Any]] = []

    def repeated(self, hashes: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which hashes [S] occurred before, and add them.

        Cost: O(log²) of the number of pairs for each.
        """
        new, first = np.unique(hashes, return_index=True)
        known = np.zeros(len(new), dtype=bool)
        for run in self._runs:
            places = np.minimum(np.searchsorted(run, new), len(run) - 1)
            known |= run[places] == new
        repeated = np.ones(len(hashes), dtype=bool)
        repeated[first[~known]] = False
        self._add(new[~known])
        return repeated

    def _add(self, run: NDArray[Any]) -> None:
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        if len(run):
            self._runs.append(run)
