"""The options of ``geceval score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.options import (
    ChecksOption,
    CorpusOptions,
    GroupingOptions,
    GuardOption,
    MetricOptions,
    OutputOptions,
    ProgressOption,
    RecordOption,
    SignaturesOption,
)
from geceval.cli.output import check_record
from geceval.tables.formats import FORMATS, ROW_FORMATS

if TYPE_CHECKING:
    from geceval.counting.counts import Level

#: Formats of sentence scores alone, beside report.FORMATS.
SENTENCE_FORMATS = ("jsonl", "parquet")


# --- metrics ---


class SettingOptions(OptionGroup):
    """Options that set a metric's setting of the same name.

    An option with several values makes one column per value.
    """

    n: int | None = option("-n")
    beta: tuple[float, ...] = option("-b", "--beta")
    unit: tuple[str, ...] = option("-t", "--unit")


class ScoreMetricOptions(MetricOptions, title="metrics"):
    """Metrics, their settings, and the level of the scores."""

    settings: SettingOptions = SettingOptions()
    level: Level = option("--level", choices=["corpus", "sentence", "mean"], default="corpus")
    intervals: bool = option("--intervals")
    dry_run: bool = option("--dry-run", rare=True)


# --- tables, sentences ---


class ScoreTableOptions(GroupingOptions, title="scores by type or group"):
    """Tables by kinds of edits or by groups of sentences."""

    wide: bool = option("--wide", rare=True)
    macro: Literal["any", "gold", "weighted"] | None = option("--macro", rare=True)

    def check(self) -> None:
        super().check()
        if self.macro is not None and self.by is None:
            raise UsageError("--macro is the mean over kinds of edits, which --by names")
        if self.wide and self.by is None and self.group is None:
            raise UsageError("--wide is for --by and --group")


class SentenceOptions(SignaturesOption, title="sentences", rare=True):
    """Options of scores of sentences."""


class ScoreOutputOptions(OutputOptions, title="output"):
    """Format, file, digits, threads, quiet."""

    format: str | None = option("-f", "--format", choices=[*FORMATS, *SENTENCE_FORMATS])


class ScoreRequest(ProgressOption, RecordOption, GuardOption, ChecksOption, CommandRequest):
    """Systems, metrics, and how their scores are shown."""

    data: CorpusOptions = CorpusOptions()
    metric: ScoreMetricOptions = ScoreMetricOptions()
    tables: ScoreTableOptions = ScoreTableOptions()
    sentences: SentenceOptions = SentenceOptions()
    output: ScoreOutputOptions = ScoreOutputOptions()
    sort: str = option("--sort", metavar="BY", default="given")
    parts: bool = option("-v", "--parts")
    objectives: bool = option("--objectives", rare=True)

    def check(self) -> None:
        if self.record is not None:
            check_record(self.record, self.output.target)
        self._check_level()
        if self.objectives and (self.has_groups or self.metric.level == "sentence"):
            raise UsageError("--objectives is for scores of the whole corpus")
        if self.metric.intervals and (self.has_groups or self.metric.level != "corpus"):
            hint = "intervals of groups: geceval compare --by or --group"
            raise UsageError("--intervals is for the scores of the whole corpus", hint=hint)
        if self.record is not None and self.metric.level == "sentence":
            raise UsageError("--record keeps scores of whole corpora: not with --level sentence")
        if self.record is not None and self.metric.dry_run:
            raise UsageError("--record: this run has no scores to be recorded")

    def _check_level(self) -> None:
        level, has_signatures = self.metric.level, self.sentences.signatures is not None
        if self.has_groups and level != "corpus":
            name = "--by" if self.tables.by is not None else "--group"
            raise UsageError(f"{name} is for corpus scores, not for --level {level}")
        if level != "sentence":
            if has_signatures:
                raise UsageError("--signatures is for sentences", hint="--level sentence")
            if self.output.written_format in SENTENCE_FORMATS:
                hint = "--level sentence, or --format json"
                raise UsageError(f"--format {self.output.written_format} is for sentences", hint=hint)
            return
        if self.output.written_format not in ROW_FORMATS:
            if has_signatures:
                hint = f"-f {', '.join(ROW_FORMATS[:-1])} or {ROW_FORMATS[-1]}"
                raise UsageError("--signatures is for formats that are written row by row", hint=hint)
        elif self.sort not in ("given", "name"):
            hint = "--sort name, or -f table or json, which hold all in memory"
            raise UsageError(f"--sort {self.sort} needs all scores before the first is written", hint=hint)

    @property
    def has_groups(self) -> bool:
        """Whether the scores are by kinds of edits or groups of sentences."""
        return self.tables.by is not None or self.tables.group is not None

    @property
    def is_streamed(self) -> bool:
        """Whether the scores are written as they come."""
        return self.metric.level == "sentence" and self.output.written_format in ROW_FORMATS
