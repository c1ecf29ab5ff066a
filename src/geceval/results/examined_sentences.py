"""Sentences with scores, evidence and edits, for show, explain and report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.policies import best
from geceval.counting.scores import part_of
from geceval.results.marked_edits import EvidenceTable, PlainRows, Row, Segment


@dataclass(frozen=True)
class ReferenceScore:
    """Score and counts of a sentence against one reference.

    ``reference`` is the reference's name: a number, or empty for metrics without references.
    """

    reference: str
    score: float
    counts: Mapping[str, float]


class EvidenceCounts:
    """Counts of a system under a metric, with scores and evidence by sentence."""

    def __init__(self, metric: AnyMetric, counts: Counts) -> None:
        self.metric, self.counts = metric, counts.without_evidence()
        self.scores = metric.sentence_scores_of(counts)
        self.parts = metric.sentence_parts_of(counts)
        self.choice = best(metric.figure, counts)
        self.table = None if counts.evidence is None else EvidenceTable(metric, counts, self.choice)
        self._listed: dict[int, PlainRows] = {}

    @cached_property
    def positions(self) -> list[tuple[int, ...]]:
        """Positions [S][r] of the references of each sentence."""
        sentences, references = self.counts.mask.shape
        if self.counts.mask.all():
            return [tuple(range(references))] * sentences
        return [tuple(np.flatnonzero(row).tolist()) for row in self.counts.mask]

    @cached_property
    def _numbers(self) -> tuple[list[list[float]], list[list[list[float]]]]:
        return self.metric.own_score(self.counts.array).tolist(), self.counts.array.tolist()

    def numbers(self, s: int) -> tuple[list[float], list[list[float]]]:
        """Return scores [r] of sentence s against its references, and counts [r][K]."""
        scores, counts = self._numbers
        return [scores[s][r] for r in self.positions[s]], [counts[s][r] for r in self.positions[s]]

    def parts_of(self, s: int) -> dict[str, float | None]:
        """Return the parts of the score of sentence s."""
        return {name: part_of(values[s]) for name, values in self._parts.items()}

    @cached_property
    def _parts(self) -> dict[str, list[float]]:
        return {name: np.asarray(values).tolist() for name, values in self.parts.items()}

    @cached_property
    def scored(self) -> list[tuple[float, int]]:
        """Score and chosen reference of each sentence."""
        numbers = np.cumsum(self.counts.mask, axis=1)
        chosen = numbers[np.arange(len(numbers)), self.choice] - 1
        return list(zip(self.scores.tolist(), chosen.tolist(), strict=True))

    def listed(self, longest: int) -> PlainRows:
        """Return rows of the evidence with an outcome, without n-grams of a higher order."""
        assert self.table is not None
        if longest not in self._listed:
            self._listed[longest] = self.table.by_sentence(longest)
        return self._listed[longest]

    def against(self, s: int, names: Sequence[str]) -> list[ReferenceScore]:
        """Return scores and counts of sentence s against each of its named references."""
        scores, counts = self.numbers(s)
        counts_by_column = [dict(zip(self.counts.columns, row, strict=True)) for row in counts]
        return list(map(ReferenceScore, names, scores, counts_by_column))


@dataclass(frozen=True, eq=False)
class Scored:
    """Sentence score of a system under one metric, with its parts and references.

    Attributes:
        score: Sentence score on the metric's scale.
        chosen: Index in ``against`` of the reference with the highest score, whose evidence is shown.
        averaged: Whether the score is the mean over all references.
        names: Names of the references.
    """

    score: float
    chosen: int
    averaged: bool
    names: Sequence[str]
    _results: EvidenceCounts = field(repr=False)
    _index: int = field(repr=False)

    @property
    def parts(self) -> Mapping[str, float | None]:
        """Parts of the score, such as precision and recall."""
        return self._results.parts_of(self._index)

    @property
    def reference(self) -> str:
        """Name of the chosen reference."""
        return self.names[self.chosen]

    @property
    def against(self) -> list[ReferenceScore]:
        """Scores and counts against each reference."""
        return self._results.against(self._index, self.names)

    @property
    def numbers(self) -> tuple[list[float], list[float]]:
        """Scores against each reference, and the counts against the chosen one."""
        scores, counts = self._results.numbers(self._index)
        return scores, counts[self.chosen]

    @property
    def table(self) -> EvidenceTable | None:
        """The evidence of the system, if the metric has evidence."""
        return self._results.table

    def listed(self, longest: int) -> Iterable[tuple[float, list[int]]]:
        """Return rows with an outcome as numbers, without n-grams of higher order."""
        return self._results.listed(longest)[self._index] if self.table is not None else ()

    @property
    def evidence(self) -> list[Row]:
        """Rows that sum to the counts against the chosen reference."""
        # Not cached: the rows of all sentences would use more memory than the counts.
        table = self._results.table
        return [] if table is None else table.rows(self._index)


@dataclass(frozen=True)
class Version:
    """A version of a sentence as segments: its edits, and the text between them.

    ``name`` is the reference's; it is empty for an output, which several systems may have.
    """

    name: str
    segments: Sequence[Segment]

    @cached_property
    def text(self) -> str:
        """The text of the version."""
        return " ".join(segment.text for segment in self.segments if segment.text)

    @cached_property
    def edits(self) -> list[Segment]:
        """The segments that are edits."""
        return [segment for segment in self.segments if segment.kind != "kept"]


@dataclass(frozen=True)
class Output:
    """A sentence of one system.

    Attributes:
        version: The output.
        reference: The reference that determines the outcomes of its edits.
        scores: Scores by label of the metric.
        is_false_alarm: Whether the system changes the sentence and no reference does.
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
        edits: Edits of the references by name, without outcomes; empty without a judging metric.
    """

    number: int
    source: str
    references: Mapping[str, str]
    label: Any
    outputs: Mapping[str, Output]
    edits: Mapping[str, Sequence[Segment]] = field(default_factory=dict)


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
        outputs = self.sentences[0].outputs.values() if self.sentences else ()
        percent: dict[str, bool] = {}
        for label, scored in (pair for output in outputs for pair in output.scores.items()):
            metric = scored._results.metric
            percent[label] = metric.scale.in_percent
            percent |= {f"{label} {part}": metric.scale.part_in_percent(part) for part in scored.parts}
        return percent


@dataclass(frozen=True)
class Agreement:
    """Agreement of two metrics on the order of two systems, in numbers of sentences.

    Attributes:
        alike: Sentences with the same order, or with equal scores under both metrics.
        opposite: Sentences with opposite orders.
        one_sees_none: Sentences with equal scores under one metric only.
    """

    alike: int
    opposite: int
    one_sees_none: int
