"""Types of edits and their parts.

``R:NOUN:NUM`` has the operation ``R`` and the rest ``NOUN:NUM``.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

from geceval.text.m2.edit import UNKNOWN

#: The part of a type such as R:NOUN:NUM: the operation (R), the rest (NOUN:NUM), or all of it.
Tier: TypeAlias = Literal["operation", "type", "full"]


def cut_at_colons(types: str, tier: Tier) -> str:
    """Return the parts of types joined by ``+``, without duplicates.

    UNK is kept whole.

    The operation of a type without M, R or U is ``(none)``.
    """
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
    """Return whether one of the types joined by ``+`` matches a pattern.

    ``*`` is a wildcard.

    The pattern may match the whole type, its operation, or the rest after the operation.
    """
    parts = {part for tier in ("full", "type", "operation") for part in cut_at_colons(types, tier).split("+")}
    return any(fnmatchcase(part, pattern) for part in parts)
