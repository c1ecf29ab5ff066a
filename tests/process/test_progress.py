"""Progress of a run: a bar with rate and remaining time on a terminal, lines elsewhere."""

from __future__ import annotations

import contextlib
import gzip
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from geceval.commands.shared.run_progress import _number_of_lines
from geceval.terminal import progress as module
from geceval.terminal.progress import Steps, progress
from support.terminals import CONTROL


@pytest.mark.parametrize(
    ("steps", "finished", "expected"),
    [
        (Steps(400, 4), 200, "50 of 100 sentences, 5.0/s, 0:00:10 left"),
        (Steps(40_000_000, 4), 4_000_000, "1,000,000 of 10,000,000 sentences, 100,000/s, 0:01:30 left"),
        (Steps(400, 4, estimated=True), 200, "50 of about 100 sentences, 5.0/s, 0:00:10 left"),
        (Steps(None, 2), 400, "200 sentences, 20/s"),
        (Steps(400, 4), 240, "60 of 100 sentences, 6.0/s, 0:00:07 left"),
        (Steps(400, 4), 0, "0 of 100 sentences, 0.0/s"),
        (Steps(400, 4), 440, "110 of 100 sentences, 11/s, 0:00:00 left"),
    ],
)
def test_description_has_number_rate_and_remaining_time(steps: Steps, finished: int, expected: str) -> None:
    assert steps.describe(finished, 10.0) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\nb\n", (2, False)),
        (b"a\nb", (2, False)),
        (b"", (None, False)),
        (b"a\rb\r", (None, False)),
        (gzip.compress(b"a\nb\n" * 500, mtime=0), (None, False)),
        (b"abc\n" * (1 << 20), (1 << 20, True)),
    ],
)
def test_number_of_lines_is_counted_or_estimated(
    tmp_path: Path, content: bytes, expected: tuple[int | None, bool]
) -> None:
    (tmp_path / "text").write_bytes(content)
    assert _number_of_lines(str(tmp_path / "text")) == expected
    assert _number_of_lines(str(tmp_path / "nothing")) == (None, False)


def test_progress_without_a_terminal_is_printed_as_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY", 0.1)
    with progress(lambda: Steps(10, 2), quiet=False) as advance:
        assert advance is not None
        advance(4)
        time.sleep(0.5)
    first, *_ = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"2 of 5 sentences, [\d.]+/s, 0:00:00 left", first)
    with progress(lambda: pytest.fail("called"), quiet=True) as advance:
        assert advance is None
        time.sleep(0.2)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("examples")
def test_bar_of_a_slow_run_has_number_and_remaining_time(tmp_path: Path) -> None:
    script = (
        "import time, sys; from geceval import Green; from geceval.app.main import main\n"
        "Green.block = 1\n"
        "count = Green.count\n"
        "def slow(*args, **kwargs): time.sleep(0.05); return count(*args, **kwargs)\n"
        "Green.count = slow; sys.exit(main(sys.argv[1:]))"
    )
    line = "score -s source.txt -r ref0.txt -c systems/noisy.txt -m green --level sentence -f tsv -o".split()
    output = terminal_output(script, *line, str(tmp_path / "out"))
    assert "scoring" in output
    assert " of 40 sentences, " in output
    assert " left" in output


#: Statements that show progress from the first step on, and the command with them.
AT_ONCE = "from geceval.terminal import messages, progress; progress.AFTER = 0.0\n"
MAIN = f"{AT_ONCE}import sys; from geceval.app.main import main; sys.exit(main(sys.argv[1:]))"
TEXTS = "-s source.txt -r ref0.txt -c systems/noisy.txt systems/careful.txt"


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("line", "unit"),
    [
        (f"score {TEXTS} -m green", "sentences"),
        (f"compare {TEXTS} -m green", "sentences"),
        (f"rank {TEXTS} -m green", "sentences"),
        (f"gate {TEXTS} --fail-under green=1", "sentences"),
        (f"report {TEXTS} -m green -o OUT", "sentences"),
        (f"show {TEXTS} -m green --limit 1", "system sentences"),
        (f"explain {TEXTS} -m green --sentence 3", "system sentences"),
        ("suite bench.toml", "system sentences"),
        ("meta --judgments judgments.xml --level human", "resamples"),
        ("annotate -s source.txt -c ref0.txt -o OUT", "sentences"),
        ("select -s source.txt -c source.txt --per-sentence 1 --criterion mbr -m green", "candidates"),
        ("select -s source.txt -c source.txt --per-sentence 1 --criterion green -r ref0.txt", "candidates"),
    ],
)
def test_bar_of_every_command_has_its_unit_and_rate(tmp_path: Path, line: str, unit: str) -> None:
    output = terminal_output(MAIN, *line.replace("OUT", str(tmp_path / "out")).split())
    assert re.search(rf"\d {unit}, [\d.,]+/s", output), output


def test_reading_shows_bytes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 3_000_000)
    script = (
        f"{AT_ONCE}import time; from geceval.text.files import open_bytes\n"
        f"with progress.reading([{str(path)!r}]), open_bytes({str(path)!r}) as file:\n"
        " file.read(2_000_000); time.sleep(0.8)"
    )
    assert re.search(r"reading .*2 of 3 MB, [\d.]+/s", terminal_output(script))


def test_warning_is_printed_above_the_bar_which_is_erased() -> None:
    script = (
        f"{AT_ONCE}import time; from geceval.base.caller_warnings import warn\n"
        "with messages.printed_warnings(), progress.progress(lambda: progress.Steps(3), quiet=False) as advance:\n"
        " time.sleep(0.8); advance(1); warn('a ' * 80); time.sleep(0.4); advance(1)"
    )
    output = terminal_output(script)
    before, _, after = CONTROL.sub("", output).partition("warning: ")
    assert "sentences" in before
    assert re.match(r"(a )+a\s*\n", after)
    assert "1 of 3 sentences" in after
    assert output.endswith("\r\x1b[1A\x1b[2K")


def test_run_shorter_than_half_a_second_shows_no_bar() -> None:
    script = (
        "import sys; from geceval.terminal import progress\n"
        "with progress.progress(quiet=False) as advance: advance(1)\n"
        "assert 'rich.progress' not in sys.modules"
    )
    assert terminal_output(script) == ""


@pytest.mark.usefixtures("examples")
def test_rows_on_a_terminal_hide_the_bar() -> None:
    output = terminal_output(MAIN, *f"score {TEXTS} -m green --level sentence -f tsv".split(), stdout=True)
    assert output.splitlines()[0] == "line\tnoisy\tcareful"
    assert "sentences" not in output


@pytest.mark.parametrize("close", ["os.close(2)", "os.dup2(os.open('/dev/full', os.O_WRONLY), 2)"])
def test_closed_or_full_stderr_is_not_an_error(close: str) -> None:
    script = (
        f"{AT_ONCE}import os, sys, time; progress.EVERY = 0.1\n"
        "with progress.progress(lambda: progress.Steps(3), quiet=False) as advance:\n"
        f" time.sleep(0.6); {close}; time.sleep(0.5); advance(1)\n"
        "print('end')"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "end\n")
    terminal_output(script)


def terminal_output(script: str, *arguments: str, stdout: bool = False) -> str:
    """Return what a script writes to stderr, a terminal, which is also its stdout on request."""
    master, slave = pty.openpty()
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=slave if stdout else subprocess.DEVNULL,
        stderr=slave,
        env=environment,
    ) as process:
        os.close(slave)
        output = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while data := os.read(master, 1 << 16):
                output += data
        assert process.wait() == 0, output.decode()
    os.close(master)
    return output.decode()
