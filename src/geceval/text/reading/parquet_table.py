"""Parquet files, read by pyarrow (``geceval[arrow]``) in batches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from geceval._kernel import Text
from geceval.base.errors import require_extra
from geceval.text.reading.delimited import MOST
from geceval.text.reading.formats import Format, InputFile

Path = tuple[str, ...]


class Parquet(Format):
    """Parquet with the columns of its schema; ``a.b`` is a field of a structure."""

    def columns(self, file: InputFile) -> Sequence[str]:
        with _opened(file) as table:
            return [".".join(path) for path in _paths(table.schema_arrow)]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        with _opened(file) as table:
            paths = _paths(table.schema_arrow)
            wanted = [paths[column] for column in columns]
            tops = list(dict.fromkeys(path[0] for path in wanted))
            for batch in table.iter_batches(min(size, MOST), columns=tops, use_threads=False):
                if len(batch):
                    yield [_values(batch, path) for path in wanted]

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

    found: list[Path] = []
    for one in fields:
        path, kind = (*above, one.name), one.type
        within = [kind.field(at) for at in range(kind.num_fields)] if pyarrow.types.is_struct(kind) else []
        found += _paths(within, path) if within else [path]
    return found


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

    whole = np.int64 if pyarrow.types.is_large_string(array.type) else np.int32
    _, ends, data = array.buffers()
    if not ends or not data:  # no lines, or no bytes
        return Text(array.to_pylist())
    offsets = np.frombuffer(ends, whole)[array.offset : array.offset + len(array) + 1]
    valid = array.is_valid().to_numpy(zero_copy_only=False) if array.null_count else None
    try:
        return Text.from_arrow(np.frombuffer(data, np.uint8), offsets.astype(np.int64), valid)
    except ValueError:  # not UTF-8: the list is refused with the reason
        return Text(array.to_pylist())
