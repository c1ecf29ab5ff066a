"""Groupings of counts: of edits by type, length or rule, of sentences by label or length."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, choice, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import HYPOTHESIS, Counts, Evidence
from geceval.counting.metric import By, ByKind, KindOfEdit, Metric
from geceval.counting.observations import PART
from geceval.counting.run_options import Labels
from geceval.text.corpus import Corpus, TextSource, check_source
from geceval.text.m2.edit import Tier, correction_of, cut_at_colons

#: Label of a group; all groups of a table have labels of one type.
Label: TypeAlias = Any  # str, or int


class UnscoredGroup(str):
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
            message = f"{metric.label} has no {self.kind}s: a table by {self.kind}s requires a metric on edits"
            raise UsageError(message, hint="use errant, cleme or maxmatch, or group sentences")
        return metric.by_kind


@dataclass(frozen=True)
class ByType(Grouping):
    """Grouping of edits by type.

    Attributes:
        tier: "full" type, "operation" or "type" without operation.
    """

    tier: Tier = "full"

    kind: ClassVar[KindOfEdit | None] = "type"

    def __post_init__(self) -> None:
        choice("tier", self.tier, get_args(Tier))

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        types, strings = _needed(evidence.type, "types"), evidence.strings
        return types, lambda code: cut_at_colons(strings[code], self.tier)


@dataclass(frozen=True)
class ByLength(Grouping):
    """Grouping of edits by length: the larger number of source or corrected tokens."""

    kind: ClassVar[KindOfEdit | None] = "length"

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        texts = _needed(evidence.text, "lengths")
        spans = _needed(evidence.end, "lengths") - _needed(evidence.start, "lengths")
        distinct, inverse = np.unique(texts, return_inverse=True)
        corrections = [correction_of(evidence.strings[text]) for text in distinct.tolist()]
        words = np.array([len(correction.split()) for correction in corrections], dtype=np.int32)
        return np.maximum(spans, words[inverse] if len(distinct) else 0), int


@dataclass(frozen=True)
class ByRule(Grouping):
    """Grouping of suggestions by rule, the type that their checker gives them; missed gold edits are separate."""

    kind: ClassVar[KindOfEdit | None] = "type"

    def by_kind(self, metric: Metric[Any]) -> ByKind:
        """Return the support for rules: gold edits have none, so that recall and F (unless beta is 0) are unknown."""
        support = super().by_kind(metric)
        if not support.has_rules:
            message = f"{metric.label} counts matches by the types of the gold, which are not rules of a checker"
            raise UsageError(message, hint=Hint(Option("metrics", "spans")))
        f = metric.figure.f
        return support if f is None else replace(support, unknown=frozenset({"recall", *(["score"] if f.beta else [])}))

    def coded(self, counts: Counts) -> tuple[NDArray[Any], Callable[[Any], Label]]:
        evidence = evidence_of(counts)
        types, strings = _needed(evidence.type, "rules"), evidence.strings
        codes = np.where(_needed(evidence.side, "rules") == HYPOTHESIS, types, -1)
        return codes, lambda code: UnscoredGroup("(missed)") if code < 0 else strings[code]


def grouping_by(by: By) -> Grouping:
    """Return the grouping by a kind of edits; raises UsageError for another name."""
    choice("by", by, get_args(By))
    if by == "length":
        return ByLength()
    return ByRule() if by == "rule" else ByType(by)


def given_labels(part: Corpus) -> Sequence[Label]:
    """Return the labels of a corpus; raises UsageError if it has none."""
    if part.labels is None:
        raise UsageError("the sentences have no labels to be grouped by", hint="use Corpus.of(…, labels=…)")
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
    return [band for part in corpus.parts(PART) for band in length_bands(part)]


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
        code_of: dict[Label, int] = {}
        codes = [code_of.setdefault(label, len(code_of)) for label in counts.labels]
        labels = list(code_of)
        return np.array(codes, dtype=np.int64), lambda code: labels[code]


def evidence_of(counts: Counts) -> Evidence:
    """Return the evidence; raises UsageError if it was not requested."""
    if counts.evidence is None:
        raise UsageError("the counts have no evidence", hint="use evidence=True")
    return counts.evidence


def _needed(column: NDArray[Any] | None, kinds: str) -> NDArray[Any]:
    if column is None:
        raise UsageError(f"a table by {kinds} requires a metric on edits")
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
    columns = [counts.columns.index(name) for name in apart]
    unscored = {-1 - column: UnscoredGroup(name) for column, name in zip(columns, apart.values(), strict=True)}
    types = _needed(evidence.type, "types")
    empty_types = [type_ for type_ in np.unique(types).tolist() if not evidence.strings[type_]]
    is_unscored = np.isin(evidence.column, columns) & np.isin(types, empty_types)
    codes = np.where(is_unscored, -1 - evidence.column, codes)
    return codes, lambda code: unscored[code] if code < 0 else label(code)


@dataclass(frozen=True)
class SentenceColumns:
    """Columns of counts that evidence of single edits does not give to kinds of edits, see ByKind.

    Attributes:
        shared: Indices of columns that all kinds share.
        edits: Index of the column of edits, by column that counts their sentences.
    """

    shared: Sequence[int]
    edits: Mapping[int, int]

    @classmethod
    def of(cls, support: ByKind, columns: Sequence[str]) -> SentenceColumns:
        """Return those of a metric with these columns."""
        edits = {columns.index(name): columns.index(of_edits) for name, of_edits in support.sentences.items()}
        return cls([columns.index(name) for name in support.shared], edits)

    def edit_rows(self, evidence: Evidence) -> NDArray[np.bool_]:
        """Return which rows of evidence [E] are of single edits."""
        return np.isin(evidence.column, [*self.shared, *self.edits], invert=True)


@dataclass(frozen=True)
class CountGroups:
    """Blocks and groups of the sentences of a corpus, or the kind of edits, whose counts are resampled.

    Attributes:
        blocks: Block of each sentence [S], which is resampled as a whole; None: each sentence is a block.
        by: Kind of edits to compare.
        labels: Group of each sentence [S].
    """

    blocks: Sequence[Hashable] | None = None
    by: By | None = None
    labels: Sequence[Hashable] | None = None

    def __post_init__(self) -> None:
        if self.by is not None and self.labels is not None:
            raise UsageError("by and groups cannot be combined")
        for field, name, values in (("blocks", "blocks", self.blocks), ("labels", "groups", self.labels)):
            if values is not None:
                object.__setattr__(self, field, as_sequence(name, values, "label"))

    @property
    def grouping(self) -> Grouping | None:
        """The grouping by kind of edit or by group of sentences, if any."""
        if self.labels is not None:
            return BySentence()
        return None if self.by is None else grouping_by(self.by)

    def check_lengths(self, sentences: int | None) -> None:
        """Raise InputError if there is not one value for each sentence; None: the number is not known."""
        for name, values in (("blocks", self.blocks), ("groups", self.labels)):
            if values is not None and sentences not in (None, len(values)):
                raise InputError(f"{len(values)} {name} for {sentences} sentences")

    def blocks_of(self, first: int, length: int) -> Sequence[Hashable] | None:
        """Return the blocks of a part's sentences; None without blocks."""
        return None if self.blocks is None else _part("blocks", self.blocks, first, length)

    def labels_of(self, part: Corpus) -> Sequence[Hashable]:
        """Return the groups of a part's sentences."""
        return _part("groups", self.labels or (), part.first, len(part))


def _part(name: str, values: Sequence[Hashable], first: int, length: int) -> Sequence[Hashable]:
    part = values[first : first + length]
    if len(part) != length:
        raise InputError(f"{len(values)} {name} for at least {first + length} sentences")
    return part
