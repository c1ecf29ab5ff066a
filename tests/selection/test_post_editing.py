"""Sheets in which people edit the outputs of systems."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from geceval import read_table
from geceval._kernel import Text
from geceval.base.errors import GecevalError
from geceval.selection.post_editing import COLUMNS, read_post_edits, sheet_rows
from support.commands import run_main
from support.examples import EXAMPLES
from support.written_files import write

SOURCE = ["He go home .", "I has 2 .", "1.50", ""]
SYSTEMS = {"A": ["He goes home .", "I have 2 .", "1.50", ""], "B": ["He go home .", "I had 2 .", "2.50", ""]}
FILES = ["-s", "source.txt", "-c", "A=A.txt", "B=B.txt"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"source": SOURCE, **SYSTEMS}.items():
        write(tmp_path / f"{name}.txt", "".join(f"{line}\n" for line in lines))
    return tmp_path


def written(path: Path, rows: list[list[str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([COLUMNS, *rows])
    return str(path)


def rows_of_sheet() -> list[list[str]]:
    _, *rows = sheet_rows(Text(SOURCE), {name: Text(lines) for name, lines in SYSTEMS.items()})
    return [list(row) for row in rows]


def read(path: str) -> dict[str, list[str]]:
    edits = read_post_edits(path, Text(SOURCE), {name: Text(lines) for name, lines in SYSTEMS.items()})
    return {name: list(edits_of_system.references) for name, edits_of_system in edits.items()}


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.tsv", "sheet.xlsx"])
def test_an_unedited_sheet_has_the_outputs_as_references(folder: Path, name: str) -> None:
    assert run_main("post-edit", *FILES, "-o", name).status == 0
    result = run_main("post-edit", *FILES, "--edited", name)
    assert (result.status, result.out) == (0, "")
    assert "A: 4 of 4 outputs are unchanged" in result.err
    for system, lines in SYSTEMS.items():
        assert run_main("post-edit", *FILES, "--edited", name, "--system", system, "-o", "r.txt", "-q").status == 0
        assert (folder / "r.txt").read_text(encoding="utf-8").splitlines() == lines


def test_edited_rows_in_any_order_are_the_references(tmp_path: Path) -> None:
    rows = rows_of_sheet()
    rows[1][4], rows[4][4] = "I have two .", "He  is going home ."
    random.Random(1).shuffle(rows)
    assert read(written(tmp_path / "s.csv", rows)) == {
        "A": ["He goes home .", "I have two .", "1.50", ""],
        "B": ["He is going home .", "I had 2 .", "2.50", ""],
    }


def test_a_sheet_is_a_table_whose_systems_have_their_own_references(tmp_path: Path) -> None:
    rows = [row for row in rows_of_sheet() if row[2]]
    with pytest.warns(UserWarning, match="own table"):
        corpus = read_table(written(tmp_path / "s.csv", rows), system="system")
    assert corpus.own_references == {"A": (0,), "B": (1,)}


@pytest.mark.parametrize(
    ("row", "column", "cell", "message"),
    [
        (0, 2, "He goes home .", r"s\.csv:2: source: the cell was edited"),
        (5, 3, "I have 2 .", r"s\.csv:7: hypothesis: the cell was edited"),
        (1, 4, " ", r"s\.csv:3: reference: the reference is empty"),
        (1, 0, "1", r"s\.csv:3: line: 1 is no line of the source, or is repeated"),
        (1, 0, "9", r"s\.csv:3: line: 9 is no line of the source"),
        (0, 1, "C", "system C is only in the sheet"),
    ],
)
def test_other_edits_are_refused(tmp_path: Path, row: int, column: int, cell: str, message: str) -> None:
    rows = rows_of_sheet()
    rows[row][column] = cell
    with pytest.raises(GecevalError, match=message):
        read(written(tmp_path / "s.csv", rows))


def test_a_missing_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GecevalError, match=r"system A +3"):
        read(written(tmp_path / "s.csv", rows_of_sheet()[1:]))


@pytest.mark.parametrize("words", [["--system", "A", "-o", "r.txt"], ["--edited", "s.csv", "--system", "A"]])
def test_the_system_needs_a_sheet_and_a_file(folder: Path, words: list[str]) -> None:
    result = run_main("post-edit", *FILES, *words)
    assert result.status == 2
    assert "hint: " in result.err


def test_a_sheet_of_other_sentences_is_warned_of(tmp_path: Path) -> None:
    lines = (EXAMPLES / "systems/careful.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    system = write(tmp_path / "sorted.txt", "".join(sorted(lines)))
    files = ("-s", EXAMPLES / "source.txt", "-c", system, "-o", tmp_path / "sheet.csv")
    result = run_main("post-edit", *map(str, files))
    assert result.status == 0
    assert "warning: system sorted: most of its lines share few tokens with the source" in result.err
