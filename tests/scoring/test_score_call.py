"""``geceval.score`` and ``Corpus.of``: texts, systems by name and tables in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, GecevalError, m2
from geceval.base.errors import InputError
from support.examples import EXAMPLES
from support.messages import message_of

SOURCE = ["He go home .", "She have a cats .", "I like it ."]
REFERENCES = [["He goes home .", "She has a cat .", "I like it ."], ["He goes home .", "She has cats .", "I like it ."]]
CAMB = ["He goes home .", "She have cats .", "I like it ."]
GOLD = [m2.Block("He go home .", [m2.Edit(1, 2, "R:VERB:SVA", ("goes",))]), *map(m2.Block, SOURCE[1:])]
METRICS = ["errant", "green:unit=char", "gleu:cut=none"]


def expected(corpus: Corpus) -> dict[str, list[Any]]:
    metrics = [geceval.Errant(), geceval.Green(unit="char"), geceval.Gleu(cut="none")]
    return geceval.evaluate(corpus, metrics, checks=False).columns()


def columns_of(*texts: Any, **options: Any) -> dict[str, list[Any]]:
    return geceval.score(*texts, metrics=METRICS, checks=False, **options).columns()


def test_lists_systems_and_tables_have_the_scores_of_their_corpus() -> None:
    corpus = expected(Corpus(SOURCE, REFERENCES, {"hypothesis": CAMB}))
    table = {"src": SOURCE, "hypothesis": CAMB, "r1": REFERENCES[0], "r2": REFERENCES[1]}
    rows = [list(row) for row in zip(*REFERENCES, strict=True)]
    assert columns_of(CAMB, REFERENCES, SOURCE) == corpus
    assert columns_of(tuple(CAMB), np.array(REFERENCES), iter(SOURCE)) == corpus
    assert columns_of({"hypothesis": CAMB}, REFERENCES, SOURCE) == corpus
    assert columns_of(CAMB, sources=SOURCE, per_sentence=rows) == corpus
    assert columns_of(table, ["r1", "r2"], source="src", hypothesis="hypothesis") == corpus
    lists = table | {"refs": rows}
    assert columns_of(lists, source="src", hypothesis=["hypothesis"], per_sentence="refs") == corpus


def test_one_reference_is_a_list_of_sentences() -> None:
    corpus = expected(Corpus(SOURCE, REFERENCES[:1], {"hypothesis": CAMB}))
    assert columns_of(CAMB, REFERENCES[0], SOURCE) == corpus
    assert columns_of({"a": SOURCE, "hypothesis": CAMB, "b": REFERENCES[0]}, "b", source="a", hypothesis="hypothesis")


def test_sources_are_those_of_the_gold_edits() -> None:
    results = geceval.score(CAMB, gold=GOLD, metrics=["errant", "maxmatch"], checks=False)
    corpus = Corpus(SOURCE, (), {"hypothesis": CAMB}, gold=GOLD)
    assert results.columns() == geceval.evaluate(corpus, ["errant", "m2"], checks=False).columns()
    assert geceval.score(GOLD, gold=GOLD, metrics="errant", checks=False).item()[0].score().value == 1.0


class NAType:
    """As pandas' NA: neither equal to itself nor different."""

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, np.float64("nan"), NAType()])
def test_nan_and_na_are_missing_references(missing: Any) -> None:
    second = [missing, "She has cats .", missing]
    corpus = expected(Corpus(SOURCE, [REFERENCES[0], [None, "She has cats .", None]], {"hypothesis": CAMB}))
    assert columns_of(CAMB, [REFERENCES[0], second], SOURCE) == corpus
    table = {"s": SOURCE, "hypothesis": CAMB, "r": REFERENCES[0], "r2": second}
    scores = columns_of(table, ["r", "r2"], source="s", hypothesis="hypothesis", blank="missing")
    signatures = [text.replace("|blank:missing", "") for text in scores["signature"]]
    assert scores | {"signature": signatures} == corpus
    assert expected(Corpus(SOURCE, [REFERENCES[0], second], {"hypothesis": CAMB})) == corpus
    with pytest.raises(GecevalError, match="expected a string"):
        geceval.score([missing, *CAMB[1:]], REFERENCES, SOURCE)


def test_texts_are_cleaned_and_tokenised_everywhere() -> None:
    raw = {
        "A": ["Corrected: He goes home.", "Corrected: She has cats.", "Corrected: I like it."] * 4,
        "B": ["He go home.", "She have cats.", "I like it."] * 4,
    }
    texts = [line.replace(" .", ".") for line in SOURCE * 4], [[line.replace(" .", ".") for line in REFERENCES[1] * 4]]
    steps: dict[str, Any] = {"tokenise": "english", "clean": "llm"}
    corpus = Corpus(texts[0], texts[1], raw)
    results = geceval.score(raw, texts[1], texts[0], ["errant"], **steps)
    assert results["A"]["errant"].score().value == 1.0
    assert "|tok:english-1|" in results["A"]["errant"].signature()
    evaluated = geceval.evaluate(corpus, "errant", **steps)
    assert evaluated.columns() == results.columns()
    prepared = Corpus.of(raw, texts[1], texts[0], **steps)
    for compared, direct in [
        (geceval.compare(prepared, ["errant"], samples=50), geceval.compare(corpus, "errant", samples=50, **steps)),
        (
            geceval.rank(prepared, ["errant"], samples=50, checks=False),
            geceval.rank(corpus, "errant", samples=50, checks=False, **steps),
        ),
    ]:
        assert compared.systems == direct.systems
        assert compared.signatures == direct.signatures
    assert geceval.intervals(prepared, "errant", samples=50) == geceval.intervals(corpus, "errant", samples=50, **steps)
    scorer = geceval.Scorer("errant", texts[0], texts[1], **steps)
    assert scorer.score(raw["A"])["errant"] == results["A"]["errant"].score()


class Index(list[str]):
    def to_list(self) -> list[str]:
        return [*self]


class Frame(dict[str, list[Any]]):
    """A mapping with the index of a pandas frame."""

    index = Index(["x", "y", "z"])


def test_sentences_keep_the_index_of_the_frame() -> None:
    frame = Frame(src=SOURCE, CAMB=CAMB, other=SOURCE, ref=REFERENCES[0])
    names: dict[str, Any] = {"source": "src", "hypothesis": ["CAMB", "other"]}
    results = geceval.score(frame, "ref", metrics=["green"], checks=False, **names)
    assert results.columns("sentence")["index"] == ["x", "y", "z"] * 2
    assert results.columns()["index"] == [None, None]
    prepared = geceval.score(frame, "ref", metrics=["green"], checks=False, clean="llm", **names)
    assert prepared.columns("sentence")["index"] == ["x", "y", "z"] * 2


def test_sentences_of_pandas_join_the_frame_that_was_scored() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"src": SOURCE, "hyp": CAMB, "ref": [*REFERENCES[0][:2], None], "r2": REFERENCES[0]}
    frame = pandas.DataFrame(columns, index=[7, 3, 5])
    results = geceval.score(frame, ["ref", "r2"], metrics=["green"], source="src", hypothesis="hyp", checks=False)
    frame["green"] = results.to_pandas("sentence")["value"]
    assert frame["green"].to_list() == results.item()["green"].sentence_scores().tolist()
    assert frame.index.to_list() == [7, 3, 5]


@pytest.mark.parametrize("column", ["src", "hyp", "ref"])
def test_missing_text_is_reported_with_its_index(column: str) -> None:
    class Index(list[str]):
        to_list = list.copy

    class Frame(dict[str, list[Any]]):
        index = Index(["x7", "x9", "x8"])
        columns = property(list)

    frame = Frame(src=SOURCE, hyp=CAMB, ref=REFERENCES[0])
    frame[column] = [*frame[column][:1], float("nan"), *frame[column][2:]]
    with pytest.raises(GecevalError, match=r"sentence 1 .*index 'x9' of the table") as error:
        geceval.score(frame, ["ref"], source="src", hypothesis="hyp")
    assert error.value.hint


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_columns_of_a_frame_are_lists(package: str) -> None:
    module = pytest.importorskip(package)
    make = module.array if package == "pyarrow" else module.Series
    corpus = expected(Corpus(SOURCE, REFERENCES[:1], {"hypothesis": CAMB}))
    assert columns_of(make(CAMB), make(REFERENCES[0]), make(SOURCE)) == corpus
    assert columns_of({"hypothesis": make(CAMB)}, [make(REFERENCES[0])], make(SOURCE)) == corpus


def test_sentences_keep_the_index_of_a_series() -> None:
    pandas = pytest.importorskip("pandas")
    texts = (pandas.Series(lines, index=[7, 3, 5]) for lines in (CAMB, REFERENCES[0], SOURCE))
    assert geceval.score(*texts, "green", checks=False).to_pandas("sentence").index.to_list() == [7, 3, 5]


def test_results_of_one_system_are_its_item() -> None:
    results = geceval.score(CAMB, REFERENCES, SOURCE, "green", checks=False)
    assert results.item()["green"].score() == geceval.Green().corpus_score(SOURCE, CAMB, REFERENCES)
    assert "hypothesis" in repr(results)
    assert "<table" in results._repr_html_()


@pytest.mark.parametrize(
    "make",
    [
        lambda: geceval.score(CAMB, REFERENCES),
        lambda: geceval.score(CAMB[0], REFERENCES, SOURCE),
        lambda: geceval.score(CAMB, REFERENCES[0][0], SOURCE),
        lambda: geceval.score(CAMB, REFERENCES, SOURCE, per_sentence=[["a"]] * 3),
        lambda: geceval.score(CAMB, sources=SOURCE, per_sentence=REFERENCES),
        lambda: geceval.score(CAMB[:2], REFERENCES, SOURCE),
        lambda: geceval.score({"A": CAMB}, "ref", source="src", hypothesis="A"),
        lambda: geceval.score(Frame(a=CAMB), "b", source="a"),
        lambda: geceval.score(np.rec.array([("a",)], names="columns"), "b"),
        lambda: geceval.score({"A": CAMB, "B": SOURCE}, REFERENCES, SOURCE, checks=False).item(),
        lambda: geceval.score(CAMB, REFERENCES, SOURCE, "green,errant:betta=1"),
        lambda: geceval.make_metric("green,errant:beta=1"),
        lambda: geceval.score(geceval.Corpus(SOURCE, REFERENCES)),
        lambda: geceval.score(CAMB, REFERENCES, SOURCE, labels=["a", "b", "c"]),
        lambda: geceval.evaluate(
            geceval.CorpusFiles(str(EXAMPLES / "source.txt"), [str(EXAMPLES / "ref0.txt")]).open(), "green", clean="llm"
        ),
    ],
)
def test_arguments_that_cannot_be_scored_are_refused(make: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(make) == snapshot


def test_corpus_is_shown_in_one_line() -> None:
    corpus = Corpus.of({"A": CAMB, "B": SOURCE}, REFERENCES, SOURCE, tokenise="english")
    assert repr(corpus) == "<Corpus sentences: 3; references: 2; systems: A, B; tok: english-1>"
    gold = Corpus(SOURCE, gold=GOLD)
    assert repr(gold) == repr(gold.with_texts()) == "<Corpus sentences: 3; annotators: 1>"


@pytest.mark.parametrize("form", ["column", "list"])
def test_groups_are_scored_next_to_the_corpus(form: str) -> None:
    labels = ["A", "B", "A"]
    texts: tuple[Any, ...] = (CAMB, [REFERENCES[0]], SOURCE)
    options: dict[str, Any] = {"groups": labels}
    if form == "column":
        texts = ({"s": SOURCE, "hypothesis": CAMB, "r": REFERENCES[0], "level": labels}, "r")
        options = {"source": "s", "hypothesis": "hypothesis", "groups": "level"}
    results = geceval.score(*texts, metrics=["errant", "green"], checks=False, **options)
    columns = results.columns()
    assert columns["group"] == [None, "A", "B"] * 2
    for label in ("A", "B"):
        rows = [row for row, name in enumerate(labels) if name == label]
        part = Corpus(*([lines[row] for row in rows] for lines in (SOURCE,)),
                      [[REFERENCES[0][row] for row in rows]], {"hypothesis": [CAMB[row] for row in rows]})  # fmt: skip
        expected_values = geceval.evaluate(part, ["errant", "green"], checks=False).columns()["value"]
        values = [value for value, group in zip(columns["value"], columns["group"], strict=True) if group == label]
        assert values == expected_values
    assert results.columns("sentence")["group"] == labels * 2
    assert "group" in str(results)
    assert "group" not in geceval.score(CAMB, [REFERENCES[0]], SOURCE, metrics=["errant"], checks=False).columns()


def test_labels_of_a_corpus_are_a_list_or_a_column(snapshot: SnapshotAssertion) -> None:
    frame = {"s": SOURCE, "h": CAMB, "level": ["A", "B", "A"]}
    assert Corpus.of(frame, source="s", hypothesis="h", labels="level").labels == ["A", "B", "A"]
    assert Corpus.of(CAMB, (), SOURCE, labels=(1, 2, 1)).labels == [1, 2, 1]
    assert message_of(Corpus.of, CAMB, (), SOURCE, labels="level") == snapshot
    assert message_of(Corpus.of, CAMB, (), SOURCE, labels=["A"]) == snapshot


def test_paths_and_arrays_of_references_have_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    path.write_text("a b\n", encoding="utf-8")
    with pytest.raises(InputError, match="not the path of a file") as caught:
        geceval.score(["a b"], ["a b"], str(path))
    assert "geceval.read_corpus takes paths" in str(caught.value.hint)
    with pytest.raises(InputError, match="not one string"):
        geceval.score(["a b"], ["a b"], "x" * 5000)
    with pytest.raises(InputError, match="expected a string, not ndarray") as caught:
        geceval.score(["a b", "c d"], [[np.array(["a b", "a"]), np.array(["c d", "c"])]], ["a b", "c d"])
    assert "per_sentence=" in str(caught.value.hint)
