"""Places in a text as checkers give them: unit, origin, end, scope.

``--offsets`` states how the numbers of a place are read, such as ``characters,from-1,inclusive``. Without it the
reading is the one of the checker (checkers.tsv), or is found: the first of ``FOUND`` in which all places have the
quoted text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, product
from typing import Any, Literal, TypeAlias, get_args

from geceval.base.errors import UsageError

Unit: TypeAlias = Literal["characters", "utf-16", "bytes", "tokens"]
#: Text in which the numbers of a place count: the text of a row, a numbered line or paragraph, or the whole file.
Scope: TypeAlias = Literal["text", "line", "document"]

UNITS: tuple[Unit, ...] = get_args(Unit)
SCOPES: tuple[Scope, ...] = get_args(Scope)
#: The units of a text that is not divided into tokens.
CHARACTER_UNITS = UNITS[:3]
#: Words of ``--offsets`` that are no unit and no scope.
AUTO, FROM_ONE, INCLUSIVE, LENGTH = "auto", "from-1", "inclusive", "length:"
#: The words, for messages.
WORDS = f"{', '.join(UNITS)}, {FROM_ONE}, {INCLUSIVE}, {LENGTH}UNIT, {', '.join(SCOPES)}, or {AUTO}"

#: Size of a character in each unit.
_SIZES: Mapping[str, Callable[[str], int]] = {
    "characters": lambda _: 1,
    "utf-16": lambda character: 1 + (character > "\uffff"),
    "bytes": lambda character: len(character.encode("utf-8", "surrogatepass")),
}


@dataclass(frozen=True)
class Reading:
    """How the numbers of a place are read.

    Attributes:
        unit: What the start and the end count.
        from_one: Whether the first position is 1 and not 0.
        inclusive: Whether the end is the last position of the place and not the one after it.
        length_unit: What a length counts (None: as the start).
        scope: Where positions begin (None: as the file has it).
    """

    unit: Unit = "characters"
    from_one: bool = False
    inclusive: bool = False
    length_unit: Unit | None = None
    scope: Scope | None = None

    def __str__(self) -> str:
        words = [self.unit, *[FROM_ONE] * self.from_one, *[INCLUSIVE] * self.inclusive]
        words += [] if self.length_unit is None else [f"{LENGTH}{self.length_unit}"]
        return ",".join([*words, *([] if self.scope is None else [self.scope])])

    def span(self, text: str, start: int, end: int | None, length: int | None = None) -> tuple[int, int] | None:
        """Return a place in characters of a text from 0, end exclusive; None if the text does not have it.

        Args:
            text: The text.
            start: First position.
            end: Last position, or the one after it; None: the place has a length.
            length: Length.
        """
        first = start - self.from_one
        if end is not None:
            return _span(text, self.unit, first, end - self.from_one + self.inclusive)
        if length is None or length < 0:
            return None
        if self.length_unit in (None, self.unit):
            return _span(text, self.unit, first, first + length)
        beginning = _span(text, self.unit, first, first)
        if beginning is None:
            return None
        rest = _span(text[beginning[0] :], self.length_unit or self.unit, 0, length)
        return None if rest is None else (beginning[0], beginning[0] + rest[1])


#: Readings that are tried without ``--offsets``, the usual ones first.
USUAL_READINGS = tuple(Reading(unit) for unit in CHARACTER_UNITS)
MIXED_READINGS = (Reading("characters", length_unit="utf-16"),)
UNUSUAL_READINGS = tuple(
    Reading(unit, from_one, inclusive)
    for (from_one, inclusive), unit in product([(True, False), (True, True), (False, True)], CHARACTER_UNITS)
)


def reading_of(offsets: str) -> Reading | None:
    """Return the reading that ``--offsets`` states; None for ``auto``.

    Raises:
        UsageError: For an unknown word, and two units or scopes.
    """
    words = [word.strip() for word in str(offsets).split(",")]
    if words == [AUTO]:
        return None
    reading, values = Reading(), dict[str, str]()
    for word in words:
        change = _change_of(word)
        if change is None:
            raise UsageError(f"offsets must be one of {WORDS}, several joined by commas, not {word}")
        [(name, value)] = change.items()
        if name in values:
            raise UsageError(f"offsets: {values[name]!r} and {word!r} exclude each other")
        values[name] = word
        reading = replace(reading, **{name: value})
    return reading


def _change_of(word: str) -> dict[str, Any] | None:
    """Return the field that a word of ``--offsets`` sets; None for an unknown word."""
    if word in UNITS:
        return {"unit": word}
    if word in SCOPES:
        return {"scope": word}
    if word.startswith(LENGTH) and word.removeprefix(LENGTH) in CHARACTER_UNITS:
        return {"length_unit": word.removeprefix(LENGTH)}
    return {FROM_ONE: {"from_one": True}, INCLUSIVE: {"inclusive": True}}.get(word)


def size_of(text: str, unit: Unit) -> int:
    """Return the size of a text in a unit."""
    return len(text.split()) if unit == "tokens" else sum(map(_SIZES[unit], text))


def _span(text: str, unit: Unit, first: int, after: int) -> tuple[int, int] | None:
    """Return the characters from a position to another one, both from 0; None if the text does not have them."""
    if unit == "tokens":
        spans = _tokens_of(text)
        if not 0 <= first <= after <= len(spans):
            return None
        begin = spans[first][0] if first < len(spans) else len(text)
        return begin, spans[after - 1][1] if after > first else begin
    characters = _characters_at(text, unit)
    if first > after or first not in characters or after not in characters:
        return None
    return characters[first], characters[after]


@lru_cache(maxsize=16)
def _characters_at(text: str, unit: Unit) -> Mapping[int, int] | range:
    """Return the index of the character that begins at each position in the unit."""
    if unit == "characters" or text.isascii():
        return range(len(text) + 1)
    return {offset: index for index, offset in enumerate(accumulate(map(_SIZES[unit], text), initial=0))}


@lru_cache(maxsize=16)
def _tokens_of(text: str) -> list[tuple[int, int]]:
    """Return the characters of each token."""
    return [match.span() for match in re.finditer(r"\S+", text)]
