"""Records of runs: what was run on what, what came out, and what comes out now."""

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
from geceval.text.files import read_errors
from geceval.text.reading.lines import read_text

SCHEMA = "geceval/record@2"
#: The schema of geceval 0.2, whose records have the command as it was typed, a list of arguments.
OLD_SCHEMA = "geceval/record@1"
#: What differs between two runs and is no result: how long they took.
UNEQUAL = ("seconds_per_system", "version")
#: Whose texts say how a number came about; other texts are names of files, and words.
SIGNED = ("signature", "signatures", "sentence_signature")
#: By what the rows of a list are told apart.
NAMES = ("set", "system", "metric", "group", "a", "b", "name")
#: Last bits may differ between versions of numpy and of the C library.
TOLERANCE = 1e-12
_VERSION = re.compile(r"\|v:[^|\s]+")


@dataclass(frozen=True)
class RecordedFile:
    """A file that was read: its path from the folder of the run, its checksum and size."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class RunRecord:
    """A run: the versions it was made with, its request, the files it read and the document that it wrote.

    ``folder``: where it ran, from the folder of the record; ``command``: the name of the command, or, in records of
    OLD_SCHEMA, all arguments; ``options``: those that are not at their defaults, by name. Files are named from the
    folder. ``signatures``: all of the document.
    """

    version: str
    python: str
    numpy: str
    platform: str
    folder: str
    command: str | tuple[str, ...]
    options: Mapping[str, Any]
    inputs: tuple[RecordedFile, ...]
    signatures: tuple[str, ...]
    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, without what every document has."""
        return {key: value for key, value in asdict(self).items() if key != "version"}


def made_record(
    command: str, options: Mapping[str, Any], inputs: Iterable[str], document: str, folder: str
) -> RunRecord:
    """Return the record of a run in the working directory that has just ended; ``document``: its JSON.

    Raises InputError for an input that cannot be read again.
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
    """A path as seen from a folder, with slashes; as it is where there is no way, as between Windows' drives."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path


def state(path: str) -> tuple[str, int]:
    """The checksum and size of a file. Raises InputError if it cannot be read."""
    with read_errors(path):
        data = Path(path).read_bytes()
    return sha256(data).hexdigest(), len(data)


def _without_folders(text: str, here: Path) -> str:
    """The text of an option without the folders of this machine: FILE, NAME=FILE, metric:setting=FILE,setting=…."""
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
    """A JSON value with each of its texts changed."""
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
    """The record in a file. Raises InputError if it is none."""
    text = read_text(path)
    try:
        content = json.loads(text)
        old = {SCHEMA: False, OLD_SCHEMA: True}[content["schema"]]
        inputs = tuple(RecordedFile(**one) for one in content["inputs"])
        texts = {name: str(content[name]) for name in ("version", "python", "numpy", "platform", "folder")}
        command = tuple(content["command"]) if old else content["command"]
        words = [*(command if old else [command]), *(one.path for one in inputs)]
        if not command or not all(isinstance(word, str) for word in words):
            raise ValueError
        options, document = {} if old else dict(content["options"]), dict(content["document"])
        signatures = tuple(content["signatures"])
        return RunRecord(
            **texts, command=command, options=options, inputs=inputs, signatures=signatures, document=document
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "write one: geceval score … --record FILE"
        raise InputError("no record of a run", path=path, hint=hint) from None


# --- then and now ---


@dataclass(frozen=True)
class RecordDifference:
    """A number or signature that is another one now; what there is not is None."""

    where: str
    old: Any
    new: Any


def differences(old: Any, new: Any, where: tuple[str, ...] = (), signed: bool = False) -> Iterator[RecordDifference]:
    """Where two documents have other numbers, signatures, or rows."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if key not in UNEQUAL:
                yield from differences(old.get(key), new.get(key), (*where, key), signed or key in SIGNED)
    elif isinstance(old, list) and isinstance(new, list):
        for at in range(max(len(old), len(new))):
            left, right = (own[at] if at < len(own) else None for own in (old, new))
            yield from differences(left, right, (*where, _called(left, at)), signed)
    elif not _equal(old, new, signed):
        yield RecordDifference(" ".join(where), old, new)


def _called(row: Any, at: int) -> str:
    """What a row of a list is called."""
    names = [str(row[name]) for name in NAMES if isinstance(row.get(name), str)] if isinstance(row, dict) else []
    return " ".join(names) or str(at + 1)


def _equal(old: Any, new: Any, signed: bool) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return not signed or _VERSION.sub("", old) == _VERSION.sub("", new)
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (old, new))
    try:
        return bool(old == new or (numbers and abs(old - new) <= TOLERANCE * max(1.0, abs(old))))
    except OverflowError:  # a whole number that no float holds
        return False
