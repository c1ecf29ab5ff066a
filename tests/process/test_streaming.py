"""Rows that are written while others are scored: signals, full disks, pipes and memory."""

from __future__ import annotations

import gzip
import importlib.util
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.commands import Result, Run
from support.examples import example_lines
from support.processes import start_python

SENTENCES = ("--level", "sentence")
needs_arrow = pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="no pyarrow here")
pytestmark = pytest.mark.usefixtures("examples")


#: Scores 16 sentences in 10 ms; FILE.started exists when the first ones are written.
SLOW_SCRIPT = """
import sys, time
from pathlib import Path
from geceval import Green
from geceval.app.main import main
Green.block, count, parts = 16, Green.count, []
def slow(*args, **kwargs):
    time.sleep(0.01)
    parts.append(None)
    if len(parts) == 4 and "-o" in sys.argv:
        Path(f"{sys.argv[-1]}.started").touch()
    return count(*args, **kwargs)
Green.count = slow
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Longer texts."""
    folder = tmp_path_factory.mktemp("long")
    for name in ("source", "ref0", "systems/noisy"):
        lines = example_lines(name)
        text = "".join(f"{lines[(7 * at) % 40]} {at}\n" for at in range(3000))
        (folder / f"{Path(name).name}.txt").write_text(text, encoding="utf-8")
    return folder


FILES = ("-s", "source.txt", "-r", "ref0.txt", "-c", "noisy.txt", "--no-checks")
SCORE = ("score", *FILES, "-m", "green", "--level", "sentence")


def rows_of(path: Path, form: str) -> list[str]:
    """Return the rows of a file of scores as text."""
    if form == "parquet":
        import pyarrow.parquet as parquet

        return list(map(str, parquet.read_table(path).to_pylist()))
    data = path.read_bytes()
    return (gzip.decompress(data) if form.endswith(".gz") else data).decode().splitlines(keepends=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("form", ["tsv", "jsonl.gz", pytest.param("parquet", marks=needs_arrow)])
def test_signal_leaves_the_target_and_the_rows_so_far(
    run: Run, long: Path, tmp_path: Path, number: signal.Signals, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, partial = tmp_path / f"out.{form}", tmp_path / f"out.{form}.partial"
    target.write_bytes(b"earlier")
    partial.write_bytes(b"of an earlier interruption")
    process = start_python("-c", SLOW_SCRIPT, *SCORE, "-o", target, cwd=long)
    started = Path(f"{target}.started")
    while not started.exists() and process.poll() is None:
        time.sleep(0.01)
    started.unlink()
    process.send_signal(number)
    err = process.communicate(timeout=60)[1].decode()
    assert (process.returncode, err) == (128 + number, f"note: {partial} contains the output so far\n")
    assert target.read_bytes() == b"earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == [target.name, partial.name]
    rows = rows_of(partial, form)
    monkeypatch.chdir(long)
    assert run(*SCORE, "-o", target) == Result(0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    complete = rows_of(target, form)
    assert 16 <= len(rows) < len(complete)
    assert rows == complete[: len(rows)]


def test_full_disk_leaves_the_rows_that_fit(long: Path, tmp_path: Path) -> None:
    """A limit of the size of files has the same effect."""
    target = tmp_path / "out.jsonl"

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))

    process = subprocess.run(
        [sys.executable, "-m", "geceval", *SCORE, "-o", target],
        cwd=long, preexec_fn=limited, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert process.returncode == 2
    assert process.stderr.decode() == (
        f"note: {target}.partial contains the output so far\nerror: {target}: cannot write: File too large\n"
    )
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("out.jsonl.partial", 40_000)]


def test_rows_are_piped_while_others_are_scored_and_a_closed_pipe_ends_the_run(long: Path) -> None:
    line = "score -s source.txt -r ref0.txt -c noisy.txt -m green --level sentence --no-checks -f tsv".split()
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_SCRIPT, *line], cwd=long, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"line\tnoisy\n"
        assert process.poll() is None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    "line",
    [
        ("score", "-r", "r", "-m", "green", *SENTENCES, "-f", "tsv"),
        ("filter", "-r", "r", "--keep", "green > 50", "-f", "jsonl"),
        ("filter", "--keep", "length_ratio > 0.5 and not (duplicate or edits > 3)", "-f", "jsonl"),
    ],
    ids=["score", "filter by a metric", "filter by features"],
)
def test_memory_does_not_grow_with_the_number_of_sentences(tmp_path: Path, line: tuple[str, ...]) -> None:
    code = (
        "import resource, sys; from geceval.app.main import main\n"
        "assert main(sys.argv[1:]) == 0; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for size in (10_000, 100_000):
        for name in ("s", "r", "c"):
            with (tmp_path / name).open("w") as out:
                out.writelines(f"a cat sits {at} {name if at % 3 == 0 else 'there'}\n" for at in range(size))
        command = [sys.executable, "-c", code, *line, "-s", "s", "-c", "c", "-o", "out", "-q", "-j", "1"]
        completed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True)
        peaks.append(int(completed.stdout))
    assert peaks[1] - peaks[0] < 12 * 1024, peaks  # KiB; the rows alone are more
