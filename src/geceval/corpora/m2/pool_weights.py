"""``geceval m2 weights``: write GoToScorer's weights of the gold chunks."""

from __future__ import annotations

from typing import Any

from geceval.base.arguments import COUNT
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import CorpusOptions, TargetOption, ThreadsOption
from geceval.cli.output import writing
from geceval.cli.parsing import Command
from geceval.counting.metric_names import make_metric


class WeightsRequest(ThreadsOption, TargetOption, CommandRequest):
    """Gold edits, systems, and the reference that counts."""

    data: CorpusOptions = CorpusOptions()
    ref_id: int = option("--ref-id", bounds=COUNT, default=0)


def run(request: WeightsRequest) -> None:
    """Write the weights."""
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator_or_default)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))


WEIGHTS = Command(WeightsRequest, run)
