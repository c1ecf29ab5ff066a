"""Formats of ``--output``, and writing of reports and records.

Notes, warnings and progress on stderr.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import IO, Any, NamedTuple, TextIO, TypeVar

from geceval.base.arguments import printable
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.output_files import replacement, write_errors
from geceval.base.package_tables import table_rows
from geceval.base.python_hints import warn
from geceval.counting.checks.check import check
from geceval.counting.checks.corpus_checks import check_empty_lines
from geceval.counting.metric import AnyMetric
from geceval.counting.run import Run
from geceval.tables.report import Report, print_view, render
from geceval.tables.terminal import wrapped
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import compressed, is_compressed, is_file, record_opened_files, unpacked_name
from geceval.text.line_rules import CleanedLines

#: Endings of files, and their formats.
ENDINGS: Mapping[str, Sequence[str]] = {
    ending: formats.split() for ending, formats in table_rows(Path(__file__).with_name("endings.tsv"))
}


#: Endings of files in the default format, or in the one that is given.
UNSPECIFIC = frozenset({"", ".txt", ".out", ".log"})


def format_of(target: str | None, given: str | None, formats: Sequence[str], option: str = "--format") -> str:
    """Return the format of the output of a command.

    The ending of the file determines the format. A file without an ending, or with one of UNSPECIFIC, has the format
    ``given``, or the default. Another ending requires ``given`` if the command writes several formats.

    Args:
        target: Output file; None or ``-`` is standard output.
        given: Value of the option for the format, if any.
        formats: Formats that the command writes, the default first.
        option: Name of the option for the format.

    Raises:
        UsageError: If the ending contradicts ``given``, belongs to another format, or is unknown.
        MissingExtraError: If the compression requires a package that is not installed.
    """
    if target is None:
        return given or formats[0]
    is_compressed(target)
    ending = Path(unpacked_name(target)).suffix.lower()
    if ending in UNSPECIFIC or (ending not in ENDINGS and (given is not None or len(formats) == 1)):
        return given or formats[0]
    formats_of_ending = [format for format in formats if format in ENDINGS.get(ending, ())]
    if not formats_of_ending:
        plain = [f".txt ({formats[0]})"] if formats[0] and not _endings(formats[:1]) else []
        hint = f"endings of this command: {', '.join([*_endings(formats), *plain])}"
        hint += "" if ending in ENDINGS else f"; any other with {option}"
        raise UsageError(f"--output {target}: this command does not write {ending} files", hint=hint)
    if given is not None and given not in formats_of_ending:
        better = ", ".join(_endings([given])) or "another ending"
        message = f"--output {target} and {option} {given} contradict each other"
        raise UsageError(message, hint=f"{better} for {given}, or no {option}")
    return given or formats_of_ending[0]


def _endings(formats: Sequence[str]) -> list[str]:
    """Return the endings of files in these formats."""
    return [ending for ending, written in ENDINGS.items() if set(written) & set(formats)]


def terminal_width(target: str | None) -> int | None:
    """Return the width of the terminal in columns; None for a file or a pipe."""
    return _width_of(sys.stdout) if target in (None, "-") else None


def _width_of(stream: TextIO) -> int | None:
    """Return the width of a stream's terminal in columns; None without one."""
    if not stream.isatty():
        return None
    with contextlib.suppress(OSError, ValueError):
        size = os.get_terminal_size(stream.fileno())
        return shutil.get_terminal_size((size.columns or 80, size.lines)).columns
    return shutil.get_terminal_size().columns


def write_text(target: str | None, text: str) -> None:
    """Write to a file or standard output."""
    with writing(target) as out:
        out.write(text)


def text_of(report: Report, format: str, target: str | None, digits: int = 2) -> str:
    """Return a report in a format, for the width of the terminal that receives it."""
    return render(report, format, digits, terminal_width(target))


def write_report(target: str | None, report: Report, output: str, digits: int = 2) -> None:
    """Write a report in one of FORMATS, or its view ("text")."""
    if output != "text" or report.view is None:
        write_text(target, text_of(report, output, target, digits))
        return

    width = terminal_width(target)
    with writing(target) as out:
        print_view(report.view(digits, width is not None), out, digits, width)


@contextlib.contextmanager
def writing(path: str | None, *, plain: bool = False) -> Iterator[TextIO]:
    """Yield standard output (None or ``-``) or a text file: see writing_bytes.

    ``output_files.standard_output`` reports the errors of standard output.
    """
    if path is None or path == "-":
        yield sys.stdout
        return
    with writing_bytes(path, plain=plain) as raw, text_stream(raw) as out:
        yield out


def text_stream(raw: IO[bytes]) -> TextIO:
    """Return a text stream that writes UTF-8 to ``raw``."""
    return io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", newline="\n")


@contextlib.contextmanager
def writing_bytes(path: str, *, plain: bool = False) -> Iterator[IO[bytes]]:
    """Yield a file that replaces the target when it is complete.

    If the block raises, the incomplete file is kept and named on stderr. Its ending determines the compression unless
    ``plain``. A device or a pipe is written to directly.

    Raises:
        InputError: The file cannot be written.
    """
    with write_errors(path), contextlib.ExitStack() as stack:
        target = Path(path) if is_device(Path(path)) else stack.enter_context(replacement(path, keep=_name_partial))
        raw = stack.enter_context(target.open("wb"))
        yield raw if plain else stack.enter_context(compressed(raw, path))


def _name_partial(partial: Path) -> None:
    say(f"note: {partial} contains the output so far")  # also if quiet, since it belongs to an error


def is_device(target: Path) -> bool:
    """Return whether the path names something other than a file.

    Raises:
        OSError: The path cannot be a file.
    """
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False


T = TypeVar("T")


def say(text: str) -> None:
    """Print lines on stderr.

    On a terminal they are wrapped at words and indented from the second line on.
    """
    text, width = printable(text), _width_of(sys.stderr)
    if width is not None and max(map(len, text.split("\n"))) > width:
        text = "\n".join("\n  ".join(wrapped(line, width - 2)) for line in text.split("\n"))
    with contextlib.suppress(OSError):  # stderr is closed or full
        print(text, file=sys.stderr)


def note(*texts: str) -> None:
    """Print notes on stderr unless the command is quiet."""
    for text in () if is_quiet() else texts:
        say(f"note: {text}")


def note_cleaned(cleaned: CleanedLines, lines: int) -> None:
    """Print the numbers of lines that cleaning replaced by their sources or emptied."""
    as_source, emptied = cleaned.messages(str(lines))
    if as_source:
        note(as_source)
    if emptied:
        warn(emptied, "allow more tokens per answer")


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: 1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def warn_of(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> None:
    """Issue the warnings of the input checks of a corpus."""
    for finding in check(corpus, metrics):
        finding.warn()


def warn_of_empty_lines(corpus: Corpus) -> None:
    """Issue the warnings of lines that are empty in the source or in a correction only."""
    for finding in check_empty_lines(corpus):
        finding.warn()


def warn_of_single_system(corpus: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Warn of a single system if a metric depends on all systems of a run."""
    if len(corpus.system_names) == 1:
        for metric in metrics:
            if metric.pool is not None:
                warn(f"{metric.name} scores depend on all systems of a run, and this run has one")


def print_spending(metrics: Sequence[AnyMetric]) -> None:
    """Print the cost of judged metrics whose prices are known, unless the command is quiet."""
    if not is_quiet():
        spent = [metric.judging.spending(metric) for metric in metrics if metric.judging is not None]
        for line in dict.fromkeys(filter(None, spent)):
            say(line)


class _Collection(NamedTuple):
    """Warnings of a block, and whether minor ones or all of them are not printed."""

    warnings: list[GecevalWarning]
    quiet: bool
    silent: bool


#: The active collections, the innermost last.
_COLLECTING: list[_Collection] = []


@contextlib.contextmanager
def collected(*, quiet: bool = False, silent: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings.

    Each is also printed on stderr. ``quiet``: print no minor warnings, notes and progress in the block. ``silent``:
    print no warnings at all.
    """
    collection = _Collection([], quiet, silent)
    _COLLECTING.append(collection)
    try:
        yield collection.warnings
    finally:
        _COLLECTING.pop()


def is_quiet() -> bool:
    """Return whether notes, minor warnings and progress are not printed."""
    return any(collection.quiet for collection in _COLLECTING)


@contextlib.contextmanager
def printed_warnings() -> Iterator[None]:
    """Print and collect the warnings of geceval; Python handles other warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GecevalWarning)
        show = warnings.showwarning

        def show_or_collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not isinstance(message, GecevalWarning):
                show(message, category, *where, **more)
                return
            for collection in _COLLECTING:
                collection.warnings.append(message.of_command)
            is_hidden = (message.minor and is_quiet()) or any(collection.silent for collection in _COLLECTING)
            if not is_hidden:
                say(f"warning: {message.of_command}")

        warnings.showwarning = show_or_collect
        yield


# --- progress ---

#: Seconds of work after which a terminal shows a bar, and seconds between two states of the bar.
AFTER, REFRESH = 0.5, 0.25
#: Seconds between two lines of progress if stderr is not a terminal.
EVERY = 30.0
#: Number of bytes from which the number of lines of a file is estimated.
_SAMPLE = 1 << 20
_MEGABYTE = 10**6


@dataclass(frozen=True)
class Steps:
    """Amount of work of a run.

    Attributes:
        total: Total work; None if unknown.
        each: Work of one unit.
        unit: Name of the unit, in the plural.
        label: Name of the work in front of the bar.
        estimated: Whether ``total`` is an estimate.
    """

    total: int | None = None
    each: int = 1
    unit: str = "sentences"
    label: str = "scoring"
    estimated: bool = False

    def describe(self, finished: int, seconds: float) -> str:
        """Return the finished units, their rate and, if known, the time left."""
        rate = finished / max(seconds, 1e-9) / self.each
        of_total = "" if self.total is None else f" of {'about ' * self.estimated}{self.total // self.each:,}"
        text = f"{finished // self.each:,}{of_total} {self.unit}, {rate:,.{0 if rate >= 10 else 1}f}/s"
        if self.total is None or finished == 0:
            return text
        return f"{text}, {timedelta(seconds=round(seconds * max(0, self.total - finished) / finished))} left"


@contextlib.contextmanager
def progress(
    work: Callable[[], Steps] | None = None, *, quiet: bool = False, position: Callable[[], int] | None = None
) -> Iterator[Callable[[int], None] | None]:
    """Show the progress of the block.

    A terminal shows a bar after half a second; elsewhere a line is printed every 30 seconds.

    Args:
        work: Returns the work of the block (None: an unknown number of sentences); not called if nothing is shown.
        quiet: Show nothing, as in a quiet command.
        position: Returns the finished work. None: the block reports it.

    Yields:
        A function that reports finished work; None if nothing is shown.
    """
    if quiet or is_quiet():
        yield None
        return
    steps = Steps(unit="system sentences") if work is None else work()
    start, finished, end = time.monotonic(), 0, Event()

    def advance(work: int) -> None:
        nonlocal finished
        finished += work

    def state() -> tuple[int, str]:
        now = finished if position is None else position()
        return now, steps.describe(now, time.monotonic() - start)

    show = _show_bar if sys.stderr.isatty() else _print_lines
    thread = Thread(target=show, args=(steps, state, end), name="geceval-progress", daemon=True)
    thread.start()
    try:
        yield advance
    finally:
        end.set()
        thread.join()


def _show_bar(steps: Steps, state: Callable[[], tuple[int, str]], end: Event) -> None:
    """Show a bar until the end, and erase it."""
    if end.wait(AFTER):
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = [TextColumn(steps.label), BarColumn(), TaskProgressColumn(), TextColumn("{task.description}")]
    # Rich prints other output on stderr above the bar.
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, redirect_stdout=False)
    task = bar.add_task(state()[1], total=steps.total)
    with contextlib.suppress(OSError), bar:  # the terminal may be closed
        while True:
            finished, text = state()
            bar.update(task, completed=finished, description=text, refresh=True)
            if end.wait(REFRESH):
                return


def _print_lines(steps: Steps, state: Callable[[], tuple[int, str]], end: Event) -> None:
    """Print a line at times until the end."""
    while not end.wait(EVERY):
        say(state()[1])


def advancing(items: Iterable[T], advance: Callable[[int], None] | None) -> Iterator[T]:
    """Yield items, and report each to ``advance`` after its use."""
    for item in items:
        yield item
        if advance is not None:
            advance(1)


def steps_of(run: Run, source: str | None, passes: int = 1) -> Steps:
    """Return the work of ``passes`` over the texts whose source is in a file."""
    each = passes * run.work_of_a_sentence()
    if run.work is not None:
        return Steps(passes * run.work, each)
    lines, estimated = _number_of_lines(source or "")
    return Steps(lines and lines * each, each, estimated=estimated)


def _number_of_lines(path: str) -> tuple[int | None, bool]:
    """Return the number of lines of a plain text, and whether it is estimated.

    None: the file is missing, compressed or no text with a sentence per line.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if is_file(path) and not path.endswith((".m2", ".md")):
            with Path(path).open("rb") as file:
                sample, size = file.read(_SAMPLE), os.fstat(file.fileno()).st_size
            codecs.getincrementaldecoder("utf-8")().decode(sample[:1024])  # a compressed file fails here
            if (lines := sample.count(b"\n")) and size > len(sample):
                return round(lines * size / len(sample)), True
            return (lines + (not sample.endswith(b"\n")) if lines else None), False
    return None, False


@contextlib.contextmanager
def watching(
    run: Run, source: str | None, passes: int = 1
) -> Iterator[tuple[Callable[[int], None] | None, list[GecevalWarning]]]:
    """Show the progress of a run in the block, and collect its warnings.

    ``source``: the file of the source. ``passes``: how often the run counts all sentences.
    """
    with progress(lambda: steps_of(run, source, passes)) as advance, collected() as collection:
        yield advance, collection


@contextlib.contextmanager
def reading(paths: Iterable[str], *, target: str | None = "") -> Iterator[None]:
    """Show the progress of reading files in the block, by their positions.

    Args:
        paths: Files that are read.
        target: File to which the block writes meanwhile; None or ``-`` is standard output, and nothing is shown if
            that is a terminal.
    """
    size = sum(Path(path).stat().st_size for path in paths if is_file(path))
    hidden = target in (None, "-") and sys.stdout.isatty()
    with record_opened_files() as streams:

        def position() -> int:
            return sum(_position(path, stream) for path, stream in list(streams.items()))

        with progress(lambda: Steps(size, _MEGABYTE, "MB", "reading"), quiet=hidden, position=position):
            yield


def _position(path: str, stream: IO[bytes]) -> int:
    """Return the number of bytes read of a file, its size once it is closed."""
    with contextlib.suppress(OSError, ValueError):
        return Path(path).stat().st_size if stream.closed else os.lseek(stream.fileno(), 0, os.SEEK_CUR)
    return 0
