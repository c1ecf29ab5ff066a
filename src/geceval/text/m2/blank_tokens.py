"""Blanks that ERRANT counts as tokens: with ``-tok``, the second of two blanks is a token of its M2.

The ``S`` line shows it as three blanks in a row (``He   go home``), which readers take for one: edits behind it are a
token too far to the right.
"""

from __future__ import annotations

from collections.abc import Iterator

from geceval.base.errors import InputError
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block

#: A blank that is a token, between the blanks that separate tokens.
TOKEN = "   "
#: Hint for files with such tokens.
DOUBLED_BLANKS = "remove doubled blanks from the texts, and find the edits again"


def blank_tokens(blocks: Blocks) -> list[int]:
    """Return the places of the blocks with such a token before one of their edits."""
    candidates = [place for place, source in enumerate(blocks.source) if TOKEN in str(source).strip()]
    return [place for place in candidates if _is_shifted(blocks[place])]


def _is_shifted(block: Block) -> bool:
    before = len(block.source.strip().partition(TOKEN)[0].split())
    return any(edit.end > before for edit in block.edits if not edit.is_noop)


def blank_token_faults(blocks: Blocks) -> Iterator[InputError]:
    """Yield the fault of each of these blocks."""
    for place in blank_tokens(blocks):
        block = blocks[place]
        yield block.error(
            "blanks in the sentence that ERRANT -tok counts as tokens: edits behind are shifted", hint=DOUBLED_BLANKS
        )
