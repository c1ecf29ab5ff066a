"""What subcommands share: arguments for data and output, reading, progress, writing."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from geceval.base.arguments import ALPHA, COUNT, DIGITS, THREADS, Bounds, shown
from geceval.base.errors import GecevalWarning, UsageError
from geceval.cli.annotating import add_language_arguments, asked_annotator
from geceval.cli.notes import collected as collected
from geceval.cli.output import standard_output as standard_output
from geceval.cli.output import writing as writing
from geceval.cli.preparing import add_preparation_arguments, preparation
from geceval.cli.tables import (
    add_table_arguments,
    asked_table,
    given_table,
    label_column,
    systems_hint,
    tell_of_tables,
)
from geceval.counting.metric_names import METRICS, metrics_of_specs
from geceval.report.formats import FORMATS
from geceval.text.inputs import name_and_file as name_and_file
from geceval.text.inputs import systems_of as systems_of

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.text.m2 import Missing
    from geceval.text.reading import CorpusFiles


N = TypeVar("N", int, float)


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Source, references, gold edits, systems, and what is done to raw text."""
    group = parser.add_argument_group(
        "data", "plain text, a sentence a line, UTF-8; .gz, .xz, .bz2 and .zst are read; - is standard input"
    )
    add_reference_arguments(group)
    group.add_argument(
        *("-c", "--systems"),
        nargs="+",
        default=[],
        metavar="FILE",
        help="the systems' corrections, a file each; NAME=FILE: NAME stands for it in tables",
    )
    add_table_arguments(parser)
    add_preparation_arguments(parser)
    add_language_arguments(parser)


def add_reference_arguments(group: argparse._ArgumentGroup) -> None:
    """Source, references, gold edits."""
    group.add_argument("-s", "--source", metavar="FILE", help="the sentences with errors (default: those of --gold)")
    group.add_argument(
        *("-r", "--references"),
        nargs="+",
        default=[],
        metavar="FILE",
        help="corrected sentences, one file an annotator",
    )
    group.add_argument("--gold", metavar="FILE", help="gold edits of one or more annotators, an M2 file")
    group.add_argument(
        "--missing",
        choices=["fallback", "plain"],
        help="without -r, references are made from --gold; a sentence an annotator has no line in takes its first "
        "annotator's correction (fallback, the default) or stays as it is (plain)",
    )
    group.add_argument(
        "--dialect",
        choices=["auto", "cherrant"],
        default="auto",
        help="of M2 files: ChERRANT's is told by its T lines (auto, the default), or it is said",
    )


def add_output_arguments(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Format (``formats``: those of this command alone), file, digits, threads, quiet."""
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--format", choices=(*FORMATS, *formats), default="table", help="default: table")
    add_common_output(group)


def add_common_output(group: argparse._ActionsContainer) -> None:
    """File, digits, threads, quiet."""
    add_output(group)
    add_digits(group)
    add_threads(group)
    add_quiet(group)


def add_output(group: argparse._ActionsContainer) -> None:
    """Where the output goes."""
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")


def add_quiet(group: argparse._ActionsContainer) -> None:
    """Whether anything but errors is told on stderr."""
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no warnings, only errors")


def add_digits(group: argparse._ActionsContainer, *names: str, default: int = 2) -> None:
    """How many decimals are printed."""
    limits = f"{DIGITS.low} to {DIGITS.high}"
    group.add_argument(
        *(names or ("-d", "--digits")),
        dest="digits",
        type=whole_number(DIGITS),
        default=default,
        metavar="N",
        help=f"decimals, {limits} (default: {default})",
    )


def add_threads(group: argparse._ActionsContainer) -> None:
    """How many threads work."""
    group.add_argument(
        *("-j", "--threads"),
        type=whole_number(THREADS),
        default=0,
        metavar="N",
        help=f"threads, at most {THREADS.high} (default: 0, all processors)",
    )


def whole_number(bounds: Bounds) -> Callable[[str], int]:
    """A type for argparse: a whole number within bounds."""
    return _number(int, "a whole number", bounds)


def number_within(bounds: Bounds) -> Callable[[str], float]:
    """A type for argparse: a number within bounds."""
    return _number(float, "a number", bounds)


def _number(kind: Callable[[str], N], what: str, bounds: Bounds) -> Callable[[str], N]:
    def convert(text: str) -> N:
        try:
            number = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{shown(text)} is not {what}") from None
        if not bounds.hold(number):
            raise argparse.ArgumentTypeError(f"{shown(number)}; it must be {bounds}")
        return number

    return convert


#: A whole number from 0 on, for argparse.
natural = whole_number(COUNT)
#: A level of significance, for argparse.
fraction = number_within(ALPHA)


def add_metric_argument(
    parser: argparse.ArgumentParser, default: Sequence[str] = (), which: str = ""
) -> argparse._ArgumentGroup:
    """Metrics by specification, needed unless there is a default; ``which``: what they are for here. In their group."""
    group = parser.add_argument_group("metrics")
    usual = f" (default: {' '.join(default)})" if default else ""
    group.add_argument(
        *("-m", "--metrics"),
        nargs="+",
        required=not default,
        default=list(default) or None,
        metavar="METRIC",
        help=f"one or more of {', '.join(METRICS.builtin)}{which}; settings may follow: green:unit=char,beta=2{usual}",
    )
    return group


def add_blocks_argument(group: argparse._ArgumentGroup) -> None:
    """Sentences that belong together."""
    group.add_argument(
        "--blocks",
        metavar="FILE",
        help="a label a line, or a column of -i: sentences of one essay or learner, which are drawn together (default: "
        "each by itself)",
    )


def labels_in(args: argparse.Namespace, path: str | None) -> Sequence[str] | None:
    """The labels in a file, one a line, or in a column of the table of ``-i``; None without either."""
    from geceval.text.reading import read_lines

    column = label_column(args, path)
    if column is not None:
        return column.whole()
    return None if path is None else list(map(str, read_lines(path)))


def asked_metrics(args: argparse.Namespace) -> list[Metric[Any]]:
    """The metrics of ``-m``, in the language of the texts; a setting in the specification goes before it."""
    return metrics_of_specs(args.metrics, {"annotator": asked_annotator(args)})


def add_checks_argument(group: argparse._ActionsContainer) -> None:
    """Whether input is checked for what it cannot mean."""
    group.add_argument(
        "--no-checks",
        dest="checks",
        action="store_false",
        help="do not look for input that cannot mean what it is taken for, such as files that do not belong together",
    )


def add_guard_argument(group: argparse._ActionsContainer) -> None:
    """Whether the unchanged source stands beside the systems."""
    group.add_argument(
        "--no-guard",
        action="store_true",
        help="metrics without references (scribendi, llm, …): do not show the unchanged source beside the systems",
    )


def given_files(args: argparse.Namespace, told: Sequence[GecevalWarning], *more: str) -> dict[str, Any]:
    """The files of a run, those of further options (``more``), and what was warned of, for JSON."""
    files = {name: getattr(args, name) for name in ("source", "references", "gold", "systems", *more)}
    return files | given_table(args) | {"warnings": [warning.to_dict() for warning in told]}


def add_sort_argument(parser: argparse.ArgumentParser, default: str, more: str = "") -> None:
    """The order of the systems."""
    text = f"order of the systems: {more}a metric (the best first), name, or given (default: {default})"
    parser.add_argument("--sort", metavar="BY", default=default, help=text)


def data_files(args: argparse.Namespace, labels: str | None = None) -> CorpusFiles:
    """The corpus that the data arguments name, and a file of labels, to be read in parts."""
    from geceval.text.reading import corpus_files

    table = asked_table(args)
    if not (args.systems or (table and table.systems)):
        raise UsageError("the systems' corrections are needed", hint=systems_hint(args))
    tell_of_tables(args)
    if args.missing is not None and table is not None and table.references:
        raise UsageError(f"--missing says how references are made from the edits of --gold; {args.input} gives them")
    column = label_column(args, labels)
    if table is not None and column is not None:
        table, labels = replace(table, labels=column), None
    options: dict[str, Any] = {"missing": asked_missing(args), "labels": labels, "prepare": preparation(args)}
    options |= {"dialect": args.dialect, "table": table}
    return corpus_files(args.source, args.references, systems_of(args.systems), args.gold, **options)


def terminal_width(args: argparse.Namespace) -> int | None:
    """The columns of the terminal that the table is for; None where none is."""
    if args.output not in (None, "-") or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def asked_missing(args: argparse.Namespace) -> Missing:
    """What ``--missing`` says. Raises UsageError where no references are made from gold edits."""
    if args.missing is not None and (args.references or args.gold is None):
        why = "-r gives them" if args.references else "there are none"
        raise UsageError(f"--missing says how references are made from the edits of --gold; {why}")
    return args.missing or "fallback"


def write_output(args: argparse.Namespace, text: str) -> None:
    """To ``--output`` or standard output; errors: see writing."""
    with writing(args.output) as out:
        out.write(text)
