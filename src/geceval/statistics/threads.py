"""Run a function for many numbers in several threads.

``ThreadPoolExecutor.map`` submits a task per number. For a million resamples this takes seconds, and Ctrl-C during a
submission can leave a lock of the pool taken. Here each thread is one task, which takes numbers until none is left.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from geceval._kernel import is_single_threaded

T = TypeVar("T")


def run_in_threads(function: Callable[[int], T], count: int, threads: int = 0) -> list[T]:
    """Return ``function(0)`` to ``function(count - 1)``, computed in threads.

    The function should release the GIL. A process that was forked from one with threads starts none. No number is
    started after Ctrl-C or an error.

    Args:
        function: Called with each number below ``count``.
        count: Number of calls.
        threads: Number of threads; 0 means one per processor.
    """
    numbers, is_over = iter(range(count)), threading.Event()
    results: list[Any] = [None] * count

    def work() -> None:
        for number in numbers:
            if is_over.is_set():
                return
            results[number] = function(number)

    workers = max(1, min(threads or os.cpu_count() or 1, count))
    if workers == 1 or is_single_threaded():
        work()
        return results
    with ThreadPoolExecutor(workers) as pool:
        try:
            tasks = [pool.submit(work) for _ in range(workers)]
            wait(tasks, return_when=FIRST_EXCEPTION)
        finally:
            is_over.set()
    for task in tasks:
        task.result()
    return results
