"""Look up objects by name: builtin ones and entry points of other packages."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geceval.base.arguments import did_you_mean, shown
from geceval.base.data_files import table_rows
from geceval.base.errors import UsageError


def _entries(group: str, name: str | None = None) -> list[Any]:
    """Return the entry points of a group.

    The import and the search take milliseconds each.
    """
    from importlib.metadata import entry_points

    found = entry_points(group=group)
    return [point for point in found if name in (None, point.name)]


@dataclass(frozen=True)
class Registry:
    """Named objects of one kind, builtin or from other packages; names ignore case.

    Other packages add objects as entry points of ``group``, which are searched only if no builtin name matches.

    Attributes:
        kind: the kind of the objects, for messages.
        group: the group of entry points.
        builtin: name -> ``module:attribute``, imported on first use.
        shown: the builtin names as lists show them, with more detail where it helps.
        aliases: alternative name -> builtin name.
    """

    kind: str
    group: str
    builtin: Mapping[str, str]
    shown: Sequence[str]
    aliases: Mapping[str, str]

    def names(self) -> list[str]:
        """Return all names: the builtin ones, then the names from other packages."""
        others = sorted(point.name for point in _entries(self.group))
        return list(dict.fromkeys([*self.shown, *others]))

    def name_of(self, name: str) -> str:
        """Return the registered spelling of a name.

        Raises:
            UsageError: if the name is unknown; lists the available names.
        """
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
        """Return the object of a name. Raises the errors of name_of."""
        name = self.name_of(name)
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        [point, *_] = _entries(self.group, name=name)
        return point.load()

    def unknown(self, name: object) -> UsageError:
        """Return the error for an unknown name."""
        names = self.names()
        message = f"unknown {self.kind} {shown(name)}: choose from {', '.join(names)}"
        return UsageError(message, hint=did_you_mean(name, [*names, *self.aliases]))

    def make(self, name: str) -> Any:
        """Call the function registered as the part of ``NAME:REST`` before the colon.

        The function gets REST as its argument, or no argument for ``NAME`` without a colon.

        Raises:
            UsageError: if the name is unknown or the function returns None; lists the available names.
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


def listed(kind: str, group: str, path: Path) -> Registry:
    """Return the registry of a table: names, objects, and names for lists if others."""
    rows = [(names.split(), target, shown) for names, target, *shown in table_rows(path)]
    return Registry(
        kind,
        group,
        {name: target for [name, *_], target, _ in rows},
        [shown for [name, *_], _, more in rows for shown in (more[0].split() if more else [name])],
        {alias: name for [name, *aliases], _, _ in rows for alias in aliases},
    )
