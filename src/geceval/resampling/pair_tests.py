"""Paired tests of systems and intervals, from resampled counts.

docs/comparison.md gives the formulas and their sources.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import partial

from geceval.base.ties import TOLERANCE
from geceval.counting.comparison_options import Options, check_samples
from geceval.resampling.comparison_results import Pair
from geceval.resampling.repeated_runs import Variance
from geceval.resampling.replicates import Level, add_within, carry_within, figure_of
from geceval.statistics.intervals import FEWEST, deviation_of, percentile_interval
from geceval.statistics.multiple_tests import ADJUSTMENTS
from geceval.statistics.significance import centred_p, monte_carlo_error
from geceval.statistics.threads import run_in_threads


def interval_of(
    level: Level, value: float, options: Options, variance: Variance | None, *systems: int
) -> tuple[float, float, float]:
    """Return the interval and the standard deviation of a system's score, or of the difference of two.

    The interval is that of the variance by a model, or without one the percentiles of the replicates; it is NaN for
    fewer than FEWEST sentences or blocks. ``value`` is the official figure.
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
    if level.units < FEWEST:
        return math.nan, math.nan, deviation
    # The replicates may use other references than the official figure: close the gap.
    low, high = (carry_within(limit, observed, value, bounds) for limit in limits)
    return low, high, deviation


def is_reversed(value: float, observed: float) -> bool:
    """Return whether the official difference and the tested one have different directions."""
    return min(value, observed) < -TOLERANCE and max(value, observed) > TOLERANCE


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
    elif is_reversed(value, observed):
        p = 1.0  # the tested figure, with other references, shows nothing of the official one
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


def tested_together(pairs: Sequence[Pair], options: Options, *, of_groups: bool) -> list[int]:
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
        indices = tested_together(pairs, options, of_groups=of_groups)
        adjustment = options.adjustment(of_groups=of_groups)
        if not options.by_model and not all(pairs[index].exact for index in indices):
            check_samples(options.samples, len(indices), options.alpha, adjustment)
        corrected = ADJUSTMENTS[adjustment]([pairs[index].p for index in indices])
        for index, p in zip(indices, corrected.tolist(), strict=True):
            adjusted[index] = dataclasses.replace(adjusted[index], p_adjusted=p)
    return adjusted
