"""The M2 format: sentences with the edits of one or more annotators.

A block is an ``S`` line (the source), its ``A`` lines (one edit each) and an empty line::

    S The cat sat at mat .
    A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
    A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0

An ``A`` line holds the token span ``start end``, the error type, the alternative corrections separated by
``||`` (``-NONE-`` or nothing: delete), two fields that no scorer reads (``|||REQUIRED|||-NONE-|||`` and
``|||-REQUIRED-|||NONE|||`` are both common) and the annotator. One who changes nothing is written
``A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1``.

What is read is what the file says, in its order: noops, duplicates, unsorted and overlapping edits, offsets
beyond the sentence, and annotators with no line in a block are for those who use the blocks to interpret; so are the
several alignments of an answer and the types of ChERRANT's dialect (``geceval.text.m2.cherrant``).
Source: Dahlmeier and Ng (2012); the format description of the CoNLL-2014 shared task.
"""

from __future__ import annotations

from geceval.text.m2.blocks import Blocks
from geceval.text.m2.cherrant import Dialect, cherrant_blocks, cherrant_type, errant_block, errant_type
from geceval.text.m2.edit import DELETE, NOOP, NOT_ANNOTATABLE, UNKNOWN, Block, Edit, Misfits, Missing, Target, noop
from geceval.text.m2.faults import ordered
from geceval.text.m2.files import check, read, write
from geceval.text.m2.making import annotators, apply, fitting, merge, references, vote

__all__ = [
    "DELETE",
    "NOOP",
    "NOT_ANNOTATABLE",
    "UNKNOWN",
    "Block",
    "Blocks",
    "Dialect",
    "Edit",
    "Misfits",
    "Missing",
    "Target",
    "annotators",
    "apply",
    "check",
    "cherrant_blocks",
    "cherrant_type",
    "errant_block",
    "errant_type",
    "fitting",
    "merge",
    "noop",
    "ordered",
    "read",
    "references",
    "vote",
    "write",
]
