"""What evaluate returns: found by name, shown as the tables of the command line, in columns for data frames."""

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

import geceval
from geceval import Corpus, evaluate
from geceval.base.errors import MissingExtraError, UsageError
from geceval.extending import Score
from geceval.scoring.evaluation import ROWS, Results
from geceval.tables.file_formats import as_html
from geceval.tables.table import plain_table

SOURCE = ["He go home .", "She have a cats .", "I like it ."]
REFERENCES = [["He goes home .", "She has a cat .", "I like it ."]]
SYSTEMS = {"CAMB": ["He goes home .", "She have cats .", "I like it ."], "<b>&": SOURCE}
METRICS = [geceval.Green(), geceval.Green(beta=0.5), geceval.Errant(), geceval.Gleu()]


@pytest.fixture(scope="module")
def results() -> Results:
    return evaluate(Corpus(SOURCE, REFERENCES, SYSTEMS), METRICS, details=True, checks=False)


def test_by_name_by_place_and_by_metric(results: Results) -> None:
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
    ("key", "said"),
    [
        (("camb", 0), "no system 'camb' (available: CAMB, <b>&)\n  hint: did you mean CAMB?"),
        (([], 0), "no system []"),
        (("CAMB", "green"), "no result of 'green' (available: green:beta=2, green:beta=0.5, errant, gleu)"),
        (("CAMB", "erant"), "hint: did you mean errant?"),
        (("CAMB", None), "no result of None"),
    ],
)
def test_what_is_not_there(results: Results, key: tuple[Any, Any], said: str) -> None:
    with pytest.raises(KeyError) as caught:
        results[key[0]][key[1]]
    assert said in str(caught.value)
    assert isinstance(caught.value, UsageError)


def test_copies(results: Results) -> None:
    for other in (pickle.loads(pickle.dumps(results)), copy.copy(results), copy.deepcopy(results)):
        assert other.columns("sentence") == results.columns("sentence")
        assert repr(other) == repr(results)


# --- shown ---


def test_printed_it_is_the_table_of_the_command_line(results: Results) -> None:
    lines = repr(results).splitlines()
    assert lines[0].split() == ["system", "GREEN", "beta=2", "GREEN", "beta=0.5", "ERRANT", "GLEU"]
    assert lines[2].split() == ["CAMB", *(f"{100 * result.score().value:.2f}" for result in results["CAMB"])]
    assert lines[-1].startswith("GLEU|")
    assert results._repr_markdown_().splitlines()[2].startswith("| CAMB | ")
    printed: list[str] = []
    printer = type("Printer", (), {"text": staticmethod(printed.append)})
    results._repr_pretty_(printer, cycle=False)
    results._repr_pretty_(printer, cycle=True)
    assert printed == [repr(results), "…"]


def test_one_result_and_one_score(results: Results) -> None:
    errant = results["CAMB"]["errant"]
    assert "errant" in results["CAMB"]
    assert errant in results["CAMB"]
    assert "gleu:n=3" not in results["CAMB"]
    assert repr(errant) == repr(errant.score()) == "<errant 0.4545, precision 0.5000, recall 0.3333>"
    assert repr(results["CAMB"]["gleu"]).startswith("<gleu 0.")
    assert repr(results["CAMB"]).startswith("[<green 0.")
    [alone] = evaluate(Corpus(SOURCE, REFERENCES, {"a": SOURCE}), [geceval.Green()], views=["sentence"])["a"]
    assert repr(alone) == "<green of sentences>"


def test_without_corpus_scores() -> None:
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    means = evaluate(corpus, METRICS[:1], views=["mean"], checks=False)
    assert "level:mean" in repr(means)
    sentences = evaluate(corpus, METRICS[:1], views=["sentence"], checks=False)
    assert [line.split() for line in repr(sentences).splitlines()[2:]] == [["CAMB", "green"], ["<b>&", "green"]]
    assert "sentence scores of" in repr(evaluate(Corpus(SOURCE, REFERENCES), METRICS, checks=False))


class Page(HTMLParser):
    """The text of a page, its tags, and whether all that is opened is closed."""

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
        self.open.append(tag)
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


def test_html(results: Results) -> None:
    page = Page(results._repr_html_())
    assert "<b>&" in page.text.splitlines()
    assert page.tags == {"div", "table", "thead", "tbody", "tr", "th", "td", "code"}
    assert page.names == {"class", "style"}


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=4), st.text(max_size=9))
def test_html_of_any_cells(rows: list[tuple[str, str]], note: str) -> None:
    page = Page(as_html(replace(plain_table([note, "b"], rows, [note]), legend=[note])))
    assert page.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "code"}


def test_long_tables_say_what_they_leave_out() -> None:
    systems = {f"system {number}": SOURCE for number in range(ROWS + 3)}
    results = evaluate(Corpus(SOURCE, REFERENCES, systems), METRICS[:1], views=["corpus"], checks=False)
    for shown in (repr(results), results._repr_html_(), results._repr_markdown_()):
        assert f"system {ROWS - 1}" in shown
        assert f"system {ROWS}" not in shown
        assert "… and 3 more systems" in shown


# --- columns ---


def test_columns_of_systems(results: Results) -> None:
    columns = results.columns(counts=True)
    assert {len(column) for column in columns.values()} == {2 * len(METRICS)}
    assert [*columns][:7] == ["system", "metric", "level", "index", "value", "precision", "recall"]
    assert [*columns][-1] == "signature"
    for at, (system, metric) in enumerate(zip(columns["system"], columns["metric"], strict=True)):
        score = results[system][metric].score()
        assert (columns["value"][at], columns["signature"][at]) == (score.value, score.signature)
        own = {name: column[at] for name, column in columns.items() if column[at] is not None}
        numbers = {name: value for name, value in {**score.parts, **score.totals}.items() if value is not None}
        assert numbers.items() <= own.items()
        assert set(own) == {"system", "metric", "level", "value", "signature", *numbers}


def test_columns_are_without_counts_unless_asked_for(results: Results) -> None:
    parts = {part for row in results.values() for result in row for part in result.score().parts}
    tidy = ["system", "metric", "level", "index", "value", "signature"]
    assert {*results.columns()} == {*tidy, *parts}
    assert {*results.columns()} < {*results.columns(counts=True)}


def test_columns_of_sentences(results: Results) -> None:
    columns = results.columns("sentence", counts=True)
    assert columns["index"] == [0, 1, 2] * 2 * len(METRICS)
    at = columns["metric"].index("errant")
    assert [columns[name][at + 1] for name in ("system", "value", "tp", "fp", "fn")] == ["CAMB", 0.0, 0.0, 1.0, 2.0]
    plain = evaluate(Corpus(SOURCE, REFERENCES, SYSTEMS), METRICS, checks=False).columns("sentence")
    assert [*plain] == ["system", "metric", "level", "index", "value", "signature"]
    assert plain["value"] == columns["value"]
    assert results.columns("mean")["value"][0] == results["CAMB"][0].score("mean").value


def test_levels_that_are_not_there(results: Results) -> None:
    with pytest.raises(UsageError, match="level is one of"):
        results.columns("word")  # type: ignore[arg-type]
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS)
    with pytest.raises(UsageError, match="was not requested"):
        evaluate(corpus, METRICS, views=["corpus"], checks=False).columns("sentence")


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_frames(results: Results, package: str, level: Any) -> None:
    pytest.importorskip(package)
    make = {"pandas": results.to_pandas, "polars": results.to_polars, "pyarrow": results.to_arrow}[package]
    frame, columns = make(level, counts=True), results.columns(level, counts=True)
    names = frame.column_names if package == "pyarrow" else list(frame.columns)
    assert names == [*columns]
    value = frame["value"].to_pylist() if package == "pyarrow" else frame["value"].to_list()
    assert value == columns["value"]
    tp = frame["tp"].to_pylist() if package == "pyarrow" else frame["tp"].to_list()
    assert [None if number != number else number for number in tp] == columns["tp"]


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_a_missing_package_is_one_line(results: Results, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    make = {"pandas": results.to_pandas, "polars": results.to_polars, "pyarrow": results.to_arrow}[package]
    with pytest.raises(MissingExtraError) as caught:
        make()
    assert caught.value.hint == f"pip install {package}"


# --- score_table ---

TABLE = {"src": SOURCE, "one": REFERENCES[0], "two": [None, float("nan"), "I like that ."], **SYSTEMS}


def test_a_mapping_of_columns() -> None:
    found = geceval.score_table(TABLE, source="src", hypothesis=["CAMB", "<b>&"], references=["one", "two"])
    references = [REFERENCES[0], [None, None, "I like that ."]]
    whole = evaluate(Corpus(SOURCE, references, SYSTEMS), [geceval.Green()], details=True, checks=False)
    assert found.columns() == whole.columns()
    assert found.columns("sentence") == whole.columns("sentence")
    lists = TABLE | {"refs": [["He goes home ."], ["She has a cat ."], ["I like it .", "I like that ."]]}
    again = geceval.score_table(lists, ["green"], source="src", hypothesis="CAMB", per_sentence="refs")
    assert again["CAMB"]["green"].score() == whole["CAMB"]["green"].score()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"source": "scr"},
            "the table has no column 'scr': choose from src, one, two, CAMB, <b>&\n  hint: did you mean",
        ),
        ({"references": ["one"], "per_sentence": "one"}, "cannot be combined"),
        ({"references": "one"}, "references: a list of columns is needed"),
        ({"hypothesis": "two"}, "system two, sentence 0"),
        ({"per_sentence": "one"}, "per_sentence, sentence 0"),
        ({"metrics": "green"}, "metrics: a list of metrics is needed"),
        ({"frame": 3}, "a table must be a data frame"),
        ({"frame": SOURCE}, "a table must be a data frame"),
    ],
)
def test_tables_that_cannot_be(arguments: dict[str, Any], said: str) -> None:
    usual = {"frame": TABLE, "metrics": ["green"], "source": "src", "hypothesis": "CAMB"}
    with pytest.raises(geceval.GecevalError) as caught:
        geceval.score_table(**usual | arguments)
    assert said in str(caught.value)


class Stream:
    """Nothing but an Arrow stream."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow", "stream"])
def test_tables_of_others(package: str) -> None:
    others = pytest.importorskip("pyarrow" if package == "stream" else package)
    clean = TABLE | {"two": [None, None, "I like that ."]}
    lists = {"refs": [["He goes home ."], ["She has a cat ."], ["I like it .", "I like that ."]]}
    frame = (others.table if package in ("pyarrow", "stream") else others.DataFrame)(clean | lists)
    frame = Stream(frame) if package == "stream" else frame
    asked: dict[str, Any] = {"source": "src", "hypothesis": [*SYSTEMS]}
    expected = geceval.score_table(TABLE, ["green", "errant"], **asked, references=["one", "two"]).columns("sentence")
    for how in ({"references": ["one", "two"]}, {"per_sentence": "refs"}):
        found = geceval.score_table(frame, ["green", "errant"], **asked, **how)
        assert found.columns("sentence")["value"] == expected["value"]


def test_nothing_is_imported_to_look_at_a_table() -> None:
    code = "import sys, geceval; geceval.score_table({'a': ['b']}, source='a', hypothesis='a', references=['a'])\n"
    code += "print({'pandas', 'polars', 'pyarrow', 'IPython'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


# --- scores ---


def test_scores_as_numbers() -> None:
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


def test_a_score_without_recall_says_so() -> None:
    score = geceval.Gleu().corpus_score(SOURCE, SOURCE, REFERENCES)
    assert score.precision == score.parts["precision"]
    with pytest.raises(AttributeError, match=r"a score of gleu \(corpus\) has no recall; its parts: precision, brev"):
        _ = score.recall
    assert getattr(score, "recall", None) is None
