"""Scores of one system under one metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, shown
from geceval.base.errors import UsageError
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.counts import Counts, Floats
from geceval.counting.observations import SignatureInputs
from geceval.counting.scores import LEVELS, Level, Score, part_of
from geceval.counting.signature import signature_of

T = TypeVar("T")


@dataclass(frozen=True)
class RunFacts:
    """Facts about a system that a run observed.

    Attributes:
        inputs: Input of the metric, which signatures contain.
        ceilings: Results of the gold's corrected texts by annotator, if given gold edits meet text.
        outputs: Numbers of the system's lines, if the input is checked and the system is text.
        uncorrected: Whether the system leaves all sentences unchanged.
    """

    inputs: SignatureInputs = field(default_factory=SignatureInputs)
    ceilings: Mapping[str, Result] = field(default_factory=dict)
    outputs: OutputAccount | None = None
    uncorrected: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Scores of one system under one metric.

    Attributes:
        metric: Metric.
        sentences: Number of sentences.
        facts: What the run observed of the system.
        signatures: Signatures of the requested levels.
        columns: Names of the counts.
        has_details: Whether the counts were kept.
    """

    metric: Any
    sentences: int
    facts: RunFacts
    signatures: Mapping[Level, str]
    columns: tuple[str, ...]
    has_details: bool = False
    _totals: NDArray[Any] | None = None
    _sentence_scores: Floats | None = None
    _means: tuple[float, Mapping[str, float | None]] | None = None
    _counts: Counts | None = None
    #: The consumer of the counts, from which results of more sentences are made.
    _consumer: Any = None

    def __repr__(self) -> str:
        if self._totals is None and self._means is None:
            return f"<{self.metric.name} of sentences>"
        return repr(self.score("mean" if self._totals is None else "corpus"))

    @property
    def ceilings(self) -> Mapping[str, Result]:
        """Results of the gold's corrected texts by annotator, if given gold edits meet text."""
        return self.facts.ceilings

    @property
    def outputs(self) -> OutputAccount | None:
        """Numbers of the system's lines, if the input was checked and the system is text."""
        return self.facts.outputs

    @property
    def views(self) -> tuple[str, ...]:
        """The requested levels, and "details" if parts and counts of the sentences are known."""
        return (*self.signatures, "details") if self.has_details else tuple(self.signatures)

    def _requested(self, value: T | None, view: str) -> T:
        if value is not None:
            return value
        if view in self.views:
            raise UsageError("no sentences were counted")
        raise UsageError(f"the view {view!r} was not requested: choose from {', '.join(self.views)}")

    def signature(self, level: Level = "corpus") -> str:
        """Return the signature of the scores of a level.

        It contains all settings and properties of the input that affect a number.

        Args:
            level: "corpus", "sentence" or "mean".

        Raises:
            UsageError: If the level is unknown.
        """
        check_level(level)
        return self.signatures.get(level) or signature_of(self.metric, self.facts.inputs, level)

    def merged(self, following: Result) -> Result:
        """Return the result of these sentences and of those of another part of the corpus, which follow.

        The signature is that of this part.

        Args:
            following: Result of the same system and metric, with the same views.

        Raises:
            UsageError: If the choice of references depends on the order of sentences.
        """
        result: Result = self._consumer.joined(following._consumer).result()
        return result

    def totals(self) -> NDArray[Any]:
        """Return the sums [m, K] of the counts for each of the policy's m choices."""
        return self._requested(self._totals, "corpus")

    def sentence_scores(self) -> Floats:
        """Return the sentence scores [S]."""
        return self._requested(self._sentence_scores, "sentence")

    def sentence_parts(self) -> Mapping[str, Floats]:
        """Return the parts [S] of the sentence scores by name, with ``details``."""
        parts: Mapping[str, Floats] = self.metric.sentence_parts_of(self._requested(self._counts, "details"))
        return parts

    def sentence_counts(self) -> NDArray[Any]:
        """Return the counts [S, K] of the sentences, with ``details``."""
        counts: NDArray[Any] = self.metric.sentence_counts_of(self._requested(self._counts, "details"))
        return counts

    def score(self, level: Level = "corpus") -> Score:
        """Return the corpus score, or the mean of the sentence scores.

        Args:
            level: "corpus", or "mean" or "sentence" for the mean of the sentence scores.

        Raises:
            UsageError: If the view of the level was not requested.
        """
        name, signature = self.metric.name, self.signature(level)
        ceilings = {annotator: result.score(level).value for annotator, result in self.ceilings.items()}
        ceiling = self.metric.scale.best(ceilings.values()) if ceilings else None
        if level != "corpus":
            value, parts = self._requested(self._means, "mean")
            return Score(name, value, signature, level, self.sentences, parts, {}, None, ceiling, ceilings)
        totals = self.totals()
        values = self.metric.score(totals)
        parts = {part: mean_of(value) for part, value in self.metric.parts(totals).items()}
        sums = dict(zip(self.columns, (totals[0] if len(totals) == 1 else totals.mean(0)).tolist(), strict=True))
        deviation = float(values.std()) if len(values) > 1 else None
        value = float(values.mean())
        return Score(name, value, signature, level, self.sentences, parts, sums, deviation, ceiling, ceilings)


@dataclass(frozen=True)
class RunsResult:
    """Mean scores of several runs of a system, such as trainings with other seeds.

    Attributes:
        runs: Result of each run by name.
    """

    runs: Mapping[str, Result]

    @property
    def _first(self) -> Result:
        return next(iter(self.runs.values()))

    @property
    def metric(self) -> Any:
        """Metric."""
        return self._first.metric

    @property
    def facts(self) -> RunFacts:
        """Observations of the first run, and whether all runs leave all sentences unchanged."""
        return replace(self._first.facts, uncorrected=all(run.facts.uncorrected for run in self.runs.values()))

    @property
    def ceilings(self) -> Mapping[str, Result]:
        """Results of the gold's corrected texts by annotator."""
        return self._first.ceilings

    def signature(self, level: Level = "corpus") -> str:
        """Return the signature of the scores of a level."""
        return self._first.signature(level)

    def score(self, level: Level = "corpus") -> Score:
        """Return the mean score, parts and totals, and the deviation between runs."""
        scores = [run.score(level) for run in self.runs.values()]

        def mean(name: str) -> dict[str, Any]:
            mappings = [getattr(score, name) for score in scores]
            return {key: mean_of([mapping[key] for mapping in mappings]) for key in mappings[0]}

        values = [score.value for score in scores]
        value, deviation = float(np.mean(values)), float(np.std(values, ddof=1))
        return replace(scores[0], value=value, parts=mean("parts"), totals=mean("totals"), deviation=deviation)


#: Result of a system, or of several runs of one.
AnyResult: TypeAlias = Result | RunsResult


def mean_of(values: Sequence[float | None] | Floats) -> float | None:
    """Return the mean of the values of a part; None if one is None or NaN."""
    return part_of(float(np.mean(np.asarray(values, np.float64))))


def checked_views(views: object) -> Sequence[Level]:
    """Return levels of scores; raises UsageError for anything else."""
    levels = as_sequence("views", views, "level")
    for level in levels:
        check_level(level)
    return levels


def check_level(level: object) -> None:
    """Raise UsageError unless the argument is the name of a level."""
    if not (isinstance(level, str) and level in LEVELS):
        raise UsageError(f"unknown level {shown(level)}: choose from {', '.join(LEVELS)}")
