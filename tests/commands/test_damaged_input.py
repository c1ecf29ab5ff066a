"""Damaged files: one error that names the file, and exit status 2."""

from __future__ import annotations

import bz2
import lzma
import os
import shutil
from pathlib import Path

import pytest

from geceval.base.errors import InputError
from geceval.text.files import open_bytes
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
META = ("meta", "-c", "systems", "-s", "source.txt", "-r", "ref0.txt", "-m", "green")


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("long.csv", f"careful,eager,noisy\n1,{'x' * 140_000},2\n", (*META, "--ratings"), "long.csv:2: a rating"),
        ("huge.csv", f"careful,eager\n1,{'x' * (1 << 25)}\n", (*META, "--ratings"), "huge.csv:2: a cell of more than"),
        (
            "rank.xml",
            f'<a><ranking-item src-id="0"><translation rank="{"9" * 20}" system="a"/></ranking-item></a>',
            (*META, "--judgments"),
            "rank.xml:1: rank must be an integer from 1",
        ),
        ("digits.toml", f"a = {'9' * 5000}\n", ("suite",), "digits.toml: not valid TOML"),
        ("word.toml", f"a = '{'x' * 200_000}'\n", ("suite",), "word.toml: "),
        ("keys.toml", f"{'.'.join('a' * 50_000)} = 1\n", ("suite",), "keys.toml: cannot parse TOML"),
    ],
)
def test_damaged_table_is_reported_with_its_path(
    run: Run, tmp_path: Path, name: str, text: str, line: tuple[str, ...], message: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = run(*line, path)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {tmp_path}/{message}"), result.err[:200]
    assert len(result.err) < 500


def test_name_that_is_not_utf8_is_read_and_escaped_in_errors(run: Run, tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/g\xff.m2")
    shutil.copy("gold.m2", path)
    assert run("m2", "check", path).status == 0
    Path(path).write_text("A 0 1|||R|||b|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    result = run("m2", "stats", path)
    assert (result.status, result.err.split(": ")[1]) == (2, f"{tmp_path}/g\\xff.m2:1")


def test_merge_of_a_pipe_is_refused(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run("m2", "merge", tmp_path / "pipe", "gold.m2")
    assert (result.status, result.err.split("\n")[0]) == (
        2,
        "error: merge reads every file twice and cannot read standard input or pipes",
    )


@pytest.mark.parametrize("module", [bz2, lzma])
def test_compressed_streams_in_a_row_are_read_and_other_bytes_after_them_are_an_error(
    module: object, tmp_path: Path
) -> None:
    compress, path = module.compress, tmp_path / "file"  # type: ignore[attr-defined]
    for content, expected in (
        (compress(b"a\n"), b"a\n"),
        (compress(b"a\n") + compress(b"b\n"), b"a\nb\n"),
        (compress(b"a\n" * 50_000) + bytes(4) + compress(b""), b"a\n" * 50_000),
    ):
        path.write_bytes(content)
        with open_bytes(path) as stream:
            assert stream.read() == expected
    for content in (compress(b"a\n") + b"garbage", compress(b"a\n")[:-2]):
        path.write_bytes(content)
        with pytest.raises(InputError, match="cannot read"), open_bytes(path) as stream:
            stream.read()
