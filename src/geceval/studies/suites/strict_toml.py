"""TOML read strictly: what is there is of the right type, nothing is there that nobody reads, and errors say where."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from geceval.base.arguments import did_you_mean, shown
from geceval.base.errors import InputError, require_extra
from geceval.text.files import PathLike, display_name
from geceval.text.reading.lines import read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    with require_extra("suite", "reading TOML needs a package before Python 3.11"):
        import tomli as tomllib

_MISSING: Any = object()


def read_toml(path: PathLike) -> Fields:
    """The file as fields. Raises InputError with its line for what is not TOML."""
    return parse_toml(read_text(path), display_name(path))


def parse_toml(text: str, path: str) -> Fields:
    """The text of a file as fields. Errors: see read_toml."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        line = int(place[1]) if place else None
        message = str(error)[: place.start()] if place else str(error)
        raise InputError(f"not TOML: {message}", path=path, line=line) from None
    except RecursionError:
        raise InputError("not TOML that can be read: it is nested too deeply", path=path) from None
    return Fields(values, path)


class Fields:
    """A table of a TOML file: values by key, each asked for with its type; ``end`` refuses what nobody asked for.

    ``where``: the table's name. All raise InputError that names file, table and key.
    """

    def __init__(self, values: Mapping[str, Any], path: str, where: str = "") -> None:
        self.values, self.path, self.where = values, path, where
        self._asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def error(self, message: str, hint: str | None = None) -> InputError:
        """An error about this table."""
        return InputError(f"[{self.where}] {message}" if self.where else message, path=self.path, hint=hint)

    def _get(self, key: str, kind: type, what: str, default: Any) -> Any:
        self._asked.append(key)
        if key not in self.values:
            if default is _MISSING:
                raise self.error(f"{key} is needed: {what}")
            return default
        value = self.values[key]
        if not isinstance(value, kind):
            raise self.error(f"{key} takes {what}, not {shown(value)}")
        return value

    def text(self, key: str, default: Any = _MISSING) -> Any:
        """A string; the default where there is none."""
        return self._get(key, str, "a string", default)

    def texts(self, key: str, default: Any = _MISSING) -> Any:
        """Strings, as a tuple: a list of them."""
        found = self._get(key, list, "a list of strings", default)
        for value in found:
            if not isinstance(value, str):
                raise self.error(f"{key} takes a list of strings, and one of them is {shown(value)}")
        return tuple(found)

    def names(self, key: str, default: Any = _MISSING) -> Any:
        """A string or several: a list of them."""
        if isinstance(self.values.get(key), str):
            return (self.text(key),)
        return self.texts(key, default)

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        return bool(self._get(key, bool, "true or false", default))

    def table(self, key: str) -> Fields:
        """Return the table ``[key]``, empty where there is none."""
        return self._within(key, self._get(key, dict, f"a table, [{key}]", {}))

    def tables(self, key: str, shared: Iterable[str] = ()) -> dict[str, Fields]:
        """The tables ``[key.NAME]`` by name, in the order of the file. They take over the values of this table for
        ``shared`` keys that they lack."""
        defaults = {name: self.values[name] for name in shared if name in self}
        found = self._get(key, dict, f"tables, each [{key}.NAME]", {})
        for name, value in found.items():
            if not isinstance(value, dict):
                raise self.error(f"{key} takes tables, each [{key}.NAME], and {name} is {shown(value)}")
        return {name: self._within(f"{key}.{name}", {**defaults, **value}) for name, value in found.items()}

    def rows(self, key: str) -> list[Fields]:
        """The tables ``[[key]]``, in the order of the file."""
        found = self._get(key, list, f"tables, each [[{key}]]", [])
        for value in found:
            if not isinstance(value, dict):
                raise self.error(f"{key} takes tables, each [[{key}]], not {shown(value)}")
        return [self._within(f"{key} {at}", value) for at, value in enumerate(found, 1)]

    def map(self, key: str) -> dict[str, str]:
        """Strings by name: a table of them."""
        found = self._get(key, dict, "a table of strings", {})
        for name, value in found.items():
            if not isinstance(value, str):
                raise self.error(f"{key}.{name} takes a string, not {shown(value)}")
        return dict(found)

    def _within(self, where: str, values: Mapping[str, Any]) -> Fields:
        return Fields(values, self.path, f"{self.where}.{where}" if self.where else where)

    def end(self) -> None:
        """Raise InputError for a key that nobody asked for, with the nearest that there is."""
        known: Sequence[str] = list(dict.fromkeys(self._asked))
        for key in self.values:
            if key not in known:
                message = f"unknown key {key!r}: choose from {', '.join(known)}"
                raise self.error(message, hint=did_you_mean(key, known))
