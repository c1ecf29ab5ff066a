"""Edits and sentences with edits, as M2 files contain them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Literal

from geceval.base.arguments import as_sequence, plain_number, shown
from geceval.base.errors import InputError, UsageError

Missing = Literal["fallback", "plain"]
Misfits = Literal["error", "drop"]
#: Treatment of edits of an annotator that overlap; see overlaps.resolve_overlaps.
Overlaps = Literal["error", "first", "longest", "confident", "skip"]
#: The gold edits of metrics on edits: as annotated, or extracted from the gold's corrected texts.
GoldEdits = Literal["as-given", "reannotated"]

DELETE = "-NONE-"
#: The type of an edit that marks an error without a correction.
UNKNOWN = "UNK"
NOOP = "noop"
#: The type, in ChERRANT's dialect, of a sentence that cannot be corrected.
NOT_ANNOTATABLE = "NA"

#: Types of the fields of edits and blocks read from files; other types are checked field by field.
_LINES = (int, type(None))
_EDITS = {(int, int, str, tuple, str, str, int, line, int) for line in _LINES}
_BLOCKS = {(str, tuple, tuple, bool, path, line, tuple) for path in (str, type(None)) for line in _LINES}


@dataclass(frozen=True, slots=True)
class Edit:
    """One ``A`` line: source tokens ``[start, end)`` become one of ``corrections``.

    The corrections are stored as the file spells them.

    Attributes:
        start: first token; ``start == end`` inserts before it.
        end: token after the last one.
        type: the error type.
        corrections: the alternative corrections.
        required: a field that no scorer reads.
        comment: a field that no scorer reads.
        annotator: number of the annotator.
        line: the line of the file, from 1; ignored by comparisons.
        alignment: the alignment of the annotator's answer that it belongs to (ChERRANT).

    Raises:
        UsageError: for fields of other types, and for an edit without a correction.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...]
    required: str = "REQUIRED"
    comment: str = DELETE
    annotator: int = 0
    line: int | None = field(default=None, compare=False, repr=False)
    alignment: int = 0

    def __post_init__(self) -> None:
        # No loop, since a file has millions of edits.
        kinds = (
            type(self.start), type(self.end), type(self.type), type(self.corrections), type(self.required),
            type(self.comment), type(self.annotator), type(self.line), type(self.alignment),
        )  # fmt: skip
        if kinds not in _EDITS or len(self.corrections) != 1 or type(self.corrections[0]) is not str:
            _check_fields(self, "an edit")
            if not self.corrections:
                raise UsageError("an edit has at least one correction", hint='to delete, write ("",)')

    @property
    def is_noop(self) -> bool:
        """Whether it marks an annotator without changes: type ``noop`` or the span -1 -1."""
        return self.type == NOOP or self.start == self.end == -1

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The corrections as text, stripped, with ``-NONE-`` as the empty string."""
        stripped = (correction.strip() for correction in self.corrections)
        return tuple("" if text == DELETE else text for text in stripped)

    @property
    def correction(self) -> str:
        """The first of the alternatives."""
        text = self.corrections[0].strip()
        return "" if text == DELETE else text

    @property
    def confidence(self) -> float | None:
        """The number in the comment field, if it is one."""
        return number_of(self.comment)

    def __str__(self) -> str:
        corrections = "||".join(self.corrections)
        fields = (self.type, corrections, self.required, self.comment, str(self.annotator))
        return f"A {self.start} {self.end}|||{'|||'.join(fields)}"


@dataclass(frozen=True, slots=True)
class Target:
    """One ``T`` line of ChERRANT's dialect: the text of an answer.

    Attributes:
        annotator: number of the annotator.
        alignment: the alignment that follows; None: the text is a remark on the sentence.
        text: the answer.

    Raises:
        UsageError: for fields of other types.
    """

    annotator: int
    alignment: int | None
    text: str

    def __post_init__(self) -> None:
        _check_fields(self, "a target")

    def __str__(self) -> str:
        alignment = "" if self.alignment is None else f"-A{self.alignment}"
        return f"T{self.annotator}{alignment} {self.text}"


@dataclass(frozen=True, slots=True)
class Block:
    """One sentence: the text after ``S``, and its edits in file order.

    The edits include noops.

    Attributes:
        source: the sentence.
        edits: its edits.
        notes: its ``I`` lines.
        ended: whether an empty line follows; ignored by comparisons, as ``path`` and ``line`` are.
        path: the file.
        line: the line of the ``S`` line, from 1.
        targets: its ``T`` lines (ChERRANT).

    Raises:
        UsageError: for fields of other types.
    """

    source: str
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = field(default=True, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)
    line: int | None = field(default=None, compare=False, repr=False)
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        items = ((self.edits, Edit), (self.notes, str), (self.targets, Target))
        kinds = tuple(map(type, _fields_of_block(self)))
        if kinds not in _BLOCKS or any({*map(type, own)} - {kind} for own, kind in items):
            _check_fields(self, "a block")
            if not isinstance(self.ended, bool):
                raise UsageError(f"ended is True or False, not {shown(self.ended)}")

    @property
    def tokens(self) -> list[str]:
        """The source split at white space."""
        return self.source.split()

    @property
    def annotators(self) -> tuple[int, ...]:
        """Annotators with a line in this block, in order of first appearance.

        A block without ``A`` lines has the annotator 0.
        """
        return tuple(dict.fromkeys(edit.annotator for edit in self.edits)) or (0,)

    def edits_of(self, annotator: int, alignment: int | None = 0) -> tuple[Edit, ...]:
        """Return the annotator's edits in file order, without noops.

        The result is empty if the annotator has no line.

        Args:
            annotator: number of the annotator.
            alignment: the alignment of the answer (ChERRANT); None: all.
        """
        return tuple(
            edit
            for edit in self.edits
            if edit.annotator == annotator and alignment in (None, edit.alignment) and not edit.is_noop
        )

    def error(
        self, message: str, *, line: int | None = None, hint: str | None = None, sentence: int | None = None
    ) -> InputError:
        """Return an :class:`InputError` with the place of this block, or of ``line``."""
        return InputError(message, path=self.path, line=line or self.line, hint=hint, sentence=sentence)

    def __str__(self) -> str:
        return "\n".join([f"S {self.source}", *self.notes, *self._edit_lines()]) + "\n"

    def _edit_lines(self) -> Iterator[str]:
        """Yield the edits, each below the ``T`` line of its answer and alignment.

        Edits without one come first.
        """
        last = {(t.annotator, t.alignment or 0): at for at, t in enumerate(self.targets)}
        by_target: dict[int | None, list[str]] = {}
        for edit in self.edits:
            by_target.setdefault(last.get((edit.annotator, edit.alignment)), []).append(str(edit))
        yield from by_target.get(None, ())
        for at, target in enumerate(self.targets):
            yield str(target)
            yield from by_target.get(at, ())


_fields_of_block = attrgetter(*Block.__slots__)
#: Annotation of a field -> type of its values and the type's name in messages.
_VALUES: dict[str, tuple[type, str]] = {"int": (int, "a whole number"), "str": (str, "text")}
_ITEMS: dict[str, tuple[type, str]] = {
    "tuple[str, ...]": (str, "text"),
    "tuple[Edit, ...]": (Edit, "m2.Edit"),
    "tuple[Target, ...]": (Target, "m2.Target"),
}


def _check_fields(owner: Edit | Target | Block, what: str) -> None:
    """Raise UsageError for a field of another type.

    Numbers become Python's, lists become tuples.
    """
    for own in fields(owner):
        value = plain_number(getattr(owner, own.name))
        annotation, _, none = str(own.type).partition(" | ")
        if annotation in _ITEMS:
            kind, name = _ITEMS[annotation]
            value = tuple(as_sequence(f"{what}'s {own.name}", value, name))
            for item in value:
                if not isinstance(item, kind):
                    is_one = f"{own.name[:-1]} is" if kind is str else f"{own.name} are of the type"
                    raise UsageError(f"{what}'s {is_one} {name}, not {shown(item)}")
        elif annotation in _VALUES and not (none and value is None):
            kind, name = _VALUES[annotation]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise UsageError(f"{what}'s {own.name} is {name}{none and ' or None'}, not {shown(value)}")
        object.__setattr__(owner, own.name, value)


@cache
def unchecked(cls: Any) -> Callable[..., Any]:
    """Return a function that makes an edit or a block from unchecked values."""
    same_slots = make_dataclass(cls.__name__, cls.__slots__, eq=False, repr=False, slots=True)

    def make(*values: Any) -> Any:
        made: Any = same_slots(*values)
        made.__class__ = cls  # takes a quarter of the time of setting the fields of a frozen instance
        return made

    return make


def noop(annotator: int) -> Edit:
    """Return the edit of an annotator who changes nothing.

    Args:
        annotator: number of the annotator.

    Returns:
        An edit with the span -1 -1.
    """
    return Edit(-1, -1, NOOP, (DELETE,), annotator=annotator)


def as_written(alternatives: Sequence[str]) -> tuple[str, ...]:
    """Return alternatives as M2 writes them: an empty one of several as ``-NONE-``."""
    return tuple(text or DELETE for text in alternatives) if len(alternatives) > 1 else tuple(alternatives)


def number_of(text: str) -> float | None:
    """Return the finite number that a text is, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def minimal(source: Sequence[str], target: Sequence[str], span: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return a span without equal tokens at its ends: a b -> a c becomes b -> c.

    Args:
        source: the tokens of the source.
        target: the tokens of the correction.
        span: start and end in the source, start and end in the correction.

    Returns:
        The smaller span.
    """
    start, end, target_start, target_end = span
    while start < end and target_start < target_end and source[start] == target[target_start]:
        start, target_start = start + 1, target_start + 1
    while start < end and target_start < target_end and source[end - 1] == target[target_end - 1]:
        end, target_end = end - 1, target_end - 1
    return start, end, target_start, target_end
