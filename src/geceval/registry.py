"""What is found by name: builtin things, and those that other packages register as entry points."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geceval.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


@dataclass(frozen=True)
class Registry:
    """Names of one kind of thing. ``builtin``: name -> ``module:attribute``, imported when it is asked for.

    Other packages add theirs as entry points of the ``group``; they are looked for only where no builtin name fits.
    """

    kind: str
    group: str
    builtin: Mapping[str, str]

    def names(self) -> list[str]:
        """All names: the builtin ones, then those of other packages."""
        return list(dict.fromkeys([*self.builtin, *sorted(self._added().names)]))

    def __getitem__(self, name: str) -> Any:
        """What the name stands for. Raises UsageError that lists the names there are for an unknown one."""
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        for point in self._added().select(name=name):
            return point.load()
        raise self.unknown(name)

    def unknown(self, name: str) -> UsageError:
        """The error for a name that does not exist."""
        from difflib import get_close_matches

        near = get_close_matches(name, self.names(), n=1)
        hint = f"did you mean {near[0]}?" if near else None
        return UsageError(f"unknown {self.kind} {name!r}: choose from {', '.join(self.names())}", hint=hint)

    def _added(self) -> EntryPoints:
        """Those of other packages. Looking for them takes longer than many a score."""
        from importlib.metadata import entry_points

        return entry_points(group=self.group)
