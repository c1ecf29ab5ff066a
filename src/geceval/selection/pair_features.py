"""Scores and features of many pairs of source and hypothesis.

The pairs are scored independently. The features need no references: edits, lengths, equality, repetition.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, Text
from geceval.base.arguments import as_sequence, check_per_sentence, transpose_references
from geceval.base.errors import InputError, UsageError
from geceval.counting.consumers import SentenceScores
from geceval.counting.counts import Floats
from geceval.counting.metric import Metric
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.text.columns import as_text, check_lengths, text_of
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import used_types
from geceval.text.m2.type_selectors import TypeSelectors, near_types

#: Number of tokens below which a metric of n-grams may give its lowest score to a perfect correction.
SHORT = 4
#: A source and its references.
Item: TypeAlias = tuple[str, tuple[str, ...]]


def pair_scores(
    metric: Metric[Any],
    source: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Floats:
    """Return the sentence scores of many pairs.

    Each distinct source with its references is prepared once, and each distinct hypothesis of it is counted once.

    Args:
        metric: Metric of the scores.
        source: Source sentences [N].
        hypotheses: Corrected sentences [N].
        references: References [N] of each source.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of pairs counted since its last call.

    Returns:
        Scores [N], equal to ``metric.sentence_score`` of each pair.

    Raises:
        InputError: If lengths differ or a value is not text.
    """
    source, hypotheses = as_sequence("source", source), as_sequence("hypotheses", hypotheses)
    rows = as_sequence("references", references, "list")
    lists = [tuple(as_sequence("references", row, "reference")) for row in rows]
    check_per_sentence("references", lists, len(source))
    check_lengths([("source", len(source)), ("hypotheses", len(hypotheses)), ("references", len(lists))], noun="pairs")
    if (
        metric.pool is not None or metric.constant is not None
    ):  # what is counted of a pair depends on what it is counted with
        pairs = zip(source, hypotheses, lists, strict=True)
        return np.array([metric.sentence_score(*pair) for pair in pairs])
    texts: dict[Item, dict[str, int]] = {}
    cells: list[tuple[Item, int]] = []
    try:
        for line, hypothesis, targets in zip(source, hypotheses, lists, strict=True):
            item = line, targets
            known = texts.setdefault(item, {})
            cells.append((item, known.setdefault(hypothesis, len(known))))
    except TypeError:
        raise InputError("pairs are of texts") from None
    scores = _scores(metric, texts, threads, progress)
    return np.array([scores[item][index] for item, index in cells])


def warning_of_short_texts(metric: Metric[Any], rows: Iterable[tuple[str, Sequence[str]]]) -> str | None:
    """Return the warning that a perfect correction of few tokens has the lowest score, since it has no n-gram.

    Args:
        metric: Metric of the scores.
        rows: Sources with their references, of which the first one with few tokens is scored.

    Returns:
        The warning; None if all references are longer, or a perfect correction has a higher score.
    """
    pairs = ((source, text) for source, texts in rows for text in texts if 0 < len(text.split(None, SHORT - 1)) < SHORT)
    for source, text in islice(pairs, 1):
        with contextlib.suppress(InputError):
            if metric.sentence_score(source, text, (text,)) == metric.scale.low:
                remedy = "leave them out" + ", or use orders=present" * (getattr(metric, "orders", "") is None)
                return f"a perfect correction of fewer than {SHORT} tokens has the lowest score: {remedy}"
    return None


def _scores(
    metric: Metric[Any], texts: dict[Item, dict[str, int]], threads: int, progress: Progress | None
) -> dict[Item, Floats]:
    """Return the scores [K] of the texts of each item."""
    items, distinct = list(texts), [list(known) for known in texts.values()]
    scores: dict[Item, Floats] = {}
    for rows in group_by_size(distinct):
        picked = [items[row] for row in rows]
        source, references = zip(*picked, strict=True)
        filled = fill_texts(source, [distinct[row] for row in rows])
        systems: dict[str, Any] = {str(k): text for k, text in enumerate(filled)}
        corpus = Corpus(source, transpose_references(references), systems)
        run = Run(corpus, [metric], RunOptions(threads=threads, progress=progress))
        results = run.consume(lambda _, counted: SentenceScores(counted))
        table = np.stack([results[name, metric].result() for name in systems], axis=1)
        scores.update(zip(picked, table, strict=True))
    return scores


def group_by_size(texts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Group rows with similar numbers of texts (up to twice as many), to fill in few."""
    groups: dict[int, list[int]] = defaultdict(list)
    for row, row_texts in enumerate(texts):
        groups[len(row_texts).bit_length()].append(row)
    return list(groups.values())


def fill_texts(source: Sequence[str], texts: Sequence[Sequence[str]]) -> list[Text]:
    """Return the k-th texts of all sentences, for each k; the source fills gaps."""
    most = range(max(map(len, texts)))
    rows = list(zip(texts, source, strict=True))
    return [text_of("texts", [row[k] if k < len(row) else line for row, line in rows]) for k in most]


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
        source, target = part.source, as_text(hypothesis)
        if feature.name == "length_ratio":
            return _ratios(_lengths(target), _lengths(source))
        if feature.name == "identical":
            same = np.ones(len(source))
            same[source.differing(target)] = 0
            return same
        return self._pairs.repeated(_hashes(source, target)).astype(float)

    def _numbers_of_edits(self, edits: Edits, pattern: str) -> Floats:
        """Return the number [S] of edits whose types match a pattern, or of all edits."""
        self._types.update(dict.fromkeys(used_types(edits).values()))
        sentences = np.repeat(np.arange(len(edits)), np.diff(edits.offsets[edits.versions]))
        matching = TypeSelectors.of(pattern or "*").mask(edits)
        return np.bincount(sentences[matching], minlength=len(edits)).astype(float)

    def remarks(self, features: Iterable[Feature]) -> list[str]:
        """Return warnings of types of edits that no edit had."""
        return [
            f"no edit has the type {pattern} ({near_types(pattern, self._types)})"
            for feature in features
            if feature.type
            for pattern in TypeSelectors.of(feature.type).unmatched(self._types)
        ]


def _lengths(text: Text) -> NDArray[np.int64]:
    """Return the numbers of tokens."""
    return np.fromiter((len(str(line).split()) for line in text), np.int64, len(text))


def _ratios(numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> Floats:
    """Return the ratios; 1 where both are 0, infinite where only the second is."""
    ratios = np.where(numerators > 0, np.inf, 1.0)
    np.divide(numerators, denominators, out=ratios, where=denominators > 0)
    return ratios


def _hashes(source: Text, target: Text) -> NDArray[np.uint64]:
    """Return a hash of 64 bits for each pair."""
    digests = [
        hashlib.blake2b(f"{len(str(line))} {line}{corrected}".encode(), digest_size=8).digest()
        for line, corrected in zip(source, target, strict=True)
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
            positions = np.minimum(np.searchsorted(run, new), len(run) - 1)
            known |= run[positions] == new
        repeated = np.ones(len(hashes), dtype=bool)
        repeated[first[~known]] = False
        self._add(new[~known])
        return repeated

    def _add(self, run: NDArray[Any]) -> None:
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        if len(run):
            self._runs.append(run)
