"""Notes, warnings and progress on stderr."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any, TypeVar

from geceval.base.arguments import printable
from geceval.base.errors import GecevalWarning
from geceval.tables.formats.terminal import wrapped
from geceval.text.files import is_file, record_opened_files

T = TypeVar("T")

if TYPE_CHECKING:
    from geceval.counting.run import Run
    from geceval.counting.stream import AnyMetric
    from geceval.text.corpus import TextSource
    from geceval.text.line_rules import CleanedLines


def say(text: str) -> None:
    """Print lines on stderr.

    On a terminal they are wrapped at words and indented from the second line on.
    """
    text, width = printable(text), _terminal_width()
    if width is not None and max(map(len, text.split("\n"))) > width:
        text = "\n".join("\n  ".join(wrapped(line, width - 2)) for line in text.split("\n"))
    with contextlib.suppress(OSError):  # stderr is closed or full
        print(text, file=sys.stderr)


def _terminal_width() -> int | None:
    """Return the width of the terminal of stderr in columns; None without one."""
    if not sys.stderr.isatty():
        return None
    import shutil  # with all that it imports only where a terminal is

    with contextlib.suppress(OSError, ValueError):
        size = os.get_terminal_size(sys.stderr.fileno())
        return shutil.get_terminal_size((size.columns or 80, size.lines)).columns
    return shutil.get_terminal_size().columns


def note(*texts: str, quiet: bool = False) -> None:
    """Print notes on stderr unless ``quiet``."""
    for text in () if quiet else texts:
        say(f"note: {text}")


def warn(*texts: str) -> None:
    """Issue one warning per text."""
    for text in texts:
        warnings.warn(text, GecevalWarning, stacklevel=2)


def note_cleaned(cleaned: CleanedLines, lines: int) -> None:
    """Print the numbers of lines that cleaning replaced by their sources or emptied."""
    as_source, emptied = cleaned.messages(str(lines))
    if as_source:
        note(as_source)
    if emptied:
        warn(f"{emptied} (hint: allow more tokens per answer)")


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: 1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def warn_of(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> None:
    """Issue the warnings of the input checks of a corpus."""
    from geceval.counting.checks.corpus_checks import check

    for finding in check(corpus, metrics):
        warnings.warn(finding.warning(), stacklevel=2)


def warn_of_single_system(corpus: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Warn of a single system if a metric depends on all systems of a run."""
    for metric in metrics if len(corpus.system_names) == 1 else ():
        if metric.pooled:
            warn(f"{metric.name} scores depend on all systems of a run, and this run has one")


def print_spending(metrics: Sequence[AnyMetric], *, quiet: bool = False) -> None:
    """Print the cost of judged metrics whose prices are known, unless ``quiet``."""
    if not quiet:
        for line in dict.fromkeys(filter(None, (metric.spending() for metric in metrics if metric.asks_judge))):
            say(line)


#: The active collections, the innermost last: whether their warnings are not printed, and the warnings.
_COLLECTING: list[tuple[bool, list[GecevalWarning]]] = []


@contextlib.contextmanager
def collected(*, quiet: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings.

    Each is also printed on stderr unless ``quiet``.
    """
    own = quiet, list[GecevalWarning]()
    _COLLECTING.append(own)
    try:
        yield own[1]
    finally:
        _COLLECTING.remove(own)


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
            for _, found in _COLLECTING:
                found.append(message)
            if not any(quiet for quiet, _ in _COLLECTING):
                say(f"warning: {message}")

        warnings.showwarning = show_or_collect
        yield


# --- progress ---

#: Seconds between two lines of progress if stderr is not a terminal.
EVERY = 30.0
_PORTION = 1 << 20
_MEGABYTE = 10**6


@dataclass
class Steps:
    """Amount of work of a run, and the progress since the object was made.

    Attributes:
        total: Total work; None if unknown.
        each: Work of one unit.
        longest: File with one sentence per line, whose lines are counted in the background if ``total`` is None.
        unit: Name of the unit, in the plural.
        label: Name of the work in front of the bar.
    """

    total: int | None = None
    each: int = 1
    longest: str | None = None
    unit: str = "sentences"
    label: str = "scoring"

    def __post_init__(self) -> None:
        self.start, self.finished = time.monotonic(), 0

    def __str__(self) -> str:
        each, finished = self.each, self.finished
        seconds = max(time.monotonic() - self.start, 1e-9)
        rate = finished / seconds / each
        whole = "" if self.total is None else f" of {self.total // each:,}"
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        text = f"{finished // each:,}{whole} {self.unit}, {shown}/s"
        if self.total is None or finished == 0:
            return text
        return f"{text}, {timedelta(seconds=round(seconds * max(0, self.total - finished) / finished))} left"


@contextlib.contextmanager
def progress(
    work: Callable[[], Steps] | None = None, *, quiet: bool, after: float = 1.0, lines: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that advances the progress; None if nothing is shown.

    Args:
        work: Returns the work of the run; called only if progress is shown (None: an unknown number of sentences).
        quiet: Show nothing.
        after: Seconds of work after which progress is shown.
        lines: Print a line every 30 seconds if stderr is not a terminal.
    """
    terminal = sys.stderr.isatty()
    if quiet or not (terminal or lines):
        yield None
        return
    pace = replace(Steps(unit="system sentences") if work is None else work())
    with contextlib.ExitStack() as stack:
        if pace.total is None and pace.longest is not None:
            stack.enter_context(_counting(pace.longest, pace))
        shown: Callable[[], None] | None = None

        def advance(work: int) -> None:
            nonlocal shown
            pace.finished += work
            if shown is None and time.monotonic() - pace.start > after:
                shown = _bar(pace, stack) if terminal else _lines(pace)
            if shown is not None:
                shown()

        yield advance


def advancing(items: Iterable[T], advance: Callable[[int], None] | None) -> Iterator[T]:
    """Yield items, and report each to ``advance`` after its use."""
    for item in items:
        yield item
        if advance is not None:
            advance(1)


def steps_of(run: Run, source: str | None, passes: int = 1) -> Steps:
    """Return the work of ``passes`` over the texts whose source is in a file."""
    total, each = run.work, run.work_of_a_sentence()
    has_lines = source is not None and Path(source).is_file() and not source.endswith((".m2", ".md"))
    return Steps(None if total is None else passes * total, passes * each, longest=source if has_lines else None)


@contextlib.contextmanager
def watching(
    run: Run, source: str | None, passes: int = 1, *, quiet: bool
) -> Iterator[tuple[Callable[[int], None] | None, list[GecevalWarning]]]:
    """Show the progress of a run in the block, and collect its warnings.

    ``source``: the file of the source. ``passes``: how often the run counts all sentences.
    """
    with progress(lambda: steps_of(run, source, passes), quiet=quiet) as advance, collected(quiet=quiet) as found:
        yield advance, found


@contextlib.contextmanager
def reading(paths: Iterable[str], *, target: str | None = "", quiet: bool = False) -> Iterator[None]:
    """Show the progress of reading files in the block.

    A thread polls the positions of the opened files, so that readers do not report them.

    Args:
        paths: Files that are read.
        target: File to which the block writes meanwhile; None or ``-`` is standard output, and nothing is shown if
            that is a terminal.
        quiet: Show nothing.
    """
    size = sum(Path(path).stat().st_size for path in paths if is_file(path))
    hidden = quiet or (target in (None, "-") and sys.stdout.isatty())
    with (
        record_opened_files() as streams,
        progress(lambda: Steps(size, _MEGABYTE, unit="MB", label="reading"), quiet=hidden) as advance,
    ):
        if advance is None:
            yield
            return

        def watch(end: Event) -> None:
            seen = 0
            while not end.wait(0.5):
                now = sum(_position(path, stream) for path, stream in list(streams.items()))
                advance(now - seen)
                seen = now

        with _in_background(watch, "geceval-reading"):
            yield


@contextlib.contextmanager
def _in_background(work: Callable[[Event], None], name: str) -> Iterator[None]:
    """Run a function in a thread during the block; the event tells it to end."""
    end = Event()
    thread = Thread(target=work, args=(end,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def _position(path: str, stream: IO[bytes]) -> int:
    """Return the number of bytes read of a file, its size once it is closed."""
    with contextlib.suppress(OSError, ValueError):
        return Path(path).stat().st_size if stream.closed else os.lseek(stream.fileno(), 0, os.SEEK_CUR)
    return 0


def _bar(pace: Steps, stack: contextlib.ExitStack) -> Callable[[], None]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = [TextColumn(pace.label), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[pace]}")]
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)

    def state() -> dict[str, Any]:
        return {"total": pace.total, "completed": pace.finished, "pace": str(pace)}

    task = bar.add_task(pace.label, **state())
    stack.enter_context(bar)

    def shown() -> None:
        bar.update(task, **state())

    return shown


def _lines(pace: Steps) -> Callable[[], None]:
    last = pace.start

    def shown() -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            say(str(pace))

    return shown


def _counting(path: str, pace: Steps) -> contextlib.AbstractContextManager[None]:
    """Count the lines of a plain text in the block, for the total."""

    def count(end: Event) -> None:
        lines, last = 0, b"\n"
        with contextlib.suppress(OSError, UnicodeDecodeError), Path(path).open("rb") as file:
            codecs.getincrementaldecoder("utf-8")().decode(file.peek(_PORTION)[:1024])  # a compressed file fails here
            while (portion := file.read(_PORTION)) and not end.is_set():
                lines, last = lines + portion.count(b"\n"), portion[-1:]
            if lines and not end.is_set():
                pace.total = (lines + (last != b"\n")) * pace.each

    return _in_background(count, "geceval-lines")
