"""``geceval mbr`` and ``geceval rerank``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import geceval
from geceval.text.candidate_files import read_candidates
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
SYSTEMS = ("careful", "eager", "noisy")


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
    result = run("mbr", "-s", "source.txt", "-n", plain, "-k", "3", "-m", "green")
    expected = geceval.mbr(candidates, "green", lines("source.txt"))
    assert result.status == 0
    assert result.out.splitlines() == expected.texts
    assert result.err == f"{expected.signature}\n"
    assert run("mbr", "-s", "source.txt", "-n", plain, "-k", "3", "-m", "green", "-q").err == ""


def test_all_candidates_are_a_file_of_candidates(
    run: Run, table: str, candidates: list[list[str]], tmp_path: Path
) -> None:
    out = tmp_path / "all.tsv"
    assert run("mbr", "-s", "source.txt", "-n", table, "-m", "errant", "-f", "tsv", "-q", "-o", str(out)).out == ""
    found = read_candidates(out)
    expected = geceval.mbr(candidates, "errant", lines("source.txt"))
    assert found.scores is not None
    assert found.scores == [sorted(own.tolist(), reverse=True) for own in expected.scores]
    assert [sorted(own) for own in found.texts] == [sorted(own) for own in candidates]
    again = run("rerank", "-n", str(out), "--scores", "-q")
    assert again.out.splitlines() == expected.texts


@pytest.mark.parametrize("weights", ["log", "given"])
def test_weights_of_the_file(run: Run, table: str, candidates: list[list[str]], weights: str) -> None:
    result = run("mbr", "-s", "source.txt", "-n", table, "-m", "green", "--weights", weights, "-f", "json")
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
    assert run("rerank", "-n", table, "--scores", "-q").out.splitlines() == lines("systems/eager.txt")
    references = ["ref0.txt", "ref1.txt"]
    result = run("rerank", "-s", "source.txt", "-n", table, "-m", "errant", "-r", *references)
    rows = list(zip(*map(lines, references), strict=True))
    assert result.out.splitlines() == geceval.rerank(
        candidates, "errant", lines("source.txt"), per_sentence=rows
    ).texts  # fmt: skip
    assert result.err.startswith("RERANK|ERRANT|")
    assert "utilities" not in run("rerank", "-n", table, "--scores", "-f", "json").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("mbr", "-n", "TABLE", "-m", "green"), "the metric needs the source: -s FILE"),
        (("mbr", "-s", "source.txt", "-n", "PLAIN", "-m", "green"), "or say how many lines: -k"),
        (("mbr", "-s", "source.txt", "-n", "PLAIN", "-k", "7", "-m", "green"), "lines are not 7 for each sentence"),
        (("mbr", "-s", "source.txt", "-n", "PLAIN", "-k", "0", "-m", "green"), "it must be at least 1"),
        (("mbr", "-s", "source.txt", "-n", "PLAIN", "-k", "2", "-m", "green"), "not the same number of sentences"),
        (("mbr", "-s", "-", "-n", "-", "-m", "green"), "standard input (-) can be given once only"),
        (("mbr", "-s", "source.txt", "-n", "TABLE", "-m", "green,gleu"), "one metric is needed, not 2"),
        (("mbr", "-s", "source.txt", "-n", "TABLE", "-m", "maxmatch"), "maxmatch does not compare"),
        (("mbr", "-s", "source.txt", "-n", "PLAIN", "-k", "3", "-m", "green", "--weights", "log"), "have no scores"),
        (("mbr", "-s", "source.txt", "-n", "nowhere.tsv", "-m", "green"), "nowhere.tsv"),
        (("rerank", "-s", "source.txt", "-n", "TABLE"), "one of the arguments -m/--metric --scores is required"),
        (("rerank", "-s", "source.txt", "-n", "TABLE", "-m", "green"), "green needs references"),
        (("rerank", "-n", "PLAIN", "-k", "3", "--scores"), "the candidates have no scores"),
        (("rerank", "-n", "TABLE", "--scores", "-r", "ref0.txt"), "--scores looks at no references"),
    ],
)
def test_errors_are_for_people(run: Run, plain: str, table: str, arguments: tuple[str, ...], said: str) -> None:
    result = run(*({"PLAIN": plain, "TABLE": table}.get(argument, argument) for argument in arguments))
    assert (result.status, result.out) == (2, "")
    assert said in result.err
    assert "Traceback" not in result.err


def test_an_empty_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "empty.tsv"
    path.write_text("", encoding="utf-8")
    for arguments in (("mbr", "-s", "source.txt", "-m", "green"), ("rerank", "--scores")):
        result = run(*arguments, "-n", str(path))
        assert (result.status, "there are no candidates" in result.err) == (2, True)


def test_logarithms_below_infinity(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nbest.tsv"
    path.write_text("1\ta\t-inf\n1\tb\t-inf\n", encoding="utf-8")
    source = tmp_path / "one.txt"
    source.write_text("a\n", encoding="utf-8")
    result = run("mbr", "-s", str(source), "-n", str(path), "-m", "green", "--weights", "log")
    assert result.status == 2
    assert "sentence 1: logarithms" in result.err


def test_standard_input_is_read_once(run: Run) -> None:
    result = run("rerank", "-s", "source.txt", "-n", "-", "-k", "1", "-m", "green", "-r", "-")
    assert result.status == 2
    assert "once only" in result.err


def test_references_are_as_many_as_sentences(run: Run, tmp_path: Path) -> None:
    few = tmp_path / "few.txt"
    few.write_text("a\n", encoding="utf-8")
    result = run("rerank", "-s", "source.txt", "-n", "source.txt", "-k", "1", "-m", "green", "-r", str(few))
    assert result.status == 2
    assert "not the same number of sentences" in result.err
