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
    return "+".join(dict.fromkeys(_cut_one(type_, tier) for type_ in types.split("+")))


def _cut_one(type_: str, tier: Tier) -> str:
    operation, _, rest = type_.partition(":")
    if type_ == UNKNOWN or operation in ("M", "R", "U"):
        return (operation if tier == "operation" else rest) or type_
    return "(none)" if tier == "operation" else type_


def fits(asked: str, types: str) -> bool:
    """Whether a type is asked for: whole, by its operation, or by what follows the operation; types are joined by +.
    ``*`` stands for anything."""
    parts = {part for tier in ("full", "type", "operation") for part in cut_at_colons(types, tier).split("+")}
    return any(fnmatchcase(part, asked) for part in parts)
