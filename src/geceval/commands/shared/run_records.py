"""Reproducibility records: write and read them, and compare their results."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from geceval._kernel import __version__
from geceval.base.errors import InputError, UsageError
from geceval.commands.shared.option_values import GivenOption, changed_options, flag
from geceval.commands.shared.output_formats import text_of
from geceval.tables.json_text import as_json
from geceval.tables.report import Report, render
from geceval.terminal.writing import is_device, write_text
from geceval.text.files import current_encoding, is_file, open_raw, read_errors, read_text
from geceval.text.languages import find_language
from geceval.text.system_files import name_and_file

SCHEMA = "geceval/record@1"
#: Options of the output, which change no number, and consent, which each user gives.
UNRECORDED = ("allow_outside", "target", "format", "digits", "threads", "quiet", "record", "picture", "size")
#: Keys that are not compared: they differ between runs with the same results.
UNEQUAL = ("seconds_per_system", "version")
#: Keys of signatures; other texts are file names and labels.
SIGNED = ("signature", "signatures", "sentence_signature")
#: Keys that identify the rows of a list.
NAMES = ("set", "system", "metric", "group", "a", "b", "name")
#: Last bits may differ between versions of numpy and of the C library.
TOLERANCE = 1e-12
_VERSION_NUMBER = re.compile(r"\d[\w.+!]*")
_VERSION = re.compile(r"\|v:[^|\s]+")
#: Name of ``builtin:2`` in signatures and in arguments of geceval 0.3, whose default annotator it was.
_SIGNED_BUILTIN = re.compile(r"(?<=annotator:builtin)(?=-)")
_BUILTIN = re.compile(r"(?<=annotator=builtin)(?![\w:])")


@dataclass(frozen=True)
class RunRecord:
    """A command, what it read, and its results.

    Attributes:
        version: Version of geceval.
        folder: Working directory of the run, relative to the folder of the record.
        arguments: The command and its arguments. Paths are relative to ``folder``.
        inputs: Files that the run read, with their SHA-256 checksums.
        document: The JSON document of the results.
        output: The output file with its SHA-256 checksum; ``-`` is standard output.
    """

    version: str
    folder: str
    arguments: tuple[str, ...]
    inputs: Mapping[str, str]
    document: Mapping[str, Any]
    output: Mapping[str, str] = field(default_factory=dict)


def make_record(
    command: str,
    options: Sequence[GivenOption],
    inputs: Iterable[str],
    document: Mapping[str, Any],
    folder: str,
    further: Sequence[str] = (),
) -> RunRecord:
    """Return the record of a run that has just ended in the working directory.

    Args:
        command: Name of the command.
        options: Its positional arguments, which have no name, and its options.
        inputs: Paths of the files that the run read.
        document: The JSON document of the results.
        folder: Folder of the record.
        further: Further arguments, without paths.

    Raises:
        InputError: If an input cannot be read again.
    """
    here, inputs = Path.cwd(), list(inputs)
    recorded = [option for option in options if option.name not in UNRECORDED]
    texts = {text: relative_text(option, text, here) for option in recorded for text in option.texts()}
    words = [word for option in recorded for word in arguments_of(option, texts)]
    moved = {path: relative(path, here) for path in inputs} | texts
    return RunRecord(
        __version__,
        relative(str(here), folder),
        (command, *words, *further),
        {relative(path, here): checksum(path) for path in inputs},
        with_relative_paths(document, {text: new for text, new in moved.items() if text != new}),
    )


def relative_text(option: GivenOption, text: str, folder: Path) -> str:
    """Return a value of an option, in which absolute paths of files are relative to a folder.

    Other values, such as names, labels and patterns, stay as they are.
    """
    name, files = name_and_file(text)
    pieces = re.split('([=,"])', files) if option.files != "none" else []
    for index, piece in enumerate(pieces):
        if Path(piece).is_absolute() and (option.files == "all" or Path(piece).exists()):
            pieces[index] = relative(piece, folder)
    return (f"{name}=" if name is not None else "") + "".join(pieces) if pieces else text


def with_relative_paths(document: Any, paths: Mapping[str, str], *, is_row: bool = False) -> Any:
    """Return a document with some texts replaced: paths of the run, but no keys and names of rows."""
    if isinstance(document, Mapping):
        names = NAMES if is_row else ()
        return {
            key: value if key in names and isinstance(value, str) else with_relative_paths(value, paths)
            for key, value in document.items()
        }
    if isinstance(document, list):
        return [with_relative_paths(value, paths, is_row=True) for value in document]
    return paths.get(document, document) if isinstance(document, str) else document


def arguments_of(option: GivenOption, texts: Mapping[str, str]) -> list[str]:
    """Return the arguments that give an option, with some texts replaced."""
    name, value = option.name, option.value
    if isinstance(value, bool):
        return [flag(name) if value else f"--no-{name}"]
    values = [texts.get(single, single) for single in (value if isinstance(value, tuple) else (value,))]
    if not name:
        return values
    if name == "changes":  # takes two values at once
        return [flag(name), *values]
    return [f"{flag(name)}={single}" for single in values]


def relative(path: str, folder: str | Path) -> str:
    """Return a path relative to a folder, with slashes."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on another drive of Windows
        return path


def checksum(path: str) -> str:
    """Return the SHA-256 checksum of a file; raises InputError if it cannot be read."""
    from hashlib import file_digest  # takes 3 ms and is rarely needed

    with read_errors(path), open_raw(path, tracked=False) as raw:
        return file_digest(raw, "sha256").hexdigest()


def read_record(path: str) -> RunRecord:
    """Read a record; raises InputError if the file is not a record."""
    text = read_text(path)
    try:
        content = json.loads(text)
        schema = content.pop("schema")
        record = RunRecord(**content | {"arguments": tuple(content["arguments"])})
        words = [record.version, record.folder, *record.arguments]
        words += [word for files in (record.inputs, record.output) for pair in files.items() for word in pair]
        if schema != SCHEMA or not record.arguments or not all(isinstance(word, str) for word in words):
            raise ValueError
        if not _VERSION_NUMBER.fullmatch(record.version):  # which a hint repeats
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "write a record: geceval score … --record FILE"
        raise InputError("not a reproducibility record", path=path, hint=hint) from None
    return record


def translated_arguments(record: RunRecord) -> tuple[str, ...]:
    """Return the arguments of a record with names of annotators of this version.

    Up to geceval 0.3 ``builtin`` named the annotator ``builtin:2``, which was the default of English. Signatures of the
    record state whether it was used. Suites name their annotators in their definitions.
    """
    if record.arguments[0] == "suite" or not _SIGNED_BUILTIN.search(json.dumps(record.document)):
        return record.arguments
    arguments = [_BUILTIN.sub(":2", argument) for argument in record.arguments]
    option = flag("language")
    languages = [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{option}=")]
    if all(language in ("auto", "builtin") or _is_english(language) for language in languages):
        arguments = [argument for argument in arguments if not argument.startswith(f"{option}=")]
        arguments.append(f"{option}=builtin:2")
    return tuple(arguments)


def _is_english(name: str) -> bool:
    language = find_language(name)
    return language is not None and language.code == "en"


# --- comparison ---


def differences(old: Any, new: Any, where: tuple[str, ...] = (), signed: bool = False) -> Iterator[str]:
    """Yield a line for each number, signature or row in which documents differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if key not in UNEQUAL:
                yield from differences(old.get(key), new.get(key), (*where, key), signed or key in SIGNED)
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            left, right = (rows[index] if index < len(rows) else None for rows in (old, new))
            yield from differences(left, right, (*where, _row_name(left, index)), signed)
    elif not _equal(old, new, signed):
        before, after = ("nothing" if value is None else value for value in (old, new))
        yield f"{' '.join(where)}: {before} → {after}"


def _unversioned(signature: str) -> str:
    """Return a signature without version, with the names of annotators of this version."""
    return _SIGNED_BUILTIN.sub(":2", _VERSION.sub("", signature))


def _row_name(row: Any, index: int) -> str:
    names = [str(row[name]) for name in NAMES if isinstance(row.get(name), str)] if isinstance(row, dict) else []
    return " ".join(names) or str(index + 1)


def _equal(old: Any, new: Any, signed: bool) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return not signed or _unversioned(old) == _unversioned(new)
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (old, new))
    try:
        return bool(old == new or (numbers and abs(old - new) <= TOLERANCE * max(1.0, abs(old))))
    except OverflowError:  # an integer that exceeds floats
        return False


# --- the option --record ---


def working_directory() -> Path:
    """Return the working directory.

    Raises:
        UsageError: The directory was deleted.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working directory no longer exists", hint="change to an existing folder") from None


def check_record(record: str | None, target: str | None) -> None:
    """Raise UsageError where a record cannot go to the file that ``--record`` names."""
    if record == "-":
        raise UsageError("--record requires a file name, since standard output is for the scores")
    if record is not None:
        working_directory()  # its paths are relative to it
    if record is not None and target is not None and os.path.realpath(target) == os.path.realpath(record):
        raise UsageError("--record and --output are one file")


def write_recorded(
    command: str,
    request: Any,
    report: Report,
    inputs: Collection[str],
    metrics: Sequence[str] = (),
    words: Sequence[str] = (),
) -> None:
    """Write a report and then, if requested, its record.

    Args:
        command: Name of the command.
        request: The request of the run.
        report: The scores.
        inputs: Files that were read.
        metrics: Specifications of the metrics that were computed, where the request may name none.
        words: Positional arguments of the command.

    Raises:
        UsageError: A file that was read cannot be read again.
    """
    output, target, record = request.output, request.output.target, request.record
    text = text_of(report, output.written_format, target, output.digits, output.drawn)
    if record is None:
        write_text(target, text)
        return
    for path in inputs:
        if path == "-" or not is_file(path):
            raise UsageError(f"--record: {path} cannot be read again", hint="name a file")
        if os.path.realpath(path) == os.path.realpath(record):
            raise UsageError(f"--record: {path} is a file that was read, and is not written over")
    options = [GivenOption("", tuple(words), "some"), *changed_options(request)]
    further = [f"--encoding={encoding}"] if (encoding := current_encoding()) else []
    if not request.metric.metrics:
        further += [f"--metrics={metric}" for metric in metrics]
    from hashlib import sha256  # takes 3 ms and is rarely needed

    folder = str(Path(os.path.realpath(record)).parent)
    document = json.loads(render(report, "json"))
    content = asdict(make_record(command, options, inputs, document, folder, further))
    del content["version"]  # which every document has
    write_text(target, text)
    sys.stdout.flush()  # output that cannot be written has no record
    written = Path(target or "-")
    if written == Path("-") or written.is_relative_to("/dev") or is_device(written):  # /dev/stdout may be a file
        content["output"] = {"-": sha256(text.encode("utf-8", "surrogateescape")).hexdigest()}
    else:
        content["output"] = {relative(target, Path.cwd()): checksum(target)}
    write_text(record, as_json(SCHEMA, content))
