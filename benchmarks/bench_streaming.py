"""Scoring from files as a stream: against ``wc -w`` on the same files, and the memory it takes; sentence scores that
are written as they come, against the score of the corpus."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from harness import BIN, Files, Limit, Options, Row, checked, corpus, median, resampled

#: At most one and a half times as long as counting words.
BUDGET = 1.5
#: From so many sentences on: starting Python takes longer than counting the words of a short file.
LARGE = 1_000_000
#: The most memory that may be taken, in MiB, however long the files are.
MEMORY = 200
#: Writing a row for every sentence may take so much of the time of scoring.
WRITING = 1.5
#: How sentences are written.
WRITTEN = {
    "-f tsv": ["-f", "tsv"],
    "-f jsonl": ["-f", "jsonl"],
    "--keep 'green >= 0.5'": ["-f", "tsv", "--keep", "green >= 0.5"],
}


def rows(options: Options) -> Iterator[Row]:
    """GREEN of pairs with two references, whole processes, with two threads."""
    files = corpus(options)
    sizes = [2_000] if options.smoke else [10_000, 100_000, *([1_000_000] if options.full else [])]
    for size in sizes:
        large = resampled(files, size, distinct=True)
        paths = [large.source, *large.references, *large.systems]
        command = [str(BIN / "geceval"), "score", "-s", large.source, "-r", *large.references, "-c", *large.systems]
        pairs = [
            (checked([*command, "-m", "green", "-j", "2"], options), checked(["wc", "-w", *paths], options))
            for _ in range(options.runs)
        ]
        ours, peer = (median([pair[at] for pair in pairs]) for at in (0, 1))
        yield Row(
            f"score -m green -j 2, {size:,} distinct pairs; peer: wc -w",
            ours.seconds,
            peer.seconds,
            note=f"{1e6 * ours.seconds / size:.1f} us a sentence",
            within=BUDGET if size >= LARGE else None,
            limits=(Limit(max(own.peak for own, _ in pairs), MEMORY, "MiB"),),
        )
        yield from sentences(command, large, size, options)


def sentences(command: list[str], files: Files, size: int, options: Options) -> Iterator[Row]:
    """Sentence scores to a file."""
    corpus_score = [*command, "-m", "green", "-j", "2"]
    for name, more in WRITTEN.items():
        with tempfile.TemporaryDirectory() as folder:
            own = [*corpus_score, "--level", "sentence", *more, "-o", f"{folder}/scores"]
            pairs = [(checked(own, options), checked(corpus_score, options)) for _ in range(options.runs)]
        ours, peer = (median([pair[at] for pair in pairs]) for at in (0, 1))
        yield Row(
            f"--level sentence {name}, {size:,} distinct pairs; peer: the corpus score",
            ours.seconds,
            peer.seconds,
            note=f"{1e6 * ours.seconds / size:.1f} us a sentence",
            within=WRITING if size >= LARGE and "--keep" not in more else None,
            limits=(Limit(max(run.peak for run, _ in pairs), MEMORY, "MiB"),),
        )
