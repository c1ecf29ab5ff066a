"""Columns of files: what a format reads, in portions of rows, and the texts in its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal, TypeAlias, overload

from geceval._kernel import Text
from geceval.base.arguments import NO_OUTPUT, lone_surrogate, shown
from geceval.base.errors import InputError
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.text.blank_texts import MISSING, no_line
from geceval.text.columns import CompleteText
from geceval.text.line_rules import LLM, make_rules
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.lines import ALL
from geceval.text.written_values import (
    JSON_STARTS,
    LIST_STARTS,
    SHEET_ERRORS,
    is_list_text,
    is_nested_text,
    json_string,
    parse_list,
    written_value,
)

#: The role of a column of identifiers.
KEY = "id"
_BREAK = "a line break within a sentence"
#: Number of the first rows, whose fields are columns and whose values show what a column has.
HEAD = 100
#: Hint for answers of language models with text around the correction.
_CLEANS = Hint(
    Step(Hint(Option("clean", "llm")), 'prepare=geceval.Preparation(clean="llm")'),
    " takes the correction from an answer of a language model",
)
_SUGGESTIONS_HINT = (
    "write a row of JSON for each sentence in FILE.jsonl, such as "
    '[{"start": 3, "end": 5, "replacements": ["goes"]}], and geceval m2 convert FILE.jsonl -s SOURCE --to m2 > FILE.m2'
)
_OBJECT_HINT = "write its text in a column; in JSON Lines the fields of objects are columns"
#: The hint for errors of spreadsheets.
SHEET_HINT = "a text that starts with = or - is a formula: put an apostrophe before it, and wait until all are computed"
#: Some rows as a format yields them: a list per column, all of the same positive length.
Portion: TypeAlias = Sequence[Sequence[Any]]
#: The error of a value that should be a sentence, empty if it is one, and a hint.
Fault: TypeAlias = tuple[str, AnyHint | None]


@dataclass(frozen=True, eq=False)
class FileContent:
    """An open file: the names of its columns, and the functions that read them.

    A format is a function that returns the content of a file, or raises InputError for a file of another format.

    Args:
        file: The file.
        names: The names of the columns; a text and a file of edits have one, without a name.
        read: Yields the values of the columns in these places, about as many rows at a time as its second argument
            says. A value is a text or None; a column of references may also contain lists of texts. It raises
            InputError with the line of an error.
        line: Returns the line, counted from 1, of a row, counted from 0; it is called for error messages.
        read_cells: Yields the values of all columns, as ``read``, but None for those that a row lacks. A column may be
            an Arrow array, which has a type. By default ``read`` does.
        rows: Number of rows if it is known without reading them.
        kind: "table", whose columns have names; "text", "m2" and "suggestions" have one column.
        key: The name of the column of identifiers if the format has one.
        has_letters: Whether columns have letters, as in a spreadsheet.
        parts: The contents of its files, if it is a table in several.
        order: Set by ``selected``: rows of a file, which is then read as a whole, into ``cache``.
        part: Set by ``selected``: the name of the rows.
        failed: The errors of rows whose value is None since a request to a language model failed; ``read`` adds them.
    """

    file: InputFile
    names: Sequence[str]
    read: Callable[[Sequence[int], int], Iterator[Portion]]
    line: Callable[[int], int | None] = no_line
    _: KW_ONLY
    read_cells: Callable[[int], Iterator[Portion]] | None = None
    rows: int | None = None
    kind: Literal["table", "text", "m2", "suggestions"] = "table"
    key: str = ""
    has_letters: bool = False
    parts: Sequence[FileContent] = ()
    order: Sequence[int] | None = None
    part: str = ""
    cache: dict[int, Sequence[Any]] = field(default_factory=dict)
    failed: Mapping[int, Fault] = field(default_factory=dict)

    @staticmethod
    def of_values(
        file: InputFile,
        values: Sequence[Any],
        kind: Literal["text", "m2", "suggestions"],
        line: Callable[[int], int | None] = no_line,
    ) -> FileContent:
        """Return the content of a file that was read as a whole; ``line``: see ``FileContent``."""

        def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
            yield [values for _ in columns]

        return FileContent(file, [""], read, line, rows=len(values), kind=kind)

    @property
    def is_table(self) -> bool:
        """Whether columns have names, and may contain any values."""
        return self.kind == "table"

    @property
    def name(self) -> str:
        """The name in messages."""
        return f"{self.file.name} ({self.part})" if self.part else self.file.name

    def portions(self, columns: Sequence[int], size: int) -> Generator[Portion, None, None]:
        """Yield the values of these columns, ``size`` rows at a time. Raises the errors of ``read``."""
        if self.order is None:
            return _rechunk(self.read(columns, size), size)
        return _rechunk(iter([self._rows(columns, self.order)]), size)

    def cells(self, columns: Sequence[int], size: int) -> Iterator[Portion]:
        """Yield the cells of these columns, ``size`` rows at a time; see ``read_cells``."""
        portions = self.read(range(len(self.names)), size) if self.read_cells is None else self.read_cells(size)
        of_columns = ([portion[column] for column in columns] for portion in portions)
        if self.order is None:
            return _rechunk(of_columns, size)
        [cells] = _rechunk(of_columns, ALL)
        return _rechunk(iter([[[values[row] for row in self.order] for values in cells]]), size)

    def selected(self, order: Sequence[int], part: str = "") -> FileContent:
        """Return a content of these rows; ``part`` names them."""
        order = order if self.order is None else [self.order[row] for row in order]
        return replace(self, order=order, rows=len(order), part=part or self.part)

    def _rows(self, columns: Sequence[int], order: Sequence[int]) -> Portion:
        missing = [column for column in columns if column not in self.cache]
        if missing:
            portions = _rechunk(self.read(missing, ALL), ALL)
            self.cache.update(zip(missing, next(portions, [[] for _ in missing]), strict=True))
        return [[self.cache[column][row] for row in order] for column in columns]

    def position(self, name: Any) -> int | None:
        """Return the position of a column with this name or, if there is none, with this number from 1 or letter."""
        number = str(name)
        for spelling in (name, number.strip(), re.sub(r"\[(\d+)\]", r".\1", number).lstrip("$.")):
            if spelling in self.names:
                return self.names.index(spelling)
        place = 0
        if number.isascii() and number.isdecimal():
            place = int(number)
        elif self.has_letters and re.fullmatch("[A-Z]{1,3}", number):
            for letter in number:
                place = 26 * place + ord(letter) - ord("A") + 1
        return place - 1 if 1 <= place <= len(self.names) else None

    def column(self, role: str, index: int) -> FileColumn:
        """Return the column in a place, in a role."""
        return FileColumn(role, self, index, self.names[index])

    def line_of(self, row: int) -> int | None:
        """Return the line of a row, counted from 0; None if lines are unknown."""
        return self.line(row if self.order is None else self.order[row])

    def error(self, row: int, message: str, hint: AnyHint | None = None) -> InputError:
        """Return an error about a row, counted from 0; of a table in parts it names the file."""
        place = row if self.order is None else self.order[row]
        for content in self.parts:
            if place < (content.rows or 0):
                return content.error(place, message, hint)
            place -= content.rows or 0
        line, number = self.line_of(row), place + 1
        return self.file.error(message if line is not None else f"row {number}: {message}", line, hint)


#: A function that opens a file.
Format: TypeAlias = Callable[[InputFile], FileContent]


def _rechunk(portions: Iterator[Portion], size: int) -> Generator[Portion, None, None]:
    """Re-chunk rows to ``size``."""
    pending: list[Portion] = []
    ready = 0
    for portion in portions:
        start, rows = 0, len(portion[0])
        while ready + rows - start >= size:
            stop = start + size - ready
            yield _join([*pending, [values[start:stop] for values in portion]])
            pending, ready, start = [], 0, stop
        if start < rows:
            pending.append([values[start:] for values in portion] if start else portion)
            ready += rows - start
    if pending:
        yield _join(pending)


def _join(portions: Sequence[Portion]) -> Portion:
    if len(portions) == 1:
        return portions[0]
    return [_joined(values) for values in zip(*portions, strict=True)]


def _joined(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values of several texts, Arrow arrays or other sequences as one."""
    if isinstance(values[0], Text):
        return Text.joined(values)
    if hasattr(values[0], "to_pylist"):
        import pyarrow

        joined: Sequence[Any] = pyarrow.concat_arrays(values)
        return joined
    return list(chain.from_iterable(values))


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of a file and its role.

    ``name`` is its name in a table, empty without a table.
    """

    role: str
    content: FileContent
    index: int = 0
    name: str = ""

    @property
    def is_edits(self) -> bool:
        """Whether it contains M2 blocks."""
        return self.content.kind in ("m2", "suggestions")

    @property
    def is_m2(self) -> bool:
        """Whether it is an M2 file, which has its own source."""
        return self.content.kind == "m2"

    @property
    def is_reference(self) -> bool:
        """Whether it contains references, which may be lists of texts."""
        return self.role.startswith("reference")

    @property
    def label(self) -> str:
        """The name of the column, or of the file without a table."""
        return self.name or self.content.file.name

    @property
    def title(self) -> str:
        """The name in messages without a row: of the file, and of the column in a table."""
        return f"{self.content.name}: {self.name}" if self.in_table else self.content.name

    def places(self, before: int) -> Callable[[int], int | None]:
        """Return the function that returns the line of a text in a portion; ``before``: number of rows before it."""
        return lambda row: self.content.line_of(before + row)

    @property
    def in_table(self) -> bool:
        """Whether its values must be checked, since tables may contain any values."""
        return self.content.is_table

    @property
    def has_suggestions(self) -> bool:
        """Whether the first cells that are not blank or empty lists are suggestions of a checker.

        Answers of language models with a correction next to them are none.
        """
        cells = self.filled_cells or ([[]] if self.first_values(1) else [])
        return bool(cells) and all(self._is_suggestions(cell) and not _is_answer_in_json(cell) for cell in cells)

    @cached_property
    def filled_cells(self) -> Sequence[Any]:
        """The first cells that are not blank or empty lists, with lists and objects in place of their texts."""
        for [values] in self.content.portions([self.index], HEAD):
            cells = [written_value(value) for value in values if not is_null(value)]
            if filled := [cell for cell in cells if cell != []]:
                return filled
        return []

    def _is_edits(self, value: Any) -> bool:
        """Return whether a value is suggestions, or a text of a list that may be some."""
        return self._is_suggestions(written_value(value)) or (isinstance(value, str) and is_nested_text(value))

    def _is_suggestions(self, value: Any) -> bool:
        from geceval.text.m2.suggestion_rows import is_suggestions_cell  # texts need no suggestions

        return is_suggestions_cell(self.name.rpartition(".")[2], value)

    def error(self, row: int, message: str, hint: AnyHint | None = None) -> InputError:
        """Return an error about a value in a row, counted from 0."""
        return self.content.error(row, f"{self.name}: {message}" if self.name else message, hint)

    @overload
    def checked(
        self,
        values: Sequence[Any],
        before: int,
        *,
        breaks: bool = False,
        source: Text | None = None,
        unpacks: bool = False,
    ) -> CompleteText: ...
    @overload
    def checked(
        self,
        values: Sequence[Any],
        before: int,
        *,
        optional: bool,
        breaks: bool = False,
        source: Text | None = None,
        unpacks: bool = False,
    ) -> Text: ...
    def checked(
        self,
        values: Sequence[Any],
        before: int,
        *,
        optional: bool = False,
        breaks: bool = False,
        source: Text | None = None,
        unpacks: bool = False,
    ) -> Text:
        """Return values as texts.

        Args:
            values: The values of some rows.
            before: Number of rows before them.
            optional: Whether None is allowed.
            breaks: Whether line breaks are allowed.
            source: The sentences that the values correct, if these are outputs.
            unpacks: Whether corrections in JSON are taken from it later.

        Raises:
            InputError: For other values; names the place.
        """
        if not self.in_table:
            return Text(values)
        if all(is_null(value) or _is_json(value) for value in values):
            rows = (row for row, value in enumerate(values) if not (unpacks and _is_answer_in_json(value)))
            row = next((row for row in rows if self._is_edits(values[row])), None)
            if row is not None:
                message = f"suggestions, not a sentence: {shown(values[row])}"
                is_answer = _is_answer_in_json(values[row])
                raise self.error(before + row, message, _CLEANS if is_answer else _SUGGESTIONS_HINT)
        self._check_no_objects(values, before)
        first = next((row for row, value in enumerate(values) if value is not None), None)
        if first is not None and all(value is None or is_list_text(value) for value in values):
            raise self._list_error(before + first, values[first])
        try:
            text = Text(values)
            if text.contains_any(b"\r\r\r"):
                values = [value.rstrip("\r") if value is not None else None for value in values]
                text = Text(values)
            if _is_plain(text, optional=optional, breaks=breaks):
                return text
        except (TypeError, UnicodeEncodeError):
            words = [_joined_tokens(value) for value in values]
            if words != values:
                return self.checked(words, before, optional=optional, breaks=breaks, source=source)
        for row, value in enumerate(values):
            message, hint = self._fault(before + row, value, optional, breaks)
            if message:
                if message == _BREAK and source is not None and _is_answer(value, str(source[row])):
                    hint = _CLEANS
                raise self.error(before + row, message, hint)
        return Text(values)

    def _check_no_objects(self, values: Sequence[Any], before: int) -> None:
        """Raise InputError for objects in JSON in place of sentences, except of systems, whose answers may be some."""
        if self.role == "source" or self.is_reference:
            rows = values.lines_like(("{",), ()) if isinstance(values, Text) else range(len(values))
            row = next((row for row in rows if isinstance(written_value(values[row]), Mapping)), None)
            if row is not None:
                raise self.error(before + row, f"an object in JSON, not a sentence: {shown(values[row])}", _OBJECT_HINT)

    def faults(
        self, values: Sequence[Any], before: int, *, optional: bool = False, breaks: bool = False
    ) -> Iterator[tuple[int, InputError]]:
        """Yield the rows whose value is no text, with the error of ``checked``; see there.

        Lists are references.
        """
        if not self.in_table or (isinstance(values, Text) and _is_plain(values, optional=optional, breaks=breaks)):
            return
        for row, value in enumerate(values):
            texts = value if self.is_reference and isinstance(value, list) else [_joined_tokens(value)]
            for text in texts:
                message, hint = self._fault(before + row, text, optional, breaks)
                if message:
                    yield row, self.error(before + row, message, hint)
                    break

    def _fault(self, row: int, value: Any, optional: bool, breaks: bool) -> Fault:
        """Return the error of a value in a row that should be a sentence; see ``_fault``."""
        content = self.content
        failed = content.failed.get(row if content.order is None else content.order[row])
        return failed if failed and value is None and not optional else _fault(value, optional, breaks)

    def with_lists(self, values: Sequence[Any], before: int) -> Sequence[Any]:
        """Return values of references with lists that are written as text as lists; ``before``: see checked.

        If all other texts of a column with lists are strings of JSON, they are decoded, too: libraries that write JSON
        to CSV make them. Raises InputError for a list that is ambiguous.
        """
        starts = (*LIST_STARTS, '"')
        rows = values.lines_like(starts, ()) if isinstance(values, Text) else range(len(values))
        lists = {row: parse_list(values[row]) for row in rows if is_list_text(values[row])}
        for row, parsed in lists.items():
            if parsed is None:
                raise self._list_error(before + row, values[row])
        decoded: dict[int, Any] = dict(lists)
        if lists or self._begins_with_lists:
            texts = {row: text for row in rows if row not in lists and (text := json_string(values[row])) is not None}
            if len(texts) + len(lists) == len(values) - list(values).count(None):
                decoded |= texts
        return [decoded.get(row, value) for row, value in enumerate(values)] if decoded else values

    @cached_property
    def _begins_with_lists(self) -> bool:
        """Whether the first rows have a list that is written as text."""
        return any(map(is_list_text, self.first_values(HEAD)))

    def _list_error(self, row: int, value: str) -> InputError:
        writer = "DataFrame.to_json(FILE, orient='records', lines=True), Dataset.to_json(FILE)"
        return self.error(row, f"a list written as text: {shown(value)}", f"JSON Lines keep lists: {writer}")

    def all_labels(self) -> Sequence[str]:
        """Return all values as labels."""
        return self.as_labels(self.all_values(), 0)

    def first_values(self, number: int) -> Sequence[Any]:
        """Return the first values; empty without rows."""
        [values] = next(self.content.portions([self.index], number), [[]])
        return values

    def all_values(self) -> Sequence[Any]:
        """Return all values."""
        return self.first_values(ALL)

    def as_labels(self, values: Sequence[Any], before: int) -> Sequence[str]:
        """Return values as labels, with numbers as text and without blanks around them.

        Raises InputError for other types.
        """
        for row, value in enumerate(values):
            if not isinstance(value, (str, int, float)):
                raise self.error(before + row, f"a label must be text or a number, not {_describe(value)}")
        return [str(value).strip() for value in values]


def _is_plain(text: Text, *, optional: bool, breaks: bool) -> bool:
    """Return whether all values are sentences, as far as it is known without looking at each."""
    has_usual_characters = not text.contains_any(b"\0\0\0" if breaks else b"\0\r\n")
    return (optional or text.complete) and has_usual_characters and not text.lines_like((), SHEET_ERRORS)


def is_null(value: Any) -> bool:
    """Return whether a cell has no value, or one that libraries write in its place, such as ``nan``."""
    return value is None or (isinstance(value, str) and (not value.strip() or value in MISSING))


def _is_json(value: Any) -> bool:
    """Return whether a value is a list or an object, also as JSON text."""
    return isinstance(value, list | Mapping) or (isinstance(value, str) and value.startswith(JSON_STARTS))


def _is_answer_in_json(value: Any) -> bool:
    """Return whether a value is an object with a correction, also as text, as language models write it."""
    from geceval.text.m2.suggestion_rows import CORRECTED  # texts need no suggestions

    value = written_value(value)
    return isinstance(value, Mapping) and any(isinstance(value.get(key), str) for key in CORRECTED)


def _joined_tokens(value: Any) -> Any:
    """Return a list of tokens as a sentence, and any other value unchanged."""
    is_tokens = isinstance(value, list) and all(isinstance(token, str) for token in value)
    return line if is_tokens and (line := " ".join(value)).split() == value else value


def _fault(value: Any, optional: bool, breaks: bool) -> Fault:
    """Return the error of a value that should be a sentence, and a hint.

    The message is empty if the value is valid.
    """
    if value is None and optional:
        return "", None
    if not isinstance(value, str):
        hint = "a list of tokens must contain strings without white space" if isinstance(value, list) else None
        hint = NO_OUTPUT if value is None else hint
        return f"a sentence must be text, not {_describe(value)}", hint
    if fault := lone_surrogate(value):
        return f"{fault} is not text", None
    if "\0" in value:
        return f"NUL at position {value.index(chr(0))} is not text", None
    if value in SHEET_ERRORS:
        return f"an error of a spreadsheet: {value}", SHEET_HINT
    if not breaks and ("\n" in value or "\r" in value):
        repair = Step(Hint(Option("normalise", "whitespace")), "prepare=geceval.Preparation(whitespace=True)")
        return _BREAK, Hint(repair, " replaces line breaks by spaces, and removes them at the end")
    return "", None


def _is_answer(text: str, source: str) -> bool:
    """Return whether a text of several lines has more than a correction."""
    return make_rules(LLM).edit(text, source).split() != text.split()


def _describe(value: Any) -> str:
    return "nothing (null)" if value is None else "a list" if isinstance(value, list) else shown(value)
