"""``geceval m2 weights``: write GoToScorer's weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cyclopts import Parameter

from geceval.base.arguments import COUNT
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import TargetOption, Threads
from geceval.counting.metric_names import make_metric
from geceval.terminal.writing import writing


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class WeightsRequest(TargetOption):
    """Gold edits, systems, and the reference that counts."""

    data: CorpusOptions = CorpusOptions()
    ref_id: int = 0
    """number of the reference"""
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, ref_id=COUNT)


def weights(*, request: WeightsRequest = WeightsRequest()) -> None:
    """Write the number of systems that have each gold chunk right.

    Examples:
      geceval m2 weights --gold gold.m2 -c sys1.m2 sys2.m2 sys3.txt -o pool.txt
      geceval score --gold gold.m2 -c new.txt -m goto:weights=pool.txt

    One line per sentence: a digest of the sentence and its gold edits, then the
    number of systems that correct each chunk.

    documentation: docs/metrics/chunks.md
    """
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))
