"""What subcommands share: arguments for data and output, reading, progress, writing."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from geceval.errors import GecevalWarning, InputError, UsageError
from geceval.report.tables import FORMATS

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric
    from geceval.text.corpus import TextSource
    from geceval.text.m2 import Missing
    from geceval.text.reading import CorpusFiles


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Source, references, gold edits, systems."""
    group = parser.add_argument_group(
        "data", "plain text, a sentence a line, UTF-8; .gz, .xz, .bz2 and .zst are read; - is standard input"
    )
    add_reference_arguments(group)
    group.add_argument(
        *("-c", "--systems"), nargs="+", required=True, metavar="FILE", help="the systems' corrections, a file each"
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


def add_checks_argument(group: argparse._ActionsContainer) -> None:
    """Whether input is checked for what it cannot mean."""
    group.add_argument(
        "--no-checks",
        dest="checks",
        action="store_false",
        help="do not look for input that cannot mean what it is taken for, such as files that do not belong together",
    )


def warn_of(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> None:
    """Warn of what the checks find."""
    from geceval.counting.checking import check

    for finding in check(corpus, metrics):
        warnings.warn(finding.warning(), stacklevel=2)


@contextlib.contextmanager
def collected(*, quiet: bool = False) -> Iterator[list[GecevalWarning]]:
    """The warnings of ours as they come, in a list for documents; each is also a line on stderr unless ``quiet``."""
    found: list[GecevalWarning] = []
    show = warnings.showwarning

    def collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if isinstance(message, GecevalWarning):
            found.append(message)
        if not (quiet and issubclass(category, GecevalWarning)):
            show(message, category, *where, **more)

    warnings.showwarning = collect
    try:
        yield found
    finally:
        warnings.showwarning = show


def natural(text: str) -> int:
    """A whole number from 0 on, for argparse."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


def data_files(args: argparse.Namespace, labels: str | None = None) -> CorpusFiles:
    """The corpus that the data arguments name, and a file of labels, to be read in parts."""
    from geceval.text.reading import corpus_files

    missing = asked_missing(args)
    return corpus_files(args.source, args.references, args.systems, args.gold, missing=missing, labels=labels)


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
