"""Read TOML strictly: types are checked, and unknown keys are errors.

tomllib returns untyped dictionaries. Suites and rules are written by hand, so an error names file, table and key; a
schema library would be a dependency for two kinds of files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from geceval.base.arguments import did_you_mean, shown
from geceval.base.errors import InputError
from geceval.base.hints import AnyHint
from geceval.text.files import PathLike, display_name, read_text

_MISSING: Any = object()
#: A dotted key of many parts: tomllib takes quadratic time, 80 s for 128 kB.
_DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){100}""")


def read_toml(path: PathLike) -> Fields:
    """Read a TOML file; raises InputError if it is not valid."""
    return parse_toml(read_text(path), display_name(path))


def parse_toml(text: str, path: str) -> Fields:
    """Parse the text of a TOML file; raises InputError if it is not valid."""
    if _DEEP_KEY.search(text):
        raise InputError("cannot parse TOML: a key has more than 100 parts", path=path)
    try:
        values = tomllib.loads(text)
    except ValueError as error:  # also an integer of thousands of digits
        raise InputError(f"not valid TOML: {error}", path=path) from None
    except RecursionError:
        raise InputError("cannot parse TOML: it is nested too deeply", path=path) from None
    return Fields(values, path)


class Fields:
    """A table of a TOML file, whose values are read by key and type.

    ``end`` raises an error for keys that were not read. ``where`` is the name of the table. All methods raise
    InputError, with file, table and key, if a value is missing or has the wrong type.
    """

    def __init__(self, values: Mapping[str, Any], path: str, where: str = "") -> None:
        self.values, self.path, self.where = values, path, where
        self._read: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def error(self, message: str, hint: AnyHint | None = None) -> InputError:
        """Return an error about this table."""
        return InputError(f"[{self.where}] {message}" if self.where else message, path=self.path, hint=hint)

    def _get(self, key: str, kind: type, what: str, default: Any) -> Any:
        self._read.append(key)
        if key not in self.values:
            if default is _MISSING:
                raise self.error(f"{key} is missing: it must be {what}")
            return default
        value = self.values[key]
        if not isinstance(value, kind):
            raise self.error(f"{key} must be {what}, not {shown(value)}")
        return value

    def _get_all(self, key: str, kind: type, item: type, what: str, default: Any) -> Any:
        """Return a list or table whose values have the type ``item``."""
        values = self._get(key, kind, what, default)
        for value in values.values() if kind is dict else values:
            if not isinstance(value, item):
                raise self.error(f"{key} must be {what}, but contains {shown(value)}")
        return values

    def text(self, key: str, default: Any = _MISSING) -> Any:
        """Return a string."""
        return self._get(key, str, "a string", default)

    def texts(self, key: str, default: Any = _MISSING) -> Any:
        """Return a list of strings, as a tuple."""
        return tuple(self._get_all(key, list, str, "a list of strings", default))

    def names(self, key: str, default: Any = _MISSING) -> Any:
        """Return a string or a list of strings, as a tuple."""
        if isinstance(self.values.get(key), str):
            return (self.text(key),)
        return tuple(self._get_all(key, list, str, "a string or a list of strings", default))

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        return bool(self._get(key, bool, "true or false", default))

    def table(self, key: str) -> Fields:
        """Return the table ``[key]``, empty by default."""
        return self._within(key, self._get(key, dict, f"a table, [{key}]", {}))

    def tables(self, key: str, shared: Iterable[str] = ()) -> dict[str, Fields]:
        """Return the tables ``[key.NAME]`` by name, in the order of the file.

        They inherit the values of this table for ``shared`` keys that they lack.
        """
        defaults = {name: self.values[name] for name in shared if name in self}
        tables = self._get_all(key, dict, dict, f"tables, each [{key}.NAME]", {})
        return {name: self._within(f"{key}.{name}", {**defaults, **values}) for name, values in tables.items()}

    def rows(self, key: str) -> list[Fields]:
        """Return the tables ``[[key]]``, in the order of the file."""
        rows = self._get_all(key, list, dict, f"tables, each [[{key}]]", [])
        return [self._within(f"{key} {number}", values) for number, values in enumerate(rows, 1)]

    def map(self, key: str) -> dict[str, str]:
        """Return a table of strings by name."""
        return dict(self._get_all(key, dict, str, "a table of strings", {}))

    def _within(self, where: str, values: Mapping[str, Any]) -> Fields:
        return Fields(values, self.path, f"{self.where}.{where}" if self.where else where)

    def end(self) -> None:
        """Raise InputError if the table has a key that was not read."""
        known: Sequence[str] = list(dict.fromkeys(self._read))
        for key in self.values:
            if key not in known:
                message = f"unknown key {key!r}: choose from {', '.join(known)}"
                raise self.error(message, hint=did_you_mean(key, known))
