"""Selectors of types of edits: ``R:VERB:SVA``, ``DET``, ``R``, ``VERB*``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.base.arguments import as_sequence, did_you_mean, listed, shown
from geceval.base.errors import UsageError
from geceval.text.m2.edit import NOOP, Tier, cut_at_colons, used_types

#: Number of types that a hint lists.
LISTED = 6


@dataclass(frozen=True)
class TypeSelectors:
    """Types of edits, by one or more patterns.

    A pattern is a whole type (``R:VERB:SVA``), its part after the operation (``DET``, which is M:DET, R:DET and U:DET,
    but not DET:FORM) or the operation (``R``); ``*`` is a wildcard.
    """

    patterns: tuple[str, ...]

    @classmethod
    def of(cls, types: str | Sequence[str], name: str = "types") -> TypeSelectors:
        """Return the selectors of patterns, joined by ``+`` or commas.

        Args:
            types: The patterns, as text or a sequence.
            name: Name of the argument for messages.

        Raises:
            UsageError: A pattern is not text.
        """
        patterns = [types] if isinstance(types, str) else as_sequence(name, types, "type")
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise UsageError(f"a type must be text, not {shown(pattern)}")
        pieces = [piece.strip() for pattern in patterns for piece in pattern.replace("+", ",").split(",")]
        return cls(tuple(dict.fromkeys(pieces)))

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def __str__(self) -> str:
        return "+".join(self.patterns)

    def match(self, types: str) -> bool:
        """Return whether one of the types joined by ``+`` matches a pattern; a noop has none."""
        parts = _parts(types)
        return types != NOOP and any(fnmatchcase(part, pattern) for pattern in self.patterns for part in parts)

    def mask(self, edits: Edits) -> NDArray[np.bool_]:
        """Return which edits [E] have one of the types."""
        matching = [index for index, type_ in used_types(edits).items() if self.match(type_)]
        return np.isin(edits.type, matching).astype(np.bool_)

    def restricted(self, edits: Edits) -> Edits:
        """Return the same versions with the edits that have one of the types."""
        return edits.kept(self.mask(edits))

    def unmatched(self, types: Iterable[str]) -> list[str]:
        """Return the patterns that match none of the types."""
        types = list(types)
        return [pattern for pattern in self.patterns if not any(map(TypeSelectors((pattern,)).match, types))]


def near_types(pattern: str, types: Iterable[str]) -> str:
    """Return a hint for a pattern that matches nothing: the nearest type, or the first ones without operation."""
    types = {type_ for type_ in types if type_ != NOOP}
    categories = sorted({part for type_ in types for part in cut_at_colons(type_, "type").split("+")})
    if not types:
        return "there are no edits"
    parts = {part for type_ in types for part in _parts(type_)}
    return did_you_mean(pattern, sorted(parts)) or f"choose from {listed(categories, LISTED)}"


def _parts(types: str) -> set[str]:
    """Return the whole types, operations and categories of types joined by ``+``."""
    return {part for tier in get_args(Tier) for part in cut_at_colons(types, tier).split("+")}
