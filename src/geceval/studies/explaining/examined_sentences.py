"""Sentences with all that is to be said of them: what show, explain and the report are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from geceval.base.cached import cached_property
from geceval.counting.counts import Counts, Floats
from geceval.counting.policies import best
from geceval.counting.stream import AnyMetric
from geceval.studies.explaining.evidence_rows import Row, Table
from geceval.studies.explaining.sentence_segments import Judged, Segment, segments
from geceval.studies.explaining.sentence_selection import Agreement


@dataclass(frozen=True)
class Against:
    """A sentence against one reference: its name (a number; empty without references), the score and the counts."""

    reference: str
    score: float
    counts: Mapping[str, float]


class EvidenceCounts:
    """The counts of a system under a metric, with their evidence, and what follows from them for each sentence."""

    def __init__(self, metric: AnyMetric, counts: Counts) -> None:
        self.metric, self.counts = metric, counts
        self.scores = metric.sentence_scores_of(counts)
        self.parts = metric.sentence_parts_of(counts)
        self.choice = best(metric.figure, counts)
        self.table = None if counts.evidence is None else Table(metric, counts, self.choice)

    @cached_property
    def _against(self) -> Floats:
        """[S, R]: every sentence against every reference."""
        return self.metric.own_score(self.counts.array)

    def against(self, s: int, names: Sequence[str]) -> list[Against]:
        """Sentence s against each of its references, which have these names."""
        there = self.counts.mask[s]
        scores = self._against[s, there].tolist()
        counts = [dict(zip(self.counts.columns, row, strict=True)) for row in self.counts.array[s, there].tolist()]
        return [Against(*one) for one in zip(names, scores, counts, strict=True)]


@dataclass(frozen=True, eq=False)
class Scored:
    """A sentence of a system under one metric: its score by itself, and what it comes from.

    ``chosen``: the place in ``against`` of the reference with which it scores best, whose evidence is shown; with
    ``averaged`` the score is the mean over all of them.
    """

    score: float
    parts: Mapping[str, float]
    chosen: int
    averaged: bool
    names: Sequence[str]
    _results: EvidenceCounts = field(repr=False)
    _place: int = field(repr=False)

    @property
    def reference(self) -> str:
        """The name of the chosen reference."""
        return self.names[self.chosen]

    @property
    def against(self) -> list[Against]:
        """What each of its references gives."""
        return self._results.against(self._place, self.names)

    @property
    def evidence(self) -> list[Row]:
        """What adds up to the counts against the chosen reference, row by row; nothing of metrics without evidence.
        Made anew each time: the rows of all sentences would take more memory than the counts."""
        table = self._results.table
        return [] if table is None else table.rows(self._place)


@dataclass(frozen=True)
class Version:
    """What somebody made of a sentence: the text, and the edits with what became of them."""

    name: str
    text: str
    edits: Sequence[Judged]
    segments: Sequence[Segment]

    @staticmethod
    def of(name: str, tokens: Sequence[str], edits: Sequence[Judged]) -> Version:
        """The version that edits, in order, make of a sentence."""
        parts = segments(tokens, edits)
        return Version(name, " ".join(part.text for part in parts if part.text), edits, parts)


@dataclass(frozen=True)
class Output:
    """A sentence of one system: its version, the reference it is judged by, and its scores, by the metric's label."""

    version: Version
    reference: Version | None
    scores: Mapping[str, Scored]


@dataclass(frozen=True)
class Sentence:
    """A sentence, by its ``number`` from 1 on: its source, reference texts by name, label, and systems by name."""

    number: int
    source: str
    references: Mapping[str, str]
    label: Any
    outputs: Mapping[str, Output]


@dataclass(frozen=True)
class Examined:
    """Sentences of a corpus, in the order asked for.

    ``metrics``: the labels of the metrics asked for; ``judge``: that of the metric which says what became of edits,
    among them or not (None: there are no references); ``signatures[system][label]``: of the sentence scores;
    ``total``: how many sentences the corpus has; ``fit``: how many of them are such as was asked for, of which these
    are the first; ``agreement``: of two metrics, if they were asked to disagree.
    """

    sentences: Sequence[Sentence]
    systems: Sequence[str]
    metrics: Sequence[str]
    judge: str | None
    signatures: Mapping[str, Mapping[str, str]]
    total: int
    fit: int
    agreement: Agreement | None = None

    @property
    def in_percent(self) -> dict[str, bool]:
        """Whether scores are shown times 100, by the labels of the metrics; empty without a sentence."""
        outputs = [output for sentence in self.sentences[:1] for output in sentence.outputs.values()]
        return {label: own._results.metric.in_percent for output in outputs for label, own in output.scores.items()}
