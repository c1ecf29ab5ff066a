"""The default number of samples of a comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import GecevalError, compare
from geceval.counting.comparison_options import USUAL, Options, needed
from geceval.counting.metric_names import make_metric
from geceval.resampling import weighted_sums
from geceval.statistics.multiple_tests import ADJUSTMENTS, Adjustment
from geceval.text.corpus import Corpus
from support.effort import examples

SYSTEMS = [f"s{k}" for k in range(14)]


def test_default_number_of_samples_suffices_for_many_tests() -> None:
    """The smallest possible p, times the number of tests, is below alpha."""
    options = Options().with_samples(None, SYSTEMS, 6)
    assert 91 * 6 / (options.samples + 1) < options.alpha
    assert options.samples > USUAL
    assert Options().with_samples(None, SYSTEMS[:2], 6).samples == USUAL


@pytest.mark.parametrize("options", [Options(adjust="none"), Options(adjust="bh"), Options(pairs="none")])
def test_tests_without_holm_have_the_usual_number_of_samples(options: Options) -> None:
    assert options.with_samples(None, SYSTEMS, 50).samples == USUAL


def test_smaller_alpha_has_more_samples() -> None:
    assert Options(alpha=0.001).with_samples(None, SYSTEMS, 1).samples == 2 * 91_000


def test_many_pairs_are_corrected_by_benjamini_hochberg_unless_a_correction_is_given() -> None:
    systems = [f"s{k}" for k in range(26)]
    few, many = (Options().with_samples(None, names, 1) for names in (systems[:25], systems))
    assert (few.adjustment(of_groups=False), few.samples) == ("holm", 12_000)
    assert (many.adjustment(of_groups=False), many.samples) == ("bh", USUAL)
    assert Options(adjust="holm").with_samples(None, systems, 1).adjustment(of_groups=False) == "holm"
    assert Options(baseline="s0").with_samples(None, systems, 1).adjustment(of_groups=False) == "holm"


def test_comparison_of_many_pairs_names_its_correction() -> None:
    systems = {f"s{k}": ["a c", "a b", "a d"] for k in range(26)}
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], systems)
    comparison = compare(corpus, [make_metric("green")], checks=False)
    assert "adj:bh" in comparison.signature
    assert any("325 tests are corrected by Benjamini-Hochberg" in warning for warning in comparison.warnings)
    assert any("at least 6500 samples" in warning for warning in comparison.warnings)


@settings(max_examples=examples(100))
@given(st.integers(1, 2000), st.floats(1e-4, 0.5), st.sampled_from(["holm", "bh", "none"]))
def test_needed_samples_are_the_fewest_with_which_a_corrected_test_shows_a_difference(
    tests: int, alpha: float, adjust: Adjustment
) -> None:
    fewest = needed(tests, alpha, adjust)
    for samples, shows in ((fewest, True), (fewest - 1, False)):
        smallest = np.full(tests, 1 / (samples + 1))
        assert (samples == 0) or (ADJUSTMENTS[adjust](smallest).min() < alpha * (1 + 1e-12)) >= shows
        assert (samples == 0) or shows or ADJUSTMENTS[adjust](smallest).min() >= alpha * (1 - 1e-12)


def test_more_samples_than_are_supported_are_refused_with_a_hint() -> None:
    with pytest.raises(GecevalError, match=r"require 9,100,000 samples, and at most 1,000,000 are supported") as error:
        Options(alpha=1e-5).with_samples(None, SYSTEMS, 1)
    assert error.value.hint == "use adjust=bh or a larger alpha"
    assert Options(alpha=1e-5, adjust="bh").with_samples(None, SYSTEMS, 1).samples == 200_000
    with pytest.raises(GecevalError, match="supported"):
        Options(alpha=1e-300).with_samples(None, SYSTEMS, 1)


def test_samples_too_few_for_holm_among_groups_are_refused_with_a_number_that_suffices() -> None:
    lines = [f"a {'b' if k % 3 else 'c'} {k}" for k in range(60)]
    systems = {name: [line.replace("b", name) for line in lines] for name in ("x", "y", "b")}
    corpus = Corpus(lines, [lines], systems)
    labels = [k % 4 for k in range(60)]
    options: Any = {"groups": labels, "adjust": "holm", "checks": False}
    with pytest.raises(GecevalError, match="100 samples are too few for 12 tests corrected by holm") as error:
        compare(corpus, [make_metric("green")], samples=100, **options)
    assert str(error.value.hint) == "use samples=240 or more"
    assert compare(corpus, [make_metric("green")], samples=240, **options).pairs


def test_default_number_of_samples_is_at_most_a_million() -> None:
    assert Options(alpha=0.005).with_samples(None, SYSTEMS, 50).samples == 1_000_000


def test_signature_has_the_number_of_samples() -> None:
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], {name: ["a c", "a b", "a d"] for name in SYSTEMS[:8]})
    metrics = [make_metric("green", beta=beta) for beta in (0.5, 1, 2)]
    comparison = compare(corpus, metrics, alpha=0.01, checks=False)
    assert f"ar:{2 * 28 * 3 * 100}|boot:10000|" in comparison.signature
    bootstrap = compare(corpus, metrics, alpha=0.01, test="bootstrap", checks=False)
    assert f"boot:{2 * 28 * 3 * 100}|" in bootstrap.signature
    assert "ar:17000|boot:17000|" in compare(corpus, metrics, alpha=0.01, samples=17000, checks=False).signature


def test_intervals_have_their_number_of_samples_however_many_tests_need() -> None:
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], {name: ["a c", "a b", "a d"] for name in SYSTEMS[:8]})
    metrics = [make_metric("green", beta=beta) for beta in (0.5, 1, 2)]
    with_tests, alone = (compare(corpus, metrics, alpha=0.01, pairs=pairs, checks=False) for pairs in ("all", "none"))
    intervals_of = [[(score.low, score.high) for score in comparison.systems] for comparison in (with_tests, alone)]
    assert intervals_of[0] == intervals_of[1]


def test_number_of_samples_is_checked() -> None:
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], {name: ["a c", "a b", "a d"] for name in SYSTEMS[:8]})
    metrics = [make_metric("green")]
    with pytest.raises(GecevalError, match="samples"):
        compare(corpus, metrics, samples=0)


def test_p_values_do_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"a {'b' if k % 3 else 'c'} {k}" for k in range(40)]
    systems = {
        name: [line.replace("b", "c") if k % step else line for k, line in enumerate(lines)]
        for name, step in (("x", 2), ("y", 5), ("z", 7))
    }
    corpus = Corpus(lines, [[line.replace("b", "c") for line in lines]], systems)
    comparisons = []
    for size in (1 << 19, 200):
        monkeypatch.setattr(weighted_sums, "SUMS", size)
        comparisons.append(compare(corpus, [make_metric("green")], samples=100, checks=False))
    assert comparisons[0] == comparisons[1]
    assert not all(pair.exact for pair in comparisons[0].pairs)
