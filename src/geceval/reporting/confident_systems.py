"""Counts of sentences with some of their edits, for systems whose edits have confidences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOOP, used_types
from geceval.text.m2.operations import confidences

Places: TypeAlias = NDArray[np.intp]
#: Maximum number of edits in all variants of a system.
MOST_EDITS = 50_000_000


def rules_of(corpus: Corpus, name: str) -> list[str]:
    """Return the types of the edits of a system, the most frequent first. Raises InputError for one given as text."""
    edits = edits_of_system(corpus, name).edits
    numbers = np.bincount(edits.type)
    types = {index: kind for index, kind in used_types(edits).items() if kind != NOOP}
    return [types[index] for index in sorted(types, key=lambda index: (-numbers[index], types[index]))]


def edits_of_system(corpus: Corpus, name: str) -> Blocks:
    """Return the edits of a system. Raises InputError for a system given as text."""
    blocks = corpus.systems[name]
    if isinstance(blocks, Blocks):
        return blocks
    hint = "FILE.m2 with a number in the comment field of each edit: A 1 2|||R|||goes|||REQUIRED|||0.93|||0"
    raise InputError(f"system {name} is text, which has no confidences", hint=hint)


@dataclass(frozen=True)
class ConfidentSystem:
    """A system given as edits with confidences, and the metrics that count it.

    Attributes:
        corpus: The corpus, with source, references and gold edits.
        name: Name of the system.
        metrics: The metrics, which count each sentence alone.
        rule: Type of the edits that are made; empty: all.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of variants counted since its last call.

    Raises:
        UsageError: If a metric does not count each sentence alone.
    """

    corpus: Corpus
    name: str
    metrics: Sequence[AnyMetric]
    rule: str = ""
    threads: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for metric in self.metrics:
            if metric.pool is not None or metric.constant is not None or metric.judging is not None:
                why = "needs all systems, a constant of the corpus or a judge"
                hint = Hint(Option("metrics", "errant maxmatch green"))
                raise UsageError(f"{metric.name} cannot count one sentence: it {why}", hint=hint)

    @cached_property
    def blocks(self) -> Blocks:
        """The edits. Raises InputError for a system given as text."""
        blocks = edits_of_system(self.corpus, self.name)
        if not self.rule:
            return blocks
        types = [index for index, name in used_types(blocks.edits).items() if name == self.rule]
        return Blocks(blocks.table.kept(np.isin(blocks.edits.type, types)))

    @cached_property
    def confidences(self) -> Floats:
        """Confidences [E] of the edits, NaN for noops.

        Raises InputError if an edit has none.
        """
        values = confidences(self.blocks)
        if np.isnan(values).all():
            raise InputError(f"system {self.name} has no edits")
        return values

    @cached_property
    def sentence(self) -> Places:
        """Sentence [E] of each edit."""
        return np.repeat(np.arange(len(self.blocks)), np.diff(self.blocks.edits.offsets))

    def rows(self, sentences: Places) -> tuple[Places, Places]:
        """Return the edits of sentences in order, and the place of each edit's sentence."""
        offsets = self.blocks.edits.offsets
        sizes = np.diff(offsets)[sentences]
        if sizes.sum() > MOST_EDITS:
            message = f"system {self.name}: sentences with too many confidences, {sizes.sum():,} edits in all variants"
            raise UsageError(message, hint=Hint(Option("steps", "N"), " for fewer thresholds"))
        variant = np.repeat(np.arange(len(sentences)), sizes)
        return np.arange(len(variant)) + (offsets[sentences] - np.cumsum(sizes) + sizes)[variant], variant

    def counted(self, sentences: Places, keep: NDArray[np.bool_]) -> list[Counts]:
        """Return the counts of variants under each metric.

        Args:
            sentences: Sentence [V] of each variant.
            keep: Whether each of the edits ``rows(sentences)`` is in its variant.
        """
        variants = Blocks(Blocks(self.blocks.table.at(sentences.tolist())).table.kept(keep))
        corpus = self.corpus.with_systems({}).take(sentences.tolist()).with_systems({self.name: variants})
        run = Run(corpus, self.metrics, RunOptions(threads=self.threads, progress=self.progress))
        stores = run.consume(lambda _, metric: KeptCounts(metric))
        return [stores[self.name, metric].result() for metric in self.metrics]
