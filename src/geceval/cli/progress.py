"""How far a run is: a bar on a terminal, lines elsewhere if they are asked for."""

from __future__ import annotations

import codecs
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

#: Seconds between two lines where there is no terminal.
EVERY = 30.0
_PORTION = 1 << 20


@contextlib.contextmanager
def progress(
    total: int | None,
    *,
    quiet: bool,
    after: float = 1.0,
    each: int | None = None,
    done: int = 0,
    lines: bool = False,
    longest: str | None = None,
) -> Iterator[Callable[[int], None]]:
    """A function to call with the work just done; a bar on stderr, if it is a terminal, after a second of work.

    ``total``: all the work, if known; ``each``: the work that a sentence is, where sentences are to be counted;
    ``done``: work that was done before. ``lines``: where there is no terminal, a line now and then. ``longest``: a file
    with a line a sentence, whose lines are counted meanwhile if ``total`` is not known.
    """
    terminal = sys.stderr.isatty()
    if quiet or not (terminal or lines):
        yield lambda work: None
        return
    pace = _Pace(total, each, done)
    with contextlib.ExitStack() as stack:
        if total is None and each is not None and longest is not None:
            stack.enter_context(_counting(longest, pace))
        shown: Callable[[], None] | None = None

        def advance(work: int) -> None:
            nonlocal shown
            pace.finished += work
            if shown is None and time.monotonic() - pace.start > after:
                shown = _bar(pace, stack) if terminal else _lines(pace)
            if shown is not None:
                shown()

        yield advance


class _Pace:
    """What was done in which time."""

    def __init__(self, total: int | None, each: int | None, done: int) -> None:
        self.total, self.each, self.finished, self.done = total, each, done, done
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
