"""Numbers from which a page computes ERRANT's score with accepted edits."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.groups.groupings import evidence_of
from geceval.edits.changes import correction

#: References against which edits are false positives, as bits, by sentence, start, end and correction. The bit of a
#: reference is its place among the references of the sentence.
FalsePositives: TypeAlias = Counter[tuple[int, int, int, str]]


def has_preview(judge: Any) -> bool:
    """Return whether a preview of all sentences cannot differ from the score.

    The judge must be ERRANT with the selection ``running``.
    """
    if judge is None or judge.name != "errant":
        return False
    return judge.selection == "running" and judge.mode in ("cs", "cse") and judge.valid is None


def false_positives(counts: Counts, *, literal: bool) -> FalsePositives:
    """Return the false positives of counts with evidence.

    ``literal``: the system's outputs are text.
    """
    evidence = evidence_of(counts)
    bit = 1 << (np.cumsum(counts.mask, axis=1) - 1)
    rows = np.flatnonzero(evidence.column == counts.columns.index("fp"))
    columns = (evidence.sentence, evidence.start, evidence.end, evidence.text, evidence.reference)
    found: FalsePositives = Counter()
    for s, start, end, text, reference in zip(
        *(column[rows].tolist() for column in columns if column is not None), strict=True
    ):
        found[s, start, end, correction(evidence.strings[text], literal)] |= int(bit[s, reference])
    return found
