"""Operations on blocks: apply, merge, vote, filter, resolve overlaps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import BlockTable, Text
from geceval.base.arguments import COUNT, PLACES, as_sequence, choice, shown, whole
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.text.m2.blocks import (
    Blocks,
    BlockStream,
    corrected_sentence,
    misfits_of,
    ordered,
    originals,
    portions_of,
    repeats_and_overlaps,
    streamed,
)
from geceval.text.m2.edit import (
    DELETE,
    NO_ERROR,
    NUMBERS,
    Block,
    Edit,
    EditColumns,
    Misfits,
    Missing,
    Overlaps,
    Target,
    cherrant_type,
    convert_to_errant,
    noop,
    number_in,
    overlap,
    used_types,
)
from geceval.text.m2.type_selectors import TypeSelectors, near_types

#: The effect of an edit: M inserts a missing word, R replaces, U deletes an unnecessary word.
Operation: TypeAlias = Literal["M", "R", "U"]
REMEDY = Hint(
    Step(
        Hint(
            Option("overlaps", "first"),
            ", longest or skip leaves out edits; in Python Corpus(overlaps=…), m2.resolve_overlaps",
        ),
        'overlaps="first", "longest" or "skip", an argument of Corpus, read_corpus and m2.resolve_overlaps, leaves out'
        " edits",
    )
)
#: The rules that work without confidences.
NEEDLESS = "first, longest and skip need none"


@streamed
def fitting(blocks: Iterable[Block], misfits: Misfits | None = "error") -> Iterator[Blocks]:
    """Yield blocks whose edits fit their sentences.

    A misfit is an edit with a negative offset (other than a noop), with an end beyond the sentence, or that ends before
    it starts.

    Args:
        blocks: The blocks.
        misfits: ``error`` raises InputError for the first misfit. ``drop`` leaves them out, and a GecevalWarning
            reports their number; an annotator who loses all edits has a noop. None does the same as the official
            scorer: edits that end before they start stay, count as gold and never match.

    Yields:
        The blocks.

    Raises:
        InputError: See ``misfits``; names file and line.
    """
    if misfits is not None:
        choice("misfits", misfits, get_args(Misfits))
    number, first = 0, None
    for portion in portions_of(blocks):
        columns, lengths = EditColumns(portion.edits), portion.table.lengths()
        fit = columns.fit(lengths)
        if misfits is None:
            fit |= columns.are_reversed(lengths)
        if not fit.all():
            block = portion[int(columns.sentence[~fit].min())]
            first = first or next(misfits_of(block, block.edits))
            if misfits == "error":
                raise _in_characters(first, portion, columns, fit) or first
            number += int((~fit).sum())
            portion = _kept(portion, fit)
        yield portion
    if first is not None:
        edits = "1 edit that does not fit its" if number == 1 else f"{number} edits that do not fit their"
        warn(f"{first.where}dropped: {edits} sentence")


def _in_characters(
    error: InputError, blocks: Blocks, columns: EditColumns, fit: NDArray[np.bool_]
) -> InputError | None:
    """Return the error of a misfit if most edits are none of tokens, and all fit the characters of their sentences."""
    sizes = np.array([len(str(line)) for line in blocks.source])
    if 2 * int((~fit).sum()) <= int(columns.is_edit.sum()) or not columns.fit(sizes).all():
        return None
    hint = "most places fit the characters of their sentences: M2 counts tokens, which blanks separate in S lines"
    return InputError(error.message, path=error.path, line=error.line, hint=hint)


def fitting_blocks(blocks: Blocks, misfits: Misfits | None) -> Blocks:
    """Return blocks in columns whose edits fit their sentences, see :func:`fitting`."""
    [portion] = fitting(blocks, misfits).portions
    return portion


def apply(block: Block, annotator: int) -> str:
    """Return the sentence after the annotator's edits, with single spaces.

    Each edit makes its first alternative.

    Edits may have any order. Several insertions at one point are made in file order, before an edit that starts there.

    Args:
        block: The sentence and its edits.
        annotator: Number of the annotator.

    Returns:
        The corrected sentence.

    Raises:
        InputError: If two edits overlap or one does not fit the sentence.
    """
    return corrected_sentence(block, annotator)


def annotators(blocks: Iterable[Block]) -> tuple[int, ...]:
    """Return the annotators of all blocks.

    Args:
        blocks: The blocks.

    Returns:
        Numbers in ascending order; (0,) without ``A`` lines.
    """
    return tuple(sorted({who for portion in portions_of(blocks) for who in portion.annotators})) or (0,)


def references(blocks: Iterable[Block], missing: Missing = "fallback") -> list[Text]:
    """Return the corrected texts of all annotators.

    Blocks in ChERRANT's dialect are used in the form that is scored (Blocks.as_errant).

    Args:
        blocks: The blocks.
        missing: The text of an annotator without a line in a block. ``fallback``: the correction of the block's first
            annotator, which reproduces the published GLEU and GREEN numbers on CoNLL-2014. ``plain``: the source.

    Returns:
        ``references[r][s]``: annotator ``r`` (ascending numbers), sentence ``s``.

    Raises:
        InputError: See :func:`apply`.
    """
    blocks = Blocks.of(blocks)
    return [blocks.corrected(who, missing) for who in annotators(blocks)]


@streamed
def vote(files: Sequence[Iterable[Block]], least: int) -> Iterator[Blocks]:
    """Yield blocks with the edits that at least ``least`` files contain.

    Edits are equal if their spans and first alternatives are.

    Edits that overlap, or that correct the same span or point differently, exclude each other unless a file contains
    both. The edit in more files is kept, then the edit of an earlier file, then the first one. Types are taken from the
    first file with the edit, in ERRANT's dialect. Memory holds a batch of blocks.

    Args:
        files: The blocks of each file.
        least: The number of files.

    Yields:
        One block per sentence.

    Raises:
        InputError: If the files differ in length or in the tokens of a sentence, or if a block has several annotators.
    """
    least = whole("least", least, COUNT)
    for row in _rows(files):
        row = [Blocks.of([*map(convert_to_errant, file)]) if file.is_cherrant else file for file in row]
        voted = Blocks(BlockTable.voted([file.table for file in row], least))
        yield voted
        for block in [file[len(voted)] for file in row if len(voted) < len(file)]:
            if len(block.annotators) > 1:
                raise block.error(f"each file of a vote must have one annotator, found {len(block.annotators)}")
            ordered(block, block.annotators[0])


@streamed
def merge(files: Sequence[Iterable[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Blocks]:
    """Yield blocks with the edits of all files.

    Annotators get new numbers: first the ones of the first file, then of the second, and so on. An annotator without a
    line in a block gets a noop, so that "no change" counts as an opinion. The result is in ChERRANT's dialect if all
    files are. Memory holds a batch of blocks.

    Args:
        files: The blocks of each file.
        ids: ``ids[f]``: the :func:`annotators` of file f.

    Yields:
        One block per sentence.

    Raises:
        InputError: If the files differ in length or in the tokens of a sentence.
    """
    files = as_sequence("files", files, "file")
    ids = [as_sequence("ids", row, "number") for row in as_sequence("ids", ids, "row of number")]
    if len(ids) != len(files):
        raise UsageError(f"{len(files)} files, annotators of {len(ids)}")
    fresh = itertools.count()
    numbers = [[(whole("ids", annotator, NUMBERS), next(fresh)) for annotator in row] for row in ids]
    for row in _rows(files):
        if any(file.is_cherrant for file in row):
            row = _in_one_dialect(row)
        yield Blocks(BlockTable.merged([file.table for file in row], numbers))


def _in_one_dialect(row: Sequence[Blocks]) -> list[Blocks]:
    """Drop the ``T`` lines of sentences that lack them in a file."""
    sentences = [
        blocks if all(block.targets for block in blocks) else [*map(convert_to_errant, blocks)]
        for blocks in zip(*row, strict=True)
    ]
    return [Blocks.of(file, dialect=None) for file in zip(*sentences, strict=True)]


def _rows(files: Sequence[Iterable[Block]]) -> Iterator[list[Blocks]]:
    """Yield the blocks of the same sentences, a portion at a time.

    Raises InputError if the files differ in length or in tokens.
    """
    nothing = Blocks.of(())
    portions = [(portion for portion in portions_of(file) if portion) for file in as_sequence("files", files, "file")]
    rest = [nothing for _ in portions]
    sentences = 0
    while any(rest := [blocks or next(new, nothing) for blocks, new in zip(rest, portions, strict=True)]):
        if not all(rest):
            short = ", ".join(str(f + 1) for f, blocks in enumerate(rest) if not blocks)
            first = next(blocks for blocks in rest if blocks)[0]
            raise first.error(f"the files differ in length: this sentence is missing in file {short}")
        size = min(map(len, rest))
        row, rest = [blocks[:size] for blocks in rest], [blocks[size:] for blocks in rest]
        differing = [row[0].source.differing(blocks.source)[:1] for blocks in row]
        same = min((indices[0] for indices in differing if indices), default=size)
        yield [blocks[:same] for blocks in row]
        sentences += same
        if same < size:
            first, block = row[0][same], row[differing.index([same])][same]
            where = f"{first.path}:{first.line}" if first.path else f"sentence {sentences + 1} of file 1"
            raise block.error(f"not the same sentence as {where}", hint=f"{block.source}\n  {first.source}")


def confidence(block: Block, edit: Edit, remedy: str = "") -> float:
    """Return the confidence of an edit.

    Args:
        block: The block of the edit.
        edit: The edit.
        remedy: A line for the hint of the error.

    Returns:
        The number in its comment field.

    Raises:
        InputError: If there is no finite number; names file and line.
    """
    if edit.confidence is not None:
        return edit.confidence
    message = f"the edit has no confidence, which is a number in its comment field, not {edit.comment!r}"
    raise block.error(message, line=edit.line, hint=f"{edit}\n  {remedy}" if remedy else str(edit))


def confidences(blocks: Iterable[Block]) -> NDArray[np.float64]:
    """Return the confidences [E] of the edits of one annotator.

    Args:
        blocks: Blocks of one annotator each.

    Returns:
        The confidences in the order of the edits; NaN for noops.

    Raises:
        InputError: If the comment of an edit is no finite number, or a block has several annotators; names file and
            line.
    """
    blocks = Blocks.of(blocks)
    blocks.check_one_annotator("with confidences")
    numbers: list[float | None] = []
    for s in range(len(blocks)):
        # Objects are made of the sentences without a number only, since a file has millions of edits.
        rows = blocks.table.block(s)[1]
        values = [math.nan if row[:2] == (-1, -1) else number_in(row[5]) for row in rows]
        if None in values:
            block = blocks[s]
            values = [math.nan if edit.is_noop else confidence(block, edit) for edit in block.edits]
        numbers += values
    return np.array(numbers, np.float64)


def resolve_overlaps(blocks: Iterable[Block], overlaps: Overlaps = "error") -> Blocks:
    """Return blocks with the edits of each annotator in order, without overlaps.

    Edits overlap if they share a token, or if one inserts within the span of the other. Of equal edits of tokens the
    first is kept. Insertions at one point do not overlap: the same one twice inserts a word twice.

    Args:
        blocks: The blocks.
        overlaps: ``error`` raises InputError. ``first`` keeps, of edits that overlap, the first one in the file;
            ``longest`` the one of most tokens; ``confident`` the one of the highest confidence, which is a number in
            its comment field; each decides in this order, and between equals the first one. ``skip`` keeps none.

    Returns:
        The blocks, with edits sorted by position; an annotator who loses all edits has a noop.

    Raises:
        InputError: See ``overlaps``; names file and line.
    """
    choice("overlaps", overlaps, get_args(Overlaps))
    blocks = Blocks.of(blocks)
    columns = EditColumns(blocks.edits)
    keep = np.ones(len(columns.start), bool)
    for version in np.unique(columns.version[columns.are_crowded(same_points=False)]).tolist():
        block, annotator = blocks[int(columns.version_sentence[version])], int(blocks.edits.annotator[version])
        edits = [edit for edit in block.edits if edit.annotator == annotator]
        for index in _left_out(block, edits, overlaps):
            keep[blocks.edits.offsets[version] + index] = False
    if not keep.all():
        blocks = Blocks(blocks.table.kept(keep))
    return Blocks(blocks.table.sorted()) if EditColumns(blocks.edits).are_early.any() else blocks


def _left_out(block: Block, edits: list[Edit], overlaps: Overlaps) -> Iterator[int]:
    """Yield the indices of the edits that are left out."""
    real = [index for index, edit in enumerate(edits) if not edit.is_noop]
    of_tokens = [index for index in real if edits[index].start < edits[index].end]
    first = originals([edits[index] for index in of_tokens])
    again = [index for index, original in zip(of_tokens, first, strict=True) if edits[index] is not original]
    once = [index for index in real if index not in again]
    touching = {i: [j for j in once if j != i and overlap(edits[i], edits[j])] for i in once}
    if overlaps == "error" and (again or any(touching.values())):
        crowd = [edits[index] for index in once if touching[index]]
        repeated = repeats_and_overlaps(block, [edits[index] for index in of_tokens])
        fault = next(chain(repeated, repeats_and_overlaps(block, crowd)))
        raise InputError(fault.message, path=block.path, line=fault.line, hint=REMEDY)
    yield from again
    if overlaps == "skip":
        yield from (index for index in once if touching[index])
        return
    if overlaps == "longest":
        once.sort(key=lambda index: edits[index].start - edits[index].end)
    elif overlaps == "confident":
        once.sort(key=lambda index: -confidence(block, edits[index], NEEDLESS) if touching[index] else 0.0)
    chosen: set[int] = set()
    for index in once:
        if chosen.isdisjoint(touching[index]):
            chosen.add(index)
        else:
            yield index


def filter(
    blocks: Iterable[Block],
    *,
    types: Sequence[str] = (),
    operations: Sequence[Operation] = (),
    annotators: Sequence[int] | None = None,
    shortest: int = 0,
    longest: int | None = None,
    invert: bool = False,
    changed: bool = False,
) -> BlockStream:
    """Yield blocks with some of their edits. Memory holds a batch of blocks.

    An annotator who loses all edits keeps a noop. In ChERRANT's dialect types are used as written, and ``T`` lines are
    updated.

    Args:
        blocks: The blocks.
        types: Keep edits of these types: whole (``R:VERB``), the part after the operation (``VERB``) or the operation
            (``R``); ``*`` is a wildcard; ``+`` or a comma joins several.
        operations: Keep edits with these operations ("M", "R" or "U"), by the letter of the type or, without one, by
            effect.
        annotators: Keep only the lines of these annotators, whatever ``invert`` is.
        shortest: Keep edits with at least this number of tokens in the sentence or the first correction.
        longest: Keep edits with at most this number of tokens in both.
        invert: Whether to keep the edits that the conditions exclude.
        changed: Whether to keep only sentences with an edit left.

    Returns:
        An iterator of blocks.

    Raises:
        UsageError: For invalid values, and for ``invert`` without a condition on edits.
        InputError: For edits of ChERRANT's dialect that overlap or do not fit, if a ``T`` line must be updated.
    """
    selectors, operations = (
        TypeSelectors.of(as_sequence("types", types, "type")),
        as_sequence("operations", operations, "operation"),
    )
    for operation in operations:
        choice("operations", operation, get_args(Operation))
    if annotators is not None:
        annotators = [whole("annotators", who, PLACES) for who in as_sequence("annotators", annotators, "number")]
    shortest = whole("shortest", shortest, COUNT)
    if longest is not None and whole("longest", longest, COUNT) < shortest:
        raise UsageError(f"no edit is at least {shortest} tokens long and at most {longest}")
    for switch, value in (("invert", invert), ("changed", changed)):
        if not isinstance(value, bool):
            raise UsageError(f"{switch} must be True or False, not {shown(value)}")
    selects_edits = bool(selectors or operations or shortest or longest is not None)
    if invert and not selects_edits:
        raise UsageError("invert requires a condition on edits: types, operations or a length")

    def filtered(portion: Blocks) -> Blocks:
        if annotators is not None:
            portion = Blocks(portion.table.of_annotators(annotators))
        columns = EditColumns(portion.edits)
        if selects_edits:
            keep = np.ones(len(columns.start), bool)
            if selectors:
                keep &= selectors.mask(portion.edits)
            if operations:
                keep &= np.isin(columns.operations(is_cherrant=portion.is_cherrant), list(operations))
            length = np.maximum(columns.end - columns.start, columns.words)
            keep &= length >= shortest
            if longest is not None:
                keep &= length <= longest
            portion = _kept(portion, keep ^ invert)
            columns = EditColumns(portion.edits)
        if changed:
            left = np.unique(columns.sentence[columns.is_edit]).tolist()
            portion = portion if len(left) == len(portion) else Blocks(portion.table.at(left))
        return portion

    def portions() -> Iterator[Blocks]:
        types_of_file = set[str]()
        for portion in portions_of(blocks):
            types_of_file.update(used_types(portion.edits).values() if selectors else ())
            yield filtered(portion)
        for pattern in selectors.unmatched(types_of_file):
            warn(f"no edit has the type {pattern}", near_types(pattern, types_of_file))

    return BlockStream(portions())


def _kept(blocks: Blocks, keep: NDArray[np.bool_]) -> Blocks:
    """Return blocks with some of their edits, and ``T`` lines that are updated to them."""
    kept_blocks = Blocks(blocks.table.kept(keep))
    if not blocks.is_cherrant:
        return kept_blocks
    return Blocks.of([_renew_targets(*both) for both in zip(blocks, kept_blocks, strict=True)], dialect=None)


def _renew_targets(before: Block, block: Block) -> Block:
    """Return a block with ``T`` lines updated to the remaining edits."""
    if block.edits == before.edits:
        return block
    edits = {who: block.edits_of(who, None) for who in block.annotators}
    targets: list[Target] = []
    for target in block.targets:
        who, alignment = target.annotator, target.alignment
        if alignment is None or block.edits_of(who, alignment) == before.edits_of(who, alignment):
            targets.append(target)
        elif edits.get(who):
            targets.append(replace(target, text=corrected_sentence(block, who, alignment)))
        elif all(kept_target.annotator != who for kept_target in targets):
            targets.append(Target(who, None, NO_ERROR))
    return replace(block, targets=tuple(targets))


#: Most blocks of annotators in memory: sentences times annotators.
MOST_BLOCKS = 1 << 26


def split_by_annotator(blocks: Iterable[Block]) -> dict[int, Blocks]:
    """Return the blocks of each annotator.

    Args:
        blocks: The blocks.

    Returns:
        Annotator -> all sentences with the lines of this annotator; annotator 0 if there are no ``A`` lines.

    Raises:
        InputError: For more than 2^26 annotators times sentences.
    """
    blocks = Blocks.of(blocks, dialect=None)
    numbers = blocks.annotators or [0]
    if len(blocks) * len(numbers) > MOST_BLOCKS:
        message = f"{len(numbers):,} annotators times {len(blocks):,} sentences are more than {MOST_BLOCKS:,}"
        raise InputError(f"{message}, the most that are separated by annotator")
    return {who: Blocks(blocks.table.of_annotators([who])) for who in numbers}


def cherrant_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks with ERRANT's types as ChERRANT writes them.

    Each annotator gets one answer with one alignment.

    Args:
        blocks: The blocks; blocks with ``T`` lines are returned unchanged.

    Returns:
        An iterator of blocks with ``T`` lines.

    Raises:
        InputError: If edits overlap or do not fit, and for an edit with several corrections.
    """
    return (block if block.targets else _cherrant_block(block) for block in blocks)


def _cherrant_block(block: Block) -> Block:
    targets: list[Target] = []
    edits: list[Edit] = []
    for who in block.annotators:
        answer = [_cherrant_edit(block, edit) for edit in ordered(block, who)]
        targets.append(Target(who, 0, apply(block, who)) if answer else Target(who, None, NO_ERROR))
        edits += answer or [noop(who)]
    return replace(block, edits=tuple(edits), targets=tuple(targets))


def _cherrant_edit(block: Block, edit: Edit) -> Edit:
    if len(edit.corrections) > 1:
        raise block.error("ChERRANT's M2 has no alternatives, but the edit has several", line=edit.line, hint=f"{edit}")
    return replace(edit, type=cherrant_type(edit.type), corrections=(edit.correction or DELETE,))
