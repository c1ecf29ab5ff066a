"""What arguments may be: the one place where numbers and choices are held against what is allowed.

Settings of metrics, options of commands and arguments of functions state a range (``Bounds``) or their choices once;
here they are checked, and here is what the error says.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from io import IOBase
from typing import Any, Protocol, cast, runtime_checkable

from geceval._kernel import Text
from geceval.base.errors import InputError, UsageError


@dataclass(frozen=True)
class Bounds:
    """The smallest and largest value of a number.

    ``open``: the smallest itself is too small; ``infinite``: infinity is allowed, too, beyond the largest; ``nan``: so
    is not a number, where that says that there is none.
    """

    low: float = -math.inf
    high: float = math.inf
    open: bool = False
    infinite: bool = False
    nan: bool = False

    def hold(self, value: float) -> bool:
        """Whether a number lies in them."""
        if (self.infinite and value == math.inf) or (self.nan and value != value):
            return True
        return (self.low < value if self.open else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        low = [f"{'more than' if self.open else 'at least'} {_number(self.low)}"] if self.low > -math.inf else []
        high = [f"at most {_number(self.high)}"] if self.high < math.inf else []
        return " and ".join([*low, *high]) + (", or infinite" if self.infinite else "")


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


#: Threads; 0 is one for each processor.
THREADS = Bounds(0, 1024)
#: Decimals that are printed; a double has 17 digits.
DIGITS = Bounds(0, 20)
#: Numbers that the kernel keeps in 31 bits, such as places of tokens.
PLACES = Bounds(0, (1 << 31) - 1)
#: What a file or a machine can hold of anything.
COUNT = Bounds(0, (1 << 63) - 1)
#: Seeds of numpy's RandomState.
SEEDS = Bounds(0, (1 << 32) - 1)
#: Resamples and runs behind an interval.
RESAMPLES = Bounds(0, 1_000_000)
#: Replicates of a comparison, and the seeds of the kernel's generators.
SAMPLES = Bounds(1, 1_000_000)
KERNEL_SEEDS = Bounds(0, (1 << 64) - 1)
#: Edits all of whose subsets are scored to value them, and orders of edits that are drawn.
EXACT_EDITS, DRAWN_ORDERS = Bounds(0, 16), Bounds(2, 1 << 20)
#: Levels of significance.
ALPHA = Bounds(0.0, 0.999, open=True)


def shown(value: object, most: int = 60) -> str:
    """A value in a message, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # whatever somebody's class does, or a number of more digits than Python spells out
        return f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}..."


def plain_number(value: Any) -> Any:
    """Numbers of other kinds, such as numpy's, as Python's own; all else as it is."""
    if type(value) in (int, float, bool) or not isinstance(value, numbers.Real):
        return value
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number; truth values are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Whether a value is text that UTF-8 has: without lone surrogates."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(name: str, value: Any, bounds: Bounds) -> int:
    """A whole number within bounds. Raises UsageError that names the argument for anything else."""
    value = plain_number(value)
    if not is_whole(value):
        raise UsageError(f"{name} takes a whole number, not {shown(value)}")
    check_bounds(name, value, bounds)
    return int(value)


def number(name: str, value: Any, bounds: Bounds) -> float:
    """A number within bounds. Raises UsageError that names the argument for anything else."""
    value = plain_number(value)
    if not (is_whole(value) or isinstance(value, float)):
        raise UsageError(f"{name} takes a number, not {shown(value)}")
    check_bounds(name, value, bounds)
    return float(value)


def check_bounds(name: str, value: float, bounds: Bounds, hint: str | None = None) -> None:
    """Raise UsageError unless the number lies within the bounds."""
    if not bounds.hold(value):
        raise UsageError(f"{name} is {shown(value)}; it must be {bounds}", hint=hint)


def choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise UsageError that lists the choices, with the nearest, unless the value is one of them."""
    choices = tuple(choices)
    if not (isinstance(value, str) and value in choices):
        given = value if isinstance(value, str) else shown(value)
        raise UsageError(f"{name} is one of {', '.join(choices)}, not {given}", hint=did_you_mean(value, choices))


def did_you_mean(value: Any, names: Iterable[str]) -> str | None:
    """A hint with the name that is nearest to a mistyped one, in any case; None if none is near."""
    from difflib import get_close_matches  # it takes some milliseconds

    by_lower = {name.lower(): name for name in names}
    near = get_close_matches(value.lower(), by_lower, n=1) if isinstance(value, str) else []
    return f"did you mean {by_lower[near[0]]}?" if near else None


# --- sequences ---


@runtime_checkable
class _Readable(Protocol):
    """What is read line by line, such as the files of tempfile."""

    def readline(self) -> Any: ...


#: What can be gone through, but is not what was meant: (types, what it is, what to do).
_REFUSED: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((str, bytes, bytearray, memoryview), "one string", "for one {item} write [{item}]"),
    ((Set,), "a set, which has no order", "give a list"),
    ((Mapping,), "a mapping", "give a list, such as list(mapping.values())"),
    ((IOBase, _Readable), "an open file", "geceval.read_corpus and geceval.m2.read take paths"),
)


def as_sequence(name: str, values: Any, item: str = "sentence", *, dimensions: int = 1) -> Sequence[Any]:
    """The values of an argument in order: a list, tuple, array or Series of so many ``dimensions`` at the most, a
    generator.

    Sequences are returned as they are. Raises InputError that names the argument for anything else, and for one string.
    """
    if isinstance(values, (list, tuple, Text)):
        return cast("Sequence[Any]", values)
    for types, what, hint in _REFUSED:
        if isinstance(values, types):
            raise _refused(name, what, item, hint.format(item=item))
    if isinstance(values, Sequence):
        return values
    found = getattr(values, "ndim", 1)
    if not 1 <= found <= dimensions:
        raise _refused(name, f"an array of {found} dimensions", item, "give a list")
    if not isinstance(values, Iterable):
        raise _refused(name, shown(values), item)
    return list(values)


def by_reference(per_sentence: Any) -> list[list[Any]]:
    """References ``[r][s]`` out of ``per_sentence[s]``, the list of those of each sentence; None where it has fewer
    than others.

    Raises InputError that names the sentence for one string, and for what is no list.
    """
    rows = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
    rows = [as_sequence(f"per_sentence, sentence {s} (counted from 0)", row, "reference") for s, row in enumerate(rows)]
    most = max(map(len, rows), default=0)
    return [[row[r] if r < len(row) else None for row in rows] for r in range(most)]


def _refused(name: str, what: str, item: str, hint: str | None = None) -> InputError:
    return InputError(f"{name}: a list of {item}s is needed, not {what}", hint=hint)
