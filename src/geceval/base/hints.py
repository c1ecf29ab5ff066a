"""Hints as data: the command line prints options, Python prints arguments."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

#: Flags that are not the name of their option.
_FLAGS: Mapping[str, str] = {
    "source": "-s",
    "references": "-r",
    "systems": "-c",
    "metrics": "-m",
    "table": "-i",
    "format": "-f",
    "output": "-o",
    "annotator": "--language",
}
#: Arguments of Python, with ``{}`` for the value, that are not the name of their option.
_ARGUMENTS: Mapping[str, str] = {
    "metrics": "{}",
    "allow_outside": "allow_outside=True",
    "no_header": "header=False",
    "input_format": "format={}",
    "system_column": "system={}",
    "source_column": "source={}",
    "reference_column": "references={}",
    "hypothesis_column": "hypothesis={}",
    "normalise": "corpus.prepared(geceval.Preparation(normalise={}))",
    "tokenise_only": "geceval.Preparation(only={})",
}
#: Values of Python that have another name on the command line, which chooses by the texts.
_VALUES: Mapping[tuple[str, str], str] = {("tokenise", "auto"): "english"}
#: Arguments that are lists of files, or files by name.
_FILES = frozenset({"references", "systems"})
#: Arguments that are lists.
_LISTS = _FILES | {"tokenise_only"}
#: Arguments that are numbers.
_NUMBERS = frozenset({"skip_rows"})
#: Options whose value is an argument of its own, ``KEY=VALUE``.
_SETTINGS = frozenset({"judge"})


@dataclass(frozen=True)
class Option:
    """An option in a hint.

    Attributes:
        name: Name as a Python identifier, such as ``input_format``.
        value: Value as on a command line, or a placeholder in capitals; several are separated by spaces. None names the
            option only.
    """

    name: str
    value: str | None = None

    @property
    def flag(self) -> str:
        """The flag on the command line."""
        return _FLAGS.get(self.name) or f"--{self.name.replace('_', '-')}"

    def for_command(self) -> str:
        """Return the option with its value."""
        return self.flag if self.value is None else f"{self.flag} {self.value}"

    def __str__(self) -> str:
        """Return the argument of Python."""
        argument = _ARGUMENTS.get(self.name, f"{self.name}={{}}")
        if self.value is None:
            return argument.removesuffix("={}") if "(" not in argument and argument != "{}" else self.name
        key, equals, value = self.value.partition("=")
        if self.name in _SETTINGS and equals:
            return f"{key}={_literal(value)}"
        if self.name in _FILES and equals:
            return f"{self.name}={{{_literal(key)}: {_literal(value)}}}"
        if self.name in _NUMBERS:
            return argument.replace("{}", self.value)
        literals = [_literal(_VALUES.get((self.name, text), text)) for text in _words(self.value)]
        is_list = len(literals) > 1 or self.name in _LISTS
        return argument.replace("{}", f"[{', '.join(literals)}]" if is_list else "".join(literals))


def _words(value: str) -> list[str]:
    """Return the words of a value; one with a single quote, such as a name that is not quoted, is one word."""
    try:
        return shlex.split(value)
    except ValueError:
        return [value]


def _literal(value: str) -> str:
    """Return a value as in a program; the placeholders N and … stand for themselves."""
    return value if value in ("N", "…") else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Step:
    """A step whose words for Python are not those of its options.

    Attributes:
        command: Words for the command line.
        python: Words for Python.
    """

    command: str | Hint
    python: str

    def for_command(self) -> str:
        """Return the words for the command line."""
        return command_words(self.command)

    def __str__(self) -> str:
        return self.python


@dataclass(frozen=True, init=False)
class Hint:
    """How to fix an error: texts, options and steps in a row.

    Its string has arguments of Python.
    """

    parts: tuple[str | Option | Step, ...]

    def __init__(self, *parts: str | Option | Step | Hint) -> None:
        flat = [piece for part in parts for piece in (part.parts if isinstance(part, Hint) else (part,))]
        object.__setattr__(self, "parts", tuple(part for part in flat if part != ""))

    @property
    def first_option(self) -> Option | None:
        """The option that the words for the command line begin with, if they do."""
        first = self.parts[0] if self.parts else None
        if isinstance(first, Step):
            return first.command.first_option if isinstance(first.command, Hint) else None
        return first if isinstance(first, Option) else None

    @property
    def options(self) -> tuple[Option, ...]:
        """The options in the words for the command line."""
        commands = [part.command if isinstance(part, Step) else part for part in self.parts]
        parts = [part for command in commands for part in (command.parts if isinstance(command, Hint) else (command,))]
        return tuple(part for part in parts if isinstance(part, Option))

    def for_command(self) -> str:
        """Return the hint with options of the command line."""
        return "".join(command_words(part) for part in self.parts)

    def of_flags(self, flags: Collection[str]) -> Hint:
        """Return the hint for a command with these flags.

        Alternatives, which parts ``"; "`` separate, are left out if they begin with another option. If none remains,
        the hint names a command that has the option.
        """
        alternatives = [
            Hint(*parts) for is_separator, parts in groupby(self.parts, lambda part: part == "; ") if not is_separator
        ]
        possible = [hint for hint in alternatives if (first := hint.first_option) is None or first.flag in flags]
        if not possible:
            return Hint("geceval score ", self)
        return Hint(possible[0], *(part for hint in possible[1:] for part in ("; ", hint)))

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


def named_option(name: str, value: str) -> Step:
    """Return an option that the command line names as the setting, too: ``samples=9 (--samples 9)``."""
    python = f"{name}={value if value.isdecimal() else _literal(value)}"
    return Step(Hint(f"{name}={value} (", Option(name, value), ")"), python)


def table_step(path: str, option: str, column: str) -> Step:
    """Return the step that reads a table with a column for a role.

    Args:
        path: The table.
        option: Option of the role, such as ``source_column``.
        column: Name of the column.
    """
    argument = _ARGUMENTS[option].replace("{}", _literal(column))
    command = Hint(Option("table", path), " ", Option(option, column))
    return Step(command, f"geceval.read_table({_literal(path)}, {argument})")


#: A hint; a text is the same on the command line and in Python.
AnyHint: TypeAlias = str | Hint


def command_words(hint: str | Hint | Option | Step) -> str:
    """Return a hint or a part of it with options of the command line."""
    return hint if isinstance(hint, str) else hint.for_command()


def hint_of_template(template: str) -> AnyHint:
    """Return the hint of a cell of a table.

    Args:
        template: Text with options as ``[[name value]]``. ``[[name value; name value|words]]`` has options that are
            replaced by other words in Python.
    """
    text, *bracketed = template.split("[[")
    if not bracketed:
        return text
    parts: list[str | Option | Step] = [text]
    for piece in bracketed:
        inside, _, text = piece.partition("]]")
        options, _, words = inside.partition("|")
        pairs = [option.partition(" ")[::2] for option in options.split("; ")]
        command = Hint(*(part for name, value in pairs for part in (" ", Option(name, value or None))))
        parts += [Step(Hint(*command.parts[1:]), words)] if words else command.parts[1:]
        parts.append(text)
    return Hint(*parts)
