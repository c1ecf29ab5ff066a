"""Reading ahead: the next item of an iterator is made while the present one is used."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class _Next(Thread, Generic[T]):
    """The next item of an iterator, made while others are used."""

    def __init__(self, items: Iterator[T]) -> None:
        super().__init__(name="geceval-reader")
        self._items = items
        self._item: T | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._item = next(self._items, None)
        except BaseException as error:  # it is raised where the item is asked for
            self._error = error

    def item(self) -> T | None:
        """The item once it is there, None at the end; raises what was raised while it was made."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._item


def ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """The items, none of them None; the next one is made in a thread while the present one is used.

    No thread is left when this ends, is closed or raises; so there are two items in memory at the most.
    """
    upcoming = _Next(items)
    try:
        while (item := upcoming.item()) is not None:
            upcoming = _Next(items)
            yield item
            del item  # before the one after the next is made
    finally:
        upcoming.join()
        items.close()
