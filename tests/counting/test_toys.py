"""The metrics of support/toys.py: each joins by being defined."""

from __future__ import annotations

from dataclasses import replace

import pytest

import geceval
from support.toys import CORPUS, SOURCE, TOYS, Shortening


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
