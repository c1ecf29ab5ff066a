"""A disk that becomes full at any byte of an output keeps the old file."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import json
import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geceval.text.files import compressed
from support.command_lines import RUNS
from support.commands import Run
from support.examples import EXAMPLES

SCORE = ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "-m", "green")
#: Commands that write a file, without the drop-ins, whose options are other programs'.
LINES = [[command, *line] for command, lines in RUNS.items() for line in lines if "_" not in command]
LINES = [line for line in LINES if line[0] not in ("reproduce", "prepare", "language", "suite")]
LINES += [["prepare", "source.txt", "--normalise", "nfc"], ["language", "list"], ["suite", "bench.toml", "-q"]]
#: One of each compression.
ENDINGS = (".txt", ".csv.gz", ".txt.bz2", ".tsv.xz")


@contextlib.contextmanager
def disk_of(size: int) -> Iterator[None]:
    """Let no file have more bytes: the error is "File too large" in place of "No space left on device"."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def kept_at(sizes: Iterator[int] | range | list[int], target: Path, words: list[str], run: Run) -> None:
    """Assert that a command keeps the old file if only ``sizes`` bytes can be written."""
    for size in sizes:
        target.write_bytes(b"old")
        with disk_of(size):
            result = run(*words)
        assert (result.status, result.out) == (2, ""), (size, result)
        assert f"error: {target}: cannot write: File too large\n" in result.err
        assert target.read_bytes() == b"old", size
        partial = Path(f"{target}.partial")
        assert {*target.parent.iterdir()} <= {target, partial}
        partial.unlink(missing_ok=True)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("ending", ENDINGS)
def test_disk_that_is_full_at_any_byte_keeps_the_old_table(ending: str, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out" / f"table{ending}"
    target.parent.mkdir()
    words = [*SCORE, "-q", "-o", str(target)]
    assert run(*words).status == 0
    size = target.stat().st_size
    kept_at(range(0, size, max(1, size // 100)), target, words, run)
    with disk_of(size):
        assert run(*words).status == 0
    assert target.stat().st_size == size


def test_disk_that_is_full_at_any_byte_keeps_the_old_workbook(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    target = tmp_path / "table.xlsx"

    class FullDisk(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() + len(data) > size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().write(data)

    whole = 0
    for size in (1 << 20, 0, 1, 500, 1000, 2000, -1):
        size = whole - 1 if size < 0 else size
        raw = FullDisk()
        with contextlib.suppress(OSError) if whole else contextlib.nullcontext(), compressed(raw, str(target)) as out:
            out.write(b"a,b\n1,2\n")
        whole = whole or raw.tell()
        assert raw.tell() in (0, whole)
    gc.collect()  # the archive would be closed here, with a traceback


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_full_disk_keeps_the_old_output_of_every_command(line: list[str], run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out" / "output"
    target.parent.mkdir()
    words = [*line[: line.index("-o")], *line[line.index("-o") + 2 :]] if "-o" in line else line
    words = [*words, "-o", str(target)]
    written = run(*words)
    if not target.is_file():
        assert written.status == 2
        assert any(text in written.err for text in ("Unknown option", "unknown option", "--output", "-o")), written.err
        return
    size = target.stat().st_size
    kept_at(sorted({0, 1, size // 2, size - 1} & {*range(size)}), target, words, run)


def test_record_is_written_last_and_names_the_output(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("source.txt", "ref0.txt", "systems/eager.txt", "systems/noisy.txt"):
        shutil.copy(EXAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    words = [*SCORE[:-4], "-m", "green", "-q", "-o", "out.csv", "--record", "run.json", "-c"]
    assert run(*words, "eager.txt").status == 0
    before = Path("run.json").read_bytes()
    assert run("reproduce", "run.json").status == 0
    assert [*json.loads(before)["output"]] == ["out.csv"]
    size, record_size = Path("out.csv").stat().st_size, len(before)
    for limit in [*range(size, record_size, 97), record_size - 1]:
        with disk_of(limit):
            failed = run(*words, "noisy.txt")
        assert (failed.status, Path("run.json").read_bytes()) == (2, before)
        assert "error: run.json: cannot write: File too large" in failed.err
    reproduced = run("reproduce", "run.json")
    assert (reproduced.status, reproduced.err) == (1, "error: the output file was changed after the run\n")
    assert "output changed: out.csv\n" in reproduced.out
    Path("out.csv").unlink()
    assert run("reproduce", "run.json").status == 0
    with disk_of(size - 1):
        assert run(*words, "noisy.txt").status == 2
    assert Path("run.json").read_bytes() == before
