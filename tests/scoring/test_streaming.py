"""Sentence scores that are written while others are scored, and the files of interrupted runs."""

from __future__ import annotations

import importlib.util
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.counting.metric_names import make_metric, parse_specs
from geceval.counting.system_results import system_results
from geceval.scoring.score_report import sentence_table, sorted_results
from geceval.tables.report import written
from geceval.text.reading.corpus_files import CorpusFiles
from support.commands import Result, Run
from support.examples import example_lines

HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
SOURCE = ("-s", "source.txt")
TEXTS = (*SOURCE, "-r", "ref0.txt", "ref1.txt")
ONE = (*TEXTS, "-c", "systems/noisy.txt")
TWO = (*TEXTS, "-c", "systems/noisy.txt", "systems/careful.txt")
SENTENCES = ("--level", "sentence")
needs_arrow = pytest.mark.skipif(not HAS_ARROW, reason="no pyarrow here")
pytestmark = pytest.mark.usefixtures("examples")


def corpus_table(
    systems: list[str], specs: list[str], output: str, digits: int = 2, sort: str = "given", **options: Any
) -> str:
    """Return the table of sentence scores of a corpus in memory."""
    corpus = CorpusFiles("source.txt", ["ref0.txt", "ref1.txt"], [f"systems/{name}.txt" for name in systems]).open()
    metrics = [make_metric(name, **settings) for name, settings in parse_specs(specs)]
    guard = options.pop("guard", False)
    results = system_results(corpus, metrics, views=["sentence", "mean"], details=True, guard=guard, checks=False)
    return written(sentence_table(sorted_results(results, sort, "sentence"), **options), output, digits)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("output", ["tsv", "csv"])
@pytest.mark.parametrize("more", [(), ("--parts",), ("-d", "5"), ("-d", "0", "--sort", "name"), ("-v", "-j", "1")])
@pytest.mark.parametrize("metrics", [["green"], ["green,gleu", "errant", "cleme"], ["green:beta=1", "green"]])
def test_streamed_rows_are_the_bytes_of_the_table_of_a_corpus(
    run: Run, output: str, more: tuple[str, ...], metrics: list[str], tmp_path: Path
) -> None:
    digits = int(more[1]) if "-d" in more else 2
    sort = "name" if "name" in more else "given"
    expected = corpus_table(
        ["noisy", "careful"], metrics, output, digits, sort, parts="--parts" in more or "-v" in more
    )
    line = ("score", *TWO, "-m", *metrics, *SENTENCES, "-f", output, *more)
    assert run(*line) == Result(0, expected, "")
    assert run(*line, "-o", tmp_path / "out") == Result(0, "", "")
    assert (tmp_path / "out").read_bytes() == expected.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.usefixtures("small_parts")
def test_json_lines_have_the_scores_of_json(run: Run) -> None:
    document = json.loads(run("score", *TWO, "-m", "green,errant", *SENTENCES, "-f", "json").out)
    rows = list(map(json.loads, run("score", *TWO, "-m", "green,errant", *SENTENCES, "-f", "jsonl").out.splitlines()))
    assert [row["line"] for row in rows] == list(range(1, 41))
    for result in document["results"]:
        assert [row["scores"][result["system"]][result["metric"]] for row in rows] == result["sentence_scores"]
    [row, *_] = run("score", *TWO, "-m", "errant", *SENTENCES, "-f", "jsonl", "--parts").out.splitlines()
    assert set(json.loads(row)["parts"]["noisy"]["errant"]) == {"precision", "recall"}


@needs_arrow
@pytest.mark.usefixtures("small_parts")
def test_parquet_has_the_scores_of_json_lines(run: Run, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    target = tmp_path / "scores.parquet"
    line = ("score", *TWO, "-m", "green,errant", *SENTENCES, "-f")
    assert run(*line, "parquet", "-o", target) == Result(0, "", "")
    table = parquet.read_table(target)
    rows = list(map(json.loads, run(*line, "jsonl").out.splitlines()))
    assert table.column_names == ["line", "noisy GREEN", "noisy ERRANT", "careful GREEN", "careful ERRANT"]
    assert table["noisy GREEN"].to_pylist() == [row["scores"]["noisy"]["green"] for row in rows]
    columns = json.loads(parquet.read_metadata(target).metadata[b"geceval"])["columns"]
    assert columns[0]["signature"].startswith("GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:sentence|")
    piped = subprocess.run(
        [sys.executable, "-m", "geceval", *line, "parquet"], stdout=subprocess.PIPE, check=True, timeout=120
    ).stdout
    assert piped[:4] == piped[-4:] == b"PAR1"


def test_parquet_without_its_package_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run("score", *ONE, "-m", "green", *SENTENCES, "-f", "parquet", "-o", tmp_path / "x") == snapshot
    assert not list(tmp_path.iterdir())


def test_file_of_signatures_describes_the_columns(run: Run, tmp_path: Path) -> None:
    line = ("score", *TWO, "-m", "green", "errant:beta=1", *SENTENCES, "-f", "tsv", "--parts", "-o", tmp_path / "out")
    assert run(*line, "--signatures", tmp_path / "about.json").status == 0
    document = json.loads((tmp_path / "about.json").read_text(encoding="utf-8"))
    heads = (tmp_path / "out").read_text(encoding="utf-8").splitlines()[0].split("\t")
    assert ["line", *(column["name"] for column in document["columns"])] == heads
    assert (document["schema"], document["sentences"], document["source"]) == ("geceval/sentences@1", 40, "source.txt")
    [column] = [column for column in document["columns"] if column["name"] == "careful ERRANT precision"]
    assert (column["system"], column["metric"], column["part"]) == ("careful", "errant", "precision")
    assert column["settings"]["beta"] == 1.0
    assert "|level:sentence|" in column["signature"]


@pytest.mark.parametrize(
    "options",
    [
        "--level sentence -f tsv -o a --signatures ./a",
        "--level sentence -f tsv -o ./source.txt",
        "--level sentence -f tsv --signatures systems/noisy.txt",
        "--level sentence -f tsv --signatures no/where",
        "--level sentence -f tsv --signatures .",
        "--level sentence -f tsv --sort green",
        "--level sentence --signatures x",
        "--signatures x",
        "--level mean -f jsonl",
        "--level sentence -f tsv -c line=ref0.txt",
        "--level sentence -f csv --parts -c a=ref0.txt 'a precision=ref1.txt'",
    ],
)
def test_contradictory_options_are_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *ONE, "-m", "errant", *shlex.split(options)) == snapshot
    assert not Path("x").exists()


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("pairs", [(), ("--keep-out", "sources", "hypotheses")], ids=["one file", "three files"])
def test_error_in_the_input_leaves_the_target_and_the_rows_so_far(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: tuple[str, ...]
) -> None:
    lines = example_lines("source")
    monkeypatch.chdir(tmp_path)
    Path("source.txt").write_text("".join(f"{line}\n" for line in lines))
    line = ("filter", "-s", "source.txt", "-c", "source.txt", "--keep", "identical", "-o", "out.tsv", *pairs, "-q")
    outputs = ["out.tsv", *pairs[1:]]
    assert run(*line).status == 0
    complete = [Path(name).read_text() for name in outputs]
    lines[30] += "\t"
    Path("source.txt").write_text("".join(f"{line}\n" for line in lines))
    result = run(*line)
    assert result.status == 2
    *notes, error, _ = result.err.splitlines()
    assert sorted(notes) == sorted(f"note: {name}.partial contains the output so far" for name in outputs)
    assert error == "error: sentence 31: its source has a tab, which ends a cell of TSV"
    assert [Path(name).read_text() for name in outputs] == complete
    for name, text in zip(outputs, complete, strict=True):
        rows = Path(f"{name}.partial").read_text()
        assert rows.count("\n") == 28 + (name == "out.tsv")
        assert text.startswith(rows)
    assert not list(Path().glob("*.tmp"))


def test_error_in_the_second_file_of_prepare_leaves_the_lines_so_far(run: Run, tmp_path: Path) -> None:
    line = ("prepare", "--normalise", "nfc", "source.txt", "missing.txt", "-o", tmp_path / "out")
    result = run(*line)
    assert result.status == 2
    assert result.err.startswith(f"note: {tmp_path}/out.partial contains the output so far\nerror: missing.txt")
    assert (tmp_path / "out.partial").read_bytes() == Path("source.txt").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["out.partial"]


def test_incomplete_file_of_the_target_cannot_be_read(run: Run) -> None:
    """The run would replace its own input."""
    Path("out.partial").write_text("a\n")
    result = run("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "out.partial", "-o", "out")
    assert result == Result(2, "", "error: out.partial is both an input and an output\n  hint: write to another file\n")
    Path("out.partial").unlink()


def test_error_in_the_input_before_the_first_row_leaves_the_target(run: Run, tmp_path: Path) -> None:
    (tmp_path / "short").write_text("a\n", encoding="utf-8")
    (tmp_path / "out").write_text("kept", encoding="utf-8")
    line = ("score", *TEXTS, "-c", tmp_path / "short", "-m", "green", *SENTENCES, "-f", "tsv", "-o", tmp_path / "out")
    assert run(*line).status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "short"]
    assert (tmp_path / "out").read_text(encoding="utf-8") == "kept"
