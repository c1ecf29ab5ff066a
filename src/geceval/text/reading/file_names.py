"""What the names of files say: how they are read, and what systems are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from geceval.base.errors import UsageError
from geceval.text.files import COMPRESSED, unpacked_name
from geceval.text.source_row import SOURCE


def system_names(paths: Sequence[str]) -> list[str]:
    """A short name for each system file: its base name without endings, or the path where two would be the same."""
    names = [_stem(path) for path in paths]
    return [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]


def named_systems(paths: Sequence[str], names: Sequence[str | None] | None = None) -> dict[str, str]:
    """Name -> path; a file without a name of its own is named after itself. UsageError if a name is there twice."""
    own_names = names or [None] * len(paths)
    unnamed = [path for path, name in zip(paths, own_names, strict=True) if name is None]
    short_names = iter(system_names(unnamed))
    systems: dict[str, str] = {}
    for path, name in zip(paths, own_names, strict=True):
        system = next(short_names) if name is None else name
        if system == SOURCE:
            raise UsageError(f"{SOURCE} is what the unchanged source is called", hint=f"-c NAME={path}")
        if system in systems:
            raise given_twice(system)
        systems[system] = path
    return systems


def given_twice(system: str) -> UsageError:
    """The error for a system whose name another one has."""
    return UsageError(f"the system {system} is given twice")


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (*COMPRESSED, ".txt", ".m2", ".tsv", ".md"):
        name = name.removesuffix(ending) or name
    return name


def is_m2(path: str) -> bool:
    """Whether a file is M2, by its name."""
    return has_ending(path, ".m2")


def has_ending(path: str, *endings: str) -> bool:
    """Whether the name of a file, plain or compressed, has one of the endings (``.tsv``)."""
    return Path(path).name.endswith(tuple(f"{ending}{packed}" for ending in endings for packed in ("", *COMPRESSED)))


def ending_of(path: str) -> str:
    """What stands after the last dot of the name of a file, plain or compressed, without the dot; empty without one."""
    return Path(unpacked_name(Path(path).name)).suffix[1:]
