"""Results of ``evaluate``: access by name, representations, and columns for data frames."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, evaluate
from geceval.base.errors import UsageError
from geceval.extending import Score
from geceval.scoring.evaluation import ROWS, Results
from geceval.tables.file_formats import as_html
from geceval.tables.table import plain_table
from support.messages import message_of

SOURCE = ["He go home .", "She have a cats .", "I like it ."]
REFERENCES = [["He goes home .", "She has a cat .", "I like it ."]]
SYSTEMS = {"CAMB": ["He goes home .", "She have cats .", "I like it ."], "<b>&": SOURCE}
METRICS = [geceval.Green(), geceval.Green(beta=0.5), geceval.Errant(), geceval.Gleu()]


@pytest.fixture(scope="module")
def results() -> Results:
    return evaluate(Corpus(SOURCE, REFERENCES, SYSTEMS), METRICS, details=True, checks=False)


def test_results_are_found_by_name_position_and_metric(results: Results) -> None:
    row = results["CAMB"]
    assert row["errant"] is row[2] is row[geceval.Errant()] is row[-2]
    assert row.names == ("green:beta=2", "green:beta=0.5", "errant", "gleu")
    assert [result.metric for result in row] == METRICS == [result.metric for result in row[:]]
    assert list(results) == ["CAMB", "<b>&"]
    assert len(results) == 2
    assert "CAMB" in results
    assert results.get("camb") is None
    assert row["errant"].score() == geceval.Errant().corpus_score(SOURCE, SYSTEMS["CAMB"], REFERENCES)


@pytest.mark.parametrize(
    ("system", "metric"), [("camb", 0), ([], 0), ("CAMB", "green"), ("CAMB", "erant"), ("CAMB", None)]
)
def test_unknown_system_or_metric_is_a_key_error(
    results: Results, system: Any, metric: Any, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(KeyError) as error:
        results[system][metric]
    assert str(error.value) == snapshot
    assert isinstance(error.value, UsageError)


def test_copies_of_results_are_equal(results: Results) -> None:
    for copied in (pickle.loads(pickle.dumps(results)), copy.copy(results), copy.deepcopy(results)):
        assert copied.columns("sentence") == results.columns("sentence")
        assert repr(copied) == repr(results)


def test_representations_of_results(results: Results, snapshot: SnapshotAssertion) -> None:
    errant = results["CAMB"]["errant"]
    assert repr(errant) == repr(errant.score())
    assert [repr(results), results._repr_markdown_(), repr(results["CAMB"])] == snapshot
    printed: list[str] = []
    printer = type("Printer", (), {"text": staticmethod(printed.append)})
    results._repr_pretty_(printer, cycle=False)
    results._repr_pretty_(printer, cycle=True)
    assert printed == [repr(results), "…"]


def test_representations_without_corpus_scores(snapshot: SnapshotAssertion) -> None:
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    means, sentences = (evaluate(corpus, METRICS[:1], views=[view], checks=False) for view in ("mean", "sentence"))
    without_systems = evaluate(Corpus(SOURCE, REFERENCES), METRICS, checks=False)
    assert [*map(repr, (means, sentences, sentences["CAMB"], without_systems))] == snapshot


def test_row_contains_its_metrics_and_results(results: Results) -> None:
    errant = results["CAMB"]["errant"]
    assert "errant" in results["CAMB"]
    assert errant in results["CAMB"]
    assert "gleu:n=3" not in results["CAMB"]


class Page(HTMLParser):
    """The text and tags of a page; all elements must be closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "img":
            self.open.append(tag)
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


def test_html_escapes_names_and_has_only_tables_and_a_picture(results: Results) -> None:
    page = Page(results._repr_html_())
    assert "<b>&" in page.text.splitlines()
    assert page.tags == {"div", "table", "thead", "tbody", "tr", "th", "td", "code", "img"}
    assert page.names == {"class", "style", "alt", "src"}


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=4), st.text(max_size=9))
def test_html_escapes_any_cells(rows: list[tuple[str, str]], note: str) -> None:
    page = Page(as_html(replace(plain_table([note, "b"], rows, [note]), legend=[note])))
    assert page.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "code"}


def test_long_table_states_how_many_systems_it_omits() -> None:
    systems = {f"system {number}": SOURCE for number in range(ROWS + 3)}
    results = evaluate(Corpus(SOURCE, REFERENCES, systems), METRICS[:1], views=["corpus"], checks=False)
    for text in (repr(results), results._repr_html_(), results._repr_markdown_()):
        assert f"system {ROWS - 1}" in text
        assert f"system {ROWS}" not in text
        assert "… and 3 more systems" in text


def test_columns_of_systems_have_the_scores(results: Results) -> None:
    columns = results.columns(counts=True)
    assert {len(column) for column in columns.values()} == {2 * len(METRICS)}
    assert [*columns][:7] == ["system", "metric", "level", "index", "value", "precision", "recall"]
    assert [*columns][-1] == "signature"
    for at, (system, metric) in enumerate(zip(columns["system"], columns["metric"], strict=True)):
        score = results[system][metric].score()
        assert (columns["value"][at], columns["signature"][at]) == (score.value, score.signature)
        row = {name: column[at] for name, column in columns.items() if column[at] is not None}
        numbers = {name: value for name, value in {**score.parts, **score.totals}.items() if value is not None}
        assert numbers.items() <= row.items()
        assert set(row) == {"system", "metric", "level", "value", "signature", *numbers}


def test_columns_are_without_counts_unless_asked_for(results: Results) -> None:
    parts = {part for row in results.values() for result in row for part in result.score().parts}
    tidy = ["system", "metric", "level", "index", "value", "signature"]
    assert {*results.columns()} == {*tidy, *parts}
    assert {*results.columns()} < {*results.columns(counts=True)}


def test_columns_of_sentences_have_the_scores(results: Results) -> None:
    columns = results.columns("sentence", counts=True)
    assert columns["index"] == [0, 1, 2] * 2 * len(METRICS)
    at = columns["metric"].index("errant")
    assert [columns[name][at + 1] for name in ("system", "value", "tp", "fp", "fn")] == ["CAMB", 0.0, 0.0, 1.0, 2.0]
    plain = evaluate(Corpus(SOURCE, REFERENCES, SYSTEMS), METRICS, checks=False).columns("sentence")
    assert [*plain] == ["system", "metric", "level", "index", "value", "signature"]
    assert plain["value"] == columns["value"]
    assert results.columns("mean")["value"][0] == results["CAMB"][0].score("mean").value


def test_columns_of_an_unknown_or_unrequested_level_are_refused(results: Results, snapshot: SnapshotAssertion) -> None:
    assert message_of(results.columns, "word") == snapshot
    corpus_scores = evaluate(Corpus(SOURCE, REFERENCES, SYSTEMS), METRICS, views=["corpus"], checks=False)
    assert message_of(corpus_scores.columns, "sentence") == snapshot


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_frame_has_the_columns(results: Results, package: str, level: Any) -> None:
    pytest.importorskip(package)
    make = {"pandas": results.to_pandas, "polars": results.to_polars, "pyarrow": results.to_arrow}[package]
    frame, columns = make(level, counts=True), results.columns(level, counts=True)
    if package == "pandas" and level == "sentence":
        assert frame.index.to_list() == columns.pop("index")
    names = frame.column_names if package == "pyarrow" else list(frame.columns)
    assert names == [*columns]
    value = frame["value"].to_pylist() if package == "pyarrow" else frame["value"].to_list()
    assert value == columns["value"]
    tp = frame["tp"].to_pylist() if package == "pyarrow" else frame["tp"].to_list()
    assert [None if number != number else number for number in tp] == columns["tp"]


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_frames_have_corpus_scores_by_default(results: Results, package: str) -> None:
    pytest.importorskip(package)
    make = {"pandas": results.to_pandas, "polars": results.to_polars, "pyarrow": results.to_arrow}[package]
    assert set(make()["level"].to_pylist() if package == "pyarrow" else make()["level"]) == {"corpus"}


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_missing_package_of_a_frame_is_named(
    results: Results, package: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    make = {"pandas": results.to_pandas, "polars": results.to_polars, "pyarrow": results.to_arrow}[package]
    assert message_of(make) == snapshot


TABLE = {"src": SOURCE, "one": REFERENCES[0], "two": [None, float("nan"), "I like that ."], **SYSTEMS}


def test_table_of_columns_gives_the_results_of_a_corpus() -> None:
    systems = ["CAMB", "<b>&"]
    results = geceval.score(TABLE, ["one", "two"], metrics=["green"], source="src", hypothesis=systems, blank="missing")
    references = [REFERENCES[0], [None, None, "I like that ."]]
    expected = evaluate(Corpus(SOURCE, references, SYSTEMS), [geceval.Green()], details=True, checks=False)
    for level in ("corpus", "sentence"):
        columns = results.columns(level)
        columns["signature"] = [text.replace("|blank:missing", "") for text in columns["signature"]]
        assert columns == expected.columns(level)
    lists = TABLE | {"refs": [["He goes home ."], ["She has a cat ."], ["I like it .", "I like that ."]]}
    from_lists = geceval.score(lists, metrics="green", source="src", hypothesis="CAMB", per_sentence="refs")
    assert from_lists["CAMB"]["green"].score() == expected["CAMB"]["green"].score()


@pytest.mark.parametrize(
    "arguments",
    [
        {"source": "scr"},
        {"references": ["one"], "per_sentence": "one"},
        {"hypothesis": "two"},
        {"per_sentence": "one"},
        {"metrics": 3},
        {"hypotheses": 3},
        {"hypotheses": SOURCE},
    ],
    ids=",".join,
)
def test_table_with_invalid_arguments_is_refused(arguments: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    valid = {"hypotheses": TABLE, "metrics": ["green"], "source": "src", "hypothesis": "CAMB"}
    assert message_of(geceval.score, **valid | arguments) == snapshot


class Stream:
    """An object that has only the interface of Arrow streams."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow", "stream"])
def test_frame_of_another_package_is_scored(package: str) -> None:
    module = pytest.importorskip("pyarrow" if package == "stream" else package)
    clean = TABLE | {"two": [None, None, "I like that ."]}
    lists = {"refs": [["He goes home ."], ["She has a cat ."], ["I like it .", "I like that ."]]}
    frame = (module.table if package in ("pyarrow", "stream") else module.DataFrame)(clean | lists)
    frame = Stream(frame) if package == "stream" else frame
    columns: dict[str, Any] = {"source": "src", "hypothesis": [*SYSTEMS], "blank": "missing"}
    expected = geceval.score(TABLE, metrics=["green", "errant"], **columns, references=["one", "two"]).columns(
        "sentence"
    )
    for references in ({"references": ["one", "two"]}, {"per_sentence": "refs"}):
        results = geceval.score(frame, metrics=["green", "errant"], **columns, **references)
        assert results.columns("sentence")["value"] == expected["value"]


def test_table_is_scored_without_importing_frameworks() -> None:
    code = "import sys, geceval; geceval.score({'a': ['b']}, source='a', hypothesis='a', references=['a'])\n"
    code += "print({'pandas', 'polars', 'pyarrow', 'IPython'} & {*sys.modules})"
    completed = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "set()\n"


def test_scores_of_a_metric_are_formatted_and_compared_as_numbers() -> None:
    score = Score("green", 0.41236, "GREEN|", parts={"precision": 0.5, "recall": 0.25})
    assert f"{score:.2f} {score:7.3%} {score}" == "0.41 41.236% <green 0.4124, precision 0.5000, recall 0.2500>"
    assert (score.precision, score.recall, float(score)) == (0.5, 0.25, 0.41236)
    better = Score("green", 0.5, "GREEN|other")
    assert max(score, better) is better
    assert sorted([better, score]) == [score, better]
    assert score < better
    assert score <= better
    assert better > 0.3
    assert better >= 0.5
    assert not better < score
    assert better != 0.5
    with pytest.raises(TypeError):
        score < "a"  # type: ignore[operator]  # noqa: B015
    with pytest.raises(UsageError, match="scores of gleu and green cannot be compared"):
        max(score, Score("gleu", 0.5, "GLEU|"))


def test_score_without_recall_lists_its_parts() -> None:
    score = geceval.Gleu().corpus_score(SOURCE, SOURCE, REFERENCES)
    assert score.precision == score.parts["precision"]
    with pytest.raises(AttributeError, match=r"a score of gleu \(corpus\) has no recall; its parts: precision, brev"):
        _ = score.recall
    assert getattr(score, "recall", None) is None
