"""Options that several commands share: metrics and output.

A group of options is a frozen dataclass. The annotation of an option has its flags and its type, and its help is
below it. ``__post_init__`` checks the values, from Python as from a command line. A field without ``name`` has the
flag of its name: ``gold_edits`` is ``--gold-edits``. Options of several groups are types of this module.

Annotations are evaluated, because cyclopts reads them in the module of a subclass: no ``annotations`` of __future__.

Options of comparisons and of scores by type or group.

As in geceval.commands.shared.options, annotations are evaluated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_type_hints

from cyclopts import Group, Parameter, convert

from geceval.base.arguments import ALPHA, DIGITS, KERNEL_SEEDS, SAMPLES, THREADS, Bounds, number, whole
from geceval.base.errors import UsageError
from geceval.commands.shared.output_formats import format_of
from geceval.counting.breakdown import By, BySentence, Grouping, grouping_by, length_bands
from geceval.counting.comparison_options import Options, Test, TestedPairs
from geceval.counting.metric import AnyMetric, Metric
from geceval.counting.metric_names import COMMA, JUDGE_SETTINGS, check_judge_is_asked, judge_settings, key_and_value
from geceval.statistics.multiple_tests import Adjustment
from geceval.tables.report import FORMATS
from geceval.text.corpus import TextSource

#: Groups of the help, in its order; groups of single commands have the sort key 2.
DATA = Group.create_ordered(
    "data",
    help="UTF-8 text, one sentence per line, may be compressed (.gz, .xz, .bz2, .zst); - is standard input;"
    " --encoding NAME reads files that are not UTF-8 in this encoding (cp1252, gb18030, utf-16)",
    sort_key=1,
)
METRICS = Group.create_ordered("metrics", sort_key=3)
STATISTICS = Group.create_ordered("statistics", sort_key=3)
PARTS = Group.create_ordered("scores by type or group", sort_key=3)
OUTPUT = Group.create_ordered("output", sort_key=4)
TABLE = Group.create_ordered("tables", sort_key=5)
GOLD = Group.create_ordered("gold edits and suggestions", sort_key=6)
TEXT = Group.create_ordered("language and preparation of text", sort_key=7)
OTHER = Group.create_ordered("other options", sort_key=8)


class OutputFile(str):
    """The name of a file to write."""


def changed(options: Any) -> dict[str, Any]:
    """Return the options, also of inner groups, that differ from their defaults."""
    return {option.name: option.value for option in changed_options(options)}


#: Options whose values are names, or files.
NAMES_OR_FILES = frozenset({"metrics", "judge", "language", "tokenise", "clean", "group", "blocks", "suites"})
#: Words in the placeholders of options whose values are files or folders, also NAME=FILE.
_FILE_WORDS = ("FILE", "DIR", "RECORD", "SOURCE")


class GivenOption(NamedTuple):
    """An option with its value.

    Attributes:
        name: Name of the field or parameter.
        value: A value, or a tuple of values.
        files: Whether the texts of the value are files or folders, or may be: names, or files.
    """

    name: str
    value: Any
    files: Literal["all", "some", "none"]

    def texts(self) -> Iterator[str]:
        """Yield the texts of the value."""
        for value in self.value if isinstance(self.value, tuple) else (self.value,):
            if isinstance(value, str):
                yield value

    def inputs(self) -> Iterator[str]:
        """Yield the texts that are files or folders to read, and the parts of NAME=FILE and FILE,FILE that may be."""
        for text in (text for text in self.texts() if self.files != "none" and not isinstance(text, OutputFile)):
            pieces = dict.fromkeys([text, text.partition("=")[2], *re.split("[=,]", text)])
            # A name that is not meant as a file has no ending and no folder.
            yield from (piece for piece in pieces if piece and (self.files == "all" or re.search(r"[./\\]", piece)))


def changed_options(options: Any) -> "Iterator[GivenOption]":
    """Yield the options, also of inner groups, that differ from their defaults."""
    hints = _type_hints(options.__class__)
    for field in fields(options):
        value = getattr(options, field.name)
        if is_dataclass(value):
            yield from changed_options(value)
        elif value != field.default:
            yield GivenOption(field.name, value, files_of(field.name, hints[field.name]))


@cache
def _type_hints(options_class: type) -> dict[str, Any]:
    return get_type_hints(options_class, include_extras=True)


def files_of(name: str, hint: Any) -> "Literal['all', 'some', 'none']":
    """Return whether the values of an option are files, by its name and its placeholder."""
    if name in NAMES_OR_FILES:
        return "some"
    parameters = [annotation for annotation in getattr(hint, "__metadata__", ()) if isinstance(annotation, Parameter)]
    placeholders = [text for parameter in parameters for text in (parameter.metavar, *(parameter.name or ())) if text]
    return "all" if any(word in text for text in placeholders for word in _FILE_WORDS) else "none"


def flag(name: str) -> str:
    """Return the flag of a field."""
    return f"--{name.replace('_', '-')}"


def check_whole(options: Any, **bounds: Bounds) -> None:
    """Check the options that are integers, alone or in a tuple.

    Raises:
        UsageError: A value is not an integer within its bounds.
    """
    for name, within in bounds.items():
        value, default = getattr(options, name), getattr(type(options), name)
        if value is not default:  # which may be None
            for number in value if isinstance(default, tuple) else (value,):
                whole(flag(name), number, within)


def split_at_commas(kind: Any, tokens: Any) -> Any:
    """Return the values of an option that takes several in one argument."""
    return convert(kind, [piece for token in tokens for piece in token.value.split(",")])


#: Several values in one argument, separated by commas; the option may be repeated.
COMMAS = Parameter(converter=split_at_commas, consume_multiple=False)

# --- single options ---

Target = Annotated[
    OutputFile | None,
    Parameter(
        name=("--output", "-o"),
        metavar="FILE",
        group=OUTPUT,
        help="output file; the ending sets format and compression (default: standard output)",
    ),
]
Digits = Annotated[int, Parameter(alias="-d", group=OUTPUT, help="number of decimals, 0 to 20")]
Threads = Annotated[int, Parameter(alias="-j", group=OUTPUT, help="number of threads (default: 0, one per processor)")]
Quiet = Annotated[bool, Parameter(alias="-q", group=OUTPUT, help="print no progress, notes or minor warnings")]
Parts = Annotated[bool, Parameter(alias="-v", group=OUTPUT, help="add the parts of each score: precision, recall, …")]
Signatures = Annotated[
    OutputFile | None,
    Parameter(metavar="FILE", group=OTHER, help="write the signatures and settings of the columns of rows as JSON"),
]
Record = Annotated[
    OutputFile | None,
    Parameter(metavar="FILE", group=OTHER, help="also write a reproducibility record for geceval reproduce"),
]
Checks = Annotated[
    bool,
    Parameter(
        negative="--no-checks",
        group=OTHER,
        help="skip the checks for suspicious input, such as files that do not belong together, and the ceiling of "
        "text against gold edits",
    ),
]
Guard = Annotated[
    bool,
    Parameter(
        negative="--no-guard",
        group=OTHER,
        help="do not score the unchanged source, which report and metrics without references score",
    ),
]
Judge = Annotated[
    tuple[str, ...],
    Parameter(
        metavar="KEY=VALUE",
        group=METRICS,
        help=f"settings of the judge of llm and dsgram: {', '.join(JUDGE_SETTINGS)}; such as server=http://localhost:8000/v1,rate=60",
    ),
]
Changes = Annotated[
    tuple[str, str] | None,
    Parameter(metavar="BEFORE AFTER", help="show gains and losses from system BEFORE to system AFTER"),
]


# --- metrics ---


def settings_of_judge(judge: Iterable[str]) -> dict[str, Any]:
    """Return the settings of ``--judge`` by name.

    Raises:
        UsageError: A setting is not valid.
    """
    pairs: dict[str, str] = {}
    for piece in (piece for text in judge for piece in COMMA.split(text)):
        pair = key_and_value(piece)
        if pair is None:
            hint = "--judge server=http://localhost:8000/v1"
            raise UsageError(f"--judge takes KEY=VALUE, not {piece!r}", hint=hint)
        pairs.update([pair])
    return judge_settings(pairs, "--judge") if pairs else {}


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """Metrics by specification."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics, such as errant:mode=ds (list: geceval metrics) (default: errant green gleu; with gold edits errant
    maxmatch)"""
    judge: Judge = ()

    def __post_init__(self) -> None:
        settings_of_judge(self.judge)

    def check_are_used(self, metrics: Iterable["AnyMetric"]) -> None:
        """Raise UsageError if ``--judge`` is given and no metric uses it."""
        if self.judge:
            check_judge_is_asked(metrics)


# --- output ---


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class TargetOption:
    """The output file and quiet.

    ``formats``: the formats of the command, the default first.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)
    target: Target = None
    quiet: Quiet = False

    def __post_init__(self) -> None:
        _ = self.written_format

    @property
    def written_format(self) -> str:
        """The format of the output, by the option or the ending of the file."""
        return format_of(self.target, getattr(self, "format", None), self.formats)


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class OutputOptions(TargetOption):
    """Format, file, digits, threads and quiet.

    A command with other formats overrides ``formats`` and ``format``.
    """

    formats: ClassVar[tuple[str, ...]] = FORMATS
    format: Annotated[str | None, Parameter(alias="-f", choices=FORMATS)] = None
    """output format (default: by the ending of -o, or table)"""
    digits: Digits = 2
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, digits=DIGITS, threads=THREADS)


#: Types of options that several groups have.
Alpha = Annotated[
    float, Parameter(metavar="A", help="significance level of the tests; intervals and rank ranges cover 1 - A")
]
Blocks = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="file with one label per line, or a column of -i; sentences with the same label, such as an essay, are "
        "resampled together (default: each sentence separately)",
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

    by: By | None = None
    """add scores by operation (R), type (NOUN:NUM), full type (R:NOUN:NUM) or length of edits in tokens; with -m spans
    also by rule of a checker"""
    group: Annotated[str | None, Parameter(metavar="FILE")] = None
    """add scores by group of sentences: file with one label per line, a column of -i, or length (source tokens)"""

    def __post_init__(self) -> None:
        if self.by is not None and self.group is not None:
            raise UsageError("--by and --group exclude each other: kinds of edits within groups are not supported")

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
        check_whole(self, samples=SAMPLES, seed=KERNEL_SEEDS)
        number("--alpha", self.alpha, ALPHA)

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
