"""Costs at which two systems change order, against search over costs, and the coverage of their intervals."""

from __future__ import annotations

import itertools
import json
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import Corpus, Errant, Gleu, Green, MaxMatch, NetBenefit, Spans, compare, intervals
from geceval._kernel import resampling_weights
from geceval.counting.comparison_options import Options
from geceval.counting.counts import Counts
from geceval.counting.metric import Metric
from geceval.metrics.false_alarms import FalseAlarms
from geceval.resampling.break_even import (
    HIGHEST,
    BreakEven,
    Decisions,
    NetBenefits,
    OutcomeWeights,
    Reversal,
    better_ranges,
    decisions_of,
    outcome_weights,
    undecided_ranges,
)
from geceval.resampling.break_even_report import decision_chart, decision_sentences
from geceval.resampling.weighted_sums import Sums
from geceval.statistics.intervals import percentile_interval
from geceval.statistics.resampling import block_keys, sentence_keys
from geceval.tables.charts import Systems
from support.commands import run_main
from support.effort import examples
from support.examples import CAREFUL, EXAMPLES, REFERENCES, SOURCE, example_corpus, example_lines
from support.simulated_counts import counts_with_a_crossing

COLUMNS = OutcomeWeights(np.array([1, 0]), np.array([0, 1]))
OPTIONS = Options(samples=99)
MAKE_SUMS = partial(Sums, OPTIONS, (), np.asarray)
#: Right and wrong edits of three sentences and two references, of one system.
TABLE = st.lists(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=2), min_size=3, max_size=3
)


def brute_force(table: np.ndarray, cost: float, weights: np.ndarray) -> np.ndarray:
    """Return the net benefit [B] of tables [S, R, 2], the best reference of each sentence at this cost."""
    return np.asarray(weights @ (table[..., 0] - cost * table[..., 1]).max(axis=1))


@settings(max_examples=examples(150))
@given(tables=st.tuples(TABLE, TABLE), costs=st.lists(st.floats(0, HIGHEST), min_size=5, max_size=20))
def test_order_and_undecided_costs_agree_with_a_search_over_costs(
    tables: tuple[list[list[tuple[int, int]]], ...], costs: list[float]
) -> None:
    arrays = [np.array(table) for table in tables]
    benefits = NetBenefits(COLUMNS, MAKE_SUMS)
    benefits.add([Counts(array, ("right", "wrong")) for array in arrays], sentence_keys(0, 3))
    grid, totals, replicates = benefits.curves()
    weights = resampling_weights(sentence_keys(0, 3), "poisson", OPTIONS.seed, OPTIONS.samples)
    weights = np.asarray(weights, np.float64).reshape(OPTIONS.samples, 3)
    better = better_ranges(totals[0] - totals[1], grid)
    undecided = undecided_ranges(replicates[:, 0] - replicates[:, 1], grid, 0.05)
    edges = [end for ranges in (*better, undecided) for ends in ranges for end in ends]
    for cost in costs:
        by_search = [brute_force(array, cost, np.vstack([np.ones(3), weights])) for array in arrays]
        for system in range(2):
            assert np.interp(cost, grid, totals[system]) == pytest.approx(by_search[system][0], abs=1e-9)
        difference = by_search[0] - by_search[1]
        if any(abs(cost - edge) < 1e-6 for edge in edges):
            continue
        is_within = [any(low <= cost <= high for low, high in ranges) for ranges in (*better, undecided)]
        bounds = percentile_interval(difference[1:])
        assert is_within == [
            difference[0] > 1e-9,
            difference[0] < -1e-9,
            bounds.low <= 1e-9 and bounds.high >= -1e-9,
        ]


def test_several_crossings_are_found_where_references_depend_on_the_cost() -> None:
    # max(4 - 4c, 0) against 2 - 1.5c, as max over references; and a constant.
    first, second = np.array([[[8, 8], [0, 0]], [[0, 0], [0, 0]]]), np.array([[[4, 3], [0, 0]], [[1, 1], [0, 0]]])
    benefits = NetBenefits(COLUMNS, MAKE_SUMS)
    benefits.add([Counts(table, ("right", "wrong")) for table in (first, second)], sentence_keys(0, 2))
    grid, totals, _ = benefits.curves()
    assert grid.tolist() == [0, 1, 4 / 3, 20]
    a_better, b_better = better_ranges(totals[0] - totals[1], grid)
    assert a_better == ((0.0, pytest.approx(3 / 4)),)
    assert b_better == ((pytest.approx(3 / 4), pytest.approx(4 / 3)),)


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((1.2, 3.4),)),
            "a is shown to be better than b if a wrong edit costs less than 1.2 correct ones, b if it costs more than"
            " 3.4; no difference is shown for costs of 1.2 to 3.4 (a scores higher below 1.9, b above)",
        ),
        (
            BreakEven("a", "b", ((1.9, 20),), ((0, 1.9),), ((0, 20),)),
            "no cost of a wrong edit from 0 to 20 correct ones shows a difference between a and b",
        ),
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((1.2, 20),)),
            "a is shown to be better than b if a wrong edit costs less than 1.2 correct ones; no difference is shown"
            " for costs of more than 1.2 (a scores higher below 1.9, b above)",
        ),
        (
            BreakEven("a", "b", ((1.9, 20),), ((0, 1.9),), ((1.2, 20),)),
            "b is shown to be better than a if a wrong edit costs less than 1.2 correct ones; no difference is shown"
            " for costs of more than 1.2 (b scores higher below 1.9, a above)",
        ),
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((0, 3.4),)),
            "b is shown to be better than a if a wrong edit costs more than 3.4 correct ones; no difference is shown"
            " for costs of less than 3.4 (a scores higher below 1.9, b above)",
        ),
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((0.004, 0.25), (1.2, 20))),
            "a is shown to be better than b if a wrong edit costs less than 0.004 or 0.25 to 1.2 correct ones; no"
            " difference is shown for costs of 0.004 to 0.25 and more than 1.2 (a scores higher below 1.9, b above)",
        ),
        (
            BreakEven("a", "b", ((0, 20),), (), ()),
            "a is shown to be better than b whatever a wrong edit costs (0 to 20 correct ones)",
        ),
        (
            BreakEven("a", "b", (), ((0, 20),), ((0, 0.5),)),
            "b is shown to be better than a if a wrong edit costs more than 0.50 correct ones; no difference is shown"
            " for costs of less than 0.50 (a never scores higher)",
        ),
        (
            BreakEven(
                "a", "b", ((0, 1), (3, 20)), ((1, 3),), ((0.5, 4),), (), (), (Reversal(2, "b", ((0, 0.5), (6, 20))),)
            ),
            "a is shown to be better than b if a wrong edit costs less than 0.50 or more than 4.0 correct ones; no"
            " difference is shown for costs of 0.50 to 4.0 (a scores higher for less than 1.0 or more than 3.0, b for"
            " 1.0 to 3.0); for costs of less than 0.50 and more than 6.0 b scores higher with only the"
            " references of annotator 2 (not tested)",
        ),
        (
            BreakEven("a", "b", ((0, 20),), (), (), (), (), tuple(Reversal(k, "b", ((0, 1),)) for k in range(4))),
            "a is shown to be better than b whatever a wrong edit costs (0 to 20 correct ones); at some of the costs"
            " where a system is shown to be better, the other scores higher with the references of each of 4"
            " annotators (not tested)",
        ),
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((1.2, 6.1),), (), (6.1,)),
            "a is shown to be better than b if a wrong edit costs less than 1.2 correct ones, b if it costs more than"
            " an uncertain number; no difference is shown for costs of 1.2 to an uncertain number (a scores higher"
            " below 1.9, b above)",
        ),
        (
            BreakEven("a", "b", ((0, 1.9),), ((1.9, 20),), ((1.2, 20),), (), (20,)),
            "a is shown to be better than b if a wrong edit costs less than 1.2 correct ones; no difference is shown"
            " for costs of 1.2 to an uncertain number (a scores higher below 1.9, b above)",
        ),
        (BreakEven("a", "b", (), (), ((0, 20),)), "a and b have the same net benefit whatever a wrong edit costs"),
    ],
)
def test_sentence_states_order_and_interval_in_words(pair: BreakEven, sentence: str) -> None:
    decisions = Decisions((0.0, 20.0), {"a": (9.0, 1.0), "b": (9.0, 1.0)}, (pair,))
    assert list(decision_sentences(decisions, "ERRANT", None)) == [f"ERRANT: {sentence}."]


@pytest.mark.parametrize(
    ("near_unchanged", "uncertain", "ending"),
    [
        ((2.5, 9), (), "which is shown for both above 9.0"),
        ((2.5, 4.04), (), "which is shown for both"),
        ((2.5, 20), (), "which is not shown for both"),
        ((2.5, 20), (20,), "which is shown for both above an uncertain number"),
    ],
)
def test_sentence_states_where_the_unchanged_text_is_better(
    near_unchanged: tuple[float, float], uncertain: tuple[float, ...], ending: str
) -> None:
    pair = BreakEven("a", "b", ((0, 12),), ((12, 20),), ((3, 20),), (near_unchanged,), uncertain)
    decisions = Decisions((0.0, 20.0), {"a": (20.0, -80.0), "b": (4.0, -36.0)}, (pair,))
    [sentence] = decision_sentences(decisions, "ERRANT", None)
    assert sentence.endswith(f"; above 4.0 each scores lower than the unchanged text, {ending}.")
    assert list(decision_sentences(decisions, "ERRANT", "a")) == []


@pytest.mark.parametrize("metric", [Errant(), Spans(), NetBenefit(), MaxMatch()])
def test_metrics_on_edits_have_right_and_wrong_edits(metric: Metric) -> None:
    columns = outcome_weights(metric)
    assert columns is not None
    totals = np.arange(2, 2 + len(metric.columns))
    names = dict(zip(metric.columns, totals.tolist(), strict=True))
    right = {"tp", "exact", "correct"} & names.keys()
    wrong = names["proposed"] - names["correct"] if "proposed" in names else None
    wrong = names.get("fp", wrong) if "exact" not in names else int(totals[1:6].sum())
    assert (totals @ columns.right, totals @ columns.wrong) == (sum(names[name] for name in right), wrong)


@pytest.mark.parametrize("metric", [Green(), Gleu(), FalseAlarms()])
def test_metrics_on_texts_have_none(metric: Metric) -> None:
    assert outcome_weights(metric) is None


def test_break_even_of_the_examples_is_the_ratio_of_their_counts() -> None:
    comparison = compare(example_corpus(), ["errant", "green", "gleu"], samples=200)
    assert comparison["green"].decisions is comparison["gleu"].decisions is None
    decisions = comparison["errant"].decisions
    assert decisions is not None
    careful, eager = (
        Errant().corpus_score(SOURCE, lines, REFERENCES) for lines in (CAREFUL, example_lines("systems/eager"))
    )
    extra = {name: eager.totals[name] - careful.totals[name] for name in ("tp", "fp")}
    [pair] = [pair for pair in decisions.pairs if (pair.a, pair.b) == ("careful", "eager")]
    assert pair.crossings == [pytest.approx(extra["tp"] / extra["fp"])]
    assert decisions.curves["eager"] == (eager.totals["tp"], eager.totals["tp"] - HIGHEST * eager.totals["fp"])


def test_parts_of_a_corpus_are_studied_as_the_whole() -> None:
    counts, keys = counts_with_a_crossing(1, 60), block_keys([s // 3 for s in range(60)])
    results = []
    for cuts in ((0, 60), (0, 7, 31, 60)):
        benefits = NetBenefits(COLUMNS, MAKE_SUMS)
        for part in (np.arange(first, last) for first, last in itertools.pairwise(cuts)):
            benefits.add([of_system.at(part) for of_system in counts], keys[part])
        results.append(decisions_of(benefits, ["a", "b"], [(0, 1)], 0.05))
    assert results[0] == results[1]


def test_blocks_change_the_interval_and_no_curve() -> None:
    blocks = [s // 4 for s in range(40)]
    alone, together = (
        compare(example_corpus(), ["errant"], samples=200, blocks=labels)["errant"].decisions
        for labels in (None, blocks)
    )
    assert together is not None
    assert alone is not None
    assert together.curves == alone.curves
    assert together.pairs != alone.pairs


def test_pairs_are_those_that_are_tested() -> None:
    comparison = compare(example_corpus(), ["errant"], samples=200, baseline="noisy")
    decisions = comparison["errant"].decisions
    assert decisions is not None
    assert [(pair.a, pair.b) for pair in decisions.pairs] == [(pair.a, pair.b) for pair in comparison.pairs]
    assert intervals(example_corpus(), ["errant"], samples=200)


def test_systems_with_several_runs_are_not_studied() -> None:
    comparison = compare(example_corpus(), ["errant"], samples=200, runs={"A": ["careful", "eager"]})
    assert comparison["errant"].decisions is None


def test_compare_prints_the_cost_once_for_metrics_on_the_same_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    files = ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt"]
    metrics = ["-m", "errant", "net-benefit", "green"]
    result = run_main("compare", *files, *metrics, "--samples", "300")
    lines = [line for line in result.out.splitlines() if "a wrong edit costs" in line]
    assert len(lines) == 1
    assert lines[0].startswith("ERRANT: eager is shown to be better than careful if a wrong edit costs less than 1.")
    document = json.loads(run_main("compare", *files, *metrics, "-f", "json").out)
    assert document["decisions"]["errant"]["costs"] == [0, 20]
    assert document["decisions"]["errant"] == document["decisions"]["net-benefit"]


def test_chart_has_a_curve_for_each_system() -> None:
    decisions = compare(example_corpus(), ["errant"], samples=200)["errant"].decisions
    assert decisions is not None
    chart = decision_chart({"ERRANT": decisions}, Systems(["eager", "careful", "noisy"]), "decisions-0")
    for name in ("eager", "careful", "noisy"):
        assert chart.element.count(f"<title>{name}</title>") == 4  # line, two marks, mark of the key
    assert "eager 59 at cost 0, -12 at cost 5.9" in chart.element


def test_an_end_that_depends_on_the_replicates_is_uncertain() -> None:
    table = np.zeros((12, 1, 2), int)
    table[:3, 0, 0], table[:2, 0, 1] = 1, 1
    ends = set()
    for seed in range(6):
        benefits = NetBenefits(COLUMNS, partial(Sums, Options(samples=100, seed=seed), (), np.asarray))
        benefits.add([Counts(rows, ("right", "wrong")) for rows in (table, 0 * table)], sentence_keys(0, 12))
        [pair] = decisions_of(benefits, ["a", "b"], [(0, 1)], 0.05).pairs
        ends.update(pair.uncertain)
        assert {*pair.uncertain} <= {*itertools.chain(*pair.undecided, *pair.near_unchanged)}
    assert ends
    stable = np.repeat([[[1, 0]], [[0, 1]]], 400, axis=0)
    benefits = NetBenefits(COLUMNS, partial(Sums, Options(samples=1000), (), np.asarray))
    benefits.add([Counts(rows, ("right", "wrong")) for rows in (stable, 0 * stable)], sentence_keys(0, 800))
    [pair] = decisions_of(benefits, ["a", "b"], [(0, 1)], 0.05).pairs
    assert (pair.uncertain, len(pair.undecided)) == ((), 1)


def test_an_order_that_one_reference_reverses_names_it() -> None:
    # With the first reference a is right, with the second b; the best reference of each sentence favours a.
    a, b = np.array([[[2, 0], [0, 2]]] * 50), np.array([[[0, 1], [1, 0]]] * 50)
    benefits = NetBenefits(COLUMNS, MAKE_SUMS)
    benefits.add([Counts(rows, ("right", "wrong")) for rows in (a, b)], sentence_keys(0, 50))
    [pair] = decisions_of(benefits, ["a", "b"], [(0, 1)], 0.05).pairs
    assert (pair.a_better, pair.reversals) == (((0, 20),), (Reversal(1, "b", ((0, 20),)),))


@pytest.mark.parametrize(("differing", "is_shown"), [(5, False), (6, True)])
def test_costs_show_nothing_where_no_test_can(differing: int, is_shown: bool) -> None:
    source = [f"He go to the shop number {number} ." for number in range(24)]
    reference = [line.replace("go", "goes") for line in source]
    systems = {name: [*reference[:fixed], *source[fixed:]] for name, fixed in (("a", 8), ("b", 8 + differing))}
    comparison = compare(Corpus(source, [reference], systems), ["errant:beta=0.5"])
    [metric], [pair] = comparison.values(), comparison.pairs
    assert (pair.p < 0.05, pair.low > 0 or pair.high < 0) == (is_shown, True)
    assert metric.decisions is not None
    [decision] = metric.decisions.pairs
    assert decision.is_shown == is_shown
