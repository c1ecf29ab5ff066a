"""Arrays of the counts of all systems on a part of a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.statistics.resampling import Keys, Whole, as_integers


def chosen_rows(parts: Sequence[Counts], choices: Sequence[NDArray[np.intp]]) -> Whole:
    """Return the counts [S, n, m · K] of the chosen references [m, S] of each system."""
    rows = [
        np.stack([part.chosen(choice) for choice in of_references], axis=1).reshape(len(part), -1)
        for part, of_references in zip(parts, choices, strict=True)
    ]
    return as_integers(np.stack(rows, axis=1))


def sentence_scores(metric: AnyMetric, parts: Sequence[Counts], members: Mapping[str, Sequence[int]]) -> Floats:
    """Return the sentence scores [n, S] of the systems, means over their runs."""
    return means(np.stack([metric.sentence_scores_of(part) for part in parts], axis=-1), members).T


def join_parts(parts: Sequence[tuple[Keys, list[Counts]]]) -> tuple[Keys, list[Counts]]:
    """Join the keys and the counts of the parts."""
    keys, rows = zip(*parts, strict=True)
    return np.concatenate(keys), [Counts.concatenate(counts) for counts in zip(*rows, strict=True)]


def means(scores: Floats, members: Mapping[str, Sequence[int]]) -> Floats:
    """Return the mean scores [..., systems] of runs, from the scores [..., runs]."""
    return np.stack([scores[..., runs].mean(axis=-1) for runs in members.values()], axis=-1)
