"""``-i TABLE``: every command with data reads its sentences from a table."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
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
