"""Objects by name: builtin ones and entry points of other packages.

An unknown name is an error that lists the names. Builtin objects are found without an installation, too.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geceval.base.arguments import did_you_mean, shown
from geceval.base.errors import UsageError
from geceval.base.package_tables import table_rows


@dataclass(frozen=True)
class Registry:
    """Named objects of one kind, builtin or from other packages; names ignore case.

    Other packages add objects as entry points of ``group``, which are searched only if no builtin name matches.

    Attributes:
        kind: The kind of the objects, for messages.
        group: The group of entry points.
        builtin: Name in lower case -> ``module:attribute``, imported on first use.
        shown: The builtin names as lists show them, with more detail where it helps.
        aliases: Alternative name in lower case -> builtin name.
    """

    kind: str
    group: str
    builtin: Mapping[str, str]
    shown: Sequence[str]
    aliases: Mapping[str, str]

    def names(self) -> list[str]:
        """Return all names: the builtin ones, then the names from other packages."""
        return list(dict.fromkeys([*self.shown, *sorted(self._plugins())]))

    def _plugins(self) -> dict[str, Any]:
        """Return the entry points by name."""
        from importlib.metadata import entry_points  # takes 14 ms and is rarely needed

        points = reversed(tuple(entry_points(group=self.group)))  # the first on the path wins
        return {point.name: point for point in points}

    def name_of(self, name: str) -> str:
        """Return the registered spelling of a name.

        Raises:
            UsageError: If the name is unknown; lists the available names.
        """
        if not isinstance(name, str):
            raise self.unknown(name)
        lower = self.aliases.get(name.lower(), name.lower())
        if lower in self.builtin:
            return lower
        plugins = [plugin for plugin in self._plugins() if plugin.lower() == lower]
        if not plugins:
            raise self.unknown(name)
        return name if name in plugins else plugins[0]

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
        return self._plugins()[name].load()

    def unknown(self, name: object) -> UsageError:
        """Return the error for an unknown name."""
        names = self.names()
        message = f"unknown {self.kind} {shown(name)}: choose from {', '.join(names)}"
        return UsageError(message, hint=did_you_mean(name, [*names, *self.aliases]))

    def make(self, name: str) -> Any:
        """Call the function registered as the part of ``NAME:REST`` before the colon.

        The function gets REST as its argument, or no argument for ``NAME`` without a colon.

        Raises:
            UsageError: If the name is unknown or the function returns None; lists the available names.
        """
        kind, colon, rest = name.partition(":")
        if kind not in self:
            raise self.unknown(name)
        function = self[kind]
        if colon and not (rest and _takes_an_argument(function)):
            raise self.unknown(name)
        instance = function(rest) if colon else function()
        if instance is None:
            raise self.unknown(name)
        return instance


def _takes_an_argument(function: Any) -> bool:
    try:
        inspect.signature(function).bind("")
    except TypeError:
        return False
    return True


def registry_from(kind: str, group: str, path: Path) -> Registry:
    """Return the registry of a table: names, objects, and names for lists if others."""
    builtin, listed_names, aliases = {}, [], {}
    for names, target, *more in table_rows(path):
        name, *alternatives = names.split()
        builtin[name] = target
        listed_names += more[0].split() if more else [name]
        aliases.update(dict.fromkeys(alternatives, name))
    return Registry(kind, group, builtin, list(dict.fromkeys(listed_names)), aliases)
