"""Write and read reproducibility records, and compare results with new ones."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from geceval._kernel import __version__
from geceval.base.errors import InputError
from geceval.counting.metric_names import COMMA
from geceval.text.files import read_errors, read_text

SCHEMA = "geceval/record@2"
#: Keys that are not compared: they differ between runs with the same results.
UNEQUAL = ("seconds_per_system", "version")
#: Keys of signatures; other texts are file names and labels.
SIGNED = ("signature", "signatures", "sentence_signature")
#: Keys that identify the rows of a list.
NAMES = ("set", "system", "metric", "group", "a", "b", "name")
#: Last bits may differ between versions of numpy and of the C library.
TOLERANCE = 1e-12
_VERSION = re.compile(r"\|v:[^|\s]+")


@dataclass(frozen=True)
class RecordedFile:
    """Input file of a run: relative path, SHA-256 checksum, and size in bytes."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class RunRecord:
    """Reproducibility record of a run.

    Attributes:
        version: Version of geceval.
        python: Version of Python.
        numpy: Version of numpy.
        platform: Operating system and processor.
        folder: Working directory of the run, relative to the folder of the record.
        command: Name of the command.
        options: Options that differ from their defaults, by name. Paths are relative to ``folder``.
        inputs: Files that the run read.
        signatures: All signatures of the document.
        document: The JSON document that the run wrote.
    """

    version: str
    python: str
    numpy: str
    platform: str
    folder: str
    command: str
    options: Mapping[str, Any]
    inputs: tuple[RecordedFile, ...]
    signatures: tuple[str, ...]
    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON values, without the version."""
        return {key: value for key, value in asdict(self).items() if key != "version"}


def make_record(
    command: str, options: Mapping[str, Any], inputs: Iterable[str], document: str, folder: str
) -> RunRecord:
    """Return the record of a run that has just ended in the working directory.

    Args:
        command: Name of the command.
        options: Options that differ from their defaults, by name.
        inputs: Paths of the files that the run read.
        document: The JSON document that the run wrote.
        folder: Folder of the record.

    Raises:
        InputError: If an input cannot be read again.
    """
    here, content = Path.cwd(), json.loads(document)

    def from_here(text: str) -> str:
        return relative(text, here) if "\n" not in text and Path(text).is_absolute() else text

    return RunRecord(
        __version__,
        platform.python_version(),
        np.__version__,
        f"{sys.platform} {platform.machine()}",
        relative(str(here), folder),
        command,
        _texts_changed(dict(options), lambda text: _without_folders(text, here)),
        tuple(RecordedFile(relative(path, here), *state(path)) for path in inputs),
        tuple(dict.fromkeys(_signatures(content))),
        _texts_changed(content, from_here),
    )


def relative(path: str, folder: str | Path) -> str:
    """Return a path relative to a folder, with slashes."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on another drive of Windows
        return path


def state(path: str) -> tuple[str, int]:
    """Return checksum and size of a file; raises InputError if it cannot be read."""
    with read_errors(path):
        data = Path(path).read_bytes()
    return sha256(data).hexdigest(), len(data)


def _without_folders(text: str, here: Path) -> str:
    """Make the paths in FILE, NAME=FILE or metric:setting=FILE relative."""
    if Path(text).is_absolute():
        return relative(text, here)
    pieces = COMMA.split(text)
    if len(pieces) > 1:
        return ",".join(_without_folders(piece, here) for piece in pieces)
    before, equals, path = text.partition("=")
    quote = '"' if path.startswith('"') and path.endswith('"') else ""
    path = path.removeprefix(quote).removesuffix(quote)
    return f"{before}{equals}{quote}{relative(path, here)}{quote}" if Path(path).is_absolute() else text


def _texts_changed(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with ``change`` applied to each text."""
    if isinstance(value, dict):
        return {key: _texts_changed(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts_changed(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def _signatures(value: Any, signed: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _signatures(item, signed or key in SIGNED)
    elif isinstance(value, list):
        for item in value:
            yield from _signatures(item, signed)
    elif signed and isinstance(value, str):
        yield value


def read_record(path: str) -> RunRecord:
    """Read a record; raises InputError if the file is not a record."""
    text = read_text(path)
    try:
        content = json.loads(text)
        inputs = tuple(RecordedFile(**recorded) for recorded in content["inputs"])
        texts = {name: str(content[name]) for name in ("version", "python", "numpy", "platform", "folder")}
        command = content["command"]
        words = [command, *(recorded.path for recorded in inputs)]
        if content["schema"] != SCHEMA or not command or not all(isinstance(word, str) for word in words):
            raise ValueError
        return RunRecord(
            **texts,
            command=command,
            options=dict(content["options"]),
            inputs=inputs,
            signatures=tuple(content["signatures"]),
            document=dict(content["document"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "write a record: geceval score … --record FILE"
        raise InputError("not a reproducibility record", path=path, hint=hint) from None


# --- comparison ---


@dataclass(frozen=True)
class RecordDifference:
    """A number or signature that differs; None stands for a missing one."""

    where: str
    old: Any
    new: Any


def differences(old: Any, new: Any, where: tuple[str, ...] = (), signed: bool = False) -> Iterator[RecordDifference]:
    """Yield the numbers, signatures and rows that differ between two documents."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if key not in UNEQUAL:
                yield from differences(old.get(key), new.get(key), (*where, key), signed or key in SIGNED)
    elif isinstance(old, list) and isinstance(new, list):
        for at in range(max(len(old), len(new))):
            left, right = (own[at] if at < len(own) else None for own in (old, new))
            yield from differences(left, right, (*where, _row_name(left, at)), signed)
    elif not _equal(old, new, signed):
        yield RecordDifference(" ".join(where), old, new)


def _row_name(row: Any, at: int) -> str:
    names = [str(row[name]) for name in NAMES if isinstance(row.get(name), str)] if isinstance(row, dict) else []
    return " ".join(names) or str(at + 1)


def _equal(old: Any, new: Any, signed: bool) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return not signed or _VERSION.sub("", old) == _VERSION.sub("", new)
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (old, new))
    try:
        return bool(old == new or (numbers and abs(old - new) <= TOLERANCE * max(1.0, abs(old))))
    except OverflowError:  # an integer that exceeds floats
        return False
