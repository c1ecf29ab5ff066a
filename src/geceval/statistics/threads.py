"""One function for many numbers, by several threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

T = TypeVar("T")


def in_threads(function: Callable[[int], T], count: int, threads: int = 0) -> list[T]:
    """``function(0)`` to ``function(count - 1)``, for functions that leave the GIL; ``threads`` 0: all processors.

    Each thread takes the next number until there is none, so that a pool is handed as many tasks as it has threads: a
    Ctrl-C while one is handed over can leave a lock of the pool taken, and a million of them took seconds. After one,
    or an error, no further number is taken. Raises what the function raises.
    """
    numbers, over = iter(range(count)), threading.Event()
    found: list[T | None] = [None] * count

    def work() -> None:
        for number in numbers:
            if over.is_set():
                return
            found[number] = function(number)

    workers = max(1, min(threads or os.cpu_count() or 1, count))
    with ThreadPoolExecutor(workers) as pool:
        try:
            for task in [pool.submit(work) for _ in range(workers)]:
                task.result()
        finally:
            over.set()
    return cast("list[T]", found)
