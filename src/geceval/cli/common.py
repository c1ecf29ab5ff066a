"""What subcommands share: arguments for data and output, reading, progress, writing."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from geceval.errors import InputError
from geceval.metrics import METRICS, make_metric, parse_specs
from geceval.report.tables import FORMATS

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.text.reading import CorpusFiles


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Source, references, gold edits, systems."""
    group = parser.add_argument_group(
        "data", "plain text, a sentence a line, UTF-8; .gz, .xz, .bz2 and .zst are read; - is standard input"
    )
    add_reference_arguments(group)
    group.add_argument(
        *("-c", "--systems"),
        nargs="+",
        required=True,
        metavar="FILE",
        help="the systems' corrections, a file each; NAME=FILE: NAME stands for it in tables",
    )


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
        default="fallback",
        help="without -r, references are made from --gold; a sentence an annotator has no line in takes its first "
        "annotator's correction (fallback, the default) or stays as it is (plain)",
    )


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Format, file, digits, threads, quiet."""
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--format", choices=FORMATS, default="table", help="default: table")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    group.add_argument("-d", "--digits", type=natural, default=2, metavar="N", help="decimals (default: 2)")
    group.add_argument(
        *("-j", "--threads"), type=natural, default=0, metavar="N", help="threads (default: 0, all processors)"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no warnings, only errors")


def add_metric_argument(parser: argparse.ArgumentParser) -> None:
    """Metrics by specification alone."""
    parser.add_argument_group("metrics").add_argument(
        *("-m", "--metrics"),
        nargs="+",
        required=True,
        metavar="METRIC",
        help=f"one or more of {', '.join(METRICS.builtin)}; settings may follow: green:unit=char,beta=2",
    )


def add_blocks_argument(group: argparse._ArgumentGroup) -> None:
    """Sentences that belong together."""
    group.add_argument(
        "--blocks",
        metavar="FILE",
        help="a label a line: sentences of one essay or learner, which are drawn together (default: each by itself)",
    )


def labels_in(path: str | None) -> Sequence[str] | None:
    """The labels in a file, one a line; None without a file."""
    from geceval.text.reading import read_lines

    return None if path is None else list(map(str, read_lines(path)))


def asked_metrics(specs: Sequence[str]) -> list[Metric[Any]]:
    """The metrics of ``-m``."""
    return [make_metric(name, **settings) for name, settings in parse_specs(specs)]


def fraction(text: str) -> float:
    """A number between 0 and 1, for argparse."""
    number = float(text)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return number


def add_sort_argument(parser: argparse.ArgumentParser, default: str, more: str = "") -> None:
    """The order of the systems."""
    text = f"order of the systems: {more}a metric (the best first), name, or given (default: {default})"
    parser.add_argument("--sort", metavar="BY", default=default, help=text)


def natural(text: str) -> int:
    """A whole number from 0 on, for argparse."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


def data_files(args: argparse.Namespace, labels: str | None = None) -> CorpusFiles:
    """The corpus that the data arguments name, and a file of labels, to be read in parts."""
    from geceval.text.reading import corpus_files

    systems = systems_of(args.systems)
    return corpus_files(args.source, args.references, systems, args.gold, missing=args.missing, labels=labels)


def systems_of(given: Sequence[str]) -> dict[str, str]:
    """The systems' files by name, from ``FILE`` or ``NAME=FILE``. UsageError if a system is given twice."""
    from geceval.text.reading import named_systems

    cut = [name_and_file(argument) for argument in given]
    return named_systems([path for _, path in cut], [name for name, _ in cut])


def name_and_file(argument: str) -> tuple[str | None, str]:
    """``NAME=FILE`` in two. What exists under the whole name is that file, and a name has no slash: ./a=b.txt."""
    name, equals, path = argument.partition("=")
    if not (name and equals and path) or "/" in name or Path(argument).exists():
        return None, argument
    return name, path


def terminal_width(args: argparse.Namespace) -> int | None:
    """The columns of the terminal that the table is for; None where none is."""
    if args.output not in (None, "-") or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def write_output(args: argparse.Namespace, text: str) -> None:
    """To ``--output`` or standard output; errors: see writing."""
    with writing(args.output) as out:
        out.write(text)


@contextlib.contextmanager
def writing(path: str | None) -> Iterator[TextIO]:
    """Standard output (None or ``-``), or a file that takes its place only when all is written.

    A device or a pipe is written to as it is. Raises InputError if the file cannot be written.
    """
    if path is None or path == "-":
        yield sys.stdout
        return
    target = Path(path)
    in_place = target.exists() and not target.is_file()
    if not in_place:
        target = target.resolve()  # a link stays one
    part = target if in_place else target.with_name(f"{target.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        if not in_place:
            part.replace(target)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", path=path) from None
    finally:
        if not in_place:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def progress(total: int | None, *, quiet: bool, after: float = 1.0) -> Iterator[Callable[[int], None]]:
    """A function to call with the work just done; a bar on stderr, if it is a terminal, after a second of work."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with contextlib.ExitStack() as stack:
        start, finished = time.monotonic(), 0
        bar: Any = None

        def advance(done: int) -> None:
            nonlocal bar, finished
            finished += done
            if bar is None and time.monotonic() - start > after:
                from rich.console import Console
                from rich.progress import Progress

                bar = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
                bar.add_task("scoring", total=total)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=finished)

        yield advance
