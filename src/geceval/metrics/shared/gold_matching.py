"""Gold edits against which MaxMatch matches hypotheses, for MaxMatch and PT-M²."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text, match_gold
from geceval.base.errors import InputError
from geceval.counting.counts import Counts, Evidence
from geceval.counting.metric import ByKind
from geceval.edits.changes import Change
from geceval.text.corpus import Lines
from geceval.text.m2.blocks import Blocks

COLUMNS = ("correct", "proposed", "gold")
CORRECT, PROPOSED, GOLD = range(3)
#: The kernel's column with the state of a sentence, and its values.
_STATE = 3
_LATE, _TOO_LONG = 1, 2


def matched_by_kind(*proposed: str) -> ByKind:
    """Return how edits found by MaxMatch have kinds: the recall only.

    An edit that matches no gold edit has no type, and may contain unchanged words, so that its length is not
    meaningful; there is no precision of a kind. ``proposed``: the columns of proposed edits.
    """
    return ByKind(dict.fromkeys(proposed, "(unmatched)"), frozenset({"precision", "score"}))


class Gold:
    """Gold blocks whose edits fit their sentences; see Blocks.fitting."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks

    def matched(
        self,
        hypothesis: Lines,
        max_unchanged: int,
        ignore_whitespace_casing: bool = False,
        timeout: float | None = None,
        threads: int = 0,
        *,
        evidence: bool = False,
    ) -> Counts:
        """Return ``array[s, a]`` of correct, proposed and gold edits of a hypothesis.

        The edits of the hypothesis are chosen to match the gold edits of each annotator. A sentence that exceeds the
        time proposes nothing. Evidence: edits proposed, with the tokens of the hypothesis as text and the type of the
        gold edit they match ("" if none); correct ones, a row for each gold edit matched; gold edits as written,
        alternatives joined by ``||``. Cost: see kernel/core/src/lattice. Raises InputError for a sentence too long for
        its lattice (4 · 10^7 token pairs, or degenerate text).
        """
        text = Text(hypothesis)
        settings = max_unchanged, ignore_whitespace_casing, timeout
        counts, columns = match_gold(self.blocks.source, self.blocks.edits, text, settings, threads, evidence)
        rows = None if columns is None else Evidence(**columns)
        state = counts[..., _STATE].max(axis=1, initial=0)
        self._check(state == _TOO_LONG, text)
        late = state == _LATE if (state == _LATE).any() else None
        return Counts(counts[..., :_STATE].astype(np.int64), COLUMNS, self.blocks.present, rows, given_up=late)

    def _check(self, too_long: NDArray[np.bool_], text: Text) -> None:
        for s in np.flatnonzero(too_long).tolist():
            block, line = self.blocks[s], str(text[s])
            lengths = f"{len(block.tokens)} and {len(line.split())} tokens"
            beginning = " ".join(line[:500].split()[:8])
            message = f"sentence {s + 1}, of {lengths}, is too long to be matched: {beginning} ..."
            raise block.error(message, hint="is a line end missing?", sentence=s)


def edits_by_cell(evidence: Evidence) -> dict[tuple[int, int, int], list[Change]]:
    """Return the edits of every (sentence, annotator, column) with edits, in order."""
    if evidence.start is None or evidence.end is None or evidence.text is None or evidence.type is None:
        raise InputError("this evidence is not made of edits")
    cells: dict[tuple[int, int, int], list[Change]] = {}
    places = evidence.sentence, evidence.reference, evidence.column
    edits = evidence.start, evidence.end, evidence.text, evidence.type
    for s, r, k, start, end, text, kind in zip(*(own.tolist() for own in (*places, *edits)), strict=True):
        cells.setdefault((s, r, k), []).append(Change(start, end, evidence.strings[text], evidence.strings[kind]))
    return cells
