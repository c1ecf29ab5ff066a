"""Sentences with scores, evidence and edits, for show, explain and report."""

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
    """Score and counts of a sentence against one reference.

    ``reference`` is the reference's name: a number, or empty for metrics without references.
    """

    reference: str
    score: float
    counts: Mapping[str, float]


class EvidenceCounts:
    """Counts of a system under a metric, with scores and evidence by sentence."""

    def __init__(self, metric: AnyMetric, counts: Counts) -> None:
        self.metric, self.counts = metric, counts
        self.scores = metric.sentence_scores_of(counts)
        self.parts = metric.sentence_parts_of(counts)
        self.choice = best(metric.figure, counts)
        self.table = None if counts.evidence is None else Table(metric, counts, self.choice)

    @cached_property
    def _against(self) -> Floats:
        """Scores [S, R] of each sentence against each reference."""
        return self.metric.own_score(self.counts.array)

    def against(self, s: int, names: Sequence[str]) -> list[Against]:
        """Return scores and counts of sentence s against each of its named references."""
        there = self.counts.mask[s]
        scores = self._against[s, there].tolist()
        counts = [dict(zip(self.counts.columns, row, strict=True)) for row in self.counts.array[s, there].tolist()]
        return [Against(*one) for one in zip(names, scores, counts, strict=True)]


@dataclass(frozen=True, eq=False)
class Scored:
    """Sentence score of a system under one metric, with its parts and references.

    Attributes:
        score: Sentence score on the metric's scale.
        parts: Parts of the score, such as precision and recall.
        chosen: Index in ``against`` of the reference with the highest score, whose evidence is shown.
        averaged: Whether the score is the mean over all references.
        names: Names of the references.
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
        """Name of the chosen reference."""
        return self.names[self.chosen]

    @property
    def against(self) -> list[Against]:
        """Scores and counts against each reference."""
        return self._results.against(self._place, self.names)

    @property
    def evidence(self) -> list[Row]:
        """Rows that sum to the counts against the chosen reference."""
        # Not cached: the rows of all sentences would use more memory than the counts.
        table = self._results.table
        return [] if table is None else table.rows(self._place)


@dataclass(frozen=True)
class Version:
    """A version of a sentence, by a system or a reference: its text and judged edits."""

    name: str
    text: str
    edits: Sequence[Judged]
    segments: Sequence[Segment]

    @staticmethod
    def of(name: str, tokens: Sequence[str], edits: Sequence[Judged]) -> Version:
        """Return the version that sorted edits make of a sentence."""
        parts = segments(tokens, edits)
        return Version(name, " ".join(part.text for part in parts if part.text), edits, parts)


@dataclass(frozen=True)
class Output:
    """A sentence of one system: version, judging reference, and scores by metric.

    ``is_false_alarm``: whether the system changes the sentence and no reference does.
    """

    version: Version
    reference: Version | None
    scores: Mapping[str, Scored]
    is_false_alarm: bool = False


@dataclass(frozen=True)
class Sentence:
    """A source sentence with its references and the outputs of systems.

    Attributes:
        number: Number of the sentence, from 1.
        source: Source text.
        references: Reference texts by name.
        label: Label of the sentence, if any.
        outputs: Outputs by system.
    """

    number: int
    source: str
    references: Mapping[str, str]
    label: Any
    outputs: Mapping[str, Output]


@dataclass(frozen=True)
class Examined:
    """Selected sentences of a corpus.

    Attributes:
        sentences: Sentences in the requested order.
        systems: Names of the systems.
        metrics: Labels of the metrics.
        judge: Label of the metric that determines the outcomes of edits, which need not be one of ``metrics``; None
            without references.
        signatures: Signatures of the sentence scores, by system and label.
        total: Number of sentences of the corpus.
        fit: Number of sentences that match the selection, of which ``sentences`` are the first.
        agreement: Agreement of two metrics, if the selection requires that they disagree.
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
        """Labels, and labels with a part, with whether tables multiply them by 100."""
        outputs = [output for sentence in self.sentences[:1] for output in sentence.outputs.values()]
        scores = {label: own for output in outputs for label, own in output.scores.items()}
        found = {label: own._results.metric.in_percent for label, own in scores.items()}
        for label, own in scores.items():
            found |= {f"{label} {part}": own._results.metric.part_in_percent(part) for part in own.parts}
        return found
