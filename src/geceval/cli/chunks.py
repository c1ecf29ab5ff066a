"""``geceval chunks``: the chunks of CLEME, sentence by sentence."""

from __future__ import annotations

import json

from geceval.base.arguments import COUNT, PLACES
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import ChecksOption, CorpusOptions, TargetOption, format_option
from geceval.cli.output import terminal_width, write_text
from geceval.cli.parsing import Command
from geceval.cli.stderr import warn_of
from geceval.counting.metric_names import make_metric
from geceval.report.report import written

EXAMPLES = """\
examples:
  geceval chunks --gold gold.m2 -c system.m2 -n 1 7
  geceval chunks -s source.txt -r ref0.txt ref1.txt -c system.txt --changed --format json

A cell that its version changes ends in *, and ∅ is no text.
"""


class ChunksRequest(ChecksOption, TargetOption, CommandRequest):
    """Systems, how CLEME cuts chunks, and which are shown."""

    data: CorpusOptions = CorpusOptions()
    sentences: tuple[int, ...] = option(
        *("-n", "--sentences"), nargs="+", bounds=COUNT, help="these sentences, from 1 (default: all)"
    )
    changed: bool = option("--changed", help="only chunks that some version changes")
    assumption: str = option(
        "--assumption", choices=["dependent", "independent"], default="dependent", help="default: dependent"
    )
    merge_distance: int = option(
        "--merge-distance", bounds=PLACES, default=0, help="number of unchanged tokens inside a chunk (default: 0)"
    )
    format: str = format_option("table", "json", "markdown")


def run(request: ChunksRequest) -> None:
    """Write the chunks."""
    from geceval.counting.groups.groupings import evidence_of
    from geceval.counting.run import kept_counts
    from geceval.report.sentences.chunk_table import chunk_rows, chunk_table

    inputs = CorpusInputs(request.data)
    corpus = inputs.corpus().whole()
    wanted = request.sentences or range(1, len(corpus) + 1)
    for number in wanted:
        if not 1 <= number <= len(corpus):
            raise UsageError(f"there is no sentence {number}: choose from 1 to {len(corpus)}")
    metric = make_metric(
        "cleme",
        assumption=request.assumption,
        weights="none",
        merge_distance=request.merge_distance,
        annotator=inputs.language.annotator_or_default,
    )
    if request.checks:
        warn_of(corpus, [metric])
    prepared = metric.prepare(corpus)
    shown = []
    for name, counts in kept_counts(corpus, metric, evidence=True).items():
        hypothesis = corpus.systems[name]
        sentences = list(chunk_rows(prepared.chunks(hypothesis), prepared.texts(hypothesis), evidence_of(counts)))
        for number in wanted:
            rows = sentences[number - 1]
            if request.changed:
                rows = [row for row in rows if any(cell.changed for cell in (row.hypothesis, *row.references))]
            shown.append((name, number, rows))
    if request.format == "json":
        found = [{"system": name, "sentence": number, "chunks": rows} for name, number, rows in shown]
        document = {"schema": "geceval/chunks@1", "sentences": found}
        text = json.dumps(document, ensure_ascii=False, indent=2, default=vars) + "\n"
    else:
        width, independent = terminal_width(request.target), request.assumption == "independent"
        tables = [chunk_table(rows, name, independent, f"sentence {number}") for name, number, rows in shown if rows]
        text = "\n".join(written(table, request.format, width=width) for table in tables)
    write_text(request.target, text)


COMMAND = Command(ChunksRequest, run, EXAMPLES)
