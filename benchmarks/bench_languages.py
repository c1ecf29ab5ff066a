"""Annotation by the table of a language, and extraction of edits with it against the builtin English annotator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench_extract import distinct
from geceval._kernel import Text
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from harness import Limit, Options, Row, corpus_files, user_seconds

BUDGET = 1.0
"""Microseconds per token in Python: one table look-up per token, the rest once per distinct form."""
SENTENCES = 1 << 13


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    texts = [Path(path).read_text(encoding="utf-8").split("\n") for path in (files.source, *files.systems)]
    sentences = [line.split() for text in texts for line in text]
    tokens = sum(map(len, sentences))
    for name in ("de", "plain"):
        annotator = make_annotator(name)
        annotator.annotate(sentences[:1])  # reads what it needs
        microseconds = 1e6 * user_seconds(lambda a=annotator: a.annotate(sentences), options.runs) / tokens
        limits = () if options.smoke else (Limit(microseconds, BUDGET, "us a token and thread"),)
        note = f"{microseconds:.2f} us a token; {tokens:,} tokens, {files.name}"
        yield Row(
            f"annotation by {annotator.name}, processor time", microseconds * tokens / 1e6, note=note, limits=limits
        )
    source, target, *_ = (Text(text) for text in distinct(files, SENTENCES // 16 if options.smoke else SENTENCES))
    for name in ("builtin:3", "plain", "de", "cs"):
        extractor = Extractor(make_annotator(name))
        extractor.columns(source[:1], [target[:1]], 1)  # reads what it needs
        seconds = user_seconds(lambda e=extractor: e.columns(source, [target], 1), options.runs)
        note = f"{1e6 * seconds / len(source):.1f} us a sentence; {len(source):,} distinct sentences of {files.name}"
        yield Row(f"edits from text by {extractor.annotator.name}, processor time", seconds, note=note)
