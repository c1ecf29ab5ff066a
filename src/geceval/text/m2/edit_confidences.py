"""Confidences of edits, which are numbers in their comment fields."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Edit, number_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def confidence(block: Block, edit: Edit, remedy: str = "") -> float:
    """Return the confidence of an edit.

    Args:
        block: the block of the edit.
        edit: the edit.
        remedy: a line for the hint of the error.

    Returns:
        The number in its comment field.

    Raises:
        InputError: if there is no finite number; names file and line.
    """
    if edit.confidence is not None:
        return edit.confidence
    message = f"the edit has no confidence, which is a number in its comment field, not {edit.comment!r}"
    raise block.error(message, line=edit.line, hint="\n  ".join(filter(None, [str(edit), remedy])))


def confidences(blocks: Iterable[Block]) -> NDArray[np.float64]:
    """Return the confidences [E] of the edits of one annotator.

    Args:
        blocks: blocks of one annotator each.

    Returns:
        The confidences in the order of the edits; NaN for noops.

    Raises:
        InputError: if the comment of an edit is no finite number, or a block has several annotators; names file and
            line.
    """
    import numpy as np

    blocks = Blocks.of(blocks)
    blocks.check_one_annotator("with confidences")
    rows = (blocks.table.block(place)[1] for place in range(len(blocks)))
    # Objects are made of the sentences without a number only, since a file has millions of edits.
    numbers = [[math.nan if row[:2] == (-1, -1) else number_of(row[5]) for row in own] for own in rows]
    for place, own in enumerate(numbers):
        if None in own:
            block = blocks[place]
            numbers[place] = [math.nan if edit.is_noop else confidence(block, edit) for edit in block.edits]
    return np.array([number for own in numbers for number in own])
