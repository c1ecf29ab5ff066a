"""The one interface of all that is read: a file, and the format that makes columns of it.

Text and M2 are formats without names of columns, each file one column; tables have several. Other packages add theirs
as entry points of the group ``geceval.formats``: see docs/extending.md.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import IO, Any, ClassVar

from geceval._kernel import Text
from geceval.base.arguments import shown
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.base.registry import Registry
from geceval.text.files import display_name, ending_of, is_read_once, open_raw, path_text, read_errors, unpacked
from geceval.text.m2 import Blocks, Dialect
from geceval.text.reading.lines import LineReader
from geceval.text.reading.pipes import Pipe


@dataclass(frozen=True, eq=False)
class InputFile:
    """A file as formats see it: its ``name`` in messages, and its bytes, as often as they are wanted.

    ``-`` is standard input, which is kept while it is read, as pipes are.
    """

    path: str

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return display_name(self.path)

    @cached_property
    def _pipe(self) -> Pipe | None:
        return Pipe(self.path) if self.path == "-" or is_read_once(self.path) else None

    @contextlib.contextmanager
    def open(self, *, packed: bool = False) -> Iterator[IO[bytes]]:
        """The bytes from the start, decompressed unless ``packed``. Raises InputError, also while they are read."""
        with read_errors(self.path), contextlib.ExitStack() as stack:
            raw = stack.enter_context(open_raw(path_text(self.path)) if self._pipe is None else self._pipe.open())
            yield raw if packed else stack.enter_context(unpacked(raw))

    def lines(self, size: int) -> Iterator[Text]:
        """The lines of text from the start, so many at a time. Errors: see lines.read_lines."""
        with self.open() as stream:
            yield from LineReader(self.path, stream).parts(size)

    def error(self, message: str, line: int | None = None, hint: str | None = None) -> InputError:
        """An error about this file, and about a line of it, counted from 1."""
        return InputError(message, path=self.name, line=line, hint=hint)


class Format(ABC):
    """How files of a kind are read: the names of their columns, and what is in some of these, portion by portion.

    What is registered as an entry point of ``geceval.formats`` makes one when it is called; its name there is also the
    ending of the files (``conllu`` reads ``dev.conllu`` and ``dev.conllu.gz``). A format keeps nothing of a file.
    """

    #: Whether its columns have names; else a file is one column.
    is_table: ClassVar[bool] = True

    @abstractmethod
    def columns(self, file: InputFile) -> Sequence[str]:
        """The names of the columns. Raises InputError for a file that is none of this format."""

    @abstractmethod
    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        """What is in the columns in these places, about ``size`` rows at a time: for each column its values, as many as
        there are rows, and at least one.

        A value is a text; where there is none it is None, and of a column of references it may also be a list of texts.
        Raises InputError with the line for what cannot be read.
        """

    def line(self, file: InputFile, row: int) -> int | None:
        """The line, from 1, in which a row, from 0, begins; None where rows have no lines. Asked where a row is
        wrong."""
        return None

    def is_complete(self, file: InputFile, columns: Sequence[int]) -> bool:
        """Whether all values in these columns are known to be texts, without reading them. If not, they are gone
        through once more where the number of references has to be known."""
        return False

    def rows(self, file: InputFile) -> int | None:
        """The number of rows, if it is known without reading them."""
        return None


class PlainText(Format):
    """Text, a sentence a line."""

    is_table = False

    def columns(self, file: InputFile) -> Sequence[str]:
        return [""]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        return ([lines] for lines in file.lines(size))

    def line(self, file: InputFile, row: int) -> int:
        return row + 1

    def is_complete(self, file: InputFile, columns: Sequence[int]) -> bool:
        return True


@dataclass(frozen=True)
class M2(Format):
    """Edits. A file is read as a whole, since who annotated it has to be known beforehand."""

    is_table: ClassVar[bool] = False

    dialect: Dialect = "auto"

    def columns(self, file: InputFile) -> Sequence[str]:
        return [""]

    def portions(self, file: InputFile, columns: Sequence[int], size: int) -> Iterator[Sequence[Sequence[Any]]]:
        with file.open() as stream:
            yield [Blocks.parse(stream.read(), file.name).as_errant(self.dialect)]


#: Names, which are endings, too -> what makes a format.
FORMATS = Registry(
    "format",
    "geceval.formats",
    {
        "text": "geceval.text.reading.formats:PlainText",
        "m2": "geceval.text.reading.formats:M2",
        "tsv": "geceval.text.reading.delimited:Tsv",
        "csv": "geceval.text.reading.delimited:Csv",
        "jsonl": "geceval.text.reading.jsonlines:JsonLinesFormat",
        "parquet": "geceval.text.reading.parquet_table:Parquet",
    },
    aliases={"ndjson": "jsonl", "txt": "text"},
)


def table_format(path: str, name: str | Format | None = None, *, header: bool = True) -> Format:
    """The format of a table: as it is called (``csv``, ``csv:;``), else by the ending of the file's name.

    Raises UsageError where neither says it, for what is no table, and for one whose first line is always, or never, a
    header.
    """
    found = name if isinstance(name, Format) else _made(path, name)
    if not found.is_table:
        hint = "-s, -r and -c take text, a sentence a line, and --gold and -c take M2"
        raise UsageError(f"{display_name(path)} is no table: {name or ending_of(path)} has no columns", hint=hint)
    if header:
        return found
    if not is_dataclass(found) or "header" not in [setting.name for setting in fields(found)]:
        raise UsageError(f"{display_name(path)} has no header line that may be missing: its rows name their columns")
    without_header: Format = replace(found, header=False)
    return without_header


def _made(path: str, name: str | None) -> Format:
    if name is not None and not isinstance(name, str):
        raise UsageError(f"a format is a Format or the name of one, not {shown(name)}")
    ending = name or ending_of(path)
    if name is None and (not ending or ending not in FORMATS):
        known = ", ".join(known for known in FORMATS.names() if known not in ("text", "m2"))
        raise UsageError(f"{display_name(path)}: what format is it?", hint=f"--input-format says it: {known}")
    found = FORMATS.make(ending)
    if not isinstance(found, Format):
        raise UsageError(f"the format {ending} is no geceval.Format, but {shown(found)}")
    return found
