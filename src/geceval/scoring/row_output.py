"""Rows of sentences, written as the sentences are scored, for any number of them."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.output_files import write_errors
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import OutputOptions
from geceval.cli.output import write_text, writing_bytes
from geceval.cli.stderr import progress, steps_of
from geceval.counting.run import Run
from geceval.scoring.row_formats import DelimitedRows, JsonRows, ParquetRows, RowFormat, TextRows
from geceval.scoring.sentence_rows import (
    PAIR,
    SCHEMA,
    RowLayout,
    ScoredPart,
    SentenceRows,
    about,
    check_double,
    check_heads,
    score_parts,
    sentence_signatures,
)
from geceval.tables.documents import as_json
from geceval.text.files import is_read_once


@dataclass(frozen=True)
class RowOutput:
    """The output of a run whose sentences are written as rows.

    Attributes:
        options: The target of the rows and their format.
        signatures: File of the description of the columns.
        pair_files: Files of sources and hypotheses; with them the rows are written only to a target.
    """

    options: OutputOptions
    signatures: str | None
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
        """Raise UsageError for contradictory files."""
        if "-" in self.pair_files:
            raise UsageError("standard output (-) cannot hold two parallel files", hint="give two files")
        if self.is_stream and (len(self.files) > 1 or (self.files and self.options.target == "-")):
            raise UsageError("pairs go to files or to standard output, not to both and not to several devices")
        paths = [*self.files, *_signatures_file(self.signatures)]
        real = [os.path.realpath(path) for path in paths]
        if len(set(real)) < len(real):
            raise UsageError(f"one file for several outputs: {', '.join(paths)}")

    def write(
        self,
        run: Run,
        inputs: CorpusInputs,
        warnings: Sequence[GecevalWarning],
        layout: RowLayout,
        rows_of: Callable[[ScoredPart], SentenceRows],
        *,
        parts: bool = False,
    ) -> tuple[int, int]:
        """Write the rows of each part, and the description of the columns.

        Args:
            run: The sentences and metrics.
            inputs: The files of the sentences.
            warnings: The warnings so far.
            layout: The columns.
            rows_of: Returns the rows of a part.
            parts: Whether the rows need the parts of scores.

        Returns:
            Number of sentences and number of rows.
        """
        hidden = self.options.quiet or (self.is_stream and sys.stdout.isatty())
        formats = self._formats(layout)
        sentences = number = 0

        def write(texts: Sequence[bytes]) -> None:
            for (name, stream), text in zip(streams.items(), texts, strict=True):
                with write_errors(name):
                    stream.write(text)
                    if self.is_stream:
                        stream.flush()

        with (
            self._opened() as streams,
            progress(lambda: steps_of(run, inputs.options.files.source), quiet=hidden) as advance,
        ):
            try:
                run = replace(run, progress=advance)
                for part in score_parts(run, parts=parts):
                    rows = rows_of(part)
                    write([(b"" if sentences else form.start()) + form.rows(rows) for form in formats])
                    sentences += len(part.corpus)
                    number += len(rows)
            finally:  # the rows so far can be read after an error, too
                if sentences:
                    content = about(layout, sentence_signatures(run))
                    write([form.end(content) for form in formats])
        if self.signatures is not None:
            document = {**inputs.to_document(warnings), "sentences": sentences, **content}
            write_text(self.signatures, as_json(SCHEMA, document))
        return sentences, number

    def _formats(self, layout: RowLayout) -> list[RowFormat]:
        """Return the formats of the files, in their order: the rows, then the two texts.

        Raises:
            UsageError: Two columns have one name.
            MissingExtraError: pyarrow is missing.
        """
        tables = [self._table(layout)] if self.options.target or not self.pair_files else []
        return [*tables, *(TextRows(layout, at) for at in range(len(PAIR)) if self.pair_files)]

    def _table(self, layout: RowLayout) -> RowFormat:
        if self.options.written_format == "jsonl":
            return JsonRows(layout)
        if self.options.written_format == "parquet":
            check_heads(layout)
            return ParquetRows(layout)
        check_double(layout)
        return DelimitedRows(layout, self.options.digits, {"tsv": "\t", "csv": ","}[self.options.written_format])

    @contextmanager
    def _opened(self) -> Iterator[Mapping[str, IO[bytes]]]:
        """Yield the files, or standard output, by name."""
        if self.files:
            with ExitStack() as stack:
                yield {path: stack.enter_context(writing_bytes(path)) for path in self.files}
            return
        if self.options.written_format == "parquet" and sys.stdout.isatty():
            raise UsageError("Parquet is a binary format and is not written to a terminal", hint="-o FILE")
        sys.stdout.flush()
        yield {"standard output": sys.stdout.buffer}


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
