"""The metrics of support/toys.py: each joins by being defined."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import geceval
from support.toys import CORPUS, REFERENCES, SOURCE, SYSTEMS, TOYS, Shortening, Spans


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_a_toy_is_a_metric_like_any_other(toy: geceval.Metric[Any]) -> None:
    results = geceval.evaluate(CORPUS, [toy, geceval.Green()])
    for row in results.values():
        score = row[0].score()
        assert 0 <= score.value <= 1
        assert score.metric == toy.name
        assert score.signature.startswith(f"{toy.name.upper()}|")
        assert row[0].sentence_scores().shape == (2,)
    assert pickle.loads(pickle.dumps(toy)) == toy
    parts = geceval.evaluate(CORPUS, [toy], block=1)
    for name, [result] in parts.items():
        assert result.score() == results[name][0].score()


def test_signatures_name_what_was_given() -> None:
    signatures = {toy.name: geceval.evaluate(CORPUS, [toy])["one"][0].signature() for toy in TOYS}
    assert "refs" not in signatures["shortening"]
    assert "|pool:one+two|" in signatures["agreement"]
    assert "|annotator:builtin-2|policy:optimum|refs:2|" in signatures["spans"]


def test_values() -> None:
    results = geceval.evaluate(CORPUS, TOYS)
    assert [result.score().value for result in results["two"][:2]] == [8 / 9, 1 / 2]
    assert results["one"][2].score().totals == {"tp": 3, "fp": 0, "fn": 0}
    assert replace(Shortening(), most=0.5).corpus_score(SOURCE, SOURCE).value == 0.5
    with pytest.raises(geceval.GecevalError, match="shortening: most is 2; it must be at least 0 and at most 1"):
        Shortening(most=2)


def test_evidence_sums_to_the_counts() -> None:
    counts = Spans().counts(SOURCE, SYSTEMS["one"], REFERENCES, evidence=True)
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)
