"""Change rate: share of all sentences that a system changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import ratio
from geceval.counting.metric import About, Metric, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import setting
from geceval.metrics.shared.changed_texts import BLANKS, CASING, QUOTES, SPLITS, ChangedTexts
from geceval.text.columns import Hypothesis, as_text
from geceval.text.corpus import Corpus, InputForm
from geceval.text.m2.blocks import Blocks

COLUMNS = ("sentences", "changed")


@dataclass(frozen=True)
class ChangeRate(Metric[Corpus]):
    """Share of all sentences that a system changes.

    It says how much a system does, not whether it is right. Spaces at the end of a line never count; ``blanks``,
    ``casing``, ``quotes`` and ``splits`` decide about other changes, as in ``FalseAlarms``.
    """

    name: ClassVar[str] = "change-rate"
    about: ClassVar[About] = About("sentences that are changed", "quotes=no")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    uses_references: ClassVar[bool] = False
    input_form: ClassVar[InputForm] = "edits"
    scale: ClassVar[Scale] = Scale(plain_parts=frozenset({"sentences"}), description="changes")

    blanks: bool = setting(False, meaning=BLANKS)
    casing: bool = setting(True, meaning=CASING)
    quotes: bool = setting(True, meaning=QUOTES)
    splits: bool = setting(True, meaning=SPLITS)

    @property
    def changes(self) -> ChangedTexts:
        """The changes of a text that count."""
        return ChangedTexts(self.blanks, self.casing, self.quotes, self.splits)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature; M2 has no blanks."""
        settings = super().signed(inputs)
        if inputs.m2:
            settings.pop("blanks")
        return settings

    def prepare(self, corpus: Corpus, threads: int = 0) -> Corpus:
        return corpus

    def count(self, prepared: Corpus, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return 1 and whether the sentence is changed, ``array[s, 0, k]``."""
        is_text = not isinstance(hypothesis, Blocks)
        changed = ~self.changes.unchanged(prepared.source, as_text(hypothesis), has_blanks=is_text)
        array = np.stack([np.ones(len(changed), np.int64), changed.astype(np.int64)], axis=-1)
        return Counts(array[:, np.newaxis], COLUMNS)

    def score(self, totals: NDArray[Any]) -> Floats:
        sentences, changed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return ratio(changed, sentences, np.nan)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return {"sentences": np.asarray(totals, np.float64)[..., 0]}
