"""p-values from replicates, corrections for many, intervals and clusters."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.statistics.intervals import percentile_interval
from geceval.statistics.multiple_tests import ADJUSTMENTS, benjamini_hochberg, holm
from geceval.statistics.rank_ranges import clusters_by_tests, ranges_by_tests
from geceval.statistics.significance import centred_p, monte_carlo_error, randomisation_p

shares = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_p_counts_the_observed_labelling_and_ties() -> None:
    assert randomisation_p([0.1, -0.3, 0.2, 0.0], 0.2) == 3 / 5
    assert randomisation_p([0.1, -0.3, 0.2, 0.0], -0.2, exact=True) == 2 / 4
    assert randomisation_p([0.3, 0.1 + 0.2], 0.1 + 0.2) == 1
    assert randomisation_p([0.0] * 9, 0.0) == 1
    assert randomisation_p([0.0] * 9, 0.5) == 0.1


def test_the_centred_bootstrap_is_two_sided() -> None:
    drawn = [0.9, 1.1, 1.0, 1.0]
    assert centred_p(drawn, 1.0) == 1 / 5
    assert centred_p(drawn, 0.1) == 3 / 5
    assert centred_p([0.3] * 4, 0.0) == 1


def test_monte_carlo_error() -> None:
    assert monte_carlo_error(0.05, 10000) == pytest.approx(0.00218, abs=1e-5)
    assert monte_carlo_error(1.0, 10000) == 0


def test_published_examples() -> None:
    """Benjamini and Hochberg (1995), section 3.2: 15 tests, of which Bonferroni rejects 3, theirs 4 at 0.05."""
    p = list(
        map(float, ".0001 .0004 .0019 .0095 .0201 .0278 .0298 .0344 .0459 .3240 .4262 .5719 .6528 .7590 1".split())
    )
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4
    assert (holm(p) <= 0.05).sum() == 3
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])


@given(shares)
def test_adjusted_p_keep_order_and_bounds(p: list[float]) -> None:
    m = len(p)
    adjusted_by = {name: adjust(p) for name, adjust in ADJUSTMENTS.items()}
    for values in adjusted_by.values():
        assert ((values >= np.array(p) - 1e-15) & (values <= 1)).all()
        order = np.argsort(p, kind="stable")
        assert (np.diff(values[order]) >= -1e-15).all()
    assert (adjusted_by["holm"] <= np.minimum(1, m * np.array(p)) + 1e-15).all()  # never worse than Bonferroni
    assert (adjusted_by["bh"] <= adjusted_by["holm"] + 1e-12).all()
    ranks = sorted(p)
    for value, adjusted in zip(p, adjusted_by["holm"].tolist(), strict=True):
        last = max(j for j in range(m) if ranks[j] == value)
        assert adjusted == pytest.approx(max(min(1, (m - j) * ranks[j]) for j in range(last + 1)))
    for value, adjusted in zip(p, adjusted_by["bh"].tolist(), strict=True):
        first = ranks.index(value)
        assert adjusted == pytest.approx(min(min(1, m * ranks[j] / (j + 1)) for j in range(first, m)))


def test_percentile_interval_leaves_out_undefined_replicates() -> None:
    interval = percentile_interval(np.array([*np.arange(1.0, 1001.0), math.nan]))
    assert (interval.low, interval.high, interval.undefined) == (26.0, 975.0, 1)
    nothing = percentile_interval(np.array([math.nan] * 2))
    assert math.isnan(nothing.low)
    assert nothing.undefined == 2


def test_ranges_and_clusters_by_tests() -> None:
    scores = np.array([0.3, 0.9, 0.5, 0.6])
    beats = np.zeros((4, 4), dtype=bool)
    beats[[1, 1, 1, 3], [0, 2, 3, 0]] = True
    best, worst = ranges_by_tests(beats)
    assert best.tolist() == [3, 1, 2, 2]
    assert worst.tolist() == [4, 1, 4, 3]
    assert clusters_by_tests(scores, beats).tolist() == [2, 1, 2, 2]
    beats[2, 0] = True
    assert clusters_by_tests(scores, beats).tolist() == [3, 1, 2, 2]
    assert clusters_by_tests(scores, np.zeros((4, 4), dtype=bool)).tolist() == [1, 1, 1, 1]


@given(st.permutations(range(5)), st.lists(st.booleans(), min_size=10, max_size=10))
def test_a_line_is_drawn_where_all_above_beat_all_below(scores: list[int], flags: list[bool]) -> None:
    beats = np.zeros((5, 5), dtype=bool)
    for (a, b), flag in zip(itertools.combinations(range(5), 2), flags, strict=True):
        better, worse = (a, b) if scores[a] > scores[b] else (b, a)
        beats[better, worse] = flag
    clusters = clusters_by_tests(np.array(scores, float), beats)
    best, worst = ranges_by_tests(beats)
    for a, b in itertools.permutations(range(5), 2):
        if clusters[a] < clusters[b]:
            assert beats[a, b]
            assert worst[a] < best[b]
    order = np.argsort(-np.array(scores))
    for place in range(1, 5):
        line = all(beats[a, b] for a in order[:place] for b in order[place:])
        assert line == (clusters[order[place - 1]] < clusters[order[place]])
