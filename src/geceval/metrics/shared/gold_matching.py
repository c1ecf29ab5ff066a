"""Gold edits against which hypotheses are matched by MaxMatch: what MaxMatch and PT-M² (base m2) count with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import GoldTable, Text
from geceval.base.errors import InputError
from geceval.counting.contract import ByKind
from geceval.counting.counts import Evidence
from geceval.text.corpus import Hypothesis, as_text
from geceval.text.m2 import Blocks, Misfits

#: Columns of ``Matched.array`` and of its evidence.
CORRECT, PROPOSED, GOLD = range(3)
#: The kernel's column that says how a sentence went, and what it says.
_STATE = 3
_LATE, _TOO_LONG = 1, 2


def matched_by_kind(*proposed: str) -> ByKind:
    """What counts by kind tell of a system's edits found by MaxMatch: the recall. One that matches no gold edit has no
    type, and may take in unchanged words, so that its length says little; there is no precision of a kind.
    ``proposed``: the columns of proposed edits."""
    return ByKind(dict.fromkeys(proposed, "(unmatched)"), frozenset({"precision", "score"}))


class MatchedEdit(NamedTuple):
    """An edit of the evidence."""

    start: int
    end: int
    text: str
    type: str


@dataclass(frozen=True, eq=False)
class Matched:
    """A hypothesis as the gold edits of each annotator read it: ``array[s, a]`` = correct, proposed, gold.

    ``late[s]``: the time ran out, and nothing is proposed. ``evidence`` is there if it was asked for: edits proposed,
    with the tokens of the hypothesis as text and the type of the gold edit they match ("" if none); correct ones, a row
    for each gold edit matched; gold edits as written, alternatives joined by ``||``.
    """

    array: NDArray[np.int64]
    late: NDArray[np.bool_]
    evidence: Evidence | None = None


@dataclass(frozen=True, eq=False)
class Gold:
    """The gold blocks, their edits held against the sentences, and the kernel's table of them."""

    blocks: Blocks
    table: GoldTable

    @classmethod
    def of(cls, blocks: Blocks, misfits: Misfits = "error") -> Gold:
        """Raises InputError, or drops edits, where they do not fit: see m2.fitting."""
        return cls.fitted(blocks.fitting(misfits))

    @classmethod
    def fitted(cls, blocks: Blocks) -> Gold:
        """Of blocks whose edits fit."""
        return cls(blocks, GoldTable(blocks.source, blocks.edits))

    def __reduce__(self) -> tuple[Any, ...]:
        return Gold.fitted, (self.blocks,)

    @property
    def present(self) -> NDArray[np.bool_] | None:
        """``present[s, a]``: sentence s has an annotator in place a. None if all have the same number."""
        return self.blocks.present

    def matched(
        self,
        hypothesis: Hypothesis,
        max_unchanged: int,
        ignore_whitespace_casing: bool = False,
        timeout: float | None = None,
        threads: int = 0,
        *,
        evidence: bool = False,
    ) -> Matched:
        """The hypothesis, matched. Cost: see kernel/src/lattice.

        Raises InputError for a sentence too long for its lattice (4 · 10^7 token pairs, or degenerate text).
        """
        text = Text(as_text(hypothesis))
        settings = max_unchanged, ignore_whitespace_casing, timeout
        why = None
        if evidence:
            counts, (sentence, reference, column, side, edits, strings) = self.table.evidence(
                text, *settings, threads=threads
            )
            start, end, words, types = edits
            weight = np.ones(len(sentence))
            why = Evidence(sentence, reference, column, weight, side, start, end, words, types, strings=strings)
        else:
            counts = self.table.count(text, *settings, threads=threads)
        state = counts[..., _STATE].max(axis=1, initial=0)
        self._check(state == _TOO_LONG, text)
        return Matched(counts[..., :_STATE].astype(np.int64), state == _LATE, why)

    def _check(self, too_long: NDArray[np.bool_], text: Text) -> None:
        for s in np.flatnonzero(too_long).tolist():
            block, line = self.blocks[s], str(text[s])
            lengths = f"{len(block.tokens)} and {len(line.split())} tokens"
            beginning = " ".join(line[:500].split()[:8])
            raise block.error(
                f"sentence {s + 1}, of {lengths}, is too long to be matched: {beginning} ...",
                hint="is a line end missing?",
                sentence=s,
            )


def edits_by_cell(evidence: Evidence) -> dict[tuple[int, int, int], list[MatchedEdit]]:
    """The edits of every (sentence, annotator, column) that has some, in order."""
    if evidence.start is None or evidence.end is None or evidence.text is None or evidence.type is None:
        raise InputError("this evidence is not made of edits")
    cells: dict[tuple[int, int, int], list[MatchedEdit]] = {}
    places = zip(*(column.tolist() for column in (evidence.sentence, evidence.reference, evidence.column)), strict=True)
    spans = zip(*(c.tolist() for c in (evidence.start, evidence.end, evidence.text, evidence.type)), strict=True)
    for place, (start, end, text, kind) in zip(places, spans, strict=True):
        found = MatchedEdit(start, end, evidence.strings[text], evidence.strings[kind])
        cells.setdefault(place, []).append(found)
    return cells
