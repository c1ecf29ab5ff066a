"""Locate the files that a suite names by path, environment variable or checksum."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.studies.suites.known_files import FoundFile, best_copies, check_folder, known_files
from geceval.studies.suites.suite_definition import Suite
from geceval.text.files import is_file

_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]*)\})")


class Places:
    """Locations of the files that a suite names.

    ``$NAME`` and ``${NAME}`` are environment variables, ``~`` is the home folder, and relative paths are relative to
    the folder of the definition. ``@conll14/gold`` is a file in the folder ``data`` that is known by its checksum,
    whatever its name. ``notes`` describe how files differ from the published ones, and ``m2_paths`` are files that
    are known to be M2.
    """

    def __init__(self, suite: Suite, data: str | None = None) -> None:
        self.suite, self.data = suite, data
        self.notes: list[str] = []
        self.m2_paths: set[str] = set()
        self.folder = Path(suite.path).parent

    def path(self, name: str) -> str:
        """Return the path of a file that the definition names.

        Raises InputError, with the path of the suite, if the file does not exist.
        """
        if name.startswith("@"):
            return self._known(name[1:])
        named = Path(_VARIABLE.sub(self._value, name))
        try:
            path = self.folder / named.expanduser()
        except RuntimeError:
            raise InputError(f"no home folder found for {named.parts[0]} ({name})", path=self.suite.path) from None
        if not is_file(path):
            raise InputError(f"file not found: {path} ({name})", path=self.suite.path)
        return str(path)

    def _value(self, found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if name not in os.environ:
            raise InputError(f"${name} is not set in the environment ({found.string})", path=self.suite.path)
        return os.environ[name]

    def fault(self, name: str) -> str | None:
        """Return why a file that the definition names cannot be used; None if it can."""
        try:
            self.path(name)
        except InputError as error:
            where = "" if error.path == self.suite.path else error.where
            return f"{where}{error.message}" + (f" ({error.hint})" if error.hint else "")
        return None

    @cached_property
    def located(self) -> Mapping[str, FoundFile]:
        """Known files in the data folder, by id."""
        if self.data is None:
            message = f"{self.suite.title} requires a folder with its data files"
            raise UsageError(message, hint="use --data FOLDER, or set GECEVAL_DATA in the environment")
        found = check_folder(self.data)
        self.notes += [f"{one.path}: {'; '.join(one.problems)}; ignored" for one in found if one.state == "unreadable"]
        return best_copies(found)

    def _known(self, id: str) -> str:
        if id not in known_files():
            raise InputError(f"unknown file @{id}", path=self.suite.path, hint="see: geceval data list")
        known, found = known_files()[id], self.located.get(id)
        if found is None:
            message = f"{known.what}: not found under {self.data}"
            raise InputError(message, path=self.suite.path, hint=f"{known.name}: {known.origin}")
        if not found.usable:
            message = f"{'; '.join(found.problems)}; nearly {known.what}"
            raise InputError(message, path=found.path, hint=f"{known.name}: {known.origin}")
        note = f"{found.path}: {'; '.join(found.problems)}; read as {known.what}"
        if found.state == "same" and note not in self.notes:
            self.notes.append(note)
        if known.print.annotators:
            self.m2_paths.add(found.path)
        return found.path
