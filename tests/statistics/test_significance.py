"""p-values from replicates, corrections for many, intervals and clusters."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.statistics.clusters import clusters_by_tests, ranges_by_tests
from geceval.statistics.intervals import acceleration, bca_interval, percentile_interval
from geceval.statistics.significance import (
    ADJUSTMENTS,
    benjamini_hochberg,
    benjamini_yekutieli,
    centred_p,
    holm,
    monte_carlo_error,
    randomisation_p,
)

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
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1,
    ]
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4
    assert (holm(p) <= 0.05).sum() == 3
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert benjamini_yekutieli([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.055, 0.22 / 3, 0.22 / 3])


@given(shares)
def test_adjusted_p(p: list[float]) -> None:
    m = len(p)
    found = {name: adjust(p) for name, adjust in ADJUSTMENTS.items()}
    for values in found.values():
        assert ((values >= np.array(p) - 1e-15) & (values <= 1)).all()
        order = np.argsort(p, kind="stable")
        assert (np.diff(values[order]) >= -1e-15).all()
    assert (found["holm"] <= np.minimum(1, m * np.array(p)) + 1e-15).all()  # never worse than Bonferroni
    assert (found["bh"] <= found["holm"] + 1e-12).all()
    assert (found["bh"] <= found["by"] + 1e-12).all()
    ranks = sorted(p)
    for value, adjusted in zip(p, found["holm"].tolist(), strict=True):
        last = max(j for j in range(m) if ranks[j] == value)
        assert adjusted == pytest.approx(max(min(1, (m - j) * ranks[j]) for j in range(last + 1)))
    for value, adjusted in zip(p, found["bh"].tolist(), strict=True):
        first = ranks.index(value)
        assert adjusted == pytest.approx(min(min(1, m * ranks[j] / (j + 1)) for j in range(first, m)))


def test_bca_moves_the_percentile_interval() -> None:
    replicates = np.arange(1000) / 1000
    symmetric = bca_interval(replicates, 0.4995, np.array([1.0, 2.0, 3.0]))
    plain = percentile_interval(replicates)
    assert (symmetric.low, symmetric.high) == pytest.approx((plain.low, plain.high), abs=1.5e-3)
    skewed = bca_interval(replicates, 0.6, np.array([1.0, 1.1, 1.2, 0.0]))
    assert skewed.low > plain.low
    assert acceleration(np.array([1.0, 1.1, 1.2, 0.0])) > 0
    assert bca_interval(np.full(10, 0.5), 0.5, np.zeros(4)).low == 0.5
    assert bca_interval(np.array([0.0, 1.0, math.nan]), 0.5, np.arange(3.0)).undefined == 1


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_bca_by_hand(share: float) -> None:
    """With bias b and acceleration a, the ends are the shares Phi(b + z / (1 - a z)) with z = b -+ 1.96."""
    replicates, left_out = np.arange(1000) / 1000, np.array([1.0, 1.1, 1.2, 0.0])
    gaps = left_out.mean() - left_out
    pull = (gaps**3).sum() / (6 * (gaps**2).sum() ** 1.5)
    normal = NormalDist()
    bias = normal.inv_cdf(share)
    low, high = (normal.cdf(bias + z / (1 - pull * z)) for z in (bias - 1.959964, bias + 1.959964))
    found = bca_interval(replicates, share - 0.0005, left_out)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1.5e-3)
    assert acceleration(left_out) == pytest.approx(pull)
    assert acceleration(np.full(3, 0.5)) == 0


def test_bca_at_the_ends() -> None:
    """With a one-sided jackknife, shares can be 0 and 1; without a defined replicate there is no interval."""
    one_sided = np.array([0.0, *[1.0] * 9])
    for level in (0.95, 0.01):
        far = bca_interval(np.arange(1.0, 1001.0), 999.5, one_sided, level=level)
        assert (far.low, far.high) == (1000.0, 1000.0)
        far = bca_interval(np.arange(1.0, 1001.0), 1.5, 1 - one_sided, level=level)
        assert (far.low, far.high) == (1.0, 1.0)
    aside = bca_interval(np.arange(1.0, 1001.0), 0.0, one_sided)  # all on one side
    assert (aside.low, aside.high) == (26.0, 975.0)
    nothing = bca_interval(np.array([math.nan] * 2), 0.5, one_sided)
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
