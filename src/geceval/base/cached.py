"""A cached property that takes no lock, in every supported version of Python."""

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
        """Cache a property as functools does from Python 3.12 on.

        Earlier versions hold one lock for all objects of a class while one of them computes. Other threads wait for
        it, and a process that is forked meanwhile waits forever.
        """

        def __init__(self, make: Callable[[Any], T]) -> None:
            super().__init__(make)
            self.lock = _no_lock()
