"""Rank systems by a metric's sentence scores, aggregated as human judgments are."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__, resampling_weights
from geceval.base.arguments import ALPHA, KERNEL_SEEDS, SAMPLES, Bounds, choice, counted, number, whole
from geceval.base.caller_warnings import warn
from geceval.base.errors import UsageError, short_traceback
from geceval.base.hints import Hint, named_option
from geceval.base.ties import exceeds
from geceval.counting.groupings import CountGroups
from geceval.counting.metric_names import Metrics, labels, metrics_of
from geceval.counting.metric_names import names as names_of
from geceval.counting.scores import Level
from geceval.counting.stream import forms_in, mixed_forms
from geceval.counting.system_results import system_results
from geceval.resampling.compared_metrics import few_units
from geceval.resampling.comparison_results import SystemScore
from geceval.resampling.system_tables import RANKING_COLUMNS, ranking_cells, ranking_table, score_rows
from geceval.statistics.aggregation import AGGREGATIONS
from geceval.statistics.intervals import FEWEST, percentile_interval
from geceval.statistics.rank_ranges import placings
from geceval.statistics.resampling import block_keys, sentence_keys
from geceval.tables.report import Report
from geceval.tables.shown_results import FrameRow, ShownResults
from geceval.tables.table import ReportTable, ceiling_legend, forms_note, table_columns
from geceval.text.corpus import TextSource, prepared_source
from geceval.text.files import SOURCE
from geceval.text.line_rules import LineRules
from geceval.text.tokenisers import Tokeniser

#: Most verdicts on pairs that TrueSkill reads one after another: about a minute.
MOST_VERDICTS = 10**9
#: Note on the row of the unchanged source.
SOURCE_NOTE = f"{SOURCE}: the uncorrected text against every system; no system wins or loses against it"


@dataclass(frozen=True, repr=False)
class Ranking(ShownResults):
    """Ranking of the systems under each metric.

    The data frame has a row per system and metric.

    Attributes:
        systems: Systems by metric, from best to worst. ``value``, ``low`` and ``high`` are Expected Wins in [0, 1] or
            TrueSkill means; rank ranges and clusters come from ranks in resampled sentences. The unchanged source
            comes last; its ranks and cluster are 0, as are those of all systems for fewer than ten sentences or blocks.
        aggregation: "expected-wins" or "trueskill".
        signature: Settings of the aggregation and the resampling.
        signatures: Signature of each metric's sentence scores.
        sentences: Number of sentences.
        samples: Number of replicates.
        alpha: Significance level; intervals have the level 1 - alpha.
        ceilings: Scores of the gold's corrected texts by metric and annotator, where given gold edits meet text.
        forms: Whether each system is given as "M2" or as "text", by metric, if this matters and both occur. Each
            form has its ranking, if it has at least two systems.
        labels: Label of each metric in tables, such as "GREEN beta=2" of ``green:beta=2``.
    """

    systems: tuple[SystemScore, ...]
    aggregation: str
    signature: str
    signatures: Mapping[str, str]
    sentences: int
    samples: int
    alpha: float
    ceilings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    kinds = ("systems",)

    def _report(self) -> Report:
        return ranking_report(self, {})

    def _rows(self, kind: str) -> Iterator[FrameRow]:
        yield from score_rows(self.systems, grouped=False)


@short_traceback
def rank(
    corpus: TextSource,
    metrics: Metrics,
    *,
    aggregation: str = "expected-wins",
    samples: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    blocks: Sequence[Hashable] | None = None,
    guard: bool = False,
    tokenise: str | Tokeniser | None = None,
    clean: str | Sequence[str] | LineRules = (),
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
    checks: bool = True,
) -> Ranking:
    """Rank the systems of a corpus by each metric's sentence scores.

    Args:
        corpus: Source, at least two systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        aggregation: "expected-wins", which does not depend on the order of sentences or systems, or "trueskill",
            one pass in file order.
        samples: Number of bootstrap replicates, from 2 to 1,000,000; ``compare`` draws the same ones.
        seed: Seed of the replicates, from 0 to 2**64 - 1.
        alpha: Significance level; intervals have the level 1 - alpha.
        blocks: Block of each sentence [S], such as its document. Whole blocks are resampled (None: sentences).
        guard: Add the unchanged source, which meets all systems, but is not among the opponents of the others.
        tokenise: Tokeniser of all texts, such as "english".
        clean: Rules that remove text around the corrections of systems, such as "llm".
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        The systems of each metric from best to worst, with intervals, rank ranges and clusters.

    Raises:
        UsageError: If an option has an unsupported value, there are fewer than two systems, or the sentence scores
            of a system equal the scores of all others.
        InputError: If ``blocks`` does not have one value per sentence.

    Source:
        Goto et al. (2025).
    """
    choice("aggregation", aggregation, AGGREGATIONS)
    seed, alpha = whole("seed", seed, KERNEL_SEEDS), number("alpha", alpha, ALPHA)
    samples = whole("samples", samples, Bounds(2, SAMPLES.high))
    corpus, metrics = prepared_source(corpus, tokenise, clean), metrics_of(metrics)
    groups = CountGroups(blocks)
    names = tuple(corpus.system_names)
    if not metrics:
        raise UsageError("a ranking requires a metric")
    for metric in metrics:
        if metric.scale.description:
            raise UsageError(f"{metric.name} ranks no systems: it describes them, and is no quality")
    if len(names) < 2:
        raise UsageError(f"a ranking requires at least two systems, not {len(names)}")
    views: list[Level] = ["sentence"]
    results = system_results(
        corpus, metrics, views=views, guard=guard, threads=threads, progress=progress, checks=checks
    )
    heads = dict(zip(names_of(metrics), labels(metrics), strict=True))
    first = results[names[0]]
    sentences = first[0].sentences
    groups.check_lengths(sentences)
    _check_verdicts(aggregation, len(names), sentences, samples)
    keys = sentence_keys(0, sentences) if groups.blocks is None else block_keys(groups.blocks)
    weights = resampling_weights(keys, "poisson", seed, samples)
    units = len(np.unique(keys))
    rows: list[SystemScore] = []
    forms, ceilings = {}, {}
    for index, (head, label) in enumerate(heads.items()):
        sign, form_of = metrics[index].scale.sign, mixed_forms(metrics[index], forms_in(corpus))
        scores = {name: sign * row[index].sentence_scores() for name, row in results.items()}
        if form_of:
            forms[head] = form_of
        resample = _Resampling(head, label, aggregation, weights, units, alpha, threads)
        for group in _ranked_groups(label, names, form_of):
            rows += resample.places(group, scores)
        rows += resample.source(names, scores) if SOURCE in results else []
        tops = next((row[index].ceilings for row in results.values() if row[index].ceilings), {})
        if tops:
            ceilings[head] = {who: top.score().value for who, top in tops.items()}
    if checks:
        for text in few_units(units, "sentence" if blocks is None else "block", "intervals, ranks and clusters"):
            warn(text)
    drawn = f"boot:{samples}|seed:{seed}|weights:poisson|unit:{'sentence' if blocks is None else 'block'}"
    signature = f"aggregation:{aggregation}|{drawn}|alpha:{alpha:g}|v:{__version__}"
    columns = zip(*(results[name] for name in names), strict=True)
    signed = {
        head: " ".join(dict.fromkeys(result.signature("sentence") for result in column))
        for head, column in zip(heads, columns, strict=True)
    }
    return Ranking(tuple(rows), aggregation, signature, signed, sentences, samples, alpha, ceilings, forms, heads)


def _ranked_groups(label: str, names: tuple[str, ...], form_of: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems that are ranked together: all, or those of each form; raises UsageError without any."""
    forms = sorted(set(form_of.values()))
    groups = [tuple(name for name in names if form_of.get(name) == form) for form in forms] or [names]
    ranked = [group for group in groups if len(group) > 1]
    if not ranked:
        message = f"{label} ranks systems with {' and '.join(forms)} separately, and only one of each is given"
        raise UsageError(message, hint="give both in one form: geceval m2 apply FILE writes the text of M2")
    return ranked


def _check_verdicts(aggregation: str, systems: int, sentences: int, samples: int) -> None:
    """Raise UsageError if TrueSkill exceeds MOST_VERDICTS verdicts."""
    pairs = math.comb(systems, 2) * sentences
    if aggregation == "trueskill" and pairs * samples > MOST_VERDICTS:
        message = f"TrueSkill of {pairs:,} pairs in {samples} samples exceeds {MOST_VERDICTS:,} verdicts"
        most = max(2, MOST_VERDICTS // pairs)
        hint = Hint("use ", named_option("samples", str(most)), " or ", named_option("aggregation", "expected-wins"))
        raise UsageError(message, hint=hint)


@dataclass(frozen=True)
class _Resampling:
    """Aggregation of a metric's sentence scores, and its replicates."""

    metric: str
    label: str
    aggregation: str
    weights: NDArray[np.uint8]
    units: int
    alpha: float
    threads: int

    def replicates(self, systems: tuple[str, ...], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the aggregated scores of the replicates from sentence scores [n, S]."""
        return AGGREGATIONS[self.aggregation].resampled(systems, scores, self.weights, self.threads)

    def places(self, names: tuple[str, ...], scores_of: Mapping[str, NDArray[np.float64]]) -> Iterator[SystemScore]:
        """Yield the ranking of some systems among themselves."""
        scores = np.stack([scores_of[name] for name in names])
        if not (np.isnan(scores).any() or exceeds(scores.max(axis=0), scores.min(axis=0)).any()):
            message = f"{self.label} gives all systems equal scores on every sentence, so they cannot be ranked"
            raise UsageError(message)
        values, replicates = AGGREGATIONS[self.aggregation].scores(names, scores), self.replicates(names, scores)
        # A replicate in which a system has no verdict gives no ranks.
        defined = replicates[~np.isnan(replicates).any(axis=1)]
        if np.isnan(values).any() or len(defined) < 2:
            alike = [name for name, value in zip(names, values, strict=True) if np.isnan(value)] or names
            message = f"{self.label} cannot rank {', '.join(alike)}: too few scores differ from those of other systems"
            raise UsageError(message)
        for place in placings(names, defined, scores=values, level=1 - self.alpha):
            k = names.index(place.system)
            bounds = percentile_interval(replicates[:, k], level=1 - self.alpha, units=self.units)
            ranks = (place.best_rank, place.worst_rank, place.cluster) if self.units >= FEWEST else (0, 0, 0)
            yield SystemScore(
                place.system, self.metric, float(values[k]), bounds.low, bounds.high, place.deviation, *ranks
            )

    def source(self, names: tuple[str, ...], scores_of: Mapping[str, NDArray[np.float64]]) -> Iterator[SystemScore]:
        """Yield the row of the unchanged source against all systems."""
        aggregation, systems = AGGREGATIONS[self.aggregation], (*names, SOURCE)
        scores = np.stack([scores_of[name] for name in systems])
        drawn = aggregation.of_last(self.replicates(systems, scores))
        bounds = percentile_interval(drawn, level=1 - self.alpha, units=self.units)
        value = float(aggregation.of_last(aggregation.scores(systems, scores)))
        yield SystemScore(SOURCE, self.metric, value, bounds.low, bounds.high, float(np.nanstd(drawn, ddof=1)), 0, 0, 0)


def ranking_report(ranking: Ranking, inputs: Mapping[str, Any]) -> Report:
    """Return a table of ranks for each metric; CSV has one table."""
    rows = [[place.metric, place.system, *ranking_cells(place, percent=False)] for place in ranking.systems]
    return Report(
        "geceval/ranking@1",
        lambda: vars(ranking) | {"inputs": inputs},
        lambda: _tables(ranking),
        records=lambda: [ReportTable([*table_columns("text", "metric", "system"), *RANKING_COLUMNS], rows)],
    )


def _tables(ranking: Ranking) -> list[ReportTable]:
    figure = AGGREGATIONS[ranking.aggregation].label
    guard = [SOURCE_NOTE] if any(place.system == SOURCE for place in ranking.systems) else []
    notes = [*guard, ranking.signature, *ranking.signatures.values()]
    metrics = list(dict.fromkeys(place.metric for place in ranking.systems))
    return [
        ranking_table(
            [place for place in ranking.systems if place.metric == metric],
            figure,
            ranking.alpha,
            f"{ranking.labels[metric]}, {counted(ranking.sentences, 'sentence')}",
            notes if metric == metrics[-1] else [],
            forms=ranking.forms.get(metric),
            above=_forms(ranking, metric),
            # Metrics on edits are in per cent.
            legend=ceiling_legend(
                {ranking.labels[metric]: (max(ranking.ceilings.get(metric, {}).values(), default=None), True)}
            ),
        )
        for metric in metrics
    ]


def _forms(ranking: Ranking, metric: str) -> list[str]:
    """Return the line above a table of systems given as M2 and as text."""
    forms = ranking.forms.get(metric)
    if not forms:
        return []
    ranked = [place.system for place in ranking.systems if place.metric == metric]
    alone = [name for name in forms if name not in ranked]
    [line] = forms_note({ranking.labels[metric]: forms})
    return [line + (f" ({', '.join(alone)}: not ranked, the only one of its form)" if alone else "")]
