"""CPU time of scoring with the checks of input against the same run without them."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence

from harness import BIN, Limit, Options, Row, corpus_files, resampled, run_checked

#: Largest additional time: milliseconds for a short run, percent for a long one.
SHORT, LONG = 15.0, 8.0
#: Factor for the number of runs: five are too few for a difference of some milliseconds.
RUNS = 5


def rows(options: Options) -> Iterator[Row]:
    """Time GREEN, the fastest metric, on all systems of a corpus and on many pairs."""
    files = corpus_files(options)
    command = ["-s", files.source, "-r", *files.references, "-c", *files.systems, "-m", "green"]
    yield _row(f"checks, GREEN on {files.name}, {len(files.systems)} systems", command, options, short=True)
    large = resampled(files, 2_000 if options.smoke else 200_000, distinct=True)
    command = ["-s", large.source, "-r", *large.references, "-c", *large.systems, "-m", "green"]
    yield _row(f"checks, GREEN on {large.name}", command, options, short=False)


def _row(work: str, arguments: Sequence[str], options: Options, *, short: bool) -> Row:
    """Time whole processes with the checks and, as the peer, without them."""
    command = [str(BIN / "geceval"), "score", "-q", "-j", "1", *arguments]
    runs = options.runs if options.smoke else RUNS * options.runs
    pairs = [(_cpu(command, options), _cpu([*command, "--no-checks"], options)) for _ in range(runs)]
    ours, peer = (statistics.median(pair[k] for pair in pairs) for k in (0, 1))
    added = statistics.median(with_checks - without for with_checks, without in pairs)
    limit = Limit(1000 * added, SHORT, "ms added") if short else Limit(100 * added / peer, LONG, "% added")
    return Row(work, ours, peer, note=f"CPU; {limit.measured:.1f} {limit.unit}", limits=(limit,))


#: Prints the CPU seconds of a process that it runs.
_CLOCK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def _cpu(command: Sequence[str], options: Options) -> float:
    return float(run_checked([sys.executable, "-S", "-c", _CLOCK, *command], options).output)
