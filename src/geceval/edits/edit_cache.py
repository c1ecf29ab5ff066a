"""A bounded cache of extracted edits and annotations.

Other metrics, passes and calls use it.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Protocol
from weakref import WeakMethod


class Sized(Protocol):
    """An object that reports its memory."""

    @property
    def nbytes(self) -> int: ...


class Memory:
    """A thread-safe cache of at most ``budget`` bytes.

    It evicts the least recently used values.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._used = 0
        if hasattr(os, "register_at_fork"):
            forked = WeakMethod(self._forked)
            os.register_at_fork(after_in_child=lambda: (own := forked()) and own())

    def _forked(self) -> None:
        """Replace the lock in a forked process, where no thread may exist to release it."""
        self._lock = Lock()
        self._used = sum(size for _, size in self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        """Size of the values when they were stored, in bytes."""
        return self._used

    def get(self, key: Hashable) -> Any | None:
        """Return the value or None, and mark it as most recently used."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Sized) -> None:
        """Store a value and replace an old one.

        Values larger than the budget are not stored.
        """
        size = value.nbytes
        with self._lock:
            self._used -= self._values.pop(key, (None, 0))[1]
            if size <= self.budget:
                self._values[key] = value, size
                self._used += size
            while self._used > self.budget:
                self._used -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()
            self._used = 0
