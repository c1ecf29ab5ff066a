"""``geceval select``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import geceval
from geceval.corpora.select_command import read_candidates
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
SYSTEMS = ("careful", "eager", "noisy")
RISK = ("select", "-s", "source.txt", "--by", "mbr")


def lines(path: str | Path) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


@pytest.fixture
def candidates() -> list[list[str]]:
    return [list(row) for row in zip(*(lines(f"systems/{name}.txt") for name in SYSTEMS), strict=True)]


@pytest.fixture
def plain(tmp_path: Path, candidates: list[list[str]]) -> str:
    path = tmp_path / "samples.txt"
    path.write_text("".join(f"{text}\n" for row in candidates for text in row), encoding="utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path: Path, candidates: list[list[str]]) -> str:
    """With logarithms of probabilities: of the first candidate 0.2, of the second 0.7, of the third 0.1."""
    path = tmp_path / "nbest.tsv"
    scores = ("-1.6094379124341003", "-0.35667494393873245", "-2.3025850929940455")
    path.write_text(
        "".join(
            f"{s}\t{text}\t{score}\n"
            for s, row in enumerate(candidates, 1)
            for text, score in zip(row, scores, strict=True)
        ),
        encoding="utf-8",
    )
    return str(path)


def test_the_best_of_each_sentence(run: Run, plain: str, candidates: list[list[str]]) -> None:
    result = run(*RISK, "-c", plain, "--per-sentence", "3", "-m", "green")
    expected = geceval.mbr(candidates, "green", lines("source.txt"))
    assert result.status == 0
    assert result.out.splitlines() == expected.texts
    assert result.err == f"{expected.signature}\n"
    assert run(*RISK, "-c", plain, "--per-sentence", "3", "-m", "green", "-q").err == ""


def test_all_candidates_are_a_file_of_candidates(
    run: Run, table: str, candidates: list[list[str]], tmp_path: Path
) -> None:
    out = tmp_path / "all.tsv"
    assert run(*RISK, "-c", table, "-m", "errant", "-f", "tsv", "-q", "-o", str(out)).out == ""
    found = read_candidates(out)
    expected = geceval.mbr(candidates, "errant", lines("source.txt"))
    assert found.scores is not None
    assert found.scores == [sorted(own.tolist(), reverse=True) for own in expected.scores]
    assert [sorted(own) for own in found.texts] == [sorted(own) for own in candidates]
    again = run("select", "-c", str(out), "--by", "scores", "-q")
    assert again.out.splitlines() == expected.texts


@pytest.mark.parametrize("weights", ["log", "given"])
def test_weights_of_the_file(run: Run, table: str, candidates: list[list[str]], weights: str) -> None:
    result = run(*RISK, "-c", table, "-m", "green", "--weights", weights, "-f", "json")
    if weights == "given":
        assert (result.status, "it must be at least 0" in result.err) == (2, True)
        return
    shares = [[0.2, 0.7, 0.1]] * len(candidates)
    expected = geceval.mbr(candidates, "green", lines("source.txt"), weights=shares)
    document = json.loads(result.out)
    assert document["schema"] == "geceval/candidates@1"
    assert document["signature"] == expected.signature
    for s, row in enumerate(document["sentences"]):
        np.testing.assert_allclose(row["scores"], expected.scores[s], rtol=1e-12)
        assert row["utilities"] == expected.utilities[s].tolist()
        assert (row["choice"], row["candidates"]) == (expected.choice[s], candidates[s])


def test_reranking(run: Run, table: str, candidates: list[list[str]]) -> None:
    assert run("select", "-c", table, "--by", "scores", "-q").out.splitlines() == lines("systems/eager.txt")
    references = ["ref0.txt", "ref1.txt"]
    result = run("select", "-s", "source.txt", "-c", table, "--by", "errant", "-r", *references)
    rows = list(zip(*map(lines, references), strict=True))
    assert result.out.splitlines() == geceval.rerank(
        candidates, "errant", lines("source.txt"), per_sentence=rows
    ).texts  # fmt: skip
    assert result.err.startswith("RERANK|ERRANT|")
    assert "utilities" not in run("select", "-c", table, "--by", "scores", "-f", "json").out


TABLE = ("-s", "source.txt", "-c", "TABLE")
PLAIN = ("-s", "source.txt", "-c", "PLAIN", "--by", "mbr", "-m", "green")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-c", "TABLE", "--by", "mbr", "-m", "green"), "--by mbr requires the source\n  hint: -s FILE"),
        (PLAIN, "or plain lines with --per-sentence N"),
        ((*PLAIN, "--per-sentence", "7"), "lines are not 7 for each sentence"),
        ((*PLAIN, "--per-sentence", "0"), "it must be at least 1"),
        ((*PLAIN, "--per-sentence", "2"), "not the same number of sentences"),
        (("-s", "-", "-c", "-", "--by", "mbr", "-m", "green"), "standard input (-) can be given only once"),
        ((*TABLE, "--by", "mbr", "-m", "green,gleu"), "one metric is required, not 2"),
        ((*TABLE, "--by", "mbr", "-m", "maxmatch"), "maxmatch does not compare"),
        ((*PLAIN, "--per-sentence", "3", "--weights", "log"), "--weights log: the candidates have no scores"),
        (("-s", "source.txt", "-c", "nowhere.tsv", "--by", "mbr", "-m", "green"), "nowhere.tsv"),
        (TABLE, "--by"),
        ((*TABLE, "--by", "mbr"), "--by mbr requires a metric\n  hint: -m green"),
        ((*TABLE, "--by", "mbr", "-m", "errant", "-r", "ref0.txt"), "hint: --by errant -r … selects by references"),
        ((*TABLE, "--by", "green", "-m", "gleu"), "hint: --by mbr -m gleu, or --by gleu"),
        ((*TABLE, "--by", "scores", "--weights", "log"), "--weights is an option of --by mbr, not of --by scores"),
        ((*TABLE, "--by", "scores", "-r", "ref0.txt"), "--by scores uses no references"),
        ((*TABLE, "--by", "impara", "-r", "ref0.txt"), "impara uses no references\n  hint: omit -r"),
        ((*TABLE, "--by", "green"), "green needs references\n  hint: -r FILE …; without references: --by mbr -m green"),
        ((*TABLE, "--by", "mbr", "-m", "impara"), "impara does not compare candidates\n  hint: --by impara"),
        ((*TABLE, "--by", "scores", "--judge", "rate=6"), "--by scores asks no judge"),
        ((*TABLE, "--by", "green", "-r", "ref0.txt", "--judge", "rate=6"), "none of the metrics uses a judge"),
        ((*TABLE, "--by", "grene"), "did you mean green?"),
        (("-s", "FEW", "-c", "TABLE", "--by", "scores"), "not the same number of sentences"),
        (("-c", "PLAIN", "--per-sentence", "3", "--by", "scores"), "--by scores: the candidates have no scores"),
    ],
)
def test_errors_are_for_people(
    run: Run, plain: str, table: str, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    few = tmp_path / "few.txt"
    few.write_text("a\n", encoding="utf-8")
    files = {"PLAIN": plain, "TABLE": table, "FEW": str(few)}
    result = run("select", *(files.get(argument, argument) for argument in arguments))
    assert (result.status, result.out) == (2, "")
    assert said in result.err
    assert "Traceback" not in result.err


def test_an_empty_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "empty.tsv"
    path.write_text("", encoding="utf-8")
    for arguments in (("mbr", "-s", "source.txt", "-m", "green"), ("scores",)):
        result = run("select", "-c", str(path), "--by", *arguments)
        assert (result.status, "the file has no candidates" in result.err) == (2, True)


def test_logarithms_below_infinity(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nbest.tsv"
    path.write_text("1\ta\t-inf\n1\tb\t-inf\n", encoding="utf-8")
    source = tmp_path / "one.txt"
    source.write_text("a\n", encoding="utf-8")
    result = run("select", "--by", "mbr", "-s", str(source), "-c", str(path), "-m", "green", "--weights", "log")
    assert result.status == 2
    assert "sentence 1: log-probabilities" in result.err


def test_standard_input_is_read_once(run: Run) -> None:
    result = run("select", "-s", "source.txt", "-c", "-", "--per-sentence", "1", "--by", "green", "-r", "-")
    assert result.status == 2
    assert "only once" in result.err


def test_references_are_as_many_as_sentences(run: Run, tmp_path: Path) -> None:
    few = tmp_path / "few.txt"
    few.write_text("a\n", encoding="utf-8")
    candidates = ("-s", "source.txt", "-c", "source.txt", "--per-sentence", "1")
    result = run("select", *candidates, "--by", "green", "-r", str(few))
    assert result.status == 2
    assert "not the same number of sentences" in result.err
