"""Properties that are worked out once, without a lock."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

if sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:
    from contextlib import nullcontext as _no_lock

    class cached_property(functools.cached_property[T]):  # noqa: N801 (the name it has there)
        """As that of functools in Python 3.12. Before, one lock of all objects of a class was held while one of them
        worked: other threads waited for it, and a process that was forked meanwhile waited for ever."""

        def __init__(self, make: Callable[[Any], T]) -> None:
            super().__init__(make)
            self.lock = _no_lock()
