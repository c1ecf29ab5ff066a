"""``geceval weights``: how hard each chunk of the gold is for these systems, for ``goto:weights=FILE``."""

from __future__ import annotations

from typing import Any

from geceval.base.arguments import COUNT
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import CorpusOptions, TargetOption, ThreadsOption
from geceval.cli.output import writing
from geceval.cli.parsing import Command
from geceval.counting.metric_names import make_metric

EXAMPLES = """\
examples:
  geceval weights --gold gold.m2 -c sys1.m2 sys2.m2 sys3.txt -o pool.txt
  geceval score --gold gold.m2 -c new.txt -m goto:weights=pool.txt

A line for each sentence: a digest of it and its gold edits, then for each chunk how many of the systems have it right.
"""


class WeightsRequest(ThreadsOption, TargetOption, CommandRequest):
    """The gold, the systems, and which reference counts."""

    data: CorpusOptions = CorpusOptions()
    ref_id: int = option("--ref-id", bounds=COUNT, default=0, help="number of the reference (default: 0)")


def run(request: WeightsRequest) -> None:
    """Write the weights."""
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator_or_default)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))


COMMAND = Command(WeightsRequest, run, EXAMPLES)
