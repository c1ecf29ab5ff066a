"""Restore errors of executors, which reach the driver as text of an exception."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from geceval.base import errors
from geceval.base.errors import GecevalError

#: Mark before the JSON fields of an error in the text of an exception.
MARK = "geceval error: "


class ExecutorError(Exception):
    """A GecevalError as text, followed by its fields for ``clear_errors``."""


def reporting(task: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Run a task and convert errors of geceval to ExecutorError.

    Args:
        task: Generator function.
        arguments: Its arguments.

    Yields:
        The values of the task.

    Raises:
        ExecutorError: If the task raises a GecevalError.
    """
    try:
        yield from task(*arguments)
    except GecevalError as error:
        kind = next(own.__name__ for own in type(error).__mro__ if own.__module__ == errors.__name__)
        names = ("message", "path", "line", "hint", "sentence")
        fields = {name: getattr(error, name) for name in names if getattr(error, name) is not None}
        raise ExecutorError(f"{error}\n{MARK}{json.dumps([kind, fields])}") from error


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Convert Spark exceptions to the errors of geceval that caused them.

    For example::

        with clear_errors():
            sentence_scores(df, …).write.parquet("scored")

    Yields:
        None.

    Raises:
        GecevalError: If it was raised on an executor.
    """
    try:
        yield
    except Exception as error:
        _, mark, rest = str(error).rpartition(MARK)
        if not mark or not type(error).__module__.startswith(("pyspark.", "py4j.")):
            raise
        kind, fields = json.JSONDecoder().raw_decode(rest)[0]
        raise getattr(errors, kind)(**fields) from None
