"""GoToScorer and I-measure, whose public programs need pools of M2 or Python 2: ours alone, by the sentence."""

from __future__ import annotations

from collections.abc import Iterator

from geceval import Goto, IMeasure, evaluate
from geceval.counting.metric import Metric
from geceval.text.reading.corpus_files import read_corpus
from harness import Files, Options, Row, corpus, seconds, side_by_side

#: The public I-measure took 5.1 s for 51 sentences of at most 32 tokens, two or three references each.
WORK: list[tuple[str, Metric]] = [
    ("GoToScorer, pool of all systems", Goto()),
    ("I-measure, the annotators' references", IMeasure(mix=0)),
]


def rows(options: Options) -> Iterator[Row]:
    files = corpus(options)
    for name, metric in WORK:
        yield row(options, files, name, metric)


def row(options: Options, files: Files, name: str, metric: Metric) -> Row:
    data = read_corpus(files.source, files.references, files.systems, files.gold)
    evaluate(data, [metric], views=["corpus"])  # texts are annotated once
    took, _ = side_by_side(lambda: seconds(lambda: evaluate(data, [metric], views=["corpus"])), None, options.runs)
    pairs = len(data) * len(data.systems)
    return Row(f"{name}, per system", took / len(data.systems), note=f"{1e6 * took / pairs:.1f} us a sentence")
