"""Prepare and count a part of a source, as used by run.py.

A source of text yields parts: corpora of consecutive sentences. A part is prepared once for all metrics with the same
``prepare_key``; a system is counted once for all metrics with the same ``count_key``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import ChosenSums, Counts, Floats, sentences_from
from geceval.counting.run_options import RunOptions
from geceval.text.columns import CompleteText, Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric, BestSums, CorpusConstant
    from geceval.edits.own_sources import Misheard

#: Sums that determine the constants of a corpus, by key of the constant and system.
ConstantSums: TypeAlias = Mapping[Hashable, Mapping[str, Floats]]
#: Metrics that have a corpus constant, with it, by system.
Constants: TypeAlias = "Mapping[AnyMetric, Mapping[str, AnyMetric]]"
#: Misheard tokens of systems with own sources, and the edits left out, by part, for each system and extraction.
Misheards: TypeAlias = "dict[tuple[str, Hashable], list[Misheard]]"
#: Number of sentences counted together, without a metric too: many for threads, but few for memory and progress bars.
USUAL_BLOCK = 1 << 14


def smallest_block(metrics: Sequence[AnyMetric]) -> int:
    """Return the smallest number of sentences in a part among the metrics."""
    return min((metric.block for metric in metrics), default=USUAL_BLOCK)


@dataclass(frozen=True, eq=False)
class PreparedParts:
    """Preparations of the parts of a corpus by their first sentence, at most ``block`` sentences each.

    Without ``parts``, each pass prepares them.
    """

    block: int
    parts: dict[int, dict[Hashable, Any]] = field(default_factory=dict)

    @staticmethod
    def made(corpus: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> PreparedParts:
        """Prepare source and references for metrics, before any system is known."""
        prepared = PreparedParts(smallest_block(metrics))
        for part in corpus.narrow_parts(prepared.block):
            preparations = prepared.parts.setdefault(part.place(0), {})
            with sentences_from(part.first):
                for metric in metrics:
                    prepare(part, metric, threads, preparations)
        return prepared

    def of(self, part: Corpus) -> dict[Hashable, Any]:
        """Return the preparations of a part so far."""
        return self.parts.get(part.place(0), {})


class SystemForm(NamedTuple):
    """Whether a system is given as M2, and whether it has references of its own."""

    is_m2: bool
    has_own: bool


#: Words for False and True in the fields of SystemForm.
FORM_WORDS = (("text", "M2"), ("common references", "own references"))


def forms_in(corpus: TextSource) -> dict[str, SystemForm]:
    """Return the form of each system; the unchanged source has none."""
    m2, with_references = corpus.m2_systems, corpus.systems_with_own_references
    return {name: SystemForm(name in m2, name in with_references) for name in corpus.system_names if name != SOURCE}


def mixed_forms(metric: AnyMetric, forms: Mapping[str, SystemForm]) -> dict[str, str]:
    """Return the form of each system in words, such as "M2"; systems of different forms cannot be compared.

    The result is empty if the forms are equal in all that matters to the metric.
    """
    matters = (metric.matches_edits, metric.uses_references)
    distinct = [set(column) for column in zip(*forms.values(), strict=True)]
    mixed = [index for index, values in enumerate(distinct) if matters[index] and len(values) > 1]
    if not mixed:
        return {}
    return {name: ", ".join(FORM_WORDS[index][form[index]] for index in mixed) for name, form in forms.items()}


def by_count_key(metrics: Sequence[AnyMetric]) -> dict[Hashable, list[AnyMetric]]:
    """Return the distinct metrics, grouped by equal counts."""
    groups: dict[Hashable, list[AnyMetric]] = {}
    for metric in dict.fromkeys(metrics):
        groups.setdefault(metric.count_key, []).append(metric)
    return groups


def prepare(part: Corpus, metric: AnyMetric, threads: int, preparations: dict[Hashable, Any]) -> Any:
    """Return the preparation of a part, shared by metrics with equal ``prepare_key``."""
    key = metric.prepare_key
    if key not in preparations:
        preparations[key] = metric.prepare(metric.in_form(part), threads)
    return preparations[key]


def prepare_systems(
    part: Corpus,
    metric: AnyMetric,
    threads: int,
    preparations: dict[Hashable, Any],
    texts: Mapping[str, CompleteText] | None = None,
) -> Iterator[tuple[str, Any, Hypothesis]]:
    """Yield each system's name, its preparation and its sentences, in the form that the metric takes.

    For a pooled metric with references, the unchanged source is not in the pool of other systems; only the source's own
    row has it in its pool.

    Args:
        part: Sentences with systems, and references or gold edits.
        metric: Metric.
        threads: Number of threads (0: one per processor).
        preparations: Preparations of the part, which are extended.
        texts: Texts by name that are yielded instead of the systems, and are in no pool.
    """
    prepared = prepare(part, metric, threads, preparations)
    if texts is not None and metric.pool is None:
        yield from ((name, prepared, lines) for name, lines in texts.items())
        return
    all_systems = part.in_form(metric.input_form).systems
    systems = dict(all_systems)
    source = systems.pop(SOURCE, None) if metric.judges_source_apart else None

    def with_pool(pool: Mapping[str, Hypothesis]) -> Any:
        return prepared if metric.pool is None else metric.pool(prepared, pool, threads)

    pooled = with_pool(systems)
    for name, lines in systems.items() if texts is None else texts.items():
        yield name, pooled, lines
    if texts is None and source is not None:
        yield SOURCE, with_pool(all_systems), source


@dataclass(frozen=True, eq=False)
class View:
    """Systems of a part that have the same references.

    Attributes:
        part: These systems with their references alone.
        preparations: Preparations of these references, which are extended.
        texts: Texts that are counted instead of these systems; see prepare_systems.
        positions: Positions of the references in the part with all systems (None: it has no others).
        references: Number of references of the part with all systems.
        misheard: Misheard tokens and the edits left out of each system with its own source; see own_sources.
    """

    part: Corpus
    preparations: dict[Hashable, Any]
    texts: Mapping[str, CompleteText] | None = None
    positions: tuple[int, ...] | None = None
    references: int = 0
    misheard: Misheards = field(default_factory=dict)

    def in_common_source(self, metric: AnyMetric, threads: int) -> View:
        """Return the systems as edits of the common source, if they correct their own source; see own_sources."""
        if not self.part.own_sources:
            return self
        from geceval.edits.own_sources import carry_over  # few corpora need it

        [system] = self.part.systems
        preparations = self.preparations.setdefault((system, metric.extraction), {})
        if "part" not in preparations:
            assert metric.extraction is not None  # carries_edits
            preparations["part"], misheard = carry_over(self.part, system, metric.extraction, threads)
            self.misheard.setdefault((system, metric.extraction), []).append(misheard)
        return replace(self, part=preparations["part"], preparations=preparations)

    def placed(self, counts: Counts) -> Counts:
        """Return counts with a row for each reference of the part with all systems, of which others are missing.

        Counts with other rows than references are returned as they are.
        """
        if self.positions is None or counts.array.shape[1] != len(self.positions):
            return counts
        return counts.at_references(self.positions, self.references)


def remarks_on(misheards: Misheards) -> Iterator[str]:
    """Yield the misheard tokens and the edits left out of each system with its own source, under each extraction."""
    for (system, _), parts in misheards.items():
        first, *more = parts
        for misheard in more:
            first.add(misheard)
        yield f"system {system}: {first.described()}"


def views_of(
    part: Corpus,
    preparations: dict[Hashable, Any],
    texts: Mapping[str, CompleteText] | None = None,
    misheard: Misheards | None = None,
) -> Iterator[View]:
    """Yield the systems of a part that have the same source and references; see View."""
    misheard = {} if misheard is None else misheard
    if not (part.own_references or part.own_sources):
        yield View(part, preparations, texts)
        return
    for same, positions in part.by_references():
        for view in same.by_sources():
            named = None if texts is None else {name: lines for name, lines in texts.items() if name in view.systems}
            key = positions, tuple(view.own_sources)
            shared = preparations.setdefault(key, {})
            yield View(view, shared, named, positions, len(part.references), misheard)


def count_part(
    part: Corpus,
    metrics: Sequence[AnyMetric],
    options: RunOptions,
    preparations: dict[Hashable, Any],
    constants: Constants,
    texts: Mapping[str, CompleteText] | None = None,
    misheard: Misheards | None = None,
) -> Iterator[tuple[str, AnyMetric, Counts]]:
    """Yield (system, metric, counts) of all systems and metrics on a part; see prepare_systems.

    Args:
        part: Sentences with systems, and references or gold edits.
        metrics: Metrics.
        options: Options of the run.
        preparations: Preparations of the part, which are extended.
        constants: Metrics with their corpus constant by system.
        texts: Texts by name that are counted instead of the systems.
        misheard: Receives the misheard tokens and the edits left out of systems with own sources.
    """
    labels = None if options.labels is None else options.labels(part)
    with sentences_from(part.first):
        for all_metrics in views_of(part, preparations, texts, misheard):
            for group in by_count_key(metrics).values():
                first, evidence = group[0], options.has_evidence(group)
                view = all_metrics.in_common_source(first, options.threads)
                systems = prepare_systems(view.part, first, options.threads, view.preparations, view.texts)
                for counting_metric, prepared, hypotheses in _together(systems, first, constants.get(first)):
                    if options.longest is not None and counting_metric.narrowed is not None:
                        prepared = counting_metric.narrowed(prepared, options.longest)
                    lines = list(hypotheses.values())
                    counted = counting_metric.checked_counts(prepared, lines, options.threads, evidence=evidence)
                    for name, counts in zip(hypotheses, counted, strict=True):
                        counts = view.placed(counts) if labels is None else replace(view.placed(counts), labels=labels)
                        for metric in group:
                            yield name, metric, counts
                        if options.progress is not None:
                            options.progress(len(part))


def sum_part(
    part: Corpus, metric: AnyMetric, best_sums: BestSums, options: RunOptions, preparations: dict[Hashable, Any]
) -> Iterator[tuple[str, ChosenSums]]:
    """Yield the sums of all systems on a part with the best references; see count_part."""
    with sentences_from(part.first):
        for view in views_of(part, preparations):
            systems = prepare_systems(view.part, metric, options.threads, view.preparations)
            for _, prepared, hypotheses in _together(systems, metric, None):
                sums_of_systems = best_sums(prepared, list(hypotheses.values()), options.threads)
                for name, sums in zip(hypotheses, sums_of_systems, strict=True):
                    yield name, ChosenSums(sums, metric.columns, len(part))
                    if options.progress is not None:
                        options.progress(len(part))


def _together(
    systems: Iterable[tuple[str, Any, Hypothesis]], metric: AnyMetric, constants: Mapping[str, AnyMetric] | None
) -> Iterator[tuple[AnyMetric, Any, dict[str, Hypothesis]]]:
    """Yield the metric, the preparation and the sentences by name of systems that are counted together.

    ``constants``: the metric with its corpus constant by system, each of which is counted alone.
    """
    if constants is not None:
        yield from ((constants[name], prepared, {name: lines}) for name, prepared, lines in systems)
        return
    for _, group in groupby(systems, key=lambda system: id(system[1])):
        rows = list(group)
        yield metric, rows[0][1], {name: lines for name, _, lines in rows}


def check_own_references(source: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Raise UsageError for a metric that scores systems together, if systems have own references."""
    pooled = [metric.label for metric in metrics if metric.pool is not None and metric.uses_references]
    if pooled and source.systems_with_own_references:
        message = f"{pooled[0]} scores all systems together: references of a single system cannot be used"
        raise UsageError(message, hint="give all systems the same references, or use another metric")


def check_own_sources(source: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Raise UsageError for a metric that compares texts, if systems have own sources."""
    labels = [metric.label for metric in metrics if not metric.carries_edits or metric.pool is not None]
    if labels and source.systems_with_own_sources:
        message = f"{labels[0]} compares texts, or edits with one source: it scores no systems with their own source"
        raise UsageError(message, hint=Hint("use metrics on edits: ", Option("metrics", "errant cleme")))


def wants_guard(metrics: Iterable[AnyMetric]) -> bool:
    """Return whether one of the metrics uses no references.

    The unchanged source may have a high score under this metric, and a system must score clearly above it. Tables
    therefore show the source with the systems.
    """
    return any(not metric.uses_references for metric in metrics)


def shows_source(metrics: Sequence[AnyMetric]) -> bool:
    """Return whether the unchanged source is compared with the systems.

    This is the case for metrics without references, unless the source would be in the pool of another metric.
    """
    return wants_guard(metrics) and not any(metric.judges_source_apart for metric in metrics)


def add_constant_sums(
    sums: Mapping[Hashable, dict[str, Floats]],
    part: Corpus,
    metrics: Sequence[AnyMetric],
    options: RunOptions,
    preparations: dict[Hashable, Any],
    texts: Mapping[str, CompleteText] | None = None,
) -> None:
    """Add what a part contributes to the sums that determine corpus constants; see count_part.

    ``sums``: sums by key of the constant and system.
    """
    with sentences_from(part.first):
        for view, (key, (metric, constant)) in product(
            views_of(part, preparations, texts), by_constant(metrics).items()
        ):
            view = view.in_common_source(metric, options.threads)
            systems = prepare_systems(view.part, metric, options.threads, view.preparations, view.texts)
            for name, prepared, lines in systems:
                sums[key][name] = np.add(sums[key].get(name, 0.0), constant.sums(prepared, lines, options.threads))
                if options.progress is not None:
                    options.progress(len(part))


def with_constants(metrics: Sequence[AnyMetric], sums: ConstantSums) -> Constants:
    """Return the metrics that have a corpus constant, with it, by system."""
    return {
        metric: {name: constant.with_constant(of_system) for name, of_system in sums[constant.key].items()}
        for metric in metrics
        if (constant := metric.constant) is not None
    }


def by_constant(metrics: Iterable[AnyMetric]) -> dict[Hashable, tuple[AnyMetric, CorpusConstant]]:
    """Return a metric and its constant for each distinct constant of a corpus."""
    constants = ((metric, metric.constant) for metric in metrics)
    return {constant.key: (metric, constant) for metric, constant in constants if constant is not None}


def select_sentences(parts: Iterable[Corpus], sentences: Sequence[int], part_size: int | None) -> Iterator[Corpus]:
    """Yield the sentences at sorted indices of the corpus.

    ``part_size``: the largest number of sentences in a part.
    """
    size, indices = part_size or len(sentences) or 1, np.asarray(sentences, dtype=np.int64)
    for part in parts:
        first, last = np.searchsorted(indices, (part.first, part.first + len(part))).tolist()
        for start in range(first, last, size):
            selected = pick_sentences(part, indices[start : min(start + size, last)])
            if selected is not None:
                yield selected


def pick_sentences(part: Corpus, indices: NDArray[np.int64]) -> Corpus | None:
    """Return the sentences of a part at sorted indices of the corpus; None if empty."""
    first, last = np.searchsorted(indices, (part.first, part.first + len(part)))
    positions = (indices[first:last] - part.first).tolist()
    if not positions:
        return None
    return part if len(positions) == len(part) else part.take(positions)
