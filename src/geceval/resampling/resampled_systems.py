"""Resampled counts of all systems, from one counting run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from geceval.base.arguments import as_sequence
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, named_option
from geceval.counting.comparison_options import Options, members_of
from geceval.counting.counts import Counts
from geceval.counting.groupings import ByRule, BySentence, Grouping, grouping_by
from geceval.counting.metric import AnyMetric, By
from geceval.counting.metric_names import metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.stream import SystemForm, forms_in, mixed_forms
from geceval.resampling.resampled_counts import Resampled
from geceval.text.corpus import Corpus, TextSource, check_source

#: Receives the counts of all systems under a metric, one part at a time.
Beside: TypeAlias = Callable[[AnyMetric, Mapping[str, Counts]], None]


# --- counting ---


def resample_systems(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
    by: By | None = None,
    groups: Sequence[Hashable] | None = None,
    progress: Progress | None = None,
    checks: bool = True,
    beside: Beside | None = None,
    evidence: bool = False,
    under: Collection[AnyMetric] | None = None,
) -> dict[AnyMetric, Resampled]:
    """Resample the counts of all systems under each metric, in one counting pass.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Options of the comparison.
        blocks: Block of each sentence [S].
        by: Kind of group to compare.
        groups: Label of each sentence [S].
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.
        beside: Also receives the counts.
        evidence: The counts carry evidence if the metric distinguishes kinds of edits.
        under: Metrics under which pairs are tested (None: all metrics).
    """
    check_source(corpus)
    metrics = metrics_of(metrics)
    blocks, groups = as_labels("blocks", blocks), as_labels("groups", groups)
    systems = corpus.system_names
    tested, grouping = options.pairs_of(systems), make_grouping(by, groups)
    pairs = {metric: _of_one_form(corpus, metric, tested, options) for metric in metrics}
    pairs = {metric: tested_pairs if under is None or metric in under else [] for metric, tested_pairs in pairs.items()}
    _check_lengths(blocks, groups, corpus.sentences)
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
    by_kind = evidence or (grouping is not None and grouping.labels is None)
    explained = [metric for metric in metrics if by_kind and metric.by_kind is not None]
    labels = None if groups is None else lambda part: _part("groups", groups, part.first, len(part))
    threads = options.threads
    run = Run(
        corpus,
        metrics,
        RunOptions(threads=threads, evidence=explained, labels=labels, progress=progress, checks=checks),
    )
    for metric, counts in by_metric(run.stream(), systems):
        if beside is not None:
            beside(metric, counts)
        first, length = resampled_counts[metric].sentences, len(next(iter(counts.values())))
        resampled_counts[metric].add(counts, blocks=None if blocks is None else _part("blocks", blocks, first, length))
    _check_lengths(blocks, groups, next(iter(resampled_counts.values())).sentences)
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


def as_labels(name: str, values: Any) -> Sequence[Hashable] | None:
    """Return one label per sentence as a sequence; None stays None."""
    return None if values is None else as_sequence(name, values, "label")


def _check_lengths(blocks: Sequence[Hashable] | None, groups: Sequence[Hashable] | None, sentences: int | None) -> None:
    for name, sizes in (("blocks", blocks), ("groups", groups)):
        if sizes is not None and sentences not in (None, len(sizes)):
            raise InputError(f"{len(sizes)} {name} for {sentences} sentences")


def _part(name: str, labels: Sequence[Hashable], first: int, length: int) -> Sequence[Hashable]:
    part = labels[first : first + length]
    if len(part) != length:
        raise InputError(f"{len(labels)} {name} for at least {first + length} sentences")
    return part


def make_grouping(by: By | None, groups: Sequence[Hashable] | None) -> Grouping | None:
    """Return the grouping by kind of edit or by group of sentences, if any."""
    if by is not None and groups is not None:
        raise UsageError("by and groups cannot be combined")
    if groups is not None:
        return BySentence()
    return None if by is None else grouping_by(by)


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
