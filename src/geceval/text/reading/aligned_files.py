"""Rows of files that belong together: aligned by position, and checked to belong together.

``align_columns`` yields the rows of all files; each check is an iterator that yields the rows that it is given.
"""

from __future__ import annotations

import contextlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import PurePath
from typing import Any, NamedTuple

from geceval._kernel import Text
from geceval.base.errors import InputError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.text.blank_texts import UNCHANGED, BlankTexts
from geceval.text.columns import CompleteText, check_lengths
from geceval.text.files import kind_of
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import KEY, FileColumn, FileContent
from geceval.text.reading.table_parts import PARQUET

#: The role of a source that is not used, as the source is given by another file.
UNUSED = "unused source"
#: Number of rows that are read at a time where the texts are only compared or counted.
PART = 1 << 11


class Rows(NamedTuple):
    """Some rows of files.

    Attributes:
        start: Number of rows before them.
        values: Their values by column.
        source: Their sentences, empty until the source is checked.
    """

    start: int
    values: dict[FileColumn, Any]
    source: CompleteText = Text([])


def align_columns(columns: Sequence[FileColumn], size: int) -> Iterator[Rows]:
    """Yield the rows of columns, ``size`` at a time.

    Raises InputError with all lengths if files differ in length or are empty.
    """
    contents = list(dict.fromkeys(column.content for column in columns))
    indices = {file: sorted({column.index for column in columns if column.content is file}) for file in contents}
    positions = {column: indices[column.content].index(column.index) for column in columns}
    with contextlib.ExitStack() as stack:
        passes = {file: contextlib.closing(file.portions(indices[file], size)) for file in contents}
        opened = {file: stack.enter_context(portions) for file, portions in passes.items()}
        rows_before = 0
        while True:
            rows = {file: next(portions, [[]]) for file, portions in opened.items()}
            lengths = {file: len(portion[0]) for file, portion in rows.items()}
            length = next(iter(lengths.values()))
            if rows_before == 0 == length or len(set(lengths.values())) > 1:
                rest = {file: sum(len(portion[0]) for portion in portions) for file, portions in opened.items()}
                _check_rows(columns, {file: rows_before + lengths[file] + rest[file] for file in opened})
            if length == 0:
                return
            yield Rows(rows_before, {column: rows[column.content][place] for column, place in positions.items()})
            rows_before += length


def narrow_rows(rows: Iterable[Rows], references: Sequence[FileColumn], most: int) -> Iterator[Rows]:
    """Yield rows, fewer at a time where the lists of references are long.

    Args:
        rows: The rows.
        references: The columns of references, whose lists may be written as text.
        most: The most rows at a time, times the longest list in them; a single row may exceed it.
    """
    in_table = [column for column in references if column.in_table]
    for start, values, _ in rows:
        values |= {column: column.with_lists(values[column], start) for column in in_table}
        columns = (values[column] for column in in_table if not isinstance(values[column], Text))
        lengths = (len(cell) for cells in columns for cell in cells if isinstance(cell, (list, tuple)))
        number, size = len(next(iter(values.values()))), max(1, most // max(1, max(lengths, default=1)))
        for first in range(0, number, size):
            yield Rows(start + first, {column: cells[first : first + size] for column, cells in values.items()})


def _check_rows(columns: Sequence[FileColumn], totals: dict[FileContent, int]) -> None:
    roles = {column.content: "table" if column.in_table else column.role for column in reversed(columns)}
    width = max(map(len, roles.values()))
    plain = not any(column.is_edits or column.in_table for column in columns)
    names = {file: f"{file.file.path} ({file.part})" if file.part else file.file.path for file in totals}
    lengths = [(f"{roles[file]:<{width}}  {names[file]}".strip(), total) for file, total in totals.items()]
    keys = [column.name for column in columns if column.role == KEY]
    hint: AnyHint | None = None
    if keys[1:]:
        hint = Hint(Option("id", " ".join(dict.fromkeys(keys))), " names the missing rows")
    if plain:
        hint = "geceval prepare --align SOURCE FILE -o ALIGNED divides and joins lines"
        for file in totals:
            kind = kind_of(file.file.path)
            hint = hint if kind is None else f"{file.file.path} is {kind.description}"
        hint = "\n  ".join(_find_remedies(totals)) or hint
        [(most, _)] = Counter(totals.values()).most_common(1)
        if all(roles[file] == "labels" for file, total in totals.items() if total != most):
            hint = "a file of labels has one for each sentence, in the order of the source"
    check_lengths(lengths, noun="lines" if plain else "sentences", hint=hint)


def _find_remedies(totals: Mapping[FileContent, int]) -> Iterator[str]:
    """Yield a command for each plain text that is longer than the shortest by empty lines only."""
    least = min(totals.values())
    if least == 0:
        return
    for file, total in totals.items():
        if total > least:
            texts = FileColumn("", file).all_values()
            if not any(str(text).strip() for text in texts[least:]):
                what, verb = ("last line", "is") if total == least + 1 else (f"last {total - least} lines", "are")
                path = file.file.path
                yield f"the {what} of {path} {verb} empty: head -n {least} {shlex.quote(path)} > FILE"


# --- copies in further tables ---


def check_copies(rows: Iterable[Rows], columns: TableColumns, original: FileColumn) -> Iterator[Rows]:
    """Yield rows whose copies of the source in further tables agree with it.

    Raises:
        InputError: For the first copy that differs.
    """
    for portion in rows:
        for column in columns.copies:
            _check_copy(column, portion.values[column], original, portion.source, portion.start)
        yield portion


def _check_copy(column: FileColumn, values: Sequence[Any], original: FileColumn, source: Text, start: int) -> None:
    """Raise InputError unless the source of a further table is the same, spaces aside.

    One that is unused may differ, but not be the source of another row.
    """
    for row, (value, line) in enumerate(zip(values, source, strict=True)):
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        is_same = text == line or "".join(text.split()) == "".join(str(line).split())
        if not is_same and (column.role != UNUSED or text in source):
            message = f"the source differs from the one of {original.content.name}"
            names = " ".join(name for name in dict.fromkeys([column.name, original.name]) if name)
            hint = Hint(Option("id", names), f" matches rows by it\n  {line}\n  {text}")
            raise column.error(start + row, message, _parts_hint(column, original) or hint)


def _parts_hint(column: FileColumn, original: FileColumn) -> Hint | None:
    """Return the hint that two tables are parts of one: Parquet files in one folder with the same columns."""
    paths = [PurePath(content.file.path) for content in (original.content, column.content)]
    are_alike = list(column.content.names) == list(original.content.names)
    if not (are_alike and paths[0].parent == paths[1].parent and all(path.suffix == PARQUET for path in paths)):
        return None
    pattern = str(paths[0].parent / f"*{PARQUET}")
    return Hint(Option("table", shlex.quote(pattern)), " reads the parts of one table")


# --- sources of M2 files ---


def check_m2_sources(
    rows: Iterable[Rows], columns: Sequence[FileColumn], systems: Mapping[str, FileColumn]
) -> Iterator[Rows]:
    """Yield rows until an M2 file has another sentence than the source; the other rows are only compared.

    Args:
        rows: Rows with their source, and with the texts of systems.
        columns: The columns, some of which are M2 files.
        systems: Columns of systems by name, one of which may be the intended source.

    Raises:
        InputError: At the end, with the first sentence that differs.
    """
    checks = {column: _SourceCheck() for column in columns if column.is_m2}
    for portion in rows:
        outputs = {name: portion.values[column] for name, column in systems.items()}
        texts = {name: output for name, output in outputs.items() if isinstance(output, Text)}
        for column, check in checks.items():
            check.add(portion.values[column], portion.source, texts)
        if not any(check.different for check in checks.values()):
            yield portion
    for check in checks.values():
        check.end()


class _SourceCheck:
    """A check, part by part, that an M2 file has the sentences of the source."""

    def __init__(self) -> None:
        self.different = self._sentences = 0
        self._first: tuple[int, Block, str] | None = None
        self._meant: dict[str, Text] = {}

    def add(self, blocks: Blocks, source: Text, systems: Mapping[str, Text]) -> None:
        """Compare a part.

        ``systems`` are the systems' texts, one of which may be the intended source.
        """
        different = blocks.source.differing(source)
        if different and self._first is None:
            index = different[0]
            self._first = self._sentences + index + 1, blocks[index], str(source[index])
            self._meant = dict(systems) if self._sentences == 0 else {}
        self._meant = {name: systems[name] for name in self._meant if not blocks.source.differing(systems[name])}
        self.different += len(different)
        self._sentences += len(blocks)

    def end(self) -> None:
        """Raise InputError with the first sentence that differs from the source."""
        if self._first is not None:
            s, block, line = self._first
            message = f"sentence {s} differs from the source ({self.different} of {self._sentences} differ)"
            hint = f"{block.source}\n        {line}"
            for system in self._meant:
                hint += f"\n  the file has the sentences of system {system}: source and system look swapped"
            raise block.error(message, hint=hint)


# --- references ---


def reference_texts(columns: Sequence[FileColumn], portion: Rows, blank: BlankTexts, *, breaks: bool) -> list[Text]:
    """Return ``references[r][s]`` of some rows.

    Args:
        columns: The columns of references; a cell of a table is a text, a list of texts (see narrow_rows) or
            missing. The texts of lists are last, since their number differs between parts of the table.
        portion: Rows with their source.
        blank: Reads blank texts.
        breaks: Whether line breaks are allowed.

    Raises:
        InputError: For values that are not text.
    """
    before, rows, source = portion
    alone: list[Text] = []
    of_lists: list[Text] = []
    for column in columns:
        cells = rows[column]
        may_be_list = column.in_table and not isinstance(cells, Text)
        is_list = may_be_list and any(isinstance(cell, (list, tuple)) for cell in cells)
        # Shorter lists give None.
        for lines in zip_longest(*map(as_list, cells)) if is_list else [cells]:
            present = blank.read(
                column.title, lines, source, is_cell=column.in_table, has_nulls=not is_list, place=column.places(before)
            )
            text = column.checked(present, before, optional=column.in_table, breaks=breaks)
            (of_lists if is_list else alone).append(text)
    return [*alone, *of_lists]


def as_list(cell: Any) -> Sequence[Any]:
    """Return the texts of a cell; a text next to lists is a list of one."""
    return cell if isinstance(cell, (list, tuple)) else [cell]


def texts_in(cells: Iterable[Any]) -> list[Any]:
    """Return the texts of cells, of which each may be a list."""
    return [text for cell in cells for text in as_list(cell)]


def check_references(columns: Sequence[FileColumn], texts: Sequence[Text], portion: Rows) -> None:
    """Raise InputError for a row without references, if there are any; see reference_texts."""
    if texts and not any(text.complete for text in texts):
        for s in range(len(portion.source)):
            if all(text[s] is None for text in texts):
                raise no_reference(columns[0], portion.start + s)


def no_reference(column: FileColumn, row: int) -> InputError:
    """Return the error of a row, counted from 0, without references."""
    hint = Hint(UNCHANGED, "; leave out other sentences without a reference")
    return column.error(row, "the reference is missing", hint)
