"""Values of options: files among them, values that differ from the defaults, and checks.

Annotations are evaluated, as in geceval.commands.shared.options.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

from cyclopts import Parameter, convert

from geceval.base.arguments import Bounds, whole


class OutputFile(str):
    """The name of a file to write."""


def changed(options: Any) -> dict[str, Any]:
    """Return the options, also of inner groups, that differ from their defaults."""
    return {option.name: option.value for option in changed_options(options)}


#: Options whose values are names, or files.
NAMES_OR_FILES = frozenset({"metrics", "judge", "language", "tokenise", "clean", "group", "blocks", "suites"})
#: Words in the placeholders of options whose values are files or folders, also NAME=FILE.
_FILE_WORDS = ("FILE", "DIR", "RECORD", "SOURCE")


class GivenOption(NamedTuple):
    """An option with its value.

    Attributes:
        name: Name of the field or parameter.
        value: A value, or a tuple of values.
        files: Whether the texts of the value are files or folders, or may be: names, or files.
    """

    name: str
    value: Any
    files: Literal["all", "some", "none"]

    def texts(self) -> Iterator[str]:
        """Yield the texts of the value."""
        for value in self.value if isinstance(self.value, tuple) else (self.value,):
            if isinstance(value, str):
                yield value

    def inputs(self) -> Iterator[str]:
        """Yield the texts that are files or folders to read, and the parts of NAME=FILE and FILE,FILE that may be."""
        for text in (text for text in self.texts() if self.files != "none" and not isinstance(text, OutputFile)):
            pieces = dict.fromkeys([text, text.partition("=")[2], *re.split("[=,]", text)])
            # A name that is not meant as a file has no ending and no folder.
            yield from (piece for piece in pieces if piece and (self.files == "all" or re.search(r"[./\\]", piece)))


def changed_options(options: Any) -> "Iterator[GivenOption]":
    """Yield the options, also of inner groups, that differ from their defaults."""
    hints = _type_hints(options.__class__)
    for field in fields(options):
        value = getattr(options, field.name)
        if is_dataclass(value):
            yield from changed_options(value)
        elif value != field.default:
            yield GivenOption(field.name, value, files_of(field.name, hints[field.name]))


@cache
def _type_hints(options_class: type) -> dict[str, Any]:
    return get_type_hints(options_class, include_extras=True)


def files_of(name: str, hint: Any) -> "Literal['all', 'some', 'none']":
    """Return whether the values of an option are files, by its name and its placeholder."""
    if name in NAMES_OR_FILES:
        return "some"
    parameters = [annotation for annotation in getattr(hint, "__metadata__", ()) if isinstance(annotation, Parameter)]
    placeholders = [text for parameter in parameters for text in (parameter.metavar, *(parameter.name or ())) if text]
    return "all" if any(word in text for text in placeholders for word in _FILE_WORDS) else "none"


def flag(name: str) -> str:
    """Return the flag of a field."""
    return f"--{name.replace('_', '-')}"


def check_whole(options: Any, **bounds: Bounds) -> None:
    """Check the options that are integers, alone or in a tuple.

    Raises:
        UsageError: A value is not an integer within its bounds.
    """
    for name, within in bounds.items():
        value, default = getattr(options, name), getattr(type(options), name)
        if value is not default:  # which may be None
            for number in value if isinstance(default, tuple) else (value,):
                whole(flag(name), number, within)


def split_at_commas(kind: Any, tokens: Any) -> Any:
    """Return the values of an option that takes several in one argument."""
    return convert(kind, [piece for token in tokens for piece in token.value.split(",")])


#: Several values in one argument, separated by commas; the option may be repeated.
COMMAS = Parameter(converter=split_at_commas, consume_multiple=False)
#: Types of edits (text.m2.type_selectors), separated by commas or blanks.
TypesOption = Annotated[tuple[str, ...], Parameter(converter=split_at_commas, metavar="TYPE")]
