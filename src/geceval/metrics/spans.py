"""Spans: verdicts on the suggestions of a grammar checker, and their F."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Floats
from geceval.counting.figures import F, ratio
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About, ByKind
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import SELECTED, Selection
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.edits.extraction import edit_objects
from geceval.metrics.shared.edit_matching import COUNTED, EvidenceRows, OnEdits, ragged_counts, warn_of_unknown
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.edit import UNKNOWN, Edit

COLUMNS = ("exact", "later", "place", "under", "over", "elsewhere", "missed")
EXACT, LATER, PLACE, UNDER, OVER, ELSEWHERE, MISSED = range(7)


@dataclass(frozen=True)
class Spans(FMetric[tuple[Corpus, Edits]], OnEdits[tuple[Corpus, Edits]]):
    """F of exact suggestions, with a verdict on each suggestion.

    A suggestion is exact if one of its first ``ranks`` replacements is a correction of a gold edit with its span. Other
    verdicts: a further replacement is right (later), the span is right (place), the suggestion is a part of a gold edit
    (under), it overlaps one and changes other tokens (over), or it overlaps none (elsewhere). Gold edits without an
    exact suggestion are missed.
    """

    name: ClassVar[str] = "spans"
    about: ClassVar[About] = About("F of suggestions of checkers", "ranks=3")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    edit_columns: ClassVar[tuple[str, ...]] = COLUMNS
    by_kind: ClassVar[ByKind] = ByKind(has_rules=True)

    ranks: int = setting(
        1, bounds=Bounds(1), meaning="number of replacements of a suggestion, best first, one of which must be correct"
    )
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    selection: Selection = setting("running", "selecting", meaning=SELECTED)
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")
    types: str | None = setting(None, meaning=COUNTED)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature; edits of text have one replacement."""
        settings = super().signed(inputs)
        if not inputs.m2:
            settings.pop("ranks")
        return settings

    @cached_property
    def f(self) -> F:
        """F with the rounding and the ties of ERRANT."""
        exact, missed = (tuple(float(column == k) for k in range(7)) for column in (EXACT, MISSED))
        wrong = tuple(float(EXACT < column < MISSED) for column in range(7))
        less_wrong, less_missed = (tuple(-weight for weight in weights) for weights in (wrong, missed))
        proposed, gold = (1.0, *wrong[1:]), (1.0, *missed[1:])
        return F(self.beta, exact, proposed, gold, wrong, missed, (exact, less_wrong, less_missed), digits=4)

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        return [*super().remarks(corpus), *warn_of_unknown(self.name, corpus)]

    def prepare(self, corpus: Corpus, threads: int = 0) -> tuple[Corpus, Edits]:
        return corpus, self.restricted(reference_edits(corpus, self.extraction, threads))

    def count(
        self, prepared: tuple[Corpus, Edits], hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return counts ``array[s, r, k]`` of the verdicts."""
        corpus, references = prepared
        edits = self.restricted(hypothesis_edits(corpus, hypothesis, self.extraction, threads, alternatives=True))
        cells, rows = [], EvidenceRows(text_of=lambda edit: "||".join(edit.corrections))
        system_edits, gold_edits = edit_objects(edits), edit_objects(references)
        for s in range(len(corpus)):
            [suggestions] = map(_without_noops, system_edits[s])
            for r, version in enumerate(gold_edits[s]):
                gold = [edit for edit in _without_noops(version) if edit.type != UNKNOWN]
                columns, missed = self.verdicts(suggestions, gold)
                cells.append(np.bincount([*columns, *[MISSED] * len(missed)], minlength=len(COLUMNS)))
                if evidence:
                    for edit, column in zip(suggestions, columns, strict=True):
                        rows.add((s, r, column), 1.0, HYPOTHESIS, edit)
                    for edit in missed:
                        rows.add((s, r, MISSED), 1.0, REFERENCE, edit)
        lengths = np.diff(references.versions)
        return ragged_counts(lengths, np.array(cells), COLUMNS, rows.evidence() if evidence else None)

    def verdicts(self, suggestions: Sequence[Edit], gold: Sequence[Edit]) -> tuple[list[int], list[Edit]]:
        """Return the column of each suggestion, and the missed gold edits."""
        spans = sorted((edit.start, edit.end) for edit in gold)
        furthest_ends = [-1, *accumulate((end for _, end in spans), max)]
        unmatched: dict[tuple[int, int, str], deque[int]] = {}
        for number, edit in enumerate(gold):
            for text in {*edit.alternatives}:
                unmatched.setdefault((edit.start, edit.end, text), deque()).append(number)
        matched, columns = set[int](), []
        for edit in suggestions:
            keys = [(edit.start, edit.end, text) for text in edit.alternatives]
            candidates = [unmatched[key] for key in keys[: self.ranks] if key in unmatched]
            for numbers in candidates:
                while numbers and numbers[0] in matched:
                    numbers.popleft()
            hit = min((numbers[0] for numbers in candidates if numbers), default=None)
            if hit is not None:
                matched.add(hit)
                columns.append(EXACT)
            elif any(key in unmatched for key in keys):
                columns.append(LATER)
            else:
                columns.append(_verdict_by_span(edit.start, edit.end, spans, furthest_ends))
        return columns, [edit for number, edit in enumerate(gold) if number not in matched]

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return precision, recall, and the share of each verdict."""
        proposed = np.asarray(totals)[..., :MISSED].sum(-1)
        shares = {name: ratio(totals[..., k], proposed, 0.0) for k, name in enumerate(COLUMNS[LATER:MISSED], LATER)}
        return super().parts(totals) | shares


def _without_noops(version: Sequence[Edit]) -> list[Edit]:
    return [edit for edit in version if not edit.is_noop]


def _verdict_by_span(start: int, end: int, spans: Sequence[tuple[int, int]], furthest_ends: Sequence[int]) -> int:
    """Return the column of a suggestion without a right replacement.

    ``spans`` are those of the gold edits, sorted, and ``furthest_ends[n]`` is the furthest end of the first n.
    """

    def end_before(limit: int) -> int:
        return furthest_ends[bisect_left(spans, (limit,))]

    position = bisect_left(spans, (start, end))
    if spans[position : position + 1] == [(start, end)]:
        return PLACE
    # A span that contains an insertion begins before it and ends after it.
    if end_before(min(start + 1, end)) >= max(start + 1, end):
        return UNDER
    return OVER if end_before(end) > start else ELSEWHERE
