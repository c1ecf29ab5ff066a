"""Progress of a command on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import IO, TypeVar

from geceval.terminal.messages import is_quiet, say
from geceval.text.files import is_file, record_opened_files

T = TypeVar("T")


# --- progress ---

#: Seconds of work after which a terminal shows a bar, and seconds between two states of the bar.
AFTER, REFRESH = 0.5, 0.25
#: Seconds between two lines of progress if stderr is not a terminal.
EVERY = 30.0
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
