"""The types of edits, cut at their colons: ``R:NOUN:NUM`` is an ``R``, and a ``NOUN:NUM``."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

from geceval.text.m2.edit import UNKNOWN

#: Types such as R:NOUN:NUM by what comes first (R), by what follows (NOUN:NUM), or whole.
Tier: TypeAlias = Literal["operation", "type", "full"]


def cut_at_colons(types: str, tier: Tier) -> str:
    """Each of the types joined by ``+`` by its operation, ``(none)`` if it is not M, R or U, or by what follows it;
    each part once. UNK is whole."""
    if tier == "full":
        return types
    parts: dict[str, None] = {}
    for type_ in types.split("+"):
        operation, _, rest = type_.partition(":")
        has_operation = type_ == UNKNOWN or operation in ("M", "R", "U")
        if tier == "operation":
            parts[operation if has_operation else "(none)"] = None
        else:
            parts[(has_operation and rest) or type_] = None
    return "+".join(parts)


def matches_type(pattern: str, types: str) -> bool:
    """Return whether one of the types that are joined by + matches a pattern: whole, by its operation, or by what
    follows the operation. ``*`` stands for anything."""
    parts = {part for tier in ("full", "type", "operation") for part in cut_at_colons(types, tier).split("+")}
    return any(fnmatchcase(part, pattern) for part in parts)
