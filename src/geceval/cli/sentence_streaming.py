"""Rows of sentences, written as the sentences are scored, for any number of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from geceval.base.errors import GecevalWarning
from geceval.cli.inputs import CorpusInputs
from geceval.cli.output import write_text
from geceval.cli.resumable_output import State
from geceval.cli.row_output import RowOutput
from geceval.cli.score_options import SENTENCE_FORMATS, ScoreRequest
from geceval.cli.stderr import Steps, progress, steps_of
from geceval.counting.run import Run
from geceval.counting.sentence_scores import ScoredPart, score_parts, sentence_signatures
from geceval.counting.stream import AnyMetric
from geceval.report.documents import as_json
from geceval.report.scores.score_report import BY_NAME
from geceval.report.scores.sentence_rows import SCHEMA, RowLayout, SentenceRows, about, columns_of
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE


@dataclass(frozen=True)
class RowStream:
    """A run whose sentences are written as rows.

    ``found``: the warnings so far. ``log``: log progress every 30 s when stderr is not a terminal.
    """

    output: RowOutput
    inputs: CorpusInputs
    run: Run
    found: Sequence[GecevalWarning]
    log: bool = False

    def write(
        self,
        layout: RowLayout,
        rows_of: Callable[[ScoredPart], SentenceRows],
        *,
        parts: bool = False,
        resumable: bool = True,
    ) -> State:
        """Write the rows of each part, and the description of the columns.

        ``parts``: the rows need the parts of scores. ``resumable``: the rows of a part depend on this part alone.
        """
        output, run = self.output, self.run
        signatures = sentence_signatures(run)
        content = about(layout, signatures)
        writers = output.writers(layout, content)
        with output.opened(list(signatures.values()), resumable=resumable) as sink:
            skip = sink.state.sentences
            with progress(lambda: self._steps(skip), quiet=output.options.quiet, lines=self.log) as advance:
                for part in score_parts(replace(run, skip=skip, progress=advance), parts=parts):
                    rows = rows_of(part)
                    first = sink.state.sentences == 0
                    texts = [(one.start() if first else b"") + one.rows(rows) for one in writers]
                    sink.write(texts, len(part.corpus), len(rows))
            ends = [one.end() for one in writers]
            if any(ends):
                sink.write(ends, 0)
        if output.row_options.signatures is not None:
            document = {**self.inputs.to_document(self.found), "sentences": sink.state.sentences, **content}
            write_text(output.row_options.signatures, as_json(SCHEMA, document))
        return sink.state

    def _steps(self, skip: int) -> Steps:
        """Return the work, of which ``skip`` sentences are done."""
        run = self.run
        return replace(steps_of(run, self.inputs.options.files.source), done=skip * run.work_of_a_sentence(first=False))


def stream_scores(request: ScoreRequest, inputs: CorpusInputs, run: Run, found: Sequence[GecevalWarning]) -> None:
    """Write the scores of all sentences; ``found``: the warnings so far."""
    run = replace(run, threads=request.output.threads, checks=request.checks)
    layout = _layout(request, run.source, run.metrics)
    stream = RowStream(row_output(request), inputs, run, found, request.progress)
    stream.write(layout, lambda part: _rows(part, layout), parts=request.parts)


def row_output(request: ScoreRequest) -> RowOutput:
    """Return the output of a request for scores of sentences."""
    return RowOutput(request, request.output, request.sentences)


def _rows(part: ScoredPart, layout: RowLayout) -> SentenceRows:
    """Return a row for every sentence of a part."""
    figures = [part.figures[column.system, column.metric][column.part] for column in layout.columns]
    start = part.corpus.first
    return SentenceRows(range(start + 1, start + len(part.corpus) + 1), (), figures)


def _layout(request: ScoreRequest, corpus: TextSource, metrics: Sequence[AnyMetric]) -> RowLayout:
    names = sorted(corpus.system_names) if request.sort == BY_NAME else list(corpus.system_names)
    systems = sorted(names, key=lambda name: name == SOURCE)  # the source comes last
    if request.output.written_format in SENTENCE_FORMATS:
        metrics = list(dict.fromkeys(metrics))
    return RowLayout(columns_of(systems, metrics, parts=request.parts, alone=False))
