"""Conditions on pairs as text: ``green >= 90 and (edits <= 3 or not identical)``.

A condition is a comparison (a name, an order, a number or a text in quotes) or a name alone, which is true or false.
``not``, ``and`` and ``or`` join conditions with the precedence of Python; parentheses group them. This module knows no
names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NoReturn, TypeAlias

from geceval.base.errors import UsageError
from geceval.base.hints import AnyHint

#: Start and end of a part of the text.
TextSpan: TypeAlias = tuple[int, int]
Joint: TypeAlias = Literal["and", "or"]

ORDERS = ("<=", ">=", "<", ">", "==", "!=")
#: Maximum number of nested parentheses and ``not``.
MAX_DEPTH = 50
#: Number of characters of the text that a message shows.
_WIDTH = 74
_EXAMPLE = "such as: green >= 90"
_WORD = r"[^\s()<>=!&|≥≤]+"
_TOKEN = re.compile(
    rf"(?P<order><=|>=|==|!=|<|>)|(?P<text>\"[^\"]*\"|'[^']*')|(?P<word>{_WORD}(?:={_WORD})*)|(?P<sign>[()])|(?P<other>=>|=<|[&|]+|\S)"
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?", re.IGNORECASE)
#: Operators of other languages, and their replacements.
_REPLACEMENTS = {
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "!": "not",
    "=": "==",
    "=>": ">=",
    "=<": "<=",
    "≥": ">=",
    "≤": "<=",
}
#: Operators of a comparison with its sides exchanged.
_EXCHANGED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class ComparisonNode:
    """``name order bound``, with the spans of name and bound in the text."""

    name: str
    order: str
    bound: Decimal | str
    name_span: TextSpan
    bound_span: TextSpan


@dataclass(frozen=True)
class Flag:
    """A name alone."""

    name: str
    name_span: TextSpan


@dataclass(frozen=True)
class Not:
    """Negation of a condition."""

    condition: Condition


@dataclass(frozen=True)
class Junction:
    """Conditions of which all (``and``) or at least one (``or``) must hold."""

    joint: Joint
    conditions: tuple[Condition, ...]


Condition: TypeAlias = "ComparisonNode | Flag | Not | Junction"


def parse_condition(text: str) -> Condition:
    """Return the condition of a text; raises UsageError that points to a mistake."""
    parser = _Parser(text)
    condition = parser.junction("or")
    parser.end()
    return condition


def condition_error(text: str, span: TextSpan, message: str, hint: AnyHint | None = None) -> UsageError:
    """Return an error that shows the text with carets under a span of it."""
    start, end = span
    first = max(0, min(start - _WIDTH // 2, len(text) - _WIDTH))
    excerpt = "".join(character if character.isprintable() else " " for character in text[first : first + _WIDTH])
    carets = "^" * max(1, min(end, first + _WIDTH) - start)
    return UsageError(f"{message}\n  {excerpt}\n  {' ' * (start - first)}{carets}", hint=hint)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    span: TextSpan

    @property
    def keyword(self) -> str:
        """The keyword in lower case, or the parenthesis; empty for other tokens."""
        word = self.text.lower()
        return word if self.kind == "sign" or (self.kind == "word" and word in ("and", "or", "not")) else ""


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        assert match.lastgroup is not None
        yield _Token(match.lastgroup, match.group(), match.span())
    yield _Token("end", "", (len(text), len(text)))


class _Parser:
    """A recursive descent parser of a condition."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens = text, list(_tokens(text))
        self._index = self._depth = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._index]

    def _take(self) -> _Token:
        self._index += 1
        return self._tokens[self._index - 1]

    def _fail(self, span: TextSpan, message: str, hint: AnyHint | None = None) -> NoReturn:
        raise condition_error(self._text, span, message, hint)

    def junction(self, joint: Joint) -> Condition:
        """Read conditions joined by ``or``, or by ``and``."""
        conditions = [self._operand(joint)]
        while self._next.keyword == joint:
            self._take()
            conditions.append(self._operand(joint))
        return conditions[0] if len(conditions) == 1 else Junction(joint, tuple(conditions))

    def _operand(self, joint: Joint) -> Condition:
        return self.junction("and") if joint == "or" else self._single()

    def _single(self) -> Condition:
        token = self._next
        if token.keyword not in ("not", "("):
            return self._comparison()
        self._take()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(token.span, f"more than {MAX_DEPTH} levels of parentheses and 'not'")
        condition = Not(self._single()) if token.keyword == "not" else self._group(token)
        self._depth -= 1
        return condition

    def _group(self, parenthesis: _Token) -> Condition:
        condition = self.junction("or")
        if self._next.keyword != ")":
            if self._next.kind == "end":
                self._fail(parenthesis.span, "this parenthesis is not closed")
            self.end()
        self._take()
        return condition

    def end(self) -> None:
        """Raise UsageError if tokens are left."""
        token = self._next
        if token.kind == "end":
            return
        if token.kind == "order":
            hint = "such as: green > 50 and green < 90"
            self._fail(token.span, "one comparison at a time", hint)
        if token.keyword == ")":
            self._fail(token.span, "no parenthesis is open here")
        self._check_sign(token)
        self._fail(token.span, "'and' or 'or' is missing before this")

    def _check_sign(self, token: _Token) -> None:
        """Raise UsageError for a sign that is not part of a condition."""
        if token.kind == "other":
            replacement = _REPLACEMENTS.get(token.text)
            self._fail(token.span, f"unknown sign {token.text!r}", f"write {replacement}" if replacement else None)

    def _comparison(self) -> Condition:
        name, name_span = self._name()
        if self._next.kind != "order":
            self._check_sign(self._next)
            return Flag(name, name_span)
        order = self._take()
        number = self._next
        bound = number.text[1:-1] if number.kind == "text" else self._number(number)
        if bound is None:
            is_swapped = _NUMBER.fullmatch(name) is not None
            hint = f"write {number.text} {_EXCHANGED[order.text]} {name}" if is_swapped else self._hint(number.text)
            if number.kind == "word":
                self._fail(number.span, "a number is needed here", hint)
            self._fail(order.span, "a number is missing here", hint)
        self._take()
        return ComparisonNode(name, order.text, bound, name_span, number.span)

    def _name(self) -> tuple[str, TextSpan]:
        """Read a name, which may contain spaces like the heads of tables: ``GREEN beta=0.5``."""
        first = last = self._next
        while self._next.kind == "word" and not self._next.keyword:
            last = self._take()
        if self._next is first:
            self._check_sign(first)
            message = "the name is missing before this" if first.kind == "order" else "a condition is missing here"
            self._fail(first.span, message, _EXAMPLE)
        if "=" in first.text and ":" not in first.text:
            sign = first.span[0] + first.text.index("=")
            self._fail((sign, sign + 1), "unknown sign '='", "write ==")
        span = first.span[0], last.span[1]
        return self._text[slice(*span)], span

    def _number(self, token: _Token) -> Decimal | None:
        """Return the number of a token; None for another word."""
        if token.kind != "word" or not _NUMBER.fullmatch(token.text):
            return None
        if not math.isfinite(float(token.text)):
            self._fail(token.span, "this number is too large")
        return Decimal(token.text)

    @staticmethod
    def _hint(text: str) -> str | None:
        """Return a hint that corrects ``90%``, ``0,5``, ``90,`` or a text without quotes."""
        if text.endswith(",") and _NUMBER.fullmatch(text[:-1]):
            return "write and instead of the comma"
        for corrected in (text.removesuffix("%"), text.replace(",", ".")):
            if corrected != text and _NUMBER.fullmatch(corrected):
                return f"write {corrected}"
        word = text.strip("\"'")
        is_text = word[:1].isalpha() and word.lower() not in ("and", "or", "not", "nan", "inf")
        return f'put a text value in quotes: "{word}"' if is_text else None
