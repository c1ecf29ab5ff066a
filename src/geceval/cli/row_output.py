"""Outputs to which rows of sentences are written one after another."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from geceval._kernel import __version__
from geceval.base.errors import UsageError
from geceval.base.output_files import write_errors
from geceval.base.requests import CommandRequest
from geceval.cli.options import OutputOptions, RowOptions
from geceval.cli.output import writing_bytes
from geceval.cli.resumable_output import ResumableOutput, State
from geceval.cli.stderr import note
from geceval.report.scores.parquet_rows import ParquetRows
from geceval.report.scores.sentence_rows import (
    PAIR,
    SCHEMA,
    DelimitedRows,
    JsonRows,
    RowFormat,
    RowLayout,
    TextRows,
    check_double,
    check_heads,
)
from geceval.text.files import is_compressed, is_file, is_read_once
from geceval.text.inputs import name_and_file


@dataclass(frozen=True)
class RowOutput:
    """The output of a request whose rows are written one after another.

    ``pair_files``: the files of sources and hypotheses; with them the rows are written only to a target.
    """

    request: CommandRequest
    options: OutputOptions
    row_options: RowOptions
    pair_files: tuple[str, ...] = ()

    @property
    def files(self) -> list[str]:
        """The files that are written row by row."""
        return [*([] if self.options.target in (None, "-") else [str(self.options.target)]), *self.pair_files]

    @property
    def is_stream(self) -> bool:
        """Whether rows go to standard output, a device or a pipe."""
        return self.options.target == "-" or not self.files or any(map(is_read_once, self.files))

    def check(self) -> None:
        """Raise UsageError for contradictory files and runs that cannot be resumed."""
        if "-" in self.pair_files:
            raise UsageError("standard output (-) cannot hold two parallel files", hint="give two files")
        if self.is_stream and (len(self.files) > 1 or (self.files and self.options.target == "-")):
            raise UsageError("pairs go to files or to standard output, not to both and not to several devices")
        self._check_files()
        if not self.row_options.resume:
            return
        if self.is_stream:
            raise UsageError("--resume needs a file", hint="-o FILE")
        if any(map(is_compressed, self.files)):
            hint = "-o FILE without this ending; compress it when it is complete"
            raise UsageError("--resume: a compressed file cannot be resumed", hint=hint)
        if self.options.written_format == "parquet":
            hint = "-f jsonl or csv, which pyarrow converts to Parquet"
            raise UsageError("--resume: a Parquet file has its index at its end, and cannot be continued", hint=hint)
        if _reads_once(self.request):
            raise UsageError("--resume: standard input and pipes cannot be read again", hint="give files")

    def _check_files(self) -> None:
        """Raise UsageError for a file that would be written twice."""
        paths = [*self.files, *_signatures_file(self.row_options.signatures)]
        real = [os.path.realpath(path) for path in paths]
        if len(set(real)) < len(real):
            raise UsageError(f"one file for several outputs: {', '.join(paths)}")

    def writers(self, layout: RowLayout, content: Mapping[str, Any]) -> list[RowFormat]:
        """Return the formats of the files, in their order: the rows, then the two texts.

        Raises:
            UsageError: Two columns have one name.
            MissingExtraError: pyarrow is missing.
        """
        tables = [self._table(layout, content)] if self.options.target or not self.pair_files else []
        return [*tables, *(TextRows(layout, at) for at in range(len(PAIR)) if self.pair_files)]

    def _table(self, layout: RowLayout, content: Mapping[str, Any]) -> RowFormat:
        if self.options.written_format == "jsonl":
            return JsonRows(layout)
        if self.options.written_format == "parquet":
            check_heads(layout)
            return ParquetRows(layout, {"schema": SCHEMA, "version": __version__, **content})
        check_double(layout)
        return DelimitedRows(layout, self.options.digits, {"tsv": "\t", "csv": ","}[self.options.written_format])

    @contextmanager
    def opened(self, signatures: Sequence[str], *, resumable: bool = True) -> Iterator[ResumableOutput | PassedOutput]:
        """Open the files.

        Args:
            signatures: The signatures of the columns, which identify a run beside its options.
            resumable: Whether a later run can resume this one.
        """
        if any(map(is_compressed, self.files)):
            with ExitStack() as stack:
                yield PassedOutput({path: stack.enter_context(writing_bytes(path)) for path in self.files}, flush=False)
        elif not self.is_stream:
            run = self._identity(signatures) if resumable and self.options.written_format != "parquet" else None
            notify = partial(note, quiet=self.options.quiet)
            with ResumableOutput(self.files, run, resume=self.row_options.resume, notify=notify) as output:
                yield output
        elif self.files:
            with write_errors(self.files[0]), Path(self.files[0]).open("wb") as stream:
                yield PassedOutput({self.files[0]: stream})
        else:
            if self.options.written_format == "parquet" and sys.stdout.isatty():
                raise UsageError("Parquet is a binary format and is not written to a terminal", hint="-o FILE")
            sys.stdout.flush()
            yield PassedOutput({"standard output": sys.stdout.buffer})

    def _identity(self, signatures: Sequence[str]) -> dict[str, Any] | None:
        """Return everything that the rows depend on; None if an input is read once.

        It has version, signatures, options and the state of the files.
        """
        request = self.request
        if _reads_once(request):
            return None
        files = {}
        for path in _files_read(request):
            state = Path(path).stat()
            when = datetime.fromtimestamp(state.st_mtime_ns / 1e9, tz=UTC)
            files[path] = f"{state.st_size:,} bytes written {when:%Y-%m-%d %H:%M:%S} ({state.st_mtime_ns})"
        known = {
            facts.flags[-1]: (value is not default) if facts.kind is bool else value
            for (_, facts, value), (_, _, default) in zip(request.options(), request.all_options(), strict=True)
            if facts.effect == "result" and value not in (None, ())
        }
        known["--format"] = self.options.written_format
        return {"geceval": __version__, "signatures": list(dict.fromkeys(signatures)), **known, **files}


class PassedOutput:
    """Output to which a later run cannot add rows.

    It is standard output, a device, a pipe or compressed files.
    """

    def __init__(self, streams: Mapping[str, IO[bytes]], *, flush: bool = True) -> None:
        self._streams, self._flush, self.state = streams, flush, State()

    def write(self, texts: Sequence[bytes], sentences: int, kept: int = 0) -> None:
        """Write the rows of the next ``sentences``, of which ``kept`` have one."""
        for (name, stream), text in zip(self._streams.items(), texts, strict=True):
            with write_errors(name):
                stream.write(text)
                if self._flush:
                    stream.flush()
        self.state.sentences += sentences
        self.state.kept += kept


def _signatures_file(path: str | None) -> list[str]:
    """Return the file of ``--signatures`` in a list, which is empty for a device.

    Raises:
        InputError: The file cannot be written.
    """
    if path is None or path == "-" or is_read_once(path):
        return []
    target = Path(os.path.realpath(path))
    with write_errors(path):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with TemporaryFile(dir=target.parent):
            return [path]


# --- files that a request reads ---


def _reads_once(request: CommandRequest) -> bool:
    """Return whether something is read that cannot be read again."""
    return any(path == "-" or is_read_once(path) for path in _named(request))


def _files_read(request: CommandRequest) -> list[str]:
    """Return the files that options name to be read."""
    return [path for path in _named(request) if is_file(path)]


def _named(request: CommandRequest) -> dict[str, None]:
    """Return the values of options that can be names of files to be read."""
    values = request.read_values()
    return dict.fromkeys(name_and_file(text)[1] if name == "systems" else text for name, text in values)
