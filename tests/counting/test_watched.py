"""Columns that a metric watches over a run, and scores that are no shares: with a metric of somebody else's."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from geceval import Corpus, GecevalWarning, Green, evaluate
from geceval.counting.counts import WarningColumns, warn_of
from geceval.counting.metric import Scale
from geceval.counting.run import Run
from geceval.scoring.score_report import score_report
from geceval.tables.report import render
from support.toys import Shortening


@dataclass(frozen=True)
class Told(Shortening):
    """It tells how many of the source's words are left in all systems together, and its scores are no shares."""

    name: ClassVar[str] = "told"
    scale: ClassVar[Scale] = Scale(in_percent=False)

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        return [f"{sums['left']:g} words are left"] if sums["left"] else ()


SOURCE = ["a b c", "d e", "f"]
CORPUS = Corpus(SOURCE, [SOURCE], {"one": ["a b", "d", ""], "two": ["a", "d e", "f"]})


@pytest.mark.parametrize("block", [1, 2, 3])
def test_a_run_tells_once_of_all_systems(block: int) -> None:
    with pytest.warns(GecevalWarning) as warned:
        evaluate(CORPUS, [Told(), Green(), Told(most=0.5)], block=block)
    assert [str(one.message) for one in warned] == ["7 words are left"]


def test_parts_that_are_counted_apart_are_told_of_together() -> None:
    together = WarningColumns()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for part in CORPUS.parts(1):
            own = WarningColumns()
            list(Run(part, [Told(), Green()], watched=own).stream())
            together.merge(pickle.loads(pickle.dumps(own)))
    with pytest.warns(GecevalWarning, match="^7 words are left$"):
        warn_of(together.remarks())


def test_nothing_is_told_where_there_is_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(Corpus(SOURCE, (), {"it": ["", "", ""]}), [Told()])
        evaluate(CORPUS, [Shortening()])


@pytest.mark.filterwarnings("ignore:.*words are left")
def test_scores_that_are_no_shares_are_printed_as_they_are() -> None:
    inputs: dict[str, Any] = {}
    results = evaluate(CORPUS, [Told(), Shortening()])
    table = render(score_report(results, "corpus", inputs), "tsv").splitlines()
    assert table[1].split("\t") == ["one", "0.50", "50.00"]
    sentences = render(score_report(results, "sentence", inputs), "tsv").splitlines()
    assert sentences[1].split("\t")[:3] == ["1", "0.67", "66.67"]
