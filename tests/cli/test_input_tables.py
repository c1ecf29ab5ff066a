"""``-i TABLE``: the sentences of every command with data out of a table."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

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
def test_every_command_with_data_reads_tables(run: Run, table: str, command: tuple[str, ...]) -> None:
    name, options = command[0].split(), command[1:]
    files = run(*name, *FILES, *options)
    found = run(*name, "-i", table, *SYSTEMS, *options)
    assert (found.status, found.out) == (files.status, files.out)
    assert files.status == 0
    said = f"note: {table}: source: source; references: reference 1, reference 2; systems: careful, eager\n"
    assert found.err.replace(said, "") == files.err
    assert said in found.err


ALARMS = ("-m", "false-alarms", "--parts")


def test_false_alarms_of_a_table(run: Run, table: str) -> None:
    files = run("score", "-s", "ref0.txt", "-r", "ref0.txt", "ref1.txt", "-c", "careful=systems/careful.txt", *ALARMS)
    found = run("score", *ALARMS, "-i", table, "--source-column", "2", "--hypothesis-column", "careful")
    assert (found.status, found.out) == (0, files.out)


def test_json_names_the_table(run: Run, table: str) -> None:
    columns = ("--source-column", "source", "--reference-column", "reference 2", "--hypothesis-column", "E=eager")
    result = run("score", "-i", table, *columns, "-m", "green", "-f", "json")
    assert (result.status, result.err) == (0, "")  # all is named: nothing to tell
    document = json.loads(result.out)
    taken = {"source": "source", "references": ["reference 2"], "systems": {"E": "eager"}}
    assert document["input"] == {"file": table, **taken}
    assert [own["system"] for own in document["results"]] == ["E"]
    assert "|refs:1|" in document["results"][0]["signature"]


def test_labels_are_columns(run: Run, table: str) -> None:
    levels = str(Path(table).with_name("levels.txt"))
    for name, options in (("score", ["--group"]), ("compare", ["--samples", "100", "--group"]), ("rank", ["--blocks"])):
        files = run(name, *FILES, "-m", "green", "-q", *options, levels)
        found = run(name, "-i", table, *SYSTEMS, "-m", "green", "-q", *options, "level")
        assert (found.status, found.out, found.err) == (0, files.out, "")
    # What is no column is a file, and the other way round.
    assert run("score", "-i", table, *SYSTEMS, "-m", "green", "-q", "--group", levels).status == 0
    assert "cannot read" in run("score", "-i", table, *SYSTEMS, "-m", "green", "--group", "levels").err


def test_a_table_beside_files(run: Run, table: str) -> None:
    files = run("score", *FILES, "-m", "green", "errant", "--gold", "gold.m2", "-q")
    mixed = run(
        *("score", "-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "--gold", "gold.m2", "-i", table),
        *("--hypothesis-column", "careful", "-c", "systems/eager.txt", "-m", "green", "errant", "-q"),
    )
    assert (mixed.status, mixed.out) == (0, files.out)
    # A role that files have is not looked for.
    only = run("score", "-i", table, *SYSTEMS, "-r", "ref0.txt", "-m", "green")
    assert "|refs:1|" in only.out
    assert "references" not in only.err
    both = run("score", "-i", table, *SYSTEMS, "-r", "ref0.txt", "--reference-column", "3", "-m", "green", "-q")
    assert "|refs:2|" in both.out


def test_standard_input(run: Run, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = run("score", *FILES, "-m", "green", "cleme", "--tokenise", "auto", "--language", "auto", "-q")
    data = gzip.compress(Path(table).read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    options = ("-m", "green", "cleme", "--tokenise", "auto", "--language", "auto")
    found = run("score", "-i", "-", "--input-format", "csv", *SYSTEMS, *options)
    assert (found.status, found.out) == (0, files.out)
    assert "note: <stdin>: source: source; " in found.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-i", "TABLE", "-m", "green"], "system are required\n  hint: --hypothesis-column COL, one of source, r"),
        (["-i", "TABLE", "--source-column", "sourse", *SYSTEMS], "choose from source, .*\n  hint: did you mean source"),
        (["-i", "TABLE", "--hypothesis-column", "A=nobody"], "no column 'nobody'"),
        (["-i", "TABLE", "--hypothesis-column", "eager", "eager"], "the system eager is given twice"),
        (["-i", "TABLE", "--hypothesis-column", "eager", "-c", "systems/eager.txt"], "the system eager is given twice"),
        (["-i", "TABLE", "-s", "source.txt", "--source-column", "1", *SYSTEMS], "the source is given twice"),
        ([*FILES, "--source-column", "a"], "--source-column requires a table: -i FILE"),
        ([*FILES, "--no-header"], "--no-header requires a table: -i FILE"),
        (["-i", "TABLE", "--no-header"], "no column called source\n  hint: --source-column COL, one of 1, 2, 3"),
        (["-i", "nowhere.csv", *SYSTEMS], "nowhere.csv: cannot read"),
        (["-i", "gold.m2", *SYSTEMS], "gold.m2 is not a table: m2 has no columns"),
        (["-i", "source.txt", *SYSTEMS], "source.txt is not a table: txt has no columns"),
        (["-i", "-", *SYSTEMS], "<stdin>: unknown format"),
        (["-i", "-", "--input-format", "csv", "-s", "-", *SYSTEMS], "standard input .-. can be given only once"),
        (["-i", "TABLE", *SYSTEMS, "--gold", "gold.m2", "--missing", "plain"], "--missing applies to references"),
    ],
)  # fmt: skip
def test_what_is_refused(run: Run, table: str, options: list[str], message: str) -> None:
    metric = [] if "-m" in options else ["-m", "green"]
    result = run("score", *(table if option == "TABLE" else option for option in options), *metric)
    assert (result.status, result.out) == (2, "")
    assert re.search(message, result.err), result.err


def test_systems_are_needed_without_a_table(run: Run) -> None:
    result = run("score", "-s", "source.txt", "-m", "green")
    assert (result.status, result.err.splitlines()[0]) == (2, "error: the corrections of a system are required")
    assert "hint: -c FILE for each system, or -i TABLE" in result.err


def test_a_table_that_is_taken_as_text_is_told(run: Run, table: str) -> None:
    result = run("score", "-s", table, "-r", table, "-c", table, "-m", "green", "--no-checks")
    assert (result.status, result.err.count(f"note: {table} is read as text")) == (0, 3)
