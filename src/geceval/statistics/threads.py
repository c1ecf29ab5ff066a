"""Run a function for many numbers in several threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

from geceval._kernel import is_alone

T = TypeVar("T")


def run_in_threads(function: Callable[[int], T], count: int, threads: int = 0) -> list[T]:
    """Return ``function(0)`` to ``function(count - 1)``, computed in threads.

    The function should release the GIL. A process that was forked from one with threads starts none.

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
    if workers == 1 or is_alone():
        work()
        return cast("list[T]", found)
    with ThreadPoolExecutor(workers) as pool:
        try:
            for task in [pool.submit(work) for _ in range(workers)]:
                task.result()
        finally:
            over.set()
    return cast("list[T]", found)
