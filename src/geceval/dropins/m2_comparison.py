"""Compare two M2 files, for ``errant_compare`` and ``cherrant_compare``."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Edits, keyed_edits
from geceval.base.errors import InputError
from geceval.cli.stderr import say
from geceval.counting.groups.breakdown import group_counts
from geceval.counting.groups.groupings import ByType, cut_as_errant
from geceval.counting.metric_names import make_metric
from geceval.metrics.shared.edit_matching import Matching, Mode
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Tier

#: An annotator, and the edits of the annotator.
_Version: TypeAlias = tuple[int, list[tuple[object, ...]]]

TITLES: dict[Mode, str] = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
TIERS: dict[int, Tier] = {1: "operation", 2: "type", 3: "full"}


def comparison_parser(prog: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of errant_compare, to which cherrant_compare adds options."""
    usage = "%(prog)s [options] -hyp HYP -ref REF"
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    parser.add_argument("-hyp", required=True, metavar="FILE", help="M2 file with the system's edits")
    parser.add_argument("-ref", required=True, metavar="FILE", help="M2 file with the annotators' edits")
    parser.add_argument("-b", "--beta", type=float, default=0.5, help="weight of recall (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every sentence with its counts")
    modes = {
        "dt": "detection: tokens",
        "ds": "detection: spans",
        "cs": "correction: spans and corrections (default)",
        "cse": "correction: spans, corrections and types",
    }
    group = parser.add_mutually_exclusive_group()
    for mode, text in modes.items():
        group.add_argument(f"-{mode}", action="store_const", dest="mode", const=mode, default="cs", help=text)
    sizes = {
        "single": "only edits of at most one token on either side",
        "multi": "only edits of two or more tokens on some side",
    }
    group = parser.add_mutually_exclusive_group()
    for size, text in sizes.items():
        group.add_argument(f"-{size}", action="store_const", dest="size", const=size, default="all", help=text)
    parser.add_argument("-filt", nargs="+", default=[], metavar="TYPE", help="error types that do not count")
    parser.add_argument("-cat", type=int, choices=TIERS, metavar="N", help="scores by 1: operation, 2: type, 3: both")
    return parser


def matching_of(options: argparse.Namespace) -> Matching:
    """Return the edits to compare, and the criterion."""
    return Matching(options.mode, options.size, frozenset(options.filt), literal=True)


def check_together(hypotheses: Blocks, references: Blocks, options: argparse.Namespace) -> None:
    """Warn of different sentences.

    Raises:
        InputError: The files have different numbers of sentences.
    """
    if len(hypotheses) != len(references):
        lengths = f"\n  -hyp  {options.hyp}  {len(hypotheses)}\n  -ref  {options.ref}  {len(references)}"
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
        options: argparse.Namespace,
        hypotheses: Blocks,
        references: Blocks,
        *,
        typed: bool = True,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self._matching, self._tier, self._typed = matching_of(options), options.cat, typed
        self._metric: Any = make_metric("errant", mode=self._matching.mode, beta=options.beta)
        self._numbers = range(len(hypotheses)) if numbers is None else numbers
        self._edits = hypotheses.edits, references.edits
        try:
            self.counts = self._matching.compare(*self._edits, evidence=options.verbose or self._tier is not None)
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
        for r, (hypothesis, reference) in enumerate(pairs):
            print(f"{head}{'':-^40}\nSENTENCE {number} - HYP {hypothesis[0]} - REF {reference[0]}")
            print("HYPOTHESIS EDITS :", hypothesis[1])
            print("REFERENCE EDITS  :", reference[1])
            counts = self.counts.array[s, r]
            self._print_counts("Local", counts.tolist())
            self._print_counts("Global", (self._before[s] + counts).tolist())
        hypothesis, reference = pairs[self.choice[s]]
        print(f"{'':-^40}\n^^ HYP {hypothesis[0]}, REF {reference[0]} chosen for sentence {number}")

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
    keys = keyed_edits(edits, settings)
    strings = edits.strings
    corrections, names = ([strings[number] for number in column.tolist()] for column in (keys["text"], keys["type"]))
    columns: list[Sequence[object]] = [keys["start"].tolist(), keys["end"].tolist()]
    if matching.mode == "cse":
        columns.append(names)
    if matching.mode in ("cs", "cse"):
        columns.append(corrections)
    if typed:
        columns.append(names)
    rows = list(zip(*columns, strict=True))
    sorted_rows = [sorted(rows[first:last]) for first, last in itertools.pairwise(keys["offsets"].tolist())]
    printed = [[] if version and version[0][0] == -1 else version for version in sorted_rows]
    versions = list(zip(edits.annotator.tolist(), printed, strict=True))
    return [versions[first:last] for first, last in itertools.pairwise(edits.versions.tolist())]
