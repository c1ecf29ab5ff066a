"""Read, check and write M2 files."""

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

#: Number of bytes read at a time; a piece ends at the end of a block.
PIECE = 1 << 20


def read(path: PathLike) -> Iterator[Block]:
    """Yield the blocks of an M2 file.

    Memory holds a piece of the file and one block. Offsets are not checked, see :func:`fitting`.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.

    Yields:
        Blocks in file order.

    Raises:
        InputError: for the first malformed line (names file and line); :func:`check` lists all faults.
    """
    for blocks in read_pieces(path):
        yield from blocks


def read_pieces(path: PathLike) -> Iterator[Blocks]:
    """Yield the blocks of a file as :func:`read` does, in columns, a piece at a time."""
    for blocks, faults in parse_pieces(path):
        if faults:
            yield blocks[: faults[0][1]]
            raise fault_error(faults[0], display_name(path))
        yield blocks


def parse_pieces(path: PathLike) -> Iterator[tuple[Blocks, list[Fault]]]:
    """Yield blocks and the faults that the kernel found, a piece at a time."""
    line = 1
    with open_bytes(path) as stream:
        for piece, last in _pieces(stream):
            columns, faults = BlockTable.parse(piece, display_name(path), line, last)
            line += piece.count(b"\n")
            yield Blocks(columns), faults


def _pieces(stream: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield a file in pieces that end with an empty line, and whether it is the last."""
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
    """Return all faults of an M2 file in line order.

    Faults are malformed lines, a second ``S`` line in a block, and offsets that do not fit the sentence; for each
    annotator of a block duplicates, overlapping edits, edits out of order and a noop with edits; in ChERRANT's dialect
    the same for each alignment, and ``T`` lines that differ from the result of their edits.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.

    Returns:
        The faults; empty for a valid file.
    """
    return checked(path).faults


@dataclass(frozen=True)
class Checked:
    """The result of :func:`checked`: faults in line order, and the file's size."""

    faults: list[InputError]
    sentences: int
    edits: int
    annotators: tuple[int, ...]


def checked(path: PathLike) -> Checked:
    """Check an M2 file and return its faults and its size.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.

    Returns:
        The faults that :func:`check` returns, the numbers of sentences and of edits without noops, and the annotators.
    """
    from geceval.text.m2.edit_columns import EditColumns

    found: list[InputError] = []
    sentences = edits = 0
    annotators: set[int] = set()
    for blocks, faults in parse_pieces(path):
        found.extend(fault_error(fault, display_name(path)) for fault in faults)
        columns = EditColumns(blocks.edits)
        for block in map(blocks.__getitem__, columns.suspects(blocks.table.lengths())):
            found.extend(misfits_of(block, block.edits))
            answers = dict.fromkeys((edit.annotator, edit.alignment) for edit in block.edits)
            found.extend(fault for answer in answers for fault in clashes(block, *answer))
        for block in blocks if blocks.is_cherrant else ():
            found.extend(fault for target in block.targets for fault in check_target(block, target))
        sentences += len(blocks)
        edits += int(columns.is_edit.sum())
        annotators.update(blocks.table.annotators)
    once = {(error.line, error.message): error for error in found}.values()
    in_order = sorted(once, key=lambda error: error.line or 0)
    return Checked(in_order, sentences, edits, tuple(sorted(annotators)))


def write(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as M2; a valid file that was read is written byte for byte.

    Args:
        blocks: the blocks.
        out: a text stream.

    Raises:
        UsageError: if ``out`` is not a text stream or a value is not a block.
        InputError: for text that UTF-8 cannot encode.
    """
    if isinstance(blocks, Blocks) and hasattr(out, "write"):
        write_pieces([blocks], out)
        return
    last = write_as(blocks, out, lambda s, block: f"\n{block}" if s else str(block))
    if last is not None and last.ended:
        out.write("\n")


def write_as(blocks: Iterable[Block], out: TextIO, text: Callable[[int, Block], str]) -> Block | None:
    """Write ``text(s, block)`` for each block and return the last block.

    Raises UsageError for other objects than streams and blocks, and InputError for text that UTF-8 cannot encode.
    """
    if not hasattr(out, "write"):
        raise UsageError(f"blocks are written to an open text file, not to {shown(out)}")
    last: Block | None = None
    for s, block in enumerate(iterate_blocks(blocks)):
        if not isinstance(block, Block):
            raise UsageError(f"block {s} (counted from 0) is not an m2.Block: {shown(block)}")
        try:
            out.write(text(s, block))
        except UnicodeEncodeError:
            check_columns(s, block)
            raise
        last = block
    return last


def write_pieces(blocks: Iterable[Blocks], out: TextIO) -> None:
    """Write blocks in columns, a piece at a time, as :func:`write` does."""
    between = ""
    for piece in blocks:
        if piece:
            out.write(between)
            out.write(piece.table.written())
            between = "\n" if piece.table.unended[-1:] == [len(piece) - 1] else ""


def is_preserved(block: Block) -> bool:
    """Return whether the block is the same after it is written and read.

    Line ends in fields would change it.
    """
    try:
        return list(Blocks.parse(f"{block}\n".encode())) == [block]
    except (InputError, UnicodeEncodeError):
        return False
