"""Groups of options that several commands share.

The options of texts are in geceval.text.inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from geceval.base.arguments import ALPHA, DIGITS, KERNEL_SEEDS, RESAMPLES, SAMPLES, THREADS
from geceval.base.errors import UsageError
from geceval.base.requests import Effect, OptionGroup, option
from geceval.cli.output import format_of
from geceval.counting.metric_names import (
    COMMA,
    JUDGE_SETTINGS,
    check_judge_is_asked,
    judge_settings,
    key_and_value,
)
from geceval.edits.languages.language_options import LanguageOptions
from geceval.report.formats import FORMATS
from geceval.text.inputs import FileOptions, RawTextOptions, TableOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from geceval.counting.groups.groupings import Grouping
    from geceval.counting.metric import Metric
    from geceval.counting.stream import AnyMetric
    from geceval.statistics.significance import Adjustment
    from geceval.studies.comparison.comparison_options import IntervalKind, Pairs, Test
    from geceval.studies.comparison.comparison_options import Options as ComparisonOptions
    from geceval.text.corpus import TextSource


class CorpusOptions(OptionGroup):
    """Options of a corpus: files, a table, preparation of text, language."""

    files: FileOptions = FileOptions()
    table: TableOptions = TableOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()


#: The metrics that are computed unless others are named, by what the systems are compared with.
DEFAULT_METRICS: Mapping[str, tuple[str, ...]] = {
    "references": ("errant", "green", "gleu"),
    "gold edits": ("errant", "maxmatch"),
    "both": ("errant", "maxmatch", "green", "gleu"),
}
_DEFAULTS = f"{' '.join(DEFAULT_METRICS['references'])}; with gold edits {' '.join(DEFAULT_METRICS['gold edits'])}"


def metrics_option(which: str = "", *, default: str = _DEFAULTS) -> Any:
    """Return the option for metrics.

    Args:
        which: Their use in this command.
        default: The metrics without this option, in words.
    """
    usual = f" (default: {default})" if default else ""
    return option(
        *("-m", "--metrics"),
        metavar="METRIC",
        help=f"metrics{which}, such as errant:mode=ds (list: geceval metrics){usual}",
    )


class JudgeOptions(OptionGroup):
    """Options of the metrics that ask a language model."""

    judge: tuple[str, ...] = option(
        "--judge",
        metavar="KEY=VALUE",
        help=f"for llm and dsgram: {', '.join(JUDGE_SETTINGS)}; such as server=http://localhost:8000/v1,rate=60",
        effect="files",
        rare=True,
    )

    def check(self) -> None:
        if self.judge:
            self.settings()

    def settings(self) -> dict[str, Any]:
        """Return the settings by name.

        Raises:
            UsageError: A setting is not valid.
        """
        pairs: dict[str, str] = {}
        for piece in (piece for text in self.judge for piece in COMMA.split(text)):
            pair = key_and_value(piece)
            if pair is None:
                hint = "--judge server=http://localhost:8000/v1"
                raise UsageError(f"--judge takes KEY=VALUE, not {piece!r}", hint=hint)
            pairs.update([pair])
        return judge_settings(pairs, "--judge")


class MetricOptions(OptionGroup, title="metrics"):
    """Metrics by specification."""

    metrics: tuple[str, ...] = metrics_option()
    valid: str | None = option(
        "--valid",
        reads_file=True,
        help="M2 file of edits that are accepted as correct although no reference has them; errant, maxmatch, cleme "
        "and cleme2 are scored without and with them",
        rare=True,
    )
    judges: JudgeOptions = JudgeOptions()

    def check_are_used(self, metrics: Iterable[AnyMetric]) -> None:
        """Raise UsageError if ``--judge`` or ``--valid`` is given and no metric uses it."""
        metrics = list(metrics)
        if self.judges.judge:
            check_judge_is_asked(metrics)
        if self.valid is not None and not any(metric.settings.get("valid") for metric in metrics):
            raise UsageError("--valid: none of the metrics counts accepted edits", hint="-m errant maxmatch cleme")


# --- output ---


class TargetOption(OptionGroup):
    """Options of the output file.

    ``formats``: the formats of the command, the default first.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)
    target: str | None = option(
        *("-o", "--output"),
        help="output file; the ending sets format and compression (default: standard output)",
        effect="files",
    )

    def check(self) -> None:
        super().check()
        _ = self.written_format

    @property
    def written_format(self) -> str:
        """The format of the output, by the ending of the file."""
        return format_of(self.target, None, self.formats)


def format_option(*choices: str, effect: Effect = "result", about: str = "output format") -> Any:
    """Return the option for the format, one of ``choices`` (default: the first)."""
    help = f"{about} (default: by the ending of -o, or {choices[0]})"
    return option(*("-f", "--format"), choices=choices, help=help, effect=effect)


class FormatOption(TargetOption):
    """Options of the output file and its format."""

    format: str | None = format_option(*FORMATS)

    @property
    def written_format(self) -> str:
        """The format of the output, by ``format`` or the ending of the file."""
        choices = self.__dataclass_fields__["format"].metadata["option"].choices
        return format_of(self.target, self.format, choices)


def digits_option(*flags: str) -> Any:
    """Return the option for the number of decimals."""
    limits = f"{DIGITS.low} to {DIGITS.high}"
    return option(*flags, bounds=DIGITS, default=2, help=f"number of decimals, {limits} (default: 2)")


class DigitsOption(OptionGroup):
    """How many decimals are printed."""

    digits: int = digits_option("-d", "--digits")


class ThreadsOption(OptionGroup):
    """How many threads are used."""

    threads: int = option(
        *("-j", "--threads"),
        bounds=THREADS,
        default=0,
        help="number of threads (default: 0, one per processor)",
        effect="none",
    )


class QuietOption(OptionGroup):
    """Printing of errors only."""

    quiet: bool = option(*("-q", "--quiet"), help="print errors only: no progress, warnings or notes", effect="none")


class OutputOptions(QuietOption, ThreadsOption, DigitsOption, FormatOption, title="output"):
    """Format, file, digits, threads and quiet.

    A command with other formats overrides ``format``.
    """


# --- single options ---


class ChecksOption(OptionGroup):
    """Checks for suspicious input."""

    checks: bool = option(
        "--no-checks",
        help="skip the checks for suspicious input, such as files that do not belong together, and the ceiling of text "
        "against gold edits",
        effect="none",
        rare=True,
    )


class ProgressOption(OptionGroup):
    """Logging of progress."""

    progress: bool = option(
        "--progress", help="log progress every 30 s when stderr is not a terminal", effect="none", rare=True
    )


class RowOptions(OptionGroup):
    """Options of output that is written row by row."""

    resume: bool = option(
        "--resume", help="resume an interrupted run with the same -o (from FILE.part; not for parquet)", effect="none"
    )
    signatures: str | None = option(
        "--signatures", help="write the signatures and settings of the columns as JSON", effect="files", rare=True
    )


class GuardOption(OptionGroup):
    """The row of the unchanged source."""

    guard: bool = option(
        "--no-guard",
        help="leave out the row of the unchanged source, which report and metrics without references have",
        rare=True,
    )


def sort_option(default: str, more: str = "") -> Any:
    """Return the option for the order of the systems."""
    text = f"order of the systems: {more}the name of a metric (best first), name or given (default: {default})"
    return option("--sort", metavar="BY", default=default, help=text)


def changes_option(help: str) -> Any:
    """Return the option that names an earlier and a later system."""
    return option("--changes", nargs=2, metavar=("BEFORE", "AFTER"), help=help)


def blocks_option() -> Any:
    """Return the option that names the sentences that belong together."""
    return option(
        "--blocks",
        help="file of labels, one per line, or a column of -i: sentences with one label, such as an essay, are drawn "
        "together (default: each sentence alone)",
        reads_file=True,
        rare=True,
    )


#: The value of ``--by`` and ``--group`` for lengths.
LENGTH = "length"


class GroupingOptions(OptionGroup):
    """By kinds of edits, or by groups of sentences."""

    by: Literal["operation", "type", "full", "length"] | None = option(
        "--by",
        help="scores by operation (R), type (NOUN:NUM), full type (R:NOUN:NUM) or length of edits, in tokens",
    )
    group: str | None = option(
        "--group",
        help="scores by group of sentences: a file with one label per line, a column of -i, or length (source tokens)",
        reads_file=True,
    )

    def check(self) -> None:
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
        from geceval.counting.groups.groupings import ByLength, BySentence, ByType, length_bands

        if self.by is not None:
            return ByLength() if self.by == "length" else ByType(self.by)
        if self.group is not None:
            return BySentence(length_bands) if self.group == LENGTH else BySentence()
        return None


def alpha_option(help: str) -> Any:
    """Return the option for a level of significance."""
    return option("--alpha", bounds=ALPHA, default=0.05, metavar="A", help=help)


def resamples_option(of: str = "") -> Any:
    """Return the option for the number of resamples of the intervals ``of`` a study."""
    text = f"number of resamples of intervals{of} (default: 1000)"
    return option("--resamples", bounds=RESAMPLES, default=1000, metavar="B", help=text, rare=True)


class RecordOption(OptionGroup):
    """The record of a run."""

    record: str | None = option(
        "--record", help="also write a reproducibility record for geceval reproduce", effect="files"
    )


class StatisticsOptions(OptionGroup, title="statistics"):
    """How systems are compared."""

    baseline: str | None = option(
        "--baseline", metavar="NAME", help="compare all systems with this system (default: all pairs)"
    )
    test: Test | None = option(
        "--test",
        choices=["randomisation", "bootstrap"],
        help="test of a difference: randomisation swaps the outputs of two systems, bootstrap resamples sentences "
        "(default: randomisation; bootstrap, also of runs, if a system has several)",
        rare=True,
    )
    interval: IntervalKind = option(
        "--interval",
        choices=["percentile", "bca"],
        default="percentile",
        help="bootstrap interval; bca corrects bias and skew (default: percentile)",
        rare=True,
    )
    samples: int | None = option(
        "--samples",
        bounds=SAMPLES,
        help="number of replicates (default: 10000, or more if the correction for multiple tests needs them)",
        rare=True,
    )
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, help="seed of the replicates (default: 0)", rare=True)
    alpha: float = alpha_option("significance level of the tests; intervals cover 1 - A (default: 0.05)")
    adjust: Adjustment | None = option(
        "--adjust",
        choices=["holm", "bh", "by", "none"],
        help="correction for multiple tests: holm, bh (Benjamini-Hochberg), by (Benjamini-Yekutieli) or none (default: "
        "holm; bh for more than 300 pairs of systems and among the groups of --by and --group)",
        rare=True,
    )
    blocks: str | None = blocks_option()

    def comparison_options(
        self,
        corpus: TextSource,
        metrics: Sequence[Metric[Any]],
        threads: int,
        pairs: Pairs = "all",
        runs: Mapping[str, Sequence[str]] | None = None,
    ) -> ComparisonOptions:
        """Return the options of the comparison of these systems and metrics."""
        from geceval.studies.comparison.comparison_options import options_for

        return options_for(
            corpus.system_names,
            len(metrics),
            self.samples,
            pairs=pairs,
            baseline=self.baseline,
            test=self.test,
            interval=self.interval,
            seed=self.seed,
            alpha=self.alpha,
            adjust=self.adjust,
            threads=threads,
            runs=runs or {},
        )
