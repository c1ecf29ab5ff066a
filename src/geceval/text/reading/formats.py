"""The interface of all readers: files, and formats that split them into columns.

Text and M2 files have one column without a name; tables have several. Other packages add formats as entry points of the
group ``geceval.formats``, see docs/extending.md.
"""

from __future__ import annotations

import contextlib
import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import IO, Any, ClassVar

from geceval._kernel import Text
from geceval.base.arguments import shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.text.columns import CompleteText
from geceval.text.files import (
    as_utf8,
    current_encoding,
    display_name,
    ending_of,
    is_read_once,
    kind_of,
    open_raw,
    path_text,
    read_errors,
    unpacked,
)
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Dialect, Misfits, Overlaps
from geceval.text.m2.m2_json import read_json_lines
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps
from geceval.text.m2.suggestions import Offsets
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.reading.file_kinds import AMBIGUOUS, FORMATS
from geceval.text.reading.lines import LineReader, Pipe, WithoutReturns


@dataclass(frozen=True, eq=False)
class InputFile:
    """A file that formats read any number of times, and its name in messages.

    ``-`` is standard input. Standard input and pipes are stored while they are read.
    """

    path: str
    #: The encoding of a file that is not UTF-8.
    encoding: str | None = field(default_factory=current_encoding)

    @property
    def name(self) -> str:
        """The name in messages."""
        return display_name(self.path)

    @cached_property
    def _pipe(self) -> Pipe | None:
        return Pipe(self.path) if self.path == "-" or is_read_once(path_text(self.path)) else None

    @contextlib.contextmanager
    def open(self, *, packed: bool = False) -> Iterator[IO[bytes]]:
        """Yield the bytes from the start, decompressed unless ``packed``.

        Raises InputError, also while reading.
        """
        with read_errors(self.path), contextlib.ExitStack() as stack:
            raw = stack.enter_context(open_raw(self.path) if self._pipe is None else self._pipe.open())
            yield raw if packed else as_utf8(stack.enter_context(unpacked(raw)), self.path, self.encoding)

    def lines(self, size: int, separators: str = "") -> Iterator[CompleteText]:
        """Yield the lines of text from the start, ``size`` at a time.

        Carriage returns before these separators are left out. Raises the errors of lines.read_lines.
        """
        with self.open() as stream:
            content = io.BufferedReader(WithoutReturns(stream, separators), 1 << 18) if separators else stream
            yield from LineReader(self.path, content).parts(size)

    def error(self, message: str, line: int | None = None, hint: AnyHint | None = None) -> InputError:
        """Return an error about the file, or about a line of it, counted from 1."""
        return InputError(message, path=self.name, line=line, hint=hint)


class Format(ABC):
    """A format of files: names the columns of a file and reads them in portions.

    An entry point of ``geceval.formats`` is called to make a format. Its name is also the ending of the files
    (``conllu`` reads ``dev.conllu`` and ``dev.conllu.gz``). A format stores nothing about a file.
    """

    #: Whether columns have names; else a file is one column.
    is_table: ClassVar[bool] = True
    #: Whether the values are M2 blocks.
    is_edits: ClassVar[bool] = False

    @abstractmethod
    def columns(self, file: InputFile) -> Sequence[str]:
        """Return the names of the columns.

        Raises InputError for a file of another format.
        """

    @abstractmethod
    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        """Yield the values of the columns in these places, about ``size`` rows at a time.

        Each portion has a list per column, all of the same positive length. A value is a text or None; a column of
        references may also contain lists of texts. Raises InputError with the line of an error.
        """

    def cells(self, file: InputFile, size: int) -> Iterator[Sequence[Sequence[Any]]]:
        """Yield the values of all columns, about ``size`` rows at a time; None for values that a row lacks.

        A column may be an Arrow array, which has a type.
        """
        return self.portions(file, range(len(self.columns(file))), size)

    def line(self, file: InputFile, row: int) -> int | None:
        """Return the line, counted from 1, of a row, counted from 0.

        Formats without lines return None.

        It is called for error messages.
        """
        return None

    def rows(self, file: InputFile) -> int | None:
        """Return the number of rows if it is known without reading them."""
        return None


class PlainText(Format):
    """Text, one sentence per line."""

    is_table = False

    def columns(self, file: InputFile) -> Sequence[str]:
        return [""]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        return ([lines] for lines in file.lines(size))

    def line(self, file: InputFile, row: int) -> int:
        return row + 1


@dataclass(frozen=True)
class M2(Format):
    """Edits; a file is read as a whole because its annotators must be known before."""

    is_table: ClassVar[bool] = False
    is_edits: ClassVar[bool] = True

    dialect: Dialect = "auto"
    #: See Blocks.parse.
    shared: bool = False
    #: See fitting.
    misfits: Misfits | None = "error"

    def columns(self, file: InputFile) -> Sequence[str]:
        return [""]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        with file.open() as stream:
            blocks = Blocks.parse(stream.read(), file.name, shared=self.shared, dialect=self.dialect)
        yield [fitting_blocks(blocks, self.misfits)]


@dataclass(frozen=True, eq=False)
class Suggestions(Format):
    """Suggestions of a grammar checker; a file is read as a whole.

    ``source`` are the sentences to which the offsets refer, before ``preparation``; by default the file contains them.
    ``overlaps``: see resolve_overlaps; None: overlapping suggestions stay.
    """

    is_table: ClassVar[bool] = False
    is_edits: ClassVar[bool] = True

    source: Sequence[str] | None = None
    preparation: Preparation = NOTHING
    offsets: Offsets = "auto"
    overlaps: Overlaps | None = None

    def columns(self, file: InputFile) -> Sequence[str]:
        return [""]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        blocks = Blocks.of(list(self.blocks(file.path)))
        if self._tokens is not None and len(blocks) == len(self._tokens):
            self._check_sentences(blocks)
        yield [blocks if self.overlaps is None else resolve_overlaps(blocks, self.overlaps)]

    def _check_sentences(self, blocks: Blocks) -> None:
        """Raise InputError with the first sentence that differs from the source."""
        if differing := blocks.source.differing(self._tokens):
            s = differing[0]
            hint = f"{blocks.source[s]}\n  {self._tokens[s]}"
            raise blocks[s].error(f"sentence {s + 1} differs from the source", hint=hint)

    @cached_property
    def _tokens(self) -> Any:
        """The sentences after the preparation."""
        return None if self.source is None else self.preparation.apply("source", Text(self.source))

    def blocks(self, path: str) -> Iterator[Block]:
        """Yield the blocks of a file. Raises the errors of read_json_lines."""
        steps = replace(self.preparation, clean=())

        def split(text: str) -> Sequence[str]:
            return str(steps.apply("systems", Text([text]))[0]).split()

        splitter = split if "systems" in steps.roles else None
        return read_json_lines(path, self.source, tokens=self._tokens, offsets=self.offsets, split=splitter)


def table_format(path: str, name: str | Format | None = None, *, header: bool = True) -> Format:
    """Return the format of a table, by name or by the ending of the file.

    Names are ``csv``, ``csv:;`` and so on.

    Raises:
        UsageError: if the format is unknown or not a table, and for ``header=False`` if it always has a header.
    """
    format = name if isinstance(name, Format) else _make_format(path, name)
    if not format.is_table:
        texts = (
            Option("source"),
            ", ",
            Option("references"),
            " and ",
            Option("systems"),
            " take text, one sentence per line, ",
        )
        hint = Hint(*texts, "and ", Option("gold"), " and ", Option("systems"), " take M2")
        raise UsageError(f"{display_name(path)} is not a table: {name or ending_of(path)} has no columns", hint=hint)
    if header:
        return format
    if not is_dataclass(format) or "header" not in [setting.name for setting in fields(format)]:
        raise UsageError(f"{display_name(path)} always has names of columns: its format has no header line to omit")
    without_header: Format = replace(format, header=False)
    return without_header


def _make_format(path: str, name: str | None) -> Format:
    if name is not None and not isinstance(name, str):
        raise UsageError(f"a format must be a geceval.extending.Format or its name, not {shown(name)}")
    ending = name or ending_of(path)
    if name is None and (not ending or ending not in FORMATS):
        kind = kind_of(path, AMBIGUOUS)
        if kind is not None:
            raise kind.error(display_name(path), "a table whose format is known by its ending")
        known = ", ".join(known for known in FORMATS.names() if known not in ("text", "m2"))
        hint = Hint("give it with ", Option("input_format"), f": {known}")
        raise UsageError(f"{display_name(path)}: unknown format", hint=hint)
    format = FORMATS.make(ending)
    if not isinstance(format, Format):
        raise UsageError(f"the format {ending} is not a geceval.extending.Format but {shown(format)}")
    return format
