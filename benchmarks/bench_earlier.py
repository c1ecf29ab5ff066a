"""Time of whole processes against ``wc -w``, and against an earlier version with its report (``--before PYTHON``).

It is CPU, the sum over all threads, with the start of the process; elapsed time in rows of two threads (``--full``).
"""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from harness import BIN, Files, Options, Row, corpus_files, resampled, run_checked

#: Number of systems that are compared, and options of the report.
SYSTEMS = 48
REPORTED = ("-m", "green", "gleu", "errant", "cleme", "cleme2", "net-benefit", "--language", "builtin:3")
#: Tokens of a long line, and share of them that are changed.
LONG, CHANGED = 10_000, 0.05


@dataclass(frozen=True)
class Work:
    """Scores of some files, and the largest ratio to the time of the peer.

    ``time``: the compared time of a process, ``cpu`` or ``seconds`` (elapsed). ``command``: the command that is run.
    """

    name: str
    arguments: Sequence[str]
    files: Files
    within: float
    time: Literal["cpu", "seconds"] = "cpu"
    command: Literal["score", "compare", "report"] = "score"


def rows(options: Options) -> Iterator[Row]:
    """Yield a row for each work."""
    data = corpus_files(options)
    size = 2_000 if options.smoke else 200_000
    drawn, long = resampled(data, size, distinct=True), _long_lines(200, options.smoke)
    one_thread, two_threads, errant = ("-j", "1"), ("-j", "2"), "errant:annotator=builtin:3"
    against_words = [
        Work(f"GREEN by characters, {size:,} pairs", ("-m", "green:unit=char", *one_thread), drawn, 1.7),
        Work(f"GREEN, lines of {LONG:,} tokens", ("-m", "green", *one_thread), long, 4),
    ]
    if options.full:
        million = resampled(data, 1_000_000)
        against_words += [
            Work("GREEN, 10^6 pairs, two threads", ("-m", "green", *two_threads), million, 0.55, "seconds"),
            Work("ERRANT, 10^6 pairs, two threads", ("-m", errant, *two_threads), million, 5.5, "seconds"),
        ]
    for work in against_words:
        paths = [work.files.source, *work.files.references, *work.files.systems]
        yield _row(work, ["wc", "-w", *paths], "wc -w", options)
    if options.before is None:
        return
    systems = len(data.systems)
    many, fewer = (resampled(data, number, distinct=True, systems=systems) for number in (size // 4, size // 20))
    examples = corpus_files(replace(options, smoke=True))
    against_earlier = [
        Work("start: GREEN, examples", ("-m", "green"), examples, 0.75),
        Work(f"GREEN, {systems} systems", ("-m", "green", *one_thread), many, 0.35),
        Work(f"GLEU, {size:,} pairs", ("-m", "gleu", *one_thread), drawn, 0.5),
        Work(f"ERRANT from text, {systems} systems", ("-m", errant, *one_thread), fewer, 0.7),
        Work(f"report, {systems} systems, six metrics", (*REPORTED, *one_thread), data, 1, command="report"),
        Work(f"compare, GREEN, {SYSTEMS} systems", ("-m", "green", *one_thread), _mixed(data), 1, command="compare"),
    ]
    for work in against_earlier:
        earlier = [str(options.before.parent / "geceval"), *_arguments(work)]
        yield _row(work, earlier, "the earlier version", options)


def _row(work: Work, peer: Sequence[str], peer_name: str, options: Options) -> Row:
    runs = [
        [
            getattr(run_checked(command, options), work.time)
            for command in ([str(BIN / "geceval"), *_arguments(work)], peer)
        ]
        for _ in range(options.runs)
    ]
    ours, theirs = (statistics.median(times) for times in zip(*runs, strict=True))
    time = "CPU" if work.time == "cpu" else "elapsed"
    return Row(f"{work.name}, {time}; peer: {peer_name}", ours, theirs, within=work.within, note=work.files.name)


def _arguments(work: Work) -> list[str]:
    files = work.files
    texts = ["-s", files.source, "-r", *files.references, "-c", *files.systems]
    output = ["-o", "-"] if work.command == "report" else []
    return [work.command, *texts, *work.arguments, *output, "-q"]


def _mixed(files: Files) -> Files:
    """Write SYSTEMS systems, each sentence of which is one of two systems'."""
    generator, folder = random.Random(0), tempfile.TemporaryDirectory()
    texts = [Path(path).read_text(encoding="utf-8").splitlines() for path in files.systems]
    systems = []
    for number in range(SYSTEMS):
        pairs = zip(*generator.sample(texts, 2), strict=True)
        path = Path(folder.name) / f"system{number:02}.txt"
        path.write_text("".join(f"{generator.choice(lines)}\n" for lines in pairs), encoding="utf-8")
        systems.append(str(path))
    return Files(files.source, files.references, systems, files.name, None, folder)


def _long_lines(number: int, smoke: bool) -> Files:
    """Write long lines of a source, of two references and of a system, with scattered changes."""
    generator, tokens = random.Random(0), LONG // 50 if smoke else LONG
    vocabulary = [f"w{n}" for n in range(5_000)]
    folder = tempfile.TemporaryDirectory()
    source = [generator.choices(vocabulary, k=tokens) for _ in range(number)]

    def written(name: str, share: float) -> str:
        path = Path(folder.name) / name
        changed = (
            " ".join(generator.choice(vocabulary) if generator.random() < share else token for token in line)
            for line in source
        )
        path.write_text("".join(f"{line}\n" for line in changed), encoding="utf-8")
        return str(path)

    references = [written(f"ref{number}.txt", CHANGED) for number in range(2)]
    name = f"{number} lines, {CHANGED:.0%} changed"
    return Files(written("source.txt", 0.0), references, [written("sys.txt", CHANGED)], name, None, folder)
