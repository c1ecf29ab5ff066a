"""Resample the counts of all systems under a metric as they stream in.

The consumer ``Resampled`` keeps sums of integers for the corpus, each annotator and each group. The sums do not depend
on the parts, their order or the number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.breakdown import GroupScore
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.counts import Counts, Floats
from geceval.counting.groupings import Grouping, Label
from geceval.counting.metric import AnyMetric
from geceval.counting.observations import Observed
from geceval.counting.policies import Mean, Optimum, Running, Totals
from geceval.counting.results import RunFacts, mean_of
from geceval.resampling.break_even import NetBenefits, outcome_weights
from geceval.resampling.resampled_groups import ResampledGroups
from geceval.resampling.sentence_groups import AnnotatorGroups, Group
from geceval.resampling.system_counts import chosen_rows, join_parts, sentence_scores
from geceval.resampling.weighted_sums import Pair, Sums
from geceval.statistics.resampling import (
    QUANTUM,
    Keys,
    Whole,
    block_keys,
    sentence_keys,
)

#: Choice of references in replicates: ``frozen`` is the choice of the full corpus, ``mean`` each in turn, with averaged
#: scores. Empty if sentences choose their references independently.
Treatment: TypeAlias = Literal["", "mean", "frozen"]


class Resampled:
    """Resampled counts of all systems under a metric; can be merged and pickled.

    Memory is samples × systems × columns, plus all counts if references depend on all sentences (``running``,
    ``optimum``) or sentences must be kept.

    Args:
        metric: Metric of the counts.
        systems: Names of the systems, or of their runs.
        options: Options of the comparison.
        pairs: Pairs of systems to test, as indices of ``members``.
        references: Largest number of references of a sentence.
        grouping: Grouping of edits or sentences.
        first: Number of the first sentence in the whole corpus, which determines the weights.

    Attributes:
        members: Systems, with the indices of their runs.
        runs: Indices of the runs of both systems of each pair.
        facts: What a run observed, by system.
        observed: Observations of the corpus.
        benefits: Right and wrong edits by their cost, if the metric counts edits.
        all_sentences: Wins on the whole corpus, and its sums unless references are chosen at the end.
        annotators: Sums with the references of each annotator alone.
        groups: Sums of each group, if there is a grouping.
    """

    facts: Mapping[str, RunFacts] = {}

    def __init__(
        self,
        metric: AnyMetric,
        systems: Sequence[str],
        options: Options,
        pairs: Sequence[Pair] = (),
        *,
        references: int = 1,
        by_system: Mapping[str, int] = MappingProxyType({}),
        grouping: Grouping | None = None,
        first: int = 0,
    ) -> None:
        self.metric, self.systems, self.options, self.pairs = metric, tuple(systems), options, tuple(pairs)
        self.most_references, self.by_system = references, dict(by_system)
        #: Largest number of references of a sentence, by system.
        self.references = {name: by_system.get(name, references) for name in self.systems}
        self.grouping, self.first = grouping, first
        self.members = members_of(options.runs, self.systems)
        run_indices = list(self.members.values())
        self.runs = [(*run_indices[a], *run_indices[b]) for a, b in self.pairs]
        self.observed = Observed()
        self.units: set[int] = set()
        self.has_real_counts: bool | None = None
        #: Number of columns of the counts, which depends on the systems for a pooled metric.
        self.columns = len(metric.columns)
        self.official = {name: Totals(metric.policy, metric.figure) for name in systems}
        self.all_sentences = self._empty_group()
        #: Counts of each part by system, if references are chosen at the end.
        self.part_counts: list[tuple[Keys, list[Counts]]] = []
        columns = outcome_weights(metric) if self.pairs and not options.runs else None
        make_sums = partial(Sums, options, (), np.asarray)
        self.benefits = None if columns is None else NetBenefits(columns, make_sums)
        self.groups = None
        if grouping is not None:
            self.groups = ResampledGroups(metric, grouping, self.systems, self.members, self._empty_group)
        is_together = bool(by_system) or metric.references_together or metric.pool is not None
        is_alone = references > 1 and not is_together
        annotators = [self._empty_group() for _ in range(references if is_alone else 0)]
        self.annotators = AnnotatorGroups(metric, self.members, annotators)

    def without_sentences(self) -> Resampled:
        """Return an object of the same systems and options without sentences and groups."""
        return Resampled(
            self.metric,
            self.systems,
            self.options,
            self.pairs,
            references=self.most_references,
            by_system=self.by_system,
        )

    def sums(self) -> Sums:
        """Return empty sums."""
        return Sums(self.options, self.runs, self._reduced_columns)

    def _empty_group(self) -> Group:
        return Group(self.sums(), self.pairs)

    def _reduced_columns(self, rows: Whole) -> Whole:
        return self.metric.reduced_columns(rows.reshape(*rows.shape[:-1], -1, self.columns)).reshape(rows.shape)

    @property
    def sentences(self) -> int:
        """Number of sentences added."""
        return self.all_sentences.sentences

    @property
    def number_of_units(self) -> int:
        """Number of resampled blocks, or of sentences without blocks."""
        return len(self.units) or self.sentences

    @property
    def outputs(self) -> dict[str, OutputAccount]:
        """Numbers of lines of each system that is text, if the input is checked."""
        return {name: facts.outputs for name, facts in self.facts.items() if facts.outputs is not None}

    @property
    def uncorrected_members(self) -> list[str]:
        """Systems of which all runs leave all sentences unchanged."""
        names = self.systems
        return [
            system for system, runs in self.members.items() if {names[run] for run in runs} <= self.observed.uncorrected
        ]

    @property
    def has_choice(self) -> bool:
        """Whether a system has several references."""
        return max(self.references.values(), default=1) > 1

    @property
    def chosen_at_the_end(self) -> bool:
        """Whether references depend on all sentences."""
        metric = self.metric
        return self.has_choice and isinstance(metric.policy, (Running, Optimum)) and metric.figure.f is not None

    @property
    def treatment(self) -> Treatment:
        """Choice of references in replicates."""
        if not self.has_choice:
            return ""
        if self.metric.policy.averages:
            return "mean"
        return "frozen" if isinstance(self.metric.policy, (Running, Optimum)) else ""

    def add(self, counts: Mapping[str, Counts], *, blocks: Sequence[Hashable] | None = None) -> None:
        """Add the counts of all systems on the next part of the corpus.

        Args:
            counts: Counts by system, with labels if a grouping requires them.
            blocks: Block of each sentence [S].
        """
        parts = [counts[name] for name in self.systems]
        length = len(parts[0])
        if blocks is not None:
            keys = block_keys(blocks)
            self.units.update(keys.tolist())
        else:
            keys = sentence_keys(self.first + self.sentences, length)
        for part in parts:
            self._note_real(part.array.dtype.kind == "f")
            self.columns = part.array.shape[-1]
        self.benefits = None if self.has_real_counts else self.benefits
        if self.benefits is not None:
            self.benefits.add(parts, keys)
        scores = sentence_scores(self.metric, parts, self.members)
        self.all_sentences.judge(scores, length)
        choices = [self._included(name, part) for name, part in zip(self.systems, parts, strict=True)]
        if self.chosen_at_the_end:
            self.part_counts.append((keys, [part.without_evidence() for part in parts]))
        else:
            self.all_sentences.sums.take(keys, chosen_rows(parts, choices))
        self.annotators.add(keys, parts)
        if self.groups is not None:
            self.groups.add(keys, parts, choices, scores)

    def _note_real(self, is_real: bool | None) -> None:
        if None not in (is_real, self.has_real_counts) and is_real != self.has_real_counts:
            raise UsageError(f"{self.metric.label} mixes whole-number counts and real counts")
        self.has_real_counts = self.has_real_counts if is_real is None else is_real

    def _included(self, name: str, part: Counts) -> NDArray[np.intp]:
        """Add a part to the official score and return its references [m, S].

        m is 0 if references are chosen at the end.
        """
        choices = self.official[name].add(part)
        if self.metric.policy.averages:
            # All systems have as many choices, which repeat those of each system.
            number = self.references[name]
            times = math.lcm(*self.references.values()) // number
            return np.tile(Mean().choices(self.metric.figure, part, number), (times, 1))
        if choices is not None:
            return choices
        # A single reference needs no choice.
        return np.zeros((0, len(part)), np.intp) if self.has_choice else part.mask.argmax(axis=1)[np.newaxis]

    def merge(self, other: Resampled) -> None:
        """Add the sentences of another object, as the ones that follow.

        Raises UsageError if a choice of references depends on the order of sentences.
        """
        for name, official in self.official.items():
            official.merge(other.official[name])
        self.observed.merge(other.observed)
        self._note_real(other.has_real_counts)
        self.columns = max(self.columns, other.columns)
        self.all_sentences.merge(other.all_sentences)
        self.annotators.merge(other.annotators)
        if self.benefits is not None and other.benefits is not None:
            self.benefits.merge(other.benefits)
        self.part_counts += other.part_counts
        if self.groups is not None and other.groups is not None:
            self.groups.merge(other.groups)
        self.units |= other.units

    # --- results ---

    def grouped(self) -> dict[Label, tuple[Group, dict[str, GroupScore]]]:
        """Return the groups by sorted label, with the official scores of each system."""
        return {} if self.groups is None else self.groups.result(self.sentences)

    def as_counts(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Return sums as the numbers that the metric counts."""
        return sums * QUANTUM if self.has_real_counts else sums

    def score_sums(self, sums: NDArray[Any]) -> Floats:
        """Return the scores [...] of sums [..., m · K], averaged over m choices."""
        numbers = self.as_counts(sums)
        if sums.shape[-1] == self.columns:
            return np.asarray(self.metric.score(numbers))
        return np.asarray(self.metric.score(numbers.reshape(*sums.shape[:-1], -1, self.columns)).mean(axis=-1))

    def official_scores(self) -> Floats:
        """Return the official scores [n], as printed by ``geceval score``."""
        return np.array([float(self.metric.score(totals.value()).mean()) for totals in self.official.values()])

    def official_parts(self) -> dict[str, dict[str, float | None]]:
        """Return the parts of each system's official score, means over its runs."""
        parts = [self.metric.parts(totals.value()) for totals in self.official.values()]
        return {
            name: {part: mean_of([float(np.mean(parts[k][part])) for k in runs]) for part in parts[runs[0]]}
            for name, runs in self.members.items()
        }

    def counts(self) -> tuple[Keys, list[Counts]]:
        """Return keys and counts of all sentences, if references are chosen at the end."""
        self.part_counts = [join_parts(self.part_counts)]
        return self.part_counts[0]
