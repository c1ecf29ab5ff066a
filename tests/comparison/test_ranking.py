"""Rankings from a metric's verdicts: laws, and resampling against repeating the sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Green, mbr, rank
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.comparison import ranking_without_people
from geceval.counting.metric import Scale
from geceval.statistics.aggregation import AGGREGATIONS
from support.examples import example_corpus


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return example_corpus(references=1)


@pytest.mark.parametrize("name", AGGREGATIONS)
@pytest.mark.filterwarnings("ignore::geceval.base.errors.GecevalWarning")
@given(st.data())
def test_weight_of_a_sentence_is_its_number_of_copies(name: str, data: st.DataObject) -> None:
    systems, sentences = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 6))
    cells = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=sentences, max_size=sentences)
    scores = np.array(data.draw(st.lists(cells, min_size=systems, max_size=systems)))
    counts = st.lists(st.integers(0, 3), min_size=sentences, max_size=sentences).filter(any)
    weights = np.array(data.draw(st.lists(counts, min_size=1, max_size=3)), np.int64)
    names, aggregation = tuple("ABCD"[:systems]), AGGREGATIONS[name]
    resampled = aggregation.resampled(names, scores, weights, 1)
    for row, scores_of_row in zip(weights, resampled, strict=True):
        assert scores_of_row == pytest.approx(aggregation.scores(names, np.repeat(scores, row, axis=1)), nan_ok=True)


def test_system_that_wins_every_sentence_is_first_in_every_draw() -> None:
    source = [f"He go to school {number} ." for number in range(30)]
    right = [line.replace("go", "goes") for line in source]
    wrong = [line.replace("go", "going to went") for line in source]
    corpus = Corpus(source, [right], {"wrong": wrong, "right": right, "same": source})
    first, second, third = rank(corpus, [Green()], samples=200, checks=False).systems
    assert (first.system, first.value, first.low, first.high, first.deviation) == ("right", 1.0, 1.0, 1.0, 0.0)
    assert [(place.rank_low, place.rank_high, place.cluster) for place in (first, second, third)] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 3)
    ]  # fmt: skip


@dataclass(frozen=True)
class Red(Green):
    """Green, as if lower were better."""

    scale: ClassVar[Scale] = Scale(higher_is_better=False)


def test_metric_where_lower_is_better_reverses_the_ranking(corpus: Corpus) -> None:
    green, red = (rank(corpus, [metric], samples=100, checks=False).systems for metric in (Green(), Red()))
    assert [place.system for place in red] == [place.system for place in green][::-1]
    assert [place.value for place in red] == pytest.approx([1 - place.value for place in green][::-1])


def test_a_metric_that_is_no_quality_ranks_no_systems(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="change-rate ranks no systems"):
        rank(corpus, ["change-rate"])
    with pytest.raises(UsageError, match="change-rate cannot choose candidates"):
        mbr([["a b", "a c"]], "change-rate", ["a d"])


def test_blocks_are_drawn_together(corpus: Corpus) -> None:
    unblocked = rank(corpus, [Green()], samples=300, checks=False)
    first = rank(corpus, [Green()], samples=300, checks=False, blocks=[0] * 40).systems[0]  # one block: no choice
    assert math.isnan(first.low)
    assert math.isnan(first.high)
    assert first.deviation == pytest.approx(0.0, abs=1e-12)
    pairs = rank(corpus, [Green()], samples=300, checks=False, blocks=[number // 2 for number in range(40)])
    assert [place.value for place in pairs.systems] == [place.value for place in unblocked.systems]
    assert [place.deviation for place in pairs.systems] != [place.deviation for place in unblocked.systems]
    assert "unit:block" in pairs.signature
    with pytest.raises(InputError, match="3 blocks for 40 sentences"):
        rank(corpus, [Green()], blocks=[1, 2, 3], checks=False)


def test_every_metric_has_the_same_draws(corpus: Corpus) -> None:
    both = rank(corpus, [Green(), Green(beta=0.5)], samples=100, checks=False)
    single = rank(corpus, [Green(beta=0.5)], samples=100, checks=False)
    assert [(place.system, place.low, place.high) for place in both.systems[3:]] == [
        (place.system, place.low, place.high) for place in single.systems
    ]
    assert list(both.signatures) == ["green:beta=2", "green:beta=0.5"]


def test_unknown_aggregation_is_refused(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="aggregation must be one of expected-wins, trueskill, not mean"):
        rank(corpus, [Green()], aggregation="mean", checks=False)


def test_draw_without_verdicts_is_ignored() -> None:
    source = ["He go home now .", *["She goes home now .", "It is good so ."] * 5]
    right = ["He goes home now .", *source[1:]]
    corpus = Corpus(source, [right], {"A": right, "B": source})
    first, second = rank(corpus, [Green()], samples=200, checks=False).systems
    assert (first.system, first.value, first.low, second.value) == ("A", 1.0, 1.0, 0.0)


def test_fewer_than_ten_sentences_have_no_interval_rank_and_cluster() -> None:
    source = ["He go home now ."] * 9
    corpus = Corpus(source, [["He goes home now ."] * 9], {"A": ["He goes home now ."] * 9, "B": source})
    with pytest.warns(GecevalWarning, match="only 9 sentences: intervals, ranks and clusters require at least 10, and"):
        ranking = rank(corpus, [Green()], samples=200)
    scores = ranking.systems
    assert [(score.rank_low, score.rank_high, score.cluster) for score in scores] == [(0, 0, 0)] * 2
    table, *_ = str(ranking).split("\n\n")[1:]
    assert [line.split()[-2:] for line in table.splitlines()[2:]] == [["–", "–"]] * 2
    assert [score.value for score in scores] == [1.0, 0.0]
    assert all(math.isnan(score.low) and math.isnan(score.high) for score in scores)


def test_trueskill_of_too_many_verdicts_is_refused_with_a_number_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    references = ["a b c d e f"] * 4
    systems = {"x": ["a b c d e f", "a b c d e g"] * 2, "y": ["a b c d x f"] * 4, "z": ["a b c d f"] * 4}
    corpus = Corpus(["a b c d e g"] * 4, [references], systems)
    monkeypatch.setattr(ranking_without_people, "MOST_VERDICTS", 12 * 5)
    with pytest.raises(UsageError, match=r"12 pairs in 6 samples exceeds 60 verdicts[\s\S]*samples=5"):
        rank(corpus, [Green()], aggregation="trueskill", samples=6, checks=False)
    assert rank(corpus, [Green()], aggregation="trueskill", samples=5, checks=False).samples == 5
    assert rank(corpus, [Green()], samples=6, checks=False).samples == 6
