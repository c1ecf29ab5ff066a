"""Edits as rows of CSV and TSV: a row per edit, for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

from geceval.text.m2.blocks import check_blocks
from geceval.text.m2.edit import Block
from geceval.text.m2.m2_files import check_stream

#: Columns; tokens are counted from 0, and ``end`` is the number of the token after the edit.
HEADS = ("sentence", "start", "end", "original", "correction", "type", "annotator")


def write_edit_rows(blocks: Iterable[Block], out: TextIO, delimiter: str = ",") -> None:
    """Write a row for each edit; sentences without edits have none.

    Args:
        blocks: the blocks, one per sentence.
        out: a text stream.
        delimiter: the separator of cells.
    """
    check_stream(out)
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(HEADS)
    for number, block in enumerate(check_blocks(blocks), 1):
        for edit in block.edits:
            if not edit.is_noop:
                original = " ".join(block.tokens[edit.start : edit.end])
                correction = "||".join(edit.alternatives)
                writer.writerow([number, edit.start, edit.end, original, correction, edit.type, edit.annotator])
