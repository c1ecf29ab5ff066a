"""Power of comparisons: simulations find differences as often as stated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from geceval import Corpus, Green, power
from geceval._kernel import resampling_weights
from geceval.base.errors import UsageError
from geceval.comparison.power import quantiles, sentences_needed
from geceval.statistics.resampling import exact_floats, sentence_keys, weighted_sums
from geceval.statistics.significance import randomisation_p


def f(sums: Any) -> Any:
    """Return F0.5 of [..., (TP, FP, FN)]."""
    tp, fp, fn = np.moveaxis(np.asarray(sums, float), -1, 0)
    return 1.25 * tp / np.maximum(1.25 * tp + fp + 0.25 * fn, 1)


def population(rng: np.random.Generator, size: int) -> np.ndarray[Any, Any]:
    """Return correlated counts of two systems [size, 6], of which the first is slightly better."""
    errors = rng.poisson(2.0, size)
    first, second = (rng.binomial(errors, rate) for rate in (0.46, 0.40))
    wrong = rng.poisson(1.0, size)
    return np.stack([first, wrong, errors - first, second, wrong + rng.binomial(1, 0.1, size), errors - second], axis=1)


def p_of(rows: np.ndarray[Any, Any], seed: int) -> float:
    totals = rows.sum(axis=0)
    swapped = weighted_sums(resampling_weights(sentence_keys(0, len(rows)), "swap", seed, 399), exact_floats(rows))
    exchanged = swapped[:, 3:] - swapped[:, :3]
    differences = f(totals[:3] + exchanged) - f(totals[3:] - exchanged)
    return randomisation_p(differences, float(f(totals[:3]) - f(totals[3:])))


def test_needed_sentences_show_the_difference_with_the_stated_power() -> None:
    rng = np.random.default_rng(0)
    pilot = population(rng, 4000)
    totals = pilot.sum(axis=0)
    difference = float(f(totals[:3]) - f(totals[3:]))
    drawn = weighted_sums(resampling_weights(sentence_keys(0, len(pilot)), "poisson", 0, 999), exact_floats(pilot))
    deviation = float((f(drawn[:, :3]) - f(drawn[:, 3:])).std()) * np.sqrt(len(pilot))
    needed = sentences_needed(difference, deviation, 0.8, 0.05)
    assert needed is not None
    assert 30 < needed < 4000
    trials = 300
    detected = sum(p_of(pilot[rng.integers(len(pilot), size=needed)], seed) <= 0.05 for seed in range(trials))
    assert detected / trials == pytest.approx(0.8, abs=0.06)  # two and a half standard errors


def test_needed_sentences_are_those_of_the_textbook() -> None:
    assert quantiles(0.8, 0.05) == pytest.approx(1.959964 + 0.841621, abs=1e-5)
    assert sentences_needed(0.5, 1.0, 0.8, 0.05) == 32  # (2.8016 / 0.5)² = 31.4
    assert sentences_needed(0.0, 1.0, 0.8, 0.05) is None


CORPUS = Corpus(
    ["a b c d"] * 40,
    [["a b x d"] * 40],
    {"one": ["a b x d"] * 30 + ["a b c d"] * 10, "two": ["a b x d"] * 25 + ["a b c d"] * 15, "three": ["a b c d"] * 40},
)


def test_power_has_a_row_for_each_pair() -> None:
    rows = power(CORPUS, [Green(n=2)], checks=False)
    assert [(row.a, row.b) for row in rows] == [("one", "two"), ("one", "three"), ("two", "three")]
    first, second, _ = rows
    assert first.needed is not None
    assert second.needed is not None
    assert first.needed > 40 > second.needed
    assert first.detectable > first.difference
    assert first.detectable == pytest.approx(2.8016 * first.deviation_per_sentence / np.sqrt(40), rel=1e-4)
    [reversed_row] = power(CORPUS, [Green(n=2)], checks=False, pair=("two", "one"))
    assert (reversed_row.difference, reversed_row.needed) == (-first.difference, first.needed)
    assert [row.b for row in power(CORPUS, [Green(n=2)], checks=False, baseline="three")] == ["three", "three"]
    stricter = power(CORPUS, [Green(n=2)], checks=False, pair=("one", "two"), power=0.9, alpha=0.01)[0]
    assert stricter.needed is not None
    assert stricter.needed > first.needed


def test_equal_systems_have_no_needed_number() -> None:
    same = Corpus(["a b"] * 3, [["a c"] * 3], {"one": ["a c"] * 3, "two": ["a c"] * 3})
    [row] = power(same, [Green(n=1)], checks=False)
    assert (row.needed, row.detectable, row.difference) == (None, 0, 0)


def test_invalid_power_and_unknown_system_are_refused() -> None:
    with pytest.raises(UsageError, match="power is 1"):
        power(CORPUS, [Green()], checks=False, power=1.0)
    with pytest.raises(UsageError, match=r"a system of pair must be one of .*, not four"):
        power(CORPUS, [Green()], checks=False, pair=("one", "four"))
