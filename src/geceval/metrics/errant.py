"""ERRANT: F over the edits of a system and of the annotators; and net benefit: right edits minus costs of wrong ones.

Edits come from M2 or are extracted from text. With M2 on both sides the score is the plain F-score of edits.

Source: Bryant, Felice and Briscoe, ACL 2017.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, KernelError
from geceval.base.errors import InputError, UsageError, input_error
from geceval.base.kernel_errors import kernel_message
from geceval.counting.counts import Counts, Evidence, Floats
from geceval.counting.figures import F, ratio
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About, ByKind, Outcomes, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import SELECTED, Selection
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator, Merging
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import (
    COLUMNS,
    COUNTED,
    Matching,
    Mode,
    OnEdits,
    Size,
    evidence_without_edits,
    possible_types,
    warn_of_unknown,
)
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.type_selectors import TypeSelectors, near_types

CRITERION = "criterion of equal edits: span and correction (cs), and type (cse), span (ds), token (dt)"
EXCLUDED = "types of edits that do not count, joined by +: R:PUNCT, PUNCT (any operation), R, VERB*"

#: The corpus, and the edits of its references.
PreparedErrant: TypeAlias = tuple[Corpus, Edits]


@dataclass(frozen=True)
class Errant(FMetric[PreparedErrant], OnEdits[PreparedErrant]):
    """F over edits, in the modes of errant_compare.

    References are the gold edits of the corpus, if any, else its texts, annotated by ``annotator``. ``exclude``: types
    that do not count, joined by ``+``: ``R:PUNCT``, ``PUNCT`` (with any operation), ``R`` or ``VERB*``. ``types``: the
    only types that count, on both sides, before references are chosen; an annotator without one has found nothing.

    Source: Bryant, Felice and Briscoe, Automatic Annotation and Evaluation of Error Types (ACL 2017).
    """

    name: ClassVar[str] = "errant"
    about: ClassVar[About] = About("F of edits, also by type of error", "mode=ds")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    edit_columns: ClassVar[tuple[str, ...]] = COLUMNS

    mode: Mode = setting("cs", meaning=CRITERION)
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    selection: Selection = setting("running", "selecting", meaning=SELECTED)
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, "preparing", meaning="annotator that finds edits in text")
    merging: Merging = setting("rules", "preparing", meaning="merging of adjacent changes into edits")
    lev: bool = setting(False, "preparing", meaning="whether texts are aligned by plain Levenshtein distance")
    size: Size = setting("all", meaning="size of the edits that count: all, at most one token, more tokens")
    exclude: str | None = setting(None, meaning=EXCLUDED)
    types: str | None = setting(None, meaning=COUNTED)

    @cached_property
    def f(self) -> F:
        """F, rounded as in errant_compare, which makes ties frequent.

        Ties: more TP, fewer FP, fewer FN.
        """
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        ties = (tp, (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
        return F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ties, digits=4)

    @cached_property
    def excluded(self) -> TypeSelectors | None:
        return None if self.exclude is None else TypeSelectors.of(self.exclude)

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        return ByKind(adds=self.mode in ("cs", "cse"))

    def remarks(self, corpus: TextSource) -> list[str]:
        """Return a warning of gold edits that do not count.

        Raises:
            UsageError: If a type, counted or excluded, is no type of ERRANT or of any edit of the corpus.
        """
        if self.excluded is not None:
            types, tag_set = possible_types(corpus)
            for pattern in self.excluded.unmatched(types):
                message = f"errant: exclude names {pattern!r}, which is not a type {tag_set}of any edit here"
                raise UsageError(message, hint=near_types(pattern, types))
        self.check_types(corpus)
        if self.mode in ("cs", "cse"):
            return warn_of_unknown(self.name, corpus, " (errant:mode=ds counts them)")
        return []

    @property
    def extraction(self) -> Extraction:
        """The extraction of edits from text."""
        return Extraction(self.annotator, self.merging, self.lev)

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedErrant:
        if corpus.gold is None and not corpus.references:
            raise InputError("ERRANT needs references: gold edits (M2) or corrected texts")
        return corpus, reference_edits(corpus, self.extraction, threads)

    def count(
        self, prepared: PreparedErrant, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return counts ``array[s, r, k]``."""
        corpus, references = prepared
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        try:
            matching = Matching(self.mode, self.size, self.excluded, self.selectors)
            return matching.compare(edits, references, threads, evidence=evidence)
        except KernelError as error:
            blocks = hypothesis if isinstance(hypothesis, Blocks) else corpus.gold
            if blocks is None or error.sentence is None:
                raise input_error(error) from error
            raise blocks[error.sentence].error(kernel_message(error)) from error


#: Largest cost: products with numbers of edits stay exact enough to be ordered.
HIGHEST = 1e6


@dataclass(frozen=True)
class NetBenefit(OnEdits[PreparedErrant]):
    """Correct edits minus ``cost`` times wrong edits, per 1,000 source tokens.

    Edits are found and compared as by ``Errant``. A sentence without tokens counts as one token. The score of a
    sentence is TP - cost * FP, by the reference where it is highest; the sum over the sentences is therefore the
    highest that any choice of references gives.

    Source: Vickers and Elkin, Decision Curve Analysis (Medical Decision Making, 2006).
    """

    name: ClassVar[str] = "net-benefit"
    about: ClassVar[About] = About("correct edits minus wrong ones", "cost=4")
    columns: ClassVar[tuple[str, ...]] = (*COLUMNS, "tokens")
    edit_columns: ClassVar[tuple[str, ...]] = COLUMNS
    scale: ClassVar[Scale] = Scale(-math.inf, math.inf, in_percent=False, plain_parts=frozenset({"right", "wrong"}))
    outcomes: ClassVar[Outcomes] = Outcomes({"tp": "correct", "fp": "wrong", "fn": "missed"})

    cost: float = setting(1.0, "scoring", Bounds(0, HIGHEST), meaning="cost of a wrong edit, in correct edits")
    mode: Mode = setting("cs", meaning=CRITERION)
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, "preparing", meaning="annotator that finds edits in text")
    exclude: str | None = setting(None, meaning=EXCLUDED)
    types: str | None = setting(None, meaning=COUNTED)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.errant

    @cached_property
    def errant(self) -> Errant:
        """The metric that counts the edits."""
        return Errant(self.mode, annotator=self.annotator, exclude=self.exclude, types=self.types)

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        """Edits of a kind have no tokens, and therefore no score."""
        unknown = frozenset({"score", "right", "wrong"})
        return ByKind({"tokens": "(tokens)"}, unknown, adds=self.errant.by_kind.adds)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return the benefit of a sentence, then TP and fewer FN."""
        tp, _, fn, _ = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
        return np.stack([self.own_score(counts), tp, -fn], axis=-1)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature; the annotator and its version as ERRANT's."""
        of_errant = self.errant.signed(inputs)
        settings = {name: of_errant[name] for name in super().signed(inputs) if name in of_errant}
        return {"cost": self.cost} | settings

    @property
    def prepare_key(self) -> Hashable:
        """Key of ERRANT's preparation, which is shared."""
        return self.errant.prepare_key

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        return [*super().remarks(corpus), *self.errant.remarks(corpus)]

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedErrant:
        return self.errant.prepare(corpus, threads)

    def count(
        self, prepared: PreparedErrant, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return ERRANT's counts and the number of source tokens ``array[s, r, k]``."""
        counts = self.errant.count(prepared, hypothesis, threads, evidence=evidence)
        tokens = np.array([max(len(str(line).split()), 1) for line in prepared[0].source], counts.array.dtype)
        column = tokens[:, np.newaxis, np.newaxis] * counts.mask[..., np.newaxis]
        of_tokens = evidence_without_edits(np.concatenate([np.zeros_like(counts.array), column], -1))
        rows = None if counts.evidence is None else Evidence.concatenate([counts.evidence, of_tokens], [0, 0])
        return replace(counts, array=np.concatenate([counts.array, column], -1), columns=self.columns, evidence=rows)

    def score(self, totals: NDArray[Any]) -> Floats:
        return 1000 * ratio(self.own_score(totals), np.asarray(totals)[..., -1], 0.0)

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """Return TP - cost * FP."""
        return np.asarray(counts[..., 0] - self.cost * counts[..., 1], np.float64)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return the right and the wrong edits per 1,000 tokens."""
        return {name: 1000 * ratio(totals[..., k], totals[..., -1], 0.0) for k, name in enumerate(("right", "wrong"))}
