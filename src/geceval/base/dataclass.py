"""Dataclasses that share all methods except ``__init__``.

The dataclasses of the standard library compile these methods for each class, which takes 0.4 ms at every start. The
shared ones are slower: classes that are often made, compared or hashed are the standard library's.
"""

from __future__ import annotations

import dataclasses
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, *, frozen: bool = False, eq: bool = True) -> Any:
        """Make a class a dataclass."""

        def made(own: type) -> type:
            methods = {"__repr__": _repr, **({"__eq__": _equal, "__hash__": _hash if frozen else None} if eq else {})}
            for name, method in methods.items():
                if vars(own).get(name) is None:
                    setattr(own, name, method)
            done = dataclasses.dataclass(repr=False, eq=False)(own)
            if frozen:
                done.__setattr__, done.__delattr__ = _set, _delete
                done.__dataclass_params__.frozen = True  # for the standard library's subclasses
            return done

        return made if cls is None else made(cls)


def _set(self: Any, name: str, value: object) -> None:
    if name in vars(self) or name not in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, one.name) for one in dataclasses.fields(self) if one.compare)


def _equal(self: Any, other: object) -> bool:
    return _compared(self) == _compared(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self))
