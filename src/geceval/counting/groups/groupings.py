"""By what counts are grouped: evidence by type, length or any other key of its rows, sentences by a label each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import choice, shown
from geceval.base.errors import UsageError
from geceval.counting.contract import ByKind, Contract, KindOfEdit
from geceval.counting.counts import Counts, Evidence
from geceval.counting.stream import Labels
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2 import DELETE, UNKNOWN
from geceval.text.m2.edit_types import Tier, cut_at_colons

#: What a group is called; all groups of a table have names of one kind.
Label: TypeAlias = Any  # str, or int


class Apart(str):
    """The name of a group of what is of no kind; it stands after the others and has no figures."""


class Grouping(ABC):
    """By what counts are grouped. Can be pickled."""

    #: The kinds of edits it tells apart, which a metric's evidence must have.
    kind: ClassVar[KindOfEdit | None] = None
    #: Where the labels come from that counts must carry; None: evidence is grouped, which must be asked for.
    labels: Labels | None = None

    @abstractmethod
    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        """A number for each row of the evidence [E], or for each sentence [S], and the label of a number.

        Raises UsageError for counts that do not carry what is grouped by.
        """

    def by_kind(self, metric: Contract[Any]) -> ByKind:
        """What the metric can say of such groups. Raises UsageError for a metric without the kinds of edits."""
        if self.kind is None:
            return ByKind()
        found = metric.by_kind(self.kind)
        if found is None:
            message = f"{metric.label} has no {self.kind}s: a table by {self.kind}s is for metrics on edits"
            raise UsageError(message, hint="such as errant, cleme or maxmatch; any metric: by groups of sentences")
        return found


def cut_as_errant(type_: str, tier: Tier) -> str:
    """The first letter of a type, or what follows the second one, even of types without an operation; UNK is whole."""
    if tier == "full" or type_ == UNKNOWN:
        return type_
    return type_[:1] if tier == "operation" else type_[2:]


@dataclass(frozen=True)
class ByType(Grouping):
    """By the types of edits, as ``cut`` cuts them: those that begin with an operation, or as errant_compare all."""

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
    """By the lengths of edits: the tokens replaced or those of the (first) correction, whichever are more."""

    kind: ClassVar[KindOfEdit | None] = "length"

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        texts = _needed(evidence.text, "lengths")
        spans = _needed(evidence.end, "lengths") - _needed(evidence.start, "lengths")
        used, place = np.unique(texts, return_inverse=True)
        words = np.array([_words(evidence.strings[text]) for text in used.tolist()], dtype=np.int32)
        return np.maximum(spans, words[place] if len(used) else 0), int


def _words(correction: str) -> int:
    first, _, _ = correction.partition("||")
    return 0 if first == DELETE else len(first.split())


@dataclass(frozen=True)
class ByKey(Grouping):
    """By any key: ``key(evidence)`` is the label of each row."""

    key: Callable[[Evidence], Sequence[Label]]

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        return _numbered(self.key(evidence_of(counts)))


def given_labels(part: Corpus) -> Sequence[Label]:
    """The labels that a corpus was given for its sentences. Raises UsageError if there are none."""
    if part.labels is None:
        raise UsageError("the sentences have no labels to be grouped by", hint="Corpus(…, labels=…)")
    return part.labels


#: The longest sentences of the bands of length, in tokens.
BANDS = (10, 20, 30, 40)


def length_bands(part: Corpus) -> Sequence[Label]:
    """The lengths of the sources in tokens, in bands: 0 (an empty line), 1-10, 11-20, 21-30, 31-40, 41+."""
    lows = [1, *(most + 1 for most in BANDS)]
    names = ["0", *(f"{low}-{most}" for low, most in zip(lows, BANDS, strict=False)), f"{lows[-1]}+"]
    lengths = [len(line.split()) for line in part.source]
    return [names[band] for band in np.searchsorted((0, *BANDS), lengths).tolist()]


def length_bands_of(corpus: TextSource, size: int = 1 << 14) -> list[Label]:
    """As length_bands, of a whole corpus, ``size`` sentences at a time."""
    return [band for part in corpus.parts(size) for band in length_bands(part)]


@dataclass(frozen=True)
class BySentence(Grouping):
    """By a label for each sentence: those of the corpus, or what ``labels(part)`` yields for a part of it."""

    labels: Labels = given_labels

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        if counts.labels is None:
            raise UsageError("these counts carry no labels", hint="ask for them: labels=given_labels")
        return _numbered(counts.labels)


def _numbered(labels: Sequence[Label]) -> tuple[NDArray[Any], Callable[[Any], Label]]:
    places: dict[Label, int] = {}
    for label in labels:
        if not isinstance(label, Hashable):
            raise UsageError(f"a label is text or a number, not {shown(label)}")
    codes = [places.setdefault(label, len(places)) for label in labels]
    names = list(places)
    return np.array(codes, dtype=np.int64), lambda code: names[code]


def evidence_of(counts: Counts) -> Evidence:
    """The evidence, which must have been asked for."""
    if counts.evidence is None:
        raise UsageError("these counts carry no evidence", hint="ask for it: evidence=True")
    return counts.evidence


def _needed(column: NDArray[Any] | None, what: str) -> NDArray[Any]:
    if column is None:
        raise UsageError(f"a table by {what} is for metrics on edits")
    return column


def coded_evidence(
    counts: Counts, grouping: Grouping, apart: Mapping[str, str]
) -> tuple[NDArray[Any], Callable[[Any], Label]]:
    """As the grouping's ``coded``, of evidence; rows of no kind (``apart``: see ByKind) have a number below 0, which
    says the column."""
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
