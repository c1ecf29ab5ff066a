"""Results of a suite: scores on test sets, rejected outputs, and agreement with people on judged sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from geceval.agreement.study_results import StudyResults
from geceval.base.errors import InputError
from geceval.counting.comparison_options import Options as ComparisonOptions
from geceval.resampling.comparison_results import Comparison, SystemScore
from geceval.suites.suite_definition import DataSet, JudgedSet, Suite


@dataclass(frozen=True)
class Rejected:
    """An output that cannot be scored.

    Attributes:
        system: Name of the system.
        path: The file.
        error: The error, mostly with file and line.
    """

    system: str
    path: str
    error: InputError

    @property
    def reason(self) -> str:
        """The message of the error."""
        return self.error.for_command()

    @property
    def location(self) -> str:
        """The file, and the line if the error has one."""
        return self.error.where.removesuffix(": ") or self.path

    @property
    def cause(self) -> str:
        """The message in one line, without its hint, which may contain sentences, and without lines on other files."""
        first, *lines = self.error.message.removeprefix(f"{self.path}: ").splitlines()
        return "; ".join(" ".join(line.split()) for line in (first, *(line for line in lines if self.path in line)))


@dataclass(frozen=True)
class SetResults:
    """Scores of the systems on a test set.

    Attributes:
        of: The test set.
        files: Input files by role.
        comparison: Scores and intervals under all metrics, with ranks and clusters by tests under the primary one;
            None if no system has an output.
        metrics: Labels of the metrics by name.
        primary: Name of the primary metric.
        missing: Systems without a valid output for this set.
        rejected: Outputs that cannot be scored.
        copies: Groups of systems with the same output.
        parts: Parts of the scores, such as recall, by metric and system.
        objectives: Objectives of the metrics that the suite declares, by name of the metric.
        options: Options of the comparison; None without one.
    """

    of: DataSet
    files: Mapping[str, Any]
    comparison: Comparison | None
    metrics: Mapping[str, str]
    primary: str
    missing: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    copies: tuple[tuple[str, ...], ...] = ()
    parts: Mapping[str, Mapping[str, Mapping[str, float | None]]] = field(default_factory=dict)
    objectives: Mapping[str, str] = field(default_factory=dict)
    options: ComparisonOptions | None = None

    def score(self, system: str, metric: str | None = None) -> SystemScore | None:
        """Return a system's score under a metric, by default the primary one.

        None stands for a missing output.
        """
        rows = () if self.comparison is None else self.comparison.systems
        matching = (row for row in rows if (row.system, row.metric) == (system, metric or self.primary))
        return next(matching, None)

    def ranks(self, system: str) -> tuple[int, int] | None:
        """Return the range of ranks of a system under the primary metric; None without tests of all pairs."""
        score, comparison = self.score(system), self.comparison
        if score is None or comparison is None or not comparison.pairs or comparison.baseline is not None:
            return None
        return (score.rank_low, score.rank_high) if score.cluster else None


@dataclass(frozen=True)
class JudgedResults:
    """Agreement of metrics with people on a judged set."""

    of: JudgedSet
    files: Mapping[str, Any]
    results: StudyResults


@dataclass(frozen=True)
class SuiteResults:
    """Results of a suite.

    Attributes:
        suite: The suite.
        systems: Systems of the table, in order.
        sets: Results of the test sets.
        judged: Results of the judged sets.
        notes: Notes on the files.
    """

    suite: Suite
    systems: tuple[str, ...]
    sets: tuple[SetResults, ...]
    judged: tuple[JudgedResults, ...] = ()
    notes: tuple[str, ...] = ()

    def average(self, system: str) -> float | None:
        """Return the mean of a system's primary scores; None if a score is missing."""
        values = [score.value for set_results in self.sets if (score := set_results.score(system)) is not None]
        return sum(values) / len(values) if values and len(values) == len(self.sets) else None

    def mean_rank(self, system: str) -> float | None:
        """Return the mean of the middles of a system's ranges of ranks; None if it has none on a test set."""
        middles = [fmean(ranks) for set_results in self.sets if (ranks := set_results.ranks(system)) is not None]
        return fmean(middles) if middles and len(middles) == len(self.sets) else None
