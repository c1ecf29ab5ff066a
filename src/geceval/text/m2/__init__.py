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
several alignments of an answer and the types of ChERRANT's dialect (``geceval.text.m2.cherrant_dialect``).
Source: Dahlmeier and Ng (2012); the format description of the CoNLL-2014 shared task.
"""

from __future__ import annotations

from geceval.text.m2.blocks import Blocks
from geceval.text.m2.cherrant_dialect import Dialect, cherrant_blocks, cherrant_type, errant_block, errant_type
from geceval.text.m2.conversion.m2_json import read_json_lines, write_json_lines
from geceval.text.m2.conversion.standoff import Standoff, read_standoff, to_standoff
from geceval.text.m2.edit import DELETE, NOOP, NOT_ANNOTATABLE, UNKNOWN, Block, Edit, Misfits, Missing, Target, noop
from geceval.text.m2.faults import ordered
from geceval.text.m2.m2_differences import Diff, diff
from geceval.text.m2.m2_files import Checked, check, checked, read, write
from geceval.text.m2.m2_summary import AnnotatorAgreement as Agreement
from geceval.text.m2.m2_summary import AnnotatorCounts as Annotator
from geceval.text.m2.m2_summary import Stats, stats
from geceval.text.m2.merging import annotators, apply, fitting, merge, references, vote
from geceval.text.m2.subsets import Filter, Operation, filter, split, split_by_annotator

__all__ = [
    "DELETE",
    "NOOP",
    "NOT_ANNOTATABLE",
    "UNKNOWN",
    "Agreement",
    "Annotator",
    "Block",
    "Blocks",
    "Checked",
    "Dialect",
    "Diff",
    "Edit",
    "Filter",
    "Misfits",
    "Missing",
    "Operation",
    "Standoff",
    "Stats",
    "Target",
    "annotators",
    "apply",
    "check",
    "checked",
    "cherrant_blocks",
    "cherrant_type",
    "diff",
    "errant_block",
    "errant_type",
    "filter",
    "fitting",
    "merge",
    "noop",
    "ordered",
    "read",
    "read_json_lines",
    "read_standoff",
    "references",
    "split",
    "split_by_annotator",
    "stats",
    "to_standoff",
    "vote",
    "write",
    "write_json_lines",
]
