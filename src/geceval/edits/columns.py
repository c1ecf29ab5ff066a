"""Edits in columns (``_kernel.Edits``) out of M2 blocks, and as objects for people and for M2 files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from geceval import _kernel
from geceval.text.m2 import Block, Edit

#: The edits of each version of a sentence, in the order they were read or found, noops included.
Versions: TypeAlias = list[list[Edit]]


def of_blocks(blocks: Iterable[Block]) -> _kernel.Edits:
    """The edits of M2 blocks: a version for each annotator with a line in the block, in order of appearance; a block
    without lines has one version, of annotator 0, without edits."""
    return _kernel.Edits([_rows(block) for block in blocks])


def _rows(block: Block) -> list[tuple[int, list[tuple[int, int, str, str]]]]:
    rows: dict[int, list[tuple[int, int, str, str]]] = {annotator: [] for annotator in block.annotators}
    for edit in block.edits:
        rows[edit.annotator].append((edit.start, edit.end, edit.type, "||".join(edit.corrections)))
    return list(rows.items())


def versions(edits: _kernel.Edits, *, alternatives: bool = False) -> list[Versions]:
    """The edits as objects: ``versions(edits)[s][v]`` are those of version v of sentence s.

    ``alternatives``: ``||`` in a correction divides alternatives, as in M2; in text it is a token like others.
    """

    def edit(row: tuple[int, int, str, str], annotator: int) -> Edit:
        start, end, type_, text = row
        return Edit(start, end, type_, tuple(text.split("||")) if alternatives else (text,), annotator=annotator)

    return [[[edit(row, who) for row in own] for who, own in edits.sentence(s)] for s in range(len(edits))]


def only_versions(edits: _kernel.Edits) -> list[Sequence[Edit] | None]:
    """The edits of sentences that have one version each, or none (None), as objects."""
    return [own[0] if own else None for own in versions(edits)]
