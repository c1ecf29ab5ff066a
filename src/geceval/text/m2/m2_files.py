"""Read, check and write M2 files, and write their edits as rows of CSV and TSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import IO, Any, TextIO

from geceval._kernel import BlockTable
from geceval.base.arguments import shown
from geceval.base.errors import InputError, UsageError, short_traceback
from geceval.base.hints import Hint, Option
from geceval.base.output_files import write_cells
from geceval.text.files import PathLike, display_name, open_bytes
from geceval.text.m2.blank_tokens import blank_token_faults
from geceval.text.m2.blocks import (
    Blocks,
    check_blocks,
    clashes,
    corrected_sentence,
    fault_error,
    first_fault_error,
    misfits_of,
    portions_of,
    streamed,
    table_of,
    unreadable,
)
from geceval.text.m2.doubtful_edits import HEAD, doubtful_edits
from geceval.text.m2.edit import Block, EditColumns, Target
from geceval.text.m2.headings import Headings, unedited

#: Number of bytes read at a time; a piece ends at the end of a block.
PIECE = 1 << 20
#: Columns of rows of edits; tokens are counted from 0, and ``end`` is the number of the token after the edit.
HEADS = ("sentence", "start", "end", "original", "correction", "type", "annotator")


@streamed
@short_traceback
def read(path: PathLike) -> Iterator[Blocks]:
    """Yield the blocks of an M2 file.

    Memory holds a piece of the file and one block. Offsets are not checked, see :func:`fitting`.

    Args:
        path: The file, plain or compressed; ``-`` is standard input.

    Yields:
        Blocks in file order.

    Raises:
        InputError: For the first malformed line (names file and line); :func:`check` lists all faults.
    """
    for blocks, faults in parse_portions(path):
        if stopping := unreadable(faults):
            yield blocks[: stopping[0]["blocks"]]
            raise first_fault_error(stopping[0], display_name(path))
        yield blocks


def parse_portions(path: PathLike) -> Iterator[tuple[Blocks, Sequence[Mapping[str, Any]]]]:
    """Yield blocks and the faults that the kernel found, a portion at a time."""
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


@dataclass(frozen=True)
class Checked:
    """The result of :func:`check`: faults in line order, and the file's size.

    The number of edits excludes noops.
    """

    faults: list[InputError]
    sentences: int
    edits: int
    annotators: tuple[int, ...]


@short_traceback
def check(path: PathLike) -> Checked:
    """Check an M2 file and return its faults and its size.

    Faults are malformed lines, also with more than six fields or a bar next to a separator, a second ``S`` line in a
    block, headings of documents, blanks that ERRANT counts as tokens, edits next to the token that they correct,
    missing values as corrections, and offsets that do not fit the sentence; for each annotator of a block duplicates,
    overlapping edits, edits out of order and a noop with edits; in ChERRANT's dialect the same for each alignment, and
    ``T`` lines that differ from the result of their edits.

    Args:
        path: The file, plain or compressed; ``-`` is standard input.

    Returns:
        The faults (none for a valid file), the numbers of sentences and edits, and the annotators.

    Raises:
        InputError: If the content has another form.
    """
    faults: list[InputError] = []
    return replace(check_each(path, faults.extend), faults=faults)


def check_each(path: PathLike, report: Callable[[Sequence[InputError]], object]) -> Checked:
    """Call ``report`` with the faults of each portion of a file; return its size as :func:`check`, without faults."""
    sentences = edits = 0
    annotators: set[int] = set()
    headings, identifiers = Headings(), dict[int, Block]()
    head: list[Block] = []
    for blocks, parse_faults in parse_portions(path):
        if parse_faults and not sentences:
            error = first_fault_error(parse_faults[0], display_name(path))
            if error.line is None:
                raise error
        faults = [fault_error(fault, display_name(path)) for fault in parse_faults]
        columns = EditColumns(blocks.edits)
        for block in map(blocks.__getitem__, columns.suspects(blocks.table.lengths())):
            faults.extend(misfits_of(block, block.edits))
            answers = dict.fromkeys((edit.annotator, edit.alignment) for edit in block.edits)
            faults.extend(fault for answer in answers for fault in clashes(block, *answer))
        if blocks.is_cherrant:
            for block in blocks:
                faults.extend(fault for target in block.targets for fault in _check_target(block, target))
        places = headings.add(blocks.source, unedited(blocks))
        faults.extend(_heading_fault(blocks[place]) for place in places)
        faults.extend(blank_token_faults(blocks))
        members = headings.members
        identifiers |= {place: blocks[place - sentences] for place in members if place >= sentences}
        head.extend(blocks[: HEAD - len(head)])
        sentences += len(blocks)
        edits += int(columns.is_edit.sum())
        annotators.update(blocks.annotators)
        distinct = {(error.line, error.message): error for error in faults}.values()
        report(sorted(distinct, key=lambda error: error.line or 0))
    report([_heading_fault(identifiers[place]) for place in headings.series()])
    doubts = doubtful_edits(Blocks.of(head, dialect=None))
    report([InputError(message, path=display_name(path), hint=hint) for message, hint in doubts])
    return Checked([], sentences, edits, tuple(sorted(annotators)))


def _heading_fault(block: Block) -> InputError:
    hint = Hint(
        Option("misfits", "drop"), " leaves it out; geceval m2 filter FILE --misfits drop writes a file without it"
    )
    return block.error(f"a heading, not a sentence: {block.source!r} counts as a correct one", hint=hint)


def _check_target(block: Block, target: Target) -> Iterator[InputError]:
    """Yield the fault of a ``T`` line that differs from the result of its edits."""
    if target.alignment is None:
        return
    try:
        text = corrected_sentence(block, target.annotator, target.alignment)
    except InputError:
        return  # a fault of its edits, reported elsewhere
    if "".join(text.split()) != "".join(target.text.split()):  # words may be split differently
        yield block.error(f"T{target.annotator}-A{target.alignment} differs from the result of its edits: {text}")


@short_traceback
def write(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as M2; a valid file that was read is written byte for byte, with single spaces in corrections.

    Args:
        blocks: The blocks.
        out: A text stream.

    Raises:
        UsageError: If ``out`` is not a text stream.
        InputError: For values that are not blocks, and text that M2 cannot contain (see check_preserved).
    """
    separator = ""
    check_stream(out)
    for portion in portions_of(blocks):
        if portion:
            altered = portion.table.first_altered()
            if altered is not None:
                check_preserved(portion[altered])
            text = portion.table.written()
            out.write(separator + text)
            separator = "" if text.endswith("\n\n") else "\n"  # an empty line follows most blocks


def write_edit_rows(blocks: Iterable[Block], out: TextIO, delimiter: str = ",") -> None:
    """Write a row for each edit; sentences without edits have none."""
    check_stream(out)
    write_cells(out, chain([HEADS], _edit_rows(blocks)), delimiter)


def _edit_rows(blocks: Iterable[Block]) -> Iterator[Sequence[object]]:
    for number, block in enumerate(check_blocks(blocks), 1):
        for edit in block.edits:
            if not edit.is_noop:
                original = " ".join(block.tokens[edit.start : edit.end])
                correction = "||".join(edit.alternatives)
                yield number, edit.start, edit.end, original, correction, edit.type, edit.annotator


def check_stream(out: TextIO) -> None:
    """Raise UsageError for another object than a stream."""
    if not hasattr(out, "write"):
        raise UsageError(f"blocks must be written to an open text file, not to {shown(out)}")


def check_preserved(block: Block) -> None:
    """Raise InputError unless the block is the same after it is written and read.

    Line ends and bars in fields would change it.
    """
    if table_of([block]).first_altered() is not None:
        message = "not valid in M2: reading it again would give another sentence"
        raise block.error(
            message,
            hint=f"replace line ends, bars next to ||| and numbers of more than 9 digits in {str(block).strip()}",
        )
