"""Where the files of a definition are: beside it, where the environment says, or known by their checksums."""

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
    """Finds the files that a suite names.

    ``$NAME`` and ``${NAME}`` are variables of the environment, ``~`` is the home folder, and what is then relative is
    so to the folder of the definition. ``@conll14/gold`` is a file known by its checksum, under whatever name it lies
    in the folder ``data``. ``notes``: how files differ from the published ones.
    """

    def __init__(self, suite: Suite, data: str | None = None) -> None:
        self.suite, self.data = suite, data
        self.notes: list[str] = []
        self.folder = Path(suite.path).parent

    def path(self, name: str) -> str:
        """The path of a file that the definition names. Raises InputError, with the suite, if it is not there."""
        if name.startswith("@"):
            return self._known(name[1:])
        named = Path(_VARIABLE.sub(self._value, name))
        try:
            path = self.folder / named.expanduser()
        except RuntimeError:
            raise InputError(f"there is no home folder for {named.parts[0]} ({name})", path=self.suite.path) from None
        if not is_file(path):
            raise InputError(f"there is no file {path} ({name})", path=self.suite.path)
        return str(path)

    def _value(self, found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if name not in os.environ:
            raise InputError(f"${name} is not set in the environment ({found.string})", path=self.suite.path)
        return os.environ[name]

    def is_m2(self, name: str) -> bool:
        """Whether a file that the definition names is known to be M2, whatever it is called."""
        return name.startswith("@") and name[1:] in known_files() and bool(known_files()[name[1:]].print.annotators)

    def fault(self, name: str) -> str | None:
        """Why a file that the definition names cannot be used; None if it can."""
        try:
            self.path(name)
        except InputError as error:
            where = "" if error.path == self.suite.path else error.where
            return f"{where}{error.message}" + (f" ({error.hint})" if error.hint else "")
        return None

    @cached_property
    def located(self) -> Mapping[str, FoundFile]:
        """The known files in the folder, by id."""
        if self.data is None:
            message = f"the data of {self.suite.title} are needed: the files are known by their checksums"
            raise UsageError(message, hint="--data FOLDER, or GECEVAL_DATA in the environment")
        found = check_folder(self.data)
        self.notes += [
            f"{one.path}: {'; '.join(one.problems)}; passed over" for one in found if one.state == "unreadable"
        ]
        return best_copies(found)

    def _known(self, id: str) -> str:
        if id not in known_files():
            raise InputError(f"no file @{id} is known", path=self.suite.path, hint="geceval data list")
        known, found = known_files()[id], self.located.get(id)
        if found is None:
            what = f"{known.what}: no file under {self.data} is it"
            raise InputError(what, path=self.suite.path, hint=f"{known.name}: {known.origin}")
        if not found.usable:
            what = f"{'; '.join(found.problems)}; nearly {known.what}"
            raise InputError(what, path=found.path, hint=f"{known.name}: {known.origin}")
        note = f"{found.path}: {'; '.join(found.problems)}; read as {known.what}"
        if found.state == "same" and note not in self.notes:
            self.notes.append(note)
        return found.path
