"""CLEME against the public toolkit's recorded times and against the slow reference implementation of the tests.

The toolkit is not on PyPI; what it took on this class of machine, from M2, stands beside its recorded scores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geceval import Cleme, Cleme2, Corpus, evaluate, m2, make_metric
from geceval.edits.corpus_edits import MEMORY, Extraction, hypothesis_edits
from geceval.extending import Metric
from geceval.m2 import Block, Edit
from geceval.metrics.shared.chunk_metric import SURVEYED, classify
from geceval.text.reading.corpus_files import read_corpus
from harness import BIN, ROOT, Files, Limit, Options, Row, checked, corpus, cpu_seconds, seconds, side_by_side


@dataclass(frozen=True)
class Task:
    """One system and its gold as M2 blocks."""

    name: str
    gold: list[Block]
    hypothesis: list[Block]

    @property
    def corpus(self) -> Corpus:
        return Corpus([block.source for block in self.gold], (), {"it": self.hypothesis}, self.gold)

    def score(self, metric: Metric) -> None:
        [[tally]] = evaluate(self.corpus, [metric]).values()
        tally.score()


def rows(options: Options) -> Iterator[Row]:
    files = corpus(options)
    folder = options.shared / "data" / "conll14-errant"
    recorded = times(options)
    task = published(folder) if recorded else annotated(files)
    for assumption in ("dependent", "independent"):
        for weights in ("none", "length"):
            metric = make_metric("cleme", assumption=assumption, weights=weights)
            ours, _ = side_by_side(lambda m=metric: cpu_seconds(lambda: task.score(m)), None, options.runs)
            peer = recorded.get((assumption, weights))
            budget = 20.0 if recorded else None
            yield Row(
                f"CLEME {assumption}, {weights}",
                ours,
                peer,
                budget,
                f"{task.name}, from M2, CPU; peer: quickest recorded",
            )
    if recorded:
        files_read = [str(folder / "gold.m2"), str(folder / "AMU.m2")]
        ours, _ = side_by_side(
            lambda: seconds(lambda: [list(m2.read(path)) for path in files_read]), None, options.runs
        )
        yield Row("reading the two M2 files", ours, note=task.name)
    yield from by_the_thousand(options, files, task)
    yield from against_reference(options, task)
    command = [str(BIN / "geceval"), "score", "--gold", str(files.gold), "-c", *files.systems, "-m", "cleme,cleme2"]
    ours, _ = side_by_side(lambda: checked(command, options).seconds, None, options.runs)
    yield Row("geceval score, two metrics, from text", ours, note=f"{files.name}, {len(files.systems)} systems")


def times(options: Options) -> dict[tuple[str, str], float]:
    """Seconds by assumption and weights, of the quickest CoNLL-2014 system on record, for the machine was busy."""
    path = options.shared / "golden" / "cleme" / "cleme.json"
    if options.smoke or not path.is_file():
        return {}
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]
    found: dict[tuple[str, str], float] = {}
    for name, result in results.items():
        for assumption, runs in result["cleme"].items() if name.startswith("conll14") else ():
            for weights, run in runs.items():
                key = (assumption, weights)
                found[key] = min(run["seconds"], found.get(key, run["seconds"]))
    return found


def published(folder: Path) -> Task:
    """AMU with ERRANT's edits, as the record has it."""
    return Task("AMU", list(m2.read(folder / "gold.m2")), list(m2.read(folder / "AMU.m2")))


def annotated(files: Files) -> Task:
    """The first system, its text annotated beforehand."""
    read = read_corpus(None, [], files.systems[:1], files.gold)
    assert read.gold is not None
    [(name, text)] = read.systems.items()
    edits = hypothesis_edits(read, text, Extraction())
    blocks = [Block(source, own_edits(edits.sentence(s))) for s, source in enumerate(read.source)]
    return Task(name, list(read.gold), blocks)


def own_edits(versions: list[tuple[int, list[tuple[int, int, str, str]]]]) -> tuple[Edit, ...]:
    """The edits of a system, which has one version."""
    [(_, edits)] = versions
    return tuple(Edit(start, end, type_, (text,)) for start, end, type_, text in edits)


def by_the_thousand(options: Options, files: Files, task: Task) -> Iterator[Row]:
    """Seconds of 1,000 sentences, so ms are µs a sentence: CPU time of the chunks alone and from M2, and wall time, all
    processors at work, from text with two references, each extracted anew."""
    size = len(task.gold)
    prepared = Cleme().prepare(task.corpus)
    edits = hypothesis_edits(task.corpus, task.hypothesis, Extraction())

    def chunks() -> None:
        cut = prepared.versions.partition(edits)
        classes = classify(cut, "dependent")
        cut.sums(classes, Cleme(x0=1.5).weigh(prepared, task.hypothesis, cut, classes), 5)

    def timed(work: Callable[[], object], sentences: int) -> float:
        ours, _ = side_by_side(lambda: 1000 * cpu_seconds(work) / sentences, None, options.runs)
        return ours

    yield Row("CLEME's chunks, classes and sums, 1,000 sentences", timed(chunks, size), note=f"{task.name}, CPU")
    from_m2 = timed(lambda: task.score(Cleme()), size)
    yield Row("CLEME from M2 in memory, 1,000 sentences", from_m2, note=f"{task.name}, CPU")
    read = read_corpus(files.source, files.references, files.systems[:1])

    def from_text(*metrics: Metric, block: int | None = None) -> None:
        MEMORY.clear()
        SURVEYED.clear()
        whole = Corpus(read.source, read.references, read.systems)
        evaluate(whole, metrics or [Cleme()], views=["corpus"], block=block)

    anew, _ = side_by_side(lambda: 1000 * seconds(from_text) / len(read), None, options.runs)
    limits = () if options.smoke else (Limit(1000 * anew, 70, "us a sentence"),)
    note = f"{files.name}, every pair extracted anew, all processors"
    yield Row("CLEME from text, two references, 1,000 sentences", anew, note=note, limits=limits)
    budget, MEMORY.budget = MEMORY.budget, 0
    ours, one_pass = side_by_side(
        lambda: 1000 * cpu_seconds(lambda: from_text(Cleme(), Cleme2(), block=512)) / len(read),
        lambda: 1000 * cpu_seconds(lambda: from_text(Cleme(weights="none"), block=512)) / len(read),
        options.runs,
    )
    MEMORY.budget = budget
    note = f"{files.name}, CPU, edits not cached; peer: CLEME without weights, which takes one pass"
    yield Row("CLEME and CLEME2.0 from text, 1,000 sentences", ours, one_pass, note=note, within=1.5)


def against_reference(options: Options, task: Task) -> Iterator[Row]:
    """Counting with one weighting through the kernel and through tests/twins/chunks.py."""
    sys.path.insert(0, str(ROOT / "tests"))
    from twins import chunks as twin

    def plain(block: Block, annotator: int) -> list[twin.Edit]:
        return [(e.start, e.end, e.alternatives[0].split()) for e in m2.ordered(block, annotator)]

    def reference() -> None:
        for gold, own in zip(task.gold, task.hypothesis, strict=True):
            versions = [plain(own, own.annotators[0]), *(plain(gold, who) for who in gold.annotators)]
            twin.counts(twin.chunks(gold.tokens, versions, 0), "length", "dependent", 1.5)

    ours, slow = side_by_side(
        lambda: seconds(lambda: task.score(Cleme(x0=1.5))), lambda: seconds(reference), min(options.runs, 3)
    )
    yield Row("CLEME against its slow twin", ours, slow, note=f"{task.name}; peer: tests/twins/chunks.py")
