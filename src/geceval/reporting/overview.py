"""Overview of a run, as shown by the report.

It contains scores with intervals, their parts, tables by edit type and group, the agreement of metrics, and notable
sentences.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval.counting.breakdown import Breakdown, GroupScore
from geceval.counting.comparison_options import Options
from geceval.counting.consumers import CorpusTotals
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import F, weighted
from geceval.counting.groupings import BySentence, ByType, CountGroups, Label, length_bands_of
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import make_metric, metrics_of
from geceval.counting.metric_names import names as names_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.inspection.examination import Examination, judge_among
from geceval.inspection.sentence_selection import Order, OrientedScores, SelectingScores, of_systems, select_notable
from geceval.reporting.substitutions import CorpusSubstitutions
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import resample_systems
from geceval.statistics.correlation import spearman
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE

#: Largest order of n-grams in the evidence of sentences, since longer ones mostly add context.
LONGEST = 2
#: Units of metrics on n-grams of characters.
CHARACTERS = ("char", "grapheme")


@dataclass(frozen=True)
class GroupCell:
    """The score of a system on a group.

    ``found``, ``wrong`` and ``missed`` are weighted numbers of edits, for metrics that are F-scores. A number that the
    counts of the group do not determine is None.
    """

    value: float | None
    parts: Mapping[str, float | None]
    found: float | None = None
    wrong: float | None = None
    missed: float | None = None


@dataclass(frozen=True)
class GroupTable:
    """Scores of systems on groups under a metric.

    Attributes:
        metric: Name of the metric.
        groups: Labels of the groups.
        cells: Cells by system and group; None if a system has no edits in the group.
        sentences: Number of sentences by group, for groups of sentences.
    """

    metric: str
    groups: tuple[str, ...]
    cells: Mapping[str, Mapping[str, GroupCell | None]]
    sentences: Mapping[str, int] | None = None


@dataclass(frozen=True)
class MetricAgreement:
    """Spearman's rho of pairs of metrics, oriented so that high scores are good.

    Attributes:
        metrics: Names of the metrics.
        of_outputs: Correlation of sentence scores of all systems, [metric][metric]; NaN if one of them is constant.
        of_systems: Correlation of corpus scores of systems, [metric][metric]; NaN if one of them is constant.
    """

    metrics: tuple[str, ...]
    of_outputs: tuple[tuple[float, ...], ...]
    of_systems: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Overview:
    """Overview of a run.

    Attributes:
        comparison: Scores, intervals and differences of systems.
        parts: Parts of the corpus score, such as precision and recall, by metric and system.
        betas: Beta by metric, for metrics whose score is F of their precision and recall.
        types: Tables by edit type, of metrics that distinguish types.
        lengths: Tables by length of the source sentence.
        groups: Tables by user-supplied labels.
        agreement: Correlation of the metrics.
        references: Smallest and largest number of references of a sentence.
        examined: Notable sentences, if requested; they are counted whenever they are iterated.
        selected: Number of notable sentences by order; empty if they are all sentences.
        of_characters: Metrics on n-grams of characters.
        false_alarms: By system, the number of sentences that it changes and no reference does, and the number of
            sentences that no reference changes; empty if references change every sentence.
        kept: By system, the number of numbers, addresses and other patterns that it leaves unchanged, and the number of
            those that no reference changes; empty if there are none.
        substitutions: Numbers of wrong and missed substitutions, if sentences are requested and a metric has types.
    """

    comparison: Comparison
    parts: Mapping[str, Mapping[str, Mapping[str, float | None]]]
    betas: Mapping[str, float]
    types: tuple[GroupTable, ...]
    lengths: tuple[GroupTable, ...]
    groups: tuple[GroupTable, ...]
    agreement: MetricAgreement
    references: tuple[int, int]
    examined: Examination | None = field(default=None, repr=False)
    selected: Mapping[Order, int] = field(default_factory=dict)
    of_characters: Collection[str] = ()
    false_alarms: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    kept: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    substitutions: CorpusSubstitutions | None = field(default=None, repr=False)

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics, in their order."""
        return list(self.parts)

    @property
    def systems(self) -> list[str]:
        """Names of the systems, in their order, the unchanged source last."""
        return list(next(iter(self.parts.values())))


def overview(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
    groups: Sequence[Hashable] | None = None,
    sentences: int = 0,
    annotator: Any = DEFAULT_ANNOTATOR,
    progress: Progress | None = None,
    checks: bool = True,
) -> Overview:
    """Compute the overview of all systems, in one counting pass.

    False alarms and substitutions are counted in a second pass. Notable sentences are counted in a pass over them, when
    they are iterated.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Options of the comparison.
        blocks: Block of each sentence [S], as in ``compare``.
        groups: Label of each sentence [S].
        sentences: Number of notable sentences to select by ``select_notable``.
        annotator: Annotator that extracts edits from text if no metric does.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.

    Raises:
        UsageError: If an option has an unsupported value.
        InputError: If ``blocks`` or ``groups`` does not have one value per sentence.
    """
    metrics = list(dict.fromkeys(metrics_of(metrics)))
    views = _RunViews(corpus, metrics, groups)
    resampled = resample_systems(
        corpus,
        metrics,
        options,
        CountGroups(blocks),
        RunOptions(progress=progress, checks=checks, evidence=True),
        receiver=views.add,
    )
    comparison, observed = comparison_of(corpus, resampled, options), resampled[metrics[0]].observed
    parts = {name: resampled[metric].official_parts() for name, metric in views.metrics.items()}
    scores = {name: views.scores(metric) for name, metric in views.metrics.items()}
    types = views.tables("types")
    judge = judge_among(corpus, metrics, annotator) if sentences else None
    examined, selected = None, dict[Order, int]()
    if sentences:
        numbers, selected = select_notable(scores[next(iter(scores))], sentences, options.seed)
        names_of_systems = corpus.system_names
        kwargs: dict[str, Any] = {
            "annotator": annotator,
            "threads": options.threads,
            "progress": progress,
            "longest": LONGEST,
        }
        examined = Examination(corpus, metrics, numbers, names_of_systems, judge=judge, **kwargs)
    return Overview(
        comparison,
        parts,
        {name: beta for name, metric in views.metrics.items() if (beta := beta_of(resampled[metric])) is not None},
        types,
        views.tables("lengths"),
        views.tables("groups"),
        correlate_metrics(comparison, {name: oriented.scores for name, oriented in scores.items()}),
        observed.gold or observed.texts or (0, 0),
        examined,
        selected,
        [name for name, metric in views.metrics.items() if metric.settings.get("unit") in CHARACTERS],
        *count_faults(corpus, judge if types else None, annotator, options.threads),
    )


def count_faults(
    corpus: TextSource, judge: AnyMetric | None, annotator: Any = DEFAULT_ANNOTATOR, threads: int = 0
) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]], CorpusSubstitutions | None]:
    """Return the faults of each system.

    These are the false alarms and the correct sentences, the texts that are kept and those that are due, and the
    substitutions under a judge, if any.
    """
    if corpus.gold is None and not corpus.has_references:
        return {}, {}, None
    alarms, keeping = (make_metric(name, annotator=annotator) for name in ("false-alarms", "kept"))
    totals = {metric: {name: CorpusTotals(metric) for name in corpus.system_names} for metric in (alarms, keeping)}
    systems = [name for name in corpus.system_names if name != SOURCE]
    substitutions = None if judge is None else CorpusSubstitutions(systems)
    judges = [] if judge is None else [judge]
    # The first pass has emitted the warnings.
    run = Run(corpus, [*totals, *judges], RunOptions(threads, evidence=judges, is_part=True))
    for part, name, metric, counts in run.stream():
        if metric in totals:
            totals[metric][name].add(counts)
        elif substitutions is not None and name != SOURCE:
            substitutions.add(part, name, metric, counts)
    sums = {
        metric: {name: consumer.result().reshape(-1).astype(int).tolist() for name, consumer in of_systems.items()}
        for metric, of_systems in totals.items()
    }
    false_alarms = {name: (changed, correct) for name, (correct, changed, *_) in sums[alarms].items() if correct}
    kept = {
        name: (unchanged, unchanged + lost) for name, (unchanged, lost) in sums[keeping].items() if unchanged + lost
    }
    return false_alarms, kept, substitutions


class _RunViews:
    """Sentence scores and groups of all systems under all metrics."""

    def __init__(self, corpus: TextSource, metrics: Sequence[AnyMetric], groups: Sequence[Label] | None) -> None:
        self.metrics = dict(zip(names_of(metrics), metrics, strict=True))
        labels = {"lengths": length_bands_of(corpus)} | ({} if groups is None else {"groups": groups})
        self.views = {metric: {name: _Views(metric, labels) for name in corpus.system_names} for metric in metrics}

    def add(self, metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        for name, system_counts in counts.items():
            self.views[metric][name].add(system_counts)

    def scores(self, metric: AnyMetric) -> OrientedScores:
        """Return the sentence scores of all systems except the unchanged source."""
        return of_systems([views.scores for name, views in self.views[metric].items() if name != SOURCE])

    def tables(self, kind: str) -> tuple[GroupTable, ...]:
        """Return the tables of a kind: "types", "lengths" or "groups"."""
        by_metric = {
            name: {system: views.tables[kind] for system, views in self.views[metric].items() if kind in views.tables}
            for name, metric in self.metrics.items()
        }
        return tuple(make_group_table(name, breakdowns) for name, breakdowns in by_metric.items() if breakdowns)


class _Views:
    """Sentence scores and groups of one system under one metric."""

    def __init__(self, metric: AnyMetric, labels: Mapping[str, Sequence[Label]]) -> None:
        self.count, self.scores, self.labels = 0, SelectingScores(metric), labels
        self.tables = {kind: Breakdown(metric, BySentence()) for kind in labels}
        if metric.by_kind is not None:
            self.tables["types"] = Breakdown(metric, ByType("type"))

    def add(self, counts: Counts) -> None:
        self.scores.add(counts)
        part, bare = slice(self.count, self.count + len(counts)), counts.without_evidence()
        for kind, table in self.tables.items():
            labelled = dataclasses.replace(bare, labels=self.labels[kind][part]) if kind in self.labels else counts
            table.add(labelled)
        self.count += len(counts)


def beta_of(resampled: Resampled) -> float | None:
    """Return the beta of a metric whose scores are F of its parts, else None."""
    # A mean of several scores is not the F of mean precision and recall.
    has_one_score = all(len(totals.value()) == 1 for totals in resampled.official.values())
    return resampled.metric.settings.get("beta") if has_one_score else None


# --- groups ---


def make_group_table(metric: str, breakdowns: Mapping[str, Breakdown]) -> GroupTable:
    """Return the groups of all systems in one table, by label."""
    scores = {system: breakdown.scores() for system, breakdown in breakdowns.items()}
    f = next(iter(breakdowns.values())).metric.figure.f
    labels = _sort_labels(label for by_label in scores.values() for label in by_label)
    cells = {
        system: {str(label): _cell(by_label[label], f) if label in by_label else None for label in labels}
        for system, by_label in scores.items()
    }
    first = next(iter(scores.values()))
    sizes = {str(label): group.sentences for label, group in first.items() if group.sentences is not None}
    return GroupTable(metric, tuple(map(str, labels)), cells, sizes or None)


def _sort_labels(labels: Iterable[Label]) -> list[Label]:
    """Return distinct labels, ranges of numbers sorted by their first number."""

    def key(label: Label) -> tuple[bool, float, Any]:
        number = str(label).split("-")[0].rstrip("+")
        return (not number.isdecimal(), float(number) if number.isdecimal() else 0.0, str(label))

    return sorted(dict.fromkeys(labels), key=key)


def _cell(score: GroupScore, f: F | None) -> GroupCell:
    hits = wrong = missed = None
    if f is not None and (score.value is not None or score.parts.get("recall") is not None):
        counts = np.array(list(score.totals.values()))
        sums = [weighted(counts, weights) for weights in (f.hit, f.proposed, f.gold)]
        hits, proposed, gold = map(float, sums)
        # Without a value, as for MaxMatch, proposed edits have no type.
        wrong, missed = None if score.value is None else proposed - hits, gold - hits
    return GroupCell(score.value, score.parts, hits, wrong, missed)


# --- agreement ---


def correlate_metrics(comparison: Comparison, scores: Mapping[str, Floats]) -> MetricAgreement:
    """Return the rank correlation of metrics over outputs and over systems.

    ``scores`` are sentence scores [N, S] by metric, oriented so that high is good.
    """
    metrics = tuple(scores)
    outputs = np.stack([scores[name].ravel() for name in metrics])
    systems = [
        [metric.sign * score.value for score in metric.systems if score.system != SOURCE]
        for metric in (comparison[name] for name in metrics)
    ]
    return MetricAgreement(metrics, _correlate_rows(outputs), _correlate_rows(np.array(systems)))


def _correlate_rows(rows: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(spearman(first, second)) for second in rows) for first in rows)
