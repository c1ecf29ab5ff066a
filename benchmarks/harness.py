"""Time geceval and a public peer in alternating runs, in whole processes or inside one; report medians."""

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
    """Options of the command line; the column of a missing peer stays empty."""

    shared: Path
    peer_python: Path
    green: Path | None
    runs: int
    smoke: bool
    full: bool
    gec_metrics: Path | None = None
    neural_python: Path | None = None
    before: Path | None = None
    geclens_python: Path | None = None

    def has_peer(self, module: str) -> bool:
        """Whether the peers' Python has a module."""
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
        return self.peer_python.exists() and run([str(self.peer_python), "-c", code], self).status == 0


#: A budget missed by more than this factor fails the run; smaller misses may be noise.
CLEAR_MISS = 1.25


@dataclass(frozen=True)
class Limit:
    """A measured value and its maximum, both in ``unit``: ``Limit(7.2, 8, "us a sentence")``."""

    measured: float
    maximum: float
    unit: str

    @property
    def share(self) -> float:
        """Share of the limit that is used; above 1 the limit is missed."""
        return self.measured / self.maximum

    def __str__(self) -> str:
        return f"at most {self.maximum:g} {self.unit}"


@dataclass(frozen=True)
class Row:
    """One row of the table with its budgets. Times are in seconds.

    ``faster`` is the smallest speed-up over the peer, ``within`` the largest ratio to the peer's time; both are ignored
    without a peer. ``limits`` are independent of the peer.
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
        """Share of the tightest budget that is used; above 1 a budget is missed. 0 without a budget."""
        shares = [limit.share for limit in self.limits]
        if self.peer is not None:
            ratio = self.ours / self.peer
            shares += [ratio * self.faster] if self.faster is not None else []
            shares += [ratio / self.within] if self.within is not None else []
        return max(shares, default=0.0)

    @property
    def ratio(self) -> str:
        """Ratio of our time to the peer's, in the direction of the budget."""
        if self.peer is None:
            return ""
        return _times(self.peer / self.ours) if self.within is None else f"{_times(self.ours / self.peer)} as long"

    @property
    def budget(self) -> str:
        """All budgets, and whether one is missed."""
        conditions = [] if self.faster is None else [f"at least {_times(self.faster)}"]
        conditions += [] if self.within is None else [f"at most {_times(self.within)} as long"]
        conditions += map(str, self.limits)
        suffix = ": MISSED by more than a quarter" if self.share > CLEAR_MISS else ": missed" if self.share > 1 else ""
        return ", ".join(conditions) + suffix


@dataclass(frozen=True)
class FinishedProcess:
    """Wall and CPU seconds, peak memory in MiB, exit status and output of a process."""

    seconds: float
    peak: float
    status: int
    output: str
    cpu: float = 0.0


#: Program that runs a command and writes its seconds, peak memory and CPU to a file. It is a separate process, because
#: on Linux the peak of a child starts at the memory of its parent.
_STOPWATCH = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[2:])
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as out:
    json.dump([seconds, used.ru_maxrss / 1024, status, used.ru_utime + used.ru_stime], out)
"""


def run(command: Sequence[str], options: Options) -> FinishedProcess:
    """Run a command in which the peers' modules can be imported."""
    path = os.pathsep.join(filter(None, [str(options.green or ""), os.environ.get("PYTHONPATH", "")]))
    with tempfile.TemporaryFile() as stdout, tempfile.NamedTemporaryFile() as measurement:
        stopwatch = [sys.executable, "-S", "-c", _STOPWATCH, measurement.name, *command]
        subprocess.run(
            stopwatch, stdout=stdout, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path}, check=True
        )
        stdout.seek(0)
        wall_seconds, peak, status, cpu = json.load(measurement)
        return FinishedProcess(wall_seconds, peak, status, stdout.read().decode(errors="replace"), cpu)


def run_checked(command: Sequence[str], options: Options) -> FinishedProcess:
    """Run a command; exit if it fails."""
    result = run(command, options)
    if result.status != 0:
        sys.exit(f"benchmark: {' '.join(command)} exited with {result.status}")
    return result


def seconds(work: Callable[[], object]) -> float:
    """Return wall seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return CPU seconds of one call, which do not depend on the load of the machine."""
    start = time.process_time()
    work()
    return time.process_time() - start


def user_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median user CPU seconds of one call, all threads together."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        work()
        times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
    return statistics.median(times)


def median_run(processes: Sequence[FinishedProcess]) -> FinishedProcess:
    """Return the run with the median time."""
    return sorted(processes, key=lambda process: process.seconds)[len(processes) // 2]


def side_by_side(ours: Callable[[], float], peer: Callable[[], float] | None, runs: int) -> tuple[float, float | None]:
    """Return median seconds of alternating runs, so that a slow moment of the machine affects both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        times[0].append(ours())
        if peer is not None:
            times[1].append(peer())
    return statistics.median(times[0]), statistics.median(times[1]) if times[1] else None


def peer_seconds(tool: str, arguments: Sequence[str], options: Options) -> float:
    """Return the seconds that benchmarks/peer.py measured inside the peers' Python."""
    command = [str(options.peer_python), str(ROOT / "benchmarks" / "peer.py"), tool, *arguments]
    return float(json.loads(run_checked(command, options).output)["seconds"])


@dataclass(frozen=True)
class Files:
    """A corpus on disk."""

    source: str
    references: list[str]
    systems: list[str]
    name: str = ""
    gold: str | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)


def corpus_files(options: Options) -> Files:
    """Return CoNLL-2014 with its systems if the shared data are available, else the examples."""
    folder = options.shared / "data" / "conll14"
    if folder.is_dir() and not options.smoke:
        systems = sorted(str(path) for path in (folder / "systems").glob("*.txt") if path.stem != "NULL")
        references = [str(folder / f"ref{r}.txt") for r in (0, 1)]
        return Files(str(folder / "source.txt"), references, systems, "CoNLL-2014", str(folder / "gold.m2"))
    folder = ROOT / "examples"
    systems = sorted(map(str, (folder / "systems").glob("*.txt")))
    references = [str(folder / f"ref{r}.txt") for r in (0, 1)]
    return Files(str(folder / "source.txt"), references, systems, "examples", str(folder / "gold.m2"))


def resampled(files: Files, sentences: int, *, distinct: bool = False, systems: int = 1) -> Files:
    """Write a corpus of sentences drawn with replacement, with the first systems only.

    With ``distinct``, a number in the middle of each line makes the lines different, so that caches have no effect.
    """
    folder = tempfile.TemporaryDirectory()
    random.seed(0)
    paths = [files.source, *files.references, *files.systems[:systems]]
    texts = [Path(path).read_text(encoding="utf-8").replace("\r", "").split("\n") for path in paths]
    rows = random.choices(range(len(texts[0]) - 1), k=sentences)
    paths_written = []
    for number, text in enumerate(texts):
        target = Path(folder.name) / f"{number}.txt"
        lines = (numbered(text[row], n) if distinct else text[row] for n, row in enumerate(rows))
        with target.open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
        paths_written.append(str(target))
    source, *others = paths_written
    references, drawn = others[: len(files.references)], others[len(files.references) :]
    return Files(source, references, drawn, f"{sentences:,} sentences", None, folder)


def numbered(line: str, number: int) -> str:
    """Insert a number between the halves of a line."""
    words = line.split(" ")
    return " ".join([*words[: len(words) // 2], str(number), *words[len(words) // 2 :]])


def _times(ratio: float) -> str:
    if ratio < 1:
        return f"1/{1 / ratio:.2f}x"
    return f"{ratio:.0f}x" if ratio >= 5 else f"{ratio:.2f}x"


def table_rows(rows: Iterable[Row]) -> list[list[str]]:
    """Return the cells of the table."""
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


def clearly_missed(rows: Iterable[Row]) -> list[str]:
    """Return the work of rows that miss a budget by more than a quarter."""
    return [row.work for row in rows if row.share > CLEAR_MISS]
