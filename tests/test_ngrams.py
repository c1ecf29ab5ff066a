"""The n-gram kernel: equal to its twin, bounded, and never at a loss for odd text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twins_ngrams
from geceval import Corpus, Green
from geceval._kernel import NgramTable
from geceval.errors import InputError, UsageError
from strategies import any_text, odd_sentences, sentences

TEXT = st.one_of(sentences, odd_sentences, any_text)


@settings(max_examples=300)
@given(st.data(), st.sampled_from(["word", "char"]), st.integers(1, 5), st.integers(0, 3))
def test_kernel_equals_twin(data: st.DataObject, unit: str, n: int, references: int) -> None:
    size = data.draw(st.integers(1, 4))
    texts = [data.draw(st.lists(TEXT, min_size=1 + references, max_size=1 + references)) for _ in range(size)]
    hypotheses = data.draw(st.lists(TEXT, min_size=size, max_size=size))
    counted = NgramTable(texts, n, unit).count(hypotheses)
    assert counted.shape == (size, references, n, 8)
    if references:
        np.testing.assert_array_equal(counted, twins_ngrams.count(texts, hypotheses, n, unit))


@given(TEXT, TEXT, TEXT, st.sampled_from(["word", "char", "grapheme"]), st.integers(1, 6))
def test_invariants(source: str, reference: str, hypothesis: str, unit: str, n: int) -> None:
    counted = NgramTable([[source, reference]], n, unit).count([hypothesis])[0, 0]
    tk, td, ti, od, oi, ud, ui, absent = counted.T
    swapped = NgramTable([[source, hypothesis]], n, unit).count([reference])[0, 0]
    assert (counted >= 0).all()
    assert (absent <= ud).all()
    np.testing.assert_array_equal(swapped[:, :3], counted[:, :3])  # what both do
    np.testing.assert_array_equal(swapped[:, 3:7], counted[:, [5, 6, 3, 4]])  # what one does and the other does not
    if unit != "grapheme":
        sizes = [sum(twins_ngrams.ngrams(source, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + td + od + ud, sizes)
        sizes = [sum(twins_ngrams.ngrams(reference, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + ti + od + ui, sizes)
        sizes = [sum(twins_ngrams.ngrams(hypothesis, order, unit).values()) for order in range(1, n + 1)]
        np.testing.assert_array_equal(tk + ti + oi + ud, sizes)


def test_a_hundred_thousand_random_lines() -> None:
    """Arbitrary Unicode, empty lines and lines of 10^4 tokens: no panic, no hang, the invariants hold."""
    random = np.random.default_rng(0)
    alphabet = np.array([*map(chr, range(1, 0x300)), *"  \u3000\u2028", *map(chr, range(0x1F600, 0x1F650))])
    lines = ["".join(random.choice(alphabet, random.integers(0, 40))) for _ in range(33_333)]
    lines += [" ".join(random.choice(["a", "b", "ab", "a\xa0b"], 10_000)) for _ in range(10)]
    lines += [" ".join(f"a x{i}" for i in range(5_000)), "a " * 10_000, ""]
    order = random.permutation(len(lines))
    references, hypotheses = [lines[i] for i in order], [lines[i] for i in order[::-1]]
    for unit in ("word", "char", "grapheme"):
        counted = NgramTable(list(zip(lines, references, strict=True)), 4, unit).count(hypotheses)
        assert (counted >= 0).all()
        assert (counted[..., 7] <= counted[..., 5]).all()
    green = Green()
    scores = green.sentence_scores(lines, hypotheses, [references])
    assert ((scores >= 0) & (scores <= 1)).all()
    same = green.sentence_scores(lines, references, [references])
    long_enough = np.array(
        [len(line.split()) >= 4 or len(ref.split()) >= 4 for line, ref in zip(lines, references, strict=True)]
    )
    np.testing.assert_array_equal(same[long_enough], 1.0)


def test_wrong_shapes_are_refused() -> None:
    table = NgramTable([["a", "b"]], 1, "word")
    with pytest.raises(ValueError, match="2 hypotheses for 1 sentences"):
        table.count(["a", "b"])
    with pytest.raises(ValueError, match="the same number of references"):
        NgramTable([["a", "b"], ["a"]], 1, "word")
    with pytest.raises(ValueError, match="unknown unit"):
        NgramTable([["a", "b"]], 1, "byte")  # type: ignore[arg-type]


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="n is 0"):
        Green(n=0)
    with pytest.raises(UsageError, match="unknown unit 'byte'"):
        Green(unit="byte")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="beta is -1"):
        Green(beta=-1)
    with pytest.raises(InputError, match="need references"):
        Green().prepare(Corpus(["a"], []))


def test_missing_references_are_not_empty_ones() -> None:
    green = Green(n=1)
    corpus = (["a", "b"], ["", "x"])
    both = green.counts(*corpus, [["a", "b"], ["", None]])
    assert both.mask.tolist() == [[True, True], [True, False]]
    assert (both.array[1, 1] == 0).all()
    [choice] = green.choices(both)
    assert choice.tolist() == [1, 0]
    assert "refs:1-2" in green.corpus_score(*corpus, [["a", "b"], ["", None]]).signature
