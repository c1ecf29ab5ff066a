"""Windows of systems and the sentence level."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geceval.agreement import metric_agreement
from geceval.agreement.judgments import Item, Judgments
from geceval.agreement.metric_agreement import PreferenceCounts, accuracy, total, verdicts_by_sentence, weigh_verdicts
from geceval.agreement.people import expand_pairs
from geceval.agreement.study_results import windows
from geceval.base.errors import UsageError
from geceval.statistics.correlation import pearson
from geceval.statistics.intervals import draw_sentence_weights, percentile_interval


def test_windows_descend_the_ranking_by_people() -> None:
    of_three = windows(["a", "b", "c", "d"], [1, 2, 3, 0], [0.1, 0.9, 0.5, 0.5], size=3)
    assert [window.systems for window in of_three] == [("b", "c", "d"), ("c", "d", "a")]  # equal: the order given
    assert (of_three[1].first, of_three[1].last) == (2, 4)
    assert of_three[0].span == pytest.approx(0.4)
    assert of_three[0].agreement.pearson == pytest.approx(float(pearson([2, 3, 0], [0.9, 0.5, 0.5])))


@pytest.mark.parametrize("size", [1, 5])
def test_window_that_does_not_fit_is_refused(size: int) -> None:
    with pytest.raises(UsageError, match=f"a window must have 2 to 4 systems, not {size}"):
        windows(["a", "b", "c", "d"], [1, 2, 3, 0], [1, 2, 3, 4], size=size)


ITEMS = (
    Item(5, "u", (("A",), ("B",), ("C",)), (1, 2, 2), 1),  # A > B, A > C, B = C
    Item(9, "u", (("A", "B"), ("C",)), (2, 1), 2),  # C > A, C > B
    Item(9, "v", (("A", "B"), ("C",)), (2, 1), 3),  # again: repeats count
)
LINES = {5: 0, 9: 1}


def verdicts(scores: list[list[float]]) -> PreferenceCounts:
    return verdicts_by_sentence(expand_pairs(Judgments("memory", ITEMS)), LINES, np.array(scores))


def test_verdicts_are_those_counted_by_hand() -> None:
    by_sentence = verdicts([[0.9, 0.3], [0.1, 0.5], [0.9, 0.5]])
    assert by_sentence.agree.tolist() == [1, 2]  # A > B; C > A twice
    assert by_sentence.disagree.tolist() == [0, 0]
    assert by_sentence.tied.tolist() == [1, 2]  # A = C; B = C twice
    assert by_sentence.tied_second.tolist() == [0, 2]  # people preferred C to B
    totals = total(by_sentence)
    assert totals.decided == 6
    expected = {"half": 4.5 / 6, "loss": 3 / 6, "skipped": 1.0, "seeda": 5 / 6}
    for rule, value in expected.items():
        assert accuracy(totals, ties=rule) == pytest.approx(value)


def test_no_decided_pair_is_nan_and_an_unknown_rule_is_named() -> None:
    nothing = PreferenceCounts(*(np.array(0),) * 4)
    assert all(math.isnan(accuracy(nothing, ties=rule)) for rule in metric_agreement.TIE_RULES)
    with pytest.raises(UsageError, match=r"unknown rule for ties 'win': choose from half, loss, skipped, seeda"):
        accuracy(nothing, ties="win")


def test_scores_that_differ_by_rounding_are_tied() -> None:
    assert verdicts([[0.5 + 1e-10, 0.0], [0.5, 0.0], [0.5, 0.0]]).tied[0] == 2


def test_accuracy_of_a_perfect_and_a_reversed_metric() -> None:
    good = [[3.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    assert accuracy(total(verdicts(good))) == 1.0
    assert accuracy(total(verdicts([[-a for a in row] for row in good]))) == 0.0


def test_accuracy_interval_resamples_sentences() -> None:
    weights = next(draw_sentence_weights(2, replicates=200, seed=1))
    interval = percentile_interval(accuracy(weigh_verdicts(verdicts([[0.9, 0.3], [0.1, 0.5], [0.9, 0.5]]), weights)))
    assert interval.low == pytest.approx(0.75)
    assert interval.high == pytest.approx(0.75)  # both sentences say 0.75: their pairs do not count as independent
    interval = percentile_interval(accuracy(weigh_verdicts(verdicts([[9.0, 9.0], [1.0, 9.0], [1.0, 1.0]]), weights)))
    assert (interval.low, interval.high) == (0.0, 1.0)
