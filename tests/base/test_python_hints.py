"""Warnings in Python: the caller's line, and hints with arguments in place of options."""

from __future__ import annotations

import inspect
import re
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval import Corpus, GecevalWarning
from geceval.base.python_hints import deferred_warnings, in_python, warn
from geceval.counting.checks.text_checks import HINTS

SOURCE = ["He go home .", "She have a cats .", "I likes it ."] * 20
REFERENCE = ["He goes home .", "She has a cat .", "I like it ."] * 20
LABELLED = [f"Here is the corrected sentence: {line}" for line in REFERENCE]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("--clean llm removes what is not the correction", 'clean="llm" removes what is not the correction'),
        ("--clean subwords,entities removes it", 'clean="subwords,entities" removes it'),
        ("files, for example with --tokenise auto", 'files, for example with tokenise="english"'),
        ("--normalise nfkc removes it", 'corpus.prepared(geceval.Preparation(normalise="nfkc")) removes it'),
        ("--gold-edits reannotated, or --language builtin:3", 'gold_edits="reannotated", or annotator="builtin:3"'),
        ("--system-column who", 'system="who"'),
        ("--offsets utf-16 (LanguageTool)", 'offsets="utf-16" (LanguageTool)'),
        ("--input-format csv:tab reads them", 'format="csv:tab" reads them'),
        ("geceval prepare --clean llm TEXT -o NEW removes it", "geceval prepare --clean llm TEXT -o NEW removes it"),
        ("write it; geceval m2 apply --annotator 1 FILE", "write it; geceval m2 apply --annotator 1 FILE"),
        ("no option", "no option"),
    ],
)
def test_hint_names_arguments(hint: str, expected: str) -> None:
    assert in_python(hint) == expected


@pytest.mark.parametrize("hint", HINTS.values(), ids=HINTS)
def test_hint_of_a_check_has_no_option_outside_of_commands(hint: str) -> None:
    assert not re.search(r"(?<![\w-])--?[a-z]", re.sub(r"geceval [^;,)]*", "", in_python(hint)))


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
    table.write_text("source,hypothesis,reference,reference 2\n" + "a b,a,a c,\n" * 3, encoding="utf-8")

    def read() -> None:
        geceval.read_table(table)

    assert lines_of_warnings(read) == {(__file__, inspect.getsourcelines(read)[1] + 1)}


def test_command_and_python_name_their_own_options() -> None:
    with deferred_warnings() as caught:
        warn("it is wrong", "--clean llm", check="a", file="f")
        with deferred_warnings() as inner:
            warn("also this")
    assert [str(warning) for warning in caught] == ['f: it is wrong (hint: clean="llm")']
    assert str(caught[0].of_command) == "f: it is wrong (hint: --clean llm)"
    assert caught[0].of_command.hint == "--clean llm"
    assert [warning.message for warning in inner] == ["also this"]


def hints_of(function: Callable[[], Any]) -> tuple[Any, list[str]]:
    """The result of a call, and the hints of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GecevalWarning)
        result = function()
    hints = (warning.message.hint for warning in caught if isinstance(warning.message, GecevalWarning))
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
