"""Expected Wins, TrueSkill and rank clusters against definitions spelled out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from geceval import _kernel
from geceval.agreement.people import MEASURES, People
from geceval.base.errors import GecevalWarning, InputError
from geceval.statistics.aggregation import AGGREGATIONS, MEAN, by_expected_wins, by_trueskill, metric_pairs
from geceval.statistics.expected_wins import expected_wins
from geceval.statistics.intervals import draw_sentence_weights
from geceval.statistics.judged_pairs import Pairs, PairTally, draw_tallies
from geceval.statistics.rank_ranges import placings, rank_ranges, ranks_best_first
from geceval.statistics.trueskill import TrueSkillRules, ordered_skills, sampled_skills
from twins import trueskill as twins

NAMES = "ABCDE"


def tally(wins: list[list[int]], ties: list[list[int]] | None = None) -> PairTally:
    array = np.array(wins)
    return PairTally(tuple(NAMES[: len(array)]), array, np.array(ties) if ties else np.zeros_like(array))


def test_expected_wins_by_hand() -> None:
    three = tally([[0, 3, 1], [1, 0, 0], [1, 2, 0]], [[0, 0, 2], [0, 0, 1], [2, 1, 0]])
    assert expected_wins(three) == pytest.approx([(3 / 4 + 1 / 2) / 2, (1 / 4 + 0) / 2, (1 / 2 + 1) / 2])


def test_opponents_never_decided_are_left_out() -> None:
    # A and B only tie; B never beats C, which counts 0 and does not vanish.
    assert expected_wins(tally([[0, 0, 2], [0, 0, 0], [2, 3, 0]])) == pytest.approx([0.5, 0.0, 0.75])
    with pytest.warns(GecevalWarning, match="no decided judgment of C"):
        scores = expected_wins(tally([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    assert np.isnan(scores[2])
    assert scores[:2].tolist() == [1.0, 0.0]
    several = np.array([[[0, 1, 0], [0, 0, 0], [0, 0, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]])
    with pytest.warns(GecevalWarning, match="no decided judgment of C$"):
        scores = expected_wins(PairTally(("A", "B", "C"), several, np.zeros_like(several)))
    assert scores[1].tolist() == [0.5] * 3


def test_resampled_tallies_keep_the_number_of_pairs_and_the_mean() -> None:
    base = tally([[0, 30, 10], [20, 0, 5], [5, 15, 0]], [[0, 10, 5], [10, 0, 0], [5, 0, 0]])
    [drawn] = draw_tallies(base, replicates=2000, seed=0)
    totals = drawn.wins.sum((1, 2)) + drawn.ties.sum((1, 2)) // 2
    assert (totals == 100).all()
    assert (drawn.ties == np.swapaxes(drawn.ties, 1, 2)).all()
    assert drawn.wins.mean(0) == pytest.approx(base.wins, abs=0.5)
    assert drawn.ties.mean(0) == pytest.approx(base.ties, abs=0.5)
    [fewer] = draw_tallies(base, replicates=3, seed=0)
    assert (fewer.wins == drawn.wins[:3]).all()
    assert expected_wins(drawn).shape == (2000, 3)


def test_parts_of_resamples_are_those_of_the_whole() -> None:
    base = tally([[0, 30, 10], [20, 0, 5], [5, 15, 0]], [[0, 10, 5], [10, 0, 0], [5, 0, 0]])
    parts = list(draw_tallies(base, replicates=25, seed=3, part=10))
    assert [len(part.wins) for part in parts] == [10, 10, 5]
    [expected] = draw_tallies(base, replicates=25, seed=3)
    assert (np.concatenate([part.wins for part in parts]) == expected.wins).all()
    assert (np.concatenate([part.ties for part in parts]) == expected.ties).all()
    weights = list(draw_sentence_weights(7, replicates=25, seed=3, size=10))
    assert (np.concatenate(weights) == next(draw_sentence_weights(7, replicates=25, seed=3))).all()
    pairs = metric_pairs("ABC", np.random.default_rng(0).random((3, 40)))
    runs = list(MEASURES["trueskill"].runs(People(pairs, {}), seed=5, count=130, threads=1))
    assert [len(part) for part in runs] == [100, 30]
    assert (np.concatenate(runs) == sampled_skills(pairs.tally(), runs=130, seed=5, threads=1)).all()


# --- TrueSkill ---

GAMES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([-1, 0, 1])).filter(lambda g: g[0] != g[1])
)


@given(GAMES, st.floats(0.1, 50), st.floats(0.05, 0.9))
def test_kernel_equals_twin_in_order(games: list[tuple[int, int, int]], beta: float, draw: float) -> None:
    rules = TrueSkillRules(beta=beta, draw_probability=draw)
    columns = np.array(games).reshape(-1, 3).T
    mean, variance = _kernel.trueskill_in_order(
        5, columns[0].astype(np.uint32), columns[1].astype(np.uint32), columns[2].astype(np.int8),
        rules.constants,
    )  # fmt: skip
    expected = twins.in_order(5, games, rules.sigma, rules.beta, rules.draw_margin)
    assert mean == pytest.approx(expected[0], abs=1e-9)
    assert variance == pytest.approx(expected[1], abs=1e-9)


@given(st.lists(st.integers(0, 4), min_size=32, max_size=32), st.integers(0, 2**64 - 1), st.floats(0.2, 20))
def test_kernel_equals_twin_in_runs(cells: list[int], seed: int, beta: float) -> None:
    square = np.array(cells).reshape(2, 4, 4) * (1 - np.eye(4, dtype=int))
    wins, draws = square[0], square[1] + square[1].T
    rules = SimpleNamespace(sigma=0.5, beta=beta, draw_margin=0.3 * beta, constants=(0.5, beta, 0.3 * beta))
    runs = _kernel.trueskill_runs(wins.astype(np.uint64), draws.astype(np.uint64), 60, rules.constants, seed, 3, 0)
    for k in range(3):
        try:
            expected = twins.run(wins.tolist(), draws.tolist(), 60, 0.5, beta, 0.3 * beta, (seed + k) % 2**64)
        except twins.LastBitError:
            reject()
        assert runs[k] == pytest.approx(expected, abs=1e-9)


def test_one_game_as_the_trueskill_library_has_it() -> None:
    """Stored from `trueskill` 0.4.5 with scipy's normal: (0.3, 0.4) against (-0.1, 0.5), beta 0.25, draw 0.25."""
    margin = TrueSkillRules(beta=0.25).draw_margin
    for first, second, outcome, expected in [
        (0, 1, 1, [0.4237573754604387, 0.3661271169574861, -0.29337089915693537, 0.43202225287761165]),
        (0, 1, -1, [0.017558314711074854, 0.3514683503416107, 0.34131513326394536, 0.40120059473589836]),
        (0, 1, 0, [0.18131633237282221, 0.33544921930647953, 0.08544323066746516, 0.366192730741833]),
        (1, 0, 0, [0.18131633237282221, 0.33544921930647953, 0.08544323066746516, 0.366192730741833]),
    ]:
        mean, variance = [0.3, -0.1], [0.16, 0.25]
        twins.play(mean, variance, first, second, outcome, 0.25, margin)
        skills = [mean[0], variance[0] ** 0.5, mean[1], variance[1] ** 0.5]
        assert skills == pytest.approx(expected, abs=1e-9)


def test_runs_depend_on_the_seed_alone() -> None:
    data = tally([[0, 30, 10], [20, 0, 5], [5, 15, 0]], [[0, 10, 5], [10, 0, 0], [5, 0, 0]])
    five = sampled_skills(data, runs=5, seed=0)
    assert (five == sampled_skills(data, runs=5, seed=0, threads=1)).all()
    assert (five[2:] == sampled_skills(data, runs=3, seed=2)).all()
    assert (five[0] != five[1]).any()
    assert np.argsort(-five.mean(0)).tolist() == [0, 2, 1]


def test_a_system_nobody_compared_is_refused() -> None:
    with pytest.raises(InputError, match="no judgment compares C with another"):
        sampled_skills(tally([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))


def test_scores_after_one_pass_separate_winner_and_loser() -> None:
    pairs = Pairs(
        ("A", "B"), np.zeros(3, np.int64), np.zeros(3, np.uint32), np.ones(3, np.uint32), np.array([1, 1, 0], np.int8)
    )
    mean, deviation = ordered_skills(pairs, TrueSkillRules.for_judgments(3))
    assert mean[0] == pytest.approx(-mean[1])
    assert mean[0] > 0
    assert (deviation < 0.5).all()


def test_as_many_updates_as_judgments_and_one() -> None:
    """A tie is one judgment, though it stands twice in the table; beta grows with the number of judgments."""
    data = tally([[0, 3, 1], [2, 0, 5], [4, 0, 0]], [[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    rules = TrueSkillRules(beta=0.5 * (18 + 1) / 40)
    [skills] = sampled_skills(data, runs=1, seed=4)
    expected = twins.run(data.wins.tolist(), data.ties.tolist(), 19, rules.sigma, rules.beta, rules.draw_margin, 4)
    assert skills == pytest.approx(expected, abs=1e-9)
    assert TrueSkillRules.for_judgments(18) == rules


# --- rank ranges and clusters ---


def test_ties_share_the_better_rank() -> None:
    assert ranks_best_first(np.array([[3.0, 1.0, 3.0, 2.0]])).tolist() == [[1, 4, 1, 3]]


def test_rank_ranges_drop_the_stated_share_at_either_end() -> None:
    scores = np.tile([3.0, 2.0, 1.0], (40, 1))
    scores[0] = scores[0, ::-1]
    best, worst = rank_ranges(scores, level=0.95)  # ceil((40 - 38) / 2) = 1 at either end
    assert best.tolist() == [1, 2, 3]
    assert worst.tolist() == [1, 2, 3]
    best, worst = rank_ranges(scores, level=1.0)
    assert best.tolist() == [1, 2, 1]
    assert worst.tolist() == [3, 2, 3]
    rows = placings(("A", "B", "C"), scores)
    assert [(row.best_rank, row.worst_rank) for row in rows] == [(1, 1), (2, 2), (3, 3)]


def test_placings_of_few_replicates() -> None:
    [first, second] = placings(("A", "B"), np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 6.0]]), level=0.5)
    assert (first.system, first.mean, first.deviation) == ("B", 5.0, 1.0)
    assert (second.best_rank, second.worst_rank) == (2, 2)
    [first, second] = placings(("A", "B"), np.array([[1.0, 2.0]]))  # of one nothing can be dropped
    assert (first.deviation, first.best_rank, second.worst_rank, second.cluster) == (0.0, 1, 2, 2)


def test_equal_systems_keep_the_listed_order() -> None:
    names = tuple(f"{number:02}" for number in range(40))
    rows = placings(names, np.tile([1.0, 2.0], (3, 20)))
    assert [row.system for row in rows] == [*names[1::2], *names[::2]]


def test_a_cluster_ends_where_nobody_above_overlaps_anybody_below() -> None:
    rng = np.random.RandomState(0)
    scores = rng.normal([5.0, 4.9, 1.0, 0.0], 0.1, size=(400, 4))
    rows = placings(("A", "B", "C", "D"), scores)
    assert [row.system for row in rows] == ["A", "B", "C", "D"]
    assert [row.cluster for row in rows] == [1, 1, 2, 3]
    assert (rows[0].best_rank, rows[0].worst_rank) == (1, 2)
    assert rows[2].mean == pytest.approx(1.0, abs=0.03)


def test_a_wide_range_above_holds_a_cluster_together() -> None:
    # B's ranks reach past C's although C lies between B and D by mean: the line after C must see it.
    scores = np.array([[9, 1, 3, 2]] * 30 + [[9, 8, 3, 2]] * 70, float)
    clusters = {row.system: row.cluster for row in placings(("A", "B", "C", "D"), scores)}
    assert clusters["A"] == 1
    assert clusters["B"] == clusters["C"] == clusters["D"] == 2


# --- ranking systems from sentence scores ---


def test_metric_judgments_sentence_by_sentence() -> None:
    pairs = metric_pairs("ABC", np.array([[1.0, 0.0], [0.5, 0.0], [0.7, 1.0]]))
    assert pairs.first.tolist() == [0, 0, 1] * 2
    assert pairs.second.tolist() == [1, 2, 2] * 2
    assert pairs.outcome.tolist() == [1, 1, -1, 0, -1, -1]
    assert pairs.source_id.tolist() == [0, 0, 0, 1, 1, 1]
    table = pairs.tally()
    assert table.wins.tolist() == [[0, 1, 1], [0, 0, 0], [1, 2, 0]]
    assert table.ties.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_rankings_from_scores() -> None:
    scores = np.array([[1.0, 0.0], [0.5, 0.0], [0.7, 1.0]])
    assert by_expected_wins("ABC", scores) == pytest.approx([(1 + 0.5) / 2, 0.0, (0.5 + 1) / 2])
    skills = by_trueskill("ABC", scores)
    assert skills.sum() == pytest.approx(0.0, abs=1e-12)
    assert skills.argmin() == 1
    assert by_expected_wins("AB", np.array([[0.5, 0.3 + 1e-10], [0.25, 0.3]])) == pytest.approx(
        [1, 0]
    )  # a hair is a tie


@pytest.mark.parametrize(("aggregation", "expected"), [("expected-wins", 0.9), ("trueskill", 0.9 - 0.25)])
def test_the_last_on_the_scale_of_the_others(aggregation: str, expected: float) -> None:
    scores = np.array([[0.0, 1.0, 0.5], [0.5, 0.0, 0.9]])
    assert AGGREGATIONS[aggregation].of_last(scores[1]) == pytest.approx(expected)
    assert AGGREGATIONS[aggregation].of_last(scores)[1] == pytest.approx(expected)  # each replicate by itself


def test_means_of_drawn_sentences() -> None:
    scores, weights = np.array([[1.0, 0.5, 0.0], [0.2, 0.4, 0.6]]), np.array([[1, 1, 1], [3, 0, 0]])
    assert MEAN.scores("AB", scores) == pytest.approx([0.5, 0.4])
    assert MEAN.resampled("AB", scores, weights, 1) == pytest.approx(np.array([[0.5, 0.4], [1.0, 0.2]]))
