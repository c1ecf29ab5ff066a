"""Tables, the roles of their columns in a corpus, and Parquet files.

pyarrow (``geceval[arrow]``) reads Parquet files in batches.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import UsageError, require_extra
from geceval.text.files import SOURCE, duplicate_system_error, path_text
from geceval.text.preparation import ROLES, Role
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import FileColumn, FileContent
from geceval.text.reading.formats import Format, InputFile, table_format

#: Names, ignoring case, of the columns that are used by default.
USUAL: Mapping[Role, re.Pattern[str]] = {
    "source": re.compile("source", re.IGNORECASE),
    "references": re.compile(r"references?|reference[ _.-]?\d+", re.IGNORECASE),
    "systems": re.compile(r"hypothesis|hypothesis[ _.-]?\d+", re.IGNORECASE),
}


@dataclass(frozen=True, eq=False)
class InputTable:
    """A table and the names of its columns; the values are read later."""

    content: FileContent
    names: Sequence[str]

    @staticmethod
    def opened(path: str, format: str | Format | None = None, *, header: bool = True) -> InputTable:
        """Open a table and return it.

        Raises the errors of table_format, and the format's errors of reading.
        """
        path = path_text(path)
        file, format = InputFile(path), table_format(path, format, header=header)
        return InputTable(FileContent(file, format), list(format.columns(file)))

    def column(self, role: str, name: Any) -> FileColumn:
        """Return a column by name or, if no column has the name, by number from 1.

        Raises UsageError that lists the columns if it does not exist.
        """
        file, number = self.content.file.name, str(name)
        if list(self.names).count(name) > 1:
            raise UsageError(f"{file} has two columns called {name}", hint="give the number of the column, from 1")
        if name in self.names:
            index = self.names.index(name)
        elif number.isascii() and number.isdecimal() and 1 <= int(number) <= len(self.names):
            index = int(number) - 1
        else:
            raise missing_column_error(file, name, self.names)
        return FileColumn(role, self.content, index, self.names[index])

    def default_names(self, role: Role) -> list[str]:
        """Return the names of the columns that have a role by default."""
        return [name for name in self.names if USUAL[role].fullmatch(name)]


def missing_column_error(table: str, name: object, names: Sequence[object]) -> UsageError:
    """Return the error for a missing column."""
    message = f"{table} has no column {shown(name)}: choose from {', '.join(map(str, names))}"
    return UsageError(message, hint=did_you_mean(name, [column for column in names if isinstance(column, str)]))


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table in a corpus.

    ``references`` contain texts or lists of texts.
    """

    source: FileColumn | None = None
    references: Sequence[FileColumn] = ()
    systems: Mapping[str, FileColumn] = field(default_factory=dict)
    labels: FileColumn | None = None

    @staticmethod
    def of(
        table: InputTable,
        source: str | None = None,
        hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
        references: str | Sequence[str] | None = None,
        labels: str | None = None,
        *,
        find: Collection[Role] = ROLES,
    ) -> TableColumns:
        """Return the named columns.

        None stands for the default columns, if the role is in ``find``.
        """
        if source is None and "source" in find:
            source = next(iter(table.default_names("source")), None)
        if hypothesis is None:
            hypothesis = table.default_names("systems") if "systems" in find else ()
        if references is None:
            references = table.default_names("references") if "references" in find else ()
        names = _listed("references", references)
        return TableColumns(
            None if source is None else table.column("source", source),
            [table.column(f"reference {r}", name) for r, name in enumerate(names)],
            _systems(table, hypothesis),
            None if labels is None else table.column("labels", labels),
        )

    @property
    def paths(self) -> list[str]:
        """The file of the table, as a list; empty without a table."""
        columns = [self.source, *self.references, *self.systems.values(), self.labels]
        return list({column.content.file.path for column in columns if column is not None})

    def to_dict(self) -> dict[str, Any]:
        """Return the names of the columns by role as JSON values."""
        return {
            "source": None if self.source is None else self.source.name,
            "references": [column.name for column in self.references],
            "systems": {name: column.name for name, column in self.systems.items()},
        }

    def described(self) -> str:
        """Return the columns of each role in one line."""
        systems = self.systems.items()
        roles: list[tuple[str, Sequence[str]]] = [
            ("source", [] if self.source is None else [self.source.name]),
            ("references", [column.name for column in self.references]),
            ("systems", [column.name if name == column.name else f"{name}={column.name}" for name, column in systems]),
            ("labels", [] if self.labels is None else [self.labels.name]),
        ]
        return "; ".join(f"{role}: {', '.join(names)}" for role, names in roles if names)


def _listed(argument: str, names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else as_sequence(argument, names, "column")


def _systems(table: InputTable, hypothesis: str | Sequence[str] | Mapping[str, str]) -> dict[str, FileColumn]:
    if isinstance(hypothesis, Mapping):
        pairs = [(name, table.column("system", column)) for name, column in hypothesis.items()]
    else:
        columns = [table.column("system", name) for name in _listed("hypothesis", hypothesis)]
        pairs = [(column.name, column) for column in columns]
    systems: dict[str, FileColumn] = {}
    for name, column in pairs:
        if name == SOURCE:
            raise UsageError(f"{SOURCE} is the name of the unchanged source")
        if name in systems:
            raise duplicate_system_error(name)
        systems[name] = column
    return systems


Path = tuple[str, ...]


class Parquet(Format):
    """Parquet with the columns of its schema; ``a.b`` is a field of a structure."""

    def columns(self, file: InputFile) -> Sequence[str]:
        with _opened(file) as table:
            return [".".join(path) for path in _paths(table.schema_arrow)]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        with _opened(file) as table:
            paths = _paths(table.schema_arrow)
            chosen = [paths[column] for column in columns]
            top_columns = list(dict.fromkeys(path[0] for path in chosen))
            for batch in table.iter_batches(min(size, MOST), columns=top_columns, use_threads=False):
                if len(batch):
                    yield [_values(batch, path) for path in chosen]

    def rows(self, file: InputFile) -> int:
        with _opened(file) as table:
            return int(table.metadata.num_rows)


def require_arrow() -> Any:
    """Import and return pyarrow with its Parquet module.

    Raises MissingExtraError without it.
    """
    with require_extra("arrow", "Parquet needs pyarrow"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


@contextlib.contextmanager
def _opened(file: InputFile) -> Iterator[Any]:
    """Yield the opened table.

    Raises MissingExtraError without pyarrow, InputError for damaged files.
    """
    pyarrow = require_arrow()
    with file.open(packed=True) as stream:
        try:
            # Buffered, since otherwise the pages of a whole row group are read ahead.
            with pyarrow.parquet.ParquetFile(stream, buffer_size=1 << 20, pre_buffer=False) as table:
                yield table
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise file.error(f"cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def _paths(fields: Any, above: Path = ()) -> list[Path]:
    """Return the paths of all columns that are not structures."""
    import pyarrow

    paths: list[Path] = []
    for column in fields:
        path, kind = (*above, column.name), column.type
        within = [kind.field(index) for index in range(kind.num_fields)] if pyarrow.types.is_struct(kind) else []
        paths += _paths(within, path) if within else [path]
    return paths


def _values(batch: Any, path: Path) -> Sequence[Any]:
    """Return the values of a column, None for missing ones."""
    import pyarrow.compute

    column = batch.column(path[0])
    if len(path) > 1:
        column = pyarrow.compute.struct_field(column, list(path[1:]))
    return column_values(column)


def column_values(column: Any) -> Sequence[Any]:
    """Return the values of an Arrow array, None for missing ones.

    Strings are a Text, which is copied from Arrow's buffers. Raises UnicodeDecodeError for bytes that are not UTF-8.
    """
    import pyarrow

    if not pyarrow.types.is_string(column.type) and not pyarrow.types.is_large_string(column.type):
        return list(column.to_pylist())
    chunks = [_chunk_text(chunk) for chunk in getattr(column, "chunks", [column])]
    return chunks[0] if len(chunks) == 1 else Text.joined(chunks)


def _chunk_text(array: Any) -> Text:
    import pyarrow

    offset_type = np.int64 if pyarrow.types.is_large_string(array.type) else np.int32
    _, ends, data = array.buffers()
    if not ends or not data:  # no lines, or no bytes
        return Text(array.to_pylist())
    offsets = np.frombuffer(ends, offset_type)[array.offset : array.offset + len(array) + 1]
    valid = array.is_valid().to_numpy(zero_copy_only=False) if array.null_count else None
    try:
        return Text.from_arrow(np.frombuffer(data, np.uint8), offsets.astype(np.int64), valid)
    except ValueError:  # not UTF-8: the list is refused with the reason
        return Text(array.to_pylist())
