"""Warnings in Python: the caller's line, and hints with arguments in place of options."""

from __future__ import annotations

import inspect
import pickle
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval import Corpus, GecevalWarning
from geceval.base.caller_warnings import deferred_warnings, warn
from geceval.base.hints import Hint, Option

SOURCE = ["He go home .", "She have a cats .", "I likes it ."] * 20
REFERENCE = ["He goes home .", "She has a cat .", "I like it ."] * 20
LABELLED = [f"Here is the corrected sentence: {line}" for line in REFERENCE]


def lines_of_warnings(function: Callable[[], Any]) -> set[tuple[str, int]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GecevalWarning)
        function()
    assert caught
    return {(warning.filename, warning.lineno) for warning in caught}


@pytest.mark.parametrize(
    "function",
    [
        lambda: geceval.score(LABELLED, REFERENCE, SOURCE),
        lambda: geceval.evaluate(Corpus(SOURCE, [REFERENCE], {"A": LABELLED}), "green"),
        lambda: geceval.compare(Corpus(SOURCE, [REFERENCE], {"A": LABELLED, "B": LABELLED}), "green", samples=50),
        lambda: geceval.rank(Corpus(SOURCE, [REFERENCE], {"A": LABELLED, "B": SOURCE}), "green", samples=50),
        lambda: geceval.Scorer("green", SOURCE, [[line.replace(" .", ".") for line in REFERENCE]]),
        lambda: geceval.evaluate_groups(Corpus(SOURCE, [REFERENCE], {"A": LABELLED}), ["errant"], geceval.ByType()),
    ],
)
def test_warning_points_at_the_line_of_the_call(function: Callable[[], Any]) -> None:
    lines, first = inspect.getsourcelines(function)
    for file, line in lines_of_warnings(function):
        assert file == __file__
        assert first <= line < first + len(lines)


def test_warning_while_a_file_is_read_ahead_points_at_the_line_of_the_call(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text(
        "source,hypothesis,reference,reference 2\n" + "a b,a,a c,\n" + "a b,a,a c,b\n" * 2, encoding="utf-8"
    )

    def read() -> None:
        geceval.read_table(table)

    assert lines_of_warnings(read) == {(__file__, inspect.getsourcelines(read)[1] + 1)}


def test_command_and_python_name_their_own_options() -> None:
    with deferred_warnings() as caught:
        warn("it is wrong", Hint(Option("clean", "llm")), check="a", file="f")
        with deferred_warnings() as inner:
            warn("also this")
    assert [str(warning) for warning in caught] == ['f: it is wrong (hint: clean="llm")']
    assert str(caught[0].for_command()) == "f: it is wrong (hint: --clean llm)"
    assert caught[0].for_command().to_dict()["hint"] == "--clean llm"
    assert str(pickle.loads(pickle.dumps(caught[0]))) == str(caught[0])
    assert [warning.message for warning in inner] == ["also this"]


def hints_of(function: Callable[[], Any]) -> tuple[Any, list[str]]:
    """The result of a call, and the hints of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GecevalWarning)
        result = function()
    hints = (str(warning.message.hint) for warning in caught if isinstance(warning.message, GecevalWarning))
    return result, [hint for hint in hints if "right file" not in hint]


def test_followed_hints_of_python_remove_the_warnings() -> None:
    corpus = Corpus(SOURCE, [REFERENCE], {"A": LABELLED})
    labelled, hints = hints_of(lambda: geceval.evaluate(corpus, "green"))
    assert any(hint.startswith('clean="llm" removes') for hint in hints)
    cleaned, hints = hints_of(lambda: geceval.evaluate(corpus, "green", clean="llm"))
    assert hints == []
    assert labelled["A"][0].score().value < cleaned["A"][0].score().value == 1.0
    raw = [line.replace(" .", ".") for line in REFERENCE]
    _, hints = hints_of(lambda: geceval.score(raw, REFERENCE, SOURCE, "green"))
    assert hints == ['tokenise all files in the same way, for example with tokenise="english"']
    tokenised, hints = hints_of(lambda: geceval.score(raw, REFERENCE, SOURCE, "green", tokenise="english"))
    assert hints == []
    assert tokenised.item()[0].score().value == 1.0
    composed = ["Je préfère", "Café noir", "Été chaud"] * 20
    decomposed = [unicodedata.normalize("NFD", line) for line in composed]
    mixed = Corpus.of(decomposed, composed, composed)
    _, hints = hints_of(lambda: geceval.evaluate(mixed, "green"))
    [hint] = hints
    assert 'corpus.prepared(geceval.Preparation(normalise="nfc"))' in hint
    assert hints_of(lambda: geceval.evaluate(mixed.prepared(geceval.Preparation(normalise="nfc")), "green"))[1] == []
