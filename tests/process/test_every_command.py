"""Every command with closed or full outputs, with signals, and with unreadable inputs.

GECEVAL_CONFORMANCE=1 tries all combinations, otherwise each command is tried with some of them.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from geceval.commands.command_list import SUMMARIES
from geceval.dropins import DROPINS
from support.command_lines import RUNS
from support.commands import run_main
from support.examples import EXAMPLES
from support.processes import Forks, start_python

ALL = os.environ.get("GECEVAL_CONFORMANCE") == "1"
LINES = [[name, *words] for name in (*SUMMARIES, *DROPINS) for words in RUNS[name]]
#: Commands that exit with status 1 for a missed threshold, different files, or faults in an M2 file.
WITH_STATUS_1 = ("gate", "m2 diff", "m2 check")
OUTPUTS = ("closed", "/dev/full", "pipe")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")


def some(kinds: tuple[object, ...], number: int) -> list[tuple[list[str], object]]:
    """Return each line with ``number`` of the kinds in turn."""
    return [(line, kinds[(at + offset) % len(kinds)]) for at, line in enumerate(LINES) for offset in range(number)]


def name_of(value: object) -> str:
    return "-".join(value[:2]).replace("/", "_") if isinstance(value, list) else str(value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    return tmp_path / "examples"


@pytest.mark.parametrize(("line", "out"), some(OUTPUTS, 3) if ALL else some(OUTPUTS, 1)[::2], ids=name_of)
def test_output_that_cannot_be_written_is_an_error_without_traceback(
    line: list[str], out: str, forks: Forks, folder: Path
) -> None:
    err, file = folder / "err", folder / "file"
    err.touch()
    status = forks.run(line, folder, out, err)
    message = err.read_text(encoding="utf-8")
    assert "Traceback" not in message
    if out == "pipe":
        assert status in (141, 0, 1, 2), message
        assert "standard output" not in message
    elif "error: standard output: cannot write: " in message:
        assert status == 2
    else:  # the command writes nothing to standard output
        file.touch()
        assert forks.run(line, folder, file, err) == status
        assert file.read_bytes() == b""


@pytest.mark.parametrize(("line", "number"), some(SIGNALS, 1)[:: 1 if ALL else 3], ids=name_of)
def test_signal_ends_every_command_without_traceback(line: list[str], number: signal.Signals, folder: Path) -> None:
    process = start_python("-m", "geceval", *line, cwd=folder)
    time.sleep(random.Random(f"{line}{number}").uniform(0.06, 0.4))
    process.send_signal(number)
    err = process.communicate(timeout=60)[1].decode()
    assert process.returncode in (-number, 128 + number, 0, 1, 2)
    # Python prints a traceback if the signal arrives before the first line of geceval, or in a callback of an import.
    err = re.sub(r"Exception ignored in: <function _get_module_lock.*?Ended: \n", "", err, flags=re.DOTALL)
    assert "geceval/commands" not in err or "Traceback" not in err, err
    assert process.returncode != 1 or " ".join(line).startswith(WITH_STATUS_1) or "Traceback" in err, err


def bad_paths(folder: Path) -> dict[str, str]:
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "without outputs").mkdir(exist_ok=True)
    return {
        "folder": str(folder / "without outputs"),
        "loop": str(folder / "loop"),
        "long": "x" * 300,
        "bytes": os.fsdecode(b"no\xff"),
        "file/": "gold.m2/x",
    }


def positions_of_inputs(line: list[str]) -> list[int]:
    """Return the positions of the words that are files of examples/ and are read."""
    positions = [at for at, word in enumerate(line) if at and (EXAMPLES / word).is_file() and line[at - 1] != "-o"]
    return positions if line[0] != "install-scripts" else []


@pytest.mark.parametrize("line", LINES, ids=name_of)
def test_input_that_cannot_be_read_is_an_error(line: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for at in positions_of_inputs(line):
        for kind, path in bad_paths(folder).items():
            result = run_main(*[*line[:at], path, *line[at + 1 :]])
            assert result.status == 2, (kind, line, result)
            assert result.err.startswith("error: "), (kind, line, result)
            (folder / "loop").unlink(missing_ok=True)


def fill(pipe: Path, content: bytes) -> None:
    with contextlib.suppress(BrokenPipeError):  # the command refused its content
        pipe.write_bytes(content)


@pytest.mark.parametrize("line", LINES if ALL else LINES[1::2], ids=name_of)
def test_input_that_is_a_pipe_is_read_or_refused(line: list[str], folder: Path, forks: Forks, tmp_path: Path) -> None:
    err, out = folder / "err", folder / "out"
    for at in positions_of_inputs(line)[: None if ALL else 1]:
        pipe = tmp_path / f"pipe{at}{Path(line[at]).suffix}"
        os.mkfifo(pipe)
        err.touch()
        out.touch()
        content = (folder / line[at]).read_bytes()
        write = threading.Thread(target=fill, args=(pipe, content), daemon=True)
        write.start()
        status = forks.run([*line[:at], str(pipe), *line[at + 1 :]], folder, out, err)
        message = err.read_text(encoding="utf-8")
        assert status in (0, 2) or " ".join(line).startswith(WITH_STATUS_1), (status, message)
        assert "Traceback" not in message
        if write.is_alive():  # the command refused the pipe without opening it
            os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
