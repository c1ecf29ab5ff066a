"""N-grams of hypotheses, sources and references, counted by the kernel."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import NgramCorpus, Text
from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, input_error
from geceval.counting.counts import Counts, Evidence
from geceval.counting.formula_metric import FormulaMetric
from geceval.counting.observations import SignatureInputs
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus, InputForm

NgramUnit: TypeAlias = Literal["word", "char", "grapheme"]
#: Every space is a character, as in the public tools; otherwise lines have single spaces between words.
Blanks: TypeAlias = Literal["all"]
BLANKS = "spaces that count as characters: all, or one between words (none)"

#: The seven regions of the Venn diagram of source, reference and hypothesis: true keep, true delete, true insert,
#: over-delete, over-insert, under-delete, under-insert. The kernel's eighth column is the under-deleted n-grams that
#: the reference lacks altogether.
REGIONS = ("tk", "td", "ti", "od", "oi", "ud", "ui")
UD_ABSENT = len(REGIONS)


#: Largest number of counts of several systems in memory at a time, unless one system has more.
_CELLS = 1 << 24

#: The largest n-gram order: with the counts of a part, which grow with it, memory stays bounded.
ORDERS = Bounds(1, 100)


class NgramMetric(FormulaMetric["Ngrams"]):
    """A metric on n-grams, with at least the settings ``n``, ``unit`` and ``blanks``.

    They have the role "preparing": metrics with equal ones share the prepared n-grams.
    """

    #: Enough for two threads to pay: parts of 2,048 take 1.4 times as long, and half the memory for six systems.
    block: ClassVar[int] = 1 << 13

    n: int
    unit: NgramUnit
    blanks: Blanks | None

    @property
    def input_form(self) -> InputForm:
        return "texts" if self.unit != "word" and self.blanks is None else "lines"

    @property
    def counts_words(self) -> bool:
        return self.unit == "word"

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature; blanks are no part of words."""
        settings = super().signed(inputs)
        if self.unit == "word":
            settings.pop("blanks", None)
        return settings

    def prepare(self, corpus: Corpus, threads: int = 0) -> Ngrams:
        if not corpus.references:
            raise InputError("the n-gram metrics need references: corrected texts, or gold edits that make them")
        return Ngrams(corpus.source, corpus.references, self.n, self.unit)

    def count(self, prepared: Ngrams, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        [overlaps] = prepared.count([hypothesis], threads, absent=self.counts_absent)
        return self.counts_of(overlaps, prepared, hypothesis, threads, evidence=evidence)

    def count_systems(
        self, prepared: Ngrams, hypotheses: Sequence[Lines], threads: int = 0, *, evidence: bool = False
    ) -> Iterator[Counts]:
        if type(self).count is not NgramMetric.count:  # a subclass counts in its own way
            yield from super().count_systems(prepared, hypotheses, threads, evidence=evidence)
            return
        overlaps_of_systems = prepared.count(hypotheses, threads, absent=self.counts_absent)
        for hypothesis, overlaps in zip(hypotheses, overlaps_of_systems, strict=True):
            yield self.counts_of(overlaps, prepared, hypothesis, threads, evidence=evidence)

    @property
    def counts_absent(self) -> bool:
        """Whether UD_ABSENT is needed."""
        return False

    @abstractmethod
    def counts_of(
        self, overlaps: NDArray[np.int32], prepared: Ngrams, hypothesis: Lines, threads: int, *, evidence: bool
    ) -> Counts:
        """Return the counts of a system, from its overlaps [s, r, order, column]; see ``count``."""

    @property
    def narrowed(self) -> Callable[[Ngrams, int], Ngrams]:
        return Ngrams.for_differences


@dataclass(frozen=True, eq=False)
class NgramRows:
    """N-grams of all regions, as columns of equal length.

    Each row is an n-gram in a region (0..7) of an order (1..n) of a sentence and reference: ``text`` is its index in
    ``strings``, ``weight`` its number of occurrences.
    """

    sentence: NDArray[np.int32]
    reference: NDArray[np.int32]
    order: NDArray[np.int32]
    region: NDArray[np.int32]
    weight: NDArray[np.int32]
    text: NDArray[np.int32]
    strings: Sequence[str]

    def to(self, rows: NDArray[Any], column: NDArray[Any], weight: NDArray[Any] | None = None) -> Evidence:
        """Return the evidence that these rows add to columns of the counts.

        ``weight``: replaces the weights of the rows.
        """
        weight = self.weight[rows] if weight is None else weight
        return Evidence(
            self.sentence[rows].astype(np.int64),
            self.reference[rows].astype(np.int64),
            column.astype(np.int64),
            weight.astype(np.float64),
            text=self.text[rows],
            order=self.order[rows],
            strings=self.strings,
        )


@dataclass(frozen=True, eq=False)
class Ngrams:
    """Sources and references whose n-grams (orders 1..n) are compared with those of hypotheses.

    Attributes:
        source: Source sentences [S].
        references: Reference sentences [R][S].
        n: Largest order.
        unit: Unit of the n-grams.
        longest: Largest order of evidence, which is then without n-grams that all texts share; None: all evidence.
    """

    source: Text
    references: tuple[Text, ...]
    n: int
    unit: NgramUnit
    longest: int | None = None

    @cached_property
    def present(self) -> NDArray[np.bool_] | None:
        """Whether sentence s has a reference r, [S, R]; None if all are present."""
        if all(reference.complete for reference in self.references):
            return None
        return np.array([[line is not None for line in reference] for reference in self.references]).T

    def for_differences(self, longest: int) -> Ngrams:
        """Return the n-grams with the attribute ``longest``."""
        return replace(self, longest=longest)

    def count(
        self, hypotheses: Sequence[Lines], threads: int = 0, *, absent: bool = False
    ) -> Iterator[NDArray[np.int32]]:
        """Yield ``[s, r, order, column]`` of each hypothesis: the REGIONS, and UD_ABSENT on request.

        Rows of missing references are 0.

        Raises:
            InputError: If the counts of a hypothesis exceed 4 GiB, or a sentence has more than 2^26 n-grams.
        """
        corpus, present, step = self._kernel_corpus(), self.present, self._together
        for start in range(0, len(hypotheses), step):
            texts = [Text(lines) for lines in hypotheses[start : start + step]]
            with _kernel_errors():
                arrays = corpus.count(texts, threads, absent)
            for counts in arrays:
                if present is not None:
                    counts[~present] = 0
                yield counts

    def best_sums(self, hypotheses: Sequence[Lines], beta: float, threads: int = 0) -> list[NDArray[np.int64]]:
        """Return the sums [7n] of the regions of each hypothesis with the references of the highest F.

        Raises:
            InputError: See ``count``.
        """
        texts = [Text(lines) for lines in hypotheses]
        with _kernel_errors():
            return self._kernel_corpus().best_sums(texts, beta, threads)

    @property
    def _together(self) -> int:
        """Number of hypotheses whose counts are in memory at a time."""
        cells = len(self.source) * len(self.references) * self.n * (len(REGIONS) + 1)
        return max(1, _CELLS // max(1, cells))

    def evidence(self, hypothesis: Lines, threads: int = 0) -> NgramRows:
        """Return the n-grams of ``count``; missing references have none."""
        text = Text(hypothesis)
        with _kernel_errors():
            return NgramRows(**self._kernel_corpus().evidence(text, threads, self.longest))

    def _kernel_corpus(self) -> NgramCorpus:
        return NgramCorpus(self.source, self.references, self.n, self.unit)


@contextlib.contextmanager
def _kernel_errors() -> Iterator[None]:
    """Convert errors of the kernel to InputError."""
    try:
        yield
    except ValueError as error:
        raise input_error(error) from None


def orders_of(counts: NDArray[Any], n: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return match, penalty, total [..., n] and lengths [..., 2] of GLEU's counts."""
    match, penalty, total = np.moveaxis(counts[..., :-2].reshape(*counts.shape[:-1], n, 3), -1, 0)
    return match, penalty, total, counts[..., -2:]
