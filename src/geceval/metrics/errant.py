"""ERRANT: F over the edits of a system and of the annotators.

Edits come from M2 or are extracted from text. With M2 on both sides the score is the plain F-score of edits.

Source: Bryant, Felice and Briscoe, ACL 2017.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from geceval._kernel import Edits, KernelError
from geceval.base.errors import InputError, UsageError, input_error
from geceval.counting.counts import Counts, SignatureInputs
from geceval.counting.metric import About, ByKind, FMetric
from geceval.counting.policies import F, Selection
from geceval.counting.settings import FINITE, setting
from geceval.edits.annotation import UPOS, Annotator, Merging
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import (
    COLUMNS,
    AcceptedEdits,
    Matching,
    Mode,
    OnEdits,
    Size,
    read_accepted,
    signed_valid,
    warn_of_unknown,
)
from geceval.text.corpus import Corpus, Hypothesis, Lines, TextSource, has_edits
from geceval.text.m2.edit import UNKNOWN, correction_of

#: Parts of types after the operation: ERRANT's, universal parts of speech, and additions of other languages.
CATEGORIES = (
    UPOS
    | {f"{pos}:INFL" for pos in UPOS}
    | frozenset(
        "ADJ:FORM CONJ CONTR DIACR MORPH NOUN:INFL NOUN:NUM NOUN:POSS ORTH ORTH:CASING ORTH:WSPACE OTHER PREP SPACE"
        " SPELL VERB:FORM VERB:INFL VERB:SVA VERB:TENSE WO WO:SPELL".split()
    )
)


def is_type(name: str) -> bool:
    """Return whether edits found in text can have this type."""
    operation, _, category = name.partition(":")
    return name == UNKNOWN or (operation in ("M", "R", "U") and (category in CATEGORIES or name == operation))


#: The corpus, and the edits of its references.
PreparedErrant: TypeAlias = tuple[Corpus, Edits]


@dataclass(frozen=True)
class Errant(FMetric[PreparedErrant], OnEdits[PreparedErrant]):
    """F over edits, in the modes of errant_compare.

    References are the gold edits of the corpus, if any, else its texts, annotated by ``annotator``. ``exclude``: types
    that do not count, joined by ``+``.
    ``valid``: an M2 file of edits that are right although no reference has them; as false positives they become true
    ones.

    Source: Bryant, Felice and Briscoe, Automatic Annotation and Evaluation of Error Types (ACL 2017).
    """

    name: ClassVar[str] = "errant"
    about: ClassVar[About] = About("F of edits, also by type of error", "mode=ds")
    columns: ClassVar[tuple[str, ...]] = COLUMNS

    mode: Mode = setting(
        "cs", meaning="criterion of equal edits: span and correction (cs), and type (cse), span (ds), token (dt)"
    )
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    selection: Selection = setting(
        "running", "selecting", meaning="choice of references: in the order of the sentences, or for the best total"
    )
    annotator: Annotator | str = setting("builtin", "preparing", meaning="annotator that finds edits in text")
    merging: Merging = setting("rules", "preparing", meaning="merging of adjacent changes into edits")
    lev: bool = setting(False, "preparing", meaning="whether texts are aligned by plain Levenshtein distance")
    size: Size = setting("all", meaning="size of the edits that count: all, at most one token, more tokens")
    exclude: str | None = setting(None, meaning="types of edits that do not count, joined by +")
    valid: str | None = setting(None, meaning="M2 file of edits that are right although no reference has them")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.valid is not None and self.mode not in ("cs", "cse"):
            raise UsageError(f"errant: valid edits are corrections, which mode {self.mode} does not compare")

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        return super().signed(inputs) | signed_valid(self.valid)

    @cached_property
    def f(self) -> F:
        """F, rounded as in errant_compare, which makes ties frequent.

        Ties: more TP, fewer FP, fewer FN.
        """
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        ties = (tp, (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
        return F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ties, digits=4)

    @property
    def excluded(self) -> list[str]:
        """The types that do not count."""
        return self.exclude.split("+") if self.exclude else []

    @property
    def by_kind(self) -> ByKind:  # type: ignore[override]
        return ByKind(adds=self.mode in ("cs", "cse"))

    def remarks(self, corpus: TextSource) -> list[str]:
        """Return warnings of excluded types and of gold edits that do not count."""
        present = corpus.edit_types if self.exclude else ()
        unknown = [name for name in self.excluded if not is_type(name) and name not in present]
        remark = "errant: exclude names {!r}, which is no type of ERRANT's nor of any edit here"
        warnings = [remark.format(name) for name in unknown]
        if self.mode in ("cs", "cse"):
            warnings += warn_of_unknown(self.name, corpus, " (errant:mode=ds counts them)")
        return warnings

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
            matching = Matching(self.mode, self.size, frozenset(self.excluded))
            counts = matching.compare(edits, references, threads, evidence=evidence or self.valid is not None)
        except KernelError as error:
            blocks = hypothesis if has_edits(hypothesis) else corpus.gold
            if blocks is None or error.sentence is None:
                raise input_error(error) from error
            raise blocks[error.sentence].error(str(error)) from error
        if self.valid is None:
            return counts
        counts = with_valid(counts, corpus.source, edits.literal, read_accepted(self.valid))
        return counts if evidence else counts.without_evidence()


def with_valid(counts: Counts, source: Lines, literal: bool, valid: AcceptedEdits) -> Counts:
    """Return counts in which accepted false positives are true ones.

    ``counts`` have their evidence.
    """
    evidence = counts.evidence
    assert evidence is not None
    tp, fp = COLUMNS.index("tp"), COLUMNS.index("fp")
    strings = [correction_of(string, literal) for string in evidence.strings]
    right, _ = valid.accept(evidence, np.flatnonzero(evidence.column == fp), source, strings)
    array, column = counts.array.copy(), evidence.column.copy()
    sentence, reference = evidence.sentence[right], evidence.reference[right]
    np.add.at(array[..., fp], (sentence, reference), -1)
    np.add.at(array[..., tp], (sentence, reference), 1)
    column[right] = tp
    return replace(counts, array=array, evidence=replace(evidence, column=column))
