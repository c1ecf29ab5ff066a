"""Groupings of counts: edits by type, length or another key, sentences by label."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import choice, shown
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Evidence
from geceval.counting.metric import ByKind, KindOfEdit, Metric
from geceval.counting.stream import Labels
from geceval.text.corpus import Corpus, TextSource, check_source
from geceval.text.m2.edit import UNKNOWN, Tier, correction_of, cut_at_colons

#: Label of a group; all groups of a table have labels of one type.
Label: TypeAlias = Any  # str, or int


class Apart(str):
    """Label of a separate group of edits without kind; it is last, without figures."""


class Grouping(ABC):
    """Grouping of counts; can be pickled."""

    #: Kinds of edits that are distinguished, which a metric's evidence must have.
    kind: ClassVar[KindOfEdit | None] = None
    #: Function that returns the labels of sentences; None if evidence is grouped, which must be requested.
    labels: Labels | None = None

    @abstractmethod
    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        """Return codes of the rows of evidence [E] or of sentences [S], and labels.

        Args:
            counts: Counts with evidence or labels.

        Returns:
            The codes, and a function from a code to its label.

        Raises:
            UsageError: If the counts lack evidence or labels.
        """

    def by_kind(self, metric: Metric[Any]) -> ByKind:
        """Return a metric's support for the grouping; raises UsageError without support."""
        if self.kind is None:
            return ByKind()
        if metric.by_kind is None:
            message = f"{metric.label} has no {self.kind}s: a table by {self.kind}s is for metrics on edits"
            raise UsageError(message, hint="use errant, cleme or maxmatch, or group sentences")
        return metric.by_kind


def cut_as_errant(type_: str, tier: Tier) -> str:
    """Return the operation or the rest of a type by position, as errant_compare does.

    The operation is the first letter, the type starts at the third; UNK is not cut.
    """
    if tier == "full" or type_ == UNKNOWN:
        return type_
    return type_[:1] if tier == "operation" else type_[2:]


@dataclass(frozen=True)
class ByType(Grouping):
    """Grouping of edits by type.

    Attributes:
        tier: "full" type, "operation" or "type" without operation.
        cut: Function that returns the tier of a type; by default only types with an operation are cut.
    """

    tier: Tier = "full"
    cut: Callable[[str, Tier], str] = cut_at_colons

    kind: ClassVar[KindOfEdit | None] = "type"

    def __post_init__(self) -> None:
        choice("tier", self.tier, get_args(Tier))

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        types, strings = _needed(evidence.type, "types"), evidence.strings
        return types, lambda code: self.cut(strings[code], self.tier)


@dataclass(frozen=True)
class ByLength(Grouping):
    """Grouping of edits by length: the larger number of source or corrected tokens."""

    kind: ClassVar[KindOfEdit | None] = "length"

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        texts = _needed(evidence.text, "lengths")
        spans = _needed(evidence.end, "lengths") - _needed(evidence.start, "lengths")
        used, place = np.unique(texts, return_inverse=True)
        words = np.array([_words(evidence.strings[text]) for text in used.tolist()], dtype=np.int32)
        return np.maximum(spans, words[place] if len(used) else 0), int


def _words(correction: str) -> int:
    return len(correction_of(correction).split())


def given_labels(part: Corpus) -> Sequence[Label]:
    """Return the labels of a corpus; raises UsageError if it has none."""
    if part.labels is None:
        raise UsageError("the sentences have no labels to be grouped by", hint="use Corpus(…, labels=…)")
    return part.labels


#: Largest length of each band, in tokens.
BANDS = (10, 20, 30, 40)


def length_bands(part: Corpus) -> Sequence[Label]:
    """Return the band of length of each source sentence, in tokens.

    Args:
        part: Corpus, or a part of it, with S sentences.

    Returns:
        Bands [S]: "0" for empty lines, "1-10", "11-20", "21-30", "31-40" or "41+".
    """
    check_source(part)
    lows = [1, *(most + 1 for most in BANDS)]
    names = ["0", *(f"{low}-{most}" for low, most in zip(lows, BANDS, strict=False)), f"{lows[-1]}+"]
    lengths = [len(line.split()) for line in part.source]
    return [names[band] for band in np.searchsorted((0, *BANDS), lengths).tolist()]


def length_bands_of(corpus: TextSource) -> list[Label]:
    """Return the ``length_bands`` of a corpus, read in parts."""
    return [band for part in corpus.parts(1 << 14) for band in length_bands(part)]


@dataclass(frozen=True)
class BySentence(Grouping):
    """Grouping of sentences by the labels of the corpus or of ``labels(part)``."""

    labels: Labels = given_labels

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        if counts.labels is None:
            raise UsageError("the counts have no labels", hint="use labels=given_labels")
        for label in counts.labels:
            if not isinstance(label, Hashable):
                raise UsageError(f"a label must be text or a number, not {shown(label)}")
        numbers: dict[Label, int] = {}
        codes = [numbers.setdefault(label, len(numbers)) for label in counts.labels]
        names = list(numbers)
        return np.array(codes, dtype=np.int64), lambda code: names[code]


def evidence_of(counts: Counts) -> Evidence:
    """Return the evidence; raises UsageError if it was not requested."""
    if counts.evidence is None:
        raise UsageError("the counts have no evidence", hint="use evidence=True")
    return counts.evidence


def _needed(column: NDArray[Any] | None, what: str) -> NDArray[Any]:
    if column is None:
        raise UsageError(f"a table by {what} is for metrics on edits")
    return column


def code_evidence(
    counts: Counts, grouping: Grouping, apart: Mapping[str, str]
) -> tuple[NDArray[Any], Callable[[Any], Label]]:
    """Return codes and labels of evidence, with separate groups of rows without type.

    Rows of columns in ``apart`` without type have a code below 0 by column, see ByKind.
    """
    codes, label = grouping.coded(counts)
    if not apart:
        return codes, label
    evidence = evidence_of(counts)
    places = [counts.columns.index(name) for name in apart]
    names = {-1 - place: Apart(name) for place, name in zip(places, apart.values(), strict=True)}
    types = _needed(evidence.type, "types")
    untyped = [place for place in np.unique(types).tolist() if not evidence.strings[place]]
    own = np.isin(evidence.column, places) & np.isin(types, untyped)
    return np.where(own, -1 - evidence.column, codes), lambda code: names[code] if code < 0 else label(code)
