"""Fuzzing of all readers, commands and kernel functions: ``make fuzz``, or with PYTHONPATH=tests

    python -m fuzz.run --seconds 60                     # all targets; the next run goes on with other inputs
    python -m fuzz.run --only m2 --inputs 1000000       # targets whose name contains m2
    python -m fuzz.run --only kernel:Text.take --seed 7 # one input again

Each target runs in processes of its own. Anything but success or an expected error is a failure, so are more than 10
seconds and more than 4 GB. The cache has the next seed of each target, files with new outcomes, and those that failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import mmap
import multiprocessing
import os
import re
import resource
import shlex
import shutil
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import geceval
from fuzz import commands, kernel_calls, readers

SLOW = 10.0
#: Seconds until a process is ended, on a machine that may have other work.
LONGEST = 60.0
MEMORY = 4 << 30
#: After so many failures of a target, it ends.
MOST_FAILURES = 5

Attempt = Callable[[Random], str]


def cache() -> Path:
    """The folder of what fuzzing remembers."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "geceval" / "fuzz"


def targets(folder: Path, corpus: Path | None) -> Mapping[str, Attempt]:
    """All targets by name; readers write their file in the folder."""
    return {**readers.targets(folder, corpus), **commands.targets(folder), **kernel_calls.targets()}


@dataclass
class State:
    """What a process says of itself while it runs, in memory that it shares: seed, number of inputs."""

    memory: mmap.mmap

    def tell(self, seed: int, inputs: int) -> None:
        struct.pack_into("qq", self.memory, 0, seed, inputs)

    def read(self) -> tuple[int, int]:
        seed, inputs = struct.unpack_from("qq", self.memory, 0)
        return seed, inputs


@dataclass
class Worker:
    """A process that tries inputs of a target."""

    name: str
    first: int
    folder: Path
    state: State
    process: multiprocessing.Process


@dataclass
class Found:
    """What a process has found: outcomes, failures by their traceback, and the longest time of an input."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: dict[str, int] = field(default_factory=dict)
    slowest: float = 0.0

    def fail(self, seed: int, why: str, folder: Path) -> None:
        """Keep the first input of each kind of failure, with its file."""
        self.outcomes["FAILED"] += 1
        if why not in self.failures:
            self.failures[why] = seed
            keep(folder, seed)

    def attempt(self, call: Attempt, seed: int, folder: Path) -> None:
        start = time.process_time()
        try:
            self.outcomes[call(Random(seed))] += 1
        except BaseException as error:  # panics are no Exception
            self.fail(seed, "".join(traceback.format_exception(error)[-3:])[-1500:], folder)
        seconds = time.process_time() - start
        self.slowest = max(self.slowest, seconds)
        if seconds > SLOW:
            self.fail(seed, f"more than {SLOW} seconds", folder)


def fuzz(name: str, first: int, inputs: int, seconds: float, folder: Path, corpus: Path | None, state: State) -> None:
    """Try inputs until their number or the time is reached; write outcomes and failures in the folder."""
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", geceval.GecevalWarning)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for folder_name in ("input", "failed"):
        (folder / folder_name).mkdir()
    call, outcomes = targets(folder / "input", corpus)[name], Found()
    end, armed, number = time.monotonic() + seconds, 0.0, 0
    with (folder / "trace").open("w", encoding="utf-8") as trace:
        os.dup2(trace.fileno(), 2)  # messages of panics
        while number < inputs and (now := time.monotonic()) < end and len(outcomes.failures) < MOST_FAILURES:
            if now - armed > 1:
                faulthandler.dump_traceback_later(LONGEST, exit=True, file=trace)
                armed = now
            state.tell(first + number, number)
            outcomes.attempt(call, first + number, folder)
            number += 1
        faulthandler.cancel_dump_traceback_later()
    state.tell(first + number, number)
    (folder / "found.json").write_text(json.dumps(vars(outcomes)), encoding="utf-8")


def keep(folder: Path, seed: int) -> None:
    """Keep the file of an input that failed."""
    for path in (folder / "input").glob("input*"):
        (folder / "failed").mkdir(exist_ok=True)
        shutil.copy(path, folder / "failed" / f"{seed}{path.suffix}")


def started(name: str, first: int, inputs: int, seconds: float, corpus: Path | None) -> Worker:
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None, prefix="fuzz"))
    state = State(mmap.mmap(-1, 16))
    process = multiprocessing.get_context("fork").Process(
        target=fuzz, args=(name, first, inputs, seconds, folder, corpus, state)
    )
    process.start()
    return Worker(name, first, folder, state, process)


def ended(worker: Worker, kept_folder: Path) -> tuple[int, Found]:
    """The number of inputs of a worker and what it found; files that failed are kept."""
    seed, inputs = worker.state.read()
    path = worker.folder / "found.json"
    if path.exists():
        content = json.loads(path.read_text(encoding="utf-8"))
        outcomes = Found(Counter(content["outcomes"]), content["failures"], content["slowest"])
    else:
        outcomes, trace = Found(), worker.folder / "trace"
        trace_end = trace.read_text(encoding="utf-8")[-3000:] if trace.exists() else ""
        outcomes.fail(seed, f"the process ended with {worker.process.exitcode}\n{trace_end}", worker.folder)
    for path in worker.folder.glob("failed/*"):
        kept_folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, kept_folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', worker.name)[:80]}-{path.name}")
    shutil.rmtree(worker.folder)
    return inputs, outcomes


def finished(running: list[Worker]) -> Iterator[Worker]:
    """Take the processes that have ended."""
    for worker in list(running):
        worker.process.join(0)
        if worker.process.exitcode is not None:
            running.remove(worker)
            yield worker


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="time for all targets (default: 60)")
    parser.add_argument("--inputs", type=int, default=1 << 40, help="most inputs of a target (default: no limit)")
    parser.add_argument("--only", default="", help="regular expression of the names of targets")
    parser.add_argument("--seed", type=int, help="try this input alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    options = parser.parse_args(words)
    corpus, kept_folder = cache() / "corpus", cache() / "failed"
    with tempfile.TemporaryDirectory() as unused:
        names = [name for name in targets(Path(unused), None) if re.search(options.only, name)]
    seeds_file = cache() / "seeds.json"
    seeds_file.parent.mkdir(parents=True, exist_ok=True)
    seeds: dict[str, int] = json.loads(seeds_file.read_text(encoding="utf-8")) if seeds_file.exists() else {}
    each = options.seconds * options.jobs / max(1, len(names))
    inputs, failed, waiting, running = 0, 0, list(names), list[Worker]()
    while waiting or running:
        while waiting and len(running) < options.jobs:
            name = waiting.pop(0)
            first = seeds.get(name, 0) if options.seed is None else options.seed
            number = options.inputs if options.seed is None else 1
            running.append(started(name, first, number, each, corpus))
        time.sleep(0.02)
        for worker in finished(running):
            tried, outcomes = ended(worker, kept_folder)
            seeds[worker.name] = max(seeds.get(worker.name, 0), worker.first + tried + 1)
            inputs, failed = inputs + tried, failed + len(outcomes.failures)
            counted = ", ".join(f"{kind} {count}" for kind, count in outcomes.outcomes.most_common(6))
            say(f"{worker.name}: {tried} inputs, slowest {outcomes.slowest:.2f} s: {counted}")
            for why, seed in outcomes.failures.items():
                say(f"FAILED --only {shlex.quote(f'^{re.escape(worker.name)}$')} --seed {seed}\n{why}")
            if options.seed is None:
                seeds_file.write_text(json.dumps(seeds), encoding="utf-8")
    say(f"{len(names)} targets, {inputs} inputs, {failed} failures" + (f"; files: {kept_folder}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
