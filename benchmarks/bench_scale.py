"""GREEN on 10^4 to 10^7 pairs from files against ``wc -w``, and written sentence scores against the corpus score.

Times include starting the process, reading and counting. ``--full`` goes to 10^7 pairs (5 GB of text in the temporary
folder, some minutes per run).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from harness import BIN, Files, FinishedProcess, Limit, Options, Row, corpus_files, median_run, resampled, run_checked

#: At most one and a half times as long as counting words, with two threads.
BUDGET = 1.5
#: Smallest size with budgets: for short files, starting Python takes longer than counting the words.
LARGE = 1_000_000
#: Largest memory in MiB for files of any length.
MEMORY = 200
#: Smallest speed-up of two threads over one.
SPEEDUP = 1.7
#: Largest ratio of the time per pair to that among 10^5 pairs.
GROWTH = 1.1
#: Largest ratio of the time with written sentence scores to that of the corpus score.
WRITING = 1.5
#: A condition that needs no metric.
FEATURES = "length_ratio < 1.5 and not duplicate"
SCORE = ["score", "-m", "green"]
SCORES = [*SCORE, "--level", "sentence"]
#: Commands that write rows of sentences.
WRITTEN = {
    "score --level sentence -f tsv": [*SCORES, "-f", "tsv"],
    "score --level sentence -f jsonl": [*SCORES, "-f", "jsonl"],
    "filter --keep 'green >= 50'": ["filter", "--keep", "green >= 50"],
    f"filter --keep '{FEATURES}'": ["filter", "--keep", FEATURES],
}
#: The size with which others are compared.
USUAL = 100_000
GROWTH_UNIT = f"times the time a pair takes among {USUAL:,}"


def rows(options: Options) -> Iterator[Row]:
    """Time whole processes: GREEN on pairs with two references."""
    files = corpus_files(options)
    sizes = [2_000] if options.smoke else [10_000, USUAL, *([1_000_000, 10_000_000] if options.full else [])]
    usual_per_pair: float | None = None
    for size in sizes:
        large = resampled(files, size, distinct=True)
        measurements = _measure(large, options)
        per_pair = measurements.two_threads.seconds / size
        usual_per_pair = per_pair if size == USUAL else usual_per_pair
        yield Row(
            f"score -m green -j 2, {size:,} distinct pairs; peer: wc -w",
            measurements.two_threads.seconds,
            measurements.word_count.seconds,
            note=f"{1e6 * per_pair:.2f} us a pair",
            within=BUDGET if size >= LARGE else None,
            limits=(
                Limit(measurements.two_threads.peak, MEMORY, "MiB"),
                *([Limit(per_pair / usual_per_pair, GROWTH, GROWTH_UNIT)] if usual_per_pair else []),
            ),
        )
        yield Row(
            f"score -m green, {size:,} distinct pairs; with two threads, and with one as the peer",
            measurements.two_threads.seconds,
            measurements.one_thread.seconds,
            faster=SPEEDUP if size >= LARGE else None,
            limits=(Limit(measurements.one_thread.peak, MEMORY, "MiB"),),
        )
        if size <= LARGE:
            yield from _sentences(large, size, options)


def _sentences(files: Files, size: int, options: Options) -> Iterator[Row]:
    """Time commands that write sentence scores to a file."""
    corpus_score = [*_geceval(files, *SCORE), "-j", "2"]
    for name, arguments in WRITTEN.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [*_geceval(files, *arguments), "-j", "2", "-o", f"{folder}/scores"]
            runs = [(run_checked(command, options), run_checked(corpus_score, options)) for _ in range(options.runs)]
        ours, peer = (_median_with_peak([run[at] for run in runs]) for at in (0, 1))
        yield Row(
            f"{name}, {size:,} distinct pairs; peer: the corpus score of green",
            ours.seconds,
            peer.seconds,
            note=f"{1e6 * ours.seconds / size:.2f} us a sentence",
            within=WRITING if size >= LARGE and arguments[0] == "score" else None,
            limits=(Limit(ours.peak, MEMORY, "MiB"),),
        )


@dataclass(frozen=True)
class _Measurements:
    """Median runs of geceval with one and two threads and of wc, with the highest peaks of memory."""

    one_thread: FinishedProcess
    two_threads: FinishedProcess
    word_count: FinishedProcess


def _measure(files: Files, options: Options) -> _Measurements:
    paths = [files.source, *files.references, *files.systems]
    commands = [[*_geceval(files, *SCORE), "-j", threads] for threads in ("1", "2")] + [["wc", "-w", *paths]]
    runs = [[run_checked(command, options) for command in commands] for _ in range(options.runs)]
    return _Measurements(*(_median_with_peak([run[at] for run in runs]) for at in range(3)))


def _geceval(files: Files, *line: str) -> list[str]:
    texts = ["-s", files.source, "-r", *files.references, "-c", *files.systems]
    return [str(BIN / "geceval"), *line, *texts, "-q"]


def _median_with_peak(runs: list[FinishedProcess]) -> FinishedProcess:
    middle = median_run(runs)
    return FinishedProcess(middle.seconds, max(run.peak for run in runs), middle.status, middle.output)
