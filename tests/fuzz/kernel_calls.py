"""Calls of everything in the kernel's stub with arguments drawn by type, some of which are odd.

A new function or method is called without an entry here; SHAPES and WHOLE help arguments to fit each other.
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, partial
from random import Random
from typing import Any, Literal

import numpy as np

from geceval import _kernel, m2
from geceval.edits.annotation import Annotated, Token
from geceval.edits.languages.english import Builtin
from support.kernel_stub import fits, function_of, hints, members, results, stub

#: Dimensions of arrays by the name of the argument: S sentences, R references, K counts, P players or rows, W words
#: of a generator's state.
SHAPES = {
    "counts": "SRK", "present": "SR", "totals": "K", "keys": "S", "rows": "SK", "base": "NK", "values": "S",
    "versions": "S", "offsets": "O", "wins": "PP", "draws": "PP", "first": "G", "second": "G", "outcome": "G",
    "sums": "PK", "exchanged": "NPK", "observed": "G", "keep": "S", "states": "PW", "choices": "PS",
    "own": ("SRK", "SR", "S"), "other": ("SRK", "SR", "S"),
}  # fmt: skip
#: Numbers of things that are made, and take their time: small, or beyond 64 bits.
WHOLE = ("replicates", "iterations", "runs", "updates", "players")
#: Exceptions for Python code that passes wrong values; MemoryError for results that are larger than the memory.
EXPECTED = (ValueError, TypeError, OverflowError, IndexError, AttributeError, MemoryError)
WORDS = ["a", "b", "the", "The", "cat", "cats", "é", "e\u0301", "\u0301", "👨\u200d👩\u200d👧", "x\u200by", "，",
    "can't", "||", "-NONE-",
         "他", "İ", "ß", "1.5", "``", "...", "I", "U.S.", "\x1b[0m"]  # fmt: skip
SPACES = [" ", " ", " ", " ", "  ", "\t", "\u3000", "\xa0", "\x1c", "\u2028", ""]
TYPES = ["R:NOUN", "M:DET", "U:PREP", "UNK", "noop", "", "R:VERB:TENSE", "é|"]
LARGE = [
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    10**30,
    -(2**31),
    -(2**63),
    -(2**64),
]
ODD: list[Callable[[], Any]] = [
    lambda: None, lambda: -1, lambda: 1.5, lambda: float("nan"), lambda: "", lambda: "é\ud800", lambda: "a\0b",
    lambda: b"\xff", list, lambda: [None], lambda: ["a", 3], dict, lambda: {"a": 1}, object, lambda: int,
    lambda: iter(()), lambda: np.array("a"), lambda: np.array([]), lambda: np.array([1.5]), lambda: np.int64(3),
    lambda: np.zeros((0, 3, 2)), lambda: np.array([None]), lambda: True, lambda: 2**64, lambda: (), lambda: "word",
]  # fmt: skip


@cache
def _builtin() -> Builtin:
    return Builtin()


class RefusedError(Exception):
    """Arguments from which the kernel makes no instance."""


def refusing(make: Callable[..., Any], *positional: Any, **named: Any) -> Any:
    """Return an instance; raises RefusedError for an expected exception."""
    try:
        return make(*positional, **named)
    except EXPECTED as error:
        raise RefusedError from error


class Draw:
    """Values for one call: their sizes fit each other, unless they are odd.

    ``oddness``: the share of values that are anything at all.
    """

    def __init__(self, r: Random) -> None:
        self.r, self.oddness = r, r.choice((0.0, 0.0, 0.02, 0.2))
        sentences, references, counts = r.choice((0, 1, 1, 2, 3, 5)), r.randrange(4), r.choice((1, 2, 3, 7, 14))
        self.sizes = {"S": sentences, "R": references, "K": counts, "N": r.randrange(5), "P": r.randrange(5),
                      "G": r.randrange(9), "O": sentences + 1, "W": 625}  # fmt: skip
        self.lines = [self.line() for _ in range(sentences)]

    def line(self) -> str:
        r = self.r
        size = r.choice((0, 1, 2, 3, 5, 8, 20)) if r.random() < 0.999 else 400
        if r.random() < 0.8:
            return " ".join(r.choices(WORDS, k=size))
        return "".join(r.choice(WORDS) + r.choice(SPACES) for _ in range(size))

    def size(self, usual: int) -> int:
        """A length, wrong now and then."""
        return usual if self.r.random() < 0.97 else max(0, usual + self.r.choice((-1, 1)))

    def value(self, kind: Any, name: str = "") -> Any:
        """A value of a type as the stub writes it."""
        if self.r.random() < self.oddness:
            return self.r.choice(ODD)()
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if isinstance(kind, typing.TypeVar):
            return self.value(self.r.choice(kind.__constraints__ or [kind.__bound__]))
        if origin in (typing.Union, types.UnionType):
            return self.value(self.r.choice(arguments), name)
        if origin is Literal:
            return self.r.choice(arguments)
        if origin is np.ndarray:
            return self.array(arguments[1], name)
        if origin is tuple:
            shapes = SHAPES.get(name)
            names = shapes if isinstance(shapes, tuple) else ("",) * len(arguments)
            return tuple(
                self.value(argument, size_names) for argument, size_names in zip(arguments, names, strict=True)
            )
        if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
            return [self.value(arguments[0], name) for _ in range(self.length(arguments[0]))]
        return _SIMPLE[kind](self, name) if kind in _SIMPLE else self.made(kind)

    def made(self, kind: Any) -> Any:
        """An instance of a class of the kernel, or what has the attributes of a protocol."""
        if kind.__name__ in _MADE:
            return _MADE[kind.__name__](self)
        return self.protocol(kind) if getattr(kind, "_is_protocol", False) else self.instance(kind)

    def length(self, kind: Any) -> int:
        r = self.r
        if kind is float:
            return self.size(self.sizes["K"])
        return self.size(self.sizes["S"]) if r.random() < 0.5 else r.choice((0, 1, 1, 2, 3))

    def array(self, dtype: Any, name: str) -> Any:
        [element] = typing.get_args(dtype)
        element = self.r.choice(element.__constraints__) if isinstance(element, typing.TypeVar) else element
        element = np.float64 if element is Any else element
        shape = SHAPES.get(name, name if set(name) <= set(self.sizes) else "")
        axes = shape if isinstance(shape, str) and shape else self.r.choice(("", "S", "SR", "SRK"))
        sizes = [self.size(self.sizes[axis]) for axis in axes]
        numbers = self.numbers(element, sizes)
        return self.laid_out(numbers) if numbers.ndim and self.r.random() < 0.06 else numbers

    def numbers(self, element: Any, sizes: list[int]) -> Any:
        r, number = self.r, int(np.prod(sizes))
        kind = np.dtype(element).kind
        if kind == "f":
            choices = [
                0.0,
                1.0,
                0.5,
                2.5,
                -1.0,
                *([float("nan"), float("inf"), -1e308, 1e-320] if r.random() < 0.2 else []),
            ]
        elif kind == "b":
            choices = [True, True, True, False]
        else:
            bounds = np.iinfo(element)
            choices = [
                0,
                1,
                2,
                3,
                5,
                *([int(bounds.max), int(bounds.min), min(int(bounds.max), 1 << 20)] if r.random() < 0.2 else []),
            ]
            choices += [-1] if kind == "i" and r.random() < 0.3 else []
        drawn = np.array(r.choices(choices, k=number), element).reshape(sizes)
        return np.sort(drawn, axis=None).reshape(sizes) if r.random() < 0.3 else drawn

    def laid_out(self, array: Any) -> Any:
        """The array in another layout or of another type."""
        ways: list[Callable[[], Any]] = [
            lambda: array[::-1], lambda: array.T, lambda: np.repeat(array, 2, -1)[..., ::2],
            lambda: array.astype(np.float32), lambda: array.astype(object),
                lambda: array.astype(array.dtype.newbyteorder()),
            lambda: array[None], lambda: array[:0], lambda: np.asfortranarray(array),
            lambda: array.astype("U3"), lambda: np.broadcast_to(array, (2, *array.shape)), lambda: array.tolist(),
        ]  # fmt: skip
        with np.errstate(all="ignore"):
            return self.r.choice(ways)()

    def whole(self, name: str) -> int:
        r = self.r
        if r.random() < 0.04:
            return r.choice([large for large in LARGE if name not in WHOLE or not 0 < large < 2**64])
        if name == "threads":
            return r.choice((0, 1, 1, 1, 2, 3))
        return r.choice((0, 0, 1, 1, 2, 3, 5, 8, r.randrange(64)))

    def string(self, name: str) -> str:
        r = self.r
        names = {"rules": ["errant-3", "errant-2.0", "generic", "czech", "chinese"], "types": ["errant-3",
            "universal", "generic"],
                 "merging": ["rules", "all-split", "all-merge", "all-equal"]}  # fmt: skip
        if name in names:
            return r.choice(names[name])
        return r.choice((r.choice(WORDS), r.choice(TYPES), self.line()))

    def text(self) -> Any:
        lines: list[str | None] = (
            list(self.lines) if self.r.random() < 0.3 else [self.changed(line) for line in self.lines]
        )
        if self.r.random() < 0.1 and lines:
            lines[self.r.randrange(len(lines))] = None
        if self.r.random() < 0.03:
            lines.append("a b")
        return refusing(_kernel.Text, lines)

    def changed(self, line: str) -> str:
        """A line that resembles another one."""
        words, r = line.split(" "), self.r
        for _ in range(r.randrange(3)):
            at = r.randrange(len(words) + 1)
            words[at : at + r.randrange(2)] = r.choices(WORDS, k=r.randrange(3))
        return " ".join(words)

    def versions(self, number: int) -> list[tuple[int, list[tuple[int, int, str, str]]]]:
        r = self.r
        versions = []
        for annotator in range(number):
            cuts = sorted(r.randrange(6) for _ in range(2 * r.randrange(3)))
            spans = (
                list(zip(cuts[::2], cuts[1::2], strict=True))
                if r.random() < 0.95
                else [(r.randrange(-2, 9), r.choice((0, 3, 2**31 - 1)))]
            )
            versions.append(
                (
                    annotator,
                    [
                        (start, end, r.choice(TYPES), " ".join(r.choices(WORDS, k=r.randrange(3))))
                        for start, end in spans
                    ],
                )
            )
        return versions

    def edits(self) -> Any:
        own = self.r.random() < 0.5
        number = self.size(self.sizes["S"])
        versions = [self.versions(1 if own else self.r.randrange(4)) for _ in range(number)]
        return _kernel.Edits(versions, self.r.random() < 0.3)

    def annotated(self) -> Any:
        def token() -> Token:
            form = self.r.choice(WORDS)
            return Token(
                form, form.lower(), self.r.choice(("NOUN", "VERB", "", "X")), self.r.choice(("NN", "VB", "")), "dep", 0
            )

        annotated = Annotated.from_rows([[token() for _ in range(self.r.randrange(4))] for _ in range(self.sizes["S"])])
        if self.r.random() < 0.7:
            return annotated
        columns = {field.name: getattr(annotated, field.name) for field in fields(annotated)}
        name = self.r.choice(list(columns))
        columns[name] = self.value(typing.get_type_hints(stub()["_AnnotatedColumns"], stub())[name])
        return types.SimpleNamespace(**columns)

    def block(self) -> Any:
        source = self.r.choice(self.lines) if self.lines else ""
        edits = [m2.Edit(start, end, kind, (text,), annotator=annotator)
                 for annotator, version in self.versions(2) for start, end, kind, text in version]  # fmt: skip
        return m2.Block(source, tuple(edits))

    def data(self) -> bytes:
        r = self.r
        lines = [r.choice(("S ", "A ", "A 0 1|||R|||", "T0-A0 ", "",
            "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||")) + self.line()
                 for _ in range(r.randrange(6))]  # fmt: skip
        data = "\n".join(lines).encode()
        if data and r.random() < 0.3:
            at = r.randrange(len(data))
            data = data[:at] + r.choice((b"\0", b"\xff", b"\n\n", b"|||", b"\r")) + data[at + r.randrange(2) :]
        return data

    def protocol(self, kind: Any) -> Any:
        properties = {name: member for name, member in vars(kind).items() if isinstance(member, property)}
        return types.SimpleNamespace(
            **{name: self.value(hints(member.fget)["return"], name) for name, member in properties.items()}
        )

    def instance(self, kind: Any) -> Any:
        """An instance of a class of the kernel."""
        positional, named = self.arguments(function_of(vars(kind)["__new__"]))
        return refusing(getattr(_kernel, kind.__name__), *positional, **named)

    def formula(self) -> Any:
        """A formula by one of its constructors."""
        name = self.r.choice(("f", "regions", "gleu", "rates"))
        positional, named = self.arguments(function_of(vars(stub()["ScoreFormula"])[name]))
        return refusing(getattr(_kernel.ScoreFormula, name), *positional, **named)

    def arguments(self, function: Any) -> tuple[list[Any], dict[str, Any]]:
        """Arguments of a function, without the class or instance; optional ones are omitted now and then."""
        code, kinds = function.__code__, hints(function)
        optional = range(code.co_argcount - len(function.__defaults__ or ()), code.co_argcount)
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for at, name in enumerate(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
            if name not in kinds:  # self or cls
                continue
            if at in optional and self.r.random() < 0.5:
                continue
            if at < code.co_posonlyargcount:
                positional.append(self.value(kinds[name], name))
            else:
                named[name] = self.value(kinds[name], name)
        return positional, named


_SIMPLE: Mapping[Any, Callable[[Draw, str], Any]] = {
    bool: lambda draw, name: draw.r.random() < 0.5,
    int: Draw.whole,
    float: lambda draw, name: draw.r.choice(
        (0.0, 1.0, 1.0, 0.5, 0.25, 2.0, -1.0, float("nan"), float("inf"), 1e300, 1e-320)
    ),
    str: Draw.string,
    bytes: lambda draw, name: draw.data(),
    slice: lambda draw, name: slice(*(draw.r.choice((None, 0, 1, 2, -1, 2**40)) for _ in range(3))),
    type(None): lambda draw, name: None,
    object: lambda draw, name: draw.block(),
}
_MADE: Mapping[str, Callable[[Draw], Any]] = {
    "ScoreFormula": Draw.formula,
    "Text": Draw.text,
    "Edits": Draw.edits,
    "_Annotated": Draw.annotated,
    "Tagger": lambda draw: _builtin().tagger,
    "WordList": lambda draw: _kernel.WordList(draw.r.sample(WORDS,
        5)) if draw.r.random() < 0.5 else _kernel.WordList.english(),
}  # fmt: skip


def same(first: Any, second: Any) -> bool:
    """Whether two results are equal, byte for byte."""
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, dict):
        return same(list(first.values()), list(second.values()))
    if isinstance(first, _kernel.Edits):
        return all(
            same(getattr(first, name), getattr(second, name))
            for name in ("versions", "offsets", "start", "end", "text", "strings")
        )
    if isinstance(first, float):
        return first == second or (first != first and second != second)
    return type(first).__module__ != "builtins" or bool(first == second)


def attempt(name: str, member: Any, r: Random) -> str:
    """Call a member with drawn arguments; returns the kind of the outcome.

    The result has the type in the stub.
    One in eight is called with one and with three threads, which must give the same.

    Raises what is not expected.
    """
    owner, _, member_name = name.rpartition(".")
    try:
        call = _call(Draw(r), owner, member_name, member)
    except RefusedError:
        return "refused"
    try:
        expected = call({})
    except EXPECTED as error:
        return type(error).__name__
    assert any(fits(expected, kind) for kind in results(member)), (expected, results(member))
    if r.random() < 0.12 and _has_threads(member):
        assert same(call({"threads": 1}), call({"threads": 3})), "threads change the result"
    del expected
    return "done"


def _has_threads(member: Any) -> bool:
    return "threads" in hints(function_of(member))


def _call(draw: Draw, owner: str, member_name: str, member: Any) -> Callable[[dict[str, Any]], Any]:
    """Return a function that makes the same call again, with changed arguments."""
    function = function_of(member)
    if member_name == "__new__":
        callee = getattr(_kernel, owner)
    elif owner and not isinstance(member, staticmethod):
        callee = getattr(draw.made(stub()[owner]), member_name)
    else:
        callee = getattr(getattr(_kernel, owner) if owner else _kernel, member_name)
    positional, named = draw.arguments(function)
    return lambda changes: callee(*positional, **named | changes)


def read(owner: str, attributes: Mapping[str, Any], r: Random) -> str:
    """Read all attributes of a drawn instance, twice: both must be equal, and of the type in the stub."""
    try:
        instance = Draw(r).made(stub()[owner])
    except RefusedError:
        return "refused"
    for name, member in attributes.items():
        try:
            values = [getattr(instance, name) for _ in range(2)]
        except EXPECTED as error:
            return type(error).__name__
        assert same(*values), f"{owner}.{name} changes"
        assert any(fits(values[0], kind) for kind in results(member)), (name, values[0])
    return "done"


def targets() -> dict[str, Callable[[Random], str]]:
    """Everything in the stub by name; the attributes of a class are one target."""
    attempts: dict[str, Callable[[Random], str]] = {}
    attributes: dict[str, dict[str, Any]] = {}
    for name, member in members():
        owner, _, member_name = name.rpartition(".")
        if isinstance(member, (types.FunctionType, staticmethod)):
            attempts[f"kernel:{name}"] = partial(attempt, name, member)
        else:
            attributes.setdefault(owner, {})[member_name] = member
    for owner, members_of_owner in attributes.items():
        attempts[f"kernel:{owner} attributes"] = partial(read, owner, members_of_owner)
    return attempts
