"""MaxMatch (M²): F-score of the edits that agree most with the gold edits (Dahlmeier and Ng, NAACL 2012)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.gold import Gold, Matched
from geceval.counting.metric import Metric
from geceval.counting.policies import Optimum, Policy, Running
from geceval.errors import GecevalWarning, InputError, UsageError
from geceval.text.corpus import Corpus, Hypothesis
from geceval.text.m2 import Blocks, Misfits

Selection: TypeAlias = Literal["running", "optimum"]
POLICIES: dict[Selection, Policy] = {"running": Running(), "optimum": Optimum()}


@dataclass(frozen=True)
class MaxMatch(Metric):
    """MaxMatch with F weighted by beta; ``max_unchanged_words`` tokens may stay unchanged inside one edit.

    ``ignore_whitespace_casing`` drops edits that change only blanks and case. ``selection`` chooses the annotators:
    ``running`` as the official scorer, in the order of the sentences, or ``optimum``, whatever their order.
    ``misfits``: edits outside their sentence are an error, or dropped as the official scorer does. A sentence that
    takes more than ``timeout`` seconds counts as unmatched, with a warning.
    """

    name: ClassVar[str] = "maxmatch"
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    beta: float = 0.5
    max_unchanged_words: int = 2
    ignore_whitespace_casing: bool = False
    selection: Selection = "running"
    misfits: Misfits = "error"
    timeout: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.beta < math.inf:
            raise UsageError(f"beta is {self.beta}; it must be a finite number and not negative")
        if self.max_unchanged_words < 0:
            raise UsageError(f"max_unchanged_words is {self.max_unchanged_words}; it must not be negative")
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            raise UsageError(f"timeout is {self.timeout}; it must be a positive number of seconds")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("correct", "proposed", "gold")

    @property
    def policy(self) -> Policy:
        return POLICIES[self.selection]

    @property
    def label(self) -> str:
        return "MaxMatch"

    def prepare(self, corpus: Corpus, threads: int = 0) -> Gold:
        if corpus.gold is None:
            raise InputError(
                "MaxMatch needs gold edits", hint="an M2 file: --gold FILE, in Python gold=list(m2.read(path))"
            )
        return Gold.of(Blocks.of(corpus.gold), self.misfits)

    def count(self, prepared: Gold, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Counts [S, annotators, columns]; evidence: see Matched."""
        matched = self.matched(prepared, hypothesis, threads, evidence=evidence)
        return Counts(matched.array, self.columns, prepared.present, matched.evidence)

    def matched(self, prepared: Gold, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Matched:
        """The hypothesis as each annotator's gold reads it, with a warning for each sentence that took too long."""
        settings = self.max_unchanged_words, self.ignore_whitespace_casing, self.timeout
        matched = prepared.matched(hypothesis, *settings, threads, evidence=evidence)
        for s in np.flatnonzero(matched.late).tolist():
            late = prepared.blocks[s].error(f"unmatched, for it took more than {self.timeout:g} s (sentence {s + 1})")
            warnings.warn(str(late), GecevalWarning, stacklevel=3)
        return matched

    def precision_recall(self, totals: ArrayLike) -> tuple[Floats, Floats]:
        """Precision, 1 if nothing is proposed, and recall, 1 if there is no gold edit: [...] each."""
        correct, proposed, gold = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
        precision = np.divide(correct, proposed, out=np.ones_like(correct), where=proposed > 0)
        recall = np.divide(correct, gold, out=np.ones_like(correct), where=gold > 0)
        return precision, recall

    def score(self, totals: ArrayLike) -> Floats:
        precision, recall = self.precision_recall(totals)
        below = self.beta**2 * precision + recall
        above = (1 + self.beta**2) * precision * recall
        return np.divide(above, below, out=np.zeros_like(above), where=below > 0)

    def parts(self, totals: ArrayLike) -> dict[str, Floats]:
        precision, recall = self.precision_recall(totals)
        return {"precision": precision, "recall": recall}

    def running_key(self, totals: Sequence[Any]) -> tuple[float, ...]:
        """F from the sums (1 if there is nothing to find and nothing proposed), more correct, fewer beside."""
        correct, proposed, gold = totals
        beside = self.beta**2 * gold + proposed
        f = (1 + self.beta**2) * correct / beside if beside else float(correct == 0)
        return f, correct, -beside

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """As running_key, [..., 3]."""
        correct, proposed, gold = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
        beside = self.beta**2 * gold + proposed
        f = np.divide((1 + self.beta**2) * correct, beside, out=np.ones_like(beside), where=beside > 0)
        return np.stack([f, correct, -beside], axis=-1)

    @property
    def ratio(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return (1 + self.beta**2, 0.0, 0.0), (0.0, 1.0, self.beta**2)
