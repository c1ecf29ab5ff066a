"""Options of commands: numbers out of range, names of metrics, scores of sentences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("m2 filter gold.m2 --longest 100000000000000000000", "it must be at least 0 and at most 922"),
        ("green -s a -r b -c c -d 27", "argument -d/--digit: invalid choice: 27 .*, 20"),
        ("gleu -s a -r b -o c -p -3", "error: threads is -3; it must be at least 0"),
        ("meta --judgments x --seed 4294967296", "at most 4294967295"),
        ("meta --judgments x --resamples 100000000", "at most 1000000"),
    ],
)
def test_numbers_out_of_range_are_refused(run: Run, line: str, message: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    assert re.search(message, result.err), result.err


def test_names_are_found_in_any_case(run: Run) -> None:
    plain, shouted = (run("score", *DATA, "-m", name) for name in ("errant,green:unit=char", "ERRANT,Green:unit=CHAR"))
    assert (plain.status, plain.out) == (shouted.status, shouted.out)
    gold = ("--gold", "gold.m2", "-c", "systems/eager.txt", "-m")
    assert run("score", *gold, "m2").out == run("score", *gold, "maxmatch").out
    result = run("score", *DATA, "-m", "glue")
    assert result.err.startswith("error: unknown metric 'glue': choose from green, gleu")
    assert result.err.endswith("hint: did you mean gleu?\n")


def test_parts_of_sentences(run: Run) -> None:
    result = run("score", *DATA, "-m", "errant", "--level", "sentence", "--parts", "-f", "tsv")
    head, first, *_ = result.out.splitlines()
    assert head.split("\t") == ["line", "eager precision", "eager recall", "eager"]
    assert len(first.split("\t")) == 4


def test_counts_of_sentences_in_json(run: Run) -> None:
    whole, own = (
        json.loads(run("score", *DATA, "-m", "errant", "gleu", "--level", level, "-f", "json").out)["results"]
        for level in ("corpus", "sentence")
    )
    errant = own[0]
    assert {name: sum(counts) for name, counts in errant["sentence_counts"].items()} == whole[0]["totals"]
    assert set(errant["sentence_parts"]) == {"precision", "recall"}
    assert {len(values) for values in errant["sentence_parts"].values()} == {len(errant["sentence_scores"])}
    assert len(own[1]["sentence_counts"]["match_1"]) == own[1]["sentences"]


def test_help_of_tok_does_not_contradict_what_is_done(run: Run) -> None:
    text = " ".join(run("errant_parallel", "-h").out.split())
    assert "tokenise the text first (the builtin annotator can, and spacy:NAME)" in text
    done = run("errant_parallel", "-orig", "source.txt", "-cor", "ref0.txt", "-out", "-", "-tok")
    assert (done.status, done.out[:2]) == (0, "S ")


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
def test_input_files_are_not_overwritten(run: Run, line: str) -> None:
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    assert re.search(r"^error: \S+ is an input file and an output\n  hint: write to another file$", result.err, re.M)
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_values_of_a_repeated_option_are_added(run: Run) -> None:
    once = run(
        "score", "-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/eager.txt", "-m", "green", "gleu"
    )
    twice = ("-r", "ref0.txt", "-r", "ref1.txt", "-c", "systems/eager.txt", "-m", "green", "-m", "gleu")
    assert run("score", "-s", "source.txt", *twice).out == once.out


@pytest.mark.parametrize("option", ["-s", "-r"])
def test_m2_file_as_text_is_refused(run: Run, option: str) -> None:
    files = {"-s": "source.txt", "-r": "ref0.txt", option: "gold.m2"}
    result = run("score", *[word for pair in files.items() for word in pair], "-c", "systems/eager.txt", "-m", "green")
    assert (result.status, result.err) == (2, "error: gold.m2 is an M2 file\n  hint: --gold gold.m2\n")
