"""Resampled counts of all systems, from one counting run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option, named_option
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.counts import Counts
from geceval.counting.groupings import ByRule, CountGroups
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.stream import SystemForm, forms_in, mixed_forms
from geceval.resampling.resampled_counts import Resampled
from geceval.text.corpus import Corpus, TextSource, check_source

#: Receives the counts of all systems under a metric, one part at a time.
CountsReceiver: TypeAlias = Callable[[AnyMetric, Mapping[str, Counts]], None]


def resample_systems(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    groups: CountGroups,
    run_options: RunOptions,
    *,
    receiver: CountsReceiver | None = None,
    under: Collection[AnyMetric] | None = None,
) -> dict[AnyMetric, Resampled]:
    """Resample the counts of all systems under each metric, in one counting pass.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Options of the comparison.
        groups: Blocks and groups of the sentences, or the kind of edits to compare.
        run_options: Progress, checks, and whether counts carry evidence if the metric distinguishes kinds of edits.
        receiver: Also receives the counts.
        under: Metrics under which pairs are tested (None: all metrics).
    """
    check_source(corpus)
    metrics = metrics_of(metrics)
    systems, grouping = corpus.system_names, groups.grouping
    tested = options.pairs_of(systems)
    pairs = {metric: _of_one_form(corpus, metric, tested, options) for metric in metrics}
    pairs = {metric: tested_pairs if under is None or metric in under else [] for metric, tested_pairs in pairs.items()}
    groups.check_lengths(corpus.sentences)
    _check(metrics, options, pairs)
    if isinstance(grouping, ByRule):
        check_scores_of_rules(metrics, grouping)
    resampled_counts = {
        metric: Resampled(
            metric,
            systems,
            options,
            tested,
            references=references_of(corpus, metric),
            by_system=corpus.numbers_by_system() if metric.uses_references else {},
            grouping=grouping,
        )
        for metric, tested in pairs.items()
    }
    by_kind = run_options.evidence or (grouping is not None and grouping.labels is None)
    explained = [metric for metric in metrics if by_kind and metric.by_kind is not None]
    labels = None if groups.labels is None else groups.labels_of
    run_options = replace(run_options, threads=options.threads, evidence=explained, labels=labels)
    run = Run(corpus, metrics, run_options)
    for metric, counts in by_metric(run.stream(), systems):
        if receiver is not None:
            receiver(metric, counts)
        first, length = resampled_counts[metric].sentences, len(next(iter(counts.values())))
        resampled_counts[metric].add(counts, blocks=groups.blocks_of(first, length))
    groups.check_lengths(next(iter(resampled_counts.values())).sentences)
    for metric, resampled in resampled_counts.items():
        resampled.facts, resampled.observed = {name: run.facts(name, metric) for name in systems}, run.observed
    return resampled_counts


def _of_one_form(
    corpus: TextSource, metric: AnyMetric, pairs: Sequence[tuple[int, int]], options: Options
) -> Sequence[tuple[int, int]]:
    """Return the pairs of systems that have the same form.

    A baseline is compared with all systems, whether they are given as M2 or as text.

    Raises:
        UsageError: If only one of a system and the baseline, or of each pair, has its own references.
    """
    forms = first_forms(corpus, options)
    systems, words = list(members_of(options.runs, corpus.system_names)), mixed_forms(metric, forms)
    has_own = [system in forms and forms[system].has_own for system in systems]
    unequal = [pair for pair in pairs if metric.uses_references and has_own[pair[0]] != has_own[pair[1]]]
    if unequal and (options.baseline is not None or len(unequal) == len(pairs)):
        first, second = sorted(unequal[0], key=has_own.__getitem__)
        raise UsageError(
            f"{systems[second]} has references of its own, {systems[first]} has not: they cannot be compared",
            hint="give each system references of its own, or all systems the same references",
        )
    if not words or options.baseline is not None:
        return pairs
    return [(a, b) for a, b in pairs if words[systems[a]] == words[systems[b]]]


def first_forms(corpus: TextSource, options: Options) -> dict[str, SystemForm]:
    """Return the form of each system, by its first run."""
    forms, names = forms_in(corpus), corpus.system_names
    firsts = {system: names[runs[0]] for system, runs in members_of(options.runs, names).items()}
    return {system: forms[first] for system, first in firsts.items() if first in forms}


def by_metric(
    stream: Iterator[tuple[Corpus, str, AnyMetric, Counts]], systems: Sequence[str]
) -> Iterator[tuple[AnyMetric, dict[str, Counts]]]:
    """Yield the counts of all systems together, for each part and metric."""
    waiting: dict[AnyMetric, dict[str, Counts]] = {}
    for _, name, metric, counts in stream:
        of_systems = waiting.setdefault(metric, {})
        of_systems[name] = counts
        if len(of_systems) == len(systems):
            yield metric, waiting.pop(metric)


def check_scores_of_rules(metrics: Sequence[AnyMetric], grouping: ByRule) -> None:
    """Raise UsageError if a metric has no score of a rule, since missed edits have no rule."""
    for metric in metrics:
        if "score" in grouping.by_kind(metric).unknown:
            precision = Hint("the precision of rules: ", Option("metrics", f"{metric.name}:beta=0"))
            raise UsageError(f"{metric.label} of a rule has no F, since missed edits have no rule", hint=precision)


def _check(metrics: Sequence[AnyMetric], options: Options, tested: Mapping[AnyMetric, Sequence[Any]]) -> None:
    for metric in metrics:
        if metric.pool is not None and tested[metric] and options.test == "randomisation":
            message = f"{metric.label} scores all systems together, so labels of two systems cannot be swapped"
            raise UsageError(message, hint=Hint("use ", named_option("test", "bootstrap")))


def references_of(corpus: TextSource, metric: AnyMetric) -> int:
    """Return the largest number of references of a sentence under a metric."""
    if not metric.uses_references:
        return 1
    if corpus.gold is not None and (metric.takes_gold or not corpus.has_references):
        return len(corpus.annotators) if metric.compares_texts else corpus.annotator_numbers()[1]
    return max(corpus.most_references, 1)
