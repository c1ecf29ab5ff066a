"""Errors of geceval on executors: they reach the driver as text within an exception of Spark's."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from geceval.base import errors
from geceval.base.errors import GecevalError

#: What stands before the fields of an error, as JSON, in the text of an exception.
MARK = "geceval error: "


class ExecutorError(Exception):
    """The text of a GecevalError for people, and its fields for ``clear_errors``."""


def reporting(task: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Yield what a task yields. Raises ExecutorError for the errors of geceval."""
    try:
        yield from task(*arguments)
    except GecevalError as error:
        kind = next(own.__name__ for own in type(error).__mro__ if own.__module__ == errors.__name__)
        names = ("message", "path", "line", "hint", "sentence")
        fields = {name: getattr(error, name) for name in names if getattr(error, name) is not None}
        raise ExecutorError(f"{error}\n{MARK}{json.dumps([kind, fields])}") from error


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Errors that began as geceval's on an executor, and are Spark's here, are geceval's again::

    with clear_errors():
        sentence_scores(df, …).write.parquet("scored")
    """
    try:
        yield
    except Exception as error:
        _, mark, rest = str(error).rpartition(MARK)
        if not mark or not type(error).__module__.startswith(("pyspark.", "py4j.")):
            raise
        kind, fields = json.JSONDecoder().raw_decode(rest)[0]
        raise getattr(errors, kind)(**fields) from None
