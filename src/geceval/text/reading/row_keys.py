"""Identifiers of rows: files are matched by them, or checked to be in one order."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

import numpy as np

from geceval.base.arguments import NO_ROW, listed
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.text.frames import plain_values
from geceval.text.reading.aligned_files import Rows
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import HEAD, KEY, FileColumn, FileContent
from geceval.text.reading.key_columns import KEYS, NONE, UNORDERED_KEYS, is_key, key_columns, numbers_in
from geceval.text.reading.lines import ALL
from geceval.text.reading.reference_rows import differ_in_references_alone
from geceval.text.reading.role_names import names_source


def match_rows(columns: TableColumns, gold: FileColumn | None, names: Sequence[str]) -> TableColumns:
    """Return columns whose rows are in one order, by the identifiers in columns of these names.

    Rows are in the order of the source. Identifiers that number the lines of files without any are places in them; the
    lines of the source are identifiers next to a column of sources, in which the first row of a sentence matches its
    first line, the second its second.

    Raises:
        UsageError: If a table has no column of these names.
        InputError: For an identifier that is missing, repeated or without a row of the source.
    """
    contents = list(dict.fromkeys(column.content for column in (columns.source, gold, *columns.all) if column))
    keys = key_columns(contents, names)
    if not keys:
        hint = Hint(Step(Hint(Option("table", "FILE"), " names a table"), "geceval.read_table(FILE) reads a table"))
        raise UsageError(f"no table has identifiers in a column {' or '.join(names)}", hint=hint)
    are_sources = columns.source is not None and all(names_source(key.name) for key in keys.values())
    if contents[0] not in keys and columns.source and are_sources:
        keys[contents[0]] = columns.source
    ids = {content: _unique(key, columns, is_source=are_sources) for content, key in keys.items()}
    rows_of_lines = {content: line_numbers(list(ids[content])) for content in keys}
    without = [content for content in contents if content not in keys]
    first = keys.get(contents[0])
    if without and all(rows_of_lines.values()):
        orders = {content: sorted(range(len(rows)), key=rows.__getitem__) for content, rows in rows_of_lines.items()}
    elif first is not None:
        orders = {content: _order(first, ids[first.content], keys[content], ids[content]) for content in keys}
    else:
        _check_parts(keys, ids, without[0].file.name)
        key = next(key for content, key in keys.items() if not rows_of_lines[content])
        raise _numbering_error(key, list(ids[key.content]), without[0].file.name)
    return columns.with_contents({content: content.selected(order) for content, order in orders.items()})


def _check_parts(
    keys: Mapping[FileContent, FileColumn], ids: Mapping[FileContent, Mapping[str, int]], file: str
) -> None:
    """Raise InputError for tables whose identifiers number the lines of a file together: parts of one table."""
    tables = list(keys)
    if len(tables) > 1 and line_numbers(list(chain.from_iterable(ids[content] for content in tables))):
        names = ", ".join(content.file.name for content in tables)
        message = f"{names}: their identifiers together number the lines of {file}: they are parts of one table"
        raise InputError(message, hint="join the rows of these files in one file")


#: Share of identifiers in line order above which they number the lines.
_IN_ORDER = 0.5


class KeyCheck:
    """A check, part by part, that rows at one position have one identifier.

    Identifiers of two files are compared if they have some in common. Numbers of lines must be in order, if a file has
    no identifiers.

    Args:
        contents: The files.
        names: See key_columns.
        hint: The hint of errors; default: ``--id``.
    """

    def __init__(self, contents: Sequence[FileContent], names: Sequence[str], hint: AnyHint | None = None) -> None:
        #: The columns of identifiers.
        self.keys = list(key_columns(contents, names).values()) if len(contents) > 1 else []
        used = " ".join(name for name in KEYS if name in {key.name for key in self.keys})
        by_key, by_position = Option("id", used), Option("id", NONE)
        self._hint = hint or Hint(by_key, " matches rows by identifier, ", by_position, " by position")
        self._has_lines = len(self.keys) < len(contents)
        #: Columns without identifiers of the first one, the number of the first line, and those without such numbers.
        self._unrelated: set[FileColumn] = set()
        self._first_numbers: dict[FileColumn, int] = {}
        self._unnumbered: set[FileColumn] = set()
        if self._has_lines:
            for key in self.keys:
                identifiers = _texts(key.first_values(HEAD))
                if key.name in UNORDERED_KEYS and not numbers_in(identifiers):
                    message = f"{key.content.file.name}: rows are matched by position: {key.name} has no line numbers"
                    hint = Hint("give the other texts in tables with this column, and ", Option("id"))
                    warn(message, hint)

    def checked(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        """Yield rows that pass the check. Raises the errors of add."""
        for portion in rows:
            self.add(portion)
            yield portion

    def add(self, portion: Rows) -> None:
        """Check some rows.

        Raises:
            InputError: For the first row with another identifier than in another file, or out of order.
        """
        before = portion.start
        identifiers = {key: _texts(portion.values[key]) for key in self.keys}
        for key in self.keys:
            pairs = enumerate(zip(identifiers[key], identifiers[self.keys[0]], strict=True))
            row = next((row for row, (identifier, expected) in pairs if identifier != expected), None)
            if row is not None and key not in self._unrelated:
                self._compare(key, before + row, identifiers[key][row], identifiers[self.keys[0]][row])
            numbers = numbers_in(identifiers[key])
            first = self._first_numbers.setdefault(key, min(numbers[0], 1)) if numbers else 0
            row = next((row for row, number in enumerate(numbers, before) if number - row != first), None)
            if row is not None and self._has_lines and key not in self._unnumbered:
                self._compare_lines(key, row, identifiers[key][row - before])

    def _compare(self, key: FileColumn, row: int, identifier: str, expected: str) -> None:
        """Raise InputError if the identifiers that differ in a row are those of other rows."""
        first, second = _texts(self.keys[0].all_values()), _texts(key.all_values())
        if set(first) & set(second) or (numbers_in(first) != numbers_in(second) and _have_equal_numbers(first, second)):
            message = f"expected the identifier {expected} as in {self.keys[0].content.name}, found {identifier}"
            raise key.error(row, message, self._hint)
        self._unrelated.add(key)

    def _compare_lines(self, key: FileColumn, row: int, identifier: str) -> None:
        """Raise InputError if the identifiers are numbers of lines, in another order, or with one of another line."""
        identifiers = _texts(key.all_values())
        if line_numbers(identifiers):
            raise key.error(row, f"found the identifier {identifier}: rows are not in line order", self._hint)
        numbers = numbers_in(identifiers)
        in_order = sum(0 <= number - place <= 1 for place, number in enumerate(numbers))
        if in_order > _IN_ORDER * len(identifiers) and len({*numbers}) < len(numbers):
            message = f"found the identifier {identifier}, which another row has: rows do not number the lines"
            by_position = Hint("correct the identifiers, or ", Option("id", NONE), " matches rows by position")
            raise key.error(row, message, by_position)
        self._unnumbered.add(key)


# --- repeated identifiers ---


def check_repeats(columns: TableColumns) -> None:
    """Check that no row of a system has the identifier and the source of another row.

    Rows of one identifier and several sources are parts of it, such as the sentences of an essay.

    Raises:
        InputError: For the first repeated identifier; names the column that distinguishes its rows.
    """
    for content in columns.system_tables:
        source = columns.source_next_to(content) or columns.source
        if source is None:
            continue
        texts = {column.index for column in columns.all if column.content is content}
        names = [(index, name) for index, name in enumerate(content.names) if index not in texts]
        for key in [content.column(KEY, index) for index, name in names if is_key(content, name)]:
            rows = _repeated_rows(key, source) if _has_repeats(key) else None
            if rows is not None:
                remedy = ", or ", Option("id", NONE), ": every row is a sentence"
                raise _repeat_error(key, *rows, columns, Hint(*remedy))


def _has_repeats(key: FileColumn) -> bool:
    """Return whether a value occurs twice in a column, which is read without the other columns."""
    hashes: list[Any] = [np.empty(0, np.int64)]
    try:
        for [values] in key.content.portions([key.index], MOST):
            present = (value for value in plain_values(values) if value is not None)
            hashes.append(np.fromiter((hash(str(value).strip()) for value in present), np.int64))
    except InputError:  # a row lacks the field, or is faulty: the caller reads all cells
        return True
    sorted_hashes = np.sort(np.concatenate(hashes))
    return bool((sorted_hashes[1:] == sorted_hashes[:-1]).any())


def _repeated_rows(key: FileColumn, source: FileColumn) -> tuple[int, int] | None:
    """Return the first row with an earlier identifier, after that one; None if a source differs, or without one.

    Memory holds three numbers per row.
    """
    hashes: list[Any] = [np.empty((0, 3), np.int64)]
    row = count()
    for values, lines in _keys_and_sources(key, source):
        identifiers = ("" if value is None else str(value).strip() for value in values)
        texts = zip(identifiers, map(str, lines), row, strict=False)  # the numbers last: one read in vain is lost
        numbers = [(row, hash(text), hash("".join(line.split()))) for text, line, row in texts if text]
        hashes.append(np.array(numbers, np.int64).reshape(-1, 3))
    rows, ids, sources = np.concatenate(hashes).T
    order = np.argsort(ids, kind="stable")
    is_repeated = ids[order][1:] == ids[order][:-1]
    if not is_repeated.any() or (sources[order][1:] != sources[order][:-1])[is_repeated].any():
        return None
    later = int(order[1:][is_repeated].min())
    return int(rows[(ids == ids[later]).argmax()]), int(rows[later])


def _keys_and_sources(key: FileColumn, source: FileColumn) -> Iterator[tuple[Sequence[Any], Sequence[Any]]]:
    """Yield the identifiers of rows and their sources, some at a time."""
    if source.content is key.content:
        for values, lines in key.content.cells([key.index, source.index], MOST):
            yield plain_values(values), plain_values(lines)
        return
    keys, sources = key.content.cells([key.index], MOST), source.content.portions([source.index], MOST)
    for [values], [lines] in zip(keys, sources, strict=False):
        yield plain_values(values), lines


def _repeat_error(key: FileColumn, first: int, row: int, columns: TableColumns, remedy: AnyHint = "") -> InputError:
    """Return the error of an identifier that occurs in two rows; ``remedy`` follows the hint to leave one of them."""
    content = key.content
    [cells] = content.cells(range(len(content.names)), ALL)
    values = [[str(value) for value in plain_values(column)] for column in cells]
    ids = values[key.index]
    first_row = first if content.order is None else content.order[first]
    message = f"the identifier {ids[row].strip()} occurs twice, first in row {first_row + 1}"
    if remedy and differ_in_references_alone(content, columns, [[first, row]]):
        joins = Hint(
            Option("id", shlex.quote(key.name)), " reads the rows of one as references of one sentence", remedy
        )
        return key.error(row, f"{message}; the rows differ in the reference", joins)
    texts = {column.index for column in columns.all if column.content is content}
    candidates = [index for index in range(len(values)) if index not in (*texts, key.index)]
    numbers = {index: len({*values[index]}) for index in candidates}
    separating = [
        index
        for index in candidates
        if len({*zip(ids, values[index], strict=True)}) == len(ids) and len({*Counter(values[index]).values()}) == 1
    ]
    if separating:
        index = min(separating, key=numbers.__getitem__)
        name = content.names[index]
        by_system: dict[str, list[str]] = {}
        for system, identifier in zip(values[index], ids, strict=True):
            by_system.setdefault(system, []).append(identifier)
        orders = [*by_system.values()]
        is_matching = all(order == orders[0] for order in orders)
        matching = () if is_matching else (Step(" ", ", "), Option("id", shlex.quote(key.name)))
        hint = Hint(
            Option("system_column", shlex.quote(name)), *matching, f" scores the rows of each {name} as a system"
        )
        return key.error(row, f"{message}; the rows differ in {name}", hint)
    different = [content.names[index] for index in range(len(values)) if values[index][first] != values[index][row]]
    reason = f"the rows differ in {listed(different)}" if different else "the rows are equal"
    return key.error(row, f"{message}; {reason}", Hint("leave one row of each identifier", remedy))


# --- identifiers ---


def line_numbers(identifiers: Sequence[str]) -> list[int]:
    """Return the places from 0 that identifiers number from 0 or 1, without a gap; empty for others."""
    numbers = numbers_in(identifiers)
    least = min(numbers, default=2)
    is_complete = least < 2 and sorted(numbers) == list(range(least, least + len(numbers)))
    return [number - least for number in numbers] if is_complete else []


def _have_equal_numbers(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether identifiers that differ in their letters have the same numbers."""
    numbers = numbers_in(first)
    return bool(numbers) and set(numbers) == set(numbers_in(second))


def _texts(values: Iterable[Any]) -> list[str]:
    return [str(value).strip() for value in values]


def _unique(key: FileColumn, columns: TableColumns, *, is_source: bool) -> dict[str, int]:
    """Return the rows by identifier; a sentence that occurs twice has the number of its row in its second identifier.

    Raises InputError for another identifier that occurs twice, and for rows without one.
    """
    rows: dict[str, int] = {}
    numbers: Counter[str] = Counter()
    values = key.all_values()
    for row, identifier in enumerate(_texts(values)):
        if values[row] is None or not identifier:
            raise key.error(row, "a row has no identifier")
        if identifier in rows and not is_source:
            raise _repeat_error(key, rows[identifier], row, columns)
        numbers[identifier] += 1
        number = numbers[identifier]
        rows[identifier if number == 1 else f"{identifier} (row {number} of it)"] = row
    return rows


def _order(first: FileColumn, expected: Mapping[str, int], key: FileColumn, rows: Mapping[str, int]) -> list[int]:
    """Return the row of each identifier; raises InputError for one without a row in either file."""
    if not expected.keys() & rows.keys() and _have_equal_numbers(list(expected), list(rows)):
        by_number = dict(zip(numbers_in(list(rows)), rows.values(), strict=True))
        return [by_number[number] for number in numbers_in(list(expected))]
    for column, ids, present, file in ((first, expected, rows, key.content), (key, rows, expected, first.content)):
        missing = [identifier for identifier in ids if identifier not in present]
        if missing:
            message = f"{file.name} has no row for {listed(missing)}"
            raise column.error(ids[missing[0]], message, NO_ROW if column is first else None)
    return [rows[identifier] for identifier in expected]


def _numbering_error(key: FileColumn, identifiers: Sequence[str], file: str) -> InputError:
    """Return the error of identifiers that do not number the lines of a file."""
    numbers = numbers_in(identifiers)
    expected = range(1, max(numbers)) if numbers and min(numbers) < 2 else ()
    gaps = [str(number) for number in expected if number not in numbers]
    reason = f"no row for {listed(gaps)}" if gaps else f"for example {identifiers[0]}"
    message = f"{file} has no identifiers, and those in {key.name} do not number its lines: {reason}"
    return key.content.file.error(message, hint=NO_ROW if gaps else "give all texts in tables with identifiers")
