"""What is found by name: builtin things, and those that other packages register as entry points."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geceval.errors import UsageError


def _entries(group: str, name: str | None = None) -> list[Any]:
    """The entry points of a group; looking for them takes some milliseconds, and so does the module that looks."""
    from importlib.metadata import entry_points

    found = entry_points(group=group)
    return [point for point in found if name in (None, point.name)]


@dataclass(frozen=True)
class Registry:
    """Names of one kind of thing. ``builtin``: name -> ``module:attribute``, imported when it is asked for.

    Other packages add theirs as entry points of the ``group``; they are looked for only where no builtin name fits.
    ``shown``: how the builtin names are listed, where more may be said of them.
    """

    kind: str
    group: str
    builtin: Mapping[str, str]
    shown: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """All names: the builtin ones, then those of other packages."""
        others = sorted(point.name for point in _entries(self.group))
        return list(dict.fromkeys([*(self.shown or self.builtin), *others]))

    def __contains__(self, name: str) -> bool:
        return name in self.builtin or bool(_entries(self.group, name=name))

    def __getitem__(self, name: str) -> Any:
        """What the name stands for. Raises UsageError that lists the names there are for an unknown one."""
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        for point in _entries(self.group, name=name):
            return point.load()
        raise self.unknown(name)

    def unknown(self, name: str) -> UsageError:
        """The error for a name that does not exist."""
        from difflib import get_close_matches

        near = get_close_matches(name, self.names(), n=1)
        hint = f"did you mean {near[0]}?" if near else None
        return UsageError(f"unknown {self.kind} {name!r}: choose from {', '.join(self.names())}", hint=hint)

    def make(self, name: str) -> Any:
        """What the registered function makes: called without arguments for ``NAME``, with ``REST`` for ``NAME:REST``.

        Raises UsageError that lists what there is for an unknown name, also if the function yields None for REST.
        """
        kind, colon, rest = name.partition(":")
        if kind not in self:
            raise self.unknown(name)
        function = self[kind]
        if colon and not _takes_an_argument(function):
            raise self.unknown(name)
        made = function(rest) if colon else function()
        if made is None:
            raise self.unknown(name)
        return made


def _takes_an_argument(function: Any) -> bool:
    import inspect

    try:
        inspect.signature(function).bind("")
    except TypeError:
        return False
    return True
