"""Reading, checking and writing M2 files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TextIO

from geceval._kernel import BlockTable
from geceval.base.arguments import shown
from geceval.base.errors import InputError, UsageError
from geceval.text.files import PathLike, display_name, open_bytes
from geceval.text.m2.blocks import Blocks, check_columns, iterate_blocks
from geceval.text.m2.cherrant_dialect import check_target
from geceval.text.m2.edit import Block
from geceval.text.m2.faults import Fault, clashes, fault_error, misfits_of

#: Bytes read at a time; a piece ends where a block does.
PIECE = 1 << 20


def read(path: PathLike) -> Iterator[Block]:
    """Stream the blocks of an M2 file: plain, .gz, .bz2 or .xz (told by content), ``-`` for standard input.

    Memory: a piece of the file, and one block. Several ``S`` lines without an empty line between them make several
    blocks, each with the edits that fit it, as in the official scorer. Offsets are not judged here: see
    :func:`fitting`.

    Raises InputError with file and line at the first malformed line; :func:`check` lists all faults.
    """
    for blocks in pieces(path):
        yield from blocks


def pieces(path: PathLike) -> Iterator[Blocks]:
    """As :func:`read`, the blocks of a piece of the file at a time, in columns."""
    for blocks, faults in parsed(path):
        if faults:
            yield blocks[: faults[0][1]]
            raise fault_error(faults[0], display_name(path))
        yield blocks


def first(path: PathLike, number: int) -> Iterator[Blocks]:
    """The first blocks of a file, so many, a piece of it at a time; what follows is not read."""
    for blocks in pieces(path) if number else ():
        yield blocks[:number]
        number -= len(blocks)
        if number <= 0:
            return


def parsed(path: PathLike) -> Iterator[tuple[Blocks, list[Fault]]]:
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


def check(path: PathLike) -> list[InputError]:
    """Every fault of an M2 file in line order, empty if it is sound.

    Malformed lines, a second ``S`` line in a block, offsets that do not fit the sentence, and for each
    annotator of a block duplicates, overlapping edits and a noop beside edits; in ChERRANT's dialect that for each
    alignment, and ``T`` lines that are not what their edits make.
    """
    return checked(path).faults


@dataclass(frozen=True)
class Checked:
    """What :func:`checked` found in a file: its faults in line order, and how much of it could be read."""

    faults: list[InputError]
    sentences: int
    edits: int
    annotators: tuple[int, ...]


def checked(path: PathLike) -> Checked:
    """The faults of an M2 file, as :func:`check` lists them, and what was checked: sentences, edits without noops, and
    the numbers of the annotators."""
    from geceval.text.m2.edit_columns import EditColumns

    found: list[InputError] = []
    sentences = edits = 0
    annotators: set[int] = set()
    for blocks, faults in parsed(path):
        found.extend(fault_error(fault, display_name(path)) for fault in faults)
        second = {s + 1 for s in blocks.table.unended}
        columns = EditColumns(blocks.edits)
        for s in sorted({*columns.suspects(blocks.table.lengths()), *second} & {*range(len(blocks))}):
            if s in second:  # whose the edits are is not known
                found.append(blocks[s].error("a second S line in one block", hint="an empty line ends a block"))
            else:
                found.extend(misfits_of(blocks[s], blocks[s].edits))
                answers = dict.fromkeys((edit.annotator, edit.alignment) for edit in blocks[s].edits)
                found.extend(fault for answer in answers for fault in clashes(blocks[s], *answer))
        for s, block in enumerate(blocks) if blocks.is_cherrant else ():
            if s not in second:
                found.extend(fault for target in block.targets for fault in check_target(block, target))
        sentences += len(blocks)
        edits += int(columns.is_edit.sum())
        annotators.update(blocks.table.annotators)
    once = {(error.line, error.message): error for error in found}.values()
    in_order = sorted(once, key=lambda error: error.line or 0)
    return Checked(in_order, sentences, edits, tuple(sorted(annotators)))


def write(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as M2 to a text stream; a well-formed file that was read comes out byte for byte."""
    if isinstance(blocks, Blocks) and hasattr(out, "write"):
        write_pieces([blocks], out)
        return
    last = write_as(blocks, out, lambda s, block: f"\n{block}" if s else str(block))
    if last is not None and last.ended:
        out.write("\n")


def write_as(blocks: Iterable[Block], out: TextIO, text: Callable[[int, Block], str]) -> Block | None:
    """Write what ``text(s, block)`` makes of each block to a text stream; the last block. Raises UsageError for what is
    no stream and no block, and InputError for text that UTF-8 cannot encode."""
    if not hasattr(out, "write"):
        raise UsageError(f"blocks are written to an open text file, not to {shown(out)}")
    last: Block | None = None
    for s, block in enumerate(iterate_blocks(blocks)):
        if not isinstance(block, Block):
            raise UsageError(f"block {s} (counted from 0) is no m2.Block: {shown(block)}")
        try:
            out.write(text(s, block))
        except UnicodeEncodeError:
            check_columns(s, block)
            raise
        last = block
    return last


def write_pieces(blocks: Iterable[Blocks], out: TextIO) -> None:
    """As :func:`write`, of blocks in columns, some at a time."""
    between = ""
    for piece in blocks:
        if piece:
            out.write(between)
            out.write(piece.table.written())
            between = "\n" if piece.table.unended[-1:] == [len(piece) - 1] else ""


def survives(block: Block) -> bool:
    """Whether the block is the same after it was written and read: M2 has no line ends in its fields, for one."""
    try:
        return list(Blocks.parse(f"{block}\n".encode())) == [block]
    except (InputError, UnicodeEncodeError):
        return False
