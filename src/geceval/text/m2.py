"""The M2 format: sentences with the edits of one or more annotators.

A block is an ``S`` line (the source), its ``A`` lines (one edit each) and an empty line::

    S The cat sat at mat .
    A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
    A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0

An ``A`` line holds the token span ``start end``, the error type, the alternative corrections separated by
``||`` (``-NONE-`` or nothing: delete), two fields that no scorer reads (``|||REQUIRED|||-NONE-|||`` and
``|||-REQUIRED-|||NONE|||`` are both common) and the annotator. One who changes nothing is written
``A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1``.

What is read is what the file says, in its order: noops, duplicates, unsorted and overlapping edits, offsets
beyond the sentence, and annotators with no line in a block are for those who use the blocks to interpret.
Source: Dahlmeier and Ng (2012); the format description of the CoNLL-2014 shared task.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Literal, TextIO, TypeAlias, cast, get_args, overload

from geceval._kernel import BlockTable, Edits, Text
from geceval.arguments import PLACES, Bounds, choice, is_whole, plain_number, shown, whole
from geceval.errors import InputError, UsageError
from geceval.text.files import PathLike, display_name, open_bytes
from geceval.text.given import listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What numbers annotators can have.
_ANNOTATORS = Bounds(-(1 << 31), PLACES.high)

Missing = Literal["fallback", "plain"]
Misfits = Literal["error", "drop"]

DELETE = "-NONE-"
#: The type of an edit that says that something is wrong, not what is right.
UNKNOWN = "UNK"
NOOP = "noop"


_LINES = (int, type(None))
#: The types that an edit's fields have: start, end, type, corrections, required, comment, annotator, line.
_EDITS = {(int, int, str, tuple, str, str, int, line) for line in _LINES}
#: And those of a block: source, edits, notes, ended, path, line.
_BLOCKS = {(str, tuple, tuple, bool, path, line) for path in (str, type(None)) for line in _LINES}


@dataclass(frozen=True, slots=True)
class Edit:
    """One ``A`` line: source tokens ``[start, end)`` become one of ``corrections``, as written in the file.

    ``start == end`` inserts before token ``start``. ``line`` (1-based) is where it was read, no part of
    equality. Raises UsageError for fields of another type, and for an edit without a correction.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...]
    required: str = "REQUIRED"
    comment: str = DELETE
    annotator: int = 0
    line: int | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        kinds = (
            type(self.start), type(self.end), type(self.type), type(self.corrections),
            type(self.required), type(self.comment), type(self.annotator), type(self.line),
        )  # fmt: skip
        # As files have them by the million; what is made by hand is looked at more closely.
        if kinds not in _EDITS or len(self.corrections) != 1 or type(self.corrections[0]) is not str:
            _check_edit(self)

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
class Block:
    """One sentence: the text after ``S``, its edits (noops included) in file order.

    ``notes`` are the ``I`` lines some files carry. ``ended`` is false if no empty line follows. ``path`` and
    ``line`` (1-based, of the ``S`` line) say where it was read. The last three are no part of equality. Raises
    UsageError for fields of another type.
    """

    source: str
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = field(default=True, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)
    line: int | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        kinds = (
            type(self.source),
            type(self.edits),
            type(self.notes),
            type(self.ended),
            type(self.path),
            type(self.line),
        )
        if kinds not in _BLOCKS or {*map(type, self.edits)} - {Edit} or {*map(type, self.notes)} - {str}:
            _check_block(self)

    @property
    def tokens(self) -> list[str]:
        """The source split at white space."""
        return self.source.split()

    @property
    def annotators(self) -> tuple[int, ...]:
        """Who has a line in this block, in order of first appearance; (0,) if there is no ``A`` line."""
        return tuple(dict.fromkeys(edit.annotator for edit in self.edits)) or (0,)

    def edits_of(self, annotator: int) -> tuple[Edit, ...]:
        """The annotator's edits in file order, without noops; empty also if the annotator is absent."""
        return tuple(edit for edit in self.edits if edit.annotator == annotator and not edit.is_noop)

    def error(self, message: str, *, line: int | None = None, hint: str | None = None) -> InputError:
        """An :class:`InputError` that says where this block (or ``line`` in it) was read."""
        return InputError(message, path=self.path, line=line or self.line, hint=hint)

    def __str__(self) -> str:
        return "\n".join([f"S {self.source}", *self.notes, *map(str, self.edits)]) + "\n"


def _check_edit(edit: Edit) -> None:
    """Raise UsageError that names the field unless an edit's fields are what they should be; lists become tuples."""
    for name in ("start", "end", "annotator"):
        number = plain_number(getattr(edit, name))
        if not is_whole(number):
            raise UsageError(f"an edit's {name} is a whole number, not {shown(number)}")
        object.__setattr__(edit, name, number)
    for name in ("type", "required", "comment"):
        _check_text(f"an edit's {name}", getattr(edit, name))
    corrections = tuple(listed("an edit's corrections", edit.corrections, "text"))
    for correction in corrections:
        _check_text("an edit's correction", correction)
    if not corrections:
        raise UsageError("an edit has a correction, or several", hint='to delete, write ("",)')
    object.__setattr__(edit, "corrections", corrections)
    _check_line("an edit's line", edit.line)


def _check_block(block: Block) -> None:
    """Raise UsageError that names the field unless a block's fields are what they should be; lists become tuples."""
    _check_text("a block's source", block.source)
    for name, item in (("edits", "m2.Edit"), ("notes", "text")):
        object.__setattr__(block, name, tuple(listed(f"a block's {name}", getattr(block, name), item)))
    for edit in block.edits:
        if not isinstance(edit, Edit):
            raise UsageError(f"a block's edits are of the type m2.Edit, not {shown(edit)}")
    for note in block.notes:
        _check_text("a block's note", note)
    if not isinstance(block.ended, bool):
        raise UsageError(f"a block has ended, True or False, not {shown(block.ended)}")
    if block.path is not None:
        _check_text("a block's path", block.path)
    _check_line("a block's line", block.line)


def _check_line(what: str, line: object) -> None:
    if not (line is None or is_whole(line)):
        raise UsageError(f"{what} is a whole number or None, not {shown(line)}")


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str):
        raise UsageError(f"{what} is text, not {shown(text)}")


def noop(annotator: int) -> Edit:
    """The line that makes ``annotator`` present in a block without changing anything."""
    return Edit(-1, -1, NOOP, (DELETE,), annotator=annotator)


# ---- blocks in columns ----


class Blocks(Sequence[Block]):
    """Blocks whose edits are kept in columns of the kernel; a :class:`Block` is made when it is asked for.

    A slice shares the columns. In the columns an edit's correction is one text, alternatives joined by ``||``.
    """

    def __init__(self, columns: BlockTable, places: range | None = None) -> None:
        self._columns = columns
        self._places = range(len(columns)) if places is None else places

    @classmethod
    def of(cls, blocks: Iterable[Block], name: str = "blocks") -> Blocks:
        """The blocks in columns; those that are in columns already as they are.

        Raises InputError for what is no block (``name``: what they are in messages), for text that UTF-8 cannot encode
        and for numbers of more than 31 bits.
        """
        if isinstance(blocks, Blocks):
            return blocks
        blocks = listed(name, blocks, "m2.Block")
        for s, block in enumerate(blocks):
            if not isinstance(block, Block):
                raise InputError(
                    f"{name}, sentence {s} (counted from 0): an M2 block is needed, not {shown(block)}",
                    hint="geceval.m2.read(path) reads them",
                )
        try:
            return cls(BlockTable(blocks))
        except (TypeError, ValueError, OverflowError):  # the kernel says which field, not why
            for s, block in enumerate(blocks):
                _check_columns(s, block)
            raise

    @classmethod
    def read(cls, path: PathLike) -> Blocks:
        """All blocks of an M2 file. Errors: see :func:`read`."""
        with open_bytes(path) as stream:
            return cls.parse(stream.read(), display_name(path))

    @classmethod
    def parse(cls, data: bytes, name: str = "M2") -> Blocks:
        """All blocks of what an M2 file holds, UTF-8; ``name`` stands for the file in errors: see :func:`read`."""
        columns, faults = BlockTable.parse(data, name, 1, True)
        if faults:
            raise _worded(faults[0], name)
        return cls(columns)

    @cached_property
    def table(self) -> BlockTable:
        """The columns of these blocks and no others."""
        places = self._places
        whole = len(places) == len(self._columns)
        return self._columns if whole else self._columns.slice(places.start, places.stop)

    @property
    def source(self) -> Text:
        """The sentences."""
        return self._columns.source[self._places.start : self._places.stop]

    @cached_property
    def edits(self) -> Edits:
        """All edits, noops included. A block's versions are its annotators, in the order of their first lines; the
        edits of a version stand in file order. A block without any ``A`` line has the version 0, without edits."""
        return self.table.edits

    @cached_property
    def present(self) -> NDArray[np.bool_] | None:
        """``present[s, a]``: sentence s has an annotator in place a. None if all have the same number."""
        import numpy as np

        annotators = np.diff(self.edits.versions)
        most = annotators.max(initial=0)
        return None if (annotators == most).all() else np.arange(most) < annotators[:, np.newaxis]

    def check_one_annotator(self, name: str) -> None:
        """Raise InputError that names the first block with several annotators: a system, ``name``, has one."""
        import numpy as np

        several = np.flatnonzero(np.diff(self.edits.versions) > 1)
        if several.size:
            s = int(several[0])
            block = self[s]
            who = block.annotators
            listed = ", ".join(map(str, who))
            raise block.error(
                f"system {name}, sentence {s + 1}: a system's M2 has one annotator, here are {len(who)}: {listed}",
                hint="geceval m2 apply --annotator ID makes text of one; or split the file by annotator",
            )

    def corrected(self, annotator: int, missing: Missing = "fallback") -> Text:
        """The sentences as an annotator corrects them; ``missing`` and errors: see :func:`references`."""
        choice("missing", missing, get_args(Missing))
        annotator = whole("annotator", annotator, _ANNOTATORS)
        made = self.table.corrected(annotator, missing == "fallback")
        return made if isinstance(made, Text) else self._stuck(made, annotator)

    def version(self, place: int) -> Text:
        """The sentences as the annotator in that place of each block corrects them; None where there are fewer.

        Raises InputError as :func:`apply` does.
        """
        made = self.table.version(place)
        return made if isinstance(made, Text) else self._stuck(made, self[made].annotators[place])

    def _stuck(self, at: int, annotator: int) -> Text:
        block = self[at]
        ordered(block, annotator if annotator in block.annotators else block.annotators[0])
        raise AssertionError("edits that can be made")

    def fitting(self, misfits: Misfits = "error") -> Blocks:
        """See :func:`fitting`."""
        choice("misfits", misfits, get_args(Misfits))
        first = self.table.first_misfit()
        if first is None:
            return self
        if misfits == "error":
            block = self[first]
            raise next(_misfits(block, block.edits, "; so does misfits=drop"))
        return Blocks(self.table.without_misfits())

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Block: ...
    @overload
    def __getitem__(self, at: slice) -> Blocks: ...
    def __getitem__(self, at: int | slice) -> Block | Blocks:
        if isinstance(at, slice):
            places = self._places[at]
            if places.step == 1:
                return Blocks(self._columns, places)
            return Blocks.of([self._block(place) for place in places])
        return self._block(self._places[at])

    def __iter__(self) -> Iterator[Block]:
        return map(self._block, self._places)

    def _block(self, place: int) -> Block:
        source, rows, notes, ended, path, line = self._columns.block(place)
        edits = tuple(
            Edit(start, end, type_, tuple(text.split("||")), required, comment, annotator, read_in)
            for start, end, type_, text, required, comment, annotator, read_in in rows
        )
        return Block(source, edits, tuple(notes), ended, path, line)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(Block.__eq__, self, other))

    def __repr__(self) -> str:
        return f"<Blocks of {len(self)} sentences>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks.of, (list(self),)


def _check_columns(s: int, block: Block) -> None:
    """Raise InputError if the block holds what the kernel cannot take."""
    try:
        f"{block}{block.path}".encode()
    except UnicodeEncodeError as error:
        what = f"lone surrogate U+{ord(error.object[error.start]):04X} is not text"
        raise block.error(f"sentence {s + 1}: {what}") from None
    if not 0 <= (block.line or 0) < 2**63:
        raise UsageError(f"sentence {s + 1}: no block is in line {shown(block.line)}")
    for edit in block.edits:
        if not 0 <= (edit.line or 0) < 2**63:
            raise UsageError(f"sentence {s + 1}: no edit is in line {shown(edit.line)}")
        if max(abs(edit.start), abs(edit.end), abs(edit.annotator)) >= 2**31:
            raise block.error(f"sentence {s + 1}: a number of the edit is too large: {edit}", line=edit.line)


# ---- reading and checking ----

#: Bytes read at a time; a piece ends where a block does.
PIECE = 1 << 20
#: Blocks turned into columns at a time.
BATCH = 1024

#: Line, blocks before its block, kind, two numbers and the text the message needs: see kernel/src/edits/m2/parse.rs.
_Fault: TypeAlias = tuple[int, int, str, int, int, str]
_FIELDS = "A start end|||type|||correction|||required|||comment|||annotator"


def _worded(fault: _Fault, path: str) -> InputError:
    line, _, kind, first, second, text = fault
    hint = None
    match kind:
        case "not utf-8":
            message = f"not UTF-8: byte 0x{first:02x} at offset {second} of the line"
        case "nul":
            message = f"NUL byte at offset {first} of the line"
        case "no source":
            message = f"expected a line that starts with 'S ', found {_shown(text)}"
        case "no edit":
            message = f"expected a line that starts with 'A ', found {_shown(text)}"
        case "fields":
            message, hint = f"expected 6 fields, found {first}: {_shown(text)}", _FIELDS
        case "span":
            message, hint = f"expected 'A start end' with whole numbers, found {_shown(text)}", _FIELDS
        case _:
            message, hint = f"the annotator must be a whole number, found {_shown(text)}", _FIELDS
    return InputError(message, path=path, line=line, hint=hint)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def read(path: PathLike) -> Iterator[Block]:
    """Stream the blocks of an M2 file: plain, .gz, .bz2 or .xz (told by content), ``-`` for standard input.

    Memory: a piece of the file, and one block. Several ``S`` lines without an empty line between them make several
    blocks, each with the edits that fit it, as in the official scorer. Offsets are not judged here: see
    :func:`fitting`.

    Raises InputError with file and line at the first malformed line; :func:`check` lists all faults.
    """
    for blocks, faults in _parsed(path):
        if faults:
            yield from blocks[: faults[0][1]]
            raise _worded(faults[0], display_name(path))
        yield from blocks


def _parsed(path: PathLike) -> Iterator[tuple[Blocks, list[_Fault]]]:
    """Piece by piece the blocks of a file, and the faults the kernel found."""
    line = 1
    with open_bytes(path) as stream:
        for piece, last in _pieces(stream):
            columns, faults = BlockTable.parse(piece, display_name(path), line, last)
            line += piece.count(b"\n")
            yield Blocks(columns), faults


def _pieces(stream: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """A file in pieces that end behind an empty line, and whether each is the last."""
    held = bytearray()
    while data := stream.read(PIECE):
        seen = max(len(held) - 2, 0)
        held += data
        ends = [at + len(end) for end in (b"\n\n", b"\n\r\n") if (at := held.rfind(end, seen)) >= 0]
        if ends:
            yield bytes(held[: max(ends)]), False
            del held[: max(ends)]
    yield bytes(held), True


def fitting(blocks: Iterable[Block], misfits: Misfits = "error") -> Iterator[Block]:
    """The blocks, once the offsets of their edits have been held against the sentence.

    ``error`` raises InputError at the first edit that lies outside the sentence or ends before it starts.
    ``drop`` does what the official scorer does: edits outside the sentence go (their annotator stays, if need be
    with a noop); one that ends before it starts stays, counts as gold and never matches.
    """
    choice("misfits", misfits, get_args(Misfits))
    for batch in _batches(blocks):
        if misfits == "error":
            yield from batch[: batch.table.first_misfit()]  # those before the one that stops it
            batch.fitting(misfits)
        else:
            yield from batch.fitting(misfits)


def _batches(blocks: Iterable[Block]) -> Iterator[Blocks]:
    """The blocks in columns, some at a time."""
    if isinstance(blocks, Blocks):
        yield blocks
        return
    blocks = iter(_gone_through(blocks))
    while batch := Blocks.of(itertools.islice(blocks, BATCH)):
        yield batch


def _gone_through(blocks: Iterable[Block]) -> Iterable[Block]:
    """Blocks to be taken one by one, also from a generator."""
    return blocks if isinstance(blocks, Iterator) else cast("Iterable[Block]", listed("blocks", blocks, "m2.Block"))


def check(path: PathLike) -> list[InputError]:
    """Every fault of an M2 file in line order, empty if it is sound.

    Malformed lines, a second ``S`` line in a block, offsets that do not fit the sentence, and for each
    annotator of a block duplicates, overlapping edits and a noop beside edits.
    """
    found: list[InputError] = []
    before: Block | None = None
    for blocks, faults in _parsed(path):
        found.extend(_worded(fault, display_name(path)) for fault in faults)
        for block in blocks:
            if before is not None and not before.ended:
                found.append(block.error("a second S line in one block", hint="an empty line ends a block"))
            found.extend(_misfits(block, block.edits))
            for annotator in block.annotators:
                found.extend(_clashes(block, annotator))
            before = block
    return sorted(found, key=lambda error: error.line or 0)


def _misfits(block: Block, edits: Iterable[Edit], remedy: str = "") -> Iterator[InputError]:
    """The fault of every one of the block's edits whose offsets make no sense in the sentence; what the hint adds."""
    length = len(block.tokens)
    for edit in edits:
        message = _misfit(edit, length)
        if message:
            hint = f"{edit}\n  the official scorer drops edits outside the sentence without a word{remedy}"
            yield block.error(message, line=edit.line, hint=hint)


def _misfit(edit: Edit, length: int) -> str | None:
    if edit.is_noop:
        return None
    if edit.start < 0 or edit.end < 0:
        return f"negative offsets {edit.start} {edit.end} (only a noop has -1 -1)"
    if edit.end > length or edit.start > length:
        return f"the edit spans {edit.start} to {edit.end} but the sentence has {length} tokens"
    if edit.end < edit.start:
        return f"the edit ends at token {edit.end}, before it starts at {edit.start}"
    return None


def _clashes(block: Block, annotator: int) -> Iterator[InputError]:
    """Faults of one annotator's edits taken together."""
    edits = block.edits_of(annotator)
    noops = [edit for edit in block.edits if edit.annotator == annotator and edit.is_noop]
    if edits and noops:
        yield block.error(f"annotator {annotator} has a noop beside edits", line=noops[0].line)
    first: dict[tuple[int, int, tuple[str, ...]], Edit] = {}
    for edit in edits:
        original = first.setdefault((edit.start, edit.end, edit.alternatives), edit)
        if original is not edit:
            yield block.error(f"duplicate: the same edit stands in line {original.line}", line=edit.line)
    for before, after in _overlaps(first.values()):
        yield block.error(_overlap_message(before, after), line=after.line)


def _overlaps(edits: Iterable[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Pairs of edits that cannot both be made; insertions at one point or at the border of a span can."""
    widest: Edit | None = None
    for edit in _in_order(edits):
        if widest is not None and edit.start < widest.end:
            yield widest, edit
        if widest is None or edit.end > widest.end:
            widest = edit


def _in_order(edits: Iterable[Edit]) -> list[Edit]:
    """By position, insertions first; equal spans stay in file order."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _overlap_message(before: Edit, after: Edit) -> str:
    where = f" of line {before.line}" if before.line else ""
    return (
        f"annotator {after.annotator}: the edit {after.start} {after.end} overlaps {before.start} {before.end}{where}"
    )


# ---- writing and transforming ----


def write(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as M2 to a text stream; a well-formed file that was read comes out byte for byte."""
    if not hasattr(out, "write"):
        raise UsageError(f"blocks are written to an open text file, not to {shown(out)}")
    last: Block | None = None
    for s, block in enumerate(_gone_through(blocks)):
        if not isinstance(block, Block):
            raise UsageError(f"block {s} (counted from 0) is no m2.Block: {shown(block)}")
        try:
            out.write(str(block) if last is None else f"\n{block}")
        except UnicodeEncodeError:
            _check_columns(s, block)
            raise
        last = block
    if last is not None and last.ended:
        out.write("\n")


def ordered(block: Block, annotator: int) -> list[Edit]:
    """The annotator's edits as they follow each other in the sentence; edits of equal span stay in file order.

    Raises InputError if two edits overlap or one does not fit the sentence.
    """
    edits = block.edits_of(annotator)
    if not edits:
        return []
    for fault in _misfits(block, edits):
        raise fault
    for before, after in _overlaps(edits):
        raise block.error(_overlap_message(before, after), line=after.line)
    return _in_order(edits)


def apply(block: Block, annotator: int) -> str:
    """The sentence after the annotator's edits (first alternatives), tokens joined by one blank.

    Edits may stand in any order; several insertions at one point are made in file order, before an edit that
    starts there. Raises InputError if two edits overlap or one does not fit the sentence.
    """
    [text] = Blocks.of([block]).corrected(annotator, "plain")
    return str(text)


def annotators(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Everyone who has a line somewhere, ascending; (0,) if there is no ``A`` line at all."""
    return tuple(sorted({who for batch in _batches(blocks) for who in batch.table.annotators})) or (0,)


def references(blocks: Iterable[Block], missing: Missing = "fallback") -> list[Text]:
    """The corrected texts, ``references[r][s]``: annotator ``r`` (ascending ids), sentence ``s``.

    An annotator with no line in a block takes the correction of the block's first annotator (``fallback``:
    gives the published GLEU and GREEN numbers on CoNLL-2014) or leaves the source as it is (``plain``).
    Raises InputError as :func:`apply` does.
    """
    blocks = Blocks.of(blocks)
    return [blocks.corrected(who, missing) for who in annotators(blocks)]


def vote(files: Sequence[Iterable[Block]], least: int) -> Iterator[Block]:
    """One block per sentence with the edits (spans and first alternatives) that at least so many of the files have.

    Of edits that overlap, or that correct the same span or point in two ways (unless a file has both), the one of more
    files stays, then the one of an earlier file, then the one that comes first. Types are those of the first file that
    has the edit. Streams; raises InputError if the files differ in length or in the tokens of a sentence, or if a block
    has several annotators.
    """
    for blocks in _rows(files):
        votes: dict[tuple[int, int, str], dict[int, Edit]] = {}
        for voter, block in enumerate(blocks):
            _check_tokens(block, blocks[0])
            if len(block.annotators) > 1:
                raise block.error(f"one annotator is expected in a file that votes, here are {len(block.annotators)}")
            for edit in ordered(block, block.annotators[0]):
                key = edit.start, edit.end, " ".join(edit.correction.split())
                votes.setdefault(key, {}).setdefault(voter, edit)
        kept: list[dict[int, Edit]] = []
        for own in sorted(votes.values(), key=len, reverse=True):
            if len(own) >= least and not any(_exclude_each_other(own, other) for other in kept):
                kept.append(own)
        edits = [next(iter(own.values())) for own in kept]
        made = [replace(edit, corrections=(edit.corrections[0],), annotator=0) for edit in _in_order(edits)]
        yield replace(blocks[0], edits=tuple(made) or (noop(0),), notes=(), ended=True)


def _exclude_each_other(own: dict[int, Edit], other: dict[int, Edit]) -> bool:
    """Whether two edits, by those who have them, overlap or are of the same span or point, and nobody has both."""
    one, two = next(iter(own.values())), next(iter(other.values()))
    same = (one.start, one.end) == (two.start, two.end)
    return (same or (one.start < two.end and two.start < one.end)) and own.keys().isdisjoint(other)


def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """One block per sentence with everybody's edits; ``ids[f]`` are the :func:`annotators` of file ``f``.

    Annotators are numbered anew: those of the first file, then those of the second, and so on. One who has no
    line in a block gets a noop, so that "no change" counts as an opinion. Streams; raises InputError if the
    files differ in length or in the tokens of a sentence.
    """
    files = [_gone_through(blocks) for blocks in listed("files", files, "file")]
    ids = [listed("ids", own, "number") for own in listed("ids", ids, "row of number")]
    if len(ids) != len(files):
        raise UsageError(f"{len(files)} files, annotators of {len(ids)}")
    fresh = itertools.count()
    numbers = [{annotator: next(fresh) for annotator in own} for own in ids]
    for blocks in _rows(files):
        yield _merged(blocks, numbers)


def _rows(files: Sequence[Iterable[Block]]) -> Iterator[list[Block]]:
    """Sentence by sentence the blocks of all files. Raises InputError if one ends before the others."""
    absent = object()
    for row in itertools.zip_longest(*files, fillvalue=absent):
        blocks = [block for block in row if isinstance(block, Block)]
        if len(blocks) < len(row):
            short = ", ".join(str(f + 1) for f, block in enumerate(row) if block is absent)
            raise blocks[0].error(f"the files differ in length: no such sentence in file {short}")
        yield blocks


def _check_tokens(block: Block, first: Block) -> None:
    if block.tokens != first.tokens:
        hint = f"{block.source}\n  {first.source}"
        raise block.error(f"not the same sentence as {first.path}:{first.line}", hint=hint)


def _merged(blocks: Sequence[Block], numbers: Sequence[dict[int, int]]) -> Block:
    first = blocks[0]
    edits: list[Edit] = []
    for block, new in zip(blocks, numbers, strict=True):
        _check_tokens(block, first)
        for annotator, number in new.items():
            mine = [edit for edit in block.edits if edit.annotator == annotator]
            edits += [replace(edit, annotator=number) for edit in mine or [noop(number)]]
    notes = tuple(note for block in blocks for note in block.notes)
    return replace(first, edits=tuple(edits), notes=notes, ended=True)
