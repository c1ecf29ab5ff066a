"""Comparison of systems under several metrics, from resampled counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from geceval._kernel import __version__
from geceval.base.arguments import choice, counted, listed
from geceval.base.errors import UsageError
from geceval.counting.comparison_options import Options, needed
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import MetricHeads, heads_of, labels
from geceval.counting.metric_names import names as names_of
from geceval.counting.observations import Observed
from geceval.counting.signature import signature_inputs, signature_of
from geceval.counting.stream import mixed_forms
from geceval.resampling.break_even import decisions_of
from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, SystemScore
from geceval.resampling.pair_tests import adjust_pairs, compare_pairs, interval_of, is_reversed, tested_together
from geceval.resampling.replicates import Level, annotator_levels, levels
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import first_forms
from geceval.resampling.system_ranks import rank_systems
from geceval.resampling.system_tables import NAMED
from geceval.statistics.intervals import FEWEST
from geceval.statistics.resampling import shared_weights
from geceval.statistics.significance import fewest_differences
from geceval.tables.number_text import shown
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE

#: Smallest gap between the official score and the score with the best references that is reported.
NOTICED = 1e-4
#: Intervals from fewer units than this are unreliable.
FEW_UNITS = 20
#: Sums of counts up to this may be those of few sentences, of which samples may be empty.
FEW_COUNTS = 60


def comparison_of(corpus: TextSource, by_metric: Mapping[AnyMetric, Resampled], options: Options) -> Comparison:
    """Test the pairs and rank the systems from their resampled counts.

    Raises UsageError if two metrics have one name, or no test of a family can show a difference.
    """
    metrics = list(by_metric)
    names = names_of(metrics)
    for index, name in enumerate(names):
        if name in names[:index]:
            raise UsageError(f"two metrics have the name {name}, so their results cannot be distinguished")
    if options.primary is not None:
        choice("primary", options.primary, names)
    heads = heads_of(metrics, labels(metrics, by="name"))
    compared = [
        compare_metric(corpus, name, of_metric, resampled, options)
        for name, of_metric, resampled in zip(names, heads, by_metric.values(), strict=True)
    ]
    shared_weights.cache_clear()
    compared = adjust_metrics(compared, options)
    ranked = [replace(metric, systems=tuple(rank_systems(metric, options.alpha))) for metric in compared]
    first = next(iter(by_metric.values()))
    return Comparison(
        {metric.name: metric for metric in ranked},
        signature(options, by_metric),
        first.sentences,
        first.number_of_units,
        options.alpha,
        options.baseline,
        tuple(comparison_warnings(ranked, first, options)),
        {name: account.to_dict() for name, account in first.outputs.items()},
        tuple(first.uncorrected_members),
        options.primary,
    )


def compare_metric(
    corpus: TextSource, name: str, heads: MetricHeads, resampled: Resampled, options: Options
) -> MetricComparison:
    """Return the scores and the unadjusted tests under one metric; no system is ranked.

    Args:
        corpus: Source, systems, and references or gold edits.
        name: Name of the metric.
        heads: Names of the metric in tables.
        resampled: Resampled counts of the systems.
        options: Options of the comparison.
    """
    metric = resampled.metric
    systems: list[SystemScore] = []
    pairs: list[Pair] = []
    warnings: list[str] = []
    sentences, decidable = resampled.sentences, [True for _ in resampled.pairs]
    ceilings = {
        annotator: result.score().value
        for facts in resampled.facts.values()
        for annotator, result in facts.ceilings.items()
    }
    for level in levels(name, resampled):
        scores = list(score_systems(level, options))
        if level.label is None:
            warnings += [*_gaps(level, heads.label), *_reversals(level, heads.label)]
            warnings += _empty_samples(level, heads.label, options)
            sentences = level.counted
            if options.swaps(resampled.pairs):
                decidable = [number >= fewest_differences(options.alpha) for number in level.drawn.differing.tolist()]
            scores = _with_ceiling(scores, resampled, ceilings) if ceilings else scores
        systems += scores
        pairs += compare_pairs(level, options)
    by_annotator = [
        replace(pair, annotator=annotator)
        for annotator, level in enumerate(annotator_levels(name, resampled))
        for pair in compare_pairs(level, options)
    ]
    decisions = None
    # With references of their own, systems have different edits to find: their net benefits cannot be compared.
    is_comparable = not corpus.systems_with_own_references
    if resampled.benefits is not None and resampled.number_of_units >= FEWEST and is_comparable:
        decisions = decisions_of(resampled.benefits, resampled.systems, resampled.pairs, options.alpha, decidable)
    return MetricComparison(
        name,
        heads,
        metric.scale,
        _signed(corpus, resampled),
        tuple(systems),
        tuple(pairs),
        tuple(by_annotator),
        ceilings,
        mixed_forms(metric, first_forms(corpus, options)),
        decisions,
        tuple(warnings),
        sentences,
    )


def adjust_metrics(metrics: Sequence[MetricComparison], options: Options) -> list[MetricComparison]:
    """Correct the p-values of all metrics together, and of each annotator.

    Raises UsageError if no test of a family can show a difference.
    """
    pairs = adjust_pairs([pair for metric in metrics for pair in metric.pairs], options)
    rows = [row for metric in metrics for row in metric.by_annotator]
    annotators = sorted({row.annotator or 0 for row in rows})
    of_annotators = [
        row
        for annotator in annotators
        for row in adjust_pairs([row for row in rows if row.annotator == annotator], options)
    ]
    return [
        replace(
            metric,
            pairs=tuple(pair for pair in pairs if pair.metric == metric.name),
            by_annotator=tuple(row for row in of_annotators if row.metric == metric.name),
        )
        for metric in metrics
    ]


def comparison_warnings(metrics: Sequence[MetricComparison], resampled: Resampled, options: Options) -> Iterator[str]:
    """Yield reasons why numbers may be unreliable; ``resampled`` are the counts under any metric."""
    for metric in metrics:
        yield from metric.warnings
    pairs = [pair for metric in metrics for pair in metric.pairs]
    systems = [score for metric in metrics for score in metric.systems]
    if options.many:
        count = len(tested_together(pairs, options, of_groups=False))
        yield (
            f"{count} tests are corrected by Benjamini-Hochberg, which bounds the expected share of false differences; "
            f"Holm's correction (adjust=holm) requires at least {needed(count, options.alpha)} samples"
        )
    single = dict.fromkeys(score.system for score in systems if score.system != SOURCE and not score.runs)
    if options.runs and pairs and single:
        yield f"one run of {', '.join(single)}: the tests do not account for the variance between its runs"
    two_runs = dict.fromkeys(score.system for score in systems if len(score.runs) == 2)
    if two_runs:
        yield (
            f"two runs of {', '.join(two_runs)}: one difference of two scores says little about the variance between "
            "runs, so intervals are wide and unreliable, and tests at 5 % reject up to 15 % of true null hypotheses; "
            "3 runs or more are needed"
        )
    mixed = [metric.name for metric in metrics if metric.forms]
    if mixed and options.baseline not in (None, SOURCE):
        yield (
            f"baseline {options.baseline} and some systems have different forms (text, edits): "
            f"part of their difference in {', '.join(mixed)} is due to the form"
        )
    yield from _few_counted(metrics, resampled.sentences)
    yield from few_units(resampled.number_of_units, "block" if resampled.units else "sentence")


def few_units(units: int, noun: str, results: str = "intervals") -> Iterator[str]:
    """Yield a warning if results from this number of units are unreliable, or not computed."""
    few = f"only {counted(units, noun)}"
    if units < FEWEST:
        yield f"{few}: {results} require at least {FEWEST}, and none is computed"
    elif units < FEW_UNITS:
        yield f"{few}: {results} from fewer than {FEW_UNITS} are unreliable"


def _few_counted(metrics: Sequence[MetricComparison], sentences: int) -> Iterator[str]:
    """Yield warnings of metrics that count few of the sentences, together for those that count as many."""
    labels_of: dict[int, list[str]] = {}
    for metric in metrics:
        labels_of.setdefault(metric.sentences, []).append(metric.label)
    for count, of_metrics in labels_of.items():
        for text in few_units(count, "sentence") if 0 < count < sentences else ():
            yield f"{listed(of_metrics)} {'count' if len(of_metrics) > 1 else 'counts'} {text}"


def score_systems(level: Level, options: Options) -> Iterator[SystemScore]:
    """Yield each system's official score with its interval."""
    names = level.resampled.systems
    for k, (system, run_indices) in enumerate(level.resampled.members.items()):
        value = float(level.values[k])
        low, high, deviation = interval_of(level, value, options, level.variance(k), k)
        runs = {names[run]: float(level.run_values[run]) for run in run_indices} if len(run_indices) > 1 else {}
        between = float(np.std(list(runs.values()), ddof=1)) if runs else None
        yield SystemScore(
            system, level.metric, value, low, high, deviation, 0, 0, 0, level.label, None, runs, between
        )  # fmt: skip


def _with_ceiling(
    scores: Sequence[SystemScore], resampled: Resampled, ceilings: Mapping[str, float]
) -> list[SystemScore]:
    """Return scores with the ceiling of the systems that are given as text."""
    ceiling = resampled.metric.scale.best(ceilings.values())
    has_one = [bool(resampled.facts[next(iter(score.runs), score.system)].ceilings) for score in scores]
    return [replace(score, ceiling=ceiling if has else None) for score, has in zip(scores, has_one, strict=True)]


def _gaps(level: Level, label: str) -> Iterator[str]:
    if level.resampled.treatment != "frozen":
        return
    scores = zip(level.resampled.systems, level.run_values.tolist(), level.drawn.observed.tolist(), strict=True)
    for system, value, best in scores:
        if abs(best - value) > NOTICED:
            yield (
                f"{label} of {system}: {value:.6f} with references chosen in order, {best:.6f} "
                "with the best references; replicates use the best references and are shifted by the difference"
            )


def _reversals(level: Level, label: str) -> Iterator[str]:
    """Yield a warning of pairs whose tested difference has another direction than the official one."""
    resampled, systems = level.resampled, list(level.resampled.members)
    for a, b in resampled.pairs:
        value, observed = (float(scores[a] - scores[b]) for scores in (level.values, level.observed))
        if is_reversed(value, observed):
            official, tested = (shown(number, 2, resampled.metric.scale.in_percent) for number in (value, observed))
            yield (
                f"{label}: {systems[a]} against {systems[b]}: {official} with the references of the "
                f"score, {tested} with those of the test: no difference is shown (p = 1)"
            )


def _empty_samples(level: Level, label: str, options: Options) -> Iterator[str]:
    """Yield a warning of systems of which many samples have no edit, if these have a score."""
    resampled, drawn = level.resampled, level.drawn
    if level.units < FEWEST or np.abs(drawn.totals).sum(axis=-1).min() > FEW_COUNTS:
        return
    shares = dict(zip(resampled.systems, drawn.empty().tolist(), strict=True))
    listed = [f"{system} {100 * share:.0f} %" for system, share in shares.items() if share > options.alpha / 2]
    # A metric in a file need not have a score of nothing.
    of_nothing = float(resampled.score_sums(np.zeros_like(drawn.totals[:1]))[0]) if listed else math.nan
    if not math.isnan(of_nothing):
        named = ", ".join(listed[:NAMED]) + (f" and {len(listed) - NAMED} more" if len(listed) > NAMED else "")
        score = shown(of_nothing, 0, resampled.metric.scale.in_percent)
        yield (
            f"{label}: samples of the sentences without an edit score {score}, and are many "
            f"({named}), so intervals reach it"
        )


def _signed(corpus: TextSource, resampled: Resampled) -> str:
    """Return the metric's signature, or several if text and edits are mixed."""
    metric, observed = resampled.metric, resampled.observed
    if observed.texts is None:  # counted elsewhere
        observed = Observed.of(corpus)
    signed = [
        signature_of(metric, signature_inputs(metric, corpus, system, observed)) for system in corpus.system_names
    ]
    return " ".join(dict.fromkeys(signed))


def signature(options: Options, by_metric: Mapping[AnyMetric, Resampled]) -> str:
    """Return the settings that affect a number: ``ar:10000|boot:10000|seed:0|…``."""
    all_resampled = by_metric.values()
    tested = any(resampled.pairs for resampled in all_resampled)
    parts = [f"ar:{options.samples}"] if tested and options.test == "randomisation" else []
    parts += [
        f"boot:{options.bootstrap_samples}",
        f"seed:{options.seed}",
        f"ci:{'t' if options.by_model else 'percentile'}",
        "weights:poisson",
    ]
    parts += [f"runs:{','.join(f'{name}={len(runs)}' for name, runs in options.runs.items())}"] if options.runs else []
    parts.append(f"unit:{'block' if any(resampled.units for resampled in all_resampled) else 'sentence'}")
    treated = dict.fromkeys(
        f"{resampled.metric.label}={resampled.treatment}" for resampled in all_resampled if resampled.treatment
    )
    parts += [f"ref:{','.join(treated)}"] if treated else []
    if tested:
        corrections = [options.adjustment(of_groups=False)]
        corrections += (
            [options.adjustment(of_groups=True)] if any(resampled.grouping for resampled in all_resampled) else []
        )
        parts += [f"primary:{options.primary}"] if options.primary is not None else []
        parts.append(f"adj:{'+'.join(dict.fromkeys(corrections))}")
    return "|".join([*parts, f"alpha:{options.alpha:g}", f"v:{__version__}"])
