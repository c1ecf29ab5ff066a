"""Suggestions in the rows of a file, whose keys suggestion_keys.tsv lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from geceval.base.arguments import shown
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option, table_step
from geceval.base.package_tables import table_rows
from geceval.text.m2.checked_texts import CheckedText, Suggestion
from geceval.text.m2.checkers import CHECKED_SOURCE, checker_of, checkers, value_at
from geceval.text.m2.edit import DELETE, number_in
from geceval.text.m2.places import Scope

NO_ANSWER_NOTE, LATENCY_NOTE = "I no answer", "I latency"
#: Paths of values by their role, separated by blanks, and as tuples.
_PATHS = dict(table_rows(Path(__file__).with_name("suggestion_keys.tsv")))
_KEYS = {role: tuple(paths.split()) for role, paths in _PATHS.items()}
#: Lists of suggestions in a row. ``edits`` next to ``source`` or ``corrected`` are the form that m2_json writes: they
#: count characters and keep their spans. The spans of others lose the tokens that they do not change.
LISTS = _KEYS["lists"]
#: Keys of the checked text, which is not a correction.
TEXTS = _KEYS["text"]
#: Keys of the corrected text, which language models write next to a list of what they changed.
CORRECTED = _KEYS["corrected"]
#: Types of the first items of a suggestion that is a list, and their roles, as libdivvun and pycorrector write it.
_ITEMS: Sequence[tuple[Sequence[type], Sequence[str]]] = (
    ([str, int, int], ("form", "start", "end", "type", "message", "replacements", "title")),
    ([str, str, int, int], ("form", "replacement", "start", "end")),
    ([str, str, int], ("form", "replacement", "start")),
)
#: Texts that LanguageTool writes in place of replacements.
_NO_REPLACEMENT = re.compile(r"\(suggestion limit reached\)", re.IGNORECASE)
#: Labels of Harper's suggestions: the replacement of a span, the text after it, its removal.
_LABELS = re.compile(r"(Replace with: )“(.*)”|(Insert )“(.*)”|Remove error|Remove", re.DOTALL)
#: Keys of places that are lines and columns, in lower case.
_LINES = ("line", "row", "start_line", "startline")
#: Names of the numbers of a place, whatever they count.
_PLACE = re.compile(
    r"start|begin|end|offset|length|span|range|line|column|pos|\.(?:from|to|len|row|col)", re.IGNORECASE
)
#: Keys of a place, in messages.
PLACES = "start and end, or offset and length"
_LINES_HINT = "write start and end, counted in the text from 0; lines and columns are read of " + ", ".join(
    checker.name for checker in checkers() if checker.line
)


def rows_within(
    rows: Sequence[tuple[int, Any]], scope: Scope | None, path: str, sentences: int
) -> Sequence[tuple[int, Any]]:
    """Return rows that have a list of suggestions.

    They may be in a list of the only row, such as ``{"sentences": […]}``, or each in a row of its own. Rows that are
    suggestions themselves belong to one text, or each to a sentence (``scope``). Raises InputError if they may be both.
    """
    items = [row for _, row in rows]
    if items and all(map(_is_suggestion, items)) and not any(map(_has_lists_of_objects, items)):
        if scope == "text":
            return [(line, [row]) for line, row in rows]
        if len(rows) == sentences > 1 and scope is None:
            message = f"{sentences} suggestions for {sentences} sentences: one for each, or all of the whole text?"
            hint = Hint(Option("offsets", "characters,document"), " for the whole text, characters,text for one each")
            raise InputError(message, path=path, hint=hint)
        return [(rows[0][0], items)]
    if scope == "document" and len(rows) > 1 and all(map(_has_lists, items)):
        lists = (items for row in items for items in _lists_of_suggestions(row).values())
        return [(rows[0][0], {"suggestions": list(chain.from_iterable(lists))})]
    lints = list(map(_lints_of_rules, items))
    if any(lints) and None not in lints:
        return [(line, of_rules) for (line, _), of_rules in zip(rows, lints, strict=True)]
    names = dict.fromkeys(name for _, row in rows for name in _names_of_rows(row))
    if len(rows) == 1:
        [(line, document)] = rows
        return next(([(line, row) for row in document[name]] for name in names), rows)
    inner = [next((row[name] for name in names if _has_a_list(row, name)), None) for _, row in rows]
    return [
        (line, row if within is None or len(within) > 1 else next(iter(within), []))
        for (line, row), within in zip(rows, inner, strict=True)
    ]


def _has_lists_of_objects(row: Any) -> bool:
    lists = _lists_of_suggestions(row).values() if isinstance(row, Mapping) else ()
    return any(not isinstance(item, str) for items in lists for item in items)


def _lints_of_rules(row: Any) -> list[Any] | None:
    """Return the suggestions in an object that has a list for each rule (Harper's organised lints), each with its rule.

    None for other rows.
    """
    if not isinstance(row, Mapping) or any(rule in LISTS or not isinstance(row[rule], list) for rule in row):
        return None
    if not all(map(_is_suggestion, chain.from_iterable(row.values()))):
        return None
    return [{**_fields_of(item), "rule": rule} for rule, items in row.items() for item in items]


def _names_of_rows(row: Any) -> Iterator[str]:
    """Yield the keys of a row whose lists contain rows with suggestions."""
    if isinstance(row, Mapping) and not _lists_of_suggestions(row):
        for name, items in row.items():
            if isinstance(items, list) and items and all(map(_has_lists, items)):
                yield name


def _has_lists(row: Any) -> bool:
    return isinstance(row, Mapping) and bool(_lists_of_suggestions(row))


def _has_a_list(row: Any, name: str) -> bool:
    return isinstance(row, Mapping) and not _lists_of_suggestions(row) and isinstance(row.get(name), list)


def numbered_rows(rows: Sequence[tuple[int, Any]], path: str, sentences: int) -> Sequence[tuple[int, Any]]:
    """Return a row for each sentence if the rows have numbers of sentences, from 1: Grammalecte omits correct ones.

    Rows that are all number 1, one for each sentence, come from texts that were checked separately.
    """
    values = [_value(row, "number") if isinstance(row, Mapping) else None for _, row in rows]
    numbers = [value for value in values if isinstance(value, int)]
    are_separate = len(rows) == sentences and {*numbers} == {1}
    if not numbers or are_separate or len(numbers) < len(rows):
        return rows
    numbered: dict[int, tuple[int, Any]] = {}
    for number, (line, row) in zip(numbers, rows, strict=True):
        if number in numbered:
            raise InputError(f"the sentence {number} occurs twice", path=path, line=line)
        if not 1 <= number <= sentences:
            message = f"suggestions for sentence {number}, but the source has {sentences}"
            raise InputError(message, path=path, line=line, hint=CHECKED_SOURCE)
        numbered[number] = line, row
    return [numbered.get(number, (rows[-1][0], [])) for number in range(1, sentences + 1)]


def checked_text(path: str, line: int, row: Any, source: str | None) -> CheckedText:
    """Return the sentence of a row; the text of the row takes precedence over the source."""
    fields: Mapping[str, Any] = row if isinstance(row, Mapping) else {"matches": [] if row is None else row}
    text = text_of(fields, source)
    lists = _lists_of_suggestions(fields)
    error = CheckedText(path, line, "", "").error
    if not lists:
        choices = f"choose from {', '.join(LISTS[:4])}"
        raise error("a sentence is an object with a list of suggestions", _LINES_HINT if _has_lines(row) else choices)
    if not isinstance(text, str):
        hint = Hint(Option("source", "SOURCE"), ", or text in each row")
        raise error(f"the text of the suggestions is required, not {shown(text)}", hint)
    try:
        latency = _number("a latency", value_at(fields, "latency"))
        suggestions = [_suggestion_of(value, key) for key, values in lists.items() for value in values]
    except InputError as fault:
        raise error(fault.message, fault.hint) from None
    notes = [NO_ANSWER_NOTE] * (row is None) + [f"{LATENCY_NOTE} {latency}"] * (latency is not None)
    is_edits = "edits" in lists and not {"source", "corrected"}.isdisjoint(fields)
    name, correction = _correction_of(fields, text)
    if correction is not None and not suggestions and not is_edits:
        reads = Hint(table_step(path, "hypothesis_column", name), " scores the corrections")
        raise error(f"no suggestion, but {name} is not the sentence: {shown(correction)}", reads)
    are_fixes = all(suggestion.start is None for suggestion in suggestions)
    corrected = fields.get("corrected") if is_edits else correction if are_fixes else None
    annotators = tuple(dict.fromkeys(fields.get("annotators", [0])))
    return CheckedText(path, line, text, text, suggestions, tuple(notes), annotators, is_edits, corrected)


def _correction_of(fields: Mapping[str, Any], text: str) -> tuple[str, str | None]:
    """Return the first correction next to suggestions, which differs from the text, and its key; None without one."""
    corrections = ((key, fields[key]) for key in CORRECTED if isinstance(fields.get(key), str))
    differing = ((key, value) for key, value in corrections if "".join(value.split()) != "".join(text.split()))
    return next(differing, ("", None))


def text_of(fields: Any, source: str | None = None) -> Any:
    """Return the checked text of a row: the source, spaces aside, if the row has it; else its first text."""
    row = fields if isinstance(fields, Mapping) else {}
    values = [value for value in (row.get(key) for key in TEXTS) if not isinstance(value, Mapping | None)]
    for value in values:
        if source is not None and isinstance(value, str) and value.split() == source.split():
            return value
    return next(iter(values), source)


def latency_of(note: str) -> float | None:
    """Return the latency in an ``I`` line; None for other lines."""
    return number_in(note.removeprefix(LATENCY_NOTE)) if note.startswith(LATENCY_NOTE) else None


def has_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has suggestions, or a list for them, whatever else it has."""
    if isinstance(row, list):
        return any(_is_suggestion(item) or _is_quoted_fix(item) for item in row)
    if _is_suggestion(row) and _value(row, "replacements") is not None and not _has_lists_of_objects(row):
        return True
    has_a_list = isinstance(row, Mapping) and any(isinstance(row.get(key), list) for key in LISTS)
    return has_a_list or contains_suggestions(row)


def is_suggestions_cell(column: str, value: Any) -> bool:
    """Return whether a value of a column is a list of suggestions or an object with one; the column may say so."""
    return isinstance(value, list | Mapping) and (has_suggestions(value) or (column in LISTS and value == []))


def contains_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has suggestions in a list with a known name, at any depth."""
    in_lists = any(name in LISTS and any(map(_is_suggestion, items)) for name, items in _lists_within(row))
    return in_lists or (row != {} and checker_of([row]) is not None) or bool(_lints_of_rules(row))


def may_have_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has a list that may be one of suggestions, by its name or by its items."""
    lists = _lists_within(row)
    return any(any(map(_may_be_suggestion, items)) or (name in LISTS and not items) for name, items in lists)


def _lists_within(value: Any, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists within a value at any depth, each with its key."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lists_within(item, key)
    elif isinstance(value, list):
        yield name, value
        for item in value:
            yield from _lists_within(item)


def _is_suggestion(value: Any) -> bool:
    """Return whether a value has the place of a suggestion."""
    fields = _fields_of(value)
    if not isinstance(fields, Mapping) or type(_position(fields, "start")) is not int:
        return False
    is_list_with_text = isinstance(value, list) and "form" in fields
    has_offset = "offset" in fields or is_list_with_text
    return has_offset or any(type(_position(fields, role)) is int for role in ("end", "length"))


def _is_quoted_fix(value: Any) -> bool:
    """Return whether a value has a text and its correction, without a place."""
    value = _fields_of(value)
    has_fix = isinstance(value, Mapping) and any(name in value for name in _KEYS["fix"])
    return has_fix and isinstance(_value(value, "quote"), str)


def _may_be_suggestion(value: Any) -> bool:
    """Return whether a value has the place of a suggestion, or two numbers that may be one by their names."""
    return _is_suggestion(value) or (isinstance(value, Mapping) and _numbers_of_places(value) > 1)


def _numbers_of_places(value: Any, name: str = "") -> int:
    """Return how many integers have names such as ``startIndex``, ``to`` or ``range.start.line``."""
    if isinstance(value, Mapping):
        return sum(_numbers_of_places(item, f"{name}.{key}") for key, item in value.items())
    if isinstance(value, list) and len(value) == 2:
        return sum(_numbers_of_places(item, name) for item in value)
    return type(value) is int and _PLACE.search(name) is not None


def _lists_of_suggestions(row: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the lists of suggestions in a row, or in an object within it if those of the row contain no objects."""
    lists = {key: row[key] for key in LISTS if isinstance(row.get(key), list)}
    of_objects = {key: items for key, items in lists.items() if any(not isinstance(item, str) for item in items)}
    if of_objects:
        return of_objects
    inner = [_lists_of_suggestions(value) for value in row.values() if isinstance(value, Mapping)]
    inner.sort(key=lambda lists: not any(lists.values()))
    return next((nested for nested in inner if any(nested.values()) or (nested and not lists)), lists)


def _value(fields: Mapping[str, Any], role: str) -> Any:
    """Return the value of the first key of a role."""
    return value_at(fields, _PATHS[role])


def _position(fields: Mapping[str, Any], role: str) -> Any:
    """Return the number of a role, which may be written as text."""
    value = _value(fields, role)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


def _has_lines(value: Any) -> bool:
    """Return whether a value contains the numbers of lines."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    return any(str(key).lower() in _LINES or _has_lines(item) for key, item in items)


def _suggestion_of(fields: Any, key: str) -> Suggestion:
    """Return a suggestion; raises InputError if it has no span."""
    fields = _fields_of(fields)
    if not isinstance(fields, Mapping):
        texts = Hint(table_step("FILE", "hypothesis_column", f"{key}.0"), " reads the first text of each row")
        message = f"a suggestion must be an object, not {shown(fields)}"
        raise InputError(message, hint=texts if isinstance(fields, str) else None)
    start, end, length = (_position(fields, role) for role in ("start", "end", "length"))
    quote = _value(fields, "quote")
    is_quoted = end is None and length is None and isinstance(quote, str)
    has_text_alone = start is None and is_quoted and _is_quoted_fix(fields)
    if not has_text_alone and (type(start) is not int or not (is_quoted or type(end) is int or type(length) is int)):
        if "role" in fields:
            column = f"{key}.1.content"
            read = table_step("FILE", "hypothesis_column", column)
            raise InputError(
                "messages of a chat, not suggestions", hint=Hint(read, " reads the second message of each chat")
            )
        hint = f"{PLACES}, not {shown(fields)}"
        raise InputError("a suggestion has no place", hint=_LINES_HINT if _has_lines(fields) else hint)
    replacements = _value(fields, "replacements")
    if not isinstance(replacements, list):
        replacements = [] if replacements is None else [replacements]
    replacements = [value for value in replacements if not _NO_REPLACEMENT.fullmatch(replacement_text(value, "") or "")]
    if key == "lints" or "lint_kind" in fields:
        replacements = [_parse_label(value) if isinstance(value, str) else value for value in replacements]
    confidence = _number(
        f"{'a quoted text' if start is None else f'offset {start}'}: a confidence", _value(fields, "confidence")
    )
    keys = ("type", *_KEYS["rule"]) if key == "edits" else _KEYS["rule"]
    types = (_type_name(fields.get(name)) for name in keys)
    comment = DELETE if confidence is None else str(confidence)
    type_ = next(filter(None, types), "")
    length = None if type(end) is int else length
    annotator = fields.get("annotator", 0)
    return Suggestion(start, end, length, _quoted_text(fields), replacements, type_, comment, annotator)


def _fields_of(suggestion: Any) -> Any:
    """Return a suggestion as an object with its fields: of a list, or within an object such as Harper's ``inner``."""
    if isinstance(suggestion, list):
        types = [type(item) for item in suggestion]
        items = next((items for first, items in _ITEMS if types[: len(first)] == first), None)
        return suggestion if items is None else dict(zip(items, suggestion, strict=False))
    if isinstance(suggestion, Mapping) and _value(suggestion, "quote") is None:
        wrong, right = _value(suggestion, "wrong"), _value(suggestion, "right")
        if isinstance(wrong, str) and isinstance(right, str):
            return {**suggestion, "original": wrong, "correction": right}
    if isinstance(suggestion, Mapping) and _value(suggestion, "replacements") is None:
        objects = (value for value in suggestion.values() if isinstance(value, Mapping))
        inner = next((value for value in objects if _value(value, "replacements") is not None), {})
        return {**inner, **suggestion}
    return suggestion


def _type_name(value: Any) -> str:
    """Return the name of a type or rule; empty without one."""
    name = value_at(value, "id typeName name value") if isinstance(value, Mapping) else value
    return "" if name is None else str(name)


def _parse_label(label: str) -> Any:
    """Return the replacement that a label of Harper describes.

    Raises InputError for other texts.
    """
    match = _LABELS.fullmatch(label)
    if match is None:
        hint = 'use the labels Replace with: “x”, Insert “x” and Remove error; for texts write {"ReplaceWith": "x"}'
        raise InputError(f"not a label of Harper's suggestions: {shown(label)}", hint=hint)
    if match[3]:
        return {"InsertAfter": match[4]}
    return match[2] or ""


def _number(name: str, value: Any) -> float | None:
    """Return a number or None; raises InputError for other values."""
    if value is None or (not isinstance(value, str) and number_in(str(value)) is not None):
        return None if value is None else float(value)
    raise InputError(f"{name} must be a number, not {shown(value)}")


def _quoted_text(fields: Mapping[str, Any]) -> tuple[str, tuple[int, int] | None] | None:
    """Return the text that a suggestion quotes, or its context and the span in it; None without either."""
    quote, context = _value(fields, "quote"), fields.get("context")
    if isinstance(quote, str):
        return quote, None
    if isinstance(context, Mapping):
        text, start, length = (context.get(key) for key in ("text", "offset", "length"))
    else:
        text, start = context, value_at(fields, "offsetInContext offset_in_context")
        length = _value(fields, "length")
    if not (isinstance(text, str) and isinstance(start, int) and isinstance(length, int)):
        return None
    return text, (start, length)


def replacement_text(replacement: Any, original: str) -> str | None:
    """Return the replacement of a text as text; None for other values.

    Harper writes ``"Remove"``, or objects whose value is a list of characters.
    """
    if isinstance(replacement, str):
        return replacement
    is_object = isinstance(replacement, Mapping)
    text = _value(replacement, "replacement") if is_object else None
    if isinstance(text, list) and all(isinstance(character, str) for character in text):
        text = "".join(text)
    if not isinstance(text, str):
        return None
    return original + text if "InsertAfter" in replacement else text
