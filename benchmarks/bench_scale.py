"""Growing: GREEN of 10^4 to 10^7 pairs from files, with one thread and with two, against ``wc -w`` on the same files;
and sentence scores that are written as they come, against the score of the corpus.

A size is timed whole: starting the process, reading, counting. ``--full`` goes to 10^7 pairs (5 GB of text in the
temporary folder, some minutes a run).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from harness import BIN, Files, Limit, Options, Row, Run, checked, corpus, median, resampled

#: At most one and a half times as long as counting words, with two threads.
BUDGET = 1.5
#: From so many sentences on: starting Python takes longer than counting the words of a short file.
LARGE = 1_000_000
#: The most memory that may be taken, in MiB, however long the files are.
MEMORY = 200
#: Two threads do at least so many times as much as one.
SPEEDUP = 1.7
#: A pair among 10^7 may take so much of what it takes among 10^5.
GROWTH = 1.1
#: Writing a row for every sentence may take so much of the time of scoring.
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


def rows(options: Options) -> Iterator[Row]:
    """GREEN of pairs with two references, whole processes."""
    files = corpus(options)
    sizes = [2_000] if options.smoke else [10_000, USUAL, *([1_000_000, 10_000_000] if options.full else [])]
    usual: float | None = None
    for size in sizes:
        large = resampled(files, size, distinct=True)
        measured = _measured(large, options)
        each = measured.two.seconds / size
        usual = each if size == USUAL else usual
        yield Row(
            f"score -m green -j 2, {size:,} distinct pairs; peer: wc -w",
            measured.two.seconds,
            measured.words.seconds,
            note=f"{1e6 * each:.2f} us a pair",
            within=BUDGET if size >= LARGE else None,
            limits=(
                Limit(measured.two.peak, MEMORY, "MiB"),
                *([Limit(each / usual, GROWTH, f"times the time a pair takes among {USUAL:,}")] if usual else []),
            ),
        )
        yield Row(
            f"score -m green, {size:,} distinct pairs; with two threads, and with one as the peer",
            measured.two.seconds,
            measured.one.seconds,
            faster=SPEEDUP if size >= LARGE else None,
            limits=(Limit(measured.one.peak, MEMORY, "MiB"),),
        )
        if size <= LARGE:
            yield from _sentences(large, size, options)


def _sentences(files: Files, size: int, options: Options) -> Iterator[Row]:
    """Sentence scores to a file."""
    corpus_score = [*_geceval(files, *SCORE), "-j", "2"]
    for name, line in WRITTEN.items():
        with tempfile.TemporaryDirectory() as folder:
            own = [*_geceval(files, *line), "-j", "2", "-o", f"{folder}/scores"]
            runs = [(checked(own, options), checked(corpus_score, options)) for _ in range(options.runs)]
        ours, peer = (_typical([run[at] for run in runs]) for at in (0, 1))
        yield Row(
            f"{name}, {size:,} distinct pairs; peer: the corpus score of green",
            ours.seconds,
            peer.seconds,
            note=f"{1e6 * ours.seconds / size:.2f} us a sentence",
            within=WRITING if size >= LARGE and line[0] == "score" else None,
            limits=(Limit(ours.peak, MEMORY, "MiB"),),
        )


@dataclass(frozen=True)
class _Measured:
    """The medians of ours with one thread and with two, and of wc, with the highest peaks of memory."""

    one: Run
    two: Run
    words: Run


def _measured(files: Files, options: Options) -> _Measured:
    paths = [files.source, *files.references, *files.systems]
    commands = [[*_geceval(files, *SCORE), "-j", threads] for threads in ("1", "2")] + [["wc", "-w", *paths]]
    runs = [[checked(command, options) for command in commands] for _ in range(options.runs)]
    return _Measured(*(_typical([run[at] for run in runs]) for at in range(3)))


def _geceval(files: Files, *line: str) -> list[str]:
    texts = ["-s", files.source, "-r", *files.references, "-c", *files.systems]
    return [str(BIN / "geceval"), *line, *texts, "-q"]


def _typical(runs: list[Run]) -> Run:
    middle = median(runs)
    return Run(middle.seconds, max(run.peak for run in runs), middle.status, middle.output)
