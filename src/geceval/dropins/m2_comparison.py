"""Compare two M2 files, for ``errant_compare`` and ``cherrant_compare``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Edits, keyed_edits
from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.stderr import say
from geceval.counting.groups.breakdown import group_counts
from geceval.counting.groups.groupings import ByType, cut_as_errant
from geceval.counting.metric_names import make_metric
from geceval.metrics.shared.edit_matching import Matching, Mode, Size
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit_types import Tier

#: The usage lines of errant_compare and cherrant_compare.
USAGE = "%(prog)s [options] -hyp HYP -ref REF"
#: An annotator, and the edits of the annotator.
_Version: TypeAlias = tuple[int, list[tuple[object, ...]]]

TITLES: dict[Mode, str] = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
TIERS: dict[int, Tier] = {1: "operation", 2: "type", 3: "full"}


class CompareM2Request(CommandRequest):
    """The options of errant_compare."""

    hyp: str = option("-hyp", required=True, metavar="FILE")
    ref: str = option("-ref", required=True, metavar="FILE")
    beta: float = option("-b", "--beta", default=0.5)
    verbose: bool = option("-v", "--verbose")
    dt: bool = option("-dt")
    ds: bool = option("-ds")
    cs: bool = option("-cs")
    cse: bool = option("-cse")
    single: bool = option("-single")
    multi: bool = option("-multi")
    filt: tuple[str, ...] = option("-filt", metavar="TYPE")
    cat: int | None = option("-cat", bounds=Bounds(1, 3))

    def check(self) -> None:
        modes = [f"-{mode}" for mode in TITLES if getattr(self, mode)]
        if len(modes) > 1:
            raise UsageError(f"{' and '.join(modes)} exclude each other")
        if self.single and self.multi:
            raise UsageError("-single and -multi exclude each other: together they leave no edit")

    @property
    def matching(self) -> Matching:
        """The mode of matching."""
        mode: Mode = next((mode for mode in TITLES if getattr(self, mode)), "cs")
        size: Size = "single" if self.single else "multi" if self.multi else "all"
        return Matching(mode, size, frozenset(self.filt), literal=True)


def check_together(hypotheses: Blocks, references: Blocks, request: CompareM2Request) -> None:
    """Warn of different sentences.

    Raises:
        InputError: The files have different numbers of sentences.
    """
    if len(hypotheses) != len(references):
        lengths = f"\n  -hyp  {request.hyp}  {len(hypotheses)}\n  -ref  {request.ref}  {len(references)}"
        raise InputError(f"the files have different numbers of sentences{lengths}")
    different = hypotheses.source.differing(references.source)
    if different:
        first = hypotheses[different[0]]
        more = f"  {len(different)} sentences differ; scored as if they did not"
        say(f"warning: {first.error('not the sentence of the reference')}\n{more}")


class M2Comparison:
    """Two M2 files, with the best pair of annotators so far for each sentence.

    The public tools pair every annotator of one file with every annotator of the other, while a system of the
    stream has one version of a sentence. Edits are compared here directly.

    Attributes:
        typed: Whether edits are listed with their types.
        numbers: The numbers of the sentences (default: from 0).
    """

    def __init__(
        self,
        request: CompareM2Request,
        hypotheses: Blocks,
        references: Blocks,
        *,
        typed: bool = True,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self._matching, self._tier, self._typed = request.matching, request.cat, typed
        self._metric: Any = make_metric("errant", mode=self._matching.mode, beta=request.beta)
        self._numbers = range(len(hypotheses)) if numbers is None else numbers
        self._edits = hypotheses.edits, references.edits
        try:
            self.counts = self._matching.compare(*self._edits, evidence=request.verbose or self._tier is not None)
        except ValueError as error:
            message, s = error.args
            raise references[s].error(message) from error
        [self.choice] = self._metric.choices(self.counts)
        self._chosen = self.counts.chosen(self.choice)
        self._before = np.cumsum(self._chosen, axis=0) - self._chosen  # the counts before each sentence

    @cached_property
    def _listed(self) -> list[list[list[_Version]]]:
        """The versions of each sentence on either side."""
        return [_listed(edits, self._matching, self._typed) for edits in self._edits]

    def print_pairs(self, s: int, head: str = "") -> None:
        """Print every pair of annotators of a sentence, and the chosen one."""
        number, pairs = self._numbers[s], list(itertools.product(*(versions[s] for versions in self._listed)))
        for r, (one, other) in enumerate(pairs):
            print(f"{head}{'':-^40}\nSENTENCE {number} - HYP {one[0]} - REF {other[0]}")
            print("HYPOTHESIS EDITS :", one[1])
            print("REFERENCE EDITS  :", other[1])
            counts = self.counts.array[s, r]
            self._print_counts("Local", counts.tolist())
            self._print_counts("Global", (self._before[s] + counts).tolist())
        one, other = pairs[self.choice[s]]
        print(f"{'':-^40}\n^^ HYP {one[0]}, REF {other[0]} chosen for sentence {number}")

    def _print_counts(self, name: str, counts: Sequence[int]) -> None:
        print(f"{name} TP/FP/FN".ljust(17) + ":", *counts)
        print(f"{name} P/R/F{self._metric.beta}  :", *self._rounded(counts))

    def print_results(self) -> None:
        """Print the scores by category, then the scores."""
        title, f_name = TITLES[self._matching.mode], f"F{self._metric.beta}"
        if self._tier is not None:
            groups = group_counts(self.counts, self.choice, ByType(TIERS[self._tier], cut_as_errant)).sorted()
            print(f"\n{title:=^66}")
            print("Category".ljust(14), *(head.ljust(8) for head in ("TP", "FP", "FN", "P", "R")), f_name)
            for name, counts in zip(groups.labels, groups.sums[0].tolist(), strict=True):
                precision, recall, f = self._rounded(counts)
                print(name.ljust(14), *(str(cell).ljust(8) for cell in (*counts, precision, recall)), f)
        totals = self._chosen.sum(axis=0).tolist()
        print(f"\n{title:=^46}")
        print("TP", "FP", "FN", "Prec", "Rec", f_name, sep="\t")
        print(*totals, *self._rounded(totals), sep="\t")
        print(f"{'':=^46}\n")

    def _rounded(self, counts: Sequence[int]) -> list[float]:
        totals = np.array(counts)
        figures = (*self._metric.precision_recall(totals), self._metric.score(totals))
        return [round(float(figure), 4) for figure in figures]


def _listed(edits: Edits, matching: Matching, typed: bool) -> list[list[_Version]]:
    """Return the annotators of each sentence with their printed edits, without noops."""
    settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
    offsets, start, end, text, types = (column.tolist() for column in keyed_edits(edits, *settings))
    strings = edits.strings
    corrections, names = ([strings[place] for place in places] for places in (text, types))
    columns: list[Sequence[object]] = [start, end]
    if matching.mode == "cse":
        columns.append(names)
    if matching.mode in ("cs", "cse"):
        columns.append(corrections)
    if typed:
        columns.append(names)
    rows = list(zip(*columns, strict=True))
    own = [sorted(rows[first:last]) for first, last in itertools.pairwise(offsets)]
    shown = [[] if found and found[0][0] == -1 else found for found in own]
    versions = list(zip(edits.annotator.tolist(), shown, strict=True))
    return [versions[first:last] for first, last in itertools.pairwise(edits.versions.tolist())]
