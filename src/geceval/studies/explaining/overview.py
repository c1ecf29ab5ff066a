"""What is to be seen of a run at a glance: scores with intervals, their parts, tables by types and groups, how far the
metrics agree, and the sentences to look at. What the report is made of."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval.base.errors import GecevalWarning
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import F, weighted
from geceval.counting.groups.breakdown import Breakdown, GroupScore
from geceval.counting.groups.groupings import BySentence, ByType, Label, length_bands_of
from geceval.counting.metric_names import names as names_of
from geceval.counting.stream import AnyMetric, Progress, metrics_of
from geceval.statistics.correlation import spearman
from geceval.studies.comparison.compare import comparison_of, resampled
from geceval.studies.comparison.comparison_options import Options
from geceval.studies.comparison.comparison_results import Comparison
from geceval.studies.comparison.resampled_counts import Resampled
from geceval.studies.explaining.examination import examine
from geceval.studies.explaining.examined_sentences import Examined
from geceval.studies.explaining.sentence_selection import Order, Own, SelectingScores, of_systems, outstanding
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE

#: Units of metrics whose n-grams are made of characters.
CHARACTERS = ("char", "grapheme")


@dataclass(frozen=True)
class Cell:
    """What a system scores on a group: ``value``, its ``parts``, and for metrics that are F of edits how much was
    ``found``, ``wrong`` and ``missed``. None stands for what the counts of a group do not give."""

    value: float | None
    parts: Mapping[str, float | None]
    found: float | None = None
    wrong: float | None = None
    missed: float | None = None


@dataclass(frozen=True)
class GroupTable:
    """Groups × systems under a metric: ``cells[system][group]``, None where a system has nothing in the group;
    ``sentences[group]``, of groups of sentences."""

    metric: str
    groups: tuple[str, ...]
    cells: Mapping[str, Mapping[str, Cell | None]]
    sentences: Mapping[str, int] | None = None


@dataclass(frozen=True)
class MetricAgreement:
    """Spearman's rho of every two metrics, ``of_outputs`` over all outputs of all systems, ``of_systems`` over their
    scores of the whole corpus; both [metric][metric], NaN where one of them is constant. High is good in all."""

    metrics: tuple[str, ...]
    of_outputs: tuple[tuple[float, ...], ...]
    of_systems: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Overview:
    """A run at a glance. ``parts[metric][system]``: precision, recall and the like of the whole corpus. ``betas``: of
    the metrics whose score is F of their precision and recall. ``types``: of the metrics that know types of edits;
    ``lengths``: by the length of the source; ``groups``: by the labels that were given, if there were some.
    ``references``: the fewest and the most that a sentence has. ``examined``: the sentences to look at, and how many
    were ``taken`` by which order where not all are there; None if none were asked for. ``of_characters``: the metrics
    whose n-grams are made of characters."""

    comparison: Comparison
    parts: Mapping[str, Mapping[str, Mapping[str, float]]]
    betas: Mapping[str, float]
    types: tuple[GroupTable, ...]
    lengths: tuple[GroupTable, ...]
    groups: tuple[GroupTable, ...]
    agreement: MetricAgreement
    references: tuple[int, int]
    examined: Examined | None = field(default=None, repr=False)
    taken: Mapping[Order, int] = field(default_factory=dict)
    of_characters: Collection[str] = ()

    @property
    def metrics(self) -> list[str]:
        """Their names, in the order given."""
        return list(self.parts)

    @property
    def systems(self) -> list[str]:
        """Their names, in the order given, the unchanged source last if it stands beside them."""
        return list(next(iter(self.parts.values())))


def overview(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
    groups: Sequence[Hashable] | None = None,
    sentences: int = 0,
    annotator: Any = "builtin",
    progress: Progress | None = None,
    checks: bool = True,
) -> Overview:
    """The overview of all systems, from one counting pass, and from another one over the ``sentences`` to look at.

    ``groups[s]``: what sentence s is grouped by; ``sentences``: how many to look at (``outstanding`` says which);
    ``annotator``: see examine; ``blocks`` and ``options``: see compare. Raises as compare does.
    """
    metrics = list(dict.fromkeys(metrics_of(metrics)))
    heard = _Heard(corpus, metrics, groups)
    found = resampled(corpus, metrics, options, blocks=blocks, progress=progress, checks=checks, beside=heard.add)
    comparison = comparison_of(corpus, found, options)
    parts = {name: parts_of(found[metric]) for name, metric in heard.metrics.items()}
    scores = {name: heard.scores(metric) for name, metric in heard.metrics.items()}
    examined, taken = None, dict[Order, int]()
    if sentences:
        numbers, taken = outstanding(scores[next(iter(scores))], sentences, options.seed)
        with warnings.catch_warnings():  # of what was said when all were counted
            warnings.simplefilter("ignore", GecevalWarning)
            examined = examine(
                corpus, metrics, numbers, annotator=annotator, threads=options.threads, progress=progress, checks=False
            )
    return Overview(
        comparison,
        parts,
        {name: beta for name, metric in heard.metrics.items() if (beta := beta_of(found[metric])) is not None},
        heard.tables("types"),
        heard.tables("lengths"),
        heard.tables("groups"),
        agreement(comparison, {name: own.scores for name, own in scores.items()}),
        corpus.reference_numbers(of_gold=corpus.has_gold),
        examined,
        taken,
        [name for name, metric in heard.metrics.items() if metric.settings.get("unit") in CHARACTERS],
    )


class _Heard:
    """What is kept of a counting pass: the views of all systems under all metrics."""

    def __init__(self, corpus: TextSource, metrics: Sequence[AnyMetric], groups: Sequence[Label] | None) -> None:
        self.metrics = dict(zip(names_of(metrics), metrics, strict=True))
        labels = {"lengths": length_bands_of(corpus)} | ({} if groups is None else {"groups": groups})
        self.views = {metric: {name: _Views(metric, labels) for name in corpus.system_names} for metric in metrics}

    def add(self, metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        """Take in the next part."""
        for name, own in counts.items():
            self.views[metric][name].add(own)

    def scores(self, metric: AnyMetric) -> Own:
        """What is known of all sentences, the unchanged source being no system."""
        return of_systems([views.scores for name, views in self.views[metric].items() if name != SOURCE])

    def tables(self, kind: str) -> tuple[GroupTable, ...]:
        """The tables of the metrics that have such groups: types, lengths or groups."""
        own = {
            name: {system: views.tables[kind] for system, views in self.views[metric].items() if kind in views.tables}
            for name, metric in self.metrics.items()
        }
        return tuple(table_of(name, breakdowns) for name, breakdowns in own.items() if breakdowns)


class _Views:
    """What is kept of a system under a metric."""

    def __init__(self, metric: AnyMetric, labels: Mapping[str, Sequence[Label]]) -> None:
        self.seen, self.scores, self.labels = 0, SelectingScores(metric), labels
        self.tables = {kind: Breakdown(metric, BySentence()) for kind in labels}
        if metric.by_kind("type") is not None:
            self.tables["types"] = Breakdown(metric, ByType("type"))

    def add(self, counts: Counts) -> None:
        self.scores.add(counts)
        there, bare = slice(self.seen, self.seen + len(counts)), counts.without_evidence()
        for kind, table in self.tables.items():
            own = dataclasses.replace(bare, labels=self.labels[kind][there]) if kind in self.labels else counts
            table.add(own)
        self.seen += len(counts)


def parts_of(resampled: Resampled) -> dict[str, dict[str, float]]:
    """Precision, recall and the like of the whole corpus, of every system."""
    metric, official = resampled.metric, resampled.official
    return {
        system: {name: float(part.mean()) for name, part in metric.parts(own.totals()).items()}
        for system, own in official.items()
    }


def beta_of(resampled: Resampled) -> float | None:
    """The beta of a metric whose scores are F of the ``parts_of`` systems; None for others, and for means of several
    scores, which are not F of mean precision and recall."""
    one = all(len(own.totals()) == 1 for own in resampled.official.values())
    return resampled.metric.beta_of_score if one else None


# --- groups ---


def table_of(metric: str, breakdowns: Mapping[str, Breakdown]) -> GroupTable:
    """The groups of all systems in one table, by label."""
    scores = {system: own.scores() for system, own in breakdowns.items()}
    figure = next(iter(breakdowns.values())).metric.figure
    labels = _in_order(label for own in scores.values() for label in own)
    cells = {
        system: {str(label): _cell(own[label], figure) if label in own else None for label in labels}
        for system, own in scores.items()
    }
    first = next(iter(scores.values()))
    sizes = {str(label): group.sentences for label, group in first.items() if group.sentences is not None}
    return GroupTable(metric, tuple(map(str, labels)), cells, sizes or None)


def _in_order(labels: Iterable[Label]) -> list[Label]:
    """Each label once, sorted; 11-20 stands behind 2-10."""

    def key(label: Label) -> tuple[bool, float, Any]:
        number = str(label).split("-")[0].rstrip("+")
        return (not number.isdecimal(), float(number) if number.isdecimal() else 0.0, str(label))

    return sorted(dict.fromkeys(labels), key=key)


def _cell(score: GroupScore, figure: Any) -> Cell:
    found = wrong = missed = None
    if isinstance(figure, F) and (score.value is not None or score.parts.get("recall") is not None):
        counts = np.array(list(score.totals.values()))
        found, proposed, gold = (float(weighted(counts, own)) for own in (figure.hit, figure.proposed, figure.gold))
        # Without a value, such as MaxMatch's, what is proposed has no type.
        wrong, missed = None if score.value is None else proposed - found, gold - found
    return Cell(score.value, score.parts, found, wrong, missed)


# --- agreement ---


def agreement(comparison: Comparison, scores: Mapping[str, Floats]) -> MetricAgreement:
    """How far the metrics rank outputs, and systems, alike; ``scores[metric]`` [N, S], high being good."""
    metrics = tuple(scores)
    outputs = np.stack([scores[name].ravel() for name in metrics])
    systems = [
        [sign * score.value for score in comparison.systems if score.metric == name and score.system != SOURCE]
        for name in metrics
        for sign in [-1.0 if name in comparison.lower_is_better else 1.0]
    ]
    return MetricAgreement(metrics, _correlated(outputs), _correlated(np.array(systems)))


def _correlated(rows: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(spearman(one, other)) for other in rows) for one in rows)
