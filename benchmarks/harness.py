"""Timing ours and a public peer side by side: medians of alternating runs, whole processes or inside one."""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Options:
    """What the command line says. A peer that is absent leaves its column empty, and a line says so."""

    shared: Path
    peer_python: Path
    green: Path | None
    runs: int
    smoke: bool
    full: bool
    gec_metrics: Path | None = None
    neural_python: Path | None = None

    def has_peer(self, module: str) -> bool:
        """Whether the peers' Python can import a module."""
        return self.peer_python.exists() and run([str(self.peer_python), "-c", f"import {module}"], self).status == 0


#: A budget missed by more than this factor fails the run: less may be the noise of a machine.
FAR = 1.25


@dataclass(frozen=True)
class Limit:
    """Something measured that may be ``most`` at most, both in ``unit``: ``Limit(7.2, 8, "us a sentence")``."""

    measured: float
    most: float
    unit: str

    @property
    def share(self) -> float:
        """The part of the limit that is used up; above 1 it is missed."""
        return self.measured / self.most

    def __str__(self) -> str:
        return f"at most {self.most:g} {self.unit}"


@dataclass(frozen=True)
class Row:
    """One line of the table, and what it must reach. Times in seconds.

    ``faster``: at least so many times as fast as the peer; ``within``: at most so many times as long as the peer takes;
    ``limits``: what stands without a peer. Where the peer is absent nothing is held against it.
    """

    work: str
    ours: float
    peer: float | None = None
    faster: float | None = None
    note: str = ""
    within: float | None = None
    limits: tuple[Limit, ...] = ()

    @property
    def share(self) -> float:
        """How much of the tightest budget is used up: above 1 one is missed, above FAR by much; 0 without any."""
        shares = [limit.share for limit in self.limits]
        if self.peer is not None:
            ratio = self.ours / self.peer
            shares += [ratio * self.faster] if self.faster is not None else []
            shares += [ratio / self.within] if self.within is not None else []
        return max(shares, default=0.0)

    @property
    def ratio(self) -> str:
        """How ours and the peer compare, in the direction in which the budget is stated."""
        if self.peer is None:
            return ""
        return _times(self.peer / self.ours) if self.within is None else f"{_times(self.ours / self.peer)} as long"

    @property
    def budget(self) -> str:
        """All that must be reached, and whether it is missed."""
        stated = [] if self.faster is None else [f"at least {_times(self.faster)}"]
        stated += [] if self.within is None else [f"at most {_times(self.within)} as long"]
        stated += map(str, self.limits)
        missed = ": MISSED by more than a quarter" if self.share > FAR else ": missed" if self.share > 1 else ""
        return ", ".join(stated) + missed


@dataclass(frozen=True)
class Run:
    """A finished process: wall seconds, peak memory in MiB, exit status, what it printed."""

    seconds: float
    peak: float
    status: int
    output: str


#: Runs a command and writes its seconds and peak memory to a file. A process of its own, since on Linux the peak of a
#: child starts at what its parent used, and a benchmark may use much.
_STOPWATCH = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[2:])
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
with open(sys.argv[1], "w") as out:
    json.dump([seconds, peak, status], out)
"""


def run(command: Sequence[str], options: Options) -> Run:
    """Run a process; the peers' modules can be imported in it."""
    path = os.pathsep.join(filter(None, [str(options.green or ""), os.environ.get("PYTHONPATH", "")]))
    with tempfile.TemporaryFile() as out, tempfile.NamedTemporaryFile() as result:
        stopwatch = [sys.executable, "-S", "-c", _STOPWATCH, result.name, *command]
        subprocess.run(
            stopwatch, stdout=out, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path}, check=True
        )
        out.seek(0)
        wall, peak, status = json.load(result)
        return Run(wall, peak, status, out.read().decode(errors="replace"))


def checked(command: Sequence[str], options: Options) -> Run:
    """As run; a failure ends the benchmark."""
    result = run(command, options)
    if result.status != 0:
        sys.exit(f"benchmark: {' '.join(command)} exited with {result.status}")
    return result


def seconds(work: Callable[[], object]) -> float:
    """Wall seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call, on one thread: a busy machine must not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def user_seconds(work: Callable[[], object], runs: int) -> float:
    """Processor seconds of one call outside the operating system, all threads together; the median of so many."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        work()
        times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
    return statistics.median(times)


def median(runs: Sequence[Run]) -> Run:
    """The run in the middle by its time."""
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]


def side_by_side(ours: Callable[[], float], peer: Callable[[], float] | None, runs: int) -> tuple[float, float | None]:
    """Medians of so many runs of both, in turn, so that a slow moment of the machine hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        times[0].append(ours())
        if peer is not None:
            times[1].append(peer())
    return statistics.median(times[0]), statistics.median(times[1]) if times[1] else None


def peer_seconds(tool: str, arguments: Sequence[str], options: Options) -> float:
    """What benchmarks/peer.py measured inside the peers' Python."""
    command = [str(options.peer_python), str(ROOT / "benchmarks" / "peer.py"), tool, *arguments]
    return float(json.loads(checked(command, options).output)["seconds"])


@dataclass(frozen=True)
class Files:
    """A corpus on disk."""

    source: str
    references: list[str]
    systems: list[str]
    name: str = ""
    gold: str | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)


def corpus(options: Options) -> Files:
    """CoNLL-2014 with its systems if the shared data are there, else the examples."""
    folder = options.shared / "data" / "conll14"
    if folder.is_dir() and not options.smoke:
        systems = sorted(str(path) for path in (folder / "systems").glob("*.txt") if path.stem != "NULL")
        references = [str(folder / f"ref{r}.txt") for r in (0, 1)]
        return Files(str(folder / "source.txt"), references, systems, "CoNLL-2014", str(folder / "gold.m2"))
    folder = ROOT / "examples"
    systems = sorted(map(str, (folder / "systems").glob("*.txt")))
    references = [str(folder / f"ref{r}.txt") for r in (0, 1)]
    return Files(str(folder / "source.txt"), references, systems, "examples", str(folder / "gold.m2"))


def resampled(files: Files, sentences: int, *, distinct: bool = False) -> Files:
    """A corpus of so many sentences, drawn with replacement, with the first system only.

    ``distinct``: a number in the middle of each line makes them different, so that no cache counts as speed.
    """
    folder = tempfile.TemporaryDirectory()
    random.seed(0)
    paths = [files.source, *files.references, files.systems[0]]
    texts = [Path(path).read_text(encoding="utf-8").replace("\r", "").split("\n") for path in paths]
    rows = random.choices(range(len(texts[0]) - 1), k=sentences)
    written = []
    for at, text in enumerate(texts):
        target = Path(folder.name) / f"{at}.txt"
        lines = (numbered(text[row], n) if distinct else text[row] for n, row in enumerate(rows))
        with target.open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
        written.append(str(target))
    return Files(written[0], written[1:-1], written[-1:], f"{sentences:,} sentences", None, folder)


def numbered(line: str, n: int) -> str:
    """The line with a number between its first and its second half."""
    words = line.split(" ")
    return " ".join([*words[: len(words) // 2], str(n), *words[len(words) // 2 :]])


def _times(ratio: float) -> str:
    if ratio < 1:
        return f"1/{1 / ratio:.2f}x"
    return f"{ratio:.0f}x" if ratio >= 5 else f"{ratio:.2f}x"


def lines_of(rows: Iterable[Row]) -> list[list[str]]:
    """The cells of the table."""
    return [
        [
            row.work,
            f"{1000 * row.ours:.1f}",
            "absent" if row.peer is None else f"{1000 * row.peer:.1f}",
            row.ratio,
            row.budget,
            row.note,
        ]
        for row in rows
    ]


def far_missed(rows: Iterable[Row]) -> list[str]:
    """The work whose budget is missed by more than a quarter."""
    return [row.work for row in rows if row.share > FAR]
