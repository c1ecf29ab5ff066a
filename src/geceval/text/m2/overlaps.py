"""One rule for edits of an annotator that overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import get_args

from geceval.base.arguments import choice
from geceval.base.errors import InputError
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Edit, Overlaps
from geceval.text.m2.edit_confidences import confidence
from geceval.text.m2.faults import repeats_and_overlaps

REMEDY = "--overlaps first, longest or skip leaves out edits; in Python Corpus(overlaps=…), m2.resolve_overlaps"
#: The rules that work without confidences.
NEEDLESS = "first, longest and skip need none"


def resolve_overlaps(blocks: Iterable[Block], overlaps: Overlaps = "error") -> Blocks:
    """Return blocks with the edits of each annotator in order, without overlaps.

    Edits overlap if they share a token, or if one inserts within the span of the other. Of equal edits of tokens the
    first is kept. Insertions at one point do not overlap: the same one twice inserts a word twice.

    Args:
        blocks: the blocks, not in ChERRANT's dialect (see Blocks.as_errant).
        overlaps: ``error`` raises InputError. ``first`` keeps, of edits that overlap, the first one in the file;
            ``longest`` the one of most tokens; ``confident`` the one of the highest confidence, which is a number in
            its comment field; each decides in this order, and between equals the first one. ``skip`` keeps none.

    Returns:
        The blocks, with edits sorted by position; an annotator who loses all edits has a noop.

    Raises:
        InputError: see ``overlaps``; names file and line.
    """
    import numpy as np

    from geceval.text.m2.edit_columns import EditColumns

    choice("overlaps", overlaps, get_args(Overlaps))
    blocks = Blocks.of(blocks)
    columns = EditColumns(blocks.edits)
    keep = np.ones(len(columns.start), bool)
    # Not numpy.unique, which imports numpy.ma at every start.
    for version in sorted(set(columns.version[columns.are_crowded(same_points=False)].tolist())):
        block, annotator = blocks[int(columns.version_sentence[version])], int(blocks.edits.annotator[version])
        own = [edit for edit in block.edits if edit.annotator == annotator]
        for place in _left_out(block, own, overlaps):
            keep[blocks.edits.offsets[version] + place] = False
    if not keep.all():
        blocks = Blocks(blocks.table.kept(keep))
    in_order = blocks.table.sorted()
    return blocks if in_order is None else Blocks(in_order)


def _left_out(block: Block, edits: list[Edit], overlaps: Overlaps) -> Iterator[int]:
    """Yield the places of the edits that are left out."""
    real = [place for place, edit in enumerate(edits) if not edit.is_noop]
    first: dict[tuple[int, int, tuple[str, ...]], int] = {}
    firsts = [first.setdefault((edits[k].start, edits[k].end, edits[k].alternatives), k) for k in real]
    again = [k for k, own in zip(real, firsts, strict=True) if k != own and edits[k].start < edits[k].end]
    once = [k for k in real if k not in again]
    beside = {k: [other for other in once if other != k and _overlap(edits[k], edits[other])] for k in once}
    if overlaps == "error" and (again or any(beside.values())):
        of_tokens = [edits[k] for k in real if edits[k].start < edits[k].end]
        crowd = [edits[k] for k in once if beside[k]]
        fault = next(chain(repeats_and_overlaps(block, of_tokens), repeats_and_overlaps(block, crowd)))
        raise InputError(fault.message, path=block.path, line=fault.line, hint=REMEDY)
    yield from again
    if overlaps == "skip":
        yield from (k for k in once if beside[k])
        return
    if overlaps == "longest":
        once.sort(key=lambda place: edits[place].start - edits[place].end)
    elif overlaps == "confident":
        once.sort(key=lambda place: -confidence(block, edits[place], NEEDLESS) if beside[place] else 0.0)
    kept: set[int] = set()
    for place in once:
        if kept.isdisjoint(beside[place]):
            kept.add(place)
        else:
            yield place


def _overlap(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end
