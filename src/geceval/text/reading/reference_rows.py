"""A row per reference: rows with one sentence and one output, whose references are those of one sentence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.blank_texts import is_blank
from geceval.text.columns import DIFFERING, repeated_rows
from geceval.text.frames import plain_values
from geceval.text.reading.aligned_files import texts_in
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import FileColumn, FileContent, Portion
from geceval.text.reading.key_columns import NONE, key_columns
from geceval.text.reading.lines import ALL

#: Number of the first rows that are examined in a table without identifiers, and names of columns of annotators, for
#: which all rows are.
EXAMINED = 2048
_ANNOTATOR_NAMES = re.compile(
    "(?:annotator|rater|corrector|editor|teacher|proofreader|reference|ref|gold)s?(?:[ _.-]?(?:name|id|no|number))?",
    re.IGNORECASE,
)
#: Names of columns of decisions on rows, whether true means that there is none, and decisions against a row.
_DECISION_NAMES = re.compile(r"(?:.*[ _.-])?(?:answer|status|state|decision|verdict|(was_cancelled))", re.IGNORECASE)
_REJECTED = (
    *("reject", "rejected", "ignore", "ignored", "skip", "skipped", "discard", "discarded", "cancelled", "canceled"),
    *("draft", "in progress", "abandoned"),
)


def with_joined_references(columns: TableColumns, names: Sequence[str]) -> TableColumns:
    """Return columns with a row for each identifier, if rows of one identifier differ in the reference alone.

    The references of these rows become a list. Rows that differ in another text stay, for the caller to refuse.

    Args:
        columns: The columns.
        names: Names of the column of identifiers; see key_columns.
    """
    joined = {}
    contents = dict.fromkeys(column.content for column in columns.all_references if column.in_table)
    for content, key in key_columns(contents, names).items():
        groups: dict[str, list[int]] = {}
        for row, identifier in enumerate(key.all_values()):
            groups.setdefault(str(identifier).strip(), []).append(row)
        rows = [group for group in groups.values() if len(group) > 1]
        if rows and differ_in_references_alone(content, columns, rows):
            joined[content] = _joined(content, columns, list(groups.values()))
    return columns.with_contents(joined) if joined else columns


def check_reference_rows(columns: TableColumns) -> None:
    """Check that the rows of a table are not one for each reference, which would count sentences several times.

    Raises:
        InputError: If most of the first rows, or of all rows of a table with a column of annotators, have the sentence
            and the output of another one, with another reference.
    """
    for content in dict.fromkeys(column.content for column in columns.all_references if column.in_table):
        source = columns.source_next_to(content)
        if source is None:
            continue
        try:
            rows = _reference_rows(content, columns)
        except InputError:  # a bad row, which is reported with its place when all columns are read
            continue
        if rows:
            raise _rows_error(source, rows)


def warn_of_rejected_rows(columns: TableColumns) -> None:
    """Warn of rows whose references nobody accepted, by a column of decisions next to them, as of annotation tools."""
    for content in dict.fromkeys(column.content for column in columns.all_references if column.in_table):
        for name in _unused_names(content, columns):
            match = _DECISION_NAMES.fullmatch(name)
            if match is None:
                continue
            rejected = ("true",) if match[1] else _REJECTED
            [cells] = next(iter(content.cells([content.names.index(name)], ALL)), [[]])
            values = [str(value).strip().casefold() for value in plain_values(cells)]
            decisions = dict.fromkeys(value for value in values if value in rejected)
            if decisions:
                number = sum(value in decisions for value in values)
                message = f"{content.file.name}: {number} of {len(values)} rows have {name} {' or '.join(decisions)}"
                warn(f"{message}, and their references are read", "leave out the rows that nobody accepted")


def _reference_rows(content: FileContent, columns: TableColumns) -> Sequence[int]:
    """Return the rows of the first sentence of a table with a row for each reference; empty for other tables."""
    has_annotators = any(_ANNOTATOR_NAMES.fullmatch(name) for name in _unused_names(content, columns))
    size = ALL if has_annotators else EXAMINED
    repeated = repeated_rows(_hashes(content, columns, size))
    return repeated[0] if repeated and _differ_in_references(content, columns, repeated, size) else []


def _rows_error(source: FileColumn, rows: Sequence[int]) -> InputError:
    order = source.content.order
    first_row = rows[0] if order is None else order[rows[0]]
    message = f"the sentence and its output are those of row {first_row + 1}, with another reference"
    joins = Hint(Option("id", shlex.quote(source.name)), " reads the rows of a sentence as its references, ")
    hint = Hint(joins, Option("id", NONE), " every row as a sentence")
    return source.error(rows[1], message, hint)


def _unused_names(content: FileContent, columns: TableColumns) -> Iterator[str]:
    used = {column.index for column in columns.all if column.content is content}
    return (name for index, name in enumerate(content.names) if index not in used)


def _hashes(content: FileContent, columns: TableColumns, size: int) -> list[int]:
    """Return a hash of the texts of each of the first rows that are no references."""
    references = {column.index for column in columns.all_references}
    indexes = sorted({column.index for column in columns.all if column.content is content} - references)
    hashes: list[int] = []
    if not indexes:  # all columns in use are references
        return hashes
    for portion in content.cells(indexes, min(size, EXAMINED)):
        rows = zip(*map(plain_values, portion), strict=True)
        hashes += [hash(tuple(map(str, texts))) for texts in rows]
        if len(hashes) >= size:
            break
    return hashes


def differ_in_references_alone(content: FileContent, columns: TableColumns, groups: Sequence[Sequence[int]]) -> bool:
    """Return whether the rows of each group have the same texts, and those of some of them other references."""
    hashes = _hashes(content, columns, ALL)
    have_same_texts = all(len({hashes[row] for row in rows}) == 1 for rows in groups)
    return have_same_texts and _differ_in_references(content, columns, groups, ALL)


def _differ_in_references(
    content: FileContent, columns: TableColumns, groups: Sequence[Sequence[int]], size: int
) -> bool:
    """Return whether the rows of some groups differ in the reference."""
    indexes = [column.index for column in columns.all_references if column.content is content]
    cells = next(iter(content.cells(indexes, size)), [])
    references = [plain_values(values) for values in cells]
    differing = [any(_number_of_texts(values, rows) > 1 for values in references) for rows in groups]
    return sum(differing) > DIFFERING * len(groups)


def _number_of_texts(values: Sequence[Any], rows: Sequence[int]) -> int:
    """Return the number of distinct texts in some rows of a column."""
    return len({str(values[row]) for row in rows if values[row] is not None and not is_blank(values[row])})


def _joined(content: FileContent, columns: TableColumns, groups: Sequence[Sequence[int]]) -> FileContent:
    """Return a content with a row for each group: the first one, with the references of all as a list."""
    references = {column.index for column in columns.all_references if column.content is content}

    def joined_by(read: Callable[[Sequence[int]], Portion]) -> Callable[[Sequence[int]], Iterator[Portion]]:
        def values_of(indexes: Sequence[int]) -> Iterator[Portion]:
            portion = [plain_values(values) for values in read(indexes)]
            yield [
                [texts_in([values[row] for row in rows]) if index in references else values[rows[0]] for rows in groups]
                for index, values in zip(indexes, portion, strict=True)
            ]

        return values_of

    read = joined_by(lambda indexes: next(content.portions(indexes, ALL)))
    read_cells = joined_by(lambda indexes: next(iter(content.cells(indexes, ALL))))
    return replace(
        content,
        read=lambda indexes, _: read(indexes),
        line=lambda row: content.line_of(groups[row][0]),
        read_cells=lambda _: read_cells(range(len(content.names))),
        rows=len(groups),
        order=None,
        parts=(),
        cache={},
    )
