"""Options that several commands share: metrics and output.

A group of options is a frozen dataclass. The annotation of an option has its flags and its type, and its help is
below it. ``__post_init__`` checks the values, from Python as from a command line. A field without ``name`` has the
flag of its name: ``gold_edits`` is ``--gold-edits``. Options of several groups are types of this module.

Annotations are evaluated, because cyclopts reads them in the module of a subclass: no ``annotations`` of __future__.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cyclopts import Group, Parameter, convert

from geceval.base.arguments import DIGITS, THREADS, Bounds, whole
from geceval.base.errors import UsageError
from geceval.cli.output import format_of
from geceval.counting.metric_names import COMMA, JUDGE_SETTINGS, check_judge_is_asked, judge_settings, key_and_value
from geceval.tables.formats import FORMATS

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric

#: Groups of the help, in its order; groups of single commands have the sort key 2.
DATA = Group.create_ordered(
    "data",
    help="UTF-8 text, one sentence per line, may be compressed (.gz, .xz, .bz2, .zst); - is standard input",
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
    values: dict[str, Any] = {}
    for field in fields(options):
        value = getattr(options, field.name)
        if is_dataclass(value):
            values |= changed(value)
        elif value != field.default:
            values[field.name] = value
    return values


def flag(name: str) -> str:
    """Return the flag of a field."""
    return f"--{name.replace('_', '-')}"


def check_whole(options: Any, **bounds: Bounds) -> None:
    """Check the options that are whole numbers, alone or in a tuple.

    Raises:
        UsageError: A value is not a whole number within its bounds.
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
Quiet = Annotated[bool, Parameter(alias="-q", group=OUTPUT, help="print errors only: no progress, warnings or notes")]
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
        help="skip the checks for suspicious input, such as files that do not belong together, and the ceiling of text"
        " against gold edits",
    ),
]
Guard = Annotated[
    bool,
    Parameter(
        negative="--no-guard",
        group=OTHER,
        help="leave out the row of the unchanged source, which report and metrics without references have",
    ),
]
Judge = Annotated[
    tuple[str, ...],
    Parameter(
        metavar="KEY=VALUE",
        group=METRICS,
        help=f"for llm and dsgram: {', '.join(JUDGE_SETTINGS)}; such as server=http://localhost:8000/v1,rate=60",
    ),
]
Changes = Annotated[
    tuple[str, str] | None,
    Parameter(metavar="BEFORE AFTER", help="gains and losses of AFTER against BEFORE, two systems"),
]


# --- metrics ---

#: The metrics that are computed unless others are named, by what the systems are compared with.
DEFAULT_METRICS: Mapping[str, tuple[str, ...]] = {
    "references": ("errant", "green", "gleu"),
    "gold edits": ("errant", "maxmatch"),
    "both": ("errant", "maxmatch", "green", "gleu"),
}


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
    """The output file.

    ``formats``: the formats of the command, the default first.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)
    target: Target = None

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
    quiet: Quiet = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, digits=DIGITS, threads=THREADS)
