"""Extraction of edits from text by the builtin annotator: time per distinct sentence, gain of a second thread."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator

from geceval._kernel import Text
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.text.reading.lines import read_lines
from harness import Files, Options, Row, corpus_files, numbered

#: Number of sentences, and the block size of ``evaluate``.
SENTENCES, BLOCK = 1 << 16, 1 << 14


def rows(options: Options) -> Iterator[Row]:
    data = corpus_files(options)
    size = BLOCK // 16 if options.smoke else SENTENCES
    texts = distinct(data, size)
    blocks = [[Text(text[start : start + BLOCK]) for text in texts] for start in range(0, size, BLOCK)]
    extractor = Extractor(make_annotator("builtin:3"))
    extractor.columns(blocks[0][0][:100], [blocks[0][1][:100]])
    name = f"{size:,} distinct sentences of {data.name}"
    wall_by_threads = {}
    for threads in (1, 2):
        wall = cpu = 0.0
        for at, text in enumerate(("reference 0", "reference 1", "system"), 1):
            seconds = wall_and_cpu_seconds(lambda t=threads, at=at: extract(extractor, blocks, at, t))
            yield row(f"extract {text}, {threads} threads", *seconds, size, name)
            wall, cpu = wall + seconds[0], cpu + seconds[1]
        wall_by_threads[threads] = wall
        note = "" if threads == 1 else f"; {wall_by_threads[1] / wall_by_threads[2]:.2f} times as fast as with one"
        yield row(f"edits from text, 2 references, {threads} threads", wall, cpu, size, name + note)


def extract(extractor: Extractor, blocks: list[list[Text]], at: int, threads: int) -> None:
    for block in blocks:
        extractor.columns(block[0], [block[at]], threads)


def row(work: str, wall: float, cpu: float, size: int, note: str) -> Row:
    return Row(work, wall, note=f"{1e6 * wall / size:.1f} us a sentence, CPU {1e6 * cpu / size:.1f} us; {note}")


def wall_and_cpu_seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU seconds of one call."""
    start, cpu = time.perf_counter(), cpu_seconds()
    work()
    return time.perf_counter() - start, cpu_seconds() - cpu


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def distinct(files: Files, size: int) -> list[list[str]]:
    """Draw rows of source, two references and a system; a number in the middle makes each row distinct."""
    generator = random.Random(0)
    texts = [read_lines(path) for path in (files.source, *files.references[:2], files.systems[0])]
    sentence_indices = generator.choices(range(len(texts[0])), k=size)
    return [[numbered(text[s], number) for number, s in enumerate(sentence_indices)] for text in texts]
