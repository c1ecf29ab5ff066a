"""How far a run is: a bar with rate and time left on a terminal, lines elsewhere where they are asked for."""

from __future__ import annotations

import gzip
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from geceval.cli import stderr as module
from geceval.cli.stderr import Steps, _counting, progress


@pytest.mark.parametrize(
    ("total", "each", "finished", "said", "left"),
    [
        (400, 4, 200, "50 of 100 sentences, 5.0/s", "0:00:10 left"),
        (40_000_000, 4, 4_000_000, "1,000,000 of 10,000,000 sentences, 100,000/s", "0:01:30 left"),
        (None, 2, 400, "200 sentences, 20/s", ""),
        (400, 4, 240, "60 of 100 sentences, 6.0/s", "0:00:07 left"),
        (400, 4, 0, "0 of 100 sentences, 0.0/s", ""),
        (400, 4, 440, "110 of 100 sentences, 11/s", "0:00:00 left"),
    ],
)
def test_pace(
    total: int | None, each: int, finished: int, said: str, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geceval.cli.stderr.time.monotonic", lambda: 110.0)
    pace = Steps(total, each)
    pace.start, pace.finished = 100.0, finished
    assert str(pace) == ", ".join(filter(None, [said, left]))


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"a\nb\n", 2), (b"a\nb", 2), (b"", None), (b"a\rb\r", None), (gzip.compress(b"a\nb\n" * 500, mtime=0), None)],
)
def test_lines_are_counted_meanwhile(tmp_path: Path, content: bytes, lines: int | None) -> None:
    (tmp_path / "text").write_bytes(content)
    pace = Steps(each=3)
    with _counting(str(tmp_path / "text"), pace):
        for _ in range(40 if lines is None else 400):
            time.sleep(0.005)
            if pace.total is not None:
                break
    assert pace.total == (None if lines is None else 3 * lines)
    with _counting(str(tmp_path / "nothing"), Steps(each=3)):
        pass


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 0.0)
    with progress(lambda: Steps(10, 2), quiet=False, after=0.0, lines=True) as advance:
        assert advance is not None
        advance(4)
        advance(6)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("2 of 5 sentences, ")
    assert first.endswith(" left")
    assert second.startswith("5 of 5 sentences, ")
    for how in ({"quiet": True, "lines": True}, {"quiet": False, "lines": False}):
        with progress(lambda: Steps(10, 2), after=0.0, **how) as advance:
            assert advance is None
        assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("examples")
def test_the_bar_of_a_run(tmp_path: Path) -> None:
    """On a terminal, with the number of sentences that a text of unknown length turns out to have."""
    slowly = (
        "import time, sys; from geceval import Green; from geceval.app.main import main\n"
        "Green.block = Green.times_alone = 1\n"
        "count = Green.count\n"
        "def slow(*own, **more): time.sleep(0.05); return count(*own, **more)\n"
        "Green.count = slow; sys.exit(main(sys.argv[1:]))"
    )
    line = "score -s source.txt -r ref0.txt -c systems/noisy.txt -m green --level sentence -f tsv -o".split()
    seen = shown_on_a_terminal(slowly, *line, str(tmp_path / "out"))
    assert "scoring" in seen
    assert " of 40 sentences, " in seen
    assert " left" in seen


#: A script that shows progress from the first step on.
AT_ONCE = "from geceval.cli import stderr; stderr.progress.__wrapped__.__kwdefaults__['after'] = -1.0\n"
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
        ("select -s source.txt -c source.txt --per-sentence 1 --by mbr -m green", "candidates"),
        ("select -s source.txt -c source.txt --per-sentence 1 --by green -r ref0.txt", "candidates"),
    ],
)
def test_every_bar_has_numbers(tmp_path: Path, line: str, unit: str) -> None:
    script = f"{AT_ONCE}import sys; from geceval.app.main import main; sys.exit(main(sys.argv[1:]))"
    seen = shown_on_a_terminal(script, *line.replace("OUT", str(tmp_path / "out")).split())
    assert re.search(rf"\d {unit}, [\d.,]+/s", seen), seen


def test_reading_shows_bytes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 3_000_000)
    script = (
        f"{AT_ONCE}import time; from geceval.text.files import open_bytes\n"
        f"with stderr.reading([{str(path)!r}]), open_bytes({str(path)!r}) as file:\n"
        " file.read(2_000_000); time.sleep(0.8)"
    )
    assert re.search(r"reading .*2 of 3 MB, [\d.]+/s", shown_on_a_terminal(script))


def shown_on_a_terminal(script: str, *arguments: str) -> str:
    """Return what a script writes to stderr, a terminal."""
    master, slave = pty.openpty()
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.DEVNULL, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                data = os.read(master, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            seen += data
        assert process.wait() == 0, seen.decode()
    os.close(master)
    return seen.decode()
