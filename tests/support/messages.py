"""Messages of errors, as tests compare them with snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from geceval._kernel import KernelError
from geceval.base.errors import GecevalError
from geceval.base.kernel_errors import kernel_message


def message_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """Return the class and the message of the error that a call raises, or that an iterator it returns raises."""
    try:
        result = function(*args, **kwargs)
        if isinstance(result, Iterator):
            list(result)
    except (GecevalError, ValueError) as error:
        message = kernel_message(error) if isinstance(error, KernelError) else error
        return f"{type(error).__name__}: {message}"
    pytest.fail("the call raised no error")
