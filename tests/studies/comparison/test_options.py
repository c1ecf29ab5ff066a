"""How many samples a comparison takes by itself."""

from __future__ import annotations

import pytest

from geceval import GecevalError, compare
from geceval.counting.metric_names import make_metric
from geceval.studies.comparison import resampled_counts
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


def test_many_pairs_are_corrected_by_benjamini_hochberg_unless_a_correction_is_given() -> None:
    systems = [f"s{k}" for k in range(26)]
    few, many = (Options().with_enough(own, 1) for own in (systems[:25], systems))
    assert (few.adjustment(of_groups=False), few.samples) == ("holm", 12_000)
    assert (many.adjustment(of_groups=False), many.samples) == ("bh", USUAL)
    assert Options(adjust="holm").with_enough(systems, 1).adjustment(of_groups=False) == "holm"
    assert Options(baseline="s0").with_enough(systems, 1).adjustment(of_groups=False) == "holm"


def test_a_comparison_of_many_pairs_names_its_correction() -> None:
    systems = {f"s{k}": ["a c", "a b", "a d"] for k in range(26)}
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], systems)
    found = compare(corpus, [make_metric("green")], checks=False)
    assert "adj:bh" in found.signature
    assert any("325 tests are corrected by Benjamini-Hochberg" in warning for warning in found.warnings)
    assert any("at least 6500 samples" in warning for warning in found.warnings)


def test_there_is_a_most() -> None:
    assert Options(alpha=0.001).with_enough(SYSTEMS, 50).samples == 1_000_000


def test_the_signature_says_how_many() -> None:
    corpus = Corpus(["a b"] * 3, [["a c"] * 3], {name: ["a c", "a b", "a d"] for name in SYSTEMS[:8]})
    metrics = [make_metric("green", beta=beta) for beta in (0.5, 1, 2)]
    found = compare(corpus, metrics, alpha=0.01, checks=False)
    assert f"boot:{2 * 28 * 3 * 100}" in found.signature
    with pytest.raises(GecevalError, match="samples"):
        compare(corpus, metrics, samples=0)


def test_p_values_do_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"a {'b' if k % 3 else 'c'} {k}" for k in range(40)]
    systems = {
        name: [line.replace("b", "c") if k % step else line for k, line in enumerate(lines)]
        for name, step in (("x", 2), ("y", 5), ("z", 7))
    }
    corpus = Corpus(lines, [[line.replace("b", "c") for line in lines]], systems)
    found = []
    for size in (1 << 19, 200):
        monkeypatch.setattr(resampled_counts, "SUMS", size)
        found.append(compare(corpus, [make_metric("green")], samples=100, checks=False))
    assert found[0] == found[1]
    assert not all(pair.exact for pair in found[0].pairs)
