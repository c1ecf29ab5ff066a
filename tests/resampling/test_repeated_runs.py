"""Systems with several runs: the score is the mean, and replicates draw sentences and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, Errant, FalseAlarms, Gleu, Green, MaxMatch, compare, evaluate, m2
from geceval.counting.results import RunsResult
from geceval.extending import Metric
from geceval.resampling.comparison_results import Comparison, SystemScore
from geceval.resampling.repeated_runs import RunVariances
from geceval.resampling.replicates import add_within, carry_within
from geceval.scoring.evaluation import with_means
from support.effort import examples
from support.messages import message_of

SOURCE = ["He go home .", "She like a cats .", "It rain .", "We is here .", "All is well .", "A cat sat ."] * 5
REFERENCE = [line.replace("go", "goes").replace("a cats", "cats").replace("We is", "We are") for line in SOURCE]
OTHER = [line.replace("rain", "rains").replace("go", "went") for line in REFERENCE]
RUNS = {
    "a1": REFERENCE,
    "a2": [new if k % 3 else old for k, (old, new) in enumerate(zip(SOURCE, REFERENCE, strict=True))],
    "a3": [new if k % 4 else old for k, (old, new) in enumerate(zip(SOURCE, OTHER, strict=True))],
    "b1": [new if k % 2 else old for k, (old, new) in enumerate(zip(SOURCE, OTHER, strict=True))],
    "b2": [line.replace("cat", "dog") for line in REFERENCE],
    "c": SOURCE,
}
METRICS: tuple[Metric[Any], ...] = (Green(n=2), Errant(), FalseAlarms())
RUNS_OF_SYSTEMS = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2"]}


def compared(
    runs: Mapping[str, list[str]],
    names: Sequence[str] = tuple(RUNS),
    metrics: Sequence[Metric[Any]] = METRICS,
    **options: Any,
) -> Comparison:
    corpus = Corpus(SOURCE, [REFERENCE, OTHER], {name: RUNS[name] for name in names})
    return compare(corpus, metrics, runs=runs, samples=900, checks=False, **options)


def scores_of(comparison: Comparison, system: str) -> list[SystemScore]:
    return [score for score in comparison.systems if score.system == system]


def test_score_of_runs_is_the_mean_with_the_deviation_between_them() -> None:
    of_runs, of_systems = compared(RUNS_OF_SYSTEMS), compared({})
    assert [score.system for score in of_runs.systems[:3]] == ["A", "B", "c"]
    for system, names in RUNS_OF_SYSTEMS.items():
        for at, score in enumerate(scores_of(of_runs, system)):
            values = {name: scores_of(of_systems, name)[at].value for name in names}
            assert score.runs == values
            assert score.value == pytest.approx(np.mean(list(values.values())), abs=1e-15)
            assert score.runs_deviation == pytest.approx(np.std(list(values.values()), ddof=1))
    assert all((score.runs, score.runs_deviation) == ({}, None) for score in scores_of(of_runs, "c"))


def test_difference_of_runs_is_the_difference_of_means() -> None:
    comparison = compared(RUNS_OF_SYSTEMS)
    for pair in comparison.pairs:
        (a,), (b,) = ([s for s in scores_of(comparison, name) if s.metric == pair.metric] for name in (pair.a, pair.b))
        assert pair.difference == pytest.approx(a.value - b.value)
        assert pair.better + pair.equal + pair.worse == pytest.approx(1)
    assert "|runs:A=3,B=2|" in comparison.signature
    assert not comparison.signature.startswith("ar:")
    assert "one run of c: the tests do not account for the variance between its runs" in comparison.warnings


def test_equal_runs_give_the_deviations_of_one_run() -> None:
    """Without variance between runs, the standard errors are those of one run by the bootstrap."""
    corpus = Corpus(SOURCE, [REFERENCE, OTHER], {"x1": RUNS["a2"], "x2": RUNS["a2"], "y": RUNS["b1"]})
    single_run = Corpus(SOURCE, [REFERENCE, OTHER], {"x": RUNS["a2"], "y": RUNS["b1"]})
    options: Any = {"samples": 300, "checks": False}
    of_runs = compare(corpus, METRICS, runs={"x": ["x1", "x2"]}, **options)
    of_systems = compare(single_run, METRICS, test="bootstrap", **options)
    for first, second in zip(of_runs.systems, of_systems.systems, strict=True):
        assert (first.value, first.deviation) == pytest.approx((second.value, second.deviation))
    for pair, of_one in zip(of_runs.pairs, of_systems.pairs, strict=True):
        assert (pair.difference, pair.effect) == pytest.approx((of_one.difference, of_one.effect))


def test_other_systems_and_threads_change_no_number_of_runs() -> None:
    all_systems, two_systems = (
        compared(RUNS_OF_SYSTEMS),
        compared({"A": RUNS_OF_SYSTEMS["A"]}, ["c", "a1", "a2", "a3"], threads=1),
    )
    keys = ("value", "low", "high", "deviation", "runs", "runs_deviation")
    for first, second in zip(scores_of(all_systems, "A"), scores_of(two_systems, "A"), strict=True):
        assert [getattr(first, key) for key in keys] == [getattr(second, key) for key in keys]


def test_groups_have_means_of_runs() -> None:
    labels = ["x", "y"] * 15
    of_runs, of_systems = (compared(runs, groups=labels) for runs in (RUNS_OF_SYSTEMS, {}))
    for score in scores_of(of_runs, "B"):
        values = [s.value for name in RUNS_OF_SYSTEMS["B"] for s in scores_of(of_systems, name)
                  if (s.metric, s.group) == (score.metric, score.group)]  # fmt: skip
        assert score.value == pytest.approx(np.mean(values))
    kinds = compared(RUNS_OF_SYSTEMS, metrics=METRICS[1:2], by="operation")
    assert {pair.group for pair in kinds.pairs} > {None}


@pytest.mark.parametrize(
    ("runs", "options"),
    [
        ({"A": ["a1", "a9"]}, {}),
        ({"c": ["a1", "a2"]}, {}),
        ({"(source)": ["a1", "a2"]}, {}),
        (RUNS_OF_SYSTEMS, {"test": "randomisation"}),
        (RUNS_OF_SYSTEMS, {"baseline": "a1"}),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(runs: Any, options: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(compared, runs, **options) == snapshot


UNIT = st.floats(0, 1)


@given(UNIT, st.floats(-3, 3))
def test_score_with_a_deviation_is_within_the_bounds(score: float, deviation: float) -> None:
    moved = add_within(score, deviation, (0.0, 1.0))
    assert 0 <= moved <= 1
    assert (moved - score) * deviation >= 0
    assert add_within(score, deviation, (-1e6, 1e6)) == pytest.approx(score + deviation, abs=1e-9)
    assert add_within(score, deviation, (-np.inf, np.inf)) == score + deviation


@given(UNIT, UNIT, st.lists(UNIT, min_size=2, max_size=6))
def test_bounds_of_an_interval_that_is_carried_stay_in_order_and_within_the_range(
    observed: float, value: float, bounds: list[float]
) -> None:
    carried = [carry_within(bound, observed, value, (0.0, 1.0)) for bound in sorted(bounds)]
    assert carried == pytest.approx(sorted(carried), abs=1e-12)
    assert all(-1e-12 <= bound <= 1 + 1e-12 for bound in carried)
    assert carry_within(observed, observed, value, (0.0, 1.0)) == pytest.approx(value)
    assert carry_within(0.5, observed, value, (-np.inf, np.inf)) == 0.5 + (value - observed)


@pytest.mark.parametrize("metric", [Green(n=2), Errant(), Gleu(n=2), MaxMatch()])
def test_interval_of_runs_that_differ_much_stays_within_the_range(metric: Metric[Any], tmp_path: Path) -> None:
    runs = {"A": ["a1", "c"], "B": ["b2", "c2"]}
    edit = "A 0 1|||R:OTHER|||One|||REQUIRED|||-NONE-|||0"
    (tmp_path / "gold.m2").write_text("".join(f"S {line}\n{edit}\n\n" for line in SOURCE))
    corrected = [" ".join(["One", *line.split()[1:]]) for line in SOURCE]
    systems = {"a1": corrected, "c": SOURCE, "b2": corrected, "c2": SOURCE}
    corpus = Corpus(SOURCE, [corrected], systems, gold=m2.read(tmp_path / "gold.m2"))
    comparison = compare(corpus, [metric], runs=runs, checks=False)
    for score in comparison.systems:
        assert score.runs_deviation is not None
        assert score.runs_deviation > 0.2
        assert 0 <= score.low <= score.value <= score.high <= 1
    assert all(-1 <= pair.low <= pair.difference <= pair.high <= 1 for pair in comparison.pairs)
    [warning] = [text for text in comparison.warnings if "runs" in text]
    assert warning.startswith("two runs of A, B: one difference of two scores says little about the variance")


def test_three_runs_are_no_warning() -> None:
    comparison = compared({"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "c"]})
    assert not [text for text in comparison.warnings if "runs" in text]


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=3), st.integers(0, 2**32))
def test_variance_of_the_sentences_is_that_of_the_replicates_if_runs_are_equal(sizes: list[int], seed: int) -> None:
    ends = np.cumsum(sizes)
    members = {str(k): list(range(end - size, end)) for k, (size, end) in enumerate(zip(sizes, ends, strict=True))}
    of_systems = np.random.default_rng(seed).normal(size=(20, len(sizes)))
    variances = RunVariances(np.zeros(sum(sizes)), np.repeat(of_systems, sizes, axis=1), members)
    for k in range(len(sizes)):
        assert variances.of(k).spread()[0] == pytest.approx(of_systems[:, k].std(ddof=1))
    gaps = of_systems[:, 0] - of_systems[:, 1]
    assert variances.of(0, 1).spread()[0] == pytest.approx(gaps.std(ddof=1))


@pytest.mark.parametrize(("first", "second"), [(2, 2), (3, 3), (5, 2), (2, 10)])
def test_without_noise_of_sentences_the_test_is_that_of_welch(first: int, second: int) -> None:
    values = np.random.default_rng(first).normal(size=first + second)
    members = {"A": list(range(first)), "B": list(range(first, first + second))}
    variance = RunVariances(values, np.tile(values, (50, 1)), members).of(0, 1)
    gap = float(values[:first].mean() - values[first:].mean())
    expected = scipy.stats.ttest_ind(values[:first], values[first:], equal_var=False)
    assert variance.p(gap) == pytest.approx(expected.pvalue)
    limits = expected.confidence_interval()
    assert (gap - variance.half_width(0.05), gap + variance.half_width(0.05)) == pytest.approx(tuple(limits))


def test_results_of_runs_are_means_of_value_parts_and_totals() -> None:
    corpus = Corpus(SOURCE, [REFERENCE, OTHER], RUNS)
    results = evaluate(corpus, METRICS, checks=False)
    of_runs = with_means(results, RUNS_OF_SYSTEMS)
    assert list(of_runs) == ["A", "B", "c"]
    for at, result in enumerate(of_runs["A"]):
        assert isinstance(result, RunsResult)
        scores = [results[name][at].score() for name in RUNS_OF_SYSTEMS["A"]]
        assert result.score().value == pytest.approx(np.mean([score.value for score in scores]))
        assert result.score().deviation == pytest.approx(np.std([score.value for score in scores], ddof=1))
        for part, value in result.score().parts.items():
            assert value == pytest.approx(np.mean([score.parts[part] for score in scores]))
        assert result.score("mean").value == pytest.approx(
            np.mean([results[n][at].score("mean").value for n in RUNS_OF_SYSTEMS["A"]])
        )
    assert [result.score() for result in of_runs["c"]] == [result.score() for result in results["c"]]
