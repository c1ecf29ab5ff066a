"""Run a function for many numbers in several threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

T = TypeVar("T")


class _Forks:
    """State of forks: a child of a process with threads starts none (see forks.rs)."""

    is_threaded = is_alone = False

    @classmethod
    def before(cls) -> None:
        cls.is_threaded = threading.active_count() > 1

    @classmethod
    def after(cls) -> None:
        cls.is_alone |= cls.is_threaded


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_Forks.before, after_in_child=_Forks.after)


def run_in_threads(function: Callable[[int], T], count: int, threads: int = 0) -> list[T]:
    """Return ``function(0)`` to ``function(count - 1)``, computed in threads.

    The function should release the GIL.

    Each thread takes the next number until none is left, so a pool gets only one task per thread. Submitting a million
    tasks would take seconds, and Ctrl-C during a submission can leave a lock of the pool taken. No further number is
    started after Ctrl-C or an error.

    Args:
        function: called with each number below ``count``.
        count: number of calls.
        threads: number of threads; 0 means one per processor.
    """
    numbers, over = iter(range(count)), threading.Event()
    found: list[T | None] = [None] * count

    def work() -> None:
        for number in numbers:
            if over.is_set():
                return
            found[number] = function(number)

    workers = max(1, min(threads or os.cpu_count() or 1, count))
    if workers == 1 or _Forks.is_alone:
        work()
        return cast("list[T]", found)
    with ThreadPoolExecutor(workers) as pool:
        try:
            for task in [pool.submit(work) for _ in range(workers)]:
                task.result()
        finally:
            over.set()
    return cast("list[T]", found)
