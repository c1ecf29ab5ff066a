"""What is wrong with lines and edits of M2 files, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from geceval.base.errors import InputError
from geceval.text.m2.edit import Block, Edit

#: Line, blocks before its block, kind, two numbers and the text the message needs: see kernel/src/edits/m2/parse.rs.
Fault: TypeAlias = tuple[int, int, str, int, int, str]
_FIELDS = "A start end|||type|||correction|||required|||comment|||annotator"


#: Kind of fault -> the message, with the fault's numbers and text in it, and the hint.
_MESSAGES = {
    "not utf-8": ("not UTF-8: byte 0x{first:02x} at offset {second} of the line", None),
    "nul": ("NUL byte at offset {first} of the line", None),
    "no source": ("expected a line that starts with 'S ', found {text}", None),
    "no edit": ("expected a line that starts with 'A ', found {text}", None),
    "fields": ("expected 6 fields, found {first}: {text}", _FIELDS),
    "span": ("expected 'A start end' with whole numbers, found {text}", _FIELDS),
    "answer": ("the edit is not of answer {first}, whose T line stands above it: {text}", None),
    "twice": ("the block has a T line of this answer and alignment already: {text}", None),
    "early": (
        "the edit stands before the T lines of its block, which begin in line {first}",
        "an edit stands under the T line of its answer",
    ),
    "annotator": ("the annotator must be a whole number, found {text}", _FIELDS),
}


def fault_error(fault: Fault, path: str) -> InputError:
    """Return the error for a fault that the kernel found."""
    line, _, kind, first, second, text = fault
    message, hint = _MESSAGES[kind]
    text = repr(text if len(text) <= 60 else text[:57] + "...")
    return InputError(message.format(first=first, second=second, text=text), path=path, line=line, hint=hint)


def misfits_of(block: Block, edits: Iterable[Edit], remedy: str = "") -> Iterator[InputError]:
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


def clashes(block: Block, annotator: int, alignment: int) -> Iterator[InputError]:
    """Faults of one annotator's edits, of one alignment, taken together."""
    edits = block.edits_of(annotator, alignment)
    noops = [edit for edit in block.edits if edit.annotator == annotator and edit.is_noop]
    if edits and noops:
        yield block.error(f"annotator {annotator} has a noop beside edits", line=noops[0].line)
    first: dict[tuple[int, int, tuple[str, ...]], Edit] = {}
    for edit in edits:
        original = first.setdefault((edit.start, edit.end, edit.alternatives), edit)
        if original is not edit:
            yield block.error(f"duplicate: the same edit stands in line {original.line}", line=edit.line)
    for before, after in overlaps(first.values()):
        yield block.error(overlap_message(before, after), line=after.line)


def overlaps(edits: Iterable[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Pairs of edits that cannot both be made; insertions at one point or at the border of a span can."""
    widest: Edit | None = None
    for edit in sort_edits(edits):
        if widest is not None and edit.start < widest.end:
            yield widest, edit
        if widest is None or edit.end > widest.end:
            widest = edit


def sort_edits(edits: Iterable[Edit]) -> list[Edit]:
    """By position, insertions first; equal spans stay in file order."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def overlap_message(before: Edit, after: Edit) -> str:
    where = f" of line {before.line}" if before.line else ""
    return (
        f"annotator {after.annotator}: the edit {after.start} {after.end} overlaps {before.start} {before.end}{where}"
    )


def ordered(block: Block, annotator: int, alignment: int = 0) -> list[Edit]:
    """The annotator's edits as they follow each other in the sentence; edits of equal span stay in file order.

    Raises InputError if two edits overlap or one does not fit the sentence.
    """
    edits = block.edits_of(annotator, alignment)
    if not edits:
        return []
    for fault in misfits_of(block, edits):
        raise fault
    for before, after in overlaps(edits):
        raise block.error(overlap_message(before, after), line=after.line)
    return sort_edits(edits)


def apply_edits(block: Block, edits: Iterable[Edit]) -> str:
    """The sentence after edits (first alternatives) that are :func:`ordered`, tokens joined by one blank."""
    tokens = block.tokens
    result: list[str] = []
    done = 0
    for edit in edits:
        result += [*tokens[done : edit.start], *edit.correction.split()]
        done = edit.end
    return " ".join([*result, *tokens[done:]])
