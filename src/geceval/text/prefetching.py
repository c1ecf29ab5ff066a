"""Compute the next item in a thread."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from typing import TypeVar

from geceval.base.errors import GecevalWarning
from geceval.base.python_hints import deferred_warnings, warn

T = TypeVar("T")


def prefetched(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the items, which are not None; a thread computes the next one while the current one is used.

    At most two items are in memory. No thread runs after the generator ends, is closed or raises.
    """
    pending: list[GecevalWarning] = []

    def following() -> T | None:
        with deferred_warnings() as warnings:
            try:
                return next(items, None)
            finally:
                pending.extend(warnings)

    with closing(items), ThreadPoolExecutor(1, "geceval-reader") as reader:
        upcoming = reader.submit(following)
        while True:
            wait([upcoming])
            while pending:
                warn(pending.pop(0))
            if (item := upcoming.result()) is None:
                return
            upcoming = reader.submit(following)
            yield item
            del item  # before the next-but-one is computed
