"""``geceval select``: the best of several candidates for each sentence."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.selection.candidate_files import read_candidates
from support.commands import Run
from support.written_files import write

pytestmark = pytest.mark.usefixtures("examples")
SYSTEMS = ("careful", "eager", "noisy")
RISK = ("select", "-s", "source.txt", "--criterion", "mbr")


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
    """Candidates with logarithms of probabilities: 0.2, 0.7 and 0.1."""
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


def test_best_candidates_are_those_of_mbr(run: Run, plain: str, candidates: list[list[str]]) -> None:
    result = run(*RISK, "-c", plain, "--per-sentence", "3", "-m", "green")
    expected = geceval.mbr(candidates, "green", lines("source.txt"))
    assert result.status == 0
    assert result.out.splitlines() == expected.texts
    assert result.err == f"{expected.signature}\n"
    assert run(*RISK, "-c", plain, "--per-sentence", "3", "-m", "green", "-q").err == ""


def test_ranked_candidates_are_a_file_of_candidates(
    run: Run, table: str, candidates: list[list[str]], tmp_path: Path
) -> None:
    out = tmp_path / "all.tsv"
    assert run(*RISK, "-c", table, "-m", "errant", "-f", "tsv", "-q", "-o", str(out)).out == ""
    written = read_candidates(out)
    expected = geceval.mbr(candidates, "errant", lines("source.txt"))
    assert written.scores is not None
    assert written.scores == [sorted(scores.tolist(), reverse=True) for scores in expected.scores]
    assert [sorted(texts) for texts in written.texts] == [sorted(texts) for texts in candidates]
    selected = run("select", "-c", str(out), "--criterion", "scores", "-q")
    assert selected.out.splitlines() == expected.texts


def test_candidates_in_several_files_or_lists_are_those_of_a_sentence(
    run: Run, candidates: list[list[str]], tmp_path: Path
) -> None:
    expected = geceval.mbr(candidates, "green", lines("source.txt"))
    choices = [{"choices": [{"message": {"content": text}} for text in row]} for row in candidates]
    forms = {
        "lists": [{"references": ["x y"], "samples": row} for row in candidates],
        "texts": [{"choices": [{"text": text} for text in row]} for row in candidates],
        "batch": [{"custom_id": f"r-{s}", "response": {"body": body}} for s, body in enumerate(choices)],
    }
    paths = {name: tmp_path / f"{name}.jsonl" for name in forms}
    for name, rows in forms.items():
        paths[name].write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    for files in ([f"systems/{name}.txt" for name in SYSTEMS], *([str(path)] for path in paths.values())):
        assert run(*RISK, "-c", *files, "-m", "green").out.splitlines() == expected.texts
    rows = paths["batch"].read_text("utf-8").splitlines(keepends=True)
    paths["batch"].write_text("".join(rows[::-1]), encoding="utf-8")
    assert "rows are not in line order" in run(*RISK, "-c", str(paths["batch"]), "-m", "green").err


def test_candidates_are_prepared_before_the_choice(run: Run, candidates: list[list[str]], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    answers = [[f"Here is the corrected sentence:\n\n{text}" for text in row] for row in candidates]
    path.write_text("".join(f"{json.dumps({'samples': row})}\n" for row in answers), encoding="utf-8")
    result = run(*RISK, "-c", str(path), "-m", "green", "--clean", "llm")
    expected = geceval.mbr(candidates, "green", lines("source.txt"))
    assert result.out.splitlines() == expected.texts
    assert result.err == f"{expected.signature}|clean:llm-4\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"x": ["a"], "y": ["b"]}\n' * 2, "has 2 columns of lists of candidates"),
        ('{"x": "a b"}\n' * 2, "has 0 columns of lists of candidates"),
        ('{"x": ["a"]}\n{"x": []}\n', "lists.jsonl:2: x: the candidates must be a list"),
        ('{"x": ["a"]}\n{"x": ["a", null]}\n', "lists.jsonl:2: x: a sentence must be text, not nothing"),
    ],
)
def test_lists_without_candidates_are_refused(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "lists.jsonl"
    path.write_text(text, encoding="utf-8")
    result = run("select", "-c", str(path), "-s", "source.txt", "--criterion", "mbr", "-m", "green")
    assert result.status == 2
    assert message in result.err


@pytest.mark.parametrize("weights", ["log", "given"])
def test_scores_of_the_file_are_weights_or_their_logarithms(
    run: Run, table: str, candidates: list[list[str]], weights: str
) -> None:
    result = run(*RISK, "-c", table, "-m", "green", "--weights", weights, "-f", "json")
    if weights == "given":
        assert (result.status, "a weight must be a number from 0" in result.err) == (2, True)
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


def test_reranked_candidates_are_those_of_rerank(run: Run, table: str, candidates: list[list[str]]) -> None:
    assert run("select", "-c", table, "--criterion", "scores", "-q").out.splitlines() == lines("systems/eager.txt")
    references = ["ref0.txt", "ref1.txt"]
    result = run("select", "-s", "source.txt", "-c", table, "--criterion", "errant", "-r", *references)
    rows = list(zip(*map(lines, references), strict=True))
    assert result.out.splitlines() == geceval.rerank(
        candidates, "errant", lines("source.txt"), per_sentence=rows
    ).texts  # fmt: skip
    assert result.err.startswith("RERANK|ERRANT|")
    assert "utilities" not in run("select", "-c", table, "--criterion", "scores", "-f", "json").out


@pytest.mark.parametrize(
    "line",
    [
        "-c TABLE --criterion mbr -m green",
        "-c PLAIN --criterion mbr -m green -s source.txt",
        "-c PLAIN --criterion mbr -m green -s source.txt --per-sentence 7",
        "-c PLAIN --criterion mbr -m green -s source.txt --per-sentence 0",
        "-c PLAIN --criterion mbr -m green -s source.txt --per-sentence 3 --weights log",
        "-c PLAIN --per-sentence 3 --criterion scores",
        "-s - -c - --criterion mbr -m green",
        "-s source.txt -c TABLE --criterion mbr -m green,gleu",
        "-s source.txt -c TABLE --criterion mbr -m maxmatch",
        "-s source.txt -c nowhere.tsv --criterion mbr -m green",
        "-s source.txt -c TABLE",
        "-s source.txt -c TABLE --criterion mbr",
        "-s source.txt -c TABLE --criterion mbr -m errant -r ref0.txt",
        "-s source.txt -c TABLE --criterion green -m gleu",
        "-s source.txt -c TABLE --criterion scores --weights log",
        "-s source.txt -c TABLE --criterion scores -r ref0.txt",
        "-s source.txt -c TABLE --criterion impara -r ref0.txt",
        "-s source.txt -c TABLE --criterion green",
        "-s source.txt -c TABLE --criterion mbr -m impara",
        "-s source.txt -c TABLE --criterion scores --judge rate=6",
        "-s source.txt -c TABLE --criterion green -r ref0.txt --judge rate=6",
        "-s source.txt -c TABLE --criterion grene",
        "-s source.txt -c EMPTY --criterion mbr -m green",
        "-c EMPTY --criterion scores",
        "-s source.txt -c - --per-sentence 1 --criterion green -r -",
    ],
)
def test_invalid_candidates_or_options_are_refused(
    run: Run, plain: str, table: str, tmp_path: Path, line: str, snapshot: SnapshotAssertion
) -> None:
    empty = tmp_path / "empty.tsv"
    empty.touch()
    files = {"PLAIN": plain, "TABLE": table, "EMPTY": str(empty)}
    assert run("select", *(files.get(word, word) for word in line.split())) == snapshot


@pytest.mark.parametrize(
    "line",
    [
        "-s source.txt -c PLAIN --criterion mbr -m green --per-sentence 2",
        "-s FEW -c TABLE --criterion scores",
        "-s source.txt -c source.txt --per-sentence 1 --criterion green -r FEW",
    ],
)
def test_other_number_of_sentences_is_refused(run: Run, plain: str, table: str, tmp_path: Path, line: str) -> None:
    few = tmp_path / "few.txt"
    few.write_text("a\n", encoding="utf-8")
    files = {"PLAIN": plain, "TABLE": table, "FEW": str(few)}
    result = run("select", *(files.get(word, word) for word in line.split()))
    assert (result.status, result.out) == (2, "")
    assert "not the same number of" in result.err


@pytest.mark.parametrize(
    ("weights", "scores", "message"),
    [
        ("given", "1 2 -3", "nbest.tsv:3: a weight must be a number from 0, not -3"),
        ("given", "1 inf 2", "nbest.tsv:2: a weight must be a number from 0, not inf"),
        ("given", "1 0 0", "nbest.tsv:2: no candidate of the sentence has a weight above 0"),
        ("log", "-1 -2 inf", "nbest.tsv:3: a log-probability must be below infinity, not inf"),
        ("log", "-1 -inf -inf", "nbest.tsv:2: no candidate of the sentence has a weight above 0"),
    ],
)
def test_scores_that_are_no_weights_are_refused_with_file_and_line(
    run: Run, tmp_path: Path, weights: str, scores: str, message: str
) -> None:
    path, source = tmp_path / "nbest.tsv", tmp_path / "two.txt"
    rows = zip("122", "aab", scores.split(), strict=True)
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    source.write_text("a\nb\n", encoding="utf-8")
    line = ("select", "--criterion", "mbr", "-s", str(source), "-c", str(path), "-m", "green", "--weights")
    result = run(*line, weights)
    assert result.status == 2
    assert message in result.err
    if "-3" in scores:  # the hint, followed
        assert "hint: log-probabilities: --weights log" in result.err
        assert run(*line, "log").status == 0


def test_source_from_a_pipe_stands_for_blank_references(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, blank = b"a b c d e\nf g h i j\n", tmp_path / "blank.txt"
    (tmp_path / "source.txt").write_bytes(source)
    blank.write_text("a b c d\n\n", encoding="utf-8")
    candidates = [str(tmp_path / name) for name in ("first.txt", "second.txt")]
    for path, text in zip(candidates, ("a b c d\nf h j\n", "a c e\nf g h i j\n"), strict=True):
        Path(path).write_text(text, encoding="utf-8")
    line = ["-c", *candidates, "--criterion", "green", "-r", str(blank), "--blank", "unchanged"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(source))))
    of_pipe = run("select", "-s", "-", *line)
    assert of_pipe == run("select", "-s", str(tmp_path / "source.txt"), *line)
    assert of_pipe.out == "a b c d\nf g h i j\n"


def test_references_in_a_file_replace_those_of_the_table(run: Run, tmp_path: Path) -> None:
    table, references = tmp_path / "table.csv", tmp_path / "r.txt"
    table.write_text("source,reference,c1,c2\nHe go .,He goes .,He go .,He goes .\n", encoding="utf-8")
    references.write_text("He go .\n", encoding="utf-8")
    line = ("select", "-i", table, "--hypothesis-column", "c1", "c2", "--criterion", "errant", "-q")
    assert run(*line).out == "He goes .\n"
    assert run(*line, "-r", references).out == "He go .\n"


def test_candidates_of_other_sentences_are_warned_of(tmp_path: Path, run: Run) -> None:
    texts = sorted(lines("systems/careful.txt"))
    other = write(tmp_path / "sorted.txt", "".join(f"{line}\n" for line in texts))
    chosen = run(*RISK, "-m", "green", "-c", "systems/eager.txt", other, "-o", tmp_path / "chosen.txt")
    assert chosen.status == 0
    assert f"warning: system {other}: most of its lines share few tokens with the source" in chosen.err
    assert "system systems/eager.txt" not in chosen.err
    table = "".join(f"{number}\t{line}\n" for number, line in enumerate(texts, 1))
    chosen = run(*RISK, "-m", "green", "-c", write(tmp_path / "nbest.tsv", table), "-o", tmp_path / "chosen.txt")
    assert "warning: system first candidates: most of its lines share few tokens with the source" in chosen.err
