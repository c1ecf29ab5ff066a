"""False alarms: correct sentences that a system changes. Lower is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError
from geceval.counting.counts import HYPOTHESIS, Counts, Evidence, Floats
from geceval.counting.figures import ratio
from geceval.counting.metric import About, ByKind, Outcomes, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import Mean, Policy
from geceval.counting.settings import setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits
from geceval.metrics.shared.changed_texts import BLANKS, CASING, QUOTES, SPLITS, ChangedTexts
from geceval.metrics.shared.edit_matching import OnEdits, counted_edits, evidence_without_edits, sentences_of
from geceval.text.columns import Hypothesis, as_text
from geceval.text.corpus import Corpus, InputForm
from geceval.text.m2.blocks import Blocks

#: The references that must leave a sentence as it is: all, any of them, or each (the mean over references).
Rule: TypeAlias = Literal["all", "any", "each"]

COLUMNS = ("correct", "changed", "words", "edits")
#: Parts that are numbers.
PLAIN = frozenset({"sentences", "edits_per_sentence"})


@dataclass(frozen=True, eq=False)
class PreparedFalseAlarms:
    """A corpus and its correct sentences.

    ``correct[s, r]``: whether sentence s needs no change by reference r, or by the rule (R = 1). ``words``: number of
    source tokens.
    """

    corpus: Corpus
    words: NDArray[np.int64]
    correct: NDArray[np.bool_]
    present: NDArray[np.bool_] | None


@dataclass(frozen=True)
class FalseAlarms(OnEdits[PreparedFalseAlarms]):
    """False alarms: share of the correct sentences that a system changes.

    A sentence is correct if its references leave it as it is (``rule``: all, any or each of them). Spaces at the end of
    a line never count; ``blanks`` and ``casing`` decide about other spaces, which M2 does not have, and about case.
    ``quotes`` and ``splits`` decide whether a system that changes the style of quotation marks, or splits or joins
    words, changes a sentence; a reference that does so changes it. The counts of a sentence are 1 if it is correct and,
    if so, 1 if the system changes it, the number of source tokens and the number of edits. With ``per="words"`` the
    score is the number of edits per 1,000 of these tokens instead of the share of sentences. With ``types`` only edits
    of these types count, and a sentence is changed if it has one. A sentence that is not correct scores 0; a corpus
    without correct sentences scores nan.
    """

    name: ClassVar[str] = "false-alarms"
    about: ClassVar[About] = About("changed correct sentences", "rule=any")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    takes_gold: ClassVar[bool] = False
    carries_edits: ClassVar[bool] = False
    input_form: ClassVar[InputForm] = "edits"
    references_together: ClassVar[bool] = True
    outcomes: ClassVar[Outcomes] = Outcomes({"edits": "wrong"})
    policy: ClassVar[Policy] = Mean()
    by_kind: ClassVar[ByKind] = ByKind(shared=("correct", "words"), sentences={"changed": "edits"}, has_rules=True)

    rule: Rule = setting(
        "all", "preparing", meaning="references that must leave a sentence as it is: all, any, or each (a mean)"
    )
    blanks: bool = setting(False, "preparing", meaning=BLANKS)
    casing: bool = setting(True, "preparing", meaning=CASING)
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")
    per: Literal["sentence", "words"] = setting(
        "sentence", "scoring", meaning="share of changed sentences, or number of edits per 1,000 words"
    )
    quotes: bool = setting(True, meaning=QUOTES)
    splits: bool = setting(True, meaning=SPLITS)
    types: str | None = setting(None, meaning="only types of edits that count, joined by +: R:VERB:SVA, DET, R, VERB*")

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        is_share = self.per == "sentence"
        return Scale(0.0, 1.0 if is_share else math.inf, higher_is_better=False, in_percent=is_share, plain_parts=PLAIN)

    @property
    def extracts_edits(self) -> bool:  # type: ignore[override]
        return self.per == "words" or self.types is not None

    @property
    def changes(self) -> ChangedTexts:
        """The changes of a system that count."""
        return ChangedTexts(self.blanks, self.casing, self.quotes, self.splits)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature.

        The annotator is included if the system is text; blanks if a text is not made from M2, which has none.
        """
        settings = super().signed(inputs)
        if inputs.m2 and inputs.origin:
            settings.pop("blanks")
        for name in ("quotes", "splits"):  # omitted at their default, so that old signatures stay valid
            if settings[name]:
                settings.pop(name)
        return settings | ({} if inputs.m2 else {"annotator": self.extraction.extractor.annotator.name})

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedFalseAlarms:
        if not corpus.references:
            raise InputError("references are required: corrected texts or gold edits")
        has_blanks = not corpus.has_texts_of_gold
        annotated = ChangedTexts(self.blanks, self.casing, quotes=True, splits=True)
        rows = [annotated.unchanged(corpus.source, reference, has_blanks=has_blanks) for reference in corpus.references]
        present = np.array([[text is not None for text in reference] for reference in corpus.references]).T
        same = np.array(rows).T
        words = np.array([len(line.split()) for line in corpus.source], np.int64)
        if self.rule == "each":
            return PreparedFalseAlarms(corpus, words, same, None if present.all() else present)
        together = np.all(same | ~present, axis=1, keepdims=True), np.any(same, axis=1, keepdims=True)
        return PreparedFalseAlarms(corpus, words, together[self.rule == "any"], None)

    def count(
        self, prepared: PreparedFalseAlarms, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return the counts [S, R, K].

        The evidence has a row for each correct sentence and its words, for each changed one and for each edit in them.
        """
        corpus, correct = prepared.corpus, prepared.correct
        changed = self._changed(prepared, hypothesis)
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        sentence = sentences_of(edits)
        counted = counted_edits(edits, self.selectors) & changed[sentence]
        edit_counts = np.bincount(sentence[counted], minlength=len(corpus))
        if self.selectors is not None:
            changed = edit_counts > 0
        columns = (column[:, np.newaxis] for column in (changed, prepared.words, edit_counts))
        array = np.stack(np.broadcast_arrays(correct, *columns), -1)
        array = array.astype(np.int64) * correct[..., np.newaxis]
        rows = None
        if evidence:
            edit, reference = np.nonzero(counted[:, np.newaxis] & correct[sentence])
            column, weight = np.full(len(edit), 3), np.ones(len(edit))
            side = np.full(len(edit), HYPOTHESIS, np.uint8)
            of_edits = Evidence(
                sentence[edit], reference, column, weight, side,
                edits.start[edit], edits.end[edit], edits.text[edit], edits.type[edit], strings=edits.strings,
            )  # fmt: skip
            rows = Evidence.concatenate([evidence_without_edits(array[..., :3]), of_edits], [0, 0])
        return Counts(array, COLUMNS, prepared.present, rows)

    def _changed(self, prepared: PreparedFalseAlarms, hypothesis: Hypothesis) -> NDArray[np.bool_]:
        """Return whether a sentence [S] is correct and the system changes it."""
        source, texts = prepared.corpus.source, as_text(hypothesis)
        correct = np.flatnonzero(prepared.correct.any(axis=1))
        lines = [[columns[s] for s in correct.tolist()] for columns in (source, texts)]
        is_changed = np.zeros(len(source), np.bool_)
        is_changed[correct] = ~self.changes.unchanged(*lines, has_blanks=not isinstance(hypothesis, Blocks))
        return is_changed

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        """Return the names of the references, or the rule that joins them."""
        return names if self.rule == "each" else [self.rule]

    def score(self, totals: NDArray[Any]) -> Floats:
        correct, changed, words, edits = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return ratio(changed, correct, np.nan) if self.per == "sentence" else 1000 * ratio(edits, words, np.nan)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        correct, _, _, edits = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return {"sentences": correct, "edits_per_sentence": ratio(edits, correct, np.nan)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return np.nan_to_num(self.score(counts))

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return {name: np.nan_to_num(part) for name, part in self.parts(counts).items()}
