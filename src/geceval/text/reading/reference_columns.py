"""References in columns: a text a row, or, in tables that have such cells, a list of texts a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geceval._kernel import Text
from geceval.base.cached import cached_property
from geceval.text.reading.file_columns import FileColumn, together

#: Rows gone through at a time.
_MANY = 1 << 14


class ReferenceColumns:
    """The columns of the references. What has to be known of the whole (how long lists are, whether a text is missing)
    is asked of the format, and where that does not know, the columns are gone through once."""

    def __init__(self, columns: Sequence[FileColumn], *, breaks: bool = False) -> None:
        self.columns, self._breaks = columns, breaks

    @cached_property
    def _lists(self) -> list[bool]:
        """Which columns have lists: those whose first value is one."""
        return [column in self._unknown and isinstance(_first_value(column), (list, tuple)) for column in self.columns]

    @cached_property
    def _unknown(self) -> list[FileColumn]:
        """The columns that may lack a text, or have lists."""
        contents = {column.content for column in self.columns if column.in_table}
        places = {own: [column.place for column in self.columns if column.content is own] for own in contents}
        complete = {own for own in contents if own.format.is_complete(own.file, places[own])}
        return [column for column in self.columns if column.in_table and column.content not in complete]

    @cached_property
    def _surveyed(self) -> tuple[list[int], int, int]:
        """The longest list of each unknown column, the smallest and the largest number of references of a row."""
        longest, least, most = [0] * len(self._unknown), -1, 0
        known = len(self.columns) - len(self._unknown)
        for portion in together(self._unknown, _MANY):
            for row in zip(*portion, strict=True):
                found = known
                for at, value in enumerate(row):
                    if isinstance(value, (list, tuple)):
                        longest[at] = max(longest[at], len(value))
                        found += len(value) - sum(one is None for one in value)
                    else:
                        found += value is not None
                least, most = found if least < 0 else min(least, found), max(most, found)
        return longest, max(least, 0), most

    @property
    def numbers(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a row."""
        if not self._unknown:
            return len(self.columns), len(self.columns)
        return self._surveyed[1:]

    @cached_property
    def _widths(self) -> list[int]:
        """How many references each column makes."""
        if not any(self._lists):
            return [1] * len(self.columns)
        longest = dict(zip(self._unknown, self._surveyed[0], strict=True))
        return [longest[column] if many else 1 for column, many in zip(self.columns, self._lists, strict=True)]

    @property
    def width(self) -> int:
        """How many references all columns make together."""
        return sum(self._widths)

    def texts(self, rows: Sequence[Sequence[Any]], before: int) -> list[Text]:
        """``references[r][s]`` of what the columns have; ``before``: the rows before these. Raises InputError with the
        place for what is no text, and for a row without any reference."""
        made: list[Text] = []
        for column, many, width, values in zip(self.columns, self._lists, self._widths, rows, strict=True):
            for cells in _transpose(column, values, width, before) if many else [values]:
                made.append(column.checked(cells, before, optional=column in self._unknown, breaks=self._breaks))
        if not all(text.complete for text in made):
            for s, versions in enumerate(zip(*made, strict=True)):
                if all(version is None for version in versions):
                    raise self._unknown[0].error(before + s, "there is no reference")
        return made


def _first_value(column: FileColumn) -> Any:
    """Return the first value that is not None; None without any."""
    portions = column.content.portions([column.place], _MANY)
    return next((value for [values] in portions for value in values if value is not None), None)


def _transpose(column: FileColumn, lists: Sequence[Any], width: int, before: int) -> list[list[Any]]:
    """The first texts of the lists, the second ones, and so on; None where a list is shorter."""
    for at, value in enumerate(lists):
        if value is not None and not isinstance(value, (list, tuple)):
            raise column.error(before + at, f"a list of texts is expected, as in other rows, not {value!r:.60}")
    return [[value[r] if value is not None and r < len(value) else None for value in lists] for r in range(width)]
