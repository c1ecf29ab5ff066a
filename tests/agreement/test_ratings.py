"""Ratings: reading, rankings, means, and agreement of metrics with them by sentence."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval.agreement.human_ranking import rank_by_people
from geceval.agreement.judgments import Ratings, read_judgments, read_ratings
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.metric_agreement import (
    resample_correlations,
)
from geceval.agreement.people import MEASURES, People, expand_pairs
from geceval.agreement.study import StudyOptions, make_study
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import make_metric
from geceval.statistics.correlation import spearman
from geceval.text.reading.corpus_files import read_corpus
from support.examples import EXAMPLES
from support.messages import message_of

SYSTEMS = ("careful", "eager", "noisy")

cells = st.one_of(st.none(), st.integers(0, 4).map(float))
tables = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=8)


def write(folder: Path, text: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    return path


def ratings(rows: list[list[float | None]]) -> Ratings:
    values = np.array([[math.nan if cell is None else cell for cell in row] for row in rows], float).T
    return Ratings("memory", ("A", "B", "C"), values)


def test_columns_are_systems_and_rows_sentences(tmp_path: Path) -> None:
    table = read_ratings(write(tmp_path, "nus,amu\n80,\n,\n60.5,70\n"))
    assert table.systems == ("amu", "nus")
    assert table.values[1].tolist()[::2] == [80.0, 60.5]
    assert np.isnan(table.values).tolist() == [[True, True, False], [False, True, False]]
    assert table.means().tolist() == [70.0, 70.25]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "amu,nus\n",
        "amu\n1\n",
        "amu,amu\n1,2\n",
        "amu,\n1,2\n",
        "amu,nus\n1,2\n1\n",
        "amu,nus\n1,good\n",
        "amu,nus\n1,inf\n",
        "amu,nus\nnan,1\n",
        "amu,nus\n,\n",
    ],
)
def test_error_names_file_and_line(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_ratings, write(tmp_path, text)) == snapshot


def test_a_sentence_ranks_its_systems_by_rating() -> None:
    [first, second] = ratings([[80, 90, 80], [None, None, None], [None, 5, 9]]).judgments().items
    assert (first.source_id, first.groups, first.ranks) == (0, (("A",), ("B",), ("C",)), (2, 1, 2))
    assert (second.source_id, second.groups, second.ranks) == (2, (("B",), ("C",)), (2, 1))


@given(tables)
def test_pairs_follow_the_ratings(rows: list[list[float | None]]) -> None:
    table = ratings(rows)
    pairs = expand_pairs(table.judgments())
    outcomes = {
        (int(line), pairs.systems[a], pairs.systems[b]): int(outcome)
        for line, a, b, outcome in zip(pairs.source_id, pairs.first, pairs.second, pairs.outcome, strict=True)
    }
    expected = {
        (line, a, b): (x > y) - (x < y)
        for line, row in enumerate(rows)
        for (a, x), (b, y) in combinations(zip("ABC", row, strict=True), 2)
        if x is not None and y is not None
    }
    assert outcomes == expected


@given(tables, st.data())
def test_weighted_means_are_means_of_repeated_rows(rows: list[list[float | None]], data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    means = ratings(rows).weighted(np.array([times]))[0]
    repeated = [row for row, count in zip(rows, times, strict=True) for _ in range(count)]
    for k in range(3):
        rated = [row[k] for row in repeated if row[k] is not None]
        assert means[k] == pytest.approx(np.mean(rated) if rated else math.nan, nan_ok=True)


def test_rankings_have_no_mean_rating() -> None:
    people = People.of(read_judgments(EXAMPLES / "judgments.xml"))
    with pytest.raises(UsageError, match="mean-rating requires ratings"):
        MEASURES["mean-rating"].score(people, seed=1, threads=1)


def test_pairs_among_systems_in_another_order_are_turned_around() -> None:
    pairs = expand_pairs(ratings([[3, 2, 1], [3, 2, 1], [3, 1, 2]]).judgments())
    assert pairs.among(["C", "A"]).outcome.tolist() == [-1, -1, -1]


def test_correlations_with_ratings_are_over_all_rated_cells() -> None:
    scores = np.array([[0.1, 0.5, 0.9], [0.2, 0.4, 0.3]])
    rated = np.array([[10.0, 60.0, np.nan], [30.0, 20.0, 25.0]])
    drawn = resample_correlations(scores, rated, np.array([[1, 1, 1], [1, 2, 0]]))
    x, y = [0.1, 0.5, 0.2, 0.4, 0.3], [10.0, 60.0, 30.0, 20.0, 25.0]
    assert drawn["segment_pearson"][0] == pytest.approx(np.corrcoef(x, y)[0, 1])
    x, y = [0.1, 0.5, 0.5, 0.2, 0.4, 0.4], [10.0, 60.0, 60.0, 30.0, 20.0, 20.0]
    assert drawn["segment_spearman"][1] == pytest.approx(float(spearman(x, y)))


def test_study_of_ratings_has_mean_ratings_and_segments() -> None:
    table = read_ratings(EXAMPLES / "ratings.csv")
    systems = [str(EXAMPLES / f"systems/{name}.txt") for name in SYSTEMS]
    corpus = read_corpus(str(EXAMPLES / "source.txt"), [str(EXAMPLES / "ref0.txt")], systems)
    study = make_study(table, corpus)
    results = evaluate_metrics(study, [make_metric("green")], StudyOptions(resamples=50))
    assert results.people.tolist() == table.means().tolist()
    assert results.metrics[0].segments is not None
    assert results.metrics[0].segments.n == int((~np.isnan(table.values)).sum())
    wins = evaluate_metrics(study, [make_metric("green")], StudyOptions(measure="expected-wins", resamples=0))
    assert wins.people.tolist() != results.people.tolist()
    # Sentences nobody rated change nothing but the metric's own corpus score.
    judged = make_study(table, corpus, judged_only=True)
    assert len(judged.corpus) == 37
    of_judged = evaluate_metrics(judged, [make_metric("green")], StudyOptions(resamples=0))
    assert of_judged.people == pytest.approx(results.people)
    assert of_judged.metrics[0].segments is not None
    assert of_judged.metrics[0].segments == results.metrics[0].segments


def test_other_number_of_rows_than_lines_is_refused(tmp_path: Path) -> None:
    table = read_ratings(write(tmp_path, "careful,eager\n1,2\n"))
    systems = [str(EXAMPLES / f"systems/{name}.txt") for name in SYSTEMS]
    corpus = read_corpus(str(EXAMPLES / "source.txt"), [str(EXAMPLES / "ref0.txt")], systems)
    with pytest.raises(InputError, match="1 rows of ratings, but 40 lines of source"):
        make_study(table, corpus)


def test_system_without_ratings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("b,a\n1,\n2,\n", encoding="utf-8")
    with pytest.raises(InputError, match="system a has no ratings"):
        read_ratings(path)


def test_ranking_needs_resamples() -> None:
    for resamples in (0, 1):
        with pytest.raises(UsageError, match=r"resamples is [01]; it must be at least 2"):
            rank_by_people(read_ratings(EXAMPLES / "ratings.csv"), StudyOptions(resamples=resamples))


def test_ratings_rank_systems_with_ranges() -> None:
    ranking = rank_by_people(read_ratings(EXAMPLES / "ratings.csv"), StudyOptions(resamples=200))
    assert ranking.measure == "mean-rating"
    assert [row.system for row in ranking.placings] == ["eager", "careful", "noisy"]
    assert all(row.best_rank <= row.worst_rank for row in ranking.placings)
