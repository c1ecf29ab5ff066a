"""Where ``geceval score --level sentence`` writes, checked before anything is read."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from geceval.base.errors import UsageError
from geceval.base.output_files import write_errors
from geceval.base.requests import CommandRequest
from geceval.cli.score_options import ScoreRequest
from geceval.text.files import is_compressed, is_file, is_read_once
from geceval.text.inputs import name_and_file


def check_output(request: ScoreRequest) -> None:
    """Raise UsageError for places that cannot be combined, and where a run cannot be resumed but is to be."""
    paths, passes = output_files(request), passes_by(request)
    if passes and (len(paths) > 1 or (paths and request.output.target == "-")):
        raise UsageError("pairs go to files or to standard output, not to both and not to several devices")
    _check_files(request, [*paths, *_signatures_file(request.sentences.signatures)])
    if not request.sentences.resume:
        return
    if passes:
        raise UsageError("--resume goes on with a file", hint="-o FILE")
    if any(map(is_compressed, paths)):
        hint = "-o FILE without this ending; compress it when it is complete"
        raise UsageError("--resume: a compressed file cannot be resumed", hint=hint)
    if request.format == "parquet":
        why = "a Parquet file has its index at its end, and cannot be gone on with"
        raise UsageError(f"--resume: {why}", hint="-f jsonl or csv, which pyarrow turns into Parquet")
    if reads_once(request):
        raise UsageError("--resume: standard input and pipes cannot be known again", hint="give files")


def _signatures_file(path: str | None) -> list[str]:
    """The file of ``--signatures``, if it is one; raises InputError unless it can be written."""
    if path is None or path == "-" or is_read_once(path):
        return []
    target = Path(os.path.realpath(path))
    with write_errors(path):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with TemporaryFile(dir=target.parent):
            return [path]


def _check_files(request: ScoreRequest, paths: Sequence[str]) -> None:
    """Raise UsageError for a file that would be written twice, or is read."""
    real = [os.path.realpath(path) for path in paths]
    if len(set(real)) < len(real):
        raise UsageError(f"the same file is to be written twice: {', '.join(paths)}")
    given = {os.path.realpath(path) for path in files_read(request)}
    for path, own in zip(paths, real, strict=True):
        if own in given:
            raise UsageError(f"{path} is read, and cannot be written as well", hint="write to another file")


def output_files(request: ScoreRequest) -> list[str]:
    """Return the files to which rows and pairs are written."""
    target = request.output.target
    return [*([] if target is None or target == "-" else [target]), *request.sentences.keep_out]


def passes_by(request: ScoreRequest) -> bool:
    """Return whether rows go to standard output, a device or a pipe, and cannot be changed any more."""
    paths = output_files(request)
    return request.output.target == "-" or not paths or any(map(is_read_once, paths))


def reads_once(request: CommandRequest) -> bool:
    """Return whether something is read that cannot be read again."""
    return any(path == "-" or is_read_once(path) for path in _named(request))


def files_read(request: CommandRequest) -> list[str]:
    """Return the files that options name to be read."""
    return [path for path in _named(request) if is_file(path)]


def _named(request: CommandRequest) -> dict[str, None]:
    """What may be the name of a file among the values of options that are read."""
    return dict.fromkeys(path for path in _values(request) if path and "\0" not in path)


def _values(request: CommandRequest) -> Iterator[str]:
    for name, facts, value in request.options():
        if facts.reads_file and value is not None:
            for text in value if isinstance(value, tuple) else (value,):
                yield name_and_file(text)[1] if name == "systems" else text
