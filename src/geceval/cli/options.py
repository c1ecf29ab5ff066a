"""Groups of options that several commands share; those of texts are in geceval.text.inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geceval.base.arguments import ALPHA, DIGITS, THREADS
from geceval.base.requests import OptionGroup, option
from geceval.counting.metric_names import METRICS
from geceval.edits.languages.language_options import LanguageOptions
from geceval.report.report import FORMATS
from geceval.text.inputs import FileOptions, RawTextOptions, TableOptions


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(OptionGroup):
    """All that names a corpus: files, a table, how raw text is prepared, the language."""

    files: FileOptions = FileOptions()
    table: TableOptions = TableOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()


def metrics_option(*default: str, which: str = "") -> Any:
    """Return the option for metrics, required unless there is a default; ``which``: what they do in this command."""
    usual = f" (default: {' '.join(default)})" if default else ""
    return option(
        *("-m", "--metrics"),
        nargs="+",
        required=not default,
        default=default or None,
        metavar="METRIC",
        help=f"one or more of {', '.join(METRICS.builtin)}{which}; settings may follow: green:unit=char,beta=2{usual}",
    )


@dataclass(frozen=True, kw_only=True)
class MetricOptions(OptionGroup, title="metrics"):
    """Metrics by specification."""

    metrics: tuple[str, ...] = metrics_option()


# --- output ---


@dataclass(frozen=True, kw_only=True)
class TargetOption(OptionGroup):
    """Where the output goes."""

    target: str | None = option(
        *("-o", "--output"), metavar="FILE", help="write there instead of to standard output", effect="files"
    )


@dataclass(frozen=True, kw_only=True)
class FormatOption(OptionGroup):
    """The format of a table."""

    format: str = option(*("-f", "--format"), choices=FORMATS, default="table", help="default: table", effect="files")


@dataclass(frozen=True, kw_only=True)
class DigitsOption(OptionGroup):
    """How many decimals are printed."""

    digits: int = option(
        *("-d", "--digits"),
        kind=int,
        bounds=DIGITS,
        default=2,
        metavar="N",
        help=f"number of decimals, {DIGITS.low} to {DIGITS.high}",
    )


@dataclass(frozen=True, kw_only=True)
class ThreadsOption(OptionGroup):
    """How many threads are used."""

    threads: int = option(
        *("-j", "--threads"),
        kind=int,
        bounds=THREADS,
        default=0,
        metavar="N",
        help=f"number of threads, at most {THREADS.high} (default: 0, all processors)",
        effect="none",
    )


@dataclass(frozen=True, kw_only=True)
class QuietOption(OptionGroup):
    """Whether anything but errors is printed on stderr."""

    quiet: bool = option(*("-q", "--quiet"), kind=bool, help="no progress and no warnings, only errors", effect="none")


@dataclass(frozen=True, kw_only=True)
class OutputOptions(QuietOption, ThreadsOption, DigitsOption, TargetOption, FormatOption, title="output"):
    """Format, file, digits, threads, quiet. A command with other formats overrides ``format``."""


# --- single options ---


@dataclass(frozen=True, kw_only=True)
class ChecksOption(OptionGroup):
    """Whether suspicious input is warned of."""

    checks: bool = option(
        "--no-checks",
        kind=bool,
        default=True,
        help="do not check for suspicious input, such as files that do not belong together",
        effect="none",
    )


@dataclass(frozen=True, kw_only=True)
class GuardOption(OptionGroup):
    """Whether the uncorrected source is shown beside the systems."""

    guard: bool = option(
        "--no-guard",
        kind=bool,
        default=True,
        help="metrics without references (scribendi, llm, …): do not show the unchanged source beside the systems",
    )


def sort_option(default: str, more: str = "") -> Any:
    """Return the option for the order of the systems."""
    text = f"order of the systems: {more}a metric (the best first), name, or given (default: {default})"
    return option("--sort", metavar="BY", default=default, help=text)


def blocks_option() -> Any:
    """Return the option that names the sentences that belong together."""
    return option(
        "--blocks",
        metavar="FILE",
        help="a label a line, or a column of -i: sentences of one essay or learner, which are drawn together (default: "
        "each sentence alone)",
        reads_file=True,
    )


def alpha_option(help: str) -> Any:
    """Return the option for a level of significance."""
    return option("--alpha", kind=float, bounds=ALPHA, default=0.05, metavar="A", help=help)
