"""The MaxMatch lattice: the kernel does what its slow twin does, and the search what the exact algorithm does."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twins_lattice as twin
from geceval._kernel import GoldTable

tokens = st.lists(st.sampled_from("abcAé"), max_size=6)
alternatives = st.lists(st.lists(st.sampled_from("abcAé"), max_size=2).map(" ".join), min_size=1, max_size=2)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[twin.Gold]]]:
    """Source, hypothesis, and the gold edits of one to three annotators: unsorted, repeated, overlapping, unreal."""
    source, hypothesis = draw(tokens), draw(tokens)
    edit = st.tuples(st.integers(0, len(source)), st.integers(0, 2), alternatives).map(
        lambda drawn: twin.Gold(drawn[0], min(len(source), drawn[0] + drawn[1]), tuple(drawn[2]))
    )
    return source, hypothesis, draw(st.lists(st.lists(edit, max_size=5), min_size=1, max_size=3))


def table(source: list[str], gold: list[list[twin.Gold]]) -> GoldTable:
    plain = [[(edit.start, edit.end, edit.alternatives) for edit in own] for own in gold]
    return GoldTable([" ".join(source)], [plain])


@settings(max_examples=400, deadline=None)
@given(problems(), st.integers(0, 3), st.booleans())
def test_kernel_is_twin(
    problem: tuple[list[str], list[str], list[list[twin.Gold]]], max_unchanged: int, ignore: bool
) -> None:
    source, hypothesis, gold = problem
    kernel = table(source, gold)
    text = " ".join(hypothesis)
    counts = kernel.count([text], max_unchanged, ignore)[0]
    assert [tuple(row) for row in counts.tolist()] == [
        (*row, 0) for row in twin.counts(source, hypothesis, gold, max_unchanged, ignore)
    ]
    views = kernel.views(0, text, max_unchanged, ignore)
    assert views is not None
    expected = twin.edits(source, hypothesis, gold, max_unchanged, ignore)
    for (edits, matches), found, own in zip(views, expected, gold, strict=True):
        assert [
            twin.Found(start, end, " ".join(source[start:end]), " ".join(hypothesis[first:last]))
            for start, end, first, last in edits
        ] == found
        assert len(matches) == twin.correct(found, own)
        for edit, wanted in matches:
            assert (found[edit].start, found[edit].end) == (own[wanted].start, own[wanted].end)
            assert found[edit].text in own[wanted].alternatives


def corpus(seed: int, size: int, vocabulary: str, length: int) -> tuple[GoldTable, list[str]]:
    """Sentences with repeated phrases, hypotheses that resemble them, two annotators each."""
    draw = random.Random(seed)
    sources, hypotheses, gold = [], [], []
    for _ in range(size):
        source = [draw.choice(vocabulary) for _ in range(draw.randint(0, length))]
        hypothesis = list(source)
        for _ in range(draw.randint(1, 5)):
            at = draw.randint(0, len(hypothesis))
            change = draw.choice([[draw.choice(vocabulary)], [], hypothesis[at : at + 3] * 2])
            hypothesis[at : at + draw.randint(0, 2)] = change
        annotators = []
        for _ in range(2):
            own = []
            for _ in range(draw.randint(0, 3)):
                start = draw.randint(0, len(source))
                end = min(len(source), start + draw.randint(0, 2))
                own.append((start, end, [" ".join(draw.choices(vocabulary, k=draw.randint(start == end, 2)))]))
            annotators.append(own)
        sources.append(" ".join(source))
        hypotheses.append(" ".join(hypothesis))
        gold.append(annotators)
    return GoldTable(sources, gold), hypotheses


@pytest.mark.parametrize(("vocabulary", "length"), [("abc", 8), ("abcdef", 12), ("abcdefghij", 20)])
@pytest.mark.parametrize("max_unchanged", [0, 1, 2, 5])
def test_search_is_exact_but_for_ties(vocabulary: str, length: int, max_unchanged: int) -> None:
    kernel, hypotheses = corpus(length, 1500, vocabulary, length)
    exact = kernel.count(hypotheses, max_unchanged, False, None, "exact")
    search = kernel.count(hypotheses, max_unchanged, False, None, "search")
    np.testing.assert_array_equal(search[..., 2:], exact[..., 2:])
    different = (search != exact).any(axis=2).mean()
    assert different < 0.01  # measured: 0 to 0.8 %
    assert (exact[..., :2] > 0).any(axis=(0, 1)).all()


def test_threads_change_nothing() -> None:
    kernel, hypotheses = corpus(1, 500, "abcde", 15)
    one, four = (kernel.count(hypotheses, 2, False, threads=threads) for threads in (1, 4))
    np.testing.assert_array_equal(one, four)


def degenerate(source_repeats: int, hypothesis_repeats: int) -> tuple[str, str]:
    """A normal beginning and a list of 15 tokens, repeated; the hypothesis loses 3 % of its tokens."""
    draw = random.Random(5)
    head = ["this", "is", "how", "a", "normal", "sentence", "begins"]
    phrase = [f"w{k}" for k in range(15)]
    long = [word for word in phrase * hypothesis_repeats if draw.random() > 0.03]
    return " ".join(head + phrase * source_repeats), " ".join(head + long)


@pytest.mark.parametrize(
    ("source", "hypothesis"),
    [
        ("This is a sentence .", "This is a sentence ." + " there is no legal obligation ." * 60),
        degenerate(10, 30),
        degenerate(10, 60),
        degenerate(20, 60),
        (" ".join("abcdefghij" * 50), " ".join("klmnopqrst" * 50)),
    ],
)
def test_degenerate_text_is_bounded(source: str, hypothesis: str) -> None:
    edits = [(1, 2, ["was"]), (2, 3, ["the way"]), (5, 5, ["!"])]
    kernel = GoldTable([source], [[edits, []]])
    start = time.monotonic()
    [[first, second]] = kernel.count([hypothesis], 2, False, 60.0)
    assert time.monotonic() - start < 60  # typically below 0.3 s; the bound is the timeout's, not a benchmark
    assert first.tolist()[2:] == [3, 0]
    assert second.tolist()[2:] == [0, 0]
    assert second[1] > 0


def test_degenerate_text_scores_as_the_exact_algorithm_says() -> None:
    source, hypothesis = degenerate(5, 12)
    edits = [(3, 4, ["one"]), (7, 7, ["w3"]), (30, 31, ["w1 w2"])]
    kernel = GoldTable([source], [[edits, []]])
    counts = [kernel.count([hypothesis], 2, False, None, method).tolist() for method in ("exact", "search")]
    assert counts[0] == counts[1]


def test_timeout() -> None:
    source, hypothesis = degenerate(20, 60)
    kernel = GoldTable([source, "a b"], [[[(0, 1, ["x"])], []], [[(0, 1, ["x"])]]])
    late, fine = kernel.count([hypothesis, "x b"], 2, False, 1e-4).tolist()
    assert late == [[0, 0, 1, 1], [0, 0, 0, 1]]
    assert fine == [[1, 1, 1, 0], [0, 0, 0, 0]]
    assert kernel.views(0, hypothesis, 2, False, 1e-4) is None


def test_tokens_are_split_as_python_does() -> None:
    kernel = GoldTable(["a\u3000b\x1cc"], [[[(1, 2, ["x"]), (2, 3, ["y\xa0z"])]]])
    assert kernel.count(["a x\u2028c\x85"], 2, False).tolist() == [[[1, 1, 2, 0]]]
    assert kernel.count(["a b y\xa0z"], 2, False).tolist() == [[[0, 1, 2, 0]]]


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="1 sources"):
        GoldTable(["a"], [])
    kernel = GoldTable(["a"], [[[]]])
    with pytest.raises(ValueError, match="2 hypotheses for 1"):
        kernel.count(["a", "b"], 2, False)
    with pytest.raises(ValueError, match="unknown method"):
        kernel.count(["a"], 2, False, None, "slow")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no sentence 1"):
        kernel.views(1, "a", 2, False)
    with pytest.raises(ValueError, match="negative"):
        kernel.count(["a"], 2, False, -1.0)
