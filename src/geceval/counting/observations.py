"""Observations of a run: properties of the input for signatures, and sums of columns for warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval.base.caller_warnings import warn
from geceval.counting.counts import Counts
from geceval.text.columns import leaves_unchanged
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE

#: Name of a system without name.
ALONE = "hypothesis"
#: Number of sentences that are read at a time only to observe them.
PART = 1 << 14


@dataclass(frozen=True)
class SignatureInputs:
    """Properties of the input that affect a number and that the signature contains.

    Attributes:
        references: Number of references, "2", or "1-2" if it differs between sentences.
        origin: "gold" for given gold edits; "reannotated" for edits found in their corrected texts; "fallback" or
            "plain" for texts made from gold edits, by the treatment of annotators without a line; empty for reference
            texts.
        overlaps: Treatment of overlapping gold edits that leaves out edits; empty if they are an error.
        misfits: Treatment of edits that do not fit their sentence, likewise.
        m2: Whether the system is given as edits.
        pool: Systems of the run, for pooled metrics.
        prepared: Steps of preparation of the texts, such as ``(("tok", "english-1(systems)"),)``.
        has_own_references: Whether some of the references belong to the system alone.
        own_source: Whether the system corrects its own source.
    """

    references: str = ""
    origin: str = ""
    overlaps: str = ""
    misfits: str = ""
    m2: bool = False
    pool: tuple[str, ...] = ()
    prepared: tuple[tuple[str, str], ...] = ()
    has_own_references: bool = False
    own_source: bool = False

    @staticmethod
    def number(few: int, many: int) -> str:
        """Return the smallest and the largest number of references in one text."""
        return str(few) if few == many else f"{few}-{many}"

    @property
    def annotated(self) -> bool:
        """Whether a metric on edits extracts edits from text."""
        return self.origin != "gold" or not self.m2


@dataclass
class Observed:
    """Observations of a run in the parts that it reads, for signatures.

    Attributes:
        texts: Smallest and largest number of reference texts of a sentence; None before the first part.
        own_references: The same of the systems with own references, by system.
        gold: The same of annotators of gold edits.
        uncorrected: Systems whose sentences all equal the source so far.
    """

    texts: tuple[int, int] | None = None
    own_references: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    gold: tuple[int, int] | None = None
    uncorrected: frozenset[str] = frozenset()

    @staticmethod
    def of(source: TextSource) -> Observed:
        """Return the observations of a source, which is read."""
        observed = Observed()
        for part in source.parts(PART):
            observed.add(part)
        return observed

    def add(self, part: Corpus) -> None:
        """Observe the next part."""
        names = part.systems.keys() - {SOURCE} if self.texts is None else self.uncorrected
        unchanged = frozenset(name for name in names if leaves_unchanged(part.source_of(name), part.systems[name]))
        gold = None if part.gold is None else part.annotator_numbers()
        numbers_by_system = {name: part.reference_numbers(name) for name in part.own_references}
        self.merge(Observed(part.reference_numbers(), numbers_by_system, gold, unchanged))

    def merge(self, other: Observed) -> None:
        """Add what was observed in other parts."""
        self.uncorrected = other.uncorrected if self.texts is None else self.uncorrected & other.uncorrected
        self.texts, self.gold = _widest(self.texts, other.texts), _widest(self.gold, other.gold)
        first, second = self.own_references, other.own_references
        ranges = {name: _widest(first.get(name), second.get(name)) for name in {**first, **second}}
        self.own_references = {name: numbers for name, numbers in ranges.items() if numbers is not None}


def _widest(*ranges: tuple[int, int] | None) -> tuple[int, int] | None:
    known = [numbers for numbers in ranges if numbers is not None]
    return (min(few for few, _ in known), max(many for _, many in known)) if known else None


@dataclass(frozen=True)
class WarningColumns:
    """Sums of the columns of metrics with final remarks or checks; can be pickled."""

    _sums: dict[Any, dict[str, float]] = field(default_factory=dict)

    def add(self, metric: Any, counts: Counts) -> None:
        """Add counts of a metric."""
        if metric.final_remarks is not None or metric.check_sums is not None:
            sums = self._sums.setdefault(metric, dict.fromkeys(counts.columns, 0.0))
            for name, column in zip(counts.columns, np.moveaxis(counts.array, -1, 0), strict=True):
                sums[name] += float(column.sum())

    def merge(self, other: WarningColumns) -> None:
        """Add the sums of another object."""
        for metric, sums in other._sums.items():
            total = self._sums.setdefault(metric, dict.fromkeys(sums, 0.0))
            for name, value in sums.items():
                total[name] += value

    def remarks(self) -> Iterator[str]:
        """Yield the warnings of the metrics on the sums."""
        for metric, sums in self._sums.items():
            yield from metric.final_remarks(sums) if metric.final_remarks is not None else ()

    def check(self) -> None:
        """Raise UsageError for sums of a whole corpus that have no meaning for their metric."""
        for metric, sums in self._sums.items():
            if metric.check_sums is not None:
                metric.check_sums(sums)


def warn_of(remarks: Iterable[str]) -> None:
    """Warn (GecevalWarning) about each remark once."""
    for remark in dict.fromkeys(remarks):
        warn(remark)
