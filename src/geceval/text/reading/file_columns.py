"""Columns of files that belong together, row by row; a pass opens each file once."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, zip_longest
from typing import Any, overload

from geceval._kernel import Text
from geceval.base.arguments import NO_OUTPUT, NO_REFERENCE, lone_surrogate, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint, Hint, Option, Step, table_step
from geceval.text.columns import CompleteText, check_lengths
from geceval.text.essays import Essays, align_essays, has_heads
from geceval.text.files import (
    display_name,
    has_ending,
    is_m2,
    is_read_once,
    kind_of,
)
from geceval.text.line_rules import LLM, make_rules
from geceval.text.m2 import m2_files
from geceval.text.missing_references import given_references, number_of_blank
from geceval.text.preparation import Role
from geceval.text.reading.column_names import (
    FURTHER,
    HEAD,
    further_names,
    is_answer,
    is_sentence,
    is_text_or_texts,
    listed_names,
    usual_names,
)
from geceval.text.reading.file_kinds import AMBIGUOUS, TEXT_TABLES, endings_of
from geceval.text.reading.formats import M2, Format, InputFile, PlainText, table_format
from geceval.text.reading.jsonlines import JsonFormat, JsonTexts, suggestions_error
from geceval.text.reading.lines import ALL, line_parts, read_lines

#: Role of a text -> role and option of its column, and its column in ``.para``.
_ROLES: Mapping[str, tuple[Role, str, str]] = {
    "source": ("source", "source_column", "source"),
    "reference": ("references", "reference_column", "reference"),
    "system": ("systems", "hypothesis_column", "correction"),
}
#: The role of a column of identifiers.
KEY = "id"
_BREAK = "a line break within a sentence"
#: A list of texts as Python and JSON write it.
_LIST = re.compile(r"""\[\]|[\[(](?:['"]|null,|None,).*(?:['"],?|null|None)[\])]""", re.DOTALL)
_LIST_STARTS = ("[", "(")
#: Some rows as a format yields them, by column.
Portion = Sequence[Sequence[Any]]


@dataclass(frozen=True, eq=False)
class FileContent:
    """A file and its format.

    ``values`` is the content of a format that is read as a whole. ``order`` selects rows of another one, which is then
    read as a whole, too, into ``cache``; ``part`` names them.
    """

    file: InputFile
    format: Format
    values: Portion | None = None
    order: Sequence[int] | None = None
    part: str = ""
    cache: dict[int, Sequence[Any]] = field(default_factory=dict)

    @staticmethod
    def text(path: str, values: Sequence[Any] | None = None) -> FileContent:
        """Return the content of a text file."""
        return FileContent(InputFile(path), PlainText(), None if values is None else [values])

    @staticmethod
    def edits(path: str, format: Format) -> FileContent:
        """Read a file of edits and return its content."""
        file = InputFile(path)
        return FileContent(file, format, next(iter(format.portions(file, [0], ALL))))

    def portions(self, columns: Sequence[int], size: int) -> Generator[Portion, None, None]:
        """Yield the values of these columns, ``size`` rows at a time.

        Raises the errors of Format.portions.
        """
        if self.order is not None:
            return _rechunk(iter([self._rows(columns, self.order)]), size)
        if self.values is None:
            return _rechunk(self.format.portions(self.file, columns, size), size)
        return _rechunk(iter([[self.values[column] for column in columns]]), size)

    def cells(self, columns: Sequence[int], size: int) -> Iterator[Portion]:
        """Yield the cells of these columns, ``size`` rows at a time; see Format.cells."""
        portions = self.format.cells(self.file, size)
        if self.order is not None:
            [cells] = _rechunk(([portion[column] for column in columns] for portion in portions), ALL)
            return _rechunk(iter([[[values[row] for row in self.order] for values in cells]]), size)
        return _rechunk(([portion[column] for column in columns] for portion in portions), size)

    @property
    def name(self) -> str:
        """The name in messages."""
        return f"{self.file.name} ({self.part})" if self.part else self.file.name

    def selected(self, order: Sequence[int], part: str = "") -> FileContent:
        """Return a content of these rows; ``part`` names them."""
        order = order if self.order is None else [self.order[row] for row in order]
        return replace(self, order=order, part=part or self.part)

    def _rows(self, columns: Sequence[int], order: Sequence[int]) -> Portion:
        missing = [column for column in columns if column not in self.cache]
        if missing:
            portions = _rechunk(self.format.portions(self.file, missing, ALL), ALL)
            self.cache.update(zip(missing, next(portions, [[] for _ in missing]), strict=True))
        return [[self.cache[column][row] for row in order] for column in columns]

    def position(self, name: Any) -> int | None:
        """Return the position of a column with this name or, if there is none, with this number from 1."""
        number = str(name)
        for spelling in (name, re.sub(r"\[(\d+)\]", r".\1", number).lstrip("$.")):
            if spelling in self.names:
                return self.names.index(spelling)
        is_number = number.isascii() and number.isdecimal() and 1 <= int(number) <= len(self.names)
        return int(number) - 1 if is_number else None

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns.

        Raises the errors of Format.columns.
        """
        return list(self.format.columns(self.file))

    def has_values(self, name: str, is_one: Callable[[Any], bool] = is_sentence) -> bool:
        """Return whether ``is_one`` is true of some of the first values of a column."""
        try:
            [values] = next(self.portions([self.names.index(name)], HEAD), [[]])
        except InputError:  # a row lacks the field, such as one of a failed request
            return is_answer(name)
        return any(map(is_one, values))

    @property
    def rows(self) -> int | None:
        """Number of rows, or None if unknown."""
        if self.order is not None:
            return len(self.order)
        return self.format.rows(self.file) if self.values is None else len(self.values[0])

    def error(self, row: int, message: str, hint: AnyHint | None = None) -> InputError:
        """Return an error about a row, counted from 0."""
        row = row if self.order is None else self.order[row]
        line = self.format.line(self.file, row)
        return self.file.error(message if line is not None else f"row {row + 1}: {message}", line, hint)


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
        return self.content.format.is_edits

    @property
    def is_m2(self) -> bool:
        """Whether it is an M2 file, which has its own source."""
        return isinstance(self.content.format, M2)

    @property
    def label(self) -> str:
        """The name of the column, or of the file without a table."""
        return self.name or self.content.file.name

    @property
    def in_table(self) -> bool:
        """Whether its values must be checked, since tables may contain any values."""
        return self.content.format.is_table

    def error(self, row: int, message: str, hint: AnyHint | None = None) -> InputError:
        """Return an error about a value in a row, counted from 0."""
        return self.content.error(row, f"{self.name}: {message}", hint)

    @overload
    def checked(
        self, values: Sequence[Any], before: int, *, breaks: bool = False, source: Text | None = None
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
    ) -> Text: ...
    def checked(
        self,
        values: Sequence[Any],
        before: int,
        *,
        optional: bool = False,
        breaks: bool = False,
        source: Text | None = None,
    ) -> Text:
        """Return values as texts.

        Args:
            values: the values of some rows.
            before: number of rows before them.
            optional: whether None is allowed.
            breaks: whether line breaks are allowed.
            source: the sentences that the values correct, if these are outputs.

        Raises:
            InputError: for other values; names the place.
        """
        if not self.in_table:
            return Text(values)
        first = next((row for row, value in enumerate(values) if value is not None), None)
        if first is not None and all(value is None or _is_list_text(value) for value in values):
            raise self._list_error(before + first, values[first])
        try:
            text = Text(values)
            if text.contains_any(b"\r\r\r"):
                values = [value.rstrip("\r") if value is not None else None for value in values]
                text = Text(values)
            if (optional or text.complete) and not text.contains_any(b"\0\0\0" if breaks else b"\0\r\n"):
                return text
        except (TypeError, UnicodeEncodeError):
            words = [_joined_tokens(value) for value in values]
            if words != values:
                return self.checked(words, before, optional=optional, breaks=breaks, source=source)
        for row, value in enumerate(values):
            message, hint = _fault(value, optional, breaks)
            if message:
                if message == _BREAK and source is not None and _is_answer(value, str(source[row])):
                    clean = Step(Hint(Option("clean", "llm")), 'prepare=geceval.Preparation(clean="llm")')
                    hint = Hint(clean, " takes the correction from an answer of a language model")
                raise self.error(before + row, message, hint)
        return Text(values)

    def with_lists(self, values: Sequence[Any], before: int) -> Sequence[Any]:
        """Return values of references with lists that are written as text as lists; ``before``: see checked.

        Raises InputError for a list that is ambiguous.
        """
        rows = values.lines_like(_LIST_STARTS, ()) if isinstance(values, Text) else range(len(values))
        lists = {row: parse_list(values[row]) for row in rows if _is_list_text(values[row])}
        for row, parsed in lists.items():
            if parsed is None:
                raise self._list_error(before + row, values[row])
        return [lists.get(row, value) for row, value in enumerate(values)] if lists else values

    def _list_error(self, row: int, value: str) -> InputError:
        writer = "DataFrame.to_json(FILE, orient='records', lines=True), Dataset.to_json(FILE)"
        return self.error(row, f"a list written as text: {shown(value)}", f"JSON Lines keep lists: {writer}")

    def all_labels(self) -> Sequence[str]:
        """Return all values as labels."""
        return self.as_labels(self.all_values(), 0)

    def all_values(self) -> Sequence[Any]:
        """Return all values."""
        [values] = next(self.content.portions([self.index], ALL), [[]])
        return values

    def as_labels(self, values: Sequence[Any], before: int) -> Sequence[str]:
        """Return values as labels, with numbers as text.

        Raises InputError for other types.
        """
        for row, value in enumerate(values):
            if not isinstance(value, (str, int, float)):
                raise self.error(before + row, f"a label must be text or a number, not {_describe(value)}")
        return list(map(str, values)) if self.in_table else values


def _is_list_text(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_LIST_STARTS) and _LIST.fullmatch(value) is not None


def parse_list(text: str) -> list[str | None] | None:
    """Return a list of texts that is written as text, in JSON or as Python writes it; None for any other text.

    Libraries that write lists to CSV make them. numpy's ``['a' 'b']`` is no list, but Python reads it as one text.
    """
    for read in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            values = read(text)
            is_list = isinstance(values, (list, tuple)) and (read is json.loads or repr(values) == text)
            if is_list and all(value is None or isinstance(value, str) for value in values):
                return list(values)
    return None


def _joined_tokens(value: Any) -> Any:
    """Return a list of tokens as a sentence, and any other value unchanged."""
    is_tokens = isinstance(value, list) and all(isinstance(token, str) for token in value)
    return line if is_tokens and (line := " ".join(value)).split() == value else value


def _fault(value: Any, optional: bool, breaks: bool) -> tuple[str, AnyHint | None]:
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
    if not breaks and ("\n" in value or "\r" in value):
        repair = Step(Hint(Option("normalise", "whitespace")), "prepare=geceval.Preparation(whitespace=True)")
        return _BREAK, Hint(repair, " replaces line breaks by spaces, and removes them at the end")
    return "", None


def _is_answer(text: str, source: str) -> bool:
    """Return whether a text of several lines has more than a correction."""
    return make_rules(LLM).edit(text, source).split() != text.split()


def _describe(value: Any) -> str:
    return "nothing (null)" if value is None else "a list" if isinstance(value, list) else shown(value)


# --- texts by role ---


def text_columns(
    pairs: Sequence[tuple[str, str]], references: int = 0, *, with_source: bool = True
) -> list[FileColumn]:
    """Return the columns of texts given by role and path.

    Files with essays (named .md) are aligned by the ids of the essays.

    Args:
        pairs: (role, path): the source, the references, and others.
        references: number of references; they may lack essays.
        with_source: whether ``pairs`` contains a source.

    Raises:
        UsageError: if only some files contain essays, or without a source.
        InputError: see align_essays.
    """
    essays = [_essays(path) for _, path in pairs]
    essay_files = [file for file in essays if file is not None]
    if not essay_files:
        return [_text_column(role, path) for role, path in pairs]
    if len(essay_files) < len(pairs) or not with_source:
        first = next((path for (_, path), file in zip(pairs, essays, strict=True) if file is None), None)
        message = f"{first} has none" if first else "the source is missing"
        hint = "essays are matched by id: give all texts as .md files with headings '### essay_id = ID'"
        raise UsageError(f"{essay_files[0].path} has essays, and {message}", hint=hint)
    texts = align_essays(essay_files[0], essay_files[1 : 1 + references], essay_files[1 + references :])
    return [FileColumn(role, FileContent.text(path, text)) for (role, path), text in zip(pairs, texts, strict=True)]


def _text_content(path: str) -> FileContent:
    """Return the content of a text file; raises InputError for a file of another kind."""
    kind = kind_of(path, AMBIGUOUS)
    if kind is not None:
        raise kind.error(display_name(path), "text with one sentence per line")
    return FileContent.text(path)


def _text_column(role: str, path: str) -> FileColumn:
    """Return the column of a text, or of a ``.para`` or JSON file that has the role.

    Raises UsageError if several columns may have it, InputError for corrections that are the text of suggestions.
    """
    if not role or not has_ending(path, *TEXT_TABLES):
        return FileColumn(role, _text_content(path))
    kind, option, name = _ROLES.get(role.partition(" ")[0], _ROLES["system"])
    if has_ending(path, *endings_of("para")):
        content = FileContent(InputFile(path), table_format(path))
        return FileColumn(role, content, content.names.index(name), name)
    content = FileContent(InputFile(path), JsonFormat() if kind == "source" else JsonTexts())
    name = _text_name(content, role, kind, option)
    error = None if kind == "source" else suggestions_error(content.file, name, role)
    if error is not None:
        raise error
    return FileColumn(role, content, content.names.index(name), name)


def _text_name(content: FileContent, role: str, kind: Role, option: str) -> str:
    """Return the name of the column of a text, or of the only one that may be it; raises UsageError for several."""
    has_texts = partial(content.has_values, is_one=is_text_or_texts)
    further = (further_names(content.names, patterns, has_texts) for name, patterns in FURTHER if name == kind)
    names = usual_names(content.names, kind) or next(filter(None, further), [])
    names = names or list(filter(content.has_values, content.names)) or [*content.names]
    if len(names) > 1:
        file_kind = kind_of(content.file.path, (*AMBIGUOUS, "json"))
        if file_kind is not None:
            raise file_kind.error(content.file.name, "text with one sentence per line")
        hint = Hint(table_step(content.file.path, option, "COL"), f", one of {', '.join(listed_names(names))}")
        raise UsageError(f"{content.file.name} has several columns for the {role}", hint=hint)
    return names[0]


def _essays(path: str) -> Essays | None:
    """Return the essays of a Markdown file, or None if it contains none."""
    if not has_ending(path, *endings_of("essays")) or is_read_once(path):
        return None
    lines = read_lines(path)
    return Essays.of(lines, path) if has_heads(lines) else None


# --- rows ---


def align_columns(columns: Sequence[FileColumn], size: int) -> Iterator[dict[FileColumn, Any]]:
    """Yield the values of each column, ``size`` rows at a time.

    Raises InputError with all lengths if files differ in length or are empty.
    """
    contents = list(dict.fromkeys(column.content for column in columns))
    indices = {file: sorted({column.index for column in columns if column.content is file}) for file in contents}
    with contextlib.ExitStack() as stack:
        passes = {file: contextlib.closing(file.portions(indices[file], size)) for file in contents}
        opened = {file: stack.enter_context(portions) for file, portions in passes.items()}
        rows_before = 0
        while True:
            rows = {file: next(portions, [[]]) for file, portions in opened.items()}
            lengths = {file: len(portion[0]) for file, portion in rows.items()}
            length = next(iter(lengths.values()))
            if rows_before == 0 == length or len(set(lengths.values())) > 1:
                rest = {file: sum(len(portion[0]) for portion in portions) for file, portions in opened.items()}
                _check_rows(columns, {file: rows_before + lengths[file] + rest[file] for file in opened})
            if length == 0:
                return
            yield {column: rows[column.content][indices[column.content].index(column.index)] for column in columns}
            rows_before += length


def narrow_portions(
    portions: Iterable[dict[FileColumn, Any]], references: Sequence[FileColumn], most: int
) -> Iterator[dict[FileColumn, Any]]:
    """Yield portions of rows, smaller ones where the lists of references are long.

    Args:
        portions: values of rows by column.
        references: the columns of references.
        most: the most rows of a portion times the longest list in it; a single row may exceed it.
    """
    in_table = [column for column in references if column.in_table]
    start = 0
    for portion in portions:
        portion |= {column: column.with_lists(portion[column], start) for column in in_table}
        columns = (portion[column] for column in in_table if not isinstance(portion[column], Text))
        lengths = (len(cell) for cells in columns for cell in cells if isinstance(cell, (list, tuple)))
        rows, size = len(next(iter(portion.values()))), max(1, most // max(1, max(lengths, default=1)))
        for first in range(0, rows, size):
            yield {column: values[first : first + size] for column, values in portion.items()}
        start += rows


def _check_rows(columns: Sequence[FileColumn], totals: dict[FileContent, int]) -> None:
    roles = {column.content: "table" if column.in_table else column.role for column in reversed(columns)}
    width = max(map(len, roles.values()))
    plain = not any(column.is_edits or column.in_table for column in columns)
    names = {file: f"{file.file.path} ({file.part})" if file.part else file.file.path for file in totals}
    lengths = [(f"{roles[file]:<{width}}  {names[file]}".strip(), total) for file, total in totals.items()]
    keys = [column.name for column in columns if column.role == KEY]
    hint: AnyHint | None = None
    if keys[1:]:
        hint = Hint(Option("id", " ".join(dict.fromkeys(keys))), " names the missing rows")
    if plain:
        hint = "geceval prepare --align SOURCE FILE -o ALIGNED divides and joins lines"
        for file in totals:
            kind = kind_of(file.file.path)
            hint = hint if kind is None else f"{file.file.path} is {kind.description}"
        hint = "\n  ".join(_find_remedies(totals)) or hint
    check_lengths(lengths, noun="lines" if plain else "sentences", hint=hint)


def _find_remedies(totals: Mapping[FileContent, int]) -> Iterator[str]:
    """Yield a command for each plain text that is longer than the shortest by empty lines only."""
    least = min(totals.values())
    if least == 0:
        return
    for file, total in totals.items():
        if total > least:
            [texts] = next(file.portions([0], ALL), [[]])
            if not any(str(text).strip() for text in texts[least:]):
                what, verb = ("last line", "is") if total == least + 1 else (f"last {total - least} lines", "are")
                path = file.file.path
                yield f"the {what} of {path} {verb} empty: head -n {least} {shlex.quote(path)} > FILE"


def first_sentences(path: str, number: int) -> Text:
    """Return the first sentences of a text, or of the sources of an M2 file.

    At most ``number`` sentences are read.
    """
    if not is_m2(path):
        return next(line_parts(path, number), Text([]))
    return Text(block.source for block, _ in zip(m2_files.read(path), range(number), strict=False))


# --- references ---


def reference_texts(
    columns: Sequence[FileColumn],
    rows: Mapping[FileColumn, Any],
    source: Text,
    before: int,
    blank: Counter[FileColumn],
    *,
    breaks: bool = False,
) -> list[Text]:
    """Return ``references[r][s]`` of some rows.

    Args:
        columns: the columns of references; a cell of a table is a text, a list of texts (see narrow_portions) or
            missing. The texts of lists are last, since their number differs between parts of the table.
        rows: the values of the rows.
        source: the sentences, next to which a blank text of a table is missing.
        before: number of rows before them.
        blank: counts the blank texts that are missing, by column.
        breaks: whether line breaks are allowed.

    Raises:
        InputError: for values that are not text, and for a row without references.
    """
    alone: list[Text] = []
    of_lists: list[Text] = []
    for column in columns:
        cells = rows[column]
        may_be_list = column.in_table and not isinstance(cells, Text)
        is_list = may_be_list and any(isinstance(cell, (list, tuple)) for cell in cells)
        # A text beside lists is a list of one; shorter lists give None.
        lists = (cell if isinstance(cell, (list, tuple)) else [cell] for cell in cells)
        for lines in zip_longest(*lists) if is_list else [cells]:
            present = given_references(lines, source) if column.in_table else lines
            blank[column] += number_of_blank(lines, present)
            text = column.checked(present, before, optional=column.in_table, breaks=breaks)
            (of_lists if is_list else alone).append(text)
    texts = [*alone, *of_lists]
    if texts and not any(text.complete for text in texts):
        for s in range(len(source)):
            if all(text[s] is None for text in texts):
                raise columns[0].error(before + s, "the reference is missing", NO_REFERENCE)
    return texts
