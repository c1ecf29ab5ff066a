"""CLEME against the public toolkit's recorded times and against the slow reference implementation of the tests.

The toolkit is not on PyPI; its times from M2 on this class of machine are recorded with its scores.
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
from geceval.metrics.shared.chunk_metric import FIRST_PASS_CHUNKS, classify_chunks
from geceval.text.reading.corpus_files import read_corpus
from harness import BIN, ROOT, Files, Limit, Options, Row, corpus_files, cpu_seconds, run_checked, seconds, side_by_side


@dataclass(frozen=True)
class Task:
    """M2 blocks of one system and of the gold."""

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
    files = corpus_files(options)
    folder = options.shared / "data" / "conll14-errant"
    recorded = recorded_seconds(options)
    task = published_task(folder) if recorded else annotated_task(files)
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
    yield from per_thousand_sentences(options, files, task)
    yield from against_twin(options, task)
    command = [str(BIN / "geceval"), "score", "--gold", str(files.gold), "-c", *files.systems, "-m", "cleme,cleme2"]
    ours, _ = side_by_side(lambda: run_checked(command, options).seconds, None, options.runs)
    yield Row("geceval score, two metrics, from text", ours, note=f"{files.name}, {len(files.systems)} systems")


def recorded_seconds(options: Options) -> dict[tuple[str, str], float]:
    """Return recorded seconds by assumption and weights: the minimum over CoNLL-2014's systems, for a busy machine."""
    path = options.shared / "golden" / "cleme" / "cleme.json"
    if options.smoke or not path.is_file():
        return {}
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]
    quickest: dict[tuple[str, str], float] = {}
    for name, result in results.items():
        for assumption, runs in result["cleme"].items() if name.startswith("conll14") else ():
            for weights, run in runs.items():
                key = (assumption, weights)
                quickest[key] = min(run["seconds"], quickest.get(key, run["seconds"]))
    return quickest


def published_task(folder: Path) -> Task:
    """Return AMU with ERRANT's published edits."""
    return Task("AMU", list(m2.read(folder / "gold.m2")), list(m2.read(folder / "AMU.m2")))


def annotated_task(files: Files) -> Task:
    """Return the first system with edits extracted from its text."""
    texts = read_corpus(None, [], files.systems[:1], files.gold)
    assert texts.gold is not None
    [(name, text)] = texts.systems.items()
    edits = hypothesis_edits(texts, text, Extraction())
    blocks = [Block(source, edits_of_system(edits.sentence(s))) for s, source in enumerate(texts.source)]
    return Task(name, list(texts.gold), blocks)


def edits_of_system(versions: list[tuple[int, list[tuple[int, int, str, str]]]]) -> tuple[Edit, ...]:
    """Return the edits of a system, which has one version."""
    [(_, edits)] = versions
    return tuple(Edit(start, end, type_, (text,)) for start, end, type_, text in edits)


def per_thousand_sentences(options: Options, files: Files, task: Task) -> Iterator[Row]:
    """Time 1,000 sentences, so that ms are µs per sentence.

    CPU time of the chunks only and from M2; wall time on all processors from text with two references, without cached
    edits.
    """
    size = len(task.gold)
    prepared = Cleme().prepare(task.corpus)
    edits = hypothesis_edits(task.corpus, task.hypothesis, Extraction())

    def partition_and_sum() -> None:
        cut = prepared.versions.partition(edits)
        classes = classify_chunks(cut, "dependent")
        cut.sums(classes, Cleme(x0=1.5).weigh(prepared, task.hypothesis, cut, classes, 1), 5)

    def seconds_per_thousand(work: Callable[[], object], sentences: int) -> float:
        one_metric_seconds, _ = side_by_side(lambda: 1000 * cpu_seconds(work) / sentences, None, options.runs)
        return one_metric_seconds

    yield Row(
        "CLEME's chunks, classes and sums, 1,000 sentences",
        seconds_per_thousand(partition_and_sum, size),
        note=f"{task.name}, CPU",
    )
    from_m2 = seconds_per_thousand(lambda: task.score(Cleme()), size)
    yield Row("CLEME from M2 in memory, 1,000 sentences", from_m2, note=f"{task.name}, CPU")
    texts = read_corpus(files.source, files.references, files.systems[:1])

    def from_text(*metrics: Metric, block: int | None = None) -> None:
        MEMORY.clear()
        FIRST_PASS_CHUNKS.clear()
        corpus = Corpus(texts.source, texts.references, texts.systems)
        evaluate(corpus, metrics or [Cleme()], views=["corpus"], block=block)

    from_text_seconds, _ = side_by_side(lambda: 1000 * seconds(from_text) / len(texts), None, options.runs)
    limits = () if options.smoke else (Limit(1000 * from_text_seconds, 70, "us a sentence"),)
    note = f"{files.name}, every pair extracted anew, all processors"
    yield Row("CLEME from text, two references, 1,000 sentences", from_text_seconds, note=note, limits=limits)
    budget, MEMORY.budget = MEMORY.budget, 0
    one_metric_seconds, one_pass = side_by_side(
        lambda: 1000 * cpu_seconds(lambda: from_text(Cleme(), Cleme2(), block=512)) / len(texts),
        lambda: 1000 * cpu_seconds(lambda: from_text(Cleme(weights="none"), block=512)) / len(texts),
        options.runs,
    )
    MEMORY.budget = budget
    note = f"{files.name}, CPU, edits not cached; peer: CLEME without weights, which takes one pass"
    yield Row("CLEME and CLEME2.0 from text, 1,000 sentences", one_metric_seconds, one_pass, note=note, within=1.5)


def against_twin(options: Options, task: Task) -> Iterator[Row]:
    """Time counting with one weighting in the kernel and in tests/twins/chunks.py."""
    sys.path.insert(0, str(ROOT / "tests"))
    from twins import chunks as twin

    def twin_edits(block: Block, annotator: int) -> list[twin.Edit]:
        return [(edit.start, edit.end, edit.alternatives[0].split()) for edit in m2.ordered(block, annotator)]

    def run_twin() -> None:
        for gold, hypothesis_block in zip(task.gold, task.hypothesis, strict=True):
            versions = [
                twin_edits(hypothesis_block, hypothesis_block.annotators[0]),
                *(twin_edits(gold, annotator) for annotator in gold.annotators),
            ]
            twin.counts(twin.chunks(gold.tokens, versions, 0), "length", "dependent", 1.5)

    ours, slow = side_by_side(
        lambda: seconds(lambda: task.score(Cleme(x0=1.5))), lambda: seconds(run_twin), min(options.runs, 3)
    )
    yield Row("CLEME against its slow twin", ours, slow, note=f"{task.name}; peer: tests/twins/chunks.py")
