"""Self-test of M2 files: the text that edits make, scored against these edits by MaxMatch.

The text of most annotators should reach 100. The causes of less are properties of the edits that the official scorer
cannot match; they are no faults of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.caller_warnings import deferred_warnings
from geceval.counting.metric_names import make_metric
from geceval.metrics.shared.edit_matching import Gold
from geceval.text.m2.blocks import Blocks, sort_edits
from geceval.text.m2.edit import Block, Edit, Missing, overlap
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps

#: Number of annotators of a file that are tested.
MOST = 100
METRIC: Any = make_metric("maxmatch")


@dataclass(frozen=True)
class Unmatched:
    """A block whose corrected text does not score 100 against its annotator.

    Attributes:
        line: The line of the block.
        annotator: Number of the annotator.
        correct: Number of edits that MaxMatch matches.
        proposed: Number of edits that MaxMatch finds in the text.
        gold: Number of the annotator's edits.
        cause: The first of CAUSES that applies.
    """

    line: int | None
    annotator: int
    correct: int
    proposed: int
    gold: int
    cause: str


def text_in_file_order(block: Block, edits: Sequence[Edit]) -> str:
    """Return the sentence after edits in file order, each shifted by the ones before it, as most scripts do."""
    tokens, shift = block.tokens, 0
    for edit in edits:
        correction = edit.correction.split()
        tokens[max(edit.start + shift, 0) : max(edit.end + shift, 0)] = correction
        shift += len(correction) - (edit.end - edit.start)
    return " ".join(tokens)


def _kept(block: Block, edit: Edit) -> int:
    """Return the number of tokens of an edit that are in its correction."""
    return (Counter(block.tokens[edit.start : edit.end]) & Counter(edit.correction.split())).total()


def _neighbours(holds: Callable[[Edit, Edit], bool]) -> Callable[[Block, Sequence[Edit]], bool]:
    """Return a condition that holds if it holds for two consecutive edits by position."""
    return lambda _, edits: any(holds(*pair) for pair in pairwise(sort_edits(edits)))


#: Causes, and whether they apply to a block and the annotator's edits in file order; the first one is reported.
CAUSES: dict[str, Callable[[Block, Sequence[Edit]], bool]] = {
    "edits out of order": lambda _, edits: any(
        (later.start, later.end) < (earlier.start, earlier.end) for earlier, later in pairwise(edits)
    ),
    "overlapping or repeated edits": _neighbours(
        lambda first, second: overlap(first, second) or (first.start, first.end) == (second.start, second.end)
    ),
    "an edit that changes nothing": lambda block, edits: any(
        edit.correction.split() == block.tokens[edit.start : edit.end] for edit in edits
    ),
    f"an edit keeps more than {METRIC.max_unchanged_words} of its tokens": lambda block, edits: any(
        _kept(block, edit) > METRIC.max_unchanged_words for edit in edits
    ),
    "edits next to each other": _neighbours(lambda first, second: first.end == second.start),
    "the text can be aligned in another way": lambda _, edits: True,
}
ALTERED = "another block after writing and reading"
REORDERED = "the file's order of edits makes another text"


class SelfTest:
    """The scores of the annotators of a file, and the blocks that do not score 100.

    Args:
        annotators: Numbers of the annotators.
        most: Largest number of blocks of a cause that are kept; None keeps all.

    Attributes:
        causes: Cause -> number of blocks.
        unmatched: The kept blocks, in the order of the file.
    """

    def __init__(self, annotators: Sequence[int], most: int | None = None) -> None:
        self.causes: Counter[str] = Counter()
        self.unmatched: list[Unmatched] = []
        self._most = most
        self._totals: dict[Missing, dict[int, NDArray[np.int64]]] = {
            missing: {annotator: np.zeros(len(METRIC.columns), np.int64) for annotator in annotators[:MOST]}
            for missing in get_args(Missing)
        }

    def scores(self, missing: Missing) -> dict[int, float]:
        """Return annotator -> MaxMatch of the text as the annotator corrects it, from 0 to 1.

        ``missing``: the text of sentences without a line of the annotator, see m2.references.
        """
        return {annotator: float(METRIC.score(total)) for annotator, total in self._totals[missing].items()}

    def add(self, blocks: Blocks) -> None:
        """Test the blocks of a portion of the file."""
        if not blocks:
            return
        altered = blocks.table.first_altered()
        if altered is not None:
            self._keep([Unmatched(blocks[altered].line, 0, 0, 0, 0, ALTERED)])
        with deferred_warnings():  # of faults of the file, which are reported elsewhere
            gold = fitting_blocks(blocks.as_errant(), "drop")
            resolved = resolve_overlaps(gold, "first")
        for missing, totals in self._totals.items():
            for annotator in totals:
                edits = Blocks(gold.table.of_annotators([annotator]))
                texts = [str(text) for text in resolved.corrected(annotator, missing)]
                counts = METRIC.count(Gold(edits), texts).array[:, 0]
                totals[annotator] += counts.sum(axis=0)
                if missing == "plain":
                    self._keep(self._of_annotator(annotator, edits, counts, texts))

    def _keep(self, unmatched: Iterable[Unmatched]) -> None:
        for block in unmatched:
            self.causes[block.cause] += 1
            if self._most is None or self.causes[block.cause] <= self._most:
                self.unmatched.append(block)

    @staticmethod
    def _of_annotator(
        annotator: int, blocks: Blocks, counts: NDArray[np.int64], texts: Sequence[str]
    ) -> Iterator[Unmatched]:
        is_off = (counts[:, 1:] != counts[:, :1]).any(axis=1)  # a repeated edit may match more than is proposed
        has_edits = np.diff(blocks.edits.offsets[blocks.edits.versions]) > 0
        for s in np.flatnonzero(is_off | has_edits).tolist():
            block = blocks[s]
            edits = block.edits_of(annotator)
            if is_off[s]:
                cause = next(cause for cause, applies in CAUSES.items() if applies(block, edits))
            elif edits and text_in_file_order(block, edits) != texts[s]:
                cause = REORDERED
            else:
                continue
            correct, proposed, gold = counts[s].tolist()
            yield Unmatched(block.line, annotator, correct, proposed, gold, cause)
