"""Implied edit weights: planted weights are recovered, and data without an answer are said to have none."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from syrupy.assertion import SnapshotAssertion

from geceval.agreement.edit_weights import implied_weights
from geceval.agreement.edit_weights_report import edit_weights_report
from geceval.agreement.judgments import Judgments, read_judgments
from geceval.agreement.study import make_study
from geceval.base.errors import InputError
from geceval.counting.counts import Floats
from geceval.statistics.logistic import logistic_weights
from geceval.tables.report import render
from support.commands import Run
from support.examples import EXAMPLES, example_corpus
from support.verdicts import OPERATIONS, correct_and_outside, differences, edit_counts, simulated_study

PLANTED = np.array([0.8, -0.3])
DATA = "--judgments judgments.xml --systems systems -s source.txt -r ref0.txt ref1.txt"
LINE = ("meta", *DATA.split(), "--level", "edits")


def likeliest(rows: Floats) -> Floats:
    """Return the weights that scipy finds."""
    result = minimize(
        lambda weights: np.logaddexp(0, -rows @ weights).sum(),
        np.zeros(rows.shape[1]),
        jac=lambda weights: -(1 / (1 + np.exp(rows @ weights))) @ rows,
        tol=1e-9,
    )
    return np.asarray(result.x)


def test_many_verdicts_give_the_planted_weights_of_each_operation() -> None:
    planted = {"M": (1.2, -0.9), "R": (0.7, 0.4), "U": (0.9, -0.2)}
    edits = edit_counts(400, 5, seed=2)
    weights = np.array([planted[OPERATIONS[k % 3]][0 if k < 6 else 1] for k in range(12)])
    study = simulated_study(edits, (edits > 0) @ weights, seed=3)
    [result] = implied_weights(study, by="operation", resamples=0)
    assert {row.group: (row.correct, row.outside) for row in result.weights} == {
        group: pytest.approx(expected, abs=0.15) for group, expected in planted.items()
    }
    assert [row.intervals for row in result.weights] == [{}, {}, {}]


def test_effects_of_systems_are_separated_from_their_edits() -> None:
    edits, effects = edit_counts(400, 4, seed=4), np.array([0.0, 1.0, -0.5, 0.5])
    columns = correct_and_outside(edits)
    study = simulated_study(edits, columns @ PLANTED + effects[:, np.newaxis], seed=5)
    [result] = implied_weights(study, systems=True, resamples=50)
    [weight] = result.weights
    assert (weight.correct, weight.outside) == pytest.approx((0.8, -0.3), abs=0.1)
    assert [*result.effects.values()] == pytest.approx(effects, abs=0.25)
    assert result.effects["system0"] == 0
    presence = np.broadcast_to(np.eye(4)[:, np.newaxis, 1:], (4, 400, 3))
    expected = likeliest(differences(study, np.concatenate([columns, presence], axis=2)))
    assert [weight.correct, weight.outside, *[*result.effects.values()][1:]] == pytest.approx(expected, abs=1e-4)


@settings(max_examples=20)
@given(seed=st.integers(0, 1 << 20), share=st.floats(0.3, 1))
def test_weights_do_not_depend_on_which_output_is_first_and_are_the_most_likely(seed: int, share: float) -> None:
    edits = edit_counts(30, 3, seed)
    study = simulated_study(edits, correct_and_outside(edits) @ PLANTED, seed, share)
    pairs = study.pairs
    is_swapped = np.random.default_rng(seed).random(len(pairs)) < 0.5
    first, second = (np.where(is_swapped, a, b) for a, b in ((pairs.second, pairs.first), (pairs.first, pairs.second)))
    outcome = np.where(is_swapped, -pairs.outcome, pairs.outcome).astype(np.int8)
    swapped = replace(study, pairs=replace(pairs, first=first, second=second, outcome=outcome))
    [ours], [theirs] = implied_weights(study, resamples=20), implied_weights(swapped, resamples=20)
    assert repr(ours) == repr(theirs)  # a ratio of infinite weights is not a number
    [weight] = ours.weights
    rows = differences(study, correct_and_outside(edits))
    if math.isfinite(weight.correct + weight.outside):
        assert (weight.correct, weight.outside) == pytest.approx(likeliest(rows), abs=1e-4)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12))
def test_weight_is_finite_if_and_only_if_the_verdicts_bound_it(rows: list[tuple[int, int]]) -> None:
    """Verdicts bound a weight unless it is larger along a direction that lowers the likelihood of no verdict."""
    table = np.array(rows, np.float64)
    [weights] = logistic_weights(table, np.ones((1, len(table))), np.zeros(2))
    box = [(-1, 1)] * 2
    for k, weight in enumerate(weights):
        low, high = (
            sign * linprog(sign * np.eye(2)[k], -table, np.zeros(len(table)), bounds=box).fun for sign in (1, -1)
        )
        assert math.isfinite(weight) == (max(high, -low) < 1e-6), (weight, low, high)
        if math.isinf(weight):
            assert (high if weight > 0 else -low) > 1e-6


def test_replicates_are_fits_of_repeated_verdicts() -> None:
    edits = edit_counts(20, 3, seed=6)
    rows = differences(simulated_study(edits, correct_and_outside(edits) @ PLANTED, 7), correct_and_outside(edits))
    numbers = np.random.default_rng(8).integers(0, 4, size=(5, len(rows)))
    for weights, times in zip(logistic_weights(rows, numbers, np.array([5.0, np.inf])), numbers, strict=True):
        assert weights == pytest.approx(likeliest(np.repeat(rows, times, axis=0)), abs=1e-4)


def test_ties_alone_are_an_error() -> None:
    study = simulated_study(edit_counts(5, 2, 0), np.zeros((2, 5)), 0)
    ties = replace(study, pairs=replace(study.pairs, outcome=np.zeros(len(study.pairs), np.int8)))
    with pytest.raises(InputError, match="no verdict prefers an output: all pairs are ties"):
        implied_weights(ties)


def test_weights_without_bounds_are_said_in_words() -> None:
    edits = edit_counts(40, 3, seed=9)
    correct = np.where(edits == 1, 1, 0)
    study = simulated_study(correct, correct_and_outside(correct) @ [50, 0], seed=1)
    [result] = results = implied_weights(study, resamples=20)
    [weight] = result.weights
    assert (weight.correct, math.isnan(weight.outside), math.isnan(weight.ratio)) == (math.inf, True, True)
    text = render(edit_weights_report(results, {}), "table", 2)
    assert "unbounded" in text
    assert "undefined" in text
    assert "is worth" not in text
    # A correct edit may have no weight: the ratio has no bounds, and its estimate is not hidden.
    study = simulated_study(edits[:, :10], np.zeros((3, 10)), seed=3)
    [result] = results = implied_weights(study, resamples=100)
    assert result.weights[0].intervals["ratio"].high == math.inf
    assert "of a correct one (95 %: unbounded)" in render(edit_weights_report(results, {}), "table", 2)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "options",
    ["", "--by operation --system-effects -f csv", "-m errant:beta=2 net-benefit:cost=1 -f markdown"],
)
def test_table(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run(*LINE, "--samples", "100", *options.split()) == snapshot


@pytest.mark.usefixtures("examples")
def test_json_has_weights_and_numbers(run: Run) -> None:
    document = json.loads(run(*LINE, "-f", "json", "--by", "type", "--samples", "10").out)
    [result] = document["edit_weights"]
    assert (result["verdicts"], result["sentences"], result["resamples"]) == (109, 30, 10)
    assert {"DET", "SPELL"} <= {weight["group"] for weight in result["weights"]}
    assert document["source"] == "source.txt"


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("options", ["-m green", "-m gleu --by type", "-m maxmatch"])
def test_metric_without_wrong_edits_has_a_hint_that_works(run: Run, options: str) -> None:
    result = run(*LINE, *options.split())
    assert result.status == 2
    assert "does not count correct and wrong edits\n  hint: -m errant\n" in result.err
    assert run(*LINE, "-m", "errant", "--samples", "0").status == 0


@pytest.mark.parametrize("systems", [False, True])
def test_verdict_on_outputs_of_several_systems_counts_once(systems: bool) -> None:
    """A copy of a system, judged as one output with it, changes no weight."""
    judgments = read_judgments(EXAMPLES / "judgments.xml")
    corpus = example_corpus()
    items = [
        replace(item, groups=tuple((*group, "zcopy") if "noisy" in group else group for group in item.groups))
        for item in judgments.items
    ]
    copied = replace(corpus, systems={**corpus.systems, "zcopy": corpus.systems["noisy"]})
    alone = make_study(judgments, corpus)
    together = make_study(Judgments("memory", tuple(items)), copied, numbering="0")
    options = {"resamples": 20, "systems": systems}
    [expected] = implied_weights(alone, pairs="outputs", **options)
    [once] = implied_weights(together, pairs="outputs", **options)
    [twice] = implied_weights(together, **options)
    assert once.verdicts == expected.verdicts < twice.verdicts
    if not systems:
        assert str(once.weights[0].intervals) == str(expected.weights[0].intervals)
        assert once.weights[0].correct == pytest.approx(expected.weights[0].correct)
        assert twice.weights[0].correct != pytest.approx(expected.weights[0].correct, rel=1e-3)


def test_outputs_without_edits_are_an_error() -> None:
    study = simulated_study(np.zeros((2, 5, 12), np.int64), np.zeros((2, 5)), 0)
    [result] = implied_weights(study, resamples=5)
    assert math.isnan(result.weights[0].correct)
    with pytest.raises(InputError, match="no output has edits"):
        implied_weights(study, by="type")
