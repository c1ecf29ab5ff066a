"""Parquet files as tables; pyarrow (``geceval[arrow]``) reads them in batches."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Text
from geceval.base.errors import InputError, require_extra
from geceval.text.frames import JSON_TYPE, decoded_json, plain_values
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import FileContent, Portion
from geceval.text.reading.input_files import InputFile

#: Names of a column and of the fields within it.
FieldPath: TypeAlias = tuple[str, ...]


def open_parquet(file: InputFile) -> FileContent:
    """Return the columns of the schema of a Parquet file; ``a.b`` is a field of a structure.

    Raises:
        MissingExtraError: Without pyarrow.
        InputError: For a damaged file.
    """

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        with _opened(file) as table:
            fields = list(_fields(table.schema_arrow).values())
            is_json = [_is_json(fields[column]) for column in columns]
            for arrays in _arrays(table, columns, size):
                try:
                    values = list(map(column_values, arrays))
                    yield [decoded_json(cells) if json else cells for cells, json in zip(values, is_json, strict=True)]
                except InputError as error:
                    raise file.error(error.message) from None

    def read_cells(size: int) -> Iterator[Portion]:
        with _opened(file) as table:
            for arrays in _arrays(table, None, size):
                for array in arrays:
                    array.validate(full=True)  # raises ArrowException for bytes that are not UTF-8
                yield arrays

    with _opened(file) as table:
        columns = Counter(table.schema_arrow.names)
        if repeated := [name for name, number in columns.items() if number > 1]:
            raise file.error(f"two columns called {repeated[0]}", hint="give each column its own name")
        names = [".".join(path) for path in _fields(table.schema_arrow)]
        rows = int(table.metadata.num_rows)
    return FileContent(file, names, read, read_cells=read_cells, rows=rows)


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


def _fields(fields: Any, above: FieldPath = ()) -> dict[FieldPath, Any]:
    """Return the fields of all columns that are not structures, by path."""
    import pyarrow

    columns: dict[FieldPath, Any] = {}
    for column in fields:
        path, kind = (*above, column.name), column.type
        within = [kind.field(index) for index in range(kind.num_fields)] if pyarrow.types.is_struct(kind) else []
        columns |= _fields(within, path) if within else {path: column}
    return columns


def _is_json(field: Any) -> bool:
    """Return whether the texts of a column are JSON, in a version of pyarrow without this type."""
    return (field.metadata or {}).get(b"ARROW:extension:name") == JSON_TYPE.encode()


def _arrays(table: Any, columns: Sequence[int] | None, size: int) -> Iterator[Sequence[Any]]:
    """Yield the arrays of these columns, or of all, about ``size`` rows at a time."""
    import pyarrow.compute

    paths = list(_fields(table.schema_arrow))
    paths = paths if columns is None else [paths[column] for column in columns]
    top_columns = list(dict.fromkeys(path[0] for path in paths))
    for batch in table.iter_batches(min(size, MOST), columns=top_columns, use_threads=False):
        if len(batch):
            arrays = ((batch.column(path[0]), list(path[1:])) for path in paths)
            yield [pyarrow.compute.struct_field(array, within) if within else array for array, within in arrays]


def column_values(column: Any) -> Sequence[Any]:
    """Return the values of an Arrow array, None for missing ones.

    Strings are a Text, which is copied from Arrow's buffers. Raises UnicodeDecodeError for bytes that are not UTF-8.
    """
    import pyarrow

    if not pyarrow.types.is_string(column.type) and not pyarrow.types.is_large_string(column.type):
        return list(plain_values(column))
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
