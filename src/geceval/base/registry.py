"""What is found by name: builtin things, and those that other packages register as entry points."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from geceval.base.arguments import did_you_mean, shown
from geceval.base.errors import UsageError


def _entries(group: str, name: str | None = None) -> list[Any]:
    """The entry points of a group; looking for them takes some milliseconds, and so does the module that looks."""
    from importlib.metadata import entry_points

    found = entry_points(group=group)
    return [point for point in found if name in (None, point.name)]


@dataclass(frozen=True)
class Registry:
    """Names of one kind of thing. ``builtin``: name -> ``module:attribute``, imported when it is asked for.

    Other packages add theirs as entry points of the ``group``; they are looked for only where no builtin name fits.
    ``shown``: how the builtin names are listed, where more may be said of them; ``aliases``: other names of builtin
    things. Names are the same in upper and lower case.
    """

    kind: str
    group: str
    builtin: Mapping[str, str]
    shown: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All names: the builtin ones, then those of other packages."""
        others = sorted(point.name for point in _entries(self.group))
        return list(dict.fromkeys([*(self.shown or self.builtin), *others]))

    def name_of(self, name: str) -> str:
        """The name as it is registered. Raises UsageError that lists the names there are for an unknown one."""
        if not isinstance(name, str):
            raise self.unknown(name)
        if name in self.builtin:
            return name
        lower = self.aliases.get(name.lower(), name.lower())
        for known in self.builtin:
            if known.lower() == lower:
                return known
        others = [str(point.name) for point in _entries(self.group)]
        same = [other for other in others if other == name] or [other for other in others if other.lower() == lower]
        if not same:
            raise self.unknown(name)
        return same[0]

    def __contains__(self, name: str) -> bool:
        try:
            self.name_of(name)
        except UsageError:
            return False
        return True

    def __getitem__(self, name: str) -> Any:
        """What the name stands for. Errors: see name_of."""
        name = self.name_of(name)
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        [point, *_] = _entries(self.group, name=name)
        return point.load()

    def unknown(self, name: object) -> UsageError:
        """The error for a name that does not exist."""
        names = self.names()
        message = f"unknown {self.kind} {shown(name)}: choose from {', '.join(names)}"
        return UsageError(message, hint=did_you_mean(name, [*names, *self.aliases]))

    def make(self, name: str) -> Any:
        """What the registered function makes: called without arguments for ``NAME``, with ``REST`` for ``NAME:REST``.

        Raises UsageError that lists what there is for an unknown name, also if the function yields None for REST.
        """
        kind, colon, rest = name.partition(":")
        if kind not in self:
            raise self.unknown(name)
        function = self[kind]
        if colon and not (rest and _takes_an_argument(function)):
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
