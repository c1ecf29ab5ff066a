"""Change rate, and the changes of a text that count."""

from __future__ import annotations

import numpy as np
import pytest

from geceval import Corpus, FalseAlarms, evaluate
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.m2 import Block, Edit, noop
from geceval.metrics.change_rate import ChangeRate

SOURCE = ["a b", "a b", "“ a ”", "`` a ''", "may be", "a b", "a"]
SYSTEM = ["a c", "A b", '" a "', '" a "', "maybe", "a  b", "a"]


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"casing": False}, [0, 2, 3, 4]),
        ({"blanks": True}, [0, 1, 2, 3, 4, 5]),
        ({"quotes": False}, [0, 1, 4]),
        ({"splits": False}, [0, 1, 2, 3]),
        ({"casing": False, "quotes": False, "splits": False}, [0]),
    ],
)
def test_changes_that_count_are_settings(settings: dict[str, bool], changed: list[int]) -> None:
    rate, alarms = ChangeRate(**settings), FalseAlarms(**settings)
    corpus = Corpus(SOURCE, [SOURCE], {"it": SYSTEM})
    assert np.flatnonzero(kept_counts(corpus, rate)["it"].array[:, 0, 1]).tolist() == changed
    assert np.flatnonzero(kept_counts(corpus, alarms)["it"].array[:, 0, 1]).tolist() == changed
    [result, _] = evaluate(corpus, [rate, alarms], checks=False)["it"]
    assert result.score().value == len(changed) / len(SOURCE)
    assert result.score().parts == {"sentences": len(SOURCE)}


def test_source_is_enough_and_edits_are_read() -> None:
    blocks = [Block("a b", (Edit(0, 1, "R", ("c",)),)), Block("a b", (noop(0),))]
    [result] = evaluate(Corpus(["a b"] * 2, (), {"it": blocks}), ["change-rate"], checks=False)["it"]
    assert result.score().value == 0.5
    assert "blanks" not in result.signature()


def test_defaults_leave_the_signature_of_false_alarms() -> None:
    assert "quotes" not in signature_of(FalseAlarms(), 1)
    assert "splits" not in signature_of(FalseAlarms(), 1)
    assert "|quotes:False|splits:False|only:DET|" in signature_of(
        FalseAlarms(quotes=False, splits=False, types="DET"), 1
    )


def test_false_alarms_of_a_type_are_sentences_with_an_edit_of_it() -> None:
    source = ["a b"] * 3
    gold = [Block("a b", (noop(0),))] * 2 + [Block("a b", (Edit(0, 1, "R:DET", ("x",)),))]
    system = [
        Block("a b", (Edit(0, 1, "R:DET", ("x",)), Edit(1, 2, "R:NOUN", ("y",)))),
        Block("a b", (Edit(1, 2, "R:NOUN", ("y",)),)),
        Block("a b", (Edit(0, 1, "R:DET", ("x",)),)),
    ]
    corpus = Corpus(source, (), {"it": system}, gold)
    results = evaluate(corpus, ["false-alarms:types=DET", "false-alarms:types=R,per=words"], checks=False)["it"]
    assert results[0].score().totals == {"correct": 2, "changed": 1, "words": 4, "edits": 1}
    assert results[0].score().value == 1 / 2
    assert results[1].score().value == 1000 * 3 / 4
