"""What an argument may be that becomes lines: lists, tuples, arrays, Series, generators; the rest is named."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import geceval
from geceval import m2
from geceval.base.arguments import as_sequence
from geceval.extending import Metric
from geceval.text.files import path_text

SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She has a cats ."]
GOLD = [m2.Block(SOURCE[0], (m2.Edit(1, 2, "R:VERB", ("goes",)),)), m2.Block(SOURCE[1])]


class Sliced:
    """As a slice of a pandas Series: values in order, looked up by labels that do not begin at 0."""

    ndim = 1

    def __init__(self, values: Any) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, label: int) -> Any:
        return {place + 7: value for place, value in enumerate(self.values)}[label]


class Opened:
    """As a file of tempfile: no io.IOBase."""

    def readline(self) -> str:
        return ""

    def __iter__(self) -> Iterator[str]:
        return iter(SOURCE)


def series(values: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.Series([None, *values])[1:]


MAKERS: list[Callable[[Any], Any]] = [
    list, tuple, iter, Sliced, series, lambda values: (value for value in values),
    lambda values: np.array(values, dtype=object), lambda values: dict(enumerate(values)).values(),
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS)
def test_lines_of_any_kind_score_as_lists_do(make: Callable[[Any], Any]) -> None:
    green, expected = geceval.Green(), geceval.Green().corpus_score(SOURCE, SYSTEM, REFERENCES)
    assert green.corpus_score(make(SOURCE), make(SYSTEM), make([make(row) for row in REFERENCES])) == expected
    maxmatch = geceval.MaxMatch()
    assert maxmatch.corpus_score(SOURCE, SYSTEM, gold=make(GOLD)) == maxmatch.corpus_score(SOURCE, SYSTEM, gold=GOLD)
    errant = geceval.Errant()
    assert errant.corpus_score(SOURCE, make(GOLD), REFERENCES) == errant.corpus_score(SOURCE, GOLD, REFERENCES)
    prepared = green.prepare(geceval.Corpus(SOURCE, REFERENCES))
    assert (green.count(prepared, make(SYSTEM)).array == green.count(prepared, SYSTEM).array).all()


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (lambda: "He go home .", r"not one string\n  hint: for one \S+ write \["),
        (lambda: set(SOURCE), "not a set, which has no order"),
        (lambda: io.StringIO("a\nb\n"), "not an open file\n  hint: geceval.read_corpus"),
        (Opened, "not an open file"),
        (lambda: {"a": "b"}, "not a mapping"),
        (lambda: np.array("a b"), "not an array of 0 dimensions"),
        (lambda: np.array([[SOURCE, SYSTEM]]), "not an array of 3 dimensions"),
        (lambda: None, "not None"),
        (lambda: 3.5, "not 3.5"),
    ],
)
def test_the_rest_is_an_error_that_names_the_argument(value: Callable[[], Any], what: str) -> None:
    score = geceval.Green().corpus_score
    with pytest.raises(geceval.GecevalError, match="source: a list of sentences is needed, " + what):
        score(value(), SYSTEM, REFERENCES)
    with pytest.raises(geceval.GecevalError, match="system hypothesis: .*" + what):
        score(SOURCE, value(), REFERENCES)
    with pytest.raises(geceval.GecevalError, match="references: .*" + what):
        score(SOURCE, SYSTEM, value())
    if not isinstance(value(), str):  # that is a reference that was not put into a list
        with pytest.raises(geceval.GecevalError, match="reference 1: .*" + what):
            score(SOURCE, SYSTEM, [REFERENCES[0], value()])
    if value() is not None:
        with pytest.raises(geceval.GecevalError, match="gold: .*" + what):
            geceval.MaxMatch().corpus_score(SOURCE, SYSTEM, gold=value())


def test_items_are_named_too() -> None:
    with pytest.raises(geceval.GecevalError, match=r"source, sentence 1 \(counted from 0\): a string is"):
        geceval.Green().corpus_score(["a", 3], SYSTEM, REFERENCES)  # type: ignore[list-item]
    with pytest.raises(geceval.GecevalError, match=r"gold, sentence 0 .* an M2 block is needed, not"):
        geceval.MaxMatch().corpus_score(["a"], ["a"], gold=["gold.m2"])  # type: ignore[list-item]


def test_systems_are_named() -> None:
    with pytest.raises(geceval.GecevalError, match="systems are a mapping from names to sentences"):
        geceval.Corpus(SOURCE, REFERENCES, [SYSTEM])  # type: ignore[arg-type]
    with pytest.raises(geceval.GecevalError, match="the name of a system is text, not 3"):
        geceval.Corpus(SOURCE, REFERENCES, {3: SYSTEM})  # type: ignore[dict-item]


def test_sequences_are_taken_as_they_are() -> None:
    for values in ([1], (1,), range(3), geceval.Corpus(SOURCE).source, m2.Blocks.of(GOLD)):
        assert as_sequence("values", values) is values


def test_paths() -> None:
    assert path_text(Path("a/b")) == "a/b"
    for path, message in (
        (b"a", "a path is text or a pathlib.Path, not b'a'"),
        (None, "a path is text or a pathlib.Path, not None"),
        (3, "a path is text or a pathlib.Path, not 3"),
        ("a\0b", "a path has no NUL"),
        ("a\ud800", "a path is text"),
    ):
        for read in (
            path_text,
            lambda path: list(m2.read(path)),
            m2.check,
            m2.Blocks.read,
            lambda path: geceval.read_corpus(path, ["x"], ["x"], "x"),
            lambda path: geceval.read_corpus("x", [path], ["x"]),
            lambda path: geceval.read_corpus("x", ["x"], [path]),
        ):
            if path is not None or read not in (geceval.read_corpus,):
                with pytest.raises(geceval.GecevalError) as caught:
                    read(path)  # type: ignore[operator]
                assert message in str(caught.value) or path is None
    with pytest.raises(geceval.GecevalError, match="references: a list of paths"):
        geceval.read_corpus("source.txt", "ref0.txt", ["sys.txt"])


def test_edits_made_by_hand() -> None:
    for fields, message in (
        ({"corrections": ()}, "an edit has at least one correction"),
        ({"corrections": None}, "an edit's corrections: a list"),
        ({"corrections": "goes"}, "an edit's corrections: a list.* not one string"),
        ({"corrections": (None,)}, "an edit's correction is text, not None"),
        ({"start": 1.0}, "an edit's start is a whole number, not 1.0"),
        ({"end": True}, "an edit's end is a whole number, not True"),
        ({"type": None}, "an edit's type is text, not None"),
        ({"annotator": "x"}, "an edit's annotator is a whole number, not 'x'"),
        ({"required": None}, "an edit's required is text"),
        ({"line": "x"}, "an edit's line is a whole number or None"),
    ):
        with pytest.raises(geceval.GecevalError, match=message):
            m2.Edit(**{"start": 1, "end": 2, "type": "V", "corrections": ("goes",)} | fields)  # type: ignore[arg-type]
    for fields, message in (
        ({"source": None}, "a block's source is text, not None"),
        ({"edits": ("x",)}, "a block's edits are of the type m2.Edit, not 'x'"),
        ({"edits": 3}, "a block's edits: a list"),
        ({"notes": (3,)}, "a block's note is text"),
        ({"ended": None}, "ended is True or False"),
        ({"path": 3}, "a block's path is text"),
    ):
        with pytest.raises(geceval.GecevalError, match=message):
            m2.Block(**{"source": "a"} | fields)  # type: ignore[arg-type]
    edit = m2.Edit(np.int64(1), 2, "V", ["goes", "went"])  # type: ignore[arg-type]
    assert edit == m2.Edit(1, 2, "V", ("goes", "went"))
    assert m2.Block("a b", [edit]).edits == (edit,)  # type: ignore[arg-type]
    with pytest.raises(geceval.GecevalError, match=r"an edit's corrections: lone surrogate U\+D800"):
        m2.Edit(0, 1, "V", ("\ud800",))


PREPARED: list[Metric[Any]] = [
    geceval.Green(),
    geceval.Gleu(),
    geceval.MaxMatch(misfits="drop"),
    geceval.Errant(),
    geceval.Cleme(x0=1.0),
    geceval.Cleme2(x0=1.0),
]


@pytest.mark.parametrize("metric", PREPARED, ids=lambda metric: metric.name)
def test_what_is_prepared_can_be_pickled_and_copied(metric: Metric[Any]) -> None:
    misfit = m2.Block(SOURCE[1], (m2.Edit(3, 2, "V", ("x",)),)) if metric.name == "maxmatch" else GOLD[1]
    corpus = geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, [GOLD[0], misfit])
    prepared = metric.prepare(corpus)
    expected = metric.count(prepared, corpus.systems["it"], evidence=True)
    for again in (pickle.loads(pickle.dumps(prepared)), copy.deepcopy(prepared), copy.copy(prepared)):
        found = metric.count(again, corpus.systems["it"], evidence=True)
        assert (found.array == expected.array).all()
