"""Conditions on pairs as text: ``green >= 90 and (edits <= 3 or not identical)``.

A condition is a comparison (a name, an order, a number) or a name alone, which is true or false. ``not``, ``and`` and
``or`` join conditions with the precedence of Python; parentheses group them. This module knows no names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NoReturn, TypeAlias

from geceval.base.errors import UsageError

#: Start and end of a piece of the text.
Place: TypeAlias = tuple[int, int]
Joint: TypeAlias = Literal["and", "or"]

ORDERS = ("<=", ">=", "<", ">", "==", "!=")
#: Levels of parentheses and ``not``.
DEEPEST = 50
#: Characters of a message that show the text.
_WIDTH = 74
_EXAMPLE = "such as: green >= 90"
_WORD = r"[^\s()<>=!&|≥≤]+"
_TOKEN = re.compile(
    rf"(?P<order><=|>=|==|!=|<|>)|(?P<word>{_WORD}(?:={_WORD})*)|(?P<sign>[()])|(?P<other>=>|=<|[&|]+|\S)"
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?", re.IGNORECASE)
#: Signs of other languages, and what is written instead.
_INSTEAD = {
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
#: Signs of a comparison with its sides exchanged.
_EXCHANGED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Comparison:
    """``name order bound``. ``of_name``, ``of_bound``: the places of the two."""

    name: str
    order: str
    bound: Decimal
    of_name: Place
    of_bound: Place


@dataclass(frozen=True)
class Flag:
    """A name alone."""

    name: str
    place: Place


@dataclass(frozen=True)
class Not:
    """A condition that must not hold."""

    condition: Condition


@dataclass(frozen=True)
class Junction:
    """Conditions of which all (``and``) or at least one (``or``) must hold."""

    joint: Joint
    conditions: tuple[Condition, ...]


Condition: TypeAlias = "Comparison | Flag | Not | Junction"


def parse_condition(text: str) -> Condition:
    """Return the condition of a text.

    Raises UsageError that shows the place of a mistake.
    """
    parser = _Parser(text)
    condition = parser.junction("or")
    parser.end()
    return condition


def fault(text: str, place: Place, message: str, hint: str | None = None) -> UsageError:
    """Return an error that shows the text with carets under a piece of it."""
    start, end = place
    first = max(0, min(start - _WIDTH // 2, len(text) - _WIDTH))
    piece = "".join(sign if sign.isprintable() else " " for sign in text[first : first + _WIDTH])
    carets = "^" * max(1, min(end, first + _WIDTH) - start)
    return UsageError(f"{message}\n  {piece}\n  {' ' * (start - first)}{carets}", hint=hint)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: Place

    @property
    def keyword(self) -> str:
        """The keyword in lower case, or the parenthesis; empty for other tokens."""
        word = self.text.lower()
        return word if self.kind == "sign" or (self.kind == "word" and word in ("and", "or", "not")) else ""


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        assert found.lastgroup is not None
        yield _Token(found.lastgroup, found.group(), found.span())
    yield _Token("end", "", (len(text), len(text)))


class _Parser:
    """A recursive descent through the tokens of a text."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._depth = text, list(_tokens(text)), 0
        self._at = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _fail(self, place: Place, message: str, hint: str | None = None) -> NoReturn:
        raise fault(self._text, place, message, hint)

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
        if self._depth > DEEPEST:
            self._fail(token.place, f"more than {DEEPEST} levels of parentheses and 'not'")
        condition = Not(self._single()) if token.keyword == "not" else self._group(token)
        self._depth -= 1
        return condition

    def _group(self, opened: _Token) -> Condition:
        inner = self.junction("or")
        if self._next.keyword != ")":
            if self._next.kind == "end":
                self._fail(opened.place, "this parenthesis is not closed")
            self.end()
        self._take()
        return inner

    def end(self) -> None:
        """Raise UsageError unless all is read."""
        token = self._next
        if token.kind == "end":
            return
        if token.kind == "order":
            hint = "such as: green > 50 and green < 90"
            self._fail(token.place, "one comparison at a time", hint)
        if token.keyword == ")":
            self._fail(token.place, "no parenthesis is open here")
        self._check_sign(token)
        self._fail(token.place, "'and' or 'or' is missing before this")

    def _check_sign(self, token: _Token) -> None:
        """Raise UsageError for a sign that is not part of a condition."""
        if token.kind == "other":
            instead = _INSTEAD.get(token.text)
            self._fail(token.place, f"unknown sign {token.text!r}", f"write {instead}" if instead else None)

    def _comparison(self) -> Condition:
        name, place = self._name()
        if self._next.kind != "order":
            self._check_sign(self._next)
            return Flag(name, place)
        order = self._take()
        number = self._next
        bound = self._number(number)
        if bound is None:
            swapped = _NUMBER.fullmatch(name) is not None
            hint = f"write {number.text} {_EXCHANGED[order.text]} {name}" if swapped else self._hint(number.text)
            at = number.place if number.kind == "word" else order.place
            self._fail(at, "a number is needed here" if number.kind == "word" else "a number is missing here", hint)
        self._take()
        return Comparison(name, order.text, bound, place, number.place)

    def _name(self) -> tuple[str, Place]:
        """Read a name; the heads of tables have blanks, as in ``GREEN beta=0.5``."""
        first = last = self._next
        while self._next.kind == "word" and not self._next.keyword:
            last = self._take()
        if self._next is first:
            self._check_sign(first)
            missing = "the name is missing before this" if first.kind == "order" else "a condition is missing here"
            self._fail(first.place, missing, _EXAMPLE)
        if "=" in first.text and ":" not in first.text:
            at = first.place[0] + first.text.index("=")
            self._fail((at, at + 1), "unknown sign '='", "write ==")
        place = first.place[0], last.place[1]
        return self._text[slice(*place)], place

    def _number(self, token: _Token) -> Decimal | None:
        """Return the number of a token; None for another word."""
        if token.kind != "word" or not _NUMBER.fullmatch(token.text):
            return None
        if not math.isfinite(float(token.text)):
            self._fail(token.place, "this number is too large")
        return Decimal(token.text)

    @staticmethod
    def _hint(text: str) -> str | None:
        """Return the correction of ``90%``, ``0,5`` or ``90,``."""
        if text.endswith(",") and _NUMBER.fullmatch(text[:-1]):
            return "write and instead of the comma"
        for mended in (text.removesuffix("%"), text.replace(",", ".")):
            if mended != text and _NUMBER.fullmatch(mended):
                return f"write {mended}"
        return None
