"""The options of ``geceval score``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from cyclopts import Parameter

from geceval.base.errors import UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.options import (
    METRICS,
    OUTPUT,
    PARTS,
    Checks,
    Guard,
    MetricOptions,
    OutputOptions,
    Parts,
    Record,
    Signatures,
)
from geceval.cli.run_records import check_record
from geceval.cli.statistics_options import GroupingOptions
from geceval.counting.counts import Level
from geceval.tables.formats import FORMATS, ROW_FORMATS

#: Formats of sentence scores alone.
SENTENCE_FORMATS = ("jsonl", "parquet")


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class ScoreMetricOptions(MetricOptions):
    """Metrics, and the level of the scores."""

    level: Level = "corpus"
    """score the corpus, each sentence, or the mean of the sentences"""
    intervals: bool = False
    """show 95 % bootstrap intervals of corpus scores"""
    dry_run: bool = False
    """count the requests, tokens and costs of a judge; send nothing"""


@Parameter(name="*", group=PARTS)
@dataclass(frozen=True, kw_only=True)
class ScoreTableOptions(GroupingOptions):
    """Tables by kinds of edits or by groups of sentences."""

    macro: Literal["any", "gold", "weighted"] | None = None
    """with --by: add a mean over types with an edit, types with a gold edit, or weighted by gold edits"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.macro is not None and self.by is None:
            raise UsageError("--macro is the mean over kinds of edits, which --by names")


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ScoreOutputOptions(OutputOptions):
    """Format, file, digits, threads, quiet."""

    formats: ClassVar[tuple[str, ...]] = (*FORMATS, *SENTENCE_FORMATS)
    format: Annotated[str | None, Parameter(alias="-f", choices=(*FORMATS, *SENTENCE_FORMATS))] = None
    """output format (default: by the ending of -o, or table)"""
    parts: Parts = False
    sort: Annotated[str, Parameter(metavar="BY")] = "given"
    """order of the systems: the name of a metric (best first), name or given"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Systems, metrics, and how their scores are shown."""

    data: CorpusOptions = CorpusOptions()
    metric: ScoreMetricOptions = ScoreMetricOptions()
    tables: ScoreTableOptions = ScoreTableOptions()
    output: ScoreOutputOptions = ScoreOutputOptions()
    signatures: Signatures = None
    record: Record = None
    checks: Checks = True
    guard: Guard = True

    def __post_init__(self) -> None:
        if self.record is not None:
            check_record(self.record, self.output.target)
        self._check_level()
        if self.metric.intervals and (self.has_groups or self.metric.level != "corpus"):
            hint = "intervals of groups: geceval compare --by or --group"
            raise UsageError("--intervals is for the scores of the whole corpus", hint=hint)
        if self.record is not None and self.metric.level == "sentence":
            raise UsageError("--record keeps scores of whole corpora: not with --level sentence")
        if self.record is not None and self.metric.dry_run:
            raise UsageError("--record: this run has no scores to be recorded")

    def _check_level(self) -> None:
        level, has_signatures = self.metric.level, self.signatures is not None
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
        elif self.output.sort not in ("given", "name"):
            hint = "--sort name, or -f table or json, which hold all in memory"
            raise UsageError(f"--sort {self.output.sort} needs all scores before the first is written", hint=hint)

    @property
    def has_groups(self) -> bool:
        """Whether the scores are by kinds of edits or groups of sentences."""
        return self.tables.by is not None or self.tables.group is not None

    @property
    def is_streamed(self) -> bool:
        """Whether the scores are written as they come."""
        return self.metric.level == "sentence" and self.output.written_format in ROW_FORMATS
