"""Folders with the outputs of systems, ``OUTPUTS/SYSTEM/SET.txt`` or ``OUTPUTS/SYSTEM/RUN/SET.txt``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from geceval.base.arguments import listed
from geceval.base.errors import InputError
from geceval.suites.suite_definition import DataSet, Suite
from geceval.text.files import COMPRESSED, SOURCE, has_kind, is_file, is_folder
from geceval.text.reading.file_kinds import ARCHIVES

#: Endings of output files.
ENDINGS = ("", *(f"{ending}{packed}" for ending in (".txt", ".m2") for packed in ("", *COMPRESSED)))
#: Content of a folder with outputs, for hints.
_LAYOUT = "a folder with outputs contains SYSTEM/SET.txt"


@dataclass(frozen=True)
class OutputFolders:
    """The folders of systems and of their runs.

    Attributes:
        path: The folder with the folders of the systems; None if there are no outputs.
        systems: Names of the systems.
        folders: Folder of each system by name; a system with several runs has one folder per run, "SYSTEM RUN".
        runs: Names of the runs of each system with several runs.
    """

    path: str | None = None
    systems: tuple[str, ...] = ()
    folders: Mapping[str, Path] = field(default_factory=dict)
    runs: Mapping[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str | None) -> OutputFolders:
        """Return the folders in a folder; raises InputError if it contains no folder of a system."""
        if path is None:
            return cls()
        folders: dict[str, Path] = {}
        runs: dict[str, list[str]] = {}
        systems = _system_folders(path)
        for name, folder in systems.items():
            folders_of_runs = _run_folders(name, folder)
            folders |= folders_of_runs
            if [*folders_of_runs] != [name]:
                runs[name] = [*folders_of_runs]
        return cls(path, tuple(systems), folders, runs)

    def outputs(self, data_set: DataSet) -> dict[str, str]:
        """Return the paths of the outputs for a set that exist, by system or run."""
        outputs: dict[str, str] = {}
        for system, folder in self.folders.items():
            for stem in data_set.outputs:
                files = [name for ending in ENDINGS if is_file(folder / (name := f"{stem}{ending}"))]
                if len(files) > 1:
                    message = f"more than one output of {system} for {data_set.name}: {', '.join(files)}"
                    raise InputError(message, path=str(folder), hint='keep one, or set outputs = "NAME.m2"')
                if files:
                    outputs.setdefault(system, str(folder / files[0]))
        return outputs

    def unused_files(
        self, suite: Suite, outputs: Mapping[str, Mapping[str, str]], stems: Collection[str]
    ) -> tuple[list[str], dict[str, InputError]]:
        """Return notes on files that no set reads, and the errors of the systems that have no other files.

        Args:
            suite: The suite.
            outputs: Outputs of systems by set.
            stems: Names of the outputs of all sets of the definition, read or not.
        """
        notes, errors = list(self._archives()), dict[str, InputError]()
        known = {f"{stem}{ending}" for stem in stems for ending in ENDINGS}
        for system, folder in self.folders.items():
            unused = [path.name for path in _visible(folder) if path.name not in known]
            missing = [data_set for data_set in suite.sets.values() if system not in outputs[data_set.name]]
            if unused and not missing:
                notes.append(f"{folder}: {listed(unused)} ignored")
            if not unused or not missing:
                continue
            stems_of_missing = dict.fromkeys(data_set.outputs[0] for data_set in missing)
            expected = " and ".join(f"{stem}.txt or {stem}.m2" for stem in stems_of_missing)
            if len(missing) == len(suite.sets):
                message = f"no output of {system}: {listed(unused)} {'is' if len(unused) == 1 else 'are'} not read"
                errors[system] = InputError(message, path=str(folder), hint=f"the expected names are {expected}")
            else:
                notes.append(f"{folder}: {listed(unused)} ignored; expected {expected}")
        return notes, errors

    def _archives(self) -> Iterator[str]:
        """Yield a note on archives next to the systems' folders: submissions that were not unpacked."""
        paths = [] if self.path is None else sorted(Path(self.path).iterdir())
        if archives := [path.name for path in paths if has_kind(str(path), *ARCHIVES)]:
            unpack = f"unpack {'it' if len(archives) == 1 else 'them'}, SYSTEM/SET.txt"
            yield f"{self.path}: {listed(archives)} ignored: {unpack}"


def _system_folders(folder: str) -> dict[str, Path]:
    """Return the systems' folders by name; raises InputError if none exist."""
    if not is_folder(folder):
        raise InputError("is not a folder", path=folder, hint=_LAYOUT)
    folders = {path.name: path for path in _visible(Path(folder)) if path.is_dir()}
    if not folders:
        raise InputError("no folders of systems found", path=folder, hint=_LAYOUT)
    if SOURCE in folders:
        raise InputError(f"a system may not be named {SOURCE}, which is the unchanged source", path=folder)
    return folders


def _run_folders(system: str, folder: Path) -> dict[str, Path]:
    """Return the folders of a system's runs by name, or its only folder."""
    inside = _visible(folder)
    if not inside or not all(path.is_dir() for path in inside):
        return {system: folder}
    return {f"{system} {path.name}": path for path in inside}


def _visible(folder: Path) -> list[Path]:
    """Return what a folder contains, by name, without hidden files and the folder that archives of macOS have."""
    return [path for path in sorted(folder.iterdir()) if path.name[0] != "." and path.name != "__MACOSX"]
