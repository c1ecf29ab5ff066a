"""Processor time per token of the builtin annotator on one thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from geceval.edits.languages.english import Builtin
from harness import Limit, Options, Row, corpus_files, user_seconds

BUDGET = 1.0
"""Microseconds a token."""


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    texts = [Path(path).read_text(encoding="utf-8").split("\n") for path in (files.source, *files.systems)]
    # Versions of a sentence are far apart, so that no annotation is copied between them.
    sentences = [line.split() for text in texts for line in text]
    tokens = sum(map(len, sentences))
    annotator = Builtin(threads=1)
    annotator.annotate(sentences[:1])  # reads the model
    seconds = user_seconds(lambda: annotator.annotate(sentences), options.runs)
    microseconds = 1e6 * seconds / tokens
    limits = () if options.smoke else (Limit(microseconds, BUDGET, "us a token and thread"),)
    note = f"{microseconds:.2f} us a token and thread; {tokens:,} tokens, {files.name}"
    work = "tags and labels of every token, processor time, Python's strings in and columns out"
    yield Row(work, seconds, note=note, limits=limits)
