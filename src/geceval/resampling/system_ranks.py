"""Ranks of systems that the tests of pairs allow."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

import numpy as np

from geceval.base.ties import TOLERANCE
from geceval.resampling.comparison_results import MetricComparison, Pair, SystemScore
from geceval.statistics.rank_ranges import clusters_by_tests, ranges_by_tests
from geceval.text.files import SOURCE


def rank_systems(metric: MetricComparison, alpha: float) -> Iterator[SystemScore]:
    """Yield the systems with the rank ranges and clusters of the adjusted tests.

    Each group has its own ranking, and each form of mixed forms. The unchanged source and systems without a score are
    not ranked: their ranks and cluster are 0. A description, such as a change rate, ranks no system.
    """
    if metric.is_description:
        yield from metric.systems
        return
    for group in dict.fromkeys(score.group for score in metric.systems):
        scores, tests = metric.scores_of(group), metric.pairs_of(group)
        ranked: dict[str, SystemScore] = {}
        for form in set(metric.forms.values()) or [""]:
            of_form = [score for score in scores if score.system != SOURCE and metric.form(score.system) == form]
            part = [score for score in of_form if not math.isnan(score.value)]
            ranked |= {score.system: score for score in _rank_part(part, tests, metric.sign, alpha)}
        yield from (ranked.get(score.system, score) for score in scores)


def _rank_part(scores: Sequence[SystemScore], tests: Sequence[Pair], sign: int, alpha: float) -> Iterator[SystemScore]:
    """Yield systems that are ranked together."""
    indices = {score.system: k for k, score in enumerate(scores)}
    beats = np.zeros((len(scores), len(scores)), dtype=bool)
    for pair in tests:
        if pair.p_adjusted < alpha and abs(pair.difference) > TOLERANCE and {pair.a, pair.b} <= indices.keys():
            winner, loser = (pair.a, pair.b) if pair.difference * sign > 0 else (pair.b, pair.a)
            beats[indices[winner], indices[loser]] = True
    best, worst = ranges_by_tests(beats)
    clusters = clusters_by_tests(np.array([score.value * sign for score in scores]), beats)
    for k, score in enumerate(scores):
        yield dataclasses.replace(score, rank_low=int(best[k]), rank_high=int(worst[k]), cluster=int(clusters[k]))
