"""Columns of data frames of any kind: pandas, polars, Arrow, mappings of columns."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from geceval.base.arguments import as_sequence, check_column, did_you_mean, shown
from geceval.base.errors import InputError, UsageError, framework

P = ParamSpec("P")
R = TypeVar("R")


def checked_arguments(hint: str, *others: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a function that raises UsageError, with the names of its arguments, for other arguments.

    Args:
        hint: Hint unless a name is similar.
        others: Functions whose arguments it also takes, by name.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        parameters = [*signature.parameters.values()]
        parameters += [parameter for other in others for parameter in inspect.signature(other).parameters.values()]
        names = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
        names = [name for name in dict.fromkeys(names) if name != "cls"]

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name not in names:
                    message = f"{function.__name__} has no argument {name!r}: choose from {', '.join(names)}"
                    raise UsageError(message, hint=did_you_mean(name, names) or hint)
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                raise UsageError(f"{function.__name__}: {error}", hint=hint) from None
            return function(*args, **kwargs)

        return call

    return decorate


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
    """Return a column or cell with Python values, if it can be converted."""
    ways = [way for way in ("to_pylist", "to_list", "tolist") if hasattr(values, way)]
    return getattr(values, ways[0])() if ways else values


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
