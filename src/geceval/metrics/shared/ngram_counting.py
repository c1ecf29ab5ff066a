"""N-grams of hypotheses, sources and references, counted by the kernel."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import NgramTable, Text
from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, input_error
from geceval.counting.counts import Evidence, SignatureInputs
from geceval.counting.metric import FormulaMetric
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus, InputForm

Unit: TypeAlias = Literal["word", "char", "grapheme"]
#: Every space is a character, as in the public tools; otherwise lines have single spaces between words.
Blanks: TypeAlias = Literal["all"]
BLANKS = "spaces that count as characters: all, or one between words (none)"

#: The seven regions of the Venn diagram of source, reference and hypothesis: true keep, true delete, true insert,
#: over-delete, over-insert, under-delete, under-insert. The kernel's eighth column is the under-deleted n-grams that
#: the reference lacks altogether.
REGIONS = ("tk", "td", "ti", "od", "oi", "ud", "ui")
UD_ABSENT = len(REGIONS)


#: The largest n-gram order: with the counts of a part, which grow with it, memory stays bounded.
ORDERS = Bounds(1, 100)


class NgramMetric(FormulaMetric["Ngrams"]):
    """A metric on n-grams, with at least the settings ``n``, ``unit`` and ``blanks``.

    They have the role "preparing": metrics with equal ones share the prepared n-grams.
    """

    #: Enough for two threads to pay: parts of 2,048 take 1.4 times as long, and half the memory for six systems.
    block: ClassVar[int] = 1 << 13

    n: int
    unit: Unit
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
        return Ngrams(corpus, self.n, self.unit, threads)

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


class Ngrams:
    """The n-grams (orders 1..n) of S sources and their R references.

    They are prepared for any number of hypotheses. ``present[s, r]`` is False where sentence s has no reference r; it
    is None if all are present. Raises InputError without references, and for an n with which the counts of one system
    exceed 4 GiB or a sentence has more than 2^26 n-grams.
    """

    #: Largest order of evidence, which is then without n-grams that all texts share; None: all evidence.
    longest: int | None = None

    def __init__(self, corpus: Corpus, n: int, unit: Unit, threads: int = 0) -> None:
        if not corpus.references:
            raise InputError("the n-gram metrics need references: corrected texts, or gold edits that make them")
        references = corpus.references
        self.present: NDArray[np.bool_] | None = None
        if not all(reference.complete for reference in references):
            self.present = np.array([[line is not None for line in reference] for reference in references]).T
        keep = len(corpus.systems) != 1  # n-grams of a single hypothesis are numbered with the references
        self._arguments = corpus.source, references, n, unit, keep
        self._make_table(threads)

    def _make_table(self, threads: int = 0) -> None:
        source, references, n, unit, keep = self._arguments
        with _kernel_errors():
            self._table = NgramTable(source, references, n, unit, threads, keep)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the arguments, from which the kernel's table is made again."""
        return self.present, self._arguments

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.present, self._arguments = state
        self._make_table()

    def for_differences(self, longest: int) -> Ngrams:
        """Return the n-grams with the attribute ``longest``."""
        ngrams = object.__new__(Ngrams)
        vars(ngrams).update(vars(self), longest=longest)
        return ngrams

    def count(self, hypothesis: Lines, threads: int = 0, *, absent: bool = False) -> NDArray[np.int32]:
        """Return ``[s, r, order, column]``: the REGIONS, and UD_ABSENT on request.

        Rows of missing references are 0.
        """
        text = Text(hypothesis)
        with _kernel_errors():
            counts = self._table.count(text, threads, absent)
        if self.present is not None:
            counts[~self.present] = 0
        return counts

    def evidence(self, hypothesis: Lines, threads: int = 0) -> NgramRows:
        """Return the n-grams of ``count``; missing references have none."""
        text = Text(hypothesis)
        with _kernel_errors():
            return NgramRows(**self._table.evidence(text, threads, self.longest))


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
