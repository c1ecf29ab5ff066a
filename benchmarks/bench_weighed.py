"""GoToScorer without a peer: the public program needs pools of M2."""

from __future__ import annotations

from collections.abc import Iterator

from geceval import Goto, evaluate
from geceval.text.reading.corpus_files import read_corpus
from harness import Options, Row, corpus_files, seconds, side_by_side


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    data = read_corpus(files.source, files.references, files.systems, files.gold)
    evaluate(data, [Goto()], views=["corpus"])  # texts are annotated once
    elapsed, _ = side_by_side(lambda: seconds(lambda: evaluate(data, [Goto()], views=["corpus"])), None, options.runs)
    pairs = len(data) * len(data.systems)
    note = f"{1e6 * elapsed / pairs:.1f} us a sentence"
    yield Row("GoToScorer, pool of all systems, per system", elapsed / len(data.systems), note=note)
