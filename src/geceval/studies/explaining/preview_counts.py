"""Counts from which a page computes scores with accepted edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.groups.groupings import evidence_of
from geceval.counting.run import kept_counts
from geceval.counting.stream import AnyMetric
from geceval.edits.changes import correction
from geceval.studies.explaining.examination import judge_among
from geceval.studies.explaining.examined_sentences import Examined
from geceval.text.corpus import TextSource


@dataclass(frozen=True)
class PreviewCounts:
    """Counts of ERRANT by sentence and system.

    Attributes:
        beta: Weight of recall.
        counts: For each sentence and system of the examined ones, in their order: the number of references; true
            positives, false positives and false negatives against each; and for each edit of the output the references
            against which it is a false positive, as bits.
    """

    beta: float
    counts: Sequence[Sequence[list[int]]]


def preview_counts(
    corpus: TextSource, metrics: Sequence[AnyMetric], examined: Examined, annotator: Any, threads: int = 0
) -> PreviewCounts | None:
    """Return the counts for a preview; None if it could differ from the score.

    The first metric on edits must be ERRANT with the selection ``running``, and all sentences must be examined.
    """
    judge: Any = judge_among(corpus, metrics, annotator)
    if judge is None or judge.name != "errant" or len(examined.sentences) < examined.total:
        return None
    if judge.selection != "running" or judge.mode not in ("cs", "cse") or judge.valid is not None:
        return None
    found: list[list[list[int]]] = [[] for _ in examined.sentences]
    for system, counts in kept_counts(corpus, judge, threads=threads, evidence=True).items():
        bits = _false_positives(counts, literal=system not in corpus.facts.m2_systems)
        for own, sentence in zip(found, examined.sentences, strict=True):
            place = sentence.number - 1
            numbers = counts.array[place, counts.mask[place]].astype(int)
            edits = sentence.outputs[system].version.edits
            masks = [bits[place, edit.start, edit.end, edit.text] for edit in edits]
            own.append([len(numbers), *numbers.ravel().tolist(), *masks])
    return PreviewCounts(judge.beta, found)


def _false_positives(counts: Counts, *, literal: bool) -> Counter[tuple[int, int, int, str]]:
    """Return the references against which edits are false positives, as bits.

    An edit is sentence, start, end and correction. The bit of a reference is its place among
    the references of the sentence.
    """
    evidence = evidence_of(counts)
    bit = 1 << (np.cumsum(counts.mask, axis=1) - 1)
    rows = np.flatnonzero(evidence.column == counts.columns.index("fp"))
    columns = (evidence.sentence, evidence.start, evidence.end, evidence.text, evidence.reference)
    found: Counter[tuple[int, int, int, str]] = Counter()
    for s, start, end, text, reference in zip(
        *(column[rows].tolist() for column in columns if column is not None), strict=True
    ):
        found[s, start, end, correction(evidence.strings[text], literal)] |= int(bit[s, reference])
    return found
