"""Tables, whose columns are found by name and first values; other values are read later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from geceval.base.arguments import missing_column_error, shown
from geceval.base.errors import InputError, UsageError
from geceval.text.reading.file_columns import HEAD, FileColumn, FileContent, Format
from geceval.text.reading.formats import table_format
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.role_names import is_answer, listed_names
from geceval.text.reading.table_parts import open_parts, parts_of
from geceval.text.system_files import named_systems


@dataclass(frozen=True, eq=False)
class InputTable:
    """A table and the names of its columns; the values are read later.

    ``label`` names its system if ``is_named``, or if several tables have one.
    """

    content: FileContent
    label: str
    is_named: bool = False

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return self.content.names

    def by_system(self, name: str) -> list[InputTable]:
        """Return a table of the rows of each system; the table if it has no column of this name."""
        if self.content.position(name) is None:
            return [self]
        rows: dict[str, list[int]] = {}
        for row, label in enumerate(self.column("system names", name).all_labels()):
            rows.setdefault(label, []).append(row)
        return [InputTable(self.content.selected(order, label), label, True) for label, order in rows.items()]

    def column(self, role: str, name: Any) -> FileColumn:
        """Return a column by name or, if no column has the name, by number from 1 or letter."""
        file, index = self.content.file.name, self.content.position(name)
        if list(self.names).count(name) > 1:
            raise UsageError(f"{file} has two columns called {name}", hint="give the number of the column, from 1")
        if index is None:
            raise missing_column_error(file, name, listed_names(self.names))
        return self.content.column(role, index)


def open_tables(
    paths: Sequence[str],
    names: Sequence[str | None] | None = None,
    format: str | Format | None = None,
    *,
    header: bool = True,
    skip_rows: int = 0,
    system: str | None = None,
) -> list[InputTable]:
    """Open tables and return them.

    Args:
        paths: The files.
        names: Their names; None is the base name of the file.
        format: See CorpusFiles.of_table.
        header: See CorpusFiles.of_table.
        skip_rows: See CorpusFiles.of_table.
        system: A column of names of systems, each of which gets a table of its rows.

    Raises:
        GecevalError: See table_format; and the format's errors of reading.
    """
    tables = [
        InputTable(
            _opened(path, lambda path: table_format(path, format, header=header, skip_rows=skip_rows)),
            label,
            label in (names or ()),
        )
        for label, path in named_systems(paths, names).items()
    ]
    if system is None:
        return tables
    columns_of(tables, "system names", system)  # raises UsageError without one
    return [part for table in tables for part in table.by_system(system)]


def _opened(path: str, format_of: Callable[[str], Format]) -> FileContent:
    """Return the content of a table; raises UsageError for a format that returns anything else.

    ``format_of`` returns the format of a file.
    """
    if parts := parts_of(path):
        return open_parts(path, parts, format_of(parts[0]))
    content = format_of(path)(InputFile(path))
    if not isinstance(content, FileContent):
        raise UsageError(f"a format must return a geceval.extending.FileContent, not {shown(content)}")
    return content


def columns_of(tables: Sequence[InputTable], role: str, name: Any) -> list[FileColumn]:
    """Return the column of each table that has it.

    Raises UsageError if no table has it.
    """
    columns = [table.column(role, name) for table in tables if table.content.position(name) is not None]
    if not columns:
        files = [table.content.file.name for table in tables]
        raise missing_column_error(" and ".join(files), name, column_names(tables), "have" if files[1:] else "has")
    return columns


def column_names(tables: Sequence[InputTable]) -> list[str]:
    """Return the names of the columns of all tables."""
    return list(dict.fromkeys(name for table in tables for name in listed_names(table.names)))


def is_text_or_texts(value: Any) -> bool:
    """Return whether a value is a text, or a list of them."""
    return isinstance(value, str) or (isinstance(value, list) and bool(value) and all(map(is_text_or_texts, value)))


def is_sentence(value: Any) -> bool:
    """Return whether a value may be a sentence, or several: a text with spaces or letters beyond a to z, a list."""
    return is_text_or_texts(value) and (isinstance(value, list) or " " in value.strip() or not value.isascii())


def has_values(content: FileContent, name: str, is_one: Callable[[Any], bool] = is_sentence) -> bool:
    """Return whether ``is_one`` is true of some of the first values of a column."""
    try:
        values = content.column("", content.names.index(name)).first_values(HEAD)
    except InputError:  # a row lacks the field, such as one of a failed request
        return is_answer(name)
    return any(map(is_one, values))
