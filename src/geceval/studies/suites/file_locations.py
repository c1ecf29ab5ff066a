"""Locate the files that a suite names by path, environment variable or checksum."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from geceval.base.arguments import did_you_mean
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.studies.suites.known_files import FoundFile, best_copies, check_folder, known_files
from geceval.studies.suites.suite_definition import Measured, Suite
from geceval.text.files import is_file

#: Number of files that a message names.
NAMED = 5
_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]*)\})")


class Places:
    """Locations of the files that a suite names.

    ``$NAME`` and ``${NAME}`` are environment variables, ``~`` is the home folder, and relative paths are relative to
    the folder of the definition. ``@conll14/gold`` is a file in the folder ``data`` that is known by its checksum,
    whatever its name. ``notes`` describe how files differ from the published ones, ``unused`` are unknown files in
    ``data``, and ``m2_paths`` are files that are known to be M2.
    """

    def __init__(self, suite: Suite, data: str | None = None) -> None:
        self.suite, self.data = suite, data
        self.notes: list[str] = []
        self.unused: list[str] = []
        self.m2_paths: set[str] = set()
        for of in (*suite.sets.values(), *suite.judged.values()):
            for name in of.files:
                if name.startswith("@") and name[1:] not in known_files():
                    hint = did_you_mean(name, [f"@{id}" for id in known_files()]) or "see: geceval data list"
                    raise InputError(f"{of.name}: unknown file {name}", path=self._definition(of), hint=hint)

    def _definition(self, of: Measured) -> str:
        return of.path or self.suite.path

    def path(self, of: Measured, name: str) -> str:
        """Return the path of a file that the definition of a set names.

        Raises InputError, with the path of the definition, if the file does not exist.
        """
        definition = self._definition(of)
        if name.startswith("@"):
            return self._known(definition, name[1:])
        for variable in (found[1] or found[2] for found in _VARIABLE.finditer(name)):
            if variable not in os.environ:
                raise InputError(f"${variable} is not set in the environment ({name})", path=definition)
        named = Path(_VARIABLE.sub(lambda found: os.environ[found[1] or found[2]], name))
        try:
            path = Path(definition).parent / named.expanduser()
        except RuntimeError:
            raise InputError(f"no home folder found for {named.parts[0]} ({name})", path=definition) from None
        if not is_file(path):
            given = "" if name == str(path) else f" ({name})"
            raise InputError(f"file not found: {path}{given}", path=definition)
        return str(path)

    def fault(self, of: Measured, name: str) -> str | None:
        """Return why a file of a set cannot be used; None if it can."""
        try:
            self.path(of, name)
        except InputError as error:
            where = "" if error.path == self._definition(of) else error.where
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
        self.unused = [os.path.relpath(one.path, self.data) for one in found if one.state in ("unknown", "unreadable")]
        return best_copies(found)

    @property
    def remedy(self) -> str:
        """Hint for files that cannot be used."""
        check = "" if self.data is None else f"geceval data check {self.data} compares the files; "
        return f"{check}--sets scores other sets only"

    def faults(self, of: Measured, names: Iterable[str]) -> list[str]:
        """Return why files of a set cannot be used, with the name of the set."""
        faults = (self.fault(of, name) for name in dict.fromkeys(names))
        return [f"{of.name}: {fault}" for fault in faults if fault is not None]

    def _known(self, definition: str, id: str) -> str:
        known, found = known_files()[id], self.located.get(id)
        hint = f"@{id} is {known.name}, SHA-256 {known.print.sha256[:16]}…, from {known.origin}"
        if found is None:
            unused = f"; unknown files there: {listed(self.unused)}" if self.unused else ""
            raise InputError(f"{known.what}: not found under {self.data}", path=definition, hint=f"{hint}{unused}")
        if not found.usable:
            problems = "; ".join(found.problems) or "altered"
            raise InputError(f"{problems}; nearly {known.what}", path=found.path, hint=hint)
        note = f"{found.path}: {'; '.join(found.problems)}; read as {known.what}"
        if found.state == "same" and note not in self.notes:
            self.notes.append(note)
        if known.print.annotators:
            self.m2_paths.add(found.path)
        return found.path


def listed(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
