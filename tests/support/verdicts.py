"""Verdicts of people who prefer outputs by the numbers of their edits, with known weights."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.agreement.study import Study
from geceval.m2 import Block, Edit
from geceval.statistics.judged_pairs import Pairs
from geceval.text.corpus import Corpus

#: Words of a sentence, and its edits: inserted, replaced or deleted tokens at 12 positions.
TOKENS = [f"w{k}" for k in range(24)]
OPERATIONS = "MRU"


def edit(position: int, word: str) -> Edit:
    """Return an edit at a position, whose operation depends on the position; deletions need no word."""
    operation, start = OPERATIONS[position % 3], 2 * position
    return Edit(start, start + (operation != "M"), f"{operation}:OTHER", ("" if operation == "U" else word,))


def edit_counts(sentences: int, systems: int, seed: int) -> NDArray[np.int64]:
    """Return the edits of outputs [systems, sentences, 12]: 1 is correct, 2 outside the reference, 0 is none.

    The reference corrects the first six positions, so that an edit at another one is outside of it.
    """
    generator = np.random.default_rng(seed)
    shares = generator.uniform(0.1, 0.6, size=(systems, 1, 1))
    return (generator.random((systems, sentences, 12)) < shares) * np.where(np.arange(12) < 6, 1, 2)


def simulated_study(edits: NDArray[np.int64], log_odds: Any, seed: int, share: float = 1.0) -> Study:
    """Return a study whose verdicts are drawn from the log-odds [systems, sentences] of the outputs' quality.

    ``share`` is the share of pairs of outputs that are judged.
    """
    generator, source = np.random.default_rng(seed), " ".join(TOKENS)
    systems, sentences, positions = edits.shape
    names = tuple(f"system{k}" for k in range(systems))
    outputs = {
        name: [Block(source, tuple(edit(k, "right") for k in np.flatnonzero(row))) for row in rows]
        for name, rows in zip(names, edits, strict=True)
    }
    gold = [Block(source, tuple(edit(k, "right") for k in range(positions // 2)))] * sentences
    rows = [
        (s, a, b, 1 if generator.random() < 1 / (1 + np.exp(log_odds[b, s] - log_odds[a, s])) else -1)
        for s in range(sentences)
        for a, b in combinations(range(systems), 2)
        if generator.random() < share
    ]
    source_id, first, second, outcome = np.array(rows).T
    pairs = Pairs(names, source_id, first.astype(np.uint32), second.astype(np.uint32), outcome.astype(np.int8))
    corpus = Corpus([source] * sentences, (), outputs, gold)
    return Study(pairs, corpus, {s: s for s in range(sentences)})


def differences(study: Study, columns: NDArray[Any]) -> NDArray[np.float64]:
    """Return the columns [systems, sentences, d] of the preferred output minus those of the other one, by verdict."""
    rows = []
    for s, a, b, outcome in zip(
        *(column.tolist() for column in (study.pairs.source_id, study.pairs.first, study.pairs.second)),
        study.pairs.outcome.tolist(),
        strict=True,
    ):
        if outcome:
            rows.append(outcome * (columns[a, s] - columns[b, s]))
    return np.array(rows, np.float64)


def correct_and_outside(edits: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the numbers [systems, sentences, 2] of correct edits and of others."""
    return np.stack([(edits == 1).sum(axis=-1), (edits == 2).sum(axis=-1)], axis=-1).astype(np.float64)
