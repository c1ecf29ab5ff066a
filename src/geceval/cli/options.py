"""Groups of options that several commands share.

The options of texts are in geceval.text.inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from geceval.base.arguments import ALPHA, DIGITS, KERNEL_SEEDS, RESAMPLES, SAMPLES, THREADS
from geceval.base.errors import UsageError
from geceval.base.requests import OptionGroup, option
from geceval.cli.output import format_of
from geceval.counting.metric_names import COMMA, JUDGE_SETTINGS, check_judge_is_asked, judge_settings, key_and_value
from geceval.edits.languages.language_options import LanguageOptions
from geceval.tables.formats import FORMATS
from geceval.text.inputs import FileOptions, RawTextOptions, TableOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from geceval.counting.comparison_options import Options as ComparisonOptions
    from geceval.counting.comparison_options import Pairs, Test
    from geceval.counting.groups.groupings import Grouping
    from geceval.counting.metric import Metric
    from geceval.counting.stream import AnyMetric
    from geceval.statistics.significance import Adjustment
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


class JudgeOptions(OptionGroup):
    """Options of the metrics that ask a language model."""

    judge: tuple[str, ...] = option("--judge", known=JUDGE_SETTINGS, metavar="KEY=VALUE", effect="files", rare=True)

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

    metrics: tuple[str, ...] = option("-m", "--metrics", known=[_DEFAULTS], metavar="METRIC")
    valid: str | None = option("--valid", reads_file=True, rare=True)
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
    target: str | None = option("-o", "--output", effect="files")

    def check(self) -> None:
        super().check()
        _ = self.written_format

    @property
    def written_format(self) -> str:
        """The format of the output, by the ending of the file."""
        return format_of(self.target, None, self.formats)


class FormatOption(TargetOption):
    """Options of the output file and its format."""

    format: str | None = option("-f", "--format", choices=FORMATS)

    @property
    def written_format(self) -> str:
        """The format of the output, by ``format`` or the ending of the file."""
        choices = self.__dataclass_fields__["format"].metadata["option"].choices
        return format_of(self.target, self.format, choices)


class DigitsOption(OptionGroup):
    """How many decimals are printed."""

    digits: int = option("-d", "--digits", bounds=DIGITS, default=2)


class ThreadsOption(OptionGroup):
    """How many threads are used."""

    threads: int = option("-j", "--threads", bounds=THREADS, default=0)


class QuietOption(OptionGroup):
    """Printing of errors only."""

    quiet: bool = option("-q", "--quiet")


class OutputOptions(QuietOption, ThreadsOption, DigitsOption, FormatOption, title="output"):
    """Format, file, digits, threads and quiet.

    A command with other formats overrides ``format``.
    """


# --- single options ---

#: Options that several groups have.
SIGNIFICANCE: Any = option("--alpha", bounds=ALPHA, default=0.05, metavar="A")
BLOCKS: Any = option("--blocks", reads_file=True, rare=True)
CHANGES: Any = option("--changes", nargs=2, metavar=("BEFORE", "AFTER"))
REPLICATES: Any = option("--resamples", bounds=RESAMPLES, default=1000, metavar="B", rare=True)


class ChecksOption(OptionGroup):
    """Checks for suspicious input."""

    checks: bool = option("--no-checks", rare=True)


class ProgressOption(OptionGroup):
    """Logging of progress."""

    progress: bool = option("--progress", rare=True)


class SignaturesOption(OptionGroup):
    """The description of the columns of rows."""

    signatures: str | None = option("--signatures", effect="files", rare=True)


class GuardOption(OptionGroup):
    """The row of the unchanged source."""

    guard: bool = option("--no-guard", rare=True)


#: The value of ``--by`` and ``--group`` for lengths.
LENGTH = "length"


class GroupingOptions(OptionGroup):
    """By kinds of edits, or by groups of sentences."""

    by: Literal["operation", "type", "full", "length"] | None = option("--by")
    group: str | None = option("--group", reads_file=True)

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


class RecordOption(OptionGroup):
    """The record of a run."""

    record: str | None = option("--record", effect="files")


class StatisticsOptions(OptionGroup, title="statistics"):
    """How systems are compared."""

    baseline: str | None = option("--baseline", metavar="NAME")
    test: Test | None = option("--test", choices=["randomisation", "bootstrap"], rare=True)
    samples: int | None = option("--samples", bounds=SAMPLES, rare=True)
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, rare=True)
    alpha: float = SIGNIFICANCE
    adjust: Adjustment | None = option("--adjust", choices=["holm", "bh", "none"], rare=True)
    blocks: str | None = BLOCKS

    def comparison_options(
        self,
        corpus: TextSource,
        metrics: Sequence[Metric[Any]],
        threads: int,
        pairs: Pairs = "all",
        runs: Mapping[str, Sequence[str]] | None = None,
    ) -> ComparisonOptions:
        """Return the options of the comparison of these systems and metrics."""
        from geceval.counting.comparison_options import Options

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
