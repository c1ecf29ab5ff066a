"""Scoring from files as a stream: against ``wc -w`` on the same files, its memory; tables against text files."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from harness import BIN, Files, Limit, Options, Row, checked, corpus, median, resampled

#: At most one and a half times as long as counting words.
BUDGET = 1.5
#: From so many sentences on: starting Python takes longer than counting the words of a short file.
LARGE = 1_000_000
#: The most memory that may be taken, in MiB, however long the files are.
MEMORY = 200
#: Of a table: at most so many times as long as of text files.
TABLE = 3.0
COLUMNS = ("source", "reference 1", "reference 2", "hypothesis")


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
        yield from tables(options, large, size)


def tables(options: Options, files: Files, size: int) -> Iterator[Row]:
    """The same pairs in columns of a table."""
    texts = [files.source, *files.references, files.systems[0]]
    score = [str(BIN / "geceval"), "score", "-q", "-m", "green", "-j", "2"]
    plain = [*score, "-s", files.source, "-r", *files.references, "-c", *files.systems]
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in WRITERS.items():
            path = Path(folder) / f"pairs.{kind}"
            with ExitStack() as stack:
                lines = [stack.enter_context(Path(text).open(encoding="utf-8", newline="\n")) for text in texts]
                write(path, ([line.rstrip("\n") for line in row] for row in zip(*lines, strict=True)))
            pairs = [
                (checked([*score, "-i", str(path)], options), checked(plain, options)) for _ in range(options.runs)
            ]
            ours, peer = (median([pair[at] for pair in pairs]) for at in (0, 1))
            yield Row(
                f"score -m green -j 2 of a table ({kind}), {size:,} distinct pairs; peer: of text files",
                ours.seconds,
                peer.seconds,
                within=TABLE if size >= LARGE else None,
                limits=(Limit(max(own.peak for own, _ in pairs), MEMORY, "MiB"),),
            )
            path.unlink()


def write_tsv(path: Path, rows: Iterator[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines("\t".join(row) + "\n" for row in chain([COLUMNS], rows))


def write_csv(path: Path, rows: Iterator[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(chain([COLUMNS], rows))


def write_jsonl(path: Path, rows: Iterator[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)


WRITERS: dict[str, Callable[[Path, Iterator[Sequence[str]]], None]] = {
    "tsv": write_tsv,
    "csv": write_csv,
    "jsonl": write_jsonl,
}
