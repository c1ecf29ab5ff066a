"""Time and memory of GREEN on pairs in a table against the same pairs in text files."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from harness import BIN, Files, Limit, Options, Row, corpus_files, median_run, resampled, run_checked

#: Largest ratio of the time to that of text files.
TABLE = 3.0
#: Smallest size with budgets: for short files, starting Python takes longer than reading.
LARGE = 1_000_000
#: Largest memory in MiB for files of any length.
MEMORY = 200
COLUMNS = ("source", "reference 1", "reference 2", "hypothesis")


def rows(options: Options) -> Iterator[Row]:
    """Time whole processes with two threads."""
    files = corpus_files(options)
    for size in [2_000] if options.smoke else [100_000, *([LARGE] if options.full else [])]:
        yield from tables(options, resampled(files, size, distinct=True), size)


def tables(options: Options, files: Files, size: int) -> Iterator[Row]:
    """Time tables of each format."""
    texts = [files.source, *files.references, files.systems[0]]
    score = [str(BIN / "geceval"), "score", "-q", "-m", "green", "-j", "2"]
    text_command = [*score, "-s", files.source, "-r", *files.references, "-c", *files.systems]
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in WRITERS.items():
            path = Path(folder) / f"pairs.{kind}"
            with ExitStack() as stack:
                lines = [stack.enter_context(Path(text).open(encoding="utf-8", newline="\n")) for text in texts]
                write(path, ([line.rstrip("\n") for line in row] for row in zip(*lines, strict=True)))
            runs = [
                (run_checked([*score, "-i", str(path)], options), run_checked(text_command, options))
                for _ in range(options.runs)
            ]
            ours, peer = (median_run([pair[at] for pair in runs]) for at in (0, 1))
            yield Row(
                f"score -m green -j 2 of a table ({kind}), {size:,} distinct pairs; peer: of text files",
                ours.seconds,
                peer.seconds,
                within=TABLE if size >= LARGE else None,
                limits=(Limit(max(table_run.peak for table_run, _ in runs), MEMORY, "MiB"),),
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


def write_parquet(path: Path, rows: Iterator[Sequence[str]]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = zip(*rows, strict=True)
    parquet.write_table(pyarrow.table(dict(zip(COLUMNS, map(list, columns), strict=True))), path, row_group_size=65_536)


WRITERS: dict[str, Callable[[Path, Iterator[Sequence[str]]], None]] = {
    "tsv": write_tsv,
    "csv": write_csv,
    "jsonl": write_jsonl,
    **({"parquet": write_parquet} if find_spec("pyarrow") is not None else {}),
}
