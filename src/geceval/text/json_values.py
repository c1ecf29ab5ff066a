"""The JSON values of a file: of an array, one per line, or over several lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from geceval.base.errors import InputError

#: Decodes NaN, as Python writes missing values, like null.
DECODER = json.JSONDecoder(parse_constant=lambda _: None)
_GAP = re.compile(r"[\s,]*")


def json_values(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """Yield the values in the text of a file, each with its first line.

    A list that is the whole text yields its items.

    Raises:
        InputError: For text that is not JSON, with the line.
    """
    position, line, is_list = 0, 1, False
    opening = "[" if _is_one_value(text) else None
    try:
        while (start := _next(text, position)) < len(text):
            line += text.count("\n", position, start)
            if text[start] == (opening if position == 0 else "]" if is_list else None):
                position, is_list = start + 1, not is_list
                continue
            value, position = DECODER.raw_decode(text, start)
            yield line, value
            line += text.count("\n", start, position)
        if is_list:
            raise json.JSONDecodeError("Expecting ']'", text, position)
    except (json.JSONDecodeError, RecursionError) as error:
        what = getattr(error, "msg", "too many brackets")
        raise InputError(f"not JSON: {what}", path=name, line=getattr(error, "lineno", line)) from None
    except ValueError:
        raise InputError("a number is too large to be read", path=name, line=line) from None


def _is_one_value(text: str) -> bool:
    """Return whether a text is one JSON value.

    True if it begins with a value that is not valid.
    """
    try:
        _, end = DECODER.raw_decode(text, _next(text, 0))
    except (ValueError, RecursionError):
        return True
    return _next(text, end) == len(text)


def _next(text: str, position: int) -> int:
    """Return the position after spaces and commas."""
    match = _GAP.match(text, position)
    return match.end() if match else position
