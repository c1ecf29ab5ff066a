"""MaxMatch (M²): F of the edits that agree most with the gold edits.

Source: Dahlmeier and Ng, NAACL 2012.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option, Step
from geceval.counting.counts import Counts
from geceval.counting.figures import F
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About, ByKind, Scale
from geceval.counting.policies import SELECTED, Selection
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.metrics.shared.edit_matching import (
    GOLD_COLUMNS,
    Gold,
    matched_by_kind,
)
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus


@dataclass(frozen=True)
class MaxMatch(FMetric[Gold]):
    """MaxMatch with F weighted by beta.

    ``max_unchanged_words`` tokens may be unchanged within one edit. ``ignore_whitespace_casing`` drops edits that
    change only spaces and case. ``selection`` chooses the annotators: ``running`` as the official scorer, in the order
    of the sentences, or ``optimum``, independent of the order. A sentence that takes more than ``timeout`` seconds
    counts as unmatched, with a warning.

    Source: Dahlmeier and Ng, Better Evaluation for Grammatical Error Correction (NAACL 2012).
    """

    name: ClassVar[str] = "maxmatch"
    about: ClassVar[About] = About("F of edits closest to gold edits", "max_unchanged_words=3", title="MaxMatch")
    columns: ClassVar[tuple[str, ...]] = GOLD_COLUMNS
    takes_gold: ClassVar[bool] = True
    by_kind: ClassVar[ByKind] = matched_by_kind("proposed")
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    scale: ClassVar[Scale] = Scale(0.0, math.inf, conventions=FMetric.scale.conventions)

    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    max_unchanged_words: int = setting(
        2, bounds=Bounds(0, (1 << 32) - 1), meaning="number of unchanged tokens allowed within one edit"
    )
    ignore_whitespace_casing: bool = setting(False, meaning="whether edits of only spaces and case are ignored")
    selection: Selection = setting("running", "selecting", meaning=SELECTED)
    timeout: float | None = setting(
        None,
        bounds=Bounds(0, 1e9, open=True),
        meaning="seconds allowed for a sentence, which then counts as unmatched; none: no limit",
    )

    def prepare(self, corpus: Corpus, threads: int = 0) -> Gold:
        if corpus.gold is None:
            python = "gold=list(m2.read(path))"
            hint = Hint("an M2 file: ", Step(Hint(Option("gold", "FILE"), f", in Python {python}"), python))
            raise InputError("MaxMatch needs gold edits", hint=hint)
        return Gold(corpus.gold)

    def count(self, prepared: Gold, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return counts [S, annotators, columns].

        Warns of each sentence that exceeds the timeout. Evidence: see Gold.matched.
        """
        settings = self.max_unchanged_words, self.ignore_whitespace_casing, self.timeout
        counts = prepared.matched(hypothesis, *settings, threads, evidence=evidence)
        for s in [] if counts.given_up is None else np.flatnonzero(counts.given_up).tolist():
            late = prepared.blocks[s].error(f"sentence {s + 1} is unmatched: it took more than {self.timeout:g} s")
            warn(str(late))
        return counts

    @cached_property
    def f(self) -> F:
        correct, proposed, gold = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        less_beside = (0.0, -1.0, -(self.beta**2))
        return F(self.beta, correct, proposed, gold, proposed, gold, ties=(correct, less_beside), of="sums")
