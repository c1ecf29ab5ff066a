"""Columns of data frames of any kind: pandas, polars, Arrow, mappings of columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from geceval.base.arguments import as_sequence, check_column, shown
from geceval.base.errors import InputError, UsageError, framework

#: Name of Arrow's extension type of JSON.
JSON_TYPE = "arrow.json"
#: Attributes of columns of pyarrow and polars with the type, and of the type with the name of an extension.
_EXTENSION_NAMES = ("type", "extension_name"), ("dtype", "ext_name")


class FrameColumns:
    """Columns of a table by name, as lists; ``text.raw`` is a field of the structures in a column.

    Args:
        frame: A pandas, polars or pyarrow table, a mapping of columns, or an Arrow stream (``__arrow_c_stream__``),
            which requires pyarrow unless columns are accessible by name.

    Raises:
        InputError: For other values.
    """

    def __init__(self, frame: Any) -> None:
        if _is_lazy(frame):
            message = f"a table must be in memory, not a {type(frame).__name__}"
            raise InputError(message, hint="give table.collect() of polars, or table.toPandas() of Spark")
        names = _names_of(frame)
        if hasattr(frame, "__arrow_c_stream__") and not _has_columns(frame, names):
            frame = framework("pyarrow").table(frame)
            names = _names_of(frame)
        if names is None:
            raise InputError(
                f"a table must be a data frame, a mapping of columns or an Arrow stream, not {shown(frame)}",
                hint='for example {"source": [...], "hypothesis": [...], "reference": [...]}',
            )
        self._frame, self._names = frame, names

    @property
    def names(self) -> list[Any]:
        """Names of the columns."""
        return list(self._names)

    def __getitem__(self, name: Any) -> list[Any]:
        """Return a column; raises UsageError, with the nearest name, if it does not exist or several have its name."""
        if isinstance(name, str) and name not in self._names and name.rpartition(".")[0] in self._names:
            return self._field(*name.rsplit(".", 1))
        check_column(name, self._names)
        if self._names.count(name) > 1:
            number = self._names.count(name)
            raise UsageError(f"{number} columns have the name {shown(name)}", hint="rename all but one of them")
        return list(as_sequence(f"column {name}", plain_values(self._frame[name]), "value"))

    def _field(self, column: str, field: str) -> list[Any]:
        """Return the values of a field in the structures of a column; None if one is missing."""
        cells = self[column]
        structures = [cell for cell in cells if isinstance(cell, Mapping)]
        names = dict.fromkeys(f"{column}.{name}" for cell in structures for name in cell)
        check_column(f"{column}.{field}", [*self._names, *names])
        return [cell.get(field) if isinstance(cell, Mapping) else None for cell in cells]


def _has_columns(frame: Any, names: list[Any] | None) -> bool:
    """Return whether the columns of a table are values; those of a relation of DuckDB are relations."""
    return hasattr(frame, "column_names") or (bool(names) and isinstance(frame[(names or [""])[0]], Iterable))


def _names_of(frame: Any) -> list[Any] | None:
    """Return the names of the columns of a table; None for other values."""
    names: Any = getattr(frame, "column_names", None)  # pyarrow's `columns` are the columns themselves
    if names is None:
        names = frame.keys() if hasattr(frame, "keys") else getattr(frame, "columns", None)
    return None if names is None or not hasattr(frame, "__getitem__") else list(names)


def plain_values(values: Any) -> Any:
    """Return a column or cell with Python values, if it can be converted.

    Raises InputError for a column of JSON (``arrow.json``) with a value that is not JSON.
    """
    ways = [way for way in ("to_pylist", "to_list", "tolist") if hasattr(values, way)]
    plain = getattr(values, ways[0])() if ways else values
    return decoded_json(plain) if _is_json(values) else plain


def _is_json(column: Any) -> bool:
    """Return whether a column of Arrow or polars has the extension type of JSON, as datasets 5 writes mixed values."""
    arrow, polars = (getattr(getattr(column, name, None), way, None) for name, way in _EXTENSION_NAMES)
    return JSON_TYPE in (arrow, polars() if callable(polars) else None)


def decoded_json(values: Iterable[str | None]) -> list[Any]:
    """Return the values that are written as JSON; raises InputError for other text."""
    try:
        return [None if value is None else json.loads(value) for value in values]
    except (ValueError, RecursionError) as error:
        raise InputError(f"a column of JSON has a value that is not JSON: {error}") from None


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame of a library; a column, such as a Series, is none."""
    is_stream = hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__")
    return is_stream or _is_lazy(value) or hasattr(value, "columns") or hasattr(value, "column_names")


def _is_lazy(value: Any) -> bool:
    """Return whether a value is a frame of polars or Spark whose columns are computed by a method."""
    return callable(getattr(value, "collect", None))


def index_of(value: Any) -> list[Any] | None:
    """Return the index of a frame or a Series of pandas; None for other values."""
    index: Any = getattr(value, "index", None)
    return index.to_list() if hasattr(index, "to_list") else None
