"""``geceval score --level sentence`` in formats that are written as sentences are scored, for any number of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import IO, Any

from geceval._kernel import __version__
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.output_files import write_errors
from geceval.cli.inputs import CorpusInputs
from geceval.cli.output import write_text, writing_bytes
from geceval.cli.resumable_output import ResumableOutput, State
from geceval.cli.score_options import SENTENCE_FORMATS, ScoreRequest
from geceval.cli.sentence_filter import SentenceFilter, kept_rows
from geceval.cli.sentence_output import files_read, output_files, passes_by, reads_once
from geceval.cli.stderr import Steps, lines_file, note, progress
from geceval.counting.figure_names import part_names
from geceval.counting.run import Run
from geceval.counting.sentence_scores import ScoredPart, scored_parts, sentence_signatures
from geceval.counting.stream import AnyMetric
from geceval.report.documents import as_json
from geceval.report.scores.parquet_rows import ParquetRows
from geceval.report.scores.score_report import BY_NAME
from geceval.report.scores.sentence_rows import (
    PAIR,
    SCHEMA,
    DelimitedRows,
    JsonRows,
    RowFormat,
    RowLayout,
    SentenceRows,
    TextRows,
    about,
    check_double,
    check_heads,
    columns_of,
)
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE, is_compressed


def stream_scores(
    request: ScoreRequest,
    inputs: CorpusInputs,
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    guard: bool,
    found: Sequence[GecevalWarning],
) -> None:
    """Score and write, part by part; ``found``: the warnings so far."""
    condition, output = request.sentences.keep, request.output
    kept = None if condition is None else SentenceFilter.of(condition, metrics)
    if kept is not None and len(corpus.system_names) != 1:
        raise UsageError(f"--keep is for one system, and there are {len(corpus.system_names)}")
    guard = guard and kept is None
    counting = Run(corpus, metrics, guard, output.threads, checks=request.checks)
    layout = _layout(request, counting.source, metrics, kept is not None)
    signatures = sentence_signatures(counting)
    content = about(layout, signatures)
    writers = _writers(request, layout, content)
    with _sink(request, _run_of(request, signatures)) as sink:
        skip = sink.state.sentences
        with progress(
            lambda: Steps(
                counting.work,
                counting.work_of_a_sentence(),
                skip * counting.work_of_a_sentence(first=False),
                lines_file(request.data.files.source),
            ),
            quiet=output.quiet,
            lines=request.progress,
        ) as advance:
            of_parts = request.parts or (kept is not None and kept.parts)
            for part in scored_parts(replace(counting, skip=skip, progress=advance), parts=of_parts):
                rows = kept_rows(part, layout, kept) if kept else all_rows(part, layout)
                first = sink.state.sentences == 0
                texts = [(one.start() if first else b"") + one.rows(rows) for one in writers]
                sink.write(texts, len(part.corpus), len(rows))
        ends = [one.end() for one in writers]
        if any(ends):
            sink.write(ends, 0)
    sentences = sink.state.sentences
    if kept is not None:
        share = 100 * sink.state.kept / sentences
        note(f"kept {sink.state.kept:,} of {sentences:,} sentences ({share:.2f} %)", quiet=output.quiet)
    if request.sentences.signatures is not None:
        document = {**inputs.to_document(found), "sentences": sentences, **content}
        write_text(request.sentences.signatures, as_json(SCHEMA, document))


def _writers(request: ScoreRequest, layout: RowLayout, content: Mapping[str, Any]) -> list[RowFormat]:
    """What writes the rows: a table, unless they go to parallel texts alone, and the texts."""
    keep_out, target = request.sentences.keep_out, request.output.target
    tables = [_table(request, layout, content)] if target or not keep_out else []
    return [*tables, *(TextRows(layout, at) for at in range(len(PAIR)) if keep_out)]


def _table(request: ScoreRequest, layout: RowLayout, content: Mapping[str, Any]) -> RowFormat:
    """Raises UsageError for columns that would have one name, and MissingExtraError without pyarrow."""
    format = request.format
    if format == "jsonl":
        return JsonRows(layout)
    if format == "parquet":
        check_heads(layout)
        return ParquetRows(layout, {"schema": SCHEMA, "version": __version__, **content})
    check_double(layout)
    return DelimitedRows(layout, request.output.digits, {"tsv": "\t", "csv": ","}[format])


def all_rows(part: ScoredPart, layout: RowLayout) -> SentenceRows:
    """A row for every sentence of a part."""
    figures = [part.figures[column.system, column.metric][column.part] for column in layout.columns]
    start = part.corpus.first
    return SentenceRows(range(start + 1, start + len(part.corpus) + 1), (), figures)


def _layout(request: ScoreRequest, corpus: TextSource, metrics: Sequence[AnyMetric], paired: bool) -> RowLayout:

    names = sorted(corpus.system_names) if request.sort == BY_NAME else list(corpus.system_names)
    systems = sorted(names, key=lambda name: name == SOURCE)  # the source comes last
    if request.format in SENTENCE_FORMATS:
        metrics = list(dict.fromkeys(metrics))
    parts = {metric: part_names(metric) if request.parts else [] for metric in metrics}
    references = None
    if paired:
        references = 0 if corpus.made_by else corpus.facts.reference_texts()
    return RowLayout(columns_of(systems, metrics, parts, alone=paired), references)


# --- where it goes ---


class PassedOutput:
    """Standard output, a device, a pipe or compressed files, to which a later run cannot add."""

    def __init__(self, streams: Mapping[str, IO[bytes]], *, flush: bool = True) -> None:
        self._streams, self._flush, self.state = streams, flush, State()

    def write(self, texts: Sequence[bytes], sentences: int, kept: int = 0) -> None:
        for (name, stream), text in zip(self._streams.items(), texts, strict=True):
            with write_errors(name):
                stream.write(text)
                if self._flush:
                    stream.flush()
        self.state.sentences += sentences
        self.state.kept += kept


@contextmanager
def _sink(request: ScoreRequest, run: Mapping[str, Any] | None) -> Iterator[ResumableOutput | PassedOutput]:
    """Where the rows go."""
    paths = output_files(request)
    if any(map(is_compressed, paths)):
        with ExitStack() as stack:
            yield PassedOutput({path: stack.enter_context(writing_bytes(path)) for path in paths}, flush=False)
    elif not passes_by(request):
        run = None if request.format == "parquet" else run
        tell = partial(note, quiet=request.output.quiet)
        with ResumableOutput(paths, run, resume=request.sentences.resume, tell=tell) as output:
            yield output
    elif paths:
        with write_errors(paths[0]), Path(paths[0]).open("wb") as stream:
            yield PassedOutput({paths[0]: stream})
    else:
        if request.format == "parquet" and sys.stdout.isatty():
            raise UsageError("Parquet is nothing to look at", hint="-o FILE, or a pipe")
        sys.stdout.flush()
        yield PassedOutput({"standard output": sys.stdout.buffer})


# --- what a run is known by ---


def _run_of(request: ScoreRequest, signatures: Mapping[Any, str]) -> dict[str, Any] | None:
    """All that what is written depends on: version, signatures, options, the state of files. None: something is read
    that cannot be known again."""
    if reads_once(request):
        return None
    files = {}
    for path in files_read(request):
        state = Path(path).stat()
        when = datetime.fromtimestamp(state.st_mtime_ns / 1e9, tz=timezone.utc)
        files[path] = f"{state.st_size:,} bytes written {when:%Y-%m-%d %H:%M:%S} ({state.st_mtime_ns})"
    known = {
        facts.flags[-1]: (value is not facts_default) if facts.kind is bool else value
        for (name, facts, value), (_, _, facts_default) in zip(request.options(), request.all_options(), strict=True)
        if facts.effect == "result" and value not in (None, ())
    }
    known["--format"] = request.format
    return {"geceval": __version__, "signatures": list(dict.fromkeys(signatures.values())), **known, **files}
