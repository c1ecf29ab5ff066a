"""What was extracted is remembered, block by block, for further metrics, passes and calls, within a bound."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Protocol
from weakref import WeakMethod


class Sized(Protocol):
    """Something that knows how much memory it takes."""

    @property
    def nbytes(self) -> int: ...


class Memory:
    """Values by key, at most ``budget`` bytes of them together: those used least recently go. For any thread."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._used = 0
        if hasattr(os, "register_at_fork"):
            forked = WeakMethod(self._forked)
            os.register_at_fork(after_in_child=lambda: (own := forked()) and own())

    def _forked(self) -> None:
        """In a process that was forked while another thread had the lock, nobody would give it back."""
        self._lock = Lock()
        self._used = sum(size for _, size in self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        """What the values took when they were put in."""
        return self._used

    def get(self, key: Hashable) -> Any | None:
        """The value, which now is the one used last."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Sized) -> None:
        """Keep a value in place of the key's old one; not if it alone is larger than the budget."""
        size = value.nbytes
        with self._lock:
            self._used -= self._values.pop(key, (None, 0))[1]
            if size <= self.budget:
                self._values[key] = value, size
                self._used += size
            while self._used > self.budget:
                self._used -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self._used = 0
