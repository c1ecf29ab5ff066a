"""Options of comparisons and of scores by type or group.

As in geceval.cli.options, annotations are evaluated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from geceval.base.arguments import ALPHA, KERNEL_SEEDS, SAMPLES, number
from geceval.base.errors import UsageError
from geceval.cli.options import PARTS, STATISTICS, check_whole
from geceval.counting.comparison_options import Options, Pairs, Test
from geceval.counting.groups.groupings import ByLength, BySentence, ByType, Grouping, length_bands
from geceval.counting.metric import Metric
from geceval.statistics.significance import Adjustment
from geceval.text.corpus import TextSource

#: Types of options that several groups have.
Alpha = Annotated[
    float, Parameter(metavar="A", help="significance level of the tests; intervals and rank ranges cover 1 - A")
]
Blocks = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="file of labels, one per line, or a column of -i: sentences with one label, such as an essay, are drawn"
        " together (default: each sentence alone)",
    ),
]
Resamples = Annotated[int, Parameter(metavar="B", help="number of resamples of intervals")]
Seed = Annotated[int, Parameter(help="seed of the replicates")]

#: The value of ``--group`` for lengths.
LENGTH = "length"


@Parameter(name="*", group=PARTS)
@dataclass(frozen=True, kw_only=True)
class GroupingOptions:
    """By kinds of edits, or by groups of sentences."""

    by: Literal["operation", "type", "full", "length"] | None = None
    """scores by operation (R), type (NOUN:NUM), full type (R:NOUN:NUM) or length of edits, in tokens"""
    group: Annotated[str | None, Parameter(metavar="FILE")] = None
    """scores by group of sentences: a file with one label per line, a column of -i, or length (source tokens)"""

    def __post_init__(self) -> None:
        if self.by is not None and self.group is not None:
            raise UsageError("--by and --group exclude each other: there is no table by kinds of edits within groups")

    @property
    def labels(self) -> str | None:
        """The file or the column of labels."""
        return None if self.group == LENGTH else self.group

    @property
    def head(self) -> str:
        """The head of the column of groups."""
        if self.by is None:
            return LENGTH if self.group == LENGTH else "group"
        return "type" if self.by == "full" else self.by

    def grouping(self) -> Grouping | None:
        """Return what counts are grouped by; None without groups."""
        if self.by is not None:
            return ByLength() if self.by == "length" else ByType(self.by)
        if self.group is not None:
            return BySentence(length_bands) if self.group == LENGTH else BySentence()
        return None


@Parameter(name="*", group=STATISTICS)
@dataclass(frozen=True, kw_only=True)
class StatisticsOptions:
    """How systems are compared."""

    baseline: Annotated[str | None, Parameter(metavar="NAME")] = None
    """compare all systems with this system (default: all pairs)"""
    test: Test | None = None
    """test of a difference: randomisation swaps the outputs of two systems, bootstrap resamples sentences (default:
    randomisation; bootstrap, also of runs, if a system has several)"""
    samples: int | None = None
    """number of replicates (default: 10000, or more if the correction for multiple tests needs them)"""
    seed: Seed = 0
    alpha: Alpha = 0.05
    adjust: Adjustment | None = None
    """correction for multiple tests: holm, bh (Benjamini-Hochberg) or none (default: holm; bh for more than 300 pairs
    of systems and among the groups of --by and --group)"""
    blocks: Blocks = None

    def __post_init__(self) -> None:
        check_whole(self, samples=SAMPLES, seed=KERNEL_SEEDS)
        number("--alpha", self.alpha, ALPHA)

    def comparison_options(
        self,
        corpus: TextSource,
        metrics: Sequence[Metric[Any]],
        threads: int,
        pairs: Pairs = "all",
        runs: Mapping[str, Sequence[str]] | None = None,
    ) -> Options:
        """Return the options of the comparison of these systems and metrics."""
        options = Options(
            baseline=self.baseline,
            test=self.test,
            seed=self.seed,
            alpha=self.alpha,
            adjust=self.adjust,
            pairs=pairs,
            threads=threads,
            runs=runs or {},
        )
        return options.with_samples(self.samples, corpus.system_names, len(metrics))
