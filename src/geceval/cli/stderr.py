"""Notes, warnings and progress on stderr."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from geceval.base.errors import GecevalWarning
from geceval.report.formats.terminal import wrapped

if TYPE_CHECKING:
    from geceval.counting.stream import AnyMetric
    from geceval.text.corpus import TextSource


def say(text: str) -> None:
    """Print lines on stderr, on a terminal wrapped at words to its width and indented from the second line on."""
    width = _terminal_width()
    if width is not None and max(map(len, text.split("\n"))) > width:
        text = "\n".join("\n  ".join(wrapped(line, width - 2)) for line in text.split("\n"))
    print(text, file=sys.stderr)


def _terminal_width() -> int | None:
    """The number of columns of the terminal that stderr is; None if it is none."""
    if not sys.stderr.isatty():
        return None
    with contextlib.suppress(OSError, ValueError):
        size = os.get_terminal_size(sys.stderr.fileno())
        return shutil.get_terminal_size((size.columns or 80, size.lines)).columns
    return shutil.get_terminal_size().columns


def note(*texts: str, quiet: bool = False) -> None:
    """Print notes on stderr unless ``quiet``."""
    for text in () if quiet else texts:
        say(f"note: {text}")


def warn(*texts: str) -> None:
    """Warn, a warning for each text."""
    for text in texts:
        warnings.warn(text, GecevalWarning, stacklevel=2)


def quantity(number: int, noun: str) -> str:
    """Return a number and its noun: 1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def warn_of(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> None:
    """Warn of what the checks of a corpus find."""
    from geceval.counting.checks.corpus_checks import check

    for finding in check(corpus, metrics):
        warnings.warn(finding.warning(), stacklevel=2)


def warn_of_single_system(corpus: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Warn if a metric whose scores depend on all systems of a run has a single system."""
    for metric in metrics if len(corpus.system_names) == 1 else ():
        if metric.pooled:
            warn(f"{metric.name} scores depend on all systems of a run, and this run has one")


def print_spending(metrics: Sequence[AnyMetric], *, quiet: bool = False) -> None:
    """Print the cost of judged metrics whose prices are known, unless ``quiet``."""
    if not quiet:
        for line in dict.fromkeys(filter(None, (metric.spending() for metric in metrics if metric.asks_judge))):
            print(line, file=sys.stderr)


@dataclass
class CollectedWarnings:
    """The warnings of a run; they are printed as well unless ``quiet``."""

    quiet: bool
    found: list[GecevalWarning] = field(default_factory=list)


#: Those that collect at the moment, the innermost last.
_COLLECTING: list[CollectedWarnings] = []


@contextlib.contextmanager
def collected(*, quiet: bool = False) -> Iterator[list[GecevalWarning]]:
    """Yield a list that collects geceval's warnings; each is also printed on stderr unless ``quiet``."""
    own = CollectedWarnings(quiet)
    _COLLECTING.append(own)
    try:
        yield own.found
    finally:
        _COLLECTING.remove(own)


@contextlib.contextmanager
def printed_warnings() -> Iterator[None]:
    """Print and collect every warning of geceval's within; Python shows the others."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GecevalWarning)
        show = warnings.showwarning

        def show_or_collect(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not isinstance(message, GecevalWarning):
                show(message, category, *where, **more)
                return
            for own in _COLLECTING:
                own.found.append(message)
            if not any(own.quiet for own in _COLLECTING):
                say(f"warning: {message}")

        warnings.showwarning = show_or_collect
        yield


# --- progress ---

#: Seconds between two lines where there is no terminal.
EVERY = 30.0
_PORTION = 1 << 20


@dataclass(frozen=True)
class Steps:
    """The work of a run.

    ``total``: all of it, if known; ``each``: what a sentence is, where sentences are to be counted; ``done``: what was
    done before; ``longest``: a file with a line a sentence, whose lines are counted meanwhile without a ``total``.
    """

    total: int | None = None
    each: int | None = None
    done: int = 0
    longest: str | None = None


@contextlib.contextmanager
def progress(
    work: Callable[[], Steps] = Steps, *, quiet: bool, after: float = 1.0, lines: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the work just done, None where nobody sees it; it draws a bar on stderr, if that is
    a terminal, after a second of work.

    ``work`` is asked where it is shown. ``lines``: where there is no terminal, print a line now and then.
    """
    terminal = sys.stderr.isatty()
    if quiet or not (terminal or lines):
        yield None
        return
    pace = _Pace(work())
    with contextlib.ExitStack() as stack:
        if pace.total is None and pace.each is not None and pace.longest is not None:
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


def lines_file(source: str | None) -> str | None:
    """Return a file with a line for each sentence, if one is known."""
    return source if source is not None and Path(source).is_file() and not source.endswith((".m2", ".md")) else None


class _Pace:
    """What was done in which time."""

    def __init__(self, work: Steps) -> None:
        self.total, self.each, self.longest = work.total, work.each, work.longest
        self.finished = self.done = work.done
        self.start = time.monotonic()

    def __str__(self) -> str:
        each = self.each or 1
        seconds = max(time.monotonic() - self.start, 1e-9)
        rate = (self.finished - self.done) / seconds / each
        whole = "" if self.total is None else f" of {self.total // each:,}"
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        return f"{self.finished // each:,}{whole} sentences, {shown}/s"

    @property
    def left(self) -> str:
        """The time that is left, if that can be known."""
        gained = self.finished - self.done
        if self.total is None or gained <= 0:
            return ""
        seconds = (time.monotonic() - self.start) * max(0, self.total - self.finished) / gained
        return f"{timedelta(seconds=round(seconds))} left"


def _bar(pace: _Pace, stack: contextlib.ExitStack) -> Callable[[], None]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = [TextColumn("scoring"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[pace]}")]
    bar = Progress(*columns, console=Console(stderr=True), transient=True)

    def state() -> dict[str, Any]:
        said = ", ".join(filter(None, [str(pace) if pace.each else "", pace.left]))
        return {"total": pace.total, "completed": pace.finished, "pace": said}

    task = bar.add_task("scoring", **state())
    stack.enter_context(bar)

    def shown() -> None:
        bar.update(task, **state())

    return shown


def _lines(pace: _Pace) -> Callable[[], None]:
    last = pace.start

    def shown() -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            print(", ".join(filter(None, [str(pace), pace.left])), file=sys.stderr)

    return shown


@contextlib.contextmanager
def _counting(path: str, pace: _Pace) -> Iterator[None]:
    """The total becomes known within, if it can be: of a plain text."""
    end = Event()

    def count() -> None:
        lines, last = 0, b"\n"
        with contextlib.suppress(OSError, UnicodeDecodeError), Path(path).open("rb") as file:
            codecs.getincrementaldecoder("utf-8")().decode(file.peek(_PORTION)[:1024])  # what is compressed is no text
            while (portion := file.read(_PORTION)) and not end.is_set():
                lines, last = lines + portion.count(b"\n"), portion[-1:]
            if lines and not end.is_set():
                pace.total = (lines + (last != b"\n")) * (pace.each or 1)

    thread = Thread(target=count, name="geceval-lines", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
