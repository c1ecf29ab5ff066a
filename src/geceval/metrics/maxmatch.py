"""MaxMatch (M²): F-score of the edits that agree most with the gold edits (Dahlmeier and Ng, NAACL 2012)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import GoldTable
from geceval.counting.contract import EvidenceOf
from geceval.counting.counts import Counts
from geceval.counting.figures import F
from geceval.counting.metric import FMetric
from geceval.counting.policies import Optimum, Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.errors import GecevalWarning, InputError
from geceval.text.corpus import Corpus, Hypothesis, as_text
from geceval.text.m2 import Block, Misfits, fitting

Selection: TypeAlias = Literal["running", "optimum"]
POLICIES: dict[Selection, Policy] = {"running": Running(), "optimum": Optimum()}

#: Kernel column that tells where the time ran out.
LATE = 3


@dataclass(frozen=True, eq=False)
class Gold:
    """The gold blocks and the kernel's table of them; ``present[s, a]``: sentence s has an annotator a."""

    blocks: Sequence[Block]
    table: GoldTable
    present: NDArray[np.bool_] | None


#: An edit of the hypothesis: start and end in the source, the source's tokens, the hypothesis' tokens.
HypothesisEdit: TypeAlias = tuple[int, int, list[str], list[str]]


@dataclass(frozen=True)
class View:
    """How one annotator's gold reads a hypothesis.

    ``proposed`` are the edits of the best path; ``correct`` those that match, once for each gold edit matched.
    """

    proposed: list[HypothesisEdit]
    correct: list[HypothesisEdit]


@dataclass(frozen=True)
class MaxMatch(FMetric[Gold]):
    """MaxMatch with F weighted by beta; ``max_unchanged_words`` tokens may stay unchanged inside one edit.

    ``ignore_whitespace_casing`` drops edits that change only blanks and case. ``selection`` chooses the annotators:
    ``running`` as the official scorer, in the order of the sentences, or ``optimum``, whatever their order.
    ``misfits``: edits outside their sentence are an error, or dropped as the official scorer does. A sentence that
    takes more than ``timeout`` seconds counts as unmatched, with a warning.
    """

    name: ClassVar[str] = "maxmatch"
    evidence_of: ClassVar[EvidenceOf] = "gold"
    #: Above 1 only where an annotator has one edit twice: an edit of the system then matches both.
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    beta: float = setting(0.5, "scoring", FINITE)
    max_unchanged_words: int = setting(2, bounds=Bounds(0, (1 << 32) - 1))
    ignore_whitespace_casing: bool = False
    selection: Selection = setting("running", "selecting")
    misfits: Misfits = "error"
    timeout: float | None = setting(None, bounds=Bounds(0, 1e9, open=True))

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
        blocks = list(fitting(corpus.gold, self.misfits))
        edits = [
            [[(e.start, e.end, e.alternatives) for e in block.edits_of(who)] for who in block.annotators]
            for block in blocks
        ]
        annotators = np.array([len(own) for own in edits])
        most = int(annotators.max())
        present = None if (annotators == most).all() else np.arange(most) < annotators[:, np.newaxis]
        return Gold(blocks, GoldTable([block.source for block in blocks], edits), present)

    def count(self, prepared: Gold, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        counts = prepared.table.count(
            as_text(hypothesis),
            self.max_unchanged_words,
            self.ignore_whitespace_casing,
            self.timeout,
            threads=threads,
        )
        for s in np.flatnonzero(counts[:, 0, LATE]).tolist():
            late = prepared.blocks[s].error(f"unmatched, for it took more than {self.timeout:g} s (sentence {s + 1})")
            warnings.warn(str(late), GecevalWarning, stacklevel=2)
        return Counts(counts[..., :LATE].astype(np.int64), self.columns, prepared.present)

    def views(self, prepared: Gold, s: int, hypothesis: str) -> list[View] | None:
        """How each annotator of sentence ``s`` reads its hypothesis; None if it took too long."""
        settings = (self.max_unchanged_words, self.ignore_whitespace_casing, self.timeout)
        views = prepared.table.views(s, hypothesis, *settings)
        if views is None:
            return None
        source, target = prepared.blocks[s].tokens, hypothesis.split()
        texts = [
            ([(start, end, source[start:end], target[first:last]) for start, end, first, last in edits], matches)
            for edits, matches in views
        ]
        return [View(edits, [edits[edit] for edit, _ in matches]) for edits, matches in texts]

    @property
    def f(self) -> F:
        correct, proposed, gold = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        less_beside = (0.0, -1.0, -(self.beta**2))
        return F(self.beta, correct, proposed, gold, proposed, gold, ties=(correct, less_beside), of="sums")
