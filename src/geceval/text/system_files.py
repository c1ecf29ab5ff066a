"""Files of systems: their names, and the outputs in a folder."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.text.files import (
    COMPRESSED,
    SOURCE,
    by_numbers,
    display_name,
    ending_of,
    has_ending,
    is_folder,
    read_errors,
)
from geceval.text.reading.file_kinds import OUTPUT_ENDINGS, REMOVED_ENDINGS

#: Beginnings of the names of files in a folder that are no outputs.
_NO_OUTPUTS = (".", "README", "LICENSE")


def files_of_folder(folder: str) -> list[str]:
    """Return the outputs in a folder, by name, with numbers by value; raises InputError without any."""
    with read_errors(folder):
        outputs = sorted((str(path) for path in Path(folder).iterdir() if _is_output(path)), key=by_numbers)
    if not outputs:
        message = f"the folder has no outputs ({', '.join(OUTPUT_ENDINGS)})"
        raise InputError(message, path=display_name(folder), hint=_hint_without_outputs(folder))
    return outputs


def _hint_without_outputs(folder: str) -> Hint:
    """Return the hint to name the outputs in folders of the folder by a pattern, or files with other endings."""
    for pattern in ("*/", "*/*/", "*/*/*/"):
        if nested := next(filter(_is_output, sorted(Path(folder).glob(f"{pattern}*"))), None):
            files = str(Path(folder, pattern, nested.name))
            return Hint("its folders have outputs: ", Step(Hint(Option("systems", files)), f'glob.glob("{files}")'))
    return Hint("use ", Option("systems", "FILE"), " for a file with another ending")


def ignored_files(folder: str) -> list[str]:
    """Return the names of what a folder contains besides outputs and hidden files; none without outputs."""
    with read_errors(folder):
        paths = sorted(path for path in Path(folder).iterdir() if path.name[0] != ".")
    ignored = [path.name for path in paths if not _is_output(path)]
    return ignored if len(ignored) < len(paths) else []


def _is_output(path: Path) -> bool:
    has_known_ending = has_ending(str(path), *OUTPUT_ENDINGS) or not ending_of(str(path))
    return has_known_ending and path.is_file() and not path.name.startswith(_NO_OUTPUTS)


# --- names ---


def named_systems(paths: Sequence[str], names: Sequence[str | None] | None = None) -> dict[str, str]:
    """Return system name -> path.

    A file without a name is named by its base name without endings, or by its path if that base name is ambiguous.

    Raises:
        UsageError: If a name is given twice.
    """
    pairs = list(zip(paths, names or [None] * len(paths), strict=True))
    stems = Counter(_stem(path) for path, name in pairs if name is None)
    systems: dict[str, str] = {}
    for path, name in pairs:
        system = name
        if system is None:
            system = _stem(path) if stems[_stem(path)] == 1 else path
        if system.startswith(SOURCE):
            raise UsageError(
                f"{SOURCE} is the name of the unchanged source", hint=Hint(Option("systems", f"NAME={path}"))
            )
        if system in systems:
            raise duplicate_system_error(system)
        systems[system] = path
    return systems


def duplicate_system_error(system: str) -> UsageError:
    """Return the error for a repeated name of a system."""
    return UsageError(f"the system {system} is given twice", hint="NAME=FILE names a system")


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (*COMPRESSED, *REMOVED_ENDINGS):
        name = name.removesuffix(ending) or name
    return name


def name_and_file(argument: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE`` into name and file; the name is None without one.

    An argument that names an existing file is that file. A name contains no slash, so ./a=b.txt is a file.
    """
    name, equals, path = argument.partition("=")
    if not (name and equals and path) or "/" in name or Path(argument).exists():
        return None, argument
    return name, path


def systems_of(arguments: Sequence[str], *, runs: bool = False) -> dict[str, str]:
    """Return name -> file, from ``FILE``, ``FOLDER``, ``NAME=FILE`` or ``NAME=FILE,FILE``.

    A folder stands for its files: a system each, or the runs of NAME.

    Several files are runs of one system, with names by number from 1. They are written as in CSV: a file with a comma
    in its name is quoted. The name of an existing file is not split.

    Raises UsageError if a system is given twice, or has several runs, without ``runs``.
    """
    files, names, system_names = list[str](), list[str | None](), list[str]()
    for argument in arguments:
        name, path = name_and_file(argument)
        run_files = files_of_folder(path) if is_folder(path) else _files_of(name, path)
        if name is None:
            files += run_files
            names += [None] * len(run_files)
            continue
        if len(run_files) > 1 and not runs:
            run = Option("systems", f"{name}={run_files[0]}")
            hint = Hint("use one run: ", run, "; compare and corpus scores accept several")
            raise UsageError(f"{name} has {len(run_files)} runs; only one can be used here", hint=hint)
        if name in system_names:
            raise duplicate_system_error(name)
        system_names.append(name)
        files += run_files
        names += [f"{name} run {number}" for number in range(1, len(run_files) + 1)] if len(run_files) > 1 else [name]
    return named_systems(files, names)


def _files_of(name: str | None, path: str) -> list[str]:
    """Return the files of NAME=FILE,FILE; without a name, and if it exists, the file.

    Raises UsageError for a file without a name, as after a comma at the end.
    """
    files = [path] if name is None or Path(path).exists() else next(csv.reader([path]))
    if name is not None and "" in files:
        raise UsageError(
            f"{name}={path} has a file without a name", hint="NAME=FILE,FILE has no blanks and ends in a file"
        )
    return files


def references_by_system(arguments: Sequence[str]) -> dict[str | None, list[str]]:
    """Return name of a system -> files of its references, from ``NAME=FILE,FILE``, with None for those of all systems.

    Files are written as those of runs; see systems_of.
    """
    files: dict[str | None, list[str]] = {}
    for argument in arguments:
        name, path = name_and_file(argument)
        files.setdefault(name, []).extend(_files_of(name, path))
    return files
