"""Check numbers, choices and sequences that callers pass.

Settings of metrics, options of commands and arguments of functions state their range (``Bounds``) or their choices
once. Type hints cannot express ranges, and values come from files, command lines, numpy and pandas: each function
checks one property and raises an error that names the argument, what is allowed, and the nearest name.
"""

from __future__ import annotations

import math
import numbers
import re
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from geceval._kernel import Text
from geceval.base.errors import InputError, UsageError


@dataclass(frozen=True)
class Bounds:
    """The range of a number.

    Attributes:
        low: The smallest value.
        high: The largest value.
        open: Whether ``low`` itself is excluded.
        infinite: Whether infinity is allowed even if it is larger than ``high``.
        nan: Whether NaN is allowed, for values that may be undefined.
    """

    low: float = -math.inf
    high: float = math.inf
    open: bool = False
    infinite: bool = False
    nan: bool = False

    def hold(self, value: float) -> bool:
        """Return whether a number is within the range."""
        if (self.infinite and value == math.inf) or (self.nan and value != value):
            return True
        return (self.low < value if self.open else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        low = [f"{'more than' if self.open else 'at least'} {_number(self.low)}"] if self.low > -math.inf else []
        high = [f"at most {_number(self.high)}"] if self.high < math.inf else []
        return " and ".join([*low, *high]) + (", or infinite" if self.infinite else "")


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


#: Number of threads; 0 means one per processor.
THREADS = Bounds(0, 1024)
#: Number of printed decimals; a double has 17 digits.
DIGITS = Bounds(0, 20)
#: Numbers that the kernel stores in 31 bits, such as positions of tokens.
PLACES = Bounds(0, (1 << 31) - 1)
#: Counts that only the size of files and memory limits.
COUNT = Bounds(0, (1 << 63) - 1)
#: Seeds of numpy's RandomState.
SEEDS = Bounds(0, (1 << 32) - 1)
#: Number of resamples or runs of an interval.
RESAMPLES = Bounds(0, 1_000_000)
#: Number of replicates of a comparison, and seeds of the kernel's random generators.
SAMPLES = Bounds(1, 1_000_000)
KERNEL_SEEDS = Bounds(0, (1 << 64) - 1)
#: Number of edits whose subsets are all scored, and number of random orders of edits.
EXACT_EDITS, DRAWN_ORDERS = Bounds(0, 16), Bounds(2, 1 << 20)
#: Number of columns, systems or annotators that a message offers.
LISTED = 12
#: Significance levels.
ALPHA = Bounds(0.0, 0.999, open=True)


def shown(value: object, most: int = 60) -> str:
    """Return the repr of a value for a message, truncated to ``most`` characters."""
    try:
        text = repr(value)
    except Exception:  # a faulty __repr__, or an int with more digits than Python converts
        text = "\n"
    if "\n" in text:  # as of a data frame
        return f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 sentence, 2 sentences."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def joined(words: Sequence[str]) -> str:
    """Return words as an enumeration: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def choices(names: Iterable[object]) -> str:
    """Return the names of a user's data that a message offers, such as columns or systems."""
    return listed([*map(str, names)], LISTED)


def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a user's regular expression.

    Raises ValueError with the reason for an invalid one, and for one that will have another meaning.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            return re.compile(pattern)
        except (re.error, RecursionError, OverflowError, FutureWarning) as error:
            raise ValueError(str(error)) from None


#: Control characters that change a terminal, except tabs and line ends, and surrogates, which UTF-8 cannot encode.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a text with escapes for control characters.

    Line ends and tabs stay.
    """
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


#: Signs that break a line or a column.
_BREAKS = {ord(sign): ascii(sign)[1:-1] for sign in "\t\n\u2028\u2029"}


def in_line(text: str) -> str:
    """Return a text with escapes for control characters, line ends and tabs."""
    return text if text.isascii() and text.isprintable() else printable(text).translate(_BREAKS)


def plain_number(value: Any) -> Any:
    """Return a number of another type, such as numpy's, as int or float.

    Other values are returned unchanged.
    """
    if type(value) in (int, float, bool) or not isinstance(value, numbers.Real):
        return value
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def is_whole(value: object) -> bool:
    """Return whether a value is an int; bools are excluded."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Return whether a value is a string that UTF-8 can encode: no lone surrogates."""
    return isinstance(value, str) and not lone_surrogate(value)


def lone_surrogate(text: str) -> str:
    """Return the first lone surrogate of a text with its position, or nothing."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"lone surrogate U+{ord(text[error.start]):04X} at position {error.start}"
    return ""


def whole(name: str, value: Any, bounds: Bounds) -> int:
    """Return an integer within bounds.

    Raises:
        UsageError: If the value is not an integer or is out of bounds; names the argument.
    """
    value = plain_number(value)
    if not is_whole(value):
        raise UsageError(f"{name} must be an integer, not {shown(value)}")
    check_bounds(name, value, bounds)
    return int(value)


def number(name: str, value: Any, bounds: Bounds) -> float:
    """Return a number within bounds.

    Raises:
        UsageError: If the value is not a number or is out of bounds; names the argument.
    """
    value = plain_number(value)
    if not (is_whole(value) or isinstance(value, float)):
        raise UsageError(f"{name} must be a number, not {shown(value)}")
    check_bounds(name, value, bounds)
    return float(value)


def check_bounds(name: str, value: float, bounds: Bounds, hint: str | None = None) -> None:
    """Raise UsageError unless a number is within the bounds."""
    if not bounds.hold(value):
        raise UsageError(f"{name} is {shown(value)}; it must be {bounds}", hint=hint)


def choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise UsageError, with the choices, unless the value is one of them."""
    choices = tuple(choices)
    if not (isinstance(value, str) and value in choices):
        text = value if isinstance(value, str) else shown(value)
        raise UsageError(f"{name} must be one of {', '.join(choices)}, not {text}", hint=did_you_mean(value, choices))


def check_choices(owner: Any) -> None:
    """Raise UsageError, with the choices, for a field of a dataclass that is none of the values of its Literal type."""
    owner_type: Any = type(owner)
    for name, (choices, is_optional) in _choices_of_fields(owner_type).items():
        value = getattr(owner, name)
        if not (is_optional and value is None):
            choice(name, value, choices)


@cache
def _choices_of_fields(owner: Any) -> dict[str, tuple[tuple[str, ...], bool]]:
    """Return the values of each field whose type is a Literal, and whether it may be None."""
    fields = dict[str, tuple[tuple[str, ...], bool]]()
    for name, hint in get_type_hints(owner).items():
        members = (hint,) if get_origin(hint) is Literal else get_args(hint)
        literals = [member for member in members if get_origin(member) is Literal]
        if literals and all(get_origin(member) is Literal or member is type(None) for member in members):
            choices = tuple(value for literal in literals for value in get_args(literal))
            fields[name] = choices, type(None) in members
    return fields


def check_type(name: str, value: object, type_: type | tuple[type, ...], needed: str, hint: str | None = None) -> None:
    """Raise UsageError unless a value has a type; the message says what is needed."""
    if not isinstance(value, type_):
        raise UsageError(f"{name} must be {needed}, not {shown(value)}", hint=hint)


#: Least similarity of names with different first letters, and the difference of about equal similarities.
_SIMILAR, _EQUAL = 0.65, 0.05


def did_you_mean(value: Any, names: Iterable[str]) -> str | None:
    """Return a hint with the name that a mistyped one begins or resembles, ignoring case and hyphens at the beginning.

    The hint has two names if they are about equally similar. Returns None if no name is near.
    """
    if not isinstance(value, str):
        return None
    word, plain = value.lstrip("-").lower(), {name.lstrip("-").lower(): name for name in names}
    ratios = {name: SequenceMatcher(None, name, word).ratio() for name in get_close_matches(word, plain, n=2)}
    likely = [name for name, ratio in ratios.items() if name[:1] == word[:1] or ratio >= _SIMILAR]
    begun = [name for name in plain if len(word) > 1 and name.startswith(word)][:1]
    near = begun or [name for name in likely if ratios[name] >= ratios[likely[0]] - _EQUAL]
    return f"did you mean {' or '.join(plain[name] for name in near)}?" if near else None


def missing_column_error(table: str, name: object, names: Sequence[object], verb: str = "has") -> UsageError:
    """Return the error for a missing column; ``verb`` belongs to ``table``."""
    message = f"{table} {verb} no column {shown(name)}: choose from {choices(names)}"
    return UsageError(message, hint=did_you_mean(name, [column for column in names if isinstance(column, str)]))


def check_column(name: Any, names: Sequence[Any], table: str = "the table") -> None:
    """Raise UsageError, with the nearest name, if a table has no column of a name."""
    if not isinstance(name, Hashable) or name not in names:
        raise missing_column_error(table, name, names)


# --- sequences ---


#: Iterables that are refused: (types, name, hint).
_REFUSED: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((str, bytes, bytearray, memoryview), "one string", "for one {item} write [{item}]"),
    ((Set,), "a set, which has no order", "give a list"),
    ((Mapping,), "a mapping", "give a list, such as list(mapping.values())"),
)


def as_sequence(name: str, values: Any, item: str = "sentence", *, dimensions: int = 1) -> Sequence[Any]:
    """Return the values of an argument as a sequence.

    Lists, tuples and other sequences are returned unchanged.

    Args:
        name: The argument, for messages.
        values: A list, tuple, array, Series or generator.
        item: The kind of its values, for messages.
        dimensions: The largest number of dimensions of an array.

    Raises:
        InputError: For other types, and for one string; names the argument.
    """
    if isinstance(values, (list, tuple, Text)):
        return cast("Sequence[Any]", values)
    for types, description, hint in _REFUSED:
        if isinstance(values, types):
            if isinstance(values, str) and _is_file(values):
                raise _refused(name, "the path of a file", item, "geceval.read_corpus takes paths")
            raise _refused(name, description, item, hint.format(item=item))
    if hasattr(values, "readline"):  # files of tempfile are no IOBase
        raise _refused(name, "an open file", item, "geceval.read_corpus and geceval.m2.read take paths")
    if isinstance(values, Sequence):
        return values
    if hasattr(values, "to_pylist"):  # the items of a column of Arrow are no Python values
        return cast("Sequence[Any]", values.to_pylist())
    rank = getattr(values, "ndim", 1)
    if not 1 <= rank <= dimensions:
        raise _refused(name, f"an array of {rank} dimensions", item, "give a list")
    if not isinstance(values, Iterable):
        raise _refused(name, shown(values), item)
    return list(values)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # a name that is too long, or has a NUL
        return False


#: Hints for a missing reference and a missing output.
NO_REFERENCE = "write the source as the reference of a correct sentence, and leave out other sentences without one"
NO_OUTPUT = 'write "" for a failed request, and the source for a sentence without correction'
#: Hint for rows that a table lacks.
NO_ROW = 'repeat the requests and add their rows; the text of a failed request is ""'
#: Hint for the references of a corpus where references of one sentence are expected.
ONE_SENTENCE = "the references of one sentence are strings: [row[s] for row in references]"
#: Hint for references of a corpus that are lists by sentence, as in a column of a data frame.
LISTS_BY_SENTENCE = "Corpus.of and geceval.score take lists of references, or their column, as per_sentence=…"


def check_per_sentence(name: str, rows: Sequence[Any], sentences: int) -> None:
    """Raise InputError if ``rows[s][r]`` is given as ``rows[r][s]``."""
    sizes = {len(row) if isinstance(row, Sized) and not isinstance(row, str) else None for row in rows}
    if len(rows) != sentences and sizes == {sentences}:
        message = f"{name} must be nested by sentence, {name}[s][r], not by reference, {name}[r][s]"
        raise InputError(message, hint=f"{name} = list(zip(*{name}))")


def transpose_references(per_sentence: Any) -> list[list[Any]]:
    """Return references ``[r][s]`` from the references of each sentence, ``[s][r]``.

    Sentences with fewer references than others are padded with None.

    Raises:
        InputError: For one string, and for a value that is not a list; names the sentence.
    """
    rows = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
    rows = [as_sequence(f"per_sentence, sentence {s} (counted from 0)", row, "reference") for s, row in enumerate(rows)]
    return [list(column) for column in zip_longest(*rows)]


def _refused(name: str, description: str, item: str, hint: str | None = None) -> InputError:
    return InputError(f"{name} must be a list of {item}s, not {description}", hint=hint)
