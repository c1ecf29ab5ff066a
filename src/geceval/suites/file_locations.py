"""Locate the files that a suite names by path or checksum."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from geceval.base.arguments import did_you_mean, listed
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, command_words
from geceval.suites.suite_definition import KnownFile, Measured, Suite, files_below, known_files, text_checksum
from geceval.text.files import is_file, is_folder, is_m2

#: Number of unused files that a message names.
UNUSED = 10
#: Files with more characters are not searched; all known files have fewer.
LONGEST = 2_000_000


class FileLocations:
    """Locations of the files that a suite names.

    Relative paths are relative to the folder of the definition. ``@conll14/gold`` is a file in the folder ``data``
    with a known checksum: at the path that the definition lists, or else anywhere under any name. ``notes`` name files
    of ``data`` that cannot be read; ``m2_paths`` are files that are known to be M2.
    """

    def __init__(self, suite: Suite, data: str | None = None) -> None:
        self.suite, self.data = suite, data
        self.notes: list[str] = []
        self.m2_paths: set[str] = set()
        self._checksums: dict[str, str | None] = {}
        self._not_found = False
        for measured in self.suite.all_sets.values():
            for name in measured.files:
                if name.startswith("@") and name[1:] not in self._known_files(measured):
                    hint = did_you_mean(name, [f"@{id}" for id in self._known_files(measured)])
                    hint = hint or f"list its path and sha256 under [files.{name[1:]!r}]"
                    raise InputError(
                        f"{measured.name}: unknown file {name}", path=self._definition(measured), hint=hint
                    )

    def _known_files(self, measured: Measured) -> Mapping[str, KnownFile]:
        return {**known_files(), **measured.known}

    def _definition(self, measured: Measured) -> str:
        return measured.path or self.suite.path

    def path(self, measured: Measured, name: str) -> str:
        """Return the path of a file that the definition of a set names.

        Raises InputError, with the path of the definition, if the file does not exist.
        """
        definition = self._definition(measured)
        if name.startswith("@"):
            return self._known(definition, self._known_files(measured)[name[1:]])
        path = Path(definition).parent / name
        if not is_file(path):
            name_in_definition = "" if name == str(path) else f" ({name})"
            hint = "variables and ~ are not expanded: write the path" if re.match("~|.*[$]", name) else None
            raise InputError(f"file not found: {path}{name_in_definition}", path=definition, hint=hint)
        return str(path)

    def fault(self, measured: Measured, name: str) -> str | None:
        """Return why a file of a set cannot be used; None if it can."""
        try:
            self.path(measured, name)
        except InputError as error:
            where = "" if error.path == self._definition(measured) else error.where
            return f"{where}{error.message}" + (f" ({command_words(error.hint)})" if error.hint else "")
        return None

    @property
    def folder(self) -> str:
        """The data folder; raises UsageError if none is named, or it does not exist."""
        if self.data is None:
            message = f"{self.suite.title} requires a folder with its data files"
            hint = Hint("use ", Option("data", "FOLDER"), ", or set GECEVAL_DATA in the environment")
            raise UsageError(message, hint=hint)
        if not is_folder(self.data):
            raise UsageError(f"{self.data} is not a folder", hint="use the folder that contains the data files")
        return self.data

    @cached_property
    def _searched(self) -> tuple[Mapping[str, str], Sequence[str]]:
        """Paths of known files in the data folder by checksum, and unused files."""
        listed_files = [file for measured in self.suite.all_sets.values() for file in measured.known.values()]
        known = {file.checksum for file in (*known_files().values(), *listed_files)}
        listed_paths = {str(Path(self.folder, file.path)) for file in listed_files if file.path}
        refused: list[OSError] = []
        paths: dict[str, str] = {}
        unused: list[str] = []
        for path in files_below(self.folder, refused.append):
            try:
                checksum = self._checksum(path, LONGEST)
            except InputError as error:
                self.notes.append(f"{path}: {error.message}; ignored")
                checksum = None
            if checksum in known:
                paths.setdefault(str(checksum), path)
            elif path not in listed_paths:
                unused.append(os.path.relpath(path, self.folder))
        self.notes += [f"{error.filename}: cannot read: {error.strerror}; ignored" for error in refused]
        return paths, unused

    def _checksum(self, path: str, longest: int | None = None) -> str | None:
        if self._checksums.get(path) is None:
            self._checksums[path] = text_checksum(path, longest)
        return self._checksums[path]

    @property
    def remedy(self) -> Hint:
        """Hint for files that cannot be used.

        It names unused files of the data folder if a file was not found.
        """
        unused: Sequence[str] = self._searched[1] if self._not_found else ()
        published = {file.name for file in known_files().values()}
        likely_first = sorted(unused, key=lambda path: Path(path).name not in published)
        files = f"unused files in {self.data}: {listed(likely_first, UNUSED)}; " if unused else ""
        return Hint(files, Option("sets"), " scores other sets only")

    def faults(self, measured: Measured, names: Iterable[str]) -> list[str]:
        """Return why files of a set cannot be used, with the name of the set."""
        faults = (self.fault(measured, name) for name in dict.fromkeys(names))
        return [f"{measured.name}: {fault}" for fault in faults if fault is not None]

    def _known(self, definition: str, known: KnownFile) -> str:
        path = str(Path(self.folder, known.path)) if known.path else self._searched[0].get(known.checksum, "")
        if not is_file(path):
            self._not_found = True
            location = f"at {path}" if known.path else f"under {self.data}"
            message = f"@{known.id}: not found {location}{'' if known.path else self._nearest(known)}"
            raise InputError(message, path=definition, hint=str(known))
        if known.path and self._checksum(path) != known.checksum:
            message = f"differs from @{known.id}: the SHA-256 is {self._checksum(path)}, expected {known.checksum}"
            raise InputError(message, path=path, hint=str(known))
        if known.is_m2:
            self.m2_paths.add(path)
        return path

    def _nearest(self, known: KnownFile) -> str:
        """Return a remark on the unused file whose name is nearest to a known file's, ignoring endings and case."""
        unused = [path for path in self._searched[1] if is_m2(str(Path(self.folder, path))) == known.is_m2]
        by_stem = {Path(path).stem.lower(): path for path in reversed(unused)}
        stems = [Path(name).stem.lower() for name in (known.name, known.id)]
        same_stem = [by_stem[stem] for stem in stems if stem in by_stem]
        if same_stem:
            return f"; {same_stem[0]} has its name, but other contents"
        near = [by_stem[stem] for name in stems for stem in get_close_matches(name, by_stem, n=1)]
        return f"; {near[0]} has the nearest name, but other contents" if near else ""
