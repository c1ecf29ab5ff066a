"""Options of comparisons, and of scores by type or group.

Annotations are evaluated, as in geceval.commands.shared.options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from geceval.base.arguments import ALPHA, KERNEL_SEEDS, SAMPLES, number
from geceval.base.errors import UsageError
from geceval.commands.shared.option_groups import PARTS, STATISTICS
from geceval.commands.shared.option_values import check_whole
from geceval.counting.comparison_options import Options, Test, TestedPairs
from geceval.counting.groupings import BySentence, Grouping, grouping_by, length_bands
from geceval.counting.metric import By, Metric
from geceval.statistics.multiple_tests import Adjustment
from geceval.text.corpus import TextSource

#: Types of options that several groups have.
Alpha = Annotated[
    float,
    Parameter(
        metavar="A", group=STATISTICS, help="significance level of the tests; intervals and rank ranges cover 1 - A"
    ),
]
Blocks = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        group=STATISTICS,
        help="file with one label per line, or a column of -i; sentences with the same label, such as an essay, are "
        "resampled together (default: each sentence separately)",
    ),
]
Replicates = Annotated[int, Parameter(group=STATISTICS, metavar="B", help="number of replicates of intervals")]
Seed = Annotated[int, Parameter(group=STATISTICS, help="seed of the replicates")]

GroupFile = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="add scores by group of sentences: file with one label per line, a column of -i, or length (source "
        "tokens)",
    ),
]

#: The value of ``--group`` for lengths.
LENGTH = "length"


def check_resampling(options: Any) -> None:
    """Raise UsageError unless the number of replicates, the seed and alpha are in their ranges."""
    check_whole(options, samples=SAMPLES, seed=KERNEL_SEEDS)
    number("--alpha", options.alpha, ALPHA)


def labels_of(group: str | None) -> str | None:
    """Return the file or the column of labels of ``--group``; lengths have none."""
    return None if group == LENGTH else group


@Parameter(name="*", group=PARTS)
@dataclass(frozen=True, kw_only=True)
class GroupingOptions:
    """By kinds of edits, or by groups of sentences."""

    by: By | None = None
    """add scores by operation (R), type (NOUN:NUM), full type (R:NOUN:NUM) or length of edits in tokens, or by rule of
    a checker (spans, false-alarms)"""
    group: GroupFile = None

    def __post_init__(self) -> None:
        if self.by is not None and self.group is not None:
            message = "--by and --group exclude each other: kinds of edits within groups are not supported"
            hint = "--group with -m errant:types=SPELL errant:types=DET has a column for each type"
            raise UsageError(message, hint=hint)

    @property
    def head(self) -> str:
        """The head of the column of groups."""
        if self.by is None:
            return LENGTH if self.group == LENGTH else "group"
        return "type" if self.by == "full" else self.by

    def grouping(self) -> Grouping | None:
        """Return what counts are grouped by; None without groups."""
        if self.by is not None:
            return grouping_by(self.by)
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
    randomisation; systems with several runs have a t-test)"""
    samples: int | None = None
    """number of replicates (default: 10000; more for tests if their correction requires it)"""
    seed: Seed = 0
    alpha: Alpha = 0.05
    adjust: Adjustment | None = None
    """correction for multiple tests: holm, bh (Benjamini-Hochberg) or none (default: holm; bh for more than 300 pairs
    of systems and among the groups of --by and --group)"""
    blocks: Blocks = None
    primary: Annotated[str | None, Parameter(metavar="METRIC")] = None
    """run and correct tests under this metric of -m only; show the other metrics without tests (default: all
    metrics)"""

    def __post_init__(self) -> None:
        check_resampling(self)

    def comparison_options(
        self,
        corpus: TextSource,
        metrics: Sequence[Metric[Any]],
        threads: int,
        pairs: TestedPairs = "all",
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
            primary=self.primary,
        )
        return options.with_samples(self.samples, corpus.system_names, len(metrics))
