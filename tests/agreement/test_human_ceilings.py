"""Agreement of people with each other, on cases worked by hand and against loops over the items."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.agreement.human_ceilings import agreement_of_two_people, ceilings_of, reliability, separated_pairs
from geceval.agreement.judgments import Item, Judgments, Ratings
from geceval.agreement.people import People, expand_pairs

SYSTEMS = "ABCD"


def judgments(*items: tuple[int, str, str, tuple[int, ...]]) -> Judgments:
    """Items from sentence, annotator, groups such as "AB C", and ranks."""
    return Judgments(
        "memory",
        tuple(
            Item(sentence, user, tuple(map(tuple, groups.split())), ranks, line)
            for line, (sentence, user, groups, ranks) in enumerate(items)
        ),
    )


def test_two_people_agree_on_outputs_that_both_decided() -> None:
    people = judgments(
        (1, "u", "AB C D", (1, 2, 2)),  # AB > C, AB > D, C = D
        (1, "v", "AB C D", (1, 3, 1)),  # AB > C, AB = D, C < D
        (1, "u", "AB C", (2, 1)),  # again: AB < C
        (2, "u", "A B", (1, 2)),
        (2, "w", "A B", (2, 1)),
        (3, "v", "A B", (1, 2)),  # v alone
    )
    # Sentence 1: only AB against C is decided by both: v with either verdict of u. Sentence 2: A against B.
    agreement = agreement_of_two_people(expand_pairs(people), resamples=200)
    assert agreement is not None
    assert (agreement.share, agreement.comparisons, agreement.sentences) == (pytest.approx(1 / 3), 3, 2)
    assert agreement.best_metric == pytest.approx(2 / 3)
    assert agreement.interval is not None
    assert (agreement.interval.low, agreement.interval.high) == (0.0, 0.5)
    # Without B, A stands for its group.
    alone = agreement_of_two_people(expand_pairs(people).among(["A", "C"]), resamples=0)
    assert alone is not None
    assert (alone.share, alone.comparisons, alone.interval) == (0.5, 2, None)


def test_one_person_has_no_agreement() -> None:
    alone = judgments((1, "u", "A B", (1, 2)), (1, "u", "A B", (1, 2)), (2, "v", "A B", (1, 2)))
    assert agreement_of_two_people(expand_pairs(alone)) is None
    assert agreement_of_two_people(expand_pairs(Ratings("memory", ("A", "B"), np.ones((2, 3))).judgments())) is None


#: Items of two sentences: annotator and ranks; in sentence 0 A and B have the same output, which not all items state.
items = st.lists(
    st.one_of(
        st.tuples(st.just(0), st.sampled_from("uvw"), st.just("AB C D"), st.tuples(*[st.integers(1, 3)] * 3)),
        st.tuples(st.just(0), st.sampled_from("uvw"), st.just("B C D"), st.tuples(*[st.integers(1, 3)] * 3)),
        st.tuples(st.just(1), st.sampled_from("uvw"), st.just("A B C D"), st.tuples(*[st.integers(1, 3)] * 4)),
    ),
    min_size=1,
    max_size=8,
)


@given(items)
def test_agreement_is_that_of_loops_over_items(rows: list[tuple[int, str, str, tuple[int, ...]]]) -> None:
    alike, comparisons = 0, 0
    for first, second in itertools.combinations(rows, 2):
        if first[0] != second[0] or first[1] == second[1]:
            continue
        for i, j in itertools.combinations(range(len(first[3])), 2):
            verdicts = [np.sign(item[3][j] - item[3][i]) for item in (first, second)]
            if all(verdicts):
                comparisons += 1
                alike += int(verdicts[0] == verdicts[1])
    agreement = agreement_of_two_people(expand_pairs(judgments(*rows)), resamples=0)
    assert (agreement is None) == (comparisons == 0)
    if agreement is not None:
        assert (agreement.share, agreement.comparisons) == (alike / comparisons, comparisons)


@given(items)
def test_weights_of_outputs_sum_to_one_for_each_verdict(rows: list[tuple[int, str, str, tuple[int, ...]]]) -> None:
    pairs = expand_pairs(judgments(*rows))
    weighted, (once, sharing) = pairs.with_output_weights(), pairs.once()
    unexpanded = sum(math.comb(len(ranks), 2) for _, _, _, ranks in rows)
    assert len(once) == unexpanded
    assert weighted.weight is not None
    assert weighted.weight.sum() == pytest.approx(unexpanded)
    assert sharing.sum() == (pairs.verdict >= 0).sum() if pairs.verdict is not None else False
    assert weighted.tally().wins.sum() == pytest.approx((once.outcome != 0).sum())


def test_expected_wins_count_a_verdict_on_outputs_once() -> None:
    pairs = expand_pairs(judgments((1, "u", "AB C", (1, 2)), (2, "u", "A C", (2, 1))))
    tally = pairs.with_output_weights().tally()
    assert tally.wins.tolist() == [[0, 0, 0.5], [0, 0, 0.5], [1, 0, 0]]
    assert tally.ties.tolist() == np.zeros((3, 3)).tolist()
    assert pairs.tally().wins.tolist() == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]


def test_reliability_of_consistent_and_of_random_people() -> None:
    rng = np.random.RandomState(0)
    truth = np.arange(6.0)
    consistent = Ratings("memory", tuple("ABCDEF"), np.tile(truth[:, None], 40))
    assert reliability(People.of(consistent)) == pytest.approx(1.0)
    noisy = Ratings("memory", tuple("ABCDEF"), truth[:, None] + rng.normal(scale=10, size=(6, 40)))
    # Variance of true scores 3.5, of the noise of a mean 100 / 40: reliability 3.5 / (3.5 + 2.5).
    draws = [
        reliability(People.of(Ratings("memory", tuple("ABCDEF"), truth[:, None] + rng.normal(scale=10, size=(6, 40)))))
        for _ in range(40)
    ]
    assert np.median(draws) == pytest.approx(3.5 / 6, abs=0.12)
    assert (
        reliability(People.of(noisy), seed=1)
        == reliability(People.of(noisy), seed=1)
        != reliability(People.of(noisy), seed=2)
    )
    constant = Ratings("memory", ("A", "B"), np.ones((2, 5)))
    assert math.isnan(reliability(People.of(constant)))


def test_people_separate_systems_that_always_win() -> None:
    wins = [(k, "u", "A B C", (1, 2, 2 if k % 2 else 3)) for k in range(30)]
    wins += [(k, "u", "A B C", (1, 3, 2)) for k in range(30, 45)]
    people = People.of(judgments(*wins))
    separated = separated_pairs(people, resamples=300)
    assert separated.tolist() == [[False, True, True], [True, False, False], [True, False, False]]
    of_two = ceilings_of(people, ["B", "C"], resamples=300)
    assert (of_two.separated, of_two.pairs, of_two.two_people) == (0, 1, None)
    # Sentence numbers and other sentences do not matter.
    moved = People.of(judgments(*((1000 + 7 * k, *row) for k, *row in wins)))
    assert (separated_pairs(moved, resamples=300) == separated).all()
