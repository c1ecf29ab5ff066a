"""Requests: the options of a command as a frozen dataclass.

Values are checked once, in the same way from Python and from a command line. A request is a dataclass of options and of
parts, which are dataclasses of options and become groups of the help. ``geceval.cli.parsing`` makes an option parser
of a request.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, dataclass_transform

from geceval.base.arguments import Bounds, choice, did_you_mean, number, shown, whole
from geceval.base.errors import UsageError
from geceval.base.output_files import PARTIAL

#: The effect of an option: it changes the result, or files written with it.
Effect: TypeAlias = Literal["result", "files"]

P = TypeVar("P", bound="OptionGroup")
_KINDS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


@dataclass(frozen=True)
class Option:
    """The definition of an option.

    Attributes:
        flags: its flags; a positional argument has none.
        default: its default.
        nargs: as in argparse; the value is a tuple.
        choices: the allowed values, by default the values of a ``Literal`` annotation.
        known: values that the help names; other values are allowed as well.
        metavar: its placeholder in the help.
        bounds: the range of a number.
        repeatable: whether the option may be repeated, which adds values.
        separator: separates values in one argument.
        required: whether it must be given.
        effect: what it changes.
        reads_file: whether its values may be names of input files.
        rare: whether only ``--help-all`` shows it.
        kind: str, int, float, or bool for a flag that inverts the default; taken from the field's annotation.
    """

    flags: tuple[str, ...] = ()
    default: Any = None
    nargs: str | int | None = None
    choices: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    metavar: str | tuple[str, ...] | None = None
    bounds: Bounds | None = None
    repeatable: bool = False
    separator: str = ""
    required: bool = False
    effect: Effect = "result"
    reads_file: bool = False
    rare: bool = False
    kind: type = str

    @property
    def has_several(self) -> bool:
        """Whether its value is a tuple."""
        return self.nargs in ("+", "*") or isinstance(self.nargs, int) or self.repeatable

    def make_field(self, annotation: str) -> dataclasses.Field[Any]:
        """Return the dataclass field of an option with this annotation.

        The default ``metavar`` is FILE for options that read or write files and N for integers. The default value is an
        empty tuple for options with several values, False for flags, True for flags ``--no-…``, and None for others. A
        tuple takes one or more values.
        """
        words = re.findall(r"\w+", annotation)
        kind = next((kind for kind in (bool, int, float) if kind.__name__ in words), str)
        metavar, default, nargs = self.metavar, self.default, self.nargs
        if nargs is None and annotation.startswith("tuple") and not (self.repeatable or self.separator):
            nargs = "+"
        choices = self.choices or tuple(re.findall(r"'(.*?)'", annotation))
        if metavar is None and not choices:
            metavar = "FILE" if self.reads_file or self.effect == "files" else "N" if kind is int else None
        facts = dataclasses.replace(self, kind=kind, choices=choices, metavar=metavar, nargs=nargs)
        if default is None and (facts.has_several or kind is bool):
            default = () if facts.has_several else self.flags[-1].startswith("--no-")
        facts = dataclasses.replace(facts, default=default)
        made: dataclasses.Field[Any] = field(default=default, metadata={"option": facts})
        return made

    def name(self, field_name: str) -> str:
        """Return the name in messages: the last flag, or else the placeholder."""
        return self.flags[-1] if self.flags else str(self.metavar or field_name)

    def read(self, text: str) -> Any:
        """Return the value of an argument.

        Raises UsageError, without the name of the option, for an invalid value.
        """
        if self.separator:
            return tuple(self._read_one(item) for item in text.split(self.separator))
        return self._read_one(text)

    def _read_one(self, text: str) -> Any:
        if self.kind in (int, float):
            try:
                value = self.kind(text)
            except ValueError:
                raise UsageError(f"{shown(text)} is not {_KINDS[self.kind]}") from None
            if self.bounds is not None and not self.bounds.hold(value):
                raise UsageError(f"{shown(value)}; it must be {self.bounds}")
            return value
        if self.choices and text not in self.choices:
            hint = did_you_mean(text, self.choices)
            raise UsageError(f"unknown value {text!r}: choose from {', '.join(self.choices)}", hint=hint)
        return text

    def checked(self, name: str, value: Any, default: Any) -> Any:
        """Return a value in the form that requests store.

        Raises UsageError, with the name of the option, for an invalid value.
        """
        if value is None and default is None:
            return None
        if not self.has_several:
            return self._checked_one(name, value)
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise UsageError(f"{name} takes several values, not {shown(value)}")
        return tuple(self._checked_one(name, one) for one in value)

    def _checked_one(self, name: str, value: Any) -> Any:
        bounds = Bounds() if self.bounds is None else self.bounds
        if self.choices:
            choice(name, value, self.choices)
        elif self.kind is int:
            return whole(name, value, bounds)
        elif self.kind is float:
            return number(name, value, bounds)
        elif not isinstance(value, self.kind):
            raise UsageError(f"{name} is {_KINDS[self.kind]}, not {shown(value)}")
        return value


def option(*flags: str, choices: Iterable[str] = (), known: Iterable[str] = (), **facts: Any) -> Any:
    """Return the definition of an option, for a field of an ``OptionGroup``.

    ``facts`` are attributes of Option.
    """
    return Option(flags, choices=tuple(choices), known=tuple(known), **facts)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class OptionGroup:
    """A group of options: the base class of requests and of their parts.

    Subclasses are frozen dataclasses with keyword fields. They share the methods of this class, since generating
    methods for each class would take a millisecond at every start.

    ``class NetworkOptions(OptionGroup, title="networks")`` is a group with this title in the help. The options of a
    group without a title belong to the surrounding group. With ``rare=True`` only ``--help-all`` shows the group.
    A part is a field whose default is an instance: ``network: NetworkOptions = NetworkOptions()``.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]
    group_title: ClassVar[str] = ""
    group_is_rare: ClassVar[bool] = False

    def __init_subclass__(cls, *, title: str = "", rare: bool = False) -> None:
        super().__init_subclass__()
        for name, annotation in inspect.get_annotations(cls).items():
            facts = vars(cls).get(name)
            if isinstance(facts, Option):
                setattr(cls, name, facts.make_field(annotation))
        dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
        if title:
            cls.group_title, cls.group_is_rare = title, rare

    def __init__(self, **values: Any) -> None:
        for own in fields(self):
            value, facts = values.pop(own.name, own.default), own.metadata.get("option")
            if facts is not None:
                value = facts.checked(facts.name(own.name), value, own.default)
            object.__setattr__(self, own.name, value)
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")
        self.check()

    def __setattr__(self, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def check(self) -> None:
        """Raise UsageError for options that contradict each other.

        Subclasses override it. The defaults must pass.
        """

    def options(self) -> Iterator[tuple[str, Option, Any]]:
        """Yield name, definition and value of each option, including parts."""
        for own in fields(self):
            value = getattr(self, own.name)
            if isinstance(value, OptionGroup):
                yield from value.options()
            else:
                yield own.name, own.metadata["option"], value

    @classmethod
    def all_options(cls) -> Iterator[tuple[str, Option, Any]]:
        """Yield name, definition and default of each option, including parts."""
        for own in fields(cls):
            if isinstance(own.default, OptionGroup):
                yield from own.default.options()
            else:
                yield own.name, own.metadata["option"], own.default

    def changed_options(self) -> Iterator[tuple[str, Option, Any]]:
        """Yield name, definition and value of each option that differs from its default."""
        for (name, facts, value), (_, _, default) in zip(self.options(), self.all_options(), strict=True):
            if value != default:
                yield name, facts, value

    def to_document(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, by name, as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, _, value in self.changed_options()}


class CommandRequest(OptionGroup):
    """The base class of requests, one frozen dataclass per command."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        for name, facts, value in self.options():
            if facts.required and (value is None or value == ()):
                raise UsageError(f"{facts.name(name)} is required")
            if facts.effect == "files" and facts.kind is str and facts.metavar and value not in (None, "-", ()):
                self._check_output(facts.name(name), value if isinstance(value, tuple) else (value,))

    def _check_output(self, option: str, paths: Iterable[str]) -> None:
        """Raise UsageError for an output file that the request reads."""
        written = [name for path in paths for name in (path, f"{path}{PARTIAL}")]
        existing = {os.path.realpath(path): path for path in written if os.path.exists(path)}  # noqa: PTH110
        for _, text in self.read_values() if existing else ():
            for path in (text, text.partition("=")[2]):
                name = existing.get(os.path.realpath(path)) if path else None
                if name is not None:
                    raise UsageError(f"{option}: {name} is an input file", hint="write to another file")

    def read_values(self) -> Iterator[tuple[str, str]]:
        """Yield the name and each value of the options that can name files to read."""
        for name, facts, value in self.options():
            if facts.reads_file and value is not None:
                for text in value if isinstance(value, tuple) else (value,):
                    if text and "\0" not in text:
                        yield name, text


def from_document(kind: type[P], document: Mapping[str, Any]) -> P:
    """Return a request, or part of one, with these options by name.

    All others have their defaults.

    Raises UsageError for an unknown name and for an invalid value.
    """
    known = [name for name, _, _ in kind.all_options()]
    for name in document:
        if name not in known:
            raise UsageError(f"unknown option {shown(name)}")
    return kind(**_values(fields(kind), document))


def _values(own: Iterable[dataclasses.Field[Any]], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a dataclass from the options of a document."""
    values = {}
    for one in own:
        if isinstance(one.default, OptionGroup):
            inner = _values(fields(one.default), document)
            if inner:
                values[one.name] = dataclasses.replace(one.default, **inner)
        elif one.name in document:
            values[one.name] = document[one.name]
    return values
