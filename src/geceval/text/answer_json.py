"""Corrections in answers of language models that are JSON."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from geceval.text.phrases import phrase_table
from geceval.text.similarity import is_addition, similarity_of

#: Largest number of characters of a value in JSON.
_LONGEST = 100_000
_BEFORE_JSON = r"(?:^\s*|\n[ \t]*|`{3,}(?:json\w*)?\s*)"
_JSON = re.compile(rf"{_BEFORE_JSON}(\{{.*\}}|\[.*\])", re.DOTALL | re.IGNORECASE)
#: JSON without its end, from a line that begins with a bracket, and the marks and escapes that decide what it needs.
_CUT_JSON = re.compile(rf"{_BEFORE_JSON}([{{\[].*)", re.DOTALL | re.IGNORECASE)
_JSON_MARKS = re.compile(r"\\.|[\"{}\[\],]", re.DOTALL)
#: Parts of the names of values in JSON that are the correction, best first, and of names of other values.
_TEXTS = "correct fixed revised edited output answer result content response sentence text".split()
_OTHER_TEXTS = re.compile("original|source|input|incorrect|errors?|expla|corrections|changes|reason|prompt|user|system")


def text_of_json(answer: str, source: str) -> str:
    """Return the correction in an answer that is a JSON object or list, or one that Python printed.

    The JSON may be in a fence, the correction at any depth. In JSON that was cut, it may lack its end. Other answers
    are returned unchanged.
    """
    value = _value_in(answer, source, _JSON, _json_of, ast.literal_eval)
    return text_of_cut_json(answer, source) if value is None else _correction_in(value, answer, source)


def text_of_cut_json(answer: str, source: str) -> str:
    """Return the correction, or its beginning, in an answer that is JSON without its end.

    Other answers are returned unchanged.
    """
    value = _value_in(answer, source, _CUT_JSON, _cut_value)
    return answer if value is None else _correction_in(value, answer, source)


def _value_in(answer: str, source: str, pattern: re.Pattern[str], *readers: Callable[[str], object]) -> object:
    """Return the value that the first reader finds in an answer; None without one, or if the source begins alike."""
    match = pattern.search(answer) if len(answer) <= _LONGEST else None
    if match is not None and source.lstrip()[:1] != match[1][:1]:
        for read in readers:
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return read(match[1])
    return None


def _json_of(text: str) -> object:
    return json.loads(text, strict=False)


def _cut_value(text: str) -> object:
    """Return the value of JSON that was cut, up to the last comma if the text after it is no value.

    Raises ValueError for other text.
    """
    brackets, is_text, complete = "", False, ""
    for mark in _JSON_MARKS.finditer(text):
        if mark[0] == '"':
            is_text = not is_text
        elif not is_text and mark[0] in "{[":
            brackets = ("}" if mark[0] == "{" else "]") + brackets
        elif not is_text and mark[0] in "}]":
            brackets = brackets[1:]
        elif not is_text and mark[0] == ",":
            complete = text[: mark.start()] + brackets
    if not brackets:
        raise ValueError("the JSON has an end")
    try:
        return _json_of(text + '"' * is_text + brackets)
    except ValueError:
        return _json_of(complete)


def _correction_in(value: object, answer: str, source: str) -> str:
    """Return the correction among the texts of a value in JSON, or the answer without one."""
    texts = dict(_texts_in(value))
    names = (name for key in _TEXTS for name in texts if key in name.rpartition(".")[2])
    by_name = next((name for name in names if not _OTHER_TEXTS.search(name)), None)
    if len(texts) == 1 or by_name is not None:
        text = texts[by_name or next(iter(texts))]
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = max([" ".join(value), *value], key=lambda candidate: similarity_of(candidate, source))
    else:  # without a correction, a statement that nothing is wrong
        text = next((text for text in texts.values() if phrase_table().after_statement(source, text) == ""), "")
    return text if is_addition(answer, text, source) else answer


def _texts_in(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts in a JSON value with the path of their names, in lower case."""
    if isinstance(value, str) and value.strip():
        yield name, value
    elif isinstance(value, Mapping | list):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in items:
            yield from _texts_in(item, f"{name}.{key}".casefold())
