"""How well edits found in text agree with published ones in their spans and corrections, whatever their types."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.edits.extract import Extractor
from geceval.text.m2 import Block, Blocks


def span_f1(blocks: Sequence[Block], extractor: Extractor) -> float:
    """F1 of (start, end, correction) over all edits of annotator 0, the target being what the published edits make."""
    targets = Blocks.of(blocks).corrected(0, "plain")
    found = extractor.extract([(block.source, str(target)) for block, target in zip(blocks, targets, strict=True)])
    shared = total = 0
    for block, own in zip(blocks, found, strict=True):
        published, ours = (
            {(edit.start, edit.end, " ".join(edit.correction.split())) for edit in edits}
            for edits in (block.edits_of(0), own)
        )
        shared += len(published & ours)
        total += len(published) + len(ours)
    return 2 * shared / total
