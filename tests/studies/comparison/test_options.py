"""How many samples a comparison takes by itself."""

from __future__ import annotations

import pytest

from geceval import GecevalError, compare
from geceval.counting.metric_names import make_metric
from geceval.studies.comparison.comparison_options import USUAL, Options
from geceval.text.corpus import Corpus

SYSTEMS = [f"s{k}" for k in range(14)]


def test_many_tests_take_enough_samples_to_tell_anything() -> None:
    """The p of the most extreme outcome, times all tests, is below alpha."""
    options = Options().with_enough(SYSTEMS, 6)
    assert 91 * 6 / (options.samples + 1) < options.alpha
    assert options.samples > USUAL
    assert Options().with_enough(SYSTEMS[:2], 6).samples == USUAL


@pytest.mark.parametrize("options", [Options(adjust="none"), Options(adjust="bh"), Options(pairs="none")])
def test_what_holm_does_not_correct_takes_the_usual_ones(options: Options) -> None:
    assert options.with_enough(SYSTEMS, 50).samples == USUAL


def test_a_smaller_alpha_takes_more() -> None:
    assert Options(alpha=0.001).with_enough(SYSTEMS, 1).samples == 2 * 91_000


def test_there_is_a_most() -> None:
    assert Options(alpha=0.001).with_enough(SYSTEMS, 50).samples == 1_000_000


def test_the_signature_says_how_many() -> None:
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], {name: ["a c", "a b", "a d"] for name in SYSTEMS[:8]})
    metrics = [make_metric("green", beta=beta) for beta in (0.5, 1, 2)]
    found = compare(corpus, metrics, alpha=0.01, checks=False)
    assert f"boot:{2 * 28 * 3 * 100}" in found.signature
    with pytest.raises(GecevalError, match="samples"):
        compare(corpus, metrics, samples=0)
