"""JSON tables: JSON Lines, an array, or objects over several lines; their fields are the columns.

``a.b`` is a field of an object in the field ``a``, ``a.0`` the first item of a list, ``messages.assistant`` the last
answer in a list of messages, ``content.text`` and ``content.parts.text`` the text of a list of parts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice
from operator import itemgetter
from typing import Any, cast

from geceval.base.arguments import listed, shown
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option, table_step
from geceval.text.files import kind_of
from geceval.text.json_values import DECODER, json_values
from geceval.text.m2.suggestion_rows import (
    LISTS,
    PLACES,
    TEXTS,
    contains_suggestions,
    has_suggestions,
    may_have_suggestions,
)
from geceval.text.reading.delimited import MOST
from geceval.text.reading.file_columns import HEAD, Fault, FileContent, Portion
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.key_columns import KEYS, numbers_in
from geceval.text.reading.lines import ALL
from geceval.text.reading.provider_fields import describes_answer, has_items
from geceval.text.reading.role_names import is_answer, names_role

#: Decodes the value at the start of a string and returns its end; much faster than ``loads`` for short lines.
_scan = json.scanner.make_scanner(DECODER)  # type: ignore[attr-defined]
#: Keys in files of suggestions and edits.
EDITS = (*LISTS, "tokens", "offset")
#: Number of the items of a list that are columns.
ITEMS = 50
#: Keys of the list of rows in an object that is a whole file, such as one of a dataset or of a frame with its schema.
ROWS = ("data", "rows", "records", "examples", "instances", "sentences", "items", "results")
#: Columns of rows that are strings, and of keys of rows; the field of a message with its text, or a list of its parts.
TEXT, KEY, CONTENT = "text", "id", "content"
#: The step of a path to the last answer in a list of messages, each with its role.
ASSISTANT = "assistant"

#: Types of the parts of an answer that are its text; parts of other types are its reasoning. Parts of Gemini have no
#: type: they are in a list with the key PARTS, and its reasoning has the mark THOUGHT. Those of Bedrock have none
#: either: they are in a list with the key CONTENT, and its reasoning has no TEXT.
TEXT_PARTS = {"text": "text", "output_text": "text", "refusal": "refusal"}
PARTS, THOUGHT = "parts", "thought"

#: Types of the result of a request that failed, in batches that state no error for it.
FAILED = ("errored", "canceled", "expired")
#: Keys of objects, and places in lists.
KeyPath = tuple[str | int, ...]
Row = Mapping[str, Any]


def open_json(file: InputFile, *, texts: bool = False) -> FileContent:
    """Return the fields of the first rows of JSON as columns.

    Other rows must have the used ones. A file of another form than JSON Lines is read as a whole.

    Args:
        file: The file.
        texts: Whether a row with suggestions is an error, since texts are expected.

    Raises:
        InputError: For a file that is not JSON, has no rows, or is the output of a geceval command.
    """
    kind = kind_of(file.path)
    if kind is not None and kind.key == "results":
        raise kind.error(file.path, "JSON of texts")
    rows = JsonRows(file)
    paths = rows.paths()
    names = [".".join(map(str, path)) for path in paths]
    failed: dict[int, Fault] = {}

    def values_of(portion: Sequence[Row], column: int, rows_before: int) -> list[Any]:
        # An empty text in place of an answer, or a failed request, lacks it.
        if describes_answer(names[column]) or has_items(names, column):
            return [_value(row, paths[column]) for row in portion]
        if is_answer(names[column]):
            return _answers(rows, portion, paths[column], rows_before, failed)
        return _required(rows, portion, paths[column], rows_before)

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        rows_before = 0
        for portion in rows.portions(min(size, MOST)):
            if texts:
                _check_no_suggestions(rows, portion, rows_before)
            yield [values_of(portion, column, rows_before) for column in columns]
            rows_before += len(portion)

    def read_cells(size: int) -> Iterator[Portion]:
        for portion in rows.portions(min(size, MOST)):
            yield [[_value(row, path) for row in portion] for path in paths]

    return FileContent(file, names, read, rows.line, read_cells=read_cells, failed=failed)


class JsonRows:
    """The rows of a JSON file, and their lines."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self._is_by_line = _has_a_row_per_line(file)

    def portions(self, size: int) -> Iterator[list[Row]]:
        """Yield the rows, ``size`` at a time."""
        if self._is_by_line:
            yield from _rows_by_line(self.file, size)
            return
        rows = [row for _, row in _whole(self.file)]
        yield from (rows[start : start + size] for start in range(0, len(rows), size))

    def line(self, row: int) -> int | None:
        """Return the line of a row, counted from 0; None for rows within an object."""
        return row + 1 if self._is_by_line else _whole(self.file)[row][0]

    def head_values(self) -> list[Any]:
        """Return the values of the first lines, or all of a file that is read as a whole.

        An object that is a whole file is one value.
        """
        if self._is_by_line:
            lines = [line for line in next(self.file.lines(HEAD), ()) if line.strip()]
            return _decoded(self.file, lines, 1)
        return [value for _, value in _whole_values(self.file)]

    def paths(self) -> list[KeyPath]:
        """Return the paths of the fields of the first rows, the items of lists last."""
        rows = next(self.portions(HEAD), None)
        if rows is None:
            raise self.file.error("the table is empty")
        if not rows[0]:
            raise self.file.error("the first object has no fields, which name the columns", 1)
        fields = dict.fromkeys(path for row in rows for path, _ in _fields(row))
        return list(fields | dict.fromkeys(path for row in rows for path, _ in _items(row)))


def has_texts(file: InputFile) -> bool:
    """Return whether the first rows of a file have texts, and are neither suggestions nor edits."""
    try:
        values = JsonRows(file).head_values()
        if any(map(has_suggestions, values)):
            return False
        rows = _rows(file, values, [None] * len(values))
    except InputError:  # raised again, by the reader of texts or the one of suggestions
        head = "\n".join(next(file.lines(HEAD), ()))
        return not any(f'"{key}"' in head for key in EDITS)
    fields = (field for row in rows for field in chain(_fields(row), _items(row)))
    return not any({"tokens", "annotators"} <= row.keys() for row in rows) and any(
        isinstance(value, str) for _, value in fields
    )


def suggestions_error(file: InputFile, columns: Sequence[str], role: str) -> InputError | None:
    """Return the error of columns that are texts next to suggestions, or within them; None for corrections.

    Args:
        file: A JSON file.
        columns: The names of the columns that may have the role.
        role: The role of the columns, such as system.
    """
    try:
        values = JsonRows(file).head_values()
    except InputError:  # raised again while the column is read
        return None
    are_certain, are_possible = (any(map(has, values)) for has in (has_suggestions, may_have_suggestions))
    guessed = [name for name in columns if not is_answer(name)]
    within = [name for name in guessed if any(step.isdecimal() for step in name.split("."))]
    next_to = list(columns) if are_certain else [name for name in guessed if name.rpartition(".")[2] in TEXTS]
    if next_to and (are_certain or are_possible):
        message = f"{next_to[0]} is next to a list of suggestions: the checked text, not the text of the {role}"
        return file.error(message, hint=_suggestions_hint(file, next_to[0], role, f"call the list {LISTS[0]}"))
    if within and are_possible:
        message = f"{within[0]} is within a list that has places: suggestions, not the text of the {role}"
        return file.error(message, hint=_suggestions_hint(file, within[0], role, f"write {PLACES}"))
    return None


def _suggestions_hint(file: InputFile, column: str, role: str, step: str) -> Hint:
    if role.startswith("reference"):
        convert = f"geceval m2 convert {file.path} -s SOURCE --to m2 > GOLD.m2, then "
        return Hint(convert, Option("gold", "GOLD.m2"))
    reads = " reads the suggestions; if they are corrections: "
    table = table_step(file.path, "hypothesis_column", column)
    return Hint(f"{step}, and ", Option("systems", file.path), reads, table)


def _check_no_suggestions(rows: JsonRows, portion: Sequence[Row], before: int) -> None:
    """Raise InputError for a row with suggestions; ``before`` is the number of rows before the portion."""
    row = next((row for row, fields in enumerate(portion, before) if contains_suggestions(fields)), None)
    if row is not None:
        message = f"row {row + 1} has suggestions, and the first {HEAD} rows have none"
        hint = f"write a list in every row, such as {LISTS[0]}, empty without suggestions"
        raise rows.file.error(message, rows.line(row), hint)


def _rows_by_line(file: InputFile, size: int) -> Iterator[list[Row]]:
    """Yield the rows of JSON Lines, ``size`` at a time."""
    lines_before = blank = 0
    for lines in file.lines(size):
        texts = list(lines)
        while texts and not texts[-1].strip():
            texts.pop()
        if texts and blank:
            raise _blank_error(file, blank)
        if texts:
            numbers = range(lines_before + 1, lines_before + len(texts) + 1)
            yield _rows(file, _decoded(file, texts, numbers[0]), numbers)
        blank = blank or (len(texts) < len(lines) and lines_before + len(texts) + 1)
        lines_before += len(lines)


def _has_a_row_per_line(file: InputFile) -> bool:
    """Return whether a file is JSON Lines: its first line is a value or faulty, and is not the only one."""
    lines = [line for line in next(file.lines(HEAD), ()) if line.strip()]
    try:
        DECODER.decode(lines[0] if lines else "")
    except json.JSONDecodeError as error:
        return bool(lines) and error.pos < len(lines[0].rstrip())
    except (ValueError, RecursionError):
        return True
    return len(lines) > 1


def _decoded(file: InputFile, lines: Sequence[str], first: int) -> list[Any]:
    """Return the values of lines; ``first`` is the number of the first one."""
    values: list[Any] = []
    for line in lines:
        try:
            value, end = _scan(line, 0)
        except (StopIteration, ValueError, RecursionError):
            end = -1
        values.append(value if end == len(line) else _decoded_line(file, line, first + len(values)))
    return values


def _decoded_line(file: InputFile, line: str, number: int) -> Any:
    """Return the value of a line that may have white space around it.

    Raises InputError.
    """
    if not line.strip():
        raise _blank_error(file, number)
    try:
        return DECODER.decode(line.rstrip().removesuffix(","))
    except json.JSONDecodeError as error:
        hint = None if line.lstrip()[0] in '{["' else "a text, one sentence per line, has another ending, such as .txt"
        raise file.error(f"not JSON: {error.msg} at character {error.colno}", number, hint) from None
    except (ValueError, RecursionError) as error:
        what = "too many brackets" if isinstance(error, RecursionError) else "a number is too large"
        raise file.error(f"not JSON that can be read: {what}", number) from None


def _blank_error(file: InputFile, line: int) -> Exception:
    return file.error("an empty line instead of a JSON object", line)


def _rows(file: InputFile, values: list[Any], lines: Sequence[int | None]) -> list[Row]:
    """Return rows as objects; strings and lists name no columns."""
    kinds = set(map(type, values))
    if kinds == {dict}:
        return values
    if kinds <= {str, type(None)}:
        return [{TEXT: value} for value in values]
    if kinds == {list}:
        return [dict(zip(map(str, count(1)), value, strict=False)) for value in values]
    index = next(index for index, value in enumerate(values) if type(value) is not dict)
    raise file.error(f"a row must be a JSON object {{…}}, not {shown(values[index])}", lines[index])


# --- a file that is read as a whole ---


def _whole(file: InputFile) -> list[tuple[int | None, Row]]:
    """Return the rows of a file, each with its line."""
    numbered = _whole_values(file)
    if len(numbered) == 1 and isinstance(numbered[0][1], dict):
        rows = _rows_of_object(file, numbered[0][1])
        numbered = numbered if rows is None else [(None, row) for row in rows]
    lines = [line for line, _ in numbered]
    return list(zip(lines, _rows(file, [row for _, row in numbered], lines), strict=True)) if numbered else []


def _whole_values(file: InputFile) -> list[tuple[int | None, Any]]:
    """Return the values of a file, each with its line."""
    text = "\n".join(next(file.lines(ALL), ()))
    return list(json_values(text, file.name))


def _rows_of_object(file: InputFile, table: dict[str, Any]) -> Sequence[Any] | None:
    """Return the rows of an object that is a whole file; None if it is the only row.

    It has a list of rows, also within an object, or columns as pandas writes them (orient split, list or columns), or
    rows or texts by key.
    """
    values = list(table.values())
    kinds = set(map(type, values))
    for key in table:
        is_list = isinstance(table[key], list) and set(map(type, table[key])) == {dict}
        if is_list and (key in ROWS or (len(table) == 1 and "role" not in table[key][0])):  # roles are of a chat
            return cast(list[Any], table[key])
    if isinstance(names := table.get("columns"), list) and isinstance(table.get("data"), list):
        if any(isinstance(name, list | dict) for name in names):
            raise file.error(f"columns is not a list of names: {shown(names)}")
        if repeated := [name for name, number in Counter(names).items() if number > 1]:
            raise file.error(f"columns has {shown(repeated[0])} twice", hint="give each column its own name")
        for number, cells in enumerate(table["data"], 1):
            if not isinstance(cells, list) or len(cells) != len(names):
                message = f"row {number} of data is not a list of {len(names)} values, as columns has: {shown(cells)}"
                raise file.error(message)
        return [dict(zip(names, cells, strict=True)) for cells in table["data"]]
    if kinds == {list} and len(table) > 1:
        if len(set(map(len, values))) > 1:
            lengths = ", ".join(f"{name} {len(column)}" for name, column in table.items())
            raise file.error(f"the columns differ in their numbers of values: {lengths}")
        return [dict(zip(table, cells, strict=True)) for cells in zip(*values, strict=True)]
    if kinds == {str} and numbers_in(list(table)):
        return _with_keys({key: {TEXT: text} for key, text in table.items()})
    if kinds == {dict} and numbers_in(list(values[0])):
        return _with_keys({key: {name: table[name].get(key) for name in table} for key in values[0]})
    if kinds == {dict} and (numbers_in(list(table)) or any(map(names_role, values[0]))):
        return _with_keys(table)
    inner = (_rows_of_object(file, value) for key, value in table.items() if key in ROWS and isinstance(value, dict))
    return next((rows for rows in inner if rows is not None), None)


def _with_keys(rows: Mapping[str, Row]) -> list[Row]:
    """Return rows with their keys in a column, unless the keys are their places."""
    if list(rows) == list(map(str, range(len(rows)))):
        return list(rows.values())
    return [{KEY: key} | dict(row) for key, row in rows.items()]


# --- fields ---


def _fields(value: Any, above: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the paths and values of all fields that are not objects, or are empty ones."""
    if isinstance(value, dict) and (value or not above):
        for name, field in value.items():
            yield from _fields(field, (*above, name))
    else:
        yield above, value


def _items(value: Any, above: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the paths and values of all fields within the lists of a value."""
    if isinstance(value, dict):
        for name, field in value.items():
            yield from _items(field, (*above, name))
    elif isinstance(value, list):
        for step, read in LIST_STEPS.items():
            if (answer := read(value)) and (_are_typed(value) or above[-1] in (PARTS, CONTENT) or step != TEXT):
                yield (*above, step), answer
        for place, item in enumerate(islice(value, ITEMS)):
            yield from _fields(item, (*above, place))
            yield from _items(item, (*above, place))


def _last_answer(messages: Any) -> Any:
    """Return the content of the last message of an assistant; None if a value is no list of messages with one."""
    for message in reversed(messages) if isinstance(messages, list) else ():
        if isinstance(message, dict) and message.get("role") == ASSISTANT:
            content = message.get(CONTENT)
            text = _text_of_parts(content) if isinstance(content, list) else None
            return content if text is None else text
    return "" if messages and _are_typed(messages) else None


def _text_of_parts(parts: Any) -> str | None:
    """Return the text of a list of the parts of an answer, without its reasoning; None if a value is no such list."""
    if _are_typed(parts):
        return "".join(str(part.get(TEXT_PARTS[part["type"]], "")) for part in parts if part["type"] in TEXT_PARTS)
    if isinstance(parts, list) and all(isinstance(part, dict) and "role" not in part for part in parts):
        return "".join(str(part.get(TEXT, "")) for part in parts if not part.get(THOUGHT))
    return None


def _are_typed(value: Any) -> bool:
    """Return whether a value is a list of objects that have a type and no role, such as the parts of an answer."""
    return isinstance(value, list) and all(
        isinstance(part, dict) and isinstance(part.get("type"), str) and "role" not in part for part in value
    )


#: Steps of a path that are no keys: to the last answer in a list of messages, and to the text of a list of parts.
LIST_STEPS = {ASSISTANT: _last_answer, TEXT: _text_of_parts}


def _value(row: Any, path: KeyPath) -> Any:
    """Return the value of a row at a path; None without one."""
    for name in path:
        row = _step(row, name) if _has(row, name) else None
    return row


def _step(value: Any, name: str | int) -> Any:
    if isinstance(value, list) and name in LIST_STEPS:
        return LIST_STEPS[str(name)](value)
    # A refused chat completion has a refusal in place of its content.
    return value.get("refusal") if name == CONTENT and value[name] is None else value[name]


class _FieldError(Exception):
    """A row of a portion lacks a field; ``row`` is its number from 0."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


def _values(portion: Sequence[Row], path: KeyPath) -> list[Any]:
    """Return the values of a portion at a path; raises _FieldError for a row without one."""
    values: list[Any] = list(portion)
    for name in path:
        kinds = set(map(type, values))
        try:
            if name in LIST_STEPS and kinds == {list}:
                answers = list(map(LIST_STEPS[str(name)], values))
                if None in answers:
                    raise KeyError(name)
                values = answers
                continue
            if kinds != {dict if isinstance(name, str) else list}:
                raise TypeError
            if name == PARTS:  # Gemini's answers that were cut while it reasoned have none
                values = [value.get(PARTS, []) for value in values]
                continue
            above, values = values, list(map(itemgetter(name), values))
            if name == CONTENT and None in values:
                values = [_step(value, name) for value in above]
        except (KeyError, TypeError, IndexError):
            raise _FieldError(next(row for row, value in enumerate(values) if not _has(value, name))) from None
    return values


def _required(rows: JsonRows, portion: Sequence[Row], path: KeyPath, before: int) -> list[Any]:
    """Return the values of a portion at a path; raises InputError for a row without one."""
    try:
        return _values(portion, path)
    except _FieldError as error:
        raise _lacking_error(rows, portion, path, before, error.row) from None


def _lacking_error(rows: JsonRows, portion: Sequence[Row], path: KeyPath, before: int, row: int) -> InputError:
    """Return the error of a row of a portion that lacks a value."""
    column = ".".join(map(str, path))
    message = f"the row has no field {column}, but {_actual_content(portion[row], path)}"
    lacking = [str(number) for number, cells in enumerate(portion, before + 1) if _value(cells, path) is None]
    message += f" (rows without it: {listed(lacking)})" if len(lacking) > 1 else ""
    line = rows.line(before + row)
    message = message if line else f"row {before + row + 1}: {message}"
    hint = f"repeat the request, or write an empty text: {_empty_row(portion[row], path)}"
    return rows.file.error(message, line, hint if is_answer(column) else None)


def _answers(rows: JsonRows, portion: Sequence[Row], path: KeyPath, before: int, failed: dict[int, Fault]) -> list[Any]:
    """Return the answers of a portion; that of a failed request is None, which ``failed`` explains by row.

    Raises InputError for a row that lacks an answer for another reason.
    """
    try:
        return _values(portion, path)
    except _FieldError as error:
        answers = [_value(row, path) for row in portion]
        lacking = [row for row, answer in enumerate(answers) if answer is None]
        if not all(_has_failed(portion[row], path) for row in lacking):
            raise _lacking_error(rows, portion, path, before, error.row) from None
    hint = Hint("repeat the request; ", Option("blank", "empty"), " reads it as empty")
    failed.update(
        {before + row: (f"the request failed: {_actual_content(portion[row], path)}", hint) for row in lacking}
    )
    return answers


def _has_failed(row: Row, path: KeyPath) -> bool:
    """Return whether the request for an answer failed: the row has null or an error in its place."""
    value: Any = row
    for name in path:
        if isinstance(value, dict) and (value.get("error") or value.get("type") in FAILED):
            return True
        if not _has(value, name):
            break
        value = _step(value, name)
    return value is None


def _actual_content(row: Row, path: KeyPath) -> str:
    """Describe the value of a row at which a path ends early."""
    value: Any = row
    for step, name in enumerate(path):
        if not _has(value, name):
            fields = ", ".join(map(str, value)) if isinstance(value, dict) else _described(value)
            return f"{fields} in {'.'.join(map(str, path[:step]))}" if step else fields
        value = _step(value, name)
    return _described(value)


def _empty_row(row: Row, path: KeyPath) -> str:
    """Return a row with the identifiers of another one and an empty text at a path, as JSON."""
    value: Any = ""
    for name in reversed(path):
        if name == ASSISTANT and path[0] != ASSISTANT:
            value = [{"role": ASSISTANT, CONTENT: value}]
        elif name == TEXT and path[-2:] in ((CONTENT, TEXT), (PARTS, TEXT)):
            value = [{TEXT: value} if path[-2] == PARTS else {"type": TEXT, TEXT: value}]
        else:
            value = {name: value} if isinstance(name, str) else [value]
    return json.dumps({key: row[key] for key in KEYS if key in row} | value)


def _has(value: Any, name: str | int) -> bool:
    if isinstance(name, str):
        if isinstance(value, list):
            return name in LIST_STEPS and LIST_STEPS[name](value) is not None
        return isinstance(value, dict) and name in value
    return isinstance(value, list) and name < len(value)


def _described(value: Any) -> str:
    return "nothing" if value is None else f"a list of {len(value)}" if isinstance(value, list) else shown(value)
