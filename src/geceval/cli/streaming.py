"""``geceval score --level sentence`` in formats that are written as sentences are scored, for any number of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from geceval._kernel import __version__
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.output_files import write_errors
from geceval.cli.annotating import tell
from geceval.cli.common import given_files, writing
from geceval.cli.growing import Growing, State
from geceval.cli.progress import progress
from geceval.cli.sentences import (
    ALONE,
    WITHOUT_EFFECT,
    goes_by,
    lines_file,
    named_files,
    option_name,
    output_files,
    reads_once,
)
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

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.counting.sentence_scores import ScoredPart
    from geceval.counting.stream import AnyMetric
    from geceval.text.corpus import TextSource


def stream_scores(
    args: argparse.Namespace,
    corpus: TextSource,
    metrics: Sequence[Metric[Any]],
    guard: bool,
    found: Sequence[GecevalWarning],
) -> None:
    """Score and write, part by part; ``found``: the warnings so far."""
    from geceval.cli.keeping import Kept, kept_rows
    from geceval.counting.run import Run
    from geceval.counting.sentence_scores import scored_parts, sentence_signatures

    kept = None if args.keep is None else Kept.of(args.keep, metrics)
    if kept is not None and len(corpus.system_names) != 1:
        raise UsageError(f"--keep is for one system, and there are {len(corpus.system_names)}")
    guard = guard and kept is None
    counting = Run(corpus, metrics, guard, args.threads, checks=args.checks)
    layout = _layout(args, counting.source, metrics, kept is not None)
    signatures = sentence_signatures(counting)
    content = about(layout, signatures)
    made = _made(args, layout, content)
    with _sink(args, _run_of(args, signatures)) as sink:
        skip = sink.state.sentences
        done = skip * counting.work_of_a_sentence(first=False)
        pace: dict[str, Any] = {
            "each": counting.work_of_a_sentence(),
            "done": done,
            "lines": args.progress,
            "longest": lines_file(args),
        }
        with progress(counting.work, quiet=args.quiet, **pace) as advance:
            of_parts = args.parts or (kept is not None and kept.parts)
            for part in scored_parts(replace(counting, skip=skip, progress=advance), parts=of_parts):
                rows = kept_rows(part, layout, kept) if kept else all_rows(part, layout)
                write(sink, made, rows, part.sentences)
        ends = [one.end() for one in made]
        if any(ends):
            sink.write(ends, 0)
    if kept is not None:
        share = 100 * sink.state.kept / sink.state.sentences
        tell(args, f"kept {sink.state.kept:,} of {sink.state.sentences:,} sentences ({share:.2f} %)")
    if args.signatures:
        _write_signatures(args, content, sink.state.sentences, found)


def _made(args: argparse.Namespace, layout: RowLayout, content: Mapping[str, Any]) -> list[RowFormat]:
    """What writes the rows: a table, unless they go to parallel texts alone, and the texts."""
    tables = [_table(args, layout, content)] if args.output or not args.keep_out else []
    return [*tables, *(TextRows(layout, at) for at in range(len(PAIR)) if args.keep_out)]


def _table(args: argparse.Namespace, layout: RowLayout, content: Mapping[str, Any]) -> RowFormat:
    """Raises UsageError for columns that would have one name, and MissingExtraError without pyarrow."""
    if args.format == "jsonl":
        return JsonRows(layout)
    if args.format == "parquet":
        from geceval.report.scores.parquet_rows import ParquetRows

        check_heads(layout)
        return ParquetRows(layout, {"schema": SCHEMA, "version": __version__, **content})
    check_double(layout)
    return DelimitedRows(layout, args.digits, {"tsv": "\t", "csv": ","}[args.format])


def write(sink: Sink, made: Sequence[RowFormat], rows: SentenceRows, sentences: int) -> None:
    """The rows of a part, after what comes before the first ones."""
    first = sink.state.sentences == 0
    sink.write([(one.start() if first else b"") + one.rows(rows) for one in made], sentences, len(rows))


def all_rows(part: ScoredPart, layout: RowLayout) -> SentenceRows:
    """A row for every sentence of a part."""
    figures = [part.figures[column.system, column.metric][column.part] for column in layout.columns]
    return SentenceRows(range(part.start + 1, part.start + part.sentences + 1), (), figures)


def _layout(args: argparse.Namespace, corpus: TextSource, metrics: Sequence[AnyMetric], paired: bool) -> RowLayout:
    from geceval.cli.keeping import parts_of
    from geceval.text.source_row import SOURCE

    names = [name for name in corpus.system_names if name != SOURCE]
    systems = [*(sorted(names) if args.sort == BY_NAME else names), *(SOURCE,) * (SOURCE in corpus.system_names)]
    if args.format in ALONE:
        metrics = list(dict.fromkeys(metrics))
    parts = {metric: parts_of(metric) if args.parts else [] for metric in metrics}
    references = None
    if paired:
        references = 0 if corpus.made_by else corpus.facts.reference_texts()
    return RowLayout(columns_of(systems, metrics, parts, alone=paired), references)


def _write_signatures(
    args: argparse.Namespace, content: Mapping[str, Any], sentences: int, found: Sequence[GecevalWarning]
) -> None:
    from geceval.report.documents import as_json

    with writing(args.signatures) as out:
        out.write(as_json(SCHEMA, {**given_files(args, found), "sentences": sentences, **content}))


# --- where it goes ---


class Sink(Protocol):
    """What takes rows, and knows how far it is."""

    state: State

    def write(self, texts: Sequence[bytes], sentences: int, kept: int = 0) -> None: ...


class _Passing:
    """Standard output, a device, a pipe: what was written is gone."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name, self.state = stream, name, State()

    def write(self, texts: Sequence[bytes], sentences: int, kept: int = 0) -> None:
        with write_errors(self._name):
            self._stream.write(b"".join(texts))
            self._stream.flush()
        self.state.sentences += sentences
        self.state.kept += kept


def _sink(args: argparse.Namespace, run: Mapping[str, Any] | None) -> AbstractContextManager[Sink]:
    """Where the rows go."""
    paths = output_files(args)
    if goes_by(args):
        return _passing(paths[0] if paths else None, args.format)
    return Growing(
        paths, None if args.format == "parquet" else run, resume=args.resume, tell=lambda text: tell(args, text)
    )


@contextmanager
def _passing(path: str | None, form: str) -> Iterator[Sink]:
    if path is not None:
        with write_errors(path), Path(path).open("wb") as stream:
            yield _Passing(stream, path)
        return
    if form == "parquet" and sys.stdout.isatty():
        raise UsageError("Parquet is nothing to look at", hint="-o FILE, or a pipe")
    sys.stdout.flush()
    yield _Passing(sys.stdout.buffer, "standard output")


# --- what a run is known by ---


def _run_of(args: argparse.Namespace, signatures: Mapping[Any, str]) -> dict[str, Any] | None:
    """All that what is written depends on: version, signatures, options, the state of files. None: something is read
    that cannot be known again."""
    if reads_once(args):
        return None
    files = {}
    for path in named_files(args):
        state = Path(path).stat()
        when = datetime.fromtimestamp(state.st_mtime_ns / 1e9, tz=timezone.utc)
        files[path] = f"{state.st_size:,} bytes written {when:%Y-%m-%d %H:%M:%S} ({state.st_mtime_ns})"
    options = {option_name(key): value for key, value in vars(args).items() if key not in WITHOUT_EFFECT}
    known = {key: value for key, value in options.items() if isinstance(value, str | int | float | list | bool)}
    return {"geceval": __version__, "signatures": list(dict.fromkeys(signatures.values())), **known, **files}
