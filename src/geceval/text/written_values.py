"""Values that libraries write as text: lists, strings of JSON, missing values."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from geceval.base.arguments import shown
from geceval.base.caller_warnings import warn
from geceval.text.blank_texts import MISSING, is_missing

_STRING = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
#: A list of texts as Python and JSON write it, or a set of Python.
_LIST = re.compile(
    rf"""\[\]|[\[(](?:['"]|null,|None,).*(?:['"],?|null|None)[\])]|\{{{_STRING}(?:, {_STRING})*\}}""", re.DOTALL
)
#: Errors of spreadsheets, and what Google Sheets has while a formula is computed.
SHEET_ERRORS = ("#NAME?", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#ERROR!", "Loading...")
#: First characters of such a list.
LIST_STARTS = ("[", "(", "{")
#: First characters of a list and of an object in JSON.
JSON_STARTS = ("[", "{")
#: A call of a class in a list, such as ``[Match({'offset': 3, …})]``, which the ``str`` of a list of objects has.
_OBJECTS = re.compile(r"\[[A-Za-z_][\w.]*\((?:\{|\w+=)")
#: The beginning of a list of objects or of lists, however it is written.
_NESTED = re.compile(rf"""\[\s*(?:[\[(]|\{{\s*['"])|{_OBJECTS.pattern}""")


def is_list_text(value: Any) -> bool:
    """Return whether a value is a list, or a set, of texts that is written as text."""
    return isinstance(value, str) and value.startswith(LIST_STARTS) and _LIST.fullmatch(value) is not None


def written_value(value: Any) -> Any:
    """Return the list or the object that a text is in JSON or as Python writes it, and any other value unchanged.

    Python's objects in a list are objects with their fields: ``[Match({'offset': 3})]``, ``[Match(offset=3)]``.
    """
    if not (isinstance(value, str) and value.startswith(JSON_STARTS)):
        return value
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(value)
    if "'" in value or _OBJECTS.match(value):
        with contextlib.suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            tree = ast.parse(value, mode="eval")
            return ast.literal_eval(_FieldsOfObjects().visit(tree))
    return value


def is_nested_text(text: str) -> bool:
    """Return whether a text is a list of objects or of lists, as a library writes it, or begins like one."""
    value = written_value(text)
    if isinstance(value, str):
        return _NESTED.match(value) is not None
    return isinstance(value, list) and any(isinstance(item, list | dict) for item in value)


class _FieldsOfObjects(ast.NodeTransformer):
    """Replaces calls of classes by the object that is their argument, or that their named arguments make."""

    def visit_Call(self, call: ast.Call) -> ast.AST:
        if [type(argument) for argument in call.args] == [ast.Dict] and not call.keywords:
            return self.generic_visit(call.args[0])
        if call.args or not all(keyword.arg for keyword in call.keywords):
            return call
        keys: list[ast.expr | None] = [ast.Constant(keyword.arg) for keyword in call.keywords]
        return ast.Dict(keys, [self.visit(keyword.value) for keyword in call.keywords])


def json_string(value: Any) -> str | None:
    """Return the text of a string that is written as JSON; None for other values."""
    if isinstance(value, str) and value.startswith('"'):
        with contextlib.suppress(ValueError):
            text = json.loads(value)
            return text if isinstance(text, str) else None
    return None


def parse_list(text: str) -> list[str | None] | None:
    """Return a list of texts that is written as text, in JSON or as Python writes it; None for any other text.

    Libraries that write lists to CSV make them. numpy's ``['a' 'b']`` is no list, but Python reads it as one text; a
    set has no order.
    """
    for read in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            values = read(text)
            is_list = isinstance(values, (list, tuple)) and (read is json.loads or repr(values) == text)
            if is_list and all(value is None or isinstance(value, str) for value in values):
                return list(values)
    return None


def warn_of_written_values(name: str, texts: Sequence[Any], source: Sequence[Any]) -> None:
    """Warn of texts that are probably other values, which a library wrote as text.

    Args:
        name: Name of the texts.
        texts: The texts [S].
        source: Their source sentences [S]; a sentence of the same form is no reason for a warning.
    """
    rows = [(text, line) for text, line in zip(texts, source, strict=False) if _may_be_written(text)]
    for form, has_form in _FORMS.items():
        examples = [text for text, line in rows if has_form(text, line)]
        if examples and (form != _QUOTED or 1 < len(examples) == len(texts)):
            message = f"{name}: {len(examples)} of {len(texts)} texts look like {form}, such as {shown(examples[0])}"
            warn(message, hint="Dask, Ray, CSV and Spark without Arrow write other values as text: give the values")


def _may_be_written(text: Any) -> bool:
    # An empty text is reported by the checks of lines.
    starts = (*LIST_STARTS, '"')
    return isinstance(text, str) and text != "" and (text.startswith(starts) or text in (*MISSING, *SHEET_ERRORS))


_QUOTED = "texts in JSON"
#: Whether a text has a form, by the source sentence.
_FORMS: dict[str, Callable[[Any, Any], bool]] = {
    "missing values": lambda text, line: text in MISSING and is_missing(text, line),
    "errors of a spreadsheet": lambda text, line: text in SHEET_ERRORS and line not in SHEET_ERRORS,
    "lists": lambda text, line: is_list_text(text) and not is_list_text(line),
    "lists of objects": lambda text, line: is_nested_text(text) and not is_nested_text(line),
    _QUOTED: lambda text, line: json_string(text) is not None and json_string(line) is None,
}
