"""Results of compare, rank and explain: printed, in notebooks, and as data frames."""

from __future__ import annotations

import pickle
import sys
from html.parser import HTMLParser

import pytest

import geceval
from geceval.base.errors import MissingExtraError, UsageError
from geceval.comparison.comparison_report import ShownComparison
from geceval.comparison.ranking_without_people import Ranking
from geceval.extending import Explanation
from geceval.tables.shown_results import ShownResults

SOURCE = ["She go to school .", "I like cat .", "He is <b> here ."] * 4
REFERENCES = [["She goes to school .", "I like cats .", "He is <b> here ."] * 4]
SYSTEMS = {
    "<b>&": ["She goes to school .", "I like cat .", "He is <b> here ."] * 4,
    "eager": ["She goes to the school .", "I likes cats .", "He was <b> here ."] * 4,
}
CORPUS = geceval.Corpus(SOURCE, REFERENCES, SYSTEMS)
METRICS = [geceval.Green(), geceval.Errant()]


@pytest.fixture(scope="module")
def comparison() -> ShownComparison:
    return geceval.compare(CORPUS, METRICS, samples=200, checks=False)


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return geceval.rank(CORPUS, METRICS, samples=100, checks=False)


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return geceval.explain(SOURCE[2], {name: text[2] for name, text in SYSTEMS.items()}, [REFERENCES[0][2]])


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= ({"alt", "src"} if tag == "img" else {"class", "style"})

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


@pytest.mark.parametrize("name", ["comparison", "ranking", "explanation"])
def test_results_print_as_their_report_and_escape_texts(name: str, request: pytest.FixtureRequest) -> None:
    results: ShownResults = request.getfixturevalue(name)
    assert "<b>&" in repr(results)
    assert repr(results).count("\n") > 5
    page = Tags(results._repr_html_())
    assert "<b>&" in page.text
    assert page.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "img"}
    assert repr(pickle.loads(pickle.dumps(results))) == repr(results)


def test_comparison_prints_its_conclusion(comparison: ShownComparison) -> None:
    assert "GREEN: differences" in repr(comparison)
    assert "(No difference shown does not mean equal: more sentences might show one.)" in repr(comparison)


def test_frame_of_systems_has_a_row_for_each_system_and_metric(comparison: ShownComparison) -> None:
    columns = comparison.columns()
    assert [*columns] == [
        "system", "metric", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster",
    ]  # fmt: skip
    assert [*zip(columns["system"], columns["metric"], strict=True)] == [
        ("<b>&", "green"), ("eager", "green"), ("<b>&", "errant"), ("eager", "errant"),
    ]  # fmt: skip
    assert columns["value"] == [score.value for score in comparison.systems]


def test_frame_of_differences_has_a_row_for_each_pair(comparison: ShownComparison) -> None:
    columns = comparison.columns("differences")
    assert [*columns][:6] == ["system", "against", "metric", "difference", "low", "high"]
    assert columns["difference"] == [pair.difference for pair in comparison.pairs]
    grouped = geceval.compare(CORPUS, METRICS[1:], samples=100, by="type", checks=False)
    assert [*grouped.columns("differences")][:4] == ["system", "against", "metric", "group"]
    assert len(grouped.columns()["group"]) == len(grouped.systems)


def test_frame_of_a_ranking_has_a_row_for_each_system(ranking: Ranking) -> None:
    assert [*ranking.columns()][:5] == ["system", "metric", "value", "low", "high"]
    assert len(ranking.columns()["system"]) == 4


def test_frames_of_an_explanation_have_scores_and_edits(explanation: Explanation) -> None:
    scores, edits = explanation.columns(), explanation.columns("edits")
    assert [*scores][:5] == ["system", "metric", "value", "reference", "precision"]
    assert scores["value"] == [
        scored.score for output in explanation.sentence.outputs.values() for scored in output.scores.values()
    ]
    assert {*edits["system"]} == {"eager"}
    at = edits["metric"].index("ERRANT")
    assert [edits[name][at] for name in ("start", "end", "correction", "outcome")] == [1, 2, "was", "wrong"]


def test_unknown_kind_is_refused(comparison: ShownComparison) -> None:
    with pytest.raises(UsageError, match="kind must be one of"):
        comparison.columns("words")


def test_missing_pandas_is_named(comparison: ShownComparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError):
        comparison.to_pandas()


def test_to_pandas_has_these_columns(comparison: ShownComparison) -> None:
    pytest.importorskip("pandas")
    for kind in comparison.kinds:
        assert [*comparison.to_pandas(kind).columns] == [*comparison.columns(kind)]
