"""Edits in columns (``_kernel.Edits``) as objects, for people and for M2 files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from geceval._kernel import Edits
from geceval.text.m2 import Edit

#: The edits of each version of a sentence, in the order they were read or found, noops included.
Versions: TypeAlias = list[list[Edit]]


def versions(edits: Edits) -> list[Versions]:
    """The edits as objects: ``versions(edits)[s][v]`` are those of version v of sentence s.

    ``||`` in a correction divides alternatives, unless the edits were found in text.
    """

    def edit(row: tuple[int, int, str, str], annotator: int) -> Edit:
        start, end, type_, text = row
        return Edit(start, end, type_, (text,) if edits.literal else tuple(text.split("||")), annotator=annotator)

    return [[[edit(row, who) for row in own] for who, own in edits.sentence(s)] for s in range(len(edits))]


def only_versions(edits: Edits) -> list[Sequence[Edit] | None]:
    """The edits of sentences that have one version each, or none (None), as objects."""
    return [own[0] if own else None for own in versions(edits)]
