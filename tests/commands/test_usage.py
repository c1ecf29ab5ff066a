"""Options of commands: names of metrics, scores of sentences, inputs that are also outputs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("green -s a -r b -c c -d 27", "argument -d/--digit: invalid choice: 27 .*, 20"),
        ("gleu -s a -r b -o c -p -3", "error: threads is -3; it must be at least 0"),
    ],
)
def test_number_out_of_range_is_refused_by_the_public_tools_commands(run: Run, line: str, message: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    assert re.search(message, result.err), result.err


def test_names_of_metrics_have_any_case_and_aliases(run: Run) -> None:
    lower, upper = (run("score", *DATA, "-m", name) for name in ("errant,green:unit=char", "ERRANT,Green:unit=CHAR"))
    assert (lower.status, lower.out) == (upper.status, upper.out)
    gold = ("--gold", "gold.m2", "-c", "systems/eager.txt", "-m")
    assert run("score", *gold, "m2").out == run("score", *gold, "maxmatch").out


def test_sentence_scores_have_parts_on_request(run: Run) -> None:
    result = run("score", *DATA, "-m", "errant", "--level", "sentence", "--parts", "-f", "tsv")
    head, first, *_ = result.out.splitlines()
    assert head.split("\t") == ["line", "eager precision", "eager recall", "eager"]
    assert len(first.split("\t")) == 4


def test_counts_of_sentences_in_json_add_up_to_those_of_the_corpus(run: Run) -> None:
    corpus, (errant, gleu) = (
        json.loads(run("score", *DATA, "-m", "errant", "gleu", "--level", level, "-f", "json").out)["results"]
        for level in ("corpus", "sentence")
    )
    assert {name: sum(counts) for name, counts in errant["sentence_counts"].items()} == corpus[0]["totals"]
    assert set(errant["sentence_parts"]) == {"precision", "recall"}
    assert {len(values) for values in errant["sentence_parts"].values()} == {len(errant["sentence_scores"])}
    assert len(gleu["sentence_counts"]["match_1"]) == gleu["sentences"]


def test_errant_parallel_tokenises_with_the_builtin_annotator(run: Run) -> None:
    text = " ".join(run("errant_parallel", "-h").out.split())
    assert "tokenise the text first (the builtin annotator can, and spacy:NAME)" in text
    result = run("errant_parallel", "-orig", "source.txt", "-cor", "ref0.txt", "-out", "-", "-tok")
    assert (result.status, result.out[:2]) == (0, "S ")


@pytest.mark.parametrize(
    "line",
    [
        "score -s source.txt -r ref0.txt -c systems/eager.txt -m green -o source.txt",
        "score -s source.txt -r ref0.txt -c A=systems/eager.txt -m green -o ./systems/eager.txt",
        "compare -s source.txt -r ref0.txt -c systems/eager.txt systems/noisy.txt -m green --record ref0.txt",
        "annotate -s source.txt -c ref0.txt -o ref0.txt",
        "m2 filter gold.m2 --type NOUN -o gold.m2",
    ],
)
def test_input_files_are_not_overwritten(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert run(*line.split()) == snapshot
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_values_of_a_repeated_option_are_added(run: Run) -> None:
    line = ("score", "-s", "source.txt", "-c", "systems/eager.txt")
    repeated = run(*line, "-r", "ref0.txt", "-r", "ref1.txt", "-m", "green", "-m", "gleu")
    assert repeated.out == run(*line, "-r", "ref0.txt", "ref1.txt", "-m", "green", "gleu").out


@pytest.mark.parametrize("option", ["-s", "-r"])
def test_m2_file_as_text_is_refused(run: Run, option: str) -> None:
    files = {"-s": "source.txt", "-r": "ref0.txt", option: "gold.m2"}
    result = run("score", *[word for pair in files.items() for word in pair], "-c", "systems/eager.txt", "-m", "green")
    hint = "--gold gold.m2, or -c gold.m2 for a system; geceval m2 apply gold.m2 > FILE.txt writes its corrected text"
    message = "error: gold.m2: this is an M2 file, not text with one sentence per line"
    assert (result.status, result.err) == (2, f"{message}\n  hint: {hint}\n")


@pytest.mark.parametrize(
    ("options", "output"),
    [
        (("-m", "gleu"), "gleu"),
        (("-m", "green", "--language", "en"), "en"),
        (("--group", "length", "-m", "gleu"), "length"),
    ],
)
def test_output_with_the_name_of_a_metric_or_a_label_is_written_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: Path, options: tuple[str, ...], output: str
) -> None:
    monkeypatch.chdir(tmp_path)
    data = ("-s", examples / "source.txt", "-r", examples / "ref0.txt", "-c", examples / "systems" / "eager.txt")
    first, second = (run("score", *data, *options, "-o", output) for _ in range(2))
    assert (first.status, second.status, second.err) == (0, 0, first.err)


def test_output_with_the_name_of_the_baseline_is_written_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    systems = [examples / "systems" / f"{name}.txt" for name in ("eager", "noisy")]
    data = ("-s", examples / "source.txt", "-r", examples / "ref0.txt", "-c", *systems, "-m", "gleu", "-q")
    for _ in range(2):
        assert run("compare", *data, "--samples", "200", "--baseline", "eager", "-o", "eager").status == 0


def test_output_that_is_a_file_of_rules_or_labels_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text("rules = []\n")
    (tmp_path / "labels.txt").write_text("a\n" * 40)
    data = ("-s", examples / "source.txt", "-r", examples / "ref0.txt", "-c", examples / "systems" / "eager.txt")
    for options in (("--clean", "llm,rules.toml"), ("--group", "labels.txt"), ("--language", "./labels.txt")):
        result = run("score", *data, "-m", "gleu", *options, "-f", "table", "-o", options[1].rpartition(",")[2])
        assert result.err.endswith("is both an input and an output\n  hint: write to another file\n"), result.err


@pytest.mark.parametrize(
    "line",
    [
        "score -s source.txt -r ref0.txt -c systems/eager.txt -m green -o a\0",
        "score -s source.txt -r ref0.txt -c systems/eager.txt -m green --record a\0",
        "filter -s source.txt -c ref0.txt --keep edits>0 --signatures a\0",
        "errant_m2 -gold gold.m2 -out a\0",
    ],
)
def test_output_with_nul_is_reported(line: str, run: Run) -> None:
    result = run(*line.split(" "))
    assert (result.status, result.err) == (2, "error: no file is called 'a\\x00': a path has no NUL\n")
