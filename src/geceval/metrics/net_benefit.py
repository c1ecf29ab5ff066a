"""Net benefit: right edits of ERRANT, minus wrong ones times their cost."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import HYPOTHESIS, Counts, Evidence, Floats, SignatureInputs
from geceval.counting.metric import About, ByKind, Outcomes, Scale
from geceval.counting.policies import Figure, RankingFigure, ratio
from geceval.counting.settings import Bounds, setting
from geceval.edits.annotation import Annotator
from geceval.metrics.errant import Errant, PreparedErrant
from geceval.metrics.shared.edit_matching import COLUMNS, Mode, OnEdits
from geceval.text.corpus import Corpus, Hypothesis, TextSource

#: Largest cost: products with numbers of edits stay exact enough to be ordered.
HIGHEST = 1e6


@dataclass(frozen=True)
class NetBenefit(OnEdits[PreparedErrant]):
    """Right edits minus wrong edits times ``cost``, per 1,000 source tokens.

    Edits are found and compared as by ``Errant``. A sentence without tokens counts as one token. The score of a
    sentence is TP - cost * FP, by the reference where it is highest; the sum over the sentences is therefore the
    highest that any choice of references gives.

    Source: Vickers and Elkin, Decision Curve Analysis (Medical Decision Making, 2006).
    """

    name: ClassVar[str] = "net-benefit"
    about: ClassVar[About] = About("right edits minus costs of wrong edits", "cost=4")
    columns: ClassVar[tuple[str, ...]] = (*COLUMNS, "tokens")
    scale: ClassVar[Scale] = Scale(-math.inf, math.inf, in_percent=False, plain_parts=frozenset({"right", "wrong"}))
    outcomes: ClassVar[Outcomes] = Outcomes({"tp": "correct", "fp": "wrong", "fn": "missed"})

    cost: float = setting(1.0, "scoring", Bounds(0, HIGHEST), meaning="cost of a wrong edit, in right edits")
    mode: Mode = setting(
        "cs", meaning="criterion of equal edits: span and correction (cs), and type (cse), span (ds), token (dt)"
    )
    annotator: Annotator | str = setting("builtin", "preparing", meaning="annotator that finds edits in text")
    exclude: str | None = setting(None, meaning="types of edits that do not count, joined by +")
    valid: str | None = setting(None, meaning="M2 file of edits that are right although no reference has them")

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.errant

    @cached_property
    def errant(self) -> Errant:
        """The metric that counts the edits."""
        return Errant(self.mode, annotator=self.annotator, exclude=self.exclude, valid=self.valid)

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        """Edits of a kind have no tokens, and therefore no score."""
        unknown = frozenset({"score", "right", "wrong"})
        return ByKind({"tokens": "(tokens)"}, unknown, adds=self.errant.by_kind.adds)

    @property
    def figure(self) -> Figure:
        """Benefit of a sentence; of equal ones the reference with more TP, then fewer FN."""
        return RankingFigure(self._ranks)

    def _ranks(self, counts: NDArray[Any]) -> Floats:
        tp, _, fn, _ = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
        return np.stack([self.own_score(counts), tp, -fn], axis=-1)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature; the annotator, its version and ``valid`` as ERRANT's."""
        of_errant = self.errant.signed(inputs)
        settings = {name: of_errant[name] for name in super().signed(inputs) if name in of_errant}
        return {"cost": self.cost} | settings

    @property
    def prepare_key(self) -> Hashable:
        """Key of ERRANT's preparation, which is shared."""
        return self.errant.prepare_key

    def remarks(self, corpus: TextSource) -> list[str]:
        return self.errant.remarks(corpus)

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedErrant:
        return self.errant.prepare(corpus, threads)

    def count(
        self, prepared: PreparedErrant, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return ERRANT's counts and the number of source tokens ``array[s, r, k]``."""
        counts = self.errant.count(prepared, hypothesis, threads, evidence=evidence)
        tokens = np.array([max(len(str(line).split()), 1) for line in prepared[0].source], counts.array.dtype)
        column = tokens[:, np.newaxis, np.newaxis] * counts.mask[..., np.newaxis]
        rows = None if counts.evidence is None else Evidence.concatenate([counts.evidence, _of_tokens(column)], [0, 0])
        return replace(counts, array=np.concatenate([counts.array, column], -1), columns=self.columns, evidence=rows)

    def score(self, totals: NDArray[Any]) -> Floats:
        return 1000 * ratio(self.own_score(totals), np.asarray(totals)[..., -1], 0.0)

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """Return TP - cost * FP."""
        return np.asarray(counts[..., 0] - self.cost * counts[..., 1], np.float64)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return the right and the wrong edits per 1,000 tokens."""
        return {name: 1000 * ratio(totals[..., k], totals[..., -1], 0.0) for k, name in enumerate(("right", "wrong"))}


def _of_tokens(column: NDArray[Any]) -> Evidence:
    """Return the evidence of the numbers of tokens [S, R, 1]: a row for each cell, which is no edit."""
    sentence, reference, _ = np.nonzero(column)
    rows = len(sentence)
    no_edit = dict.fromkeys(("start", "end", "text", "type"), np.zeros(rows, np.int32))
    weight, side = column[sentence, reference, 0].astype(np.float64), np.full(rows, HYPOTHESIS, np.uint8)
    return Evidence(
        sentence, reference, np.full(rows, len(COLUMNS), np.int64), weight, side, **no_edit, strings=("",)
    )  # fmt: skip
