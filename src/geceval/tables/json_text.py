"""Results as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from geceval._kernel import __version__


def as_json(schema: str, content: Mapping[str, Any], *, short: bool = False) -> str:
    """Return a JSON document.

    Dataclasses become objects, NaN becomes null, and infinity becomes the string "inf".

    Args:
        schema: Name of the schema.
        content: Keys and values of the document.
        short: Write one line without spaces.
    """
    document = {"schema": schema, "version": __version__, **content}
    layout: dict[str, Any] = {"separators": (",", ":")} if short else {"indent": 1}
    return json.dumps(_plain(document), ensure_ascii=False, allow_nan=False, **layout) + "\n"


def json_of_many(schema: str, key: str, items: Iterable[Any]) -> Iterator[str]:
    """Yield the text of a JSON document whose ``key`` is a list of many items."""
    head, tail = as_json(schema, {key: [None]}).split("null")
    yield head
    for number, item in enumerate(items):
        text = json.dumps(_plain(item), ensure_ascii=False, allow_nan=False, indent=1)
        yield (",\n  " if number else "") + text.replace("\n", "\n  ")
    yield tail


def _plain(value: Any) -> Any:
    if value is None or type(value) in (str, int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else str(value) if math.isinf(value) else value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return _plain(vars(value)) if is_dataclass(value) else value
