"""One edit, one sentence with its edits: what an M2 file says, as objects for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal

from geceval.base.arguments import as_sequence, plain_number, shown
from geceval.base.errors import InputError, UsageError

Missing = Literal["fallback", "plain"]
Misfits = Literal["error", "drop"]

DELETE = "-NONE-"
#: The type of an edit that says that something is wrong, not what is right.
UNKNOWN = "UNK"
NOOP = "noop"
#: In ChERRANT's dialect the type of an edit that says that a sentence cannot be corrected.
NOT_ANNOTATABLE = "NA"

#: The types that the fields of edits and of blocks have in files; other ones are checked one by one.
_LINES = (int, type(None))
_EDITS = {(int, int, str, tuple, str, str, int, line, int) for line in _LINES}
_BLOCKS = {(str, tuple, tuple, bool, path, line, tuple) for path in (str, type(None)) for line in _LINES}


@dataclass(frozen=True, slots=True)
class Edit:
    """One ``A`` line: source tokens ``[start, end)`` become one of ``corrections``, as written in the file.

    ``start == end`` inserts before token ``start``. ``line`` (1-based) is where it was read, no part of
    equality. ``alignment``: which alignment of the annotator's answer it is from, where files have several (ChERRANT).
    Raises UsageError for fields of another type, and for an edit without a correction.
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
        # Files have them by the million: no loop.
        kinds = (
            type(self.start), type(self.end), type(self.type), type(self.corrections), type(self.required),
            type(self.comment), type(self.annotator), type(self.line), type(self.alignment),
        )  # fmt: skip
        if kinds not in _EDITS or len(self.corrections) != 1 or type(self.corrections[0]) is not str:
            _check_fields(self, "an edit")
            if not self.corrections:
                raise UsageError("an edit has a correction, or several", hint='to delete, write ("",)')

    @property
    def is_noop(self) -> bool:
        """True for the line that says "this annotator changes nothing": type ``noop``, or the span -1 -1."""
        return self.type == NOOP or self.start == self.end == -1

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The corrections as text: blanks at either end removed, ``-NONE-`` as the empty string."""
        stripped = (correction.strip() for correction in self.corrections)
        return tuple("" if text == DELETE else text for text in stripped)

    @property
    def correction(self) -> str:
        """The first of the alternatives."""
        text = self.corrections[0].strip()
        return "" if text == DELETE else text

    def __str__(self) -> str:
        corrections = "||".join(self.corrections)
        fields = (self.type, corrections, self.required, self.comment, str(self.annotator))
        return f"A {self.start} {self.end}|||{'|||'.join(fields)}"


@dataclass(frozen=True, slots=True)
class Target:
    """One ``T`` line of ChERRANT's dialect: the text of an answer.

    ``alignment``: which of its alignments follows; None: the text says something of the sentence instead.
    Raises UsageError for fields of another type.
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
    """One sentence: the text after ``S``, its edits (noops included) in file order.

    ``notes`` are the ``I`` lines some files carry, ``targets`` the ``T`` lines of ChERRANT's dialect. ``ended`` is
    false if no empty line follows. ``path`` and ``line`` (1-based, of the ``S`` line) say where it was read. These
    three are no part of equality. Raises UsageError for fields of another type.
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
                raise UsageError(f"a block has ended, True or False, not {shown(self.ended)}")

    @property
    def tokens(self) -> list[str]:
        """The source split at white space."""
        return self.source.split()

    @property
    def annotators(self) -> tuple[int, ...]:
        """Who has a line in this block, in order of first appearance; (0,) if there is no ``A`` line."""
        return tuple(dict.fromkeys(edit.annotator for edit in self.edits)) or (0,)

    def edits_of(self, annotator: int, alignment: int | None = 0) -> tuple[Edit, ...]:
        """The annotator's edits in file order, without noops; empty also if the annotator is absent.

        Where files have several alignments of an answer (ChERRANT), those of one; None: of all.
        """
        return tuple(
            edit
            for edit in self.edits
            if edit.annotator == annotator and alignment in (None, edit.alignment) and not edit.is_noop
        )

    def error(
        self, message: str, *, line: int | None = None, hint: str | None = None, sentence: int | None = None
    ) -> InputError:
        """Return an :class:`InputError` that says where this block (or ``line`` in it) was read."""
        return InputError(message, path=self.path, line=line or self.line, hint=hint, sentence=sentence)

    def __str__(self) -> str:
        return "\n".join([f"S {self.source}", *self.notes, *self._edit_lines()]) + "\n"

    def _edit_lines(self) -> Iterator[str]:
        """The edits, each under the ``T`` line of its answer and alignment; those without one come first."""
        last = {(t.annotator, t.alignment or 0): at for at, t in enumerate(self.targets)}
        by_target: dict[int | None, list[str]] = {}
        for edit in self.edits:
            by_target.setdefault(last.get((edit.annotator, edit.alignment)), []).append(str(edit))
        yield from by_target.get(None, ())
        for at, target in enumerate(self.targets):
            yield str(target)
            yield from by_target.get(at, ())


_fields_of_block = attrgetter(*Block.__slots__)
#: Annotation of a field -> the type of its values and their name in messages; of several ones -> those of each.
_VALUES: dict[str, tuple[type, str]] = {"int": (int, "a whole number"), "str": (str, "text")}
_ITEMS: dict[str, tuple[type, str]] = {
    "tuple[str, ...]": (str, "text"),
    "tuple[Edit, ...]": (Edit, "m2.Edit"),
    "tuple[Target, ...]": (Target, "m2.Target"),
}


def _check_fields(owner: Edit | Target | Block, what: str) -> None:
    """Raise UsageError that names the field unless all are of their types; numbers become Python's, lists tuples."""
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


def noop(annotator: int) -> Edit:
    """The line that makes ``annotator`` present in a block without changing anything."""
    return Edit(-1, -1, NOOP, (DELETE,), annotator=annotator)
