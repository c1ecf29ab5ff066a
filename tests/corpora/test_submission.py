"""``geceval prepare --submission``: what the sites of test sets take."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

from support.commands import Run


def lines(number: int, line: str = "He goes .") -> str:
    return f"{line}\n" * number


@pytest.fixture
def system(tmp_path: Path) -> Path:
    path = tmp_path / "system.txt"
    path.write_text(lines(4477, "Él goes — home ."), encoding="utf-8")
    return path


def test_an_archive_of_one_file_equal_for_equal_lines(run: Run, system: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    result = run("prepare", "--submission", "bea19", system, "-o", first)
    assert (result.status, result.out, result.err) == (0, "", "")
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["bea19.txt"]
        assert archive.read("bea19.txt") == system.read_bytes()
        assert archive.testzip() is None
    assert run("prepare", "--submission", "bea19", system, "-o", second).status == 0
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(("number", "line"), [(4476, 4477), (0, 1), (4478, 4478), (4482, 4478)])
def test_another_number_of_lines_is_refused_and_nothing_is_written(
    run: Run, tmp_path: Path, number: int, line: int
) -> None:
    path, out = tmp_path / "system.txt", tmp_path / "bea19.zip"
    path.write_text(lines(number), encoding="utf-8")
    out.write_text("before")
    result = run("prepare", "--submission", "bea19", path, "-o", out)
    assert result.status == 2
    assert f"system.txt:{line}: {number} lines, and the test set bea19 has 4477" in result.err
    assert out.read_text() == "before"
    assert sorted(own.name for own in tmp_path.iterdir()) == ["bea19.zip", "system.txt"]


def test_the_lines_of_conll14_are_written_as_text(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text(lines(1312), encoding="utf-8")
    assert run("prepare", "--submission", "conll14", path).out == lines(1312)
    assert run("prepare", "--submission", "conll14", path, "-o", tmp_path / "o.txt").status == 0
    assert (tmp_path / "o.txt").read_text() == lines(1312)
    path.write_text(lines(1311), encoding="utf-8")
    result = run("prepare", "--submission", "conll14", path)
    assert (result.status, result.out) == (2, "")
    assert "system.txt:1312: 1311 lines, and the test set conll14 has 1312" in result.err


def test_standard_input_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"He goes .\n"))))
    result = run("prepare", "--submission", "conll14")
    assert (result.status, result.out) == (2, "")
    assert "<stdin>:2: 1 line, and the test set conll14 has 1312" in result.err


def test_raw_text_is_tokenised_and_checked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "raw.txt"
    path.write_text(lines(1310, "He cannot go.") + "\n" + lines(1, "Oh"), encoding="utf-8")
    result = run("prepare", "--submission", "conll14", path)
    first, second = (line for line in result.err.splitlines() if line.startswith("warning"))
    assert result.status == 0
    assert first.startswith("warning: ")
    assert first.endswith("raw.txt: 1 line without text: 1311")
    assert second.endswith("full stops are part of a word, but tokens in the test set (hint: --preset conll14)")
    path.write_text(lines(1312, "He cannot go."), encoding="utf-8")
    result = run("prepare", "--preset", "conll14", "--submission", "conll14", path)
    assert result.out == lines(1312, "He can not go .")
    assert "warning" not in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["bea19"], "error: --submission bea19 writes an archive\n  hint: -o FILE.zip"),
        (["bea19", "-o", "system.txt.gz"], "error: --submission bea19 writes an archive"),
        (["bea91"], "error: --submission: unknown value 'bea91': choose from bea19, conll14"),
    ],
)
def test_what_cannot_be_submitted_is_refused(run: Run, system: Path, options: list[str], message: str) -> None:
    result = run("prepare", system, "--submission", *options)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(message)
