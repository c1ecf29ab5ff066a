"""``geceval prepare --submission``: files for the sites of test sets."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run


def lines(number: int, line: str = "He goes .") -> str:
    return f"{line}\n" * number


@pytest.fixture
def system(tmp_path: Path) -> Path:
    path = tmp_path / "system.txt"
    path.write_text(lines(4477, "Él goes — home ."), encoding="utf-8")
    return path


def test_archive_has_one_file_and_equal_bytes_for_equal_lines(run: Run, system: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    result = run("prepare", "--submission", "bea19", system, "-o", first)
    assert (result.status, result.out, result.err) == (0, "", "")
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["bea19.txt"]
        assert archive.read("bea19.txt") == system.read_bytes()
        assert archive.testzip() is None
    assert run("prepare", "--submission", "bea19", system, "-o", second).status == 0
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("number", [4476, 0, 4478, 4482])
def test_another_number_of_lines_is_refused_and_nothing_is_written(
    run: Run, tmp_path: Path, number: int, snapshot: SnapshotAssertion
) -> None:
    path, out = tmp_path / "system.txt", tmp_path / "bea19.zip"
    path.write_text(lines(number), encoding="utf-8")
    out.write_text("before")
    assert run("prepare", "--submission", "bea19", path, "-o", out) == snapshot
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bea19.zip", "system.txt"]


def test_lines_of_conll14_are_written_as_text(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "system.txt"
    path.write_text(lines(1312), encoding="utf-8")
    assert run("prepare", "--submission", "conll14", path).out == lines(1312)
    assert run("prepare", "--submission", "conll14", path, "-o", tmp_path / "o.txt").status == 0
    assert (tmp_path / "o.txt").read_text() == lines(1312)
    path.write_text(lines(1311), encoding="utf-8")
    assert run("prepare", "--submission", "conll14", path) == snapshot


def test_error_in_standard_input_names_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"He goes .\n"))))
    assert run("prepare", "--submission", "conll14") == snapshot


def test_raw_text_is_a_warning_unless_it_is_tokenised(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "raw.txt"
    path.write_text(lines(1310, "He cannot go.") + "\n" + lines(1, "Oh"), encoding="utf-8")
    result = run("prepare", "--submission", "conll14", path)
    assert (result.status, result.err) == (0, snapshot)
    path.write_text(lines(1312, "He cannot go."), encoding="utf-8")
    result = run("prepare", "--preset", "conll14", "--submission", "conll14", path)
    assert result.out == lines(1312, "He can not go .")
    assert "warning" not in result.err


@pytest.mark.parametrize("options", ["bea19", "bea19 -o system.txt.gz", "bea91"])
def test_submission_without_an_archive_or_test_set_is_refused(
    run: Run, system: Path, options: str, snapshot: SnapshotAssertion
) -> None:
    assert run("prepare", system, "--submission", *options.split()) == snapshot
