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
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal, TextIO, TypeAlias

from geceval.errors import InputError
from geceval.text.files import PathLike, display_name, open_bytes

Missing = Literal["fallback", "plain"]
Misfits = Literal["error", "drop"]

DELETE = "-NONE-"
NOOP = "noop"


@dataclass(frozen=True, slots=True)
class Edit:
    """One ``A`` line: source tokens ``[start, end)`` become one of ``corrections``, as written in the file.

    ``start == end`` inserts before token ``start``. ``line`` (1-based) is where it was read, no part of
    equality.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...]
    required: str = "REQUIRED"
    comment: str = DELETE
    annotator: int = 0
    line: int | None = field(default=None, compare=False, repr=False)

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
    ``line`` (1-based, of the ``S`` line) say where it was read. The last three are no part of equality.
    """

    source: str
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = field(default=True, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)
    line: int | None = field(default=None, compare=False, repr=False)

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


def noop(annotator: int) -> Edit:
    """The line that makes ``annotator`` present in a block without changing anything."""
    return Edit(-1, -1, NOOP, (DELETE,), annotator=annotator)


# ---- reading and checking ----


def read(path: PathLike) -> Iterator[Block]:
    """Stream the blocks of an M2 file: plain, .gz, .bz2 or .xz (told by content), ``-`` for standard input.

    Memory: one block. Several ``S`` lines without an empty line between them make several blocks, each with
    the edits that fit it, as in the official scorer. Offsets are not judged here: see :func:`fitting`.

    Raises InputError with file and line at the first malformed line; :func:`check` lists all faults.
    """

    def stop(error: InputError) -> None:
        raise error

    return _parse(path, stop)


def fitting(blocks: Iterable[Block], misfits: Misfits = "error") -> Iterator[Block]:
    """The blocks, once the offsets of their edits have been held against the sentence.

    ``error`` raises InputError at the first edit that lies outside the sentence or ends before it starts.
    ``drop`` does what the official scorer does: edits outside the sentence go (their annotator stays, if need be
    with a noop); one that ends before it starts stays, counts as gold and never matches.
    """
    for block in blocks:
        faults = dict(_misfits(block, block.edits))
        if faults and misfits == "error":
            raise next(iter(faults.values()))
        length = len(block.tokens)
        inside = (place for place in faults if 0 <= block.edits[place].end < block.edits[place].start <= length)
        yield _without(block, faults.keys() - set(inside)) if faults else block


def _without(block: Block, places: Set[int]) -> Block:
    """The block without some of its edits; an annotator who loses all of them keeps a noop, where his first was."""
    present = {edit.annotator for place, edit in enumerate(block.edits) if place not in places}
    edits: list[Edit] = []
    for place, edit in enumerate(block.edits):
        if place not in places:
            edits.append(edit)
        elif edit.annotator not in present:
            edits.append(noop(edit.annotator))
            present.add(edit.annotator)
    return replace(block, edits=tuple(edits))


def check(path: PathLike) -> list[InputError]:
    """Every fault of an M2 file in line order, empty if it is sound.

    Malformed lines, a second ``S`` line in a block, offsets that do not fit the sentence, and for each
    annotator of a block duplicates, overlapping edits and a noop beside edits.
    """
    found: list[InputError] = []
    before: Block | None = None
    for block in _parse(path, found.append):
        if before is not None and not before.ended:
            found.append(block.error("a second S line in one block", hint="an empty line ends a block"))
        found.extend(fault for _, fault in _misfits(block, block.edits))
        for annotator in block.annotators:
            found.extend(_clashes(block, annotator))
        before = block
    return sorted(found, key=lambda error: error.line or 0)


def _misfits(block: Block, edits: Sequence[Edit]) -> Iterator[tuple[int, InputError]]:
    """(place, fault) of every one of the block's edits whose offsets make no sense in the sentence."""
    length = len(block.tokens) if edits else 0
    for place, edit in enumerate(edits):
        message = _misfit(edit, length)
        if message:
            hint = (
                f"{edit}\n  the official scorer drops edits outside the sentence without a word; so does misfits=drop"
            )
            yield place, block.error(message, line=edit.line, hint=hint)


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


_SPAN = re.compile(r"A +(-?[0-9]{1,9}) +(-?[0-9]{1,9}) *")
_ANNOTATOR = re.compile(r" *([0-9]{1,9}) *")
_FIELDS = "A start end|||type|||correction|||required|||comment|||annotator"

_Report: TypeAlias = Callable[[InputError], None]


def _parse(path: PathLike, report: _Report) -> Iterator[Block]:
    """Blocks of the file. ``report`` hears of every malformed line; if it returns, the line is skipped."""
    name = display_name(path)
    pending: list[tuple[int, str]] = []
    for number, text in _lines(path, name, report):
        if text.strip():
            pending.append((number, text))
        elif pending:
            yield from _blocks(pending, name, True, report)
            pending = []
    yield from _blocks(pending, name, False, report)


def _blocks(lines: list[tuple[int, str]], path: str, ended: bool, report: _Report) -> list[Block]:
    """The lines between two empty ones: a block for each ``S`` line, nearly always one; the last may be ``ended``."""
    sources: list[tuple[int, str]] = []
    edits: list[Edit] = []
    notes: list[str] = []
    for number, text in lines:
        try:
            if text == "S" or text.startswith("S "):
                sources.append((number, text[2:]))
            elif not sources:
                raise InputError(f"expected a line that starts with 'S ', found {_shown(text)}")
            elif text.startswith("A "):
                edits.append(_edit(text, number))
            elif text.startswith("I "):
                notes.append(text)
            else:
                raise InputError(f"expected a line that starts with 'A ', found {_shown(text)}")
        except InputError as error:
            report(InputError(error.message, path=path, line=number, hint=error.hint))
    last = len(sources) - 1
    blocks = [
        Block(text, tuple(edits), tuple(notes), ended and at == last, path, number)
        for at, (number, text) in enumerate(sources)
    ]
    return _shared(blocks) if len(blocks) > 1 else blocks


def _shared(blocks: Sequence[Block]) -> list[Block]:
    """Each sentence keeps the edits that fit it; one that fits none stays with all, to be reported."""
    misfits = [{place for place, _ in _misfits(block, block.edits)} for block in blocks]
    lost = set.intersection(*misfits)
    return [_without(block, places - lost) for block, places in zip(blocks, misfits, strict=True)]


def _edit(text: str, line: int) -> Edit:
    fields = text.split("|||")
    if len(fields) < 6:
        raise InputError(f"expected 6 fields, found {len(fields)}: {_shown(text)}", hint=_FIELDS)
    span, type_, correction, required, *comment, annotator = fields
    offsets = _SPAN.fullmatch(span)
    if not offsets:
        raise InputError(f"expected 'A start end' with whole numbers, found {_shown(span)}", hint=_FIELDS)
    who = _ANNOTATOR.fullmatch(annotator)
    if not who:
        raise InputError(f"the annotator must be a whole number, found {_shown(annotator)}", hint=_FIELDS)
    start, end = int(offsets[1]), int(offsets[2])
    corrections = tuple(correction.split("||"))
    return Edit(start, end, type_, corrections, required, "|||".join(comment), int(who[1]), line)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _lines(path: PathLike, name: str, report: _Report) -> Iterator[tuple[int, str]]:
    """(number, text) of every line. Only ``\\n`` and ``\\r\\n`` end a line; a byte order mark is removed."""
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, 1):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                message = f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line"
                report(InputError(message, path=name, line=number))
                text = raw.decode("utf-8", "replace")
            if "\0" in text:
                report(InputError(f"NUL byte at offset {raw.index(0)} of the line", path=name, line=number))
            text = text.removeprefix("\ufeff") if number == 1 else text
            yield number, text.removesuffix("\n").removesuffix("\r")


# ---- writing and transforming ----


def write(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as M2 to a text stream; a well-formed file that was read comes out byte for byte."""
    last: Block | None = None
    for block in blocks:
        if last is not None:
            out.write("\n")
        out.write(str(block))
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
    for _, fault in _misfits(block, edits):
        raise fault
    for before, after in _overlaps(edits):
        raise block.error(_overlap_message(before, after), line=after.line)
    return _in_order(edits)


def apply(block: Block, annotator: int) -> str:
    """The sentence after the annotator's edits (first alternatives), tokens joined by one blank.

    Edits may stand in any order; several insertions at one point are made in file order, before an edit that
    starts there. Raises InputError if two edits overlap or one does not fit the sentence.
    """
    tokens = block.tokens
    pieces: list[str] = []
    done = 0
    for edit in ordered(block, annotator):
        pieces += tokens[done : edit.start]
        pieces += edit.correction.split()
        done = edit.end
    return " ".join(pieces + tokens[done:])


def annotators(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Everyone who has a line somewhere, ascending; (0,) if there is no ``A`` line at all."""
    return tuple(sorted({edit.annotator for block in blocks for edit in block.edits})) or (0,)


def references(blocks: Iterable[Block], missing: Missing = "fallback") -> list[list[str]]:
    """The corrected texts, ``references[r][s]``: annotator ``r`` (ascending ids), sentence ``s``.

    An annotator with no line in a block takes the correction of the block's first annotator (``fallback``:
    gives the published GLEU and GREEN numbers on CoNLL-2014) or leaves the source as it is (``plain``).
    Raises InputError as :func:`apply` does.
    """
    blocks = list(blocks)
    return [[_reference(block, who, missing) for block in blocks] for who in annotators(blocks)]


def _reference(block: Block, annotator: int, missing: Missing) -> str:
    absent = annotator not in block.annotators
    return apply(block, block.annotators[0] if absent and missing == "fallback" else annotator)


def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """One block per sentence with everybody's edits; ``ids[f]`` are the :func:`annotators` of file ``f``.

    Annotators are numbered anew: those of the first file, then those of the second, and so on. One who has no
    line in a block gets a noop, so that "no change" counts as an opinion. Streams; raises InputError if the
    files differ in length or in the tokens of a sentence.
    """
    fresh = itertools.count()
    numbers = [{annotator: next(fresh) for annotator in own} for own in ids]
    absent = object()
    for row in itertools.zip_longest(*files, fillvalue=absent):
        blocks = [block for block in row if isinstance(block, Block)]
        if len(blocks) < len(row):
            short = ", ".join(str(f + 1) for f, block in enumerate(row) if block is absent)
            raise blocks[0].error(f"the files differ in length: no such sentence in file {short}")
        yield _merged(blocks, numbers)


def _merged(blocks: Sequence[Block], numbers: Sequence[dict[int, int]]) -> Block:
    first = blocks[0]
    edits: list[Edit] = []
    for block, new in zip(blocks, numbers, strict=True):
        if block.tokens != first.tokens:
            hint = f"{block.source}\n  {first.source}"
            raise block.error(f"not the same sentence as {first.path}:{first.line}", hint=hint)
        for annotator, number in new.items():
            mine = [edit for edit in block.edits if edit.annotator == annotator]
            edits += [replace(edit, annotator=number) for edit in mine or [noop(number)]]
    notes = tuple(note for block in blocks for note in block.notes)
    return replace(first, edits=tuple(edits), notes=notes, ended=True)
