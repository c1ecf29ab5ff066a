"""Scores with intervals, tests of pairs and ranks, from resampled counts.

docs/significance.md gives the formulas and their sources.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from geceval._kernel import __version__
from geceval.base.arguments import choice
from geceval.base.ties import TOLERANCE
from geceval.counting.checks.ceilings import best_of, has_ceiling
from geceval.counting.comparison_options import Options, check_samples, members_of, needed
from geceval.counting.counts import Observed
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import heads_of, labels
from geceval.counting.metric_names import names as names_of
from geceval.counting.signature import signature_inputs, signature_of
from geceval.counting.stream import mixed_forms
from geceval.resampling.break_even import decisions_of
from geceval.resampling.comparison_results import Comparison, Pair, SystemScore
from geceval.resampling.repeated_runs import Variance
from geceval.resampling.replicates import Level, add_within, annotator_levels, carry_within, figure_of, levels
from geceval.resampling.resampled_counts import Resampled
from geceval.statistics.intervals import deviation_of, percentile_interval
from geceval.statistics.multiple_tests import ADJUSTMENTS
from geceval.statistics.rank_ranges import clusters_by_tests, ranges_by_tests
from geceval.statistics.resampling import shared_weights
from geceval.statistics.significance import centred_p, monte_carlo_error
from geceval.statistics.threads import run_in_threads
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE

#: Smallest gap between the official score and the score with the best references that is reported.
NOTICED = 1e-4
#: Intervals from fewer units than this are unreliable.
FEW_UNITS = 20


def _not_in_percent(names: Mapping[AnyMetric, str]) -> Iterator[str]:
    """Yield the names of metrics and of parts that tables show as they are."""
    for metric, name in names.items():
        if not metric.scale.in_percent:
            yield name
        yield from (f"{name} {part}" for part in sorted(metric.scale.plain_parts))


def comparison_of(corpus: TextSource, by_metric: Mapping[AnyMetric, Resampled], options: Options) -> Comparison:
    """Test the pairs and rank the systems from their resampled counts."""
    names = dict(zip(by_metric, names_of(list(by_metric)), strict=True))
    if options.primary is not None:
        choice("primary", options.primary, names.values())
    lower_is_better = tuple(names[metric] for metric in by_metric if not metric.scale.higher_is_better)
    warnings: list[str] = []
    systems: list[SystemScore] = []
    pairs: list[Pair] = []
    by_annotator: dict[int, list[Pair]] = {}
    ceilings = {
        names[metric]: {who: top.score().value for who, top in resampled.ceilings.items()}
        for metric, resampled in by_metric.items()
        if resampled.ceilings
    }
    for metric, resampled in by_metric.items():
        for level in levels(names[metric], resampled):
            scores = list(score_systems(level, options))
            if level.label is None:
                warnings += _gaps(level)
                if resampled.ceilings:
                    top = best_of(metric, ceilings[names[metric]])
                    reach = [has_ceiling(corpus, metric, next(iter(score.runs), score.system)) for score in scores]
                    scores = [
                        dataclasses.replace(score, ceiling=top if reached else None)
                        for score, reached in zip(scores, reach, strict=True)
                    ]
            systems += scores
            pairs += compare_pairs(level, options)
        for annotator, level in enumerate(annotator_levels(names[metric], resampled)):
            rows = [dataclasses.replace(pair, annotator=annotator) for pair in compare_pairs(level, options)]
            by_annotator.setdefault(annotator, []).extend(rows)
    shared_weights.cache_clear()
    heads = dict(zip(names.values(), heads_of(list(names), labels(list(names), by="name")), strict=True))
    pairs = adjust_pairs(pairs, options)
    annotated = [pair for rows in by_annotator.values() for pair in adjust_pairs(rows, options)]
    if options.many:
        count = len(_family(pairs, options, of_groups=False))
        warnings.append(
            f"{count} tests are corrected by Benjamini-Hochberg, which bounds the expected share of false differences; "
            f"Holm's correction (adjust=holm) requires at least {needed(count, options.alpha)} samples"
        )
    single = [score.system for score in systems if score.system != SOURCE and not score.runs]
    if options.runs and pairs and single:
        names_of_single = ", ".join(dict.fromkeys(single))
        warnings.append(f"one run of {names_of_single}: the tests do not account for the variance between its runs")
    two_runs = dict.fromkeys(score.system for score in systems if len(score.runs) == 2)
    if two_runs:
        warnings.append(
            f"two runs of {', '.join(two_runs)}: one difference of two scores says little about the variance between "
            "runs, so intervals are wide and unreliable; 3 runs or more are needed"
        )
    forms = {name: mixed for metric, name in names.items() if (mixed := forms_of(corpus, metric, options))}
    if forms and options.baseline not in (None, SOURCE):
        warnings.append(
            f"baseline {options.baseline} and some systems have different forms (text, edits): "
            f"part of their difference in {', '.join(forms)} is due to the form"
        )
    first = next(iter(by_metric.values()))
    units, what = (len(first.units), "blocks") if first.units else (first.sentences, "sentences")
    if units < FEW_UNITS:
        warnings.append(f"only {units} {what}: intervals from fewer than {FEW_UNITS} are unreliable")
    return Comparison(
        tuple(rank_systems(systems, pairs, lower_is_better, options, forms)),
        tuple(pairs),
        signature(options, by_metric),
        {names[metric]: _signed(corpus, resampled) for metric, resampled in by_metric.items()},
        first.sentences,
        units,
        options.alpha,
        options.baseline,
        tuple(warnings),
        lower_is_better,
        tuple(_not_in_percent(names)),
        heads,
        ceilings,
        forms,
        {name: account.to_dict() for name, account in first.outputs.items()},
        tuple(first.uncorrected_members),
        decisions={
            names[metric]: decisions_of(resampled.benefits, resampled.systems, resampled.pairs, options.alpha)
            for metric, resampled in by_metric.items()
            if resampled.benefits is not None
        },
        by_annotator=tuple(annotated),
        primary=options.primary,
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


def interval_of(
    level: Level, value: float, options: Options, variance: Variance | None, *systems: int
) -> tuple[float, float, float]:
    """Return the interval and the standard deviation of a system's score, or of the difference of two.

    The interval is that of the variance by a model, or without one the percentiles of the replicates. ``value`` is the
    official figure.
    """
    observed = float(figure_of(level.observed, systems))
    bounds = level.bounds if len(systems) == 1 else (-level.width, level.width)
    if variance is not None:
        deviation, half = variance.spread()[0], variance.half_width(options.alpha)
        limits = add_within(observed, -half, bounds), add_within(observed, half, bounds)
    else:
        replicates = figure_of(level.replicates, systems)
        deviation = deviation_of(replicates) if options.bootstrap_samples > 1 else 0.0
        percentiles = percentile_interval(replicates, level=1 - options.alpha)
        limits = percentiles.low, percentiles.high
    # The replicates may use other references than the official figure: close the gap.
    low, high = (carry_within(limit, observed, value, bounds) for limit in limits)
    return low, high, deviation


def compare_pairs(level: Level, options: Options) -> list[Pair]:
    """Return the unadjusted differences of all tested pairs."""
    pairs = level.resampled.pairs
    tests = level.drawn.p_values() if options.swaps(pairs) and not level.is_normal else []
    return run_in_threads(partial(compare_pair, level, options, tests), len(pairs), options.threads)


def compare_pair(level: Level, options: Options, tests: Sequence[tuple[float, bool]], at: int) -> Pair:
    """Return the difference, interval and unadjusted p-value of pair number ``at``.

    ``tests`` has p of each pair by randomisation, and whether it is exact. A difference without a value has no p.
    """
    resampled, group = level.resampled, level.group
    a, b = pair = resampled.pairs[at]
    value, observed = (float(figure_of(scores, pair)) for scores in (level.values, level.observed))
    systems = list(resampled.members)
    exact, variance = False, level.variance(a, b)
    low, high, deviation = interval_of(level, value, options, variance, a, b)
    if math.isnan(value) or math.isnan(observed):
        p = math.nan
    elif variance is not None:
        p = variance.p(observed)
    elif options.test == "bootstrap":
        p = centred_p(figure_of(level.replicates, pair), observed)
    else:
        p, exact = tests[at]
    better, worse = int(group.above[at]), int(group.below[at])
    if not resampled.metric.scale.higher_is_better:
        better, worse = worse, better
    return Pair(
        systems[a],
        systems[b],
        level.metric,
        value,
        low,
        high,
        p,
        p,
        effect(value, deviation),
        better / group.sentences,
        (group.sentences - better - worse) / group.sentences,
        worse / group.sentences,
        int(level.drawn.differing[at]),
        exact,
        level.label,
        0.0 if exact or options.by_model else monte_carlo_error(p, options.samples),
    )


def effect(difference: float, deviation: float) -> float:
    """Return the difference in standard deviations: infinite if these are 0, NaN if one of both has no value."""
    if abs(difference) <= TOLERANCE:
        return 0.0
    if math.isnan(difference) or math.isnan(deviation):
        return math.nan
    return difference / deviation if deviation > TOLERANCE else math.copysign(math.inf, difference)


def _family(pairs: Sequence[Pair], options: Options, *, of_groups: bool) -> list[int]:
    """Return the indices of the tests that are corrected together.

    A difference without a value is not a test.
    """
    return [
        index
        for index, pair in enumerate(pairs)
        if (pair.group is not None) == of_groups and options.primary in (None, pair.metric) and pair.is_defined
    ]


def adjust_pairs(pairs: Sequence[Pair], options: Options) -> list[Pair]:
    """Correct p-values for all tests of the whole corpus, and for all of groups.

    Pairs under another metric than the primary one, and those without a value, have the adjusted p NaN.

    Raises UsageError if no test of a family can show a difference.
    """
    adjusted = [dataclasses.replace(pair, p_adjusted=math.nan) for pair in pairs]
    for of_groups in (False, True):
        indices, adjustment = _family(pairs, options, of_groups=of_groups), options.adjustment(of_groups=of_groups)
        if not options.by_model and not all(pairs[index].exact for index in indices):
            check_samples(options.samples, len(indices), options.alpha, adjustment)
        corrected = ADJUSTMENTS[adjustment]([pairs[index].p for index in indices])
        for index, p in zip(indices, corrected.tolist(), strict=True):
            adjusted[index] = dataclasses.replace(adjusted[index], p_adjusted=p)
    return adjusted


def rank_systems(
    systems: Sequence[SystemScore],
    pairs: Sequence[Pair],
    lower_is_better: Sequence[str],
    options: Options,
    forms: Mapping[str, Mapping[str, str]],
) -> Iterator[SystemScore]:
    """Yield the systems with the rank ranges and clusters of the adjusted tests.

    Each metric and group has its own ranking, and each form of mixed ``forms``. The unchanged source and systems
    without a score are not ranked: their ranks and cluster are 0.
    """
    tests = {level: list(pairs_of_level) for level, pairs_of_level in groupby(pairs, _level_of)}
    for level, rows in groupby(systems, _level_of):
        ranked: dict[str, SystemScore] = {}
        scores, form_of, sign = list(rows), forms.get(level[0], {}), -1 if level[0] in lower_is_better else 1
        for form in set(form_of.values()) or [""]:
            of_form = [score for score in scores if score.system != SOURCE and form_of.get(score.system, "") == form]
            part = [score for score in of_form if not math.isnan(score.value)]
            ranked |= {score.system: score for score in _rank_part(part, tests.get(level, ()), sign, options)}
        yield from (ranked.get(score.system, score) for score in scores)


def _rank_part(
    scores: Sequence[SystemScore], tests: Sequence[Pair], sign: int, options: Options
) -> Iterator[SystemScore]:
    """Yield systems that are ranked together."""
    indices = {score.system: k for k, score in enumerate(scores)}
    beats = np.zeros((len(scores), len(scores)), dtype=bool)
    for pair in tests:
        if pair.p_adjusted < options.alpha and abs(pair.difference) > TOLERANCE and {pair.a, pair.b} <= indices.keys():
            winner, loser = (pair.a, pair.b) if pair.difference * sign > 0 else (pair.b, pair.a)
            beats[indices[winner], indices[loser]] = True
    best, worst = ranges_by_tests(beats)
    clusters = clusters_by_tests(np.array([score.value * sign for score in scores]), beats)
    for k, score in enumerate(scores):
        yield dataclasses.replace(score, rank_low=int(best[k]), rank_high=int(worst[k]), cluster=int(clusters[k]))


def _level_of(row: SystemScore | Pair) -> tuple[str, str | None]:
    return row.metric, row.group


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


def _gaps(level: Level) -> Iterator[str]:
    if level.resampled.treatment != "frozen":
        return
    scores = zip(level.resampled.systems, level.run_values.tolist(), level.drawn.observed.tolist(), strict=True)
    for system, value, best in scores:
        if abs(best - value) > NOTICED:
            yield (
                f"{level.resampled.metric.label} of {system}: {value:.6f} with references chosen in order, {best:.6f} "
                "with the best references; replicates use the best references and are shifted by the difference"
            )


def forms_of(corpus: TextSource, metric: AnyMetric, options: Options) -> dict[str, str]:
    """Return the forms of the systems, as ``mixed_forms``, by their first runs."""
    forms, names = mixed_forms(corpus, metric), corpus.system_names
    firsts = {system: names[runs[0]] for system, runs in members_of(options.runs, names).items()}
    return {system: forms[first] for system, first in firsts.items() if first in forms}
