"""Ctrl-C and SIGTERM end every computation soon, with exit status 130 or 143 and without output."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from geceval.base.errors import GecevalError
from geceval.terminal.exit_status import guarded
from support.commands import Run
from support.examples import EXAMPLES
from support.judges import KEY, Loopback, Reaction
from support.processes import start_python

#: Commands that would take minutes in TrueSkill, resamples, draws, and alignments.
COMMANDS = {
    "trueskill": "meta --judgments judgments.xml --level human --human trueskill --samples 1000000 -j {threads}",
    "resamples": "meta --judgments judgments.xml -c systems -s source.txt -r ref0.txt -m green --samples 1000000",
    "draws": "score -s {long} -r {long} {other} -c {other} -m gleu:iterations=100000 -j {threads}",
    "errant": "score -s {words} -r {other_words} -c {other_words} -m errant -j {threads}",
}


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Long files, and files with long lines."""
    folder = tmp_path_factory.mktemp("interrupt")

    def text(name: str, lines: list[str]) -> Path:
        path = folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    lines = [f"the {s} cats sat on a mat" for s in range(20_000)]
    words = [" ".join(f"{mark}{s}x{w}" for w in range(4000)) for mark in "ab" for s in range(40)]
    return {
        "long": text("long", lines),
        "other": text("other", lines[::-1]),
        "words": text("words", words[:40]),
        "other_words": text("other_words", words[40:]),
    }


def wait_until_computing(pid: int) -> None:
    """Wait until a process has used half a second of processor time since it loaded the kernel."""
    stat, maps, tick = Path(f"/proc/{pid}/stat"), Path(f"/proc/{pid}/maps"), os.sysconf("SC_CLK_TCK")
    before = None
    for _ in range(1000):
        time.sleep(0.03)
        ticks = sum(map(int, stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]))
        if before is None and "/geceval/_kernel" in maps.read_text(encoding="utf-8"):
            before = ticks
        if before is not None and ticks > before + 0.5 * tick:
            return


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")
@pytest.mark.parametrize(
    ("name", "threads", "number"),
    [
        *((name, threads, signal.SIGINT) for name in COMMANDS for threads in (1, 2)),
        ("draws", 2, signal.SIGTERM),
        ("errant", 1, signal.SIGHUP),
    ],
)
def test_signal_ends_a_long_computation_without_output(
    name: str, threads: int, number: signal.Signals, texts: dict[str, Path]
) -> None:
    arguments = COMMANDS[name].format(threads=threads, **texts).split()
    process = start_python("-m", "geceval", *arguments, cwd=EXAMPLES)
    wait_until_computing(process.pid)
    assert process.poll() is None, "the command ended before the signal"
    start = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    seconds = time.monotonic() - start
    assert (process.returncode, err) == (128 + number, b"")
    assert seconds < 15, seconds  # well under a second on an idle machine


def test_error_of_a_lock_that_a_signal_causes_counts_as_the_signal(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            raise RuntimeError("release unlocked lock")

    def broken() -> None:
        raise RuntimeError("a bug")

    assert guarded(interrupted) == 143
    assert guarded(broken) == 3
    assert capsys.readouterr().err.endswith("RuntimeError: a bug\n")


def test_error_that_a_broken_pipe_causes_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Such as that of a model's server, whose connection is a pipe, too."""

    def disconnected() -> None:
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            raise GecevalError("no answer") from None

    assert guarded(disconnected) == 2
    assert capsys.readouterr().err == "error: no answer\n"


#: Sends SIGINT while the kernel looks up numpy's API on import, which runs Python code of numpy.
DURING_LOOKUP = """
import os, runpy, signal
from numpy.lib._version import NumpyVersion
make = NumpyVersion.__init__
def interrupted(self, version):
    os.kill(os.getpid(), signal.SIGINT)
    make(self, version)
NumpyVersion.__init__ = interrupted
{then}
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT between processes here")
def test_signal_during_the_lookup_of_numpys_api_prints_nothing() -> None:
    code = DURING_LOOKUP.format(then='runpy.run_module("geceval", run_name="__main__", alter_sys=True)')
    process = start_python("-c", code, "m2scorer", "systems/eager.txt", "gold.m2", cwd=EXAMPLES)
    err = process.communicate(timeout=60)[1]
    assert (process.returncode, err) == (-signal.SIGINT, b"")


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT between processes here")
def test_signal_during_the_lookup_of_numpys_api_is_an_exception_of_the_import() -> None:
    process = start_python("-c", DURING_LOOKUP.format(then="import geceval._kernel"), cwd=EXAMPLES)
    err = process.communicate(timeout=60)[1].decode()
    assert err.splitlines()[-1] == "KeyboardInterrupt"
    assert "panic" not in err


@pytest.mark.parametrize(("number", "lost"), [(signal.SIGINT, 0), (signal.SIGKILL, 2)])
def test_interrupted_run_sends_only_the_remaining_requests_when_repeated(
    there: Loopback, run: Run, tmp_path: Path, number: int, lost: int
) -> None:
    for name, verb in {"source": "go", "corrected": "goes"}.items():
        (tmp_path / name).write_text("".join(f"He {verb} home {line} .\n" for line in range(200)))
    there.react = lambda number, request: Reaction(delay=0.02)

    def judged_with_cache(cache: Path) -> tuple[object, ...]:
        data = ("-s", tmp_path / "source", "-c", tmp_path / "corrected", "-m", "llm:model=m")
        return ("score", *data, "--judge", f"server={there.base_url},cache={cache},concurrency=2")

    path = tmp_path / "cache.sqlite"
    with start_python("-m", "geceval", *judged_with_cache(path), cwd=tmp_path) as process:
        while len(there.requests) < 60 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(number)
        _, err = process.communicate()
    assert b"Traceback" not in err
    time.sleep(0.1)
    sent = len(there.requests)
    connection = sqlite3.connect(path)
    [(stored,)] = connection.execute("SELECT count(*) FROM answers")
    connection.close()
    assert 50 < sent - lost <= stored <= sent < 200
    result = run(*judged_with_cache(path))
    assert result.status == 0
    assert len(there.requests) == sent + 200 - stored
    assert result.out == run(*judged_with_cache(tmp_path / "other.sqlite")).out
    assert KEY.encode() not in path.read_bytes()
