"""Learned metrics without their networks: likeness for the Scribendi score, and figures from sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Scribendi
from geceval._kernel import Text, indel_distances
from geceval.metrics.impara import Impara
from geceval.metrics.ptm2 import PtErrant, PtM2
from geceval.metrics.scribendi import levenshtein_distance_ratios, similarities, token_sort_ratios
from geceval.metrics.uot import UotErrant
from support.messages import message_of
from support.strategies import any_text, odd_sentences
from twins.distance import indel, token_sort_ratio

pairs = st.lists(st.tuples(st.one_of(odd_sentences, any_text), st.one_of(odd_sentences, any_text)), min_size=1)


@given(pairs=pairs, threads=st.sampled_from([1, 3]))
def test_distances_are_those_of_the_table(pairs: list[tuple[str, str]], threads: int) -> None:
    left, right = zip(*pairs, strict=True)
    assert indel_distances(Text(left), Text(right), threads).tolist() == [indel(a, b) for a, b in pairs]


def test_many_long_lines(snapshot: SnapshotAssertion) -> None:
    random = np.random.default_rng(0)
    lines = ["".join(random.choice(list("abé👨 "), random.integers(0, 300))) for _ in range(600)]
    distances = [indel_distances(Text(lines[:300]), Text(lines[300:]), threads) for threads in (1, 4)]
    assert (distances[0] == distances[1]).all()
    assert distances[0][:20].tolist() == [indel(a, b) for a, b in zip(lines[:20], lines[300:], strict=False)]
    assert message_of(indel_distances, Text(["a"]), Text([]), 1) == snapshot


@given(pairs=pairs)
def test_ratios_are_those_of_their_definition(pairs: list[tuple[str, str]]) -> None:
    left, right = (list(side) for side in zip(*pairs, strict=True))
    assert token_sort_ratios(left, right).tolist() == [token_sort_ratio(a, b) for a, b in pairs]
    ratios = [1 - indel(a, b) / (len(a) + len(b)) if a or b else 1.0 for a, b in pairs]
    assert levenshtein_distance_ratios(left, right).tolist() == ratios
    assert similarities(left, right).tolist() == [
        max(token_sort_ratio(a, b), r) for (a, b), r in zip(pairs, ratios, strict=True)
    ]


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("We can not let it go .", "We cannot let it go .", 0.82),
        ("caused social extensive", "caused extensive social", 1.0),
        ("the café", "the caf", 1.0),  # the letters of Latin 1 beyond ASCII are dropped
        ("the cafē", "the caf", 0.93),  # others are not
        (". . .", "! ! !", 1.0),  # no words on either side
        (". . .", "a", 0.0),
        ("risk_of 50 %", "risk of 50 %", 0.7),  # the underscore is a letter
        ("The Family", "family THE", 1.0),
        ("x" * 79 + "y" * 41, "x" * 80, 0.79),  # 1 - 42/200 = 0.79
        ("x" * 159 + "y" * 41, "x" * 159 + "z" * 41, 0.8),  # 0.795: a half is rounded to the even hundredth
        ("x" * 157 + "y" * 43, "x" * 157 + "z" * 43, 0.78),  # 0.785: so is this one
    ],
)
def test_token_sort_ratio_by_hand(first: str, second: str, ratio: float) -> None:
    assert token_sort_ratios([first], [second]).tolist() == [ratio]


def test_levenshtein_ratio_of_the_paper_s_example() -> None:
    [ratio] = levenshtein_distance_ratios(["We can not let it go ."], ["We cannot let it go ."])
    assert ratio == pytest.approx(0.9767, abs=5e-5)


def test_scores_of_sums() -> None:
    totals = np.array([[3, 1, 2, 5], [0, 0, 0, 0], [1, 0, 1, 0]])  # the last of them tells how many texts were cut
    assert Scribendi().score(totals).tolist() == [1, 0, 0]
    assert Scribendi(total="mean").score(totals).tolist() == [1 / 6, 0, 0]
    parts = {name: part[0] for name, part in Scribendi().parts(totals).items()}
    assert parts == {"plus": 1 / 2, "zero": 1 / 6, "minus": 1 / 3}


# --- figures from sums alone ---


def test_pt_m2_is_f_of_weights() -> None:
    """Correct, proposed, gold, and the numbers of these edits, which count only if all weights are 0."""
    counts = np.array([2.0, 4.0, 5.0, 7.0, 8.0, 9.0])
    metric, figure = PtM2(), PtM2().f
    precision, recall = figure.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 4, 2 / 5)
    assert float(figure.formula.scores(counts)) == pytest.approx(1.25 * 0.5 * 0.4 / (0.25 * 0.5 + 0.4))
    assert metric.ranking(counts)[1:].tolist() == [2.0, -(4.0 + 0.25 * 5.0)]
    assert metric.own_score(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0])) == pytest.approx(0.5)


def test_pt_errant_is_f_of_weights() -> None:
    """TP, FP and FN, and the numbers of these edits."""
    counts = np.array([2.0, 3.0, 4.0, 7.0, 8.0, 9.0])
    figure = PtErrant().f
    precision, recall = figure.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 5, 2 / 6)
    assert figure.ranking(counts)[1:].tolist() == [2.0, -3.0, -4.0]


def test_uot_errant_is_f_of_masses() -> None:
    """TP, FP, FN, and the sentences whose plan did not converge."""
    counts = np.array([2.0, 3.0, 4.0, 9.0])
    precision, recall = UotErrant().f.precision_recall(counts)
    assert (float(precision), float(recall)) == (2 / 5, 2 / 6)
    assert UotErrant().f.ranking(counts)[1:].tolist() == [2.0, -3.0, -4.0]


def test_impara_is_a_mean_and_a_share() -> None:
    """The sum of values, gated, cut, and all."""
    totals = np.array([[1.5, 2.0, 1.0, 5.0], [0.0, 0.0, 0.0, 0.0]])
    assert Impara().score(totals).tolist() == [0.3, 0.0]
    assert Impara().parts(totals)["gated"].tolist() == [0.4, 0.0]
