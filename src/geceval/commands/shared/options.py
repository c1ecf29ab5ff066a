"""Options that several commands share: metrics and output.

A group of options is a frozen dataclass. The annotation of an option has its flags and its type, and its help is
below it. ``__post_init__`` checks the values, from Python as from a command line. A field without ``name`` has the
flag of its name: ``gold_edits`` is ``--gold-edits``. Options of several groups are types of this module.

Annotations are evaluated, because cyclopts reads them in the module of a subclass: no ``annotations`` of __future__.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, TypeVar, dataclass_transform

from cyclopts import Parameter

from geceval.base.arguments import DIGITS, THREADS, choice
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.shared.option_groups import METRICS, OTHER, OUTPUT
from geceval.commands.shared.option_values import OutputFile, check_whole
from geceval.commands.shared.output_formats import format_of
from geceval.counting.judge_settings import JUDGE_SETTINGS, check_judge_is_asked, judge_settings
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import COMMA, key_and_value
from geceval.edits.type_names import TypeNames
from geceval.tables.report import DEFAULT_PICTURE, FORMATS, Picture
from geceval.tables.svg import PICTURES

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
Threads = Annotated[int, Parameter(alias="-j", group=OTHER, help="number of threads (default: 0, one per processor)")]
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
TypeNamesOption = Annotated[
    TypeNames,
    Parameter(
        group=OUTPUT,
        help="names of types in text and tables: codes (R:VERB:FORM), words (verb form) or german (Verbform)",
    ),
]
PictureSize = Annotated[
    Literal["column", "page"],
    Parameter(
        group=OUTPUT,
        help="width of a picture (-o FILE.svg, .pdf, .png): column, 77 mm, or page, 160 mm (default: column); pdf and "
        "png need geceval[plots]",
    ),
]
Judge = Annotated[
    tuple[str, ...],
    Parameter(
        metavar="KEY=VALUE",
        group=OTHER,
        help=f"settings of the judge of llm and dsgram: {', '.join(JUDGE_SETTINGS)}; such as server=http://localhost:8000/v1,rate=60",
    ),
]
PricesOption = Annotated[
    tuple[str, ...],
    Parameter(
        metavar="KEY=VALUE",
        help="prices of a million tokens, from which the cost of answers is computed: "
        "price_prompt=0.15,price_answer=0.6, or NAME:price_prompt=… of a system",
    ),
]
Changes = Annotated[
    tuple[str, str] | None,
    Parameter(metavar="BEFORE AFTER", help="show gains and losses from system BEFORE to system AFTER"),
]


T = TypeVar("T", bound="TargetOption")

#: Bounds of the integers that many groups of output options have.
_BOUNDS = {"digits": DIGITS, "threads": THREADS}


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
            hint = Hint(Option("judge", "server=http://localhost:8000/v1"))
            raise UsageError(f"--judge takes KEY=VALUE, not {piece!r}", hint=hint)
        pairs.update([pair])
    return judge_settings(pairs, "--judge") if pairs else {}


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """Metrics by specification."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics, listed by geceval metrics (default: errant green gleu; with gold edits errant maxmatch)"""
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
    #: The value of ``--format``, an option that ``written_as`` adds.
    format: ClassVar[str | None] = None
    target: Target = None
    quiet: Quiet = False

    def __post_init__(self) -> None:
        _ = self.written_format
        names = {field.name for field in fields(self)}
        check_whole(self, **{name: bounds for name, bounds in _BOUNDS.items() if name in names})

    @property
    def written_format(self) -> str:
        """The format of the output, by the option or the ending of the file."""
        return format_of(self.target, self.format, self.formats)

    @property
    def drawn(self) -> Picture:
        """The picture to write in the formats of pictures."""
        return DEFAULT_PICTURE


@dataclass_transform(kw_only_default=True, frozen_default=True)
def written_as(*formats: str, help: str = "output format") -> Callable[[type[T]], type[T]]:
    """Make a group of output options with the option ``--format``.

    Args:
        formats: The formats of the command, the default first.
        help: The help of the option, without the default.

    Returns:
        A decorator of classes of options.
    """
    text = f"{help} (default: by the ending of -o, or {formats[0]})"

    def decorate(options: type[T]) -> type[T]:
        kind = Annotated[str | None, Parameter(alias="-f", choices=formats, help=text)]
        options.__annotations__ = {"format": kind, **options.__annotations__}
        options.formats, options.format = formats, None
        return Parameter(name="*", group=OUTPUT)(dataclass(frozen=True, kw_only=True)(options))

    return decorate


@written_as(*FORMATS)
class OutputOptions(TargetOption):
    """Format, file, digits, threads and quiet."""

    digits: Digits = 2
    threads: Threads = 0


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PictureOutputOptions(OutputOptions):
    """Format, also of pictures, file, digits, threads and quiet.

    Commands with several pictures declare the option ``picture`` with their names.
    """

    picture: Annotated[str | None, Parameter(parse=False)] = None
    size: PictureSize = "column"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.written_format not in PICTURES:
            for name, is_changed in (("--picture", self.picture is not None), ("--size", self.size != "column")):
                if is_changed:
                    raise UsageError(f"{name} requires a picture", hint="-o FILE.svg, .pdf or .png")
        elif self.written_format != "svg":
            if self.target in (None, "-"):
                raise UsageError(f"{self.written_format} requires a file", hint=f"-o FILE.{self.written_format}")
            from geceval.tables.pictures import picture_writer  # tables need no pictures

            picture_writer(self.written_format)  # before anything is scored, because CairoSVG may be missing

    def check_picture(self, *names: str) -> None:
        """Raise UsageError if the run has no picture of the requested name."""
        if self.picture is not None:
            choice("--picture", self.picture, names)

    @property
    def drawn(self) -> Picture:
        """The picture to write in the formats of pictures."""
        return Picture(self.picture or "", self.size)
