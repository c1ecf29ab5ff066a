"""``-i TABLE``: every command with data reads its sentences from a table."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook
from syrupy.assertion import SnapshotAssertion

from geceval.text.reading.lines import read_lines
from support.commands import Run

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt")
SYSTEMS = ("--hypothesis-column", "careful", "eager")
pytestmark = pytest.mark.usefixtures("examples")


@pytest.fixture
def table(tmp_path: Path) -> str:
    """The examples as CSV."""
    names = ["source", "reference 1", "reference 2", "careful", "eager", "level"]
    paths = ["source.txt", "ref0.txt", "ref1.txt", "systems/careful.txt", "systems/eager.txt"]
    texts: list[Sequence[str]] = [read_lines(path) for path in paths]
    levels = ["A2" if at % 3 else "B1" for at in range(len(texts[0]))]
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([names, *zip(*texts, levels, strict=True)])
    (tmp_path / "levels.txt").write_text("".join(f"{level}\n" for level in levels), encoding="utf-8")
    return str(tmp_path / "pairs.csv")


@pytest.mark.parametrize(
    "command",
    [
        ("score", "-m", "green", "errant", "gleu", "cleme"),
        ("score", "-m", "green", "--level", "sentence"),
        ("compare", "-m", "green", "--samples", "200"),
        ("rank", "-m", "green"),
        ("show", "--limit", "3"),
        ("explain", "--sentence", "2"),
        ("m2 weights",),
    ],
    ids=lambda command: " ".join(command),
)
def test_table_gives_the_same_as_files(run: Run, table: str, command: tuple[str, ...]) -> None:
    name, options = command[0].split(), command[1:]
    files = run(*name, *FILES, *options)
    result = run(*name, "-i", table, *SYSTEMS, *options)
    assert (result.status, result.out) == (files.status, files.out)
    assert files.status == 0
    note = f"note: {table}: source: source; references: reference 1, reference 2; systems: careful, eager\n"
    assert result.err.replace(note, "") == files.err
    assert note in result.err


def test_false_alarms_of_a_table_are_those_of_files(run: Run, table: str) -> None:
    line = ("score", "-m", "false-alarms", "--parts")
    files = run(*line, "-s", "ref0.txt", "-r", "ref0.txt", "ref1.txt", "-c", "careful=systems/careful.txt")
    result = run(*line, "-i", table, "--source-column", "2", "--hypothesis-column", "careful")
    assert (result.status, result.out) == (0, files.out)


def test_json_names_the_table_and_its_columns(run: Run, table: str) -> None:
    columns = ("--source-column", "source", "--reference-column", "reference 2", "--hypothesis-column", "E=eager")
    result = run("score", "-i", table, *columns, "-m", "green", "-f", "json")
    assert (result.status, result.err) == (0, "")  # no note: all columns are named
    document = json.loads(result.out)
    named = {"source": "source", "references": ["reference 2"], "systems": {"E": "eager"}}
    assert document["input"] == {"file": table, **named}
    assert [row["system"] for row in document["results"]] == ["E"]
    assert "|refs:1|" in document["results"][0]["signature"]


def test_labels_are_a_column_or_a_file(run: Run, table: str) -> None:
    levels = str(Path(table).with_name("levels.txt"))
    for name, options in (("score", ["--group"]), ("compare", ["--samples", "100", "--group"]), ("rank", ["--blocks"])):
        files = run(name, *FILES, "-m", "green", "-q", *options, levels)
        result = run(name, "-i", table, *SYSTEMS, "-m", "green", "-q", *options, "level")
        assert (result.status, result.out, result.err) == (0, files.out, files.err)
    # A name that is not a column is a file.
    assert run("score", "-i", table, *SYSTEMS, "-m", "green", "-q", "--group", levels).status == 0
    assert "cannot read" in run("score", "-i", table, *SYSTEMS, "-m", "green", "--group", "levels").err


def test_table_and_files_are_combined(run: Run, table: str) -> None:
    files = run("score", *FILES, "-m", "green", "errant", "--gold", "gold.m2", "-q")
    mixed = run(
        *("score", "-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "--gold", "gold.m2", "-i", table),
        *("--hypothesis-column", "careful", "-c", "systems/eager.txt", "-m", "green", "errant", "-q"),
    )
    assert (mixed.status, mixed.out) == (0, files.out)
    # Columns of references are not looked for if files have them.
    from_file = run("score", "-i", table, *SYSTEMS, "-r", "ref0.txt", "-m", "green")
    assert "|refs:1|" in from_file.out
    assert "references" not in from_file.err
    both = run("score", "-i", table, *SYSTEMS, "-r", "ref0.txt", "--reference-column", "3", "-m", "green", "-q")
    assert "|refs:2|" in both.out


def test_compressed_table_on_standard_input_is_read(run: Run, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = run("score", *FILES, "-m", "green", "cleme", "--tokenise", "auto", "--language", "auto", "-q")
    data = gzip.compress(Path(table).read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    options = ("-m", "green", "cleme", "--tokenise", "auto", "--language", "auto")
    result = run("score", "-i", "-", "--input-format", "csv", *SYSTEMS, *options)
    assert (result.status, result.out) == (0, files.out)
    assert "note: <stdin>: source: source; " in result.err


@pytest.mark.parametrize(
    "line",
    [
        "-i TABLE",
        "-i TABLE --source-column sourse SYSTEMS",
        "-i TABLE --hypothesis-column A=nobody",
        "-i TABLE --hypothesis-column eager eager",
        "-i TABLE --hypothesis-column eager -c systems/eager.txt",
        "-i TABLE -s source.txt --source-column 1 SYSTEMS",
        "FILES --source-column a",
        "FILES --no-header",
        "-i TABLE --no-header",
        "-i nowhere.csv SYSTEMS",
        "-i gold.m2 SYSTEMS",
        "-i source.txt SYSTEMS",
        "-i - SYSTEMS",
        "-i - --input-format csv -s - SYSTEMS",
        "-i TABLE SYSTEMS --gold gold.m2 --missing plain",
        "-s source.txt",
    ],
)
def test_incomplete_or_contradictory_input_is_refused(
    run: Run, table: str, line: str, snapshot: SnapshotAssertion
) -> None:
    for name, words in {"TABLE": [table], "SYSTEMS": SYSTEMS, "FILES": FILES}.items():
        line = line.replace(name, " ".join(words))
    assert run("score", *line.split(), "-m", "green") == snapshot


def test_table_that_is_read_as_text_is_noted(run: Run, table: str) -> None:
    result = run("score", "-s", table, "-r", table, "-c", table, "-m", "green", "--no-checks")
    assert (result.status, result.err.count(f"note: {table} is read as text")) == (0, 3)


def test_table_without_a_used_column_is_noted(run: Run, table: str, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("Nr,Satz\n" + "1,x\n" * len(read_lines("source.txt")), encoding="utf-8")
    result = run("score", "-i", table, str(more), "--hypothesis-column", "careful", "-m", "green")
    assert f"note: no column of {more} is used\n" in result.err


# --- workbooks, and commands with texts of their own ---

TITLES = (["Course B1"], [], ["As of", "May"])


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    """The examples as a workbook with a cover and a title above the header."""
    names = ["Nr.", "Learner", "Anna", "Ben", "eager"]
    paths = ["source.txt", "ref0.txt", "ref1.txt", "systems/eager.txt"]
    rows = zip(*(map(str, read_lines(path)) for path in paths), strict=True)
    book = Workbook()
    book.active.append(["Corrections of course B1"])
    for row in (*TITLES, names, *([number, *texts] for number, texts in enumerate(rows, 1))):
        (book["Sheet 2"] if "Sheet 2" in book.sheetnames else book.create_sheet("Sheet 2")).append(row)
    book.save(tmp_path / "sheet.xlsx")
    return str(tmp_path / "sheet.xlsx")


def test_header_below_a_title_is_proposed_and_columns_have_letters(
    run: Run, sheet: str, snapshot: SnapshotAssertion
) -> None:
    score = ("score", "-m", "green", "errant")
    assert run(*score, "-i", sheet) == snapshot
    files = run(*score, "-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/eager.txt")
    for columns in (("Learner", "Anna", "Ben", "eager"), ("2", "3", "4", "5"), ("B", "C", "D", "E")):
        source, *references, system = columns
        named = ("--source-column", source, "--reference-column", *references, "--hypothesis-column", system)
        result = run(*score, "-i", sheet, "--skip-rows", "3", *named)
        assert (result.status, result.out) == (0, files.out)
    assert run(*score, "-i", sheet, "--skip-rows", "3", "--source-column", "F") == snapshot
    assert run(*score, "-i", sheet, "--skip-rows", "3", "--source-column", "B", "--hypothesis-column", "E") == snapshot


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_lines_above_the_header_of_text_are_skipped_as_in_a_workbook(run: Run, tmp_path: Path, ending: str) -> None:
    separator = {"csv": ";", "tsv": "\t"}[ending]
    rows = [
        *TITLES,
        ["No", "Learner", "Teacher"],
        ["1", "He go , she go .", "He goes , she goes ."],
        ["2", "Yes .", "Yes ."],
    ]
    path = tmp_path / f"table.{ending}"
    path.write_text("".join(f"{separator.join(row)}\n" for row in rows), encoding="utf-8")
    result = run("annotate", "-i", path, "--source-column", "Learner", "--reference-column", "Teacher")
    assert f"table.{ending}: the first row has 1 cell, row 4 has 3 cells, as a header" in result.err
    assert "hint: --skip-rows 3 reads it: No, Learner, Teacher" in result.err
    line = ("annotate", "-i", path, "--skip-rows", "3", "--source-column", "2", "--reference-column")
    assert "A 1 2|||R:VERB:SVA|||goes" in run(*line, "3").out
    assert f"table.{ending} has no column 'C'" in run(*line, "C").err
    path.write_text(path.read_text("utf-8") + f"3{separator}\n", encoding="utf-8")
    assert f"table.{ending}:7: 2 cells, but the header has 3" in run(*line, "3").err


@pytest.mark.parametrize("option", ["--reference-column", "--hypothesis-column"])
def test_annotate_reads_corrections_from_columns(run: Run, sheet: str, option: str) -> None:
    files = run("annotate", "-s", "source.txt", "-c", "ref0.txt", "ref1.txt")
    table = ("-i", sheet, "--skip-rows", "3", "--source-column", "B")
    assert run("annotate", *table, option, "C", "D").out == files.out
    assert run("annotate", *table, option, "C", "-c", "ref1.txt").out == files.out
    chunks = ("-f", "json", "--sentences", "2")
    files = run("annotate", *chunks, "-s", "source.txt", "-r", "ref0.txt", "-c", "eager=systems/eager.txt")
    result = run("annotate", *chunks, *table, "--reference-column", "C", "--hypothesis-column", "E")
    assert (result.status, result.out) == (0, files.out)


def test_detect_takes_the_gold_labels_from_the_reference(run: Run, sheet: str, tmp_path: Path) -> None:
    run("annotate", "-s", "source.txt", "-c", "ref0.txt", "-o", tmp_path / "gold.m2")
    files = run("detect", "-g", tmp_path / "gold.m2", "-c", "systems/eager.txt")
    table = ("detect", "-i", sheet, "--skip-rows", "3", "--source-column", "B", "--hypothesis-column", "E")
    assert run(*table, "--reference-column", "C").out == files.out
    assert run(*table, "-g", tmp_path / "gold.m2").out == files.out
    assert "the first reference gives the labels" in run(*table, "--reference-column", "C", "D").err
    assert run(*table).err.endswith(
        "error: gold labels are required\n  hint: --reference-column COL, one of Nr., Learner, Anna, Ben, eager\n"
    )


def test_select_takes_a_candidate_from_each_column(run: Run, sheet: str) -> None:
    risk = ("--criterion", "mbr", "-m", "green")
    table = ("select", "-i", sheet, "--skip-rows", "3", "--source-column", "B", "--hypothesis-column", "C", "D", "E")
    candidates = ("-c", "ref0.txt", "ref1.txt", "systems/eager.txt")
    assert run(*table, *risk).out == run("select", "-s", "source.txt", *candidates, *risk).out
    best = ("--criterion", "green")
    files = run("select", "-s", "source.txt", *candidates, "-r", "ref0.txt", *best)
    assert run(*table, "--reference-column", "C", *best).out == files.out
    assert run(*table, "-r", "ref0.txt", *best).out == files.out
    assert run(*table, *candidates, *risk).err.startswith("error: the candidates are given twice")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--source-column", "learner"],
        ["--source-column", "learner_text"],
        ["--source-column", "learner_text", "--reference-column", "q1", "--id", "absent"],
    ],
)
def test_messages_on_a_table_of_eighty_columns_name_the_first_ones(
    tmp_path: Path, run: Run, options: list[str]
) -> None:
    names = [*(f"q{number}" for number in range(80)), "learner_text"]
    path = tmp_path / "wide.csv"
    path.write_text(f"{','.join(names)}\n{','.join('x' for _ in names)}\n", encoding="utf-8")
    result = run("score", "-i", path, "-m", "green", *options)
    assert result.status == 2
    assert "q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11 and 69 more" in result.err
    assert "q12" not in result.err
