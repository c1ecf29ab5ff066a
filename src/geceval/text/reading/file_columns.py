"""Columns of files that belong together, row by row: a file is opened once a pass, however many of its are taken."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from geceval._kernel import Text
from geceval.base.arguments import shown
from geceval.base.errors import InputError, UsageError
from geceval.text.corpus import Lines, check_lengths
from geceval.text.essays import Essays, has_heads, in_order
from geceval.text.files import check_standard_input, has_ending, is_m2, is_read_once, path_texts
from geceval.text.m2 import Dialect, read
from geceval.text.reading.formats import M2, Format, InputFile, PlainText
from geceval.text.reading.lines import ALL, line_parts, read_lines

#: What a format yields: some rows, column by column.
Portion = Sequence[Sequence[Any]]


@dataclass(frozen=True, eq=False)
class FileContent:
    """A file and how it is read. What can only be read as a whole is ``held``."""

    file: InputFile
    format: Format
    held: Portion | None = None

    @staticmethod
    def text(path: str, held: Sequence[Any] | None = None) -> FileContent:
        """A file of lines."""
        return FileContent(InputFile(path), PlainText(), None if held is None else [held])

    @staticmethod
    def edits(path: str, dialect: Dialect = "auto") -> FileContent:
        """An M2 file, which is read now."""
        file, how = InputFile(path), M2(dialect)
        return FileContent(file, how, next(iter(how.portions(file, [0], ALL))))

    def portions(self, columns: Sequence[int], size: int) -> Generator[Portion, None, None]:
        """What is in these columns, ``size`` rows at a time, at the end fewer. Errors: see Format.portions."""
        if self.held is None:
            return _rechunk(self.format.portions(self.file, columns, size), size)
        return _rechunk(iter([[self.held[column] for column in columns]]), size)

    @property
    def rows(self) -> int | None:
        """How many rows there are, if that is known."""
        return self.format.rows(self.file) if self.held is None else len(self.held[0])

    def error(self, row: int, message: str, hint: str | None = None) -> InputError:
        """An error about a row, from 0."""
        line = self.format.line(self.file, row)
        return self.file.error(message if line is not None else f"row {row + 1}: {message}", line, hint)


def _rechunk(portions: Iterator[Portion], size: int) -> Generator[Portion, None, None]:
    """Re-chunk rows to ``size``."""
    pending: list[Portion] = []
    ready = 0
    for portion in portions:
        at, rows = 0, len(portion[0])
        while ready + rows - at >= size:
            stop = at + size - ready
            yield _join([*pending, [values[at:stop] for values in portion]])
            pending, ready, at = [], 0, stop
        if at < rows:
            pending.append([values[at:] for values in portion] if at else portion)
            ready += rows - at
    if pending:
        yield _join(pending)


def _join(portions: Sequence[Portion]) -> Portion:
    if len(portions) == 1:
        return portions[0]
    return [list(chain.from_iterable(columns)) for columns in zip(*portions, strict=True)]


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of a file in its role. ``name``: what it is called in a table, empty where the file is one column."""

    role: str
    content: FileContent
    place: int = 0
    name: str = ""

    @property
    def is_edits(self) -> bool:
        """Whether it has M2 blocks."""
        return isinstance(self.content.format, M2)

    @property
    def in_table(self) -> bool:
        """Whether what it has is to be looked at: tables may hold anything."""
        return self.content.format.is_table

    def error(self, row: int, message: str, hint: str | None = None) -> InputError:
        """An error about what is in a row, from 0."""
        return self.content.error(row, f"{self.name}: {message}", hint)

    def checked(self, values: Sequence[Any], before: int, *, optional: bool = False, breaks: bool = False) -> Text:
        """Values as texts; ``before``: the rows before them; ``optional``: None is allowed; ``breaks``: so are line
        breaks. Raises InputError with the place for anything else."""
        if not self.in_table:
            return Text(values)
        try:
            text = Text(values)
            joined = "\n".join(filter(None, values))
            fine = "\0" not in joined and (optional or text.complete)
            if fine and (breaks or ("\r" not in joined and joined.count("\n") < max(1, sum(map(bool, values))))):
                return text
        except (TypeError, UnicodeEncodeError):
            pass
        for at, value in enumerate(values):
            message, hint = _fault(value, optional, breaks)
            if message:
                raise self.error(before + at, message, hint)
        return Text(values)

    def whole(self) -> Sequence[str]:
        """All values as labels."""
        [values] = next(self.content.portions([self.place], ALL), [[]])
        return self.named(values, 0)

    def named(self, values: Sequence[Any], before: int) -> Sequence[str]:
        """Values as labels: texts, and numbers as they are written. Raises InputError for anything else."""
        for at, value in enumerate(values):
            if not isinstance(value, (str, int, float)):
                raise self.error(before + at, f"a label is text or a number, not {_describe(value)}")
        return list(map(str, values)) if self.in_table else values


def _fault(value: Any, optional: bool, breaks: bool) -> tuple[str, str | None]:
    """What is wrong with a value that is to be a sentence, and what to try; an empty message if nothing is."""
    if value is None and optional:
        return "", None
    if not isinstance(value, str):
        return f"a sentence is text, not {_describe(value)}", None
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return f"lone surrogate U+{ord(value[error.start]):04X} at position {error.start} is not text", None
    if "\0" in value:
        return f"NUL at position {value.index(chr(0))} is not text", None
    if not breaks and ("\n" in value or "\r" in value):
        return (
            "a line break within a sentence",
            "--whitespace repair makes blanks of them, and removes those at the end",
        )
    return "", None


def _describe(value: Any) -> str:
    return "nothing (null)" if value is None else "a list" if isinstance(value, list) else shown(value)


# --- texts by role ---


def text_columns(
    named: Sequence[tuple[str, str]], references: int = 0, *, with_source: bool = True
) -> list[FileColumn]:
    """Texts by role and path: the source, so many references, others; essays (in files named .md) side by side by their
    ids. A reference may lack some.

    Raises UsageError where some are essays and others are lines, or without a source, and InputError as
    essays.in_order.
    """
    essays = [_essays(path) for _, path in named]
    whole = [file for file in essays if file is not None]
    if not whole:
        return [FileColumn(role, FileContent.text(path)) for role, path in named]
    if len(whole) < len(named) or not with_source:
        first = next((path for (_, path), file in zip(named, essays, strict=True) if file is None), None)
        message = f"{first} has none" if first else "there is no source"
        hint = "essays go by their ids: give all texts as .md files with the heads '### essay_id = ID'"
        raise UsageError(f"{whole[0].path} has essays, and {message}", hint=hint)
    texts = in_order(whole[0], whole[1 : 1 + references], whole[1 + references :])
    return [FileColumn(role, FileContent.text(path, text)) for (role, path), text in zip(named, texts, strict=True)]


def _essays(path: str) -> Essays | None:
    """The essays of a Markdown file, None if it has none."""
    if not has_ending(path, ".md") or is_read_once(path):
        return None
    lines = read_lines(path)
    return Essays.of(lines, path) if has_heads(lines) else None


# --- rows ---


def together(columns: Sequence[FileColumn], size: int) -> Iterator[list[Any]]:
    """What the columns hold, so many rows at a time; InputError with all lengths if files differ or there is none."""
    contents = list(dict.fromkeys(column.content for column in columns))
    places = {own: sorted({column.place for column in columns if column.content is own}) for own in contents}
    where = [(column.content, places[column.content].index(column.place)) for column in columns]
    opened = {own: own.portions(places[own], size) for own in contents}
    try:
        yield from _rows(columns, opened, where)
    finally:
        for portions in opened.values():
            portions.close()


def _rows(
    columns: Sequence[FileColumn],
    opened: Mapping[FileContent, Iterator[Portion]],
    where: Sequence[tuple[FileContent, int]],
) -> Iterator[list[Any]]:
    done = 0
    while True:
        rows = {own: next(portions, [[]]) for own, portions in opened.items()}
        lengths = {own: len(portion[0]) for own, portion in rows.items()}
        length = next(iter(lengths.values()))
        if done == 0 == length or any(other != length for other in lengths.values()):
            rest = {own: sum(len(portion[0]) for portion in portions) for own, portions in opened.items()}
            _check_rows(columns, {own: done + lengths[own] + rest[own] for own in opened})
        if length == 0:
            return
        yield [rows[own][at] for own, at in where]
        done += length


def _check_rows(columns: Sequence[FileColumn], totals: dict[FileContent, int]) -> None:
    roles = {column.content: "table" if column.in_table else column.role for column in reversed(columns)}
    width = max(map(len, roles.values()))
    labels = {own: f"{roles[own]:<{width}}  {own.file.path}".strip() for own in totals}
    plain = not any(column.is_edits or column.in_table for column in columns)
    check_lengths([(labels[own], total) for own, total in totals.items()], noun="lines" if plain else "sentences")


def read_lines_together(paths: Sequence[str], roles: Sequence[str] | None = None) -> list[Lines]:
    """The lines of files that belong together, sentence by sentence.

    Raises InputError if they differ in their number of lines (all files and counts are listed, with their ``roles``),
    and UsageError if standard input is named twice.
    """
    paths = path_texts("files", paths)
    check_standard_input(paths)
    columns = text_columns(list(zip(roles or [""] * len(paths), paths, strict=True)))
    [texts] = together(columns, ALL)
    return [cast(Lines, text) for text in texts]


def first_sentences(path: str, number: int) -> Text:
    """Return the first sentences of a text, or the first sources of an M2 file, at most this number."""
    if not is_m2(path):
        return next(line_parts(path, number), Text([]))
    return Text(block.source for block, _ in zip(read(path), range(number), strict=False))
