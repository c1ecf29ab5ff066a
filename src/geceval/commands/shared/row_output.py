"""Output of rows of sentences.

Rows are written while the sentences are scored, so that memory does not grow with their number.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.hints import Hint, Option
from geceval.base.output_files import write_errors
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.options import OutputOptions
from geceval.commands.shared.row_formats import DelimitedFormat, JsonLinesFormat, ParquetFormat, RowFormat, TextFormat
from geceval.commands.shared.run_progress import steps_of
from geceval.counting.run import Run
from geceval.results.sentence_rows import (
    PAIR,
    SCHEMA,
    RowLayout,
    ScoredPart,
    SentenceRows,
    check_double,
    check_heads,
    describe_columns,
    score_parts,
    sentence_signatures,
)
from geceval.tables.json_text import as_json
from geceval.terminal.progress import progress
from geceval.terminal.writing import write_text, writing_bytes
from geceval.text.files import is_read_once
from geceval.text.prefetching import OneCall


@dataclass(frozen=True)
class RowOutput:
    """Output of a run as rows of sentences.

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
            raise UsageError(f"one file is given for several outputs: {', '.join(paths)}")

    def write(
        self,
        run: Run,
        inputs: CorpusInputs,
        warnings: Sequence[GecevalWarning],
        layout: RowLayout,
        rows_of: Callable[[ScoredPart], SentenceRows],
        *,
        parts: bool = False,
        check_end: Callable[[int], None] | None = None,
    ) -> tuple[int, int]:
        """Write the rows of each part, and the description of the columns.

        Args:
            run: The sentences and metrics.
            inputs: The files of the sentences.
            warnings: The warnings so far.
            layout: The columns.
            rows_of: Returns the rows of a part.
            parts: Whether the rows need the parts of scores.
            check_end: Called with the number of sentences after the last part; no file is written if it fails.

        Returns:
            Number of sentences and number of rows.
        """
        hidden = self.is_stream and sys.stdout.isatty()
        formats = self._formats(layout)
        sentences = number = 0

        def write(texts: Sequence[bytes]) -> None:
            for (name, stream), text in zip(streams.items(), texts, strict=True):
                with write_errors(name):
                    stream.write(text)
                    if self.is_stream:
                        stream.flush()

        def write_part(part: ScoredPart) -> None:
            nonlocal sentences, number
            rows = rows_of(part)
            write([(b"" if sentences else form.start()) + form.rows(rows) for form in formats])
            sentences += len(part.corpus)
            number += len(rows)

        with (
            self._opened() as streams,
            progress(lambda: steps_of(run, inputs.options.files.common_source), quiet=hidden) as advance,
            nullcontext() if run.options.threads == 1 else ThreadPoolExecutor(1, "geceval-writer") as executor,
        ):
            writer = OneCall[None](executor)
            try:
                for part in score_parts(run.reporting(advance), parts=parts):
                    writer.result()  # a part is written while the next one is counted
                    writer.start(partial(write_part, part))
                writer.result()
                if check_end is not None:
                    check_end(sentences)
            finally:  # the rows so far can be read after an error, too
                writer.result()
                if sentences:
                    content = describe_columns(layout, sentence_signatures(run))
                    write([form.end(content) for form in formats])
        if self.signatures is not None:
            document = {**inputs.to_document(warnings), "sentences": sentences, **content}
            write_text(self.signatures, as_json(SCHEMA, document))
        return sentences, number

    def _formats(self, layout: RowLayout) -> list[RowFormat]:
        """Return the formats of the files, in their order: the rows, then the two texts.

        Raises:
            UsageError: Two columns have one name.
            MissingExtraError: Pyarrow is missing.
        """
        tables = [self._table(layout)] if self.options.target or not self.pair_files else []
        return [*tables, *(TextFormat(layout, index) for index in range(len(PAIR)) if self.pair_files)]

    def _table(self, layout: RowLayout) -> RowFormat:
        if self.options.written_format == "jsonl":
            return JsonLinesFormat(layout)
        if self.options.written_format == "parquet":
            check_heads(layout)
            return ParquetFormat(layout)
        check_double(layout)
        return DelimitedFormat(layout, self.options.digits, {"tsv": "\t", "csv": ","}[self.options.written_format])

    @contextmanager
    def _opened(self) -> Iterator[Mapping[str, IO[bytes]]]:
        """Yield the files, or standard output, by name."""
        if self.files:
            with ExitStack() as stack:
                yield {path: stack.enter_context(writing_bytes(path)) for path in self.files}
            return
        if self.options.written_format == "parquet" and sys.stdout.isatty():
            hint = Hint(Option("output", "FILE"))
            raise UsageError("Parquet is a binary format and is not written to a terminal", hint=hint)
        sys.stdout.flush()
        yield {"standard output": sys.stdout.buffer}


def _signatures_file(path: str | None) -> list[str]:
    """Return the file of ``--signatures`` in a list, which is empty for a device.

    Raises:
        InputError: The file cannot be written.
    """
    if path is None or is_read_once(path):
        return []
    target = Path(os.path.realpath(path))
    with write_errors(path):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with TemporaryFile(dir=target.parent):
            return [path]
