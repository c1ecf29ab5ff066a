"""Blank texts next to a sentence: one rule for files, tables and frames."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import geceval
from geceval import Corpus
from geceval.base.errors import InputError, UsageError
from geceval.text.blank_texts import LIMIT, BlankTexts, no_line
from support.written_files import write
from text.test_tables import as_csv

KINDS = ("file", "table", "frame")
BLANK = ["", " ", "\t"]
LINES = st.tuples(st.sampled_from(["a b", ""]), st.sampled_from(["a c", *BLANK]), st.sampled_from(["a d", *BLANK]))


def read(kind: str, folder: Path, columns: dict[str, list[Any]], **options: Any) -> Corpus:
    """Return the same texts from a file, a table or a frame."""
    references = [name for name in columns if name.startswith("reference")]
    if kind == "frame":
        return Corpus.of(columns, references, source="source", hypothesis="hypothesis", **options)
    if kind == "table":
        return geceval.read_table(write(folder / "t.csv", as_csv(columns)), **options)
    paths = {
        name: write(folder / f"{name}.txt", "".join(f"{line}\n" for line in lines)) for name, lines in columns.items()
    }
    return geceval.read_corpus(paths["source"], [paths[name] for name in references], [paths["hypothesis"]], **options)


@pytest.mark.parametrize("kind", KINDS)
@given(rows=st.lists(LINES, min_size=1, max_size=6))
def test_blank_texts_next_to_a_sentence_have_the_reading(
    tmp_path_factory: pytest.TempPathFactory, kind: str, rows: list[tuple[str, ...]]
) -> None:
    assume(kind != "table" or any(rows[-1]))  # blank rows at the end of a table are no sentences
    folder = tmp_path_factory.mktemp("blank")
    names = ("source", "hypothesis", "reference")
    columns = dict(zip(names, ([*column] for column in zip(*rows, strict=True)), strict=True))
    pairs = {name: list(zip(columns["source"], columns[name], strict=True)) for name in names[1:]}
    blank = {name: [line != "" and not text.strip() for line, text in pairs[name]] for name in pairs}
    corpus = read(kind, folder, columns, blank="unchanged")
    for name, texts in (("hypothesis", corpus.systems["hypothesis"]), ("reference", corpus.references[0])):
        expected = [line if is_blank else text for line, text, is_blank in
                    zip(columns["source"], columns[name], blank[name], strict=True)]  # fmt: skip
        assert [*texts] == expected
    corpus = read(kind, folder, columns, blank="empty")
    assert [not str(text).strip() for text in corpus.references[0]] == [
        not text.strip() for text in columns["reference"]
    ]
    if sum(blank["hypothesis"]) > 1 or sum(blank["reference"]) > 1:
        with pytest.raises(InputError, match="empty next to a sentence"):
            read(kind, folder, columns)
    if any(blank["hypothesis"]):
        with pytest.raises(InputError, match="a system has no missing texts"):
            read(kind, folder, columns, blank="missing")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["hypothesis", "reference"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_few_blank_texts_are_warned_of_and_more_are_an_error(
    tmp_path: Path, kind: str, name: str, number: int, recwarn: pytest.WarningsRecorder
) -> None:
    rows = int(2 / LIMIT)
    columns = {"source": ["a b"] * rows, "hypothesis": ["a c"] * rows, "reference": ["a d"] * rows}
    columns["reference 2"] = columns["reference"]
    columns[name] = [*columns[name][number:], *[""] * number]
    message = f"{number} of {rows} (rows|lines) (are|is) empty next to a sentence"
    if number > 2:
        with pytest.raises(InputError, match=message):
            read(kind, tmp_path, columns)
        return
    corpus = read(kind, tmp_path, columns)
    warned = [str(warning.message) for warning in recwarn]
    assert [bool(re.search(message, text)) for text in warned] == [True] * (number > 1 or name == "reference")
    is_missing = kind != "file" and name == "reference"
    assert (corpus.systems["hypothesis"], corpus.references[0])[name == "reference"][-1] == (None if is_missing else "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_needs_a_reference_that_is_not_missing(tmp_path: Path, kind: str) -> None:
    columns = {"source": ["a b", "c d"], "hypothesis": ["a c", "c"], "reference": ["a d", ""]}
    with pytest.raises(InputError, match=r"reference is missing|has no reference"):
        read(kind, tmp_path, columns, blank="missing")


def test_missing_lines_of_a_file_are_no_references(tmp_path: Path) -> None:
    source, first = write(tmp_path / "s.txt", "a b\nc d\n"), write(tmp_path / "r0.txt", "a b\nc e\n")
    second = write(tmp_path / "r1.txt", "a e\n\n")
    corpus = geceval.read_corpus(source, [first, second], [first], blank="missing")
    assert corpus.references == (["a b", "c e"], ["a e", None])
    assert corpus.reference_numbers() == (1, 2)
    [result] = geceval.evaluate(corpus, ["green"], checks=False)["r0"]
    assert "|blank:missing|" in result.signature()


@pytest.mark.parametrize("cell", ["", None, math.nan])
def test_empty_cells_of_a_frame_are_blank(cell: Any) -> None:
    frame = {"source": ["a b", "c d"], "hypothesis": ["a b", cell], "reference": ["a b", cell]}
    corpus = Corpus.of(frame, ["reference"], source="source", hypothesis="hypothesis", blank="unchanged")
    assert (corpus.references, corpus.systems["hypothesis"]) == ((["a b", "c d"],), ["a b", "c d"])


def test_a_null_is_a_missing_reference_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    frame = {"source": ["a b", "c d"], "hypothesis": ["a b"] * 2, "r": ["a b", None], "r 2": ["a", "c"]}
    corpus = Corpus.of(frame, ["r", "r 2"], source="source", hypothesis="hypothesis")
    assert corpus.references[0] == ["a b", None]
    assert not recwarn


def test_lists_are_read_as_they_are_unless_a_reading_is_given() -> None:
    corpus = Corpus.of(["a", ""], [["a", ""]], ["a b", "c d"])
    assert (corpus.systems["hypothesis"], corpus.references) == (["a", ""], (["a", ""],))
    corpus = Corpus.of(["a", ""], per_sentence=[["a"], ["", "x"]], sources=["a b", "c d"], blank="unchanged")
    assert (corpus.systems["hypothesis"], corpus.references) == (["a", "c d"], (["a", "c d"], [None, "x"]))


def test_a_system_with_a_source_of_its_own_is_compared_with_it(tmp_path: Path) -> None:
    paths = {
        name: write(tmp_path / name, text) for name, text in {"s": "a b\nc d\n", "own": "a b\n\n", "c": "a\n\n"}.items()
    }
    corpus = geceval.read_corpus({None: paths["s"], "c": paths["own"]}, [paths["s"]], {"c": paths["c"]})
    assert corpus.systems["c"] == ["a", ""]


def test_unknown_readings_are_refused() -> None:
    with pytest.raises(UsageError, match="blank must be one of unchanged, missing, empty"):
        Corpus.of(["a"], [["a"]], ["a"], blank="none")  # type: ignore[arg-type]


def test_texts_of_another_length_are_left_to_the_caller() -> None:
    blank = BlankTexts(None)
    assert blank.read("x", ["", ""], ["a"], is_cell=True, place=no_line) == ["", ""]
    blank.check()
    blank.warn()
