"""Files of candidates: so many lines a sentence, or a table."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geceval.base.errors import InputError
from geceval.corpora.select_command import candidate_lines, read_candidates
from support.strategies import sentences


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "samples.txt"
    path.write_text("a\nb\n\nd\te\n", encoding="utf-8")
    found = read_candidates(path, 2)
    assert (found.texts, found.scores, len(found)) == ([["a", "b"], ["", "d\te"]], None, 2)


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "nbest.tsv"
    path.write_text("1\ta b\t-0.5\n1\t\t-inf\n2\tc\t1e3\n", encoding="utf-8")
    found = read_candidates(path)
    assert found.texts == [["a b", ""], ["c"]]
    assert found.scores == [[-0.5, -math.inf], [1000.0]]
    path.write_text("1\ta b\n2\tc\n", encoding="utf-8")
    assert read_candidates(path).scores is None


rows = st.lists(st.lists(st.tuples(sentences, st.floats(allow_nan=False)), min_size=1, max_size=4), max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows)
def test_what_is_written_is_read(tmp_path: Path, rows: list[list[tuple[str, float]]]) -> None:
    texts, scores = [[text for text, _ in own] for own in rows], [[score for _, score in own] for own in rows]
    path = tmp_path / "nbest.tsv"
    path.write_text("".join(f"{line}\n" for line in candidate_lines(texts, scores)), encoding="utf-8")
    found = read_candidates(path)
    assert found.texts == texts
    assert found.scores == (scores if rows else None)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a\n", 1, "0 cells after the number, not 1 or 2"),
        ("1\ta\tb\tc\n", 1, "3 cells after the number, not 1 or 2"),
        ("1\ta\n1\tb\t3\n", 2, "2 cells after the number, not 1"),
        ("2\ta\n", 1, "the number of the sentence is 1 here, not '2'"),
        ("0\ta\n", 1, "is 1 here, not '0'"),
        ("1\ta\n3\tb\n", 2, "is 1 or 2 here, not '3'"),
        ("1\ta\n2\tb\n1\tc\n", 3, "is 2 or 3 here, not '1'"),
        ("one\ta\n", 1, "is 1 here, not 'one'"),
        ("²\ta\n", 1, "is 1 here, not '²'"),
        ("1\ta\tgood\n", 1, "a score is a number, not 'good'"),
        ("1\ta\tnan\n", 1, "a score is a number, not 'nan'"),
    ],
)
def test_tables_that_are_none(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = tmp_path / "nbest.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_candidates(path)
    assert said in caught.value.message
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_numbers_of_any_length_and_tabs_are_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.tsv"
    path.write_text(f"{'1' * 5000}\ta\n", encoding="utf-8")
    with pytest.raises(InputError, match="the number of the sentence is 1"):
        read_candidates(path)
    with pytest.raises(InputError, match="candidate of sentence 1 contains a tab"):
        list(candidate_lines([["a\tb"]], [[1.0]]))
