"""Properties that are worked out once, without a lock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

if sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(Generic[T]):  # noqa: N801 (the name it has there)
        """As that of functools in Python 3.12. Before, one lock of all objects of a class was held while one of them
        worked: other threads waited for it, and a process that was forked meanwhile waited for ever."""

        def __init__(self, make: Callable[[Any], T]) -> None:
            self._make, self.__doc__ = make, make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> cached_property[T]: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> T: ...
        def __get__(self, instance: Any, owner: type | None = None) -> cached_property[T] | T:
            if instance is None:
                return self
            # Two threads may make one each; both are given the first.
            found: T = instance.__dict__.setdefault(self._name, self._make(instance))
            return found
