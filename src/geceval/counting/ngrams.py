"""What the n-gram metrics share: the overlaps of a hypothesis with its source and references, counted by the kernel."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import NgramTable
from geceval.counting.metric import Metric
from geceval.counting.settings import Bounds
from geceval.errors import InputError
from geceval.text.corpus import Corpus, Hypothesis, References, as_text

Unit: TypeAlias = Literal["word", "char", "grapheme"]
UNITS: tuple[Unit, ...] = get_args(Unit)

#: The seven regions of the Venn diagram of source, reference and hypothesis: true keep, true delete, true insert,
#: over-delete, over-insert, under-delete, under-insert. The kernel's eighth column is the under-deleted n-grams that
#: the reference lacks altogether.
REGIONS = ("tk", "td", "ti", "od", "oi", "ud", "ui")
UD_ABSENT = len(REGIONS)


#: The largest n-gram order.
ORDERS = Bounds(1)


class NgramMetric(Metric["Ngrams"]):
    """A metric on n-grams; its settings are ``n`` and ``unit`` at least. Equal ones share the prepared n-grams."""

    n: int
    unit: Unit

    @property
    def prepare_key(self) -> Hashable:
        return (NgramMetric, self.n, self.unit)

    def prepare(self, corpus: Corpus, threads: int = 0) -> Ngrams:
        return Ngrams(corpus, self.n, self.unit, threads)


class Ngrams:
    """The n-grams (orders 1..n) of S sources and their R references, prepared for any number of hypotheses.

    ``present[s, r]`` is False where sentence s has no reference r; None if none is missing.
    """

    def __init__(self, corpus: Corpus, n: int, unit: Unit, threads: int = 0) -> None:
        references = corpus.references
        if not references:
            raise InputError("the n-gram metrics need references: corrected texts, or gold edits that make them")
        self.present = _present(references)
        if self.present is not None:
            references = [["" if line is None else line for line in reference] for reference in references]
        texts = list(zip(corpus.source, *references, strict=True))
        self._table = NgramTable(texts, n, unit, threads)

    def count(self, hypothesis: Hypothesis, threads: int = 0) -> NDArray[np.int32]:
        """``[s, r, order, column]``: the seven REGIONS and UD_ABSENT. Rows of missing references are 0."""
        counts = self._table.count(as_text(hypothesis), threads)
        if self.present is not None:
            counts[~self.present] = 0
        return counts


def _present(references: References) -> NDArray[np.bool_] | None:
    if all(None not in reference for reference in references):
        return None
    return np.array([[line is not None for line in reference] for reference in references]).T
