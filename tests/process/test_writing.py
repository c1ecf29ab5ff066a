"""Output that cannot be written is an error with exit status 2, from every command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from geceval.base.errors import InputError
from geceval.terminal.writing import writing
from support.commands import Run
from support.examples import EXAMPLES
from support.processes import Forks

FULL = Path("/dev/full")
#: Lines other than those of support/command_lines.py, which test_every_command.py runs.
COMMANDS = ["score -s source.txt -r ref0.txt -c systems/eager.txt -m green -f json", "--help", "--version"]


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize("line", COMMANDS)
def test_full_device_is_an_error(line: str, forks: Forks, tmp_path: Path) -> None:
    err = tmp_path / "err"
    err.touch()
    status = forks.run(line, EXAMPLES, FULL, err)
    assert (status, err.read_text()) == (2, "error: standard output: cannot write: No space left on device\n")


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("arguments", "streams", "status", "message"),
    [
        ("m2 stats gold.m2", ">&-", 2, "error: standard output: cannot write: Bad file descriptor\n"),
        ("score -s - -r ref0.txt -c ref1.txt", "<&-", 2, "error: <stdin>: cannot read: Bad file descriptor\n"),
        ("score -s missing -r ref0.txt -c ref1.txt", "2>&-", 2, ""),
        ("score -s missing -r ref0.txt -c ref1.txt", "2>/dev/full", 2, ""),
        ("m2 convert gold.m2 -o /dev/null --to m2", "<&- >&- 2>&-", 0, ""),
    ],
)
def test_closed_stream_is_an_error_if_it_is_used(arguments: str, streams: str, status: int, message: str) -> None:
    command = ["bash", "-c", f"{sys.executable} -m geceval {arguments} {streams}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (status, "", message)


@pytest.mark.usefixtures("examples")
def test_output_with_a_name_that_no_file_can_have_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop", tmp_path / "loop" / "x", tmp_path / ("x" * 300), "gold.m2/x"):
        for line in (
            "m2 convert gold.m2 --to jsonl -o",
            "install-scripts",
            "score -s source.txt -r ref0.txt -c systems/eager.txt -m green --record",
        ):
            result = run(*line.split(), path)
            assert (result.status, result.err[:7]) in ((2, "error: "), (0, "")), result
            assert result.status == 2 or path == tmp_path / "loop", result


@pytest.mark.usefixtures("examples")
def test_file_that_cannot_be_written_is_an_error_and_others_stay(run: Run, tmp_path: Path) -> None:
    (tmp_path / "first").symlink_to(tmp_path / "second")
    (tmp_path / "second").symlink_to(tmp_path / "first")
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    for name in ("first", "first/x", "file/x", "x" * 300, "missing/x", ""):
        path = tmp_path / name
        for line in ("m2 merge gold.m2 gold.m2 -o", "annotate -s source.txt -c ref0.txt -o", "m2 stats gold.m2 -o"):
            result = run(*line.split(), path)
            assert (result.status, result.out) == (2, "")
            assert result.err.startswith(f"error: {path}: cannot write: "), result.err
            assert result.err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"first", "second", "file"}
    assert (tmp_path / "file").read_text(encoding="utf-8") == "kept"


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "line",
    [
        "score -s none.txt -r ref0.txt -c systems/eager.txt -m green -o gone/scores.txt",
        "score -s none.txt -r ref0.txt -c systems/eager.txt -m green --record gone/run.json",
        "filter -s none.txt -c systems/eager.txt --keep edits -o out.tsv --keep-out gone/a.txt gone/b.txt",
        "report -s none.txt -r ref0.txt -c systems/eager.txt -m green -o gone/report.html",
    ],
)
def test_missing_folder_is_an_error_before_the_work(run: Run, line: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    assert re.fullmatch(r"error: gone/[a-z.]+: cannot write: No such file or directory\n", result.err)


def test_link_and_name_of_255_characters_are_written_at_once(tmp_path: Path) -> None:
    target, link = tmp_path / ("x" * 255), tmp_path / "link"
    link.symlink_to(target)
    with writing(str(link)) as out:
        out.write("a\udcff\n")  # a byte of a file's name that is not UTF-8
    assert link.is_symlink()
    assert target.read_bytes() == b"a\xff\n"
    with pytest.raises(InputError, match=r"cannot write: U\+D800 is not text"), writing(str(link)) as out:
        out.write("\ud800")
    assert target.read_bytes() == b"a\xff\n"
    assert {path.name for path in tmp_path.iterdir()} == {target.name, "link"}
