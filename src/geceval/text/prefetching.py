"""Work of a thread while its caller goes on."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from geceval.base.caller_warnings import deferred_warnings, warn
from geceval.base.errors import GecevalWarning

T = TypeVar("T")


@dataclass
class OneCall(Generic[T]):
    """One call at a time in a thread of ``executor``; without an executor it is made at once.

    The thread has the context variables of the thread that makes this object.
    """

    executor: ThreadPoolExecutor | None
    _call: Future[T] | None = None
    _warnings: list[GecevalWarning] = field(default_factory=list)
    _context: Context = field(default_factory=copy_context)

    def start(self, call: Callable[[], T]) -> None:
        """Start a call, after the result of the previous one was taken; without an executor its errors are raised."""
        if self.executor is not None:
            self._call = self.executor.submit(self._context.run, self._deferring, call)
            return
        future: Future[T] = Future()
        future.set_result(call())
        self._call = future

    def result(self) -> T | None:
        """Wait for the call, issue its warnings, and return its result or raise its error; None without a call."""
        if self._call is None:
            return None
        wait([self._call])  # after an interrupt here, the call still runs
        call, self._call = self._call, None
        while self._warnings:
            warn(self._warnings.pop(0))
        return call.result()

    def _deferring(self, call: Callable[[], T]) -> T:
        with deferred_warnings() as warnings:
            try:
                return call()
            finally:
                self._warnings.extend(warnings)


def prefetched(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the items, which are not None; a thread computes the next one while the current one is used.

    At most two items are in memory. No thread runs after the generator ends, is closed or raises.
    """
    with closing(items), ThreadPoolExecutor(1, "geceval-reader") as executor:
        reader = OneCall[T | None](executor)
        reader.start(partial(next, items, None))
        while (item := reader.result()) is not None:
            reader.start(partial(next, items, None))
            yield item
            del item  # before the next-but-one is computed
