"""BERTScore by its definition, its memory, and its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval.base.errors import InputError, UsageError
from geceval.metrics.neural.bertscore import BertScorer, baseline, bertscore
from geceval.metrics.neural.networks import Encoded, Encoder
from support.effort import examples


def encoded(rows: list[list[float]], own: list[bool]) -> Encoded:
    vectors = np.array(rows, dtype=np.float32)
    return Encoded(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.array(own))


def slow(candidate: Encoded, reference: Encoded) -> tuple[float, float, float]:
    """One piece at a time."""

    def side(one: Encoded, other: Encoded) -> float:
        best = [
            max(float(v @ w) for w in other.vectors) for v, own in zip(one.vectors, one.from_text, strict=True) if own
        ]
        return sum(best) / len(best)

    if not candidate.from_text.any() or not reference.from_text.any():
        return 0.0, 0.0, 0.0
    p, r = side(candidate, reference), side(reference, candidate)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


sides = st.lists(
    st.tuples(st.lists(st.integers(1, 9).map(float), min_size=3, max_size=3), st.booleans()), min_size=1, max_size=5
).map(lambda rows: encoded([row for row, _ in rows], [own for _, own in rows]))


@given(sides, sides)
def test_equal_to_the_definition(candidate: Encoded, reference: Encoded) -> None:
    assert bertscore(candidate, reference) == pytest.approx(slow(candidate, reference), abs=1e-6)


def test_special_pieces_are_matched_but_not_counted() -> None:
    candidate = encoded([[1, 0], [0, 1]], [False, True])
    reference = encoded([[0, 1], [1, 0]], [False, True])
    # The candidate's own piece finds its equal among the reference's special pieces, and the other way round.
    assert bertscore(candidate, reference) == (1.0, 1.0, 1.0)


@settings(max_examples=examples(20))
@given(data=st.data())
def test_scores_do_not_depend_on_what_they_are_asked_with(tiny_bert: str, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(["the", "cat", "he", "home", "x"]), max_size=6).map(" ".join)
    pairs = data.draw(st.lists(st.tuples(words, words), min_size=1, max_size=8))
    encoder = Encoder(tiny_bert, 2)
    together = BertScorer(encoder).scores(pairs)
    alone = [BertScorer(Encoder(tiny_bert, 2, batch=1)).scores([pair])[0] for pair in pairs]
    np.testing.assert_allclose(np.array(together), np.array(alone), atol=1e-5)
    for (candidate, reference), triple in zip(pairs, together, strict=True):
        if candidate == reference and candidate:
            assert triple == pytest.approx((1, 1, 1), abs=1e-6)
        if not candidate or not reference:
            assert triple == (0, 0, 0)


def test_equal_pieces_have_equal_scores(tiny_bert: str) -> None:
    first, second = BertScorer(Encoder(tiny_bert, 2)).scores([("The Cat", "he"), ("the cat", "he")])
    assert first == second  # not nearly: a change of capitals must weigh 0 with an uncased encoder


def test_scores_are_kept_in_a_file(tiny_bert: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, pairs = str(tmp_path / "scores.sqlite"), [("the cat", "he"), ("home", "the home")]
    first = BertScorer(Encoder(tiny_bert, 2), path).scores(pairs)
    encoder = Encoder(tiny_bert, 2)
    monkeypatch.setattr(encoder, "_computed", lambda batch: pytest.fail("encoded anew"))
    assert BertScorer(encoder, path).scores(pairs) == first
    # Another layer is another encoder.
    assert BertScorer(Encoder(tiny_bert, 3), path).scores(pairs) != first


def test_a_file_that_keeps_nothing(tiny_bert: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("this is no data base, whatever it is called\n" * 40, encoding="utf-8")
    with pytest.raises(InputError, match=r"text\.txt: not a cache file"):
        BertScorer(Encoder(tiny_bert, 2), str(path)).scores([("the cat", "he")])


def test_baseline_is_none_a_number_or_a_line_of_a_file(tmp_path: Path) -> None:
    assert baseline(None, 9) == (0, 0, 0)
    assert baseline("0.25", 9) == (0.25, 0.25, 0.25)
    table = tmp_path / "base.tsv"
    table.write_text("LAYER,P,R,F\n8,0.1,0.2,0.3\n9,0.4,0.5,0.6\n10,x,0,0\n", encoding="utf-8")
    assert baseline(str(table), 9) == (0.4, 0.5, 0.6)
    with pytest.raises(InputError, match="no line for layer 12"):
        baseline(str(table), 12)
    with pytest.raises(InputError, match=r"base\.tsv:4: expected LAYER,P,R,F"):
        baseline(str(table), 10)
    with pytest.raises(UsageError, match="below 1"):
        baseline("1", 9)
    with pytest.raises(UsageError, match="a number or a file"):
        baseline("nowhere.tsv", 9)
