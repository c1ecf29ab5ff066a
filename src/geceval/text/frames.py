"""Columns of data frames of any kind: pandas, polars, Arrow, mappings of columns."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from geceval.base.arguments import as_sequence, check_column, shown
from geceval.base.errors import InputError, framework

#: Name of Arrow's extension type of JSON.
JSON_TYPE = "arrow.json"
#: Attributes of columns of pyarrow and polars with the type, and of the type with the name of an extension.
_EXTENSION_NAMES = ("type", "extension_name"), ("dtype", "ext_name")


class FrameColumns:
    """Columns of a table by name, as lists.

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
        if not hasattr(frame, "keys") and not hasattr(frame, "columns") and hasattr(frame, "__arrow_c_stream__"):
            frame = framework("pyarrow").table(frame)
        names = getattr(frame, "column_names", None)  # pyarrow's `columns` are the columns themselves
        if names is None:
            names = frame.keys() if hasattr(frame, "keys") else getattr(frame, "columns", None)
        if names is None or not hasattr(frame, "__getitem__"):
            raise InputError(
                f"a table must be a data frame, a mapping of columns or an Arrow stream, not {shown(frame)}",
                hint='for example {"source": [...], "hypothesis": [...], "reference": [...]}',
            )
        self._frame, self._names = frame, list(names)

    def __getitem__(self, name: Any) -> list[Any]:
        """Return a column; raises UsageError, with the nearest name, if it does not exist."""
        check_column(name, self._names)
        return list(as_sequence(f"column {name}", plain_values(self._frame[name]), "value"))


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
