"""Messages for faults of lines and edits of M2 files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from geceval._kernel import KernelError
from geceval.base.data_files import table_rows
from geceval.base.errors import InputError, input_error
from geceval.text.m2.edit import Block, Edit


def fault_error(fault: Mapping[str, Any], path: str) -> InputError:
    """Return the error for a faulty line, see BlockTable.parse."""
    rows = table_rows(Path(__file__).with_suffix(".tsv"))
    [(message, *hints)] = (columns for kind, *columns in rows if kind == fault["kind"])
    text = fault["text"]
    text = repr(text if len(text) <= 60 else text[:57] + "...")
    message = message.format(first=fault["first"], second=fault["second"], text=text)
    return InputError(message, path=path, line=fault["line"], hint=next(iter(hints), None))


def misfits_of(block: Block, edits: Iterable[Edit], remedy: str = "") -> Iterator[InputError]:
    """Yield the fault of every edit whose offsets do not fit the sentence.

    ``remedy`` is added to the hint.
    """
    length = len(block.tokens)
    for edit in edits:
        if edit.is_noop or 0 <= edit.start <= edit.end <= length:
            continue
        if edit.start < 0 or edit.end < 0:
            message = f"negative offsets {edit.start} {edit.end} (only a noop has -1 -1)"
        elif max(edit.start, edit.end) > length:
            message = f"the edit spans {edit.start} to {edit.end} but the sentence has {length} tokens"
        else:
            message = f"the edit ends at token {edit.end}, before it starts at {edit.start}"
        hint = f"{edit}\n  the official scorer silently drops edits outside the sentence{remedy}"
        yield block.error(message, line=edit.line, hint=hint)


def clashes(block: Block, annotator: int, alignment: int) -> Iterator[InputError]:
    """Yield the faults of one annotator's edits that concern several edits.

    Only one alignment is considered.
    """
    edits = block.edits_of(annotator, alignment)
    noops = [edit for edit in block.edits if edit.annotator == annotator and edit.is_noop]
    if edits and noops:
        yield block.error(f"annotator {annotator} has a noop and edits", line=noops[0].line)
    yield from repeats_and_overlaps(block, edits)
    length = len(block.tokens)
    fitting = [edit for edit in _distinct(edits).values() if 0 <= edit.start <= edit.end <= length]
    for earlier, later in pairwise(fitting):
        if (later.start, later.end) < (earlier.start, earlier.end):
            spans = f"{later.start} {later.end} follows {earlier.start} {earlier.end}"
            yield block.error(f"annotator {annotator}: edits out of order: {spans}", line=later.line)


def _distinct(edits: Iterable[Edit]) -> dict[tuple[int, int, tuple[str, ...]], Edit]:
    """Return the first of equal edits, by span and alternatives."""
    distinct: dict[tuple[int, int, tuple[str, ...]], Edit] = {}
    for edit in edits:
        distinct.setdefault((edit.start, edit.end, edit.alternatives), edit)
    return distinct


def repeats_and_overlaps(block: Block, edits: Sequence[Edit]) -> Iterator[InputError]:
    """Yield the faults of edits that are there twice, then of edits that overlap."""
    distinct = _distinct(edits)
    for edit in edits:
        original = distinct[edit.start, edit.end, edit.alternatives]
        if original is not edit:
            where = f" is in line {original.line}" if original.line else f" is there twice: {edit}"
            yield block.error(f"duplicate: the same edit{where}", line=edit.line)
    yield from _overlaps(block, distinct.values())


def _overlaps(block: Block, edits: Iterable[Edit]) -> Iterator[InputError]:
    """Yield the faults of edits that overlap.

    Insertions at one point or at the border of a span do not.
    """
    widest: Edit | None = None
    for edit in sort_edits(edits):
        if widest is not None and edit.start < widest.end:
            where = f" of line {widest.line}" if widest.line else ""
            one, other = (f"{own.start} {own.end}" for own in (edit, widest))
            message = f"annotator {edit.annotator}: the edit {one} overlaps {other}{where}"
            yield block.error(message, line=edit.line)
        if widest is None or edit.end > widest.end:
            widest = edit


def sort_edits(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits by position, insertions first; equal spans stay in file order."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def ordered(block: Block, annotator: int, alignment: int = 0) -> list[Edit]:
    """Return the annotator's edits by position.

    Edits of equal span stay in file order.

    Args:
        block: the sentence.
        annotator: number of the annotator.
        alignment: the alignment of the answer (ChERRANT).

    Returns:
        A list of edits without noops.

    Raises:
        InputError: if two edits overlap or one does not fit the sentence.
    """
    edits = block.edits_of(annotator, alignment)
    for fault in (*misfits_of(block, edits), *_overlaps(block, edits)):
        raise fault
    return sort_edits(edits)


@contextmanager
def explain_faults(blocks: Sequence[Block] | None, alignment: int = 0) -> Iterator[None]:
    """Raise InputError for an edit that the kernel cannot make.

    M2 blocks give file and line.
    """
    try:
        yield
    except KernelError as error:
        if blocks is not None and error.sentence is not None and error.version is not None:
            block = blocks[error.sentence]
            ordered(block, block.annotators[error.version], alignment)
        raise input_error(error) from None
